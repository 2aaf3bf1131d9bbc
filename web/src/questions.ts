// What the nodes of a decision tree ask, in the reader's language. The server names its questions
// (`gap(E,l)`, `margin_w`, `parity`); the words for each kind are in the dictionaries.

import type { MinedNode } from "./api";
import { maybe, pieceName, sideName, t } from "./i18n";
import { other } from "./words";

/** Colours are exchanged where the tree is for the other side to move. */
function sides(swapped: boolean): { side: string; other: string } {
  const own = swapped ? "black" : "white";
  return { side: sideName(own), other: sideName(other(own)) };
}

function turnedLetter(letter: string, swapped: boolean): string {
  if (!swapped) return letter;
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

/** The question of a feature: “moves from Red elephant to Blue lion”. */
export function questionWords(feature: string, swapped: boolean): string {
  const [, kind = feature, color, list] = /^([a-z]+(?:_d|_p|_cross)?)(?:_([wb]))?(?:\((.*)\))?$/.exec(feature) ?? [];
  const names = sides(swapped);
  const own = color === "b" ? { side: names.other, other: names.side } : names;
  const letters = (list ?? "").split(",").filter(Boolean);
  const [a = "", b = ""] = letters.map((letter) => pieceName(turnedLetter(letter, swapped)));
  return (
    maybe(letters.length === 2 ? `ask_${kind}_2` : `ask_${kind}`, { ...own, a, b }) ??
    maybe(`ask_${kind}`, { ...own, a, b }) ??
    feature
  );
}

/** The answer that leads to a child: “at most 3”, “odd”, “Red”. */
export function answerWords(node: MinedNode, child: number, swapped: boolean): string {
  const when = node.children![child]!.when;
  if (node.at_most !== null && node.at_most !== undefined)
    return t(child === 0 ? "atMost" : "moreThan", { n: node.at_most });
  const names = sides(swapped);
  if (when === "white") return t("value_side", { side: names.side });
  if (when === "black") return t("value_side", { side: names.other });
  const zone = swapped ? { top: "bot", mid: "mid", bot: "top" }[when] : undefined;
  return maybe(`value_${zone ?? when}`) ?? when;
}
