//! The result of a contest as data: what `--json` prints and what notebooks work with.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Budget;
use crate::standing::{Standing, Tally, Test};
use crate::stats::{Model, Verdict};

/// A result; the names are a contract with other programs. A number that is infinite or unknown is
/// null.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Who played.
    pub players: Vec<String>,
    /// The rules.
    pub rules: String,
    /// What a move could cost, in words.
    pub limit: String,
    /// How many games are counted.
    pub games: u64,
    /// How many games there are to play.
    pub scheduled: u64,
    /// Games played beyond the end of the test.
    pub uncounted: u64,
    /// Plies played in all.
    pub plies: u64,
    /// Between each two players.
    pub pairings: Vec<Pairing>,
    /// The players, best first.
    pub table: Vec<Ranked>,
    /// The test, if there is one.
    pub sprt: Option<ShownTest>,
    /// How games ended.
    pub ends: BTreeMap<String, u64>,
    /// Games lost because a player failed.
    pub faults: Vec<ShownFault>,
    /// A digest of all counted games.
    pub digest: String,
}

/// The games between two players, seen by the first.
#[derive(Clone, Debug, Serialize)]
pub struct Pairing {
    /// The first.
    pub a: String,
    /// The other.
    pub b: String,
    /// What the games came to.
    #[serde(flatten)]
    pub figures: Figures,
}

/// A player's place in the table.
#[derive(Clone, Debug, Serialize)]
pub struct Ranked {
    /// The place, from 1 on.
    pub rank: usize,
    /// Who.
    pub player: String,
    /// What all games of the player came to.
    #[serde(flatten)]
    pub figures: Figures,
    /// Points against each player of the table, in its order; null against oneself.
    pub against: Vec<Option<f64>>,
}

/// Games and what they prove; the errors are those of 95 percent.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it, and `Tally` and `Pentanomial` explain them")]
pub struct Figures {
    pub games: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub points: f64,
    pub score: f64,
    pub pairs: u64,
    pub pentanomial: [u64; 5],
    pub elo: f64,
    pub elo_error: f64,
    pub nelo: f64,
    pub nelo_error: f64,
    pub los: f64,
    pub draw_ratio: f64,
    pub pairs_ratio: f64,
}

/// A sequential test and how it stands.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it, and `Sprt` and `Test` explain them")]
pub struct ShownTest {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub model: Model,
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    pub verdict: Option<Verdict>,
}

/// A game that was lost because a player failed.
#[derive(Clone, Debug, Serialize)]
pub struct ShownFault {
    /// Its number, from 1 on.
    pub game: u64,
    /// What happened.
    pub reason: String,
}

impl Figures {
    fn new(tally: &Tally) -> Figures {
        let pairs = &tally.pairs;
        let (elo, nelo) = (pairs.elo(), pairs.normalised_elo());
        Figures {
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.points(),
            score: tally.score(),
            pairs: pairs.pairs(),
            pentanomial: pairs.0,
            elo: elo.value,
            elo_error: elo.error,
            nelo: nelo.value,
            nelo_error: nelo.error,
            los: pairs.superiority(),
            draw_ratio: pairs.draw_ratio(),
            pairs_ratio: pairs.pairs_ratio(),
        }
    }
}

impl ShownTest {
    fn new(test: &Test) -> ShownTest {
        let sprt = test.sprt;
        ShownTest {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            model: sprt.model,
            llr: test.llr,
            lower: sprt.lower(),
            upper: sprt.upper(),
            verdict: test.verdict,
        }
    }
}

impl Summary {
    /// The standing of a contest under this budget and these rules.
    pub fn new(standing: &Standing, budget: &Budget, rules: &str) -> Summary {
        let name = |player: usize| standing.names[player].clone();
        let places = standing.places();
        Summary {
            players: standing.names.clone(),
            rules: rules.to_owned(),
            limit: budget.to_string(),
            games: standing.games(),
            scheduled: standing.scheduled,
            uncounted: standing.uncounted,
            plies: standing.plies,
            pairings: standing
                .pairings
                .iter()
                .map(|&(a, b, tally)| Pairing {
                    a: name(a),
                    b: name(b),
                    figures: Figures::new(&tally),
                })
                .collect(),
            table: places
                .iter()
                .enumerate()
                .map(|(at, place)| Ranked {
                    rank: at + 1,
                    player: name(place.player),
                    figures: Figures::new(&place.tally),
                    against: places
                        .iter()
                        .map(|other| Some(standing.between(place.player, other.player)?.points()))
                        .collect(),
                })
                .collect(),
            sprt: standing.test.as_ref().map(ShownTest::new),
            ends: standing.ends.iter().map(|(end, &n)| (end.as_str().to_owned(), n)).collect(),
            faults: standing
                .faults
                .iter()
                .map(|(game, reason)| ShownFault { game: game + 1, reason: reason.clone() })
                .collect(),
            digest: standing.digest.clone(),
        }
    }
}
