// Installing: the service worker, and news of a new version.

import { program } from "./desks";

/** Lets the page open without a network; `news` is called when another version is ready, with what takes it. */
export function install(news: (take: () => void) => void): void {
  if (!program || !("serviceWorker" in navigator)) return;
  void navigator.serviceWorker.register("offline.js").then((registration) => {
    const offer = (worker: ServiceWorker | null) => {
      // The first version is not news.
      if (worker?.state === "installed" && navigator.serviceWorker.controller)
        news(() => worker.postMessage("take over"));
    };
    offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => offer(worker));
    });
  });
  let reloading = false;
  const had = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (had && !reloading) location.reload();
    reloading = true;
  });
}
