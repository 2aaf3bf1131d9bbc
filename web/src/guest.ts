// A guest's games: kept in the browser's own storage, since the server keeps those of whoever runs it. They are found,
// opened, exported and imported as the others are.

import { api, Refused, type GameRecord, type GameRef } from "./api";
import { faultOf, Rows, type Row } from "./local/rows";
import type { Explored, ExploredMove, ImportReport, KeptGame, Source, Tally, Wanted } from "./games";

interface Kept extends Row {
  source: Source;
  saved: number;
  record: GameRecord;
}

const rows = new Rows<Kept>("mousetrap-guest");

/** The browser's storage fails as a server does. */
async function faced<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Refused(faultOf(error), 500);
  }
}

/** All games, the latest first: by date, those without one last, and among equals what came later. */
async function all(): Promise<Kept[]> {
  const kept = await faced(rows.all());
  const date = (one: Kept) => dayOf(one.record.tags["Date"]) ?? "";
  return kept.sort((a, b) => (date(a) === date(b) ? b.saved - a.saved : date(a) < date(b) ? 1 : -1));
}

/** The known part of a PGN date as ISO 8601 has it. */
function dayOf(tag = ""): string | null {
  return /^\d{4}(\.\d\d(\.\d\d)?)?/.exec(tag)?.[0].replaceAll(".", "-") ?? null;
}

function summary({ id, source, record }: Kept): KeptGame {
  const { tags, line, rules, result } = record;
  return {
    id,
    source,
    white: tags["White"] ?? "?",
    black: tags["Black"] ?? "?",
    date: dayOf(tags["Date"]),
    result: result ?? "*",
    rules,
    plies: line.moves.length,
    event: tags["Event"] ?? null,
  };
}

/** A position and its mirror image are one, counters left aside. */
function keys(fen: string): string[] {
  const [board = "", turn = ""] = fen.split(" ");
  const mirrored = board
    .split("/")
    .map((rank) => [...rank].reverse().join(""))
    .join("/");
  return [`${board} ${turn}`, `${mirrored} ${turn}`];
}

/** Where in a game a position occurred first, and whether as its mirror image. */
function place({ record }: Kept, position: string): { ply: number; mirrored: boolean } | null {
  const fens = [record.fen, ...record.line.moves.map((move) => move.fen)];
  const [plain, mirror] = keys(position);
  for (const [ply, fen] of fens.entries()) {
    const [here] = keys(fen);
    if (here === plain || here === mirror) return { ply, mirrored: here !== plain };
  }
  return null;
}

function admits(kept: Kept, wanted: Wanted): boolean {
  const game = summary(kept);
  const player = wanted.player?.toLowerCase();
  return (
    (!wanted.source || wanted.source === game.source) &&
    (!player || [game.white, game.black].some((name) => name.toLowerCase().includes(player))) &&
    (!wanted.result || wanted.result === game.result) &&
    (!wanted.rules || wanted.rules === game.rules) &&
    (!wanted.since || (game.date !== null && game.date >= wanted.since)) &&
    (!wanted.until || (game.date !== null && game.date < wanted.until + "~")) &&
    (!wanted.position || place(kept, wanted.position) !== null)
  );
}

async function meant(wanted: Wanted): Promise<Kept[]> {
  return (await all()).filter((kept) => admits(kept, wanted));
}

const other = (move: string) => move.replace(/[a-g]/g, (file) => "gfedcba"["abcdefg".indexOf(file)]!);

const nobody = (): Tally => ({ white: 0, draws: 0, black: 0, unfinished: 0 });
const COUNTED: Record<string, keyof Tally> = { "1-0": "white", "1/2-1/2": "draws", "0-1": "black" };

export const guest = {
  async list(wanted: Wanted): Promise<{ total: number; games: KeptGame[] }> {
    const found = await meant(wanted);
    const from = wanted.offset ?? 0;
    return { total: found.length, games: found.slice(from, from + (wanted.limit ?? 50)).map(summary) };
  },

  async open(id: string): Promise<{ record: GameRecord }> {
    const kept = (await all()).find((one) => one.id === id);
    if (!kept) throw new Refused({ code: "no-such-game", message: `there is no game '${id}'` }, 404);
    return { record: kept.record };
  },

  async save(id: string, record: GameRecord): Promise<void> {
    await faced(rows.change([{ id, source: "own", saved: Date.now(), record }], []));
  },

  delete: (ids: string[]): Promise<void> => faced(rows.change([], ids)),

  /** What was played in a position, and how those games ended. */
  async explore(ref: GameRef, source: Source): Promise<Explored> {
    const state = await api.moves(ref);
    const results = nobody();
    const moves = new Map<string, ExploredMove>();
    const latest: KeptGame[] = [];
    for (const kept of await meant({ source, rules: ref.rules, position: state.fen })) {
      const { ply, mirrored } = place(kept, state.fen)!;
      const count = COUNTED[kept.record.result ?? "*"] ?? "unfinished";
      results[count]++;
      latest.push(summary(kept));
      const next = kept.record.line.moves[ply]?.move;
      const move = next && mirrored ? other(next) : next;
      const legal = state.moves.find((one) => one.move === move);
      if (!legal) continue;
      const known = moves.get(legal.move) ?? { ...legal, games: 0, results: nobody(), judged: null };
      known.games++;
      known.results[count]++;
      moves.set(legal.move, known);
    }
    const { fen, rules, turn } = state;
    const played = [...moves.values()].sort((a, b) => b.games - a.games || (a.move < b.move ? -1 : 1));
    return {
      fen,
      rules,
      turn,
      source,
      games: latest.length,
      results,
      moves: played,
      latest: latest.slice(0, 8),
      book: null,
    };
  },

  /** Keeps the games of a PGN; one that is there already stays as it is. */
  async import(text: string, source: Source, name: () => string): Promise<ImportReport> {
    const { games, faults } = await api.importPgn(text);
    const same = (record: GameRecord) => JSON.stringify([record.tags, record.rules, record.fen, record.line.moves]);
    const known = new Set((await all()).map((kept) => same(kept.record)));
    const fresh: Kept[] = [];
    for (const [index, record] of games.entries()) {
      if (known.has(same(record))) continue;
      known.add(same(record));
      fresh.push({ id: name(), source, saved: Date.now() + index, record });
    }
    await faced(rows.change(fresh, []));
    const added = fresh.length;
    return { read: games.length + faults.length, added, known: games.length - added, faulty: faults.length, faults };
  },

  async export(wanted: Wanted): Promise<string> {
    const found = await meant(wanted);
    return (await Promise.all(found.map((kept) => api.exportPgn(kept.record)))).join("\n");
  },
};
