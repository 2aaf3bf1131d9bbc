// Where everything begins.

import { App } from "./app";
import { api } from "./api";
import { recall } from "./settings";
import { Tree } from "./tree";
import { AnalysisView, TABS } from "./views/analysis";
import { FriendView } from "./views/friend";
import { flush } from "./games";
import { GamesView } from "./views/games";
import { LearnView } from "./views/learn";
import { PlayView } from "./views/play";
import { PuzzlesView } from "./views/puzzles";
import { TrainerView } from "./views/trainer";

async function loadArt(): Promise<void> {
  const response = await fetch("art.svg");
  const sheet = new DOMParser().parseFromString(await response.text(), "image/svg+xml").documentElement;
  sheet.setAttribute("aria-hidden", "true");
  sheet.classList.add("art");
  document.body.prepend(document.importNode(sheet, true));
}

const app = new App();
const analysis: AnalysisView = new AnalysisView(
  app,
  (fen, rules) => {
    play.setRules(rules);
    app.open("play");
    play.begin(fen);
  },
  (tree, source) => {
    library.search(tree, source);
    app.open("games");
  },
);
const play: PlayView = new PlayView(
  app,
  (tree) => {
    tree.current = tree.end;
    app.open("analyse");
    analysis.openTab("engine");
    analysis.load(tree);
  },
  () => app.open("learn"),
  () => friend.setUp(),
);
const friend: FriendView = new FriendView(app, (tree) => {
  tree.current = tree.end;
  load(tree);
  analysis.openTab("engine");
});
const learn = new LearnView(app, (level) => {
  play.setLevel(level);
  app.open("play");
});
const load = (tree: Tree) => {
  app.open("analyse");
  analysis.load(tree);
};
const library = new GamesView(app, load);
const puzzles: PuzzlesView = new PuzzlesView(app, load, () => app.open("trainer"));
const trainer: TrainerView = new TrainerView(app, () => app.open("puzzles"));
app.add("learn", learn);
app.add("play", play);
app.add("friend", friend);
app.add("analyse", analysis);
app.add("games", library);
app.add("puzzles", puzzles);
app.add("trainer", trainer);

/** Opens what a link says: a position in its game. It stays in the address bar, and changes nothing of one's own. */
async function follow(): Promise<boolean> {
  const [path, query] = location.hash.split("?");
  const place = /^#\/(learn|play|games|puzzles|trainer)$/.exec(path ?? "")?.[1];
  if (place) {
    app.open(place);
    const [id, name] = ["id", "class"].map((key) => new URLSearchParams(query ?? "").get(key));
    if (place === "puzzles" && id) await puzzles.openById(id);
    if (place === "trainer" && name) trainer.openClass(name);
    return true;
  }
  if (path === "#/friend") {
    await friend.follow(new URLSearchParams(query ?? ""));
    return true;
  }
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
    const at = Number(parameters.get("at") ?? moves.length);
    tree.current = tree.mainLine()[at - 1] ?? (at === 0 ? tree.root : tree.end);
    app.open("analyse");
    analysis.open(tree);
    const view = TABS.find((name) => name === parameters.get("view"));
    if (view) analysis.openTab(view);
    return true;
  } catch (error) {
    app.trouble(error);
    return false;
  }
}

document.getElementById("app")!.append(app.element);
void loadArt();
const mode = recall<string>("mode") ?? "play";
// A game with a friend is opened by its link or from the list of games.
app.open(["learn", "play", "analyse", "games", "puzzles", "trainer"].includes(mode) ? mode : "play");
void follow();
window.addEventListener("hashchange", () => void follow());
// What could not be kept the last time.
void flush();
