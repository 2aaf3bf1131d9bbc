// Explaining: a decision tree that says who wins, for a class of few pieces, and the way of the position
// on the board down that tree.
//
// A tree is for Red (White) to move. Where Blue is to move the server turns the position round and
// exchanges the colours; here everything is turned back before it is shown.

import { api, Refused, type Mined, type MinedNode, type Side } from "../api";
import { fill, h, icon, s } from "../dom";
import { faultText, pieceName, sideName, t, type Key } from "../i18n";
import { miniBoard, pieceArt } from "../pictures";
import { answerWords, questionWords } from "../questions";
import { keep, recall } from "../settings";
import { boardOf, piecesOf, Tree, turnOf } from "../tree";
import { other, shortNumber } from "../words";
import type { AnalysisView, Tab } from "./analysis";

const LETTERS = [..."ELTPWDCR"];
/** More pieces have no tree here. */
const MOST_PIECES = 4;
/** With this many the tables and the learner take their time: shallow trees only. */
const MANY = 4;
const DEPTHS = [2, 3, 4, 6, 8, 12];
const DEEPEST_OF_MANY = 6;
const OUTCOMES = ["white", "draw", "black"] as const;

interface Choices {
  depth: number;
  prune: boolean;
  paper: boolean;
}

export class ExplainTab implements Tab {
  readonly element = h("div", { class: "explain-tab" });
  private choices: Choices = { depth: 4, prune: false, paper: false, ...recall<Partial<Choices>>("explain") };
  /** A class that was put together by hand; nothing if it is that of the board. */
  private chosen: Set<string> | null = null;
  private asked = 0;
  private waiting: AbortController | null = null;
  private mined: Mined | null = null;
  private card: HTMLElement | null = null;
  private readonly palette = h("div", { class: "palette", role: "group" });
  private readonly controls = h("div", { class: "explain-controls" });
  private readonly body = h("div", { class: "explain-body" });

  constructor(private readonly view: AnalysisView) {
    this.rebuild();
  }

  rebuild(): void {
    fill(this.element, h("p", { class: "quiet" }, t("explainIntro")), this.palette, this.controls, this.body);
    if (this.mined) this.draw(this.mined);
  }

  show(): void {
    this.view.app.bar.hidden = true;
    this.view.app.board.setArrows([]);
    void this.ask();
  }

  hide(): void {
    this.asked++;
    this.waiting?.abort();
    this.mined = null;
    this.chosen = null;
  }

  /** The pieces whose class is explained. */
  private get pieces(): Set<string> {
    return this.chosen ?? new Set(piecesOf(this.view.tree.current.fen).values());
  }

  private async ask(): Promise<void> {
    const { view } = this;
    const mine = ++this.asked;
    this.waiting?.abort();
    this.drawControls();
    const { pieces } = this;
    const sides = new Set([...pieces].map((letter) => letter === letter.toUpperCase()));
    if (sides.size < 2) return this.say(t("explainBoth"));
    if (pieces.size > MOST_PIECES) return this.say(t("explainMany", { n: pieces.size, most: MOST_PIECES }), true);
    const side = (wanted: Side) =>
      LETTERS.filter((letter) => pieces.has(wanted === "white" ? letter : letter.toLowerCase())).join("");
    const control = new AbortController();
    this.waiting = control;
    const begun = performance.now();
    const patience = setInterval(() => {
      if (mine === this.asked) this.wait(Math.round((performance.now() - begun) / 1000));
    }, 500);
    try {
      const depth = pieces.size >= MANY ? Math.min(this.choices.depth, DEEPEST_OF_MANY) : this.choices.depth;
      const wish = {
        max_depth: depth,
        prune: this.choices.prune,
        features: this.choices.paper && pieces.size === 2 ? "table3" : undefined,
      };
      const ref = view.tree.ref();
      const mined = this.chosen
        ? await api.mineClass(`${side("white")}-${side("black")}`, ref.rules, wish, control.signal)
        : await api.minePosition(ref, wish, control.signal);
      if (mine !== this.asked) return;
      this.mined = mined;
      this.draw(mined);
    } catch (error) {
      if (mine !== this.asked || control.signal.aborted) return;
      this.mined = null;
      if (!(error instanceof Refused)) return view.app.trouble(error);
      this.say(error.fault.code === "missing-table" ? t("truthMissing") : faultText(error.fault));
      if (error.status === 503)
        setTimeout(
          () => {
            if (mine === this.asked) void this.ask();
          },
          (error.fault.retry_after ?? 5) * 1000,
        );
    } finally {
      clearInterval(patience);
    }
  }

  /** The tree is growing: how long already, and a way out. */
  private wait(seconds: number): void {
    const note = this.body.querySelector("#explain-seconds");
    if (note) {
      note.textContent = t("seconds", { n: seconds });
      return;
    }
    fill(
      this.body,
      h("p", { class: "notice", id: "explain-note", role: "status" }, t("explainGrowing")),
      h("progress", { "aria-label": t("explainGrowing") }),
      h(
        "div",
        { class: "actions" },
        h("span", { class: "quiet", id: "explain-seconds" }, t("seconds", { n: seconds })),
        h(
          "button",
          {
            type: "button",
            class: "small",
            id: "explain-stop",
            onclick: () => {
              this.asked++;
              this.waiting?.abort();
              this.say(t("explainStopped"));
            },
          },
          t("stop"),
        ),
      ),
    );
  }

  private say(text: string, example = false): void {
    fill(
      this.body,
      h("p", { class: "notice", id: "explain-note", role: "status" }, text),
      example
        ? h(
            "button",
            {
              type: "button",
              class: "action wide",
              id: "explain-example",
              onclick: () => {
                this.chosen = new Set(["T", "e"]);
                void this.ask();
              },
            },
            icon("book"),
            h("span", {}, t("truthExample")),
          )
        : null,
    );
  }

  private drawControls(): void {
    const { choices, view } = this;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["animal"];
    const { pieces } = this;
    this.palette.setAttribute("aria-label", t("pieces"));
    const toggle = (letter: string) =>
      h(
        "button",
        {
          type: "button",
          class: "palette-piece",
          "aria-pressed": String(pieces.has(letter)),
          "aria-label": pieceName(letter),
          title: pieceName(letter),
          "data-animal": letter,
          onclick: () => {
            const now = new Set(pieces);
            if (!now.delete(letter)) now.add(letter);
            this.chosen = now;
            void this.ask();
          },
        },
        pieceArt(view.app.settings.pieces, letter),
      );
    fill(
      this.palette,
      LETTERS.map(toggle),
      LETTERS.map((letter) => toggle(letter.toLowerCase())),
    );
    if (focused) this.palette.querySelector<HTMLElement>(`[data-animal="${focused}"]`)?.focus();
    const changed = () => {
      keep("explain", choices);
      void this.ask();
    };
    const check = (id: string, key: Key, name: "prune" | "paper") =>
      h(
        "label",
        { class: "toggle" },
        h("input", {
          type: "checkbox",
          id,
          checked: choices[name],
          onchange: (event: Event) => {
            choices[name] = (event.target as HTMLInputElement).checked;
            changed();
          },
        }),
        t(key),
      );
    const depths = DEPTHS.filter((depth) => pieces.size < MANY || depth <= DEEPEST_OF_MANY);
    const shown = Math.min(choices.depth, depths.at(-1)!);
    fill(
      this.controls,
      h(
        "div",
        { class: "toggles" },
        h(
          "label",
          { class: "toggle" },
          t("explainDepth"),
          h(
            "select",
            {
              id: "explain-depth",
              onchange: (event: Event) => {
                choices.depth = Number((event.target as HTMLSelectElement).value);
                changed();
              },
            },
            depths.map((n) => h("option", { value: n, selected: n === shown }, String(n))),
          ),
        ),
        check("explain-prune", "explainPrune", "prune"),
        pieces.size === 2 ? check("explain-paper", "explainPaper", "paper") : null,
        this.chosen
          ? h(
              "button",
              {
                type: "button",
                class: "small",
                id: "explain-board",
                onclick: () => {
                  this.chosen = null;
                  void this.ask();
                },
              },
              t("explainBoard"),
            )
          : null,
      ),
    );
  }

  private draw(mined: Mined): void {
    const { report, swapped } = mined;
    const share = (100 * (report.positions - report.errors)) / Math.max(1, report.positions);
    const percent = report.errors === 0 ? "100" : (Math.floor(share * 100) / 100).toFixed(2);
    const mover = sideName(swapped ? "black" : "white");
    this.card = null;
    fill(
      this.body,
      h(
        "div",
        { class: "explain-head", id: "explain-head" },
        h("h2", {}, t("explainTitle", { side: mover })),
        h(
          "p",
          {},
          t("explainFacts", {
            positions: report.positions.toLocaleString("en"),
            leaves: report.leaves,
            percent,
            errors: report.errors.toLocaleString("en"),
          }),
        ),
        h(
          "p",
          { class: "legend" },
          OUTCOMES.map((outcome) =>
            h("span", {}, h("i", { class: `swatch out-${outcome}`, "aria-hidden": "true" }), this.outcomeName(outcome)),
          ),
        ),
      ),
      h("div", { class: "branch root" }, this.node(report.tree, "", mined.path, true)),
      report.wrong.length
        ? h(
            "div",
            { class: "explain-wrong" },
            h("h3", {}, t("explainWrong")),
            h(
              "div",
              { class: "wrong-boards" },
              report.wrong.map((wrong) =>
                h(
                  "figure",
                  {},
                  this.example(wrong.fen),
                  h(
                    "figcaption",
                    {},
                    t("explainSays", {
                      claimed: this.outcomeName(this.seen(wrong.claimed)),
                      truth: this.outcomeName(this.seen(wrong.truth)),
                    }),
                  ),
                ),
              ),
            ),
          )
        : null,
    );
    if (mined.path) this.reveal(this.body.querySelector(".end-of-way"));
  }

  /** Scrolls the panel to an element, where the panel scrolls by itself; the page stays where it is. */
  private reveal(element: Element | null): void {
    const panel = this.element.closest(".panel");
    if (!element || !panel || panel.scrollHeight <= panel.clientHeight) return;
    const [box, room] = [element.getBoundingClientRect(), panel.getBoundingClientRect()];
    if (box.bottom > room.bottom) panel.scrollTop += Math.min(box.bottom - room.bottom, box.top - room.top);
  }

  /** A side or outcome as the reader sees it. */
  private seen<T extends "white" | "draw" | "black">(outcome: T): T {
    if (!this.mined?.swapped || outcome === "draw") return outcome;
    return other(outcome as Side) as T;
  }

  private outcomeName(outcome: "white" | "draw" | "black"): string {
    return outcome === "draw" ? t("drawn") : t("wins", { side: sideName(outcome) });
  }

  /** A node. `path` is the rest of the way of the position on the board, if it comes by here. */
  private node(node: MinedNode, answer: string, path: number[] | null, open = false): HTMLElement {
    const { swapped } = this.mined!;
    const total = OUTCOMES.reduce((sum, outcome) => sum + node.counts[outcome], 0);
    const arrives = path !== null && path.length === 0;
    const leaf = !node.children;
    const claim = leaf ? this.outcomeName(this.seen(node.outcome!)) : questionWords(node.feature!, swapped);
    const wrong = leaf ? total - node.counts[node.outcome!] : 0;
    const counts = OUTCOMES.map(
      (outcome) => `${this.outcomeName(outcome)}: ${node.counts[this.seen(outcome)].toLocaleString("en")}`,
    ).join(", ");
    const summary = h(
      "summary",
      { title: counts },
      answer ? h("b", {}, answer) : null,
      answer ? " " : null,
      h(
        "span",
        { class: leaf ? `claim claim-${this.seen(node.outcome!)}` : "question" },
        total || !leaf ? claim : t("explainNone"),
      ),
      " ",
      h(
        "span",
        { class: "node-count" },
        shortNumber(total),
        wrong ? ` (${t("explainErrors", { n: shortNumber(wrong) })})` : "",
      ),
      this.share(node, total, counts),
      arrives ? h("span", { class: "here" }, t("explainHere")) : null,
    );
    const inside = h("div", { class: "inside" });
    const details = h(
      "details",
      {
        class: ["node", leaf ? "leaf" : "", path ? "on-way" : "", arrives ? "end-of-way" : ""].join(" "),
        "aria-current": arrives ? "true" : null,
      },
      summary,
      inside,
    );
    let built = false;
    const build = () => {
      if (built) return;
      built = true;
      if (leaf) return;
      inside.append(
        h(
          "div",
          { class: "branch" },
          node.children!.map((child, index) =>
            this.node(
              child.then,
              answerWords(node, index, swapped),
              path?.length && path[0] === index ? path.slice(1) : null,
            ),
          ),
        ),
      );
    };
    // Trees are large: what is closed is not there. One example at a time is enough to look at.
    summary.addEventListener("click", () => {
      // It is about to open, or to close.
      if (details.open) {
        if (this.card?.parentElement === inside) this.card.remove();
        return;
      }
      build();
      this.lay(inside, node, counts);
    });
    if (open || (path && !leaf)) {
      build();
      details.open = true;
    }
    if (arrives) {
      details.open = true;
      this.lay(inside, node, counts);
    }
    return details;
  }

  /** Puts the example of a node under it. */
  private lay(inside: HTMLElement, node: MinedNode, counts: string): void {
    this.card?.remove();
    this.card = h(
      "div",
      { class: "example" },
      node.example ? this.example(node.example) : null,
      h("p", { class: "quiet" }, counts),
    );
    inside.prepend(this.card);
  }

  /** A small board that can be opened on the large one. */
  private example(fen: string): HTMLElement {
    const { view } = this;
    const own = this.mined!.swapped ? turned(fen) : fen;
    return h(
      "button",
      {
        type: "button",
        class: "mini-open",
        title: t("explainOpen"),
        "aria-label": t("explainOpen"),
        "data-fen": own,
        onclick: () => {
          this.chosen = null;
          view.load(new Tree(own, view.tree.rules));
        },
      },
      miniBoard(own, view.app.settings.pieces),
      h("span", {}, t("explainOpen")),
    );
  }

  /** How the positions divide. */
  private share(node: MinedNode, total: number, label: string): SVGElement {
    let x = 0;
    return s(
      "svg",
      { class: "share", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img", "aria-label": label },
      OUTCOMES.map((outcome) => {
        const width = total ? (100 * node.counts[this.seen(outcome)]) / total : 0;
        x += width;
        return width ? s("rect", { class: `out-${outcome}`, x: x - width, width, height: 10 }) : null;
      }),
    );
  }
}

/** A position turned round with the colours exchanged: the same game for the other side. */
export function turned(fen: string): string {
  const pieces = new Map(
    [...piecesOf(fen)].map(([square, letter]): [string, string] => [
      "gfedcba"["abcdefg".indexOf(square[0]!)]! + String(10 - Number(square[1])),
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    ]),
  );
  return `${boardOf(pieces)} ${turnOf(fen) === "white" ? "b" : "w"} - - 0 1`;
}
