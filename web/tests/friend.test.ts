// Two people on two devices: whole games in two browsers, through a network that goes away and a server that is killed,
// with either database; what children see, and what cheats get.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Page } from "playwright-core";
import { cell, DESKTOP, launch, open, PHONE, SERVER_ONLY, TestServer, type OpenPage } from "./harness";
import { Nginx } from "./nginx";
import { Postgres } from "./postgres";

/** How long the network is away; half a minute when the whole is tried by hand. */
const CUT = Number(process.env["CUT"] ?? 3000);

let browser: Browser;
before(async () => {
  if (!SERVER_ONLY.skip) browser = await launch();
});
after(async () => {
  await browser?.close();
});

/** Makes an invitation, and says where it leads. */
async function invite(page: Page, side = "white", pace = "0"): Promise<string> {
  await page.click("#mode-play");
  await page.click("#invite-friend");
  await page.selectOption("#friend-side", side);
  await page.selectOption("#friend-pace", pace);
  await page.click("#friend-make");
  await page.locator("#friend-code").waitFor();
  await page.waitForFunction(() => (document.querySelector("#friend-link") as HTMLInputElement).value !== "");
  return page.inputValue("#friend-link");
}

async function join(link: string, options = DESKTOP, at?: { address: string }): Promise<OpenPage> {
  const url = new URL(link);
  const opened = await open(browser, at ?? { address: url.origin + "/" }, options, url.search + url.hash);
  await opened.page.click("#friend-join");
  await opened.page.locator("#friend-links").waitFor();
  return opened;
}

/** Waits until a page may move. */
const turn = (page: Page) => page.locator(".cell.movable").first().waitFor({ timeout: 60_000 });

async function type(page: Page, move: string): Promise<void> {
  await page.fill(".typed", move);
  await page.press(".typed", "Enter");
}

/** How many plies a page shows. */
const plies = (page: Page, count: number) =>
  page.waitForFunction((count) => document.querySelectorAll(".moves [data-node]").length === count, count, {
    timeout: 60_000,
  });

/** Both play a line of moves in turn, Red first. */
async function play(red: Page, blue: Page, moves: string[], from = 0): Promise<void> {
  for (const [index, move] of moves.entries()) {
    const mover = (from + index) % 2 ? blue : red;
    await turn(mover);
    await type(mover, move);
  }
  for (const page of [red, blue]) await plies(page, from + moves.length);
}

/** A whole game: Red's rat swims and walks to the den while Blue goes to and fro and makes way. */
const RED = ["g3g4", "g4f4", "f4f5", "f5f6", "f6f7", "f7f8", "f8e8", "e8d8", "d8d9"];
const BLUE = ["a7a6", "a6a7", "f8g8", "a7a6", "a6a7", "a7a6", "a6a7", "a7a6"];
const WALK = RED.flatMap((move, at) => [move, ...BLUE.slice(at, at + 1)]);

/** nginx as the documentation has it, without its certificate, before these servers. */
function proxy(servers: TestServer[]): (port: number) => string {
  const upstream = servers.map(({ port }) => `server 127.0.0.1:${port} max_fails=0;`).join(" ");
  const site = readFileSync("../docs/serving/nginx.conf", "utf8");
  return (port) =>
    `upstream board_servers { ${upstream} }\n` +
    site
      .replace(/^ *ssl_.*$/gm, "")
      .replace("443 ssl", `127.0.0.1:${port}`)
      .replace("board.example.org;", "127.0.0.1;")
      .replace("http://127.0.0.1:8089", "http://board_servers");
}

for (const kind of ["SQLite", "PostgreSQL"]) {
  describe(`a game with a friend, kept in ${kind}`, SERVER_ONLY, () => {
    const database = kind === "SQLite" ? null : new Postgres();
    const nginx = database && new Nginx();
    // Behind a proxy whoever runs the server is known by a token.
    const options = database ? ["--behind-proxy", "--host", "127.0.0.1", "--token", "secret"] : [];
    const [query, headers] = database ? ["?token=secret", { authorization: "Bearer secret" }] : ["", undefined];
    let servers: TestServer[] = [];
    before(async () => {
      await database?.start();
      // Two servers on one database; a file is for one.
      servers = [1, 2].slice(0, database ? 2 : 1).map(() => new TestServer(database?.address));
      for (const server of servers) await server.start(...options);
      await nginx?.start(proxy(servers));
    });
    after(async () => {
      nginx?.stop();
      for (const server of servers) assert.equal(await server.stop(), 0);
      database?.stop();
    });

    test("is played to its end through a network cut and a killed server", async () => {
      const [first, last] = [servers[0]!, servers.at(-1)!];
      const host = await open(browser, first, DESKTOP, query);
      const link = await invite(host.page);
      assert.match(link, /#\/friend\?join=[0-9a-f]{32}$/);
      // The guest is at all servers in turn, where there are more, by a proxy before them.
      const guest = await join(link, PHONE, nginx ?? first);
      const [red, blue] = [host.page, guest.page];
      // Each has the own den at the bottom.
      const top = async (page: Page, square: string) => (await cell(page, square).boundingBox())!.y;
      assert.ok((await top(red, "d1")) > (await top(red, "d9")), "Red's den is at the bottom for Red");
      assert.ok((await top(blue, "d9")) > (await top(blue, "d1")), "Blue's den is at the bottom for Blue");
      await play(red, blue, WALK.slice(0, 3));
      // The network goes away under Blue, whose move waits until it is back; Red reloads meanwhile.
      await turn(blue);
      await blue.context().setOffline(true);
      await red.reload();
      await plies(red, 3);
      const waiting = type(blue, WALK[3]!);
      await blue.locator("#status", { hasText: "Sending" }).waitFor();
      await new Promise((done) => setTimeout(done, CUT));
      await plies(red, 3);
      await blue.context().setOffline(false);
      await waiting;
      await plies(red, 4);
      await play(red, blue, WALK.slice(4, 6), 4);
      // The servers are killed while Red's move is on its way; it is made once, by whichever is there then.
      await turn(red);
      const sent = type(red, WALK[6]!);
      await Promise.all(servers.map((server) => server.kill()));
      await new Promise((done) => setTimeout(done, 1500));
      for (const server of servers) await server.start(...options);
      await sent;
      await plies(blue, 7);
      await plies(red, 7);
      await play(red, blue, WALK.slice(7), 7);
      await red.locator("#verdict", { hasText: "You win" }).waitFor();
      await blue.locator("#verdict", { hasText: "You lose" }).waitFor();
      // In the library of whoever runs the server, and open to review.
      for (const [page, server] of [
        [red, first],
        [blue, last],
      ] as const) {
        const answer = await fetch(`${server.address}api/games?source=own`, { headers });
        const found = (await answer.json()) as { games: { id: string; result: string; plies: number }[] };
        const kept = found.games.filter((game) => game.id.startsWith("duel-") && game.result === "1-0");
        assert.ok(kept.length >= 1 && kept.every((game) => game.plies === WALK.length), JSON.stringify(found));
        assert.equal(await page.locator("#friend-pgn").count(), 1);
      }
      // Another game with sides exchanged.
      await red.click("#rematch");
      await blue.locator("#offer-rematch").waitFor();
      await blue.click("#accept");
      await turn(blue);
      assert.ok((await top(blue, "d1")) > (await top(blue, "d9")), "Blue is Red now");
      await red.locator("#status", { hasText: "Your friend" }).waitFor();
      await play(blue, red, ["a3a4", "a7a6"]);
      assert.deepEqual([...host.faults, ...guest.faults], []);
      for (const { page } of [host, guest]) await page.context().close();
    });
  });
}

describe("a game with a friend", SERVER_ONLY, () => {
  const server = new TestServer();
  before(() => server.start());
  after(async () => assert.equal(await server.stop(), 0));

  test("draws, takebacks, phrases, spectators, a clock, and coming back on another device", async () => {
    const host = await open(browser, server);
    const link = await invite(host.page, "black", "2");
    const guest = await join(link, PHONE);
    const [blue, red] = [host.page, guest.page];
    await play(red, blue, ["a3a4", "a7a6"]);
    assert.match(await red.locator(".bottom-strip .clock").innerText(), /^(5:0|4:5)/);
    await blue.click("#say-good-move");
    await red.locator(".said", { hasText: "Good move!" }).waitFor();
    await blue.click("#takeback");
    await red.locator("#offer-takeback").waitFor();
    await red.click("#accept");
    await plies(blue, 1);
    await play(red, blue, ["g7g6"], 1);
    await red.click("#offer-draw");
    await blue.locator("#offer-draw.offer").waitFor();
    await blue.click("#decline");
    await red.waitForFunction(() => !document.querySelector("#offered-draw"));
    // A spectator sees everything and has nothing to press.
    await blue.click("#friend-links summary");
    const watch = await blue.inputValue("#link-watch");
    const seat = await blue.inputValue("#link-seat");
    const spectator = await open(browser, server, DESKTOP, new URL(watch).hash);
    await plies(spectator.page, 2);
    await spectator.page.locator("#friend-watching").waitFor();
    assert.equal(await spectator.page.locator("#resign, #say-hello, .cell.movable").count(), 0);
    // The host's telephone: the link is enough, and does not stay in the address.
    const phone = await open(browser, server, PHONE, new URL(seat).hash);
    await play(red, phone.page, ["a4a5", "g6g7"], 2);
    assert.ok(!phone.page.url().includes("seat="));
    await plies(spectator.page, 4);
    for (const page of [blue, phone.page]) {
      const found = (await new AxeBuilder({ page }).analyze()).violations.map((fault) => `${fault.id}: ${fault.help}`);
      assert.deepEqual(found, []);
    }
    for (const { page, faults } of [host, guest, spectator, phone]) {
      assert.deepEqual(faults, []);
      await page.context().close();
    }
  });

  test("an invitation is for one, and says so to others; it can be made by keyboard alone", async () => {
    const host = await open(browser, server);
    await host.page.locator("#invite-friend").focus();
    await host.page.keyboard.press("Enter");
    await host.page.locator("#friend-make").focus();
    await host.page.keyboard.press("Enter");
    await host.page.locator("#friend-code").waitFor();
    await host.page.waitForFunction(() => (document.querySelector("#friend-link") as HTMLInputElement).value !== "");
    const link = await host.page.inputValue("#friend-link");
    // The host's own browser does not join itself.
    await host.page.goto(link);
    await host.page.locator("#friend-code").waitFor();
    const guest = await join(link);
    const third = await open(browser, server, DESKTOP, new URL(link).hash);
    await third.page.locator("#friend-problem", { hasText: "Somebody else has joined" }).waitFor();
    await third.page.goto(server.address + "#/friend?game=" + "0".repeat(32));
    await third.page.locator("#friend-problem", { hasText: "no such game" }).waitFor();
    for (const { page } of [host, guest, third]) await page.context().close();
  });
});

describe("a friend where a token is asked for", SERVER_ONLY, () => {
  const server = new TestServer();
  before(() => server.start("--token", "secret"));
  after(async () => assert.equal(await server.stop(), 0));

  test("comes in by the invitation, and is no owner", async () => {
    const context = await browser.newContext({ locale: "en-GB", ...DESKTOP });
    const page = await context.newPage();
    await page.goto(server.address + "?token=secret");
    const link = await invite(page);
    assert.match(link, /\?guest=[0-9a-f]{32}#/);
    assert.ok(!link.includes("secret"));
    const guest = await join(link, PHONE);
    await play(page, guest.page, ["a3a4", "a7a6"]);
    const asked = await guest.page.evaluate(
      async () => (await fetch("./api/games", { headers: { "x-mousetrap": "page" } })).status,
    );
    assert.equal(asked, 403, "the games are the owner's");
    // The guest's browser keeps the guest's, and finds them again.
    await guest.page.click("#resign");
    await guest.page.click("#confirm-resign");
    await page.locator("#verdict", { hasText: "You win" }).waitFor();
    await guest.page.reload();
    await guest.page.click("#mode-games");
    await guest.page.locator("#games-here").waitFor();
    const game = guest.page.locator("#games-found .kept");
    assert.equal(await game.count(), 1);
    assert.match(await game.innerText(), /Friend.*You.*1[-–]0/s);
    await guest.page.selectOption("#games-result", "0-1");
    await guest.page.locator("#games-count", { hasText: "No games found" }).waitFor();
    await guest.page.selectOption("#games-result", "1-0");
    await guest.page.check("#games-position");
    await game.waitFor();
    await type(guest.page, "g3g4");
    await guest.page.locator("#games-count", { hasText: "No games found" }).waitFor();
    await guest.page.setInputFiles("#games-file", {
      name: "one.pgn",
      mimeType: "text/plain",
      buffer: Buffer.from('[White "Anna"]\n[Black "Bert"]\n\n1. Rg4 Ra6 1-0\n'),
    });
    await guest.page.locator(".kept-names", { hasText: "Anna" }).waitFor();
    await guest.page.uncheck("#games-position");
    await guest.page.locator("#games-count", { hasText: "2 games" }).waitFor();
    const [saved] = await Promise.all([guest.page.waitForEvent("download"), guest.page.click("#games-export")]);
    const text = await readFile(await saved.path(), "utf8");
    for (const part of [/Anna/, /Rg4/, /Friend/, /Ea4/]) assert.match(text, part);
    await game.filter({ hasText: "Friend" }).click();
    await plies(guest.page, 2);
    assert.deepEqual(guest.faults, []);
    for (const one of [page, guest.page]) await one.context().close();
  });
});
