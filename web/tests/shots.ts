// Pictures of every view, on a phone and on a desk, to be looked at: npm run shots -- FOLDER

import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { DESKTOP, launch, open, PHONE, TestServer } from "./harness";

const folder = process.argv[2] ?? "shots";
mkdirSync(folder, { recursive: true });

const SPLIT = "#/analyse?rules=standard&fen=" + encodeURIComponent("7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w");
const ENDGAME = "#/analyse?rules=standard&fen=" + encodeURIComponent("7/7/3e3/7/7/7/3E3/1T5/7 w");
const tab = (name: string) => async (page: Page) => {
  await page.click(`#tab-${name}`);
  await page.waitForTimeout(900);
};

const VIEWS: [name: string, path: string, act: (page: Page) => Promise<void>][] = [
  ["setup", "", async () => undefined],
  ["game", "", async (page) => {
    await page.click("#start");
    await page.waitForSelector(".cell.movable");
    await page.fill(".typed", "Ea4");
    await page.press(".typed", "Enter");
    await page.waitForSelector(".pair .san:nth-of-type(2)");
    await page.waitForSelector(".cell.movable");
    await page.click('[data-square="c3"]');
    await page.waitForTimeout(300);
  }],
  ["engine", "", async (page) => {
    await page.click("nav .mode:nth-of-type(2)");
    for (const move of ["Ea4", "Ra6", "Tb1", "Pd7"]) {
      await page.fill(".typed", move);
      await page.press(".typed", "Enter");
      await page.waitForTimeout(250);
    }
    await page.selectOption("#line-count", "3");
    await page.click("#engine-switch");
    await page.waitForSelector(".line:nth-of-type(3)");
    await page.waitForTimeout(3000);
  }],
  ["truth", ENDGAME, tab("truth")],
  ["splits", SPLIT, tab("splits")],
  ["cone", SPLIT, async (page) => {
    await tab("splits")(page);
    await page.check("#show-cone");
    await page.uncheck("#show-tree");
    await page.click('[data-square="c2"]');
    await page.waitForTimeout(600);
  }],
  ["editor", "", async (page) => {
    await page.click("nav .mode:nth-of-type(2)");
    await tab("edit")(page);
    await page.click('[data-tool="W"]');
    await page.click('[data-square="b4"]');
    await page.waitForTimeout(600);
  }],
  ["share", ENDGAME, tab("share")],
  ["settings", "", async (page) => { await page.click("#settings"); }],
  ["chinese", "", async (page) => {
    await page.click("#settings");
    await page.selectOption("#set-language", "zh-Hans");
    await page.click("#settings");
    await page.selectOption("#set-pieces", "hanzi");
    await page.keyboard.press("Escape");
  }],
  ["dark", SPLIT, async (page) => {
    await page.click("#settings");
    await page.selectOption("#set-theme", "dark");
    await page.keyboard.press("Escape");
    await tab("splits")(page);
  }],
];

const server = new TestServer();
await server.start();
const browser = await launch();
const wanted = process.argv.slice(3);
for (const [name, path, act] of VIEWS) {
  if (wanted.length && !wanted.includes(name)) continue;
  for (const [size, options] of [["desktop", DESKTOP], ["phone", PHONE]] as const) {
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
