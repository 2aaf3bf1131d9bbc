//! Van Rijn & Vis: *Complexity and retrograde analysis of the game Dou Shou Qi* (2013) and *Endgame analysis
//! of Dou Shou Qi* (2014).

pub mod branching;
pub mod depth14;
pub mod figure2;
pub mod table1;
pub mod table2;

pub use branching::Branching;
pub use depth14::Depth14;
pub use figure2::Figure2;
pub use table1::Table1;
pub use table2::Table2;

const PAPER_2013: &str =
    "van Rijn & Vis (2013), Complexity and retrograde analysis of the game Dou Shou Qi";
const PAPER_2014: &str = "van Rijn & Vis (2014), Endgame analysis of Dou Shou Qi";

/// Table 1: leaves and seconds for plies 1 to 7 on an Intel i7-2600.
pub const LEAVES: [(u64, f64); 7] = [
    (24, 0.00),
    (576, 0.00),
    (12_240, 0.00),
    (260_100, 0.06),
    (5_098_477, 1.26),
    (99_860_517, 23.46),
    (1_890_415_534, 471.33),
];

/// Table 1: the evaluation for plies 1 to 7, in the units of their evaluation.
pub const EVALUATIONS: [i32; 7] = [5, 0, 3, 0, 3, 0, 3];
