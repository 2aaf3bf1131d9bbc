//! `mousetrap tb probe`: the truth about positions and their moves.
//!
//! Programs ask by the million through `--stdin`: all questions that are waiting are answered at once,
//! on all cores, and the answers written together. A program that waits for an answer before asking again
//! gets it, because then nothing else is waiting.

use std::io::{self, BufRead, BufReader, BufWriter, Write};

use answers::{Probe, Refusal, in_words};
use jungle::picture::Terminal;
use jungle::{Jungle, Position};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;
use tablebase::ProbeError;

use crate::cli;
use crate::commands::tb::args::ProbeArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

/// How much is read and written at a time.
const BUFFER: usize = 1 << 16;

pub fn run(args: &ProbeArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    if args.stdin {
        return answer_lines(&set, args.json, io::stdin().lock(), output);
    }
    let position = cli::position(Some(&args.fen.join(" ")))?;
    let probe = look_up(&set, &position).map_err(|error| set.failure(error))?;
    if args.json {
        return output.json(&probe);
    }
    write!(output, "{}", Terminal::of(&position))?;
    writeln!(output, "{}", probe.fen)?;
    if let Some(ending) = probe.ending {
        writeln!(output, "The game is over: {ending}")?;
        return Ok(());
    }
    writeln!(output, "{}", in_words(position.turn(), probe.truth))?;
    for row in probe.moves {
        writeln!(output, "  {}  {:<5} {}", row.mv, row.san, row.truth)?;
    }
    Ok(())
}

fn look_up(set: &Set, position: &Position) -> Result<Probe, ProbeError> {
    Probe::of(set.tablebase(), &Jungle::new(*set.rules()), position)
}

fn answer_lines(
    set: &Set,
    json: bool,
    input: impl io::Read,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    let mut output = BufWriter::with_capacity(BUFFER, output);
    let (mut asked, mut refused) = (0, 0);
    loop {
        let lines = waiting_lines(&mut input)
            .map_err(|error| Failure::outside("reading the input", error))?;
        if lines.is_empty() {
            break;
        }
        let answers: Vec<Answer> =
            lines.par_iter().map(|line| answer_line(set, json, line)).collect::<Result<_, _>>()?;
        for answer in answers {
            asked += 1;
            refused += u64::from(answer.is_refused);
            output.write_all(&answer.text)?;
        }
        output.flush()?;
    }
    if refused > 0 {
        return Err(Failure::Input(format!(
            "{refused} of {asked} lines could not be answered; each says why in its place"
        )));
    }
    Ok(())
}

/// The next line, and all further ones that have already arrived; none at the end.
fn waiting_lines(input: &mut BufReader<impl io::Read>) -> io::Result<Vec<Vec<u8>>> {
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(lines);
        }
        lines.push(line);
        if !input.buffer().contains(&b'\n') {
            return Ok(lines);
        }
    }
}

/// A line of the output.
struct Answer {
    text: Vec<u8>,
    is_refused: bool,
}

fn answer_line(set: &Set, json: bool, line: &[u8]) -> Result<Answer, Failure> {
    let line = String::from_utf8_lossy(line);
    let fen = line.trim();
    let mut text = Vec::new();
    let answer = answer(set, fen);
    match &answer {
        Ok((_, probe)) if json => write_json(&mut text, probe)?,
        Ok((position, probe)) => {
            writeln!(text, "{}: {}", probe.fen, in_words(position.turn(), probe.truth))?;
        }
        Err(Refusal { code, message, .. }) if json => {
            write_json(&mut text, &json!({ "fen": fen, "error": message, "code": code }))?;
        }
        Err(refusal) => writeln!(text, "{fen}: error: {refusal}")?,
    }
    Ok(Answer { text, is_refused: answer.is_err() })
}

fn answer(set: &Set, text: &str) -> Result<(Position, Probe), Refusal> {
    let position: Position =
        text.parse().map_err(|error| Refusal::from(error).in_context("bad FEN"))?;
    let probe = look_up(set, &position).map_err(|error| set.refusal(error))?;
    Ok((position, probe))
}

fn write_json(output: &mut impl Write, value: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *output, value).map_err(io::Error::from)?;
    Ok(output.write_all(b"\n")?)
}
