//! Playing the clock again: what every rule would have spent and given away on the positions collected.
//!
//! A rule is asked after each depth whether that was enough; it answers as on a clock of which a move has this share. Rules
//! are compared where they spend the same on average: the factor of each is found on one half of the games and
//! tested on the other, and the other way round.

use engine::{Pacing, Signs, StoppingRule};

use super::sample::{Depth, Sample};

/// A rule to stop by.
#[derive(Clone, Copy, Debug)]
pub enum Policy {
    /// The share and no more, the depth under way broken off.
    Fixed,
    /// The champion's usual rule on a clock.
    Usual,
    /// A fitted one.
    Fitted(StoppingRule),
    /// One that knows the regret: it stops at the first depth with as little of it as there will ever be.
    Oracle,
}

/// What a rule spent and gave away, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// The nodes of a move.
    pub nodes: f64,
    /// The regret of a move, in points.
    pub regret: f64,
}

/// A move is broken off at this many times its share, as on the champion's clock.
const HARD: f64 = 4.0;

impl Policy {
    fn stretch(&self, signs: &Signs) -> f64 {
        match self {
            Policy::Usual => Pacing::Usual.stretch(signs),
            Policy::Fitted(rule) => rule.stretch(signs),
            Policy::Fixed | Policy::Oracle => 1.0,
        }
    }

    /// One position: the nodes spent, and the regret.
    fn play(&self, depths: &[Depth], share: f64, factor: f64) -> (f64, f64) {
        let least = || depths.iter().map(|depth| depth.regret).fold(f64::INFINITY, f64::min);
        let most = match self {
            Policy::Fixed => share * factor,
            _ => share * HARD,
        };
        for (at, depth) in depths.iter().enumerate() {
            let nodes = depth.nodes as f64;
            let enough = match self {
                Policy::Fixed => nodes >= most,
                Policy::Oracle => depth.regret <= least(),
                Policy::Usual | Policy::Fitted(_) => {
                    nodes >= share * factor * self.stretch(&depth.signs())
                }
            };
            let next = depths.get(at + 1);
            if enough || next.is_none() {
                return (nodes, depth.regret);
            }
            // The depth that is broken off brings nothing: its best move is not known.
            if next.is_some_and(|next| next.nodes as f64 > most) {
                return (most.max(nodes), depth.regret);
            }
        }
        (0.0, 0.0)
    }

    /// All positions.
    pub fn mean(&self, samples: &[&Sample], share: f64, factor: f64) -> Spent {
        let mut sum = Spent::default();
        for sample in samples {
            let (nodes, regret) = self.play(&sample.depths, share, factor);
            sum.nodes += nodes;
            sum.regret += regret;
        }
        let count = samples.len().max(1) as f64;
        Spent { nodes: sum.nodes / count, regret: sum.regret / count }
    }

    /// The regrets of all positions, one by one.
    pub fn regrets(&self, samples: &[&Sample], share: f64, factor: f64) -> Vec<f64> {
        samples.iter().map(|sample| self.play(&sample.depths, share, factor).1).collect()
    }

    /// The factor at which it spends this much on average.
    pub fn factor(&self, samples: &[&Sample], share: f64, wanted: f64) -> f64 {
        let (mut low, mut high) = (1e-3_f64, 1e3_f64);
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            if self.mean(samples, share, middle).nodes < wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low * high).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(nodes: u64, steady: u32, regret: f64) -> Depth {
        Depth {
            nodes,
            growth: 2.0,
            steady,
            changes: 0.0,
            fallen: 0,
            effort: 0.5,
            gap: 0,
            score: 0,
            regret,
        }
    }

    #[test]
    fn rules_stop_where_they_say_and_the_oracle_where_it_pays() {
        let depths =
            [depth(100, 0, 0.5), depth(200, 1, 0.5), depth(400, 0, 0.0), depth(900, 1, 0.0)];
        let samples = [&Sample { ply: 0, depths: depths.to_vec() }];
        let at = |policy: Policy, share| {
            let Spent { nodes, regret } = policy.mean(&samples, share, 1.0);
            (nodes, regret)
        };
        assert_eq!(at(Policy::Fixed, 250.0), (250.0, 0.5));
        assert_eq!(at(Policy::Fixed, 400.0), (400.0, 0.0));
        assert_eq!(at(Policy::Oracle, 150.0), (400.0, 0.0));
        // It may not spend more than four times its share.
        assert_eq!(at(Policy::Oracle, 90.0), (360.0, 0.5));
        // 1.5 shares while the best move is new: at 200 it is not, and 1.38 is enough.
        assert_eq!(at(Policy::Usual, 100.0), (200.0, 0.5));
        let factor = Policy::Usual.factor(&samples, 100.0, 400.0);
        assert_eq!(Policy::Usual.mean(&samples, 100.0, factor * 1.01).nodes, 400.0);
        assert_eq!(Policy::Usual.regrets(&samples, 100.0, factor * 1.01), [0.0]);
    }
}
