// Asking the program: a server, or the same program in this browser. All knowledge of the rules is there.

import type { EscapeSearch, EscapeWish } from "./growth";
import { ask, program } from "./local/desks";

export type Side = "white" | "black";

export interface LegalMove {
  move: string;
  san: string;
  captures: string | null;
}
export interface PlayedMove extends LegalMove {
  fen: string;
}
export interface Ending {
  winner: Side | null;
  reason: string;
  text: string;
}
export interface GameState {
  fen: string;
  rules: string;
  turn: Side;
  moves: LegalMove[];
  ending: Ending | null;
  occurrences: number;
  played: PlayedMove[];
}
export interface Fault {
  code: string;
  message: string;
  /** What kind of mistake it is, more exactly. */
  detail?: string;
  /** The move that cannot be played, where that is the reason. */
  cause?: { code: string; text?: string; switches?: string[]; rank?: number; line?: number; column?: number };
  squares?: string[];
  pieces?: string[];
  retry_after?: number;
}
export interface Checked {
  valid: boolean;
  fen: string;
  faults: Fault[];
  ending: Ending | null;
}
/** An estimate in hundredths, or a win or loss in a number of plies, or a draw that is certain. */
export type Score = { cp: number } | { win: number } | { loss: number } | { draw: true };
/** In thousandths, for the side to move. */
export interface Chances {
  win: number;
  draw: number;
  loss: number;
}
/** A score with the chances beside it; none of a finished game. */
export interface Judgement {
  score: Score;
  chances: Chances | null;
}
export interface EngineLine {
  index: number;
  depth: number;
  score: Score;
  chances: Chances;
  pv: string[];
  san: string[];
}
export interface Thought {
  depth: number;
  seldepth: number;
  nodes: number;
  nps: number;
  tbhits: number;
  hashfull: number;
  time: number;
  done: boolean;
  lines: EngineLine[];
}
export interface Best {
  move: string;
  san: string;
  level: string;
  score: Score | null;
  chances: Chances | null;
  pv: string[];
}
export interface Reviewed extends Judgement {
  ply: number;
  of: number;
  best: string | null;
  san: string[];
  ending: Ending | null;
}
export interface Probed {
  fen: string;
  outcome: Outcome;
  plies: number | null;
  ending: Ending | null;
  moves: { move: string; san: string; outcome: Outcome; plies: number | null }[];
}
export type Outcome = "win" | "draw" | "loss";
export interface ProbedLine {
  fen: string;
  outcome: Outcome;
  plies: number | null;
  line: string[];
  san: string[];
  ending: Ending | null;
  drawing: string[];
  drawing_san: string[];
}
export type ByOutcome = Record<"white" | "draw" | "black", number>;
/** A node of a decision tree: a question with its answers, or a leaf with an outcome. */
export interface MinedNode {
  counts: ByOutcome;
  example: string | null;
  outcome?: "white" | "draw" | "black";
  feature?: string;
  at_most?: number | null;
  children?: { when: string; then: MinedNode }[];
}
export interface Mined {
  class: string;
  swapped: boolean;
  path: number[] | null;
  report: {
    class: string;
    positions: number;
    leaves: number;
    depth: number;
    errors: number;
    tree: MinedNode;
    wrong: { fen: string; claimed: "white" | "draw" | "black"; truth: "white" | "draw" | "black" }[];
  };
}
/** A puzzle: exactly one move keeps the result, and after every reply exactly one again. */
export interface Puzzle {
  id: string;
  rules: string;
  fen: string;
  goal: "win" | "draw";
  solution: string[];
  themes: string[];
  rating: number;
  proved: "tables" | "search";
}
export interface PuzzleList {
  count: number;
  themes: { theme: string; about: string; count: number }[];
  puzzles: Puzzle[];
}
export type DrillGoal = "win" | "draw" | "resist";
export interface Drill {
  class: string;
  rules: string;
  goal: DrillGoal;
  fen: string;
  outcome: Outcome;
  plies: number | null;
}
export interface DrillReply {
  move: string;
  san: string;
  outcome: Outcome;
  plies: number | null;
}
export interface StatementCondition {
  feature: string;
  from: string | null;
  to: string | null;
  not: boolean;
}
export interface Statements {
  class: string;
  positions: number;
  covered: number;
  statements: {
    sentence: string;
    outcome: "white" | "draw" | "black";
    conditions: StatementCondition[];
    positions: number;
    new: number;
    example: string | null;
  }[];
}
export type MineWish = { max_depth: number; prune: boolean; features: string | undefined };
export interface PartScores {
  best: string | null;
  move: Score | null;
  non_move: Score;
  implied: Score | null;
}
export interface Split {
  fen: string;
  threshold: number;
  tmax: number | null;
  edges: { from: string; to: string; plies: number | null; cut: boolean }[];
  /** The pieces of each part, and the squares that they may use. */
  parts: string[][];
  territories: string[][];
  owner: Record<string, number | null>;
  search?: { depth: number; nodes: number; best: string | null; score: Score; parts: PartScores[] };
}
/** By square: in how many moves, and in how many plies if the piece's side moves first (a) or second (b). */
export interface Cone {
  square: string;
  piece: string;
  side: Side;
  moves: Heights;
  a: Heights;
  b: Heights;
}
export type Heights = Record<string, number | null>;
export interface RulesBody {
  presets: { name: string; summary: string | null; switches: Record<string, string> }[];
  switches: { name: string; values: string[]; summary: string }[];
}
/** A build of tables in the background. */
export interface Building {
  state: "idle" | "running" | "done" | "failed";
  allowed: boolean;
  rules: string | null;
  pieces: number | null;
  done: number;
  total: number;
  seconds: number;
  /** Seconds left, or that it would take. */
  estimate: number | null;
  /** What the tables need on the disk. */
  bytes: number;
  error: Fault | null;
}
export interface RecordLine {
  comments: string[];
  moves: RecordNode[];
}
export interface RecordNode {
  move: string;
  san: string;
  captures: string | null;
  fen: string;
  nags: number[];
  comments: string[];
  variations: RecordLine[];
}
export interface GameRecord {
  tags: Record<string, string>;
  rules: string;
  fen: string;
  result: string | null;
  line: RecordLine;
}

/** A game up to some position: where it began and what was played. */
export interface GameRef {
  fen: string;
  rules: string;
  moves: string[];
}

/** The program refused, and said why. */
export class Refused extends Error {
  constructor(
    readonly fault: Fault,
    readonly status: number,
  ) {
    super(fault.message);
  }
}

/** There was no answer. */
export class Unreachable extends Error {}

const listeners: ((up: boolean) => void)[] = [];
let up = true;

/** Tells when the program goes away and comes back. */
export function onConnection(listener: (up: boolean) => void): void {
  listeners.push(listener);
}

function setUp(now: boolean): void {
  if (now === up) return;
  up = now;
  for (const listener of listeners) listener(up);
  if (!up) void comeBack();
}

async function comeBack(): Promise<void> {
  while (!up) {
    await new Promise((done) => setTimeout(done, 700));
    try {
      const answer = await request("/api/rules", { cache: "no-store" });
      if (answer.ok) setUp(true);
    } catch {
      // Still away.
    }
  }
}

export function query(parameters: Record<string, string | number | boolean | undefined>): string {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
}

export function game(ref: GameRef): Record<string, string> {
  return { fen: ref.fen, rules: ref.rules, moves: ref.moves.join(",") };
}

/** Pages of other sites cannot send this without asking first: it tells the server that the request is its own page's. */
export const OWN = { "x-mousetrap": "page" };

/** Paths are relative to the page, which may lie anywhere. */
function request(path: string, options: RequestInit): Promise<Response> {
  return program ? ask(path, options) : fetch(`.${path}`, options);
}

export async function send(path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await request(path, { ...options, headers: { ...options.headers, ...OWN } });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    setUp(false);
    throw new Unreachable(String(error));
  }
  setUp(true);
  if (!response.ok) {
    const body = (await response.json().catch(() => null)) as { error?: Fault } | null;
    throw new Refused(body?.error ?? { code: "unknown", message: response.statusText }, response.status);
  }
  return response;
}

/** Asks for JSON. */
export async function get<T>(
  path: string,
  parameters: Record<string, string | number | boolean | undefined> = {},
  signal?: AbortSignal,
): Promise<T> {
  const text = query(parameters);
  const response = await send(text ? `${path}?${text}` : path, signal ? { signal } : {});
  return (await response.json()) as T;
}

/** Tables are not built in a browser. */
const NO_BUILDING: Building = {
  state: "idle",
  allowed: false,
  rules: null,
  pieces: null,
  done: 0,
  total: 0,
  seconds: 0,
  estimate: null,
  bytes: 0,
  error: null,
};

export const api = {
  rules: () => get<RulesBody>("/api/rules"),
  moves: (ref: GameRef) => get<GameState>("/api/moves", game(ref)),
  check: (fen: string, rules: string) => get<Checked>("/api/check", { fen, rules }),
  best: (ref: GameRef, level: string, seconds?: number, signal?: AbortSignal) =>
    get<Best>("/api/best", { ...game(ref), level, seconds }, signal),
  tablebase: (ref: GameRef) => get<Probed>("/api/tablebase", game(ref)),
  line: (ref: GameRef) => get<ProbedLine>("/api/tablebase/line", game(ref)),
  building: (rules: string, pieces: number) =>
    program ? Promise.resolve(NO_BUILDING) : get<Building>("/api/tablebase/build", { rules, pieces }),
  build: async (rules: string, pieces: number) => {
    const headers = { "content-type": "application/json" };
    await send("/api/tablebase/build", { method: "POST", body: JSON.stringify({ rules, pieces }), headers });
  },
  stopBuilding: async () => {
    await send("/api/tablebase/build", { method: "DELETE" });
  },
  minePosition: (ref: GameRef, wish: MineWish, signal: AbortSignal) =>
    get<Mined>("/api/mine", { ...game(ref), ...wish }, signal),
  mineClass: (name: string, rules: string, wish: MineWish, signal: AbortSignal) =>
    get<Mined>("/api/mine", { class: name, rules, ...wish }, signal),
  puzzles: () => get<PuzzleList>("/api/puzzles"),
  dailyPuzzle: (date: string) => get<Puzzle>("/api/puzzles/daily", { date }),
  drill: (name: string, rules: string, goal: DrillGoal, seed: number) =>
    get<Drill>("/api/drill", { class: name, rules, goal, seed }),
  drillReply: (ref: GameRef) => get<DrillReply>("/api/drill/reply", game(ref)),
  statements: (name: string, rules: string, signal: AbortSignal) =>
    get<Statements>("/api/statements", { class: name, rules }, signal),
  split: (ref: GameRef, threshold: number) => get<Split>("/api/split", { ...game(ref), threshold }),
  cone: (ref: GameRef, square: string) => get<Cone>("/api/cone", { ...game(ref), square }),
  escape: (ref: GameRef, wish: EscapeWish, signal: AbortSignal) =>
    get<EscapeSearch>("/api/escape", { ...game(ref), ...wish }, signal),
  picture: async (query: URLSearchParams) => (await send(`/api/picture.svg?${query.toString()}`)).blob(),
  importPgn: async (text: string) => {
    const response = await send("/api/pgn/import", {
      method: "POST",
      body: text,
      headers: { "content-type": "text/plain" },
    });
    return (await response.json()) as { games: GameRecord[]; faults: string[] };
  },
  exportPgn: async (record: GameRecord) => {
    const headers = { "content-type": "application/json" };
    const response = await send("/api/pgn/export", { method: "POST", body: JSON.stringify(record), headers });
    return ((await response.json()) as { pgn: string }).pgn;
  },
  analyse: (ref: GameRef, lines: number, seconds: number, signal: AbortSignal, hear: (t: Thought) => void) =>
    stream("/api/analyse", { ...game(ref), lines, seconds }, signal, (_, data) => hear(data as Thought)),
  review: (ref: GameRef, signal: AbortSignal, hear: (r: Reviewed) => void) =>
    stream("/api/review", game(ref), signal, (name, data) => {
      if (name === "position") hear(data as Reviewed);
    }),
};

/** Reads server-sent events until they end; throws when the connection breaks. `alive` is told of every sign of life. */
export async function stream(
  path: string,
  parameters: Record<string, string | number | boolean | undefined>,
  signal: AbortSignal,
  hear: (name: string, data: unknown) => void,
  { headers = {}, alive }: { headers?: Record<string, string>; alive?: () => void } = {},
): Promise<void> {
  const response = await send(`${path}?${query(parameters)}`, { signal, headers });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive?.();
      rest += value;
      const events = rest.split("\n\n");
      rest = events.pop() ?? "";
      for (const text of events) {
        const field = (name: string) =>
          text
            .split("\n")
            .filter((l) => l.startsWith(name + ": "))
            .map((l) => l.slice(name.length + 2))
            .join("\n");
        const data = field("data");
        if (data) hear(field("event"), JSON.parse(data));
      }
    }
  } catch (error) {
    if (signal.aborted) throw error;
    setUp(false);
    throw new Unreachable(String(error));
  }
}
