// The language chosen, and texts with blanks in it. Each page has words of its own.

export type Language = "en" | "zh-Hans" | "zh-Hant";
export type Blanks = Record<string, string | number>;

let language: Language = "en";

export function setLanguage(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen;
}

export function currentLanguage(): Language {
  return language;
}

/** The language that suits the browser. */
export function preferredLanguage(): Language {
  for (const wanted of navigator.languages) {
    const tag = wanted.toLowerCase();
    if (/^zh-(hant|tw|hk|mo)/.test(tag)) return "zh-Hant";
    if (tag.startsWith("zh")) return "zh-Hans";
    if (tag.startsWith("en")) return "en";
  }
  return "en";
}

/** What says these words in the language chosen. */
export function teller<W extends Record<string, string>>(languages: Record<Language, W>) {
  /** A text with its blanks filled: `{n}`, and `{n|ply|plies}` for a word that follows a number. */
  const t = (key: keyof W & string, blanks: Blanks = {}): string =>
    languages[language]
      [key]!.replace(/\{(\w+)\|(\w*)\|(\w*)\}/g, (_, name: string, one: string, many: string) =>
        Number(blanks[name]) === 1 ? one : many,
      )
      .replace(/\{(\w+)\}/g, (whole, name: string) => String(blanks[name] ?? whole));
  /** As `t`, for keys made up on the way; undefined if there is no such text. */
  const maybe = (key: string, blanks: Blanks = {}): string | undefined =>
    key in languages[language] ? t(key as keyof W & string, blanks) : undefined;
  return { t, maybe };
}
