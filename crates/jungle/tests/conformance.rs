//! The fast generator against the plain one, over random games under random rules.

use game::conformance::Conformance;
use game::rng::Rng;
use game::{Game, Outcome};
use jungle::naive::{Board, Naive};
use jungle::rules::SWITCHES;
use jungle::{Jungle, Position, Rules, Setup, Square};

/// A preset with some switches thrown at random.
fn random_rules(rng: &mut Rng) -> Rules {
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
fn random_position(rng: &mut Rng) -> Position {
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

fn check(rules: Rules, start: &Position, games: u32, plies: u32, rng: &mut Rng) {
    let jungle = Jungle::new(rules);
    let naive = Naive { rules };
    let suite =
        Conformance::new(&jungle, |position: &Position| naive.moves(&Board::from(position)));
    suite.random_games_with(start, games, plies, rng, |position| {
        suite.symmetries(position);
        let outcome: Option<Outcome> = naive.outcome(&Board::from(position));
        assert_eq!(jungle.outcome(position), outcome, "{rules}: {position:?}");
    });
}

#[test]
fn presets_from_the_start() {
    let mut rng = Rng::new(1);
    for preset in Rules::PRESETS {
        check(preset.rules, &Position::start(), 40, 120, &mut rng);
    }
}

#[test]
fn random_rules_from_random_positions() {
    let mut rng = Rng::new(2);
    for _ in 0..2000 {
        let rules = random_rules(&mut rng);
        check(rules, &random_position(&mut rng), 1, 12, &mut rng);
    }
}

#[test]
fn the_naive_game_conforms_too() {
    let mut rng = Rng::new(3);
    for _ in 0..100 {
        let naive = Naive { rules: random_rules(&mut rng) };
        let suite = Conformance::new(&naive, |board: &Board| naive.moves(board));
        suite.random_games(&Board::from(&random_position(&mut rng)), 1, 20, &mut rng);
    }
}
