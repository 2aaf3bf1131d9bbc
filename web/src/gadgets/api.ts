// What the program says about gadgets, compiled boards and games on them.

import { get, type Side } from "../api";

export type Terrain = "land" | "trap" | "den";
export interface Ground {
  square: string;
  x: number;
  y: number;
  kind: Terrain;
  owner: Side | null;
}
export type GateKind = "variable" | "split" | "relay" | "or" | "and" | "den";
export interface Gate {
  kind: GateKind;
  gadget: string | null;
  variable: number | null;
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Wire {
  from: number;
  to: number | null;
  squares: string[];
}
/** The board of a formula: columns from the left, rows from the top; what is not listed is water. */
export interface Compiled {
  formula: string;
  variables: string[];
  clauses: number[][];
  winner_white_first: Side;
  winner_black_first: Side;
  width: number;
  height: number;
  ground: Ground[];
  gates: Gate[];
  wires: Wire[];
  track: string[];
  crossings: number;
}
export interface Piece {
  square: string;
  piece: string;
}
export interface Step {
  move: string;
  from: string;
  to: string;
  piece: string;
  takes: string | null;
  gate: number | null;
  wire: number | null;
}
export interface Game {
  formula: string;
  turn: Side;
  strategist: Side;
  winner: Side | null;
  pieces: Piece[];
  variables: (Side | null)[];
  left_to_run: number;
  broken: number[];
  played: Step[];
  moves: Step[];
  reply: { move: string; by: "strategy" | "search" } | null;
}
export interface Port {
  name: string;
  edge: "north" | "east" | "south" | "west";
  line: number;
  input: boolean;
}
export interface Contract {
  holds: boolean;
  black_states: number;
  answers: number | null;
  white_states: number;
  plies: number | null;
}
export interface Drawing {
  name: string;
  title: string;
  set: "published" | "composed" | "mended" | "stepping";
  rows: string[];
  ports: Port[];
  signal: string;
  contract: Contract | null;
}
/** A formula and how its board is drawn. */
export interface Wish {
  formula: string;
  stepping: boolean;
}

export const gadgets = {
  list: () => get<Drawing[]>("/api/gadgets"),
  drawing: async (name: string) => (await get<Drawing[]>("/api/gadgets", { name }))[0]!,
  board: (wish: Wish) => get<Compiled>("/api/gadgets/board", { ...wish }),
  play: (wish: Wish, first: Side, moves: string[], reply: boolean, signal: AbortSignal) =>
    get<Game>("/api/gadgets/play", { ...wish, first, moves: moves.join(","), reply }, signal),
};
