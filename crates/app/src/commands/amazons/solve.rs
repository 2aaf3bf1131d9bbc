//! `mousetrap amazons solve` and `check-proof`: who wins with best play, and whether a proof of it holds.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use amazons::check_proof;
use amazons::solve::{BoardSolver, SolveLimits, Solved};
use amazons::{Position, player_name};
use serde::Serialize;

use super::args::{CheckProofArgs, SolveArgs};
use crate::failure::Failure;
use crate::output::Output;

/// What was solved; the names are a contract with other programs.
#[derive(Serialize)]
struct Answer {
    fen: String,
    size: String,
    /// `first` is the player to move.
    winner: &'static str,
    best: Option<String>,
    nodes: u64,
    seconds: f64,
    /// Lines of the proof, if one was written.
    proof_lines: Option<u64>,
}

/// What a proof was found to prove.
#[derive(Serialize)]
struct Verdict {
    start: String,
    winner: &'static str,
    lines: u64,
    positions: u64,
    seconds: f64,
}

pub fn run(args: &SolveArgs, output: &mut Output) -> Result<(), Failure> {
    let position: Position = match (&args.fen, args.size) {
        (Some(fen), _) => fen.parse().map_err(|error| Failure::input("bad position", error))?,
        (None, size) => super::start(size.unwrap_or(amazons::Size::USUAL)),
    };
    if let (Some(_), Some(size)) = (&args.fen, args.size)
        && size != position.size()
    {
        let message = format!("the position is on {}, not on {size}", position.size());
        return Err(Failure::Input(message));
    }
    let limits = SolveLimits {
        nodes: args.nodes,
        time: args.seconds.map(Duration::from_secs_f64),
        stop: None,
    };
    let begun = Instant::now();
    let mut solver = BoardSolver::new(position.size(), args.table_bits);
    let give_up = |error| {
        Failure::because(true, format!("{error} (see --nodes, --seconds and --table-bits)"), error)
    };
    let solved = solver.solve(&position, &limits).map_err(give_up)?;
    let (nodes, seconds) = (solver.nodes(), begun.elapsed().as_secs_f64());
    let proof_lines = match &args.proof {
        Some(path) => {
            let doing = || format!("writing {}", path.display());
            let file = File::create(path).map_err(|error| Failure::outside(doing(), error))?;
            let mut file = BufWriter::new(file);
            let written = solver.write_proof(&position, solved, &limits, &mut file, |_| ());
            Some(written.map_err(|error| Failure::outside(doing(), error))?)
        }
        None => None,
    };
    let answer = answer(&position, solved, nodes, seconds, proof_lines);
    if args.json {
        return output.json(&answer);
    }
    let winner = player_name(solved.winner);
    writeln!(output, "{}", answer.fen)?;
    let with = answer.best.as_ref().map(|mv| format!(", with {mv}")).unwrap_or_default();
    writeln!(output, "the {} player, {winner}, wins{with}", answer.winner)?;
    writeln!(output, "{nodes} positions expanded, {seconds:.1} s")?;
    if let (Some(lines), Some(path)) = (proof_lines, &args.proof) {
        writeln!(output, "proof: {} ({lines} lines)", path.display())?;
    }
    Ok(())
}

fn answer(
    position: &Position,
    solved: Solved,
    nodes: u64,
    seconds: f64,
    proof_lines: Option<u64>,
) -> Answer {
    Answer {
        fen: position.to_string(),
        size: position.size().to_string(),
        winner: if solved.winner == position.turn() { "first" } else { "second" },
        best: solved.mv.map(|mv| mv.to_string()),
        nodes,
        seconds,
        proof_lines,
    }
}

pub fn check(args: &CheckProofArgs, output: &mut Output) -> Result<(), Failure> {
    let path = args.file.display();
    let text = fs::read_to_string(&args.file)
        .map_err(|error| Failure::outside(format!("reading {path}"), error))?;
    let begun = Instant::now();
    let checked = check_proof::check(&text, |_| ())
        .map_err(|error| Failure::outside(format!("{path} proves nothing"), error))?;
    let verdict = Verdict {
        start: checked.start,
        winner: if checked.first_wins { "first" } else { "second" },
        lines: checked.lines,
        positions: checked.positions,
        seconds: begun.elapsed().as_secs_f64(),
    };
    if args.json {
        return output.json(&verdict);
    }
    writeln!(output, "{}", verdict.start)?;
    writeln!(
        output,
        "proved: the {} player wins ({} lines used, {} positions, {:.1} s)",
        verdict.winner, verdict.lines, verdict.positions, verdict.seconds
    )?;
    Ok(())
}
