// Splits: cones, the causality tree, and the parts a position falls into. The board shows what Burnett
// only describes.

import { api, type Cone, type PartScores, type Side, type Split } from "../api";
import type { Overlay } from "../board";
import { fill, h } from "../dom";
import { pieceName, t } from "../i18n";
import { pieceArt } from "../pictures";
import { SQUARES } from "../squares";
import { piecesOf, turnOf } from "../tree";
import { scoreText } from "../words";
import type { AnalysisView, Tab } from "./analysis";

/** The palette of the pictures, for parts. */
const PALETTE = ["#e69f00", "#0072b2", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#6a3d9a", "#22262b"];
const MOST_THRESHOLD = 12;

export class SplitsTab implements Tab {
  readonly element = h("div", { class: "splits-tab" });
  private threshold = 4;
  private parts = true;
  private tree = true;
  private cone = false;
  private split: Split | null = null;
  private heat: Cone | null = null;
  private chosen: string | null = null;
  private asked = 0;
  private readonly body = h("div", {});

  constructor(private readonly view: AnalysisView) {
    this.rebuild();
  }

  rebuild(): void {
    const toggle = (id: string, text: string, value: boolean, chosen: (value: boolean) => void) =>
      h(
        "label",
        { class: "toggle" },
        h("input", {
          type: "checkbox",
          id,
          checked: value,
          onchange: (event: Event) => {
            chosen((event.target as HTMLInputElement).checked);
            this.draw();
          },
        }),
        h("span", {}, text),
      );
    const value = h("span", { id: "threshold-value", "aria-live": "polite" }, t("threshold", { n: this.threshold }));
    fill(
      this.element,
      h("p", { class: "quiet" }, t("splitsIntro")),
      h(
        "div",
        { class: "toggles" },
        toggle("show-parts", t("showParts"), this.parts, (on) => {
          this.parts = on;
        }),
        toggle("show-tree", t("showTree"), this.tree, (on) => {
          this.tree = on;
        }),
        toggle("show-cone", t("showCone"), this.cone, (on) => {
          this.cone = on;
          void this.ask();
        }),
      ),
      h(
        "label",
        { class: "slider" },
        value,
        h("input", {
          type: "range",
          id: "threshold",
          min: "0",
          max: String(MOST_THRESHOLD),
          step: "1",
          value: String(this.threshold),
          oninput: (event: Event) => {
            this.threshold = Number((event.target as HTMLInputElement).value);
            value.textContent = t("threshold", { n: this.threshold });
            void this.ask();
          },
        }),
      ),
      this.body,
    );
  }

  show(): void {
    this.view.app.bar.hidden = true;
    void this.ask();
  }

  hide(): void {
    this.asked++;
    this.view.app.board.setOverlay({});
  }

  choose(square: string): void {
    if (!this.cone || !piecesOf(this.view.tree.current.fen).has(square)) return;
    this.chosen = square;
    void this.ask();
  }

  /** While cones are shown a press on a piece chooses it; otherwise pieces move as usual. */
  get move(): ((from: string, to: string) => void) | undefined {
    return this.cone ? () => undefined : undefined;
  }

  private async ask(): Promise<void> {
    const { view } = this;
    const mine = ++this.asked;
    const ref = view.tree.ref();
    const pieces = piecesOf(view.tree.current.fen);
    if (this.chosen && !pieces.has(this.chosen)) this.chosen = null;
    if (this.cone && !this.chosen) this.chosen = [...pieces.keys()][0] ?? null;
    if (this.cone) view.app.allow(null);
    else if (view.state) view.app.allow(view.state);
    try {
      const [split, heat] = await Promise.all([
        api.split(ref, this.threshold),
        this.cone && this.chosen ? api.cone(ref, this.chosen) : Promise.resolve(null),
      ]);
      if (mine !== this.asked) return;
      this.split = split;
      this.heat = heat;
      this.draw();
    } catch (error) {
      view.app.trouble(error);
    }
  }

  private draw(): void {
    const { split, heat } = this;
    if (!split) return;
    const overlay: Overlay = {};
    if (this.cone && heat) {
      const heights = heat.side === turnOf(this.view.tree.current.fen) ? heat.a : heat.b;
      const most = Math.max(1, ...Object.values(heights).map((plies) => plies ?? 0));
      overlay.tints = SQUARES.flatMap((square) => {
        const plies = heights[square];
        if (plies === null || plies === undefined) return [];
        const share = 1 - plies / most;
        return [
          { square, color: `hsl(${Math.round(250 - 230 * share)} 75% 50%)`, opacity: 0.55, label: String(plies) },
        ];
      });
    }
    if (this.parts && !this.cone) {
      overlay.regions = split.territories.map((squares, index) => ({
        squares,
        color: PALETTE[index % PALETTE.length]!,
      }));
    }
    if (this.tree) {
      overlay.links = split.edges.map(({ from, to, plies, cut }) => ({
        from,
        to,
        label: plies === null ? "∞" : String(plies),
        cut,
      }));
    }
    this.view.app.board.setOverlay(overlay);
    const letters = piecesOf(this.view.tree.current.fen);
    const turn = turnOf(this.view.tree.current.fen);
    const scores = split.search?.parts.length ? split.search.parts : null;
    const rows = split.parts.map((part, index) =>
      h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          h("span", { class: `swatch swatch-${index % PALETTE.length}`, "aria-hidden": "true" }),
          h("span", { class: "part-word" }, t("part", { n: index + 1 })),
          h("span", { class: "part-number" }, String(index + 1)),
        ),
        h(
          "td",
          { class: "part-pieces" },
          part.map((square) => this.piece(letters.get(square) ?? "", square)),
        ),
        h("td", { class: "figure" }, String(split.territories[index]!.length)),
        ...(scores ? this.scores(scores[index], turn) : []),
      ),
    );
    fill(
      this.body,
      this.cone
        ? h(
            "p",
            { class: "notice", id: "cone-note" },
            heat ? t("coneOf", { piece: pieceName(heat.piece), square: heat.square }) : t("coneHint"),
            h("br"),
            t("coneHint"),
          )
        : null,
      h(
        "p",
        { id: "parts-count" },
        split.parts.length === 1 ? t("onePart", { n: this.threshold }) : t("partsCount", { n: split.parts.length }),
      ),
      h(
        "table",
        { class: "parts" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("partHead")),
            h("th", { scope: "col" }, t("pieces")),
            h("th", { scope: "col", class: "figure" }, t("territory")),
            scores ? h("th", { scope: "col", class: "figure" }, t("moveScore")) : null,
            scores ? h("th", { scope: "col", class: "figure" }, t("passScore")) : null,
          ),
        ),
        h("tbody", {}, rows),
      ),
    );
  }

  /** What a part is worth: to move in it, and to move elsewhere. */
  private scores(part: PartScores | undefined, turn: Side): HTMLElement[] {
    return [part?.move, part?.non_move].map((score) =>
      h("td", { class: "figure" }, score ? scoreText(score, turn) : "–"),
    );
  }

  private piece(letter: string, square: string): HTMLElement {
    return h(
      "span",
      { class: "mini", title: `${pieceName(letter)} ${square}` },
      pieceArt(this.view.app.settings.pieces, letter, `${pieceName(letter)} ${square}`),
    );
  }
}
