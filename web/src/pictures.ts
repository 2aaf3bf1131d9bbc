// Small pictures: a piece, and a board to look at, described in words for screen readers.

import { s } from "./dom";
import { pieceName } from "./i18n";
import { centre, HEIGHT, WIDTH } from "./squares";
import { piecesOf } from "./tree";

/** A piece. Without a label it is an ornament beside a text that says the same. */
export function pieceArt(set: string, letter: string, label?: string): SVGElement {
  return s(
    "svg",
    {
      viewBox: "-50 -50 100 100",
      "aria-hidden": label ? null : "true",
      role: label ? "img" : null,
      "aria-label": label,
    },
    s("use", { href: `#${set}-${letter}`, x: -50, y: -50, width: 100, height: 100 }),
  );
}

/** What is shown beside the pieces of a small board. */
export interface Scene {
  /** The squares at its lower left and upper right. */
  from?: string;
  to?: string;
  /** Arrows (`a1a2`); what cannot be done is crossed out. */
  can?: string[];
  cannot?: string[];
}

export function miniBoard(fen: string, set: string, scene: Scene = {}): SVGElement {
  const pieces = [...piecesOf(fen)];
  const { from = "a1", to = "g9", can = [], cannot = [] } = scene;
  const whole = !scene.from;
  const [left, bottom] = centre(from, false);
  const [right, top] = centre(to, false);
  const box = whole ? `0 0 ${WIDTH} ${HEIGHT}` : `${left - 50} ${top - 50} ${right - left + 100} ${bottom - top + 100}`;
  const [width, height] = [right - left + 100, bottom - top + 100];
  const marks = (moves: string[], good: boolean) => moves.map((move) => mark(move.slice(0, 2), move.slice(2), good));
  const board = s(
    "svg",
    {
      viewBox: box,
      class: whole ? "mini-board" : "mini-board scene",
      role: "img",
      "aria-label": pieces.map(([square, letter]) => `${pieceName(letter)} ${square}`).join(", "),
    },
    s("use", { href: "#board", width: WIDTH, height: HEIGHT }),
    pieces.map(([square, letter]) => {
      const [x, y] = centre(square, false);
      return s("use", { href: `#${set}-${letter}`, x: x - 50, y: y - 50, width: 100, height: 100 });
    }),
    marks(can, true),
    marks(cannot, false),
  );
  if (!whole) {
    // As large as fits a square of this side, and nothing beyond the squares shown.
    const side = 8.5 / Math.max(width, height);
    board.style.width = `${width * side}rem`;
    board.style.height = `${height * side}rem`;
  }
  return board;
}

/** An arrow between squares, with a cross on it if that way is not open. */
function mark(from: string, to: string, good: boolean): SVGElement {
  const [x1, y1] = centre(from, false);
  const [x2, y2] = centre(to, false);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along: number, aside: number) => `${x1 + dx * along - dy * aside} ${y1 + dy * along + dx * aside}`;
  const tip = length - 12;
  return s(
    "g",
    { class: good ? "may" : "may-not" },
    s("path", { d: `M${at(32, 0)}L${at(tip - 10, 0)}M${at(tip - 24, 20)}L${at(tip, 0)}L${at(tip - 24, -20)}` }),
    good
      ? null
      : s("path", {
          class: "cross",
          transform: `translate(${x1 + dx * (length - 42)} ${y1 + dy * (length - 42)})`,
          d: "M-20 -20L20 20M20 -20L-20 20",
        }),
  );
}

/** An SVG picture as PNG, drawn by the browser. */
export async function toPng(svg: Blob): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    const png = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!png) throw new Error("the browser draws no PNG");
    return png;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
