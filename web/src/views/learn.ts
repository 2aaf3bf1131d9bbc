// Learning the game on the board: lessons of a few steps each, by the rules chosen. A move that is not possible or
// not right is told why and tried again; what is done stays done.

import { api, Refused, type GameState } from "../api";
import type { App, View } from "../app";
import { fill, h, icon } from "../dom";
import { maybe, t, type Key } from "../i18n";
import { LESSONS, lessonRules, stepsOf, type Lesson, type Step } from "../lessons/lessons";
import { MoveList } from "../movelist";
import { pieceArt } from "../pictures";
import { RulesPicker, switches } from "../rules";
import { keep, recall } from "../settings";
import { piecesOf, START, Tree, turnOf, type TreeNode } from "../tree";
import { hintWords, moveWords } from "../words";

/** How long a wrong move is seen before it is taken back, in milliseconds. */
const SEEN = 900;

export class LearnView implements View {
  readonly panel = h("div", { class: "learn" });
  tree = new Tree(START, "standard");
  private active = false;
  private lesson: Lesson | null = null;
  private steps: Step[] = [];
  private at = 0;
  private solved = false;
  private note = "";
  private visited = new Set<string>();
  /** How many moves of the solution were shown. */
  private made = 0;
  private busy = false;
  private turnId = 0;
  private state: GameState | null = null;
  private rules = recall<{ rules?: string }>("choices")?.rules ?? "standard";
  private done = new Set<string>(recall<string[]>("lessons") ?? []);
  private readonly list = new MoveList((node) => this.go(node));
  private readonly picker = new RulesPicker(
    "learn-rules",
    () => this.rules,
    (rules) => {
      this.rules = rules;
      keep("choices", { ...recall<object>("choices"), rules });
    },
  );

  constructor(
    private readonly app: App,
    /** Plays a game against a level. */
    private readonly play: (level: string) => void,
  ) {
    this.rebuild();
  }

  enter(): void {
    this.active = true;
    this.rules = recall<{ rules?: string }>("choices")?.rules ?? "standard";
    this.app.board.flip(false);
    fill(this.app.top);
    fill(this.app.bottom);
    this.rebuild();
    this.update();
  }

  leave(): void {
    this.active = false;
    this.turnId++;
    this.busy = false;
    this.app.board.setStars([]);
  }

  reconnected(): void {
    this.update();
  }

  rebuild(): void {
    this.picker.rebuild();
    fill(this.panel, this.lesson ? this.running() : this.contents());
  }

  private get step(): Step | null {
    return this.lesson ? (this.steps[this.at] ?? null) : null;
  }

  private title(lesson: Lesson): string {
    return t(`lesson_${lesson.id}` as Key);
  }

  private contents(): Node[] {
    const next = LESSONS.find(({ id }) => !this.done.has(id));
    return [
      h("h2", {}, t("learnTitle")),
      next ? null : this.graduation(),
      h("p", { class: "quiet" }, t("learnIntro")),
      h("progress", { max: String(LESSONS.length), value: String(this.done.size), "aria-label": t("learnProgress") }),
      h(
        "ol",
        { class: "lessons" },
        LESSONS.map((lesson) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                class: lesson === next ? "lesson next" : "lesson",
                id: `lesson-${lesson.id}`,
                onclick: () => void this.begin(lesson),
              },
              pieceArt(this.app.settings.pieces, lesson.letter),
              h("span", {}, this.title(lesson)),
              this.done.has(lesson.id)
                ? h(
                    "span",
                    { class: "lesson-done", title: t("lessonDone") },
                    icon("check"),
                    h("span", { class: "unseen" }, t("lessonDone")),
                  )
                : null,
            ),
          ),
        ),
      ),
      this.picker.element,
    ].filter((node) => node !== null);
  }

  private graduation(): HTMLElement {
    return h(
      "div",
      { class: "verdict white", id: "graduation" },
      pieceArt(this.app.settings.pieces, "R"),
      h("h2", {}, t("learnAll")),
      h("p", {}, t("learnAllText")),
      h(
        "button",
        { type: "button", class: "primary", id: "learn-play", onclick: () => this.play("rat") },
        t("learnPlay"),
      ),
    );
  }

  private running(): Node[] {
    const lesson = this.lesson!;
    const step = this.step;
    const index = LESSONS.indexOf(lesson);
    const following = LESSONS[index + 1];
    const text = step ? t(`learn_${step.text}` as Key) : t("lessonNotHere");
    const last = this.at >= this.steps.length - 1;
    return [
      h(
        "div",
        { class: "lesson-head" },
        h(
          "button",
          {
            type: "button",
            class: "tool",
            id: "lesson-list",
            title: t("lessonsAll"),
            "aria-label": t("lessonsAll"),
            onclick: () => this.toList(),
          },
          icon("back"),
        ),
        h("h2", { tabindex: "-1", id: "lesson-title" }, `${index + 1}. ${this.title(lesson)}`),
        h("span", { class: "quiet" }, this.steps.length > 1 ? `${this.at + 1}/${this.steps.length}` : ""),
      ),
      h("p", { class: "lesson-text", id: "lesson-text" }, text),
      h("p", { class: this.solved ? "lesson-note fine" : "lesson-note", id: "lesson-note", role: "status" }, this.note),
      h(
        "div",
        { class: "actions" },
        this.solved || !step
          ? h(
              "button",
              {
                type: "button",
                class: "primary",
                id: "lesson-next",
                onclick: () => {
                  if (step && !last) this.setUp(this.at + 1);
                  else if (following) void this.begin(following);
                  else this.toList();
                },
              },
              t(step && !last ? "lessonNext" : following ? "lessonFollowing" : "lessonsAll"),
            )
          : h(
              "button",
              { type: "button", class: "action", id: "lesson-hint", onclick: () => void this.hint() },
              icon("hint"),
              h("span", {}, t("showMe")),
            ),
        step
          ? h(
              "button",
              { type: "button", class: "action", id: "lesson-again", onclick: () => this.setUp(this.at) },
              icon("undo"),
              h("span", {}, t("lessonAgain")),
            )
          : null,
      ),
      step?.goal.kind === "win" ? this.list.element : null,
    ].filter((node) => node !== null);
  }

  private toList(): void {
    this.turnId++;
    this.lesson = null;
    this.tree = new Tree(START, this.rules);
    this.app.board.setStars([]);
    this.rebuild();
    this.update();
  }

  /** Opens a lesson. */
  private async begin(lesson: Lesson): Promise<void> {
    try {
      const now = await switches(this.rules);
      this.lesson = lesson;
      this.steps = stepsOf(lesson, now);
      this.setUp(0);
      window.scrollTo(0, 0);
    } catch (error) {
      this.app.trouble(error);
    }
  }

  /** Sets up a step. */
  private setUp(index: number): void {
    this.turnId++;
    this.busy = false;
    this.at = index;
    this.solved = false;
    this.note = "";
    this.made = 0;
    this.visited.clear();
    const { step } = this;
    if (!step) {
      // Nothing to learn here under these rules.
      this.finishLesson();
      this.tree = new Tree(START, this.rules);
    } else {
      this.tree = new Tree(`${step.fen} w - - 0 1`, lessonRules(this.rules));
      this.app.say(t(`learn_${step.text}` as Key));
    }
    this.rebuild();
    this.update();
    window.scrollTo(0, 0);
    const own = [...piecesOf(this.tree.fen)].find(([, letter]) => letter === letter.toUpperCase());
    this.app.board.takeFocus(own?.[0]);
  }

  update(): void {
    if (!this.active) return;
    const { app, tree, step } = this;
    app.showNode(tree.current);
    app.board.setArrows([]);
    app.allow(null);
    app.board.setStars(step?.goal.kind === "stars" ? step.goal.squares.filter((one) => !this.visited.has(one)) : []);
    this.list.show(tree);
    app.status.textContent = step ? "" : t("learnTitle");
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const { tree, app } = this;
    const node = tree.current;
    if (!this.step) return void app.cue(null);
    try {
      const state = await app.state(tree.ref(node));
      if (this.tree !== tree || tree.current !== node || !this.active) return;
      this.state = state;
      if (this.busy || this.solved || state.ending) return;
      if (node === tree.end && state.turn === "white") app.allow(state);
    } catch (error) {
      app.trouble(error);
    }
  }

  go(node: TreeNode): void {
    this.tree.current = node;
    this.update();
  }

  move(from: string, to: string): void {
    const legal = this.state?.moves.find((move) => move.move === from + to);
    if (legal) void this.make(legal.move);
  }

  async typed(text: string): Promise<void> {
    if (!this.step || this.solved || this.busy) return;
    const ref = this.tree.ref();
    const state = await this.app.state({ ...ref, moves: [...ref.moves, text] });
    await this.make(state.played.at(-1)!.move);
  }

  private async make(move: string): Promise<void> {
    const { step, tree, app } = this;
    if (!step || this.busy || this.solved) return;
    const mine = ++this.turnId;
    this.busy = true;
    this.note = "";
    try {
      const ref = tree.ref();
      const state = await app.state({ ...ref, moves: [...ref.moves, move] });
      if (mine !== this.turnId) return;
      const played = state.played.at(-1)!;
      const node = tree.add(played.move, played.san, played.captures, played.fen);
      tree.current = node;
      app.soundOf(played.move, played.captures !== null);
      app.say(moveWords(node));
      this.update();
      await this.judge(step, node, state, mine);
    } catch (error) {
      app.trouble(error);
    } finally {
      if (mine === this.turnId) {
        this.busy = false;
        this.update();
      }
    }
  }

  /** What the move means for the goal of the step. */
  private async judge(step: Step, node: TreeNode, state: GameState, mine: number): Promise<void> {
    const { goal } = step;
    const to = node.move.slice(2, 4);
    switch (goal.kind) {
      case "find": {
        if (goal.moves.includes(node.move)) return this.solve();
        const key = step.wrong?.[node.move] ?? step.wrong?.["else"];
        this.wrong((key && maybe(`learn_${key}`)) ?? t("learnWrong"), to);
        await pause(SEEN);
        if (mine === this.turnId) this.reset(`${step.fen} w - - 0 1`);
        return;
      }
      case "stars":
        if (goal.squares.includes(to) && !this.visited.has(to)) {
          this.visited.add(to);
          this.app.sound("star");
        }
        if (this.visited.size === goal.squares.length) return this.solve();
        // Blue has nothing to move with, but only a den ends a walk.
        if (state.ending?.reason === "den") return this.failed("learnEndedEarly");
        return this.unanswered(node);
      case "take": {
        const left = [...piecesOf(node.fen).values()].some((letter) => letter !== letter.toUpperCase());
        return left ? this.unanswered(node) : this.solve();
      }
      case "win":
        if (state.ending) return state.ending.winner === "white" ? this.solve() : this.failed("learnNotWon");
        return this.answer(goal.level, mine);
    }
  }

  /** Nobody answers: Red moves again from where it stands. */
  private unanswered(node: TreeNode): void {
    this.made++;
    this.reset(`${node.fen.split(" ")[0]} w - - 0 1`);
  }

  private reset(fen: string): void {
    this.tree = new Tree(fen, this.tree.rules);
  }

  /** The computer plays Blue. */
  private async answer(level: string, mine: number): Promise<void> {
    const { tree, app } = this;
    const [best] = await Promise.all([api.best(tree.ref(), level, 0.3), pause(450)]);
    if (mine !== this.turnId) return;
    const ref = tree.ref();
    const state = await app.state({ ...ref, moves: [...ref.moves, best.move] });
    if (mine !== this.turnId) return;
    const played = state.played.at(-1)!;
    tree.current = tree.add(played.move, played.san, played.captures, played.fen);
    app.soundOf(played.move, played.captures !== null);
    app.say(moveWords(tree.current));
    this.state = state;
    if (state.ending) this.failed("learnNotWon");
  }

  private wrong(text: string, square: string): void {
    this.note = text;
    this.app.sound("wrong");
    this.app.board.tell(text, square);
    this.rebuild();
  }

  /** The step cannot be solved any more: it is set up again when one wants. */
  private failed(key: Key): void {
    this.note = t(key);
    this.app.sound("wrong");
    this.app.board.tell(this.note, null);
    this.rebuild();
    this.panel.querySelector<HTMLElement>("#lesson-again")?.focus();
  }

  private solve(): void {
    this.solved = true;
    this.note = t(`learnGood${1 + ((this.at + LESSONS.indexOf(this.lesson!)) % 3)}` as Key);
    this.app.say(this.note);
    const last = this.at >= this.steps.length - 1;
    if (last) {
      this.finishLesson();
      if (LESSONS.every(({ id }) => this.done.has(id))) this.app.celebrate("white");
    }
    this.app.sound(last ? "end" : "star");
    this.rebuild();
    this.panel.querySelector<HTMLElement>("#lesson-next")?.focus();
  }

  private finishLesson(): void {
    this.done.add(this.lesson!.id);
    keep("lessons", [...this.done]);
  }

  /** Shows what can be done now. */
  private async hint(): Promise<void> {
    const { step, tree, app } = this;
    if (!step || this.busy || this.solved || turnOf(tree.current.fen) !== "white") return;
    try {
      const known = step.goal.kind === "win" ? undefined : this.nextOfSolution(step);
      const move = known ?? (await api.best(tree.ref(), "elephant", 0.5)).move;
      if (this.tree !== tree) return;
      app.board.setArrows([{ from: move.slice(0, 2), to: move.slice(2, 4), color: "#15781b" }]);
      const legal = this.state?.moves.find((one) => one.move === move);
      app.board.tell(hintWords(legal?.san ?? move, move, legal?.captures ?? null), move.slice(2, 4));
    } catch (error) {
      if (!(error instanceof Refused)) app.trouble(error);
    }
  }

  /** The first move of the solution that starts where a piece of ours stands and is not done yet. */
  private nextOfSolution(step: Step): string {
    const pieces = piecesOf(this.tree.current.fen);
    const legal = this.state?.moves.map((move) => move.move) ?? [];
    const rest = step.solution.slice(this.made);
    return (
      [...rest, ...step.solution].find((move) => pieces.has(move.slice(0, 2)) && legal.includes(move)) ??
      step.solution[0]!
    );
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
