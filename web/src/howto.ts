// How to play, as the rules in force have it: a few sentences and small boards. What the rules are the server tells.

import { h } from "./dom";
import { animalName, t, type Key } from "./i18n";
import { miniBoard, type Scene } from "./pictures";
import { ranking, rulesName, switches, type Switches } from "./rules";

const JUMPERS: [letter: string, name: string][] = [
  ["L", "lion-jumps"],
  ["T", "tiger-jumps"],
  ["P", "panther-jumps"],
];

/** Which animals jump, by the way they do. */
export function jumpers(now: Switches): Map<string, string[]> {
  const ways = new Map<string, string[]>();
  for (const [letter, name] of JUMPERS) {
    const way = now[name]!;
    if (way !== "none") ways.set(way, [...(ways.get(way) ?? []), letter]);
  }
  return ways;
}

/** “lion and tiger”. */
function list(letters: string[]): string {
  return letters.map(animalName).join(t("listAnd"));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The sentences of each topic, in the order in which one learns them. */
export function sentences(now: Switches): [topic: string, text: string[]][] {
  const jumps = [...jumpers(now)].map(([way, letters]) =>
    capital(
      t(letters.length > 1 ? "how_jump_many" : "how_jump_one", { who: list(letters), way: t(`way_${way}` as Key) }),
    ),
  );
  const goal = [t("how_goal")];
  if (now["annihilation-wins"] === "yes") goal.push(t("how_goal_all"));
  if (now["no-legal-move"] === "loss") goal.push(t("how_stuck_loss"));
  const ends = [t(`how_repetition_${now["repetition"]}` as Key)];
  if (now["no-legal-move"] === "draw") ends.push(t("how_stuck_draw"));
  if (now["move-limit"] !== "none") ends.push(t("how_move_limit", { n: now["move-limit"]! }));
  if (now["quiet-limit"] !== "none") ends.push(t("how_quiet_limit", { n: now["quiet-limit"]! }));
  return [
    ["goal", goal],
    ["step", [t("how_step")]],
    ["strength", [t("how_strength", { order: ranking(now).map(animalName).join(t("listThen")) })]],
    ["rat", [t(now["elephant-takes-rat"] === "yes" ? "how_rat_both" : "how_rat")]],
    ["water", [t("how_water")]],
    ["jump", jumps.length ? [...jumps, t("how_block")] : [t("how_jump_none")]],
    ["shore", [t(`how_shore_${now["shore"]}` as Key)]],
    ["traps", [t(`how_traps_${now["traps"]}` as Key)]],
    ["ends", ends],
  ];
}

/** A picture for a topic. */
function scene(topic: string, now: Switches): [fen: string, scene: Scene] | null {
  switch (topic) {
    case "goal":
      return ["7/3W3/7/7/7/7/7/7/7 w", { from: "c8", to: "e9", can: ["d8d9"] }];
    case "step":
      return [
        "7/7/7/7/7/7/7/3D3/7 w",
        { from: "c1", to: "e3", can: ["d2d3", "d2c2", "d2e2"], cannot: ["d2d1", "d2e3"] },
      ];
    case "strength":
      return ["7/7/7/7/7/7/2cTl2/7/7 w", { from: "c3", to: "e3", can: ["d3c3"], cannot: ["d3e3"] }];
    case "rat":
      return now["elephant-takes-rat"] === "yes"
        ? ["7/7/7/7/7/7/4Re1/4rE1/7 w", { from: "e2", to: "f3", can: ["e3f3", "f2e2"] }]
        : ["7/7/7/7/7/7/4Re1/4rE1/7 w", { from: "e2", to: "f3", can: ["e3f3"], cannot: ["f2e2"] }];
    case "water":
      return ["7/7/7/7/7/7/1RC4/7/7 w", { from: "a3", to: "d5", can: ["b3b4"], cannot: ["c3c4"] }];
    case "jump": {
      const [first] = jumpers(now);
      if (!first) return null;
      const [way, [letter]] = first;
      if (way === "sideways") return [`7/7/7/7/7/${letter}6/7/7/7 w`, { from: "a3", to: "e5", can: ["a4d4"] }];
      return [
        `7/7/7/4r2/7/7/1${letter}2${letter!.toUpperCase()}2/7/7 w`,
        { from: "a3", to: "f7", can: ["b3b7"], cannot: ["e3e7"] },
      ];
    }
    case "shore":
      return now["shore"] === "closed"
        ? ["7/7/7/7/7/1R5/1e5/7/7 w", { from: "a3", to: "c5", cannot: ["b4b3"] }]
        : ["7/7/7/7/7/1R5/1r5/7/7 w", { from: "a3", to: "c5", can: ["b4b3"] }];
    case "traps":
      return ["7/7/7/7/7/7/7/2Cl3/7 w", { from: "b1", to: "f2", can: ["c2d2"] }];
  }
  return null;
}

/** What the window “How to play” shows. */
export async function howToPlay(rules: string, set: string): Promise<Node[]> {
  const now = await switches(rules);
  const topics = sentences(now).map(([topic, text]) => {
    const shown = scene(topic, now);
    return h(
      "section",
      { class: shown ? "how" : "how plain", "data-topic": topic },
      shown ? miniBoard(shown[0], set, shown[1]) : null,
      h(
        "div",
        {},
        h("h3", {}, t(`how_title_${topic}` as Key)),
        text.map((one) => h("p", {}, one)),
      ),
    );
  });
  return [
    h("p", { class: "quiet", id: "how-rules" }, `${t("gameName")} · ${t("how_rules", { name: rulesName(rules) })}`),
    ...topics,
  ];
}
