// Why a move is the only one: what the others lead to, from the tables; and the way of the position down the tree that
// explains its class.

import { api, Refused, type GameRef, type Mined, type MinedNode, type Outcome, type Probed } from "../api";
import { fill, h } from "../dom";
import { sideName, t, type Key } from "../i18n";
import { answerWords, questionWords } from "../questions";
import { piecesOf, turnOf } from "../tree";
import { moveText, other } from "../words";

const WORDS: Record<Outcome, Key> = { win: "win", draw: "drawWord", loss: "loss" };
/** Classes of more pieces have no tree. */
const MOST_PIECES = 4;

export class Why {
  readonly element = h("section", { class: "why", id: "why-box", hidden: true });
  private waiting: AbortController | null = null;

  constructor(private readonly trouble: (error: unknown) => void) {}

  hide(): void {
    this.waiting?.abort();
    this.waiting = null;
    this.element.hidden = true;
  }

  /** Says why this is the only move here. */
  async show(ref: GameRef, fen: string, san: string, proved: "tables" | "search"): Promise<void> {
    this.hide();
    const control = new AbortController();
    this.waiting = control;
    const [others, tree] = [h("div", {}), h("div", { class: "why-tree", "aria-live": "polite" })];
    fill(this.element, h("h3", {}, t("whyTitle")), others, tree);
    this.element.hidden = false;
    const n = piecesOf(fen).size;
    const shown = moveText(san);
    let truth: Outcome;
    try {
      const probed = await api.tablebase(ref);
      if (control.signal.aborted) return;
      truth = probed.outcome;
      fill(others, this.table(probed, shown));
    } catch (error) {
      if (control.signal.aborted) return;
      if (!(error instanceof Refused)) return this.trouble(error);
      fill(
        others,
        h("p", {}, proved === "search" ? t("whySearch", { san: shown }) : t("whyNoTables", { n, san: shown })),
      );
      return;
    }
    if (n > MOST_PIECES) return;
    fill(tree, h("p", { class: "quiet" }, t("whyGrowing")));
    try {
      const wish = { max_depth: n === MOST_PIECES ? 4 : 6, prune: false, features: undefined };
      const mined = await api.minePosition(ref, wish, control.signal);
      if (!control.signal.aborted) fill(tree, this.way(mined, fen, truth));
    } catch (error) {
      if (control.signal.aborted) return;
      fill(tree);
      if (!(error instanceof Refused)) this.trouble(error);
    }
  }

  private table(probed: Probed, san: string): Node[] {
    const rows = probed.moves.map((row) =>
      h(
        "tr",
        { class: `outcome-${row.outcome}` },
        h("td", {}, moveText(row.san)),
        h("td", {}, h("span", { class: "outcome" }, t(WORDS[row.outcome]))),
        h("td", { class: "figure" }, row.plies === null ? "–" : String(row.plies)),
      ),
    );
    const heads: Key[] = ["move", "outcome", "distance"];
    return [
      h("p", {}, t("whyOnly", { san })),
      h(
        "table",
        { class: "truth" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((key, at) => h("th", { scope: "col", class: at === 2 ? "figure" : null }, t(key))),
          ),
        ),
        h("tbody", {}, rows),
      ),
    ];
  }

  /** The questions that the position answers on its way to a leaf. */
  private way(mined: Mined, fen: string, truth: Outcome): Node[] {
    const steps: Node[] = [];
    let node: MinedNode = mined.report.tree;
    for (const child of mined.path ?? []) {
      const next = node.children?.[child];
      if (!next || !node.feature) break;
      const answer = answerWords(node, child, mined.swapped).replace(/[:：]$/, "");
      steps.push(h("li", {}, questionWords(node.feature, mined.swapped), " ", h("b", {}, answer)));
      node = next.then;
    }
    if (!steps.length || !node.outcome) return [];
    const mover = turnOf(fen);
    const winner = node.outcome === "white" ? mover : other(mover);
    const claim = node.outcome === "draw" ? t("whyClaimDraw") : t("whyClaimWhite", { side: sideName(winner) });
    // A tree of few questions errs now and then, and puzzles are where it does.
    const errs = { white: "win", draw: "draw", black: "loss" }[node.outcome] !== truth;
    return [
      h("p", {}, t("whyTree")),
      h("ol", {}, steps),
      h("p", {}, t(errs ? "whyTreeErrs" : "whyTreeClaim", { claim })),
    ];
  }
}
