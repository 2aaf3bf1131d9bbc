//! An endgame of the Amazons as a sum: the regions that arrows have cut apart, what each is worth, and
//! who wins.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use amazons::exact::Solver;
use amazons::picture::Picture;
use amazons::region::{Kind, regions};
use amazons::{Amazons, Position, player_name};
use game::Game;
use game::rng::Rng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Random moves until the amazons are apart.
    let mut position = Position::start(6, 6)?;
    let mut rng = Rng::new(3);
    while regions(&position).iter().any(|region| region.kind == Kind::Competing)
        && let Some(&mv) = rng.choose(&Amazons.moves(&position))
    {
        Amazons.make(&mut position, mv);
    }
    println!("{position}\n{}", Picture::of(&position).colored(false).to_terminal());

    // A region is a position of its own; the theory of sums of games gives it a value.
    let mut solver = Solver::new();
    for region in regions(&position) {
        let part = position.restricted(region.squares);
        let value = solver.describe(&part, 100_000).unwrap_or_else(|| "no short value".to_owned());
        println!("{} squares, {:?}: {value}", region.squares.len(), region.kind);
    }
    let winner = solver.winner(&position, 1_000_000)?;
    println!("{} moves, and {} wins", player_name(position.turn()), player_name(winner));
    Ok(())
}
