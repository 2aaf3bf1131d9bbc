//! `mousetrap amazons show`: a position in the terminal, as a picture, or as data.

use std::io::Write;

use amazons::picture::Picture;
use amazons::player_name;
use answers::amazons::Position;

use super::args::ShowArgs;
use crate::failure::Failure;
use crate::output::{Output, write_file};

pub fn run(args: &ShowArgs, output: &mut Output) -> Result<(), Failure> {
    let position = super::position(&args.position)?;
    let picture = Picture::of(&position).regions(args.regions);
    if let Some(path) = &args.svg {
        write_file(path, picture.to_svg().as_bytes())?;
    }
    let shown = Position::new(&position, Vec::new());
    if args.json {
        return output.json(&shown);
    }
    write!(output, "{}", picture.to_terminal())?;
    writeln!(output, "{}", shown.fen)?;
    if let Some(winner) = shown.winner {
        writeln!(output, "The game is over: {} wins", player_name(winner))?;
    }
    if args.regions {
        writeln!(output, "{} regions", shown.regions.len())?;
        for region in &shown.regions {
            writeln!(output, "  {region}")?;
        }
    }
    if args.moves {
        writeln!(output, "{} legal moves", shown.count)?;
        for row in shown.moves.chunks(8) {
            writeln!(output, "  {}", row.join("  "))?;
        }
    }
    Ok(())
}
