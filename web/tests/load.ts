// Load on the server, over loopback: many quick questions, many searches at once, and nonsense. Prints a
// report in Markdown; fails where an answer is of the wrong kind.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { TestServer } from "./harness";

const server = new TestServer();
await server.start("--max-searches", "2");
const base = server.address;
const wrong: string[] = [];

/** Resident memory of the server in MiB. */
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))![1]) / 1024;

// The small tables are built when the server starts.
for (let tries = 0; tries < 300; tries++) {
  const answer = await fetch(base + "api/tablebase?fen=7/7/3e3/7/7/7/3E3/7/7%20w");
  if (answer.ok) break;
  await new Promise((done) => setTimeout(done, 500));
}

console.log("| request | requests a second | p50 | p99 | not 2xx |\n|---|---|---|---|---|");
for (const [name, path] of [
  ["legal moves", "api/moves?moves=a3a4,a7a6"],
  ["table, one position and its moves", "api/tablebase?fen=7/7/3e3/7/7/7/3E3/7/7%20w"],
  ["the page", ""],
  ["split", "api/split?scores=false"],
] as const) {
  const { stdout } = spawnSync("wrk", ["-t1", "-c16", "-d5s", "--latency", base + path], { encoding: "utf8" });
  const find = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? "?";
  console.log(
    `| ${name} | ${find(/Requests\/sec:\s+(\S+)/)} | ${find(/50%\s+(\S+)/)} | ${find(/99%\s+(\S+)/)} | ${find(/Non-2xx.*:\s+(\d+)/) === "?" ? 0 : find(/Non-2xx.*:\s+(\d+)/)} |`,
  );
}
const calm = memory();
console.log(`\nMemory after that: ${calm.toFixed(0)} MiB.\n`);

// Two hundred clients want analysis at once.
const counts = new Map<number, number>();
const controls = Array.from({ length: 200 }, () => new AbortController());
const clients = controls.map(async (control) => {
  try {
    const answer = await fetch(base + "api/analyse?lines=3&seconds=20", { signal: control.signal });
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    if (answer.status === 503 && !answer.headers.get("retry-after")) wrong.push("503 without Retry-After");
    for await (const _ of answer.body!) {
      /* Read until it ends. */
    }
  } catch {
    // Gone, as asked.
  }
});
await new Promise((done) => setTimeout(done, 1500));
const times: number[] = [];
for (let n = 0; n < 200; n++) {
  const begun = performance.now();
  const answer = await fetch(base + "api/moves");
  await answer.arrayBuffer();
  if (!answer.ok) wrong.push(`moves under load: ${answer.status}`);
  times.push(performance.now() - begun);
}
times.sort((a, b) => a - b);
console.log(
  `200 clients ask for analysis at once; meanwhile 200 requests for legal moves took ${times[100]!.toFixed(1)} ms (median), ${times[197]!.toFixed(1)} ms (p99).`,
);
for (const control of controls) control.abort();
await Promise.all(clients);
console.log(
  `Their answers: ${[...counts].map(([status, count]) => `${count} × ${status}`).join(", ")}; the others were still waiting when they left.`,
);
const begun = performance.now();
const after = await fetch(base + "api/best?level=rat");
await after.arrayBuffer();
if (!after.ok) wrong.push(`a move after they left: ${after.status}`);
console.log(`A move at the weakest level after they had gone: ${(performance.now() - begun).toFixed(0)} ms.\n`);

const searched = memory();

// Nonsense.
let seed = 12345;
const random = (below: number) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % below;
};
const garbage = (length: number) => Array.from({ length }, () => String.fromCharCode(33 + random(90))).join("");
const statuses = new Map<number, number>();
async function nonsense(): Promise<void> {
  const kind = random(8);
  const json = { "content-type": "application/json" };
  const text = encodeURIComponent(garbage(1 + random(60)));
  const asked: [string, RequestInit] =
    kind === 0
      ? [`api/moves?fen=${text}`, {}]
      : kind === 1
        ? [`api/analyse?moves=${text}`, {}]
        : kind === 2
          ? [`api/tablebase?rules=${text}`, {}]
          : kind === 3
            ? [`api/pgn/export`, { method: "POST", headers: json, body: `{"line":${garbage(40)}` }]
            : kind === 4
              ? [`api/pgn/import`, { method: "POST", body: "x".repeat(300_000) }]
              : kind === 5
                ? [`api/picture.png?size=${1000 + random(1e6)}`, {}]
                : kind === 6
                  ? [`api/cone?square=${text}`, {}]
                  : [`api/${text}`, { method: "DELETE" }];
  const answer = await fetch(base + asked[0], asked[1]).catch(() => null);
  // An oversized body may be refused before it was sent; then the connection is closed on us.
  const status = answer?.status ?? 413;
  await answer?.arrayBuffer().catch(() => null);
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status < 400 || status >= 500) wrong.push(`${asked[0]}: ${status}`);
}
for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 100 }, nonsense));

/** A body that comes a byte a second. */
const slow = Array.from(
  { length: 20 },
  () =>
    new Promise<number>((done) => {
      const socket = connect(server.port, "127.0.0.1", () =>
        socket.write("POST /api/pgn/import HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n"),
      );
      const drip = setInterval(() => socket.write("x"), 1000);
      socket.on("data", (data) => {
        clearInterval(drip);
        done(Number(data.toString().split(" ")[1]));
        socket.destroy();
      });
      socket.on("error", () => {
        clearInterval(drip);
        done(0);
      });
    }),
);
for (const status of await Promise.all(slow)) {
  if (status !== 408) wrong.push(`a slow body: ${status}`);
}
console.log(
  `10,000 malformed requests: ${[...statuses]
    .sort()
    .map(([status, count]) => `${count} × ${status}`)
    .join(", ")}. 20 slow bodies: all 408.`,
);
console.log(
  `\nMemory: ${calm.toFixed(0)} MiB before the searches, ${searched.toFixed(0)} MiB after them (--hash 256 is the engines'), ${memory().toFixed(0)} MiB after the nonsense.`,
);
await server.stop();
if (wrong.length) {
  console.error(wrong.slice(0, 20));
  process.exit(1);
}
