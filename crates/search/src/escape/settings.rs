//! What a complexity-driven search is told: its escape functions, what things cost, and how scores are
//! brought between −1 and 1.

use std::fmt;
use std::str::FromStr;

use game::score::Score;

use super::Curve;
use crate::Repetition;

/// How an evaluation becomes a score between −1 and 1.
///
/// Wins and losses are 1 and −1, whatever the scale. Nodes keep the evaluation itself; it is mapped only
/// to be held against an escape function, so the mapping never blurs which of two nodes is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// `v / (|v| + h)`: an advantage of `h` is 0.5, and no estimate is certain.
    Half(f64),
    /// `v / m`, cut off at −1 and 1.
    Linear(f64),
}

impl Scale {
    /// The score on the scale.
    #[inline]
    pub fn unit(self, score: Score) -> f64 {
        let value = f64::from(score.value());
        match self {
            _ if score.is_win() => 1.0,
            _ if score.is_loss() => -1.0,
            Scale::Half(half) => value / (value.abs() + half),
            Scale::Linear(most) => (value / most).clamp(-1.0, 1.0),
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scale::Half(half) => write!(f, "half({half})"),
            Scale::Linear(most) => write!(f, "linear({most})"),
        }
    }
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Scale, String> {
        let number =
            |inside: &str| inside.trim().parse::<f64>().ok().filter(|n| *n > 0.0 && n.is_finite());
        let inside =
            |name: &str| text.trim().strip_prefix(name)?.strip_suffix(')').and_then(number);
        inside("half(").map(Scale::Half).or(inside("linear(").map(Scale::Linear)).ok_or_else(|| {
            format!("'{text}' is no scale: expected half(H) or linear(M) with a number above 0")
        })
    }
}

/// When a node counts as solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solving {
    /// When all its children are: the pseudocode's `update`.
    Conjunction,
    /// Also when one of its children is solved and a win: then its score *is* the minimax value of its
    /// descendants, which is the text's definition, whatever the other children are worth.
    #[default]
    Decided,
}

/// What complexity is counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Visits and expansions at fixed prices: the same on every machine.
    #[default]
    Nodes,
    /// Nanoseconds as they pass. The price of a child not visited yet is the mean of the visits so far.
    Time,
}

/// What a search is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// When a child is good enough to go on with, given the share of its parent's children looked at.
    pub local: Curve,
    /// When the root is good enough to move, given the share of what is left for the game.
    pub global: Curve,
    /// How evaluations become scores.
    pub scale: Scale,
    /// What looking at a node costs, in nodes: the paper's `c_i`.
    pub visit: u32,
    /// What generating one child costs, in nodes: the paper's `c_δ`.
    pub expand: u32,
    /// What complexity is counted in.
    pub unit: Unit,
    /// When a node counts as solved.
    pub solving: Solving,
    /// What a repeated position is worth.
    pub repetition: Repetition,
    /// How deep the tree may get; what lies there is a leaf.
    pub depth: Option<u32>,
    /// How many nodes are kept at most. See [the memory](super#memory).
    pub memory: usize,
}

impl Default for Settings {
    /// The functions that did best in `docs/reports/complexity.md`; a million nodes kept.
    fn default() -> Settings {
        Settings {
            local: Curve::Step(0.75),
            global: Curve::Step(0.03),
            scale: Scale::Half(1000.0),
            visit: 1,
            expand: 0,
            unit: Unit::Nodes,
            solving: Solving::default(),
            repetition: Repetition::Ignored,
            depth: None,
            memory: 1 << 20,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_keep_the_order_and_only_wins_are_certain() {
        for scale in [Scale::Half(1000.0), Scale::Linear(40_000.0)] {
            let values: Vec<f64> = (-30_000..=30_000)
                .step_by(7)
                .map(|value| scale.unit(Score::estimate(value)))
                .collect();
            assert!(values.is_sorted_by(|a, b| a < b));
            assert!(values.iter().all(|value| value.abs() < 1.0));
            assert_eq!(scale.unit(Score::win_in(1999)), 1.0);
            assert_eq!(scale.unit(Score::loss_in(3)), -1.0);
            assert_eq!(scale.unit(Score::DRAW), 0.0);
        }
        assert_eq!(Scale::Half(1000.0).unit(Score::estimate(1000)), 0.5);
        assert_eq!(Scale::Linear(15.0).unit(Score::estimate(-20)), -1.0);
    }

    #[test]
    fn scales_are_read_as_written() {
        for text in ["half(1000)", "linear(15)"] {
            assert_eq!(text.parse::<Scale>().unwrap().to_string(), text);
        }
        for wrong in ["", "half", "half()", "half(0)", "half(x)", "cubic(3)", "linear(inf)"] {
            assert!(wrong.parse::<Scale>().unwrap_err().contains("half(H)"), "{wrong}");
        }
    }
}
