// The endgame trainer: an ending of one's choice against the tables, which never err. One plays Red. Moves may be taken back, the
// moves over the shortest way are counted, and what holds in every position of the class is shown beside it.

import { api, Refused, type Drill, type DrillGoal, type GameState, type Probed, type Statements } from "../api";
import type { App, View } from "../app";
import { fill, h, icon, keepingFocus } from "../dom";
import { animalName, currentLanguage, faultText, maybe, pieceName, sideName, t, type Key } from "../i18n";
import { MoveList } from "../movelist";
import { miniBoard, pieceArt } from "../pictures";
import { keepDrill, weakClasses } from "../puzzles/store";
import { questionWords } from "../questions";
import { RulesPicker } from "../rules";
import { keep, recall } from "../settings";
import { TableBuild } from "../tables";
import { piecesOf, START, Tree, turnOf, type TreeNode } from "../tree";
import { hintWords, moveWords, shortNumber } from "../words";
import { switcher } from "./puzzles";

const LETTERS = [..."ELTPWDCR"];
const MOST_PIECES = 4;
/** Statements are found for classes of so many pieces. */
const MOST_STATED = 3;
/** A draw is held after this many moves. */
const HELD = 15;
const ANSWER = 400;

interface Choices {
  class: string;
  goal: DrillGoal;
}

export class TrainerView implements View {
  readonly panel = h("div", { class: "trainer" });
  tree = new Tree(START, "standard");
  private active = false;
  private choices: Choices = { class: "EC-W", goal: "win", ...recall<Partial<Choices>>("trainer-choices") };
  private rules = recall<{ rules?: string }>("choices")?.rules ?? "standard";
  private drill: Drill | null = null;
  private seed = 0;
  private state: GameState | null = null;
  private probed: { node: TreeNode; answer: Probed } | null = null;
  /** What the moves cost beyond the best, in plies, by node; and whether the result was given away there. */
  private costs = new Map<number, { plies: number; gave: boolean }>();
  private taken = false;
  private counted = false;
  private ended: "won" | "held" | "lasted" | "lost" | null = null;
  private note = "";
  private busy = false;
  private turnId = 0;
  private missing = "";
  private wantTables = 0;
  private stated: Statements | null = null;
  private statedNote = "";
  private asking: AbortController | null = null;
  private readonly rulesBox = h("section", { class: "thumb-rules", id: "thumb-rules" });
  private readonly list = new MoveList((node) => this.go(node));
  private readonly build: TableBuild;
  private readonly picker: RulesPicker;

  constructor(
    private readonly app: App,
    private readonly solve: () => void,
  ) {
    this.build = new TableBuild(
      () => void this.begin(),
      (error) => app.trouble(error),
    );
    this.picker = new RulesPicker(
      "trainer-rules",
      () => this.rules,
      (rules) => {
        this.rules = rules;
        keep("choices", { ...recall<object>("choices"), rules });
        void this.askStatements();
      },
    );
    this.rebuild();
  }

  enter(): void {
    this.active = true;
    this.rules = recall<{ rules?: string }>("choices")?.rules ?? "standard";
    fill(this.app.top);
    fill(this.app.bottom);
    this.app.board.flip(false);
    this.rebuild();
    this.update();
    void this.askStatements();
  }

  leave(): void {
    this.active = false;
    this.turnId++;
    this.busy = false;
    this.asking?.abort();
    this.build.hide();
  }

  reconnected(): void {
    this.update();
  }

  /** Opens a class, as a link does. */
  openClass(name: string): void {
    if (!/^[ELTPWDCR]+-[ELTPWDCR]+$/.test(name)) return;
    this.setClass(name);
    void this.begin();
  }

  rebuild(): void {
    this.picker.rebuild();
    keepingFocus(() => fill(this.panel, this.drill ? this.playing(this.drill) : this.contents(), this.rulesBox));
    this.drawStatements();
  }

  private get pieces(): number {
    return this.choices.class.replace("-", "").length;
  }

  private setClass(name: string): void {
    this.choices.class = name;
    keep("trainer-choices", this.choices);
  }

  private contents(): Node[] {
    const [ours = "", theirs = ""] = this.choices.class.split("-");
    const group = (key: Key, letters: string, red: boolean) =>
      h(
        "div",
        { class: "palette", role: "group", "aria-label": t(key) },
        h("span", { class: "quiet" }, t(key)),
        LETTERS.map((letter) => this.toggle(letter, letters, red)),
      );
    const ready = ours && theirs && this.pieces <= MOST_PIECES;
    const goals: [DrillGoal, string][] = [
      ["win", t("trainerWin")],
      ["draw", t("trainerHold")],
      ["resist", t("trainerResist")],
    ];
    return [
      switcher("trainer", this.solve),
      h("p", { class: "quiet" }, t("trainerIntro")),
      group("trainerYours", ours, true),
      group("trainerTheirs", theirs, false),
      this.app.choice(t("trainerGoal"), "trainer-goal", goals, this.choices.goal, (goal) => {
        this.choices.goal = goal;
        keep("trainer-choices", this.choices);
      }),
      h(
        "button",
        {
          type: "button",
          class: "primary wide",
          id: "trainer-start",
          disabled: !ready,
          onclick: () => void this.begin(),
        },
        icon("play"),
        t("trainerStart"),
      ),
      h(
        "p",
        { class: "notice", id: "trainer-note", role: "status", hidden: ready && !this.missing },
        ready ? this.missing : t("trainerNeed"),
      ),
      ...(this.wantTables ? [this.build.show(this.rules, this.wantTables)] : []),
      h("h2", {}, t("trainerWeak")),
      this.weak(),
      this.picker.element,
    ].filter((node) => node !== null);
  }

  private weak(): HTMLElement {
    const weak = weakClasses();
    if (!weak.length) return h("p", { class: "quiet" }, t("trainerWeakNone"));
    return h(
      "div",
      { class: "themes", id: "trainer-weak" },
      weak.map(([key, { tries, good }]) => {
        const [name = "", goal = "win"] = key.split(" ");
        return h(
          "button",
          {
            type: "button",
            class: "small theme",
            "data-class": key,
            onclick: () => {
              this.choices.goal = goal as DrillGoal;
              this.setClass(name);
              void this.begin();
            },
          },
          classWords(name),
          h("span", { class: "quiet" }, ` ${t(goalKey(goal as DrillGoal))} · ${t("trainerRecord", { good, tries })}`),
        );
      }),
    );
  }

  private toggle(letter: string, letters: string, red: boolean): HTMLElement {
    const on = letters.includes(letter);
    const shown = red ? letter : letter.toLowerCase();
    return h(
      "button",
      {
        type: "button",
        class: "palette-piece",
        id: `trainer-${red ? "red" : "blue"}-${letter}`,
        "data-animal": shown,
        "aria-pressed": String(on),
        "aria-label": pieceName(shown),
        title: pieceName(shown),
        onclick: () => {
          const chosen = LETTERS.filter((one) => (one === letter ? !on : letters.includes(one))).join("");
          const [ours, theirs] = this.choices.class.split("-");
          this.setClass(red ? `${chosen}-${theirs}` : `${ours}-${chosen}`);
          this.missing = "";
          this.wantTables = 0;
          this.rebuild();
          void this.askStatements();
        },
      },
      pieceArt(this.app.settings.pieces, shown),
    );
  }

  private playing(drill: Drill): Node[] {
    const task: Record<DrillGoal, Key> = {
      win: "trainerTaskWin",
      draw: "trainerTaskDraw",
      resist: "trainerTaskResist",
    };
    const n = drill.plies === null ? HELD : Math.ceil(drill.plies / 2);
    const button = (id: string, name: Parameters<typeof icon>[0], key: Key, onclick: () => void, off = false) =>
      h("button", { type: "button", class: "action", id, disabled: off, onclick }, icon(name), h("span", {}, t(key)));
    return [
      h(
        "div",
        { class: "lesson-head" },
        h(
          "button",
          {
            type: "button",
            class: "tool",
            id: "trainer-list",
            title: t("trainer"),
            "aria-label": t("trainer"),
            onclick: () => this.toContents(),
          },
          icon("back"),
        ),
        h("h2", { tabindex: "-1", id: "trainer-title" }, classWords(drill.class)),
      ),
      h("p", { class: "lesson-text", id: "trainer-text" }, t(task[drill.goal], { n })),
      this.ended ? this.verdict() : h("p", { class: "quiet", id: "trainer-count" }, this.standing()),
      h("p", { class: "lesson-note", id: "trainer-note", role: "status" }, this.note),
      h(
        "div",
        { class: "actions" },
        button("trainer-back", "undo", "trainerBack", () => this.takeBack(), !this.tree.end.parent || this.busy),
        this.ended ? null : button("trainer-hint", "hint", "trainerHint", () => this.hint()),
        button("trainer-same", "first", "trainerSame", () => this.restart()),
        this.ended
          ? h(
              "button",
              { type: "button", class: "primary", id: "trainer-new", onclick: () => void this.begin() },
              t("trainerNew"),
            )
          : button("trainer-new", "forward", "trainerNew", () => void this.begin()),
      ),
      this.list.element,
    ].filter((node) => node !== null);
  }

  /** The moves of one's own, and what they cost in all beyond the best, in moves. */
  private get moves(): number {
    return this.tree.mainLine().filter((node) => turnOf(node.parent!.fen) === "white").length;
  }

  private get over(): number {
    const plies = this.tree.mainLine().reduce((sum, node) => sum + (this.costs.get(node.id)?.plies ?? 0), 0);
    return Math.ceil(plies / 2);
  }

  private standing(): string {
    if (!this.moves || this.drill?.goal === "draw") return "";
    if (!this.over) return t("trainerExact");
    return t(this.drill?.goal === "win" ? "trainerOver" : "trainerUnder", { n: this.over });
  }

  private verdict(): HTMLElement {
    const n = this.moves;
    const words: Record<NonNullable<typeof this.ended>, [string, string]> = {
      won: [t("trainerWon", { n }), this.over ? t("trainerWonOver", { n: this.over }) : t("trainerWonBest")],
      held: [t("trainerHeld"), t("trainerHeldText", { n })],
      lasted: [
        t("trainerLasted", { n }),
        this.over ? t("trainerLastedUnder", { n: this.over }) : t("trainerLastedBest"),
      ],
      lost: [t("trainerLost"), t("trainerLostText")],
    };
    const [title, text] = words[this.ended!];
    const good = this.ended === "won" || this.ended === "held";
    return h(
      "div",
      { class: `verdict ${good ? "white" : "draw"}`, id: "trainer-verdict" },
      h("h2", {}, title),
      h("p", {}, text),
    );
  }

  private toContents(): void {
    this.turnId++;
    this.drill = null;
    if (location.hash.startsWith("#/trainer?")) history.replaceState(null, "", "#/trainer");
    this.tree = new Tree(START, this.rules);
    this.rebuild();
    this.update();
  }

  /** Another position of the class. */
  private async begin(): Promise<void> {
    const mine = ++this.turnId;
    this.busy = false;
    this.missing = "";
    this.wantTables = 0;
    this.seed = Math.floor(Math.random() * 2 ** 32);
    try {
      const drill = await api.drill(this.choices.class, this.rules, this.choices.goal, this.seed);
      if (mine !== this.turnId) return;
      this.drill = drill;
      this.restart();
      void this.askStatements();
    } catch (error) {
      if (mine !== this.turnId) return;
      this.drill = null;
      if (!(error instanceof Refused)) return this.app.trouble(error);
      const { code } = error.fault;
      const lacking = code === "missing-table" || code === "too-many-pieces";
      this.wantTables = lacking ? this.pieces : 0;
      this.missing =
        code === "no-drill" ? t("trainerNone") : code === "missing-table" ? t("truthMissing") : faultText(error.fault);
      this.rebuild();
    }
  }

  /** The same position from its start. */
  private restart(): void {
    if (!this.drill) return;
    this.turnId++;
    this.busy = false;
    this.tree = new Tree(this.drill.fen, this.drill.rules);
    this.costs.clear();
    this.ended = null;
    this.taken = this.counted = false;
    this.note = "";
    this.rebuild();
    this.update();
    window.scrollTo(0, 0);
    this.app.say(this.panel.querySelector("#trainer-text")?.textContent ?? "");
    const own = [...piecesOf(this.tree.fen)].find(([, letter]) => letter === letter.toUpperCase());
    this.app.board.takeFocus(own?.[0]);
  }

  update(): void {
    if (!this.active) return;
    const { app, tree } = this;
    app.showNode(tree.current);
    app.board.setArrows([]);
    app.allow(null);
    this.list.show(tree);
    app.status.textContent = this.drill ? "" : t("trainer");
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const { tree, app } = this;
    const node = tree.current;
    if (!this.drill) return void app.cue(null);
    try {
      const state = await app.state(tree.ref(node));
      if (this.tree !== tree || tree.current !== node || !this.active) return;
      this.state = state;
      if (this.busy || this.ended || state.ending) return;
      if (node === tree.end && state.turn === "white") {
        app.allow(state);
        void app.cue(state);
        await this.probe(node);
      }
    } catch (error) {
      app.trouble(error);
    }
  }

  /** What the tables say of a position of one's own. */
  private async probe(node: TreeNode): Promise<Probed> {
    if (this.probed?.node === node) return this.probed.answer;
    const answer = await api.tablebase(this.tree.ref(node));
    this.probed = { node, answer };
    return answer;
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
    if (!this.drill || this.ended || this.busy) return;
    this.tree.current = this.tree.end;
    const ref = this.tree.ref();
    const state = await this.app.state({ ...ref, moves: [...ref.moves, text] });
    await this.make(state.played.at(-1)!.move);
  }

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

  private async make(move: string): Promise<void> {
    const { drill, tree } = this;
    if (!drill || this.busy || this.ended || tree.current !== tree.end) return;
    const mine = ++this.turnId;
    this.busy = true;
    this.note = "";
    try {
      const before = await this.probe(tree.current);
      let state = await this.show(move);
      if (mine !== this.turnId) return;
      this.weigh(before, move);
      if (!state.ending) {
        await pause(ANSWER);
        const reply = await api.drillReply(tree.ref());
        if (mine !== this.turnId) return;
        state = await this.show(reply.move);
      }
      this.judge(drill, state);
    } catch (error) {
      this.app.trouble(error);
    } finally {
      if (mine === this.turnId) {
        this.busy = false;
        this.rebuild();
        this.update();
        if (this.ended) this.panel.querySelector<HTMLElement>("#trainer-new")?.focus();
      }
    }
  }

  /** What a move cost. */
  private weigh(before: Probed, move: string): void {
    const [best, made] = [before.moves[0], before.moves.find((one) => one.move === move)];
    if (!best || !made) return;
    const gave = best.outcome !== made.outcome;
    const plies = gave ? 0 : Math.abs((made.plies ?? 0) - (best.plies ?? 0));
    this.costs.set(this.tree.current.id, { plies, gave });
    if (!gave) return;
    this.note = t(best.outcome === "win" ? "trainerGaveWin" : "trainerGaveDraw");
    this.app.sound("wrong");
    this.app.board.tell(this.note, move.slice(2, 4));
  }

  private get gave(): boolean {
    return this.tree.mainLine().some((node) => this.costs.get(node.id)?.gave);
  }

  private judge(drill: Drill, { ending }: GameState): void {
    if (ending) {
      const red = ending.winner === "white";
      if (drill.goal === "win") this.end(red ? "won" : "lost", red && !this.gave && !this.over);
      else if (drill.goal === "draw") this.end(ending.winner === "black" ? "lost" : "held", ending.winner !== "black");
      else this.end(red ? "won" : "lasted", !this.over);
    } else if (drill.goal === "draw" && this.moves >= HELD && !this.gave) this.end("held", true);
  }

  /** It is over; the first time it counts, and only without moves taken back as a success. */
  private end(how: NonNullable<typeof this.ended>, good: boolean): void {
    this.ended = how;
    this.note = "";
    this.app.sound(how === "lost" ? "lost" : "end");
    if (!this.counted) keepDrill(`${this.drill!.class} ${this.drill!.goal}`, good && !this.taken);
    this.counted = true;
  }

  /** Back to before one's last move. */
  private takeBack(): void {
    const { tree } = this;
    if (this.busy) return;
    let node = tree.end;
    if (!node.parent) return;
    if (turnOf(node.parent.fen) === "black" && node.parent.parent) node = node.parent;
    this.turnId++;
    this.taken = true;
    this.ended = null;
    this.note = "";
    tree.current = node.parent!;
    tree.remove(node);
    this.rebuild();
    this.update();
  }

  private hint(): void {
    const { tree, app } = this;
    if (this.busy || this.ended) return;
    this.go(tree.end);
    this.taken = true;
    void this.probe(tree.current).then(
      (probed) => {
        const best = probed.moves[0];
        if (!best) return;
        const [from, to] = [best.move.slice(0, 2), best.move.slice(2, 4)];
        app.board.setArrows([{ from, to, color: "#15781b" }]);
        const legal = this.state?.moves.find((one) => one.move === best.move);
        app.board.tell(hintWords(best.san, best.move, legal?.captures ?? null), to);
      },
      (error: unknown) => app.trouble(error),
    );
  }

  /** Asks for the statements about the class that is chosen. */
  private async askStatements(): Promise<void> {
    this.asking?.abort();
    this.stated = null;
    const [ours, theirs] = this.choices.class.split("-");
    this.statedNote = "";
    if (!ours || !theirs || this.pieces > MOST_PIECES) return this.drawStatements();
    if (this.pieces > MOST_STATED) {
      this.statedNote = t("trainerRulesMany");
      return this.drawStatements();
    }
    const control = new AbortController();
    this.asking = control;
    this.statedNote = t("trainerRulesWait");
    this.drawStatements();
    try {
      // One may still be choosing.
      await pause(600);
      if (control.signal.aborted) return;
      const stated = await api.statements(this.choices.class, this.rules, control.signal);
      if (control.signal.aborted) return;
      this.stated = stated;
      this.statedNote = stated.statements.length ? "" : t("trainerRulesNone");
    } catch (error) {
      if (control.signal.aborted) return;
      this.statedNote = error instanceof Refused ? faultText(error.fault) : "";
      if (!(error instanceof Refused)) this.app.trouble(error);
    }
    this.drawStatements();
  }

  private drawStatements(): void {
    const { stated } = this;
    fill(
      this.rulesBox,
      stated || this.statedNote ? h("h3", {}, t("trainerRules")) : null,
      this.statedNote ? h("p", { class: "quiet", role: "status" }, this.statedNote) : null,
      stated?.statements.length
        ? [
            h("p", { class: "quiet" }, t("trainerRulesAbout", { name: classWords(stated.class) })),
            h(
              "ul",
              { class: "statements" },
              stated.statements.map((one) =>
                h(
                  "li",
                  {},
                  one.example ? miniBoard(one.example, this.app.settings.pieces) : null,
                  h(
                    "span",
                    {},
                    currentLanguage() === "en" ? one.sentence : sentence(one),
                    h("span", { class: "quiet" }, ` ${t("trainerRuleCount", { n: shortNumber(one.positions) })}`),
                  ),
                ),
              ),
            ),
          ]
        : null,
    );
  }
}

function goalKey(goal: DrillGoal): Key {
  return { win: "trainerWin", draw: "trainerHold", resist: "trainerResist" }[goal] as Key;
}

/** “elephant, cat – wolf”. */
function classWords(name: string): string {
  const side = (letters: string) => [...letters].map(animalName).join(t("listThen"));
  return name.split("-").map(side).join(" – ");
}

/** A statement, put together from its conditions. */
function sentence({ conditions, outcome }: Statements["statements"][number]): string {
  const value = (text: string) => {
    if (text === "white" || text === "black") return sideName(text);
    return (maybe(`value_${text}`) ?? text).replace(/[:：]$/, "");
  };
  const words = conditions.map(({ feature, from, to, not }) => {
    const named = from !== null && from === to;
    const range = named
      ? not
        ? t("trainerNot", { value: value(from) })
        : value(from)
      : from === null
        ? t("trainerAtMost", { n: to ?? "" })
        : to === null
          ? t("trainerAtLeast", { n: from })
          : t("trainerBetween", { from, to });
    return `${questionWords(feature, false)} ${range}`;
  });
  const claim = outcome === "draw" ? t("whyClaimDraw") : t("whyClaimWhite", { side: sideName(outcome) });
  return t("trainerIf", { conditions: words.join(t("trainerAnd")), claim });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
