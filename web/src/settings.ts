// What the reader has chosen, kept in the browser.

import { preferredLanguage, type Language } from "./i18n/teller";

export interface Settings {
  language: Language;
  theme: "auto" | "light" | "dark";
  pieces: "animals" | "hanzi";
  sound: boolean;
  arrows: boolean;
  /** Numbers on the pieces. */
  strengths: boolean;
  /** Points out what is trapped and what can be taken. */
  cues: boolean;
  lines: number;
}

const KEY = "mousetrap.";

/** A value kept in the browser; undefined if there is none, or none that can be read. */
export function recall<T>(name: string): T | undefined {
  try {
    const text = localStorage.getItem(KEY + name);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(KEY + name, JSON.stringify(value));
  } catch {
    // Private windows may have no room; then nothing is kept.
  }
}

/** Everything kept in this browser, as text. */
export function saved(): string {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(KEY));
  return JSON.stringify({
    mousetrap: Object.fromEntries(names.sort().map((name) => [name.slice(KEY.length), recall(name.slice(KEY.length))])),
  });
}

/** Takes back what was saved, in place of what there is; whether it was such a text. */
export function restore(text: string): boolean {
  let kept: unknown;
  try {
    kept = (JSON.parse(text) as { mousetrap?: unknown } | null)?.mousetrap;
  } catch {
    return false;
  }
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return false;
  for (const name of Object.keys(localStorage)) if (name.startsWith(KEY)) localStorage.removeItem(name);
  for (const [name, value] of Object.entries(kept)) keep(name, value);
  return true;
}

export function loadSettings(): Settings {
  return {
    language: preferredLanguage(),
    theme: "auto",
    pieces: "animals",
    sound: false,
    arrows: true,
    strengths: true,
    cues: true,
    lines: 1,
    ...recall<Partial<Settings>>("settings"),
  };
}

export function applyTheme(theme: Settings["theme"]): void {
  const root = document.documentElement;
  if (theme === "auto") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
}
