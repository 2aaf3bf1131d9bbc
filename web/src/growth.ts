// Complexity-driven search, to be watched: the tree as it grew, why each candidate escaped, and the curve of the
// budget. For either game; the page that shows it asks the question and names the moves.

import { fill, h, icon, keepingFocus, s } from "./dom";
import { maybe, t } from "./i18n/growth";

export interface EscapeCandidate {
  spent: number;
  move: string;
  value: number;
  share: number;
  threshold: number;
  visited: number;
  children: number;
}
export interface EscapeNode {
  parent: number | null;
  move: string | null;
  best: boolean;
  solved: boolean;
  complexity: number;
  children: number;
  visited: number;
  born: number;
  expanded: number | null;
  values: { spent: number; value: number }[];
  escape: EscapeCandidate | null;
}
export interface EscapeSearch {
  fen: string;
  local: string;
  global: string;
  left: number;
  move: string | null;
  value: number;
  spent: number;
  share: number;
  ended: string;
  candidates: EscapeCandidate[];
  budget: { spent: number; share: number; value: number; threshold: number }[];
  tree: EscapeNode[];
}
/** How to search. */
export interface EscapeWish {
  [name: string]: string | number;
  local: string;
  global: string;
  left: number;
}

/** What the page adds: the choices that suit its game, how it asks, and how it shows a move on its board. */
export interface Growing {
  /** The level of its headings. */
  heading: "h2" | "h3";
  locals: string[];
  globals: string[];
  wish: EscapeWish;
  ask(wish: EscapeWish, signal: AbortSignal): Promise<EscapeSearch>;
  /** The name of a move. */
  name(move: string): string;
  hint(move: string | null): void;
  trouble(error: unknown): void;
}

const LEFT = [3_000, 10_000, 30_000, 100_000, 300_000];
const ENDED: Record<string, string> = {
  solved: "solved",
  "good enough to move": "escaped",
  "nothing left to spend": "spent",
  stopped: "stopped",
  "memory too small": "full",
};
const COLUMN = 104;
const ROW = 26;
const CHART = { width: 480, height: 190, left: 44, right: 8, top: 10, bottom: 26 };
/** How long a tree takes to grow before the reader's eyes, in milliseconds. */
const GROWING = 6000;

function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return (text === "0.00" ? "" : value < 0 ? "−" : "+") + text;
}

function grouped(n: number): string {
  return Math.round(n).toLocaleString("en").replaceAll(",", "\u202f");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

/** The value of a node once so much was spent; none before it was looked at. */
function valueAt(node: EscapeNode, spent: number): number | null {
  let found: number | null = null;
  for (const value of node.values) if (value.spent <= spent) found = value.value;
  return found;
}

export class GrowthPanel {
  readonly element = h("div", { class: "growth" });
  private found: EscapeSearch | null = null;
  private asking: AbortController | null = null;
  private again: (() => void) | null = null;
  private time = 0;
  private timer = 0;
  private chosen: number | null = null;
  private readonly summary = h("p", { class: "growth-summary", id: "growth-summary", role: "status" });
  private readonly slider = h("input", {
    type: "range",
    id: "growth-time",
    min: "0",
    step: "1",
    oninput: () => this.seek(Number(this.slider.value)),
  });
  private readonly clock = h("span", { id: "growth-clock" });
  private readonly grow = h("button", {
    type: "button",
    class: "tool",
    id: "growth-play",
    onclick: () => this.toggle(),
  });
  private readonly tree = h("div", { class: "growth-tree", id: "growth-tree", tabindex: "0", role: "region" });
  private readonly why = h("p", { class: "growth-why", id: "growth-why", "aria-live": "polite" });
  private readonly list = h("div", { class: "growth-candidates" });
  private readonly budget = h("div", { class: "growth-budget" });
  private readonly results = h("div", { class: "growth-results", hidden: true });

  constructor(private readonly page: Growing) {
    this.rebuild();
  }

  rebuild(): void {
    const { wish } = this.page;
    const choice = (id: "local" | "global" | "left", values: (string | number)[]) =>
      h(
        "label",
        { class: "growth-wish" },
        h("span", {}, t(id)),
        h(
          "select",
          {
            id: `growth-${id}`,
            onchange: (event: Event) => {
              const { value } = event.target as HTMLSelectElement;
              if (id === "left") wish.left = Number(value);
              else wish[id] = value;
              this.again?.();
            },
          },
          values.map((value) =>
            h(
              "option",
              { value: String(value), selected: wish[id] === value },
              typeof value === "number" ? grouped(value) : value,
            ),
          ),
        ),
      );
    this.slider.setAttribute("aria-label", t("at", { n: "" }));
    this.tree.setAttribute("aria-label", t("tree"));
    fill(
      this.element,
      h("p", { class: "quiet" }, t("intro")),
      h(
        "div",
        { class: "growth-wishes" },
        choice("local", this.page.locals),
        choice("global", this.page.globals),
        choice("left", LEFT),
      ),
      this.summary,
      this.results,
    );
    fill(
      this.results,
      h("div", { class: "growth-clock" }, this.grow, this.slider, this.clock),
      h(this.page.heading, { class: "growth-heading" }, t("tree")),
      this.tree,
      this.why,
      h(this.page.heading, { class: "growth-heading" }, t("candidates")),
      this.list,
      h(this.page.heading, { class: "growth-heading" }, t("budget")),
      this.budget,
    );
    this.draw();
  }

  /** Searches a position; `null` to stop. */
  show(position: object | null): void {
    this.stop();
    this.asking?.abort();
    this.asking = null;
    this.again = position && (() => this.show(position));
    if (position) void this.search();
    else {
      this.found = null;
      this.draw();
    }
  }

  private async search(): Promise<void> {
    const asking = new AbortController();
    this.asking = asking;
    this.summary.textContent = t("searching");
    try {
      const found = await this.page.ask(this.page.wish, asking.signal);
      if (this.asking !== asking) return;
      this.found = found;
      this.chosen = null;
      this.time = found.spent;
      this.draw();
    } catch (error) {
      if (this.asking !== asking || asking.signal.aborted) return;
      this.found = null;
      this.draw();
      this.page.trouble(error);
    }
  }

  private toggle(): void {
    if (this.timer) return this.stop();
    const { found } = this;
    if (!found) return;
    const from = this.time >= found.spent ? 0 : this.time;
    const begun = performance.now();
    const step = () => {
      const time = from + ((performance.now() - begun) / GROWING) * found.spent;
      this.seek(Math.min(time, found.spent));
      this.timer = time < found.spent ? requestAnimationFrame(step) : 0;
      this.button();
    };
    this.timer = requestAnimationFrame(step);
    this.button();
  }

  private stop(): void {
    cancelAnimationFrame(this.timer);
    this.timer = 0;
    this.button();
  }

  private button(): void {
    const text = t(this.timer ? "pause" : "play");
    if (this.grow.title === text) return;
    this.grow.title = text;
    this.grow.setAttribute("aria-label", text);
    fill(this.grow, icon(this.timer ? "stop" : "play"));
  }

  private seek(time: number): void {
    this.time = Math.round(time);
    keepingFocus(() => this.drawTime());
  }

  private draw(): void {
    const { found } = this;
    this.results.hidden = !found;
    this.button();
    if (!found) {
      if (!this.asking) this.summary.textContent = "";
      this.page.hint(null);
      return;
    }
    this.summary.textContent = t("chosen", {
      move: found.move ? this.page.name(found.move) : "–",
      value: signed(found.value),
      spent: grouped(found.spent),
      left: grouped(found.left),
      ended: maybe(`ended_${ENDED[found.ended] ?? ""}`) ?? found.ended,
    });
    this.slider.max = String(found.spent);
    this.drawTime();
  }

  /** All that depends on how much was spent. */
  private drawTime(): void {
    const { found } = this;
    if (!found) return;
    this.slider.value = String(this.time);
    this.clock.textContent = t("at", { n: grouped(this.time) });
    this.drawTree(found);
    this.drawWhy(found);
    this.drawList(found);
    this.drawBudget(found);
    const candidate = found.candidates.filter(({ spent }) => spent <= this.time).at(-1);
    this.page.hint(this.time >= found.spent ? found.move : (candidate?.move ?? null));
  }

  private nameOf(node: EscapeNode): string {
    return node.move ? this.page.name(node.move) : t("root");
  }

  private drawTree({ tree }: EscapeSearch): void {
    const shown = tree;
    const children = shown.map((_, index) => shown.flatMap((node, at) => (node.parent === index ? [at] : [])));
    const depth: number[] = [];
    const row: number[] = [];
    let rows = 0;
    const place = (index: number, ply: number): void => {
      depth[index] = ply;
      // The best line runs straight on; below it, what took most comes first.
      const order = children[index]!.sort(
        (a, b) =>
          Number(shown[b]!.best) - Number(shown[a]!.best) ||
          shown[b]!.complexity - shown[a]!.complexity ||
          shown[a]!.born - shown[b]!.born,
      );
      if (!order.length) row[index] = rows++;
      for (const child of order) place(child, ply + 1);
      if (order.length) row[index] = row[order[0]!]!;
    };
    place(0, 0);
    const x = (index: number) => 16 + COLUMN * depth[index]!;
    const y = (index: number) => 24 + ROW * row[index]!;
    const now = (index: number) => {
      const node = shown[index]!;
      // The root is there from the beginning.
      if (node.parent === null) return valueAt(node, this.time) ?? node.values[0]!.value;
      return node.born > this.time ? null : valueAt(node, this.time);
    };
    const most = Math.max(1, shown[0]!.complexity);
    const width = 16 + COLUMN * (Math.max(...depth) + 1);
    const height = 24 + ROW * rows;
    const links = shown.map((node, index) => {
      if (node.parent === null || now(index) === null) return null;
      const [x0, y0, x1, y1] = [x(node.parent), y(node.parent), x(index), y(index)];
      const middle = (x0 + x1) / 2;
      return s("path", {
        d: `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`,
        class: node.best ? "growth-link best" : "growth-link",
        "stroke-width": (1 + 7 * Math.sqrt(node.complexity / most)).toFixed(1),
      });
    });
    const nodes = shown.map((node, index) => {
      const value = now(index);
      if (value === null) return null;
      const name = this.nameOf(node);
      const expanded = node.expanded !== null && node.expanded <= this.time;
      const choose = () => {
        this.chosen = index;
        keepingFocus(() => this.drawTime());
      };
      const mark = s(
        "g",
        {
          class: `growth-node${node.best ? " best" : ""}${this.chosen === index ? " chosen" : ""}`,
          id: `growth-node-${index}`,
          role: "button",
          tabindex: "0",
          transform: `translate(${x(index)} ${y(index)})`,
          "aria-label": t("node", { move: name, value: signed(value) }),
          "aria-pressed": String(this.chosen === index),
        },
        s("rect", { x: -10, y: -ROW / 2, width: COLUMN - 6, height: ROW, class: "growth-touch" }),
        s("circle", {
          r: 5,
          class: node.solved ? "solved" : expanded ? "expanded" : "visited",
        }),
        node.move
          ? s(
              "text",
              children[index]!.length ? { x: 7, y: -8 } : { x: 9, y: 4 },
              name,
              s("tspan", { class: "growth-value", dx: 4 }, signed(value)),
            )
          : null,
      );
      mark.addEventListener("click", choose);
      mark.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      });
      return mark;
    });
    const { scrollLeft, scrollTop } = this.tree;
    fill(
      this.tree,
      s(
        "svg",
        { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("tree") },
        links,
        nodes,
      ) as unknown as HTMLElement,
    );
    this.tree.scrollTo(scrollLeft, scrollTop);
  }

  /** What is known of the node that was pressed. */
  private drawWhy({ tree }: EscapeSearch): void {
    const node = this.chosen === null ? null : tree[this.chosen];
    if (!node) {
      this.why.textContent = t("treeHint");
      return;
    }
    const move = this.nameOf(node);
    const value = valueAt(node, this.time);
    const { visited, children, escape } = node;
    const parts =
      value === null
        ? [t("unvisited", { move })]
        : !visited
          ? [t("leaf", { move, value: signed(value) })]
          : [t("open", { move, value: signed(value), visited, children, n: grouped(node.complexity) })];
    if (node.solved) parts.push(t("solved"));
    if (escape) parts.push(this.reason(escape));
    this.why.textContent = parts.join(" ");
  }

  private reason({ move, value, threshold, share }: EscapeCandidate): string {
    const words = {
      best: this.page.name(move),
      value: signed(value),
      threshold: signed(threshold),
      share: percent(share),
    };
    return t(value < threshold ? "escapedLast" : "escaped", words);
  }

  private drawList(found: EscapeSearch): void {
    const at = found.candidates.filter(({ spent }) => spent <= this.time).length - 1;
    const head = (text: string) => h("th", { scope: "col", class: "figure" }, text);
    const rows = found.candidates.map((candidate, index) =>
      h(
        "tr",
        { class: index === at ? "chosen" : null, title: this.reason(candidate) },
        h("td", { class: "figure" }, grouped(candidate.spent)),
        h(
          "td",
          {},
          h(
            "button",
            {
              type: "button",
              class: "san",
              id: `growth-candidate-${index}`,
              onclick: () => {
                this.stop();
                this.chosen = 0;
                this.seek(candidate.spent);
              },
            },
            this.page.name(candidate.move),
          ),
        ),
        h("td", { class: "figure" }, signed(candidate.value)),
        h("td", { class: "figure" }, signed(candidate.threshold)),
        h("td", { class: "figure" }, t("of", { n: candidate.visited, all: candidate.children })),
      ),
    );
    fill(
      this.list,
      h(
        "table",
        { class: "parts", id: "growth-candidates" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head(t("when")),
            h("th", { scope: "col" }, t("move")),
            head(t("value")),
            head(t("asked")),
            head(t("seen")),
          ),
        ),
        h("tbody", {}, rows),
      ),
    );
  }

  private drawBudget({ budget, share, spent }: EscapeSearch): void {
    const { width, height, left, right, top, bottom } = CHART;
    const most = Math.max(share, ...budget.map((one) => one.share), 1e-9);
    const x = (of: number) => left + (of / most) * (width - left - right);
    const y = (value: number) => top + ((1 - value) / 2) * (height - top - bottom);
    const line = (of: "value" | "threshold") =>
      budget.map((one) => `${x(one.share).toFixed(1)} ${y(one[of]).toFixed(1)}`).join("L");
    const now = x((this.time / Math.max(1, spent)) * share);
    const label = (value: number) =>
      s("text", { x: left - 4, y: y(value) + 4, class: "growth-axis", "text-anchor": "end" }, signed(value));
    fill(
      this.budget,
      h(
        "p",
        { class: "growth-legend" },
        h("span", { class: "key value" }, t("rootValue")),
        h("span", { class: "key asked" }, t("asked")),
      ),
      s(
        "svg",
        { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("budgetAlt") },
        s("path", { d: `M${left} ${y(1)}V${y(-1)}H${width - right}`, class: "growth-frame" }),
        s("path", { d: `M${left} ${y(0)}H${width - right}`, class: "growth-zero" }),
        [1, 0, -1].map(label),
        s("path", { d: `M${line("threshold")}`, class: "growth-asked" }),
        s("path", { d: `M${line("value")}`, class: "growth-line" }),
        s("path", { d: `M${now.toFixed(1)} ${y(1)}V${y(-1)}`, class: "growth-now" }),
        s(
          "text",
          { x: width - right, y: height - 6, class: "growth-axis", "text-anchor": "end" },
          t("share", { n: percent(share) }),
        ),
      ) as unknown as HTMLElement,
    );
  }
}
