// A window onto a drawing larger than the screen: dragged, wheeled, pinched, and moved by keys.

import { h, icon, s } from "../dom";
import { t } from "./words";

/** How far one press of a key or a button goes. */
const STEP = 0.2;
const FACTOR = 1.4;
/** No closer than so many squares across. */
const CLOSEST = 6;
/** How many pixels a square has at least, where something happens. */
const READABLE = 20;

/** A rectangle of the drawing, in its own units. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Window {
  readonly svg = s("svg", { class: "window", preserveAspectRatio: "xMidYMid meet" }) as SVGSVGElement;
  readonly element: HTMLElement;
  private readonly tools = h("div", { class: "window-tools" });
  private whole: Box = { x: 0, y: 0, width: 1, height: 1 };
  private box: Box = this.whole;
  /** The units of one square. */
  private unit = 1;
  private pointers = new Map<number, { x: number; y: number }>();
  private moved = false;

  /** `tap` gets a place of the drawing that was clicked, not dragged. */
  constructor(private readonly tap: (x: number, y: number) => void) {
    this.element = h(
      "div",
      { class: "window-frame", id: "window", tabindex: "0", role: "group", "aria-describedby": "window-help" },
      this.svg,
      this.tools,
    );
    const { element, svg } = this;
    element.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"] as const) svg.addEventListener(name, (event) => this.up(event));
  }

  /** Shows another drawing, all of it. */
  show(whole: Box, unit: number): void {
    this.whole = whole;
    this.unit = unit;
    this.fit();
  }

  relabel(): void {
    this.element.setAttribute("aria-label", t("board"));
    const tool = (name: Parameters<typeof icon>[0], text: string, id: string, onclick: () => void) =>
      h("button", { type: "button", class: "tool", id, title: text, "aria-label": text, onclick }, icon(name));
    this.tools.replaceChildren(
      tool("plus", t("zoomIn"), "zoom-in", () => this.zoom(FACTOR)),
      tool("minus", t("zoomOut"), "zoom-out", () => this.zoom(1 / FACTOR)),
      tool("fit", t("zoomFit"), "zoom-fit", () => this.fit()),
    );
  }

  fit(): void {
    this.look(this.whole);
  }

  /** Moves as little as makes this visible, with room around it; closer if it would be too small to see. */
  follow(part: Box): void {
    const { unit } = this;
    const shown = this.visible();
    const margin = 3 * unit;
    const { x, y, width, height } = this.box;
    const size = (this.svg.clientWidth / shown.width) * unit;
    const scale = Math.max(
      size / READABLE,
      (part.width + 2 * margin) / shown.width,
      (part.height + 2 * margin) / shown.height,
    );
    if (scale < 1 && size < READABLE) {
      const [middle, centre] = [part.x + part.width / 2, part.y + part.height / 2];
      const [wide, high] = [width * scale, height * scale];
      this.look({ x: middle - wide / 2, y: centre - high / 2, width: wide, height: high });
      return;
    }
    const needed = (low: number, size: number, from: number, span: number) => {
      if (low - margin < from) return low - margin - from;
      return low + size + margin > from + span ? low + size + margin - from - span : 0;
    };
    const dx = needed(part.x, part.width, shown.x, shown.width);
    const dy = needed(part.y, part.height, shown.y, shown.height);
    if (dx || dy) this.look({ x: x + dx, y: y + dy, width, height });
  }

  /** What can be seen, in units of the drawing: the box, and what the shape of the window adds. */
  private visible(): Box {
    const { clientWidth, clientHeight } = this.svg;
    const scale = Math.min(clientWidth / this.box.width, clientHeight / this.box.height) || 1;
    const [width, height] = [clientWidth / scale, clientHeight / scale];
    return {
      x: this.box.x - (width - this.box.width) / 2,
      y: this.box.y - (height - this.box.height) / 2,
      width,
      height,
    };
  }

  private look(box: Box): void {
    const { whole } = this;
    // Inside, as far as it fits; what is larger stands in the middle.
    const keep = (low: number, size: number, from: number, span: number) =>
      size < span ? Math.min(Math.max(low, from), from + span - size) : from + (span - size) / 2;
    this.box = {
      ...box,
      x: keep(box.x, box.width, whole.x, whole.width),
      y: keep(box.y, box.height, whole.y, whole.height),
    };
    const { x, y, width, height } = this.box;
    this.svg.setAttribute("viewBox", [x, y, width, height].map((value) => value.toFixed(2)).join(" "));
  }

  /** Closer by a factor, around a place of the drawing. */
  private zoom(factor: number, at?: { x: number; y: number }): void {
    const { box, whole } = this;
    const closest = Math.min(1, (CLOSEST * this.unit) / Math.min(box.width, box.height));
    const scale = Math.min(Math.max(1 / factor, closest), Math.max(whole.width / box.width, whole.height / box.height));
    const { x, y } = at ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    this.look({
      x: x - (x - box.x) * scale,
      y: y - (y - box.y) * scale,
      width: box.width * scale,
      height: box.height * scale,
    });
  }

  private pan(dx: number, dy: number): void {
    this.look({ ...this.box, x: this.box.x + dx, y: this.box.y + dy });
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    const { width, height } = this.visible();
    const act: Record<string, () => void> = {
      ArrowLeft: () => this.pan(-width * STEP, 0),
      ArrowRight: () => this.pan(width * STEP, 0),
      ArrowUp: () => this.pan(0, -height * STEP),
      ArrowDown: () => this.pan(0, height * STEP),
      "+": () => this.zoom(FACTOR),
      "=": () => this.zoom(FACTOR),
      "-": () => this.zoom(1 / FACTOR),
      "0": () => this.fit(),
    };
    const chosen = act[event.key];
    if (!chosen) return;
    event.preventDefault();
    chosen();
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.zoom(
      Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)),
      this.place(event.clientX, event.clientY),
    );
  }

  /** The place of the drawing under a point of the screen. */
  private place(clientX: number, clientY: number): { x: number; y: number } {
    const frame = this.svg.getBoundingClientRect();
    const shown = this.visible();
    return {
      x: shown.x + ((clientX - frame.left) / frame.width) * shown.width,
      y: shown.y + ((clientY - frame.top) / frame.height) * shown.height,
    };
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.svg.setPointerCapture(event.pointerId);
    if (!this.pointers.size) this.moved = false;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    // A hand is never quite still.
    if (!this.moved && !other && Math.hypot(now.x - before.x, now.y - before.y) < 6) return;
    this.moved = true;
    this.pointers.set(event.pointerId, now);
    if (other) {
      const distance = (one: { x: number; y: number }) => Math.hypot(one.x - other.x, one.y - other.y) || 1;
      this.zoom(distance(now) / distance(before), this.place((now.x + other.x) / 2, (now.y + other.y) / 2));
    } else {
      const [was, is] = [this.place(before.x, before.y), this.place(now.x, now.y)];
      this.pan(was.x - is.x, was.y - is.y);
    }
  }

  private up(event: PointerEvent): void {
    const known = this.pointers.delete(event.pointerId);
    if (!known || this.moved || event.type === "pointercancel") return;
    const { x, y } = this.place(event.clientX, event.clientY);
    this.tap(x, y);
  }
}
