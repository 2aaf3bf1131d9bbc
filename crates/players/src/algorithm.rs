//! Search algorithms by name.

use std::fmt;
use std::str::FromStr;

use jungle::decompose::{Edges, Threshold};

/// A search algorithm, as named in player specs and experiments: a name, and after commas the parameters that
/// differ from their defaults.
///
/// ```
/// use jungle::decompose::{Edges, Threshold};
/// use players::Algorithm;
///
/// let algorithm: Algorithm = "split,threshold=6".parse()?;
/// assert_eq!(algorithm, Algorithm::Split { threshold: Threshold::Plies(6), cut: Edges::Above });
/// assert_eq!(algorithm.to_string(), "split,threshold=6");
/// let both = Algorithm::Both { threshold: Threshold::Plies(4), cut: Edges::AtLeast };
/// assert_eq!("both,cut=at-least".parse(), Ok(both));
/// assert!("both,threshold=depth*0.5".parse::<Algorithm>().is_ok());
/// # Ok::<(), players::ParseAlgorithmError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Alpha-beta.
    Plain,
    /// Alpha-beta with the moves in Burnett's order.
    Ordering,
    /// Alpha-beta in each part.
    Split {
        /// Pieces further apart than this may be in different parts.
        threshold: Threshold,
        /// Whether those just as far apart may be, too.
        cut: Edges,
    },
    /// Alpha-beta in each part with the moves in Burnett's order.
    Both {
        /// Pieces further apart than this may be in different parts.
        threshold: Threshold,
        /// Whether those just as far apart may be, too.
        cut: Edges,
    },
    /// `ordering`, with positions cut only where parts cannot touch within the search, and their sum
    /// searched exactly.
    Exact,
    /// `both`, with the chosen move checked on the whole board.
    Verified {
        /// Pieces further apart than this may be in different parts.
        threshold: Threshold,
        /// By how much the move may look worse than the best one.
        margin: u16,
    },
    /// `ordering` on the whole board, with parts as a guide at every node.
    Guided {
        /// What the parts are used for.
        by: Guides,
        /// Pieces further apart than this may be in different parts.
        threshold: Threshold,
    },
}

/// What a [guided](Algorithm::Guided) search does with the parts of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Guides {
    /// Prunes moves in parts of one side that are provably no better than another (`strike`).
    pub strike: bool,
    /// Searches moves in parts where both sides have pieces before the others (`busy`).
    pub busy: bool,
    /// Searches late moves in parts of one side only less deeply at first.
    pub reduce: bool,
    /// Searches all late moves less deeply at first: what reductions do without parts.
    pub late: bool,
    /// At the last ply, prunes all quiet moves except the one with the largest gain: what can be pruned without
    /// parts (`last`).
    pub last: bool,
}

impl Guides {
    /// The names, in the order in which they are written.
    pub const NAMES: [&'static str; 5] = ["strike", "busy", "reduce", "late", "last"];

    /// Prunes moves and does nothing else.
    pub const STRIKE: Guides =
        Guides { strike: true, busy: false, reduce: false, late: false, last: false };

    fn flags(&mut self) -> [&mut bool; 5] {
        [&mut self.strike, &mut self.busy, &mut self.reduce, &mut self.late, &mut self.last]
    }
}

impl fmt::Display for Guides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = *self;
        let named = Guides::NAMES.into_iter().zip(copy.flags());
        let names: Vec<&str> = named.filter(|(_, set)| **set).map(|(name, _)| name).collect();
        f.write_str(if names.is_empty() { "nothing" } else { "" })?;
        f.write_str(&names.join("+"))
    }
}

impl FromStr for Guides {
    type Err = ParseAlgorithmError;

    fn from_str(text: &str) -> Result<Guides, ParseAlgorithmError> {
        let mut guides = Guides::default();
        if text == "nothing" {
            return Ok(guides);
        }
        for name in text.split('+') {
            let at = Guides::NAMES.iter().position(|known| *known == name);
            let at = at.ok_or_else(|| ParseAlgorithmError::Guide(name.to_owned()))?;
            *guides.flags()[at] = true;
        }
        Ok(guides)
    }
}

const FOUR: Threshold = Threshold::Plies(4);
const DEPTH: Threshold = Threshold::OfDepth { hundredths: 100 };

impl Algorithm {
    /// Burnett's four.
    pub const ALL: [Algorithm; 4] = [
        Algorithm::Plain,
        Algorithm::Ordering,
        Algorithm::Split { threshold: FOUR, cut: Edges::Above },
        Algorithm::Both { threshold: FOUR, cut: Edges::Above },
    ];

    /// What was tried beyond Burnett, each with its default parameters.
    pub const BEYOND: [Algorithm; 3] = [
        Algorithm::Exact,
        Algorithm::Verified { threshold: FOUR, margin: 20 },
        Algorithm::Guided { by: Guides::STRIKE, threshold: DEPTH },
    ];

    /// The name, without parameters.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Plain => "plain",
            Algorithm::Ordering => "ordering",
            Algorithm::Split { .. } => "split",
            Algorithm::Both { .. } => "both",
            Algorithm::Exact => "sum",
            Algorithm::Verified { .. } => "verified",
            Algorithm::Guided { .. } => "guided",
        }
    }

    /// The splitting threshold, of those that have one.
    pub const fn threshold(self) -> Option<Threshold> {
        match self {
            Algorithm::Split { threshold, .. }
            | Algorithm::Both { threshold, .. }
            | Algorithm::Verified { threshold, .. }
            | Algorithm::Guided { threshold, .. } => Some(threshold),
            Algorithm::Plain | Algorithm::Ordering | Algorithm::Exact => None,
        }
    }

    /// Which edges as heavy as the threshold it cuts.
    pub const fn edges(self) -> Edges {
        match self {
            Algorithm::Split { cut, .. } | Algorithm::Both { cut, .. } => cut,
            _ => Edges::Above,
        }
    }

    /// Whether it is one of Burnett's four, which have [styles](crate::Style).
    pub const fn is_published(self) -> bool {
        use Algorithm::{Both, Ordering, Plain, Split};
        matches!(self, Plain | Ordering | Split { .. } | Both { .. })
    }

    /// The names of the parameters it takes.
    pub const fn parameters(self) -> &'static [&'static str] {
        match self {
            Algorithm::Plain | Algorithm::Ordering | Algorithm::Exact => &[],
            Algorithm::Split { .. } | Algorithm::Both { .. } => &["threshold", "cut"],
            Algorithm::Verified { .. } => &["threshold", "margin"],
            Algorithm::Guided { .. } => &["by", "threshold"],
        }
    }

    /// The same with one parameter changed.
    ///
    /// # Errors
    ///
    /// If it has no such parameter, or the value is invalid.
    pub fn with(mut self, name: &str, value: &str) -> Result<Algorithm, ParseAlgorithmError> {
        match (name, &mut self) {
            (
                "threshold",
                Algorithm::Split { threshold, .. }
                | Algorithm::Both { threshold, .. }
                | Algorithm::Verified { threshold, .. }
                | Algorithm::Guided { threshold, .. },
            ) => {
                *threshold = value.parse()?;
            }
            ("cut", Algorithm::Split { cut, .. } | Algorithm::Both { cut, .. }) => {
                *cut = value.parse()?;
            }
            ("margin", Algorithm::Verified { margin, .. }) => {
                let number = value.parse();
                *margin = number.map_err(|_| ParseAlgorithmError::Margin(value.to_owned()))?;
            }
            ("by", Algorithm::Guided { by, .. }) => *by = value.parse()?,
            _ => {
                let parameter = format!("{name}={value}");
                return Err(ParseAlgorithmError::Parameter { algorithm: self, parameter });
            }
        }
        Ok(self)
    }

    fn usual(name: &str) -> Option<Algorithm> {
        // As it was called.
        let name = if name == "exact" { "sum" } else { name };
        let mut all = Algorithm::ALL.into_iter().chain(Algorithm::BEYOND);
        all.find(|algorithm| algorithm.name() == name)
    }

    fn value(self, parameter: &str) -> String {
        match (parameter, self) {
            ("cut", _) => self.edges().to_string(),
            ("margin", Algorithm::Verified { margin, .. }) => margin.to_string(),
            ("by", Algorithm::Guided { by, .. }) => by.to_string(),
            _ => self.threshold().map_or_else(String::new, |threshold| threshold.to_string()),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let usual = Algorithm::usual(self.name());
        for parameter in self.parameters() {
            let value = self.value(parameter);
            if usual.is_none_or(|usual| usual.value(parameter) != value) {
                write!(f, ",{parameter}={value}")?;
            }
        }
        Ok(())
    }
}

/// Why a text is not an algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseAlgorithmError {
    /// There is none of this name.
    #[error(
        "'{0}' is not an algorithm: expected plain, ordering, split, both, sum, verified or guided"
    )]
    Name(String),
    /// It has no such parameter.
    #[error("{}", unknown_parameter(*algorithm, parameter))]
    Parameter {
        /// The algorithm.
        algorithm: Algorithm,
        /// What was written.
        parameter: String,
    },
    /// A text is not a threshold.
    #[error(transparent)]
    Threshold(#[from] jungle::decompose::ParseThresholdError),
    /// A text does not say which edges are cut.
    #[error(transparent)]
    Edges(#[from] jungle::decompose::ParseEdgesError),
    /// A text is not a margin.
    #[error(
        "'{0}' is not a margin: expected a whole number up to 65535, in the units of the evaluation, \
         where a cat is worth 200"
    )]
    Margin(String),
    /// Parts are not used for this.
    #[error(
        "parts are not used for '{0}': expected nothing, or some of {names} joined by +",
        names = Guides::NAMES.join(", ")
    )]
    Guide(String),
}

fn unknown_parameter(algorithm: Algorithm, parameter: &str) -> String {
    let name = algorithm.name();
    match algorithm.parameters() {
        [] => format!("{name} takes no parameters, but '{parameter}' was given"),
        all => format!("{name} has no parameter '{parameter}': expected {}=…", all.join("=… or ")),
    }
}

impl FromStr for Algorithm {
    type Err = ParseAlgorithmError;

    fn from_str(text: &str) -> Result<Algorithm, ParseAlgorithmError> {
        let mut pieces = text.split(',');
        let name = pieces.next().unwrap_or_default();
        let algorithm = Algorithm::usual(name);
        let algorithm = algorithm.ok_or_else(|| ParseAlgorithmError::Name(name.to_owned()))?;
        pieces.try_fold(algorithm, |algorithm, parameter| match parameter.split_once('=') {
            Some((name, value)) => algorithm.with(name, value),
            None => {
                let parameter = parameter.to_owned();
                Err(ParseAlgorithmError::Parameter { algorithm, parameter })
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for algorithm in Algorithm::ALL.into_iter().chain(Algorithm::BEYOND) {
            assert_eq!(algorithm.to_string(), algorithm.name());
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        for text in [
            "split,threshold=0",
            "both,threshold=254",
            "both,threshold=3,cut=at-least",
            "split,cut=at-least",
            "both,threshold=depth*0.75",
            "both,threshold=benefit:1.5:3",
            "verified,threshold=6,margin=0",
            "guided,by=strike+reduce,threshold=4",
            "guided,by=nothing",
        ] {
            assert_eq!(text.parse::<Algorithm>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn mistakes_are_explained() {
        let error = |text: &str| text.parse::<Algorithm>().unwrap_err().to_string();
        assert!(error("clever").contains("expected plain, ordering, split, both"));
        assert!(error("plain,threshold=3").contains("takes no parameters"));
        assert!(error("split,depth=3").contains("expected threshold=…"));
        assert!(error("both,threshold=255").contains("up to 254"));
        assert!(error("both,cut=below").contains("expected above or at-least"));
        assert!(error("ordering,cut=above").contains("takes no parameters"));
        assert!(error("both,threshold=").contains("'' is not a threshold"));
        assert!(error("verified,margin=x").contains("'x' is not a margin"));
        assert!(error("guided,by=magic").contains("expected nothing, or some of strike, busy"));
        assert!(error("guided,by=").contains("not used for ''"));
    }
}
