// Games that are kept: asking for them, keeping the one that is played, and all of them as a file.

import { game, get, query, Refused, send, type GameRecord, type GameRef, type Score, type Side } from "./api";
import { guest } from "./guest";
import { keep, recall } from "./settings";

export type Source = "own" | "imported" | "book";
export const SOURCES: Source[] = ["book", "own", "imported"];

export interface KeptGame {
  id: string;
  source: Source;
  white: string;
  black: string;
  date: string | null;
  result: string;
  rules: string;
  plies: number;
  event: string | null;
}
export interface Tally {
  white: number;
  draws: number;
  black: number;
  unfinished: number;
}
export interface Judged {
  score: Score;
  depth: number;
  nodes: number;
}
export interface ExploredMove {
  move: string;
  san: string;
  captures: string | null;
  games: number;
  results: Tally;
  judged: Judged | null;
}
export interface Explored {
  fen: string;
  rules: string;
  turn: Side;
  source: Source;
  games: number;
  results: Tally;
  moves: ExploredMove[];
  latest: KeptGame[];
  book: { engine: string; nodes: number; analysis: number[] } | null;
}
export interface Wanted {
  source?: string;
  player?: string;
  result?: string;
  rules?: string;
  since?: string;
  until?: string;
  position?: string;
  offset?: number;
  limit?: number;
}
export interface ImportReport {
  read: number;
  added: number;
  known: number;
  faulty: number;
  faults: string[];
}

const pairs = (wanted: Wanted) => wanted as Record<string, string | number | undefined>;

async function post<T>(
  path: string,
  parameters: Record<string, string | number | undefined>,
  body: string,
  kind: string,
) {
  const headers = { "content-type": kind };
  const response = await send(`${path}?${query(parameters)}`, { method: "POST", body, headers });
  return (await response.json()) as T;
}

/** Whether the server's games are somebody else's, so that this browser keeps the reader's. */
let isGuest = false;

/** Asks the server for games, and this browser where the server keeps none of the reader's. */
async function reader<T>(theirs: () => Promise<T>, own: () => Promise<T>): Promise<T> {
  if (isGuest) return own();
  try {
    return await theirs();
  } catch (error) {
    if (!(error instanceof Refused) || error.fault.code !== "not-owner") throw error;
    isGuest = true;
    return own();
  }
}

const BOOK: Source = "book";

export const games = {
  list(wanted: Wanted) {
    const theirs = () => get<{ total: number; games: KeptGame[] }>("/api/games", pairs(wanted));
    return wanted.source === BOOK ? theirs() : reader(theirs, () => guest.list(wanted));
  },
  open(id: string) {
    const theirs = () => get<{ record: GameRecord }>("/api/games/game", { id });
    return id.startsWith("book-") ? theirs() : reader(theirs, () => guest.open(id));
  },
  save: (id: string, record: GameRecord) =>
    reader<unknown>(
      () => post("/api/games/save", { id }, JSON.stringify(record), "application/json"),
      () => guest.save(id, record),
    ),
  delete: (ids: string[]) =>
    reader<unknown>(
      () => post("/api/games/delete", { ids: ids.join(",") }, "", "text/plain"),
      () => guest.delete(ids),
    ),
  explore(ref: GameRef, source: Source) {
    const theirs = () => get<Explored>("/api/explorer", { ...game(ref), source });
    return source === BOOK ? theirs() : reader(theirs, () => guest.explore(ref, source));
  },
  import: importText,
  export: (wanted: Wanted) =>
    wanted.source === BOOK
      ? exportText(wanted)
      : reader(
          () => exportText(wanted),
          () => guest.export(wanted),
        ),
};

/** Whether the reader's games are kept in this browser since the server is somebody else's. */
export function keptHere(): boolean {
  return isGuest;
}

/** What a server takes at once. */
const PART = 200_000;

/** Keeps the games of a PGN of any length, in parts that are cut between games. */
async function importText(text: string, source: Source = "imported", heard: (done: number) => void = () => {}) {
  const report: ImportReport = { read: 0, added: 0, known: 0, faulty: 0, faults: [] };
  let lines = 0;
  let at = 0;
  while (at < text.length) {
    const end = partEnd(text, at);
    const part = text.slice(at, end);
    const parameters = { source, lines_before: lines, games_before: report.read };
    const found = await reader(
      () => post<ImportReport>("/api/games/import", parameters, part, "text/plain"),
      () => guest.import(part, source, newId),
    );
    report.read += found.read;
    report.added += found.added;
    report.known += found.known;
    report.faulty += found.faulty;
    report.faults.push(...found.faults);
    for (let line = part.indexOf("\n"); line >= 0; line = part.indexOf("\n", line + 1)) lines++;
    at = end;
    heard(at / text.length);
  }
  return report;
}

/** The last beginning of a game before the part is too long, or the first one after that. */
function partEnd(text: string, at: number): number {
  if (text.length - at <= PART) return text.length;
  // A blank line and a tag: where a game begins. Comments do not look like this.
  const begins = /\n[ \t\r]*\n(?=\[[A-Za-z])/g;
  begins.lastIndex = at;
  let end = 0;
  for (let found = begins.exec(text); found; found = begins.exec(text)) {
    const here = found.index + found[0].length;
    if (end && here - at > PART) break;
    end = here;
    if (end - at > PART) break;
  }
  return end || text.length;
}

/** All games that are wanted, as PGN. */
async function exportText(wanted: Wanted): Promise<string> {
  const parts: string[] = [];
  for (let offset = 0; ; ) {
    const part = await get<{ total: number; games: number; pgn: string }>("/api/games/export", {
      ...pairs(wanted),
      offset,
      limit: undefined,
    });
    if (part.games) parts.push(part.pgn);
    offset += part.games;
    if (!part.games || offset >= part.total) return parts.join("\n");
  }
}

/** A name for a game that begins. */
export function newId(): string {
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  return "game-" + Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => letters[byte % 36]).join("");
}

/** What is still to be kept: it stays in the browser until somebody has taken it. */
type Pending = Record<string, GameRecord>;
let sending = false;

/** Keeps a game of the reader's under its name; told of trouble once. */
export function keepGame(id: string, record: GameRecord, trouble: (error: unknown) => void): void {
  keep("unsaved", { ...recall<Pending>("unsaved"), [id]: record });
  void flush(trouble);
}

let troubled = false;

/** Sends what is still to be kept, the newest state of each game. */
export async function flush(trouble: (error: unknown) => void = () => {}): Promise<void> {
  if (sending) return;
  sending = true;
  try {
    for (;;) {
      const pending = recall<Pending>("unsaved") ?? {};
      const [id] = Object.keys(pending);
      if (!id) return;
      const record = pending[id]!;
      try {
        await games.save(id, record);
        troubled = false;
      } catch (error) {
        const status = error instanceof Refused ? error.status : 0;
        // What can never be kept must not hold up the others.
        if (status !== 400 && status !== 413 && status !== 422) {
          if (!troubled) trouble(error);
          troubled = true;
          return;
        }
      }
      const now = recall<Pending>("unsaved") ?? {};
      // It may have gone on meanwhile.
      if (JSON.stringify(now[id]) === JSON.stringify(record)) delete now[id];
      keep("unsaved", now);
    }
  } finally {
    sending = false;
  }
}

/** What the browser keeps, as text, and all games with it. */
export async function withGames(saved: string): Promise<string> {
  const all = JSON.parse(saved) as Record<string, unknown>;
  all["games"] = { own: await games.export({ source: "own" }), imported: await games.export({ source: "imported" }) };
  return JSON.stringify(all);
}

/** Keeps the games of such a text; those that are there already stay as they are. */
export async function restoreGames(saved: string): Promise<void> {
  const { games: texts } = JSON.parse(saved) as { games?: Partial<Record<Source, unknown>> };
  for (const source of ["own", "imported"] as const) {
    const text = texts?.[source];
    if (typeof text === "string" && text) await importText(text, source);
  }
}
