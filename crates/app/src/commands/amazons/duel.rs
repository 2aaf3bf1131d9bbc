//! `mousetrap amazons match`: region-divided against plain search.
//!
//! Both deepen ply by ply with the same evaluation and order of moves, and stop at the same time or
//! number of positions. Openings are random moves; each is played twice with colours exchanged, and the
//! statistics are those of the laboratory, from pairs.

use std::io::Write;
use std::time::Duration;

use amazons::divide::Divide;
use amazons::evaluate::Weights;
use amazons::{Amazons, Position};
use game::rng::{Rng, mix};
use game::{Game, Outcome, Player};
use lab::stats::Pentanomial;
use search::{Limits, Schedule, deepen};
use serde::Serialize;

use super::args::MatchArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Standing {
    size: String,
    games: u64,
    budget: String,
    wins: u64,
    losses: u64,
    /// Pairs by the points of the region-divided player: 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    elo: f64,
    elo_error: f64,
    superiority: f64,
}

pub fn run(args: &MatchArgs, output: &mut Output) -> Result<(), Failure> {
    if args.games == 0 || args.games % 2 == 1 {
        return Err(Failure::Input(format!(
            "{} games are not pairs: use an even number of --games",
            args.games
        )));
    }
    let limits = match args.nodes {
        Some(nodes) => Limits::nodes(nodes),
        None => Limits::time(Duration::from_millis(args.milliseconds)),
    };
    let budget = match args.nodes {
        Some(nodes) => format!("{nodes} nodes a move"),
        None => format!("{} ms a move", args.milliseconds),
    };
    let progress = indicatif::ProgressBar::new(args.games);
    let (mut pairs, mut wins) = (Pentanomial::default(), 0);
    for pair in 0..args.games / 2 {
        let opening = opening(args, pair);
        let mut half_points = 0;
        for divided in [Player::First, Player::Second] {
            if play(&opening, divided, &limits) == divided {
                half_points += 2;
                wins += 1;
            }
            progress.inc(1);
        }
        pairs.count(half_points);
    }
    progress.finish_and_clear();
    let elo = pairs.elo();
    let result = Standing {
        size: args.size.to_string(),
        games: args.games,
        budget,
        wins,
        losses: args.games - wins,
        pairs: pairs.0,
        elo: elo.value,
        elo_error: elo.error,
        superiority: pairs.superiority(),
    };
    if args.json {
        return output.json(&result);
    }
    writeln!(
        output,
        "region-divided against plain on {}, {}, {} games",
        result.size, result.budget, result.games
    )?;
    writeln!(
        output,
        "won {}, lost {}; pairs {:?}; Elo {:+.1} ± {:.1}; LOS {:.1}%",
        result.wins,
        result.losses,
        result.pairs,
        result.elo,
        result.elo_error,
        100.0 * result.superiority
    )?;
    Ok(())
}

/// Random moves from the start; if the game ends on the way, others.
fn opening(args: &MatchArgs, pair: u64) -> Position {
    let mut rng = Rng::new(args.seed ^ mix(pair + 1));
    loop {
        let mut position = super::start(args.size);
        for _ in 0..args.opening {
            if let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                Amazons.make(&mut position, mv);
            }
        }
        if Amazons.outcome(&position).is_none() {
            return position;
        }
    }
}

/// Who wins a game in which this player searches by regions.
fn play(opening: &Position, divided: Player, limits: &Limits) -> Player {
    let weights = Weights::default();
    let (mut regions, mut plain) = (Divide::new(weights), Divide::plain(weights));
    let mut position = *opening;
    loop {
        if let Some(outcome) = Amazons.outcome(&position) {
            return match outcome {
                Outcome::Win(player) => player,
                Outcome::Draw => unreachable!("there are no draws in Amazons"),
            };
        }
        let search = if position.turn() == divided { &mut regions } else { &mut plain };
        let report = deepen(search, &position, Schedule::EVERY_PLY, limits, |_| ());
        let mv = report.best().expect("a game that goes on has a move");
        Amazons.make(&mut position, mv);
    }
}
