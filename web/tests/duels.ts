// Many games between two people at once: every player has a stream and an address of their own, as behind a proxy. Prints
// a report in Markdown; fails if an acknowledged move is lost, also over a SIGKILL in the middle.
//
// `npm run duels -- GAMES [postgres]`

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { TestServer } from "./harness";
import { Postgres } from "./postgres";
import { randomness } from "./random";

const GAMES = Number(process.argv[2] ?? 500);
const database = process.argv[3] === "postgres" ? new Postgres() : null;
/** Plies of each game before the server is killed, and after. */
const PLIES = [12, 8];
/** A player thinks for so long, in milliseconds, in the mean. */
const THINKS = Number(process.env["THINKS"] ?? 4000);

await database?.start();
const server = new TestServer(database?.address);
const flags = ["--behind-proxy", "--threads", "2"];
await server.start(...flags);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const { random } = randomness(35);
const wrong: string[] = [];

interface View {
  id: string;
  version: number;
  moves: string[];
  invitation: string | null;
  stage: string;
}
interface Player {
  key: string;
  address: string;
  stream: IncomingMessage | null;
  /** What the stream has said. */
  heard: number;
}
interface Game {
  id: string;
  players: [Player, Player];
  /** Moves that were acknowledged. */
  moves: string[];
  version: number;
}

const hex = () => randomBytes(16).toString("hex");
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

function ask(path: string, player: Player, body?: unknown): Promise<{ status: number; text: string; took: number }> {
  return new Promise((done, failed) => {
    const begun = performance.now();
    const headers: Record<string, string> = { "x-forwarded-for": player.address, "x-mousetrap-key": player.key };
    const text = body === undefined ? "" : JSON.stringify(body);
    if (text) headers["content-type"] = "application/json";
    const options = { agent, port: server.port, host: "127.0.0.1", path, headers, method: text ? "POST" : "GET" };
    const asked = request(options, (response) => {
      let answer = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (answer += part));
      response.on("end", () => done({ status: response.statusCode!, text: answer, took: performance.now() - begun }));
      response.on("error", failed);
    });
    asked.on("error", failed);
    asked.end(text);
  });
}

/** Asks until there is an answer. */
async function insist<T = View>(path: string, player: Player, body?: unknown): Promise<{ view: T; took: number }> {
  for (;;) {
    try {
      const { status, text, took } = await ask(path, player, body);
      if (status === 200) return { view: JSON.parse(text) as T, took };
      if (status !== 503 && status !== 429) throw new Error(`${path}: ${status} ${text}`);
    } catch (error) {
      if (!/ECONN|socket hang up|EPIPE/.test(String(error))) throw error;
    }
    await pause(200);
  }
}

function listen(game: Game, player: Player): void {
  const headers = { "x-forwarded-for": player.address, "x-mousetrap-key": player.key };
  const path = `/api/duel/events?id=${game.id}`;
  const asked = request({ agent: false, port: server.port, host: "127.0.0.1", path, headers }, (response) => {
    if (response.statusCode !== 200) wrong.push(`a stream: ${response.statusCode}`);
    player.stream = response;
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      for (const [, version] of text.matchAll(/"version":(\d+),"stage"/g))
        player.heard = Math.max(player.heard, Number(version));
    });
    response.on("error", () => {});
  });
  asked.on("error", () => {});
  asked.end();
}

async function legal(game: Game, player: Player): Promise<string> {
  type Moves = { moves: { move: string; captures: string | null }[] };
  const { view } = await insist<Moves>(`/api/moves?moves=${game.moves.join(",")}`, player);
  const { moves } = view;
  // Without captures nobody wins within twenty plies.
  const quiet = moves.filter((move) => move.captures === null && !/d[19]$/.test(move.move));
  return quiet[random(quiet.length)]!.move;
}

const times: number[] = [];
const travels: number[] = [];

async function play(game: Game, plies: number): Promise<void> {
  for (let ply = 0; ply < plies; ply++) {
    const player = game.players[game.moves.length % 2]!;
    const other = game.players[(game.moves.length + 1) % 2]!;
    await pause(random(2 * THINKS));
    const move = await legal(game, player);
    const body = { version: game.version, deed: { do: "move", move } };
    const { view, took } = await insist(`/api/duel/act?id=${game.id}`, player, body);
    const answered = performance.now();
    if (view.moves.at(-1) !== move || view.moves.length !== game.moves.length + 1) wrong.push(`${game.id}: not made`);
    game.moves.push(move);
    game.version = view.version;
    times.push(took);
    for (let waited = 0; other.heard < view.version; waited++) {
      if (waited > 5000) {
        wrong.push(`${game.id}: the other did not hear of version ${view.version}`);
        break;
      }
      await pause(2);
    }
    travels.push(performance.now() - answered + took);
    if (view.stage === "over") return;
  }
}

const games: Game[] = [];
const begun = performance.now();
for (let number = 0; number < GAMES; number++) {
  const player = (side: number): Player => ({
    key: hex(),
    address: `10.${side}.${number >> 8}.${number & 255}`,
    stream: null,
    heard: 0,
  });
  const players: [Player, Player] = [player(0), player(1)];
  const wish = { key: players[0].key, side: "white", pace: { kind: "clock", initial: 1800, increment: 5 } };
  const { view } = await insist("/api/duel/new", players[0], wish);
  const joining = { invitation: view.invitation, key: players[1].key };
  const joined = await insist("/api/duel/join", players[1], joining);
  const game = { id: view.id, players, moves: [], version: joined.view.version };
  games.push(game);
  for (const one of players) listen(game, one);
}
const made = (performance.now() - begun) / 1000;

const status = (name: string) =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))![1]) / 1024;
/** Processor time of the server in seconds. */
const processor = () => {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};
await pause(1000);
const [idle, before] = [status("VmRSS"), processor()];
const played = performance.now();
await Promise.all(games.map((game) => play(game, PLIES[0]!)));
const seconds = (performance.now() - played) / 1000;
const [busy, spent] = [status("VmRSS"), processor() - before];
const metrics = (await ask("/metrics", games[0]!.players[0])).text;
const counted = (name: string) => Number(new RegExp(`^mousetrap_${name} (\\d+)`, "m").exec(metrics)?.[1] ?? NaN);
const [events, commits, streams] = ["duel_events_total", "duel_commits_total", "duel_streams"].map(counted);

/** Everything that was acknowledged is there, and nothing else. */
async function count(): Promise<number> {
  let lost = 0;
  for (const game of games) {
    const { view } = await insist(`/api/duel?id=${game.id}`, game.players[0]);
    const same = JSON.stringify(view.moves) === JSON.stringify(game.moves);
    if (!same) {
      lost++;
      wrong.push(`${game.id}: ${view.moves.length} moves kept, ${game.moves.length} acknowledged`);
    }
  }
  return lost;
}
const sorted = [...times].sort((a, b) => a - b);
const spread = [...travels].sort((a, b) => a - b);
const at = (all: number[], part: number) => all[Math.min(all.length - 1, Math.floor(all.length * part))]!.toFixed(1);

// Killed in the middle of moves: each of them is asked for again until it is answered.
const first = times.length;
const second = Promise.all(games.map((game) => play(game, PLIES[1]!)));
await pause(THINKS);
await server.kill();
await pause(500);
await server.start(...flags);
for (const game of games) for (const player of game.players) listen(game, player);
await second;
const lost = await count();
const version = database ? spawnSync("psql", ["--version"], { encoding: "utf8" }).stdout.trim() : "SQLite";
console.log(`| ${GAMES} games at once, ${version} | |\n|---|---|`);
const row = (what: string, value: string) => console.log(`| ${what} | ${value} |`);
row("made, joined, both listening, one after the other", `${made.toFixed(1)} s`);
row("open streams", String(streams));
row("moves", `${first} in ${seconds.toFixed(1)} s, ${(first / seconds).toFixed(0)} a second`);
row("a move, until it is durable: p50, p99, longest", `${at(sorted, 0.5)}, ${at(sorted, 0.99)}, ${at(sorted, 1)} ms`);
row("until the other player has it: p50, p99", `${at(spread, 0.5)}, ${at(spread, 0.99)} ms`);
row("events, and the commits they took", `${events}, ${commits}`);
row("memory of the server: idle, at the end", `${idle.toFixed(0)}, ${busy.toFixed(0)} MiB`);
row("processor time of the server", `${spent.toFixed(1)} s, ${((1000 * spent) / first).toFixed(2)} ms a move`);
row("moves over a SIGKILL in the middle", String(times.length - first));
row("acknowledged moves that were lost, or made twice", String(lost));
agent.destroy();
for (const game of games) for (const player of game.players) player.stream?.destroy();
await server.stop();
database?.stop();
if (wrong.length) {
  console.error(wrong.slice(0, 20));
  process.exit(1);
}
process.exit(0);
