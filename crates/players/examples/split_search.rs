//! The published players on one position: how each chooses its move, and into what parts it cuts the board.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use game::limits::Limits;
use jungle::{Position, Rules};
use players::{Algorithm, BurnettPlayer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Burnett's Figure 13, which falls into two parts at threshold 3.
    let position: Position = "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w".parse()?;
    for text in ["plain", "ordering", "split,threshold=3", "both,threshold=3"] {
        let algorithm: Algorithm = text.parse()?;
        let player = BurnettPlayer::new(algorithm, Rules::TUFTS);
        let chosen = player.choose(&position, &Limits::depth(4));
        let best = chosen.report.best().ok_or("the game is over")?;
        println!("{text:<18} {best}, {} in {} nodes", chosen.report.score, chosen.report.nodes);
        println!("{:<18} pieces in each part: {:?}", "", chosen.parts);
    }
    Ok(())
}
