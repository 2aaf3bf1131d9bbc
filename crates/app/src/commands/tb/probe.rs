//! `mousetrap tb probe`: the truth about positions and their moves.
//!
//! Programs ask by the million through `--stdin`: answers are buffered, and pushed out as soon as no
//! further question is waiting, so that one who waits for an answer before asking again gets it.

use std::io::{self, BufRead, BufReader, BufWriter, Write};

use game::solver::Value;
use jungle::picture::Terminal;
use jungle::{Jungle, Position};
use serde::Serialize;
use tablebase::probe::{ProbeError, ProbedMove};

use crate::cli;
use crate::commands::tb::args::ProbeArgs;
use crate::commands::tb::set::{Set, keys, verdict};
use crate::failure::Failure;
use crate::output::Output;

/// How much is read and written at a time.
const BUFFER: usize = 1 << 16;

/// A position looked up; the names are a contract with other programs.
#[derive(Serialize)]
struct Probed {
    fen: String,
    outcome: &'static str,
    plies: Option<u32>,
    moves: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "move")]
    mv: String,
    outcome: &'static str,
    plies: Option<u32>,
}

/// A question that has no answer.
#[derive(Serialize)]
struct Refused<'a> {
    fen: &'a str,
    error: String,
}

pub fn run(args: &ProbeArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    if args.stdin {
        return answer_lines(&set, args.json, io::stdin().lock(), output);
    }
    let position = cli::position(Some(&args.fen.join(" ")))?;
    let (value, moves) = look_up(&set, &position).map_err(|error| set.failure(&error))?;
    if args.json {
        return output.json(&probed(&set, &position, value, &moves));
    }
    write!(output, "{}", Terminal::of(&position))?;
    writeln!(output, "{position}")?;
    if let Some(ending) = Jungle::new(*set.rules()).ending(&position) {
        writeln!(output, "The game is over: {ending}")?;
        return Ok(());
    }
    writeln!(output, "{}", verdict(position.turn(), value))?;
    for ProbedMove { mv, value } in moves {
        let text = match keys(value) {
            (outcome, Some(plies)) => format!("{outcome} in {plies}"),
            (outcome, None) => outcome.to_owned(),
        };
        writeln!(output, "  {mv}  {:<5} {text}", mv.algebraic().to_string())?;
    }
    Ok(())
}

/// The truth about a position, and its moves, best first.
fn look_up(set: &Set, position: &Position) -> Result<(Value, Vec<ProbedMove>), ProbeError> {
    let moves = set.tablebase.probe_moves(position)?;
    // The best move is worth what the position is worth, so that asking again would be a waste.
    let value = match moves.first() {
        Some(best) => best.value,
        None => set.tablebase.probe(position)?,
    };
    Ok((value, moves))
}

fn probed(set: &Set, position: &Position, value: Value, moves: &[ProbedMove]) -> Probed {
    let (outcome, plies) = keys(value);
    let is_over = moves.is_empty() && Jungle::new(*set.rules()).ending(position).is_some();
    Probed {
        fen: position.to_string(),
        outcome,
        // A finished game has no plies left, even if it was a draw.
        plies: if is_over { Some(0) } else { plies },
        moves: moves
            .iter()
            .map(|probed| {
                let (outcome, plies) = keys(probed.value);
                Row { mv: probed.mv.to_string(), outcome, plies }
            })
            .collect(),
    }
}

fn answer_lines(
    set: &Set,
    json: bool,
    input: impl io::Read,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut output = BufWriter::with_capacity(BUFFER, output);
    let mut line = Vec::new();
    let (mut asked, mut refused) = (0u64, 0u64);
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|error| Failure::outside("reading the input", error))? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        asked += 1;
        match answer(set, text.trim()) {
            Ok((position, value, moves)) if json => {
                write_json(&mut output, &probed(set, &position, value, &moves))?;
            }
            Ok((position, value, _)) => {
                writeln!(output, "{position}: {}", verdict(position.turn(), value))?;
            }
            Err(error) => {
                refused += 1;
                let fen = text.trim();
                if json {
                    write_json(&mut output, &Refused { fen, error })?;
                } else {
                    writeln!(output, "{fen}: error: {error}")?;
                }
            }
        }
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
    output.flush()?;
    if refused > 0 {
        return Err(Failure::Input(format!(
            "{refused} of {asked} lines could not be answered; each says why in its place"
        )));
    }
    Ok(())
}

fn answer(set: &Set, text: &str) -> Result<(Position, Value, Vec<ProbedMove>), String> {
    let position: Position = text.parse().map_err(|error| format!("bad FEN: {error}"))?;
    let (value, moves) = look_up(set, &position).map_err(|error| set.explain(&error))?;
    Ok((position, value, moves))
}

fn write_json(output: &mut impl Write, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *output, value).map_err(io::Error::from)?;
    Ok(output.write_all(b"\n")?)
}
