// Choosing the rules: a named set, or house rules made from one by turning switches.
//
// What switches there are, and what each preset says, the server tells; a set of rules is the text that it
// reads (`leiden,repetition=draw`). What it does not accept is shown with its reason, and nothing changes.

import { api, Refused, type RulesBody } from "./api";
import { fill, h } from "./dom";
import { faultText, maybe, t } from "./i18n";
import { START } from "./tree";

let known: Promise<RulesBody> | null = null;

/** Asked once; again if that failed. */
function allRules(): Promise<RulesBody> {
  known ??= api.rules().catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}

/** The preset that a set of rules begins with. */
export function presetOf(rules: string): string {
  return rules.split(",")[0]!;
}

/** A set of rules in a few words: the name of the preset, and that it was changed if it was. */
export function rulesName(rules: string): string {
  const preset = presetOf(rules);
  const name = (maybe(`rules_${preset}`) ?? preset).split(" — ")[0]!;
  return rules === preset ? name : t("houseOf", { name });
}

/** What a value of a switch is called. */
function valueName(name: string, value: string): string {
  const none = value === "none" && name.endsWith("-limit") ? maybe("rv_none_limit") : undefined;
  return none ?? maybe(`rv_${name}_${value}`) ?? maybe(`rv_${value}`) ?? value;
}

/** The switches that a set of rules turns, in words: what differs from the preset. */
export function turned(rules: string): { name: string; value: string }[] {
  return pairsOf(rules).map(([name, value]) => ({
    name: maybe(`rule_${name}`) ?? name,
    value: valueName(name, value),
  }));
}

function pairsOf(rules: string): [string, string][] {
  return rules
    .split(",")
    .slice(1)
    .map((pair) => pair.split("=") as [string, string]);
}

export type Switches = Record<string, string>;

/** What every switch says under these rules. */
export async function switches(rules: string): Promise<Switches> {
  return switchesOf(rules, await allRules());
}

/** The animals' letters, weakest first. */
export function ranking(now: Switches): string[] {
  return now["weaker"] === "wolf" ? [..."RCWDPTLE"] : [..."RCDWPTLE"];
}

function switchesOf(rules: string, all: RulesBody): Switches {
  const preset = all.presets.find((one) => one.name === presetOf(rules)) ?? all.presets[0]!;
  return { ...preset.switches, ...Object.fromEntries(pairsOf(rules)) };
}

export class RulesPicker {
  readonly element = h("div", { class: "rules-picker" });
  private readonly details = h("details", { class: "house" });
  private readonly trouble = h("p", { class: "fault-text", role: "status" });
  private asked = 0;

  /** `id` tells apart pickers on one page. */
  constructor(
    private readonly id: string,
    private readonly get: () => string,
    private readonly set: (rules: string) => void,
  ) {
    this.rebuild();
  }

  rebuild(): void {
    const rules = this.get();
    const preset = presetOf(rules);
    const names = ["standard", "leiden", "tufts"];
    fill(this.trouble);
    fill(
      this.element,
      h(
        "label",
        { class: "field" },
        h("span", {}, t("rules")),
        h(
          "select",
          {
            id: this.id,
            onchange: (event: Event) => {
              this.set((event.target as HTMLSelectElement).value);
              this.rebuild();
            },
          },
          names.map((name) => h("option", { value: name, selected: name === preset }, maybe(`rules_${name}`) ?? name)),
        ),
      ),
      this.details,
    );
    this.element.dataset["rules"] = rules;
    void this.switches();
  }

  private async switches(): Promise<void> {
    const mine = ++this.asked;
    let all: RulesBody;
    try {
      all = await allRules();
    } catch {
      // The banner says that the server is away; the presets can be chosen all the same.
      return;
    }
    if (mine !== this.asked) return;
    const rules = this.get();
    const now = switchesOf(rules, all);
    const preset = all.presets.find((one) => one.name === presetOf(rules)) ?? all.presets[0]!;
    const changed = all.switches.filter(({ name }) => now[name] !== preset.switches[name]).length;
    const turn = (name: string, value: string) => void this.change(all, { ...now, [name]: value });
    const rows = all.switches.map(({ name, values, summary }) => {
      const id = `${this.id}-${name}`;
      const own = now[name] !== preset.switches[name];
      // A switch whose value is any number has no list of values.
      const control = values.includes("N")
        ? h("input", {
            type: "number",
            id,
            min: "1",
            step: "1",
            inputmode: "numeric",
            placeholder: t("rv_none_limit"),
            value: now[name] === "none" ? "" : now[name],
            onchange: (event: Event) => turn(name, (event.target as HTMLInputElement).value.trim() || "none"),
          })
        : h(
            "select",
            { id, onchange: (event: Event) => turn(name, (event.target as HTMLSelectElement).value) },
            values.map((value) => h("option", { value, selected: value === now[name] }, valueName(name, value))),
          );
      return h(
        "label",
        { class: own ? "field own" : "field" },
        h("span", {}, maybe(`rule_${name}`) ?? summary),
        control,
      );
    });
    const focused = this.details.contains(document.activeElement) ? document.activeElement!.id : "";
    fill(
      this.details,
      h(
        "summary",
        { id: `${this.id}-house` },
        t("houseRules"),
        changed ? h("span", { class: "count" }, t("houseChanged", { n: changed })) : null,
      ),
      h("p", { class: "quiet" }, t("houseIntro")),
      rows,
      this.trouble,
      changed
        ? h(
            "button",
            {
              type: "button",
              class: "small",
              id: `${this.id}-reset`,
              onclick: () => {
                this.set(preset.name);
                this.rebuild();
              },
            },
            t("houseReset"),
          )
        : null,
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  /** Takes switches over, if the server accepts them. */
  private async change(all: RulesBody, now: Record<string, string>): Promise<void> {
    const preset = all.presets.find((one) => one.name === presetOf(this.get())) ?? all.presets[0]!;
    const own = Object.entries(now)
      .filter(([name, value]) => value !== preset.switches[name])
      .map(([name, value]) => `${name}=${value}`);
    const text = [preset.name, ...own].join(",");
    try {
      await api.moves({ fen: START, rules: text, moves: [] });
    } catch (error) {
      this.trouble.textContent = error instanceof Refused ? faultText(error.fault) : t("serverGone");
      return;
    }
    this.set(text);
    this.rebuild();
  }
}
