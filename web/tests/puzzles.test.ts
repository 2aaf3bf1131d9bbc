// Puzzles and the endgame trainer in a real browser: by mouse, touch and keys; what is kept, what is explained, and that
// nothing is out of anybody's reach.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { byKeys, byMouse, byTouch, type Make } from "./gestures";
import { DESKTOP, link, PHONE, Stage } from "./harness";

const stage = new Stage("--max-searches", "4");

interface Puzzle {
  id: string;
  fen: string;
  goal: string;
  solution: string[];
  themes: string[];
  rating: number;
  proved: string;
}

let known: Puzzle[] | null = null;
async function puzzles(): Promise<Puzzle[]> {
  known ??= (await stage.ask<{ puzzles: Puzzle[] }>("puzzles")).puzzles;
  return known;
}
const piecesIn = (fen: string) => fen.split(" ")[0]!.replace(/[^a-z]/gi, "").length;
/** Of few pieces, so that every host has the tables; won by Red. */
async function small(): Promise<Puzzle> {
  const all = await puzzles();
  return all.find((one) => piecesIn(one.fen) <= 3 && one.goal === "win" && one.fen.endsWith("w"))!;
}

async function makeWhenReady(page: Page, make: Make, move: string): Promise<void> {
  await page.locator(`[data-square="${move.slice(0, 2)}"].movable`).waitFor();
  await make(page, move.slice(0, 2), move.slice(2, 4));
}

/** Makes the solver's moves. */
async function solve(page: Page, make: Make, { solution }: Puzzle): Promise<void> {
  for (const [ply, move] of solution.entries()) if (ply % 2 === 0) await makeWhenReady(page, make, move);
  await page.locator("#puzzle-following").waitFor();
}

async function accessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(
    violations.map((v) => `${v.id} ${v.nodes[0]?.html}`),
    [],
  );
  const { scroll, wide } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    wide: window.innerWidth,
  }));
  assert.ok(scroll <= wide, "nothing sticks out");
}

const figure = (page: Page, id: string) =>
  page
    .locator(id)
    .innerText()
    .then((text) => Number(text));

describe("a puzzle", () => {
  for (const [how, options, make] of [
    ["by mouse", DESKTOP, byMouse],
    ["by touch", PHONE, byTouch],
    ["by keys", DESKTOP, byKeys],
  ] as const) {
    test(`is solved ${how}, and rating and streak grow and stay`, async () => {
      const puzzle = await small();
      const { page, faults } = await stage.open(options, `#/puzzles?id=${puzzle.id}`);
      await page.locator("#puzzle-text", { hasText: "Red moves and wins" }).waitFor();
      await solve(page, make, puzzle);
      assert.match(await page.locator("#puzzle-note").innerText(), /Solved! Your rating is \d+ \(\+\d+\)/);
      await accessible(page);
      await page.click("#puzzle-list");
      await page.locator("#puzzle-daily").waitFor();
      const rating = await figure(page, "#puzzle-rating");
      assert.ok(rating > 900);
      assert.equal(await figure(page, "#puzzle-streak"), 1);
      await page.reload();
      await page.locator("#puzzle-daily").waitFor();
      assert.equal(await figure(page, "#puzzle-rating"), rating);
      await accessible(page);
      assert.deepEqual(faults, []);
      await page.context().close();
    });
  }

  test("answers a wrong move by its refutation, and takes both back", async () => {
    const puzzle = await small();
    const { page, faults } = await stage.open(DESKTOP, `#/puzzles?id=${puzzle.id}`);
    type Probed = { moves: { move: string; outcome: string }[] };
    const probed = await stage.ask<Probed>("tablebase", { fen: puzzle.fen });
    const wrong = probed.moves.find((one) => one.outcome !== "win")!;
    await makeWhenReady(page, byMouse, wrong.move);
    await page.locator("#puzzle-note", { hasText: /lets the win go|loses in/ }).waitFor();
    assert.ok(await page.locator("#reason").isVisible());
    // Then the position is there again, and the solution still right.
    await page.locator(`[data-square="${puzzle.solution[0]!.slice(0, 2)}"].movable`).waitFor();
    await solve(page, byMouse, puzzle);
    assert.match(await page.locator("#puzzle-note").innerText(), /with help\. Your rating is \d+ \(−\d+\)/);
    await page.click("#puzzle-list");
    assert.ok((await figure(page, "#puzzle-rating")) < 900);
    assert.equal(await figure(page, "#puzzle-streak"), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("has a hint, a solution, and a reason", async () => {
    const puzzle = await small();
    const { page, faults } = await stage.open(DESKTOP, `#/puzzles?id=${puzzle.id}`);
    await page.locator(".cell.movable").first().waitFor();
    await page.click("#puzzle-hint");
    await page.locator("#reason", { hasText: puzzle.solution[0]!.slice(0, 2) }).waitFor();
    await page.click("#puzzle-hint");
    await page.locator(".layer-top path").first().waitFor({ state: "attached" });
    await page.click("#puzzle-solution");
    await page.locator("#puzzle-following").waitFor();
    await page.click("#puzzle-why");
    await page.locator("#why-box .outcome-win").waitFor();
    assert.equal(await page.locator("#why-box .outcome-win").count(), 1, "one move wins");
    assert.ok((await page.locator("#why-box tbody tr").count()) >= 4);
    await page.locator(".why-tree li").first().waitFor({ timeout: 60_000 });
    await accessible(page);
    await page.click("#puzzle-again");
    await page.locator("#puzzle-hint").waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("of many pieces turns the board for Blue, and says how it is proved", async () => {
    const all = await puzzles();
    const puzzle = all.find((one) => one.proved === "search" && one.fen.endsWith("b"))!;
    const { page, faults } = await stage.open(DESKTOP, `#/puzzles?id=${puzzle.id}`);
    await page.locator("#puzzle-text", { hasText: "Blue moves and forces a win" }).waitFor();
    assert.equal(await page.locator("[role=gridcell]").first().getAttribute("data-square"), "g1");
    await solve(page, byMouse, puzzle);
    await page.click("#puzzle-why");
    await page.locator("#why-box", { hasText: "no other move does" }).waitFor();
    await page.click("#puzzle-analyse");
    await page.locator("#tab-engine").waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("of the day is the same for everybody, and counts days", async () => {
    const date = new Date().toISOString().slice(0, 10);
    const puzzle = await stage.ask<Puzzle>("puzzles/daily", { date });
    for (const options of [DESKTOP, PHONE]) {
      const { page } = await stage.open(options, "#/puzzles");
      await page.click("#puzzle-daily");
      await solve(page, options === PHONE ? byTouch : byMouse, puzzle);
      await page.click("#puzzle-list");
      await page.locator("#puzzle-daily", { hasText: "solved" }).waitFor();
      assert.equal(await figure(page, "#puzzle-days"), 1);
      await page.context().close();
    }
  });

  test("is chosen by theme", async () => {
    const { page } = await stage.open(DESKTOP, "#/puzzles");
    await page.click("#theme-zugzwang");
    await page.locator("#puzzle-title", { hasText: "Zugzwang" }).waitFor();
    await page.locator(".cell.movable").first().waitFor();
    await page.context().close();
  });

  test("is made of one's own mistakes", async () => {
    const start = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
    const { page, faults } = await stage.open(DESKTOP, `${link(start)}&moves=a3a4,a7a6,a4a5,a6a5,a1a2`);
    await page.locator(".san").first().waitFor();
    await page.click("#find-mistakes");
    await page.locator("#keep-puzzles").waitFor({ timeout: 60_000 });
    await page.click("#keep-puzzles");
    await page.locator(".toast", { hasText: "kept under Puzzles" }).waitFor();
    await page.click("#mode-puzzles");
    await page.click("#puzzle-own");
    await page.locator("#puzzle-text", { hasText: "Find something better" }).waitFor();
    const own = await page.evaluate(
      () => (JSON.parse(localStorage.getItem("mousetrap.own-puzzles")!) as { best: string }[])[0]!,
    );
    await makeWhenReady(page, byMouse, own.best);
    await page.locator("#puzzle-note", { hasText: "Solved!" }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});

describe("the trainer", () => {
  interface Drilled {
    moves: { move: string; outcome: string; plies: number | null }[];
  }

  /** Plays as the tables would, until it is over. */
  async function play(page: Page, make: Make): Promise<void> {
    for (let count = 0; count < 40; count++) {
      await page.locator(".cell.movable, #trainer-verdict").first().waitFor();
      if (await page.locator("#trainer-verdict").count()) return;
      const fen = await page.locator(".board").getAttribute("data-fen");
      const { moves } = await stage.ask<Drilled>("tablebase", { fen: fen! });
      const before = await page.locator(".moves .san").count();
      await makeWhenReady(page, make, moves[0]!.move);
      await page.waitForFunction(
        (count) =>
          document.querySelector("#trainer-verdict") || document.querySelectorAll(".moves .san").length >= count + 2,
        before,
      );
    }
    assert.fail("an ending of three pieces ends");
  }

  for (const [how, options, make] of [
    ["by mouse", DESKTOP, byMouse],
    ["by touch", PHONE, byTouch],
    ["by keys", DESKTOP, byKeys],
  ] as const) {
    test(`an ending is won on the shortest way ${how}`, async () => {
      const { page, faults } = await stage.open(options, "#/trainer");
      for (const id of ["#trainer-red-C", "#trainer-red-T", "#trainer-red-E"]) await page.click(id);
      await accessible(page);
      await page.click("#trainer-start");
      await page.locator("#trainer-text", { hasText: "at best" }).waitFor();
      await play(page, make);
      await page.locator("#trainer-verdict", { hasText: "shortest way" }).waitFor();
      await accessible(page);
      assert.deepEqual(faults, []);
      await page.context().close();
    });
  }

  test("counts what is given away, takes back, and remembers what went wrong", async () => {
    const { page, faults } = await stage.open(DESKTOP, "#/trainer?class=E-L");
    await page.locator(".cell.movable").first().waitFor();
    let given = false;
    for (let count = 0; count < 30 && !given; count++) {
      await page.locator(".cell.movable, #trainer-verdict").first().waitFor();
      if (await page.locator("#trainer-verdict").count()) {
        await page.click("#trainer-new");
        continue;
      }
      const fen = await page.locator(".board").getAttribute("data-fen");
      const { moves } = await stage.ask<Drilled>("tablebase", { fen: fen! });
      const bad = moves.find((one) => one.outcome !== "win");
      await makeWhenReady(page, byMouse, (bad ?? moves[0]!).move);
      given = Boolean(bad);
      // Until the move is made and answered: what stood there before still looks as if one could move.
      const board = { before: fen!, given };
      await page.waitForFunction(({ before, given }) => {
        const noted = given && document.querySelector("#trainer-note")?.textContent;
        const now = document.querySelector(".board")!.getAttribute("data-fen")!;
        const isAnswered = now !== before && now.split(" ")[1] === before.split(" ")[1];
        const ready = isAnswered && document.querySelector(".cell.movable");
        return noted || ready || document.querySelector("#trainer-verdict");
      }, board);
    }
    assert.ok(given);
    await page
      .locator("#trainer-note, #trainer-verdict")
      .filter({ hasText: /gives the win away|Not this time/ })
      .waitFor();
    await page.click("#trainer-back");
    await page.locator(".cell.movable").first().waitFor();
    assert.equal(await page.locator("#trainer-note").innerText(), "");
    await page.click("#trainer-hint");
    await page.locator("#reason:not([hidden])").waitFor();
    await play(page, byMouse);
    await page.click("#trainer-list");
    // Moves were taken back, so it is not counted as mastered.
    await page.locator("#trainer-weak", { hasText: "elephant – lion" }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("shows rules of thumb with boards, in three languages", async () => {
    const { page, faults } = await stage.open(PHONE, "#/trainer?class=C-W");
    await page.locator(".statements li .mini-board").first().waitFor({ timeout: 60_000 });
    assert.match(await page.locator(".statements").innerText(), /If .* wins/);
    for (const language of ["zh-Hans", "zh-Hant"]) {
      await page.click("#settings");
      await page.selectOption("#set-language", language);
      await page.locator(".statements li").first().waitFor();
      assert.ok(!/[a-z]{3}/.test(await page.locator(".statements").innerText()), "no English is left");
      await accessible(page);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});
