// The engine at work: lines with arrows, the evaluation bar, the graph, and the search for mistakes.

import {
  api,
  Refused,
  Unreachable,
  type EngineLine,
  type Judgement,
  type Score,
  type Side,
  type Thought,
} from "../api";
import { fill, h, icon } from "../dom";
import { Graph } from "../graph";
import { faultText, sideName, t } from "../i18n";
import { keepOwn, type Own } from "../puzzles/store";
import { MoveList, NAGS } from "../movelist";
import { where } from "../local/desks";
import { keep } from "../settings";
import { turnOf, type TreeNode } from "../tree";
import { moveText, redShare, scoreText, shortNumber } from "../words";
import type { AnalysisView, Tab } from "./analysis";

/** How long one search goes on, in seconds; then one can ask for more. */
const SECONDS = 60;
/** By how much a move must lower the mover's chances, or its score in hundredths, to be called something. */
const FAULTS: [least: number, nag: number, name: "blunder" | "mistake" | "inaccuracy", worth: number][] = [
  [0.25, 4, "blunder", 200],
  [0.15, 2, "mistake", 110],
  [0.08, 6, "inaccuracy", 60],
];
const ARROWS = ["#15781b", "#1f5fa8", "#7a4fa3", "#8a6d1a", "#5f6a72"];

export class EngineTab implements Tab {
  readonly element = h("div", { class: "engine-tab" });
  private on = false;
  private control: AbortController | null = null;
  private thought: Thought | null = null;
  private at: TreeNode | null = null;
  private note = "";
  private reviewing: AbortController | null = null;
  private reviewNote = "";
  /** Where the game was lost for good. */
  private turning: TreeNode | null = null;
  /** The mistake that is being tried again. */
  private retrying: TreeNode | null = null;
  private faults: { node: TreeNode; name: "blunder" | "mistake" | "inaccuracy" }[] | null = null;
  private readonly head = h("div", { class: "engine-head" });
  private readonly lines = h("div", { class: "lines", "aria-live": "off" });
  private readonly list: MoveList;
  private readonly graph: Graph;
  private readonly annotate = h("div", { class: "annotate" });
  private readonly mistakes = h("div", { class: "mistakes" });

  constructor(private readonly view: AnalysisView) {
    this.list = new MoveList((node) => view.go(node));
    this.graph = new Graph((node) => view.go(node));
    this.rebuild();
  }

  rebuild(): void {
    fill(this.element, this.head, this.lines, this.list.element, this.annotate, this.graph.element, this.mistakes);
    this.draw();
  }

  show(): void {
    const node = this.view.tree.current;
    if (node !== this.at) {
      this.at = node;
      this.thought = null;
      if (this.on) void this.start();
    }
    this.drawAll();
  }

  hide(): void {
    this.halt();
    this.at = null;
  }

  reconnected(): void {
    if (this.on) void this.start();
  }

  private halt(): void {
    this.control?.abort();
    this.control = null;
  }

  private async start(): Promise<void> {
    this.halt();
    const { view } = this;
    const node = view.tree.current;
    this.note = "";
    const control = new AbortController();
    this.control = control;
    try {
      const state = await view.app.state(view.tree.ref(node));
      if (control.signal.aborted) return;
      if (state.ending) return this.draw();
      this.note = t("engineWaiting");
      this.draw();
      await api.analyse(view.tree.ref(node), view.app.settings.lines, SECONDS, control.signal, (thought) => {
        if (control.signal.aborted) return;
        this.note = "";
        this.thought = thought;
        const best = thought.lines[0];
        if (best) node.judged = best;
        this.draw();
        this.graph.show(view.tree);
      });
    } catch (error) {
      if (control.signal.aborted) return;
      if (error instanceof Refused) {
        this.note = faultText(error.fault);
        if (error.status === 503) {
          setTimeout(
            () => {
              if (this.control === control && this.on) void this.start();
            },
            (error.fault.retry_after ?? 5) * 1000,
          );
        } else {
          this.on = false;
        }
      } else if (error instanceof Unreachable) {
        this.note = t("serverGone");
      } else {
        this.note = String(error);
      }
      this.draw();
    }
  }

  private toggle(): void {
    this.on = !this.on;
    if (this.on) void this.start();
    else this.halt();
    this.note = "";
    this.drawAll();
  }

  private drawAll(): void {
    this.draw();
    this.list.show(this.view.tree);
    this.graph.show(this.view.tree);
    this.drawAnnotate();
    this.drawMistakes();
  }

  private draw(): void {
    const { view } = this;
    const { settings } = view.app;
    const thought = this.thought;
    const turn = turnOf(view.tree.current.fen);
    const judged: Judgement | undefined = thought?.lines[0] ?? view.tree.current.judged;
    const first = this.head.firstElementChild as HTMLElement | null;
    const label = t(this.on ? "stopEngine" : "startEngine");
    if (!first || first.dataset["label"] !== label + settings.lines) {
      // Rebuilt only when it changes, so that it keeps the focus.
      const focused = this.head.contains(document.activeElement) ? (document.activeElement as HTMLElement).id : null;
      fill(
        this.head,
        h(
          "button",
          {
            type: "button",
            class: this.on ? "engine-switch on" : "engine-switch",
            id: "engine-switch",
            "aria-pressed": String(this.on),
            "data-label": label + settings.lines,
            onclick: () => this.toggle(),
          },
          icon(this.on ? "stop" : "play"),
          label,
        ),
        h("span", { class: "engine-score", id: "engine-score" }),
        h("span", { class: "engine-facts", id: "engine-facts" }),
        h(
          "label",
          { class: "line-count" },
          h("span", {}, t("lines")),
          h(
            "select",
            {
              id: "line-count",
              "aria-label": t("lines"),
              onchange: (event: Event) => {
                settings.lines = Number((event.target as HTMLSelectElement).value);
                keep("settings", settings);
                if (this.on) void this.start();
                this.draw();
              },
            },
            [1, 2, 3, 4, 5].map((n) => h("option", { value: n, selected: n === settings.lines }, String(n))),
          ),
        ),
      );
      if (focused) this.head.querySelector<HTMLElement>(`#${focused}`)?.focus();
    }
    const facts = thought
      ? [
          t("depth", { depth: thought.depth, seldepth: thought.seldepth }),
          t("speed", { nps: shortNumber(thought.nps) }),
          t("nodes", { nodes: shortNumber(thought.nodes) }),
          ...(thought.tbhits ? [t("tbhits", { n: shortNumber(thought.tbhits) })] : []),
          t(where),
        ]
      : [];
    this.head.querySelector("#engine-score")!.textContent = judged ? scoreText(judged.score, turn) : "";
    this.head.querySelector("#engine-facts")!.textContent =
      this.note || (facts.length ? facts.join(" · ") : this.on ? "" : `${t("engineOff")} · ${t(where)}`);
    fill(
      this.lines,
      (thought?.lines ?? []).map((line, index) => this.line(line, index, turn)),
      thought?.done && this.on && thought.lines[0] && "cp" in thought.lines[0].score
        ? h("button", { type: "button", class: "small", onclick: () => void this.start() }, t("goDeeper"))
        : null,
    );
    this.bar(judged ?? null, turn);
    if (settings.arrows) {
      view.app.board.setArrows(
        [...(thought?.lines ?? [])]
          .reverse()
          .flatMap((line, index, all) => {
            const rank = all.length - 1 - index;
            const best = line.pv[0];
            return best
              ? [{ from: best.slice(0, 2), to: best.slice(2, 4), color: ARROWS[rank]!, width: 15 - 2 * rank }]
              : [];
          })
          .concat(this.mistakeArrow()),
      );
    } else {
      view.app.board.setArrows([]);
    }
  }

  /** What should have been played instead, when looking at a mistake. */
  private mistakeArrow(): { from: string; to: string; color: string; width: number }[] {
    const node = this.view.tree.current;
    const best = this.faults?.some((fault) => fault.node === node) ? node.parent?.best : undefined;
    return best ? [{ from: best.slice(0, 2), to: best.slice(2, 4), color: "#15781b", width: 11 }] : [];
  }

  private line(line: EngineLine, index: number, turn: Side): HTMLElement {
    return h(
      "div",
      { class: "line" },
      h("span", { class: `line-score line-${index}` }, scoreText(line.score, turn)),
      h(
        "button",
        {
          type: "button",
          class: "line-moves",
          title: line.san.map(moveText).join(" "),
          onclick: () => {
            void this.view.make(line.pv[0]!).catch((error: unknown) => this.view.app.trouble(error));
          },
        },
        line.san.slice(0, 14).map(moveText).join(" "),
      ),
      h(
        "button",
        {
          type: "button",
          class: "tool tiny",
          "aria-label": `+ ${line.san.slice(0, 8).map(moveText).join(" ")}`,
          onclick: () => {
            void this.view.addLine(line.pv).catch((error: unknown) => this.view.app.trouble(error));
          },
        },
        icon("plus"),
      ),
    );
  }

  private bar(judged: Judgement | null, turn: Side): void {
    const { bar, board } = this.view.app;
    bar.hidden = !judged;
    if (!judged) return;
    const red = Math.round(redShare(judged, turn) * 100);
    bar.style.setProperty("--red", `${red}%`);
    bar.classList.toggle("flipped", board.isFlipped);
    bar.setAttribute("aria-valuenow", String(red));
    const text = scoreText(judged.score, turn);
    bar.setAttribute("aria-label", t("evaluation", { text }));
    bar.title = t("evaluation", { text });
  }

  private drawAnnotate(): void {
    const { view } = this;
    const node = view.tree.current;
    const comment = h("input", {
      type: "text",
      id: "comment",
      value: node.comment,
      placeholder: t("commentHint"),
      "aria-label": t("comment"),
      onchange: (event: Event) => {
        node.comment = (event.target as HTMLInputElement).value.trim();
        view.save();
        this.list.show(view.tree);
      },
    });
    const mark = (nag: number) =>
      h(
        "button",
        {
          type: "button",
          class: "nag-button",
          "aria-pressed": String(node.nags.includes(nag)),
          "aria-label": `${t("mark")} ${NAGS[nag]}`,
          onclick: () => {
            node.nags = node.nags.includes(nag) ? [] : [nag];
            view.save();
            this.drawAll();
          },
        },
        NAGS[nag]!,
      );
    fill(
      this.annotate,
      comment,
      node.move
        ? h(
            "div",
            { class: "row-of-buttons" },
            [3, 1, 5, 6, 2, 4].map(mark),
            h(
              "button",
              {
                type: "button",
                class: "small",
                onclick: () => {
                  view.tree.promote(node);
                  view.update();
                },
              },
              t("promote"),
            ),
            h(
              "button",
              {
                type: "button",
                class: "small",
                id: "delete-from-here",
                onclick: () => {
                  view.tree.remove(node);
                  view.update();
                },
              },
              t("delete"),
            ),
          )
        : null,
    );
  }

  private drawMistakes(): void {
    const { White, Black } = this.view.tree.tags;
    const you: Side | null = White === "You" ? "white" : Black === "You" ? "black" : null;
    const isOwn = (fault: { node: TreeNode }) => !you || turnOf(fault.node.parent!.fen) === you;
    const row = ({ node, name }: { node: TreeNode; name: "blunder" | "mistake" | "inaccuracy" }) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "fault", onclick: () => this.view.go(node) },
          h("b", {}, `${this.number(node)} ${moveText(node.san)}`),
          ` ${t(name)}`,
          node === this.turning
            ? h("strong", {}, ` · ${t("turningPoint", { side: sideName(turnOf(node.parent!.fen)) })}`)
            : null,
          // What was better is told to those who look; first one may find it.
          node === this.view.tree.current && node.parent?.bestSan?.[0]
            ? h("span", { class: "quiet" }, ` — ${t("better", { san: moveText(node.parent.bestSan[0]) })}`)
            : null,
        ),
        h("button", { type: "button", class: "small try-again", onclick: () => this.retry(node) }, t("tryAgain")),
      );
    const faults = this.faults ?? [];
    const own = faults.filter(isOwn);
    const others = faults.filter((fault) => !isOwn(fault));
    fill(
      this.mistakes,
      h(
        "button",
        {
          type: "button",
          class: "action wide",
          id: "find-mistakes",
          disabled: Boolean(this.reviewing),
          onclick: () => void this.review(),
        },
        icon("search"),
        h("span", {}, t("findMistakes")),
      ),
      h("p", { class: "quiet", id: "review-note", "aria-live": "polite" }, this.reviewNote),
      own.length ? h("ol", { class: "faults" }, own.map(row)) : null,
      own.length && !this.reviewing
        ? h(
            "button",
            { type: "button", class: "small", id: "keep-puzzles", onclick: () => this.keepPuzzles(own) },
            t("puzzleKeepOwn"),
          )
        : null,
      others.length
        ? h(
            "details",
            { class: "house", id: "others-mistakes" },
            h("summary", {}, t("othersMistakes", { n: others.length })),
            h("ol", { class: "faults" }, others.map(row)),
          )
        : null,
    );
  }

  /** Keeps mistakes as puzzles of one's own. */
  private keepPuzzles(faults: { node: TreeNode }[]): void {
    const { app, tree } = this.view;
    const found = faults.flatMap(({ node }): Own[] => {
      const { parent } = node;
      if (!parent?.best || !parent.judged) return [];
      const hope = this.hope(parent, turnOf(parent.fen));
      return [{ fen: parent.fen, rules: tree.rules, played: node.move, san: node.san, best: parent.best, hope }];
    });
    const n = keepOwn(found);
    app.toast(n ? t("puzzleKept", { n }) : t("puzzleKeptAlready"));
  }

  private number(node: TreeNode): string {
    const red = turnOf(node.parent!.fen) === "white";
    const side = sideName(red ? "white" : "black");
    return `${node.parent!.fen.split(" ")[5] ?? "1"}${red ? "." : "…"} ${t("value_side", { side })}`;
  }

  private async review(): Promise<void> {
    const { view } = this;
    const { tree } = view;
    const nodes = [tree.root, ...tree.mainLine()];
    if (nodes.length < 2) {
      this.reviewNote = t("needGame");
      return this.drawMistakes();
    }
    this.on = false;
    this.halt();
    const control = new AbortController();
    this.reviewing = control;
    for (const { node } of this.faults ?? []) node.nags = [];
    this.faults = [];
    this.turning = null;
    this.retrying = null;
    try {
      await api.review(tree.ref(tree.end), control.signal, (reviewed) => {
        const node = nodes[reviewed.ply];
        if (!node) return;
        node.judged = reviewed;
        node.best = reviewed.best ?? undefined!;
        node.bestSan = reviewed.san;
        this.judge(node);
        this.reviewNote = t("reviewing", { ply: reviewed.ply + 1, of: reviewed.of });
        this.drawAll();
      });
      this.findTurning(nodes);
      this.reviewNote = this.faults.length ? t("mistakesFound", { n: this.faults.length }) : t("noMistakes");
      view.save();
    } catch (error) {
      this.reviewNote = error instanceof Refused ? faultText(error.fault) : "";
      view.app.trouble(error);
    } finally {
      this.reviewing = null;
      this.drawAll();
    }
  }

  /** What a side can hope for at a node, from 0 to 1. */
  private hope(node: TreeNode, side: Side): number {
    const red = redShare(node.judged!, turnOf(node.fen));
    return side === "white" ? red : 1 - red;
  }

  /** How bad a move was: what it lost in chances, and in material if that is much. */
  private weigh(parent: TreeNode, node: TreeNode): (typeof FAULTS)[number] | undefined {
    const mover = turnOf(parent.fen);
    const lost = this.hope(parent, mover) - this.hope(node, mover);
    const [before, after] = [points(parent.judged!.score), points(node.judged!.score)];
    // Chances hardly change where a game is decided anyway; a piece thrown away is a mistake all the same.
    const thrown = before === null || after === null ? 0 : before + after;
    return FAULTS.find(([least, , , worth]) => lost >= least || thrown >= worth);
  }

  /** Compares what the mover had with what is left. */
  private judge(node: TreeNode): void {
    const parent = node.parent;
    if (!parent?.judged || !node.judged || parent.best === node.move) return;
    const found = this.weigh(parent, node);
    if (found) this.blame(node, found);
  }

  private blame(node: TreeNode, [, nag, name]: (typeof FAULTS)[number]): void {
    node.nags = [nag];
    this.faults!.push({ node, name });
  }

  /**
   * Where a lost game was lost: the loser's last move after which there was no more hope. It is told even if the
   * chances went down too slowly for any move to be called a mistake.
   */
  private findTurning(nodes: TreeNode[]): void {
    const end = nodes.at(-1)!;
    if (!end.judged) return;
    const loser = (["white", "black"] as const).find((side) => this.hope(end, side) < 0.1);
    if (!loser) return;
    const hopeful = nodes.findLastIndex((node) => node.judged && this.hope(node, loser) >= 0.35);
    const lost = nodes.slice(hopeful + 1).find((node) => node.parent && turnOf(node.parent.fen) === loser);
    if (!lost || hopeful < 0 || lost.parent?.best === lost.move) return;
    this.turning = lost;
    if (this.faults!.some((fault) => fault.node === lost)) return;
    this.blame(lost, FAULTS[1]!);
    this.faults!.sort((a, b) => nodes.indexOf(a.node) - nodes.indexOf(b.node));
  }

  /** Goes back before a mistake; the next move made on the board is judged. */
  private retry(node: TreeNode): void {
    this.retrying = node;
    this.on = false;
    this.halt();
    this.view.go(node.parent!);
    this.view.app.board.takeFocus(node.move.slice(0, 2));
    this.tellRetry(t("tryFind", { side: sideName(turnOf(node.parent!.fen)), san: moveText(node.san) }), null);
  }

  private tellRetry(text: string, square: string | null): void {
    this.reviewNote = text;
    this.drawMistakes();
    this.view.app.board.tell(text, square);
  }

  /** Says what is wrong with a try, and sets up the position again. */
  private undo(node: TreeNode, text: string, square: string): void {
    this.tellRetry(text, square);
    setTimeout(() => {
      if (this.view.tree.current !== node) return;
      this.view.go(node.parent!);
      this.tellRetry(text, null);
    }, 1800);
  }

  made(node: TreeNode): void {
    const fault = this.retrying;
    if (!fault || node.parent !== fault.parent) return;
    const to = node.move.slice(2, 4);
    if (node === fault) return this.undo(fault, t("trySame"), to);
    if (node.move === fault.parent?.best) return this.tellRetry(t("tryBest"), to);
    void this.assess(fault, node);
  }

  /** Judges a move tried instead of a mistake. */
  private async assess(fault: TreeNode, node: TreeNode): Promise<void> {
    const { view } = this;
    const to = node.move.slice(2, 4);
    try {
      const state = await view.app.state(view.tree.ref(node));
      if (state.ending) {
        const won = state.ending.winner === turnOf(fault.parent!.fen);
        return won ? this.tellRetry(t("tryBest"), to) : this.undo(node, t("tryWorse"), to);
      }
      const best = await api.best(view.tree.ref(node), "elephant", 0.7);
      if (this.retrying !== fault || !best.score) return;
      node.judged = { score: best.score, chances: best.chances };
      const found = this.weigh(fault.parent!, node);
      if (!found) this.tellRetry(t("tryGood"), to);
      else this.undo(node, t("tryAnswer", { san: moveText(best.san) }), to);
    } catch (error) {
      view.app.trouble(error);
    }
  }
}

/** A score in hundredths; nothing if it is known for certain, where only chances count. */
function points(score: Score): number | null {
  return "cp" in score ? score.cp : null;
}
