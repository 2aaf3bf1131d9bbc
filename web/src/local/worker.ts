// The worker: runs the module, and answers the page's requests one after the other.

import { serve, system, type Slots } from "./wasi";

/** What a worker is told first. */
export interface Start {
  module: WebAssembly.Module;
  /** Where tables are, as an address that ends in a slash. */
  tables: string;
  /** How many threads the engine has. */
  threads: number;
}
/** A thread of the engine, in a worker of its own. */
interface Helper {
  helper: { module: WebAssembly.Module; memory: WebAssembly.Memory; slots: Slots; slot: number };
}
/** A request. */
export interface Asked {
  id: number;
  path: string;
  query: string;
  body: string;
}
/** What is told to the page: an event of a stream (status 0), or the answer. */
export interface Told {
  id: number;
  status: number;
  name: string;
  text: string;
}
/** The module is ready; where the flag is that stops a search, if the page can reach it. */
export interface Ready {
  ready: true;
  flag: { memory: WebAssembly.Memory; at: number } | null;
}

/** Bytes of a file, and how many it has in all. */
interface Fetched {
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  desk_open(threads: number): number;
  desk_allocate(length: number): number;
  desk_ask(request: number, length: number): void;
  wasi_thread_start(thread: number, argument: number): void;
}

/** Memory that threads share is made here, in pages of 64 KiB; what the module was linked with. */
const SHARED = { initial: 1024, maximum: 16384, shared: true };

let exports: Exports | null = null;
let asking = 0;
let fetched: Fetched = { bytes: new Uint8Array(), size: 0 };

onmessage = async ({ data }: MessageEvent<Start | Helper | Asked>) => {
  if ("helper" in data) return help(data.helper);
  if ("module" in data) return start(data);
  asking = data.id;
  const request = new TextEncoder().encode([data.path, data.query, data.body].join("\0"));
  const at = exports!.desk_allocate(request.length);
  new Uint8Array(exports!.memory.buffer, at, request.length).set(request);
  exports!.desk_ask(at, request.length);
};

async function start({ module, tables, threads }: Start): Promise<void> {
  const memory = threads > 1 ? new WebAssembly.Memory(SHARED) : null;
  const slots = new Int32Array(new ArrayBuffer(0)) as unknown as Slots;
  const shared = memory ? new Int32Array(new SharedArrayBuffer(8 * (threads - 1))) : slots;
  if (memory) await Promise.all(helpers(module, memory, shared));
  exports = await instantiate(module, memory, memory ? shared : null, tables);
  exports._initialize();
  const at = exports.desk_open(threads);
  const ready: Ready = { ready: true, flag: memory && { memory, at } };
  postMessage(ready);
}

/** Workers for the engine's threads: there before they are needed, since none can be started while a search runs. */
function helpers(module: WebAssembly.Module, memory: WebAssembly.Memory, slots: Slots): Promise<void>[] {
  return Array.from({ length: slots.length / 2 }, (_, index) => {
    const worker = new Worker(self.location.href, { type: "module" });
    const ready = new Promise<void>((done, failed) => {
      worker.onmessage = () => done();
      worker.onerror = (event) => failed(new Error(event.message || "a helper failed"));
    });
    const helper: Helper = { helper: { module, memory, slots, slot: 2 * index } };
    worker.postMessage(helper);
    return ready;
  });
}

async function help({ module, memory, slots, slot }: Helper["helper"]): Promise<void> {
  const { wasi_thread_start } = await instantiate(module, memory, slots, "");
  postMessage("ready");
  serve(slots, slot, wasi_thread_start);
}

async function instantiate(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory | null,
  slots: Slots | null,
  tables: string,
): Promise<Exports> {
  let own: WebAssembly.Memory;
  const bytes = (at: number, length: number) => new Uint8Array(own.buffer, at, length);
  // Text in shared memory has to be copied before it is decoded.
  const text = (at: number, length: number) => new TextDecoder().decode(bytes(at, length).slice());
  const imports = system(module, () => own, slots);
  imports["mousetrap"] = {
    tell: (status: number, name: number, nameLength: number, at: number, length: number) => {
      const told: Told = { id: asking, status, name: text(name, nameLength), text: text(at, length) };
      postMessage(told);
    },
    fetch: (path: number, length: number, start: bigint, end: bigint) => {
      const address = tables + text(path, length).split("/").map(encodeURIComponent).join("/");
      const found = download(address, end ? `bytes=${start}-${end - 1n}` : null);
      if (typeof found === "number") return BigInt(found);
      fetched = found;
      return BigInt(found.bytes.length);
    },
    take: (at: number) => {
      bytes(at, fetched.bytes.length).set(fetched.bytes);
      fetched.bytes = new Uint8Array();
      return BigInt(fetched.size);
    },
  };
  if (memory) imports["env"] = { memory };
  const instance = await WebAssembly.instantiate(module, imports);
  const found = instance.exports as unknown as Exports;
  own = memory ?? found.memory;
  return { ...found, memory: own };
}

/** A file of the site, or a part of it; -1 if there is none, -2 if it cannot be had. The module waits for it. */
function download(address: string, range: string | null): Fetched | number {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  if (range) request.setRequestHeader("range", range);
  try {
    request.send();
  } catch {
    return -2;
  }
  if (request.status === 404) return -1;
  if (request.status !== 200 && request.status !== 206) return -2;
  const bytes = new Uint8Array(request.response as ArrayBuffer);
  const whole = /\/(\d+)$/.exec(request.getResponseHeader("content-range") ?? "");
  return { bytes, size: whole ? Number(whole[1]) : bytes.length };
}
