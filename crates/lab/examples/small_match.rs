//! A match of four games between two players by name, and its reproducibility.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use lab::contest::{Contest, Silent};
use lab::{Settings, Spec, TimeControl};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Names of players, with parameters; two games from each opening, colours exchanged.
    let players: Vec<Spec> = vec!["sparring:depth=3".parse()?, "sparring:depth=2".parse()?];
    let settings = Settings { games: 4, ..Settings::new(players, TimeControl::Nodes(500)) };
    let standing = Contest::new(settings.clone())?.run(&mut Silent)?.standing;

    let tally = standing.first_pairing();
    println!("{} won, {} drawn, {} lost", tally.wins, tally.draws, tally.losses);
    println!("a score of {:.0} %", 100.0 * tally.score());

    // Limited by nodes, the same settings give the same games, on any number of threads.
    let again = Contest::new(settings)?.concurrency(2).run(&mut Silent)?.standing;
    assert_eq!(again.digest, standing.digest);
    println!("digest of all moves: {}", standing.digest);
    Ok(())
}
