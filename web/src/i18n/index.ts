// What the page says, in the language chosen.

import { en } from "./en";
import { hans } from "./zh-Hans";
import { hant } from "./zh-Hant";
import type { Words } from "./words";
import type { Fault, Side } from "../api";

export const LANGUAGES = { en, "zh-Hans": hans, "zh-Hant": hant } satisfies Record<string, Words>;
export type Language = keyof typeof LANGUAGES;
export type Key = keyof Words;

let language: Language = "en";

export function setLanguage(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen;
}

export function currentLanguage(): Language {
  return language;
}

/** The language that suits the browser. */
export function preferredLanguage(): Language {
  for (const wanted of navigator.languages) {
    const tag = wanted.toLowerCase();
    if (/^zh-(hant|tw|hk|mo)/.test(tag)) return "zh-Hant";
    if (tag.startsWith("zh")) return "zh-Hans";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}

/** A text with its blanks filled. */
export function t(key: Key, blanks: Record<string, string | number> = {}): string {
  const text: string = LANGUAGES[language][key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(blanks[name] ?? whole));
}

/** As `t`, for keys made up on the way; undefined if there is no such text. */
export function maybe(key: string, blanks: Record<string, string | number> = {}): string | undefined {
  return key in LANGUAGES[language] ? t(key as Key, blanks) : undefined;
}

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
  return maybe(`err_${fault.code}`, known) ?? fault.message;
}
