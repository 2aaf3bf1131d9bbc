//! `mousetrap gadgets trial`: strategies against adversaries on random formulas.

use std::io::Write;

use gadgets::trial::{Tally, Trial, Tried};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::args::TrialArgs;
use super::side;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Outcome {
    adversary: &'static str,
    seed: u64,
    formulas: u32,
    games_white_should_win: usize,
    games_black_should_win: usize,
    lost_by_white: usize,
    lost_by_black: usize,
    broken_contracts: usize,
    longest_game: usize,
    plies: usize,
}

pub fn run(args: &TrialArgs, output: &mut Output) -> Result<(), Failure> {
    let (opponent, adversary) = args.adversary.opponent();
    let trial = Trial {
        formulas: args.formulas as usize,
        variables: args.variables.into(),
        clauses: args.clauses.into(),
        opponent,
        seed: args.seed,
        rules: args.rules.board_rules(),
        stepping: args.stepping,
    };
    let bar = ProgressBar::new(args.formulas.into()).with_style(
        ProgressStyle::with_template("{pos}/{len} formulas, {eta} left").expect("a valid template"),
    );
    let mut tally = Tally::default();
    for (nth, formula) in trial.formulas().enumerate() {
        for game in trial.games(nth, &formula) {
            tally.add(&game);
            if !args.json {
                report(&game, output)?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        return output.json(&Outcome {
            adversary,
            seed: args.seed,
            formulas: args.formulas,
            games_white_should_win: tally.games[0],
            games_black_should_win: tally.games[1],
            lost_by_white: tally.lost[0],
            lost_by_black: tally.lost[1],
            broken_contracts: tally.broken,
            longest_game: tally.longest,
            plies: tally.plies,
        });
    }
    let Tally { games, lost, broken, longest, plies } = tally;
    writeln!(
        output,
        "{} formulas with up to {} variables and {} clauses, seed {}, adversary {adversary}, rules {}",
        args.formulas, args.variables, args.clauses, args.seed, args.rules
    )?;
    for (name, nth) in [("White", 0), ("Black", 1)] {
        writeln!(output, "{name} by strategy: {} games, {} not won", games[nth], lost[nth])?;
    }
    writeln!(
        output,
        "broken contracts in {broken} games; {plies} plies, at most {longest} in a game"
    )?;
    Ok(())
}

/// Prints a game that went wrong.
fn report(game: &Tried, output: &mut Output) -> Result<(), Failure> {
    let Tried { formula, first, played } = game;
    if played.winner == Some(played.strategist) && played.broken.is_empty() {
        return Ok(());
    }
    let geometry = played.board.geometry();
    let moves: Vec<String> = played.moves.iter().map(|mv| mv.name(geometry)).collect();
    writeln!(
        output,
        "{formula}, {} first: {} by strategy, winner {}, broken {:?}\n  {}",
        side(*first),
        side(played.strategist),
        played.winner.map_or("none", side),
        played.broken,
        moves.join(" ")
    )?;
    Ok(())
}
