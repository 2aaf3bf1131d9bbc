//! Finds the solution of a position by exact search, and its themes.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use jungle::{Jungle, Position, Rules};
use puzzles::{Force, Goal, Theme, solve, themes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The tiger is a step from the trap before the den, and the cat, a step from the other one, is to be stopped.
    let position: Position = "7/2T4/7/7/7/7/7/3c3/2D4 w".parse()?;
    let mut judge = Force::new(&Jungle::new(Rules::STANDARD));
    let solution = solve(&mut judge, &position, Goal::Win, 9)?;
    let names: Vec<&str> =
        themes(&mut judge, &position, Goal::Win, &solution)?.iter().map(Theme::name).collect();
    println!("{position}: {solution:?}, {}", names.join(", "));
    Ok(())
}
