//! `mousetrap show`: a position in the terminal, as a picture, or as data.

use std::io::Write;
use std::path::PathBuf;

use answers::GameState;
use jungle::picture::{Picture, Terminal};

use crate::cli::{self, ShowArgs};
use crate::failure::Failure;
use crate::output::{Output, write_file};

/// How many times the size of the SVG the PNG is drawn.
const PNG_SCALE: f32 = 2.0;

pub fn run(args: &ShowArgs, output: &mut Output) -> Result<(), Failure> {
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let play = cli::play(args.rules.rules, fen.as_deref())?;
    let picture = Picture::of(play.position()).pieces(args.pieces);
    write_pictures(&picture, &args.svg, &args.png)?;
    let state = GameState::of(&play);
    if args.json {
        return output.json(&state);
    }
    write!(output, "{}", Terminal::of(play.position()).pieces(args.pieces))?;
    writeln!(output, "{}", state.fen)?;
    if let Some(ending) = &state.ending {
        writeln!(output, "The game is over: {ending}")?;
    }
    if args.moves {
        let texts: Vec<String> =
            state.moves.iter().map(|legal| format!("{} ({})", legal.mv, legal.san)).collect();
        writeln!(output, "{} legal moves", texts.len())?;
        for row in texts.chunks(6) {
            writeln!(output, "  {}", row.join("  "))?;
        }
    }
    Ok(())
}

/// Writes a picture to the files that were asked for.
pub fn write_pictures(
    picture: &Picture,
    svg: &Option<PathBuf>,
    png: &Option<PathBuf>,
) -> Result<(), Failure> {
    if let Some(path) = svg {
        write_file(path, picture.to_svg().as_bytes())?;
    }
    if let Some(path) = png {
        let png = picture
            .to_png(PNG_SCALE)
            .map_err(|error| Failure::outside("drawing the picture", error))?;
        write_file(path, &png)?;
    }
    Ok(())
}
