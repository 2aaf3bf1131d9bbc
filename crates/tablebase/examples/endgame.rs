//! An endgame looked up: who wins, which moves keep it, best play to the end, and statistics of its class.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use jungle::{Position, Rules};
use tablebase::build::{Wanted, in_memory};
use tablebase::{Material, Tablebase};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // All tables of two pieces, solved here and now. Tables on disk are opened as a `Set`.
    let rules = Rules::LEIDEN;
    let tables = Tablebase::new(&rules, 2, in_memory(&rules, &Wanted::Pieces(2))?);

    // Tiger against tiger, White to move: figure 3 of van Rijn & Vis (2014).
    let position: Position = "t6/7/T6/7/7/7/7/7/7 w".parse()?;
    let probed = tables.probe_position(&position)?;
    println!("{position}: {}", probed.value);
    for probed in &probed.moves {
        println!("  {}: {}", probed.mv, probed.value);
    }

    let line = tables.line(&position)?;
    let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
    println!("best play: {}", moves.join(" "));

    let class = Material::of(&position);
    let counts = tables.counts(class)?;
    println!(
        "{class}, Red to move: {} won, {} drawn, {} lost, the longest in {} plies",
        counts.wins, counts.draws, counts.losses, counts.longest
    );
    Ok(())
}
