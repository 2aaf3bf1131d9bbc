// Games that are kept: found by player, day, result, rules and the position on the board; opened, deleted, imported,
// exported.

import { Refused, type GameState } from "../api";
import type { App, View } from "../app";
import { fill, h, icon } from "../dom";
import { games, keptHere, type KeptGame, type Wanted } from "../games";
import { faultText, sideName, t, type Key } from "../i18n";
import { rulesName } from "../rules";
import { START, Tree, turnOf, type TreeNode } from "../tree";
import { moveWords } from "../words";
import { atPosition } from "./explorer";
import { gameList } from "./gamelist";

const PAGE = 30;
const SOURCES: [string, Key][] = [
  ["", "sourceMine"],
  ["own", "sourceOwn"],
  ["imported", "sourceImported"],
  ["book", "sourceBook"],
];
const RESULTS: [string, Key][] = [
  ["", "resultAny"],
  ["1-0", "resultWhite"],
  ["0-1", "resultBlack"],
  ["1/2-1/2", "resultDraw"],
  ["*", "resultOpen"],
];

export class GamesView implements View {
  readonly panel = h("div", { class: "games-view", id: "games" });
  tree = new Tree(START, "standard");
  private state: GameState | null = null;
  private active = false;
  private wanted: Wanted = {};
  private byPosition = false;
  private found: KeptGame[] = [];
  private total = 0;
  private asked = 0;
  private typing = 0;
  private readonly list = h("div", { id: "games-found" });
  private readonly count = h("p", { class: "quiet", id: "games-count", role: "status" });
  private readonly answer = h("div", { id: "games-answer", "aria-live": "polite" });

  constructor(
    private readonly app: App,
    private readonly openGame: (tree: Tree) => void,
  ) {
    this.build();
    // A file may be dropped anywhere on the panel.
    this.panel.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      this.panel.classList.add("dropping");
    });
    this.panel.addEventListener("dragleave", () => this.panel.classList.remove("dropping"));
    this.panel.addEventListener("drop", (event) => {
      this.panel.classList.remove("dropping");
      const files = [...(event.dataTransfer?.files ?? [])];
      if (!files.length) return;
      event.preventDefault();
      void this.importFiles(files);
    });
  }

  /** Shows the games from a source in which a position occurred. */
  search(tree: Tree, source: string): void {
    this.tree = tree;
    this.byPosition = true;
    this.wanted = { source };
    this.build();
  }

  enter(): void {
    this.active = true;
    this.app.board.flip(false);
    this.update();
    void this.ask();
  }

  leave(): void {
    this.active = false;
    this.asked++;
    fill(this.app.top);
    fill(this.app.bottom);
  }

  reconnected(): void {
    this.update();
    void this.ask();
  }

  rebuild(): void {
    this.build();
    this.draw();
  }

  private build(): void {
    const { wanted } = this;
    const changed = (name: keyof Wanted) => (event: Event) => {
      const { value } = event.target as HTMLInputElement;
      this.wanted = { ...this.wanted, [name]: value };
      // Not at every letter.
      clearTimeout(this.typing);
      this.typing = window.setTimeout(() => void this.ask(), 250);
    };
    const field = (label: Key, control: HTMLElement) =>
      h("label", { class: "field" }, h("span", {}, t(label)), control);
    const select = (id: string, name: keyof Wanted, options: [string, Key][]) =>
      h(
        "select",
        { id, onchange: changed(name) },
        options.map(([value, text]) =>
          h("option", { value, selected: value === (wanted[name] ?? "") }, this.label(text)),
        ),
      );
    const day = (id: string, name: "since" | "until", label: Key) =>
      h("input", { type: "date", id, value: wanted[name] ?? "", "aria-label": t(label), onchange: changed(name) });
    const file = h("input", {
      type: "file",
      id: "games-file",
      accept: ".pgn,.txt,application/x-chess-pgn,text/plain",
      multiple: true,
      hidden: true,
    });
    file.addEventListener("change", () => {
      void this.importFiles([...(file.files ?? [])]);
      file.value = "";
    });
    const action = (name: Parameters<typeof icon>[0], key: Key, id: string, onclick: () => void) =>
      h("button", { type: "button", class: "action", id, onclick }, icon(name), h("span", {}, t(key)));
    fill(
      this.panel,
      h("h2", {}, t("games")),
      h(
        "form",
        {
          class: "filters",
          role: "search",
          "aria-label": t("findGames"),
          onsubmit: (event: Event) => event.preventDefault(),
        },
        field("gamesFrom", select("games-source", "source", SOURCES)),
        field(
          "player",
          h("input", { type: "text", id: "games-player", value: wanted.player ?? "", oninput: changed("player") }),
        ),
        field("resultColumn", select("games-result", "result", RESULTS)),
        h(
          "div",
          { class: "field" },
          h("span", {}, t("played")),
          h(
            "span",
            { class: "days" },
            day("games-since", "since", "since"),
            h("span", {}, "–"),
            day("games-until", "until", "until"),
          ),
        ),
        h(
          "label",
          { class: "toggle" },
          h("input", {
            type: "checkbox",
            id: "games-position",
            checked: this.byPosition,
            onchange: (event: Event) => {
              this.byPosition = (event.target as HTMLInputElement).checked;
              void this.ask();
            },
          }),
          " ",
          t("withPosition"),
        ),
      ),
      h(
        "div",
        { class: "actions" },
        action("plus", "importPgn", "games-import", () => file.click()),
        action("download", "exportPgn", "games-export", () => void this.exportAll()),
        file,
      ),
      this.answer,
      this.count,
      this.list,
    );
  }

  private label(key: Key): string {
    return t(key, { white: sideName("white"), black: sideName("black") });
  }

  private question(): Wanted {
    return { ...this.wanted, ...(this.byPosition ? { position: this.tree.current.fen } : {}) };
  }

  /** Asks for the first games, or for more of them. */
  private async ask(more = false): Promise<void> {
    if (!this.active) return;
    const mine = ++this.asked;
    try {
      const offset = more ? this.found.length : 0;
      const { total, games: found } = await games.list({ ...this.question(), offset, limit: PAGE });
      if (mine !== this.asked) return;
      this.total = total;
      this.found = more ? [...this.found, ...found] : found;
      this.draw();
      if (more) this.list.querySelectorAll<HTMLElement>(".kept")[offset]?.focus();
    } catch (error) {
      if (mine !== this.asked) return;
      if (!(error instanceof Refused)) return this.app.trouble(error);
      this.count.textContent = "";
      fill(this.list, h("p", { class: "notice", id: "games-none" }, faultText(error.fault)));
    }
  }

  private draw(): void {
    this.count.textContent = this.total
      ? t("gamesCount", { n: this.total })
      : t(this.isOpen() ? "noGames" : "noGamesFound");
    fill(
      this.list,
      keptHere() ? h("p", { class: "quiet", id: "games-here" }, t("gamesHere")) : null,
      gameList(
        this.found,
        (game) => void this.open(game),
        (game) => this.remove(game),
      ),
      this.found.length < this.total
        ? h(
            "button",
            { type: "button", class: "action wide", id: "games-more", onclick: () => void this.ask(true) },
            t("moreGames", { n: this.total - this.found.length }),
          )
        : null,
    );
  }

  /** Whether nothing is asked for in particular. */
  private isOpen(): boolean {
    return !this.byPosition && Object.values(this.wanted).every((value) => !value);
  }

  private async open(game: KeptGame): Promise<void> {
    try {
      const { record } = await games.open(game.id);
      const tree = Tree.fromRecord(record);
      this.openGame(this.byPosition ? atPosition(tree, this.tree.current.fen) : atPosition(tree, tree.fen));
    } catch (error) {
      this.app.trouble(error);
    }
  }

  private remove(game: KeptGame): void {
    this.app.confirm(t("confirmDelete"), t("deleteGame"), "confirm-delete", () => {
      void games.delete([game.id]).then(
        () => this.ask(),
        (error: unknown) => this.app.trouble(error),
      );
    });
  }

  private async importFiles(files: File[]): Promise<void> {
    const done = { read: 0, added: 0, known: 0, faulty: 0, faults: [] as string[] };
    const bar = h("progress", { max: "1", "aria-label": t("importing") });
    fill(this.answer, bar);
    try {
      for (const file of files) {
        const report = await games.import(await readText(file), "imported", (share) => (bar.value = share));
        done.read += report.read;
        done.added += report.added;
        done.known += report.known;
        done.faulty += report.faulty;
        done.faults.push(...report.faults.map((fault) => (files.length > 1 ? `${file.name}: ${fault}` : fault)));
      }
    } catch (error) {
      const text = error instanceof Refused ? faultText(error.fault) : String(error);
      fill(this.answer, h("p", { class: "fault-text" }, text), this.imported(done));
      return void this.ask();
    }
    fill(this.answer, this.imported(done));
    void this.ask();
  }

  private imported(done: {
    read: number;
    added: number;
    known: number;
    faulty: number;
    faults: string[];
  }): HTMLElement {
    return h(
      "div",
      { id: "games-imported" },
      h("p", { class: "fine" }, t("importDone", { added: done.added, known: done.known })),
      done.faulty
        ? h(
            "details",
            {},
            h("summary", { class: "fault-text" }, t("importFaults", { n: done.faulty })),
            h(
              "ul",
              { class: "import-faults" },
              done.faults.slice(0, 100).map((fault) => h("li", {}, fault)),
            ),
          )
        : null,
    );
  }

  private async exportAll(): Promise<void> {
    try {
      const text = await games.export(this.question());
      if (!text) return this.app.toast(t("noGamesFound"));
      const link = h("a", {
        href: URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" })),
        download: "games.pgn",
      });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      if (error instanceof Refused) this.app.toast(faultText(error.fault));
      else this.app.trouble(error);
    }
  }

  // The board: any position can be set up by moving, and is searched for.

  update(): void {
    if (!this.active) return;
    const { app, tree } = this;
    app.showNode(tree.current);
    app.board.setArrows([]);
    app.allow(null);
    void app.cue(null);
    const rules = tree.rules === "standard" ? "" : ` · ${rulesName(tree.rules)}`;
    app.status.textContent = t("turn", { side: sideName(turnOf(tree.current.fen)) }) + rules;
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const { tree } = this;
    const node = tree.current;
    try {
      const state = await this.app.state(tree.ref(node));
      if (this.tree !== tree || tree.current !== node || !this.active) return;
      this.state = state;
      this.app.allow(state);
    } catch (error) {
      this.app.trouble(error);
    }
  }

  go(node: TreeNode): void {
    this.tree.current = node;
    if (node.move) this.app.say(moveWords(node));
    this.update();
    if (this.byPosition) void this.ask();
  }

  move(from: string, to: string): void {
    if (this.state?.moves.some((move) => move.move === from + to))
      void this.typed(from + to).catch((error: unknown) => this.app.trouble(error));
  }

  async typed(text: string): Promise<void> {
    const { tree } = this;
    const at = tree.current;
    const ref = tree.ref(at);
    const state = await this.app.state({ ...ref, moves: [...ref.moves, text] });
    const played = state.played.at(-1);
    if (this.tree !== tree || tree.current !== at || !played) return;
    this.app.soundOf(played.move, played.captures !== null);
    this.go(tree.add(played.move, played.san, played.captures, played.fen));
  }
}

/** The text of a file: UTF-8, or Latin-1 as PGN had it first. */
async function readText(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
}
