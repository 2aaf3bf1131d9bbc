// Games that are kept, and the opening explorer, in a real browser: by mouse, touch and keys, from a server or the
// browser's own storage.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { byTouch } from "./gestures";
import { cell, DESKTOP, PHONE, SERVER_ONLY, Stage } from "./harness";

const stage = new Stage();

const PGN = `[White "Anna"]
[Black "Bert"]
[Date "2026.11.18"]

1. Ea4 Ra6 2. Ea5 Rxa5 0-1

[White "Bert"]
[Black "Clara"]
[Date "2025.02.??"]

1. Ea4 Eg6 1-0

[White "Nobody"]

1. Ea9 *

[White "Dora"]
[Rules "leiden"]

1. Rf3 *
`;
const file = (text: string, name = "club.pgn") => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

async function type(page: Page, ...moves: string[]): Promise<void> {
  for (const move of moves) {
    await page.fill(".typed", move);
    await page.press(".typed", "Enter");
    await page.waitForFunction(() => (document.querySelector(".typed") as HTMLInputElement).value === "");
  }
}

async function openGames(page: Page): Promise<void> {
  await page.click("#mode-games");
  await page.locator("#games-count", { hasText: /\S/ }).waitFor();
}

async function importPgn(page: Page, text = PGN): Promise<void> {
  await openGames(page);
  await page.setInputFiles("#games-file", file(text));
  await page.locator("#games-imported").waitFor();
}

/** Waits until these games are listed, or so many. */
async function listed(page: Page, wanted: string[] | number): Promise<void> {
  await page.waitForFunction((wanted) => {
    const names = [...document.querySelectorAll<HTMLElement>("#games-found .kept-names")].map((one) => one.innerText);
    return typeof wanted === "number" ? names.length === wanted : JSON.stringify(names) === JSON.stringify(wanted);
  }, wanted);
}

describe("games", () => {
  test("a game is kept while it is played, found, opened and deleted", async () => {
    const { page, faults } = await stage.open();
    await page.selectOption("#opponent", "friend");
    await page.click("#start");
    await page.locator(".cell.movable").first().waitFor();
    await type(page, "Ea4", "ra6");
    await openGames(page);
    await page.selectOption("#games-source", "own");
    await listed(page, ["Red – Blue"]);
    assert.match(await page.locator(".kept").innerText(), /…[\s\S]*2 plies/);
    await page.click("#mode-play");
    await page.locator(".cell.movable").first().waitFor();
    await type(page, "Tb1");
    await page.click("#resign");
    await page.click("#confirm-resign");
    await page.locator("#verdict").waitFor();
    await page.reload();
    await openGames(page);
    await page.selectOption("#games-source", "own");
    await page.locator(".kept-result", { hasText: "1–0" }).waitFor();
    assert.match(await page.locator(".kept small").first().innerText(), /3 plies/);
    await page.locator(".kept").first().click();
    await page.locator("#tab-engine").waitFor();
    await page.click("#nav-last");
    assert.match((await cell(page, "b1").getAttribute("aria-label")) ?? "", /tiger/i);
    await page.click("#mode-games");
    await page.locator(".kept").first().waitFor();
    await page.getByRole("button", { name: /Delete the game/ }).click();
    await page.click("#confirm-delete");
    await listed(page, 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("PGN comes in by button and by dropping, faults are named, and games are found by everything", async () => {
    const { page, faults } = await stage.open();
    await importPgn(page);
    assert.match(await page.locator("#games-imported").innerText(), /3 games imported, 0 there already/);
    await page.locator("#games-imported summary").click();
    assert.match(await page.locator(".import-faults").innerText(), /game 3, line 15: /);
    await page.selectOption("#games-source", "imported");
    await listed(page, ["Anna – Bert", "Bert – Clara", "Dora – unknown"]);
    // Dropped: all are known by now, and one is new.
    const dropped = await page.evaluateHandle((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "more.pgn"));
      return data;
    }, `${PGN}\n[White "Emil"]\n\n1. Wc2 *\n`);
    await page.dispatchEvent("#games", "dragover", { dataTransfer: dropped });
    await page.dispatchEvent("#games", "drop", { dataTransfer: dropped });
    await page.locator("#games-imported", { hasText: "1 game imported, 3 there already" }).waitFor();
    await listed(page, 4);
    await page.fill("#games-player", "BERT");
    await listed(page, ["Anna – Bert", "Bert – Clara"]);
    await page.selectOption("#games-result", "1-0");
    await listed(page, ["Bert – Clara"]);
    await page.selectOption("#games-result", "");
    await page.fill("#games-since", "2026-01-01");
    await listed(page, ["Anna – Bert"]);
    await page.fill("#games-since", "");
    await page.fill("#games-player", "");
    await listed(page, 4);
    await page.check("#games-position");
    await type(page, "Ea4");
    await listed(page, ["Anna – Bert", "Bert – Clara"]);
    await type(page, "ra6");
    await listed(page, ["Anna – Bert"]);
    // It is opened where the position came up.
    await page.locator(".kept").click();
    await page.locator('.san[aria-current="true"]', { hasText: "Ra6" }).waitFor();
    const download = page.waitForEvent("download");
    await page.click("#mode-games");
    await page.uncheck("#games-position");
    await listed(page, 4);
    await page.click("#games-export");
    const text = await readFile((await (await download).path())!, "utf8");
    assert.equal(text.match(/^\[Event /gm)?.length, 4);
    assert.match(text, /\[White "Anna"\][\s\S]*1\. Ea4 Ra6 2\. Ea5 Rxa5 0-1/);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("by touch on a phone: the position on the board is searched for", async () => {
    const { page, faults } = await stage.open(PHONE);
    await importPgn(page);
    await page.tap("#games-position");
    await page.selectOption("#games-source", "imported");
    await page.locator(".cell.movable").first().waitFor();
    await byTouch(page, "a3", "a4");
    await listed(page, 2);
    await page.locator(".kept").last().tap();
    await page.locator("#tab-explorer").tap();
    await page.locator('.segment input[value="imported"]').tap();
    await page.locator('.explored [data-move="g7g6"]').tap();
    await page.locator("#explorer-total", { hasText: "1 game came here" }).waitFor();
    assert.match((await cell(page, "g6").getAttribute("aria-label")) ?? "", /elephant/i);
    await page.tap("#all-games");
    await listed(page, 1);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("all that the browser keeps is saved with the games, and comes back", async () => {
    const { page } = await stage.open();
    await importPgn(page);
    await page.click("#settings");
    const download = page.waitForEvent("download");
    await page.click("#data-save");
    const text = await readFile((await (await download).path())!, "utf8");
    const saved = JSON.parse(text) as { games: { imported: string } };
    assert.match(saved.games.imported, /\[White "Anna"\]/);
    await page.context().close();
    const other = await stage.open();
    await other.page.click("#settings");
    await other.page.setInputFiles("#data-file", file(text, "mousetrap.json"));
    await other.page.locator("dialog").waitFor({ state: "detached" });
    await openGames(other.page);
    await other.page.fill("#games-player", "anna");
    await listed(other.page, ["Anna – Bert"]);
    await other.page.context().close();
  });
});

describe("the explorer", () => {
  test("by keys: every first move has a score, and a move is played", async () => {
    const { page, faults } = await stage.open();
    await page.click("#mode-analyse");
    await page.locator("#tab-engine").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#explorer-best").waitFor();
    assert.equal(await page.locator(".explored tbody tr").count(), 24);
    assert.equal(await page.locator(".explored .score", { hasText: /\d/ }).count(), 24);
    assert.match(await page.locator("#explorer-best").innerText(), /Best: [A-Z]\w+ .*Depth \d+/);
    assert.match(await page.locator("#book-origin").innerText(), /nodes a move/);
    const first = page.locator(".explored .san").first();
    const move = (await first.getAttribute("data-move"))!;
    await first.focus();
    await page.keyboard.press("Enter");
    await page.locator('.san[aria-current="true"]').waitFor();
    assert.match((await cell(page, move.slice(2)).getAttribute("aria-label")) ?? "", /Red/);
    // The focus is on the next position's first move, so that one goes on by pressing Enter.
    await page.waitForFunction(() => document.activeElement?.matches(".explored .san"));
    await page.locator(".games .kept").first().waitFor();
    await page.locator('.segment input[value="book"]').focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#explorer-total.notice", { hasText: "You have not come here yet" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.locator(".games .kept").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".player small", { hasText: "Mousetrap" }).first().waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("what is played there is in the reader's own games", async () => {
    const { page } = await stage.open();
    await page.selectOption("#opponent", "friend");
    await page.click("#start");
    await page.locator(".cell.movable").first().waitFor();
    await type(page, "f2g2", "f8f7");
    await page.click("#mode-analyse");
    await page.click("#tab-explorer");
    await page.locator('.segment input[value="own"]').check();
    await page.locator('.explored [data-move="f2g2"]').click();
    await page.locator('.explored [data-move="f8f7"]').waitFor();
    await page.context().close();
  });
});

test("axe finds no violations, and nothing sticks out, in any language", async () => {
  for (const options of [
    { ...DESKTOP, locale: "en-GB" },
    { ...PHONE, locale: "zh-CN" },
    { ...PHONE, locale: "zh-TW" },
  ]) {
    const { page, faults } = await stage.open(options);
    await importPgn(page);
    for (const view of ["games", "explorer"]) {
      if (view === "explorer") {
        await page.click("#mode-analyse");
        await page.click("#tab-explorer");
        await page.locator("#explorer-best").waitFor();
      }
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
      assert.deepEqual(found, [], `${view} ${options.locale}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(width <= 0, `${view} ${options.locale}: ${width} pixels stick out`);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  }
});

test("a server that is killed has lost nothing, and what it missed is kept later", SERVER_ONLY, async () => {
  const { page } = await stage.open();
  const own = async () => (await stage.ask<{ total: number }>("games", { source: "own" })).total;
  const before = await own();
  await page.selectOption("#opponent", "friend");
  await page.click("#start");
  await page.locator(".cell.movable").first().waitFor();
  await type(page, "Ea4", "ra6");
  await page.waitForFunction(() => localStorage.getItem("mousetrap.unsaved") === "{}");
  process.kill(stage.server.pid, "SIGKILL");
  // A move needs the server; giving up does not, and is kept when the server is back.
  await page.waitForTimeout(200);
  await page.click("#resign");
  await page.click("#confirm-resign");
  await page.waitForFunction(() => localStorage.getItem("mousetrap.unsaved") !== "{}");
  await stage.server.start();
  assert.equal(await own(), before + 1);
  await page.waitForFunction(() => localStorage.getItem("mousetrap.unsaved") === "{}", null, { timeout: 20_000 });
  const { games } = await stage.ask<{ games: { result: string }[] }>("games", { source: "own" });
  assert.equal(games[0]?.result, "0-1");
  await page.context().close();
});
