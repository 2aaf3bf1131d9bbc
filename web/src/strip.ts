// The strips above and below the board: who plays, what was taken, and the clock.

import type { Side } from "./api";
import { h } from "./dom";
import { sideName, t } from "./i18n";
import { pieceArt } from "./pictures";
import { piecesOf } from "./tree";

/** What the strip of a side shows. */
export interface Player {
  side: Side;
  name: string;
  /** Whether the side has to be said beside the name. */
  named: boolean;
  turn: boolean;
  /** Milliseconds left. */
  clock: number | undefined;
}

/** The strip of a player; `before` and `now` are the positions at the start and on the board. */
export function strip(player: Player, pieces: string, before: string, now: string): Node[] {
  const { side, name, named, turn, clock } = player;
  const left = [...piecesOf(now).values()];
  const lost = [...piecesOf(before).values()].filter(
    (letter) => !left.includes(letter) && (letter === letter.toUpperCase()) !== (side === "white"),
  );
  return [
    h("span", { class: `disc ${side}`, "aria-hidden": "true" }),
    h("span", { class: turn ? "player turn" : "player" }, name, named ? h("small", {}, ` ${sideName(side)}`) : null),
    h(
      "span",
      { class: "taken", title: t("captured") },
      lost.map((letter) => pieceArt(pieces, letter)),
    ),
    clock === undefined
      ? null
      : h("span", { class: clock < 20_000 ? "clock low" : "clock", role: "timer" }, clockText(clock)),
  ].filter((node) => node !== null);
}

const HOUR = 3_600_000;

export function clockText(ms: number): string {
  if (ms >= 24 * HOUR) return t("daysLeft", { d: Math.floor(ms / HOUR / 24), h: Math.floor(ms / HOUR) % 24 });
  const seconds = Math.ceil(ms / 1000);
  const tenths = ms < 10_000 ? "." + Math.floor((ms % 1000) / 100) : "";
  const whole = tenths ? Math.floor(ms / 1000) : seconds;
  const minutes = Math.floor(whole / 60);
  const two = (n: number) => String(n).padStart(2, "0");
  const high = minutes >= 60 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}` : String(minutes);
  return `${high}:${two(whole % 60)}${tenths}`;
}
