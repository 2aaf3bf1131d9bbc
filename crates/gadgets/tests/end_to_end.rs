//! From formulas to boards, exhaustively where that is possible.

use gadgets::circuit::Circuit;
use gadgets::formula::Formula;
use gadgets::gadget::Role;
use gadgets::layout::Layout;
use gadgets::lemma::{self, Expect};
use gadgets::library;
use gadgets::local::{Goal, Local, Traffic};
use gadgets::play::{Opponent, Setting, play};
use gadgets::solve::solve;
use gadgets::{BoardRules, Trapped};
use jungle::{Animal, Color, Piece, Rules};

/// All formulas with up to `most` different clauses over this many variables.
fn formulas(variables: usize, most: usize) -> Vec<Formula> {
    let clause = |set: usize| (0..variables).filter(|v| set >> v & 1 == 1).collect::<Vec<_>>();
    let mut formulas = Vec::new();
    let mut stack = vec![(Vec::new(), 1)];
    while let Some((chosen, next)) = stack.pop() {
        if !chosen.is_empty() {
            let clauses = chosen.iter().map(|&set| clause(set)).collect();
            formulas.push(Formula::new(variables, clauses));
        }
        if chosen.len() < most {
            for set in next..1 << variables {
                let mut longer = chosen.clone();
                longer.push(set);
                stack.push((longer, set + 1));
            }
        }
    }
    formulas
}

/// Both games are played in every possible way, with nothing in common except the formula.
#[test]
fn the_formula_game_is_the_circuit_game_up_to_four_variables_and_clauses() {
    let mut wins = [0; 2];
    for variables in 1..=4 {
        for formula in formulas(variables, 4) {
            let circuit = Circuit::of(&formula);
            for first in Color::ALL {
                let by_formula = formula.game().white_wins(0, 0, first);
                assert_eq!(by_formula, circuit.white_wins(0, 0, first), "{formula}, {first} first");
                wins[usize::from(by_formula)] += 1;
            }
        }
    }
    // 1940 formulas over four variables, 98 over three, 7 over two, 1 over one; twice each.
    assert_eq!(wins[0] + wins[1], 2 * (1940 + 98 + 7 + 1));
    assert!(wins[0] > 100 && wins[1] > 100, "{wins:?}");
}

#[test]
fn every_small_board_is_its_circuit() {
    for formula in formulas(3, 4) {
        let layout = Layout::of(&Circuit::of(&formula));
        layout.check().unwrap_or_else(|error| panic!("{formula}: {error}"));
    }
}

#[test]
fn strategies_win_on_every_small_board() {
    for (nth, formula) in formulas(3, 3).into_iter().enumerate() {
        for opponent in [Opponent::Greedy, Opponent::Random] {
            let played = play(&formula, Setting::new(opponent, nth as u64));
            assert_eq!(played.winner, Some(played.strategist), "{formula} against {opponent:?}");
        }
    }
}

#[test]
fn the_mended_set_is_proved() {
    for claim in lemma::mended() {
        let verdict = claim.decide(Rules::LEIDEN, 3_000_000);
        assert_eq!(verdict.holds, Some(true), "{}: {}", claim.gadget.name, claim.text);
        let line = verdict.plies.is_some_and(|plies| plies as usize == verdict.line.len());
        assert!(claim.expect == Expect::Prevented || line, "the line is as long as promised");
    }
}

/// The defects of the smaller published gadgets, and no others.
#[test]
fn the_small_published_gadgets_fail_where_the_report_says() {
    let small = ["fanout", "choice", "variable", "black-edge", "white-edge"];
    let claims = lemma::published();
    let failing: Vec<String> = claims
        .iter()
        .filter(|claim| small.contains(&claim.gadget.name.as_str()))
        .filter(|claim| claim.decide(Rules::LEIDEN, 1_000_000).holds != Some(true))
        .map(|claim| format!("{}: {}", claim.gadget.name, claim.text))
        .collect();
    assert_eq!(
        failing,
        [
            "fanout: with a signal at in, Black prevents 2 out by out1",
            "fanout: with a signal at in, Black prevents 2 out by out2",
            "fanout: White prevents Black pieces from getting out",
            "variable: Black moving first, White prevents Black pieces from getting out",
            "black-edge: Black prevents one of two panthers at out from getting to in",
            "black-edge: with a panther on either side, Black prevents two at in",
            "black-edge: White prevents the dog from getting out, with a panther at in",
            "white-edge: the cat stays: Black prevents it from getting out",
        ]
    );
}

/// If a piece in an enemy trap takes with its full strength, two panthers get one back through a
/// BLACK EDGE; if its strength is zero, not even three do.
#[test]
fn what_gets_back_through_a_black_edge_depends_on_the_strength_of_trapped_pieces() {
    let gadget = library::find("black-edge").unwrap();
    let goal = Goal::Signals { ports: vec![0], at_least: 1 };
    for (trapped, count, forced) in [
        (Trapped::Full, 1, false),
        (Trapped::Full, 2, true),
        (Trapped::Zero, 2, false),
        (Trapped::Zero, 3, false),
    ] {
        let rules = BoardRules { trapped, ..Rules::LEIDEN.into() };
        let waiting = [(1, gadget.signal, count)];
        let local = Local::new(&gadget, &waiting, Traffic::Open, Color::White, rules);
        let start = local.start();
        let solution = solve(&local, &[start], Color::White, &goal, None, 100_000).unwrap();
        assert_eq!(solution.plies(start).is_some(), forced, "{count} panthers, {trapped:?}");
    }
}

/// As far as the published OR and OUTFLOW are solved: if cats move only to take, a second panther
/// stays in.
#[test]
fn with_sitting_cats_only_one_panther_gets_out() {
    for (name, waiting) in [("or", vec![(0, 1), (1, 1)]), ("outflow", vec![(0, 2)])] {
        let gadget = library::find(name).unwrap();
        let waiting: Vec<_> =
            waiting.into_iter().map(|(port, count)| (port, gadget.signal, count)).collect();
        let local = Local::new(&gadget, &waiting, Traffic::Sealed, Color::White, Rules::LEIDEN)
            .with_sitting(Piece { color: Color::White, animal: Animal::Cat });
        let ports = gadget.with_role(Role::Out);
        for (at_least, forced) in [(1, true), (2, false)] {
            let goal = Goal::Signals { ports: ports.clone(), at_least };
            let start = local.start();
            let solution = solve(&local, &[start], Color::White, &goal, None, 3_000_000).unwrap();
            assert_eq!(solution.plies(start).is_some(), forced, "{name}, {at_least}");
        }
    }
}

/// More signals cannot hurt White, so this settles the claim about strangers without solving the
/// large game.
#[test]
fn the_cat_walks_out_of_the_published_or() {
    let gadget = library::find("or").unwrap();
    let local = Local::new(&gadget, &[], Traffic::Sealed, Color::White, Rules::LEIDEN);
    let start = local.start();
    let solution = solve(&local, &[start], Color::White, &Goal::Stranger, None, 1_000_000).unwrap();
    assert_eq!(solution.plies(start), Some(5));
    let black =
        solve(&local, &[start], Color::Black, &Goal::BlackOutside, None, 1_000_000).unwrap();
    assert_eq!(black.plies(start), None);
}
