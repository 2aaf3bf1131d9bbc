//! The Game of the Amazons (El Juego de las Amazonas, Walter Zamkauskas, 1988).
//!
//! Each side has a few amazons that move as chess queens. A move is an amazon's step and then an
//! arrow, shot from where she arrives as a queen would move; the square it hits is blocked for
//! ever, and nothing passes over amazons or arrows. A player who cannot move loses, so there are no draws
//! and no game outlasts the empty squares.
//!
//! The arrows cut the board into [regions](region) between which nothing can pass, and from then on
//! the game is a sum of smaller ones. The crate holds the [rules](Amazons), a [plain version of
//! them](naive), [an evaluation](evaluate) that adds up over regions, and [exact endgames](exact) by
//! the theory of sums of games.
//!
//! ```
//! use amazons::{Amazons, Position};
//! use game::Game;
//!
//! let start = Position::start(10, 10).expect("boards have 4 to 10 files and ranks");
//! assert_eq!(Amazons.moves(&start).len(), 2_176);
//! ```

pub mod batch;
pub mod bitboard;
pub mod cgt;
pub mod champion;
pub mod check_proof;
pub mod decompose;
pub mod divide;
pub mod evaluate;
pub mod exact;
pub mod fen;
pub mod naive;
pub mod notation;
pub mod picture;
pub mod player;
mod position;
pub mod region;
pub mod regions_file;
mod rules;
pub mod shape;
mod size;
pub mod solve;
mod square;
pub mod symmetry;
pub mod thermograph;
mod zobrist;

pub use bitboard::Bitboard;
pub use notation::Move;
pub use position::{Position, player_name};
pub use rules::Amazons;
pub use size::{Size, SizeError};
pub use square::Square;
