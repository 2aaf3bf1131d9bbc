//! Two small rounds of self-play, far too small to gain anything: what they do, not what they are worth.
#![expect(clippy::print_stdout, reason = "an example talks")]

use std::sync::Arc;

use engine::eval::features::USUAL;
use jungle::Rules;
use lab::record::Provenance;
use training::{Fit, RoundEvent, Rounds};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let rounds = Rounds {
        folder: folder.path().to_owned(),
        most: 2,
        rules: Rules::STANDARD,
        games: 20,
        nodes: 100,
        window: 2,
        lambda: 0.9,
        fit: Fit { epochs: 2, ..Fit::default() },
        match_games: 10,
        threads: 1,
        tables: None,
        made_by: Provenance::default(),
    };
    let results = rounds.run(USUAL, &Arc::default(), &|event| {
        if let RoundEvent::Fits { positions } = event {
            println!("fitting to {positions} positions");
        }
    })?;
    for result in results {
        let elo = result.tally.pairs.elo();
        println!("round {}: Elo {:+.0} ± {:.0}", result.round, elo.value, elo.error);
    }
    Ok(())
}
