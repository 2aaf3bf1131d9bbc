// A game: where it began, what was played, and which of its positions is looked at.

import type { Side } from "../api";

interface Step {
  move: string;
  fen: string;
}

export class Game {
  /** How many of the moves have been made in the position looked at. */
  at = 0;
  moves: Step[] = [];

  constructor(readonly start: string) {}

  get fen(): string {
    return this.fenAt(this.at);
  }

  get last(): string | null {
    return this.moves[this.at - 1]?.move ?? null;
  }

  get isAtEnd(): boolean {
    return this.at === this.moves.length;
  }

  fenAt(at: number): string {
    return this.moves[at - 1]?.fen ?? this.start;
  }

  /** Makes a move; what was taken back before is forgotten, unless it is the same move. */
  play(move: string, fen: string): void {
    if (this.moves[this.at]?.move !== move) {
      this.moves.length = this.at;
      this.moves.push({ move, fen });
    }
    this.at++;
  }

  /** The nearest position before or after this one, with this side to move if one is given; null if none. */
  near(step: -1 | 1, side: Side | null): number | null {
    for (let at = this.at + step; at >= 0 && at <= this.moves.length; at += step) {
      if (!side || turnOf(this.fenAt(at)) === side || (step === 1 && at === this.moves.length)) return at;
    }
    return null;
  }

  save(): Saved {
    return { start: this.start, moves: this.moves, at: this.at };
  }

  static load(saved: Saved): Game {
    const game = new Game(saved.start);
    game.moves = saved.moves;
    game.at = Math.min(saved.at, saved.moves.length);
    return game;
  }
}

export interface Saved {
  start: string;
  moves: Step[];
  at: number;
}

export function turnOf(fen: string): Side {
  return fen.endsWith(" b") ? "black" : "white";
}
