//! `mousetrap show`: a position in the terminal, as a picture, or as data.

use std::io::Write;
use std::path::{Path, PathBuf};

use game::Game;
use jungle::picture::{Picture, Terminal};
use jungle::{Ending, Jungle, Notation, Setup};
use serde::Serialize;

use crate::cli::{self, ShowArgs};
use crate::failure::Failure;
use crate::output::Output;

const ALGEBRAIC: Notation = Notation::Algebraic { marks: true };

/// How many times the size of the SVG the PNG is drawn.
const PNG_SCALE: f32 = 2.0;

#[derive(Serialize)]
struct Shown {
    fen: String,
    rules: String,
    turn: String,
    key: String,
    moves: Vec<ShownMove>,
    ending: Option<ShownEnding>,
}

#[derive(Serialize)]
struct ShownMove {
    #[serde(rename = "move")]
    coordinates: String,
    algebraic: String,
}

#[derive(Serialize)]
struct ShownEnding {
    winner: Option<String>,
    reason: String,
}

pub fn run(args: &ShowArgs, output: &mut Output) -> Result<(), Failure> {
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let setup = cli::setup(fen.as_deref())?;
    let position = cli::position(fen.as_deref())?;
    let jungle = Jungle::new(args.rules.rules);

    let picture = Picture::of(&position).pieces(args.pieces);
    write_pictures(&picture, &args.svg, &args.png)?;
    if args.json {
        return output.json(&shown(&setup, &jungle, &position));
    }

    write!(output, "{}", Terminal::of(&position).pieces(args.pieces))?;
    writeln!(output, "{setup}")?;
    if let Some(ending) = jungle.ending(&position) {
        writeln!(output, "The game is over: {ending}")?;
    }
    if args.moves {
        let moves = jungle.moves(&position);
        let texts: Vec<String> = moves
            .iter()
            .map(|&mv| format!("{mv} ({})", ALGEBRAIC.write(&jungle, &position, mv)))
            .collect();
        writeln!(output, "{} legal moves", moves.len())?;
        for row in texts.chunks(6) {
            writeln!(output, "  {}", row.join("  "))?;
        }
    }
    Ok(())
}

fn shown(setup: &Setup, jungle: &Jungle, position: &jungle::Position) -> Shown {
    let ending = |ending: Ending| ShownEnding {
        winner: ending.winner.map(|color| color.to_string()),
        reason: ending.reason.to_string(),
    };
    Shown {
        fen: setup.to_string(),
        rules: jungle.rules().to_string(),
        turn: position.turn().to_string(),
        key: format!("{:016x}", position.key()),
        moves: jungle
            .moves(position)
            .into_iter()
            .map(|mv| ShownMove {
                coordinates: mv.to_string(),
                algebraic: ALGEBRAIC.write(jungle, position, mv),
            })
            .collect(),
        ending: jungle.ending(position).map(ending),
    }
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

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes)
        .map_err(|error| Failure::outside(format!("writing {}", path.display()), error))
}
