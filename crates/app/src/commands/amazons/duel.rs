//! `mousetrap amazons match`: two players against each other; search by regions against plain search if
//! nobody says otherwise.
//!
//! Those two deepen ply by ply with the same evaluation and order of moves, and stop at the same time or
//! number of positions. The contenders of `lab::complexity` divide a budget for the whole game. Openings are random moves; each is played twice with colours exchanged, and the
//! statistics are those of the laboratory, from pairs.

use std::io::Write;
use std::time::Duration;

use amazons::divide::Divide;
use amazons::evaluate::Weights;
use amazons::{Amazons, Move, Position};
use game::clock::NodeClock;
use game::rng::{Rng, mix};
use game::{Game, Outcome, Side};
use lab::complexity::{Board, Contender, SmallAmazons};
use lab::stats::Pentanomial;
use search::{Limits, Schedule, deepen};
use serde::Serialize;

use super::args::MatchArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Standing {
    a: String,
    b: String,
    size: String,
    games: u64,
    budget: String,
    wins: u64,
    losses: u64,
    /// Pairs by the points of the first player: 0, ½, 1, 1½, 2.
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
    let players = [Kind::read(&args.a, args)?, Kind::read(&args.b, args)?];
    let budget = match (args.nodes, args.game_nodes) {
        (Some(nodes), _) => format!("{nodes} nodes a move"),
        (_, Some(nodes)) => format!("{nodes} nodes a game"),
        (None, None) => format!("{} ms a move", args.milliseconds),
    };
    let progress = indicatif::ProgressBar::new(args.games);
    let (mut pairs, mut wins) = (Pentanomial::default(), 0);
    for pair in 0..args.games / 2 {
        let opening = opening(args, pair);
        let mut half_points = 0;
        for first in [Side::First, Side::Second] {
            if play(&opening, &players, first, args) == first {
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
        a: args.a.clone(),
        b: args.b.clone(),
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
        "{} against {} on {}, {}, {} games",
        told(&result.a),
        told(&result.b),
        result.size,
        result.budget,
        result.games
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

/// A player in words.
fn told(player: &str) -> &str {
    if player == "regions" { "region-divided" } else { player }
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

/// A player as named.
enum Kind {
    Regions,
    Plain,
    Contender(Contender),
}

impl Kind {
    fn read(text: &str, args: &MatchArgs) -> Result<Kind, Failure> {
        match text {
            "regions" => Ok(Kind::Regions),
            "plain" => Ok(Kind::Plain),
            _ => {
                let contender =
                    text.parse::<Contender>().map_err(|error| Failure::input(text, error))?;
                if args.game_nodes.is_none() {
                    return Err(Failure::Input(format!(
                        "{text} divides a budget for the whole game: give one with --game-nodes"
                    )));
                }
                Ok(Kind::Contender(contender))
            }
        }
    }

    fn seat(&self) -> Seat<'_> {
        let weights = Weights::default();
        match self {
            Kind::Regions => Seat::Divide(Divide::new(weights)),
            Kind::Plain => Seat::Divide(Divide::plain(weights)),
            Kind::Contender(contender) => Seat::Contender(contender),
        }
    }
}

/// A player in one game.
enum Seat<'a> {
    Divide(Divide),
    Contender(&'a Contender),
}

impl Seat<'_> {
    fn choose(
        &mut self,
        position: &Position,
        clock: Option<&mut NodeClock>,
        args: &MatchArgs,
    ) -> Move {
        let left = clock.as_ref().map(|clock| clock.left());
        let (mv, spent) = match self {
            Seat::Contender(contender) => {
                let thought = contender.choose(&SmallAmazons, position, left.unwrap_or_default());
                (thought.mv, thought.spent)
            }
            Seat::Divide(search) => {
                let a_move = left.map(|left| (left as f64 * SmallAmazons.usual_share()) as u64);
                let limits = match a_move.or(args.nodes) {
                    Some(nodes) => Limits::nodes(nodes.max(1)),
                    None => Limits::time(Duration::from_millis(args.milliseconds)),
                };
                let report = deepen(search, position, Schedule::EVERY_PLY, &limits, |_| ());
                (report.best().expect("a game that goes on has a move"), report.nodes)
            }
        };
        if let Some(clock) = clock {
            clock.charge(spent);
        }
        mv
    }
}

/// Who wins a game in which this side is the first player's.
fn play(opening: &Position, players: &[Kind; 2], first: Side, args: &MatchArgs) -> Side {
    let mut seats = [players[0].seat(), players[1].seat()];
    let mut clocks = args.game_nodes.map(|nodes| [NodeClock::new(nodes); 2]);
    let mut position = *opening;
    loop {
        if let Some(outcome) = Amazons.outcome(&position) {
            return match outcome {
                Outcome::Win(player) => player,
                Outcome::Draw => unreachable!("there are no draws in Amazons"),
            };
        }
        let by = usize::from(position.turn() != first);
        let clock = clocks.as_mut().map(|clocks| &mut clocks[by]);
        let mv = seats[by].choose(&position, clock, args);
        Amazons.make(&mut position, mv);
    }
}
