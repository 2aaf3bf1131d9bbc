//! Proofs by parts: wins of positions that no table holds, from a few pieces that decide and bounds on all others.
//!
//! # What is proved
//!
//! A side, the *winner*, plays with some of its pieces only, against some of the enemy's; these are the *part*. The
//! other pieces of the winner are *still*: they do not move, except that one of them, the *spare*, may step to and fro
//! between two squares. The enemy's other pieces are *far*; of them only is known that they are free bodies, which move
//! as if alone on the board (the effect cones of [`causality`](jungle::causality)), and that each of the enemy's moves
//! is one of theirs at most. The winner has a strategy that wins within a number of plies, whatever the enemy does with
//! the part and wherever the far pieces go.
//!
//! # Why it is true
//!
//! Let the enemy have made `t` moves. A far piece is within `t` moves of where it stood, as a free body: real pieces
//! are never sooner. A strategy is accepted only if at every point
//!
//! - **it cannot be stopped**: the winner moves to no square where a far piece can be within `t` moves, unless what
//!   moves takes that piece wherever they meet, and jumps over no water where a far rat can be; nor to the square of a still piece, nor
//!   over a still rat;
//! - **it cannot be taken**: when the enemy is to move, no far piece that may take a piece of the winner's part can be on its square within
//!   `t + 1` moves, the last of which would be the capture;
//! - **the enemy is not sooner**: no far piece can be in the winner's den within `t + 1` moves, and a piece of the part
//!   that gets there refutes the strategy;
//! - **all replies are met**: every move that the enemy's pieces of the part have on a board where only the part stands, and
//!   a pass where there are far pieces. On the real board they have fewer: other pieces can only be in the way, and a
//!   still piece that is taken was of no use;
//! - **waiting is possible**: the winner passes only if there is a spare, and neither of its two squares, both on land, can be reached by
//!   a far piece within `t + 1` moves, nor ever was by an enemy of the part;
//! - **the end is one**: the den, or the capture of all pieces of the part where no piece is far. Where an enemy without
//!   a move draws, he must be shown to have one: a move in the part that nothing can be in the way of; or, where all his
//!   pieces are far, that none can stand beside a piece of the winner. (Land without his own den is in
//!   one piece, so a group of his pieces has a free square beside it unless enemies stand there.)
//!
//! Danger only grows with `t`. Repetition and move limits are ignored, as always when a position is judged by itself. Nothing
//! is said of positions without a proof, and draws are not proved: far pieces come near in time.
//!
//! # How it is found, and checked
//!
//! [`Prover`] goes through small parts. A [tempo table](crate::tempo) of the part, with any number of passes for the enemy if he has far
//! pieces, and for the winner if there is a spare, says whether there is a strategy at all when nothing
//! else is on the board, and how long it takes at least; a search guided by it finds one that keeps the conditions. The
//! [`Certificate`] lists what the winner plays. [`check()`] plays it through against all replies with another move
//! generator and other distances, and shares nothing with the search.

mod certificate;
mod check;
mod rest;
mod search;
#[cfg(test)]
mod tests;

pub use certificate::{By, Certificate, Proof, Step};
pub use check::{Fault, check};
pub use search::Prover;
