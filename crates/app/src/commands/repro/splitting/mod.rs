//! `mousetrap repro splitting`: the thesis' open question, put to the test.
//!
//! Burnett (2010) ends by asking which function of depth and position should set the threshold of a split
//! search. Here every cell of a map is a match at equal nodes between `ordering` and a player that uses
//! parts: the thesis' `both` at several thresholds, and the other uses of parts that were tried. All cells
//! play from the same openings, generated from the seed, two games from each. A second table says why: what
//! each player chooses and spends when all search positions of games to the same depth.
//!
//! A finished cell is a small file in the folder, so a run that was stopped goes on with the next one; matches
//! are limited by nodes, so the numbers are the same on every machine.

mod cell;
mod depth;
mod show;

use std::path::Path;

use jungle::Rules;
use lab::Spec;

use self::cell::{Asked, Cell};
use crate::cli::ReproArgs;
use crate::commands::repro::record;
use crate::failure::Failure;
use crate::output::Output;

const RULES: Rules = Rules::TUFTS;

/// Whom all play against.
const YARDSTICK: &str = "ordering";

/// The thesis' player at these thresholds, with these budgets of nodes, makes the map.
const THRESHOLDS: [&str; 4] = ["2", "4", "6", "depth"];
const NODES: [u64; 3] = [1000, 3000, 9000];

/// What else was tried, with one budget: other thresholds, and other uses of parts. `late` is what reductions
/// gain without parts, and `last` what striking out gains without them.
const OTHERS: [&str; 9] = [
    "both:threshold=depth*0.5",
    "both:threshold=benefit:2",
    "exact",
    "verified",
    "guided:by=busy",
    "guided:by=reduce,threshold=2",
    "guided:by=late",
    "guided:by=last",
    "guided:by=strike",
];
const OTHER_NODES: u64 = 3000;

const GAMES: u64 = 400;

/// A game is drawn when each side has made so many moves: half of what the rules allow, which decides few
/// games more and takes twice as long.
const MOVE_LIMIT: u32 = 100;

/// How many positions are searched to equal depths.
const POSITIONS: usize = 60;
const DEPTHS: [u32; 2] = [4, 6];

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let folder = record::folder(args, "splitting");
    let asked = asked(args)?;
    let cells = play(&asked, &folder, args.resume)?;
    // Other uses of parts are worth a look whoever plays; it takes no games.
    let mut players: Vec<String> = Vec::new();
    for player in asked.iter().map(|asked| asked.player.as_str()).chain(OTHERS) {
        if !players.iter().any(|known| known == player) {
            players.push(player.to_owned());
        }
    }
    let positions = POSITIONS.min(args.games.unwrap_or(GAMES) as usize);
    anstream::eprintln!("searching {positions} positions to equal depths");
    let depths = depth::compare(&players, args.seed, positions, &DEPTHS)?;
    show::write_study(args, &cells, &depths, &folder)?;
    if args.json {
        cells.iter().try_for_each(|cell| output.json(cell))?;
        return depths.iter().try_for_each(|row| output.json(row));
    }
    show::print(&cells, &depths, &folder, output)
}

/// The cells of the study, small budgets first, or of the players and budgets that were asked for.
fn asked(args: &ReproArgs) -> Result<Vec<Asked>, Failure> {
    let map: Vec<String> =
        THRESHOLDS.iter().map(|threshold| format!("both:threshold={threshold}")).collect();
    let all = || map.iter().cloned().chain(OTHERS.map(str::to_owned));
    let usual = args.players.is_empty() && args.nodes.is_empty();
    let mut matches: Vec<(u64, String)> = Vec::new();
    if usual {
        matches.extend(NODES.iter().flat_map(|nodes| map.iter().map(|map| (*nodes, map.clone()))));
        matches.extend(OTHERS.map(|other| (OTHER_NODES, other.to_owned())));
        matches.sort_by_key(|(nodes, _)| *nodes);
    } else {
        let nodes = if args.nodes.is_empty() { &NODES[..] } else { &args.nodes };
        let players = if args.players.is_empty() { all().collect() } else { args.players.clone() };
        for player in &players {
            player.parse::<Spec>().map_err(|error| Failure::input(player, error))?;
            matches.extend(nodes.iter().map(|nodes| (*nodes, player.clone())));
        }
    }
    let games = args.games.unwrap_or(GAMES);
    let cell = |(nodes, player)| Asked { player, nodes, games, seed: args.seed };
    Ok(matches.into_iter().map(cell).collect())
}

/// Plays the cells that are not in the folder.
fn play(all: &[Asked], folder: &Path, resume: bool) -> Result<Vec<Cell>, Failure> {
    let cells = folder.join("cells");
    if !resume && cell::any_in(&cells) {
        return Err(Failure::Input(format!(
            "there are results in {} already; add --resume to go on with them, or name another folder \
             with --out",
            folder.display()
        )));
    }
    let mut found = Vec::new();
    for (at, asked) in all.iter().enumerate() {
        let path = cells.join(asked.file_name());
        let cell = match Cell::read(&path, asked)? {
            Some(cell) => cell,
            None => {
                anstream::eprintln!(
                    "cell {} of {}: {} against {YARDSTICK}, {} nodes a move, {} games",
                    at + 1,
                    all.len(),
                    asked.player,
                    asked.nodes,
                    asked.games
                );
                let cell = asked.play()?;
                cell.write(&path)?;
                cell
            }
        };
        found.push(cell);
    }
    Ok(found)
}
