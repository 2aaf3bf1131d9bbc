// Games in this browser: kept in its own storage (IndexedDB), searched by the program in a worker.
//
// The storage has a row for each game: its name, where it comes from, and the PGN. The worker is given all of them before
// the first question, and answers every question as a server would; what it changes is written to the storage before
// the answer is passed on. Other windows of the same site are told, and read again.

import type { Desk } from "./desks";
import { faultOf, Rows, type Row } from "./rows";

interface Kept extends Row {
  source: string;
  saved: number;
  pgn: string;
}

/** How many games are handed to the worker at once. */
const PART = 500;

export function isAboutGames(path: string): boolean {
  return path === "/api/explorer" || path.startsWith("/api/games");
}

export class Library {
  private readonly rows = new Rows<Kept>("mousetrap");
  /** The worker that has the games; another one has to be given them first. */
  private loaded = 0;
  /** Questions are answered one after the other, so that none comes between a change and its storage. */
  private last: Promise<unknown> = Promise.resolve();
  private readonly others = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("mousetrap-games");

  constructor(private readonly desk: Desk) {
    if (this.others) this.others.onmessage = () => (this.loaded = 0);
  }

  ask(path: string, query: string, body: string): Promise<Response> {
    const answer = this.last.then(() => this.answer(path, query, body));
    this.last = answer.catch(() => {});
    return answer;
  }

  private async answer(path: string, query: string, body: string): Promise<Response> {
    try {
      await this.load();
    } catch (error) {
      // The book can be read without a storage, as in a private window.
      if (!query.includes("book")) return refusal(error);
    }
    const kept: Kept[] = [];
    const dropped: string[] = [];
    let response: Response | null = null;
    await this.desk.ask(path, query, body, null, ({ status, name, text }) => {
      if (status === 0 && name === "keep") kept.push(JSON.parse(text) as Kept);
      else if (status === 0) dropped.push(...(JSON.parse(text) as string[]));
      else response = new Response(text, { status, headers: { "content-type": name } });
    });
    if (kept.length || dropped.length) {
      try {
        await this.rows.change(kept, dropped);
      } catch (error) {
        // What the worker changed is not kept: it has to read again.
        this.loaded = 0;
        return refusal(error);
      }
      this.others?.postMessage("changed");
    }
    return response!;
  }

  /** Gives the worker all games, unless it has them. */
  private async load(): Promise<void> {
    await this.desk.wake();
    if (this.loaded === this.desk.generation) return;
    const { generation } = this.desk;
    const rows = await this.rows.all();
    rows.sort((a, b) => a.saved - b.saved);
    for (let from = 0; from === 0 || from < rows.length; from += PART) {
      const body = JSON.stringify({ reset: from === 0, games: rows.slice(from, from + PART) });
      let status = 0;
      await this.desk.ask("/library/load", "", body, null, (told) => (status = told.status));
      if (status !== 200) throw new Error("the games cannot be read");
    }
    this.loaded = generation;
  }
}

/** What a server would say. */
function refusal(error: unknown): Response {
  return new Response(JSON.stringify({ error: faultOf(error) }), {
    status: 500,
    headers: { "content-type": "application/json" },
  });
}
