//! Dou Shou Qi (Jungle, Animal Chess, 斗兽棋): the rules, exactly.
//!
//! A [`Position`] is plain data; [`Jungle`] is the game under a set of [`Rules`], and knows the
//! legal moves; a [`Play`] is a game in progress, with repetition and move limits. Around them: FEN
//! ([`Setup`]), moves as text ([`notation`]), game records ([`pgn`]) and pictures ([`picture`]).
//!
//! ```
//! use game::Game;
//! use jungle::{Jungle, Play, Position, Rules, parse_move};
//!
//! let jungle = Jungle::new(Rules::STANDARD);
//! assert_eq!(jungle.moves(&Position::start()).len(), 24);
//!
//! let mut play = Play::start(jungle);
//! let mv = parse_move(play.jungle(), play.position(), "Eb3")?;
//! play.play(mv)?;
//! assert_eq!(play.setup().to_string(), "l5t/1d3c1/r1p1w1e/7/7/7/1EW1P1R/1C3D1/T5L b - - 1 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod animal;
pub mod bitboard;
pub mod board;
mod burnett;
pub mod causality;
pub mod color;
pub mod decompose;
mod ending;
pub mod fen;
pub mod legality;
pub mod movegen;
pub mod moves;
pub mod naive;
pub mod notation;
pub mod pgn;
pub mod picture;
pub mod play;
pub mod position;
pub mod rules;
pub mod setup;
pub mod square;
pub mod tactics;
mod text;
mod zobrist;

pub use animal::{Animal, AnimalSet, Piece};
pub use bitboard::Bitboard;
pub use burnett::BurnettEval;
pub use color::{ByColor, Color};
pub use ending::{EndReason, Ending};
pub use fen::ParseFenError;
pub use legality::{IllegalMove, IllegalReason};
pub use movegen::{Jungle, Symmetry};
pub use moves::Move;
pub use notation::{Notation, ParseMoveError, parse_move};
pub use play::Play;
pub use position::{ParsePositionError, Position};
pub use rules::{ParseRulesError, Repetition, Rules};
pub use setup::{Setup, SetupError};
pub use square::{ParseSquareError, Square};
