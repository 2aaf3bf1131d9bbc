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
  await page.locator("#friend-link").waitFor();
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
      .replace("443 ssl http2", `127.0.0.1:${port}`)
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
      // It is shown at once, and nothing alarms.
      await plies(blue, 4);
      await blue.locator(".banner.shown", { hasText: "The game is safe" }).waitFor();
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
        // What a player sees may be a moment ahead of what is kept.
        for (let attempt = 0; ; attempt++) {
          const answer = await fetch(`${server.address}api/games?source=own`, { headers });
          const found = (await answer.json()) as { games: { id: string; result: string; plies: number }[] };
          const kept = found.games.filter((game) => game.id.startsWith("duel-") && game.result === "1-0");
          if (kept.length >= 1 && kept.every((game) => game.plies === WALK.length)) break;
          assert.ok(attempt < 50, JSON.stringify(found));
          await new Promise((done) => setTimeout(done, 100));
        }
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

/** Whether something is wholly in the window. */
async function inWindow(page: Page, selector: string): Promise<void> {
  await page.locator(selector).waitFor();
  const [box, window] = [(await page.locator(selector).boundingBox())!, page.viewportSize()!];
  assert.ok(box.y >= 0 && box.y + box.height <= window.height, `${selector}: ${JSON.stringify(box)}`);
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
    await host.page.locator("#friend-link").waitFor();
    await host.page.waitForFunction(() => (document.querySelector("#friend-link") as HTMLInputElement).value !== "");
    const link = await host.page.inputValue("#friend-link");
    // The host's own browser does not join itself.
    await host.page.goto(link);
    await host.page.locator("#friend-link").waitFor();
    const guest = await join(link);
    const third = await open(browser, server, DESKTOP, new URL(link).hash);
    await third.page.locator("#friend-problem", { hasText: "Somebody else has joined" }).waitFor();
    await third.page.goto(server.address + "#/friend?game=" + "0".repeat(32));
    await third.page.locator("#friend-problem", { hasText: "no such game" }).waitFor();
    for (const { page } of [host, guest, third]) await page.context().close();
  });

  /** Chosen from the list of paces. */
  const DAYS = "7";

  for (const [width, height] of [
    [390, 664],
    [360, 640],
  ] as const) {
    test(`sees what is asked in a window of ${width} by ${height}`, async () => {
      const host = await open(browser, server);
      const url = new URL(await invite(host.page));
      const narrow = { ...PHONE, viewport: { width, height } };
      const guest = await open(browser, server, narrow, url.hash);
      await inWindow(guest.page, "#friend-join");
      await guest.page.click("#friend-join");
      await guest.page.locator("#friend-links").waitFor({ state: "attached" });
      assert.equal(await guest.page.evaluate(() => scrollY), 0);
      await host.page.locator("#resign", { hasText: "Call the game off" }).waitFor();
      await play(host.page, guest.page, ["a3a4", "a7a6"]);
      await host.page.locator("#resign", { hasText: "Resign" }).waitFor();
      for (const offer of ["takeback", "offer-draw"]) {
        await guest.page.evaluate(() => scrollTo(0, 0));
        await host.page.click(`#${offer}`);
        for (const button of ["#accept", "#decline"]) await inWindow(guest.page, button);
        await guest.page.click("#decline");
      }
      await host.page.click("#resign");
      await host.page.click("#confirm-resign");
      await host.page.click("#rematch");
      for (const button of ["#accept", "#decline"]) await inWindow(guest.page, button);
      await guest.page.click("#decline");
      await host.page.locator("#no-rematch").waitFor();
      assert.equal(await guest.page.locator(".toast", { hasText: "offers" }).count(), 0);
      assert.deepEqual([...host.faults, ...guest.faults], []);
      for (const { page } of [host, guest]) await page.context().close();
    });
  }

  test("keeps the link to come back in a game of days, and is told whose move it is", async () => {
    const host = await open(browser, server);
    const link = await invite(host.page, "white", DAYS);
    assert.equal(await host.page.locator("#friend-keep[open] #link-seat").count(), 1);
    // Nobody can follow a code that leads to this computer.
    await host.page.locator("#only-here-friend-link").waitFor();
    assert.equal(await host.page.locator(".qr img").count(), 0);
    const guest = await open(browser, server, PHONE, new URL(link).hash);
    // Over plain HTTP, pages have no clipboard.
    await guest.page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await guest.page.click("#friend-join");
    await guest.page.locator("#friend-keep[open] #link-seat").waitFor();
    await guest.page.waitForFunction(() => (document.querySelector("#link-seat") as HTMLInputElement).value !== "");
    const seat = await guest.page.inputValue("#link-seat");
    await guest.page.click("#copy-link-seat");
    await guest.page.locator(".toast", { hasText: "Copied" }).waitFor();
    await guest.page.focus(".typed");
    await guest.page.keyboard.press("Control+v");
    assert.equal(await guest.page.inputValue(".typed"), seat);
    await host.page.waitForFunction(() => document.title.startsWith("Your move"));
    assert.doesNotMatch(await guest.page.title(), /Your move/);
    // The browser forgets, and the invitation says how to come back.
    await guest.page.evaluate(() => localStorage.clear());
    await guest.page.goto("about:blank");
    await guest.page.goto(link);
    await guest.page.locator("#friend-problem", { hasText: "your own link" }).waitFor();
    assert.match(await guest.page.innerText("#status").catch(() => ""), /^$|taken/);
    await guest.page.goto("about:blank");
    await guest.page.goto(seat);
    await play(host.page, guest.page, ["a3a4"]);
    await guest.page.waitForFunction(() => document.title.startsWith("Your move"));
    await host.page.locator("#friend-keep:not([open])").waitFor();
    // The list of one's games says so as well, also of what happened meanwhile.
    await host.page.click("#mode-play");
    await type(guest.page, "a7a6");
    await plies(guest.page, 2);
    await host.page.click("#invite-friend");
    await host.page.locator(".seat", { hasText: "Your move" }).waitFor();
    assert.deepEqual([...host.faults, ...guest.faults], []);
    for (const { page } of [host, guest]) await page.context().close();
  });

  test("sees the house rules, and that it was called off", async () => {
    const host = await open(browser, server);
    const chosen = { rules: "standard,traps=everybody,move-limit=100", side: "white", pace: 0 };
    await host.page.evaluate((kept) => localStorage.setItem("mousetrap.invitation", JSON.stringify(kept)), chosen);
    const network = { network: "http://192.0.2.7/", guest: null };
    await host.page.route("**/api/duel/links", (route) => route.fulfill({ json: network }));
    await host.page.reload();
    const link = await invite(host.page);
    assert.match(link, /^http:\/\/192\.0\.2\.7\//);
    await host.page.locator("#code-friend-link").waitFor();
    const guest = await open(browser, server, DESKTOP, new URL(link).hash);
    for (const text of ["A trap weakens: everybody", "Draw after moves each: 100"])
      await guest.page.locator(".house-rules li", { hasText: text }).waitFor();
    await host.page.click("#friend-cancel");
    await host.page.locator("#verdict", { hasText: "Called off" }).waitFor();
    assert.equal(await host.page.locator("#rematch").count(), 0);
    await guest.page.click("#friend-join");
    await guest.page.locator("#friend-problem", { hasText: "was called off" }).waitFor();
    assert.equal(await guest.page.innerText("#status"), "Called off");
    assert.equal(await guest.page.locator("#friend-watch").count(), 0);
    for (const { page } of [host, guest]) await page.context().close();
  });

  test("hears once of what was done, though the answer was lost; can play again after a rematch called off", async () => {
    const host = await open(browser, server);
    const guest = await open(browser, server, DESKTOP, new URL(await invite(host.page)).hash);
    // Another server, which has not heard yet who took the seat.
    const early = { status: 403, json: { error: { code: "duel-seat", message: "" } } };
    await guest.page.route("**/api/duel/events*", (route) => route.fulfill(early), { times: 2 });
    await guest.page.click("#friend-join");
    const [red, blue] = [host.page, guest.page];
    await play(red, blue, ["a3a4", "a7a6"]);
    /** The server hears of the next deed, and its answer is lost. */
    const lose = (page: Page) =>
      page.route(
        "**/api/duel/act*",
        async (route) => {
          await route.fetch();
          await route.abort();
        },
        { times: 1 },
      );
    const calm = async (page: Page) => {
      await page.waitForTimeout(1500);
      assert.doesNotMatch((await page.locator(".toast").allInnerTexts()).join(), /offered|over/);
    };
    await blue.click("#takeback");
    await red.locator("#accept").waitFor();
    await lose(red);
    await red.click("#accept");
    await plies(red, 1);
    await calm(red);
    await play(red, blue, ["a7a6"], 1);
    await lose(blue);
    await blue.click("#resign");
    await blue.click("#confirm-resign");
    await blue.locator("#verdict", { hasText: "You lose" }).waitFor();
    await calm(blue);
    await red.click("#rematch");
    await lose(blue);
    await blue.click("#accept");
    await red.locator("#resign", { hasText: "Call the game off" }).waitFor();
    await calm(blue);
    await red.click("#resign");
    await red.locator("dialog", { hasText: "Call the game off?" }).waitFor();
    await red.click("#confirm-resign");
    for (const page of [red, blue]) await page.locator("#verdict", { hasText: "Called off" }).waitFor();
    for (const page of [red, blue]) assert.equal(await page.locator("#rematch").count(), 1);
    assert.deepEqual([...host.faults, ...guest.faults], []);
    for (const { page } of [host, guest]) await page.context().close();
  });

  test("has many pages open: those that nobody sees hold no connection, and still tell whose move it is", async () => {
    const host = await open(browser, server);
    const guest = await join(await invite(host.page));
    const id = new URL(host.page.url()).hash;
    const context = guest.page.context();
    const see = (page: Page, how: string) =>
      page.evaluate((how) => {
        Object.defineProperty(document, "visibilityState", { value: how, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, how);
    const pages: Page[] = [];
    for (let count = 0; count < 6; count++) {
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(server.address + id);
      await page.locator("#friend-links").waitFor();
      await see(page, "hidden");
      await page.clock.fastForward(31_000);
      pages.push(page);
    }
    // A browser has six connections to a server; the page of the guest's has one.
    const one = await context.newPage();
    await one.goto(server.address + id);
    await one.locator("#friend-links").waitFor();
    await play(host.page, guest.page, ["a3a4"]);
    const unseen = pages[0]!;
    await unseen.clock.fastForward(31_000);
    await unseen.waitForFunction(() => document.title.startsWith("Your move"));
    await see(unseen, "visible");
    await type(guest.page, "a7a6");
    await plies(unseen, 2);
    for (const { page } of [host, guest]) await page.context().close();
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
