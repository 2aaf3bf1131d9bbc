// Building endgame tables from the page: a button, then progress until they are there.

import { api, Refused, type Building } from "./api";
import { fill, h, icon } from "./dom";
import { faultText, t } from "./i18n";

/** Tables of more pieces take too long for a button. */
const MOST = 4;

export class TableBuild {
  private readonly element = h("div", { class: "table-build", id: "table-build" });
  private timer = 0;
  private rules = "";
  private shown = false;

  constructor(
    /** The tables are there. */
    private readonly built: () => void,
    private readonly trouble: (error: unknown) => void,
  ) {}

  /** The offer to build tables for this many pieces, or how far that is. */
  show(rules: string, pieces: number): HTMLElement | null {
    if (pieces > MOST) return null;
    this.rules = rules;
    this.shown = true;
    fill(this.element);
    void this.look();
    return this.element;
  }

  hide(): void {
    this.shown = false;
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    clearTimeout(this.timer);
    try {
      this.draw(await api.building(this.rules, MOST));
    } catch (error) {
      if (!(error instanceof Refused)) this.trouble(error);
    }
  }

  private draw(now: Building): void {
    if (!this.shown) return;
    if (now.state === "running") {
      this.timer = window.setTimeout(() => void this.look(), 700);
      const left = now.estimate === null ? "" : t("buildLeft", { n: Math.max(1, Math.round(now.estimate / 60)) });
      return fill(
        this.element,
        h("p", { role: "status" }, t("building", { n: now.pieces ?? MOST })),
        h("progress", {
          max: String(now.total || 1),
          value: String(now.done),
          "aria-label": t("building", { n: now.pieces ?? MOST }),
        }),
        h(
          "div",
          { class: "actions" },
          h("span", { class: "quiet" }, `${Math.floor((100 * now.done) / (now.total || 1))} % ${left}`),
          h(
            "button",
            { type: "button", class: "small", id: "cancel-build", onclick: () => void this.cancel() },
            t("stop"),
          ),
        ),
      );
    }
    // Finished while one was looking.
    if (now.state === "done" && now.rules === this.rules && this.element.querySelector("progress")) return this.built();
    if (!now.allowed) return fill(this.element, h("p", { class: "quiet" }, t("buildNotHere")));
    fill(
      this.element,
      now.state === "failed" && now.error ? h("p", { class: "fault-text" }, faultText(now.error)) : null,
      h(
        "button",
        { type: "button", class: "primary wide", id: "build-tables", onclick: () => void this.start() },
        icon("download"),
        t("buildTables", { n: MOST }),
      ),
      h(
        "p",
        { class: "quiet" },
        now.estimate === null
          ? ""
          : t("buildCost", {
              n: Math.max(1, Math.round(now.estimate / 60)),
              mb: Math.max(1, Math.round(now.bytes / 1e6)),
            }),
        t("buildNote"),
      ),
    );
  }

  private async start(): Promise<void> {
    try {
      await api.build(this.rules, MOST);
      await this.look();
    } catch (error) {
      if (!(error instanceof Refused)) return this.trouble(error);
      this.element.append(h("p", { class: "fault-text", role: "status" }, faultText(error.fault)));
    }
  }

  private async cancel(): Promise<void> {
    clearTimeout(this.timer);
    fill(
      this.element,
      h("p", { role: "status" }, t("buildStopping")),
      h("progress", { "aria-label": t("buildStopping") }),
    );
    try {
      await api.stopBuilding();
    } catch (error) {
      this.trouble(error);
    }
    await this.look();
  }
}
