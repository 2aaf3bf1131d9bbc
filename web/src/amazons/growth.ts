// Complexity-driven search of the position on the board, as it grew, if that is wanted.

import { fill, h } from "../dom";
import { GrowthPanel } from "../growth";
import { t } from "../i18n/growth";
import { amazons, type Position } from "./api";

const LOCALS = ["never", "power(8)", "power(4)", "step(0.75)", "step(0.5)", "linear"];
const GLOBALS = ["linear(0,0.25)", "step(0.125)", "step(0.3)", "power(0.3333)", "never"];

export class GrowthSection {
  readonly element = h("section", { class: "part", "aria-labelledby": "growth-title" });
  private readonly panel: GrowthPanel;
  private position: Position | null = null;

  constructor(
    private readonly on: () => boolean,
    private readonly turn: (on: boolean) => void,
    hint: (move: string | null) => void,
    trouble: (error: unknown) => void,
  ) {
    this.panel = new GrowthPanel({
      heading: "h3",
      locals: LOCALS,
      globals: GLOBALS,
      wish: { local: "never", global: "linear(0,0.25)", left: 30_000 },
      ask: (wish, signal) => amazons.escape(this.position!.fen, wish, signal),
      name: (move) => move,
      hint,
      trouble,
    });
    this.rebuild();
  }

  rebuild(): void {
    this.panel.rebuild();
    fill(
      this.element,
      h("h2", { id: "growth-title" }, t("title")),
      h(
        "label",
        { class: "toggle" },
        h("input", {
          type: "checkbox",
          id: "growth",
          checked: this.on(),
          onchange: (event: Event) => this.turn((event.target as HTMLInputElement).checked),
        }),
        h("span", {}, t("watch")),
      ),
      this.panel.element,
    );
    this.panel.element.hidden = !this.on();
  }

  /** Searches a position in which the game goes on, if that is wanted. */
  show(position: Position | null): void {
    const wanted = this.on() && position && !position.winner ? position : null;
    this.position = wanted;
    this.panel.element.hidden = !wanted;
    this.panel.show(wanted);
  }
}
