//! The papers' format: a line a position, with its outcome for the player to move, the first best
//! move and how many plies the game lasts.
//!
//! ```text
//! t6/7/T6/7/7/7/7/7/7 w  win  a7b7  19
//! ```
//!
//! Columns are separated by tabs; a draw lasts `-` plies, and a position without a legal move has the
//! best move `-`.

use std::io::Write;

use game::truth::Truth;
use jungle::Color;
use tablebase::export::Export;

use crate::failure::Failure;

pub fn write(export: &Export<'_>, output: &mut impl Write) -> Result<(), Failure> {
    export.for_each(|row| -> Result<(), Failure> {
        let position = export.ahead().position(row.squares, Color::White).ok_or_else(|| {
            Failure::Outside("a placement in the table is not a legal position".to_owned())
        })?;
        let fen = position.to_string();
        // The counters say nothing here.
        let fen = fen.split_once(" - ").map_or(fen.as_str(), |(head, _)| head);
        write!(output, "{fen}\t{}\t", super::super::set::keys(row.value).0)?;
        match row.best {
            Some(best) => write!(output, "{best}\t")?,
            None => write!(output, "-\t")?,
        }
        match row.value {
            Truth::Win(plies) | Truth::Loss(plies) => writeln!(output, "{plies}")?,
            Truth::Draw => writeln!(output, "-")?,
        }
        Ok(())
    })?;
    Ok(output.flush()?)
}
