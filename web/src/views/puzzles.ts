// Puzzles: the one of the day, the next at one's rating, by theme, and from one's own mistakes. A wrong move is answered by
// its refutation and taken back; rating and streak stay in this browser.

import { api, Refused, type GameState, type Puzzle, type PuzzleList } from "../api";
import type { App, View } from "../app";
import { fill, h, icon } from "../dom";
import { animalName, maybe, sideName, t, type Key } from "../i18n";
import { miniBoard } from "../pictures";
import { choose, finished, forgetOwn, ownPuzzles, progress, today, type Own } from "../puzzles/store";
import { Why } from "../puzzles/why";
import { piecesOf, START, Tree, turnOf, type TreeNode } from "../tree";
import { moveText, moveWords, redShare } from "../words";

/** How long an answer waits, and how long a refutation is seen, in milliseconds. */
const ANSWER = 450;
const SEEN = 2200;
/** A try may lose this much of what one could hope for, and be as good as the best move. */
const AS_GOOD = 0.12;

/** What is being solved, and where it came from. */
interface Task {
  puzzle: Puzzle;
  /** The day, if it is the puzzle of a day. */
  date: string | null;
  theme: string | null;
  own: Own | null;
}

export class PuzzlesView implements View {
  readonly panel = h("div", { class: "puzzles" });
  tree = new Tree(START, "standard");
  private active = false;
  private list: PuzzleList | null = null;
  private daily: Puzzle | null = null;
  private failedToLoad = "";
  private task: Task | null = null;
  private state: GameState | null = null;
  /** How many plies of the solution are on the board. */
  private made = 0;
  private wrong = false;
  private helped = 0;
  private over = false;
  private note = "";
  private rated = "";
  private busy = false;
  private turnId = 0;
  private readonly why: Why;

  constructor(
    private readonly app: App,
    private readonly analyse: (tree: Tree) => void,
    private readonly train: () => void,
  ) {
    this.why = new Why((error) => app.trouble(error));
    this.rebuild();
  }

  enter(): void {
    this.active = true;
    fill(this.app.top);
    fill(this.app.bottom);
    if (!this.task) this.app.board.flip(false);
    this.rebuild();
    this.update();
    void this.load();
  }

  leave(): void {
    this.active = false;
    this.turnId++;
    this.busy = false;
    this.why.hide();
  }

  reconnected(): void {
    void this.load();
    this.update();
  }

  /** Fetches the puzzles, once. */
  private async load(): Promise<void> {
    if (this.list && this.daily) return;
    try {
      const [list, daily] = await Promise.all([api.puzzles(), api.dailyPuzzle(today())]);
      this.list = list;
      this.daily = daily;
      this.failedToLoad = "";
    } catch (error) {
      this.failedToLoad = error instanceof Refused ? error.fault.message : String(error);
    }
    if (this.active && !this.task) this.rebuild();
  }

  /** Opens a puzzle by its name, as a link does. */
  async openById(id: string): Promise<void> {
    await this.load();
    const puzzle = this.list?.puzzles.find((one) => one.id === id);
    if (puzzle) this.begin({ puzzle, date: null, theme: null, own: null });
    else if (this.list) this.app.toast(t("puzzleLink", { id }));
  }

  rebuild(): void {
    fill(this.panel, this.task ? this.solving(this.task) : this.contents());
  }

  private contents(): Node[] {
    const { rating, streak, solved, daily, seen } = progress();
    const figure = (key: Key, value: string, id: string) =>
      h("div", { class: "figure-box" }, h("b", { id }, value), h("span", { class: "quiet" }, t(key)));
    const tried = daily?.date === today() ? daily : null;
    return [
      switcher("puzzles", this.train),
      h("p", { class: "quiet" }, t("puzzlesIntro")),
      h(
        "div",
        { class: "figures" },
        figure("puzzleRating", String(Math.round(rating)), "puzzle-rating"),
        figure("puzzleStreak", String(streak), "puzzle-streak"),
        figure("puzzleSolvedCount", String(solved), "puzzle-solved"),
        figure("puzzleDays", String(daily?.days ?? 0), "puzzle-days"),
      ),
      ...(this.list ? [] : [this.waiting()]),
      ...(this.list && this.daily
        ? [
            h(
              "button",
              { type: "button", class: "daily", id: "puzzle-daily", onclick: () => this.beginDaily() },
              miniBoard(this.daily.fen, this.app.settings.pieces),
              h(
                "span",
                {},
                h("b", {}, t("puzzleDaily")),
                h("span", { class: "quiet" }, today()),
                tried ? h("span", { class: "fine" }, t(tried.solved ? "puzzleDailyDone" : "puzzleDailyTried")) : null,
              ),
            ),
            h(
              "button",
              { type: "button", class: "primary wide", id: "puzzle-next", onclick: () => this.next(null) },
              icon("play"),
              t("puzzleBegin"),
            ),
            h("h2", {}, t("puzzleThemes")),
            h(
              "div",
              { class: "themes", id: "puzzle-themes" },
              this.list.themes
                .filter(({ count }) => count > 0)
                .map(({ theme, count }) =>
                  h(
                    "button",
                    {
                      type: "button",
                      class: "small theme",
                      id: `theme-${theme}`,
                      onclick: () => this.next(theme),
                    },
                    themeName(theme),
                    h("span", { class: "quiet" }, ` ${this.leftOf(theme, seen)}/${count}`),
                  ),
                ),
            ),
            h("p", { class: "quiet" }, t("puzzlesCount", { n: this.list.count })),
          ]
        : []),
      ...this.ownPart(),
    ];
  }

  private leftOf(theme: string, seen: Record<string, boolean>): number {
    return this.list!.puzzles.filter((puzzle) => puzzle.themes.includes(theme) && seen[puzzle.id]).length;
  }

  private waiting(): HTMLElement {
    if (!this.failedToLoad) return h("p", { class: "notice", role: "status" }, t("puzzlesWait"));
    return h(
      "div",
      { class: "notice", role: "status", id: "puzzles-gone" },
      h("p", {}, t("puzzlesGone", { message: this.failedToLoad })),
      h(
        "button",
        {
          type: "button",
          class: "small",
          onclick: () => {
            this.failedToLoad = "";
            this.rebuild();
            void this.load();
          },
        },
        t("puzzleRetry"),
      ),
    );
  }

  private ownPart(): Node[] {
    const own = ownPuzzles();
    const head = h("h2", {}, t("puzzleOwn"));
    if (!own.length) return [head, h("p", { class: "quiet" }, t("puzzleOwnNone"))];
    return [
      head,
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "action", id: "puzzle-own", onclick: () => this.beginOwn() },
          icon("star"),
          h("span", {}, t("puzzleOwnCount", { n: own.length })),
        ),
        h(
          "button",
          {
            type: "button",
            class: "small",
            id: "puzzle-own-clear",
            onclick: () =>
              this.app.confirm(t("puzzleOwnAsk"), t("puzzleOwnClear"), "own-clear-yes", () => {
                forgetOwn();
                this.rebuild();
              }),
          },
          t("puzzleOwnClear"),
        ),
      ),
    ];
  }

  private solving({ puzzle, date, theme, own }: Task): Node[] {
    const side = sideName(turnOf(puzzle.fen));
    const title = date ? t("puzzleDaily") : own ? t("puzzleOwn") : theme ? themeName(theme) : t("puzzles");
    const task = own
      ? t("puzzleOwnTask", { side, san: moveText(own.san) })
      : t(puzzle.goal === "draw" ? "puzzleDraw" : puzzle.proved === "search" ? "puzzleWinSoon" : "puzzleWin", { side });
    const button = (id: string, name: Parameters<typeof icon>[0], key: Key, onclick: () => void) =>
      h("button", { type: "button", class: "action", id, onclick }, icon(name), h("span", {}, t(key)));
    return [
      h(
        "div",
        { class: "lesson-head" },
        h(
          "button",
          {
            type: "button",
            class: "tool",
            id: "puzzle-list",
            title: t("puzzleAll"),
            "aria-label": t("puzzleAll"),
            onclick: () => this.toContents(),
          },
          icon("back"),
        ),
        h("h2", { tabindex: "-1", id: "puzzle-title" }, title),
        own ? null : h("span", { class: "quiet" }, t("puzzleRated", { n: puzzle.rating })),
      ),
      h("p", { class: "lesson-text", id: "puzzle-text" }, task),
      h(
        "p",
        { class: this.over && !this.wrong ? "lesson-note fine" : "lesson-note", id: "puzzle-note", role: "status" },
        this.note,
        this.rated ? h("span", { class: "quiet", id: "puzzle-rated" }, ` ${this.rated}`) : null,
      ),
      h(
        "div",
        { class: "actions" },
        this.over
          ? h(
              "button",
              { type: "button", class: "primary", id: "puzzle-following", onclick: () => this.following() },
              t("puzzleNext"),
            )
          : button("puzzle-hint", "hint", "puzzleHint", () => this.hint()),
        this.over || own ? null : button("puzzle-solution", "check", "puzzleSolution", () => void this.showSolution()),
        this.over ? button("puzzle-again", "undo", "puzzleAgain", () => this.begin({ ...this.task! })) : null,
        this.over && !own ? button("puzzle-why", "search", "whyTitle", () => void this.explain()) : null,
        this.over ? button("puzzle-analyse", "book", "puzzleAnalyse", () => this.analyse(this.tree.copy())) : null,
      ),
      this.over && !own
        ? h(
            "div",
            { class: "themes" },
            puzzle.themes.map((name) => h("span", { class: "tag" }, themeName(name))),
          )
        : null,
      this.why.element,
    ].filter((node) => node !== null);
  }

  private toContents(): void {
    this.turnId++;
    this.task = null;
    this.why.hide();
    // A link to a puzzle has been followed.
    if (location.hash.startsWith("#/puzzles?")) history.replaceState(null, "", "#/puzzles");
    this.tree = new Tree(START, "standard");
    this.app.board.flip(false);
    this.rebuild();
    this.update();
  }

  private beginDaily(): void {
    if (this.daily) this.begin({ puzzle: this.daily, date: today(), theme: null, own: null });
  }

  /** The next puzzle at one's rating, of a theme if one is chosen. */
  private next(theme: string | null): void {
    const all = this.list?.puzzles ?? [];
    const found = choose(theme ? all.filter((puzzle) => puzzle.themes.includes(theme)) : all);
    if (!found) return;
    if (found.again) this.app.toast(t("puzzleDone"));
    this.begin({ puzzle: found.puzzle, date: null, theme, own: null });
  }

  private beginOwn(): void {
    const own = ownPuzzles()[0];
    if (!own) return this.toContents();
    const { fen, rules, best } = own;
    const puzzle: Puzzle = {
      id: "",
      rules,
      fen,
      goal: "win",
      solution: [best],
      themes: [],
      rating: 0,
      proved: "search",
    };
    this.begin({ puzzle, date: null, theme: null, own });
  }

  private following(): void {
    if (this.task?.own) this.beginOwn();
    else this.next(this.task?.theme ?? null);
  }

  private begin(task: Task): void {
    this.turnId++;
    this.task = task;
    this.made = 0;
    this.wrong = this.over = this.busy = false;
    this.helped = 0;
    this.note = this.rated = "";
    this.why.hide();
    const { puzzle } = task;
    const fen = puzzle.fen.split(" ").length > 2 ? puzzle.fen : `${puzzle.fen} - - 0 1`;
    this.tree = new Tree(fen, puzzle.rules);
    this.app.board.flip(turnOf(fen) === "black");
    this.rebuild();
    this.update();
    window.scrollTo(0, 0);
    this.app.say(this.panel.querySelector("#puzzle-text")?.textContent ?? "");
    const own = [...piecesOf(fen)].find(
      ([, letter]) => (letter === letter.toUpperCase()) === (turnOf(fen) === "white"),
    );
    this.app.board.takeFocus(own?.[0]);
  }

  update(): void {
    if (!this.active) return;
    const { app, tree } = this;
    app.showNode(tree.current);
    app.board.setArrows([]);
    app.allow(null);
    app.status.textContent = this.task ? "" : t("puzzlesTitle");
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const { tree, app } = this;
    const node = tree.current;
    if (!this.task) return void app.cue(null);
    try {
      const state = await app.state(tree.ref(node));
      if (this.tree !== tree || tree.current !== node || !this.active) return;
      this.state = state;
      if (this.busy || this.over || state.ending) return;
      // After looking back, one goes on from the end.
      if (node === tree.end && state.turn === turnOf(tree.fen)) app.allow(state);
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
    if (!this.task || this.over || this.busy) return;
    this.tree.current = this.tree.end;
    const ref = this.tree.ref();
    const state = await this.app.state({ ...ref, moves: [...ref.moves, text] });
    await this.make(state.played.at(-1)!.move);
  }

  /** Makes a move on the board. */
  private async show(move: string): Promise<GameState> {
    const { tree, app } = this;
    const ref = tree.ref();
    const state = await app.state({ ...ref, moves: [...ref.moves, move] });
    const played = state.played.at(-1)!;
    tree.current = tree.add(played.move, played.san, played.captures, played.fen);
    app.soundOf(played.move, played.captures !== null);
    app.say(moveWords(tree.current));
    this.update();
    return state;
  }

  /** The solver's try. */
  private async make(move: string): Promise<void> {
    const { task } = this;
    if (!task || this.busy || this.over) return;
    const mine = ++this.turnId;
    this.busy = true;
    this.note = "";
    const before = this.tree.current;
    try {
      const state = await this.show(move);
      if (mine !== this.turnId) return;
      if (move === task.puzzle.solution[this.made]) await this.right(task, mine);
      else if (task.own) await this.weigh(task, state, before, mine);
      else await this.refute(task, state, before, mine);
    } catch (error) {
      this.app.trouble(error);
      if (mine === this.turnId) this.takeBack(before);
    } finally {
      if (mine === this.turnId) {
        this.busy = false;
        this.rebuild();
        this.update();
        if (this.over) this.panel.querySelector<HTMLElement>("#puzzle-following")?.focus();
      }
    }
  }

  /** The move was right: the best defence answers, or it is solved. */
  private async right(task: Task, mine: number): Promise<void> {
    this.made++;
    const reply = task.puzzle.solution[this.made];
    if (!reply) return this.solved(task);
    this.note = t("puzzleRight");
    this.app.sound("star");
    this.rebuild();
    await pause(ANSWER);
    if (mine !== this.turnId) return;
    await this.show(reply);
    this.made++;
  }

  private solved(task: Task): void {
    this.over = true;
    const clean = !this.wrong && this.helped === 0;
    this.note = t(clean ? "puzzleSolved" : "puzzleSolvedHelp");
    this.app.sound("end");
    this.app.say(this.note);
    if (task.own) return forgetOwn(task.own);
    // A wrong move has been counted already.
    if (!this.wrong) this.count(task, this.helped === 0);
  }

  /** The first try counts. */
  private count(task: Task, right: boolean): void {
    const change = finished(task.puzzle, right, task.date);
    const n = Math.round(progress().rating);
    this.rated =
      change === null
        ? t("puzzleNotRated")
        : t("puzzleRatingNow", { n, change: change < 0 ? `−${-change}` : `+${change}` });
  }

  private err(task: Task): void {
    if (!this.wrong && !task.own) this.count(task, false);
    this.wrong = true;
    this.app.sound("wrong");
  }

  /** A wrong move: the answer to it is shown, then both are taken back. */
  private async refute(task: Task, state: GameState, before: TreeNode, mine: number): Promise<void> {
    const at = this.tree.current.move.slice(2, 4);
    const answer = state.ending ? null : await this.refutation();
    if (mine !== this.turnId) return;
    this.note = t("puzzleWrong");
    if (answer?.outcome === "loss") {
      // It still wins, only later: no mistake to be counted.
      this.note = t("puzzleSlow");
    } else {
      this.err(task);
      if (answer) {
        await this.show(answer.move);
        this.note = this.slip(answer, task.puzzle.goal);
        this.app.board.setArrows([{ from: answer.move.slice(0, 2), to: answer.move.slice(2, 4), color: "#b03a2e" }]);
      }
    }
    this.app.board.tell(this.note, at);
    this.rebuild();
    await pause(SEEN);
    if (mine === this.turnId) this.takeBack(before);
  }

  /** The best answer to the position, with its outcome for the side that makes it if that is known. */
  private async refutation(): Promise<{ move: string; san: string; outcome: string; plies: number | null } | null> {
    const ref = this.tree.ref();
    try {
      const probed = await api.tablebase(ref);
      return probed.moves[0] ?? null;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    const best = await api.best(ref, "elephant", 0.8);
    const score = best.score ?? { cp: 0 };
    const [outcome, plies] = "win" in score ? ["win", score.win] : "loss" in score ? ["loss", score.loss] : ["", null];
    return { move: best.move, san: best.san, outcome, plies };
  }

  private slip({ san, outcome, plies }: { san: string; outcome: string; plies: number | null }, goal: string): string {
    const blanks = { san: moveText(san), n: plies ?? 0 };
    if (outcome === "win") return t(plies === null ? "puzzleSlipsLoss" : "puzzleSlipsLossIn", blanks);
    if (outcome === "draw" && goal === "win") return t("puzzleSlipsDraw", blanks);
    return t("puzzleWrong");
  }

  /** A try to do better than one's own mistake: as good as the best move is good enough. */
  private async weigh(task: Task, state: GameState, before: TreeNode, mine: number): Promise<void> {
    const mover = turnOf(this.tree.fen);
    const at = this.tree.current.move.slice(2, 4);
    let hope = state.ending ? (state.ending.winner === mover ? 1 : state.ending.winner ? 0 : 0.5) : 0;
    let answer: { move: string; san: string } | null = null;
    if (!state.ending) {
      const best = await api.best(this.tree.ref(), "elephant", 0.8);
      if (mine !== this.turnId) return;
      answer = best;
      const red = redShare({ score: best.score ?? { cp: 0 }, chances: best.chances }, turnOf(this.tree.current.fen));
      hope = mover === "white" ? red : 1 - red;
    }
    if (hope >= task.own!.hope - AS_GOOD) {
      this.solved(task);
      this.note = t("puzzleAlsoGood");
      return;
    }
    this.err(task);
    this.note = t("puzzleWrong");
    if (answer) {
      await this.show(answer.move);
      this.note = t("tryAnswer", { san: moveText(answer.san) });
    }
    this.app.board.tell(this.note, at);
    this.rebuild();
    await pause(SEEN);
    if (mine === this.turnId) this.takeBack(before);
  }

  private takeBack(to: TreeNode): void {
    for (const child of [...to.children]) this.tree.remove(child);
    this.tree.current = to;
  }

  /** First what to move, then where to. */
  private hint(): void {
    const { task, tree } = this;
    const move = task?.puzzle.solution[this.made];
    if (!move || this.busy) return;
    this.go(tree.end);
    this.helped++;
    const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
    const letter = piecesOf(tree.current.fen).get(from) ?? "";
    this.app.board.tell(t("puzzleHintFrom", { animal: animalName(letter), square: from }), from);
    if (this.helped > 1) this.app.board.setArrows([{ from, to, color: "#15781b" }]);
  }

  /** Plays what is left of the solution. */
  private async showSolution(): Promise<void> {
    const { task } = this;
    if (!task || this.busy || this.over) return;
    const mine = ++this.turnId;
    this.busy = true;
    this.tree.current = this.tree.end;
    if (!this.wrong && !task.own) this.count(task, false);
    this.wrong = true;
    try {
      while (this.made < task.puzzle.solution.length) {
        await this.show(task.puzzle.solution[this.made]!);
        this.made++;
        await pause(ANSWER + 300);
        if (mine !== this.turnId) return;
      }
      this.over = true;
      this.note = t("puzzleShown");
    } catch (error) {
      this.app.trouble(error);
    } finally {
      if (mine === this.turnId) {
        this.busy = false;
        this.rebuild();
        this.update();
        this.panel.querySelector<HTMLElement>("#puzzle-following")?.focus();
      }
    }
  }

  /** Why the move that is looked at is the only one; at the end, why the first is. */
  private async explain(): Promise<void> {
    const { tree, task } = this;
    if (!task) return;
    const mover = turnOf(tree.fen);
    const path = tree.current === tree.end ? [] : tree.path();
    const node = path.findLast((one) => turnOf(one.parent!.fen) === mover) ?? tree.mainLine()[0];
    if (!node) return;
    await this.why.show(tree.ref(node.parent!), node.parent!.fen, node.san, task.puzzle.proved);
    this.why.element.scrollIntoView({ block: "nearest" });
  }
}

export function themeName(theme: string): string {
  return maybe(`theme_${theme}`) ?? theme;
}

/** The two views of the place: puzzles and the trainer. */
export function switcher(now: "puzzles" | "trainer", swap: () => void): HTMLElement {
  const one = (name: "puzzles" | "trainer") =>
    h(
      "button",
      {
        type: "button",
        class: "switch",
        id: `switch-${name}`,
        "aria-current": name === now ? "page" : null,
        onclick: () => {
          if (name !== now) swap();
        },
      },
      t(name),
    );
  return h("div", { class: "switcher" }, one("puzzles"), one("trainer"));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
