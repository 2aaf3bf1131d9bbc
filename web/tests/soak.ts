// Memory over a long time: a mixture of everything the server does, for some minutes, from several clients at
// once, some of whom leave in the middle. Prints how much memory the server has from minute to minute, and fails
// if it still grows after it has warmed up: npm run soak -- MINUTES

import { readFileSync } from "node:fs";
import { TestServer } from "./harness";
import { randomness } from "./random";

const minutes = Number(process.argv[2] ?? "10");
if (!(minutes >= 3)) {
  console.error("at least three minutes: less says nothing");
  process.exit(2);
}
const CLIENTS = 6;
/** Growth from the second third of the time to the last that is still called flat. */
const FLAT = 0.03;

const server = new TestServer();
// The engines’ tables are small, so that they are full, and their pages touched, before long.
await server.start("--max-searches", "2", "--hash", "8");
const base = server.address;
/** Resident memory of the server in MiB: all of it, and what is its own, not pages of files. */
function memory(): { all: number; own: number } {
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  const read = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024;
  return { all: read("VmRSS"), own: read("RssAnon") };
}

const { random, pick, fen } = randomness(2026);

const RULES = ["standard", "leiden", "tufts"];
const HOUSE = [
  "shore=open",
  "traps=everybody",
  "repetition=illegal",
  "panther-jumps=both",
  "move-limit=60",
  "weaker=wolf",
];
const rules = () => (random(3) ? pick(RULES) : `${pick(RULES)},${pick(HOUSE)}`);
const PGN = '[Rules "leiden"]\n\n1. Ea4 {bold} (1. Eb3 $1 Ra6) 1... Ra6 2. Tb1 Pd7 *';

type Asked = [path: string, options?: RequestInit, leaveAfter?: number];
const KINDS: Record<string, () => Asked> = {
  moves: () => [`api/moves?rules=${rules()}&moves=a3a4,a7a6,a1b1`],
  check: () => [`api/check?fen=${fen(8)}`],
  table: () => [`api/tablebase?rules=${rules()}&fen=${fen(3)}`],
  line: () => [`api/tablebase/line?fen=${fen(2)}`],
  tree: () => [`api/mine?rules=${pick(RULES)}&fen=${fen(pick([2, 2, 3]))}&max_depth=${1 + random(8)}`],
  split: () => [`api/split?rules=${rules()}&fen=${fen(8)}&threshold=${random(12)}`],
  cone: () => [`api/cone?square=${pick([..."abcdefg"])}${1 + random(9)}`],
  png: () => [`api/picture.png?size=${24 + random(100)}&fen=${fen(6)}`],
  svg: () => [`api/picture.svg?fen=${fen(6)}`],
  pgn: () => [
    "api/pgn/import",
    { method: "POST", body: random(4) ? PGN : PGN.slice(random(40)), headers: { "content-type": "text/plain" } },
  ],
  best: () => [`api/best?level=${pick(["rat", "cat", "dog", "elephant"])}&seconds=0.2&moves=a3a4`],
  analyse: () => [`api/analyse?lines=${1 + random(5)}&seconds=2`, {}, random(2) ? 100 + random(900) : undefined],
  page: () => [pick(["", "app.js", "app.css", "art.svg", "api/docs", "api/openapi.json", "nothing"])],
  nonsense: () => [`api/moves?fen=${"x".repeat(random(3000))}`],
};
const counts = new Map<string, number>();
const broken = new Map<string, number>();

async function ask(kind: string): Promise<void> {
  const [path, options = {}, leave] = KINDS[kind]!();
  const control = new AbortController();
  const gone = leave === undefined ? undefined : setTimeout(() => control.abort(), leave);
  try {
    const answer = await fetch(base + path, { ...options, signal: control.signal });
    await answer.arrayBuffer();
    if (answer.status >= 500 && answer.status !== 503)
      broken.set(`${answer.status} ${path}`, (broken.get(`${answer.status} ${path}`) ?? 0) + 1);
  } catch (error) {
    if (!control.signal.aborted) throw error;
  } finally {
    clearTimeout(gone);
  }
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

const end = Date.now() + minutes * 60_000;
const clients = Array.from({ length: CLIENTS }, async () => {
  while (Date.now() < end) await ask(pick(Object.keys(KINDS)));
});
console.log("| minute | requests so far | resident MiB | of these its own | highest MiB |\n|---|---|---|---|---|");
const means: number[] = [];
const average = (of: number[]) => of.reduce((sum, one) => sum + one, 0) / of.length;
for (let minute = 1; minute <= minutes; minute++) {
  const seen: { all: number; own: number }[] = [];
  while (Date.now() < end - (minutes - minute) * 60_000) {
    await new Promise((done) => setTimeout(done, 500));
    seen.push(memory());
  }
  const all = seen.map((one) => one.all);
  means.push(average(all));
  const total = [...counts.values()].reduce((sum, one) => sum + one, 0);
  console.log(
    `| ${minute} | ${total} | ${average(all).toFixed(1)} | ${average(seen.map((one) => one.own)).toFixed(1)} | ${Math.max(...all).toFixed(1)} |`,
  );
}
await Promise.all(clients);
console.log(
  `\nRequests: ${[...counts]
    .sort()
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(", ")}.`,
);
const third = Math.floor(minutes / 3);
const [middle, last] = [average(means.slice(third, minutes - third)), average(means.slice(minutes - third))];
console.log(
  `Mean memory in the middle third ${middle.toFixed(1)} MiB, in the last third ${last.toFixed(1)} MiB: ${((last / middle - 1) * 100).toFixed(1)}%.`,
);
const ended = await server.stop();
if (broken.size || ended !== 0 || last > middle * (1 + FLAT)) {
  console.error([...broken].slice(0, 20), `the server ended with ${ended}`);
  process.exit(1);
}
