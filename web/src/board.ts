// The board: an SVG drawing, and over it a grid of cells that mouse, touch, keyboard and screen readers use.
//
// Pieces are identified by their letter, of which each side has one, so that a new position is animated
// simply by moving each letter to its new square.

import { drawArrow, type Arrow } from "./arrows";
import { fill, h, s } from "./dom";
import { pieceName, sideOf, t } from "./i18n";
import { centre, FILES, FRAME, HEIGHT, place, squareAt, terrainName, WIDTH } from "./squares";
import type { Side } from "./api";
import { piecesOf } from "./tree";

export interface Tint {
  square: string;
  color: string;
  opacity: number;
  label?: string | undefined;
}
export interface Link {
  from: string;
  to: string;
  label: string;
  cut: boolean;
}
export interface Region {
  squares: string[];
  color: string;
}
export interface Overlay {
  tints?: Tint[];
  regions?: Region[];
  links?: Link[];
}
export interface Target {
  move: string;
  captures: boolean;
}
/** What is pointed out about pieces: the squares where they stand. */
export interface Cues {
  /** Has no strength left. */
  trapped: string[];
  /** Can be taken by the side to move. */
  takeable: string[];
  /** Could be taken if the other side were to move. */
  endangered: string[];
}
const NO_CUES: Cues = { trapped: [], takeable: [], endangered: [] };

export interface BoardEvents {
  /** A piece was moved by hand. */
  move(from: string, to: string): void;
  /** A piece was to go where it may not. */
  refused?(from: string, to: string): void;
  /** A square was chosen that starts no move. */
  choose?(square: string): void;
  /** Something a screen reader should say. */
  say(text: string): void;
}

const STAR = "M0 -34L8 -11 32 -11 13 4 20 28 0 14 -20 28 -13 4 -32 -11 -8 -11z";
/** Meshes of a net. */
const WEB =
  "M-44 -20L20 44M-44 12L-12 44M-20 -44L44 20M12 -44L44 -12M44 -20L-20 44M44 12L12 44M20 -44L-44 20M-12 -44L-44 -12";
const ARROW_COLORS = { plain: "#15781b", shift: "#b03a2e", alt: "#1f5fa8" };

export class Board {
  readonly element: HTMLElement;
  private flipped = false;
  private pieces = new Map<string, string>();
  private drawn = new Map<string, SVGElement>();
  private cells = new Map<string, HTMLElement>();
  private targets = new Map<string, Target[]>();
  private selected: string | null = null;
  private last: [string, string] | null = null;
  private autoArrows: Arrow[] = [];
  private handArrows: Arrow[] = [];
  private overlay: Overlay = {};
  private stars: string[] = [];
  private cues: Cues = NO_CUES;
  private strengths: Record<string, number> | null = null;
  private set = "animals";
  private focus = "d3";
  private free = false;
  /** Whose pieces can be taken up, even those that cannot move: then one is told why. */
  private mover: Side | null = null;
  private silence = 0;
  /** The piece that was just refused a move: a tap on it takes it up again, as one would expect. */
  private refused: string | null = null;
  private drag: { from: string; pointer: number; moved: boolean; wasSelected: boolean; x: number; y: number } | null =
    null;
  private arrowFrom: string | null = null;

  private readonly svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", class: "drawing" });
  private readonly layers: Record<
    "names" | "over" | "last" | "marks" | "rings" | "pieces" | "cues" | "top" | "labels",
    SVGElement
  >;
  private readonly background = s("use", { href: "#board", width: WIDTH, height: HEIGHT });
  private readonly grid: HTMLElement;
  private readonly bubble = h("p", { class: "bubble", id: "reason", hidden: true });

  constructor(private readonly events: BoardEvents) {
    const layer = (name: string) => s("g", { class: `layer-${name}` });
    this.layers = {
      names: layer("names"),
      over: layer("over"),
      last: layer("last"),
      marks: layer("marks"),
      rings: layer("rings"),
      pieces: layer("pieces"),
      cues: layer("cues"),
      top: layer("top"),
      labels: layer("labels"),
    };
    this.svg.append(this.background, ...Object.values(this.layers));
    this.grid = h("div", { role: "grid", class: "cells", "aria-describedby": "board-help" });
    this.element = h("div", { class: "board" }, this.svg, this.grid, this.bubble);
    this.grid.addEventListener("pointerdown", (event) => this.pointerDown(event));
    this.grid.addEventListener("pointermove", (event) => this.pointerMove(event));
    this.grid.addEventListener("pointerup", (event) => this.pointerUp(event));
    this.grid.addEventListener("pointercancel", () => this.endDrag());
    this.grid.addEventListener("contextmenu", (event) => event.preventDefault());
    this.grid.addEventListener("keydown", (event) => this.keyDown(event));
    this.layOut();
  }

  /** Shows a position. */
  show(fen: string, last: [string, string] | null = null): void {
    const changed = boardPart(fen) !== boardPart(this.fen);
    this.fen = fen;
    this.pieces = piecesOf(fen);
    this.last = last;
    this.element.dataset["last"] = (last ?? []).join("");
    this.element.dataset["fen"] = fen;
    if (changed) {
      this.handArrows = [];
      this.cues = NO_CUES;
      this.hush();
    }
    this.select(null, false);
    this.drawPieces();
    this.drawLast();
    this.drawArrows();
    this.drawCues();
    this.label();
  }
  private fen = "";

  /**
   * What may be moved by hand, and where to. `mover` is the side whose other pieces can be taken up as well, to
   * be told why they cannot go there; `free` lets anything go anywhere, as in the editor.
   */
  setTargets(targets: Map<string, Target[]>, mover: Side | null = null, free = false): void {
    this.targets = targets;
    this.mover = mover;
    this.free = free;
    this.select(null, false);
    this.label();
  }

  /** Points out pieces. */
  setCues(cues: Cues): void {
    this.cues = cues;
    this.drawCues();
    this.label();
  }

  /** Squares to go to, as lessons have them. */
  setStars(stars: string[]): void {
    this.stars = stars;
    this.drawCues();
    this.label();
  }

  /** Writes on each piece how strong it is. */
  setStrengths(strengths: Record<string, number> | null): void {
    if (JSON.stringify(strengths) === JSON.stringify(this.strengths)) return;
    this.strengths = strengths;
    this.redrawPieces();
  }

  /** Says something where one looks: at a square, or at the lower rim. One thing at a time. */
  tell(text: string, square: string | null): void {
    const { column, row } = square ? place(square, this.flipped) : { column: 3, row: 8 };
    fill(this.bubble, text);
    this.bubble.hidden = false;
    this.bubble.style.left = `${Math.min(68, Math.max(32, ((column + 0.5) / 7) * 100))}%`;
    const above = row > 1;
    this.bubble.style.top = `${((FRAME + 100 * (above ? row : row + 1)) / HEIGHT) * 100}%`;
    this.bubble.classList.toggle("below", !above);
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.hush(), 5000);
    this.events.say(text);
  }

  hush(): void {
    clearTimeout(this.silence);
    this.bubble.hidden = true;
  }

  /** Gives the board the focus, on a square if one is named. */
  takeFocus(square = this.focus): void {
    this.setFocus(square, false);
    this.cells.get(this.focus)?.focus({ preventScroll: true });
  }

  setArrows(arrows: Arrow[]): void {
    this.autoArrows = arrows;
    this.drawArrows();
  }

  setOverlay(overlay: Overlay): void {
    this.overlay = overlay;
    this.drawOverlay();
  }

  setPieceSet(set: string): void {
    this.set = set;
    this.redrawPieces();
  }

  private redrawPieces(): void {
    this.drawn.clear();
    fill(this.layers.pieces);
    this.drawPieces();
  }

  get isFlipped(): boolean {
    return this.flipped;
  }

  flip(flipped: boolean): void {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.layOut();
  }

  /** Relabels everything in another language. */
  relabel(): void {
    this.grid.setAttribute("aria-label", t("board"));
    this.label();
  }

  private layOut(): void {
    const rows: HTMLElement[] = [];
    this.cells.clear();
    for (let row = 0; row < 9; row++) {
      const cells: HTMLElement[] = [];
      for (let column = 0; column < 7; column++) {
        const square = squareAt(column, row, this.flipped)!;
        const cell = h("div", {
          role: "gridcell",
          class: "cell",
          "data-square": square,
          tabindex: square === this.focus ? "0" : "-1",
        });
        this.cells.set(square, cell);
        cells.push(cell);
      }
      rows.push(h("div", { role: "row", class: "row" }, cells));
    }
    fill(this.grid, rows);
    this.grid.setAttribute("aria-label", t("board"));
    this.background.setAttribute("href", this.flipped ? "#board-flipped" : "#board");
    const name = (x: number, y: number, text: string) => s("text", { x, y, class: "name" }, text);
    fill(
      this.layers.names,
      [...FILES].map((file) => name(centre(file + "1", this.flipped)[0], HEIGHT - 5, file)),
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => name(11, centre("a" + rank, this.flipped)[1] + 6, String(rank))),
    );
    this.drawPieces();
    this.drawLast();
    this.drawArrows();
    this.drawOverlay();
    this.drawMarks();
    this.drawCues();
    this.hush();
    this.label();
  }

  private drawPieces(): void {
    const wanted = new Map<string, string>();
    const counts = new Map<string, number>();
    for (const [square, letter] of this.pieces) {
      const count = counts.get(letter) ?? 0;
      counts.set(letter, count + 1);
      wanted.set(letter + (count || ""), square);
    }
    for (const [key, element] of this.drawn) {
      if (!wanted.has(key)) {
        // What is taken is seen to go.
        element.classList.add("gone");
        setTimeout(() => element.remove(), 260);
        this.drawn.delete(key);
      }
    }
    for (const [key, square] of wanted) {
      let element = this.drawn.get(key);
      const isNew = !element;
      if (!element) {
        element = this.drawPiece(key[0]!);
        this.drawn.set(key, element);
        this.layers.pieces.append(element);
      }
      element.dataset["on"] = square;
      element.classList.remove("dragged");
      const [x, y] = centre(square, this.flipped);
      if (isNew) element.classList.add("still");
      element.style.transform = `translate(${x}px, ${y}px)`;
      if (isNew) requestAnimationFrame(() => element.classList.remove("still"));
    }
  }

  private drawPiece(letter: string): SVGElement {
    const strength = this.strengths?.[letter.toUpperCase()];
    return s(
      "g",
      { class: "piece" },
      s("use", { href: `#${this.set}-${letter}`, x: -50, y: -50, width: 100, height: 100 }),
      strength
        ? s(
            "g",
            { class: "strength", transform: "translate(31 31)" },
            s("circle", { r: 14 }),
            s("text", { y: 7 }, String(strength)),
          )
        : null,
    );
  }

  /** A web over what is trapped, a ring round what can be taken, a broken one round what is in danger, a star where to go. */
  private drawCues(): void {
    const at = (square: string) => {
      const [x, y] = centre(square, this.flipped);
      return `translate(${x} ${y})`;
    };
    fill(
      this.layers.cues,
      this.stars.map((square) => s("path", { class: "star", transform: at(square), d: STAR })),
      this.cues.trapped.map((square) => s("path", { class: "cue-trapped", transform: at(square), d: WEB })),
    );
    const ring = (kind: string) => (square: string) => s("circle", { class: kind, transform: at(square), r: 46 });
    // Under the pieces, so that their numbers can be read.
    fill(
      this.layers.rings,
      this.cues.takeable.map(ring("cue-takeable")),
      this.cues.endangered.map(ring("cue-endangered")),
    );
  }

  private pieceElement(square: string): SVGElement | undefined {
    return [...this.drawn.values()].find((element) => element.dataset["on"] === square);
  }

  private corner(square: string): [number, number] {
    const [x, y] = centre(square, this.flipped);
    return [x - 50, y - 50];
  }

  private drawLast(): void {
    fill(
      this.layers.last,
      (this.last ?? []).map((square) => {
        const [x, y] = this.corner(square);
        return s(
          "g",
          { transform: `translate(${x} ${y})` },
          s("path", { class: "last-tint", d: "M0 0h100v100h-100z" }),
          s("path", { class: "last-brackets", d: "M5 24V5H24M76 5H95V24M95 76V95H76M24 95H5V76" }),
        );
      }),
    );
  }

  private drawMarks(): void {
    const marks: Node[] = [];
    const from = this.selected;
    if (from) {
      const [x, y] = this.corner(from);
      marks.push(s("rect", { x: x + 3, y: y + 3, width: 94, height: 94, rx: 12, class: "picked" }));
    }
    fill(this.layers.marks, marks);
    const top: Node[] = [];
    for (const target of (from && this.targets.get(from)) || []) {
      const [x, y] = centre(target.move.slice(2, 4), this.flipped);
      top.push(
        target.captures
          ? s("path", {
              class: "target-capture",
              transform: `translate(${x} ${y})`,
              d: "M-46 -24V-46H-24M24 -46H46V-24M46 24V46H24M-24 46H-46V24",
            })
          : s("circle", { class: "target", cx: x, cy: y, r: 15 }),
      );
    }
    fill(this.layers.labels, top);
  }

  private drawArrows(): void {
    fill(
      this.layers.top,
      [...this.autoArrows, ...this.handArrows].map((arrow) => drawArrow(arrow, this.flipped)),
    );
  }

  private drawOverlay(): void {
    const under: Node[] = [];
    for (const tint of this.overlay.tints ?? []) {
      const [x, y] = this.corner(tint.square);
      under.push(s("rect", { x, y, width: 100, height: 100, fill: tint.color, "fill-opacity": tint.opacity }));
      if (tint.label) {
        under.push(s("text", { x: x + 50, y: y + 64, class: "heat" }, tint.label));
      }
    }
    for (const region of this.overlay.regions ?? []) {
      under.push(
        s("path", { d: this.filled(region.squares), fill: region.color, "fill-opacity": 0.3 }),
        s("path", { d: this.outline(region.squares), class: "border", stroke: region.color }),
      );
    }
    fill(this.layers.over, under);
    const links: Node[] = [];
    for (const link of this.overlay.links ?? []) {
      const [x1, y1] = centre(link.from, this.flipped);
      const [x2, y2] = centre(link.to, this.flipped);
      // From rim to rim, so that the pieces stay seen.
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [((x2 - x1) / length) * 38, ((y2 - y1) / length) * 38];
      links.push(
        s("path", { d: `M${x1 + dx} ${y1 + dy}L${x2 - dx} ${y2 - dy}`, class: link.cut ? "link cut" : "link" }),
      );
    }
    for (const link of this.overlay.links ?? []) {
      const [x1, y1] = centre(link.from, this.flipped);
      const [x2, y2] = centre(link.to, this.flipped);
      links.push(
        s(
          "g",
          { transform: `translate(${(x1 + x2) / 2} ${(y1 + y2) / 2})`, class: link.cut ? "weight cut" : "weight" },
          s("circle", { r: 19 }),
          s("text", { y: 8 }, link.label),
        ),
      );
    }
    // Weights must be seen beside the pieces they join, so the tree lies above them.
    this.svg.querySelector(".layer-tree")?.remove();
    if (links.length) this.layers.pieces.after(s("g", { class: "layer-tree" }, links));
  }

  private filled(squares: string[]): string {
    return squares
      .map((square) => {
        const [x, y] = this.corner(square);
        return `M${x} ${y}h100v100h-100z`;
      })
      .join("");
  }

  /** The edges of squares that have no neighbour in the set. */
  private outline(squares: string[]): string {
    const seen = new Set(
      squares.map((square) => {
        const p = place(square, this.flipped);
        return `${p.column},${p.row}`;
      }),
    );
    let path = "";
    for (const square of squares) {
      const { column, row } = place(square, this.flipped);
      const [x, y] = this.corner(square);
      const has = (c: number, r: number) => seen.has(`${c},${r}`);
      if (!has(column, row - 1)) path += `M${x + 4} ${y + 4}H${x + 96}`;
      if (!has(column, row + 1)) path += `M${x + 4} ${y + 96}H${x + 96}`;
      if (!has(column - 1, row)) path += `M${x + 4} ${y + 4}V${y + 96}`;
      if (!has(column + 1, row)) path += `M${x + 96} ${y + 4}V${y + 96}`;
    }
    return path;
  }

  private label(): void {
    const targets = (this.selected && this.targets.get(this.selected)) || [];
    for (const [square, cell] of this.cells) {
      const letter = this.pieces.get(square);
      const words = [square, letter ? pieceName(letter) : null, terrainName(square)].filter(Boolean);
      const target = targets.find((one) => one.move.slice(2, 4) === square);
      if (this.stars.includes(square)) words.push(t("star"));
      if (this.cues.trapped.includes(square)) words.push(t("isTrapped"));
      if (this.cues.endangered.includes(square)) words.push(t("inDanger"));
      if (target) words.push(t(target.captures ? "canTake" : "canGo"));
      else if (words.length === 1) words.push(t("empty"));
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-selected", String(square === this.selected));
      cell.classList.toggle("movable", this.movable(square));
      cell.classList.toggle("target-cell", Boolean(target));
    }
  }

  private movable(square: string): boolean {
    const letter = this.pieces.get(square);
    if (this.free) return letter !== undefined;
    return letter !== undefined && (this.targets.has(square) || sideOf(letter) === this.mover);
  }

  private select(square: string | null, say: boolean): void {
    if (square === this.selected) return;
    this.selected = square;
    this.drawMarks();
    this.label();
    if (!say) return;
    if (!square) return this.events.say(t("letGo"));
    const targets = (this.targets.get(square) ?? []).map((target) => target.move.slice(2, 4));
    const letter = this.pieces.get(square);
    if (!letter) return;
    const piece = pieceName(letter);
    this.events.say(
      targets.length
        ? t("selected", { piece, square, targets: targets.join(", ") })
        : t("selectedStuck", { piece, square }),
    );
  }

  /** A square was pressed or keyed: start, finish or change a move. */
  private act(square: string, say: boolean): void {
    const from = this.selected;
    if (from && from !== square) {
      const target = (this.targets.get(from) ?? []).some((one) => one.move.slice(2, 4) === square);
      if (target || this.free) {
        this.select(null, false);
        this.events.move(from, square);
        return;
      }
      if (!this.movable(square) && this.mover) {
        this.refused = from;
        this.events.refused?.(from, square);
        return;
      }
    }
    this.hush();
    if (from === square && this.wasRefused(square)) return;
    if (from === square) this.select(null, say);
    else if (this.movable(square)) this.select(square, say);
    else {
      this.select(null, say && from !== null);
      this.events.choose?.(square);
    }
  }

  /** Whether this piece was the last to be refused a move; asked once. */
  private wasRefused(square: string): boolean {
    const was = this.refused === square;
    this.refused = null;
    return was;
  }

  private squareOf(event: PointerEvent): string | null {
    const box = this.grid.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * 7);
    const row = Math.floor(((event.clientY - box.top) / box.height) * 9);
    return squareAt(column, row, this.flipped);
  }

  private pointerDown(event: PointerEvent): void {
    const square = this.squareOf(event);
    if (!square) return;
    if (event.button === 2) {
      this.arrowFrom = square;
      return;
    }
    if (event.button !== 0) return;
    this.setFocus(square, false);
    if (this.handArrows.length) {
      this.handArrows = [];
      this.drawArrows();
    }
    if (this.movable(square) && !(this.selected && this.isTarget(square))) {
      const wasSelected = this.selected === square;
      this.hush();
      this.select(square, false);
      this.drag = {
        from: square,
        pointer: event.pointerId,
        moved: false,
        wasSelected,
        x: event.clientX,
        y: event.clientY,
      };
      this.grid.setPointerCapture(event.pointerId);
    } else {
      this.act(square, false);
    }
  }

  private isTarget(square: string): boolean {
    return (this.targets.get(this.selected ?? "") ?? []).some((one) => one.move.slice(2, 4) === square);
  }

  private pointerMove(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 5) return;
    drag.moved = true;
    const element = this.pieceElement(drag.from);
    if (!element) return;
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    const y = ((event.clientY - box.top) / box.height) * HEIGHT;
    if (!element.classList.contains("dragged")) {
      element.classList.add("dragged");
      this.layers.pieces.append(element);
    }
    element.style.transform = `translate(${x}px, ${y}px) scale(1.12)`;
  }

  private pointerUp(event: PointerEvent): void {
    const square = this.squareOf(event);
    if (event.button === 2 && this.arrowFrom) {
      if (square) this.toggleArrow(this.arrowFrom, square, event);
      this.arrowFrom = null;
      return;
    }
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.drag = null;
    const { from, moved, wasSelected } = drag;
    if (!moved) {
      if (wasSelected && !this.wasRefused(from)) this.select(null, false);
      return;
    }
    if (square && square !== from && (this.free || this.isTarget(square))) {
      const element = this.pieceElement(from);
      element?.classList.add("still");
      this.select(null, false);
      this.events.move(from, square);
      requestAnimationFrame(() => element?.classList.remove("still"));
    } else if (!square && this.free) {
      this.events.move(from, "");
    } else if (square && square !== from && this.mover) {
      this.refused = from;
      this.events.refused?.(from, square);
    }
    this.drawPieces();
  }

  private endDrag(): void {
    this.drag = null;
    this.drawPieces();
  }

  private toggleArrow(from: string, to: string, event: PointerEvent): void {
    const color = event.shiftKey ? ARROW_COLORS.shift : event.altKey ? ARROW_COLORS.alt : ARROW_COLORS.plain;
    const rest = this.handArrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
    const isNew = rest.length === this.handArrows.length;
    this.handArrows = isNew ? [...rest, { from, to, color }] : rest;
    this.drawArrows();
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
    const { column, row } = place(this.focus, this.flipped);
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [column - 1, row],
      ArrowRight: [column + 1, row],
      ArrowUp: [column, row - 1],
      ArrowDown: [column, row + 1],
      Home: [0, row],
      End: [6, row],
      PageUp: [column, 0],
      PageDown: [column, 8],
    };
    const step = steps[event.key];
    if (step) {
      const square = squareAt(step[0], step[1], this.flipped);
      if (square) this.setFocus(square, true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.act(this.focus, true);
    } else if (event.key === "Escape") {
      this.select(null, true);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function boardPart(fen: string): string {
  return fen.split(" ")[0] ?? "";
}
