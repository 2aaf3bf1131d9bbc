// The lessons: each can be solved as its solution says, under every preset; a learner gets through all of them and
// is told why a move is wrong.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { LESSONS, lessonRules, stepsOf, type Step } from "../src/lessons/lessons";
import { byClicks, byKeys, byTouch, type Make } from "./gestures";
import { cell, DESKTOP, PHONE, Stage } from "./harness";

const stage = new Stage("--max-searches", "4");

type Switches = Record<string, string>;

const ask: Stage["ask"] = (path, parameters) => stage.ask(path, parameters);

async function presets(): Promise<{ name: string; switches: Switches }[]> {
  return (await ask<{ presets: { name: string; switches: Switches }[] }>("rules", {})).presets;
}

/** The moves of a position, and where each leads. */
async function legal(fen: string, rules: string, moves = ""): Promise<{ moves: { move: string }[]; fen: string }> {
  return ask("moves", { fen, rules, moves });
}

describe("every lesson", () => {
  test("is solved by its solution, under every preset", async () => {
    for (const { name, switches } of await presets()) {
      for (const lesson of LESSONS) {
        const steps = stepsOf(lesson, switches);
        assert.ok(steps.length > 0, `${name}, ${lesson.id}: there is something to learn`);
        for (const step of steps) await solve(step, lessonRules(name), `${name}, ${lesson.id}, ${step.text}`);
      }
    }
  });

  async function solve(step: Step, rules: string, where: string): Promise<void> {
    let fen = `${step.fen} w`;
    const visited = new Set<string>();
    for (const move of step.solution) {
      const state = await legal(fen, rules);
      assert.ok(
        state.moves.some((one) => one.move === move),
        `${where}: ${move} is legal`,
      );
      const next = await legal(fen, rules, move);
      visited.add(move.slice(2, 4));
      fen = `${next.fen.split(" ")[0]} w`;
    }
    const { goal } = step;
    if (goal.kind === "find") assert.ok(goal.moves.includes(step.solution[0]!), where);
    if (goal.kind === "stars")
      assert.ok(goal.squares.every((square) => visited.has(square)) && visited.size > 0, where);
    if (goal.kind === "take") assert.ok(!/[a-z]/.test(fen.split(" ")[0]!), `${where}: all are taken`);
  }

  test("about races and parity tells the truth of the tables", async () => {
    type Probed = { outcome: string; moves: { move: string; outcome: string }[] };
    for (const rules of ["standard", "leiden", "tufts"]) {
      const { switches } = (await presets()).find(({ name }) => name === rules)!;
      for (const id of ["race", "parity"]) {
        for (const step of stepsOf(LESSONS.find((lesson) => lesson.id === id)!, switches)) {
          const probed = await ask<Probed>("tablebase", { fen: `${step.fen} w`, rules });
          assert.equal(probed.outcome, "win", `${rules}, ${step.text}: Red wins`);
          if (step.goal.kind !== "find") continue;
          const wins = probed.moves.filter((move) => move.outcome === "win").map((move) => move.move);
          for (const move of step.goal.moves) assert.ok(wins.includes(move), `${rules}, ${step.text}: ${move} wins`);
          // What is called a loss is one.
          if (step.text === "parity3") assert.deepEqual(wins, step.goal.moves);
        }
      }
    }
  });
});

/** Goes through all lessons as the solutions say; where one has to win, the champion whispers. */
async function graduate(page: Page, make: Make): Promise<void> {
  const { switches } = (await presets()).find(({ name }) => name === "standard")!;
  await page.click("#mode-learn");
  await page.click("#lesson-step");
  for (const [index, lesson] of LESSONS.entries()) {
    for (const step of stepsOf(lesson, switches)) {
      await page.locator(`#lesson-title:has-text("${index + 1}.")`).waitFor();
      if (step.goal.kind === "win") await winStep(page, make, step);
      else for (const move of step.solution) await makeWhenReady(page, make, move);
      await page.locator("#lesson-next").waitFor();
      await page.click("#lesson-next");
    }
  }
  await page.locator("#graduation").waitFor();
}

async function makeWhenReady(page: Page, make: Make, move: string): Promise<void> {
  await page.locator(`[data-square="${move.slice(0, 2)}"].movable`).waitFor();
  await make(page, move.slice(0, 2), move.slice(2, 4));
}

async function winStep(page: Page, make: Make, step: Step): Promise<void> {
  const moves: string[] = [];
  const rules = lessonRules("standard");
  for (let count = 0; count < 80; count++) {
    await page.locator(".cell.movable, #lesson-next, #lesson-note:not(:empty)").first().waitFor();
    if (await page.locator("#lesson-next").count()) return;
    const best = await ask<{ move: string }>("best", {
      fen: `${step.fen} w`,
      rules,
      moves: moves.join(","),
      level: "elephant",
      seconds: "0.2",
    });
    const before = await page.locator(".moves .san").count();
    await makeWhenReady(page, make, best.move);
    moves.push(best.move);
    await page.waitForFunction(
      (count) => document.querySelector("#lesson-next") || document.querySelectorAll(".moves .san").length >= count + 2,
      before,
    );
    if (await page.locator("#lesson-next").count()) return;
    moves.push(await lastMove(page));
  }
  assert.fail("the lesson can be won");
}

/** The last move made, as the board marks it. */
async function lastMove(page: Page): Promise<string> {
  return page.evaluate(() => document.querySelector<HTMLElement>(".board")!.dataset["last"]!);
}

describe("a learner", () => {
  test("gets through all lessons by mouse and is sent to the Rat", async () => {
    const { page, faults } = await stage.open();
    await graduate(page, byClicks);
    await page.reload();
    await page.locator("#graduation").waitFor();
    assert.equal(await page.locator(".lesson-done").count(), LESSONS.length, "progress is kept");
    await page.click("#learn-play");
    await page.locator(".strip", { hasText: "Rat" }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("is told why: what is not possible, what is not right, and gets a hint", async () => {
    const { page } = await stage.open(PHONE);
    await page.click("#mode-learn");
    await page.click("#lesson-traps");
    await makeWhenReady(page, byTouch, "c2d2");
    await page.click("#lesson-next");
    await makeWhenReady(page, byTouch, "c8d8");
    await page.locator("#reason", { hasText: "the dog stands beside you" }).waitFor();
    // The position is set up again.
    await page.locator('[data-square="c8"].movable').waitFor();
    await byTouch(page, "c8", "d9");
    await page.locator("#reason", { hasText: "Not diagonally" }).waitFor();
    await page.click("#lesson-hint");
    await page.locator("#reason", { hasText: "Try wolf to c9" }).waitFor();
    // As one would: the piece again, then where it may go.
    await byTouch(page, "c8", "c9");
    await page.locator("#lesson-next").waitFor();
    await page.context().close();
  });

  test("can use the keyboard alone", async () => {
    const { page } = await stage.open();
    await page.click("#mode-learn");
    await page.locator("#lesson-water").focus();
    await page.keyboard.press("Enter");
    for (const move of ["b3b4", "b4b5", "b5b6", "b6b7"]) await makeWhenReady(page, byKeys, move);
    await page.waitForFunction(() => document.activeElement?.id === "lesson-next");
    await page.keyboard.press("Enter");
    await page.locator("#lesson-text", { hasText: "A wolf does not swim" }).waitFor();
    assert.match((await cell(page, "b7").getAttribute("aria-label"))!, /star/);
    await page.context().close();
  });

  test("reads all of it in three languages; axe has no complaints", async () => {
    for (const [language, options] of [
      ["en", PHONE],
      ["zh-Hans", DESKTOP],
      ["zh-Hant", PHONE],
    ] as const) {
      const { page } = await stage.open(options);
      await page.click("#settings");
      await page.selectOption("#set-language", language);
      await page.click("#mode-learn");
      for (const { id } of LESSONS) {
        await page.click(`#lesson-${id}`);
        await page.locator("#lesson-text").waitFor();
        const text = await page.locator("#lesson-text").innerText();
        assert.ok(text.length > 8 && (language === "en" || !/[a-z]{3}/.test(text)), `${language}, ${id}: ${text}`);
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= options.viewport.width);
        if (id === "step") {
          const { violations } = await new AxeBuilder({ page }).analyze();
          assert.deepEqual(
            violations.map((v) => v.id),
            [],
          );
        }
        await page.click("#lesson-list");
      }
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(
        violations.map((v) => `${v.id} ${v.nodes[0]?.html}`),
        [],
      );
      await page.context().close();
    }
  });
});
