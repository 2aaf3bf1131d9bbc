//! Complexity-driven search: what it chose, how it came to choose it, and the tree that it grew, for either game.

use std::fmt::Display;
use std::hash::Hash;
use std::time::Duration;

use amazons::Amazons;
use amazons::evaluate::Weights;
use game::Game;
use game::limits::{Limits, StopFlag};
use game::score::Evaluate;
use jungle::{BurnettEval, Move, Play, Position, Repetition, Rules, Setup};
use players::StrongestFirst;
use search::escape::{Curve, Diary, Escape, EscapeAnswer, Grown, Scale, Settings, Test};
use search::{AsListed, Order, PathRepetition};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// How many weighings of the root are listed, about.
const WEIGHINGS: usize = 100;
/// How many nodes of the tree are listed, and how many children of each.
const NODES: usize = 40;
const EACH: usize = 8;
/// How many nodes have notes on their growth at most, and how deep they may be.
const NOTED: usize = 200_000;
const PLIES: usize = 24;
/// What is left for the game if a request does not say, and the most that it can say.
const USUAL_LEFT: u64 = 30_000;
const MOST_LEFT: u64 = 3_000_000;
/// The most nodes and the longest time of a requested search.
const MOST_NODES: u64 = 100_000;
const LONGEST: Duration = Duration::from_secs(10);

/// How to search.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct EscapeRequest {
    /// The local escape function, which says when a child is good enough to go on below it: `step(T)`, `linear`,
    /// `linear(A,B)`, `power(K)`, `sigmoid(M,K)` or `never`; what plays well if left out.
    #[cfg_attr(feature = "openapi", param(example = "power(2)"))]
    pub local: Option<String>,
    /// The global one, which says when to move; it falls to nothing at twice an ordinary player's share if left out.
    #[cfg_attr(feature = "openapi", param(example = "linear(0,0.0667)"))]
    pub global: Option<String>,
    /// How many nodes are left for the rest of the game; 30,000 if left out. One move takes at most 100,000.
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 3_000_000))]
    pub left: Option<u64>,
}

impl EscapeRequest {
    /// Searches a position of Jungle in which the game goes on. `stop` can end it.
    ///
    /// # Errors
    ///
    /// If something is not understood.
    pub fn answer(&self, play: &Play, stop: StopFlag) -> Result<EscapeSearch, Refusal> {
        let rules = play.jungle().rules();
        let repetition = Some(match rules.repetition {
            Repetition::Ignored => PathRepetition::Ignored,
            _ => PathRepetition::Draw,
        });
        let global = Curve::Linear(0.0, 1.0 / 15.0);
        let usual = Settings { global, repetition, ..Settings::default() };
        let settings = self.settings(usual)?;
        let history: Vec<Position> = play.earlier_positions().cloned().collect();
        let search = Escape::new(play.jungle(), &BurnettEval, settings)
            .order(StrongestFirst)
            .history(&history);
        let about = About {
            fen: Setup::from(play.position()).to_string(),
            rules: Some(rules.to_string()),
            left: self.left(),
        };
        Ok(about.searched(search, play.position(), &self.limits(stop)))
    }

    /// The same of Amazons.
    ///
    /// # Errors
    ///
    /// If something is not understood, or the game is over.
    pub fn answer_amazons(
        &self,
        position: &amazons::Position,
        stop: StopFlag,
    ) -> Result<EscapeSearch, Refusal> {
        if let Some(winner) = crate::amazons::winner(position) {
            let message = format!("the game is over: {} wins", amazons::player_name(winner));
            return Err(Refusal::bad("game-over", message));
        }
        let usual = Settings {
            local: Curve::Never,
            global: Curve::Linear(0.0, 0.25),
            scale: Scale::Half(500.0),
            ..Settings::default()
        };
        let weights = Weights::default();
        let search = Escape::new(&Amazons, &weights, self.settings(usual)?).order(AsListed);
        let about = About { fen: position.to_string(), rules: None, left: self.left() };
        Ok(about.searched(search, position, &self.limits(stop)))
    }

    fn left(&self) -> u64 {
        self.left.unwrap_or(USUAL_LEFT).clamp(1, MOST_LEFT)
    }

    fn limits(&self, stop: StopFlag) -> Limits {
        let left = self.left();
        Limits::game_nodes(left).with_nodes(left.min(MOST_NODES)).with_time(LONGEST).with_stop(stop)
    }

    fn settings(&self, usual: Settings) -> Result<Settings, Refusal> {
        let curve = |text: &Option<String>, usual: Curve| match text {
            None => Ok(usual),
            // Nobody else's files are read.
            Some(text) if text.trim_start().starts_with("file") => {
                Err(Refusal::bad("curve", "an escape function cannot be read from a file here"))
            }
            Some(text) => {
                text.parse::<Curve>().map_err(|error| Refusal::bad("curve", error.to_string()))
            }
        };
        Ok(Settings {
            local: curve(&self.local, usual.local)?,
            global: curve(&self.global, usual.global)?,
            ..usual
        })
    }
}

/// A complexity-driven search of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EscapeSearch {
    /// The position.
    pub fen: String,
    /// The rules; none in Amazons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The local escape function.
    pub local: String,
    /// The global escape function.
    pub global: String,
    /// How scores are brought between −1 and 1.
    pub scale: String,
    /// The nodes that were left for the game.
    pub left: u64,
    /// The move chosen.
    #[serde(rename = "move")]
    pub best: Option<String>,
    /// The root's score, in words.
    pub score: String,
    /// The score between −1 and 1.
    pub value: f64,
    /// The best line.
    pub pv: Vec<String>,
    /// The nodes that were spent.
    pub spent: u64,
    /// The share of those left.
    pub share: f64,
    /// How many nodes were visited.
    pub visits: u64,
    /// How many were expanded.
    pub expansions: u64,
    /// How many plies below the root the deepest visit was.
    pub deepest: u32,
    /// How often room had to be made.
    pub prunings: u64,
    /// The most nodes that were kept at one time.
    pub peak_nodes: usize,
    /// What ended the search.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "good enough to move"))]
    pub ended: &'static str,
    /// Where the candidate at the root changed, and why the new one escaped.
    pub candidates: Vec<EscapeCandidate>,
    /// The root's score and what it had to exceed, as the budget was spent.
    pub budget: Vec<EscapeWeighing>,
    /// The tree that grew: the root, the best line, and the nodes that took most; parents before their children.
    pub tree: Vec<EscapeNode>,
}

/// A candidate that escaped at a node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EscapeCandidate {
    /// The nodes that had been spent.
    pub spent: u64,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its value between −1 and 1.
    pub value: f64,
    /// The share of the node's complexity that it took.
    pub share: f64,
    /// What the local function asked for at that share.
    pub threshold: f64,
    /// How many children had been visited.
    pub visited: usize,
    /// How many there are.
    pub children: usize,
}

/// The root against the global escape function.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EscapeWeighing {
    /// The nodes that had been spent.
    pub spent: u64,
    /// The share of those left.
    pub share: f64,
    /// The root's value between −1 and 1.
    pub value: f64,
    /// What the global function asked for at that share.
    pub threshold: f64,
}

/// A node of the tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EscapeNode {
    /// Its parent's place in the list; null at the root.
    pub parent: Option<usize>,
    /// The move that leads to it; null at the root.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Whether it is on the best line.
    pub best: bool,
    /// Whether its value is final.
    pub solved: bool,
    /// What it took in the end.
    pub complexity: u64,
    /// How many children it has; 0 if it was not expanded.
    pub children: usize,
    /// How many of them were visited.
    pub visited: usize,
    /// The nodes that had been spent when it was visited.
    pub born: u64,
    /// Those when it was expanded.
    pub expanded: Option<u64>,
    /// Its values between −1 and 1, for the player who moved there (at the root: who moves), as they changed.
    pub values: Vec<EscapeValue>,
    /// The last of its children to escape, and why.
    pub escape: Option<EscapeCandidate>,
}

/// A value of a node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EscapeValue {
    /// The nodes that had been spent when it got it.
    pub spent: u64,
    /// The value.
    pub value: f64,
}

/// The position that is searched, as text, and the budget.
struct About {
    fen: String,
    rules: Option<String>,
    left: u64,
}

impl About {
    fn searched<G, E, O>(
        self,
        mut search: Escape<'_, G, E, O>,
        position: &G::Position,
        limits: &Limits,
    ) -> EscapeSearch
    where
        G: Game<Move: Display + Hash>,
        E: Evaluate<G>,
        O: Order<G>,
    {
        let mut diary = EscapeSearch::diary();
        let answer = search.search_watched(position, limits, &mut diary);
        self.document(search.settings(), &answer, search.tree(), &diary)
    }

    fn document<M: Copy + Display + Eq + Hash>(
        self,
        settings: &Settings,
        answer: &EscapeAnswer<M>,
        root: Grown<'_, M>,
        diary: &Diary<M>,
    ) -> EscapeSearch {
        let About { fen, rules, left } = self;
        EscapeSearch {
            fen,
            rules,
            local: settings.local.to_string(),
            global: settings.global.to_string(),
            scale: settings.scale.to_string(),
            left,
            best: answer.best.map(|mv| mv.to_string()),
            score: answer.score.to_string(),
            value: answer.value,
            pv: answer.pv.iter().map(ToString::to_string).collect(),
            spent: answer.spent,
            share: answer.spent as f64 / left as f64,
            visits: answer.visits,
            expansions: answer.expansions,
            deepest: answer.deepest,
            prunings: answer.prunings,
            peak_nodes: answer.peak,
            ended: answer.ended.as_str(),
            candidates: diary.candidates().iter().map(EscapeCandidate::new).collect(),
            budget: diary
                .budget(WEIGHINGS)
                .map(|weighing| EscapeWeighing {
                    spent: weighing.spent,
                    share: weighing.share,
                    value: weighing.value,
                    threshold: weighing.threshold,
                })
                .collect(),
            tree: tree(settings.scale, &answer.pv, root, diary),
        }
    }
}

impl EscapeCandidate {
    fn new<M: Display>((spent, test): &(u64, Test<M>)) -> EscapeCandidate {
        EscapeCandidate {
            spent: *spent,
            mv: test.best.to_string(),
            value: test.value,
            share: test.share,
            threshold: test.threshold,
            visited: test.visited,
            children: test.children,
        }
    }
}

/// The nodes to show, with what became of them.
fn tree<M: Copy + Display + Eq + Hash>(
    scale: Scale,
    pv: &[M],
    root: Grown<'_, M>,
    diary: &Diary<M>,
) -> Vec<EscapeNode> {
    let mut paths: Vec<Vec<M>> = Vec::new();
    let mut nodes = Vec::new();
    for (parent, node) in root.largest(NODES, EACH) {
        let mut path = parent.map_or_else(Vec::new, |parent| paths[parent].clone());
        path.extend(node.mv());
        let life = diary.life_of(&path).cloned().unwrap_or_default();
        // A score is for the player to move; below the root the one before is meant.
        let sign = if path.is_empty() { 1.0 } else { -1.0 };
        let value = |score| sign * scale.unit(score);
        let mut values: Vec<EscapeValue> = life
            .scores
            .iter()
            .map(|&(spent, score)| EscapeValue { spent, value: value(score) })
            .collect();
        if values.is_empty() {
            values.push(EscapeValue { spent: life.born, value: value(node.score()) });
        }
        nodes.push(EscapeNode {
            parent,
            mv: node.mv().map(|mv| mv.to_string()),
            best: pv.starts_with(&path),
            solved: node.is_solved(),
            complexity: node.complexity(),
            children: node.count(),
            visited: node.visited().count(),
            born: life.born,
            expanded: life.expanded,
            values,
            escape: diary.escape_at(&path).map(EscapeCandidate::new),
        });
        paths.push(path);
    }
    nodes
}

impl EscapeSearch {
    /// The notes that a document is made from.
    pub fn diary<M: Copy + Eq + Hash>() -> Diary<M> {
        Diary::new(PLIES).with_lives(NOTED)
    }

    /// The document of a search of a position of Jungle, with `left` nodes left for the game.
    pub fn new(
        rules: &Rules,
        position: &Position,
        left: u64,
        settings: &Settings,
        answer: &EscapeAnswer<Move>,
        (root, diary): (Grown<'_, Move>, &Diary<Move>),
    ) -> EscapeSearch {
        let (fen, rules) = (Setup::from(position).to_string(), Some(rules.to_string()));
        About { fen, rules, left }.document(settings, answer, root, diary)
    }
}
