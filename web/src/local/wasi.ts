// WASI for a worker: the little of a system that the module asks for. A clock, random numbers, and the console for what
// it has to say when it fails; there are no files.

const ENOSYS = 52;
const EAGAIN = 6;

/** Slots in which threads are started: for each, 0 (idle) or a thread's number, and its argument. */
export type Slots = Int32Array<SharedArrayBuffer>;

/** What the module imports from `wasi_snapshot_preview1` and `wasi`. */
export function system(
  module: WebAssembly.Module,
  memory: () => WebAssembly.Memory,
  slots: Slots | null = null,
): WebAssembly.Imports {
  const view = () => new DataView(memory().buffer);
  const known: Record<string, (...args: never[]) => number> = {
    clock_time_get: (clock: number, _precision: bigint, out: number) => {
      const now = clock === 0 ? Date.now() : performance.timeOrigin + performance.now();
      view().setBigUint64(out, BigInt(Math.round(now * 1e6)), true);
      return 0;
    },
    random_get: (out: number, length: number) => {
      // Shared memory cannot be filled directly.
      new Uint8Array(memory().buffer, out, length).set(crypto.getRandomValues(new Uint8Array(length)));
      return 0;
    },
    fd_write: (_file: number, vectors: number, count: number, out: number) => {
      let written = 0;
      let text = "";
      for (let at = vectors; at < vectors + 8 * count; at += 8) {
        const [start, length] = [view().getUint32(at, true), view().getUint32(at + 4, true)];
        text += new TextDecoder().decode(new Uint8Array(memory().buffer, start, length).slice());
        written += length;
      }
      if (text.trim()) console.error(text.trimEnd());
      view().setUint32(out, written, true);
      return 0;
    },
    environ_sizes_get: (count: number, size: number) => {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    sched_yield: () => 0,
    proc_exit: (code: number) => {
      throw new Error(`the module ended with ${code}`);
    },
    "thread-spawn": (argument: number) => (slots ? spawn(slots, argument) : -EAGAIN),
  };
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
    if (kind === "function" && from.startsWith("wasi")) (imports[from] ??= {})[name] = known[name] ?? (() => ENOSYS);
  return imports;
}

/** Hands a thread to an idle worker. */
function spawn(slots: Slots, argument: number): number {
  for (let slot = 0; slot < slots.length; slot += 2) {
    const thread = slot / 2 + 1;
    // Marked first, so that nobody else takes it; the worker starts when it is told to.
    if (Atomics.compareExchange(slots, slot, 0, -1) !== 0) continue;
    Atomics.store(slots, slot + 1, argument);
    Atomics.store(slots, slot, thread);
    Atomics.notify(slots, slot);
    return thread;
  }
  return -EAGAIN;
}

/** Runs the threads of a slot, one after the other, for ever. */
export function serve(slots: Slots, slot: number, run: (thread: number, argument: number) => void): never {
  for (;;) {
    Atomics.wait(slots, slot, 0);
    const thread = Atomics.load(slots, slot);
    if (thread <= 0) continue;
    run(thread, Atomics.load(slots, slot + 1));
    Atomics.store(slots, slot, 0);
  }
}
