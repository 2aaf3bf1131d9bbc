// The service worker: keeps the page, so that it opens without a network.
//
// Files have their contents in their names and never change, except the pages themselves; a new version is fetched as a
// whole, waits until the visitor takes it, and then replaces the old one. Parts of large tables are kept as they come.

/** Written by the build: what this version consists of, and its name. */
declare const FILES: string[];
declare const VERSION: string;
declare const self: ServiceWorkerGlobalScope;

export {};

const CACHE = `mousetrap-${VERSION}`;
const PARTS = "mousetrap-tables";

const address = (file: string) => new URL(file, self.registration.scope).href;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES.map((file) => new Request(address(file), { cache: "reload" })))),
  );
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys())
      if (name.startsWith("mousetrap-") && name !== CACHE && name !== PARTS) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const range = request.headers.get("range");
  event.respondWith(range ? part(request, range) : whole(request));
});

async function whole(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  url.hash = url.search = "";
  const kept =
    (await cache.match(url.href)) ??
    (url.href === self.registration.scope ? await cache.match(address("index.html")) : undefined);
  return kept ?? fetch(request);
}

/** A part of a file: kept as a file of its own, since caches take no partial ones. */
async function part(request: Request, range: string): Promise<Response> {
  const cache = await caches.open(PARTS);
  const key = `${request.url}?${range}`;
  const kept = await cache.match(key);
  if (kept) return new Response(kept.body, { status: 206, headers: kept.headers });
  const answer = await fetch(request);
  if (answer.status === 206) {
    const headers = { "content-range": answer.headers.get("content-range") ?? "" };
    const copy = await answer.clone().arrayBuffer();
    // Where there is no room, it is fetched again.
    await cache.put(key, new Response(copy, { headers })).catch(() => {});
  }
  return answer;
}
