// Arrows on the board: hints, the lines of an engine, and what the reader draws.

import { s } from "./dom";
import { centre } from "./squares";

export interface Arrow {
  from: string;
  to: string;
  color: string;
  width?: number;
  label?: string;
  dashed?: boolean;
}

/** An arrow between squares, or a ring where it begins and ends on the same one. */
export function drawArrow(arrow: Arrow, flipped: boolean): SVGElement {
  const [x1, y1] = centre(arrow.from, flipped);
  const [x2, y2] = centre(arrow.to, flipped);
  if (arrow.from === arrow.to) {
    return s("circle", {
      cx: x1,
      cy: y1,
      r: 45,
      fill: "none",
      stroke: arrow.color,
      "stroke-width": 7,
      opacity: 0.85,
    });
  }
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along: number, aside: number) => `${x1 + dx * along - dy * aside} ${y1 + dy * along + dx * aside}`;
  const width = arrow.width ?? 13;
  const tip = length - 8;
  const neck = tip - 22 - width;
  const label = arrow.label
    ? s(
        "g",
        { transform: `translate(${x2} ${y2 - 30})`, class: "plate" },
        s("rect", { x: -26, y: -15, width: 52, height: 28, rx: 14, fill: arrow.color }),
        s("text", { y: 6 }, arrow.label),
      )
    : null;
  return s(
    "g",
    { opacity: 0.85 },
    s("path", {
      d: `M${at(20, 0)}L${at(neck + 2, 0)}`,
      stroke: arrow.color,
      "stroke-width": width,
      "stroke-linecap": "round",
      fill: "none",
      "stroke-dasharray": arrow.dashed ? "12 14" : undefined,
    }),
    s("path", { d: `M${at(tip, 0)}L${at(neck, 11 + width)}L${at(neck, -11 - width)}z`, fill: arrow.color }),
    label,
  );
}
