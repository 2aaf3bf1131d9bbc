//! Random rules and positions, shared by the tests.

use game::rng::Rng;
use jungle::rules::SWITCHES;
use jungle::{Position, Rules, Setup, Square};

/// A preset with some switches thrown at random.
pub fn random_rules(rng: &mut Rng) -> Rules {
    let mut text = Rules::PRESETS[rng.below(3)].name.to_owned();
    for switch in &SWITCHES {
        if rng.below(4) == 0 {
            let value = switch.values[rng.below(switch.values.len())];
            let value = if value == "N" { "30" } else { value };
            text.push_str(&format!(",{}={value}", switch.name));
        }
    }
    text.parse().expect("made of known switches")
}

/// Some of the sixteen pieces on random squares, where they may stand.
pub fn random_position(rng: &mut Rng) -> Position {
    let all: Setup = jungle::fen::START.parse().unwrap();
    let share = 1 + rng.below(4);
    loop {
        let mut setup = Setup::empty();
        for (_, piece) in all.pieces() {
            if rng.below(4) < share {
                let square = Square::ALL[rng.below(Square::COUNT)];
                let before = setup.board[square.index()].replace(piece);
                if setup.position().is_err() {
                    setup.board[square.index()] = before;
                }
            }
        }
        if rng.below(2) == 0 {
            setup.turn = jungle::Color::Black;
        }
        if let Ok(position) = setup.position() {
            return position;
        }
    }
}
