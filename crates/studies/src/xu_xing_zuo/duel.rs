//! A match of two players of Amazons; by default search by regions against plain search.
//!
//! Those two deepen ply by ply with the same evaluation and order of moves, and stop at the same time or
//! number of positions, and so does the champion, which has its own. The [contenders](crate::krad_petrakos::Contender) of complexity-driven search divide a
//! budget for the whole game. Openings are random moves; each is played twice with colours exchanged, and the
//! statistics are those of the laboratory, from pairs.

use std::fmt::Write;
use std::time::Duration;

use amazons::player::{self, Player};
use amazons::{Amazons, Move, Position, Size, region};
use clap::Args;
use game::clock::NodeClock;
use game::limits::Limits;
use game::rng::{Rng, mix};
use game::{Game, Outcome, Side};
use lab::stats::{Pentanomial, Sprt, SprtDecision};
use serde::{Deserialize, Serialize};

use crate::krad_petrakos::{Board, Contender, SmallAmazons};
use crate::parameter::{optional_text, text};
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
    /// Begin where arrows have cut the board into this many regions that both players can get to: the champion
    /// plays on from the random moves, 500 nodes a move, until it has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=4))]
    pub split: Option<u32>,
    /// Stop when a sequential test is decided, as in 0,200: strengths in Elo under the two hypotheses
    #[arg(long, value_name = "ELO0,ELO1")]
    #[serde(with = "optional_text")]
    pub sprt: Option<Sprt>,
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
            split: None,
            sprt: None,
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
    /// The hypothesis of the sequential test that was accepted, if there was a test and it came to an end.
    decision: Option<SprtDecision>,
    /// Plies that each side searched on average, the first player's first.
    depth: [f64; 2],
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
        let (mut pairs, mut wins, mut decision) = (Pentanomial::default(), 0, None);
        let mut depths = Depths::default();
        for pair in 0..games / 2 {
            let opening = opening(params, pair);
            let mut half_points = 0;
            for first in [Side::First, Side::Second] {
                if play(&opening, &players, first, params, &mut depths) == first {
                    half_points += 2;
                    wins += 1;
                }
                context.advance()?;
            }
            pairs.count(half_points);
            decision = params.sprt.and_then(|sprt| sprt.decide(&pairs));
            if decision.is_some() {
                break;
            }
            let elo = pairs.elo();
            let standing = format!("Elo {:+.0} ± {:.0}", elo.value, elo.error);
            context.progress.message(&standing);
        }
        context.progress.end();
        let games = 2 * pairs.pairs();
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
            decision,
            depth: depths.means(),
        }))
    }

    fn render(params: &Params, result: &Standing) -> String {
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
        if let Some(sprt) = params.sprt {
            let _ = match result.decision {
                Some(SprtDecision::H1) => {
                    writeln!(text, "SPRT {sprt}: at least {:+} Elo", sprt.elo1)
                }
                Some(SprtDecision::H0) => {
                    writeln!(text, "SPRT {sprt}: at most {:+} Elo", sprt.elo0)
                }
                None => writeln!(text, "SPRT {sprt}: not decided"),
            };
        }
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

/// Random moves from the start; if the game ends on the way, others. For a split board, a quick game goes on
/// from there until it is one.
fn opening(params: &Params, pair: u64) -> Position {
    let mut rng = Rng::new(params.seed ^ mix(pair + 1));
    loop {
        let mut position = super::start(params.size);
        for _ in 0..params.opening {
            if let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                Amazons.make(&mut position, mv);
            }
        }
        if let Some(regions) = params.split {
            let mut player = player::Kind::CHAMPION.player();
            while Amazons.outcome(&position).is_none() && contested(&position) < regions {
                let report = player.think(&position, &Limits::nodes(500));
                Amazons.make(&mut position, report.best().expect("the game goes on"));
            }
        }
        if Amazons.outcome(&position).is_none() {
            return position;
        }
    }
}

/// How many regions both players can get to.
fn contested(position: &Position) -> u32 {
    let mut count = 0;
    region::executing(position, |region| {
        count += u32::from(region.kind == region::Kind::Competing);
    });
    count
}

/// How deep the players searched.
#[derive(Default)]
struct Depths {
    sums: [u64; 2],
    moves: [u64; 2],
}

impl Depths {
    fn add(&mut self, by: usize, depth: u32) {
        self.sums[by] += u64::from(depth);
        self.moves[by] += 1;
    }

    fn means(&self) -> [f64; 2] {
        [0, 1].map(|by| self.sums[by] as f64 / self.moves[by].max(1) as f64)
    }
}

/// A player as named.
enum Kind {
    Player(player::Kind),
    Contender(Contender),
}

impl Kind {
    fn read(name: &'static str, text: &str, params: &Params) -> Result<Kind, StudyError> {
        if let Ok(kind) = text.parse() {
            return Ok(Kind::Player(kind));
        }
        if ["champion", "regions", "plain"].iter().any(|known| text.starts_with(known)) {
            let error = text.parse::<player::Kind>().expect_err("it was tried");
            return Err(StudyError::parameter(name, error.to_string()));
        }
        let contender = text
            .parse::<Contender>()
            .map_err(|error| StudyError::parameter(name, format!("{text}: {error}")))?;
        if params.game_nodes.is_none() {
            return Err(StudyError::BudgetNeeded(text.to_owned()));
        }
        Ok(Kind::Contender(contender))
    }

    fn seat(&self) -> Seat<'_> {
        match self {
            Kind::Player(kind) => Seat::Player(kind.player()),
            Kind::Contender(contender) => Seat::Contender(contender),
        }
    }
}

/// A player in one game.
enum Seat<'a> {
    Player(Player),
    Contender(&'a Contender),
}

impl Seat<'_> {
    fn choose(
        &mut self,
        position: &Position,
        clock: Option<&mut NodeClock>,
        params: &Params,
    ) -> (Move, u32) {
        let left = clock.as_ref().map(|clock| clock.left());
        let (mv, spent, depth) = match self {
            Seat::Contender(contender) => {
                let thought = contender.choose(&SmallAmazons, position, left.unwrap_or_default());
                (thought.mv, thought.spent, 0)
            }
            Seat::Player(player) => {
                let a_move = left.map(|left| (left as f64 * SmallAmazons.usual_share()) as u64);
                let limits = match a_move.or(params.nodes) {
                    Some(nodes) => Limits::nodes(nodes.max(1)),
                    None => Limits::time(Duration::from_millis(params.milliseconds)),
                };
                let report = player.think(position, &limits);
                let mv = report.best().expect("a game that goes on has a move");
                (mv, report.nodes, report.depth)
            }
        };
        if let Some(clock) = clock {
            clock.charge(spent);
        }
        (mv, depth)
    }
}

/// Who wins a game in which this side is the first player's.
fn play(
    opening: &Position,
    players: &[Kind; 2],
    first: Side,
    params: &Params,
    depths: &mut Depths,
) -> Side {
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
        let (mv, depth) = seats[by].choose(&position, clock, params);
        depths.add(by, depth);
        Amazons.make(&mut position, mv);
    }
}
