//! A match of two players of Amazons; by default search by regions against plain search.
//!
//! Those two deepen ply by ply with the same evaluation and order of moves, and stop at the same time or
//! number of positions. The [contenders](crate::krad_petrakos::Contender) of complexity-driven search divide a
//! budget for the whole game. Openings are random moves; each is played twice with colours exchanged, and the
//! statistics are those of the laboratory, from pairs.

use std::fmt::Write;
use std::time::Duration;

use amazons::divide::Divide;
use amazons::evaluate::Weights;
use amazons::{Amazons, Move, Position, Size};
use clap::Args;
use game::clock::NodeClock;
use game::limits::Limits;
use game::rng::{Rng, mix};
use game::{Game, Outcome, Side};
use lab::stats::Pentanomial;
use search::{Schedule, deepen};
use serde::{Deserialize, Serialize};

use crate::krad_petrakos::{Board, Contender, SmallAmazons};
use crate::parameter::text;
use crate::study::line;
use crate::{Context, Draft, Study, StudyError};

/// A match of Amazons.
pub struct Duel;

/// The parameters of a match.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// The first player
    #[arg(long, value_name = "SPEC", default_value = "regions")]
    pub a: String,
    /// The second player
    #[arg(long, value_name = "SPEC", default_value = "plain")]
    pub b: String,
    /// The board
    #[arg(long, value_name = "SIZE", default_value = "10")]
    #[serde(with = "text")]
    pub size: Size,
    /// How many games, an even number: two from each opening, with colours exchanged
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// How long each side may think about a move
    #[arg(long, value_name = "MS", default_value_t = 100, conflicts_with = "nodes")]
    pub milliseconds: u64,
    /// How many positions each side may visit for a move, instead of a time
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// How many positions each side may visit in a game: what one move saves is left for the next
    #[arg(long, value_name = "N", conflicts_with_all = ["nodes", "milliseconds"],
          value_parser = clap::value_parser!(u64).range(1..))]
    pub game_nodes: Option<u64>,
    /// How many random moves each opening has
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub opening: u32,
    /// The seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            a: "regions".to_owned(),
            b: "plain".to_owned(),
            size: Size::USUAL,
            games: 100,
            milliseconds: 100,
            nodes: None,
            game_nodes: None,
            opening: 4,
            seed: 1,
        }
    }
}

/// How the match ended; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
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

impl Study for Duel {
    const NAME: &'static str = "amazons-match";
    const TITLE: &'static str = "A match of Amazons, at equal time or nodes";
    const ABOUT: &'static str =
        "Two searches of Amazons against each other at equal time or nodes, by regions and plain";
    const TAKES: &'static str = "minutes";

    type Params = Params;
    type Results = Standing;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Standing>, StudyError> {
        let games = params.games;
        if games == 0 || games % 2 == 1 {
            let reason = format!("{games} games are not pairs: ask for an even number");
            return Err(StudyError::parameter("games", reason));
        }
        let players = [Kind::read("a", &params.a, params)?, Kind::read("b", &params.b, params)?];
        context.progress.begin("games", Some(games));
        let (mut pairs, mut wins) = (Pentanomial::default(), 0);
        for pair in 0..games / 2 {
            let opening = opening(params, pair);
            let mut half_points = 0;
            for first in [Side::First, Side::Second] {
                if play(&opening, &players, first, params) == first {
                    half_points += 2;
                    wins += 1;
                }
                context.advance()?;
            }
            pairs.count(half_points);
        }
        context.progress.end();
        let elo = pairs.elo();
        Ok(Some(Standing {
            a: params.a.clone(),
            b: params.b.clone(),
            size: params.size.to_string(),
            games,
            budget: params.budget(),
            wins,
            losses: games - wins,
            pairs: pairs.0,
            elo: elo.value,
            elo_error: elo.error,
            superiority: pairs.superiority(),
        }))
    }

    fn render(_: &Params, result: &Standing) -> String {
        let mut text = format!(
            "{} against {} on {}, {}, {} games\n",
            in_words(&result.a),
            in_words(&result.b),
            result.size,
            result.budget,
            result.games
        );
        let _ = writeln!(
            text,
            "won {}, lost {}; pairs {:?}; Elo {:+.1} ± {:.1}; LOS {:.1}%",
            result.wins,
            result.losses,
            result.pairs,
            result.elo,
            result.elo_error,
            100.0 * result.superiority
        );
        text
    }

    fn lines(result: &Standing) -> serde_json::Result<Vec<String>> {
        line(result)
    }

    fn record(params: &Params, result: &Standing, draft: Draft) -> Draft {
        draft.seed(params.seed).parameter("budget", params.budget()).results(result)
    }
}

impl Params {
    /// The limit of both.
    fn budget(&self) -> String {
        match (self.nodes, self.game_nodes) {
            (Some(nodes), _) => format!("{nodes} nodes a move"),
            (_, Some(nodes)) => format!("{nodes} nodes a game"),
            (None, None) => format!("{} ms a move", self.milliseconds),
        }
    }
}

/// A player in words.
fn in_words(player: &str) -> &str {
    if player == "regions" { "region-divided" } else { player }
}

/// Random moves from the start; if the game ends on the way, others.
fn opening(params: &Params, pair: u64) -> Position {
    let mut rng = Rng::new(params.seed ^ mix(pair + 1));
    loop {
        let mut position = super::start(params.size);
        for _ in 0..params.opening {
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
    fn read(name: &'static str, text: &str, params: &Params) -> Result<Kind, StudyError> {
        match text {
            "regions" => Ok(Kind::Regions),
            "plain" => Ok(Kind::Plain),
            _ => {
                let contender = text
                    .parse::<Contender>()
                    .map_err(|error| StudyError::parameter(name, format!("{text}: {error}")))?;
                if params.game_nodes.is_none() {
                    return Err(StudyError::BudgetNeeded(text.to_owned()));
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
        params: &Params,
    ) -> Move {
        let left = clock.as_ref().map(|clock| clock.left());
        let (mv, spent) = match self {
            Seat::Contender(contender) => {
                let thought = contender.choose(&SmallAmazons, position, left.unwrap_or_default());
                (thought.mv, thought.spent)
            }
            Seat::Divide(search) => {
                let a_move = left.map(|left| (left as f64 * SmallAmazons.usual_share()) as u64);
                let limits = match a_move.or(params.nodes) {
                    Some(nodes) => Limits::nodes(nodes.max(1)),
                    None => Limits::time(Duration::from_millis(params.milliseconds)),
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
fn play(opening: &Position, players: &[Kind; 2], first: Side, params: &Params) -> Side {
    let mut seats = [players[0].seat(), players[1].seat()];
    let mut clocks = params.game_nodes.map(|nodes| [NodeClock::new(nodes); 2]);
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
        let mv = seats[by].choose(&position, clock, params);
        Amazons.make(&mut position, mv);
    }
}
