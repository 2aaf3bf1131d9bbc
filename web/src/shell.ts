// What every page has around its content: a header, messages, windows, and the choice of language and theme.

import { onConnection, Refused, Unreachable, type Fault } from "./api";
import { h, icon } from "./dom";
import { restoreGames, withGames } from "./games";
import { program } from "./local/desks";
import { install } from "./local/install";
import { sharedEn, sharedHans, sharedHant, type Shared } from "./i18n/shared";
import { currentLanguage, setLanguage, teller, type Blanks, type Language } from "./i18n/teller";
import { applyTheme, keep, loadSettings, restore, saved, type Settings } from "./settings";

const WORDS: Record<Language, Shared> = { en: sharedEn, "zh-Hans": sharedHans, "zh-Hant": sharedHant };
const { t } = teller(WORDS);

/** Copies as browsers did before there was a clipboard for pages: what is selected. Whether it did. */
function copySelected(from: HTMLInputElement | HTMLTextAreaElement, text: string): boolean {
  // Beside the field: in a window over the page nothing outside it can be selected.
  const field = from.value === text ? from : h("textarea", { class: "unseen", readonly: true });
  if (field !== from) {
    field.value = text;
    from.after(field);
  }
  field.focus({ preventScroll: true });
  field.select();
  field.setSelectionRange(0, text.length);
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    if (field !== from) {
      field.remove();
      from.select();
    }
  }
}

export abstract class Shell {
  readonly settings: Settings = loadSettings();
  readonly element = h("div", { class: "app" });
  protected readonly live = h("div", { class: "unseen", "aria-live": "polite", role: "status" });
  protected readonly banner = h("div", { class: "banner", role: "alert" });
  protected readonly toasts = h("div", { class: "toasts", role: "status" });

  private up = true;

  constructor() {
    setLanguage(this.settings.language);
    applyTheme(this.settings.theme);
    onConnection((up) => this.connection(up));
    install((take) => this.offer(take));
  }

  /** Another version of the page is ready: it is used when the visitor says so. */
  private offer(take: () => void): void {
    const button = h("button", { type: "button", class: "small", id: "take-version", onclick: take }, t("takeVersion"));
    this.toasts.replaceChildren(h("div", { class: "toast lasting" }, t("newVersion"), " ", button));
  }

  /** What the server found wrong, in the reader's language where the page has words for it. */
  protected abstract faultText(fault: Fault, blanks: Blanks): string;

  /** The server is back. */
  protected abstract reconnected(): void;

  say(text: string): void {
    // The same text twice would not be read twice.
    this.live.textContent = this.live.textContent === text ? text + "\u00a0" : text;
  }

  /** A message that goes by itself; one at a time. */
  toast(text: string): void {
    const element = h("div", { class: "toast" }, text);
    this.toasts.replaceChildren(element);
    setTimeout(() => element.remove(), 5000);
  }

  /** Tells of a failed request; the connection's own trouble has its banner. */
  trouble(error: unknown, blanks: Blanks = {}): void {
    if (error instanceof Unreachable || (error instanceof DOMException && error.name === "AbortError")) return;
    this.toast(error instanceof Refused ? this.faultText(error.fault, blanks) : String(error));
  }

  /** Puts a text where it can be pasted from; the field is selected in case that is not allowed. */
  async copy(from: HTMLInputElement | HTMLTextAreaElement, text = from.value): Promise<void> {
    from.select();
    try {
      await navigator.clipboard.writeText(text);
      this.toast(t("copied"));
    } catch {
      // A page that came over plain HTTP has no clipboard, and the browser copies what is selected.
      this.toast(t(copySelected(from, text) ? "copied" : "copyFailed"));
    }
  }

  /** A window over the page; closes by itself, by button and by Escape. */
  dialog(title: string, content: (Node | null)[], className = ""): HTMLDialogElement {
    const dialog = h(
      "dialog",
      { class: `dialog ${className}`, "aria-labelledby": "dialog-title" },
      h(
        "div",
        { class: "dialog-head" },
        h("h2", { id: "dialog-title" }, title),
        h(
          "button",
          { type: "button", class: "tool", "aria-label": t("close"), onclick: () => dialog.close() },
          icon("close"),
        ),
      ),
      content,
    );
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
  }

  /** Asks before something is lost. */
  confirm(question: string, yes: string, id: string, then: () => void): void {
    const dialog = this.dialog(question, [
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            class: "primary",
            id,
            onclick: () => {
              dialog.close();
              then();
            },
          },
          yes,
        ),
        h("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
      ),
    ]);
  }

  protected header(
    home: ((event: Event) => void) | null,
    nav: Node[],
    help: () => void,
    configure: () => void,
    game = "",
  ): HTMLElement {
    const tool = (name: Parameters<typeof icon>[0], text: string, onclick: () => void, id: string | null = null) =>
      h("button", { type: "button", class: "tool", id, title: text, "aria-label": text, onclick }, icon(name));
    return h(
      "header",
      { class: "header" },
      h(
        "a",
        { class: "brand", href: "./", onclick: home },
        h("img", { src: "icon.svg", alt: "", width: "28", height: "28" }),
        "Mousetrap",
        game ? h("small", {}, game) : null,
      ),
      h("nav", { "aria-label": "Mousetrap" }, nav),
      tool("book", t("help"), help),
      tool("settings", t("settings"), configure, "settings"),
    );
  }

  /** A choice with its label. */
  choice<T extends string>(
    label: string,
    id: string,
    options: [T, string][],
    value: T,
    chosen: (value: T) => void,
  ): HTMLElement {
    return h(
      "label",
      { class: "field" },
      h("span", {}, label),
      h(
        "select",
        { id, onchange: (event: Event) => chosen((event.target as HTMLSelectElement).value as T) },
        options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
      ),
    );
  }

  /** The choice of language and theme; `relabel` renews all text. */
  protected appearance(relabel: () => void): HTMLElement[] {
    const { settings } = this;
    const languages = Object.entries(WORDS).map(([name, words]): [Language, string] => [
      name as Language,
      words.language,
    ]);
    const language = this.choice(t("languageLabel"), "set-language", languages, currentLanguage(), (language) => {
      settings.language = language;
      setLanguage(language);
      this.saveSettings();
      document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
      relabel();
    });
    const theme = this.choice(
      t("theme"),
      "set-theme",
      [
        ["auto", t("themeAuto")],
        ["light", t("themeLight")],
        ["dark", t("themeDark")],
      ],
      settings.theme,
      (theme) => {
        settings.theme = theme;
        applyTheme(theme);
        this.saveSettings();
      },
    );
    return [language, theme];
  }

  /** Everything that this browser keeps, as a file, and back. */
  protected belongings(): HTMLElement {
    const save = async () => {
      const file = new Blob([await withGames(saved())], { type: "application/json" });
      const link = h("a", { href: URL.createObjectURL(file), download: "mousetrap.json" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    };
    const load = async (text: string) => {
      if (!restore(text)) return this.toast(t("badData"));
      await restoreGames(text);
      location.reload();
    };
    const file = h("input", { type: "file", accept: ".json,application/json", id: "data-file", hidden: true });
    file.addEventListener("change", () => {
      void file.files?.[0]
        ?.text()
        .then(load)
        .catch((error: unknown) => this.trouble(error));
    });
    return h(
      "div",
      { class: "field" },
      h("span", {}, t("myData")),
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            class: "small",
            id: "data-save",
            onclick: () => void save().catch((error: unknown) => this.trouble(error)),
          },
          t("saveData"),
        ),
        h("button", { type: "button", class: "small", id: "data-load", onclick: () => file.click() }, t("loadData")),
        file,
      ),
    );
  }

  protected saveSettings(): void {
    keep("settings", this.settings);
  }

  /** What is said while nothing answers, if that is nothing to worry about. */
  protected get away(): string | null {
    return null;
  }

  /** Says that nothing answers, if so. */
  protected tellConnection(): void {
    this.banner.textContent = this.up ? "" : (this.away ?? t(program ? "programGone" : "serverGone"));
    this.banner.classList.toggle("shown", !this.up);
    this.banner.classList.toggle("calm", this.away !== null);
  }

  private connection(up: boolean): void {
    this.up = up;
    this.tellConnection();
    if (!up) return;
    if (!program) this.toast(t("serverBack"));
    this.reconnected();
  }
}
