// The truth: what the endgame tables say about every move.

import { api, Refused, type Outcome, type Probed } from "../api";
import { fill, h, icon } from "../dom";
import { faultText, sideName, t, type Key } from "../i18n";
import { MoveList } from "../movelist";
import { piecesOf, Tree, turnOf } from "../tree";
import { TableBuild } from "../tables";
import { endingWords, moveText } from "../words";
import type { AnalysisView, Tab } from "./analysis";

/** Elephant and tiger against elephant: won, but not at once. */
const EXAMPLE = "7/7/3e3/7/7/7/3E3/1T5/7 w - - 0 1";
const WORDS: Record<Outcome, Key> = { win: "win", draw: "drawWord", loss: "loss" };
const COLORS: Record<Outcome, string> = { win: "#15781b", draw: "#8a6d1a", loss: "#b03a2e" };

export class TruthTab implements Tab {
  readonly element = h("div", { class: "truth-tab" });
  private asked = 0;
  private playing = 0;
  private readonly list: MoveList;
  private readonly body = h("div", {});
  private readonly build: TableBuild;

  constructor(private readonly view: AnalysisView) {
    this.list = new MoveList((node) => view.go(node));
    this.build = new TableBuild(
      () => void this.ask(),
      (error) => view.app.trouble(error),
    );
    this.rebuild();
  }

  rebuild(): void {
    fill(this.element, this.body, this.list.element);
  }

  show(): void {
    this.view.app.bar.hidden = true;
    this.list.show(this.view.tree);
    void this.ask();
  }

  hide(): void {
    this.stop();
    this.build.hide();
    this.asked++;
  }

  private async ask(): Promise<void> {
    const { view } = this;
    const mine = ++this.asked;
    const node = view.tree.current;
    try {
      const state = await view.app.state(view.tree.ref(node));
      if (mine !== this.asked) return;
      if (state.ending) {
        this.stop();
        const { title, text } = endingWords(state.ending, null);
        view.app.board.setArrows([]);
        return fill(
          this.body,
          h(
            "div",
            { class: `verdict ${state.ending.winner ?? "draw"}`, id: "truth-verdict" },
            h("h2", {}, title),
            h("p", {}, text),
          ),
        );
      }
      const probed = await api.tablebase(view.tree.ref(node));
      if (mine === this.asked) this.table(probed);
    } catch (error) {
      if (mine !== this.asked) return;
      this.stop();
      view.app.board.setArrows([]);
      if (!(error instanceof Refused)) return view.app.trouble(error);
      const n = piecesOf(node.fen).size;
      const { code } = error.fault;
      const text =
        code === "too-many-pieces"
          ? t("truthNone", { n })
          : code === "missing-table"
            ? t("truthMissing")
            : faultText(error.fault);
      const wanted = code === "too-many-pieces" || code === "missing-table" ? n : 0;
      fill(
        this.body,
        h("p", {}, t("truthIntro")),
        h("p", { class: "notice", id: "truth-none" }, text),
        wanted ? this.build.show(view.tree.rules, wanted) : null,
        h(
          "button",
          {
            type: "button",
            class: "action wide",
            id: "truth-example",
            onclick: () => view.load(new Tree(EXAMPLE, view.tree.rules)),
          },
          icon("book"),
          h("span", {}, t("truthExample")),
        ),
      );
    }
  }

  private table(probed: Probed): void {
    const { view } = this;
    const side = sideName(turnOf(view.tree.current.fen));
    const best = probed.moves[0];
    if (view.app.settings.arrows) {
      view.app.board.setArrows(
        best ? [{ from: best.move.slice(0, 2), to: best.move.slice(2, 4), color: COLORS[best.outcome] }] : [],
      );
    }
    const rows = probed.moves.map((row) =>
      h(
        "tr",
        { class: `outcome-${row.outcome}` },
        h(
          "td",
          {},
          h(
            "button",
            { type: "button", class: "san", "data-move": row.move, onclick: () => this.play(row.move) },
            moveText(row.san),
          ),
        ),
        h("td", {}, h("span", { class: "outcome" }, t(WORDS[row.outcome]))),
        h("td", { class: "figure" }, row.plies === null ? "–" : String(row.plies)),
      ),
    );
    fill(
      this.body,
      h(
        "div",
        { class: `truth-head ${probed.outcome}`, id: "truth-head" },
        h("h2", {}, t(`truth_${probed.outcome}` as Key, { side, n: probed.plies ?? 0 })),
        h("button", { type: "button", class: "small", id: "why", onclick: () => view.openTab("explain") }, t("why")),
        probed.outcome === "draw"
          ? null
          : h(
              "button",
              { type: "button", class: "primary", id: "play-out", onclick: () => void this.playOut() },
              icon(this.playing ? "stop" : "play"),
              t(this.playing ? "stop" : "playOut"),
            ),
      ),
      h(
        "table",
        { class: "truth" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("move")),
            h("th", { scope: "col" }, t("outcome")),
            h("th", { scope: "col", class: "figure" }, t("distance")),
          ),
        ),
        h("tbody", {}, rows),
      ),
    );
  }

  private play(move: string): void {
    this.stop();
    void this.view.make(move).catch((error: unknown) => this.view.app.trouble(error));
  }

  private stop(): void {
    clearInterval(this.playing);
    this.playing = 0;
  }

  private async playOut(): Promise<void> {
    const { view } = this;
    if (this.playing) {
      this.stop();
      return void this.ask();
    }
    try {
      const line = await api.line(view.tree.ref());
      const moves = [...line.line];
      this.playing = window.setInterval(() => {
        const move = moves.shift();
        if (!move) return this.stop();
        view.make(move).catch((error: unknown) => {
          this.stop();
          view.app.trouble(error);
        });
      }, 700);
      void this.ask();
    } catch (error) {
      view.app.trouble(error);
    }
  }
}
