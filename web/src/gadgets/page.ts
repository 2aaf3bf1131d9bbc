// The page: a formula, its board, and a game on it against the program, or between the program and itself.

import { Refused, type Fault, type Side } from "../api";
import { fill, h, icon, keepingFocus } from "../dom";
import { program } from "../local/desks";
import { keep, recall } from "../settings";
import { Shell } from "../shell";
import { gadgets, type Compiled, type Drawing, type Game, type Step, type Wish } from "./api";
import { GadgetBoard, stepText } from "./board";
import { faultText, sideName, t } from "./words";

const EXAMPLES = ["x", "x | y", "x & y", "(x | y) & (x | z | w)", "(a | b | c) & (b | c | d) & (a | d)"];
/** How long a move of the program is looked at, in milliseconds. */
const PACE = 450;

interface Choices extends Wish {
  first: Side;
  you: Side | "nobody";
  follow: boolean;
}

const other = (side: Side): Side => (side === "white" ? "black" : "white");

function formulaOf(hash: string): string | null {
  const text = /^#formula=(.+)$/.exec(hash)?.[1];
  if (!text) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export class Page extends Shell {
  private choices: Choices = {
    formula: "(x | y) & (x | z | w)",
    stepping: false,
    first: "white",
    you: "nobody",
    follow: true,
    ...recall<Partial<Choices>>("gadgets.choices"),
  };
  private compiled: Compiled | null = null;
  private game: Game | null = null;
  private moves: string[] = [];
  private asking: AbortController | null = null;
  private running = false;
  private timer = 0;
  private drawings: Drawing[] = [];
  /** The gadget that is shown in place of the board. */
  private drawing: Drawing | null = null;
  private readonly board = new GadgetBoard(
    () => this.settings.pieces,
    (step) => this.play(step.move),
  );
  private readonly status = h("p", { class: "status", id: "status" });
  private readonly setup = h("div", { class: "part" });
  private readonly options = h("div", { class: "part" });
  private readonly facts = h("div", { class: "part", id: "facts" });
  private readonly list = h("div", { class: "part" });
  private readonly shown = h("div", { class: "part" });
  private readonly under = h("div", { class: "under" });
  private readonly input = h("input", {
    type: "text",
    id: "formula",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    "aria-describedby": "formula-hint formula-fault",
  });
  private readonly fault = h("p", { class: "fault-text", id: "formula-fault", role: "alert" });

  constructor() {
    super();
    window.addEventListener("hashchange", () => {
      const formula = formulaOf(location.hash);
      if (formula && formula !== this.choices.formula) void this.compile(formula);
    });
    this.build();
  }

  async open(): Promise<void> {
    await this.compile(formulaOf(location.hash) ?? this.choices.formula);
    this.drawings = await gadgets.list().catch(() => []);
    this.fillShown();
  }

  /** Makes the board of a formula and begins a game on it; says what is wrong with the formula. */
  private async compile(formula: string): Promise<void> {
    this.stop();
    this.input.value = formula;
    const wish = { formula, stepping: this.choices.stepping };
    try {
      this.compiled = await gadgets.board(wish);
    } catch (error) {
      if (!(error instanceof Refused)) return this.trouble(error);
      this.fault.textContent = faultText(error.fault);
      this.input.setAttribute("aria-invalid", "true");
      return;
    }
    this.fault.textContent = "";
    this.input.removeAttribute("aria-invalid");
    this.choices.formula = formula;
    this.save();
    history.replaceState(null, "", `#formula=${encodeURIComponent(formula)}`);
    this.drawing = null;
    this.fillShown();
    this.board.setBoard(this.compiled);
    await this.begin();
  }

  private save(): void {
    keep("gadgets.choices", this.choices);
  }

  private async begin(): Promise<void> {
    this.stop();
    this.moves = [];
    await this.ask(true);
  }

  private stop(): void {
    this.running = false;
    this.asking?.abort();
    this.asking = null;
    clearTimeout(this.timer);
  }

  /** Whether the side to move is the reader's. */
  private mayMove(game = this.game): boolean {
    return game !== null && !game.winner && game.turn === this.choices.you;
  }

  /** Asks for the game as it is now, shows it, and lets the program go on if it is to move. */
  private async ask(fresh = false): Promise<void> {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const { choices } = this;
    const turn = this.moves.length % 2 ? other(choices.first) : choices.first;
    try {
      const game = await gadgets.play(choices, choices.first, this.moves, turn !== choices.you, asking.signal);
      if (asking.signal.aborted) return;
      this.game = game;
    } catch (error) {
      if (!asking.signal.aborted) this.trouble(error);
      return;
    }
    this.showGame(fresh);
    this.goOn();
  }

  /** The program's move, after a while; at once against a reader, and when it is watched only while it runs. */
  private goOn(): void {
    clearTimeout(this.timer);
    const reply = this.game?.reply;
    if (!reply || this.drawing || (this.choices.you === "nobody" && !this.running)) return;
    this.timer = window.setTimeout(() => this.play(reply.move), PACE);
  }

  private play(move: string): void {
    clearTimeout(this.timer);
    this.moves.push(move);
    void this.ask();
  }

  /** One move of the program that is watched. */
  private step(): void {
    this.running = false;
    const reply = this.game?.reply;
    if (reply) this.play(reply.move);
    this.fillUnder();
  }

  /** Back by a move, or to the reader's last one. */
  private back(): void {
    this.running = false;
    clearTimeout(this.timer);
    do this.moves.pop();
    while (this.moves.length && this.choices.you !== "nobody" && this.turnAt(this.moves.length) !== this.choices.you);
    void this.ask(true);
  }

  private turnAt(ply: number): Side {
    return ply % 2 ? other(this.choices.first) : this.choices.first;
  }

  private showGame(fresh: boolean): void {
    const { game, compiled } = this;
    if (!game || !compiled) return;
    if (!this.drawing) this.board.setGame(game, this.mayMove(), this.choices.follow && !fresh);
    const last = game.played.at(-1);
    if (last) this.say(`${sideName(other(game.turn))}: ${stepText(compiled, last)}`);
    if (game.winner) this.running = false;
    this.fillUnder();
    this.fillFacts();
    this.fillList();
  }

  private statusText(): string {
    const { game } = this;
    if (!game) return "";
    if (game.winner) return t("over", { side: sideName(game.winner) });
    return this.mayMove() ? t("yourTurn") : t("turn", { side: sideName(game.turn) });
  }

  private fillUnder(): void {
    const { game } = this;
    const watching = this.choices.you === "nobody";
    const button = (
      name: Parameters<typeof icon>[0],
      text: string,
      id: string,
      onclick: () => void,
      disabled = false,
    ) =>
      h(
        "button",
        { type: "button", class: "tool", id, title: text, "aria-label": text, onclick, disabled },
        icon(name),
      );
    this.status.textContent = this.statusText();
    keepingFocus(() =>
      fill(
        this.under,
        button("first", t("newGame"), "restart", () => void this.begin(), !this.moves.length),
        button("back", t("prev"), "undo", () => this.back(), !this.moves.length),
        watching
          ? [
              button("forward", t("next"), "step", () => this.step(), !game?.reply),
              button(
                this.running ? "stop" : "play",
                this.running ? t("pause") : t("play"),
                "run",
                () => {
                  this.running = !this.running;
                  this.fillUnder();
                  this.goOn();
                },
                !game?.reply,
              ),
            ]
          : null,
        this.status,
      ),
    );
  }

  /** The formula with what has become of it, and who wins. */
  private fillFacts(): void {
    const { game, compiled } = this;
    if (!game || !compiled) return;
    const first = this.choices.first;
    const winner = first === "white" ? compiled.winner_white_first : compiled.winner_black_first;
    const variable = (number: number) => {
      const owner = game.variables[number];
      const name = compiled.variables[number]!;
      const label = owner === "white" ? "trueFor" : owner === "black" ? "falseFor" : "freeFor";
      return h(
        "span",
        { class: `variable ${owner ?? "free"}`, title: t(label, { name }) },
        name,
        owner ? h("sup", {}, owner === "white" ? "1" : "0") : null,
      );
    };
    const clauses = compiled.clauses.map((clause) => {
      const owners = clause.map((number) => game.variables[number]);
      const value = owners.includes("white") ? "holds" : owners.every((owner) => owner === "black") ? "fails" : "open";
      const names = clause.flatMap((number, nth) => [nth ? " ∨ " : null, variable(number)]);
      return h("span", { class: `clause ${value}`, title: t(value) }, "(", names, ")");
    });
    const by = (side: Side) => t(side === game.strategist ? "byStrategy" : "bySearch", { side: sideName(side) });
    const computers = (["white", "black"] as const).filter((side) => side !== this.choices.you);
    fill(
      this.facts,
      h("h2", {}, t("gameOf")),
      h(
        "p",
        { class: "formula", id: "formula-shown" },
        clauses.flatMap((clause, nth) => [nth ? " ∧ " : null, clause]),
      ),
      h("p", { id: "winner" }, t("winsIf", { side: sideName(winner), first: sideName(first) })),
      h("p", { class: "quiet" }, computers.map(by).join(" · ")),
      h("p", { class: "quiet" }, t("toRun", { n: game.left_to_run })),
      h(
        "p",
        { class: "quiet" },
        t("boardSize", {
          width: compiled.width,
          height: compiled.height,
          gates: compiled.gates.length,
          crossings: compiled.crossings,
        }),
      ),
      game.broken.length && game.strategist !== this.choices.you
        ? h("p", { class: "fault-text" }, t("broken", { n: game.broken.join(", ") }))
        : null,
    );
  }

  /** The legal moves of the reader, and what has been played. */
  private fillList(): void {
    const { game, compiled } = this;
    if (!game || !compiled) return;
    const text = (step: Step) => stepText(compiled, step);
    const choose = (step: Step) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "small",
            id: `move-${step.move}`,
            onclick: () => this.play(step.move),
            onfocus: () => this.board.point(step),
            onpointerenter: () => this.board.point(step),
          },
          `${text(step)} (${step.from}–${step.to})`,
        ),
      );
    const played = game.played.map((step, ply) =>
      h("li", {}, h("b", {}, sideName(this.turnAt(ply)), ": "), text(step)),
    );
    keepingFocus(() =>
      fill(
        this.list,
        this.mayMove()
          ? [
              h("h2", {}, t("yourMoves")),
              h(
                "button",
                { type: "button", class: "small", id: "suggest", onclick: () => void this.suggest() },
                t("suggest"),
              ),
              h("ul", { class: "choices", id: "choices" }, game.moves.map(choose)),
            ]
          : null,
        h("h2", {}, t("moves")),
        played.length
          ? h("ol", { class: "played", id: "played", tabindex: "0", "aria-label": t("moves") }, played)
          : h("p", { class: "quiet" }, t("noMoves")),
      ),
    );
    const list = this.list.querySelector("#played");
    if (list) list.scrollTop = list.scrollHeight;
  }

  /** What the program would play in the reader's place. */
  private async suggest(): Promise<void> {
    const { game, compiled, choices } = this;
    if (!game || !compiled) return;
    const signal = this.asking?.signal ?? new AbortController().signal;
    try {
      const { reply } = await gadgets.play(choices, choices.first, this.moves, true, signal);
      const step = game.moves.find(({ move }) => move === reply?.move);
      if (!step || this.game !== game) return;
      this.board.point(step);
      this.toast(stepText(compiled, step));
      document.getElementById(`move-${step.move}`)?.focus();
    } catch (error) {
      this.trouble(error);
    }
  }

  private fillSetup(): void {
    const { choices } = this;
    this.input.setAttribute("aria-label", t("formula"));
    const again = (change: () => void) => {
      change();
      this.save();
      void this.compile(choices.formula);
    };
    const sides: [Side, string][] = [
      ["white", sideName("white")],
      ["black", sideName("black")],
    ];
    const toggle = (id: string, text: string, checked: boolean, chosen: (on: boolean) => void) =>
      h(
        "label",
        { class: "toggle" },
        h("input", {
          type: "checkbox",
          id,
          checked,
          onchange: (event: Event) => chosen((event.target as HTMLInputElement).checked),
        }),
        h("span", {}, text),
      );
    fill(
      this.setup,
      h("p", { class: "quiet" }, t("intro")),
      h(
        "form",
        {
          class: "formula-row",
          onsubmit: (event: Event) => {
            event.preventDefault();
            void this.compile(this.input.value);
          },
        },
        this.input,
        h("button", { type: "submit", class: "primary", id: "compile" }, t("compile")),
      ),
      h("p", { class: "quiet hint", id: "formula-hint" }, t("formulaHint")),
      this.fault,
      h(
        "div",
        { class: "row-of-buttons", role: "group", "aria-label": t("examples") },
        EXAMPLES.map((text) =>
          h("button", { type: "button", class: "small", onclick: () => void this.compile(text) }, text),
        ),
      ),
    );
    fill(
      this.options,
      this.choice(t("first"), "first", sides, choices.first, (first) =>
        again(() => {
          choices.first = first;
        }),
      ),
      this.choice(t("yourSide"), "you", [["nobody", t("nobody")], ...sides], choices.you, (you) =>
        again(() => {
          choices.you = you;
        }),
      ),
      toggle("stepping", t("stepping"), choices.stepping, (on) =>
        again(() => {
          choices.stepping = on;
        }),
      ),
      toggle("follow", t("follow"), choices.follow, (on) => {
        choices.follow = on;
        this.save();
      }),
    );
  }

  /** The choice of what is shown, and what is known of a gadget. */
  private fillShown(): void {
    const { drawing } = this;
    const sets = ["mended", "stepping", "published", "composed"] as const;
    const select = h(
      "select",
      {
        id: "shown",
        onchange: (event: Event) => void this.showGadget((event.target as HTMLSelectElement).value),
      },
      h("option", { value: "", selected: !drawing }, t("wholeBoard")),
      sets.map((set) =>
        h(
          "optgroup",
          { label: t(`set_${set}`) },
          this.drawings
            .filter((one) => one.set === set)
            .map((one) => h("option", { value: one.name, selected: one.name === drawing?.name }, one.title)),
        ),
      ),
    );
    const contract = drawing?.contract;
    keepingFocus(() =>
      fill(
        this.shown,
        h("label", { class: "field" }, h("span", {}, t("show")), select),
        drawing
          ? h(
              "div",
              { id: "gadget" },
              h("p", {}, h("b", {}, drawing.title)),
              h("p", { class: "quiet" }, t("ports")),
              h("p", { class: "quiet" }, t("legend")),
              contract?.holds
                ? [
                    h("h2", {}, t("contract")),
                    h(
                      "p",
                      { id: "contract" },
                      t("contractHolds", { n: (contract.black_states + contract.white_states).toLocaleString("en") }),
                    ),
                    h("p", {}, t("contractBlack", { n: contract.answers ?? "?" })),
                    h("p", {}, t("contractWhite", { n: contract.plies ?? "?" })),
                  ]
                : null,
            )
          : null,
      ),
    );
  }

  private async showGadget(name: string): Promise<void> {
    this.stop();
    try {
      this.drawing = name ? await gadgets.drawing(name) : null;
    } catch (error) {
      return this.trouble(error);
    }
    const { drawing, compiled } = this;
    this.fillShown();
    for (const part of [this.facts, this.options, this.list, this.under]) part.hidden = drawing !== null;
    if (drawing) return this.board.setDrawing(drawing);
    if (!compiled) return;
    this.board.setBoard(compiled);
    await this.ask(true);
  }

  private build(): void {
    document.title = `${t("title")} · Mousetrap`;
    this.board.relabel();
    this.fillSetup();
    this.fillShown();
    this.fillUnder();
    this.fillFacts();
    this.fillList();
    fill(
      this.element,
      this.header(
        null,
        [
          h("a", { class: "mode", href: "./" }, t("jungle")),
          h("a", { class: "mode", href: "amazons.html" }, t("amazons")),
          h("a", { class: "mode", href: "gadgets.html", "aria-current": "page" }, t("gadgets")),
        ],
        () => this.help(),
        () => this.configure(),
      ),
      this.banner,
      h(
        "main",
        { class: "main gadgets" },
        h("h1", { class: "unseen" }, t("title")),
        h(
          "div",
          { class: "left" },
          this.board.element,
          this.under,
          h("p", { id: "window-help", class: "quiet hint" }, t("windowHelp")),
        ),
        h(
          "div",
          { class: "panel", tabindex: "0", role: "region", "aria-label": t("title") },
          this.setup,
          this.facts,
          this.options,
          this.shown,
          this.list,
        ),
      ),
      this.live,
      this.toasts,
    );
  }

  protected faultText(fault: Fault): string {
    return faultText(fault);
  }

  protected reconnected(): void {
    if (this.compiled) void this.ask(true);
    else void this.open();
  }

  private help(): void {
    this.dialog(t("title"), [
      h("p", {}, t("intro")),
      h("p", {}, t("gameText")),
      h("p", {}, t("windowHelp")),
      program ? null : h("p", {}, h("a", { href: "api/docs" }, t("interface"))),
    ]);
  }

  private configure(): void {
    this.dialog(t("settings"), [...this.appearance(() => this.build()), this.belongings()]);
  }
}
