//! What the pieces are worth, for players and filters that look no further than material.
//!
//! The values are those of Burnett (2010), Figure 3: relative to the animal's rank, with the rat as
//! dear as the panther because it takes the elephant.

use jungle::{Animal, Color, Position};

/// What an animal is worth.
pub const fn value(animal: Animal) -> i32 {
    match animal {
        Animal::Rat | Animal::Panther => 500,
        Animal::Cat => 200,
        Animal::Wolf => 300,
        Animal::Dog => 400,
        Animal::Tiger => 800,
        Animal::Lion => 900,
        Animal::Elephant => 1000,
    }
}

/// What the player to move has more than the other.
pub fn balance(position: &Position) -> i32 {
    let side = |color: Color| -> i32 { position.animals_of(color).iter().map(value).sum() };
    side(position.turn()) - side(!position.turn())
}
