// Chaos: everything that was ever tried against the program, at random, for some minutes, against a live server and
// a live build of tables. Prints a report in Markdown; fails on a wrong truth, a lost game, an unexpected failure
// (5xx), a leak, a hang, or a process left behind: npm run chaos -- MINUTES

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomness } from "./random";

const minutes = Number(process.argv[2] ?? "5");
if (!(minutes >= 1)) {
  console.error("at least one minute");
  process.exit(2);
}
const BINARY = process.env["MOUSETRAP"] ?? "../target/debug/mousetrap";
const HOME = mkdtempSync(join(tmpdir(), "mousetrap-chaos-"));
const TABLES = join(HOME, "tables");
const SPARE = join(HOME, "spare");
const END = Date.now() + minutes * 60_000;
/** An honest request that takes longer than this hangs. */
const HANG = 60_000;
/** Growth of the least memory from the second third of the time to the last that is still called flat. */
const FLAT = 0.15;
const MOST_MEMORY = 700;
const MOST_THREADS = 64;

const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1e6);
console.log(`Seed ${seed}; minutes: ${minutes}.\n`);
const { random, pick, fen } = randomness(seed);
const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
const running = () => Date.now() < END;

const faults: string[] = [];
function fault(what: string): void {
  faults.push(`${new Date().toISOString()} ${what}`);
  console.error(`FAULT ${what}`);
}
const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

// The server.
let port = 0;
const server: ChildProcess = spawn(
  BINARY,
  ["serve", "--port", "0", "--tb-dir", TABLES, "--max-searches", "2", "--hash", "8"],
  { stdio: ["ignore", "pipe", "ignore"] },
);
process.on("exit", () => server.kill("SIGKILL"));
let stopping = false;
server.on("exit", (code, signal) => {
  if (!stopping) fault(`the server ended: ${code ?? signal}`);
});
port = await new Promise((found) => {
  let text = "";
  server.stdout!.on("data", (data: Buffer) => {
    text += data.toString();
    const match = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(text);
    if (match) found(Number(match[1]));
  });
});

interface Answer {
  status: number;
  body: string;
  headers: IncomingMessage["headers"];
}
const agents = new Map<string, Agent>();
function agent(from: string): Agent {
  if (!agents.has(from)) agents.set(from, new Agent({ localAddress: from, keepAlive: false, maxSockets: 40 }));
  return agents.get(from)!;
}

/** Asks; may leave before the answer. */
function ask(
  from: string,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; leaveAfter?: number } = {},
): Promise<Answer | null> {
  return new Promise((done) => {
    const { method = "GET", headers = {}, body, leaveAfter } = options;
    const asked = request(
      { host: "127.0.0.1", port, path: `/${path}`, method, headers, agent: agent(from), timeout: HANG },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => (text += part));
        answer.on("end", () => done({ status: answer.statusCode!, body: text, headers: answer.headers }));
        answer.on("error", () => done(null));
      },
    );
    asked.on("timeout", () => {
      if (leaveAfter === undefined) fault(`no answer in ${HANG / 1000} s: ${path.slice(0, 80)}`);
      asked.destroy();
    });
    asked.on("error", () => done(null));
    if (leaveAfter !== undefined) setTimeout(() => asked.destroy(), leaveAfter);
    asked.end(body);
  });
}

/** Whether tables are damaged at present, or were a moment ago. */
let damagedUntil = 0;
function check(path: string, answer: Answer | null): void {
  if (!answer) return;
  if (answer.status === 503 && !answer.headers["retry-after"]) fault(`503 without Retry-After: ${path}`);
  const isOurs = answer.status === 500 && answer.body.includes("damaged-table") && Date.now() < damagedUntil;
  if (answer.status >= 500 && answer.status !== 503 && !isOurs)
    fault(`${answer.status} ${path.slice(0, 120)}: ${answer.body.slice(0, 200)}`);
}

// Positions with known answers.
const RULES = ["standard", "leiden", "tufts"];
const truths = new Map<string, string>();
{
  // The small tables are built when the server starts.
  const ready = (rules: string) => `api/tablebase?rules=${rules}&fen=${encodeURIComponent("7/7/3e3/7/7/7/3E3/7/7 w")}`;
  for (const rules of RULES) while ((await ask("127.0.0.1", ready(rules)))?.status !== 200) await pause(300);
  await pause(3000);
  while (truths.size < 200) {
    const path = `api/tablebase${pick(["", "/line"])}?rules=${pick(RULES)}&fen=${fen(2)}`;
    const answer = await ask("127.0.0.1", path);
    if (answer?.status === 200) truths.set(path, answer.body);
  }
}
const folders = readdirSync(TABLES).map((name) => join(TABLES, name));
const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".mtb"))
    .map((name) => join(folder, name)),
);
mkdirSync(SPARE, { recursive: true });

/** What goes on, each again and again until the time is up. */
const ACTORS: Record<string, () => Promise<void>> = {
  async truth() {
    const [path, expected] = pick([...truths]);
    const answer = await ask(pick(["127.0.0.1", "127.0.0.9"]), path);
    check(path, answer);
    if (answer?.status === 200 && answer.body !== expected)
      fault(`a wrong truth: ${path}: ${answer.body.slice(0, 200)} instead of ${expected.slice(0, 200)}`);
    await pause(random(50));
  },
  async game() {
    const moves: string[] = [];
    for (let ply = 0; ply < 40 && running(); ply++) {
      const path = `api/best?level=${pick(["rat", "cat"])}&moves=${moves.join(",")}`;
      const begun = Date.now();
      let answer: Answer | null = null;
      while (Date.now() - begun < HANG) {
        answer = await ask("127.0.0.3", path);
        check(path, answer);
        if (answer && answer.status !== 503) break;
        await pause(1000 * Number(answer?.headers["retry-after"] ?? 1));
      }
      if (answer?.status === 400 && answer.body.includes("game-over")) break;
      if (answer?.status !== 200) {
        if (running()) fault(`a lost game at ply ${ply}: ${answer?.status ?? "no answer"}`);
        return;
      }
      moves.push((JSON.parse(answer.body) as { move: string }).move);
    }
    count("games played to the end");
  },
  async leaver() {
    const path = pick([
      "api/picture.png?size=256",
      "api/analyse?seconds=60&lines=5",
      "api/split?threshold=9",
      "api/mine?class=EL-T&max_depth=8",
      "api/review?moves=a3a4,a7a6,a1b1,g9f9",
      "api/tablebase?fen=" + fen(3),
    ]);
    await Promise.all(
      Array.from({ length: 1 + random(20) }, () => ask("127.0.0.4", path, { leaveAfter: random(400) })),
    );
    await pause(random(2000));
  },
  async hog() {
    const end = Date.now() + 5_000 + random(10_000);
    const sockets = Array.from({ length: 24 }, () => raw("127.0.0.2", "GET /api/analyse?seconds=120 HTTP/1.1"));
    while (Date.now() < end && running()) await pause(200);
    for (const socket of sockets) socket.destroy();
    await pause(random(5_000));
  },
  async deaf() {
    // Ask and never read.
    const sockets = Array.from({ length: 150 }, () => {
      const socket = raw("127.0.0.5", "GET /app.js HTTP/1.1");
      socket.pause();
      for (let n = 0; n < 50; n++) socket.write("GET /app.js HTTP/1.1\r\nhost: localhost\r\n\r\n");
      return socket;
    });
    await pause(10_000 + random(20_000));
    for (const socket of sockets) socket.destroy();
  },
  async slow() {
    const socket = raw("127.0.0.6", pick(["GET /api/moves HTTP/1.1", "POST /api/pgn/import HTTP/1.1"]), false);
    for (let n = 0; n < 20 && !socket.destroyed && running(); n++) {
      socket.write("x");
      await pause(500);
    }
    socket.destroy();
  },
  async nonsense() {
    const garbage = Array.from({ length: 1 + random(200) }, () => String.fromCharCode(33 + random(90))).join("");
    const text = encodeURIComponent(garbage);
    const path = pick([
      `api/moves?fen=${text}`,
      `api/analyse?moves=${text}`,
      `api/tablebase?rules=${text}`,
      `api/picture.png?size=${random(1e9)}`,
      `api/mine?class=${text}`,
      `api/${text}`,
    ]);
    const answer = await ask("127.0.0.7", path, { method: pick(["GET", "POST", "DELETE", "HEAD"]) });
    check(path, answer);
    const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.7" }, () => socket.end(garbage));
    socket.on("error", () => undefined);
    await pause(random(300));
    // An answer that is not read keeps its handle open.
    socket.destroy();
  },
  async intruder() {
    const [headers, status] = pick<[Record<string, string>, number]>([
      [{ host: "evil.example" }, 421],
      [{ "sec-fetch-site": "cross-site" }, 403],
      [{ origin: "http://evil.example" }, 403],
    ]);
    const answer = await ask("127.0.0.8", "api/picture.png?size=256", { headers });
    if (answer && answer.status !== status && answer.status !== 503)
      fault(`an intruder got ${answer.status}: ${JSON.stringify(headers)}`);
    await pause(random(1000));
  },
  async bomb() {
    const tags = Array.from({ length: 20_000 }, (_, n) => `[T${n} ""]`)
      .join(pick(["", "\n"]))
      .slice(0, 250_000);
    const body = pick([
      tags,
      `1. Ea4 ${"(".repeat(100_000)}`,
      `1. Ea4 ${"{x}".repeat(60_000)} *`,
      `{${"x".repeat(200_000)}} *`,
      "1. Ea4 * ".repeat(20_000),
    ]);
    const begun = Date.now();
    const headers = { "content-type": "text/plain" };
    const answer = await ask("127.0.0.7", "api/pgn/import", { method: "POST", body, headers });
    check("api/pgn/import", answer);
    if (Date.now() - begun > 20_000) fault(`PGN took ${Date.now() - begun} ms`);
    await pause(random(3000));
  },
  async vandal() {
    // Damages a served table in place, and puts it back.
    const file = pick(files);
    const good = readFileSync(file);
    const spare = join(SPARE, "table");
    copyFileSync(file, spare);
    damagedUntil = Infinity;
    const kind = random(4);
    if (kind === 0) writeFileSync(file, good.subarray(0, random(good.length)));
    else if (kind === 1) {
      rmSync(file);
      spawnSync("mkfifo", [file]);
    } else {
      const bad = Buffer.from(good);
      for (let n = 0; n <= random(3); n++) bad[random(bad.length)]! ^= 1 << random(8);
      writeFileSync(file, bad);
    }
    if (random(3)) server.kill("SIGHUP");
    await pause(random(3000));
    if (kind === 1) rmSync(file, { force: true });
    copyFileSync(spare, file);
    server.kill("SIGHUP");
    damagedUntil = Date.now() + 3000;
    await pause(3000 + random(10_000));
  },
  async builder() {
    // A build of tables, killed again and again, in the end complete and right.
    const folder = mkdtempSync(join(HOME, "build-"));
    const build = ["tb", "build", "--pieces", "3", "--rules", "leiden", "--dir", folder];
    for (let kills = 0; kills < 4 && running(); kills++) {
      const child = spawn(BINARY, build, { stdio: "ignore" });
      const exit = new Promise((done) => child.on("exit", done));
      await Promise.race([exit, pause(500 + random(8000))]);
      child.kill("SIGKILL");
      await exit;
    }
    const code = await run(build, 20 * 60_000);
    if (code !== 0) fault(`a build after kills ended with ${code}`);
    const verified = await run(["tb", "verify", "--rules", "leiden", "--dir", folder], 20 * 60_000);
    if (verified !== 0) fault(`the tables of a killed build: verify ended with ${verified}`);
    else count("killed builds complete and verified");
    rmSync(folder, { recursive: true, force: true });
  },
  async protocol() {
    const child = spawn(BINARY, [pick(["uci", "xboard"])], { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.on("error", () => undefined);
    const exit = new Promise((done) => child.on("exit", () => done(true)));
    const words = [
      "go",
      "perft",
      "60",
      "bench",
      "99",
      "stop",
      "position",
      "startpos",
      "moves",
      "a3a4",
      "infinite",
      "ponder",
      "new",
      "force",
      "usermove",
      "level",
      "0",
      "1",
      "analyze",
      "exit",
      "setoption",
      "name",
      "MultiPV",
      "7",
    ];
    for (let n = 0; n < 30; n++)
      child.stdin.write(Array.from({ length: 1 + random(5) }, () => pick(words)).join(" ") + "\n");
    child.stdin.write(pick(["perft 60\n", "bench 99\n", "go infinite\n"]));
    await pause(random(500));
    child.stdin.write("quit\n");
    const ended = await Promise.race([exit, pause(20_000).then(() => false)]);
    if (!ended) {
      fault("a protocol did not hear quit");
      child.kill("SIGKILL");
    }
    await pause(random(2000));
  },
  async orphan() {
    const folder = mkdtempSync(join(HOME, "match-"));
    const script = join(folder, "engine.sh");
    writeFileSync(
      script,
      'setsid sleep 3000 & echo $! > "$1/hidden"; echo $$ > "$1/engine"\nwhile read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done\n',
    );
    const args = ["match", "--a", `uci:sh ${script} ${folder}`, "--b", "random", "--games", "2", "--time", "600"];
    const child = spawn(BINARY, args, { stdio: "ignore" });
    for (let tries = 0; tries < 100 && !existsSync(join(folder, "engine")); tries++) await pause(100);
    await pause(random(500));
    child.kill("SIGKILL");
    await pause(5000);
    for (const name of ["hidden", "engine"]) {
      const process = readFileSync(join(folder, name), "utf8").trim();
      const stat = existsSync(`/proc/${process}/stat`) ? readFileSync(`/proc/${process}/stat`, "utf8") : ") Z";
      if (!/\) [ZX]/.test(stat)) fault(`a process was left behind: ${name} ${process}`);
    }
    rmSync(folder, { recursive: true, force: true });
    await pause(random(10_000));
  },
};
/** How many of each go on at once; one unless given. */
const CROWDS: Record<string, number> = { truth: 3, leaver: 2, game: 2, slow: 4, nonsense: 2 };

function raw(from: string, line: string, isComplete = true): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from }, () => {
    socket.write(`${line}\r\nhost: localhost\r\n${isComplete ? "\r\n" : "content-length: 1000\r\n"}`);
  });
  socket.on("error", () => undefined);
  return socket;
}

function run(args: string[], patience: number): Promise<number | string | null> {
  const child = spawn(BINARY, args, { stdio: "ignore" });
  const timer = setTimeout(() => {
    fault(`hangs: ${args.join(" ")}`);
    child.kill("SIGKILL");
  }, patience);
  return new Promise((done) =>
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      done(code ?? signal);
    }),
  );
}

function status(name: string): number {
  const text = readFileSync(`/proc/${server.pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)![1]);
}

const busy = new Map<string, number>();
const actors = Object.entries(ACTORS).flatMap(([name, act]) =>
  Array.from({ length: CROWDS[name] ?? 1 }, async () => {
    busy.set(name, (busy.get(name) ?? 0) + 1);
    while (running()) {
      try {
        await act();
        count(name);
      } catch (error) {
        fault(`${name}: ${String(error)}`);
        await pause(1000);
      }
    }
    busy.set(name, busy.get(name)! - 1);
  }),
);
const memory: { at: number; resident: number; threads: number; wait: number }[] = [];
while (running()) {
  await pause(Math.min(15_000, Math.max(1, END - Date.now())));
  if (server.exitCode !== null || server.signalCode !== null) break;
  const begun = performance.now();
  const alive = await ask("127.0.0.1", "healthz");
  if (alive?.status !== 200) fault(`/healthz: ${alive?.status ?? "no answer"}`);
  const wait = performance.now() - begun;
  const threads = status("Threads");
  const at = minutes - (END - Date.now()) / 60_000;
  memory.push({ at, resident: status("VmRSS") / 1024, threads, wait });
  if (threads > MOST_THREADS) fault(`${threads} threads`);
}
const slow = setInterval(
  () =>
    console.error(
      "still busy:",
      [...busy].filter(([, n]) => n > 0),
    ),
  10_000,
);
await Promise.all(actors);
clearInterval(slow);
const metrics = (await ask("127.0.0.1", "metrics"))?.body ?? "";
for (const agent of agents.values()) agent.destroy();
stopping = true;
const ended = new Promise((done) => server.on("exit", (code, signal) => done(code ?? signal)));
server.kill("SIGINT");
const code = await Promise.race([ended, pause(20_000).then(() => "nothing within 20 s")]);
if (code !== 0) fault(`the server ended with ${String(code)}`);
rmSync(HOME, { recursive: true, force: true });

console.log("| minute | resident MiB | threads | /healthz ms |\n|---|---|---|---|");
const every = Math.max(1, Math.floor(memory.length / 12));
for (const { at, resident, threads, wait } of memory.filter((_, index) => index % every === 0))
  console.log(`| ${at.toFixed(1)} | ${resident.toFixed(0)} | ${threads} | ${wait.toFixed(1)} |`);
// Memory goes up and down with what is asked; what leaks raises the least of it.
const residents = memory.map((one) => one.resident);
const third = Math.floor(residents.length / 3);
const [middle, last] = [Math.min(...residents.slice(third, -third)), Math.min(...residents.slice(-third))];
console.log(`\nLeast memory in the middle third ${middle.toFixed(0)} MiB, in the last ${last.toFixed(0)} MiB.`);
if (minutes >= 30 && last > middle * (1 + FLAT)) fault("memory keeps growing");
if (Math.max(...residents) > MOST_MEMORY) fault(`${Math.max(...residents).toFixed(0)} MiB of memory`);
console.log("\n| what | times |\n|---|---|");
for (const [what, times] of [...counts].sort()) console.log(`| ${what} | ${times} |`);
const answered = new Map<string, number>();
for (const [, status, times] of metrics.matchAll(/^mousetrap_requests_total\{.*status="(\d+)"\} (\d+)/gm))
  answered.set(status!, (answered.get(status!) ?? 0) + Number(times));
const list = [...answered].sort().map(([status, times]) => `${times} × ${status}`);
console.log(`\nAnswers of the server: ${list.join(", ")}.`);
console.log(faults.length ? `\n${faults.length} faults:\n${faults.join("\n")}` : "\nNo fault.");
process.exit(faults.length ? 1 : 0);
