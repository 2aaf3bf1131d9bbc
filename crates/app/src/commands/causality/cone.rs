//! `mousetrap cone`: where a piece can be, and when.

use std::io::Write;

use jungle::causality::{Cone, Movement};
use jungle::{Color, Position};

use crate::commands::causality::args::ConeArgs;
use crate::commands::show::write_pictures;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &ConeArgs, output: &mut Output) -> Result<(), Failure> {
    let ConeArgs { square, piece, .. } = *args;
    // A piece that could not stand there is refused as in any position.
    Position::from_pieces([(square, piece)], Color::White)
        .map_err(|error| Failure::input("impossible position", error))?;
    let movement = Movement::of(piece.animal, &args.rules.rules);
    let cone = Cone::project(movement, piece.color, square);

    write_pictures(&cone.picture(piece, square), &args.picture.svg, &args.picture.png)?;
    if args.json {
        return output.json(&answers::Cone::new(&args.rules.rules, square, piece));
    }
    writeln!(output, "{piece} on {square}, a {movement}")?;
    writeln!(output, "{:<24}{:<24}plies, moving second (B)", "moves", "plies, moving first (A)")?;
    let grids = [cone.to_string(), cone.a().to_string(), cone.b().to_string()];
    let [moves, a, b] = grids.each_ref().map(|grid| grid.lines());
    for ((moves, a), b) in moves.zip(a).zip(b) {
        writeln!(output, "{moves:<24}{a:<24}{b}")?;
    }
    Ok(())
}
