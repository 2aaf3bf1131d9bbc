// What the server says about the Game of the Amazons. The rules are there, and only there.

import { get, Refused, type Score, type Side } from "../api";
import type { EscapeSearch, EscapeWish } from "../growth";

export interface Region {
  kind: "terminating" | "competing" | "filling";
  owner: Side | null;
  squares: string[];
  empty: number;
}
/** By the square of an amazon and the square she goes to: what her arrow can hit. */
export type Moves = Record<string, Record<string, string[]>>;
export interface Position {
  fen: string;
  files: number;
  ranks: number;
  rows: string[];
  turn: Side;
  empty: number;
  count: number;
  moves: string[];
  regions: Region[];
  winner: Side | null;
  played: { move: string; fen: string }[];
}
export type Algorithm = "champion" | "plain" | "regions" | "exact";
export interface Part extends Region {
  evaluation: number;
  move: number | null;
  pass: number | null;
  best: string | null;
  value: string | null;
}
export interface Analysis {
  algorithm: Algorithm;
  fen: string;
  turn: Side;
  score: Score | null;
  best: string | null;
  winner: Side | null;
  depth: number;
  nodes: number;
  solver_steps: number;
  time: number;
  regions: Part[];
}
export interface Effort {
  nodes: number;
  seconds: number;
  depth?: number;
}

export const amazons = {
  start: (size: string) => get<Position>("/api/amazons/position", { size }),
  position: (fen: string, moves = "") => get<Position>("/api/amazons/position", { fen, moves }),
  escape: (fen: string, wish: EscapeWish, signal: AbortSignal) =>
    patiently(signal, () => get<EscapeSearch>("/api/amazons/escape", { fen, ...wish }, signal)),
  analyse: (fen: string, algorithm: Algorithm, effort: Effort, signal: AbortSignal) =>
    patiently(signal, () => get<Analysis>("/api/amazons/analyse", { fen, algorithm, ...effort }, signal)),
};

/** Moves such as d1d7/g7, sorted into amazons, squares and arrows. */
export function byAmazon(moves: string[]): Moves {
  const sorted: Moves = {};
  for (const move of moves) {
    const [, from, to, arrow] = /^([a-j]\d+)([a-j]\d+)\/([a-j]\d+)$/.exec(move)!;
    ((sorted[from!] ??= {})[to!] ??= []).push(arrow!);
  }
  return sorted;
}

/** Asks again while the server is busy, when it says. */
async function patiently<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refused && error.fault.code === "busy") || signal.aborted) throw error;
      await new Promise((done) => setTimeout(done, (error.fault.retry_after ?? 5) * 1000));
      signal.throwIfAborted();
    }
  }
}
