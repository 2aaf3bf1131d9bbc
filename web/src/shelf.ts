// The shelf: analyses that were replaced by others, so that nothing is lost by opening something new.

import { keep, recall } from "./settings";
import { Tree } from "./tree";

type Saved = ReturnType<Tree["save"]>;
export interface Kept {
  /** When it was put here, in milliseconds. */
  when: number;
  saved: Saved;
}

const MOST = 12;

/** The newest first. */
export function all(): Kept[] {
  const kept = recall<Kept[]>("shelf");
  return Array.isArray(kept) ? kept : [];
}

/** Puts an analysis on the shelf, if there is work in it; whether there is. What is there already comes to the front. */
export function put(saved: Saved): boolean {
  if (!saved.root.k?.length && !saved.root.t) return false;
  const text = JSON.stringify(saved.root);
  const others = all().filter((one) => JSON.stringify(one.saved.root) !== text || one.saved.fen !== saved.fen);
  keep("shelf", [{ when: Date.now(), saved }, ...others].slice(0, MOST));
  return true;
}

export function take(kept: Kept): Tree {
  keep(
    "shelf",
    all().filter((one) => one.when !== kept.when),
  );
  return Tree.load(kept.saved);
}
