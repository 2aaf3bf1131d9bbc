// What the page says, in the language chosen.

import { en } from "./en";
import { teller } from "./teller";
import { hans } from "./zh-Hans";
import { hant } from "./zh-Hant";
import type { Words } from "./words";
import type { Fault, Side } from "../api";
import type { Language } from "./teller";

export * from "./teller";

export const LANGUAGES = { en, "zh-Hans": hans, "zh-Hant": hant } satisfies Record<Language, Words>;
export type Key = keyof Words;

export const { t, maybe } = teller<Words>(LANGUAGES);

export function sideName(side: Side): string {
  return t(side);
}

export function sideOf(letter: string): Side {
  return letter === letter.toUpperCase() ? "white" : "black";
}

export function animalName(letter: string): string {
  return t(letter.toUpperCase() as Key);
}

/** “Red elephant”. */
export function pieceName(letter: string): string {
  return t("piece", { side: sideName(sideOf(letter)), animal: animalName(letter) });
}

/** What the server found wrong, in the reader's language where we have words for it. */
export function faultText(fault: Fault, blanks: Record<string, string | number> = {}): string {
  const [square = "", square2 = ""] = fault.squares ?? [];
  const piece = fault.pieces?.[0] ? pieceName(fault.pieces[0]) : "";
  const known = { message: fault.message, square, square2, piece, n: fault.retry_after ?? 5, ...blanks };
  // A record that holds a move that cannot be played: the move's own reason says more.
  const { cause } = fault;
  const reason = cause && maybe(`err_${cause.code}`, { ...known, text: cause.text ?? "" });
  if (reason) return t("err_pgn_move", { text: cause.text ?? "", reason });
  const wrong = fault.detail && maybe(`fen_${fault.detail}`, { rank: cause?.rank ?? "", text: cause?.text ?? "" });
  if (wrong) return t("err_fen_wrong", { wrong });
  if (cause?.switches?.length) {
    const names = cause.switches.map((name) => maybe(`rule_${name}`) ?? name).join(t("listThen"));
    return t("err_rules_switches", { names, message: fault.message });
  }
  return maybe(`err_${fault.code}`, known) ?? fault.message;
}
