// Boards in a window: a formula's with its gates and wires, or the drawing of one gadget.

import { fill, s } from "../dom";
import type { Compiled, Drawing, Game, Gate, Ground, Step } from "./api";
import { Window } from "./window";
import { pieceName, t } from "./words";

/** The units of a square. */
const UNIT = 40;

interface Place {
  x: number;
  y: number;
}

const middle = ({ x, y }: Place): [number, number] => [(x + 0.5) * UNIT, (y + 0.5) * UNIT];

export class GadgetBoard {
  private readonly water = s("g", { class: "water" });
  private readonly wires = s("g", { class: "wires" });
  private readonly gates = s("g", { class: "gates" });
  private readonly ground = s("g");
  private readonly marks = s("g");
  private readonly pieces = s("g");
  private readonly window = new Window((x, y) => this.tapped(Math.floor(x / UNIT), Math.floor(y / UNIT)));
  readonly element = this.window.element;
  private places = new Map<string, Place>();
  private standing = new Map<string, SVGElement>();
  private compiled: Compiled | null = null;
  private game: Game | null = null;
  private mayMove = false;
  private chosen: string | null = null;

  constructor(
    private readonly art: () => string,
    private readonly play: (step: Step) => void,
  ) {
    fill(this.window.svg, this.water, this.wires, this.gates, this.ground, this.marks, this.pieces);
  }

  relabel(): void {
    this.window.relabel();
    if (this.compiled) this.drawGates(this.compiled);
  }

  private clear(width: number, height: number): void {
    this.compiled = this.game = this.chosen = null;
    this.places.clear();
    this.standing.clear();
    for (const layer of [this.wires, this.gates, this.ground, this.marks, this.pieces]) layer.replaceChildren();
    const whole = { x: 0, y: 0, width: width * UNIT, height: height * UNIT };
    fill(this.water, s("rect", { class: "sea", ...whole }));
    this.window.show(whole, UNIT);
  }

  /** The board of a formula, without pieces. */
  setBoard(board: Compiled): void {
    this.clear(board.width, board.height);
    this.compiled = board;
    for (const square of board.ground) this.places.set(square.square, square);
    fill(this.ground, board.ground.map(groundArt));
    fill(
      this.wires,
      board.wires.map((wire) => {
        const points = wire.squares.map((square) => middle(this.places.get(square)!).join(","));
        return s("polyline", { points: points.join(" "), class: "wire" });
      }),
      track(board.track.map((square) => this.places.get(square)!)),
    );
    this.drawGates(board);
  }

  private drawGates(board: Compiled): void {
    fill(
      this.gates,
      board.gates.map((gate) => {
        const frame = {
          x: (gate.x - 0.35) * UNIT,
          y: (gate.y - 0.35) * UNIT,
          width: (gate.width + 0.7) * UNIT,
          height: (gate.height + 0.7) * UNIT,
        };
        return s(
          "g",
          { class: `gate ${gate.kind}` },
          s("rect", { ...frame, rx: 10 }),
          s("text", { x: frame.x + 3, y: frame.y + frame.height + UNIT * 0.5 }, gateLabel(board, gate)),
        );
      }),
    );
  }

  /** What has been played: pieces move to where they are now. */
  setGame(game: Game, mayMove: boolean, follow: boolean): void {
    this.game = game;
    this.mayMove = mayMove;
    this.chosen = null;
    const last = game.played.at(-1);
    const now = new Map(game.pieces.map((piece) => [piece.square, piece.piece]));
    const old = this.standing;
    this.standing = new Map();
    // The piece that moved keeps its element, and so is seen to travel; others stay or are drawn anew.
    if (last && old.has(last.from) && now.get(last.to) === last.piece && !now.has(last.from)) {
      old.get(last.to)?.remove();
      old.set(last.to, old.get(last.from)!);
      old.delete(last.from);
    }
    for (const [square, piece] of now) {
      let element = old.get(square);
      if (element?.dataset["piece"] !== piece) {
        element?.remove();
        element = this.pieceArt(piece);
        this.pieces.append(element);
      }
      old.delete(square);
      const [x, y] = middle(this.places.get(square)!);
      element.style.transform = `translate(${x}px, ${y}px)`;
      this.standing.set(square, element);
    }
    for (const element of old.values()) element.remove();
    this.light(game);
    this.mark();
    if (last && follow) this.follow(last);
  }

  /** Wires along which a signal has gone, forward and not yet back. */
  private light(game: Game): void {
    const carried = new Set(
      game.played.filter(({ piece, wire }) => piece === "L" && wire !== null).map(({ wire }) => wire),
    );
    for (const [number, wire] of [...this.wires.querySelectorAll(".wire")].entries()) {
      wire.classList.toggle("carried", carried.has(number));
    }
    for (const [number, gate] of [...this.gates.children].entries()) {
      const { kind, variable } = this.compiled!.gates[number]!;
      const owner = kind === "variable" ? game.variables[variable!] : null;
      gate.classList.toggle("taken-white", owner === "white");
      gate.classList.toggle("taken-black", owner === "black");
    }
  }

  private follow({ from, to }: Step): void {
    const [one, two] = [this.places.get(from)!, this.places.get(to)!];
    const [x, y] = [Math.min(one.x, two.x) * UNIT, Math.min(one.y, two.y) * UNIT];
    const size = (a: number, b: number) => (Math.abs(a - b) + 1) * UNIT;
    this.window.follow({ x, y, width: size(one.x, two.x), height: size(one.y, two.y) });
  }

  private mark(): void {
    const { game, chosen } = this;
    const marks: SVGElement[] = [];
    const frame = (square: string, kind: string) => {
      const { x, y } = this.places.get(square)!;
      return s("rect", { class: kind, x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT });
    };
    const last = game?.played.at(-1);
    if (last) marks.push(frame(last.from, "last-from"), frame(last.to, "last-to"));
    if (game && this.mayMove && !game.winner) {
      if (chosen) {
        marks.push(frame(chosen, "chosen-square"));
        for (const step of game.moves.filter(({ from }) => from === chosen)) {
          const [cx, cy] = middle(this.places.get(step.to)!);
          marks.push(s("circle", { class: step.takes ? "target takes" : "target", cx, cy, r: UNIT * 0.3 }));
        }
      } else {
        for (const square of new Set(game.moves.map(({ from }) => from))) marks.push(frame(square, "movable"));
      }
    }
    fill(this.marks, marks);
  }

  private tapped(x: number, y: number): void {
    const { game } = this;
    if (!game || !this.mayMove || game.winner) return;
    const at = (square: string) => {
      const place = this.places.get(square)!;
      return place.x === x && place.y === y;
    };
    const step = game.moves.find(({ from, to }) => from === this.chosen && at(to));
    if (step) return this.play(step);
    this.chosen = game.moves.find(({ from }) => at(from))?.from ?? null;
    this.mark();
  }

  /** Shows where a move goes, before it is made. */
  point(step: Step): void {
    this.chosen = step.from;
    this.mark();
    this.follow(step);
  }

  private pieceArt(piece: string): SVGElement {
    const size = UNIT * 0.96;
    return s(
      "g",
      { class: "piece", "data-piece": piece },
      s("use", { href: `#${this.art()}-${piece}`, x: -size / 2, y: -size / 2, width: size, height: size }),
    );
  }

  /** One gadget, as it is drawn. */
  setDrawing(drawing: Drawing): void {
    const [width, height] = [drawing.rows[0]!.length, drawing.rows.length];
    // Room for the ports around it.
    const [dx, dy] = [2, 2];
    this.clear(width + 2 * dx, height + 2 * dy);
    drawing.rows.forEach((row, y) =>
      [...row].forEach((sign, x) => {
        const place = { x: x + dx, y: y + dy };
        const ground = SIGNS[sign] ?? ({ kind: "land", owner: null } as const);
        if (sign !== "~") this.ground.append(groundArt({ square: "", ...place, ...ground }));
        if (/[a-z]/i.test(sign) && !(sign in SIGNS)) {
          const element = this.pieceArt(sign);
          const [cx, cy] = middle(place);
          element.style.transform = `translate(${cx}px, ${cy}px)`;
          this.pieces.append(element);
        }
      }),
    );
    fill(
      this.gates,
      drawing.ports.map(({ name, edge, line, input }) => {
        const [outwards, at] = {
          north: [[0, -1], { x: line + dx, y: dy - 1 }],
          south: [[0, 1], { x: line + dx, y: dy + height }],
          west: [[-1, 0], { x: dx - 1, y: line + dy }],
          east: [[1, 0], { x: dx + width, y: line + dy }],
        }[edge] as [[number, number], Place];
        const [cx, cy] = middle(at);
        const [ox, oy] = outwards;
        const way = input ? -1 : 1;
        const [tx, ty] = [cx + ox * way * 14, cy + oy * way * 14];
        const [sx, sy] = [cx - ox * way * 14, cy - oy * way * 14];
        return s(
          "g",
          { class: "port" },
          s("path", {
            d: `M${sx} ${sy}L${tx} ${ty}M${tx - ox * way * 8 - oy * 7} ${ty - oy * way * 8 - ox * 7}L${tx} ${ty}L${
              tx - ox * way * 8 + oy * 7
            } ${ty - oy * way * 8 + ox * 7}`,
          }),
          s("text", { x: cx + ox * UNIT * 0.9, y: cy + oy * UNIT * 0.75 + 5, "text-anchor": "middle" }, name),
        );
      }),
    );
  }
}

const SIGNS: Record<string, { kind: Ground["kind"]; owner: Ground["owner"] }> = {
  ".": { kind: "land", owner: null },
  w: { kind: "trap", owner: "white" },
  b: { kind: "trap", owner: "black" },
  A: { kind: "den", owner: "white" },
  B: { kind: "den", owner: "black" },
};

function groundArt({ x, y, kind, owner }: Ground): SVGElement {
  const [cx, cy] = middle({ x, y });
  const square = s("rect", { x: x * UNIT, y: y * UNIT, width: UNIT, height: UNIT, class: `ground ${kind}` });
  if (kind === "land") return square;
  const [a, b] = [UNIT * 0.3, UNIT * 0.15];
  const sign =
    kind === "trap"
      ? `M${cx - a} ${cy - a}L${cx + a} ${cy + a}M${cx - a} ${cy + a}L${cx + a} ${cy - a}`
      : `M${cx - a} ${cy + a}V${cy - b}L${cx} ${cy - a}L${cx + a} ${cy - b}V${cy + a}Z`;
  return s("g", {}, square, s("path", { class: `sign ${kind} of-${owner}`, d: sign }));
}

/** The way of the cat. */
function track(places: Place[]): SVGElement | null {
  if (!places.length) return null;
  return s("polyline", { class: "track", points: places.map((place) => middle(place).join(",")).join(" ") });
}

export function gateLabel(board: Compiled, gate: Gate): string {
  return gate.kind === "variable" ? board.variables[gate.variable!]! : t(`gate_${gate.kind}`);
}

/** A move in words: the piece, and where it goes. */
export function stepText(board: Compiled, step: Step): string {
  const takes = step.takes ? ` ${t("takes", { piece: pieceName(step.takes) })}` : "";
  return `${pieceName(step.piece)}: ${where(board, step)}${takes}`;
}

function where(board: Compiled, { gate, wire, piece, to }: Step): string {
  const label = (number: number) => gateLabel(board, board.gates[number]!);
  const line = wire === null ? null : board.wires[wire]!;
  const next = line?.to === null || line?.to === undefined ? "" : label(line.to);
  if (line && line.squares.includes(to) && to !== line.squares[0] && !(line.to !== null && to === line.squares.at(-1)))
    return next ? t("ontoWire", { from: label(line.from), to: next }) : t("ontoEnd", { from: label(line.from) });
  if (gate !== null) return line ? t("into", { gate: label(gate) }) : t("within", { gate: label(gate) });
  return piece === "c" ? t("runs") : t("waits");
}
