//! Openings: the positions in which games begin.
//!
//! Games between deterministic programs are all alike from one position, so a contest
//! needs many. They are the usual start, the twenty positions of Burnett's thesis, the lines of a
//! file, or generated from the seed ([`generate`]); every pair of games takes the next one, and when
//! they run out, the first again.

mod burnett;
pub mod generate;

use std::io;

use game::Game;
use jungle::{Ending, Jungle, ParsePositionError, Position, Rules, Setup, SetupError};
use serde::{Deserialize, Serialize};

pub use generate::Generator;

/// How many random plies a generated opening has by default.
pub const DEFAULT_PLIES: u32 = 8;

/// Which openings a contest begins with. As text: `start`, `burnett`, `burnett-removal`, `generated:8`, or the digest of
/// a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Openings {
    /// The usual start, always.
    Start,
    /// The positions of Appendix A of Burnett's thesis.
    Burnett,
    /// The same, but of those in which a side lacks a piece not what is drawn, but the usual start without that piece.
    BurnettRemoval,
    /// Generated from the contest's seed.
    Generated {
        /// How many random plies they are made with.
        plies: u32,
    },
    /// A list of positions.
    List(Vec<Setup>),
}

/// The description of the openings in the settings of a contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningsDescription {
    /// The usual start.
    Start,
    /// The positions of Burnett's Appendix A; `thesis` in records.
    #[serde(rename = "thesis")]
    Burnett,
    /// The same with the usual start, less a piece, for what is drawn as (m) to (t).
    BurnettRemoval,
    /// Generated from the seed with this many random plies.
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// A line of a list is not a position in which a game can begin.
    #[error("line {line}: {fault}")]
    Line {
        /// Which, counted from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        fault: OpeningFault,
    },
    /// There are no positions in the list.
    #[error("there is no position; write one FEN per line")]
    Empty,
    /// An opening is not a legal position.
    #[error("the opening is not a position: {0}")]
    Setup(#[from] SetupError),
    /// Hardly any new random position passes the filter.
    #[error("only {found} balanced openings of {plies} random plies were found; use more plies")]
    Exhausted {
        /// How many were found.
        found: usize,
        /// How many random plies they have.
        plies: u32,
    },
}

/// What is wrong with a line of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningFault {
    /// It is not a position.
    #[error(transparent)]
    Position(#[from] ParsePositionError),
    /// The game is over there.
    #[error("the game is over there: {0}")]
    Over(Ending),
}

/// Why openings cannot be found by name.
#[derive(Debug, thiserror::Error)]
pub enum NamedOpeningsError {
    /// It is not a known name, and the file cannot be read.
    #[error(
        "'{name}' is neither 'start', 'burnett' nor 'burnett-removal', and as a file of FENs it cannot be read: {error}"
    )]
    File {
        /// The name.
        name: String,
        /// Why it cannot be read.
        #[source]
        error: io::Error,
    },
    /// The file does not hold openings.
    #[error("{name}: {error}")]
    List {
        /// The name of the file.
        name: String,
        /// What is wrong with it.
        #[source]
        error: OpeningError,
    },
}

impl Openings {
    /// Reads positions, one FEN per line; what follows a `;` or `#` is a comment.
    ///
    /// # Errors
    ///
    /// If a line is not a position, or one where the game is over.
    pub fn read(text: &str, rules: Rules) -> Result<Openings, OpeningError> {
        let jungle = Jungle::new(rules);
        let mut setups = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let fen = line.split([';', '#']).next().unwrap_or_default().trim();
            if fen.is_empty() {
                continue;
            }
            let setup =
                begin(&jungle, fen).map_err(|fault| OpeningError::Line { line: at + 1, fault })?;
            setups.push(setup);
        }
        if setups.is_empty() { Err(OpeningError::Empty) } else { Ok(Openings::List(setups)) }
    }

    /// Openings by name (`start`, `burnett`, `burnett-removal`), or those of a file, one FEN per line.
    ///
    /// # Errors
    ///
    /// If there is neither, or the file is invalid.
    pub fn named(name: &str, rules: Rules) -> Result<Openings, NamedOpeningsError> {
        match name {
            "start" => Ok(Openings::Start),
            "burnett" | "thesis" => Ok(Openings::Burnett),
            "burnett-removal" => Ok(Openings::BurnettRemoval),
            path => {
                let name = path.to_owned();
                match std::fs::read_to_string(path) {
                    Err(error) => Err(NamedOpeningsError::File { name, error }),
                    Ok(text) => Openings::read(&text, rules)
                        .map_err(|error| NamedOpeningsError::List { name, error }),
                }
            }
        }
    }

    /// Their description in the settings.
    pub fn describe(&self) -> OpeningsDescription {
        match self {
            Openings::Start => OpeningsDescription::Start,
            Openings::Burnett => OpeningsDescription::Burnett,
            Openings::BurnettRemoval => OpeningsDescription::BurnettRemoval,
            Openings::Generated { plies } => OpeningsDescription::Generated { plies: *plies },
            Openings::List(setups) => {
                let mut hasher = blake3::Hasher::new();
                for setup in setups {
                    hasher.update(setup.to_string().as_bytes()).update(b"\n");
                }
                let digest = hasher.finalize().to_hex()[..16].to_owned();
                OpeningsDescription::List { count: setups.len(), digest }
            }
        }
    }

    /// The source that yields them one after another.
    pub fn source(&self, rules: Rules, seed: u64) -> OpeningSource {
        let list = match self {
            Openings::Start => vec![Setup::from(&Position::start())],
            Openings::Burnett => burnett::setups(burnett::Handicap::Drawn),
            Openings::BurnettRemoval => burnett::setups(burnett::Handicap::Removal),
            Openings::Generated { plies } => {
                let generator = Generator::new(rules, seed, *plies);
                return OpeningSource { list: Vec::new(), generator: Some(generator) };
            }
            Openings::List(setups) => setups.clone(),
        };
        OpeningSource { list, generator: None }
    }
}

/// Reads a position in which a game can begin.
fn begin(jungle: &Jungle, fen: &str) -> Result<Setup, OpeningFault> {
    let setup: Setup = fen.parse().map_err(ParsePositionError::from)?;
    let position = setup.position().map_err(ParsePositionError::from)?;
    match jungle.ending(&position) {
        Some(ending) => Err(OpeningFault::Over(ending)),
        None => Ok(setup),
    }
}

/// Openings by number.
pub struct OpeningSource {
    list: Vec<Setup>,
    generator: Option<Generator>,
}

impl OpeningSource {
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
        assert!(matches!(openings.describe(), OpeningsDescription::List { count: 2, .. }));

        let fault = |text| Openings::read(text, Rules::STANDARD).unwrap_err().to_string();
        assert!(fault("\nbad").starts_with("line 2: "));
        assert!(fault("3C3/7/7/7/7/7/7/7/6r b").contains("the game is over there"));
        assert!(fault(" \n#\n").contains("one FEN per line"));
    }

    #[test]
    fn burnett_has_twenty_positions_to_begin_with() {
        let mut source = Openings::Burnett.source(Rules::TUFTS, 1);
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
    fn the_removal_set_differs_in_the_last_eight() {
        let sources = [Openings::Burnett, Openings::BurnettRemoval];
        let [mut drawn, mut removed] = sources.map(|one| one.source(Rules::TUFTS, 1));
        let start = Position::start();
        for at in 0..20 {
            let (drawn, removed) = (drawn.get(at).unwrap(), removed.get(at).unwrap());
            assert_eq!(drawn == removed, at < 12);
            if at >= 12 {
                let position = removed.position().unwrap();
                assert_eq!(position.side(jungle::Color::White), start.side(jungle::Color::White));
                assert_eq!(position.side(jungle::Color::Black).len(), 7);
                assert!(start.side(jungle::Color::Black).intersects(position.occupied()));
            }
        }
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
