// Names and places of squares. Geography only; what may go where is the server's business.

import { sideName, t } from "./i18n";

export const FILES = "abcdefg";
export const FRAME = 22;
export const WIDTH = 744;
export const HEIGHT = 944;

/** All squares, a1 first, along the ranks: the order in which the server lists things by square. */
export const SQUARES: string[] = [];
for (let rank = 1; rank <= 9; rank++) for (const file of FILES) SQUARES.push(file + rank);

/** Column and row as the reader sees them, from the top left. */
export function place(square: string, flipped: boolean): { column: number; row: number } {
  const file = FILES.indexOf(square[0]!);
  const rank = Number(square[1]) - 1;
  return flipped ? { column: 6 - file, row: rank } : { column: file, row: 8 - rank };
}

export function squareAt(column: number, row: number, flipped: boolean): string | null {
  if (column < 0 || column > 6 || row < 0 || row > 8) return null;
  return flipped ? FILES[6 - column]! + (row + 1) : FILES[column]! + (9 - row);
}

/** The middle of a square in the units of the drawing. */
export function centre(square: string, flipped: boolean): [number, number] {
  const { column, row } = place(square, flipped);
  return [FRAME + 100 * column + 50, FRAME + 100 * row + 50];
}

export function terrainName(square: string): string | null {
  if (/[bcef][456]/.test(square)) return t("water");
  if (["c1", "e1", "d2"].includes(square)) return t("trap", { side: sideName("white") });
  if (["c9", "e9", "d8"].includes(square)) return t("trap", { side: sideName("black") });
  if (square === "d1") return t("den", { side: sideName("white") });
  if (square === "d9") return t("den", { side: sideName("black") });
  return null;
}
