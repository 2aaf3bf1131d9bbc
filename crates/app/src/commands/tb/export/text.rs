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

use tablebase::export::Export;

use crate::failure::Failure;

pub fn write(export: &Export, output: &mut impl Write) -> Result<(), Failure> {
    export.for_each(|row| -> Result<(), Failure> {
        let fen = export.position(&row)?.to_string();
        // The counters are irrelevant here.
        let fen = fen.split_once(" - ").map_or(fen.as_str(), |(head, _)| head);
        write!(output, "{fen}\t{}\t", row.value.outcome())?;
        match row.best {
            Some(best) => write!(output, "{best}\t")?,
            None => write!(output, "-\t")?,
        }
        match row.value.plies() {
            Some(plies) => writeln!(output, "{plies}")?,
            None => writeln!(output, "-")?,
        }
        Ok(())
    })?;
    Ok(output.flush()?)
}
