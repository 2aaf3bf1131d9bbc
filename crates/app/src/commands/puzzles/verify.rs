//! `mousetrap puzzles verify`: proves every puzzle again.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use game::rng::Rng;
use jungle::Jungle;
use puzzles::{Flaw, Force, Identity, JudgeError, Proof, Puzzle, Tables, ThemeSet, prove, themes};
use rayon::prelude::*;

use super::args::VerifyArgs;
use super::book;
use crate::commands::tb::set::{Set, on_threads};
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &VerifyArgs, output: &mut Output) -> Result<(), Failure> {
    let book = book(args.file.as_deref())?;
    let start = Instant::now();
    let mut chosen: Vec<&Puzzle> = book.puzzles().iter().collect();
    if let Some(sample) = args.sample {
        let mut rng = Rng::new(args.seed);
        while chosen.len() > sample {
            chosen.swap_remove(rng.below(chosen.len()));
        }
    }
    let jungle = Jungle::new(*book.rules());
    let mut set = args.set.clone();
    set.rules.rules = *book.rules();
    let set = Set::open(&set)?;
    let tables = Tables::new(Arc::clone(set.tablebase()));
    let check = || chosen.par_iter().map(|puzzle| fault(puzzle, &jungle, &tables)).collect();
    let faults: Vec<Result<Option<String>, JudgeError>> = on_threads(args.threads, check)?;
    let mut wrong = 0;
    let mut names: HashMap<Identity, &str> = HashMap::new();
    for (puzzle, fault) in chosen.iter().zip(faults) {
        let fault = match fault {
            Ok(fault) => fault,
            Err(JudgeError::Tables(error)) => return Err(set.failure(error)),
            Err(error) => Some(error.to_string()),
        };
        let same = names.insert(Identity::of(&jungle, &puzzle.start), &puzzle.id);
        let same = same.map(|other| format!("it is the same game as {other}"));
        if let Some(fault) = fault.or(same) {
            wrong += 1;
            writeln!(output, "{}: {fault}", puzzle.id)?;
        }
    }
    let plies: usize = chosen.iter().map(|puzzle| puzzle.solution.len()).sum();
    let searched = chosen.iter().filter(|puzzle| puzzle.proof == Proof::Search).count();
    writeln!(
        output,
        "{} puzzles with {plies} plies of solutions checked in {:.1} s: {} by tables, {searched} by search; {wrong} wrong",
        chosen.len(),
        start.elapsed().as_secs_f64(),
        chosen.len() - searched
    )?;
    match wrong {
        0 => Ok(()),
        _ => Err(Failure::Outside(format!("{wrong} of {} puzzles are wrong", chosen.len()))),
    }
}

/// What is wrong with a puzzle, if anything is.
fn fault(puzzle: &Puzzle, jungle: &Jungle, tables: &Tables) -> Result<Option<String>, JudgeError> {
    if puzzle.own_id() != puzzle.id {
        return Ok(Some(format!("its name should be {}", puzzle.own_id())));
    }
    let (proved, found) = match puzzle.proof {
        Proof::Tables => {
            let mut judge = tables.clone();
            (
                prove(puzzle, &mut judge),
                themes(&mut judge, &puzzle.start, puzzle.goal, &puzzle.solution)?,
            )
        }
        Proof::Search => {
            let mut judge = Force::new(jungle);
            (
                prove(puzzle, &mut judge),
                themes(&mut judge, &puzzle.start, puzzle.goal, &puzzle.solution)?,
            )
        }
    };
    match proved {
        Ok(()) => Ok(misnamed(puzzle, found)),
        Err(Flaw::Judge(error)) => Err(error),
        Err(flaw) => Ok(Some(flaw.to_string())),
    }
}

fn misnamed(puzzle: &Puzzle, found: ThemeSet) -> Option<String> {
    (found != puzzle.themes).then(|| {
        let names: Vec<&str> = found.iter().map(puzzles::Theme::name).collect();
        format!("its themes should be {}", names.join(","))
    })
}
