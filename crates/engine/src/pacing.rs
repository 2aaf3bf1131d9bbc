//! The stopping rule: whether another depth is worth its time.
//!
//! Time is a currency of which a game has so much. It is spent best where it buys most: the next depth of this move is
//! worth beginning while it is expected to save more, for each node it costs, than the same nodes would on later
//! moves. What a depth may save is *regret*: how much less the move that is best so far is worth than the one a
//! far longer search would choose. Nobody knows it while playing, but it can be measured afterwards, and [`Signs`] of
//! it can be seen: a best move that keeps changing, a score that falls, much work on other moves, a second
//! move that was refuted by little.
//!
//! The model is a regression with a logarithmic link, fitted by `mousetrap bench clock`: with signs `x` after `n` nodes,
//! twice the nodes save `exp(w·x) n^-b` on average. A depth that multiplies the nodes by `g` is `log2 g` such
//! doublings and costs `n (g − 1)`. Going on while what it saves over what it costs exceeds a price is going on
//! while `n` is less than
//!
//! ```text
//! share × factor × stretch,    stretch = (exp(w·x) log2 g / (g − 1)) ^ (1 / (1 + b))
//! ```
//!
//! where the price has become a factor of the share of the clock that a move has: the factor at which moves take
//! their share on average. Krad and Petrakos' escape function, by which a good score is enough sooner than a
//! bad one, is the special case in which the score is the only sign.

use game::score::Score;

/// Who decides when to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pacing {
    /// What has been shown to be best: on a clock time stretches when the best move is new or its score falls; nodes counted
    /// over the game are divided by the [stopping rule](StoppingRule) that was fitted to measured regret.
    #[default]
    Usual,
    /// The fitted rule on a clock as well.
    Fitted,
    /// On a clock as usual; of nodes counted over the game a move takes an equal share.
    Share,
}

impl Pacing {
    /// How many times its share of a clock a move may take before no new depth is begun.
    pub fn stretch(self, signs: &Signs) -> f64 {
        match self {
            Pacing::Usual | Pacing::Share => {
                let restless = 1.5 - 0.12 * f64::from(signs.steady.min(7));
                let worried = 1.0 + f64::from(signs.fallen.clamp(0, 200)) / 200.0;
                restless * worried
            }
            Pacing::Fitted => StoppingRule::FITTED.stretch(signs),
        }
    }
}

/// A text does not name a pacing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' does not say who decides when to move: expected usual, fitted or share")]
pub struct ParsePacingError(String);

impl std::str::FromStr for Pacing {
    type Err = ParsePacingError;

    fn from_str(text: &str) -> Result<Pacing, ParsePacingError> {
        match text {
            "usual" => Ok(Pacing::Usual),
            "fitted" => Ok(Pacing::Fitted),
            "share" => Ok(Pacing::Share),
            _ => Err(ParsePacingError(text.to_owned())),
        }
    }
}

/// What a search has shown by the end of a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signs {
    /// The nodes so far.
    pub nodes: u64,
    /// By what this depth has multiplied them.
    pub growth: f64,
    /// For how many depths the best move has been the same.
    pub steady: u32,
    /// How often it has changed; half of that is forgotten with every depth.
    pub changes: f64,
    /// By how much its score fell since the depth before.
    pub fallen: i32,
    /// The share of this depth's nodes that were spent on it.
    pub effort: f64,
    /// How much better its score is than the best that any other move may have.
    pub gap: i32,
    /// Its score.
    pub score: Score,
}

impl Signs {
    /// How many features there are.
    pub const FEATURES: usize = 9;

    /// The features, by name.
    pub const NAMES: [&'static str; Signs::FEATURES] = [
        "constant",
        "new best move",
        "steadiness",
        "changes",
        "score fallen",
        "score risen",
        "effort on others",
        "gap",
        "score",
    ];

    /// What the regret depends on, apart from the nodes: each of the order of one.
    pub fn features(&self) -> [f64; Signs::FEATURES] {
        let hundreds = |value: i32| f64::from(value.clamp(0, 200)) / 100.0;
        let value = f64::from(self.score.value().clamp(-2000, 2000));
        [
            1.0,
            f64::from(u8::from(self.steady == 0)),
            f64::from(self.steady.min(8)) / 8.0,
            self.changes,
            hundreds(self.fallen),
            hundreds(-self.fallen),
            1.0 - self.effort,
            hundreds(self.gap),
            value / (value.abs() + 325.0),
        ]
    }

    /// The growth to expect of the next depth.
    pub fn next_growth(&self) -> f64 {
        self.growth.clamp(1.2, 4.0)
    }
}

/// A stopping rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppingRule {
    /// The weights `w` of the features.
    pub weights: [f64; Signs::FEATURES],
    /// How the saving of a doubling falls with the nodes: `b`.
    pub decay: f64,
    /// The mean logarithm of the stretch, which is taken off: the usual stretch is 1.
    pub centre: f64,
    /// The factor of a move's share.
    pub factor: f64,
}

impl StoppingRule {
    /// The rule that was fitted: the output of `mousetrap bench clock`.
    pub const FITTED: StoppingRule = StoppingRule {
        weights: [-8.0721, -0.5104, 0.2034, 0.8117, 0.9787, 0.7266, 0.2656, -0.5401, -0.2125],
        decay: 0.0,
        centre: -7.6049,
        factor: 0.6631,
    };

    /// The largest stretch; the smallest is the reciprocal.
    pub const MOST: f64 = 4.0;

    /// The logarithm of the expected saving of twice as many nodes, if the saving did not fall with them.
    fn log_saving(&self, signs: &Signs) -> f64 {
        self.weights.iter().zip(signs.features()).map(|(weight, feature)| weight * feature).sum()
    }

    /// What the next depth is expected to save.
    pub fn saving(&self, signs: &Signs) -> f64 {
        let nodes = signs.nodes.max(1) as f64;
        self.log_saving(signs).exp() * nodes.powf(-self.decay) * signs.next_growth().log2()
    }

    /// The logarithm of the stretch, as it comes.
    pub fn log_stretch(&self, signs: &Signs) -> f64 {
        let growth = signs.next_growth();
        (self.log_saving(signs) + (growth.log2() / (growth - 1.0)).ln()) / (1.0 + self.decay)
    }

    /// How many times its share a move may take before no new depth is begun.
    pub fn stretch(&self, signs: &Signs) -> f64 {
        let stretch = (self.log_stretch(signs) - self.centre).exp();
        self.factor * stretch.clamp(1.0 / StoppingRule::MOST, StoppingRule::MOST)
    }
}

/// The signs of a search while it goes on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trend {
    nodes: u64,
    steady: u32,
    changes: f64,
    last: Option<Score>,
}

impl Trend {
    /// A depth is finished, with the same best move as the one before or another.
    pub fn after(&mut self, same: bool, nodes: u64, score: Score, effort: f64, gap: i32) -> Signs {
        let is_first = self.last.is_none();
        self.steady = if same { self.steady + 1 } else { 0 };
        self.changes /= 2.0;
        if !same && !is_first {
            self.changes += 1.0;
        }
        let growth = nodes as f64 / self.nodes.max(1) as f64;
        let fallen = self.last.map_or(0, |last| last.value() - score.value());
        (self.nodes, self.last) = (nodes, Some(score));
        let Trend { steady, changes, .. } = *self;
        Signs { nodes, growth, steady, changes, fallen, effort, gap, score }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: Signs = Signs {
        nodes: 10_000,
        growth: 1.8,
        steady: 6,
        changes: 0.0,
        fallen: 0,
        effort: 0.8,
        gap: 150,
        score: Score::DRAW,
    };

    #[test]
    fn the_rule_weighs_what_a_depth_saves_against_what_it_costs() {
        let mut rule = StoppingRule { weights: [0.0; 9], decay: 0.5, centre: 0.0, factor: 1.0 };
        rule.weights[3] = 1.0;
        // Where it says to stop, the next depth saves as much a node for a restless search as for a calm one.
        let price = |signs: Signs| {
            let signs = Signs { nodes: (1e6 * rule.stretch(&signs)) as u64, ..signs };
            rule.saving(&signs) / (signs.nodes as f64 * (signs.growth - 1.0))
        };
        let restless = Signs { changes: 1.5, ..CALM };
        let dear = Signs { growth: 3.0, ..CALM };
        assert!(rule.stretch(&restless) > 2.0 * rule.stretch(&CALM));
        assert!(rule.stretch(&dear) < rule.stretch(&CALM));
        for signs in [restless, dear] {
            assert!((price(signs) / price(CALM) - 1.0).abs() < 1e-3, "{signs:?}");
        }
        let at = |nodes| rule.saving(&Signs { nodes, ..CALM });
        assert!((at(40_000) / at(10_000) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_trend_remembers_changes_and_forgets_them() {
        let mut trend = Trend::default();
        let mut after =
            |same, nodes, score| trend.after(same, nodes, Score::estimate(score), 0.5, 9);
        assert_eq!((after(false, 20, 10).changes, after(true, 50, 10).steady), (0.0, 1));
        let changed = after(false, 150, -30);
        assert_eq!((changed.changes, changed.steady, changed.fallen), (1.0, 0, 40));
        assert_eq!(changed.growth, 3.0);
        let later = after(true, 300, 0);
        assert_eq!((later.changes, later.steady, later.fallen), (0.5, 1, -30));
    }

    #[test]
    fn the_fitted_rule_stays_within_its_bounds() {
        for score in [Score::loss_in(9), Score::DRAW, Score::win_in(9)] {
            for growth in [0.0, 1.0, 2.0, 1e9] {
                for gap in [0, 100_000] {
                    let signs = Signs { growth, gap, score, changes: 2.0, ..CALM };
                    let stretch = StoppingRule::FITTED.stretch(&signs);
                    assert!((0.1..=4.0).contains(&stretch), "{stretch} for {signs:?}");
                }
            }
        }
        assert!("hasty".parse::<Pacing>().is_err());
    }
}
