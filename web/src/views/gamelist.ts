// A list of games that are kept: who played, when, and how it ended.

import { h, icon } from "../dom";
import { currentLanguage, t } from "../i18n";
import type { KeptGame } from "../games";
import { rulesName } from "../rules";

/** A name as it was written down; what the page itself wrote is in the reader's language. */
export function playerName(name: string): string {
  if (name === "?") return t("unknownPlayer");
  if (name === "You") return t("you");
  if (name === "Friend") return t("friendHe");
  const level = /^Mousetrap, level (\d) \((\w+)\)$/.exec(name);
  return level ? t("computerPlayer", { n: level[1]! }) : name;
}

/** “18 November 2026”, or as much of it as is known. */
export function dayText(date: string | null): string {
  if (!date) return t("unknownDay");
  const [year = 1970, month, day] = date.split("-").map(Number);
  const options: Intl.DateTimeFormatOptions = { year: "numeric", timeZone: "UTC" };
  if (month) options.month = "short";
  if (day) options.day = "numeric";
  return new Intl.DateTimeFormat(currentLanguage(), options).format(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
}

const RESULTS: Record<string, string> = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "…" };

/** The games as buttons; with a second one to delete where that can be done. */
export function gameList(
  games: KeptGame[],
  open: (game: KeptGame) => void,
  remove: ((game: KeptGame) => void) | null = null,
): HTMLElement {
  return h(
    "ul",
    { class: "games" },
    games.map((game) => {
      const title = `${playerName(game.white)} – ${playerName(game.black)}`;
      const rules = game.rules === "standard" ? "" : ` · ${rulesName(game.rules)}`;
      return h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "kept", "data-game": game.id, onclick: () => open(game) },
          h("span", { class: "kept-names" }, title),
          h("span", { class: `kept-result result-${resultClass(game.result)}` }, RESULTS[game.result] ?? game.result),
          h("small", {}, [dayText(game.date), t("movesCount", { n: game.plies })].join(" · "), rules),
        ),
        remove && game.source !== "book"
          ? h(
              "button",
              {
                type: "button",
                class: "tool",
                title: t("deleteGame"),
                "aria-label": `${t("deleteGame")}: ${title}`,
                onclick: () => remove(game),
              },
              icon("close"),
            )
          : null,
      );
    }),
  );
}

function resultClass(result: string): string {
  return result === "1-0" ? "white" : result === "0-1" ? "black" : result === "*" ? "open" : "draw";
}
