//! `mousetrap amazons analyse`: regions, values, the best move, and who wins.

use std::io::Write;
use std::time::Duration;

use amazons::picture::Picture;
use amazons::player_name;
use answers::amazons::{Analysis, Question, Solving};
use game::limits::Limits;

use super::args::AnalyseArgs;
use crate::failure::Failure;
use crate::output::Output;

/// Longer values are left out.
const LONGEST_VALUE: usize = 60;

pub fn run(args: &AnalyseArgs, output: &mut Output) -> Result<(), Failure> {
    let position = super::position(&args.position)?;
    let solving = Solving {
        steps: u64::MAX,
        steps_each: args.steps,
        value_steps: args.steps,
        portion: args.steps,
        longest_value: LONGEST_VALUE,
    };
    let limits = Limits::depth(args.depth).with_time(Duration::from_secs_f64(args.seconds));
    let question = Question { algorithm: args.algorithm, limits, solving: Some(solving) };
    let analysis = Analysis::new(&position, &question);
    if args.json {
        return output.json(&analysis);
    }
    write!(output, "{}", Picture::of(&position).regions(true).to_terminal())?;
    print(&analysis, args, output)
}

fn print(analysis: &Analysis, args: &AnalyseArgs, output: &mut Output) -> Result<(), Failure> {
    writeln!(output, "{}", analysis.fen)?;
    writeln!(
        output,
        "{} legal moves; evaluation {} for {} (queen territory {:+}, king territory {:+}, mobility \
         {:+} for White)",
        analysis.count,
        analysis.evaluation,
        player_name(analysis.turn),
        analysis.queen_territory,
        analysis.king_territory,
        analysis.mobility
    )?;
    for region in &analysis.regions {
        let value = region.value.as_ref().map(|value| format!(", worth {value}"));
        writeln!(
            output,
            "  {} [{} empty, evaluation {}{}]",
            region.region,
            region.region.empty,
            region.evaluation,
            value.unwrap_or_default()
        )?;
    }
    let score = analysis.score.map_or_else(String::new, |score| score.to_string());
    match &analysis.best {
        Some(best) => writeln!(
            output,
            "search to depth {}: {best}, {score} ({} nodes)",
            analysis.depth, analysis.nodes
        )?,
        None if analysis.count > 0 => writeln!(output, "search to depth 0: {score}")?,
        None => {}
    }
    match (analysis.winner.map(player_name), &analysis.winning_move) {
        (Some(winner), _) if analysis.count == 0 => {
            writeln!(output, "The game is over: {winner} wins")?;
        }
        (Some(winner), Some(mv)) => writeln!(output, "solved: {winner} wins, with {mv}")?,
        (Some(winner), None) => writeln!(output, "solved: {winner} wins")?,
        (None, _) if args.steps > 0 => {
            writeln!(output, "not solved within {} steps (see --steps)", args.steps)?;
        }
        (None, _) => {}
    }
    Ok(())
}
