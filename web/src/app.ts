// The frame around everything: header, board, navigation, messages; and what the views share.

import { api, type Fault, type GameRef, type GameState } from "./api";
import { Board, type Target } from "./board";
import { fill, h, icon } from "./dom";
import { faultText, sideName, t, type Blanks } from "./i18n";
import { keep } from "./settings";
import { Shell } from "./shell";
import * as sound from "./sound";
import { turnOf, type Tree, type TreeNode } from "./tree";

/** Something that fills the panel and decides what the board does. */
export interface View {
  readonly panel: HTMLElement;
  readonly tree: Tree;
  /** Comes to the front. */
  enter(): void;
  leave(): void;
  /** The position shown has changed: draw it. */
  update(): void;
  /** Rebuilds the panel, as after a change of language. */
  rebuild(): void;
  move(from: string, to: string): void;
  choose?(square: string): void;
  /** A move was typed. */
  typed(text: string): Promise<void>;
  go(node: TreeNode): void;
  /** The server is back. */
  reconnected?(): void;
}

export class App extends Shell {
  readonly board: Board;
  readonly top = h("div", { class: "strip" });
  readonly bottom = h("div", { class: "strip" });
  readonly bar = h("div", {
    class: "bar",
    role: "meter",
    "aria-valuemin": "0",
    "aria-valuemax": "100",
    "aria-label": "0",
    "aria-valuenow": "50",
  });
  readonly status = h("p", { class: "status", id: "status" });
  private views: Record<string, View> = {};
  private mode = "play";
  private readonly panel = h("section", { class: "panel" });
  private readonly frame = h("div", { class: "frame" });
  private states = new Map<string, Promise<GameState>>();

  constructor() {
    super();
    this.board = new Board({
      move: (from, to) => this.view.move(from, to),
      choose: (square) => this.view.choose?.(square),
      say: (text) => this.say(text),
    });
    this.board.setPieceSet(this.settings.pieces);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get view(): View {
    return this.views[this.mode]!;
  }

  add(name: string, view: View): void {
    this.views[name] = view;
  }

  /** Shows a view. */
  open(name: string): void {
    this.views[this.mode]?.leave();
    this.mode = name;
    keep("mode", name);
    this.board.setOverlay({});
    this.board.setArrows([]);
    this.bar.hidden = true;
    this.build();
    this.view.enter();
  }

  /** The state of a game, asked once. */
  state(ref: GameRef): Promise<GameState> {
    const key = [ref.rules, ref.fen, ...ref.moves].join("|");
    let asked = this.states.get(key);
    if (!asked) {
      asked = api.moves(ref);
      asked.catch(() => this.states.delete(key));
      this.states.set(key, asked);
      if (this.states.size > 2000) this.states.delete(this.states.keys().next().value!);
    }
    return asked;
  }

  /** Lets the moves of a state be made by hand. */
  allow(state: GameState | null): void {
    const targets = new Map<string, Target[]>();
    for (const move of state?.moves ?? []) {
      const from = move.move.slice(0, 2);
      targets.set(from, [...(targets.get(from) ?? []), { move: move.move, captures: move.captures !== null }]);
    }
    this.board.setTargets(targets);
  }

  /** Shows the current position of a tree. */
  showNode(node: TreeNode): void {
    this.board.show(node.fen, node.move ? [node.move.slice(0, 2), node.move.slice(2, 4)] : null);
  }

  protected faultText(fault: Fault, blanks: Blanks): string {
    return faultText(fault, blanks);
  }

  protected reconnected(): void {
    this.view.reconnected?.();
  }

  sound(name: sound.Sound): void {
    if (this.settings.sound) sound.play(name);
  }

  build(): void {
    const tab = (name: string, text: string) =>
      h(
        "button",
        {
          type: "button",
          class: "mode",
          "aria-current": this.mode === name ? "page" : null,
          onclick: () => this.open(name),
        },
        text,
      );
    const button = (name: Parameters<typeof icon>[0], text: string, onclick: () => void, id = "") =>
      h(
        "button",
        { type: "button", class: "tool", title: text, "aria-label": text, onclick, id: id || null },
        icon(name),
      );
    const typed = h("input", {
      type: "text",
      class: "typed",
      name: "move",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-label": t("typeMove"),
      placeholder: t("typeMoveHint"),
      size: "10",
    });
    const form = h(
      "form",
      {
        class: "typing",
        onsubmit: (event: Event) => {
          event.preventDefault();
          const text = typed.value.trim();
          if (!text) return;
          void this.view.typed(text).then(
            () => {
              typed.value = "";
            },
            (error: unknown) => {
              this.trouble(error, { text, side: sideName(turnOf(this.view.tree.current.fen)) });
              typed.select();
            },
          );
        },
      },
      typed,
      h("button", { type: "submit", class: "small" }, t("go")),
    );
    fill(this.frame, this.bar, this.board.element);
    fill(
      this.element,
      this.header(
        (event) => {
          event.preventDefault();
          this.open("play");
        },
        [
          tab("play", t("play")),
          tab("analyse", t("analyse")),
          h("a", { class: "mode other", href: "/amazons" }, t("amazons")),
        ],
        () => this.help(),
        () => this.configure(),
      ),
      this.banner,
      h(
        "main",
        { class: "main" },
        h("h1", { class: "unseen" }, "Mousetrap"),
        h(
          "div",
          { class: "left" },
          this.top,
          this.frame,
          this.bottom,
          h(
            "div",
            { class: "under" },
            button("first", t("first"), () => this.step("first"), "nav-first"),
            button("back", t("prev"), () => this.step("back"), "nav-back"),
            button("forward", t("next"), () => this.step("forward"), "nav-forward"),
            button("last", t("last"), () => this.step("last"), "nav-last"),
            button("flip", t("flip"), () => this.flip(), "flip"),
            form,
          ),
          h("p", { id: "board-help", class: "unseen" }, t("boardHelp")),
          this.status,
        ),
        this.panel,
      ),
      this.live,
      this.toasts,
    );
    fill(this.panel, this.view.panel);
    this.panel.setAttribute("aria-label", t(this.mode === "play" ? "play" : "analyse"));
    this.board.relabel();
  }

  flip(): void {
    this.board.flip(!this.board.isFlipped);
    this.view.update();
  }

  step(where: "first" | "back" | "forward" | "last"): void {
    const { tree } = this.view;
    const at = tree.current;
    let to: TreeNode | null | undefined = at;
    if (where === "first") to = tree.root;
    if (where === "back") to = at.parent;
    if (where === "forward") to = at.children[0];
    if (where === "last") for (let next: TreeNode | undefined = at; next; next = next.children[0]) to = next;
    if (to && to !== at) this.view.go(to);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.closest("input, textarea, select, dialog") || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps: Record<string, () => void> = {
      ArrowLeft: () => this.step("back"),
      ArrowRight: () => this.step("forward"),
      ArrowUp: () => this.step("first"),
      ArrowDown: () => this.step("last"),
      f: () => this.flip(),
    };
    const step = steps[event.key];
    if (!step || target.closest("[role=tablist], .moves")?.matches("[role=tablist]")) return;
    event.preventDefault();
    step();
  }

  private help(): void {
    const pieces = [..."ELTPWDCR"].map((letter) => h("li", {}, t(letter as "E")));
    this.dialog(t("help"), [
      h("p", {}, t("helpText")),
      h("h3", {}, t("strength")),
      h("ol", { class: "strengths" }, pieces),
      h("p", {}, h("a", { href: "/api/docs" }, t("interface"))),
    ]);
  }

  private configure(): void {
    const { settings } = this;
    const check = (label: string, id: string, value: boolean, chosen: (value: boolean) => void) =>
      h(
        "label",
        { class: "field" },
        h("span", {}, label),
        h("input", {
          type: "checkbox",
          id,
          checked: value,
          onchange: (event: Event) => {
            chosen((event.target as HTMLInputElement).checked);
            this.saveSettings();
          },
        }),
      );
    this.dialog(t("settings"), [
      ...this.appearance(() => {
        for (const view of Object.values(this.views)) view.rebuild();
        this.build();
        this.view.update();
      }),
      this.choice(
        t("pieceStyle"),
        "set-pieces",
        [
          ["animals", t("animals")],
          ["hanzi", t("hanzi")],
        ],
        settings.pieces,
        (pieces) => {
          settings.pieces = pieces;
          this.saveSettings();
          this.board.setPieceSet(pieces);
          this.view.update();
        },
      ),
      check(t("sound"), "set-sound", settings.sound, (on) => {
        settings.sound = on;
        this.sound("move");
      }),
      check(t("arrowsSetting"), "set-arrows", settings.arrows, (on) => {
        settings.arrows = on;
        this.view.update();
      }),
    ]);
  }
}
