// Where everything begins.

import { App } from "./app";
import { api } from "./api";
import { recall } from "./settings";
import { Tree } from "./tree";
import { AnalysisView } from "./views/analysis";
import { PlayView } from "./views/play";

async function loadArt(): Promise<void> {
  const response = await fetch("/art.svg");
  const sheet = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
  sheet.setAttribute("aria-hidden", "true");
  sheet.classList.add("art");
  document.body.prepend(document.importNode(sheet, true));
}

const app = new App();
const analysis: AnalysisView = new AnalysisView(app, (fen, rules) => {
  play.setRules(rules);
  app.open("play");
  play.begin(fen);
});
const play: PlayView = new PlayView(app, (tree) => {
  tree.current = tree.end;
  app.open("analyse");
  analysis.openTab("engine");
  analysis.load(tree);
});
app.add("play", play);
app.add("analyse", analysis);

/** Opens what a link says: a position with the moves that led to it. */
async function follow(): Promise<boolean> {
  const [path, query] = location.hash.split("?");
  if (path !== "#/analyse" || !query) return false;
  const parameters = new URLSearchParams(query);
  const fen = parameters.get("fen");
  if (!fen) return false;
  const rules = parameters.get("rules") ?? "standard";
  const moves = (parameters.get("moves") ?? "").split(",").filter(Boolean);
  try {
    const state = await api.moves({ fen, rules, moves });
    // With all its counters.
    const start = await api.check(fen, rules);
    const tree = new Tree(start.fen, state.rules);
    for (const played of state.played) tree.current = tree.add(played.move, played.san, played.captures, played.fen);
    history.replaceState(null, "", "/");
    app.open("analyse");
    analysis.load(tree);
    return true;
  } catch (error) {
    history.replaceState(null, "", "/");
    app.trouble(error);
    return false;
  }
}

document.getElementById("app")!.append(app.element);
void loadArt();
app.open(recall<string>("mode") === "analyse" ? "analyse" : "play");
void follow();
window.addEventListener("hashchange", () => void follow());
