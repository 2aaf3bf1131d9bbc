// Measures the site in a browser, beside the native program: speed, time to the first move on a slow processor, and
// memory over many games. `cargo xtask site-report` calls this; prints Markdown.

import { execFileSync } from "node:child_process";
import type { Page } from "playwright-core";
import { askWorker } from "./ask";
import { byClicks } from "./gestures";
import { DESKTOP, launch, SITE } from "./harness";
import { StaticServer } from "./static";

const NATIVE = process.env["CONFORMANCE"] ?? "../target/release/examples/conformance";
const PAIRS = 7;
const DEPTH = 13;
const GAMES = Number(process.argv[2] ?? 100);
/** How much slower the processor is made. */
const THROTTLE = 4;

type Numbers = { bench: number; nps: number; perft: number; positions: string };
const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const native = (...wanted: number[]) =>
  JSON.parse(execFileSync(NATIVE, wanted.map(String), { encoding: "utf8" })) as Numbers;

const host = new StaticServer(SITE, "some/where/");
await host.start();
const browser = await launch();

async function visit(): Promise<Page> {
  const context = await browser.newContext({ locale: "en-GB", ...DESKTOP });
  const page = await context.newPage();
  await page.goto(host.address);
  await page.locator(".cell.movable").first().waitFor();
  return page;
}

console.log(`Chromium ${browser.version()}\n`);

// The same numbers, and how fast.
{
  const page = await visit();
  const there = native(6, 0, 10_000);
  const here = (await askWorker(page, "/conformance?perft=6&positions=10000")) as Numbers;
  const same = there.perft === here.perft && there.positions === here.positions;
  console.log(`- perft 6: ${here.perft}; 10,000 random positions: ${here.positions}; ${same ? "equal" : "NOT EQUAL"}`);
  const shares: number[] = [];
  let equal = true;
  let nodes = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const [there, here] = [native(0, DEPTH), (await askWorker(page, `/conformance?bench=${DEPTH}`)) as Numbers];
    equal &&= there.bench === here.bench;
    nodes = here.bench;
    shares.push(here.nps / there.nps);
  }
  const text = shares.map((share) => share.toFixed(2)).join(", ");
  console.log(`- bench ${DEPTH}: ${nodes} nodes, ${equal ? "equal" : "NOT EQUAL"}`);
  console.log(`- nodes a second, share of native on one thread: median ${median(shares).toFixed(2)} (${text})`);
  await page.context().close();
}

// The first move on a slow processor.
{
  const times: number[] = [];
  for (let visitor = 0; visitor < 5; visitor++) {
    const context = await browser.newContext({ locale: "en-GB", ...DESKTOP });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
    const start = performance.now();
    await page.goto(host.address, { waitUntil: "commit" });
    await page.locator(".cell.movable").first().waitFor();
    times.push(performance.now() - start);
    await context.close();
  }
  const text = times.map((time) => Math.round(time)).join(", ");
  console.log(
    `- ms until a piece can be moved, page's processor throttled ${THROTTLE}×: median ${Math.round(median(times))} (${text})`,
  );
}

// Memory over many games.
{
  const page = await visit();
  const session = await page.context().newCDPSession(page);
  const used = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = (await session.send("Runtime.getHeapUsage")) as { usedSize: number };
    return usedSize / 1e6;
  };
  const sizes: string[] = [];
  for (let game = 0; game <= GAMES; game++) {
    if (game % 20 === 0) sizes.push(`${(await used()).toFixed(1)} after ${game}`);
    // A short game: a move, the engine's reply, and a new game.
    await byClicks(page, "a3", "a4");
    await page.locator(".san").nth(1).waitFor();
    await page.click("#new-game");
    await page.click("#confirm-new");
    await page.locator(".cell.movable").first().waitFor();
  }
  console.log(`- MB of the page's heap: ${sizes.join(", ")} games`);
  await page.context().close();
}
await browser.close();
await host.stop();
