// What the page promises: nothing that misleads. Each of these was once broken.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { byClicks, byKeys, byMouse, byTouch } from "./gestures";
import { cell, DESKTOP, link, PHONE, SERVER_ONLY, Stage } from "./harness";

const stage = new Stage("--max-searches", "4");

const START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
const touch = { hasTouch: true, isMobile: true };
const WINDOWS: Record<string, BrowserContextOptions> = {
  "a phone": PHONE,
  "a phone on its side": { ...touch, viewport: { width: 740, height: 360 } },
  "a tablet": { ...touch, viewport: { width: 768, height: 1024 } },
  "a tablet on its side": { ...touch, viewport: { width: 1024, height: 768 } },
  "a small laptop": { viewport: { width: 1366, height: 650 } },
  "a large screen": { viewport: { width: 1920, height: 1080 } },
};

const ready = (page: Page) => page.locator(".cell.movable").first().waitFor();

/** The colour of a square, averaged, as red, green and blue. */
async function colour(page: Page, square: string): Promise<number[]> {
  const clip = (await cell(page, square).boundingBox())!;
  const png = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }, png);
}

describe("the board", () => {
  test("turns whole: dens and traps are where their owner sits", async () => {
    const { page } = await stage.open();
    const redder = async (square: string) => {
      const [red, , blue] = await colour(page, square);
      return red! > blue!;
    };
    for (const turned of [false, true]) {
      if (turned) await page.click("#flip");
      for (const square of ["d1", "c1", "d2"]) assert.ok(await redder(square), `${square} is Red's, turned: ${turned}`);
      for (const square of ["d9", "c9", "d8"]) assert.ok(!(await redder(square)), `${square} is Blue's: ${turned}`);
    }
    await page.context().close();
  });

  test("is whole, as large as the window allows, and stays where it is", async () => {
    for (const [name, options] of Object.entries(WINDOWS)) {
      const { page } = await stage.open(options);
      await ready(page);
      const { width, height } = options.viewport!;
      const box = async () => (await page.locator(".board").boundingBox())!;
      const first = await box();
      assert.ok(first.x >= 0 && first.y >= 0, `${name}: nothing is cut off`);
      assert.ok(first.x + first.width <= width && first.y + first.height <= height, `${name}: it is whole`);
      const fills = Math.max(first.width / width, first.height / height);
      assert.ok(fills >= 0.78, `${name}: it fills ${Math.round(fills * 100)} % of the window's side`);
      const panel = (await page.locator(".panel").boundingBox())!;
      const apart = panel.x >= first.x + first.width || panel.y >= first.y + first.height;
      assert.ok(apart, `${name}: the panel is beside or below`);
      await page.click("#start");
      await ready(page);
      assert.deepEqual(await box(), first, `${name}: the same after Start`);
      await byClicks(page, "a3", "a4");
      await page.locator(".san").nth(1).waitFor({ state: "attached" });
      assert.deepEqual(await box(), first, `${name}: the same after moves`);
      await page.click("#mode-analyse");
      await page.locator("#engine-switch").waitFor({ state: "attached" });
      assert.deepEqual(await box(), first, `${name}: the same in the analysis`);
      await page.context().close();
    }
  });

  test("gives the reason of an illegal move by click, drag, touch and key, once and at the board", async () => {
    for (const [name, make, options] of [
      ["click", byClicks, DESKTOP],
      ["drag", byMouse, DESKTOP],
      ["touch", byTouch, PHONE],
      ["key", byKeys, DESKTOP],
    ] as const) {
      const { page } = await stage.open(options);
      await ready(page);
      await make(page, "c3", "c4");
      await page.locator("#reason", { hasText: "only rats swim" }).waitFor();
      await page.keyboard.press("Escape");
      await make(page, "e3", "g5");
      await page.locator("#reason", { hasText: "too far" }).waitFor();
      assert.equal(await page.locator(".bubble:visible").count(), 1, name);
      assert.equal(await page.locator(".toast").count(), 0, `${name}: no pile of messages`);
      const [box, board] = [
        (await page.locator("#reason").boundingBox())!,
        (await page.locator(".board").boundingBox())!,
      ];
      assert.ok(box.y >= board.y - 60 && box.y <= board.y + board.height, `${name}: where one looks`);
      await page.context().close();
    }
  });

  test("points out what is trapped and what can be taken, and how strong each piece is", async () => {
    const { page } = await stage.open();
    await ready(page);
    assert.equal(await page.locator(".strength").count(), 16);
    await page.selectOption("#opponent", "friend");
    for (const move of ["Ea4", "Ra6", "Ea5"]) {
      await page.fill(".typed", move);
      await page.press(".typed", "Enter");
      await page.waitForFunction(() => (document.querySelector(".typed") as HTMLInputElement).value === "");
    }
    await page.locator(".cue-takeable").first().waitFor({ state: "attached" });
    // Red's elephant stands before Blue's rat, which is to move.
    assert.equal(await page.locator(".cue-takeable").count(), 1);
    await page.click("#settings");
    await page.uncheck("#set-cues");
    await page.uncheck("#set-strengths");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector(".cue-takeable, .cue-endangered, .strength"));
    await page.context().close();
  });
});

describe("how to play", () => {
  test("says what the rules in force say, with small boards", async () => {
    const { page } = await stage.open();
    const help = async () => {
      await page.locator(".header .tool").first().click();
      await page.locator(".how").nth(8).waitFor();
      const text = await page.locator("dialog").innerText();
      const boards = await page.locator("dialog .mini-board").count();
      await page.keyboard.press("Escape");
      return { text, boards };
    };
    const standard = await help();
    assert.match(standard.text, /one step: up, down, left or right/);
    assert.match(standard.text, /The elephant cannot take the rat/);
    assert.match(standard.text, /dog, wolf, panther/);
    assert.match(standard.text, /steps out of the water or into it/);
    assert.ok(standard.boards >= 7);
    await page.selectOption("#rules", "leiden");
    const leiden = await help();
    assert.match(leiden.text, /the elephant takes the rat/);
    assert.match(leiden.text, /wolf, dog, panther/);
    assert.doesNotMatch(leiden.text, /cannot take the rat/);
    await page.context().close();
  });
});

describe("a game", () => {
  test("begins with the first move; Start and the choices are beside the board, not before it", async () => {
    for (const options of [PHONE, WINDOWS["a tablet"]!]) {
      const { page } = await stage.open(options);
      await ready(page);
      await byTouch(page, "a3", "a4");
      await page.locator(".san").nth(1).waitFor({ state: "attached" });
      await page.context().close();
    }
    const { page } = await stage.open(PHONE);
    await ready(page);
    const start = (await page.locator("#start").boundingBox())!;
    assert.ok(start.y + start.height <= PHONE.viewport.height, "Start is seen without scrolling");
    await page.selectOption("#side", "black");
    await cell(page, "d5").tap();
    await page.locator(".san").first().waitFor({ state: "attached" });
    await page.context().close();
  });

  test("keeps the focus on the board, and asks before it is lost", async () => {
    const { page } = await stage.open();
    await page.selectOption("#opponent", "friend");
    await page.locator("#start").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "gridcell");
    await ready(page);
    await byClicks(page, "a3", "a4");
    await page.locator(".san").first().waitFor();
    await ready(page);
    await byClicks(page, "a7", "a6");
    await page.locator(".san").nth(1).waitFor();
    await page.click("#new-game");
    await page.locator("#confirm-new").waitFor();
    await page.keyboard.press("Escape");
    await page.click("#agree-draw");
    await page.click("#confirm-draw");
    await page.locator("#verdict", { hasText: "A draw" }).waitFor();
    await page.context().close();
  });

  test("is written down with players, level, date, rules and result", async () => {
    const { page } = await stage.open();
    await ready(page);
    await byClicks(page, "a3", "a4");
    await page.locator(".san").nth(1).waitFor();
    await page.click("#resign");
    await page.click("#confirm-resign");
    await page.click("#analyse-game");
    await page.click("#tab-share");
    await page.waitForFunction(() =>
      (document.querySelector("#share-pgn") as HTMLTextAreaElement).value.includes("Ea4"),
    );
    const pgn = await page.inputValue("#share-pgn");
    for (const tag of [
      /\[White "You"\]/,
      /\[Black "Mousetrap, level 2 \(cat\)"\]/,
      /\[Date "20\d\d\.\d\d\.\d\d"\]/,
      /\[Rules "standard"\]/,
      /\[Result "0-1"\]/,
    ])
      assert.match(pgn, tag);
    await page.context().close();
  });
});

describe("a shared link", () => {
  test("carries the whole game and the place in it, stays in the address bar, and erases nothing", async () => {
    const { page } = await stage.open();
    await page.click("#mode-analyse");
    await ready(page);
    for (const [from, to] of [
      ["g3", "g4"],
      ["g7", "g6"],
    ] as const) {
      const count = await page.locator(".san").count();
      await ready(page);
      await byClicks(page, from, to);
      await page.locator(".san").nth(count).waitFor();
    }
    const shared = `${link(START)}&moves=a3a4,a7a6,a4a5&at=1`;
    await page.evaluate((hash) => {
      location.hash = hash;
    }, shared);
    await page.locator("#visit").waitFor();
    assert.equal(await page.locator(".san").count(), 3, "the whole game");
    assert.equal(await page.locator('.san[aria-current="true"]').innerText(), "Ea4", "and the place in it");
    assert.match(page.url(), /#\/analyse\?.*at=1/);
    await page.reload();
    await page.locator("#visit").waitFor();
    assert.equal(await page.locator('.san[aria-current="true"]').innerText(), "Ea4");
    await page.click("#tab-share");
    assert.match(await page.inputValue("#share-link"), /moves=a3a4%2Ca7a6%2Ca4a5&at=1/);
    await page.click("#visit-back");
    await page.click("#tab-engine");
    await page.locator(".san", { hasText: "Rg4" }).waitFor();
    assert.equal(await page.locator(".san").count(), 2);
    // Once changed it is one's own; what was, lies on the shelf.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, shared);
    await page.locator("#visit").waitFor();
    await ready(page);
    await byClicks(page, "g7", "g6");
    await page.locator("#visit").waitFor({ state: "hidden" });
    await page.click("#tab-share");
    await page.locator("#shelf button").first().click();
    await page.click("#tab-engine");
    await page.locator(".san", { hasText: "Rg4" }).waitFor();
    await page.context().close();
  });

  test("carry the view, too", async () => {
    const { page } = await stage.open(DESKTOP, `${link("7/7/3e3/7/7/7/T2E3/7/7 w")}&view=truth`);
    await page.locator("#truth-head", { hasText: "wins in" }).waitFor();
    await page.click("#tab-splits");
    await page.waitForURL(/view=splits/);
    await page.click("#tab-share");
    assert.match(await page.inputValue("#share-link"), /&view=splits/);
    await page.reload();
    await page.locator("#tab-splits[aria-selected=true]").waitFor();
    await page.evaluate(() => {
      location.hash = "#/learn";
    });
    await page.locator("#mode-learn[aria-current=page]").waitFor();
    await page.context().close();
  });
});

describe("find my mistakes", () => {
  test("a thrown elephant is a blunder, and can be tried again", async () => {
    const { page } = await stage.open(DESKTOP, `${link(START)}&moves=a3a4,a7a6,a4a5,a6a5,a1a2`);
    await page.locator(".san").nth(4).waitFor();
    await page.click("#find-mistakes");
    await page.locator(".fault", { hasText: "Ea5" }).waitFor({ timeout: 60_000 });
    await page.locator("#review-note", { hasText: /found/ }).waitFor({ timeout: 60_000 });
    assert.match(await page.locator(".fault", { hasText: "Ea5" }).innerText(), /Blunder/);
    await page.locator("li", { hasText: "Ea5" }).locator(".try-again").click();
    await page.locator("#reason", { hasText: "find something better than Ea5" }).waitFor();
    await ready(page);
    await byClicks(page, "a4", "a5");
    await page.locator("#reason", { hasText: "the move that was played" }).waitFor();
    // The position is set up again by itself.
    await page.locator('[data-square="a4"].movable').waitFor();
    await byClicks(page, "a4", "a3");
    await page.locator("#reason", { hasText: /best move|that holds/ }).waitFor({ timeout: 30_000 });
    await page.context().close();
  });

  test("a lost game shows where it was lost, and no “#0”", async () => {
    // Blue wastes a step in a race that it would have won.
    const race = "7/7/P6/7/7/7/6p/7/7 b";
    const moves = "g3g4,a7b7,g4g3,b7c7,g3f3,c7d7,f3e3,d7d8,e3e2,d8d9";
    const { page } = await stage.open(DESKTOP, `${link(race)}&moves=${moves}`);
    await page.locator(".san").nth(9).waitFor();
    await page.click("#find-mistakes");
    await page.locator("#review-note:not(:empty)").waitFor();
    await page.waitForFunction(() => !/Looking/.test(document.querySelector("#review-note")!.textContent!));
    assert.doesNotMatch(await page.locator("body").innerText(), /#0/);
    assert.equal(await page.locator("#engine-score").innerText(), "1–0");
    const lost = await page.locator(".fault", { hasText: "here Blue lost the game" }).innerText();
    assert.match(lost, /1… Blue: Pg4/);
    await page.context().close();
  });
});

describe("tables", () => {
  test("of four pieces are built by a button, with progress, and then used", SERVER_ONLY, async () => {
    const four = "7/7/3e3/3l3/7/7/3E3/1T5/7 w";
    const { page } = await stage.open();
    let done = -1;
    const status = () => ({
      state: done < 0 ? "idle" : done < 3 ? "running" : "done",
      allowed: true,
      rules: done < 0 ? null : "standard",
      pieces: done < 0 ? null : 4,
      done: Math.max(0, done),
      total: 3,
      seconds: 1,
      estimate: 2,
      bytes: 0,
      error: null,
    });
    await page.route("**/api/tablebase/build*", async (route) => {
      if (route.request().method() === "POST") done = 0;
      else if (done >= 0) done++;
      await route.fulfill({ json: status() });
    });
    let probes = 0;
    await page.route("**/api/tablebase?*", async (route) => {
      probes++;
      if (done < 3) return route.fulfill({ status: 404, json: { error: { code: "missing-table", message: "none" } } });
      const moves = [{ move: "b2b3", san: "Tb3", outcome: "win", plies: 1 }];
      return route.fulfill({ json: { fen: `${four} - - 0 1`, outcome: "win", plies: 1, ending: null, moves } });
    });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, link(four));
    await page.locator("#visit").waitFor();
    await page.click("#tab-truth");
    await page.click("#build-tables");
    await page.locator("#table-build progress").waitFor();
    await page.locator("#truth-head", { hasText: "Red wins in 1 ply" }).waitFor({ timeout: 10_000 });
    assert.ok(probes >= 2);
    await page.context().close();
  });
});

describe("in Chinese", () => {
  test("moves are read and written in 汉字, and nothing is said in English", async () => {
    for (const [language, error] of [
      ["zh-Hans", /只有鼠能下水|只有鼠/],
      ["zh-Hant", /只有鼠/],
    ] as const) {
      const { page } = await stage.open();
      await page.click("#settings");
      await page.selectOption("#set-language", language);
      assert.match(await page.title(), /斗兽棋|鬥獸棋/);
      await page.selectOption("#opponent", "friend");
      await page.fill(".typed", "象a4");
      await page.press(".typed", "Enter");
      await page.locator(".san", { hasText: "象a4" }).waitFor();
      await page.fill(".typed", "豹c6");
      await page.press(".typed", "Enter");
      await page.locator("#reason", { hasText: error }).waitFor();
      await page.click("#analyse-game");
      await page.click("#tab-share");
      await page.fill("#share-paste", "1. Wc4 *");
      await page.click("#load");
      await page.locator("#share-answer .fault-text").waitFor();
      const said = await page.locator("#share-answer").innerText();
      assert.doesNotMatch(said.replace("PGN", ""), /[A-Za-z]{3}/, said);
      await page.evaluate((hash) => {
        location.hash = hash;
      }, link("7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w"));
      await page.locator("#visit").waitFor();
      await page.click("#tab-splits");
      await page.locator("table.parts tbody tr").nth(1).waitFor();
      const parts = await page.locator("table.parts tbody th").allInnerTexts();
      assert.deepEqual(
        parts.map((text) => text.replace(/\D/g, "")),
        ["1", "2"],
      );
      await page.context().close();
    }
  });
});
