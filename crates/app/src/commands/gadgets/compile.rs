//! `mousetrap gadgets compile`: a formula's board.

use std::io::Write;

use gadgets::Board;
use gadgets::circuit::Gate;
use gadgets::contract;
use gadgets::formula::Formula;
use gadgets::layout::Layout;
use gadgets::picture::Picture;
use gadgets::walking::Walking;
use game::rng::Rng;
use jungle::{Color, Rules};
use serde::Serialize;

use super::args::CompileArgs;
use crate::failure::Failure;
use crate::output::{Output, write_file};

#[derive(Serialize)]
struct Compiled {
    formula: String,
    variables: usize,
    clauses: usize,
    gates: usize,
    wires: usize,
    crossings: usize,
    width: usize,
    height: usize,
    pieces: usize,
    race: usize,
    winner: String,
    board_is_circuit: bool,
    contracts_compose: bool,
}

fn compiled(formula: &Formula, layout: &Layout) -> Compiled {
    let geometry = layout.board.geometry();
    let white_wins = formula.game().white_wins(0, 0, Color::White);
    Compiled {
        formula: formula.to_string(),
        variables: formula.names().len(),
        clauses: formula.clauses().len(),
        gates: layout.circuit.gates().len(),
        wires: layout.circuit.wires().count(),
        crossings: layout.crossings,
        width: geometry.width(),
        height: geometry.height(),
        pieces: layout.board.pieces().count(),
        race: layout.track.len().saturating_sub(1),
        winner: if white_wins { Color::White } else { Color::Black }.chess_name().to_owned(),
        board_is_circuit: layout.check().is_ok(),
        contracts_compose: contract::compose(&layout.circuit).is_ok(),
    }
}

pub fn run(args: &CompileArgs, output: &mut Output) -> Result<(), Failure> {
    let Some(text) = args.formula.as_deref() else {
        return curve(args, output);
    };
    let formula = super::formula(text)?;
    if args.walking {
        return walking(args, &formula, output);
    }
    let layout = super::layout(&formula, args.stepping);
    write(args, &layout.board, || {
        Picture::of_layout(&layout, formula.to_string(), formula.names())
    })?;
    let result = compiled(&formula, &layout);
    if args.json {
        return output.json(&result);
    }
    let Compiled { gates, wires, crossings, width, height, pieces, race, winner, .. } = &result;
    writeln!(output, "{formula}")?;
    writeln!(output, "{winner} wins the formula game, White to choose first")?;
    writeln!(output, "{gates} gates, {wires} wires, {crossings} crossings")?;
    let kinds = [Gate::Split, Gate::Relay, Gate::Or, Gate::And];
    let counts: Vec<String> = kinds
        .iter()
        .map(|kind| {
            let count = layout.circuit.gates().iter().filter(|gate| *gate == kind).count();
            format!("{count} {}", kind.label(&[]))
        })
        .collect();
    writeln!(output, "  {}", counts.join(", "))?;
    writeln!(output, "board {width} by {height}, {pieces} pieces, Black runs {race} squares")?;
    match layout.check() {
        Ok(()) => writeln!(output, "the board's ways are the circuit's wires, and no others")?,
        Err(error) => return Err(Failure::outside("checking the board", error)),
    }
    let composed = contract::compose(&layout.circuit)
        .map_err(|error| Failure::outside("composing the contracts", error))?;
    let contract::Composition { gates, wires } = composed;
    writeln!(output, "the contracts of {gates} gates fit at both ends of {wires} wires")?;
    Ok(())
}

/// Writes the pictures and the text that are asked for.
fn write<'a>(
    args: &CompileArgs,
    board: &Board,
    picture: impl FnOnce() -> Picture<'a>,
) -> Result<(), Failure> {
    if args.svg.is_some() || args.png.is_some() {
        let size = 24.0;
        let svg = picture().square_size(size).to_svg();
        let side = board.geometry().width().max(board.geometry().height()) as f64 * size;
        super::write_pictures(&svg, side, args.svg.as_deref(), args.png.as_deref())?;
    }
    if let Some(path) = &args.text {
        write_file(path, board.to_string().as_bytes())?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Walked {
    formula: String,
    gates: usize,
    wires: usize,
    width: usize,
    height: usize,
    pieces: usize,
    race: usize,
    board_is_circuit: bool,
}

/// The board of the published gadgets.
fn walking(args: &CompileArgs, formula: &Formula, output: &mut Output) -> Result<(), Failure> {
    let Some(walking) = Walking::of(formula) else {
        let remedy = "leave out --walking, or use each variable once, or twice in a row";
        return Err(Failure::Input(format!("{formula} needs crossings: {remedy}")));
    };
    write(args, &walking.board, || Picture::of(&walking.board, formula.to_string()))?;
    let geometry = walking.board.geometry();
    let checked = walking.check(Rules::LEIDEN);
    let result = Walked {
        formula: formula.to_string(),
        gates: walking.gates.len(),
        wires: walking.paths.len(),
        width: geometry.width(),
        height: geometry.height(),
        pieces: walking.board.pieces().count(),
        race: walking.track.len() - 1,
        board_is_circuit: checked.is_ok(),
    };
    if args.json {
        return output.json(&result);
    }
    let Walked { gates, wires, width, height, pieces, race, .. } = &result;
    writeln!(output, "{formula}")?;
    writeln!(output, "{gates} gates, {wires} wires with a protector each")?;
    writeln!(output, "board {width} by {height}, {pieces} pieces, Black runs {race} squares")?;
    checked.map_err(|fault| Failure::Input(format!("checking the board: {fault}")))?;
    writeln!(
        output,
        "all gadgets are as drawn, and from each to the next leads a protector and nothing else"
    )?;
    Ok(())
}

/// Random formulas with three variables a clause, from a fixed seed.
fn curve(args: &CompileArgs, output: &mut Output) -> Result<(), Failure> {
    let mut rng = Rng::new(1);
    if !args.json {
        writeln!(output, "variables clauses gates crossings     board   squares pieces  race")?;
    }
    for (variables, clauses) in
        [(3, 2), (4, 4), (5, 6), (6, 8), (7, 10), (8, 12), (9, 14), (10, 16), (11, 18), (12, 20)]
    {
        let clauses = (0..clauses)
            .map(|_| {
                let mut clause: Vec<usize> = Vec::new();
                while clause.len() < 3 {
                    let variable = rng.below(variables);
                    if !clause.contains(&variable) {
                        clause.push(variable);
                    }
                }
                clause
            })
            .collect();
        let formula = Formula::new(variables, clauses);
        let layout = super::layout(&formula, args.stepping);
        let row = compiled(&formula, &layout);
        if args.json {
            output.json(&row)?;
            continue;
        }
        writeln!(
            output,
            "{:>9} {:>7} {:>5} {:>9} {:>9} {:>9} {:>6} {:>5}",
            row.variables,
            row.clauses,
            row.gates,
            row.crossings,
            format!("{}x{}", row.width, row.height),
            row.width * row.height,
            row.pieces,
            row.race
        )?;
        output.flush()?;
    }
    Ok(())
}
