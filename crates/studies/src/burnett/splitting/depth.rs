//! Choices and costs of each player at equal depths: why a match ends as it does.
//!
//! Positions are taken from games that `ordering` plays with itself on a few nodes, one every few plies. The
//! yardstick's value of a position at a depth is alpha-beta's, and a player's move is as good as its value
//! on the whole board at that depth: the difference is the cost of the player's way of searching.

use game::limits::Limits;
use jungle::decompose::{Cut, PartedJungle, Threshold};
use jungle::{BurnettEval, Jungle, Position};
use lab::openings::{DEFAULT_PLIES, Generator};
use players::{Algorithm, BurnettPlayer, StrongestFirst};
use search::{AlphaBeta, fixed};
use serde::Serialize;

use super::RULES;
use crate::StudyError;

/// A player at a depth, over all positions.
#[derive(Clone, Debug, Serialize)]
pub struct DepthRow {
    /// The player.
    pub player: String,
    /// How deep all searched.
    pub depth: u32,
    /// How many positions.
    pub positions: usize,
    /// The share of positions that were cut into parts.
    pub cut: f64,
    /// Nodes for every node of the yardstick.
    pub nodes: f64,
    /// The same where the position was cut; none if none was.
    pub nodes_where_cut: Option<f64>,
    /// The share of moves that are worse than the best.
    pub worse: f64,
    /// The share that is worse by a cat (200) or more.
    pub blunders: f64,
    /// How much worse a move is on average, wins and losses in sight left out.
    pub loss: f64,
}

/// What a move in sight of a win is worth at least.
const PIECE: i32 = 200;

/// The nodes a move in the games that positions are taken from.
const GAME_NODES: u64 = 400;
/// A position is taken every few plies, up to a length of the game.
const EVERY: u32 = 9;
const LAST_PLY: u32 = 120;

/// Searches positions to equal depths.
pub fn compare(
    specs: &[String],
    seed: u64,
    positions: usize,
    depths: &[u32],
) -> Result<Vec<DepthRow>, StudyError> {
    let positions = from_games(seed, positions)?;
    let game = PartedJungle::new(RULES, Cut::Threshold(Threshold::default()));
    let mut rows = Vec::new();
    for &depth in depths {
        let whole: Vec<_> = positions
            .iter()
            .map(|position| {
                let mut search = AlphaBeta::new(&game, &BurnettEval).order(StrongestFirst);
                fixed(&mut search, position, depth, &Limits::none()).expect("there is no limit")
            })
            .collect();
        // Iterative deepening is part of the cost.
        let ordering = BurnettPlayer::new(Algorithm::Ordering, RULES);
        let prices: Vec<u64> = positions
            .iter()
            .map(|position| ordering.choose(position, &Limits::depth(depth)).report.nodes)
            .collect();
        for spec in specs {
            // A spec of the laboratory is a name, a colon and parameters.
            let Ok(algorithm) = spec.replacen(':', ",", 1).parse::<Algorithm>() else {
                continue;
            };
            let player = BurnettPlayer::new(algorithm, RULES);
            let mut row = DepthRow {
                player: spec.clone(),
                depth,
                positions: positions.len(),
                cut: 0.0,
                nodes: 0.0,
                nodes_where_cut: None,
                worse: 0.0,
                blunders: 0.0,
                loss: 0.0,
            };
            let (mut spent, mut usual, mut counted) = ([0, 0], [0, 0], 0);
            for ((position, whole), price) in positions.iter().zip(&whole).zip(&prices) {
                let choice = player.choose(position, &Limits::depth(depth));
                let cut = usize::from(choice.is_split());
                row.cut += cut as f64;
                spent[cut] += choice.report.nodes;
                usual[cut] += price;
                let Some(mv) = choice.report.best() else { continue };
                let mut only =
                    AlphaBeta::new(&game, &BurnettEval).order(StrongestFirst).only(&[mv]);
                let value = fixed(&mut only, position, depth, &Limits::none());
                let value = value.expect("there is no limit").score;
                if value < whole.score {
                    row.worse += 1.0;
                    let loss = whole.score.value() - value.value();
                    row.blunders += f64::from(u8::from(loss >= PIECE));
                }
                if !value.is_decided() && !whole.score.is_decided() {
                    row.loss += f64::from(whole.score.value() - value.value());
                    counted += 1;
                }
            }
            let all = positions.len() as f64;
            row.nodes = (spent[0] + spent[1]) as f64 / (usual[0] + usual[1]).max(1) as f64;
            row.nodes_where_cut = (usual[1] > 0).then(|| spent[1] as f64 / usual[1] as f64);
            (row.cut, row.worse, row.blunders) =
                (row.cut / all, row.worse / all, row.blunders / all);
            row.loss /= f64::from(counted.max(1));
            rows.push(row);
        }
    }
    Ok(rows)
}

/// Positions in which the game goes on.
fn from_games(seed: u64, wanted: usize) -> Result<Vec<Position>, StudyError> {
    let jungle = Jungle::new(RULES);
    let player = BurnettPlayer::new(Algorithm::Ordering, RULES);
    let mut openings = Generator::new(RULES, seed, DEFAULT_PLIES);
    let mut positions = Vec::new();
    while positions.len() < wanted {
        let mut position = openings.next_opening()?;
        for ply in 0..LAST_PLY {
            // A few more nodes every game and ply, or a game would soon repeat itself.
            let nodes = GAME_NODES + 37 * u64::from(ply % 16);
            let Some(mv) = player.choose(&position, &Limits::nodes(nodes)).report.best() else {
                break;
            };
            if ply % EVERY == 0 && positions.len() < wanted && !positions.contains(&position) {
                positions.push(position.clone());
            }
            game::Game::make(&jungle, &mut position, mv);
        }
    }
    Ok(positions)
}
