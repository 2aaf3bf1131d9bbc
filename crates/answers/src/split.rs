//! Decomposition: a position cut into parts where causality allows it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use game::limits::Limits;
use game::score::Score;
use jungle::board::DENS;
use jungle::causality::{Causality, Graph, Split as Decomposition, Time};
use jungle::decompose::{Cut, PartedJungle};
use jungle::{Bitboard, Color, Play, Position, Rules, Square};
use serde::{Deserialize, Serialize};

/// The threshold of the published experiments.
const USUAL_THRESHOLD: u8 = 4;
/// The limits of searching the parts.
const SCORE_NODES: u64 = 100_000;
const SCORE_TIME: Duration = Duration::from_millis(500);

/// Where to cut.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct SplitRequest {
    /// Edges heavier than this many plies are cut; 4 if left out.
    #[cfg_attr(feature = "openapi", param(maximum = 40))]
    pub threshold: Option<u8>,
    /// Whether to search the parts for their scores; yes if left out.
    pub scores: Option<bool>,
}

impl SplitRequest {
    /// The parts of a game's position, with their scores if there are several and the game goes on.
    pub fn answer(&self, play: &Play, causality: Arc<Causality>) -> Split {
        let (rules, position) = (*play.jungle().rules(), play.position());
        let threshold = self.threshold.unwrap_or(USUAL_THRESHOLD);
        let split = Split::new(&rules, &causality, position, threshold);
        if !self.scores.unwrap_or(true) || split.parts.len() < 2 || play.ending().is_some() {
            return split;
        }
        let limits = Limits::nodes(SCORE_NODES).with_time(SCORE_TIME);
        let threshold = split.threshold;
        split.searched(SplitSearch::new(rules, causality, position, threshold, &limits))
    }
}

/// A position cut into parts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Split {
    /// The position.
    pub fen: String,
    /// The rules.
    pub rules: String,
    /// Who moves first: player A of the causality function.
    pub first: Color,
    /// Edges heavier than this many plies were cut.
    pub threshold: u8,
    /// The pieces, in the order of `times`.
    pub pieces: Vec<Piece>,
    /// In how many plies any two pieces can affect each other; null on the diagonal and for never.
    pub times: Vec<Vec<Option<u8>>>,
    /// The weights of the minimum spanning tree, lightest first; null for never.
    pub tree: Vec<Option<u8>>,
    /// Its edges, in the same order.
    pub edges: Vec<Edge>,
    /// The largest weight in the tree: from this threshold on there is one part.
    pub tmax: Option<u8>,
    /// The parts: the squares of their pieces, by file and rank.
    pub parts: Vec<Vec<String>>,
    /// The squares that the pieces of each part may use.
    pub territories: Vec<Vec<String>>,
    /// Each part as a position of its own.
    pub positions: Vec<String>,
    /// The part that owns each square; null for dens and for squares that no piece reaches.
    pub owner: BTreeMap<String, Option<usize>>,
    /// The parts to which each den is open.
    pub dens: BTreeMap<String, Vec<usize>>,
    /// The search of the parts, if they were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<SplitSearch>,
}

/// A piece on its square.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SplitPiece))]
pub struct Piece {
    /// Where it stands.
    pub square: String,
    /// Its letter, capital for Red.
    pub piece: char,
}

/// An edge of the minimum spanning tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SplitEdge))]
pub struct Edge {
    /// The square of one piece, the first by name.
    pub from: String,
    /// The square of the other.
    pub to: String,
    /// In how many plies one can affect the other at the earliest; null for never.
    pub plies: Option<u8>,
    /// Whether the edge is cut.
    pub cut: bool,
}

/// A search of the parts, each by itself, as Burnett does. Estimates are in the units of Burnett's evaluation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SplitSearch {
    /// The last depth finished: less than asked for only if a win was found before.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
    /// The move chosen.
    pub best: Option<String>,
    /// Its implied score, or the value of the whole board where there is one part.
    pub score: Score,
    /// In the order of `parts`; empty if there is only one, which is searched as a whole.
    pub parts: Vec<PartScores>,
}

/// The values of a part for the side to move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PartScores {
    /// The best move in the part; null if it has none.
    pub best: Option<String>,
    /// Its value in the part.
    #[serde(rename = "move")]
    pub mv: Option<Score>,
    /// The value of not moving in the part.
    pub non_move: Score,
    /// The value of the move on the whole board.
    pub implied: Option<Score>,
}

impl Split {
    /// Cuts a position at a threshold.
    pub fn new(rules: &Rules, causality: &Causality, position: &Position, threshold: u8) -> Split {
        let graph = causality.graph(position, position.turn());
        let split = causality.split(position, position.turn(), threshold);
        Split::of(rules, position, &graph, &split)
    }

    /// A position with its graph and what it was cut into.
    pub fn of(rules: &Rules, position: &Position, graph: &Graph, split: &Decomposition) -> Split {
        let (nodes, parts) = (graph.nodes(), split.parts());
        let row = |one| (0..nodes.len()).map(|other| graph.time(one, other).get()).collect();
        let open_to = |den| {
            let parts = parts.iter().enumerate();
            parts.filter(|(_, part)| part.territory.contains(den)).map(|(at, _)| at).collect()
        };
        Split {
            fen: position.to_string(),
            rules: rules.to_string(),
            first: position.turn(),
            threshold: split.threshold().get().unwrap_or(u8::MAX),
            pieces: nodes
                .iter()
                .map(|node| Piece { square: node.square.to_string(), piece: node.piece.letter() })
                .collect(),
            times: (0..nodes.len()).map(row).collect(),
            tree: split.tree().map(|edge| edge.weight.get()).collect(),
            edges: edges(graph, split.threshold()),
            tmax: split.t_max().and_then(Time::get),
            parts: parts.iter().map(|part| names(part.pieces)).collect(),
            territories: parts.iter().map(|part| names(part.territory)).collect(),
            positions: parts
                .iter()
                .map(|part| part.position(position, position.turn()).to_string())
                .collect(),
            owner: Square::ALL.map(|square| (square.to_string(), split.owner(square))).into(),
            dens: DENS.into_iter().map(|den| (den.to_string(), open_to(den))).collect(),
            search: None,
        }
    }

    /// The same, with a search of the parts.
    #[must_use]
    pub fn searched(self, search: SplitSearch) -> Split {
        Split { search: Some(search), ..self }
    }
}

impl SplitSearch {
    /// Searches the parts of a position in which the game goes on.
    pub fn new(
        rules: Rules,
        causality: Arc<Causality>,
        position: &Position,
        threshold: u8,
        limits: &Limits,
    ) -> SplitSearch {
        let cut = Cut::Threshold(threshold.into());
        let game = PartedJungle::with_causality(rules, causality, cut);
        let found = players::search_parts(&game, position, limits);
        let parts = found.parts.iter().filter_map(|part| {
            Some(PartScores {
                best: part.best.map(|(mv, _)| mv.to_string()),
                mv: part.best.map(|(_, score)| score),
                non_move: part.non_move?,
                implied: part.implied,
            })
        });
        SplitSearch {
            depth: found.report.depth,
            nodes: found.report.nodes,
            best: found.report.best().map(|mv| mv.to_string()),
            score: found.report.score,
            parts: parts.collect(),
        }
    }
}

fn edges(graph: &Graph, threshold: Time) -> Vec<Edge> {
    let name = |at: usize| graph.nodes()[at].square.to_string();
    let edge = |edge: jungle::causality::tree::Edge<Time>| {
        let mut ends = [name(edge.one), name(edge.other)];
        ends.sort();
        let [from, to] = ends;
        Edge { from, to, plies: edge.weight.get(), cut: edge.weight > threshold }
    };
    graph.tree().into_iter().map(edge).collect()
}

/// By file and then by rank.
fn names(squares: Bitboard) -> Vec<String> {
    let mut names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    names.sort();
    names
}
