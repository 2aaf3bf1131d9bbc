// Complexity-driven search of the position on the board, as it grew.

import { api, type GameRef } from "../api";
import { GrowthPanel, type EscapeWish } from "../growth";
import type { AnalysisView, Tab } from "./analysis";

const LOCALS = ["step(0.5)", "step(0.75)", "linear", "power(0.5)", "power(2)", "power(4)", "never"];
const GLOBALS = ["linear(0,0.0667)", "step(0.0333)", "step(0.1)", "power(0.2)", "never"];

export class EscapeTab implements Tab {
  private readonly panel: GrowthPanel;

  constructor(private readonly view: AnalysisView) {
    const wish: EscapeWish = { local: "power(2)", global: "linear(0,0.0667)", left: 10_000 };
    this.panel = new GrowthPanel({
      heading: "h2",
      locals: LOCALS,
      globals: GLOBALS,
      wish,
      ask: (wish, signal) => api.escape(view.tree.ref() as GameRef, wish, signal),
      name: (move) => move,
      hint: (move) =>
        view.app.board.setArrows(move ? [{ from: move.slice(0, 2), to: move.slice(2, 4), color: "#1f4f8a" }] : []),
      trouble: (error) => view.app.trouble(error),
    });
  }

  get element(): HTMLElement {
    return this.panel.element;
  }

  rebuild(): void {
    this.panel.rebuild();
  }

  show(): void {
    this.view.app.bar.hidden = true;
    this.panel.show(this.view.tree.current);
  }

  hide(): void {
    this.panel.show(null);
  }

  reconnected(): void {
    this.show();
  }
}
