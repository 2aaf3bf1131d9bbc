// The frame around everything: header, board, navigation, messages; and what the views share.

import { api, Refused, type Fault, type GameRef, type GameState, type Side } from "./api";
import { Board, type Target } from "./board";
import { fill, h, icon } from "./dom";
import { flush } from "./games";
import { faultText, sideName, t, type Blanks } from "./i18n";
import { program } from "./local/desks";
import { howToPlay } from "./howto";
import { pieceArt } from "./pictures";
import { ranking, switches } from "./rules";
import { keep } from "./settings";
import { Shell } from "./shell";
import * as sound from "./sound";
import { piecesOf, turnOf, type Tree, type TreeNode } from "./tree";
import { readMove } from "./words";

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
  /** A piece was to go where it may not; the page says why unless the view does. */
  refused?(from: string, to: string): void;
  choose?(square: string): void;
  /** A move was typed. */
  typed(text: string): Promise<void>;
  go(node: TreeNode): void;
  /** The server is back. */
  reconnected?(): void;
  /** What is said while the server is away, where that does no harm. */
  readonly away?: string;
}

export class App extends Shell {
  readonly board: Board;
  readonly top = h("div", { class: "strip top-strip" });
  readonly bottom = h("div", { class: "strip bottom-strip" });
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
  private calling = "";

  constructor() {
    super();
    this.board = new Board({
      move: (from, to) => this.view.move(from, to),
      refused: (from, to) => {
        if (this.view.refused) this.view.refused(from, to);
        else void this.explain(from, to);
      },
      choose: (square) => this.view.choose?.(square),
      say: (text) => this.say(text),
    });
    this.board.setPieceSet(this.settings.pieces);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  get view(): View {
    return this.views[this.mode]!;
  }

  /** The part of the page that the view belongs to: the trainer is among the puzzles, a friend a way to play. */
  private get place(): string {
    const part: Record<string, string> = { trainer: "puzzles", friend: "play" };
    return part[this.mode] ?? this.mode;
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

  /** Says why a move is not possible, at the square where it was to end. */
  private async explain(from: string, to: string): Promise<void> {
    const { tree } = this.view;
    const ref = tree.ref();
    const text = from + to;
    try {
      await this.state({ ...ref, moves: [...ref.moves, text] });
    } catch (error) {
      if (!(error instanceof Refused)) return this.trouble(error);
      this.board.tell(this.reason(error.fault, text), to);
    }
  }

  /** Why a move was refused. */
  private reason(fault: Fault, text: string): string {
    const { fen } = this.view.tree.current;
    const pieces = piecesOf(fen);
    const [from = "", to = ""] = fault.squares ?? [];
    const [mover, victim] = [from, to].map((square) => pieces.get(square)?.toUpperCase());
    let { code } = fault;
    if (code === "too-strong" && mover === "E" && victim === "R") code = "elephant-rat";
    if (code === "too-far") {
      const step = (index: number) => Math.abs(from.charCodeAt(index) - to.charCodeAt(index));
      if (step(0) === 1 && step(1) === 1) code = "diagonal";
      else if (mover !== "R" && /[bcef][456]/.test(to)) code = "cannot-swim";
    }
    return this.faultText({ ...fault, code }, { text, side: sideName(turnOf(fen)) });
  }

  /** Points out what is trapped and what can be taken, if that is wanted. */
  async cue(state: GameState | null): Promise<void> {
    if (!state || state.ending || !this.settings.cues)
      return this.board.setCues({ trapped: [], takeable: [], endangered: [] });
    const { fen, rules } = state;
    const [board, turn] = fen.split(" ");
    try {
      // What the other side could take if it were to move now.
      const [other, now] = await Promise.all([
        this.state({ fen: `${board} ${turn === "w" ? "b" : "w"} - - 0 1`, rules, moves: [] }),
        switches(rules),
      ]);
      if (!this.view.tree.current.fen.startsWith(`${board} ${turn}`)) return;
      const victims = (moves: GameState["moves"]) => [
        ...new Set(moves.filter((move) => move.captures !== null).map((move) => move.move.slice(2, 4))),
      ];
      const trapped = [...piecesOf(fen)].filter(([square, letter]) => {
        const red = letter === letter.toUpperCase();
        const traps = (red ? ["c9", "e9", "d8"] : ["c1", "e1", "d2"]).concat(
          now["traps"] === "everybody" ? (red ? ["c1", "e1", "d2"] : ["c9", "e9", "d8"]) : [],
        );
        return traps.includes(square);
      });
      this.board.setCues({
        trapped: trapped.map(([square]) => square),
        takeable: victims(state.moves),
        endangered: victims(other.moves),
      });
    } catch {
      // Cues are a courtesy: without them one can play all the same.
    }
  }

  /** Lets the moves of a state be made by hand. */
  allow(state: GameState | null): void {
    const targets = new Map<string, Target[]>();
    for (const move of state?.moves ?? []) {
      const from = move.move.slice(0, 2);
      targets.set(from, [...(targets.get(from) ?? []), { move: move.move, captures: move.captures !== null }]);
    }
    this.board.setTargets(targets, state && !state.ending ? state.turn : null);
  }

  /** Shows the current position of a tree. */
  showNode(node: TreeNode): void {
    this.board.show(node.fen, node.move ? [node.move.slice(0, 2), node.move.slice(2, 4)] : null);
    void this.number();
  }

  /** Numbers on the pieces follow the rules. */
  private async number(): Promise<void> {
    if (!this.settings.strengths) return this.board.setStrengths(null);
    const { rules } = this.view.tree;
    try {
      const order = ranking(await switches(rules));
      if (this.view.tree.rules !== rules || !this.settings.strengths) return;
      this.board.setStrengths(Object.fromEntries(order.map((letter, index) => [letter, index + 1])));
    } catch {
      // The banner says that the server is away.
    }
  }

  protected faultText(fault: Fault, blanks: Blanks): string {
    return faultText(fault, blanks);
  }

  protected reconnected(): void {
    void flush();
    this.view.reconnected?.();
  }

  sound(name: sound.Sound): void {
    if (this.settings.sound) sound.play(name);
  }

  /** The sound of a move: into the water, over it, onto an enemy, or just a step. */
  soundOf(move: string, captures: boolean): void {
    const far =
      Math.abs(move.charCodeAt(0) - move.charCodeAt(2)) + Math.abs(move.charCodeAt(1) - move.charCodeAt(3)) > 1;
    const wet = /[bcef][456]$/.test(move);
    this.sound(captures ? "capture" : far ? "jump" : wet ? "splash" : "move");
  }

  /** Animals of the winner dance over the board. */
  celebrate(winner: Side): void {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const letters = winner === "white" ? "RCDWPTLE" : "rcdwptle";
    const party = h(
      "div",
      { class: "party", "aria-hidden": "true" },
      [...letters, ...letters].map((letter, index) => {
        const piece = h("span", {}, pieceArt(this.settings.pieces, letter));
        piece.style.left = `${(index * 61) % 92}%`;
        piece.style.animationDelay = `${((index * 37) % 11) / 10}s`;
        return piece;
      }),
    );
    this.frame.append(party);
    setTimeout(() => party.remove(), 4000);
  }

  build(): void {
    const tab = (name: string, text: string) =>
      h(
        "button",
        {
          type: "button",
          class: "mode",
          id: `mode-${name}`,
          "aria-current": this.place === name ? "page" : null,
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
          const text = readMove(typed.value.trim());
          if (!text) return;
          void this.view.typed(text).then(
            () => {
              typed.value = "";
            },
            (error: unknown) => {
              if (error instanceof Refused) this.board.tell(this.reason(error.fault, typed.value.trim()), null);
              else this.trouble(error);
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
          tab("learn", t("learn")),
          tab("play", t("play")),
          tab("puzzles", t("puzzles")),
          tab("analyse", t("analyse")),
          tab("games", t("games")),
          h("a", { class: "mode other", href: "amazons.html" }, t("amazons")),
          h("a", { class: "mode other", href: "gadgets.html" }, t("gadgets")),
        ],
        () => this.help(),
        () => this.configure(),
        t("gameName"),
      ),
      this.banner,
      h(
        "main",
        { class: ["learn", "puzzles", "trainer"].includes(this.mode) ? "main jungle learning" : "main jungle" },
        h("h1", { class: "unseen" }, `Mousetrap · ${t("gameName")}`),
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
        this.panel,
      ),
      this.live,
      this.toasts,
    );
    this.entitle();
    this.tellConnection();
    fill(this.panel, this.view.panel);
    const mode = this.mode as "play" | "analyse" | "learn" | "games" | "puzzles" | "trainer" | "friend";
    this.panel.setAttribute("aria-label", t(mode === "friend" ? "friendTitle" : mode));
    this.board.relabel();
  }

  /** Calls for the reader in the title of the page, or no longer. */
  call(text: string): void {
    this.calling = text;
    this.entitle();
  }

  private entitle(): void {
    document.title = `${this.calling ? `${this.calling} · ` : ""}Mousetrap · ${t("gameName")}`;
  }

  protected override get away(): string | null {
    return this.view.away ?? null;
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
    void howToPlay(this.view.tree.rules, this.settings.pieces).then(
      (content) => {
        const dialog = this.dialog(
          t("help"),
          [
            ...content,
            h(
              "div",
              { class: "actions" },
              h(
                "button",
                {
                  type: "button",
                  class: "primary",
                  id: "help-learn",
                  onclick: () => {
                    dialog.close();
                    this.open("learn");
                  },
                },
                t("learnByPlaying"),
              ),
              program ? null : h("a", { href: "api/docs" }, t("interface")),
            ),
          ],
          "broad",
        );
      },
      (error: unknown) => this.trouble(error),
    );
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
      check(t("strengthsSetting"), "set-strengths", settings.strengths, (on) => {
        settings.strengths = on;
        this.view.update();
      }),
      check(t("cuesSetting"), "set-cues", settings.cues, (on) => {
        settings.cues = on;
        this.view.update();
      }),
      check(t("arrowsSetting"), "set-arrows", settings.arrows, (on) => {
        settings.arrows = on;
        this.view.update();
      }),
      this.belongings(),
    ]);
  }
}
