//! Splitting thresholds: how far apart pieces have to be for a cut. Burnett's open question, as a function.
//!
//! Burnett cuts every edge of the spanning tree that is heavier than 4 plies, whatever the position and
//! however deep it searches, and leaves open which function should replace that number. Here
//! are four, each evaluated at every depth of iterative deepening:
//!
//! - a number of plies, as in Burnett;
//! - a share of the depth of the search;
//! - the depth itself: parts that, by the causality function, cannot touch before the search ends;
//! - the highest number of plies at which the cut pays off. Alpha-beta visits about `b^(d/2)`
//!   positions with `b` moves to choose from, and a piece of either side has [`MOVES_A_PIECE`] of them on
//!   average; a part has the non-move besides and is searched twice, for a move and for a non-move. The
//!   estimate for the whole board divided by the sum over the parts is the benefit.

use std::fmt;
use std::str::FromStr;

use crate::Position;
use crate::causality::{Causality, Split};

/// Which edges of the spanning tree are cut: those heavier than this, in plies.
///
/// ```
/// use jungle::decompose::Threshold;
///
/// assert_eq!("4".parse(), Ok(Threshold::Plies(4)));
/// assert_eq!("depth*0.5".parse(), Ok(Threshold::OfDepth { hundredths: 50 }));
/// assert_eq!("depth".parse::<Threshold>()?.to_string(), "depth");
/// assert_eq!("benefit:2".parse::<Threshold>()?.to_string(), "benefit:2:4");
/// # Ok::<(), jungle::decompose::ParseThresholdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Threshold {
    /// This many plies.
    Plies(u8),
    /// A share of the depth of the search, rounded down.
    OfDepth {
        /// The share in hundredths: 100 is the depth itself.
        hundredths: u16,
    },
    /// As many plies as still make the search of the parts cheaper than that of the whole board by a
    /// factor, by the estimate from the sizes of the parts; no cut if no number does.
    Benefit {
        /// The factor in hundredths.
        hundredths: u16,
        /// Never fewer plies than this.
        least: u8,
    },
}

/// Which of the edges that weigh just as much as the threshold are cut. Burnett's pseudocode cuts what is heavier;
/// what was measured fits a program that cut what is as heavy, too.
///
/// ```
/// use jungle::decompose::Edges;
///
/// assert_eq!("at-least".parse(), Ok(Edges::AtLeast));
/// assert_eq!(Edges::default().to_string(), "above");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Edges {
    /// Those heavier than the threshold are cut.
    #[default]
    Above,
    /// Those as heavy as the threshold are cut too. Enemies of whom one can strike at once are never cut
    /// apart.
    AtLeast,
}

impl Edges {
    /// The heaviest edge that is kept.
    fn heaviest_kept(self, threshold: u8) -> u8 {
        match self {
            Edges::Above => threshold,
            Edges::AtLeast => threshold.saturating_sub(1),
        }
    }
}

impl fmt::Display for Edges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Edges::Above => "above",
            Edges::AtLeast => "at-least",
        })
    }
}

/// A text does not say which edges are cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' does not say which edges are cut: expected above or at-least")]
pub struct ParseEdgesError(String);

impl FromStr for Edges {
    type Err = ParseEdgesError;

    fn from_str(text: &str) -> Result<Edges, ParseEdgesError> {
        match text {
            "above" => Ok(Edges::Above),
            "at-least" => Ok(Edges::AtLeast),
            _ => Err(ParseEdgesError(text.to_owned())),
        }
    }
}

/// The least threshold of [`Threshold::Benefit`] if none is given: Burnett's.
const USUAL_LEAST: u8 = 4;

/// The most that a factor or a share may be.
const MOST_HUNDREDTHS: u16 = 10_000;

/// Moves that a piece, of whichever side, adds to what the player to move can choose from: 24 at the
/// start, where there are 16 pieces, and fewer when there are more captures to avoid.
const MOVES_A_PIECE: f64 = 1.5;

impl Default for Threshold {
    /// Burnett's.
    fn default() -> Threshold {
        Threshold::Plies(4)
    }
}

impl From<u8> for Threshold {
    fn from(plies: u8) -> Threshold {
        Threshold::Plies(plies)
    }
}

impl Threshold {
    /// Whether positions are cut alike for searches of both depths.
    pub(super) fn cuts_alike(self, depth: u32, other: u32) -> bool {
        match self {
            Threshold::Plies(_) => true,
            Threshold::OfDepth { hundredths } => {
                share(hundredths, depth) == share(hundredths, other)
            }
            Threshold::Benefit { .. } => depth == other,
        }
    }

    /// Cuts a position for a search of `depth` plies.
    pub fn split(self, causality: &Causality, position: &Position, depth: u32) -> Split {
        self.split_at(Edges::Above, causality, position, depth)
    }

    /// The same; `edges` says what becomes of edges that weigh just as much as the threshold, of which
    /// [`Threshold::Benefit`] knows none.
    pub fn split_at(
        self,
        edges: Edges,
        causality: &Causality,
        position: &Position,
        depth: u32,
    ) -> Split {
        let cut = |plies| causality.split(position, position.turn(), plies);
        match self {
            Threshold::Plies(plies) => cut(edges.heaviest_kept(plies)),
            Threshold::OfDepth { hundredths } => cut(edges.heaviest_kept(share(hundredths, depth))),
            Threshold::Benefit { hundredths, least } => {
                // Just below each weight of the tree the parts change; the heaviest is tried first.
                let whole = cut(NO_CUT);
                let mut weights: Vec<u8> = whole
                    .tree()
                    .map(|edge| edge.weight.get().map_or(NO_CUT, |plies| plies.saturating_sub(1)))
                    .filter(|plies| *plies >= least)
                    .collect();
                weights.dedup();
                let wanted = f64::from(hundredths) / 100.0;
                weights
                    .into_iter()
                    .rev()
                    .map(cut)
                    .find(|split| split.parts().len() > 1 && benefit(split, depth) >= wanted)
                    .unwrap_or(whole)
            }
        }
    }
}

/// A threshold that only "never" exceeds.
const NO_CUT: u8 = u8::MAX - 1;

fn share(hundredths: u16, depth: u32) -> u8 {
    let plies = u64::from(hundredths) * u64::from(depth) / 100;
    plies.min(NO_CUT.into()) as u8
}

/// By what factor the search of the parts is estimated to be cheaper than that of the whole.
fn benefit(split: &Split, depth: u32) -> f64 {
    let sizes = split.parts().iter().map(|part| part.pieces.len());
    estimated_benefit(&sizes.collect::<Vec<_>>(), depth)
}

fn estimated_benefit(sizes: &[u32], depth: u32) -> f64 {
    let moves = |pieces: u32| MOVES_A_PIECE * f64::from(pieces);
    let visits = |moves: f64, depth: u32| moves.powf(f64::from(depth) / 2.0);
    let whole = visits(moves(sizes.iter().sum()), depth);
    let part = |&pieces: &u32| {
        let choices = moves(pieces) + 1.0;
        visits(choices, depth) + visits(choices, depth.saturating_sub(1))
    };
    whole / sizes.iter().map(part).sum::<f64>()
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Threshold::Plies(plies) => plies.fmt(f),
            Threshold::OfDepth { hundredths: 100 } => f.write_str("depth"),
            Threshold::OfDepth { hundredths } => write!(f, "depth*{}", Hundredths(hundredths)),
            Threshold::Benefit { hundredths, least } => {
                write!(f, "benefit:{}:{least}", Hundredths(hundredths))
            }
        }
    }
}

/// A decimal with as few places as it needs.
struct Hundredths(u16);

impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 100, self.0 % 100);
        match rest {
            0 => write!(f, "{whole}"),
            rest if rest.is_multiple_of(10) => write!(f, "{whole}.{}", rest / 10),
            rest => write!(f, "{whole}.{rest:02}"),
        }
    }
}

/// A text is not a threshold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a threshold: expected a number of plies up to 254, depth, depth*X, benefit:X or \
     benefit:X:PLIES, with X from 0.01 to 100"
)]
pub struct ParseThresholdError(String);

impl FromStr for Threshold {
    type Err = ParseThresholdError;

    fn from_str(text: &str) -> Result<Threshold, ParseThresholdError> {
        let read = || {
            if text == "depth" {
                return Some(Threshold::OfDepth { hundredths: 100 });
            }
            if let Some(share) = text.strip_prefix("depth*") {
                return Some(Threshold::OfDepth { hundredths: hundredths(share)? });
            }
            if let Some(asked) = text.strip_prefix("benefit:") {
                let (factor, least) = match asked.split_once(':') {
                    Some((factor, least)) => (factor, plies(least)?),
                    None => (asked, USUAL_LEAST),
                };
                return Some(Threshold::Benefit { hundredths: hundredths(factor)?, least });
            }
            plies(text).map(Threshold::Plies)
        };
        read().ok_or_else(|| ParseThresholdError(text.to_owned()))
    }
}

/// 255 is how the causality function says never.
fn plies(text: &str) -> Option<u8> {
    text.parse().ok().filter(|plies| *plies <= NO_CUT)
}

fn hundredths(text: &str) -> Option<u16> {
    let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(places) || places.len() > 2 || whole.len() > 3 {
        return None;
    }
    let places = format!("{places:0<2}");
    let value = whole.parse::<u16>().ok()?.checked_mul(100)? + places.parse::<u16>().ok()?;
    (1..=MOST_HUNDREDTHS).contains(&value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn thresholds_come_back_as_they_were_written() {
        for text in ["0", "4", "254", "depth", "depth*0.5", "depth*1.25", "benefit:1.5:0"] {
            assert_eq!(text.parse::<Threshold>().unwrap().to_string(), text);
        }
        assert_eq!("depth*1.0".parse::<Threshold>().unwrap().to_string(), "depth");
    }

    #[test]
    fn mistakes_are_explained() {
        for text in [
            "",
            "-1",
            "255",
            "x",
            "depth*",
            "depth*-1",
            "depth*0",
            "depth*101",
            "depth*1.234",
            "depth*1e3",
            "depth/2",
            "benefit",
            "benefit:",
            "benefit:0",
            "benefit:2:",
            "benefit:2:255",
            "benefit:2:3:4",
        ] {
            let error = text.parse::<Threshold>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("'{text}' is not a threshold: expected")),
                "{error}"
            );
        }
    }

    fn parts(threshold: &str, fen: &str, depth: u32) -> Vec<u32> {
        let causality = Causality::new(&Rules::TUFTS);
        let threshold: Threshold = threshold.parse().unwrap();
        let split = threshold.split(&causality, &fen.parse().unwrap(), depth);
        split.parts().iter().map(|part| part.pieces.len()).collect()
    }

    /// The tree of Figure 13 has the weights 0 1 1 2 3 5.
    const FIGURE_13: &str = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w";

    #[test]
    fn thresholds_follow_the_depth() {
        assert_eq!(parts("4", FIGURE_13, 20), [3, 4]);
        assert_eq!(parts("depth", FIGURE_13, 4), [3, 4]);
        assert_eq!(parts("depth", FIGURE_13, 5), [7]);
        assert_eq!(parts("depth*0.5", FIGURE_13, 8), [3, 4]);
        assert_eq!(parts("depth*0.5", FIGURE_13, 10), [7]);
        assert_eq!(parts("depth*0.5", FIGURE_13, 4).len(), 3);
    }

    #[test]
    fn edges_as_heavy_as_the_threshold_are_cut_if_so_wished() {
        let causality = Causality::new(&Rules::TUFTS);
        let parts = |edges: &str, threshold: &str, fen: &str| -> Vec<u32> {
            let threshold: Threshold = threshold.parse().unwrap();
            let edges: Edges = edges.parse().unwrap();
            let split = threshold.split_at(edges, &causality, &fen.parse().unwrap(), 6);
            split.parts().iter().map(|part| part.pieces.len()).collect()
        };
        assert_eq!(parts("above", "5", FIGURE_13), [7]);
        assert_eq!(parts("at-least", "5", FIGURE_13), [3, 4]);
        assert_eq!(parts("at-least", "4", FIGURE_13), parts("above", "3", FIGURE_13));
        assert_eq!(parts("at-least", "depth*0.5", FIGURE_13), parts("above", "2", FIGURE_13));
        assert_eq!(parts("at-least", "0", FIGURE_13), parts("above", "0", FIGURE_13));
        // The published parts of Figure 14 (b), with Black as player A.
        let figure = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 b";
        assert_eq!(parts("at-least", "2", figure), [2, 5, 3]);
        assert_eq!(
            "over".parse::<Edges>().unwrap_err().to_string(),
            "'over' does not say which edges are cut: expected above or at-least"
        );
    }

    #[test]
    fn cuts_are_made_where_they_pay() {
        // A deeper search gains more by the same cut.
        let gain = |depth| estimated_benefit(&[3, 4], depth);
        assert!(gain(2) < 1.0 && gain(6) > 1.5, "{} {}", gain(2), gain(6));
        assert!(estimated_benefit(&[1, 15], 6) < 1.5, "a lone piece saves little");
        assert_eq!(parts("benefit:1", FIGURE_13, 2), [7]);
        assert_eq!(parts("benefit:1.5", FIGURE_13, 6), [3, 4]);
        assert_eq!(parts("benefit:100", FIGURE_13, 6), [7]);
        assert_eq!(parts("benefit:1:5", FIGURE_13, 6), [7], "5 plies hold everything together");
    }
}
