// The opening explorer: what was played in the position on the board, how often, how it scored, and what the engine's
// analysis says of the first plies.

import { Refused, type Score, type Side } from "../api";
import { fill, h, icon } from "../dom";
import { games, SOURCES, type Explored, type ExploredMove, type KeptGame, type Source, type Tally } from "../games";
import { currentLanguage, faultText, sideName, t, type Key } from "../i18n";
import { MoveList } from "../movelist";
import { keep, recall } from "../settings";
import { Tree } from "../tree";
import { moveText, scoreText, shortNumber } from "../words";
import type { AnalysisView, Tab } from "./analysis";
import { gameList } from "./gamelist";

const NAMES: Record<Source, Key> = { book: "sourceBook", own: "sourceOwn", imported: "sourceImported" };

export class ExplorerTab implements Tab {
  readonly element = h("div", { class: "explorer-tab" });
  private source: Source = recall<Source>("explorer") ?? "book";
  private asked = 0;
  private best: string | null = null;
  /** A move of the list was played: the focus goes on to the next list. */
  private follows = false;
  private readonly list: MoveList;
  private readonly body = h("div", { class: "explorer", id: "explorer" });

  constructor(
    private readonly view: AnalysisView,
    private readonly all: (tree: Tree, source: Source) => void,
  ) {
    if (!SOURCES.includes(this.source)) this.source = "book";
    this.list = new MoveList((node) => view.go(node));
    this.rebuild();
  }

  rebuild(): void {
    const choice = (source: Source) =>
      h(
        "label",
        { class: "segment" },
        h("input", {
          type: "radio",
          name: "explorer-source",
          value: source,
          checked: source === this.source,
          onchange: () => {
            this.source = source;
            keep("explorer", source);
            void this.ask();
          },
        }),
        h("span", {}, t(NAMES[source])),
      );
    fill(
      this.element,
      h(
        "fieldset",
        { class: "segments", id: "explorer-sources" },
        h("legend", { class: "unseen" }, t("gamesFrom")),
        SOURCES.map(choice),
      ),
      this.body,
      this.list.element,
    );
  }

  show(): void {
    this.view.app.bar.hidden = true;
    this.list.show(this.view.tree);
    void this.ask();
  }

  hide(): void {
    this.asked++;
    this.view.app.board.setArrows([]);
  }

  reconnected(): void {
    void this.ask();
  }

  private async ask(): Promise<void> {
    const { view } = this;
    const mine = ++this.asked;
    try {
      const found = await games.explore(view.tree.ref(), this.source);
      if (mine === this.asked) this.draw(found);
    } catch (error) {
      if (mine !== this.asked) return;
      this.best = null;
      this.point(null);
      if (!(error instanceof Refused)) return view.app.trouble(error);
      fill(this.body, h("p", { class: "notice", id: "explorer-none" }, faultText(error.fault)));
    }
  }

  private draw(found: Explored): void {
    const judged = byScore(found.moves);
    this.best = judged[0]?.move ?? found.moves[0]?.move ?? null;
    this.point(this.best);
    const follows = this.follows && this.body.contains(document.activeElement);
    this.follows = false;
    const unplayed = found.moves.filter((move) => !move.games);
    const rows = found.moves.filter((move) => move.games).map((move) => this.row(move, found));
    fill(
      this.body,
      this.headline(found, judged),
      found.moves.length
        ? h(
            "table",
            { class: "explored" },
            h("caption", { class: "unseen" }, t("explorerCaption")),
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", { scope: "col" }, t("move")),
                h("th", { scope: "col", class: "figure" }, t("gamesColumn")),
                h("th", { scope: "col" }, t("resultsColumn")),
                judged.length ? h("th", { scope: "col", class: "figure" }, t("scoreColumn")) : null,
              ),
            ),
            h(
              "tbody",
              {},
              rows,
              byScore(unplayed).map((move) => this.row(move, found)),
            ),
          )
        : null,
      found.games && !found.moves.length ? h("p", { class: "quiet" }, t("explorerEnds")) : null,
      found.source === "book" && found.book
        ? h(
            "p",
            { class: "quiet", id: "book-origin" },
            t("bookOrigin", {
              engine: found.book.engine,
              nodes: found.book.nodes.toLocaleString(currentLanguage()),
              analysis: found.book.analysis.map((nodes) => nodes.toLocaleString(currentLanguage())).join(", "),
            }),
          )
        : null,
      found.latest.length ? h("h2", {}, t("gamesFromHere", { n: found.games })) : null,
      gameList(found.latest, (game) => void this.open(game)),
      found.games
        ? h(
            "button",
            {
              type: "button",
              class: "action wide",
              id: "all-games",
              onclick: () => this.all(this.here(), found.source),
            },
            icon("search"),
            h("span", {}, t("allGamesHere")),
          )
        : null,
    );
    if (follows) this.body.querySelector<HTMLElement>("button")?.focus();
  }

  /** How many games there are, and which move is best by how much. */
  private headline(found: Explored, judged: ExploredMove[]): Node[] {
    const [best, second] = judged;
    const { turn } = found;
    const lead =
      best?.judged && second?.judged && "cp" in best.judged.score && "cp" in second.judged.score
        ? (best.judged.score.cp - second.judged.score.cp) / 100
        : null;
    const lines = [
      best?.judged
        ? h(
            "p",
            { id: "explorer-best" },
            h("strong", {}, t("bestHere", { move: moveText(best.san), score: exactScore(best.judged.score, turn) })),
            " ",
            lead === null
              ? ""
              : t(lead < 0.1 ? "bestEqual" : "bestAhead", { lead: lead.toFixed(2), move: moveText(second!.san) }),
            " ",
            t("bestDepth", { n: best.judged.depth, nodes: shortNumber(best.judged.nodes) }),
          )
        : null,
      h(
        "p",
        { class: found.games ? "" : "notice", id: "explorer-total" },
        found.games
          ? t("explorerTotal", { n: found.games })
          : t(
              found.source === "book"
                ? "explorerNoneBook"
                : found.source === "own"
                  ? "explorerNoneOwn"
                  : "explorerNone",
            ),
      ),
    ];
    return lines.filter((line) => line !== null);
  }

  private row(move: ExploredMove, found: Explored): HTMLElement {
    const judged = found.moves.some((one) => one.judged);
    const share = found.games ? Math.round((100 * move.games) / found.games) : 0;
    const row = h(
      "tr",
      { onmouseenter: () => this.point(move.move), onmouseleave: () => this.point(this.best) },
      h(
        "td",
        {},
        h(
          "button",
          {
            type: "button",
            class: "san",
            "data-move": move.move,
            onfocus: () => this.point(move.move),
            onclick: () => this.play(move.move),
          },
          moveText(move.san),
        ),
      ),
      h(
        "td",
        { class: "figure" },
        move.games ? `${move.games}` : "–",
        move.games ? h("small", {}, ` ${share} %`) : null,
      ),
      h("td", { class: "bar-cell" }, resultBar(move.results)),
      judged ? h("td", { class: "figure score" }, move.judged ? exactScore(move.judged.score, found.turn) : "") : null,
    );
    return row;
  }

  private point(move: string | null): void {
    const { app } = this.view;
    if (!app.settings.arrows || !move) return app.board.setArrows([]);
    app.board.setArrows([{ from: move.slice(0, 2), to: move.slice(2, 4), color: "#15781b" }]);
  }

  private play(move: string): void {
    const { view } = this;
    // So that one goes on with the next position's first move.
    this.follows = true;
    void view.make(move).catch((error: unknown) => view.app.trouble(error));
  }

  /** The line on the board, up to here. */
  private here(): Tree {
    const { tree } = this.view;
    const copy = new Tree(tree.fen, tree.rules);
    for (const node of tree.path()) copy.current = copy.add(node.move, node.san, node.captures, node.fen);
    return copy;
  }

  /** Opens a game where it reaches the position on the board. */
  private async open(game: KeptGame): Promise<void> {
    const { view } = this;
    try {
      const { record } = await games.open(game.id);
      view.load(atPosition(Tree.fromRecord(record), view.tree.current.fen));
    } catch (error) {
      view.app.trouble(error);
    }
  }
}

/** A score as Red sees it; first moves differ by hundredths. */
function exactScore(score: Score, turn: Side): string {
  if (!("cp" in score)) return scoreText(score, turn);
  const value = (turn === "white" ? score.cp : -score.cp) / 100;
  return (value < 0 ? "−" : value > 0 ? "+" : "") + Math.abs(value).toFixed(2);
}

/** Moves with an analysis, the best for who makes them first. */
function byScore(moves: ExploredMove[]): ExploredMove[] {
  const value = ({ judged }: ExploredMove) => {
    const score = judged!.score;
    if ("cp" in score) return score.cp;
    return "win" in score ? 1e6 - score.win : "loss" in score ? score.loss - 1e6 : 0;
  };
  return moves.filter((move) => move.judged).sort((a, b) => value(b) - value(a));
}

/** Shares of wins, draws and losses, as a bar that can also be read. */
function resultBar({ white, draws, black, unfinished }: Tally): HTMLElement {
  const total = white + draws + black;
  if (!total) return h("span", { class: "quiet" }, unfinished ? t("unfinishedGames", { n: unfinished }) : "");
  const percent = (n: number) => Math.round((100 * n) / total);
  const part = (name: string, n: number) => {
    const span = h("span", { class: `wdl-part ${name}` }, percent(n) >= 14 ? `${percent(n)}` : "");
    span.style.width = `${(100 * n) / total}%`;
    return n ? span : null;
  };
  const words = t("resultWords", {
    white: `${sideName("white")} ${percent(white)}`,
    draws: percent(draws),
    black: `${sideName("black")} ${percent(black)}`,
  });
  return h(
    "span",
    { class: "wdl", role: "img", "aria-label": words, title: words },
    part("white", white),
    part("draws", draws),
    part("black", black),
  );
}

const placed = (fen: string) => fen.split(" ").slice(0, 2).join(" ");

/** A game, at the place where a position comes up in it; a mirror image will do. */
export function atPosition(tree: Tree, fen: string): Tree {
  const wanted = [placed(fen), placed(mirrored(fen))];
  const node = [tree.root, ...tree.mainLine()].find((one) => wanted.includes(placed(one.fen)));
  tree.current = node ?? tree.root;
  return tree;
}

function mirrored(fen: string): string {
  const [board = "", ...rest] = fen.split(" ");
  const turned = board.split("/").map((row) => [...row].reverse().join(""));
  return [turned.join("/"), ...rest].join(" ");
}
