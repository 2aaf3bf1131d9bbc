// The board: an SVG drawing, and over it a grid of cells that mouse, touch, keyboard and screen readers use.
//
// A move has three parts: an amazon, where she goes, and what her arrow hits. Until the third is chosen nothing
// has happened; Escape takes the first two back.

import { fill, h, s } from "../dom";
import type { Moves, Position, Region } from "./api";
import { place, squareAt, squaresOf, type Size } from "./squares";
import { sideName, t } from "./words";

const FRAME = 34;
const CROWN = "M-27 22V-12L-13 2 0 -24 13 2 27 -12V22z";

export interface BoardEvents {
  /** A whole move was chosen by hand. */
  move(move: string): void;
  /** A part of a move was chosen, or taken back. */
  choosing(stage: "amazon" | "target" | "arrow"): void;
  /** Something a screen reader should say. */
  say(text: string): void;
}

/** A region with its number and colour. */
export interface Shown {
  region: Region;
  label: string;
}

export class Board {
  readonly element: HTMLElement;
  private size: Size = { files: 10, ranks: 10 };
  private cells = new Map<string, HTMLElement>();
  /** What stands on each square that is not empty: `W`, `B` or `x`. */
  private men = new Map<string, string>();
  private drawn = new Map<string, SVGElement>();
  private moves: Moves = {};
  private from: string | null = null;
  private to: string | null = null;
  private last: string | null = null;
  private hint: string | null = null;
  private regions: Shown[] = [];
  private marked: string | null = null;
  private focus = "a1";

  private readonly svg = s("svg", { "aria-hidden": "true", class: "drawing" });
  private readonly layers = {
    ground: s("g"),
    squares: s("g"),
    last: s("g"),
    regions: s("g"),
    marks: s("g"),
    pieces: s("g"),
    top: s("g"),
  };
  private readonly grid = h("div", { role: "grid", class: "cells", id: "board", "aria-describedby": "board-help" });

  constructor(private readonly events: BoardEvents) {
    this.svg.append(...Object.values(this.layers));
    this.element = h("div", { class: "amazons-board" }, this.svg, this.grid);
    this.grid.addEventListener("click", (event) => {
      const square = (event.target as HTMLElement).dataset["square"];
      if (!square) return;
      this.setFocus(square, false);
      this.act(square, false);
    });
    this.grid.addEventListener("keydown", (event) => this.keyDown(event));
    this.layOut();
  }

  /** Shows a position; `moves` may be made by hand. */
  show(position: Position, last: string | null, moves: Moves): void {
    const { files, ranks } = position;
    this.men = new Map();
    position.rows.forEach((row, index) => {
      [...row].forEach((letter, column) => {
        if (letter !== ".") this.men.set(squareAt(position, column, index)!, letter);
      });
    });
    this.moves = moves;
    this.last = last;
    this.from = this.to = this.hint = null;
    if (files !== this.size.files || ranks !== this.size.ranks) {
      this.size = { files, ranks };
      this.layOut();
    }
    this.draw();
  }

  /** Colours the board by region. */
  setRegions(regions: Shown[]): void {
    this.regions = regions;
    this.drawSquares();
    this.drawRegions();
  }

  /** Makes one region stand out. */
  markRegion(label: string | null): void {
    this.marked = label;
    this.drawRegions();
  }

  /** Points out a move. */
  setHint(move: string | null): void {
    this.hint = move;
    this.drawTop();
  }

  /** Takes back what was chosen of a move. */
  cancel(): boolean {
    if (!this.from) return false;
    this.choose(null, null);
    this.events.say(t("letGo"));
    return true;
  }

  /** Relabels everything in another language. */
  relabel(): void {
    this.grid.setAttribute("aria-label", t("board"));
    this.label();
  }

  private layOut(): void {
    const { files, ranks } = this.size;
    const [width, height] = [files * 100 + 2 * FRAME, ranks * 100 + 2 * FRAME];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    document.documentElement.style.setProperty("--board-ratio", String(width / height));
    Object.assign(this.grid.style, {
      left: `${(FRAME / width) * 100}%`,
      top: `${(FRAME / height) * 100}%`,
      width: `${((files * 100) / width) * 100}%`,
      height: `${((ranks * 100) / height) * 100}%`,
      gridTemplateRows: `repeat(${ranks}, 1fr)`,
    });
    this.cells.clear();
    this.focus = squareAt(this.size, 0, ranks - 1)!;
    const rows: HTMLElement[] = [];
    for (let row = 0; row < ranks; row++) {
      const cells: HTMLElement[] = [];
      for (let column = 0; column < files; column++) {
        const square = squareAt(this.size, column, row)!;
        const cell = h("div", {
          role: "gridcell",
          class: "cell",
          "data-square": square,
          tabindex: square === this.focus ? "0" : "-1",
        });
        this.cells.set(square, cell);
        cells.push(cell);
      }
      const element = h("div", { role: "row", class: "row" }, cells);
      element.style.gridTemplateColumns = `repeat(${files}, 1fr)`;
      rows.push(element);
    }
    fill(this.grid, rows);
    this.grid.setAttribute("aria-label", t("board"));
    const name = (x: number, y: number, text: string) => s("text", { x, y, class: "name" }, text);
    fill(
      this.layers.ground,
      s("rect", { width, height, rx: 22, class: "wood" }),
      Array.from({ length: files }, (_, file) => name(FRAME + 100 * file + 50, height - 9, "abcdefghij"[file]!)),
      Array.from({ length: ranks }, (_, rank) => name(FRAME / 2, height - FRAME - 100 * rank - 43, String(rank + 1))),
    );
    this.drawn.clear();
    fill(this.layers.pieces);
  }

  private draw(): void {
    this.drawSquares();
    this.drawPieces();
    this.drawLast();
    this.drawRegions();
    this.drawMarks();
    this.drawTop();
    this.label();
  }

  private corner(square: string): [number, number] {
    const { column, row } = place(this.size, square);
    return [FRAME + 100 * column, FRAME + 100 * row];
  }

  private centre(square: string): [number, number] {
    const [x, y] = this.corner(square);
    return [x + 50, y + 50];
  }

  private drawSquares(): void {
    const kinds = new Map(
      this.regions.flatMap(({ region }) =>
        region.squares.map((square): [string, string] => [square, kindClass(region)]),
      ),
    );
    fill(
      this.layers.squares,
      [...this.cells.keys()].map((square) => {
        const [x, y] = this.corner(square);
        const { column, row } = place(this.size, square);
        const shade = (column + this.size.ranks - row) % 2 ? "dark" : "light";
        if (this.men.get(square) !== "x") {
          return s("rect", { x, y, width: 100, height: 100, class: `square ${shade} ${kinds.get(square) ?? ""}` });
        }
        return s(
          "g",
          { transform: `translate(${x} ${y})`, class: "burnt" },
          s("path", { d: "M0 0h100v100H0z" }),
          s("path", { class: "cross", d: "M34 34l32 32M66 34l-32 32" }),
        );
      }),
    );
  }

  /** Pieces that went from one square to another slide. */
  private drawPieces(): void {
    const wanted = new Map([...this.men].filter(([, letter]) => letter !== "x"));
    const letterOf = (element: SVGElement) => element.dataset["letter"];
    const gone = [...this.drawn].filter(([square, element]) => wanted.get(square) !== letterOf(element));
    for (const [square] of gone) this.drawn.delete(square);
    for (const [square, letter] of wanted) {
      if (this.drawn.has(square)) continue;
      const at = gone.findIndex(([, element]) => letterOf(element) === letter);
      const element = at >= 0 ? gone.splice(at, 1)[0]![1] : piece(letter);
      if (!element.parentNode) this.layers.pieces.append(element);
      this.drawn.set(square, element);
    }
    for (const [, element] of gone) element.remove();
    for (const [square, element] of this.drawn) {
      const [x, y] = this.centre(square === this.from && this.to ? this.to : square);
      element.style.transform = `translate(${x}px, ${y}px)`;
    }
  }

  private drawLast(): void {
    const [from, to, arrow] = squaresOf(this.last ?? "");
    if (!from) return fill(this.layers.last);
    const tinted = [from, to]
      .filter((square) => this.men.get(square) !== "x")
      .map((square) => {
        const [x, y] = this.corner(square);
        return s(
          "g",
          { transform: `translate(${x} ${y})` },
          s("path", { class: "last-tint", d: "M0 0h100v100H0z" }),
          s("path", { class: "last-brackets", d: "M5 24V5H24M76 5H95V24M95 76V95H76M24 95H5V76" }),
        );
      });
    const [x, y] = this.corner(arrow);
    fill(
      this.layers.last,
      tinted,
      s("rect", { x: x + 7, y: y + 7, width: 86, height: 86, rx: 10, class: "last-arrow" }),
    );
  }

  private drawRegions(): void {
    const nodes = this.regions.flatMap(({ region, label }): Node[] => {
      const squares = new Set(region.squares);
      let path = "";
      for (const square of squares) {
        const { column, row } = place(this.size, square);
        const [x, y] = this.corner(square);
        const has = (c: number, r: number) => squares.has(squareAt(this.size, c, r) ?? "");
        if (!has(column, row - 1)) path += `M${x + 3} ${y + 3}h94`;
        if (!has(column, row + 1)) path += `M${x + 3} ${y + 97}h94`;
        if (!has(column - 1, row)) path += `M${x + 3} ${y + 3}v94`;
        if (!has(column + 1, row)) path += `M${x + 97} ${y + 3}v94`;
      }
      const line = s("path", {
        d: path,
        class: `region-line ${kindClass(region)} ${label && label === this.marked ? "marked" : ""}`,
      });
      if (!label) return [line];
      // The number stands in an empty square, as far to the top left as there is one.
      const order = (square: string) => {
        const { column, row } = place(this.size, square);
        return row * 10 + column;
      };
      const sorted = [...squares].sort((a, b) => order(a) - order(b));
      const [x, y] = this.corner(sorted.find((square) => !this.men.has(square)) ?? sorted[0]!);
      return [
        line,
        s(
          "g",
          { transform: `translate(${x + 22} ${y + 22})`, class: `region-label ${kindClass(region)}` },
          s("circle", { r: 16 }),
          s("text", { y: 8 }, label),
        ),
      ];
    });
    fill(this.layers.regions, nodes);
  }

  private drawMarks(): void {
    const at = this.to ?? this.from;
    const marks: Node[] = [];
    if (at) {
      const [x, y] = this.corner(at);
      marks.push(s("rect", { x: x + 4, y: y + 4, width: 92, height: 92, rx: 12, class: "picked" }));
    }
    if (this.from && this.to) {
      const [x, y] = this.corner(this.from);
      marks.push(s("rect", { x: x + 12, y: y + 12, width: 76, height: 76, rx: 12, class: "came-from" }));
    }
    for (const square of this.targets()) {
      const [x, y] = this.centre(square);
      marks.push(
        this.to
          ? s("path", { class: "shot", transform: `translate(${x} ${y})`, d: "M-13 -13L13 13M13 -13L-13 13" })
          : s("circle", { class: "target", cx: x, cy: y, r: 14 }),
      );
    }
    fill(this.layers.marks, marks);
  }

  private drawTop(): void {
    const [from, to, arrow] = squaresOf(this.hint ?? "");
    fill(this.layers.top, from ? [this.pointer(from, to, "hint-step"), this.pointer(to, arrow, "hint-shot")] : []);
  }

  private pointer(from: string, to: string, name: string): SVGElement {
    const [x1, y1] = this.centre(from);
    const [x2, y2] = this.centre(to);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const at = (along: number, aside: number) => `${x1 + dx * along - dy * aside} ${y1 + dy * along + dx * aside}`;
    const neck = length - 40;
    return s(
      "g",
      { class: name },
      s("path", { class: "shaft", d: `M${at(16, 0)}L${at(neck, 0)}` }),
      s("path", { class: "tip", d: `M${at(length - 8, 0)}L${at(neck, 18)}L${at(neck, -18)}z` }),
    );
  }

  /** What can be chosen next, after the amazon. */
  private targets(): string[] {
    if (this.from && this.to) return this.moves[this.from]?.[this.to] ?? [];
    return this.from ? Object.keys(this.moves[this.from] ?? {}) : [];
  }

  private label(): void {
    const targets = new Set(this.targets());
    for (const [square, cell] of this.cells) {
      const letter = this.men.get(square);
      const moved = this.to
        ? square === this.to
          ? this.men.get(this.from!)
          : square === this.from
            ? undefined
            : letter
        : letter;
      const what =
        moved === "x"
          ? t("arrow")
          : moved
            ? t("amazon", { side: sideName(moved === "W" ? "white" : "black") })
            : t("empty");
      const words = [square, what];
      if (targets.has(square)) words.push(t(this.to ? "canShoot" : "canGo"));
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-selected", String(square === (this.to ?? this.from)));
      cell.classList.toggle("movable", square in this.moves);
      cell.classList.toggle("target-cell", targets.has(square));
    }
  }

  private choose(from: string | null, to: string | null): void {
    this.from = from;
    this.to = to;
    this.hint = null;
    this.drawPieces();
    this.drawMarks();
    this.drawTop();
    this.label();
    this.events.choosing(to ? "arrow" : from ? "target" : "amazon");
  }

  /** A square was pressed or keyed. */
  private act(square: string, say: boolean): void {
    const { from, to } = this;
    if (from && this.targets().includes(square)) {
      if (to) {
        // She stays where she is: the position to come has her there.
        this.events.move(`${from}${to}/${square}`);
        return;
      }
      this.choose(from, square);
      if (say) this.events.say(t("arrived", { square, targets: this.targets().join(", ") }));
    } else if (to && square === to) {
      this.choose(from, null);
    } else if (square in this.moves && square !== from) {
      this.choose(square, null);
      if (say) this.events.say(t("selected", { square, targets: this.targets().join(", ") }));
    } else if (from) {
      this.choose(null, null);
      if (say) this.events.say(t("letGo"));
    }
  }

  private setFocus(square: string, really: boolean): void {
    this.cells.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = square;
    const cell = this.cells.get(square);
    cell?.setAttribute("tabindex", "0");
    if (really) cell?.focus();
  }

  private keyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { column, row } = place(this.size, this.focus);
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [column - 1, row],
      ArrowRight: [column + 1, row],
      ArrowUp: [column, row - 1],
      ArrowDown: [column, row + 1],
      Home: [0, row],
      End: [this.size.files - 1, row],
      PageUp: [column, 0],
      PageDown: [column, this.size.ranks - 1],
    };
    const step = steps[event.key];
    if (step) {
      const square = squareAt(this.size, ...step);
      if (square) this.setFocus(square, true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.act(this.focus, true);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The class that colours a region. */
export function kindClass(region: Region): string {
  return region.owner ? `${region.kind}-${region.owner}` : region.kind;
}

/** White's stand on a disc and Black's on an octagon, so that the colours are not needed. */
function piece(letter: string): SVGElement {
  const base =
    letter === "W"
      ? s("circle", { r: 37, class: "base" })
      : s("path", { class: "base", d: "M-16 -38H16L38 -16V16L16 38H-16L-38 16V-16z" });
  return s(
    "g",
    { class: `piece amazon-${letter}`, "data-letter": letter },
    base,
    s("path", { class: "crown", d: CROWN }),
    [-27, 0, 27].map((x) => s("circle", { class: "pearl", cx: x, cy: x ? -16 : -28, r: 5 })),
  );
}
