//! Where games begin.
//!
//! Games between programs that do not throw dice are all alike from one position, so a contest
//! needs many. They are the usual start, the twenty positions of Burnett's thesis, the lines of a
//! file, or generated from the seed ([`generate`]); every pair of games takes the next one, and when
//! they run out, the first again.

mod burnett;
pub mod generate;

use std::fmt;

use game::Game;
use jungle::{Jungle, Position, Rules, Setup};
use serde::{Deserialize, Serialize};

pub use generate::Generator;

/// How many random plies a generated opening has unless somebody says otherwise.
pub const DEFAULT_PLIES: u32 = 8;

/// Which openings a contest begins with. As text: `start`, `thesis`, `generated:8`, or the digest of
/// a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Openings {
    /// The usual start, always.
    Start,
    /// The positions of Appendix A of Burnett's thesis.
    Thesis,
    /// Generated from the contest's seed.
    Generated {
        /// How many random plies they are made with.
        plies: u32,
    },
    /// Positions somebody wrote down.
    List(Vec<Setup>),
}

/// What the settings of a contest keep of its openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Described {
    /// The usual start.
    Start,
    /// The positions of the thesis.
    Thesis,
    /// Generated from the seed with so many random plies.
    Generated {
        /// How many.
        plies: u32,
    },
    /// A list.
    List {
        /// How many positions it has.
        count: usize,
        /// A digest of them.
        digest: String,
    },
}

/// Why there is no opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningError {
    /// A line of a file is no position in which a game can begin.
    Line {
        /// Which, counted from 1.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// There are no positions in the file.
    Empty,
    /// Hardly any random position passes the filter any more.
    Exhausted {
        /// How many were found.
        found: usize,
        /// How many random plies they have.
        plies: u32,
    },
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::Line { line, fault } => write!(f, "line {line}: {fault}"),
            OpeningError::Empty => f.write_str("there is no position; write one FEN a line"),
            OpeningError::Exhausted { found, plies } => write!(
                f,
                "only {found} balanced openings of {plies} random plies were found; use more plies"
            ),
        }
    }
}

impl std::error::Error for OpeningError {}

impl Openings {
    /// Reads positions, one FEN a line; what follows a `;` or `#` is a remark.
    ///
    /// # Errors
    ///
    /// If a line is no position, or one where the game is over.
    pub fn read(text: &str, rules: Rules) -> Result<Openings, OpeningError> {
        let jungle = Jungle::new(rules);
        let mut setups = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let fen = line.split([';', '#']).next().unwrap_or_default().trim();
            if fen.is_empty() {
                continue;
            }
            let wrong = |fault: String| OpeningError::Line { line: at + 1, fault };
            let setup: Setup = fen.parse().map_err(|error| wrong(format!("{error}")))?;
            let position = setup.position().map_err(|error| wrong(error.to_string()))?;
            if let Some(ending) = jungle.ending(&position) {
                return Err(wrong(format!("the game is over there: {ending}")));
            }
            setups.push(setup);
        }
        if setups.is_empty() { Err(OpeningError::Empty) } else { Ok(Openings::List(setups)) }
    }

    /// Openings by name (`start`, `thesis`), or those of a file, one FEN a line.
    ///
    /// # Errors
    ///
    /// If there is neither, or the file is not as it should be.
    pub fn named(name: &str, rules: Rules) -> Result<Openings, String> {
        match name {
            "start" => Ok(Openings::Start),
            "thesis" => Ok(Openings::Thesis),
            path => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    format!(
                        "--openings {path}: {error}; name a file of FENs, start or thesis, or \
                         leave it out"
                    )
                })?;
                Openings::read(&text, rules).map_err(|error| format!("{path}: {error}"))
            }
        }
    }

    /// What the settings keep of them.
    pub fn describe(&self) -> Described {
        match self {
            Openings::Start => Described::Start,
            Openings::Thesis => Described::Thesis,
            Openings::Generated { plies } => Described::Generated { plies: *plies },
            Openings::List(setups) => {
                let mut hasher = blake3::Hasher::new();
                for setup in setups {
                    hasher.update(setup.to_string().as_bytes()).update(b"\n");
                }
                let digest = hasher.finalize().to_hex()[..16].to_owned();
                Described::List { count: setups.len(), digest }
            }
        }
    }

    /// Gives them out one after another.
    pub fn source(&self, rules: Rules, seed: u64) -> Source {
        let list = match self {
            Openings::Start => vec![Setup::from(&Position::start())],
            Openings::Thesis => burnett::setups(),
            Openings::Generated { plies } => {
                let generator = Generator::new(rules, seed, *plies);
                return Source { list: Vec::new(), generator: Some(generator) };
            }
            Openings::List(setups) => setups.clone(),
        };
        Source { list, generator: None }
    }
}

/// Openings by number.
pub struct Source {
    list: Vec<Setup>,
    generator: Option<Generator>,
}

impl Source {
    /// The opening with this number, which is generated if need be.
    ///
    /// # Errors
    ///
    /// If no more can be generated.
    pub fn get(&mut self, number: u64) -> Result<Setup, OpeningError> {
        if let Some(generator) = &mut self.generator {
            while self.list.len() as u64 <= number {
                self.list.push(Setup::from(&generator.next_opening()?));
            }
        }
        Ok(self.list[(number % self.list.len() as u64) as usize].clone())
    }
}

/// The one of a position's images (mirrored left to right, colours exchanged, or both) that stands
/// for all of them: a pair of games from one is a pair from any other.
pub(crate) fn canonical(position: &Position) -> Position {
    let images = [position.clone(), position.mirror(), position.flip(), position.mirror().flip()];
    images.into_iter().min_by_key(Position::key).expect("there are four")
}

/// Whether a game can begin here at all.
pub(crate) fn goes_on(jungle: &Jungle, position: &Position) -> bool {
    jungle.outcome(position).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_and_faults_named() {
        let text = "# two\n\n7/7/3e3/7/7/7/3E3/7/7 w ; first\nl5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L b - - 0 1\n";
        let openings = Openings::read(text, Rules::STANDARD).unwrap();
        let mut source = openings.source(Rules::STANDARD, 1);
        assert_eq!(source.get(0), source.get(2));
        assert_ne!(source.get(0), source.get(1));
        assert!(matches!(openings.describe(), Described::List { count: 2, .. }));

        let fault = |text| Openings::read(text, Rules::STANDARD).unwrap_err().to_string();
        assert!(fault("\nbad").starts_with("line 2: "));
        assert!(fault("3C3/7/7/7/7/7/7/7/6r b").contains("the game is over there"));
        assert!(fault(" \n#\n").contains("one FEN a line"));
    }

    #[test]
    fn the_thesis_has_twenty_positions_to_begin_with() {
        let mut source = Openings::Thesis.source(Rules::TUFTS, 1);
        let jungle = Jungle::new(Rules::TUFTS);
        let positions: Vec<Position> =
            (0..20).map(|at| source.get(at).unwrap().position().unwrap()).collect();
        assert!(positions.iter().all(|position| goes_on(&jungle, position)));
        assert_eq!(positions[0], Position::start());
        let counts: Vec<u32> = positions.iter().map(|position| position.occupied().len()).collect();
        assert_eq!(source.get(20), source.get(0));
        // In (m) to (t) White lacks the rat, and Black one piece.
        assert_eq!(counts[12..], [14; 8], "{counts:?}");
    }

    #[test]
    fn images_share_a_canonical_form() {
        let position: Position = "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w".parse().unwrap();
        let one = canonical(&position);
        assert_eq!(one, canonical(&position.mirror()));
        assert_eq!(one, canonical(&position.flip()));
        assert_eq!(one, canonical(&position.flip().mirror()));
        assert_ne!(one, canonical(&position.with_turn(jungle::Color::Black)));
    }
}
