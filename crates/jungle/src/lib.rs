//! Dou Shou Qi (Jungle, Animal Chess, 斗兽棋): the rules, exactly.

pub mod animal;
pub mod bitboard;
pub mod board;
pub mod color;
pub mod fen;
pub mod legality;
pub mod movegen;
pub mod moves;
pub mod naive;
pub mod notation;
pub mod pgn;
pub mod play;
pub mod position;
pub mod rules;
pub mod setup;
pub mod square;
mod zobrist;

pub use animal::{Animal, AnimalSet, Piece};
pub use bitboard::Bitboard;
pub use color::{ByColor, Color};
pub use fen::ParseFenError;
pub use legality::{Fault, IllegalMove};
pub use movegen::{EndReason, Ending, Jungle, Symmetry};
pub use moves::Move;
pub use notation::{Notation, ParseMoveError, parse_move};
pub use play::Play;
pub use position::{ParsePositionError, Position};
pub use rules::{ParseRulesError, Repetition, Rules};
pub use setup::{Setup, SetupError};
pub use square::{ParseSquareError, Square};
