// nginx for tests, as it stands before a board or serves a site: Debian's program, a folder that is deleted.

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./postgres";

export class Nginx {
  readonly folder = mkdtempSync(join(tmpdir(), "mousetrap-nginx-"));
  private process: ChildProcess | null = null;
  private port = 0;

  constructor() {
    // Started by root, nginx reads as somebody else.
    chmodSync(this.folder, 0o755);
    // Whatever happens to the tests, no server stays behind.
    process.on("exit", () => this.stop());
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Starts it with what stands within `http { … }`, given the port to listen at. */
  async start(sites: (port: number) => string): Promise<void> {
    const { folder } = this;
    this.port = await freePort();
    const types = "text/html html; text/javascript js; text/css css; image/svg+xml svg; application/wasm wasm;";
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(" ");
    writeFileSync(
      join(folder, "nginx.conf"),
      `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1; events {}
       http { types { ${types} } log_format plain '$request $status $body_bytes_sent';
         access_log ${folder}/access.log plain; ${temporary}
         ${sites(this.port)} }`,
    );
    const options = ["-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
    this.process = spawn("nginx", options, { stdio: "inherit" });
    for (let attempt = 0; ; attempt++) {
      const answer = await fetch(this.address).catch(() => null);
      if (answer && answer.status < 500) break;
      assert.ok(attempt < 100 && this.process.exitCode === null, "nginx answers");
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  /** The requests so far: request, status and bytes of the body. */
  log(): string[] {
    return readFileSync(join(this.folder, "access.log"), "utf8").split("\n");
  }

  stop(): void {
    if (!this.process) return;
    this.process.kill();
    this.process = null;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
