// The page: a game on the board, against a search or alone, and beside it the regions and the results of searches.

import { Refused, type Fault, type Side } from "../api";
import { fill, h, icon, keepingFocus } from "../dom";
import type { Blanks } from "../i18n/teller";
import { program } from "../local/desks";
import { keep, recall } from "../settings";
import { Shell } from "../shell";
import { GrowthSection } from "./growth";
import { AnalysisPanel, EXACT_SQUARES } from "./analysis";
import { amazons, byAmazon, type Effort, type Position } from "./api";
import { Board } from "./board";
import { Game, turnOf, type Saved } from "./game";
import { numbered, RegionsPanel } from "./regions";
import { faultText, sideName, t } from "./words";

const SIZES = ["4", "5", "6", "7", "8", "9", "10"];
const LEVELS = {
  quick: { nodes: 3_000, seconds: 1 },
  normal: { nodes: 100_000, seconds: 4 },
  thorough: { nodes: 2_000_000, seconds: 12 },
};
/** The search by regions plays endgames that it can solve without a fault, as on the command line. */
const SOLVING: Effort = { nodes: 50_000, seconds: 2 };

interface Choices {
  size: string;
  opponent: "none" | "champion" | "plain" | "regions";
  side: Side;
  level: keyof typeof LEVELS;
  regions: boolean;
  analyse: boolean;
  growth: boolean;
}

const other = (side: Side): Side => (side === "white" ? "black" : "white");

/** The address that shows a position. */
function hashOf(fen: string): string {
  return "#fen=" + fen.replace(" ", "_");
}

function fenOf(hash: string): string | null {
  const text = /^#fen=(.+)$/.exec(hash)?.[1];
  if (!text) return null;
  try {
    return decodeURIComponent(text).replace("_", " ").replace("+", " ");
  } catch {
    return text;
  }
}

export class Page extends Shell {
  private choices: Choices = {
    size: "6",
    opponent: "champion",
    side: "white",
    level: "normal",
    regions: true,
    analyse: false,
    growth: false,
    ...recall<Partial<Choices>>("amazons.choices"),
  };
  private game = new Game("");
  private position: Position | null = null;
  private known = new Map<string, Position>();
  private thinking: AbortController | null = null;
  private shown = 0;
  private readonly board = new Board({
    move: (move) => void this.play(move),
    choosing: (stage) => this.tell(stage),
    say: (text) => this.say(text),
  });
  private readonly regions = new RegionsPanel(
    () => this.choices.regions,
    (on) => {
      this.choices.regions = on;
      this.saveChoices();
      this.overlay();
    },
    (label) => this.board.markRegion(label),
  );
  private readonly analysis = new AnalysisPanel(
    () => this.choices.analyse,
    (on) => {
      this.choices.analyse = on;
      this.saveChoices();
      this.analyse();
    },
    (move) => this.board.setHint(move),
    (move) => void this.play(move),
    (error) => this.trouble(error),
  );
  private readonly growth = new GrowthSection(
    () => this.choices.growth,
    (on) => {
      this.choices.growth = on;
      this.saveChoices();
      this.growth.show(this.thinking ? null : this.position);
    },
    (move) => this.board.setHint(move),
    (error) => this.trouble(error),
  );
  private readonly status = h("p", { class: "status", id: "status" });
  private readonly list = h("div", { class: "moves", id: "moves", tabindex: "0", role: "group" });
  private readonly verdict = h("div");
  private readonly setup = h("div", { class: "part" });
  private readonly back = h(
    "button",
    { type: "button", class: "tool", id: "undo", onclick: () => this.step(-1) },
    icon("back"),
  );
  private readonly forward = h(
    "button",
    { type: "button", class: "tool", id: "redo", onclick: () => this.step(1) },
    icon("forward"),
  );
  private readonly fen = h("input", {
    type: "text",
    id: "fen",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  private readonly fenFault = h("p", { class: "fault-text", id: "fen-fault", role: "alert" });

  constructor() {
    super();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => void this.follow());
    this.build();
  }

  /** Opens what the address says, or the game that was left, or a new one. */
  async open(): Promise<void> {
    const saved = recall<Saved>("amazons.game");
    const wanted = fenOf(location.hash);
    if (saved?.start) this.game = Game.load(saved);
    if (saved?.start && (!wanted || this.game.fen === wanted)) return this.show();
    if (wanted && (await this.follow())) return;
    await (saved?.start ? this.show() : this.begin());
  }

  private async follow(): Promise<boolean> {
    const wanted = fenOf(location.hash);
    if (!wanted || wanted === this.game.fen) return false;
    return this.load(wanted);
  }

  /** Starts again from a text; reports what is wrong with it. */
  private async load(text: string): Promise<boolean> {
    try {
      const position = await amazons.position(text);
      this.known.set(position.fen, position);
      this.fenFault.textContent = "";
      this.choices.opponent = "none";
      this.saveChoices();
      this.fillSetup();
      await this.start(new Game(position.fen));
      return true;
    } catch (error) {
      if (error instanceof Refused) {
        this.fen.value = text;
        this.fenFault.textContent = faultText(error.fault);
        this.toast(faultText(error.fault));
      } else this.trouble(error);
      return false;
    }
  }

  private async begin(): Promise<void> {
    try {
      const position = await amazons.start(this.choices.size);
      this.known.set(position.fen, position);
      await this.start(new Game(position.fen));
    } catch (error) {
      this.trouble(error);
    }
  }

  private async start(game: Game): Promise<void> {
    this.stopThinking();
    this.game = game;
    await this.show();
  }

  private stopThinking(): void {
    this.thinking?.abort();
    this.thinking = null;
  }

  /** The computer's side, if it plays. */
  private get enemy(): Side | null {
    return this.choices.opponent === "none" ? null : other(this.choices.side);
  }

  private async state(fen: string): Promise<Position> {
    const known = this.known.get(fen);
    if (known) return known;
    const position = await amazons.position(fen);
    this.known.set(fen, position);
    if (this.known.size > 300) this.known.delete(this.known.keys().next().value!);
    return position;
  }

  /** Shows the position looked at, and lets the side to move do so. */
  private async show(): Promise<void> {
    const mine = ++this.shown;
    const { game } = this;
    keep("amazons.game", game.save());
    history.replaceState(null, "", hashOf(game.fen));
    let position: Position;
    try {
      position = await this.state(game.fen);
    } catch (error) {
      return this.trouble(error);
    }
    if (mine !== this.shown) return;
    this.position = position;
    const thinks = game.isAtEnd && position.turn === this.enemy && !position.winner;
    this.board.show(position, game.last, thinks ? {} : byAmazon(position.moves));
    this.fen.value = position.fen;
    this.overlay();
    this.listMoves();
    this.buttons();
    this.tell("amazon");
    this.tellVerdict(position);
    if (thinks) void this.think(position);
    this.analyse();
  }

  private overlay(): void {
    if (!this.position) return;
    const regions = numbered(this.position);
    // A board that is not cut keeps its own colours: one region is nothing to see.
    this.board.setRegions(this.choices.regions && regions.length > 1 ? regions : []);
    this.regions.show(regions);
  }

  private analyse(): void {
    const { position } = this;
    this.analysis.show(this.thinking ? null : position, position ? numbered(position) : []);
    this.growth.show(this.thinking ? null : position);
  }

  private tell(stage: "amazon" | "target" | "arrow"): void {
    const { position } = this;
    if (!position) return;
    const { winner } = position;
    this.status.textContent = winner
      ? t("wins", { side: sideName(winner) })
      : stage === "target"
        ? t("statusTarget")
        : stage === "arrow"
          ? t("statusArrow")
          : this.game.isAtEnd && position.turn === this.enemy
            ? t("thinking")
            : t("turn", { side: sideName(position.turn) });
  }

  private tellVerdict({ winner }: Position): void {
    if (!winner) return fill(this.verdict);
    const title = this.enemy ? t(winner === this.enemy ? "youLose" : "youWin") : t("wins", { side: sideName(winner) });
    const text = t("over", { loser: sideName(other(winner)) });
    fill(this.verdict, h("div", { class: "verdict", id: "verdict" }, h("h2", {}, title), h("p", {}, text)));
    this.say(`${title}. ${text}`);
  }

  private async play(move: string): Promise<void> {
    const { game } = this;
    const { fen } = game;
    this.stopThinking();
    this.fenFault.textContent = "";
    try {
      const position = await amazons.position(fen, move);
      if (game !== this.game || game.fen !== fen) return;
      this.known.set(position.fen, position);
      game.play(move, position.fen);
      this.say(t("moved", { side: sideName(turnOf(fen)), move }));
      await this.show();
    } catch (error) {
      this.trouble(error);
      await this.show();
    }
  }

  private async think(position: Position): Promise<void> {
    this.stopThinking();
    const thinking = new AbortController();
    this.thinking = thinking;
    const { opponent, level } = this.choices;
    if (opponent === "none") return;
    try {
      const solved =
        opponent === "regions" && position.empty <= EXACT_SQUARES
          ? await amazons.analyse(position.fen, "exact", SOLVING, thinking.signal)
          : null;
      const found = solved?.best
        ? solved
        : await amazons.analyse(position.fen, opponent, LEVELS[level], thinking.signal);
      if (this.thinking !== thinking || !found.best) return;
      this.thinking = null;
      await this.play(found.best);
    } catch (error) {
      if (!thinking.signal.aborted) this.trouble(error);
    }
  }

  /** Back or forward: a move, or to where the reader is to move. */
  private step(step: -1 | 1): void {
    const at = this.game.near(step, this.enemy && this.choices.side);
    if (at !== null) this.go(at);
  }

  private go(at: number): void {
    this.stopThinking();
    this.game.at = at;
    void this.show();
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.key === "Escape" && !target.closest("dialog") && this.board.cancel()) return event.preventDefault();
    if (target.closest("input, textarea, select, dialog") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") this.step(-1);
    else if (event.key === "ArrowRight") this.step(1);
    else return;
    event.preventDefault();
  }

  protected reconnected(): void {
    void this.show();
  }

  protected faultText(fault: Fault, blanks: Blanks): string {
    return faultText(fault, blanks);
  }

  private saveChoices(): void {
    keep("amazons.choices", this.choices);
  }

  private buttons(): void {
    const side = this.enemy && this.choices.side;
    this.back.disabled = this.game.near(-1, side) === null;
    this.forward.disabled = this.game.near(1, side) === null;
  }

  private listMoves(): void {
    const { game } = this;
    const button = (index: number): Node | null => {
      const step = game.moves[index];
      return step
        ? h(
            "button",
            {
              type: "button",
              class: "san",
              id: `move-${index}`,
              "aria-current": index === game.at - 1 ? "true" : null,
              onclick: () => this.go(index + 1),
            },
            step.move,
          )
        : null;
    };
    const pairs: Node[] = [];
    // A game may begin with Black to move.
    const first = turnOf(game.start) === "white" ? 0 : -1;
    for (let index = first; index < game.moves.length; index += 2) {
      pairs.push(
        h(
          "div",
          { class: "pair" },
          h("span", { class: "number" }, `${(index - first) / 2 + 1}.`),
          index < 0 ? h("span", { class: "gap" }, "…") : button(index),
          button(index + 1),
        ),
      );
    }
    keepingFocus(() => fill(this.list, pairs.length ? pairs : h("p", { class: "quiet" }, t("noMoves"))));
    this.list.setAttribute("aria-label", t("moves"));
    const current = this.list.querySelector<HTMLElement>("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    else this.list.scrollTop = 0;
  }

  private fillSetup(): void {
    const { choices } = this;
    const changed = (change: () => void) => {
      change();
      this.saveChoices();
      this.fillSetup();
      this.stopThinking();
      void this.show();
    };
    const against = choices.opponent !== "none";
    const levels = Object.keys(LEVELS) as (keyof typeof LEVELS)[];
    keepingFocus(() =>
      fill(
        this.setup,
        this.choice(
          t("size"),
          "size",
          SIZES.map((size) => [size, `${size} × ${size}`]),
          choices.size,
          (size) => {
            choices.size = size;
            this.saveChoices();
            // A game that has begun goes on until a new one is asked for.
            if (!this.game.moves.length) void this.begin();
          },
        ),
        this.choice(
          t("opponent"),
          "opponent",
          (["none", "champion", "plain", "regions"] as const).map((name) => [name, t(`opponent_${name}`)]),
          choices.opponent,
          (opponent) =>
            changed(() => {
              choices.opponent = opponent;
            }),
        ),
        against
          ? this.choice(
              t("yourSide"),
              "side",
              [
                ["white", sideName("white")],
                ["black", sideName("black")],
              ],
              choices.side,
              (side) =>
                changed(() => {
                  choices.side = side;
                }),
            )
          : null,
        against
          ? this.choice(
              t("level"),
              "level",
              levels.map((level) => [level, t(`level_${level}`)]),
              choices.level,
              (level) =>
                changed(() => {
                  choices.level = level;
                }),
            )
          : null,
        h(
          "button",
          {
            type: "button",
            class: "primary",
            id: "new-game",
            onclick: () => {
              this.fenFault.textContent = "";
              void this.begin();
            },
          },
          t("newGame"),
        ),
      ),
    );
  }

  private build(): void {
    document.title = `${t("title")} · Mousetrap`;
    for (const [button, text] of [
      [this.back, t("prev")],
      [this.forward, t("next")],
    ] as const) {
      button.title = text;
      button.setAttribute("aria-label", text);
    }
    this.fen.setAttribute("aria-label", t("positionText"));
    this.regions.rebuild();
    this.analysis.rebuild();
    this.growth.rebuild();
    this.fillSetup();
    fill(
      this.element,
      this.header(
        null,
        [
          h("a", { class: "mode", href: "./" }, t("jungle")),
          h("a", { class: "mode", href: "amazons.html", "aria-current": "page" }, t("amazons")),
        ],
        () => this.help(),
        () => this.configure(),
      ),
      this.banner,
      h(
        "main",
        { class: "main amazons" },
        h("h1", { class: "unseen" }, t("title")),
        h(
          "div",
          { class: "left" },
          this.board.element,
          h("div", { class: "under" }, this.back, this.forward, this.status),
          h("p", { id: "board-help", class: "unseen" }, t("boardHelp")),
        ),
        h(
          "div",
          { class: "panel", tabindex: "0", role: "region", "aria-label": t("title") },
          this.verdict,
          this.setup,
          this.list,
          this.regions.element,
          this.analysis.element,
          this.growth.element,
          h(
            "section",
            { class: "part", "aria-labelledby": "position-title" },
            h("h2", { id: "position-title" }, t("position")),
            h(
              "form",
              {
                class: "position-row",
                onsubmit: (event: Event) => {
                  event.preventDefault();
                  void this.load(this.fen.value);
                },
              },
              this.fen,
              h("button", { type: "submit", id: "load-fen" }, t("load")),
              h(
                "button",
                { type: "button", class: "action", id: "copy-fen", onclick: () => void this.copy(this.fen) },
                icon("copy"),
                h("span", {}, t("copyFen")),
              ),
              h(
                "button",
                {
                  type: "button",
                  class: "action",
                  id: "copy-link",
                  onclick: () => void this.copy(this.fen, location.href),
                },
                icon("copy"),
                h("span", {}, t("copyLink")),
              ),
            ),
            this.fenFault,
            h("p", { class: "quiet" }, t("linkNote")),
          ),
        ),
      ),
      this.live,
      this.toasts,
    );
    this.board.relabel();
  }

  private help(): void {
    this.dialog(t("help"), [
      h("p", {}, t("helpText")),
      h("p", {}, t("helpRegions")),
      program ? null : h("p", {}, h("a", { href: "api/docs" }, t("interface"))),
    ]);
  }

  private configure(): void {
    this.dialog(t("settings"), [
      ...this.appearance(() => {
        this.build();
        void this.show();
      }),
      this.belongings(),
    ]);
  }
}
