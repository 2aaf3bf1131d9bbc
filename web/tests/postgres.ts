// A PostgreSQL server for tests: Debian's programs, a folder that is deleted, a free port of this machine.

import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Debian has the programs: it puts few of them on the path. */
export function programs(): string {
  const all = "/usr/lib/postgresql";
  const versions = existsSync(all) ? readdirSync(all) : [];
  const found = versions.map((version) => join(all, version, "bin")).filter((bin) => existsSync(join(bin, "initdb")));
  if (!found.length) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  return found.sort().at(-1)!;
}

/** A program as the user that PostgreSQL runs as: it refuses to run as root. */
export function asPostgres(name: string, args: string[]): [string, string[]] {
  const program = join(programs(), name);
  return process.getuid?.() === 0 ? ["runuser", ["-u", "postgres", "--", program, ...args]] : [program, args];
}

export async function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.on("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

export class Postgres {
  private readonly folder = mkdtempSync(join(tmpdir(), "mousetrap-postgres-"));
  private process: ChildProcess | null = null;
  port = 0;

  async start(): Promise<void> {
    chmodSync(this.folder, 0o777);
    const init = [
      "--auth",
      "trust",
      "--username",
      "mousetrap",
      "--no-sync",
      "--locale",
      "C.UTF-8",
      "--encoding",
      "UTF8",
    ];
    execFileSync(...asPostgres("initdb", [...init, "--pgdata", this.data]), { cwd: "/", stdio: "ignore" });
    this.port = await freePort();
    const options = ["-D", this.data, "-k", this.folder, "-h", "127.0.0.1", "-p", String(this.port)];
    this.process = spawn(...asPostgres("postgres", options), { cwd: "/", stdio: "ignore" });
    // Whatever happens to the tests, no server stays behind.
    process.on("exit", () => this.stop());
    const ready = ["-h", "127.0.0.1", "-p", String(this.port), "-q"];
    for (let tries = 0; spawnSync(join(programs(), "pg_isready"), ready).status !== 0; tries++) {
      if (tries > 300) throw new Error("PostgreSQL does not start");
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  private get data(): string {
    return join(this.folder, "data");
  }

  get address(): string {
    return `postgres://mousetrap@127.0.0.1:${this.port}/postgres`;
  }

  stop(): void {
    if (!this.process) return;
    this.process = null;
    spawnSync(...asPostgres("pg_ctl", ["stop", "--mode", "immediate", "--pgdata", this.data]), { cwd: "/" });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
