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

use std::path::{Path, PathBuf};

use jungle::Rules;
use lab::Spec;

use self::cell::{Asked, Cell};
use crate::cli::ReproArgs;
use crate::failure::Failure;
use crate::output::Output;

const RULES: Rules = Rules::TUFTS;

/// Whom all play against.
const YARDSTICK: &str = "ordering";

/// The thesis' player at these thresholds makes the map.
const THRESHOLDS: [&str; 5] = ["2", "4", "6", "depth", "benefit:2"];

/// Other uses of parts; `late` is what reductions gain without them.
const OTHERS: [&str; 6] = [
    "exact",
    "verified",
    "guided:by=busy",
    "guided:by=reduce",
    "guided:by=late",
    "guided:by=strike",
];

const NODES: [u64; 3] = [500, 1500, 4500];
const GAMES: u64 = 400;

/// How many positions are searched to equal depths.
const POSITIONS: usize = 200;
const DEPTHS: [u32; 2] = [4, 6];

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("splitting"));
    let asked = asked(args)?;
    let cells = play(&asked, &folder, args.resume)?;
    let (players, games) = (players(args), asked.first().map_or(GAMES, |asked| asked.games));
    anstream::eprintln!("searching {POSITIONS} positions to equal depths");
    let depths = depth::compare(&players, args.seed, POSITIONS.min(games as usize), &DEPTHS)?;
    show::write_study(args, games, &cells, &depths, &folder)?;
    if args.json {
        cells.iter().try_for_each(|cell| output.json(cell))?;
        return depths.iter().try_for_each(|row| output.json(row));
    }
    show::print(&cells, &depths, &folder, output)
}

fn players(args: &ReproArgs) -> Vec<String> {
    if !args.players.is_empty() {
        return args.players.clone();
    }
    let both = THRESHOLDS.map(|threshold| format!("both:threshold={threshold}"));
    both.into_iter().chain(OTHERS.map(str::to_owned)).collect()
}

fn asked(args: &ReproArgs) -> Result<Vec<Asked>, Failure> {
    let nodes = if args.nodes.is_empty() { NODES.to_vec() } else { args.nodes.clone() };
    let games = args.games.unwrap_or(GAMES);
    let mut asked = Vec::new();
    for player in players(args) {
        player.parse::<Spec>().map_err(|error| Failure::input(&player, error))?;
        for &nodes in &nodes {
            if nodes == 0 {
                return Err(Failure::Input(
                    "a limit of 0 nodes leaves nothing to think with; use 1 or more".to_owned(),
                ));
            }
            asked.push(Asked { player: player.clone(), nodes, games, seed: args.seed });
        }
    }
    Ok(asked)
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
