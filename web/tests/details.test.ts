// The page in a real browser, feature by feature: clocks, sound, arrows, downloads, rules, mistakes, trees,
// and that nothing sticks out on a narrow screen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { byClicks } from "./gestures";
import { cell, DESKTOP, link, middle, PHONE, Stage } from "./harness";

const stage = new Stage("--max-searches", "4");

const START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
/** Red's tiger against Blue's elephant: two pieces, whose tree can be perfect. */
const DUEL = "7/7/3e3/7/7/7/7/3T3/7 w";

async function type(page: Page, ...moves: string[]): Promise<void> {
  for (const move of moves) {
    await page.fill(".typed", move);
    await page.press(".typed", "Enter");
    await page.waitForFunction(() => (document.querySelector(".typed") as HTMLInputElement).value === "");
  }
}

/** A game of two people on one screen. */
async function friends(page: Page): Promise<void> {
  await page.selectOption("#opponent", "friend");
}

/** What each kind of element says, in order. */
const texts = async (found: Locator) => (await found.allInnerTexts()).map((text) => text.trim());

describe("the game", () => {
  test("clocks run down, moves add time, and a fallen flag ends the game", async () => {
    const { page, faults } = await stage.open();
    await page.clock.install({ time: "2026-01-01T08:00:00" });
    await page.reload();
    await friends(page);
    await page.selectOption("#clock", "1");
    await page.click("#start");
    await page.locator(".cell.movable").first().waitFor();
    // From here on time stands still unless advanced.
    await page.clock.pauseAt("2026-01-01T09:00:00");
    assert.deepEqual(await texts(page.locator(".clock")), ["3:00", "3:00"]);
    await type(page, "Ea4");
    // The first move starts the clock of the other side; the mover got the increment.
    await page.clock.runFor(10_000);
    assert.deepEqual(await texts(page.locator(".clock")), ["2:50", "3:02"]);
    await type(page, "ra6");
    await page.clock.runFor(170_000);
    assert.deepEqual(await texts(page.locator(".clock")), ["2:52", "0:12"]);
    assert.deepEqual(await texts(page.locator(".clock.low")), ["0:12"]);
    await page.clock.runFor(15_000);
    await page.locator("#verdict").waitFor();
    assert.match(await page.locator("#verdict").innerText(), /Blue wins[\s\S]*Red ran out of time/);
    assert.equal(await page.locator(".cell.movable").count(), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("sound is off until it is switched on", async () => {
    const { page } = await stage.open();
    await page.evaluate(() => {
      const heard: number[] = [];
      (window as unknown as { heard: number[] }).heard = heard;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when?: number) {
        heard.push(this.frequency.value);
        start.call(this, when);
      };
    });
    const heard = () => page.evaluate(() => (window as unknown as { heard: number[] }).heard.length);
    await friends(page);
    await page.click("#start");
    await type(page, "Ea4");
    assert.equal(await heard(), 0);
    await page.click("#settings");
    assert.equal(await page.locator("#set-sound").isChecked(), false);
    await page.check("#set-sound");
    const switched = await heard();
    assert.ok(switched > 0, "switching it on is heard");
    await page.keyboard.press("Escape");
    await type(page, "ra6");
    assert.ok((await heard()) > switched, "so is a move");
    await page.context().close();
  });

  test("arrows are drawn by right-drag, taken away by another, and all by a click", async () => {
    const { page } = await stage.open(DESKTOP, link(START));
    await page.locator(".cell.movable").first().waitFor();
    const drag = async (from: string, to: string) => {
      const [a, b] = [await middle(page, from), await middle(page, to)];
      await page.mouse.move(a.x, a.y);
      await page.mouse.down({ button: "right" });
      await page.mouse.move(b.x, b.y, { steps: 3 });
      await page.mouse.up({ button: "right" });
    };
    const drawn = () => page.locator(".layer-top > *").count();
    await drag("a3", "a5");
    await drag("g3", "g3");
    assert.equal(await drawn(), 2, "an arrow and a ring");
    await drag("a3", "a5");
    assert.equal(await drawn(), 1);
    await cell(page, "d5").click();
    assert.equal(await drawn(), 0);
    await page.context().close();
  });

  test("characters instead of animals", async () => {
    const { page } = await stage.open();
    const shown = (set: string) => page.locator(`.layer-pieces use[href^="#${set}-"]`).count();
    assert.deepEqual([await shown("animals"), await shown("hanzi")], [16, 0]);
    await page.click("#settings");
    await page.selectOption("#set-pieces", "hanzi");
    await page.keyboard.press("Escape");
    assert.deepEqual([await shown("animals"), await shown("hanzi")], [0, 16]);
    assert.equal(await page.locator("symbol[id^=hanzi-], g[id^=hanzi-]").count(), 16, "all are in the art");
    await page.reload();
    await page.locator(".layer-pieces use").first().waitFor({ state: "attached" });
    assert.equal(await shown("hanzi"), 16, "and stay chosen");
    await page.context().close();
  });

  test("house rules: a switch changes the game, nonsense is refused with the reason", async () => {
    const { page, faults } = await stage.open();
    await friends(page);
    await page.click("#rules-house");
    assert.equal(await page.locator(".house .field").count(), 12);
    await page.fill("#rules-move-limit", "0");
    await page.press("#rules-move-limit", "Tab");
    await page.getByText(/These rules are not possible.*move-limit/).waitFor();
    assert.equal(await page.locator(".rules-picker").getAttribute("data-rules"), "standard", "nothing has changed");
    await page.fill("#rules-move-limit", "50");
    await page.press("#rules-move-limit", "Tab");
    await page.locator('.rules-picker[data-rules="standard,move-limit=50"]').waitFor();
    await page.selectOption("#rules-elephant-takes-rat", "yes");
    await page.locator('.rules-picker[data-rules="standard,elephant-takes-rat=yes,move-limit=50"]').waitFor();
    await page.click("#start");
    await page.getByText("Standard, with house rules").waitFor();
    await type(page, "Ea4", "ra6", "Ea5", "da8");
    await byClicks(page, "a5", "a6");
    await page.getByText("Red: elephant takes rat on a6").first().waitFor({ state: "attached" });

    // Under the preset the same move is refused, with the reason.
    await page.click("#new-game");
    await page.click("#confirm-new");
    await page.click("#rules-reset");
    await page.locator('.rules-picker[data-rules="standard"]').waitFor();
    await page.click("#start");
    await type(page, "Ea4", "ra6", "Ea5", "da8");
    await page.fill(".typed", "a5a6");
    await page.press(".typed", "Enter");
    await page.locator("#reason", { hasText: "the elephant does not take the rat" }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});

describe("the analysis", () => {
  test("a planted blunder is the mistake that is found, with a better move", async () => {
    // Red puts the elephant next to the rat, which takes it; all other moves are sound.
    const moves = "a3a4,a7a6,a4a5,a6a5,a1a2";
    const { page } = await stage.open(DESKTOP, `${link(START)}&moves=${moves}`);
    await page.locator(".san").nth(4).waitFor();
    await page.click("#find-mistakes");
    await page.locator("#review-note", { hasText: /found/ }).waitFor({ timeout: 60_000 });
    const found = await texts(page.locator(".fault"));
    const blunders = found.filter((text) => /Blunder|Mistake/.test(text));
    assert.equal(blunders.length, 1, found.join("; "));
    assert.match(blunders[0]!, /2\. Red: Ea5/);
    const fault = page.locator(".fault", { hasText: "Ea5" });
    assert.doesNotMatch(await fault.innerText(), /better/, "one may find it oneself");
    await fault.click();
    const better = /better was (\S+)/.exec(await fault.innerText())?.[1];
    assert.ok(better && better !== "Ea5", `a better move is given: ${better}`);
    assert.equal(await page.locator('.san[aria-current="true"] .nag').count(), 1, "it is marked in the game");
    await page.locator(".graph svg").waitFor();
    await page.context().close();
  });

  test("copies and downloads", async () => {
    const { page } = await stage.open(
      { ...DESKTOP, acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"] },
      `${link(START)}&moves=a3a4,a7a6`,
    );
    await page.locator(".san").nth(1).waitFor();
    await page.click("#tab-share");
    await page.waitForFunction(() =>
      /1\. Ea4/.test((document.querySelector("#share-pgn") as HTMLTextAreaElement).value),
    );
    const file = async (id: string) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#download-${id}`)]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    const pgn = await file("pgn");
    assert.equal(pgn.name, "game.pgn");
    assert.match(pgn.bytes.toString(), /\[Rules "standard"\][\s\S]*1\. Ea4 Ra6/);
    const fen = await file("fen");
    assert.equal(fen.bytes.toString().trim(), await page.inputValue("#share-fen"));
    assert.match(fen.bytes.toString(), /^l5t\/1d3c1\//);
    assert.equal((await file("png")).bytes.subarray(1, 4).toString(), "PNG");
    assert.match((await file("svg")).bytes.toString(), /^<svg[\s\S]*<\/svg>\s*$/);
    await page.click("#copy-fen");
    await page.getByText("Copied").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.inputValue("#share-fen"));
    await page.context().close();
  });
});

describe("explaining", () => {
  const sum = (label: string) =>
    [...label.matchAll(/: ([\d,]+)/g)].reduce((total, [, n]) => total + Number(n!.replaceAll(",", "")), 0);
  const leaf = (page: Page) => page.locator(".end-of-way > summary");

  test("from the truth to the reason, by keyboard, down to an example on the board", async () => {
    const { page, faults } = await stage.open(DESKTOP, link(DUEL));
    await page.click("#tab-truth");
    await page.locator("#truth-head").waitFor({ timeout: 60_000 });
    const truth = /wins/.test(await page.locator("#truth-head").innerText())
      ? "Red wins"
      : /loses/.test(await page.locator("#truth-head").innerText())
        ? "Blue wins"
        : "A draw";
    await page.focus("#why");
    await page.keyboard.press("Enter");
    await page.selectOption("#explain-depth", "12");
    await page.getByText(/right about 100% \(0 wrong\)/).waitFor({ timeout: 60_000 });
    // A perfect tree: the leaf at the end of the position's way says the truth.
    assert.equal(await leaf(page).locator(".claim").innerText(), truth);
    // The counts of the children make up those of their parent.
    const label = (at: Locator) => at.locator(":scope > summary .share").getAttribute("aria-label");
    const root = page.locator(".branch.root > .node");
    const parts = await Promise.all((await root.locator(":scope > .inside > .branch > .node").all()).map(label));
    assert.equal(
      sum((await label(root))!),
      parts.reduce((total, part) => total + sum(part!), 0),
    );
    // A closed node opens by key, and shows an example that can be put on the board.
    const closed = page.locator(".node:not([open]) > summary").first();
    await closed.focus();
    await page.keyboard.press("Enter");
    const example = page.locator(".example .mini-open");
    const fen = (await example.getAttribute("data-fen"))!;
    await example.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(
      (board) => (JSON.parse(localStorage.getItem("mousetrap.analysis")!) as { fen: string }).fen.startsWith(board),
      fen.split(" ")[0]!,
    );
    await page.locator(`.end-of-way .mini-open`).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test("Blue to move: everything is described as the reader sees it", async () => {
    const { page } = await stage.open(DESKTOP, link("7/3t3/7/7/7/7/3E3/7/7 b"));
    await page.click("#tab-explain");
    await page.getByText("Blue to move: who wins?").waitFor({ timeout: 60_000 });
    const asked = (await texts(page.locator(".question"))).join(" ");
    assert.ok(!/white|black|[a-z]\(|_/i.test(asked), `questions are in words: ${asked}`);
    const fen = await page.locator(".end-of-way .mini-open").getAttribute("data-fen");
    assert.match(fen!, /^[^ ]* b/);
    assert.ok(fen!.includes("t") && fen!.includes("E") && !fen!.includes("T"), fen!);
    await page.context().close();
  });

  test("any class, chosen by its animals; too many pieces are refused", async () => {
    const { page } = await stage.open(PHONE, link(START));
    await page.click("#tab-explain");
    await page.getByText(/up to 4 pieces; here are 16/).waitFor();
    await page.click("#explain-example");
    await page.getByText("Red to move: who wins?").waitFor({ timeout: 60_000 });
    await page.click('[data-animal="e"]');
    await page.getByText("Choose at least one animal of each side.").waitFor();
    await page.click('[data-animal="r"]');
    await page.getByText("Red to move: who wins?").waitFor({ timeout: 60_000 });
    assert.equal(await page.locator('.palette-piece[aria-pressed="true"]').count(), 2);
    await page.click("#explain-board");
    await page.getByText(/here are 16/).waitFor();
    await page.context().close();
  });

  test("all questions have words, in every language", async () => {
    for (const language of ["en", "zh-Hans", "zh-Hant"]) {
      const { page } = await stage.open(DESKTOP, link(DUEL));
      await page.click("#settings");
      await page.selectOption("#set-language", language);
      await page.click("#tab-explain");
      await page.selectOption("#explain-depth", "6");
      for (const pieces of [2, 3]) {
        if (pieces === 3) await page.click('[data-animal="l"]');
        await page.waitForFunction(
          (n) =>
            document.querySelector(".branch.root") &&
            document.querySelectorAll('.palette-piece[aria-pressed="true"]').length === n &&
            !document.querySelector("#explain-note"),
          pieces,
          { timeout: 60_000 },
        );
        await page.evaluate(() => {
          for (let round = 0; round < 6; round++) {
            for (const closed of document.querySelectorAll<HTMLElement>(".node:not([open]):not(.leaf) > summary"))
              closed.click();
          }
        });
        const asked = new Set([
          ...(await page.locator(".question").allTextContents()),
          ...(await page.locator(".node > summary > b").allTextContents()),
        ]);
        const raw = [...asked].filter(
          (text) =>
            /[a-z]+[_(]|^(white|black|yes|no|top|mid|bot|open|0|1)$/.test(text) ||
            (language !== "en" && /[a-z]{3}/.test(text)),
        );
        assert.deepEqual(raw, [], language);
      }
      await page.context().close();
    }
  });
});

describe("a narrow screen", () => {
  test("nothing sticks out at 360 pixels, in any view and language", async () => {
    for (const language of ["en", "zh-Hans", "zh-Hant"]) {
      const { page } = await stage.open(PHONE, link(DUEL));
      await page.click("#settings");
      await page.selectOption("#set-language", language);
      const check = async (view: string) => {
        await page.waitForTimeout(150);
        const wide = await page.evaluate(() => {
          const width = document.documentElement.scrollWidth;
          const panel = document.querySelector(".panel")!;
          if (width <= 360 && panel.scrollWidth <= panel.clientWidth) return "";
          const out = [...document.querySelectorAll("body *")].filter(
            (one) => one.getBoundingClientRect().right > 361 && one.getBoundingClientRect().width > 0,
          );
          return `${width} pixels: ${out
            .slice(0, 4)
            .map((one) => `${one.tagName}.${one.className}`)
            .join(", ")}`;
        });
        assert.equal(wide, "", `${view}, ${language}`);
      };
      for (const tab of ["engine", "truth", "explain", "splits", "escape", "edit", "share"]) {
        // Two parts have the widest table.
        if (tab === "splits")
          await page.evaluate((hash) => {
            location.hash = hash;
          }, link("7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w"));
        await page.click(`#tab-${tab}`);
        if (tab === "splits") await page.locator("table.parts tbody tr").nth(1).waitFor();
        if (tab === "truth") await page.locator("#truth-head").waitFor({ timeout: 60_000 });
        if (tab === "explain") await page.locator(".end-of-way .mini-board").waitFor({ timeout: 60_000 });
        if (tab === "edit") await page.click("#edit-rules-house");
        await check(tab);
      }
      await page.click("#mode-play");
      await page.click("#rules-house");
      await page.locator(".house .field").first().waitFor();
      await check("setup");
      await page.selectOption("#clock", "1");
      await page.click("#start");
      await page.locator(".cell.movable").first().waitFor();
      await check("game");
      await page.click("#settings");
      await check("settings");
      await page.keyboard.press("Escape");
      await page.locator(".header .tool").first().click();
      await check("help");
      await page.context().close();
    }
  });
});
