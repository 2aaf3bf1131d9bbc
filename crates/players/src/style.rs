//! What Burnett's thesis leaves open about its players, as switches.

use std::fmt;
use std::str::FromStr;

use game::limits::Limits;
use game::rng::Rng;
use search::{Interrupted, ParseInterruptedError, Schedule};

/// How a published player searches, where the thesis does not say: by default as this library always did.
///
/// ```
/// use players::{Depths, Style};
///
/// let mut style = Style::default();
/// style.set("depths", "odd")?;
/// style.set("interrupted", "root")?;
/// assert_eq!(style.depths, Depths::Odd);
/// assert_eq!(style.to_string(), "interrupted=root,depths=odd");
/// # Ok::<(), players::ParseStyleError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Style {
    /// What a limit leaves of the iteration that it interrupts.
    pub interrupted: Interrupted,
    /// The depths of iterative deepening.
    pub depths: Depths,
    /// Which of several best moves is played.
    pub ties: Ties,
    /// By how many per cent the budget of a move may be more or less, at random.
    pub noise: u8,
}

/// The depths of iterative deepening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Depths {
    /// 2, 4, 6 …
    #[default]
    Even,
    /// 1, 2, 3 …
    Every,
    /// 3, 5, 7 …
    Odd,
}

impl Depths {
    /// All of them, with their names.
    pub const ALL: [(Depths, &'static str); 3] =
        [(Depths::Even, "even"), (Depths::Every, "every"), (Depths::Odd, "odd")];

    /// As a schedule.
    pub const fn schedule(self) -> Schedule {
        match self {
            Depths::Even => Schedule::EVERY_MOVE,
            Depths::Every => Schedule::EVERY_PLY,
            Depths::Odd => Schedule { first: 3, step: 2 },
        }
    }
}

/// Which of several best moves is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The one that is searched first.
    #[default]
    First,
    /// The same, but of moves that come in one place of the order any may be first.
    Random,
}

impl Ties {
    /// All of them, with their names.
    pub const ALL: [(Ties, &'static str); 2] = [(Ties::First, "first"), (Ties::Random, "random")];
}

/// A text is not a style.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseStyleError {
    /// It does not say what is left of an interrupted iteration.
    #[error(transparent)]
    Interrupted(#[from] ParseInterruptedError),
    /// It does not name depths.
    #[error(
        "'{0}' does not name depths: expected even (2, 4, 6 …), every (1, 2, 3 …) or odd (3, 5, 7 …)"
    )]
    Depths(String),
    /// It does not say which of several best moves is played.
    #[error("'{0}' does not say which of several best moves is played: expected first or random")]
    Ties(String),
    /// It is not a share of the budget.
    #[error("'{0}' is not a share of the budget: expected per cent, from 0 to 90")]
    Noise(String),
    /// There is no such switch.
    #[error("there is no switch '{0}': expected {names}", names = Style::NAMES.join(", "))]
    Name(String),
}

impl Style {
    /// The names of the switches.
    pub const NAMES: [&'static str; 4] = ["interrupted", "depths", "ties", "noise"];

    /// Changes a switch by its name.
    ///
    /// # Errors
    ///
    /// If there is no such switch, or it has no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParseStyleError> {
        match name {
            "interrupted" => self.interrupted = value.parse()?,
            "depths" => {
                self.depths = named(&Depths::ALL, value)
                    .ok_or_else(|| ParseStyleError::Depths(value.to_owned()))?;
            }
            "ties" => {
                self.ties = named(&Ties::ALL, value)
                    .ok_or_else(|| ParseStyleError::Ties(value.to_owned()))?;
            }
            "noise" => {
                let share = value.parse().ok().filter(|share| *share <= MOST_NOISE);
                self.noise = share.ok_or_else(|| ParseStyleError::Noise(value.to_owned()))?;
            }
            _ => return Err(ParseStyleError::Name(name.to_owned())),
        }
        Ok(())
    }

    /// Whether anything is left to chance.
    pub fn is_random(&self) -> bool {
        self.noise > 0 || self.ties == Ties::Random
    }

    /// The limits of a move: nodes and time more or less by a random share.
    pub fn disturbed(&self, limits: &Limits, rng: &mut Rng) -> Limits {
        if self.noise == 0 {
            return limits.clone();
        }
        let steps = 2000 * usize::from(self.noise) / 100;
        let factor = 1.0 + (rng.below(steps + 1) as f64 - steps as f64 / 2.0) / 1000.0;
        let mut limits = limits.clone();
        limits.nodes = limits.nodes.map(|nodes| ((nodes as f64 * factor) as u64).max(1));
        limits.time = limits.time.map(|time| time.mul_f64(factor));
        limits
    }

    fn values(&self) -> [String; 4] {
        let name = |found: Option<&'static str>| found.unwrap_or_default().to_owned();
        [
            self.interrupted.to_string(),
            name(name_of(&Depths::ALL, self.depths)),
            name(name_of(&Ties::ALL, self.ties)),
            self.noise.to_string(),
        ]
    }
}

/// The most noise, in per cent.
const MOST_NOISE: u8 = 90;

fn named<T: Copy>(all: &[(T, &'static str)], name: &str) -> Option<T> {
    all.iter().find(|(_, known)| *known == name).map(|(value, _)| *value)
}

fn name_of<T: PartialEq>(all: &[(T, &'static str)], value: T) -> Option<&'static str> {
    all.iter().find(|(known, _)| *known == value).map(|(_, name)| *name)
}

/// The switches that differ from their defaults, as in `interrupted=root,noise=10`.
impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Style::default().values();
        let named = Style::NAMES.into_iter().zip(self.values()).zip(usual);
        let changed: Vec<String> = named
            .filter(|((_, value), usual)| value != usual)
            .map(|((name, value), _)| format!("{name}={value}"))
            .collect();
        f.write_str(&changed.join(","))
    }
}

impl FromStr for Style {
    type Err = ParseStyleError;

    fn from_str(text: &str) -> Result<Style, ParseStyleError> {
        let mut style = Style::default();
        for switch in text.split(',').filter(|switch| !switch.is_empty()) {
            let (name, value) = switch.split_once('=').unwrap_or((switch, ""));
            style.set(name, value)?;
        }
        Ok(style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_come_back_as_they_were_written() {
        for text in ["", "depths=every", "interrupted=static,depths=odd,ties=random,noise=10"] {
            assert_eq!(text.parse::<Style>().unwrap().to_string(), text);
        }
        let error = |text: &str| text.parse::<Style>().unwrap_err().to_string();
        assert!(error("noise=91").contains("from 0 to 90"));
        assert!(error("ties=last").contains("expected first or random"));
        assert!(error("depths=3").contains("expected even"));
        assert!(error("interrupted=never").contains("expected discard, root or static"));
        assert!(error("speed=1").contains("expected interrupted, depths, ties, noise"));
    }

    #[test]
    fn noise_stays_within_its_share() {
        let style: Style = "noise=10".parse().unwrap();
        let mut rng = Rng::new(1);
        let nodes = |rng: &mut Rng| style.disturbed(&Limits::nodes(10_000), rng).nodes.unwrap();
        let seen: Vec<u64> = (0..500).map(|_| nodes(&mut rng)).collect();
        let (least, most) = (seen.iter().min().unwrap(), seen.iter().max().unwrap());
        assert!((9_000..9_100).contains(least) && (10_900..=11_000).contains(most));
        assert_eq!(Style::default().disturbed(&Limits::nodes(7), &mut rng), Limits::nodes(7));
    }
}
