// A game between two people, as the server tells it: a stream that is begun again whenever it breaks, and actions that are
// sent until they are answered. The server knows an action that it has done already.

import { Refused, send, stream, Unreachable, type Side } from "../api";

export type Pace =
  | { kind: "free" }
  | { kind: "clock"; initial: number; increment: number }
  | { kind: "days"; days: number };
export type Offer = "draw" | "takeback" | "rematch";
export const PHRASES = [
  "hello",
  "good-luck",
  "good-move",
  "oops",
  "thinking",
  "your-move",
  "moment",
  "well-played",
  "thanks",
  "bye",
] as const;
export type Phrase = (typeof PHRASES)[number];

export interface Duel {
  id: string;
  version: number;
  stage: "open" | "playing" | "over";
  you: Side | null;
  host: Side;
  rules: string;
  pace: Pace;
  moves: string[];
  turn: Side | null;
  white_left: number | null;
  black_left: number | null;
  running: Side | null;
  offers: { by: Side; offer: Offer }[];
  said: { by: Side; phrase: Phrase; version: number }[];
  winner: Side | null;
  reason: string | null;
  text: string | null;
  result: string;
  rematch: string | null;
  invitation: string | null;
  last: number;
}

export type Deed =
  | { do: "move"; move: string }
  | { do: "offer" | "accept"; offer: Offer }
  | { do: "decline" | "resign" }
  | { do: "say"; phrase: Phrase };

/** If nothing comes for so long, not even a sign of life, the connection is dead. */
const SILENCE = 20_000;
/** A page that nobody has seen for so long gives its stream back: a browser has six connections for all its pages. */
const UNSEEN = 30_000;
/** How often such a page asks whose move it is, for its title. */
const PEEK = 30_000;
/** Refusals that are over after a while: too much, too slow, or no room just now. */
const PASSING = [408, 429, 500, 502, 503, 504, 507];

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function post<T>(path: string, body: unknown, key: string | null = null): Promise<T> {
  const headers = { "content-type": "application/json", ...seated(key) };
  const response = await send(path, { method: "POST", body: JSON.stringify(body), headers });
  return (await response.json()) as T;
}

/** Asks until there is an answer: the network may be away, or the server busy. */
export async function insist<T>(ask: () => Promise<T>, stop: () => boolean = () => false): Promise<T> {
  for (let wait = 500; ; wait = Math.min(wait * 1.6, 5000)) {
    try {
      return await ask();
    } catch (error) {
      const again = error instanceof Unreachable || (error instanceof Refused && PASSING.includes(error.status));
      if (!again || stop()) throw error;
      const told = error instanceof Refused ? (error.fault.retry_after ?? 0) * 1000 : 0;
      await pause(Math.max(wait, Math.min(told, 10_000)));
    }
  }
}

/** The header that holds the key of a seat. */
const seated = (key: string | null): Record<string, string> => (key ? { "x-mousetrap-key": key } : {});

/** Whether what was asked for has happened, as a game shows: then only the answer was lost. */
function hasHappened(deed: Deed, before: Duel | null, now: Duel): boolean {
  const offered = now.offers.map(({ by, offer }) => (by === now.you ? offer : null));
  switch (deed.do) {
    case "resign":
      return now.reason === "aborted" || (now.reason === "resign" && now.winner !== now.you);
    case "decline":
      return !now.offers.some(({ by }) => by !== now.you);
    case "offer":
    case "accept":
      if (deed.do === "offer" && offered.includes(deed.offer)) return true;
      if (deed.offer === "rematch") return now.rematch !== null;
      if (deed.offer === "draw") return now.reason === "agreed";
      return deed.do === "accept" && before !== null && now.moves.length < before.moves.length;
    default:
      return false;
  }
}

export const duels = {
  begin: (key: string, rules: string, side: Side | "random", pace: Pace) =>
    post<Duel>("/api/duel/new", { key, rules, side, pace }),
  /** What an invitation is to. */
  look: (invitation: string) => post<Duel>("/api/duel/join", { invitation }),
  /** A game as the holder of a key sees it, or a spectator without one. */
  show: async (id: string, key: string | null) => {
    const response = await send(`/api/duel?id=${id}`, { headers: seated(key) });
    return (await response.json()) as Duel;
  },
  join: (invitation: string, key: string) => insist(() => post<Duel>("/api/duel/join", { invitation, key })),
  code: async (link: string) => {
    const response = await send("/api/qr", { method: "POST", body: link, headers: { "content-type": "text/plain" } });
    return response.blob();
  },
};

/** A game that this page looks at, until it is left. */
export class Following {
  /** What is known. */
  now: Duel | null = null;
  private control: AbortController | null = null;
  private left = false;
  private heard = 0;
  private readonly watch = window.setInterval(() => this.check(), 2000);
  /** Nobody looks: there is no stream. */
  private asleep = false;
  private dozing = 0;
  private rouse: (() => void) | null = null;
  private readonly seen = () => {
    clearTimeout(this.dozing);
    if (document.visibilityState === "hidden") this.dozing = window.setTimeout(() => this.sleep(), UNSEEN);
    else this.wake();
  };

  constructor(
    readonly id: string,
    readonly key: string | null,
    private readonly changed: (duel: Duel) => void,
    private readonly refused: (error: Refused) => void,
  ) {
    document.addEventListener("visibilitychange", this.seen);
    window.addEventListener("online", this.again);
    window.addEventListener("offline", this.again);
    if (document.visibilityState === "hidden") this.seen();
    void this.follow();
  }

  leave(): void {
    this.left = true;
    this.control?.abort();
    this.rouse?.();
    clearInterval(this.watch);
    clearTimeout(this.dozing);
    document.removeEventListener("visibilitychange", this.seen);
    window.removeEventListener("online", this.again);
    window.removeEventListener("offline", this.again);
  }

  private sleep(): void {
    this.asleep = true;
    this.control?.abort();
  }

  private wake(): void {
    this.asleep = false;
    this.rouse?.();
    this.again();
  }

  /** Until somebody looks again; asks now and then whose move it is. */
  private async nap(): Promise<void> {
    while (this.asleep && !this.left) {
      await new Promise<void>((done) => {
        this.rouse = done;
        setTimeout(done, PEEK);
      });
      if (!this.asleep || this.now?.stage === "over") continue;
      await duels.show(this.id, this.key).then(
        (duel) => this.take(duel),
        () => {},
      );
    }
  }

  /** Takes what the server says, unless something newer is known. */
  take(duel: Duel): void {
    if (this.left || (this.now && duel.version < this.now.version)) return;
    this.now = duel;
    this.changed(duel);
  }

  private check(): void {
    if (performance.now() - this.heard > SILENCE) this.again();
  }

  /** Begins the stream anew: what it had missed comes first. */
  readonly again = (): void => {
    this.heard = performance.now();
    this.control?.abort();
  };

  private async follow(): Promise<void> {
    for (let wait = 300, tries = 0; !this.left; ) {
      if (this.asleep) {
        await this.nap();
        wait = 300;
        continue;
      }
      const control = new AbortController();
      this.control = control;
      this.heard = performance.now();
      const options = {
        headers: seated(this.key),
        alive: () => {
          this.heard = performance.now();
          wait = 300;
        },
      };
      try {
        await stream(
          "/api/duel/events",
          { id: this.id },
          control.signal,
          (_, data) => this.take(data as Duel),
          options,
        );
      } catch (error) {
        // Of several servers, one may not have heard yet who took the seat.
        const early = error instanceof Refused && error.status === 403 && this.now?.you && tries++ < 8;
        if (!early && error instanceof Refused && [400, 403, 404].includes(error.status)) {
          if (!this.left) this.refused(error);
          return;
        }
      }
      await pause(wait);
      wait = Math.min(wait * 1.7, 4000);
    }
  }

  /** Does something; resolves when the server has kept it. */
  async act(deed: Deed): Promise<void> {
    const before = this.now;
    const version = before?.version ?? 0;
    const ask = () => post<Duel>(`/api/duel/act?id=${this.id}`, { version, deed }, this.key);
    try {
      this.take(await insist(ask, () => this.left));
    } catch (error) {
      if (!(error instanceof Refused && error.status === 409)) throw error;
      // An answer may have been lost, and what was asked for again cannot be done twice.
      const now = await duels.show(this.id, this.key).catch(() => null);
      if (now) this.take(now);
      if (!now || !hasHappened(deed, before, now)) throw error;
    }
  }
}
