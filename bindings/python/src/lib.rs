//! The Python package `mousetrap`: engine, tables and laboratory from a notebook.
//!
//! Everything here is a thin layer: a Python object holds a value of one of the crates, its methods turn
//! arguments into the crates' types and answers into Python's, and nothing is decided here. What is more
//! natural in Python (data frames, plain records) stands in `python/mousetrap`. Four rules hold
//! throughout:
//!
//! - what can take long runs with Python's lock released, and Ctrl-C ends it (`waiting.rs`);
//! - errors are Python exceptions with the messages of the command line (`failure.rs`);
//! - arrays are checked before use, so that nothing panics across the boundary;
//! - docstrings have examples, which the tests run.

mod arrow;
mod batch;
mod causality;
mod contest;
mod convert;
mod engine;
mod failure;
mod game;
mod mining;
mod moves;
mod position;
mod report;
mod rules;
mod study;
mod tables;
mod waiting;

use pyo3::prelude::*;

/// What is written in Rust of the package `mousetrap`.
#[pymodule]
mod _mousetrap {
    #[pymodule_export]
    use crate::arrow::RecordBatches;
    #[pymodule_export]
    use crate::contest::{play_match, player_kinds};
    #[pymodule_export]
    use crate::engine::{Deepening, Engine};
    #[pymodule_export]
    use crate::game::{Game, read_pgn};
    #[pymodule_export]
    use crate::mining::DecisionTree;
    #[pymodule_export]
    use crate::moves::{Move, Outcome};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::report::{Analysis, Line, Score};
    #[pymodule_export]
    use crate::rules::Rules;
    #[pymodule_export]
    use crate::study::{run_study, studies};
    #[pymodule_export]
    use crate::tables::{Tablebase, Truth};

    /// The version of the package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
