// Seats: the keys that this browser holds, and links to games between two people.
//
// A key never goes into the part of an address that a server sees: links have it after the `#`, requests in a header.

import { get, type Side } from "../api";
import { keep, recall } from "../settings";
import type { Duel } from "./client";

/** A seat in a game, or a game that is watched. */
export interface Seat {
  id: string;
  key: string;
  side: Side | null;
  /** When it was last looked at, in milliseconds. */
  when: number;
  over: boolean;
  /** Whose move it was. */
  move?: "open" | "mine" | "theirs" | null;
  /** Whether the friend was there: a game that is called off does not tell. */
  joined?: boolean;
}

/** The most seats that are remembered. */
const MOST = 40;

/** 128 random bits, as hexadecimal. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whose move it is, as a player sees it. */
export function moveIn({ stage, turn, you }: Duel): Seat["move"] {
  if (stage === "playing") return turn === you ? "mine" : "theirs";
  return stage === "open" ? "open" : null;
}

/** All seats, the latest first. */
export function seats(): Seat[] {
  const kept = recall<Seat[]>("seats");
  return Array.isArray(kept) ? kept : [];
}

export function seatIn(id: string): Seat | undefined {
  return seats().find((seat) => seat.id === id);
}

/** Remembers a seat; whether this browser remembers anything. */
export function keepSeat(seat: Seat): boolean {
  const others = seats().filter((one) => one.id !== seat.id);
  keep("seats", [seat, ...others].slice(0, MOST));
  return seatIn(seat.id)?.key === seat.key;
}

/** Notes what is new about a seat, where it stands. */
export function noteSeat(id: string, news: Partial<Seat>): void {
  keep(
    "seats",
    seats().map((seat) => (seat.id === id ? { ...seat, ...news } : seat)),
  );
}

export function dropSeat(id: string): void {
  keep(
    "seats",
    seats().filter((seat) => seat.id !== id),
  );
}

/** An invitation on its way: the key was made, and no answer has come yet. */
export function pendingKey(what: string): string {
  const kept = recall<{ what: string; key: string }>("seat-key");
  if (kept?.what === what) return kept.key;
  const key = newKey();
  keep("seat-key", { what, key });
  return key;
}

export function donePending(): void {
  keep("seat-key", null);
}

interface Links {
  network: string | null;
  guest: string | null;
}

let asked: Promise<Links> | null = null;

function links(): Promise<Links> {
  asked ??= get<Links>("/api/duel/links").catch((error: unknown) => {
    asked = null;
    throw error;
  });
  return asked;
}

/** Whether this page was opened by a name that means this machine alone. */
export const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);

/** The address of a place on this page, as another device reaches it; whether it does. */
export async function address(hash: string): Promise<{ link: string; reachable: boolean }> {
  const { network, guest } = await links();
  const here = location.origin + location.pathname;
  const page = isLocal && network ? network : here;
  return { link: `${page}${guest ? `?guest=${guest}` : ""}${hash}`, reachable: !isLocal || network !== null };
}

export const joinHash = (invitation: string) => `#/friend?join=${invitation}`;
export const watchHash = (id: string) => `#/friend?game=${id}`;
export const seatHash = (id: string, key: string) => `#/friend?game=${id}&seat=${key}`;
