// Random choices that a seed repeats, and boards made of them.

const PIECES = [..."ELTPWDC"];

export function randomness(seed: number) {
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  /** A board with a few pieces on land, often enough a possible one, as part of an address. */
  const fen = (pieces: number): string => {
    const board = Array.from({ length: 9 }, () => Array.from({ length: 7 }, () => ""));
    for (let n = 0; n < pieces; n++) {
      const letter = pick(PIECES);
      board[random(2) ? random(3) : 6 + random(3)]![random(7)] = n % 2 ? letter.toLowerCase() : letter;
    }
    const rows = board.map((row) =>
      row
        .map((piece) => piece || "1")
        .join("")
        .replace(/1+/g, (ones) => String(ones.length)),
    );
    return encodeURIComponent(`${rows.join("/")} ${pick(["w", "b"])}`);
  };
  return { random, pick, fen };
}
