// What this browser keeps of puzzles and the trainer: a rating, streaks, what was tried, one's own mistakes.
//
// Ratings are Glicko's: a puzzle is an opponent whose rating is known well, and one's own becomes firmer with every try.

import type { Puzzle } from "../api";
import { keep, recall } from "../settings";

export interface Progress {
  rating: number;
  deviation: number;
  /** Solved at the first try, one after the other. */
  streak: number;
  best: number;
  solved: number;
  /** Puzzles that were tried, and whether the first try was right. */
  seen: Record<string, boolean>;
  /** The last puzzle of the day that was tried, and for how many days in a row one was solved. */
  daily: { date: string; solved: boolean; days: number } | null;
}

/** A position where one went wrong. */
export interface Own {
  fen: string;
  rules: string;
  /** What was played, and what the engine would have. */
  played: string;
  san: string;
  best: string;
  /** What the mover could hope for, from 0 to 1. */
  hope: number;
}

const FRESH: Progress = { rating: 900, deviation: 350, streak: 0, best: 0, solved: 0, seen: {}, daily: null };
/** Ratings of puzzles are this sure. */
const PUZZLE_DEVIATION = 80;
const LEAST_DEVIATION = 50;
/** More of one's own mistakes are not kept. */
const MOST_OWN = 200;

export function progress(): Progress {
  return { ...FRESH, ...recall<Partial<Progress>>("puzzles") };
}

/** Glicko's update after one game against a puzzle. */
export function glicko(rating: number, deviation: number, puzzle: number, score: 0 | 1): [number, number] {
  const q = Math.LN10 / 400;
  const g = 1 / Math.sqrt(1 + (3 * q * q * PUZZLE_DEVIATION ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + 10 ** ((-g * (rating - puzzle)) / 400));
  const precision = 1 / deviation ** 2 + q * q * g * g * expected * (1 - expected);
  const now = rating + (q / precision) * g * (score - expected);
  return [Math.max(100, now), Math.max(LEAST_DEVIATION, 1 / Math.sqrt(precision))];
}

/** The first try of a puzzle is over; by how much the rating changed, or null if it was tried before. */
export function finished(puzzle: Puzzle, right: boolean, date: string | null): number | null {
  const now = progress();
  if (date) {
    const before = now.daily;
    const again = before?.date === date;
    if (!again) {
      const yesterday = dayBefore(date);
      const days = before?.date === yesterday && before.solved ? before.days : 0;
      now.daily = { date, solved: right, days: right ? days + 1 : 0 };
    }
  }
  if (puzzle.id in now.seen) {
    keep("puzzles", now);
    return null;
  }
  const [rating, deviation] = glicko(now.rating, now.deviation, puzzle.rating, right ? 1 : 0);
  const change = Math.round(rating) - Math.round(now.rating);
  now.streak = right ? now.streak + 1 : 0;
  keep("puzzles", {
    ...now,
    rating,
    deviation,
    best: Math.max(now.best, now.streak),
    solved: now.solved + (right ? 1 : 0),
    seen: { ...now.seen, [puzzle.id]: right },
  });
  return change;
}

/** Today, by the calendar of UTC: the same puzzle for everybody. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function dayBefore(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/** How many of the nearest puzzles one is drawn from. */
const NEAR = 24;

/** The next puzzle: one that is new, near one's rating; when all were tried, those that went wrong come first. */
export function choose(puzzles: Puzzle[], random = Math.random): { puzzle: Puzzle; again: boolean } | null {
  const { rating, seen } = progress();
  const fresh = puzzles.filter((puzzle) => !(puzzle.id in seen));
  const wrong = puzzles.filter((puzzle) => seen[puzzle.id] === false);
  const pool = fresh.length ? fresh : wrong.length ? wrong : puzzles;
  const near = [...pool].sort((a, b) => Math.abs(a.rating - rating) - Math.abs(b.rating - rating)).slice(0, NEAR);
  const puzzle = near[Math.floor(random() * near.length)];
  return puzzle ? { puzzle, again: !fresh.length } : null;
}

export function ownPuzzles(): Own[] {
  return recall<Own[]>("own-puzzles") ?? [];
}

/** Keeps mistakes as puzzles; how many were new. */
export function keepOwn(found: Own[]): number {
  const known = ownPuzzles();
  const place = (own: Own) => own.rules + own.fen.split(" ").slice(0, 2).join(" ");
  const places = new Set(known.map(place));
  const fresh = found.filter((own) => !places.has(place(own)));
  keep("own-puzzles", [...fresh, ...known].slice(0, MOST_OWN));
  return fresh.length;
}

export function forgetOwn(which?: Own): void {
  const left = which ? ownPuzzles().filter((own) => own.fen !== which.fen || own.rules !== which.rules) : [];
  keep("own-puzzles", left);
}

/** How often a class was practised, and with success. */
export type Drilled = Record<string, { tries: number; good: number }>;

export function drilled(): Drilled {
  return recall<Drilled>("trainer") ?? {};
}

export function keepDrill(name: string, good: boolean): void {
  const all = drilled();
  const { tries, good: before } = all[name] ?? { tries: 0, good: 0 };
  keep("trainer", { ...all, [name]: { tries: tries + 1, good: before + (good ? 1 : 0) } });
}

/** What one gets wrong, worst first. */
export function weakClasses(): [string, { tries: number; good: number }][] {
  const share = (one: { tries: number; good: number }) => one.good / one.tries;
  return Object.entries(drilled())
    .filter(([, one]) => one.good < one.tries)
    .sort(([, a], [, b]) => share(a) - share(b) || b.tries - a.tries)
    .slice(0, 8);
}
