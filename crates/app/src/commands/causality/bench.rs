//! `mousetrap bench split`: cutting positions, fast and plain, in one run.

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use game::Game;
use game::rng::Rng;
use jungle::causality::{Causality, naive};
use jungle::{Jungle, Position, Rules};
use serde::Serialize;

use crate::commands::causality::args::BenchSplitArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Way {
    name: &'static str,
    positions: usize,
    /// Of one position, in the best round: noise only ever slows a run down.
    microseconds: f64,
    /// How many times faster than the plain way.
    ratio: f64,
}

/// A way of splitting; counts something of what it found, so that it is not left out.
type Count<'a> = &'a dyn Fn(&Position) -> usize;

pub fn split(args: &BenchSplitArgs, output: &mut Output) -> Result<(), Failure> {
    let rules = args.rules.rules;
    let causality = Causality::new(&rules);
    let positions = full_boards(rules, args.positions as usize);
    let threshold = args.threshold;

    let ways: [(&str, Count<'_>); 3] = [
        ("plain: cones as matrices, Kruskal, minima of cones", &|position| {
            naive::split(&causality, position, position.turn(), threshold).1.len()
        }),
        ("tables: the complete graph alone", &|position| {
            causality.graph(position, position.turn()).nodes().len()
        }),
        ("tables and words: the whole split", &|position| {
            causality.split(position, position.turn(), threshold).parts().len()
        }),
    ];
    let mut best = [f64::INFINITY; 3];
    for _ in 0..args.rounds {
        for ((_, way), best) in ways.iter().zip(&mut best) {
            let start = Instant::now();
            for position in &positions {
                black_box(way(black_box(position)));
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    // Both ways must say the same; the tests ask more closely.
    if let Some(wrong) =
        positions.iter().find(|position| ways[0].1(position) != ways[2].1(position))
    {
        return Err(Failure::Outside(format!("the two ways disagree on {wrong}")));
    }
    if !args.json {
        writeln!(
            output,
            "splitting {} positions of 16 pieces, threshold {threshold}, {rules}, best of {} rounds",
            positions.len(),
            args.rounds
        )?;
    }
    for ((name, _), seconds) in ways.into_iter().zip(best) {
        let microseconds = seconds * 1e6 / positions.len() as f64;
        let way = Way { name, positions: positions.len(), microseconds, ratio: best[0] / seconds };
        if args.json {
            output.json(&way)?;
        } else {
            writeln!(output, "{name:<52} {microseconds:>9.3} µs {:>8.1} x", way.ratio)?;
        }
    }
    Ok(())
}

/// Positions of random games without captures, so that all pieces are on the board.
fn full_boards(rules: Rules, wanted: usize) -> Vec<Position> {
    let jungle = Jungle::new(rules);
    let mut rng = Rng::new(1);
    let mut boards = Vec::with_capacity(wanted);
    let mut position = Position::start();
    while boards.len() < wanted {
        let mut moves = jungle.moves(&position);
        moves.retain(|mv| !mv.is_capture());
        match rng.choose(&moves) {
            Some(&mv) if !position.occupied().intersects(jungle::board::DENS) => {
                position.make(mv);
                boards.push(position.clone());
            }
            _ => position = Position::start(),
        }
    }
    boards
}
