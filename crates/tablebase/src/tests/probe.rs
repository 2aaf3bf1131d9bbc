//! Tables written, opened and asked, against the published statistics and the naive solver.

use game::rng::Rng;
use game::solver::solve;
use game::truth::Truth;
use jungle::{Animal, Color, Jungle, Piece, Position, Rules, Setup, Square};

use super::build;
use crate::material::{Classes, Material, table_rules};
use crate::plain::Plain;
use crate::probe::{ProbeError, Tablebase};
use crate::solved::Solver;
use crate::storage::Memory;
use crate::table::{Counts, Stored, TableError, file_name, write};

/// Table 2 of van Rijn & Vis, with the positions without a legal move that they leave out.
#[test]
fn published_statistics_of_two_and_three_pieces() {
    let tablebase = Tablebase::new(&Rules::LEIDEN, 3, build(&Rules::LEIDEN, 3));
    for (pieces, placements, expected) in [
        (
            2,
            160_068,
            Counts { wins: 82_852, losses: 64_501, draws: 12_715, stalemates: 0, longest: 34 },
        ),
        (
            3,
            54_355_896,
            Counts {
                wins: 30_297_857,
                losses: 23_369_820,
                draws: 687_007 + 1_212,
                stalemates: 1_212,
                longest: 67,
            },
        ),
    ] {
        let mut total = Counts::default();
        for material in Material::all(pieces) {
            total = total.plus(tablebase.counts(material).unwrap());
        }
        assert_eq!(total, expected);
        assert_eq!(total.placements(), placements);
    }
}

/// Figure 3 of van Rijn & Vis (2014).
#[test]
fn published_endgames() {
    let tablebase = Tablebase::new(&Rules::LEIDEN, 2, build(&Rules::LEIDEN, 2));
    for (fen, value) in [
        ("7/7/3e3/7/7/7/3E3/7/7 w", Truth::Loss(12)),
        ("t6/7/T6/7/7/7/7/7/7 w", Truth::Win(19)),
        ("d6/7/7/7/7/7/5C1/7/7 w", Truth::Draw),
        ("7/7/3e3/7/6L/7/7/7/7 w", Truth::Loss(16)),
    ] {
        assert_eq!(tablebase.probe(&fen.parse().unwrap()).unwrap(), value, "{fen}");
    }
}

#[test]
fn random_positions_agree_with_the_naive_solver_under_every_preset() {
    let mut rng = Rng::new(11);
    for preset in Rules::PRESETS {
        let tablebase = Tablebase::new(&preset.rules, 2, build(&preset.rules, 2));
        let jungle = Jungle::new(table_rules_but_names(&preset.rules));
        for _ in 0..4 {
            let truth = solve(&jungle, [random_position(&mut rng)]);
            for (position, value) in truth.iter() {
                assert_eq!(
                    tablebase.probe(position).unwrap(),
                    value,
                    "{}: {position}",
                    preset.name
                );
            }
        }
    }
}

/// Tables ignore repetition and limits; the animals keep their names.
fn table_rules_but_names(rules: &Rules) -> Rules {
    Rules { weaker: rules.weaker, ..table_rules(rules) }
}

fn random_position(rng: &mut Rng) -> Position {
    loop {
        let mut setup = Setup::empty();
        for color in Color::ALL {
            let animal = Animal::ALL[rng.below(8)];
            setup.board[rng.below(Square::COUNT)] = Some(Piece { color, animal });
        }
        if let Ok(position) = setup.position() {
            return position;
        }
    }
}

#[test]
fn missing_and_damaged_tables_are_told_apart() {
    let mut files = build(&Rules::STANDARD, 2);
    let position: Position = "7/7/3e3/7/7/7/3E3/7/7 w".parse().unwrap();
    let tablebase = Tablebase::new(&Rules::STANDARD, 2, files.clone());
    let name = tablebase.file_of(Material::of(&position)).unwrap();
    let good = files.remove(&name).unwrap();
    let error = Tablebase::new(&Rules::STANDARD, 2, files.clone()).probe(&position).unwrap_err();
    assert!(matches!(error, ProbeError::MissingTable { file } if file == name));

    let truth = tablebase.probe(&position);
    for at in 0..good.len() {
        let mut bad = good.to_vec();
        bad[at] ^= 1 << (at % 8);
        files.insert(name.clone(), bad);
        match Tablebase::new(&Rules::STANDARD, 2, files.clone()).probe(&position) {
            Ok(value) => assert_eq!(value, *truth.as_ref().unwrap(), "byte {at}"),
            Err(ProbeError::CorruptTable { file, .. }) => assert_eq!(file, name),
            Err(other) => panic!("byte {at}: {other}"),
        }
    }
}

/// What is written is what is read.
#[test]
fn tables_hold_what_was_solved() {
    for preset in Rules::PRESETS {
        let rules = table_rules(&preset.rules);
        let tablebase = Tablebase::new(&rules, 3, build(&rules, 3));
        let mut solver = Solver::new(Classes::new(&rules, 3));
        let mut reader = Solver::new(Classes::new(&rules, 3));
        for (at, class) in tablebase.class_list().list().iter().enumerate() {
            let again = reader.load(at, &tablebase).unwrap();
            assert!(again.cells == solver.solve(at).cells, "{}: {}", preset.name, class.material);
        }
    }
}

/// The plain retrograde solver on classes of three pieces of every kind, and the sweeping one.
#[test]
fn the_plain_solver_agrees() {
    for (rules, name) in [
        (Rules::LEIDEN, "ER-R"),
        (Rules::STANDARD, "LC-E"),
        (Rules::TUFTS, "T-LR"),
        (Rules::LEIDEN, "W-DC"),
    ] {
        let tablebase = Tablebase::new(&rules, 3, build(&rules, 3));
        let material: Material = name.parse().unwrap();
        let pieces: Vec<Piece> = Color::ALL
            .into_iter()
            .flat_map(|color| {
                material.side(color).iter().map(move |animal| Piece { color, animal })
            })
            .collect();
        let jungle = Jungle::new(rules);
        let plain = Plain::solve(&jungle, &pieces, |position| tablebase.probe(position).unwrap());
        for position in plain.positions().step_by(11) {
            let value = plain.value(&position).unwrap();
            assert_eq!(tablebase.probe(&position).unwrap(), value, "{rules} {name}: {position}");
        }
    }
}

#[test]
fn tables_without_distances_know_who_wins() {
    let rules = table_rules(&Rules::STANDARD);
    let mut solver = Solver::new(Classes::new(&rules, 2));
    let mut files = Memory::default();
    for (at, class) in solver.classes().clone().list().iter().enumerate() {
        let bytes = write(&rules, class.material, &solver.solve(at), Stored::OUTCOMES);
        files.insert(file_name(class.material), bytes);
    }
    let full = Tablebase::new(&Rules::STANDARD, 2, build(&Rules::STANDARD, 2));
    let outcomes = Tablebase::new(&Rules::STANDARD, 2, files);
    let mut rng = Rng::new(9);
    for _ in 0..2000 {
        let position = random_position(&mut rng);
        let expected = full.probe(&position).unwrap().outcome();
        assert_eq!(full.probe_outcome(&position).unwrap(), expected, "{position}");
        assert_eq!(outcomes.probe_outcome(&position).unwrap(), expected, "{position}");
    }
    let position = "7/7/3e3/7/7/7/3E3/7/7 w".parse().unwrap();
    let error = outcomes.probe(&position).unwrap_err();
    let ProbeError::CorruptTable { error, .. } = error else { panic!("{error}") };
    assert!(matches!(error, TableError::NoDistances), "{error}");
}
