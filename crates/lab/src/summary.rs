//! The result of a contest as a JSON document.

use std::collections::BTreeMap;

use jungle::Rules;
use serde::Serialize;

use crate::TimeControl;
use crate::standing::{SprtState, Standing, Tally};
use crate::stats::{Model, SprtDecision};

/// The result of a contest; the names are a contract with other programs. A number that is infinite or unknown is
/// null.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Who played.
    pub players: Vec<String>,
    /// The rules.
    pub rules: Rules,
    /// The time control, in words.
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
    pub table: Vec<RankedPlayer>,
    /// The test, if there is one.
    pub sprt: Option<SprtSummary>,
    /// How games ended.
    pub ends: BTreeMap<String, u64>,
    /// Games lost because a player failed.
    pub faults: Vec<FaultSummary>,
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
    pub figures: ScoreSummary,
}

/// A player's place in the table.
#[derive(Clone, Debug, Serialize)]
pub struct RankedPlayer {
    /// The place, from 1 on.
    pub rank: usize,
    /// Who.
    pub player: String,
    /// What all games of the player came to.
    #[serde(flatten)]
    pub figures: ScoreSummary,
    /// Points against each player of the table, in its order; null on the diagonal.
    pub against: Vec<Option<f64>>,
}

/// Scores and estimates; the errors are half-widths of 95 % intervals.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it, and `Tally` and `Pentanomial` explain them")]
pub struct ScoreSummary {
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

/// A sequential test and its state.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the names say it, and `Sprt` and `SprtState` explain them")]
pub struct SprtSummary {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub model: Model,
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    #[serde(rename = "verdict")]
    pub decision: Option<SprtDecision>,
}

/// A game that was lost because a player failed.
#[derive(Clone, Debug, Serialize)]
pub struct FaultSummary {
    /// Its number, from 1 on.
    pub game: u64,
    /// What happened.
    pub reason: String,
}

impl ScoreSummary {
    /// The share of games that were drawn.
    pub fn drawn(&self) -> f64 {
        self.draws as f64 / self.games as f64
    }

    fn new(tally: &Tally) -> ScoreSummary {
        let pairs = &tally.pairs;
        let (elo, nelo) = (pairs.elo(), pairs.normalised_elo());
        ScoreSummary {
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

impl SprtSummary {
    /// How far the test has come towards the bound it is heading for, from −1 at the lower to 1 at the upper.
    pub fn progress(&self) -> f64 {
        let bound = if self.llr < 0.0 { self.lower } else { self.upper };
        (self.llr / bound).clamp(0.0, 1.0) * self.llr.signum()
    }

    fn new(test: &SprtState) -> SprtSummary {
        let sprt = test.sprt;
        SprtSummary {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            model: sprt.model,
            llr: test.llr,
            lower: sprt.lower(),
            upper: sprt.upper(),
            decision: test.decision,
        }
    }
}

impl Summary {
    /// The standing of a contest under this time control and these rules.
    pub fn new(standing: &Standing, time_control: &TimeControl, rules: Rules) -> Summary {
        let name = |player: usize| standing.names[player].clone();
        let places = standing.places();
        Summary {
            players: standing.names.clone(),
            rules,
            limit: time_control.to_string(),
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
                    figures: ScoreSummary::new(&tally),
                })
                .collect(),
            table: places
                .iter()
                .enumerate()
                .map(|(at, place)| RankedPlayer {
                    rank: at + 1,
                    player: name(place.player),
                    figures: ScoreSummary::new(&place.tally),
                    against: places
                        .iter()
                        .map(|other| Some(standing.between(place.player, other.player)?.points()))
                        .collect(),
                })
                .collect(),
            sprt: standing.test.as_ref().map(SprtSummary::new),
            ends: standing.ends.iter().map(|(end, &n)| (end.as_str().to_owned(), n)).collect(),
            faults: standing
                .faults
                .iter()
                .map(|(game, reason)| FaultSummary { game: game + 1, reason: reason.clone() })
                .collect(),
            digest: standing.digest.clone(),
        }
    }
}
