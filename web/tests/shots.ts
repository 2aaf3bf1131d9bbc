// Pictures of every view, on a phone and on a desk, to be looked at: npm run shots -- FOLDER

import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { DESKTOP, launch, link, open, PHONE, TestServer } from "./harness";

const folder = process.argv[2] ?? "shots";
mkdirSync(folder, { recursive: true });

const START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";
const SPLIT = link("7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w");
const ENDGAME = link("7/7/3e3/7/7/7/3E3/1T5/7 w");
/** Red's tiger is two moves from the den, and Blue's cat far away. */
const NEARLY = link("7/7/3T3/7/7/7/7/6c/7 w");
/** Red puts the elephant next to the rat. */
const BLUNDER = link(START) + "&moves=a3a4,a7a6,a4a5,a6a5,a1a2";
/** Five regions of every kind, on a small board and after a game on the usual one. */
const CUT = "amazons#fen=W2xB1/2xx2/xxxxxx/W1Bx1x/3xxx/1B1xW1_w";
/** Games for the library, one of which cannot be read. */
const GAMES = `[White "Anna"]
[Black "Bert"]
[Date "2026.11.18"]

1. Ea4 Ra6 2. Ea5 Rxa5 0-1

[White "李明"]
[Black "A player whose name is much longer than the room there is for it"]
[Date "2025.02.??"]
[Rules "leiden"]

1. Ea4 Eg6 1-0

[White "Nobody"]

1. Ea9 *
`;
const tab = (name: string) => async (page: Page) => {
  await page.click(`#tab-${name}`);
  await page.waitForTimeout(900);
};

const lesson = (id: string) => async (page: Page) => {
  await page.click("#mode-learn");
  await page.click(`#lesson-${id}`);
  await page.waitForSelector(".cell.movable");
};

/** An invitation by Red, and a guest who accepts it and says hello. */
const invite = async (page: Page) => {
  await page.click("#invite-friend");
  await page.selectOption("#friend-side", "white");
  await page.selectOption("#friend-pace", "3");
  await page.click("#friend-make");
  await page.waitForSelector("#friend-link");
  await page.waitForTimeout(500);
};
const guest = async (page: Page, ...deeds: Record<string, string>[]) => {
  await page.evaluate(async (deeds) => {
    const link = (document.querySelector("#friend-link") as HTMLInputElement).value;
    const invitation = link.split("join=")[1];
    const key = "ab".repeat(16);
    const headers = { "content-type": "application/json", "x-mousetrap": "page", "x-mousetrap-key": key };
    const post = async (path: string, body: unknown) =>
      (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
    let view = (await post("./api/duel/join", { invitation, key })) as { id: string; version: number };
    for (const deed of deeds) view = await post(`./api/duel/act?id=${view.id}`, { version: view.version, deed });
  }, deeds);
  await page.waitForSelector("#friend-links");
};

const VIEWS: [name: string, path: string, act: (page: Page) => Promise<void>][] = [
  ["setup", "", async () => undefined],
  ["friend-setup", "", async (page) => page.click("#invite-friend")],
  ["friend-invitation", "", invite],
  [
    "friend-game",
    "",
    async (page) => {
      await invite(page);
      await guest(page, { do: "say", phrase: "good-luck" }, { do: "offer", offer: "draw" });
      await page.click("#friend-links summary");
      await page.waitForTimeout(700);
    },
  ],
  [
    "friend-over",
    "",
    async (page) => {
      await invite(page);
      await guest(page, { do: "resign" });
      await page.waitForSelector("#verdict");
      await page.waitForTimeout(700);
    },
  ],
  [
    "learn",
    "",
    async (page) => {
      await page.click("#mode-learn");
      await page.waitForTimeout(300);
    },
  ],
  ["lesson-step", "", lesson("step")],
  [
    "lesson-wrong",
    "",
    async (page) => {
      await lesson("water")(page);
      await page.click('[data-square="b3"]');
      await page.click('[data-square="d5"]');
      await page.waitForSelector("#reason:not([hidden])");
    },
  ],
  [
    "blue",
    "",
    async (page) => {
      await page.selectOption("#side", "black");
      await page.click("#start");
      await page.waitForSelector(".cell.movable");
      await page.waitForTimeout(400);
    },
  ],
  [
    "game",
    "",
    async (page) => {
      await page.click("#start");
      await page.waitForSelector(".cell.movable");
      await page.fill(".typed", "Ea4");
      await page.press(".typed", "Enter");
      await page.waitForSelector(".pair .san:nth-of-type(2)");
      await page.waitForSelector(".cell.movable");
      await page.click('[data-square="c3"]');
      await page.waitForTimeout(300);
    },
  ],
  [
    "engine",
    "",
    async (page) => {
      await page.click("#mode-analyse");
      for (const move of ["Ea4", "Ra6", "Tb1", "Pd7"]) {
        await page.fill(".typed", move);
        await page.press(".typed", "Enter");
        await page.waitForTimeout(250);
      }
      await page.selectOption("#line-count", "3");
      await page.click("#engine-switch");
      await page.waitForSelector(".line:nth-of-type(3)");
      await page.waitForTimeout(3000);
    },
  ],
  ["truth", ENDGAME, tab("truth")],
  ["growth", link(START), tab("escape")],
  [
    "explain",
    ENDGAME,
    async (page) => {
      await tab("explain")(page);
      await page.locator(".end-of-way .mini-board").waitFor({ timeout: 60_000 });
    },
  ],
  [
    "house",
    "",
    async (page) => {
      await page.click("#rules-house");
      await page.selectOption("#rules-repetition", "illegal");
      await page.waitForTimeout(400);
    },
  ],
  [
    "over",
    NEARLY,
    async (page) => {
      await page.click("#tab-edit");
      await page.click("#use-play");
      for (const move of ["d7d8", "d8d9"]) {
        await page.waitForSelector(".cell.movable");
        await page.fill(".typed", move);
        await page.press(".typed", "Enter");
        await page.waitForTimeout(900);
      }
    },
  ],
  [
    "mistakes",
    BLUNDER,
    async (page) => {
      await page.waitForSelector(".san");
      await page.click("#find-mistakes");
      await page.locator("#review-note", { hasText: /found/ }).waitFor({ timeout: 60_000 });
      await page.locator(".fault").first().click();
      await page.waitForTimeout(400);
    },
  ],
  [
    "puzzles",
    "#/puzzles",
    async (page) => {
      await page.locator("#puzzle-daily").waitFor();
    },
  ],
  [
    "puzzle",
    "#/puzzles",
    async (page) => {
      await page.click("#puzzle-daily");
      await page.waitForSelector(".cell.movable");
      await page.click("#puzzle-hint");
    },
  ],
  [
    "puzzle-why",
    "#/puzzles",
    async (page) => {
      await page.click("#theme-parity");
      await page.waitForSelector(".cell.movable");
      await page.click("#puzzle-solution");
      await page.click("#puzzle-why");
      await page.locator("#why-box p").first().waitFor();
      await page.waitForTimeout(2500);
    },
  ],
  [
    "trainer",
    "#/trainer",
    async (page) => {
      await page.locator(".statements .mini-board").first().waitFor({ timeout: 60_000 });
    },
  ],
  [
    "trainer-ending",
    "#/trainer?class=EC-W",
    async (page) => {
      await page.waitForSelector(".cell.movable");
      await page.click("#trainer-hint");
      await page.locator(".statements .mini-board").first().waitFor({ timeout: 60_000 });
    },
  ],
  [
    "chinese-puzzles",
    "#/puzzles",
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-language", "zh-Hans");
      await page.locator("#puzzle-daily").waitFor();
    },
  ],
  [
    "dark-trainer",
    "#/trainer",
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-theme", "dark");
      await page.selectOption("#set-language", "zh-Hant");
      await page.locator(".statements .mini-board").first().waitFor({ timeout: 60_000 });
    },
  ],
  ["splits", SPLIT, tab("splits")],
  [
    "cone",
    SPLIT,
    async (page) => {
      await tab("splits")(page);
      await page.check("#show-cone");
      await page.uncheck("#show-tree");
      await page.click('[data-square="c2"]');
      await page.waitForTimeout(600);
    },
  ],
  [
    "editor",
    "",
    async (page) => {
      await page.click("#mode-analyse");
      await tab("edit")(page);
      await page.click('[data-tool="W"]');
      await page.click('[data-square="b4"]');
      await page.waitForTimeout(600);
    },
  ],
  ["share", ENDGAME, tab("share")],
  [
    "games",
    "",
    async (page) => {
      await page.click("#mode-games");
      await page.setInputFiles("#games-file", { name: "a.pgn", mimeType: "text/plain", buffer: Buffer.from(GAMES) });
      await page.locator("#games-imported").waitFor();
      await page.waitForTimeout(300);
    },
  ],
  [
    "explorer",
    "",
    async (page) => {
      await page.click("#mode-analyse");
      await page.click("#tab-explorer");
      await page.locator("#explorer-best").waitFor();
      await page.waitForTimeout(300);
    },
  ],
  [
    "explorer-chinese",
    link(START) + "&moves=a3b3&view=explorer",
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-language", "zh-Hans");
      await page.locator("#explorer-best").waitFor();
      await page.waitForTimeout(300);
    },
  ],
  [
    "games-dark",
    "",
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-theme", "dark");
      await page.keyboard.press("Escape");
      await page.click("#mode-games");
      await page.selectOption("#games-source", "book");
      await page.locator("#games-more").waitFor();
    },
  ],
  [
    "settings",
    "",
    async (page) => {
      await page.click("#settings");
    },
  ],
  [
    "chinese",
    "",
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-language", "zh-Hans");
      await page.click("#settings");
      await page.selectOption("#set-pieces", "hanzi");
      await page.keyboard.press("Escape");
    },
  ],
  [
    "chinese-explain",
    ENDGAME,
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-language", "zh-Hant");
      await tab("explain")(page);
      await page.locator(".end-of-way .mini-board").waitFor({ timeout: 60_000 });
    },
  ],
  [
    "dark-explain",
    ENDGAME,
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-theme", "dark");
      await page.keyboard.press("Escape");
      await tab("explain")(page);
      await page.locator(".end-of-way .mini-board").waitFor({ timeout: 60_000 });
    },
  ],
  [
    "amazons",
    "amazons",
    async (page) => {
      await page.selectOption("#opponent", "none");
      await page.selectOption("#size", "10");
      await page.locator('[data-square="j10"]').waitFor();
      for (const square of ["d1", "d7", "g7", "d10"]) await page.click(`[data-square="${square}"]`);
      await page.waitForTimeout(400);
    },
  ],
  [
    "amazons-arrow",
    "amazons",
    async (page) => {
      await page.locator(".cell.movable").first().waitFor();
      for (const square of ["b1", "b4"]) await page.click(`[data-square="${square}"]`);
      await page.waitForTimeout(400);
    },
  ],
  [
    "amazons-cut",
    CUT,
    async (page) => {
      await page.check("#analyse");
      await page.locator('[data-algorithm="exact"] .san').waitFor();
      await page.locator('[data-algorithm="exact"] .san').hover();
      await page.waitForTimeout(400);
    },
  ],
  [
    "amazons-dark",
    CUT,
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-theme", "dark");
      await page.selectOption("#set-language", "zh-Hans");
      await page.check("#analyse");
      await page.locator('[data-algorithm="exact"] .san').waitFor();
      await page.waitForTimeout(400);
    },
  ],
  [
    "amazons-over",
    "amazons#fen=Wx2/xx2/4/3B_w",
    async (page) => {
      await page.locator("#verdict").waitFor();
    },
  ],
  [
    "gadgets",
    "gadgets#formula=x%20%7C%20y",
    async (page) => {
      await page.selectOption("#you", "white");
      await page.locator("#choices li").first().waitFor();
    },
  ],
  [
    "gadgets-dark",
    "gadgets",
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-theme", "dark");
      await page.selectOption("#set-language", "zh-Hant");
      await page.keyboard.press("Escape");
      await page.selectOption("#shown", "mended-or");
      await page.locator("#contract").waitFor();
    },
  ],
  [
    "help",
    "",
    async (page) => {
      await page.locator(".header .tool").first().click();
    },
  ],
  [
    "dark",
    SPLIT,
    async (page) => {
      await page.click("#settings");
      await page.selectOption("#set-theme", "dark");
      await page.keyboard.press("Escape");
      await tab("splits")(page);
    },
  ],
];

const server = new TestServer();
await server.start();
const browser = await launch();
const wanted = process.argv.slice(3);
for (const [name, path, act] of VIEWS) {
  if (wanted.length && !wanted.includes(name)) continue;
  for (const [size, options] of [
    ["desktop", DESKTOP],
    ["phone", PHONE],
  ] as const) {
    const { page, faults } = await open(browser, server, options, path);
    await page.waitForTimeout(400);
    await act(page);
    await page.screenshot({ path: `${folder}/${name}-${size}.png`, fullPage: size === "phone" });
    if (faults.length) console.log(name, size, faults);
    await page.context().close();
  }
}
await browser.close();
await server.stop();
