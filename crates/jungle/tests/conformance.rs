//! The fast generator against the plain one, over random games under random rules.

use game::conformance::Conformance;
use game::rng::Rng;
use game::{Game, Outcome};
use jungle::naive::{Board, Naive};
use jungle::{Jungle, Position, Rules};

mod common;

use common::{random_position, random_rules};

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
