// What the searches say: the champion, plain alpha-beta, alpha-beta by regions with the values that it adds up, and who wins
// for certain where that can be found out quickly.

import { fill, h, keepingFocus } from "../dom";
import { amazons, type Algorithm, type Analysis, type Effort, type Part, type Position, type Region } from "./api";
import type { Shown } from "./board";
import { swatch } from "./regions";
import { sideName, t } from "./words";

/** Not too deep: where a search sees every square filled there is no territory left to count, and all is worth 0. */
const EFFORT: Effort = { nodes: 200_000, seconds: 3, depth: 4 };
/** With more empty squares than this the exact solver is seldom done in time. */
export const EXACT_SQUARES = 20;
const NAMES = { champion: "champion", plain: "plain", regions: "byRegions", exact: "exact" } as const;

/** Hundredths of a square as squares: +1.2. */
function squares(value: number): string {
  const text = (Math.abs(value) / 100).toFixed(1);
  return (text === "0.0" ? "" : value < 0 ? "−" : "+") + text;
}

function scoreText({ score, winner, algorithm }: Analysis): string {
  // The champion knows who wins, and no more than a bound on when.
  if (winner && (algorithm === "exact" || algorithm === "champion")) return t("sideWins", { side: sideName(winner) });
  if (!score) return t("unsolved");
  if ("cp" in score) return squares(score.cp);
  if ("draw" in score) return squares(0);
  return "win" in score ? t("winIn", { n: score.win }) : t("lossIn", { n: score.loss });
}

function grouped(n: number): string {
  return n.toLocaleString("en").replaceAll(",", "\u202f");
}

export class AnalysisPanel {
  readonly element = h("section", { class: "part", "aria-labelledby": "analysis-title" });
  private readonly body = h("div", { class: "part", id: "analysis" });
  private asking: AbortController | null = null;
  private position: Position | null = null;
  private regions: Shown[] = [];
  private found: Partial<Record<Algorithm, Analysis>> = {};

  constructor(
    private readonly on: () => boolean,
    private readonly turn: (on: boolean) => void,
    private readonly hint: (move: string | null) => void,
    private readonly play: (move: string) => void,
    private readonly trouble: (error: unknown) => void,
  ) {
    this.rebuild();
  }

  rebuild(): void {
    fill(
      this.element,
      h("h2", { id: "analysis-title" }, t("analysis")),
      h(
        "label",
        { class: "toggle" },
        h("input", {
          type: "checkbox",
          id: "analyse",
          checked: this.on(),
          onchange: (event: Event) => this.turn((event.target as HTMLInputElement).checked),
        }),
        h("span", {}, t("analyseSwitch")),
      ),
      this.body,
    );
    this.draw();
  }

  /** Analyses a position, one search after the other; none to stop. */
  show(position: Position | null, regions: Shown[]): void {
    this.asking?.abort();
    this.asking = null;
    this.found = {};
    this.position = position && !position.winner ? position : null;
    this.regions = regions;
    if (this.position && this.on()) void this.ask(this.position);
    this.draw();
  }

  private wanted(position: Position): Algorithm[] {
    return position.empty <= EXACT_SQUARES
      ? ["champion", "plain", "regions", "exact"]
      : ["champion", "plain", "regions"];
  }

  private async ask(position: Position): Promise<void> {
    const asking = new AbortController();
    this.asking = asking;
    try {
      for (const algorithm of this.wanted(position)) {
        this.found[algorithm] = await amazons.analyse(position.fen, algorithm, EFFORT, asking.signal);
        if (this.asking !== asking) return;
        this.draw();
      }
    } catch (error) {
      if (!asking.signal.aborted) this.trouble(error);
    }
  }

  private move(move: string, id: string): HTMLElement {
    return h(
      "button",
      {
        type: "button",
        class: "san",
        id,
        title: t("playMove", { move }),
        "aria-label": t("playMove", { move }),
        onmouseenter: () => this.hint(move),
        onfocus: () => this.hint(move),
        onmouseleave: () => this.hint(null),
        onblur: () => this.hint(null),
        onclick: () => this.play(move),
      },
      move,
    );
  }

  private draw(): void {
    keepingFocus(() => this.drawResults());
  }

  private drawResults(): void {
    const { position, found } = this;
    if (!position || !this.on()) return fill(this.body);
    const rows = this.wanted(position).map((algorithm) => {
      const analysis = found[algorithm];
      const effort = !analysis
        ? ""
        : algorithm === "exact"
          ? t("steps", { n: grouped(analysis.solver_steps) })
          : t("depthNodes", { depth: analysis.depth, nodes: grouped(analysis.nodes) });
      return h(
        "tr",
        { "data-algorithm": algorithm },
        h("th", { scope: "row" }, t(NAMES[algorithm])),
        h("td", { class: "score" }, analysis ? scoreText(analysis) : "…"),
        h("td", {}, analysis?.best ? this.move(analysis.best, `best-${algorithm}`) : ""),
        h("td", { class: "quiet effort" }, effort),
      );
    });
    fill(
      this.body,
      h("p", { class: "quiet" }, t("analysisIntro", { side: sideName(position.turn) })),
      h(
        "table",
        { class: "searches" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("search")),
            h("th", { scope: "col" }, t("value")),
            h("th", { scope: "col" }, t("bestMove")),
            h("th", { scope: "col" }, t("effort")),
          ),
        ),
        h("tbody", {}, rows),
      ),
      position.empty > EXACT_SQUARES ? h("p", { class: "quiet" }, t("tooEarly", { n: EXACT_SQUARES })) : null,
      this.sum(),
    );
  }

  /** What the search by regions has added up. */
  private sum(): Node[] {
    const { regions: analysis, exact } = this.found;
    const parts = analysis?.regions.filter((part) => part.pass !== null) ?? [];
    if (!analysis?.score || !parts.length) return [];
    const gainOf = (part: Part) => (part.move === null || part.pass === null ? null : part.move - part.pass);
    const gains = parts.map(gainOf).filter((gain) => gain !== null);
    const best = Math.max(...gains);
    const sum = parts.reduce((all, part) => all + (part.pass ?? 0), 0);
    const same = (a: Region, b: Region) => a.squares[0] === b.squares[0];
    const order = (part: Part) => this.regions.findIndex(({ region }) => same(region, part));
    parts.sort((a, b) => order(a) - order(b));
    const chosen = parts.find((part) => gainOf(part) === best);
    const number = (value: number | null) => h("td", { class: "figure" }, value === null ? "–" : squares(value));
    const rows = parts.map((part) =>
      h(
        "tr",
        { class: part === chosen ? "chosen" : null },
        h("th", { scope: "row" }, swatch(part), this.regions[order(part)]?.label ?? ""),
        number(part.move),
        number(part.pass),
        number(gainOf(part)),
        h("td", { class: "best-in" }, part.best ? this.move(part.best, `best-in-${part.squares[0]!}`) : "–"),
        exact ? h("td", { class: "figure" }, exact.regions.find((known) => same(known, part))?.value ?? "–") : null,
      ),
    );
    return [
      h(
        "table",
        { class: "parts", id: "sub-boards" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("region")),
            h("th", { scope: "col", class: "figure" }, t("moving")),
            h("th", { scope: "col", class: "figure" }, t("notMoving")),
            h("th", { scope: "col", class: "figure" }, t("gain")),
            h("th", { scope: "col", class: "best-in" }, t("bestMove")),
            exact ? h("th", { scope: "col", class: "figure" }, t("exactValue")) : null,
          ),
        ),
        h("tbody", {}, rows),
      ),
      h("p", { id: "sum" }, t("sumOf", { sum: squares(sum), gain: squares(best), value: squares(sum + best) })),
    ];
  }
}
