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

export function miniBoard(fen: string, set: string): SVGElement {
  const pieces = [...piecesOf(fen)];
  return s(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "mini-board",
      role: "img",
      "aria-label": pieces.map(([square, letter]) => `${pieceName(letter)} ${square}`).join(", "),
    },
    s("use", { href: "#board", width: WIDTH, height: HEIGHT }),
    pieces.map(([square, letter]) => {
      const [x, y] = centre(square, false);
      return s("use", { href: `#${set}-${letter}`, x: x - 50, y: y - 50, width: 100, height: 100 });
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
