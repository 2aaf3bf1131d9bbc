// Names and places of squares on a board of any size. Geography only; what may go where is the server's business.

export interface Size {
  files: number;
  ranks: number;
}

/** The square in this column and row, counted from the top left; null beyond the board. */
export function squareAt(size: Size, column: number, row: number): string | null {
  if (column < 0 || row < 0 || column >= size.files || row >= size.ranks) return null;
  return "abcdefghij"[column]! + String(size.ranks - row);
}

export function place(size: Size, square: string): { column: number; row: number } {
  return { column: square.charCodeAt(0) - 97, row: size.ranks - Number(square.slice(1)) };
}

/** A move's three squares. */
export function squaresOf(move: string): [from: string, to: string, arrow: string] {
  const [, from, to, arrow] = /^([a-j]\d+)([a-j]\d+)\/([a-j]\d+)$/.exec(move) ?? [];
  return [from ?? "", to ?? "", arrow ?? ""];
}
