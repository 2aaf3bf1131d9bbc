// A server and a browser for the tests. The browser is Debian's Chromium; nothing is downloaded.
//
// HOST says where the page comes from: `serve` (the usual one: our server), `static` (a plain static server, below some
// path), `isolated` (the same with the headers that allow threads) or `offline` (the same after one visit, without a
// network). SITE is then the folder that `cargo xtask site` wrote. Our server runs in any case, to compare with.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { StaticServer } from "./static";
import { chromium, type Browser, type Page, type BrowserContextOptions } from "playwright-core";

export const BINARY = process.env["MOUSETRAP"] ?? "../target/debug/mousetrap";
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
/** Tables are built once for all tests. */
const TABLES = process.env["MOUSETRAP_TABLES"] ?? join(tmpdir(), "mousetrap-board-tests");

/** The folder that `cargo xtask site` wrote. */
export const SITE = process.env["SITE"] ?? "../target/site";
/** Where the page comes from. */
export const HOST = process.env["HOST"] ?? "serve";
/** For tests of what only a server does. */
export const SERVER_ONLY = { skip: HOST !== "serve" && "there is no server behind this page" };

export class TestServer {
  private process: ChildProcess | null = null;
  /** Games are kept for as long as the tests run. */
  readonly folder = mkdtempSync(join(tmpdir(), "mousetrap-games-"));
  port = 0;

  /** The games are in a file, or in a database by its address. */
  constructor(private readonly database: string | null = null) {}

  /** Starts the server; later starts use the same port. */
  async start(...more: string[]): Promise<void> {
    const games = this.database ?? join(this.folder, "games.sqlite");
    const options = ["--port", String(this.port), "--tb-dir", TABLES, "--database", games];
    const process = spawn(BINARY, ["serve", ...options, ...more], { stdio: ["ignore", "pipe", "inherit"] });
    this.process = process;
    // Whatever happens to the tests, no server stays behind.
    globalThis.process.on("exit", () => {
      process.kill("SIGKILL");
      rmSync(this.folder, { recursive: true, force: true });
    });
    this.port = await new Promise((found, failed) => {
      let text = "";
      process.stdout.on("data", (data: Buffer) => {
        text += data.toString();
        const match = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(text);
        if (match) found(Number(match[1]));
      });
      process.on("exit", (code) => failed(new Error(`the server ended with ${code}: ${text}`)));
      process.on("error", failed);
    });
  }

  get pid(): number {
    return this.process!.pid!;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null) return;
    const ended = new Promise((done) => process.on("exit", done));
    process.kill("SIGKILL");
    await ended;
  }

  /** Stops it as Ctrl-C would. */
  async stop(): Promise<number | null> {
    const { process } = this;
    if (!process || process.exitCode !== null) return process?.exitCode ?? null;
    const ended = new Promise<number | null>((done) => process.on("exit", done));
    process.kill("SIGINT");
    return ended;
  }
}

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A server and a browser for the tests of a file: there before the first, gone after the last. */
export class Stage {
  readonly server = new TestServer();
  private readonly host: StaticServer | null =
    HOST === "serve" ? null : new StaticServer(SITE, "some/where/", HOST === "isolated");
  private launched: Browser | null = null;

  constructor(...options: string[]) {
    before(async () => {
      await this.server.start(...options);
      await this.host?.start();
      this.launched = await launch();
    });
    after(async () => {
      await this.launched?.close();
      await this.host?.stop();
      assert.equal(await this.server.stop(), 0, "the server ends well when asked to");
    });
  }

  /** A page in a context of its own, with everything it complains about. */
  open(options?: BrowserContextOptions, path?: string): Promise<OpenPage> {
    return open(this.launched!, this.host ?? this.server, options, path);
  }

  /** The address of the page. */
  get address(): string {
    return (this.host ?? this.server).address;
  }

  /** What our server says. */
  async ask<T>(path: string, parameters: Record<string, string> = {}): Promise<T> {
    const answer = await fetch(`${this.server.address}api/${path}?${new URLSearchParams(parameters).toString()}`);
    const body = await answer.text();
    assert.ok(answer.ok, `${path} ${JSON.stringify(parameters)}: ${body}`);
    return JSON.parse(body) as T;
  }
}

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export interface OpenPage {
  page: Page;
  faults: string[];
}

/** A page in a context of its own, with everything it complains about. */
export async function open(
  browser: Browser,
  server: { address: string },
  options: BrowserContextOptions = DESKTOP,
  path = "",
): Promise<OpenPage> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource|net::ERR/.test(message.text()))
      faults.push(message.text());
  });
  await page.goto(server.address + path);
  if (HOST === "offline") {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await context.setOffline(true);
    // What the first visit kept is not part of the test.
    await page.goto("about:blank");
    await page.goto(server.address + path);
  }
  await page.locator("#board").first().waitFor({ state: "attached" });
  return { page, faults };
}

/** The address of a position in the analysis. */
export const link = (fen: string, rules = "standard") =>
  `#/analyse?rules=${encodeURIComponent(rules)}&fen=${encodeURIComponent(fen)}`;

export const cell = (page: Page, square: string) => page.locator(`[data-square="${square}"][role=gridcell]`);

/** The middle of a square on the screen. */
export async function middle(page: Page, square: string): Promise<{ x: number; y: number }> {
  const box = (await cell(page, square).boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** What the page has kept of the game. */
export async function keptMoves(page: Page): Promise<number> {
  return page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem("mousetrap.game") ?? "null") as { tree: { root: unknown } } | null;
    let count = 0;
    type Kept = { k?: Kept[] };
    for (let at = kept?.tree.root as Kept | undefined; at?.k?.[0]; at = at.k[0]) count++;
    return count;
  });
}
