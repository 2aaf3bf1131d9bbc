// Playing: against the computer or a friend, from the choice of rules to the last word.

import { api, Refused, type Ending, type GameState, type Side } from "../api";
import type { App, View } from "../app";
import { fill, h, icon, keepingFocus } from "../dom";
import { keepGame, newId } from "../games";
import { faultText, maybe, sideName, t, type Key } from "../i18n";
import { program } from "../local/desks";
import { MoveList } from "../movelist";
import { pieceArt } from "../pictures";
import { RulesPicker, rulesName } from "../rules";
import { keep, recall } from "../settings";
import { strip } from "../strip";
import { piecesOf, START, Tree, turnOf, type TreeNode } from "../tree";
import { endingWords, hintWords, moveWords, other } from "../words";

export const LEVELS = ["rat", "cat", "dog", "wolf", "panther", "tiger", "lion", "elephant"];
/** Minutes, and seconds added after a move. */
export const CLOCKS: [number, number][] = [
  [0, 0],
  [3, 2],
  [5, 3],
  [10, 5],
  [30, 20],
];

interface Choices {
  opponent: "engine" | "friend";
  level: string;
  side: Side | "random";
  rules: string;
  clock: number;
}
interface Running {
  /** Its name among the games that are kept. */
  id: string;
  choices: Choices;
  /** Whose side the reader has; none when two people play. */
  you: Side | null;
  clocks: { white: number; black: number; increment: number } | null;
  /** An ending that is not on the board: resigned, out of time, agreed. */
  ending: Ending | null;
}

export class PlayView implements View {
  readonly panel = h("div", { class: "play" });
  tree = new Tree(START, "standard");
  private choices: Choices = { opponent: "engine", level: "cat", side: "white", rules: "standard", clock: 0 };
  private game: Running | null = null;
  private state: GameState | null = null;
  private list = new MoveList((node) => this.go(node));
  private thinking: AbortController | null = null;
  private hinting = false;
  private hint: string | null = null;
  private ticking = 0;
  private lastTick = 0;
  private active = false;
  private celebrated: TreeNode | null = null;
  private readonly picker = new RulesPicker(
    "rules",
    () => this.choices.rules,
    (rules) => {
      this.choices.rules = rules;
      this.offer();
    },
  );

  constructor(
    private readonly app: App,
    private readonly analyse: (tree: Tree) => void,
    private readonly learn: () => void,
    private readonly invite: () => void,
  ) {
    this.choices = { ...this.choices, ...recall<Partial<Choices>>("choices") };
    const saved = recall<{ tree: ReturnType<Tree["save"]>; game: Running }>("game");
    if (saved) {
      try {
        this.tree = Tree.load(saved.tree);
        this.game = { ...saved.game, id: saved.game.id ?? newId() };
        this.tree.current = this.tree.end;
        this.celebrated = this.tree.end;
      } catch {
        this.game = null;
      }
    }
    if (!this.game) this.tree = new Tree(START, this.choices.rules);
    this.rebuild();
  }

  enter(): void {
    this.active = true;
    this.lastTick = performance.now();
    this.ticking = window.setInterval(() => this.tick(), 100);
    this.app.board.flip((this.game ? this.game.you : this.side()) === "black");
    this.rebuild();
    this.update();
  }

  leave(): void {
    this.active = false;
    clearInterval(this.ticking);
    this.thinking?.abort();
    this.thinking = null;
    fill(this.app.top);
    fill(this.app.bottom);
  }

  reconnected(): void {
    this.update();
  }

  go(node: TreeNode): void {
    this.tree.current = node;
    this.hint = null;
    this.update();
  }

  /** The rules of the next game. */
  setRules(rules: string): void {
    this.choices.rules = rules;
    this.picker.rebuild();
  }

  /** The level of the next game. */
  setLevel(level: string): void {
    this.choices.level = level;
    this.choices.opponent = "engine";
  }

  /** The side that the reader has chosen; none if that is left to chance or if two people play. */
  private side(): Side | null {
    const { opponent, side } = this.choices;
    return opponent === "engine" && side !== "random" ? side : null;
  }

  /** Shows the game that would begin: whoever is to move can just move. */
  private offer(): void {
    if (this.game) return;
    keep("choices", this.choices);
    this.tree = new Tree(START, this.choices.rules);
    if (!this.active) return;
    this.app.board.flip(this.side() === "black");
    this.update();
  }

  /** Begins a game from a position; `side` is the reader's if it is known already. */
  begin(fen: string, side: Side = this.side() ?? (Math.random() < 0.5 ? "white" : "black")): void {
    const { choices } = this;
    const [minutes, increment] = CLOCKS[choices.clock] ?? [0, 0];
    this.thinking?.abort();
    this.thinking = null;
    this.hint = null;
    this.celebrated = null;
    this.tree = new Tree(fen, choices.rules);
    this.game = {
      id: newId(),
      choices: { ...choices },
      you: choices.opponent === "engine" ? side : null,
      clocks: minutes ? { white: minutes * 60_000, black: minutes * 60_000, increment: increment * 1000 } : null,
      ending: null,
    };
    this.tree.tags = this.names();
    keep("choices", choices);
    this.save();
    this.app.board.flip(this.game.you === "black");
    this.rebuild();
    this.update();
    window.scrollTo(0, 0);
    this.app.board.takeFocus();
  }

  /** Who plays, and when, for the record. */
  private names(): Record<string, string> {
    const { you, choices } = this.game!;
    const index = LEVELS.indexOf(choices.level);
    const computer = `Mousetrap, level ${index + 1} (${choices.level})`;
    const name = (side: Side) => (you === null ? (side === "white" ? "Red" : "Blue") : you === side ? "You" : computer);
    const now = new Date();
    const two = (n: number) => String(n).padStart(2, "0");
    return {
      Event: you === null ? "Two players" : "Game against the computer",
      Site: "Mousetrap",
      Date: `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`,
      White: name("white"),
      Black: name("black"),
    };
  }

  rebuild(): void {
    this.picker.rebuild();
    if (!this.game) fill(this.panel, this.setup());
    else fill(this.panel, this.running());
  }

  private field(label: string, control: HTMLElement): HTMLElement {
    return h("label", { class: "field" }, h("span", {}, label), control);
  }

  private select<T extends string>(
    id: string,
    options: [T, string][],
    value: T,
    chosen: (value: T) => void,
  ): HTMLElement {
    return h(
      "select",
      { id, onchange: (event: Event) => chosen((event.target as HTMLSelectElement).value as T) },
      options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
    );
  }

  private setup(): Node[] {
    const { choices } = this;
    const again = () => {
      keepingFocus(() => this.rebuild());
      this.offer();
    };
    const engine = choices.opponent === "engine";
    return [
      h(
        "form",
        {
          class: "setup",
          onsubmit: (event: Event) => {
            event.preventDefault();
            this.begin(START);
          },
        },
        h(
          "div",
          { class: "setup-head" },
          h("h2", {}, t("setup")),
          h("button", { type: "submit", class: "primary", id: "start" }, t("start")),
        ),
        this.field(
          t("against"),
          this.select(
            "opponent",
            [
              ["engine", t("engine")],
              ["friend", t("friend")],
            ],
            choices.opponent,
            (value) => {
              choices.opponent = value;
              again();
            },
          ),
        ),
        engine
          ? h(
              "fieldset",
              { class: "levels" },
              h("legend", {}, t("level")),
              LEVELS.map((level, index) => this.levelButton(level, index)),
            )
          : null,
        engine
          ? this.field(
              t("yourSide"),
              this.select(
                "side",
                [
                  ["white", sideName("white")],
                  ["black", sideName("black")],
                  ["random", t("random")],
                ],
                choices.side,
                (value) => {
                  choices.side = value;
                  this.offer();
                },
              ),
            )
          : null,
        this.picker.element,
        this.field(
          t("clock"),
          this.select(
            "clock",
            CLOCKS.map(([n, inc], index): [string, string] => [
              String(index),
              n ? t("minutes", { n, inc }) : t("noClock"),
            ]),
            String(choices.clock),
            (value) => {
              choices.clock = Number(value);
              this.offer();
            },
          ),
        ),
      ),
      h(
        "button",
        { type: "button", class: "action wide", id: "invite-learn", onclick: () => this.learn() },
        icon("star"),
        h("span", {}, t("learnInvite")),
      ),
      program
        ? null
        : h(
            "button",
            { type: "button", class: "action wide", id: "invite-friend", onclick: () => this.invite() },
            icon("share"),
            h("span", {}, t("friendInvite")),
          ),
    ].filter((node) => node !== null);
  }

  private levelButton(level: string, index: number): HTMLElement {
    const letter = "RCDWPTLE"[index]!;
    return h(
      "label",
      { class: "level", title: t(`level_${level}` as Key) },
      h("input", {
        type: "radio",
        name: "level",
        value: level,
        checked: this.choices.level === level,
        "aria-label": t(`level_${level}` as Key),
        onchange: () => {
          this.choices.level = level;
          this.rebuild();
          this.offer();
          this.panel.querySelector<HTMLElement>(`input[value=${level}]`)?.focus();
        },
      }),
      pieceArt("animals", letter),
      h("span", { "aria-hidden": "true" }, String(index + 1)),
      this.choices.level === level
        ? h("span", { class: "level-name", "aria-hidden": "true" }, t(`level_${level}` as Key).split(" · ")[1] ?? "")
        : null,
    );
  }

  private running(): Node[] {
    const over = this.ending();
    const action = (name: Parameters<typeof icon>[0], key: Key, id: string, onclick: () => void, disabled = false) =>
      h("button", { type: "button", class: "action", id, onclick, disabled }, icon(name), h("span", {}, t(key)));
    const friend = !this.game!.you;
    const viewing = this.tree.current !== this.tree.end;
    return [
      over ? this.verdict(over) : null,
      viewing && !over
        ? h(
            "p",
            { class: "viewing" },
            t("view") + " ",
            h("button", { type: "button", class: "small", onclick: () => this.go(this.tree.end) }, t("backToGame")),
          )
        : null,
      h(
        "div",
        { class: "actions" },
        action("undo", "takeback", "takeback", () => this.takeback(), !this.tree.root.children.length),
        over
          ? null
          : action("hint", "hint", "hint", () => void this.giveHint(), this.hinting || Boolean(this.thinking)),
        over || !friend
          ? null
          : action("equal", "draw", "agree-draw", () =>
              this.app.confirm(t("confirmDraw"), t("yes"), "confirm-draw", () =>
                this.finish({ winner: null, reason: "agreed", text: "" }),
              ),
            ),
        over ? null : action("flag", "resign", "resign", () => this.resign()),
        action("plus", "newGame", "new-game", () => {
          // A game that has hardly begun, or is over, is no loss.
          if (over || this.tree.mainLine().length < 2) this.abandon();
          else this.app.confirm(t("confirmNew"), t("newGame"), "confirm-new", () => this.abandon());
        }),
        action("search", "analyseGame", "analyse-game", () => this.analyse(this.tree.copy())),
      ),
      this.list.element,
      this.tree.rules === "standard"
        ? null
        : h(
            "p",
            { class: "quiet", id: "rules-in-force", title: this.tree.rules },
            `${t("rules")}: ${rulesName(this.tree.rules)}`,
          ),
    ].filter((node) => node !== null);
  }

  /** Leaves the game, for the choice of a new one. */
  private abandon(): void {
    this.thinking?.abort();
    this.thinking = null;
    this.game = null;
    keep("game", null);
    this.rebuild();
    this.offer();
  }

  private verdict(ending: Ending): HTMLElement {
    const { you, choices } = this.game!;
    const { title, text } = endingWords(ending, you);
    const next = LEVELS[LEVELS.indexOf(choices.level) + 1];
    const won = you !== null && ending.winner === you;
    const again = (level: string) => {
      this.setLevel(level);
      this.begin(this.tree.fen);
    };
    return h(
      "div",
      { class: `verdict ${ending.winner ?? "draw"}`, id: "verdict" },
      ending.winner ? pieceArt(this.app.settings.pieces, this.hero(ending.winner)) : null,
      h("h2", {}, title),
      h("p", {}, text),
      won && next ? h("p", {}, t("wonNext", { level: t(`level_${next}` as Key).replace(/^\d · | — .*$/g, "") })) : null,
      you !== null && ending.winner === other(you) ? h("p", {}, t("lostNext")) : null,
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            class: won && next ? "" : "primary",
            id: "rematch",
            onclick: () => this.begin(this.tree.fen),
          },
          t("rematch"),
        ),
        won && next
          ? h(
              "button",
              { type: "button", class: "primary", id: "next-level", onclick: () => again(next) },
              t("nextLevel"),
            )
          : null,
      ),
    );
  }

  /** The piece that ended the game, or the winner's strongest. */
  private hero(winner: Side): string {
    const { end } = this.tree;
    const pieces = piecesOf(end.fen);
    const { you, choices, ending } = this.game!;
    if (ending && you && winner !== you) {
      const level = "RCDWPTLE"[LEVELS.indexOf(choices.level)]!;
      return winner === "white" ? level : level.toLowerCase();
    }
    const last = pieces.get(end.move.slice(2, 4));
    const own = (letter: string) => (letter === letter.toUpperCase()) === (winner === "white");
    if (last && own(last)) return last;
    const left = [...pieces.values()].filter(own).map((letter) => letter.toUpperCase());
    const strongest = [..."ELTPWDCR"].find((letter) => left.includes(letter)) ?? "R";
    return winner === "white" ? strongest : strongest.toLowerCase();
  }

  /** How the game ended, if it did. */
  private ending(): Ending | null {
    return this.game?.ending ?? this.final;
  }
  private final: Ending | null = null;

  update(): void {
    if (!this.active) return;
    const { tree, app } = this;
    app.showNode(tree.current);
    app.board.setArrows(
      this.hint ? [{ from: this.hint.slice(0, 2), to: this.hint.slice(2, 4), color: "#15781b" }] : [],
    );
    app.allow(null);
    this.list.show(tree);
    this.strips();
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const { tree, app, game } = this;
    const node = tree.current;
    const end = tree.end;
    try {
      const [state, final] = await Promise.all([app.state(tree.ref(node)), app.state(tree.ref(end))]);
      if (this.tree !== tree || tree.current !== node || this.game !== game || !this.active) return;
      this.state = state;
      this.final = final.ending;
    } catch (error) {
      return app.trouble(error);
    }
    const over = this.ending();
    if (game) {
      fill(this.panel, this.running());
      this.list.show(tree);
    }
    this.strips();
    app.status.textContent = this.statusText();
    if (!game) {
      // Whoever moves has begun.
      if (this.side() !== "black") app.allow(this.state);
      return void app.cue(null);
    }
    void app.cue(over ? null : this.state);
    if (over) {
      if (this.celebrated !== end) {
        this.celebrated = end;
        const { title, text } = endingWords(over, game.you);
        app.say(`${title}. ${text}`);
        const won = over.winner !== null && over.winner === (game.you ?? over.winner);
        app.sound(won ? "end" : "lost");
        this.panel.querySelector("#verdict")?.scrollIntoView({ block: "nearest", behavior: "smooth" });
        if (won) app.celebrate(over.winner!);
      }
      return;
    }
    if (node !== end) return;
    if (game.you && turnOf(node.fen) !== game.you) return void this.think();
    app.allow(this.state);
  }

  private statusText(): string {
    if (!this.game) return t(this.side() === "black" ? "tapToBegin" : "moveToBegin");
    const over = this.ending();
    if (over) return endingWords(over, this.game.you).title;
    const turn = turnOf(this.tree.end.fen);
    if (this.game.you) return turn === this.game.you ? t("yourTurn") : t("thinking", { level: this.levelName() });
    return t("turn", { side: sideName(turn) });
  }

  private levelName(): string {
    const name = maybe(`level_${(this.game?.choices ?? this.choices).level}`) ?? "";
    return name.split(" — ")[0]!.replace(/^\d · /, "");
  }

  move(from: string, to: string): void {
    const legal = this.state?.moves.find((move) => move.move === from + to);
    if (!legal) return;
    if (!this.game) this.begin(START, "white");
    void this.make(legal.move);
  }

  /** A tap on the board begins a game in which the computer moves first. */
  choose(): void {
    if (!this.game && this.side() === "black") this.begin(START);
  }

  async typed(text: string): Promise<void> {
    if (!this.game) {
      await this.app.state({ ...this.tree.ref(), moves: [text] });
      this.begin(START, "white");
    }
    const { tree, game } = this;
    if (!game || this.ending()) throw new Refused({ code: "game-over", message: t("err_game-over") }, 400);
    if (tree.current !== tree.end) this.go(tree.end);
    if (game.you && turnOf(tree.end.fen) !== game.you) return;
    await this.make(text);
  }

  /** Makes a move at the end of the game. */
  private async make(text: string): Promise<void> {
    const { tree, game } = this;
    if (!game || tree.current !== tree.end) return;
    const ref = tree.ref();
    const legal = this.state?.moves.find((move) => move.move === text);
    let state: GameState;
    try {
      state = await this.app.state({ ...ref, moves: [...ref.moves, text] });
    } catch (error) {
      // What was typed is for the typist to mend.
      if (!legal) throw error;
      this.app.trouble(error);
      this.update();
      return;
    }
    const played = state.played.at(-1);
    if (this.tree !== tree || this.game !== game || !played) return;
    const mover = turnOf(tree.current.fen);
    this.charge();
    // The flag fell while the move was on its way.
    if (game.ending) return;
    if (game.clocks) game.clocks[mover] += game.clocks.increment;
    const node = tree.add(played.move, played.san, played.captures, played.fen);
    tree.current = node;
    this.hint = null;
    this.save();
    this.app.soundOf(played.move, played.captures !== null);
    this.app.say(moveWords(node));
    this.update();
  }

  private async think(): Promise<void> {
    if (this.thinking || !this.game) return;
    const { tree, game } = this;
    const control = new AbortController();
    this.thinking = control;
    this.app.status.textContent = this.statusText();
    const clock = game.clocks?.[other(game.you!)];
    const seconds = clock === undefined ? undefined : Math.max(0.05, Math.min(2, clock / 30_000));
    try {
      const begun = performance.now();
      const best = await api.best(tree.ref(tree.end), game.choices.level, seconds, control.signal);
      // An immediate answer would hide the user's own move.
      await new Promise((done) => setTimeout(done, Math.max(0, 350 - (performance.now() - begun))));
      if (control.signal.aborted || this.thinking !== control) return;
      this.thinking = null;
      tree.current = tree.end;
      this.state = await this.app.state(tree.ref());
      await this.make(best.move);
    } catch (error) {
      if (this.thinking === control) this.thinking = null;
      if (control.signal.aborted) return;
      this.app.trouble(error);
      if (error instanceof Refused && error.status === 503)
        setTimeout(() => this.update(), (error.fault.retry_after ?? 5) * 1000);
    }
  }

  private takeback(): void {
    this.thinking?.abort();
    this.thinking = null;
    const line = this.tree.mainLine();
    if (!line.length) return;
    // A game that was given up goes on.
    this.game!.ending = null;
    this.tree.result = null;
    let count = 1;
    const { you } = this.game!;
    // Back to the user's own move: the computer's answer goes too.
    if (you && turnOf(this.tree.end.fen) === you) count = 2;
    const from = line[Math.max(0, line.length - count)]!;
    this.tree.remove(from);
    this.tree.current = this.tree.end;
    this.hint = null;
    this.celebrated = null;
    this.save();
    this.update();
  }

  private async giveHint(): Promise<void> {
    if (this.tree.current !== this.tree.end) this.go(this.tree.end);
    this.hinting = true;
    const node = this.tree.end;
    try {
      const best = await api.best(this.tree.ref(node), "elephant", 0.7);
      if (this.tree.current !== node) return;
      this.hint = best.move;
      const captures = this.state?.moves.find((move) => move.move === best.move)?.captures ?? null;
      this.app.board.tell(hintWords(best.san, best.move, captures), best.move.slice(2, 4));
    } catch (error) {
      this.app.trouble(error);
    } finally {
      this.hinting = false;
      this.update();
    }
  }

  private resign(): void {
    const side = this.game!.you ?? turnOf(this.tree.end.fen);
    this.app.confirm(t("confirmResign"), t("yes"), "confirm-resign", () =>
      this.finish({ winner: other(side), reason: "resign", text: "" }),
    );
  }

  private finish(ending: Ending): void {
    if (!this.game) return;
    this.tree.result = ending.winner ? (ending.winner === "white" ? "1-0" : "0-1") : "1/2-1/2";
    this.thinking?.abort();
    this.thinking = null;
    this.game.ending = ending;
    this.tree.current = this.tree.end;
    this.save();
    this.update();
  }

  private save(): void {
    const { game, tree, app } = this;
    keep("game", game ? { tree: tree.save(), game } : null);
    // A game counts when both have moved.
    if (!game || tree.mainLine().length < 2) return;
    keepGame(game.id, tree.toRecord(), (error) => {
      if (error instanceof Refused) app.toast(t("gameNotKept", { message: faultText(error.fault) }));
    });
  }

  /** Takes the time passed off the clock of the side to move. */
  private charge(): void {
    const now = performance.now();
    const passed = now - this.lastTick;
    this.lastTick = now;
    const clocks = this.game?.clocks;
    if (!clocks || this.ending() || !this.tree.root.children.length) return;
    const side = turnOf(this.tree.end.fen);
    clocks[side] = Math.max(0, clocks[side] - passed);
    if (clocks[side] === 0) this.finish({ winner: other(side), reason: "time", text: "" });
  }

  private tick(): void {
    if (!this.game?.clocks) return;
    this.charge();
    this.strips();
  }

  /** Names, clocks and captured pieces above and below the board. */
  private strips(): void {
    const { app } = this;
    const bottom: Side = app.board.isFlipped ? "black" : "white";
    fill(app.top, this.strip(other(bottom)));
    fill(app.bottom, this.strip(bottom));
  }

  private strip(side: Side): Node[] {
    const { game, tree } = this;
    const turn = turnOf(tree.current.fen) === side && !this.ending();
    const you = game ? game.you : this.choices.opponent === "engine" ? (this.side() ?? "white") : null;
    const name = you ? (you === side ? t("you") : this.levelName()) : sideName(side);
    const player = { side, name, named: you !== null, turn, clock: game?.clocks?.[side] };
    return strip(player, this.app.settings.pieces, tree.fen, tree.current.fen);
  }
}
