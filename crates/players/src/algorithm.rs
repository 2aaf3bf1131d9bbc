//! Algorithms by name.

use std::fmt;
use std::str::FromStr;

/// A way to choose moves, as named on the command line and in experiments: `plain`, `ordering`,
/// `split`, `both`; the last two with `,threshold=N` behind them unless it is 4.
///
/// ```
/// use players::Algorithm;
///
/// let algorithm: Algorithm = "split,threshold=6".parse()?;
/// assert_eq!(algorithm, Algorithm::Split { threshold: 6 });
/// assert_eq!(algorithm.to_string(), "split,threshold=6");
/// assert_eq!("both".parse(), Ok(Algorithm::Both { threshold: 4 }));
/// # Ok::<(), players::ParseAlgorithmError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Alpha-beta.
    Plain,
    /// Alpha-beta with the moves in the thesis' order.
    Ordering,
    /// Alpha-beta in each part.
    Split {
        /// Pieces further apart than this many plies may be in different parts.
        threshold: u8,
    },
    /// Alpha-beta in each part with the moves in the thesis' order.
    Both {
        /// Pieces further apart than this many plies may be in different parts.
        threshold: u8,
    },
}

impl Algorithm {
    /// The thesis' own.
    pub const DEFAULT_THRESHOLD: u8 = 4;

    /// The four of the thesis.
    pub const ALL: [Algorithm; 4] = [
        Algorithm::Plain,
        Algorithm::Ordering,
        Algorithm::Split { threshold: Algorithm::DEFAULT_THRESHOLD },
        Algorithm::Both { threshold: Algorithm::DEFAULT_THRESHOLD },
    ];

    /// The name, without parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Plain => "plain",
            Algorithm::Ordering => "ordering",
            Algorithm::Split { .. } => "split",
            Algorithm::Both { .. } => "both",
        }
    }

    /// The splitting threshold, of those that split.
    pub const fn threshold(self) -> Option<u8> {
        match self {
            Algorithm::Split { threshold } | Algorithm::Both { threshold } => Some(threshold),
            Algorithm::Plain | Algorithm::Ordering => None,
        }
    }

    /// Whether moves are tried in the thesis' order.
    pub const fn orders(self) -> bool {
        matches!(self, Algorithm::Ordering | Algorithm::Both { .. })
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.threshold() {
            Some(threshold) if threshold != Algorithm::DEFAULT_THRESHOLD => {
                write!(f, ",threshold={threshold}")
            }
            _ => Ok(()),
        }
    }
}

/// Why a text names no algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseAlgorithmError {
    /// There is none of this name.
    Name(String),
    /// It has no such parameter.
    Parameter {
        /// The algorithm.
        name: &'static str,
        /// What was written.
        parameter: String,
    },
    /// The threshold is no number of plies.
    Threshold(String),
}

impl fmt::Display for ParseAlgorithmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseAlgorithmError::Name(name) => {
                write!(f, "'{name}' is no algorithm: expected plain, ordering, split or both")
            }
            ParseAlgorithmError::Parameter { name: name @ ("split" | "both"), parameter } => {
                write!(f, "{name} has no parameter '{parameter}': expected threshold=N")
            }
            ParseAlgorithmError::Parameter { name, parameter } => {
                write!(f, "{name} takes no parameters, but '{parameter}' was given")
            }
            ParseAlgorithmError::Threshold(text) => {
                write!(f, "'{text}' is no threshold: expected a number of plies up to 254")
            }
        }
    }
}

impl std::error::Error for ParseAlgorithmError {}

impl FromStr for Algorithm {
    type Err = ParseAlgorithmError;

    fn from_str(text: &str) -> Result<Algorithm, ParseAlgorithmError> {
        let (name, parameters) = match text.split_once(',') {
            Some((name, parameters)) => (name, Some(parameters)),
            None => (text, None),
        };
        let known = Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name);
        let algorithm = known.ok_or_else(|| ParseAlgorithmError::Name(name.to_owned()))?;
        let Some(parameter) = parameters else {
            return Ok(algorithm);
        };
        let unknown = || ParseAlgorithmError::Parameter {
            name: algorithm.name(),
            parameter: parameter.to_owned(),
        };
        let value = parameter.strip_prefix("threshold=").ok_or_else(unknown)?;
        // 255 is how the causality function says never.
        let threshold = value.parse().ok().filter(|threshold| *threshold < u8::MAX);
        let threshold =
            threshold.ok_or_else(|| ParseAlgorithmError::Threshold(value.to_owned()))?;
        match algorithm {
            Algorithm::Split { .. } => Ok(Algorithm::Split { threshold }),
            Algorithm::Both { .. } => Ok(Algorithm::Both { threshold }),
            Algorithm::Plain | Algorithm::Ordering => Err(unknown()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let with = [Algorithm::Split { threshold: 0 }, Algorithm::Both { threshold: 254 }];
        for algorithm in Algorithm::ALL.into_iter().chain(with) {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
    }

    #[test]
    fn mistakes_are_explained() {
        let error = |text: &str| text.parse::<Algorithm>().unwrap_err().to_string();
        assert!(error("clever").contains("expected plain, ordering, split or both"));
        assert!(error("plain,threshold=3").contains("takes no parameters"));
        assert!(error("split,depth=3").contains("expected threshold=N"));
        assert!(error("both,threshold=255").contains("up to 254"));
        assert!(error("both,threshold=").contains("'' is no threshold"));
    }
}
