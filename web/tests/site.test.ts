// The site: the same program in a browser, kept for when there is no network, and replaced by a new version when the
// visitor says so.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { askWorker } from "./ask";
import { byClicks } from "./gestures";
import { BINARY, cell, DESKTOP, launch, link, SITE } from "./harness";
import { Nginx } from "./nginx";
import { StaticServer } from "./static";

/** Prints the numbers of the native program; `cargo xtask examples` builds it. */
const NATIVE = process.env["CONFORMANCE"] ?? "../target/debug/examples/conformance";

let browser: Browser;
const site = new StaticServer(SITE, "below/this/");
const isolated = new StaticServer(SITE, "", true);
before(async () => {
  await Promise.all([site.start(), isolated.start()]);
  browser = await launch();
});
after(async () => {
  await browser.close();
  await Promise.all([site.stop(), isolated.stop()]);
});

async function visit(address: string, path = ""): Promise<Page> {
  const context = await browser.newContext({ locale: "en-GB", ...DESKTOP });
  const page = await context.newPage();
  await page.goto(address + path);
  await page.locator(".cell.movable").first().waitFor();
  return page;
}

type Numbers = { perft: number; bench: number; positions: string };

test("rules, reasons, evaluation and search are those of the native program", async () => {
  const native = JSON.parse(execFileSync(NATIVE, ["5", "8", "10000"], { encoding: "utf8" })) as Numbers;
  assert.ok(native.perft > 1e6 && native.bench > 1e4);
  const page = await visit(site.address);
  for (const [at, threads] of [
    [page, 1],
    [await visit(isolated.address), 2],
  ] as const) {
    const here = (await askWorker(at, "/conformance?perft=5&bench=8&positions=10000", threads)) as Numbers;
    assert.deepEqual(
      { perft: here.perft, bench: here.bench, positions: here.positions },
      { perft: native.perft, bench: native.bench, positions: native.positions },
    );
    await at.context().close();
  }
});

describe("the engine", () => {
  test("thinks in this browser, and stops at once", async () => {
    for (const host of [site, isolated]) {
      const page = await visit(host.address, link("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w"));
      await page.click("#engine-switch");
      await page.locator("#engine-facts", { hasText: "this browser" }).waitFor();
      await page.waitForFunction(() => /Depth \d/.test(document.querySelector("#engine-facts")!.textContent!));
      // Another position is answered as soon as it is asked for.
      await byClicks(page, "a3", "a4");
      await page.locator(".san", { hasText: "Ea4" }).first().waitFor();
      await page.waitForFunction(() => /Depth \d/.test(document.querySelector("#engine-facts")!.textContent!));
      await page.context().close();
    }
  });

  test("has threads where memory may be shared", async () => {
    const page = await visit(isolated.address);
    assert.ok(await page.evaluate(() => self.crossOriginIsolated));
    const found = (await askWorker(page, "/api/best?seconds=1", 3)) as { move: string };
    assert.match(found.move, /^[a-g]\d[a-g]\d$/);
    await page.context().close();
  });
});

test("without a network it opens, plays, looks up, has puzzles and endings, and finds Amazons", async () => {
  const host = new StaticServer(SITE, "below/this/");
  await host.start();
  const { address } = host;
  const page = await visit(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await host.stop();
  await page.goto(`${address}?from=home${link("7/7/3e3/7/7/7/T2E3/7/7 w")}`);
  await page.click("#tab-truth");
  await page.locator("#truth-head", { hasText: "wins in" }).waitFor();
  await page.click("#mode-play");
  await byClicks(page, "a3", "a4");
  await page.locator(".san").nth(1).waitFor();
  await page.click("#mode-puzzles");
  await page.click("#puzzle-daily");
  await page.locator(".cell.movable").first().waitFor();
  await page.click("#puzzle-list");
  await page.click("#switch-trainer");
  await page.click("#trainer-start");
  await page.locator(".cell.movable").first().waitFor();
  await page.getByRole("link", { name: "Amazons" }).click();
  await page.waitForURL(/amazons\.html/);
  await page.locator(".cell.movable").first().waitFor();
  await page.context().close();
});

test("a new version is announced, and used when the visitor says so", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "mousetrap-site-")), "site");
  cpSync(SITE, folder, { recursive: true });
  const host = new StaticServer(folder);
  await host.start();
  const page = await visit(host.address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const index = join(folder, "index.html");
  writeFileSync(index, readFileSync(index, "utf8").replace('<div id="app">', '<div id="app" data-version="2">'));
  const worker = join(folder, "offline.js");
  writeFileSync(
    worker,
    readFileSync(worker, "utf8").replace(/mousetrap-\$\{"(\w+)"\}|"mousetrap-(\w+)"/, '"mousetrap-second"'),
  );
  await page.reload();
  assert.equal(await page.locator("[data-version]").count(), 0, "the old version is still in use");
  await page.click("#take-version");
  await page.locator("[data-version]").waitFor({ state: "attached" });
  await page.locator(".cell.movable").first().waitFor();
  await page.context().close();
  await host.stop();
  rmSync(folder, { recursive: true });
});

test("games and settings are saved as a file and loaded again", async () => {
  const page = await visit(site.address);
  await byClicks(page, "a3", "a4");
  await page.locator(".san").nth(1).waitFor();
  await page.click("#settings");
  const download = page.waitForEvent("download");
  await page.click("#data-save");
  const file = join(mkdtempSync(join(tmpdir(), "mousetrap-data-")), "mousetrap.json");
  await (await download).saveAs(file);
  await page.context().close();
  const other = await visit(site.address);
  await other.click("#settings");
  await other.setInputFiles("#data-file", { name: "x.json", mimeType: "application/json", buffer: Buffer.from("[]") });
  await other.getByText("That is not a file saved here.").waitFor();
  await other.setInputFiles("#data-file", file);
  await other.locator(".san", { hasText: "Ea4" }).waitFor();
  assert.match((await cell(other, "a4").getAttribute("aria-label")) ?? "", /elephant/i);
  await other.context().close();
});

describe("large tables", () => {
  /** Four pieces, and a class whose file is too long to be fetched whole. */
  const FOUR = "7/7/3e3/3w3/7/7/3L3/1R5/7 w";
  const nginx = new Nginx();
  const { folder } = nginx;
  const log = () => nginx.log().filter((line) => /\.mtb/.test(line));

  before(async () => {
    cpSync(SITE, join(folder, "site"), { recursive: true });
    const tables = join(folder, "built");
    execFileSync(BINARY, ["tb", "build", "--class", "LR-EW", "--dir", tables], { stdio: "ignore" });
    const set = join(folder, "site/tables/standard");
    cpSync(join(tables, "standard"), set, { recursive: true });
    await nginx.start((port) => `server { listen 127.0.0.1:${port}; root ${folder}/site; }`);
  });
  after(() => nginx.stop());

  test("are read by ranges from a plain host, kept, and agree with the native program", async () => {
    const there = JSON.parse(
      execFileSync(BINARY, ["tb", "probe", FOUR, "--json", "--dir", join(folder, "built")], { encoding: "utf8" }),
    ) as { outcome: string; plies: number };
    const page = await visit(nginx.address);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const ask = async () => {
      const question = `/api/tablebase?fen=${encodeURIComponent(FOUR)}`;
      const here = (await askWorker(page, question)) as { outcome: string; plies: number };
      assert.deepEqual([here.outcome, here.plies], [there.outcome, there.plies]);
    };
    await ask();
    const cold = log();
    const bytes = cold.map((line) => Number(line.split(" ").pop())).reduce((sum, size) => sum + size, 0);
    assert.ok(
      cold.every((line) => / 206 /.test(line)),
      cold.join("\n"),
    );
    console.log(`a cold position with all its moves: ${cold.length} requests, ${bytes} bytes`);
    await page.context().setOffline(true);
    await ask();
    assert.equal(log().length, cold.length, "what was read once is kept");
    await page.context().close();
  });
});

test("a game between two devices needs a server, and the page says so", async () => {
  const page = await visit(site.address);
  assert.equal(await page.locator("#invite-friend").count(), 0);
  await page.goto(site.address + "#/friend");
  await page.locator("#friend-none", { hasText: "needs a server" }).waitFor();
  await page.context().close();
});

test("every file that gains by it has compressed copies, and addresses are relative", () => {
  for (const name of readdirSync(SITE).filter((name) => /\.(js|css|svg|html|wasm)$/.test(name)))
    for (const suffix of [".gz", ".br"]) assert.ok(existsSync(join(SITE, name + suffix)), name + suffix);
  const page = readFileSync(join(SITE, "index.html"), "utf8");
  assert.doesNotMatch(page, /(?:href|src)="\//);
});
