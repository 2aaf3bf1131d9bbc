// The position editor. The server says what is wrong, after every change.

import { api, Refused, type Checked } from "../api";
import { fill, h, icon } from "../dom";
import { faultText, pieceName, sideName, t } from "../i18n";
import { pieceArt } from "../pictures";
import { RulesPicker } from "../rules";
import { boardOf, piecesOf, START, Tree, turnOf } from "../tree";
import type { AnalysisView, Tab } from "./analysis";

export class EditorTab implements Tab {
  readonly element = h("div", { class: "editor-tab" });
  /** A letter to put down, `x` to erase, or nothing: then pieces are dragged. */
  private tool = "";
  private fen: string | null = null;
  private asked = 0;
  private readonly palette = h("div", { class: "palette", role: "group" });
  private readonly verdict = h("div", { class: "checks", "aria-live": "polite", id: "checks" });
  private readonly controls = h("div", {});
  private from: string | null = null;
  private rules: string | null = null;
  private readonly picker: RulesPicker;

  constructor(private readonly view: AnalysisView) {
    this.picker = new RulesPicker(
      "edit-rules",
      () => this.usedRules(),
      (rules) => {
        this.rules = rules;
        void this.check();
      },
    );
    this.rebuild();
  }

  rebuild(): void {
    this.picker.rebuild();
    fill(this.element, h("p", { class: "quiet" }, t("editorIntro")), this.palette, this.controls, this.verdict);
  }

  show(): void {
    const { app, tree } = this.view;
    app.bar.hidden = true;
    app.board.setArrows([]);
    // The position shown changed from outside: edit that one.
    if (this.from !== tree.current.fen || this.fen === null) {
      this.from = tree.current.fen;
      this.fen = tree.current.fen;
      this.rules = null;
      this.picker.rebuild();
    }
    this.draw();
  }

  hide(): void {
    this.fen = null;
    this.from = null;
  }

  move(from: string, to: string): void {
    const pieces = piecesOf(this.fen!);
    const letter = pieces.get(from);
    if (!letter) return;
    pieces.delete(from);
    if (to) pieces.set(to, letter);
    this.set(boardOf(pieces), turnOf(this.fen!));
  }

  choose(square: string): void {
    const pieces = piecesOf(this.fen!);
    if (this.tool === "x" || (this.tool && pieces.get(square) === this.tool)) pieces.delete(square);
    else if (this.tool) pieces.set(square, this.tool);
    else return;
    this.set(boardOf(pieces), turnOf(this.fen!));
  }

  private set(board: string, turn: "white" | "black"): void {
    this.fen = `${board} ${turn === "white" ? "w" : "b"} - - 0 1`;
    this.draw();
  }

  private draw(): void {
    const { app } = this.view;
    const fen = this.fen!;
    app.board.show(fen);
    // With a tool in hand a press puts it down; without, it picks up.
    app.board.setTargets(new Map(), null, this.tool === "");
    app.status.textContent = "";
    this.palette.setAttribute("aria-label", t("pieces"));
    const button = (tool: string, label: string, content: Node) =>
      h(
        "button",
        {
          type: "button",
          class: "palette-piece",
          "aria-pressed": String(this.tool === tool),
          "aria-label": label,
          title: label,
          "data-tool": tool || "hand",
          onclick: () => {
            this.tool = tool;
            this.draw();
          },
        },
        content,
      );
    const art = (letter: string) => pieceArt(app.settings.pieces, letter);
    const focused = (document.activeElement as HTMLElement | null)?.dataset["tool"];
    fill(
      this.palette,
      [..."ELTPWDCR"].map((letter) => button(letter, pieceName(letter), art(letter))),
      [..."eltpwdcr"].map((letter) => button(letter, pieceName(letter), art(letter))),
      button("", t("hand"), icon("hand")),
      button("x", t("eraser"), icon("eraser")),
    );
    if (focused) this.palette.querySelector<HTMLElement>(`[data-tool="${focused}"]`)?.focus();
    const turn = turnOf(fen);
    fill(
      this.controls,
      h(
        "div",
        { class: "row-of-buttons" },
        h(
          "button",
          { type: "button", class: "small", id: "clear-board", onclick: () => this.set("7/7/7/7/7/7/7/7/7", turn) },
          t("clearBoard"),
        ),
        h(
          "button",
          {
            type: "button",
            class: "small",
            id: "start-board",
            onclick: () => {
              this.fen = START;
              this.draw();
            },
          },
          t("startBoard"),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", {}, t("toMove")),
        h(
          "select",
          {
            id: "edit-turn",
            onchange: (event: Event) => {
              this.set(fen.split(" ")[0]!, (event.target as HTMLSelectElement).value as "white" | "black");
            },
          },
          (["white", "black"] as const).map((side) =>
            h("option", { value: side, selected: side === turn }, sideName(side)),
          ),
        ),
      ),
      this.picker.element,
      h(
        "label",
        { class: "field" },
        h("span", {}, "FEN"),
        h("input", {
          type: "text",
          id: "edit-fen",
          value: fen,
          spellcheck: "false",
          onchange: (event: Event) => {
            this.fen = (event.target as HTMLInputElement).value.trim();
            this.draw();
          },
        }),
      ),
    );
    void this.check();
  }

  private usedRules(): string {
    return this.rules ?? this.view.tree.rules;
  }

  private async check(): Promise<void> {
    const mine = ++this.asked;
    let checked: Checked;
    try {
      checked = await api.check(this.fen!, this.usedRules());
    } catch (error) {
      if (mine !== this.asked || this.fen === null) return;
      if (!(error instanceof Refused)) return this.view.app.trouble(error);
      return fill(this.verdict, h("p", { class: "fault-text" }, faultText(error.fault)));
    }
    if (mine !== this.asked || this.fen === null) return;
    const tints = checked.faults.flatMap((fault) =>
      (fault.squares ?? []).map((square) => ({ square, color: "#d11", opacity: 0.45 })),
    );
    this.view.app.board.setOverlay({ tints });
    if (!checked.valid) {
      return fill(
        this.verdict,
        h(
          "ul",
          { class: "fault-list" },
          checked.faults.map((fault) => h("li", { class: "fault-text" }, faultText(fault))),
        ),
      );
    }
    fill(
      this.verdict,
      h("p", { class: "fine" }, checked.ending ? t("editOver") : t("editOk")),
      h(
        "div",
        { class: "row-of-buttons" },
        h(
          "button",
          {
            type: "button",
            class: "primary",
            id: "use-analyse",
            onclick: () => {
              const tree = new Tree(checked.fen, this.usedRules());
              this.view.openTab("engine");
              this.view.load(tree);
            },
          },
          t("useAnalyse"),
        ),
        checked.ending
          ? null
          : h(
              "button",
              { type: "button", id: "use-play", onclick: () => this.view.playFrom(checked.fen, this.usedRules()) },
              t("usePlay"),
            ),
      ),
    );
  }
}
