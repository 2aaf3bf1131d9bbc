// The page of the Amazons in a real browser: moves of three parts, the regions, and what the searches say.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { cell, DESKTOP, PHONE, Stage } from "./harness";

const stage = new Stage("--max-searches", "4");

/** One region that both contest, two that White fills, one that Black fills, and a square that neither reaches. */
const CUT = "W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1 w";
const link = (fen: string) => "amazons.html#fen=" + fen.replace(" ", "_");

async function board(size: string, opponent: string): Promise<{ page: Page; faults: string[] }> {
  const opened = await stage.open(DESKTOP, "amazons.html");
  await opened.page.selectOption("#opponent", opponent);
  await opened.page.selectOption("#size", size);
  await opened.page.waitForLoadState("networkidle");
  await opened.page.waitForFunction((n) => document.querySelectorAll("#board .row").length === Number(n), size);
  await opened.page.locator(".cell.movable").first().waitFor();
  return opened;
}

async function clicks(page: Page, ...squares: string[]): Promise<void> {
  for (const square of squares) await cell(page, square).click();
}

const moves = (page: Page) => page.locator("#moves .san").allInnerTexts();
const fenOf = (page: Page) => page.inputValue("#fen");

describe("playing Amazons", () => {
  test("a move is an amazon, a square and an arrow; Escape cancels; back and forward", async () => {
    const { page, faults } = await board("6", "none");
    assert.equal(await page.locator(".cell.movable").count(), 4);
    await clicks(page, "b1");
    // Where she can go is what the server says.
    const usual = await stage.ask<{ moves: string[] }>("amazons/position", { size: "6" });
    const reach = [...new Set(usual.moves.filter((move) => move.startsWith("b1")).map((move) => move.slice(2, 4)))];
    assert.deepEqual(
      (
        await page
          .locator(".target-cell")
          .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["square"]!))
      ).sort(),
      reach.sort(),
    );
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".target-cell").count(), 0);
    await clicks(page, "b1", "b4");
    await page.getByText("What does her arrow hit?").waitFor();
    assert.match((await cell(page, "b4").getAttribute("aria-label"))!, /White amazon/);
    await page.keyboard.press("Escape");
    assert.match((await cell(page, "b1").getAttribute("aria-label"))!, /White amazon/);
    const start = await fenOf(page);
    await clicks(page, "b1", "b4", "b2");
    await page.getByText("Black to move").first().waitFor();
    assert.deepEqual(await moves(page), ["b1b4/b2"]);
    assert.match((await cell(page, "b2").getAttribute("aria-label"))!, /arrow/);
    const moved = await fenOf(page);
    assert.equal(decodeURIComponent(new URL(page.url()).hash), "#fen=" + moved.replace(" ", "_"));
    await page.click("#undo");
    await page.getByText("White to move").first().waitFor();
    assert.equal(await fenOf(page), start);
    await page.click("#redo");
    await page.getByText("Black to move").first().waitFor();
    assert.equal(await fenOf(page), moved);
    // The game is still there after a reload.
    await page.reload();
    await page.locator("#moves .san").first().waitFor();
    assert.deepEqual(await moves(page), ["b1b4/b2"]);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("a whole game by keyboard against the computer, to the end", async () => {
    const { page, faults } = await board("4", "regions");
    await page.selectOption("#level", "quick");
    const walk = async (square: string) => {
      for (let steps = 0; steps < 12; steps++) {
        const at = await page.evaluate(() => (document.activeElement as HTMLElement).dataset["square"] ?? "");
        if (at === square) return page.keyboard.press("Enter");
        const [file, rank] = [at.charCodeAt(0) - square.charCodeAt(0), Number(at.slice(1)) - Number(square.slice(1))];
        await page.keyboard.press(
          file < 0 ? "ArrowRight" : file > 0 ? "ArrowLeft" : rank < 0 ? "ArrowUp" : "ArrowDown",
        );
      }
    };
    for (let round = 0; round < 9; round++) {
      await page.locator(".cell.movable, #verdict").first().waitFor();
      if (await page.locator("#verdict").count()) break;
      const before = (await moves(page)).length;
      const position = await stage.ask<{ moves: string[] }>("amazons/position", { fen: await fenOf(page) });
      const [, from = "", to = "", arrow = ""] = /^([a-j]\d+)([a-j]\d+)\/([a-j]\d+)$/.exec(position.moves[0]!)!;
      await page.locator('#board [tabindex="0"]').focus();
      for (const square of [from, to, arrow]) await walk(square);
      // Either the computer has answered, or the game is over.
      await page.waitForFunction(
        (count) => document.querySelectorAll("#moves .san").length >= count || document.querySelector("#verdict"),
        before + 2,
      );
    }
    assert.match(await page.locator("#verdict").innerText(), /You (win!|lose)\s+(White|Black) cannot move any more/);
    // Back goes to where we were to move.
    await page.click("#undo");
    await page.locator(".cell.movable").first().waitFor();
    await page.getByText("White to move").first().waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});

describe("regions and searches", () => {
  test("a cut position: regions, what they add up to, and who wins", async () => {
    const { page, faults } = await stage.open(DESKTOP, link(CUT));
    await page.getByText("5 regions").waitFor();
    assert.equal(await page.locator("#region-list tbody tr").count(), 5);
    assert.deepEqual(await page.locator(".region-label text").allTextContents(), ["1", "2", "3", "4"]);
    assert.equal(await page.locator(".square.competing").count(), 9);
    assert.equal(await page.locator(".square.filling-black").count(), 4);
    await page.uncheck("#show-regions");
    assert.equal(await page.locator(".square.competing, .region-label").count(), 0);
    await page.check("#show-regions");
    await page.check("#analyse");
    await page.locator('[data-algorithm="exact"]', { hasText: /(White|Black) wins/ }).waitFor();
    assert.equal(await page.locator("#sub-boards tbody tr").count(), 4);
    // What is added up is what the search says.
    const value = await page.locator('[data-algorithm="regions"] .score').innerText();
    const sum = await page.locator("#sum").innerText();
    assert.ok(sum.endsWith(`: ${value}.`), `${sum} is ${value}`);
    const best = page.locator('[data-algorithm="exact"] .san');
    await best.hover();
    await page.locator(".hint-shot").waitFor({ state: "attached" });
    const move = await best.innerText();
    await best.click();
    await page.locator("#moves .san").waitFor();
    assert.deepEqual(await moves(page), [move]);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("positions are loaded, refused with a reason, copied and shared", async () => {
    const { page } = await stage.open(
      { ...DESKTOP, permissions: ["clipboard-read", "clipboard-write"] },
      "amazons.html",
    );
    await page.locator(".cell.movable").first().waitFor();
    await page.fill("#fen", "4/4/3q/4 w");
    await page.click("#load-fen");
    await page.locator("#fen-fault", { hasText: "'q' on rank 2 of the FEN means nothing" }).waitFor();
    await page.fill("#fen", "Wx3/xx3/5/4B/5/5 w");
    await page.press("#fen", "Enter");
    await page.locator("#verdict", { hasText: "Black wins" }).waitFor();
    assert.equal(await page.locator("#board .row").count(), 6);
    assert.equal(await page.locator("#board .cell").count(), 30);
    await page.fill("#fen", CUT);
    await page.press("#fen", "Enter");
    await page.getByText("5 regions").waitFor();
    await page.click("#copy-link");
    await page.getByText("Copied").first().waitFor();
    const shared = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto("about:blank");
    await page.goto(shared);
    await page.getByText("5 regions").waitFor();
    assert.equal(await fenOf(page), CUT);
    await page.goto(stage.address + "amazons.html#fen=nonsense");
    await page.locator("#fen-fault", { hasText: "add ' w' or ' b'" }).waitFor();
    await page.context().close();
  });

  test("there and back again", async () => {
    const { page } = await stage.open();
    await page.getByRole("link", { name: "Amazons" }).click();
    await page.getByRole("heading", { name: "Regions" }).waitFor();
    await page.getByRole("link", { name: "Jungle" }).click();
    await page.locator("#start").waitFor();
    await page.context().close();
  });
});

describe("for everybody", () => {
  test("axe finds no violations, and nothing sticks out at 360 pixels, in any language", async () => {
    for (const [theme, options] of [
      ["light", DESKTOP],
      ["dark", PHONE],
    ] as const) {
      const { page } = await stage.open({ ...options, colorScheme: theme }, link(CUT));
      await page.check("#analyse");
      for (const [language, words] of [
        ["zh-Hans", "区域"],
        ["zh-Hant", "區域"],
        ["en", "Regions"],
      ] as const) {
        await page.click("#settings");
        await page.selectOption("#set-language", language);
        await page.getByRole("heading", { name: words }).waitFor();
        await page.locator('[data-algorithm="exact"] .san').waitFor();
        const width = await page.evaluate(() =>
          [document.documentElement, document.querySelector(".panel")!].map((one) => one.scrollWidth - one.clientWidth),
        );
        assert.deepEqual(width, [0, 0], `${language}: something sticks out`);
      }
      // Looked at when the pieces have arrived.
      await page.waitForTimeout(250);
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(
        violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`),
        [],
        theme,
      );
      await page.context().close();
    }
  });
});
