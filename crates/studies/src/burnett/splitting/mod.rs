//! Burnett's open question, which threshold to split at, answered by matches.
//!
//! Burnett (2010) ends by asking which function of depth and position should set the threshold of a split
//! search. Here every cell of a map is a match at equal nodes between `ordering` and a player that uses
//! parts: Burnett's `both` at several thresholds, and the other uses of parts that were tried. All cells
//! play from the same openings, generated from the seed, two games from each. A second table says why: what
//! each player chooses and spends when all search positions of games to the same depth.
//!
//! A finished cell is a small file in the folder, so a run that was stopped goes on with the next one; matches
//! are limited by nodes, so the numbers are the same on every machine.

mod cell;
mod depth;
mod show;

use std::path::Path;

use clap::Args;
use jungle::Rules;
use serde::{Deserialize, Serialize};

pub use self::cell::{Asked, Cell};
pub use self::depth::DepthRow;
use super::BURNETT;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError};

const RULES: Rules = Rules::TUFTS;

/// The common opponent.
const YARDSTICK: &str = "ordering";

/// Burnett's player at these thresholds, with these budgets of nodes, makes the map.
const THRESHOLDS: [&str; 4] = ["2", "4", "6", "depth"];
const NODES: [u64; 3] = [1000, 3000, 9000];

/// What else was tried, with one budget: other thresholds, and other uses of parts. `late` is what reductions
/// gain without parts, and `last` what pruning gains without them.
const OTHERS: [&str; 9] = [
    "both:threshold=depth*0.5",
    "both:threshold=benefit:2",
    "sum",
    "verified",
    "guided:by=busy",
    "guided:by=reduce,threshold=2",
    "guided:by=late",
    "guided:by=last",
    "guided:by=strike",
];
const OTHER_NODES: u64 = 3000;

/// A game is drawn when each side has made this many moves: half of what the rules allow, which decides few
/// games more and takes twice as long.
const MOVE_LIMIT: u32 = 100;

/// How many positions are searched to equal depths.
const POSITIONS: usize = 60;
const DEPTHS: [u32; 2] = [4, 6];

/// The study of splitting.
pub struct Splitting;

/// The parameters of the study of splitting.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// The nodes a move, one number or several, as in 500,1500,4500; 1000, 3000 and 9000 for the map
    #[arg(long, value_name = "N", value_delimiter = ',',
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Vec<u64>,
    /// A player to measure against `ordering`; may be given several times
    #[arg(long, value_name = "SPEC")]
    pub players: Vec<String>,
    /// How many games each cell has
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub games: u64,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Resume the cells in the folder, or use them if all are played
    #[arg(long)]
    pub resume: bool,
}

impl Default for Params {
    fn default() -> Params {
        Params { nodes: Vec::new(), players: Vec::new(), games: 400, seed: 1, resume: false }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The matches at equal nodes.
    pub cells: Vec<Cell>,
    /// The choices at equal depths.
    pub depths: Vec<DepthRow>,
}

impl Study for Splitting {
    const NAME: &'static str = "splitting";
    const TITLE: &'static str = "Which threshold, and what parts are good for";
    const ABOUT: &'static str =
        "Burnett (2010), chapter 12: which threshold, and what parts are good for, by matches";
    const SOURCE: Option<&'static str> = Some(BURNETT);
    const TAKES: &'static str = "half an hour";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        let asked = asked(params)?;
        let cells = play(&asked, params.resume, context)?;
        // Other uses of parts are compared for any players; it takes no games.
        let mut players: Vec<String> = Vec::new();
        for player in asked.iter().map(|asked| asked.player.as_str()).chain(OTHERS) {
            if !players.iter().any(|known| known == player) {
                players.push(player.to_owned());
            }
        }
        let positions = POSITIONS.min(params.games as usize);
        context.progress.note(&format!("searching {positions} positions to equal depths"));
        let depths = depth::compare(&players, params.seed, positions, &DEPTHS)?;
        Ok(Some(Results { cells, depths }))
    }

    fn render(_: &Params, results: &Results) -> String {
        show::text(&results.cells, &results.depths)
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        let mut lines = each(&results.cells)?;
        lines.extend(each(&results.depths)?);
        Ok(lines)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        show::record(params, results, draft)
    }
}

/// The cells of the study, small budgets first, or of the requested players and budgets.
fn asked(params: &Params) -> Result<Vec<Asked>, StudyError> {
    let map: Vec<String> =
        THRESHOLDS.iter().map(|threshold| format!("both:threshold={threshold}")).collect();
    let mut matches: Vec<(u64, String)> = Vec::new();
    if params.players.is_empty() && params.nodes.is_empty() {
        matches.extend(NODES.iter().flat_map(|nodes| map.iter().map(|map| (*nodes, map.clone()))));
        matches.extend(OTHERS.map(|other| (OTHER_NODES, other.to_owned())));
        matches.sort_by_key(|(nodes, _)| *nodes);
    } else {
        let nodes = if params.nodes.is_empty() { &NODES[..] } else { &params.nodes };
        let players = if params.players.is_empty() {
            map.into_iter().chain(OTHERS.map(str::to_owned)).collect()
        } else {
            params.players.clone()
        };
        for player in &players {
            cell::read(player)?;
            matches.extend(nodes.iter().map(|nodes| (*nodes, player.clone())));
        }
    }
    let cell = |(nodes, player)| Asked { player, nodes, games: params.games, seed: params.seed };
    Ok(matches.into_iter().map(cell).collect())
}

/// Plays the cells that are not in the folder.
fn play(all: &[Asked], resume: bool, context: &mut Context<'_>) -> Result<Vec<Cell>, StudyError> {
    let folder = context.folder.clone();
    if let Some(folder) = folder.as_ref().filter(|folder| !resume && cell::any_in(&cells(folder))) {
        return Err(StudyError::ResultsThere(folder.clone()));
    }
    let mut found = Vec::new();
    for (at, asked) in all.iter().enumerate() {
        let path = folder.as_ref().map(|folder| cells(folder).join(asked.file_name()));
        let known = path.as_ref().map_or(Ok(None), |path| Cell::read(path, asked))?;
        found.push(match known {
            Some(cell) => cell,
            None => {
                context.progress.note(&format!(
                    "cell {} of {}: {} against {YARDSTICK}, {} nodes a move, {} games",
                    at + 1,
                    all.len(),
                    asked.player,
                    asked.nodes,
                    asked.games
                ));
                let cell = asked.play(context)?;
                path.as_ref().map_or(Ok(()), |path| cell.write(path))?;
                cell
            }
        });
    }
    Ok(found)
}

/// Where finished cells are kept.
fn cells(folder: &Path) -> std::path::PathBuf {
    folder.join("cells")
}
