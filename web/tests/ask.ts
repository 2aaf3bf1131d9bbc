// Asks the program of a site in a worker of its own, past the page.

import type { Page } from "playwright-core";

export function askWorker(page: Page, path: string, threads = 1): Promise<unknown> {
  return page.evaluate(
    async ([path, threads]) => {
      const meta = document.querySelector<HTMLMetaElement>('meta[name="mousetrap-program"]')!;
      const program = JSON.parse(meta.content) as { worker: string; module: string; threaded: string };
      const bytes = await fetch(threads > 1 ? program.threaded : program.module);
      const module = await WebAssembly.compileStreaming(bytes);
      const worker = new Worker(program.worker, { type: "module" });
      const [bare, query = ""] = path.split("?");
      return new Promise<unknown>((done, failed) => {
        worker.onerror = (event) => failed(new Error(event.message));
        worker.onmessage = ({ data }: MessageEvent<{ ready?: true; status: number; text: string }>) => {
          if (data.ready) worker.postMessage({ id: 1, path: bare, query, body: "" });
          else if (data.status) {
            worker.terminate();
            done(JSON.parse(data.text));
          }
        };
        worker.postMessage({ module, threads, tables: new URL("tables/", document.baseURI).href });
      });
    },
    [path, threads] as const,
  );
}
