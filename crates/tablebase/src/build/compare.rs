//! Comparison of the textbook solver with the one in use, for benchmarks.

use std::time::{Duration, Instant};

use jungle::{Jungle, Rules};

use super::error::BuildError;
use super::memory::in_memory;
use super::plan::Wanted;
use crate::material::{Material, table_rules};
use crate::plain::Plain;
use crate::probe::Tablebase;
use crate::solved::Solver;

/// How long two solvers take for the same class.
#[derive(Clone, Copy, Debug)]
pub struct SolverTimes {
    /// How many positions the class has, mirror images counted apart, with either side to move.
    pub positions: u64,
    /// Textbook retrograde analysis, position by position.
    pub plain: Duration,
    /// Retrograde analysis a row at a time, with bitboards, as tables are built. Mirror images are
    /// solved once.
    pub sweeping: Duration,
}

/// Solves a class with both solvers, on one thread each, given the classes that it leads to.
///
/// # Errors
///
/// If the class has too many pieces, or a thread cannot be started.
pub fn compare_solvers(rules: &Rules, class: Material) -> Result<SolverTimes, BuildError> {
    let rules = table_rules(rules);
    let wanted = Wanted::Classes(vec![class]);
    let mut solver = Solver::new(wanted.classes(&rules)?);
    let Some(at) = solver.classes().mapping(class).map(|mapping| mapping.class) else {
        return Err(BuildError::TooManyPieces { class, most: super::MOST_PIECES });
    };
    for below in solver.below(at) {
        solver.solve(below);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| BuildError::Threads(Box::new(error)))?;
    let start = Instant::now();
    pool.install(|| solver.solve(at));
    let sweeping = start.elapsed();

    let below = class.pieces() - 1;
    let tables = Tablebase::new(&rules, below, in_memory(&rules, &Wanted::Pieces(below))?);
    let start = Instant::now();
    let plain = Plain::solve(&Jungle::new(rules), &class.in_order(), |position| {
        tables.probe(position).expect("smaller tables were built first")
    });
    let time = start.elapsed();
    Ok(SolverTimes { positions: plain.positions().count() as u64, plain: time, sweeping })
}
