// The regions in words: what each is, and how large.

import { fill, h } from "../dom";
import type { Position, Region } from "./api";
import { kindClass, type Shown } from "./board";
import { sideName, t } from "./words";

const KINDS = ["competing", "filling-white", "filling-black", "terminating"];

/** The regions in the order of the list: contested ones, those to fill, and without a number what is over. */
export function numbered(position: Position): Shown[] {
  const rank = (region: Region) => KINDS.indexOf(kindClass(region));
  const sorted = [...position.regions].sort((a, b) => rank(a) - rank(b) || b.squares.length - a.squares.length);
  const several = sorted.length > 1;
  return sorted.map((region, index) => ({
    region,
    label: several && region.kind !== "terminating" ? String(index + 1) : "",
  }));
}

export function kindText(region: Region): string {
  return region.owner ? t("filling", { side: sideName(region.owner) }) : t(region.kind);
}

export function swatch(region: Region): HTMLElement {
  return h("span", { class: `swatch ${kindClass(region)}`, "aria-hidden": "true" });
}

export class RegionsPanel {
  readonly element = h("section", { class: "part", "aria-labelledby": "regions-title" });
  private readonly body = h("div", { class: "part" });
  private regions: Shown[] = [];

  constructor(
    private readonly on: () => boolean,
    private readonly turn: (on: boolean) => void,
    private readonly mark: (label: string | null) => void,
  ) {
    this.rebuild();
  }

  rebuild(): void {
    fill(
      this.element,
      h("h2", { id: "regions-title" }, t("regions")),
      h("p", { class: "quiet" }, t("regionsIntro")),
      h(
        "label",
        { class: "toggle" },
        h("input", {
          type: "checkbox",
          id: "show-regions",
          checked: this.on(),
          onchange: (event: Event) => this.turn((event.target as HTMLInputElement).checked),
        }),
        h("span", {}, t("showRegions")),
      ),
      this.body,
    );
    this.draw();
  }

  show(regions: Shown[]): void {
    this.regions = regions;
    this.draw();
  }

  private draw(): void {
    if (!this.on()) return fill(this.body);
    const { regions } = this;
    const legend = KINDS.map((kind) => {
      const [name, owner = null] = kind.split("-") as [Region["kind"], ("white" | "black")?];
      const region: Region = { kind: name, owner, squares: [], empty: 0 };
      return h("span", {}, swatch(region), kindText(region));
    });
    const live = regions.filter(({ region }) => region.kind !== "terminating");
    const over = regions.filter(({ region }) => region.kind === "terminating");
    const row = ({ region, label }: Shown) =>
      h(
        "tr",
        { onmouseenter: () => this.mark(label), onmouseleave: () => this.mark(null) },
        h("th", { scope: "row" }, swatch(region), label || "1"),
        h("td", { title: region.squares.join(" ") }, kindText(region)),
        h("td", { class: "figure" }, String(region.squares.length)),
        h("td", { class: "figure" }, String(region.empty)),
      );
    const sum = (of: (region: Region) => number) => String(over.reduce((all, { region }) => all + of(region), 0));
    const rest = over.length
      ? h(
          "tr",
          {},
          h("th", { scope: "row" }, swatch(over[0]!.region), `× ${over.length}`),
          h("td", { title: over.flatMap(({ region }) => region.squares).join(" ") }, t("terminating")),
          h(
            "td",
            { class: "figure" },
            sum((region) => region.squares.length),
          ),
          h(
            "td",
            { class: "figure" },
            sum((region) => region.empty),
          ),
        )
      : null;
    fill(
      this.body,
      h("div", { class: "legend" }, legend),
      regions.length === 1
        ? h("p", { id: "region-count" }, t("regionOne"))
        : h("p", { id: "region-count" }, t("regionCount", { n: regions.length })),
      h(
        "table",
        { class: "parts", id: "region-list" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("region")),
            h("th", { scope: "col" }, t("kind")),
            h("th", { scope: "col", class: "figure" }, t("squares")),
            h("th", { scope: "col", class: "figure" }, t("emptyCount")),
          ),
        ),
        h("tbody", {}, live.map(row), rest),
      ),
    );
  }
}
