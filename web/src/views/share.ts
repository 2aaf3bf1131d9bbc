// In and out: FEN, PGN, pictures and links.

import { api, Refused, type GameRecord } from "../api";
import { fill, h, icon } from "../dom";
import { currentLanguage, faultText, t } from "../i18n";
import { toPng } from "../pictures";
import * as shelf from "../shelf";
import { Tree } from "../tree";
import { moveText } from "../words";
import type { AnalysisView, Tab, TabName } from "./analysis";

/** A link that shows this position in its game: all moves of the line on the board, the place in it, and the tab. */
export function linkTo(tree: Tree, tab: TabName): string {
  let end = tree.current;
  while (end.children[0]) end = end.children[0];
  const { fen, rules, moves } = tree.ref(end);
  const query = new URLSearchParams({ rules, fen });
  if (moves.length) query.set("moves", moves.join(","));
  if (end !== tree.current) query.set("at", String(tree.path().length));
  if (tab !== "engine") query.set("view", tab);
  return new URL(`#/analyse?${query.toString()}`, document.baseURI).href;
}

export class ShareTab implements Tab {
  readonly element = h("div", { class: "share-tab" });
  private readonly fen = h("input", { type: "text", id: "share-fen", readonly: true, "aria-label": "FEN" });
  private readonly pgn = h("textarea", {
    id: "share-pgn",
    readonly: true,
    rows: "8",
    "aria-label": "PGN",
    spellcheck: "false",
  });
  private readonly link = h("input", { type: "text", id: "share-link", readonly: true });
  private readonly paste = h("textarea", { id: "share-paste", rows: "4", spellcheck: "false" });
  private readonly shelf = h("div", { id: "shelf" });
  private readonly answer = h("div", { "aria-live": "polite", id: "share-answer" });

  constructor(private readonly view: AnalysisView) {
    this.rebuild();
  }

  rebuild(): void {
    const copy = (text: string, id: string, from: HTMLInputElement | HTMLTextAreaElement) =>
      h(
        "button",
        { type: "button", class: "action", id, onclick: () => void this.view.app.copy(from) },
        icon("copy"),
        h("span", {}, text),
      );
    const file = (kind: string, id: string, onclick: () => void) =>
      h(
        "button",
        {
          type: "button",
          class: "action",
          id,
          title: t("download", { kind }),
          "aria-label": t("download", { kind }),
          onclick,
        },
        icon("download"),
        h("span", {}, kind),
      );
    this.link.setAttribute("aria-label", t("copyLink"));
    this.paste.setAttribute("aria-label", t("pasteHere"));
    this.paste.placeholder = t("pasteHere");
    fill(
      this.element,
      h("div", { class: "share-row" }, this.fen, copy(t("copyFen"), "copy-fen", this.fen)),
      h("div", { class: "share-row" }, this.link, copy(t("copyLink"), "copy-link", this.link)),
      this.pgn,
      h(
        "div",
        { class: "actions" },
        copy(t("copyPgn"), "copy-pgn", this.pgn),
        file("PGN", "download-pgn", () =>
          this.download("game.pgn", new Blob([this.pgn.value], { type: "application/x-chess-pgn" })),
        ),
        file("FEN", "download-fen", () =>
          this.download("position.fen", new Blob([this.fen.value + "\n"], { type: "text/plain" })),
        ),
        file("PNG", "download-png", () => void this.picture("png")),
        file("SVG", "download-svg", () => void this.picture("svg")),
      ),
      h("hr"),
      this.paste,
      h("button", { type: "button", class: "primary", id: "load", onclick: () => void this.load() }, t("load")),
      this.answer,
      this.shelf,
    );
  }

  show(): void {
    const { app, tree } = this.view;
    app.bar.hidden = true;
    this.fen.value = tree.current.fen;
    this.link.value = linkTo(tree, this.view.studied);
    this.drawShelf();
    void api.exportPgn(tree.toRecord()).then(
      (pgn) => {
        this.pgn.value = pgn;
      },
      (error: unknown) => app.trouble(error),
    );
  }

  hide(): void {
    fill(this.answer);
  }

  /** Analyses that others took the place of. */
  private drawShelf(): void {
    const kept = shelf.all();
    const name = ({ saved, when }: shelf.Kept) => {
      const moves: string[] = [];
      for (let at = saved.root.k?.[0]; at; at = at.k?.[0]) moves.push(moveText(at.s));
      const { White, Black } = saved.tags;
      const first = White && Black ? `${White} – ${Black}` : moves.slice(0, 4).join(" ");
      return `${new Date(when).toLocaleString(currentLanguage())} · ${first} · ${t("movesCount", { n: moves.length })}`;
    };
    fill(
      this.shelf,
      kept.length ? h("h3", {}, t("shelf")) : null,
      h(
        "ol",
        { class: "faults" },
        kept.map((one) =>
          h(
            "li",
            {},
            h("button", { type: "button", class: "fault", onclick: () => this.view.load(shelf.take(one)) }, name(one)),
          ),
        ),
      ),
    );
  }

  private download(name: string, blob: Blob): void {
    const link = h("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  private async picture(kind: "png" | "svg"): Promise<void> {
    const { app, tree } = this.view;
    const query = new URLSearchParams({
      fen: tree.current.fen,
      pieces: app.settings.pieces,
      flipped: String(app.board.isFlipped),
      size: "128",
    });
    if (tree.current.move) query.set("last", tree.current.move);
    try {
      const svg = await api.picture(query);
      this.download(`position.${kind}`, kind === "svg" ? svg : await toPng(svg));
    } catch (error) {
      app.trouble(error);
    }
  }

  private async load(): Promise<void> {
    const text = this.paste.value.trim();
    if (!text) return;
    const { view } = this;
    // A FEN is one line of a board with ranks; everything else is a record.
    const isFen = /^[a-zA-Z1-9]+(\/[a-zA-Z1-9]+){2,}(\s|$)/.test(text);
    try {
      if (isFen) {
        const state = await api.moves({ fen: text, rules: view.tree.rules, moves: [] });
        this.take(new Tree(state.fen, view.tree.rules));
        return;
      }
      const { games, faults } = await api.importPgn(text);
      const note = faults.length ? h("p", { class: "fault-text" }, t("someFaults", { n: faults.length })) : null;
      if (games.length === 1) this.take(Tree.fromRecord(games[0]!));
      else this.pick(games);
      if (note) this.answer.append(note);
    } catch (error) {
      if (error instanceof Refused) fill(this.answer, h("p", { class: "fault-text" }, faultText(error.fault)));
      else view.app.trouble(error);
    }
  }

  private pick(games: GameRecord[]): void {
    fill(
      this.answer,
      h("h3", {}, t("whichGame")),
      h(
        "ol",
        { class: "faults" },
        games.map((game) => {
          const { White = "?", Black = "?" } = game.tags;
          return h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: "fault", onclick: () => this.take(Tree.fromRecord(game)) },
              `${White} – ${Black} ${game.result ?? ""}`,
            ),
          );
        }),
      ),
    );
  }

  private take(tree: Tree): void {
    this.paste.value = "";
    this.view.load(tree);
    fill(this.answer, h("p", { class: "fine" }, t("loaded")));
  }
}
