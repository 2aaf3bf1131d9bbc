// The invitation: rules, sides and time to choose, the games of this browser, links and their code.

import { Refused, type Side } from "../api";
import type { Shell } from "../shell";
import { fill, h, icon } from "../dom";
import { sideName, t } from "../i18n";
import { RulesPicker, turned } from "../rules";
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

/** The house rules of a game, as far as they differ from the rules that they are made from. */
export function houseRules(rules: string): HTMLElement | null {
  const all = turned(rules);
  if (!all.length) return null;
  const rows = all.map(({ name, value }) => h("li", {}, t("friendHouseRule", { name, value })));
  return h("div", { class: "house-rules" }, h("p", { class: "quiet" }, t("houseRules")), h("ul", {}, rows));
}

const codes = new Map<string, Promise<Blob>>();

/** The code of a link, asked once. */
function codeOf(link: string): Promise<Blob> {
  const known = codes.get(link);
  if (known) return known;
  const asked = duels.code(link);
  asked.catch(() => codes.delete(link));
  codes.set(link, asked);
  return asked;
}

interface Handing {
  label: string;
  /** The field's; those of the button that sends it on and of the code are made from it. */
  id: string;
  hash: string;
  /** What the code is, to those who do not see it. */
  code: string;
  folded?: boolean;
}

/** A link to be copied, sent on or read from its code, which is drawn if another device can follow it. */
export function handOver(app: Shell, { label, id, hash, code, folded = false }: Handing): HTMLElement {
  const drawing = h("div", { class: "qr", role: "img", "aria-label": code });
  const place = folded ? h("details", {}, h("summary", {}, t("friendShowCode")), drawing) : drawing;
  place.hidden = true;
  const note = h("p", { class: "quiet", id: `only-here-${id}`, hidden: true }, t("friendOnlyHere"));
  const share = h("button", { type: "button", class: "action", id: `share-${id}`, hidden: true });
  void seats.address(hash).then(
    async ({ link, reachable }) => {
      note.hidden = reachable;
      if ("share" in navigator) {
        share.hidden = false;
        fill(share, icon("share"), h("span", {}, t("friendShare")));
        share.addEventListener("click", () => void navigator.share({ title: "Mousetrap", url: link }).catch(() => {}));
      }
      if (!reachable) return;
      place.hidden = false;
      const picture = h("img", { alt: "", width: "220", height: "220", id: `code-${id}` });
      const url = URL.createObjectURL(await codeOf(link));
      picture.addEventListener("load", () => URL.revokeObjectURL(url));
      picture.src = url;
      fill(drawing, picture);
    },
    (error: unknown) => app.trouble(error),
  );
  return h(
    "div",
    { class: "hand-over" },
    linkRow(app, label, id, hash),
    h("div", { class: "actions" }, share),
    note,
    place,
  );
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
  /** When the games were last asked whose move it is. */
  private asked = 0;
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
    if (!seats.seats().length) return null;
    const list = h("ul", { class: "seats", "aria-label": t("friendYours") });
    const progress = ({ over, move }: seats.Seat): string =>
      t(
        over
          ? "friendOverTitle"
          : move === "mine"
            ? "yourTurn"
            : move === "theirs"
              ? "friendHisTurn"
              : move === "open"
                ? "friendOpen"
                : "friendGoes",
      );
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
              seat.side ? ` · ${sideName(seat.side)} · ` : " · ",
              h("span", { class: !seat.over && seat.move === "mine" ? "mine" : "" }, progress(seat)),
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
    void this.ask(draw);
    return h("section", { class: "own-seats" }, h("h3", {}, t("friendYours")), list);
  }

  /** Asks the latest games that go on whose move it is. */
  private async ask(draw: () => void): Promise<void> {
    if (performance.now() - this.asked < 5000) return;
    this.asked = performance.now();
    let lost = 0;
    const going = seats.seats().filter((seat) => !seat.over);
    for (const { id, key } of going.slice(0, 20)) {
      try {
        const duel = await duels.show(id, key);
        seats.noteSeat(id, { over: duel.stage === "over", move: seats.moveIn(duel) });
        draw();
      } catch (error) {
        // A game that is no more is not asked for again; who asks for many is taken for a guesser.
        if (!(error instanceof Refused) || error.status === 429) return;
        seats.noteSeat(id, { over: true });
        if (++lost > 3) return;
      }
    }
  }

  /** The link of an invitation and its code. */
  links(app: Shell, invitation: string): HTMLElement {
    const hash = seats.joinHash(invitation);
    return handOver(app, { label: t("friendSend"), id: "friend-link", hash, code: t("friendCode") });
  }
}

/** The link by which a player comes back, for whom the browser may not remember a game that lasts for weeks. */
export function keepLink(app: Shell, id: string, key: string, folded: boolean): HTMLElement {
  const hash = seats.seatHash(id, key);
  return h(
    "div",
    { class: "keep-link" },
    h("p", {}, t("friendKeepWhy")),
    handOver(app, { label: t("friendSeatLink"), id: "link-seat", hash, code: t("friendSeatCode"), folded }),
  );
}
