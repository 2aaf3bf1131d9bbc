//! Causality: bounds on when pieces can affect each other, and decomposition into subproblems.
//!
//! From Burnett, *Discovering and Searching Loosely Coupled Subproblems in Dou Shou Qi* (2010),
//! chapters 4 to 10. Pieces move slowly, so those far apart cannot meet for a while. From that
//! follows a distance in time between pieces, from the distances clusters, and from the clusters a
//! cut of the board into parts that can be searched one by one.
//!
//! # Definitions
//!
//! - A **free body** moves at every ply along the graph of its [`Movement`] as if alone on the board.
//!   Its **effect cone** ([`Cone`]) says for each square how many moves it is away. No piece ever
//!   enters its own den; the enemy's den ends the game, so it is entered but never crossed. (Burnett's
//!   examples shut the wrong one of the two.) A rat may get in the way of a jump, but
//!   then it is there: a free body jumps whatever swims.
//! - Player A moves on plies 1, 3, 5 …, player B on plies 2, 4, 6 …: [`Cone::a`] and [`Cone::b`] turn
//!   moves into plies. Which colour is A is a [`Position`](crate::Position)'s side to move when a
//!   single position is looked at; while a game is followed move by move, A stays with one colour,
//!   so that a move changes only the weights of the piece that moved. Every function that depends
//!   on it takes the colour of A as `first`.
//! - [`Cone::max`], [`Cone::min`] and [`Cone::min_height`] combine cones. The **causality function**
//!   T ([`cone::time_to_effect`], Definition 7.1) of two enemies is the least height of
//!   `Max(A(U), B(V))`, less 1; of two pieces of one side, twice the least height of
//!   `Max(A(U), A(V))` (or `B`), less 1. Adjacent enemies, and a jumper and its target across the
//!   water, have T = 0.
//! - The **complete graph** of a position has T as its weights ([`Graph`]). Cutting its minimum
//!   spanning tree ([`tree`]) at its largest edge gives the two parts that stay apart the longest,
//!   for `T_max` plies; cutting every edge above a threshold gives the parts of a [`Split`].
//! - Each square belongs to the part whose **cumulative cone** (the minimum of the cones of its
//!   pieces, in plies) is lowest there. A tie goes to the part with more pieces, then to the one
//!   listed first: with that, Burnett's Figure 14 (b) comes out except for one square. Squares that
//!   no piece reaches (the lakes, when no rat is left) belong to no part. A den is open to every part
//!   that holds one of the traps beside it.
//!
//! # The files
//!
//! `time` and `movement` are the vocabulary; `cone` has the definitions as printed; `graph`
//! has T in tables, which is what makes it fast; `tree` has Kruskal's and Prim's algorithms,
//! `update` keeps a tree up to date while pieces move; `split` cuts positions, `naive` does the
//! same by the definitions and is its oracle. `race` is another use of the same distances: who
//! reaches a den before an enemy can stop it.

pub mod cone;
mod drawing;
pub mod graph;
pub mod movement;
pub mod naive;
pub mod race;
pub mod split;
mod time;
pub mod tree;
pub mod update;

pub use cone::Cone;
pub use graph::{Causality, Graph, Node};
pub use movement::Movement;
pub use race::Races;
pub use split::{PartSquares, Split};
pub use time::Time;
