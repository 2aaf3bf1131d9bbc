// Analysis: a tree of moves, and tabs that look at the position on the board in different ways.

import type { GameState, Side } from "../api";
import type { App, View } from "../app";
import { fill, h } from "../dom";
import { sideName, t, type Key } from "../i18n";
import { keep, recall } from "../settings";
import * as shelf from "../shelf";
import { START, Tree, turnOf, type TreeNode } from "../tree";
import { endingWords, moveWords, other } from "../words";
import { EditorTab } from "./editor";
import { EngineTab } from "./engine";
import { EscapeTab } from "./escape";
import { ExplainTab } from "./explain";
import { ExplorerTab } from "./explorer";
import { linkTo, ShareTab } from "./share";
import { SplitsTab } from "./splits";
import { TruthTab } from "./truth";

/** A tab of the analysis. */
export interface Tab {
  readonly element: HTMLElement;
  /** Comes to the front, or the position has changed while it was there. */
  show(): void;
  /** Goes to the back. */
  hide(): void;
  /** Takes over what is done on the board, if it does. */
  move?(from: string, to: string): void;
  choose?(square: string): void;
  rebuild(): void;
  /** A move was made on the board. */
  made?(node: TreeNode): void;
  reconnected?(): void;
}

export const TABS = ["engine", "explorer", "truth", "explain", "splits", "escape", "edit", "share"] as const;
export type TabName = (typeof TABS)[number];

export class AnalysisView implements View {
  readonly panel = h("div", { class: "analysis" });
  tree: Tree;
  state: GameState | null = null;
  private tabs: Record<TabName, Tab>;
  private tab: TabName = "engine";
  /** The tab that a link leads to: sharing is not what one shares. */
  studied: TabName = "engine";
  private active = false;
  /** What was opened from a link, as it was; it is the reader's own as soon as it is changed. */
  private visited: string | null = null;
  private readonly visit = h("div", { class: "notice visit", id: "visit", hidden: true });

  constructor(
    readonly app: App,
    readonly playFrom: (fen: string, rules: string) => void,
    findGames: (tree: Tree, source: string) => void,
  ) {
    this.tree = this.own();
    this.tabs = {
      engine: new EngineTab(this),
      explorer: new ExplorerTab(this, findGames),
      truth: new TruthTab(this),
      explain: new ExplainTab(this),
      splits: new SplitsTab(this),
      escape: new EscapeTab(this),
      edit: new EditorTab(this),
      share: new ShareTab(this),
    };
    this.build();
  }

  /** The reader's own analysis, as it was kept. */
  private own(): Tree {
    const saved = recall<ReturnType<Tree["save"]>>("analysis");
    try {
      if (saved) return Tree.load(saved);
    } catch {
      // Kept by another version, or damaged.
    }
    return new Tree(START, "standard");
  }

  /** Replaces the tree; the one before goes to the shelf. */
  load(tree: Tree): void {
    if (this.visited === null) shelf.put(this.tree.save());
    else this.settle();
    this.show(tree);
  }

  /** Shows what a link says, and keeps the reader's own analysis beside it. */
  open(tree: Tree): void {
    this.visited = contents(tree);
    this.show(tree);
  }

  /** Back from a link to one's own analysis. */
  private goBack(): void {
    this.leaveLink();
    this.show(this.own());
  }

  /** What was opened from a link is now the reader's own; what was, goes to the shelf. */
  private settle(): void {
    if (shelf.put(this.own().save())) this.app.toast(t("shelved"));
    this.leaveLink();
  }

  private leaveLink(): void {
    this.visited = null;
    if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  }

  private show(tree: Tree): void {
    this.tree = tree;
    this.state = null;
    this.update();
  }

  openTab(name: TabName): void {
    if (name === this.tab) return;
    this.tabs[this.tab].hide();
    this.tab = name;
    if (name !== "share") this.studied = name;
    if (this.visited) history.replaceState(null, "", linkTo(this.tree, this.studied));
    this.app.board.setOverlay({});
    this.app.board.setArrows([]);
    this.build();
    this.update();
  }

  private build(): void {
    const label: Record<TabName, Key> = {
      engine: "tabEngine",
      explorer: "tabExplorer",
      truth: "tabTruth",
      explain: "tabExplain",
      splits: "tabSplits",
      escape: "tabEscape",
      edit: "tabEdit",
      share: "tabShare",
    };
    const buttons = TABS.map((name) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-selected": String(name === this.tab),
          "aria-controls": "tabpanel",
          tabindex: name === this.tab ? "0" : "-1",
          onclick: () => this.openTab(name),
        },
        t(label[name]),
      ),
    );
    const list = h("div", { class: "tabs", role: "tablist", "aria-label": t("analyse") }, buttons);
    list.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      const next = TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length]!;
      this.openTab(next);
      this.panel.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
    });
    fill(
      this.visit,
      h("span", {}, t("visiting")),
      h("button", { type: "button", class: "small", id: "visit-back", onclick: () => this.goBack() }, t("visitBack")),
    );
    fill(
      this.panel,
      this.visit,
      list,
      h(
        "div",
        { role: "tabpanel", id: "tabpanel", class: "tabpanel", "aria-labelledby": `tab-${this.tab}` },
        this.tabs[this.tab].element,
      ),
    );
  }

  rebuild(): void {
    for (const tab of Object.values(this.tabs)) tab.rebuild();
    this.build();
  }

  enter(): void {
    this.active = true;
    this.update();
  }

  leave(): void {
    this.active = false;
    this.tabs[this.tab].hide();
  }

  reconnected(): void {
    this.update();
    this.tabs[this.tab].reconnected?.();
  }

  go(node: TreeNode): void {
    this.tree.current = node;
    if (node.move) this.app.say(moveWords(node));
    this.update();
  }

  save(): void {
    if (this.visited !== null) {
      if (contents(this.tree) === this.visited) return;
      this.settle();
      this.visit.hidden = true;
    }
    keep("analysis", this.tree.save());
  }

  /** Who plays which side, above and below the board. */
  private strips(): void {
    const { app, tree } = this;
    const bottom: Side = app.board.isFlipped ? "black" : "white";
    const strip = (side: Side) => [
      h("span", { class: `disc ${side}`, "aria-hidden": "true" }),
      h(
        "span",
        { class: turnOf(tree.current.fen) === side ? "player turn" : "player" },
        sideName(side),
        h("small", {}, ` ${tree.tags[side === "white" ? "White" : "Black"] ?? ""}`),
      ),
    ];
    fill(app.top, strip(other(bottom)));
    fill(app.bottom, strip(bottom));
  }

  update(): void {
    if (!this.active) return;
    this.save();
    this.visit.hidden = this.visited === null;
    this.strips();
    this.app.showNode(this.tree.current);
    this.app.allow(null);
    this.app.status.textContent = t("turn", { side: sideName(turnOf(this.tree.current.fen)) });
    this.tabs[this.tab].show();
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const { tree } = this;
    const node = tree.current;
    try {
      const state = await this.app.state(tree.ref(node));
      if (this.tree !== tree || tree.current !== node || !this.active) return;
      this.state = state;
      if (state.ending) {
        const { title, text } = endingWords(state.ending, null);
        this.app.status.textContent = `${title}. ${text}`;
      }
      if (!this.tabs[this.tab].move) this.app.allow(state);
    } catch (error) {
      this.app.trouble(error);
    }
  }

  move(from: string, to: string): void {
    const tab = this.tabs[this.tab];
    if (tab.move) return tab.move(from, to);
    if (this.state?.moves.some((move) => move.move === from + to))
      void this.make(from + to).catch((error: unknown) => this.app.trouble(error));
  }

  choose(square: string): void {
    this.tabs[this.tab].choose?.(square);
  }

  async typed(text: string): Promise<void> {
    await this.make(text);
  }

  /** Plays a move from the current position, as a variation if others were played before. */
  async make(text: string): Promise<TreeNode | null> {
    const { tree } = this;
    const from = tree.current;
    const ref = tree.ref(from);
    const state = await this.app.state({ ...ref, moves: [...ref.moves, text] });
    const played = state.played.at(-1);
    if (this.tree !== tree || tree.current !== from || !played) return null;
    const node = tree.add(played.move, played.san, played.captures, played.fen);
    tree.current = node;
    this.app.soundOf(played.move, played.captures !== null);
    this.app.say(moveWords(node));
    this.update();
    this.tabs[this.tab].made?.(node);
    return node;
  }

  /** Plays a whole line from the current position and stays where it was. */
  async addLine(moves: string[]): Promise<void> {
    const { tree } = this;
    const ref = tree.ref();
    const state = await this.app.state({ ...ref, moves: [...ref.moves, ...moves] });
    let at = tree.current;
    for (const played of state.played.slice(ref.moves.length))
      at = tree.add(played.move, played.san, played.captures, played.fen, at);
    this.update();
  }
}

/** What there is in a tree, wherever one looks at it. */
function contents(tree: Tree): string {
  return JSON.stringify({ ...tree.save(), at: [] });
}
