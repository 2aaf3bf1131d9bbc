//! The command line of `mousetrap split` and `mousetrap cone`.

use std::path::PathBuf;

use clap::Args;
use jungle::{Piece, Square};

use crate::cli::RulesArg;

/// Where to draw.
#[derive(Debug, Args)]
pub struct PictureArgs {
    /// Write a picture as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write a picture as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "The weight T between two pieces is how many plies pass at least before one can
affect the other (Burnett 2010, Definition 7.1), with the side to move as player A. Every edge of
the minimum spanning tree that is heavier than the threshold is cut; what still hangs together is
a part. A square belongs to the part that reaches it first; ties go to the part with more pieces,
then to the one listed first; dens are open to every part that holds a trap beside them.

With --depth each part is searched by itself, as in Burnett: to depths 2, 4, 6 and so on, with
captures and strong animals first, and with non-moves allowed. A part's move score is the value of
its best move, its non-move score what not moving there is worth; the implied score of a part is its
move score plus the non-move scores of all others. The best one is played. A position in one part
is searched as a whole. Values are for the side to move, in the units of Burnett's evaluation, in
which a cat is worth 200 and an elephant 1000.

In JSON, `owner` gives the index of a part in `parts`, counted from 0, or null for dens and for
squares that no piece reaches; `dens` lists the parts to which each den is open.

Examples:
  mousetrap split '7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w'
  mousetrap split '7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w' --depth 6 --rules tufts
  mousetrap split '7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w' --threshold 2 --svg parts.svg"
)]
pub struct SplitArgs {
    /// The position as FEN
    #[arg(value_name = "FEN", num_args = 1.., required = true)]
    pub fen: Vec<String>,
    /// The heaviest weight, in plies, that still holds two pieces together
    #[arg(long, value_name = "PLIES", default_value_t = 4, allow_negative_numbers = true,
          value_parser = clap::value_parser!(u8).range(0..=100))]
    pub threshold: u8,
    #[command(flatten)]
    pub rules: RulesArg,
    /// Search the parts to this depth, in plies, and choose a move
    #[arg(long, value_name = "PLIES", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(1..=12))]
    pub depth: Option<u32>,
    #[command(flatten)]
    pub picture: PictureArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Prints three boards: how many moves each square is away for a piece alone
on the board; at which ply it is reached if the piece's side moves first, on plies 1, 3, 5 …
(function A); and if it moves second, on plies 2, 4, 6 … (function B). ∞ is never.

Examples:
  mousetrap cone f8 C
  mousetrap cone a1 t --svg tiger.svg")]
pub struct ConeArgs {
    /// The square, as in f8
    #[arg(value_name = "SQUARE")]
    pub square: Square,
    /// The piece's letter, capital for Red: one of RCWDPTLE or rcwdptle
    #[arg(value_name = "PIECE", value_parser = piece)]
    pub piece: Piece,
    #[command(flatten)]
    pub rules: RulesArg,
    #[command(flatten)]
    pub picture: PictureArgs,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

fn piece(text: &str) -> Result<Piece, String> {
    let mut letters = text.chars();
    match (letters.next().and_then(Piece::from_letter), letters.next()) {
        (Some(piece), None) => Ok(piece),
        _ => Err("expected one letter of RCWDPTLE (rat, cat, wolf, dog, panther, tiger, lion, \
                  elephant), capital for Red and small for Blue"
            .to_owned()),
    }
}
