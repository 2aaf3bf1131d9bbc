//! Settings of a complexity-driven search: its escape functions, costs, and how scores are mapped to the
//! interval from −1 to 1.

use std::fmt;
use std::str::FromStr;

use game::score::Score;

use super::{Curve, CurveError};
use crate::PathRepetition;

/// How an evaluation becomes a score between −1 and 1.
///
/// Wins and losses are 1 and −1, whatever the scale. Nodes keep the evaluation itself; it is mapped only
/// to be compared with an escape function, so the mapping never hides which of two nodes is better.
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
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Scale, SettingsError> {
        let number =
            |inside: &str| inside.trim().parse::<f64>().ok().filter(|n| *n > 0.0 && n.is_finite());
        let inside =
            |name: &str| text.trim().strip_prefix(name)?.strip_suffix(')').and_then(number);
        let scale = inside("half(").map(Scale::Half).or(inside("linear(").map(Scale::Linear));
        scale.ok_or_else(|| SettingsError::Scale(text.to_owned()))
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

/// Why a text is not a setting.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SettingsError {
    /// Something is not of the form `name=value`.
    #[error("'{0}' is not of the form name=value")]
    Form(String),
    /// A name is given twice.
    #[error("'{0}' is given twice")]
    Twice(String),
    /// There is no parameter of this name.
    #[error("there is no parameter '{0}'; there are {names}", names = Settings::NAMES.join(", "))]
    Name(String),
    /// A value is not a number, or out of range.
    #[error("'{value}' is not a valid value for {name}: expected a number from {least} to {most}")]
    Number {
        /// The parameter.
        name: String,
        /// What was written.
        value: String,
        /// The least it can be.
        least: u64,
        /// The most it can be.
        most: u64,
    },
    /// A word is not one of the choices.
    #[error("{name} is {expected}, not '{value}'")]
    Word {
        /// The parameter.
        name: &'static str,
        /// What was written.
        value: String,
        /// The choices.
        expected: &'static str,
    },
    /// A text is not an escape function.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// A text is not a scale.
    #[error("'{0}' is not a scale: expected half(H) or linear(M) with a number above 0")]
    Scale(String),
    /// All costs are zero.
    #[error("visit and expand cannot both be 0: the search would never end")]
    Free,
}

/// The settings of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// When a child is good enough to go on with, given the share of its parent's children visited.
    pub local: Curve,
    /// When the root is good enough to move, given the share of what is left for the game.
    pub global: Curve,
    /// How evaluations become scores.
    pub scale: Scale,
    /// What visiting a node costs, in nodes: the paper's `c_i`.
    pub visit: u32,
    /// What generating one child costs, in nodes: the paper's `c_δ`.
    pub expand: u32,
    /// When a node counts as solved.
    pub solving: Solving,
    /// What a repeated position is worth, if set; otherwise repetition is ignored.
    pub repetition: Option<PathRepetition>,
    /// How deep the tree may get; nodes at that depth are leaves.
    pub depth: Option<u32>,
    /// How many nodes are kept at most. See [the memory](super#memory).
    pub memory: usize,
}

impl Default for Settings {
    /// The best of a small search for Jungle (`docs/reports/complexity.md`); a million nodes kept.
    fn default() -> Settings {
        Settings {
            local: Curve::Power(2.0),
            global: Curve::Step(0.0222),
            scale: Scale::Half(1000.0),
            visit: 1,
            expand: 0,
            solving: Solving::default(),
            repetition: None,
            depth: None,
            memory: 1 << 20,
        }
    }
}

impl Settings {
    /// Changes the settings named in a text, as in `local=power(2),global=step(0.3)`; commas within brackets
    /// are part of a value. The names are those of [`Settings::NAMES`].
    ///
    /// # Errors
    ///
    /// Says what is wrong, and what the choices are.
    pub fn with(mut self, text: &str) -> Result<Settings, SettingsError> {
        let mut seen: Vec<&str> = Vec::new();
        for part in split(text).into_iter().map(str::trim).filter(|part| !part.is_empty()) {
            let Some((name, value)) = part.split_once('=') else {
                return Err(SettingsError::Form(part.to_owned()));
            };
            let (name, value) = (name.trim(), value.trim());
            if seen.contains(&name) {
                return Err(SettingsError::Twice(name.to_owned()));
            }
            seen.push(name);
            let number = |least: u64, most: u64| {
                let number = value.parse::<u64>().ok().filter(|n| (least..=most).contains(n));
                number.ok_or_else(|| {
                    let [name, value] = [name, value].map(str::to_owned);
                    SettingsError::Number { name, value, least, most }
                })
            };
            let word =
                |name, expected| SettingsError::Word { name, value: value.to_owned(), expected };
            match name {
                "local" => self.local = value.parse::<Curve>()?,
                "global" => self.global = value.parse::<Curve>()?,
                "scale" => self.scale = value.parse()?,
                "visit" => self.visit = number(0, 1_000_000)? as u32,
                "expand" => self.expand = number(0, 1_000_000)? as u32,
                "depth" => self.depth = Some(number(1, 10_000)? as u32),
                "memory" => self.memory = number(10_000, 1 << 31)? as usize,
                "repetition" => {
                    self.repetition = Some(match value {
                        "draw" => PathRepetition::Draw,
                        "ignored" => PathRepetition::Ignored,
                        _ => return Err(word("repetition", "draw or ignored")),
                    });
                }
                "solving" => {
                    self.solving = match value {
                        "conjunction" => Solving::Conjunction,
                        "decided" => Solving::Decided,
                        _ => return Err(word("solving", "conjunction or decided")),
                    }
                }
                _ => return Err(SettingsError::Name(name.to_owned())),
            }
        }
        if self.visit == 0 && self.expand == 0 {
            return Err(SettingsError::Free);
        }
        Ok(self)
    }

    /// What [`with`](Settings::with) can change.
    pub const NAMES: [&'static str; 9] =
        ["local", "global", "scale", "visit", "expand", "depth", "memory", "repetition", "solving"];
}

/// The text split at commas outside brackets.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    })
    .collect()
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
    fn settings_are_read_by_name() {
        let with = |text: &str| Settings::default().with(text);
        let settings =
            with("local=sigmoid(0.3,12), global=linear(0,0.1),scale=half(500),expand=1,depth=9")
                .unwrap();
        assert_eq!(settings.local, Curve::Sigmoid(0.3, 12.0));
        assert_eq!(settings.global, Curve::Linear(0.0, 0.1));
        assert_eq!((settings.scale, settings.expand), (Scale::Half(500.0), 1));
        assert_eq!((settings.depth, settings.visit), (Some(9), 1));
        assert_eq!(with("").unwrap(), Settings::default());
        let error = |text: &str| with(text).unwrap_err().to_string();
        assert!(error("lokal=step(1)").contains("there are local, global"));
        assert!(error("local=step(1),local=step(1)").contains("twice"));
        assert!(error("local").contains("name=value"));
        assert!(error("local=step(7)").contains("between 0 and 1"));
        assert!(error("memory=3").contains("from 10000"));
        assert!(error("repetition=lost").contains("draw or ignored"));
        assert!(error("visit=0").contains("would never end"));
    }

    #[test]
    fn scales_are_read_as_written() {
        for text in ["half(1000)", "linear(15)"] {
            assert_eq!(text.parse::<Scale>().unwrap().to_string(), text);
        }
        for wrong in ["", "half", "half()", "half(0)", "half(x)", "cubic(3)", "linear(inf)"] {
            let error = wrong.parse::<Scale>().unwrap_err().to_string();
            assert!(error.contains("half(H)"), "{wrong}");
        }
    }
}
