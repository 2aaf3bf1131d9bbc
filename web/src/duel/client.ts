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

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function post<T>(path: string, body: unknown, key?: string): Promise<T> {
  const headers = { "content-type": "application/json", ...(key ? { "x-mousetrap-key": key } : {}) };
  const response = await send(path, { method: "POST", body: JSON.stringify(body), headers });
  return (await response.json()) as T;
}

/** Asks until there is an answer: the network may be away, or the server busy. */
export async function insist<T>(ask: () => Promise<T>, stop: () => boolean = () => false): Promise<T> {
  for (let wait = 500; ; wait = Math.min(wait * 1.6, 5000)) {
    try {
      return await ask();
    } catch (error) {
      const again =
        error instanceof Unreachable || (error instanceof Refused && [429, 500, 502, 503].includes(error.status));
      if (!again || stop()) throw error;
      const told = error instanceof Refused ? (error.fault.retry_after ?? 0) * 1000 : 0;
      await pause(Math.max(wait, Math.min(told, 10_000)));
    }
  }
}

export const duels = {
  begin: (key: string, rules: string, side: Side | "random", pace: Pace) =>
    post<Duel>("/api/duel/new", { key, rules, side, pace }),
  /** What an invitation is to. */
  look: (invitation: string) => post<Duel>("/api/duel/join", { invitation }),
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
  private readonly wake = () => {
    if (document.visibilityState === "visible") this.again();
  };

  constructor(
    readonly id: string,
    readonly key: string | null,
    private readonly changed: (duel: Duel) => void,
    private readonly refused: (error: Refused) => void,
  ) {
    document.addEventListener("visibilitychange", this.wake);
    window.addEventListener("online", this.wake);
    window.addEventListener("offline", this.again);
    void this.follow();
  }

  leave(): void {
    this.left = true;
    this.control?.abort();
    clearInterval(this.watch);
    document.removeEventListener("visibilitychange", this.wake);
    window.removeEventListener("online", this.wake);
    window.removeEventListener("offline", this.again);
  }

  private get headers(): Record<string, string> {
    return this.key ? { "x-mousetrap-key": this.key } : {};
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
    for (let wait = 300; !this.left; ) {
      const control = new AbortController();
      this.control = control;
      this.heard = performance.now();
      const options = {
        headers: this.headers,
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
        if (error instanceof Refused && [400, 403, 404].includes(error.status)) {
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
    const version = this.now?.version ?? 0;
    const ask = () => post<Duel>(`/api/duel/act?id=${this.id}`, { version, deed }, this.key ?? "");
    this.take(await insist(ask, () => this.left));
  }
}
