// The program in this browser: requests go to workers that run it as WebAssembly, and come back as they would from a
// server.

import { isAboutGames, Library } from "./library";
import type { Asked, Ready, Start, Told } from "./worker";

/** Where the parts of the program are; the site's page says so. */
export interface Program {
  worker: string;
  /** The rules alone: small, for the first move. */
  rules: string;
  module: string;
  /** For pages that may share memory between threads; left out if the site has none. */
  threaded?: string;
  tables: string;
}

/** More threads gain little, and leave nothing for the page. */
const MOST_THREADS = 4;

/** The program that the page came with; null if a server answers. */
export const program: Program | null = (() => {
  const text = document.querySelector<HTMLMetaElement>('meta[name="mousetrap-program"]')?.content;
  return text ? (JSON.parse(text) as Program) : null;
})();

/** How many threads the engine has here. */
export const threads =
  program?.threaded && self.crossOriginIsolated
    ? Math.max(1, Math.min(MOST_THREADS, (navigator.hardwareConcurrency || 2) - 1))
    : 1;

/** Where the engine thinks. */
export const where: "thinksHere" | "thinksOnComputer" | "thinksOnServer" = program
  ? "thinksHere"
  : /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname)
    ? "thinksOnComputer"
    : "thinksOnServer";

const modules = new Map<string, Promise<WebAssembly.Module>>();

/** The module, compiled once for all workers. */
function compiled(address: string): Promise<WebAssembly.Module> {
  let module = modules.get(address);
  if (!module) {
    module = compile(address);
    module.catch(() => modules.delete(address));
    modules.set(address, module);
  }
  return module;
}

async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  // A host need not know what WebAssembly is.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

interface Waiting {
  asked: Asked;
  tell: (told: Told) => void;
  fail: (error: Error) => void;
}

/** A worker and the requests that wait for it. */
export class Desk {
  private worker: Worker | null = null;
  private flag: Uint8Array | null = null;
  private ready: Promise<Worker> | null = null;
  private waiting: Waiting[] = [];
  private current: Waiting | null = null;
  private number = 0;
  /** How many workers there were: what one knew, the next does not. */
  generation = 0;

  constructor(
    private readonly program: Program,
    private readonly module: string,
    private readonly threads = 1,
  ) {}

  /** Starts the worker before it is needed. */
  wake(): Promise<Worker> {
    this.ready ??= this.start();
    return this.ready;
  }

  private async start(): Promise<Worker> {
    const { program, threads } = this;
    this.generation++;
    const base = document.baseURI;
    const module = await compiled(new URL(this.module, base).href);
    const worker = new Worker(new URL(program.worker, base), { type: "module" });
    const start: Start = { module, threads, tables: new URL(program.tables, base).href };
    const flag = await new Promise<Ready["flag"]>((done, failed) => {
      worker.onmessage = ({ data }: MessageEvent<Ready>) => done(data.flag);
      worker.onerror = (event) => failed(new Error(event.message || "the worker failed"));
      worker.postMessage(start);
    });
    this.flag = flag && new Uint8Array(flag.memory.buffer, flag.at, 1);
    worker.onmessage = ({ data }: MessageEvent<Told>) => this.hear(data);
    worker.onerror = (event) => this.lose(new Error(event.message || "the worker failed"));
    this.worker = worker;
    return worker;
  }

  ask(path: string, query: string, body: string, signal: AbortSignal | null | undefined, tell: (told: Told) => void) {
    return new Promise<void>((done, fail) => {
      const asked = { id: ++this.number, path, query, body };
      const waiting: Waiting = {
        asked,
        tell: (told) => {
          tell(told);
          if (told.status !== 0) done();
        },
        fail,
      };
      signal?.addEventListener("abort", () => this.drop(waiting), { once: true });
      this.waiting.push(waiting);
      this.next();
    });
  }

  private next(): void {
    if (this.current || !this.waiting.length) return;
    const waiting = this.waiting.shift()!;
    this.current = waiting;
    this.wake().then(
      (worker) => {
        // It may have been dropped meanwhile.
        if (this.current === waiting) worker.postMessage(waiting.asked);
      },
      (error: Error) => {
        this.ready = null;
        if (this.current === waiting) this.current = null;
        waiting.fail(error);
        this.next();
      },
    );
  }

  private hear(told: Told): void {
    const { current } = this;
    if (!current || told.id !== current.asked.id) return;
    current.tell(told);
    if (told.status === 0) return;
    this.current = null;
    this.next();
  }

  /** Gives up a request. One under way is stopped by the flag, or with its worker where memory is not shared. */
  private drop(waiting: Waiting): void {
    waiting.fail(new DOMException("given up", "AbortError"));
    this.waiting = this.waiting.filter((other) => other !== waiting);
    if (this.current !== waiting) return;
    waiting.tell = () => {};
    if (this.flag) {
      Atomics.store(this.flag, 0, 1);
      return;
    }
    this.end();
    this.next();
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = this.ready = this.flag = this.current = null;
  }

  /** The module failed: the request is lost, the next one has a new worker. */
  private lose(error: Error): void {
    this.current?.fail(error);
    this.end();
    this.next();
  }
}

/** Who answers what: a search keeps nobody else waiting, and neither does a table that has to be fetched. */
const desks = program && {
  rules: new Desk(program, program.rules),
  engine: new Desk(program, threads > 1 ? program.threaded! : program.module, threads),
  study: new Desk(program, program.module),
};

function deskOf(path: string): Desk {
  if (/^\/api\/(moves|check|rules)$/.test(path)) return desks!.rules;
  return /^\/api\/(analyse|best|review|amazons\/analyse)$/.test(path) ? desks!.engine : desks!.study;
}

/** Games have a worker of their own, which nobody ends; it is started when it is first needed. */
const library = program && new Library(new Desk(program, program.module));

if (desks) {
  // Rules are needed at once; the engine soon.
  void desks.rules
    .wake()
    .then(() => desks.engine.wake())
    .catch(() => {});
}

/** Asks the program in this browser as `fetch` would ask a server. */
export function ask(address: string, options: RequestInit = {}): Promise<Response> {
  const [path = "", query = ""] = address.split("?");
  const body = typeof options.body === "string" ? options.body : "";
  if (isAboutGames(path)) return library!.ask(path, query, body);
  return new Promise<Response>((done, failed) => {
    const encoder = new TextEncoder();
    let events: ReadableStreamDefaultController<Uint8Array> | null = null;
    const answered = deskOf(path).ask(path, query, body, options.signal, ({ status, name, text }) => {
      if (status === 0) {
        if (!events) {
          const stream = new ReadableStream<Uint8Array>({
            start: (controller) => {
              events = controller;
            },
          });
          done(new Response(stream, { headers: { "content-type": "text/event-stream" } }));
        }
        events!.enqueue(encoder.encode(`event: ${name}\ndata: ${text}\n\n`));
      } else if (events) events.close();
      else done(new Response(text, { status, headers: { "content-type": name } }));
    });
    answered.catch((error: Error) => {
      events?.error(error);
      failed(error);
    });
  });
}
