// A plain static server for the tests: files of a folder, with ranges, and nothing else.

import { createReadStream, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";

const KINDS: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
};

export class StaticServer {
  private server: Server | null = null;
  /** How many requests came in, and how many bytes went out. */
  requests = 0;
  bytes = 0;

  constructor(
    private readonly folder: string,
    /** The site's place below the root, as `some/where/`. */
    private readonly below = "",
    /** Headers that let a page share memory between threads. */
    private readonly isolated = false,
  ) {}

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.requests++;
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname).slice(1);
      const name = path.slice(this.below.length) || "index.html";
      const file = join(this.folder, normalize(`/${name}`));
      let size: number;
      try {
        const found = statSync(file);
        if (!path.startsWith(this.below) || !found.isFile()) throw new Error(path);
        size = found.size;
      } catch {
        response.writeHead(404).end();
        return;
      }
      const headers: Record<string, string> = {
        "content-type": KINDS[file.split(".").pop() ?? ""] ?? "application/octet-stream",
        "accept-ranges": "bytes",
        "cache-control": "no-cache",
        ...(this.isolated && {
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-embedder-policy": "require-corp",
        }),
      };
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
      const start = range ? Number(range[1]) : 0;
      const end = range ? Math.min(Number(range[2]), size - 1) : size - 1;
      if (range) headers["content-range"] = `bytes ${start}-${end}/${size}`;
      headers["content-length"] = String(Math.max(0, end - start + 1));
      this.bytes += end - start + 1;
      response.writeHead(range ? 206 : 200, headers);
      if (size === 0) response.end();
      else createReadStream(file, { start, end }).pipe(response);
    });
    this.server = server;
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}/${this.below}`;
  }

  stop(): Promise<void> {
    this.server?.closeAllConnections();
    return new Promise((done) => (this.server ? this.server.close(() => done()) : done()));
  }
}
