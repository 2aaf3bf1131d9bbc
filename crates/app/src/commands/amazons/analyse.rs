//! `mousetrap amazons analyse`: regions, values, the best move, and who wins.

use std::io::Write;
use std::time::Duration;

use amazons::divide::Divide;
use amazons::evaluate::{Parts, Weights};
use amazons::exact::Solver;
use amazons::picture::Picture;
use amazons::region;
use amazons::{Amazons, player_name};
use game::{Game, Outcome};
use search::{Limits, Schedule, deepen};
use serde::Serialize;

use super::args::AnalyseArgs;
use super::show::ShownRegion;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Analysis {
    position: String,
    turn: &'static str,
    moves: u64,
    evaluation: i32,
    queen_territory: i32,
    king_territory: i32,
    mobility: i32,
    regions: Vec<AnalysedRegion>,
    depth: u32,
    score: String,
    best: Option<String>,
    nodes: u64,
    /// Who wins with best play, if the solver found out.
    winner: Option<&'static str>,
    winning_move: Option<String>,
    solver_steps: u64,
}

#[derive(Serialize)]
struct AnalysedRegion {
    #[serde(flatten)]
    region: ShownRegion,
    empty: u32,
    /// The evaluation for the player to move.
    evaluation: i32,
    /// The value in combinatorial game theory, White's moves positive; only for small regions.
    value: Option<String>,
}

/// Beyond this a value in words helps nobody.
const LONGEST_VALUE: usize = 60;

pub fn run(args: &AnalyseArgs, output: &mut Output) -> Result<(), Failure> {
    let position = super::position(&args.position)?;
    let weights = Weights::default();
    let mut solver = Solver::new();

    let mut regions = Vec::new();
    for region in region::regions(&position).iter().filter(|region| region.kind.is_executing()) {
        let part = position.restricted(region.squares);
        let value = solver.describe(&part, args.steps);
        regions.push(AnalysedRegion {
            region: ShownRegion::from(region),
            empty: part.empty().len(),
            evaluation: weights.value(&part),
            value: value.filter(|text| text.len() <= LONGEST_VALUE),
        });
    }
    let limits = Limits::depth(args.depth).with_time(Duration::from_secs_f64(args.seconds));
    let mut search = Divide::new(weights);
    let report = deepen(&mut search, &position, Schedule::EVERY_PLY, &limits, |_| ());
    let solved = match Amazons.outcome(&position) {
        Some(Outcome::Win(player)) => Some(player),
        Some(Outcome::Draw) => None,
        None if args.steps == 0 => None,
        None => solver.winner(&position, args.steps).ok(),
    };
    let winning_move = match solved {
        Some(winner) if winner == position.turn() => {
            solver.winning_move(&position, args.steps).ok().flatten()
        }
        _ => None,
    };
    let parts = Parts::of(&position);
    let analysis = Analysis {
        position: position.to_string(),
        turn: player_name(position.turn()),
        moves: Amazons.count_moves(&position),
        evaluation: weights.value(&position),
        queen_territory: parts.queen_territory,
        king_territory: parts.king_territory,
        mobility: parts.mobility,
        regions,
        depth: report.depth,
        score: report.score.to_string(),
        best: report.best().map(|mv| mv.to_string()),
        nodes: report.nodes,
        winner: solved.map(player_name),
        winning_move: winning_move.map(|mv| mv.to_string()),
        solver_steps: solver.steps(),
    };
    if args.json {
        return output.json(&analysis);
    }
    write!(output, "{}", Picture::of(&position).regions(true).to_terminal())?;
    print(&analysis, args, output)
}

fn print(analysis: &Analysis, args: &AnalyseArgs, output: &mut Output) -> Result<(), Failure> {
    writeln!(output, "{}", analysis.position)?;
    writeln!(
        output,
        "{} legal moves; evaluation {} for {} (queen territory {:+}, king territory {:+}, mobility \
         {:+} for White)",
        analysis.moves,
        analysis.evaluation,
        analysis.turn,
        analysis.queen_territory,
        analysis.king_territory,
        analysis.mobility
    )?;
    for region in &analysis.regions {
        let value = region.value.as_ref().map(|value| format!(", worth {value}"));
        writeln!(
            output,
            "  {} [{} empty, evaluation {}{}]",
            region.region.describe(),
            region.empty,
            region.evaluation,
            value.unwrap_or_default()
        )?;
    }
    match &analysis.best {
        Some(best) => writeln!(
            output,
            "search to depth {}: {best}, {} ({} nodes)",
            analysis.depth, analysis.score, analysis.nodes
        )?,
        None if analysis.moves > 0 => writeln!(output, "search to depth 0: {}", analysis.score)?,
        None => {}
    }
    match (analysis.winner, &analysis.winning_move) {
        (Some(winner), _) if analysis.moves == 0 => {
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
