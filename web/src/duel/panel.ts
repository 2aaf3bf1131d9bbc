// The invitation: rules, sides and time to choose, the games of this browser, links and their code.

import type { Side } from "../api";
import type { Shell } from "../shell";
import { fill, h, icon } from "../dom";
import { sideName, t } from "../i18n";
import { RulesPicker } from "../rules";
import { keep, recall } from "../settings";
import { CLOCKS } from "../views/play";
import { duels, type Pace } from "./client";
import * as seats from "./seats";

const DAYS = [1, 3, 7];
/** What can be chosen: no clock, clocks, days a move. */
const PACES: Pace[] = [
  { kind: "free" },
  ...CLOCKS.filter(([minutes]) => minutes).map(
    ([minutes, increment]): Pace => ({ kind: "clock", initial: minutes * 60, increment }),
  ),
  ...DAYS.map((days): Pace => ({ kind: "days", days })),
];

export function paceText(pace: Pace): string {
  if (pace.kind === "clock") return t("minutes", { n: pace.initial / 60, inc: pace.increment });
  return pace.kind === "days" ? t("friendDays", { n: pace.days }) : t("friendFree");
}

/** A link with a button that copies it. It is made when it is shown. */
export function linkRow(app: Shell, label: string, id: string, hash: string): HTMLElement {
  const field = h("input", { type: "text", id, readonly: true, "aria-label": label });
  void seats.address(hash).then(
    ({ link }) => {
      field.value = link;
    },
    (error: unknown) => app.trouble(error),
  );
  return h(
    "div",
    { class: "link-row" },
    h("span", {}, label),
    h(
      "div",
      { class: "share-row" },
      field,
      h(
        "button",
        { type: "button", class: "action", id: `copy-${id}`, onclick: () => void app.copy(field) },
        icon("copy"),
        h("span", {}, t("copyLink")),
      ),
    ),
  );
}

interface Choices {
  rules: string;
  side: Side | "random";
  pace: number;
}

export class Invitation {
  private choices: Choices = { rules: "standard", side: "random", pace: 0, ...recall<Partial<Choices>>("invitation") };
  private busy = false;
  private readonly picker = new RulesPicker(
    "friend-rules",
    () => this.choices.rules,
    (rules) => {
      this.choices.rules = rules;
      keep("invitation", this.choices);
      this.chosen(rules);
    },
  );

  constructor(
    private readonly begun: (seat: { id: string; key: string }) => void,
    private readonly chosen: (rules: string) => void,
  ) {}

  get rules(): string {
    return this.choices.rules;
  }

  element(app: Shell): HTMLElement {
    this.picker.rebuild();
    const sides: [Side | "random", string][] = [
      ["random", t("random")],
      ["white", sideName("white")],
      ["black", sideName("black")],
    ];
    const select = app.choice.bind(app);
    return h(
      "form",
      {
        class: "setup",
        id: "friend-setup",
        onsubmit: (event: Event) => {
          event.preventDefault();
          void this.begin(app);
        },
      },
      h("h2", {}, t("friendTitle")),
      h("p", { class: "quiet" }, t("friendIntro")),
      select(t("yourSide"), "friend-side", sides, this.choices.side, (side) => {
        this.choices.side = side;
      }),
      select(
        t("friendPace"),
        "friend-pace",
        PACES.map((pace, index): [string, string] => [String(index), paceText(pace)]),
        String(this.choices.pace),
        (pace) => {
          this.choices.pace = Number(pace);
        },
      ),
      this.picker.element,
      h("button", { type: "submit", class: "primary", id: "friend-make" }, t("friendMake")),
      this.own(),
    );
  }

  private async begin(app: Shell): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const { rules, side, pace } = this.choices;
    keep("invitation", this.choices);
    const wanted = PACES[pace] ?? PACES[0]!;
    // If the answer is lost, asking again makes no second game.
    const key = seats.pendingKey(JSON.stringify([rules, side, wanted]));
    try {
      const duel = await duels.begin(key, rules, side, wanted);
      seats.donePending();
      this.begun({ id: duel.id, key });
    } catch (error) {
      app.trouble(error);
    } finally {
      this.busy = false;
    }
  }

  /** The games of this browser. */
  private own(): HTMLElement | null {
    const all = seats.seats().filter((seat) => seat.key);
    if (!all.length) return null;
    const list = h("ul", { class: "seats", "aria-label": t("friendYours") });
    const draw = (): void =>
      fill(
        list,
        seats.seats().map((seat) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: "seat", onclick: () => this.begun(seat) },
              new Date(seat.when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }),
              seat.side ? ` · ${sideName(seat.side)}` : "",
              ` · ${t(seat.over ? "friendOverTitle" : "friendGoes")}`,
            ),
            h(
              "button",
              {
                type: "button",
                class: "tool",
                "aria-label": t("friendForget"),
                title: t("friendForget"),
                onclick: () => {
                  seats.dropSeat(seat.id);
                  draw();
                },
              },
              icon("close"),
            ),
          ),
        ),
      );
    draw();
    return h("section", { class: "own-seats" }, h("h3", {}, t("friendYours")), list);
  }

  /** The link of an invitation and its code. */
  links(app: Shell, invitation: string): HTMLElement {
    const hash = seats.joinHash(invitation);
    const code = h("div", { class: "qr", role: "img", "aria-label": t("friendCode") });
    const note = h("p", { class: "quiet", id: "friend-only-here", hidden: true }, t("friendOnlyHere"));
    const share = h("button", { type: "button", class: "action", id: "friend-share", hidden: true });
    void seats.address(hash).then(
      async ({ link, reachable }) => {
        note.hidden = reachable;
        if ("share" in navigator) {
          share.hidden = false;
          fill(share, icon("share"), h("span", {}, t("friendShare")));
          share.addEventListener(
            "click",
            () => void navigator.share({ title: "Mousetrap", url: link }).catch(() => {}),
          );
        }
        const picture = h("img", { alt: "", width: "220", height: "220", id: "friend-code" });
        const url = URL.createObjectURL(await duels.code(link));
        picture.addEventListener("load", () => URL.revokeObjectURL(url));
        picture.src = url;
        fill(code, picture);
      },
      (error: unknown) => app.trouble(error),
    );
    return h(
      "div",
      { class: "invitation" },
      linkRow(app, t("friendSend"), "friend-link", hash),
      h("div", { class: "actions" }, share),
      note,
      code,
    );
  }
}
