//! `mousetrap gadgets show`.

use std::io::Write;
use std::path::Path;

use gadgets::circuit::Circuit;
use gadgets::layout::Layout;
use gadgets::picture::Picture;
use gadgets::{Board, Gadget, compose, library};
use serde::Serialize;

use super::args::ShowArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Shown {
    name: String,
    width: usize,
    height: usize,
    board: String,
}

/// What there is to show.
enum Subject {
    Gadget(Box<Gadget>),
    Circuit(Box<Layout>),
    Board(Board),
}

impl Subject {
    fn find(what: &str) -> Result<Subject, Failure> {
        match what {
            "half-crossover" => {
                return Ok(Subject::Circuit(Box::new(Layout::of(&Circuit::half_crossover()))));
            }
            "crossover" => {
                return Ok(Subject::Circuit(Box::new(Layout::of(&Circuit::crossover()))));
            }
            _ => {}
        }
        let composed = || compose::composed().into_iter().find(|gadget| gadget.name == what);
        if let Some(gadget) = library::find(what).or_else(composed) {
            return Ok(Subject::Gadget(Box::new(gadget)));
        }
        if !Path::new(what).is_file() {
            return Err(Failure::Input(format!(
                "'{what}' is neither a gadget nor a file: see `mousetrap gadgets list`"
            )));
        }
        let text = std::fs::read_to_string(what)
            .map_err(|error| Failure::outside(format!("reading {what}"), error))?;
        let board = text
            .parse()
            .map_err(|error| Failure::input(format_args!("bad board in {what}"), error))?;
        Ok(Subject::Board(board))
    }

    fn board(&self) -> &Board {
        match self {
            Subject::Gadget(gadget) => &gadget.board,
            Subject::Circuit(layout) => &layout.board,
            Subject::Board(board) => board,
        }
    }
}

pub fn run(args: &ShowArgs, output: &mut Output) -> Result<(), Failure> {
    let subject = Subject::find(&args.what)?;
    let board = subject.board();
    let picture = match &subject {
        Subject::Gadget(gadget) => Picture::of_gadget(gadget),
        Subject::Circuit(layout) => Picture::of_layout(layout, args.what.clone(), &[]),
        Subject::Board(board) => Picture::of(board, args.what.clone()),
    };
    let (width, height) = (board.geometry().width(), board.geometry().height());
    let size = 48.0;
    let svg = picture.pieces(args.pieces).square_size(size).to_svg();
    let side = width.max(height) as f64 * size;
    super::write_pictures(&svg, side, args.svg.as_deref(), args.png.as_deref())?;
    if args.json {
        let name = args.what.clone();
        return output.json(&Shown { name, width, height, board: board.to_string() });
    }
    if let Subject::Gadget(gadget) = &subject {
        writeln!(output, "{}", gadget.title)?;
        for port in &gadget.ports {
            let landing = port.landing(gadget.board.geometry());
            let square = landing.map_or(String::new(), |spot| gadget.board.geometry().name(spot));
            writeln!(output, "  {} from the {} to {square}", port.name, port.edge)?;
        }
    }
    write!(output, "{board}")?;
    Ok(())
}
