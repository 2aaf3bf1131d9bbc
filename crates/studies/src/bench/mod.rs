//! Measurements: speed, memory and sizes, mostly as ratios of two methods in one run, which are the same on
//! every machine or nearly so. The node counts are.

pub mod amazons;
pub mod clock;
pub mod escape;
pub mod parts;
pub mod perft;
pub mod proofs;
pub mod spanning_tree;
pub mod split;
pub mod tables;
pub mod threads;

pub use amazons::AmazonsSpeed;
pub use clock::Clock;
pub use escape::EscapeMemory;
pub use parts::Parts;
pub use perft::MoveGeneration;
pub use proofs::Proofs;
pub use spanning_tree::SpanningTrees;
pub use split::Splits;
pub use tables::Tables;
pub use threads::Threads;
