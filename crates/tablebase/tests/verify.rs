//! Tables checked position by position, true ones and false ones.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use game::Game;
use game::rng::Rng;
use game::truth::Truth;
use jungle::{ByColor, Color, Jungle, Piece, Position, Rules, Square};
use rayon::prelude::*;
use tablebase::cell::Cell;
use tablebase::material::{Classes, Material, table_rules};
use tablebase::probe::Tablebase;
use tablebase::solved::{Cells, Solver};
use tablebase::source::{Bytes, Memory, Source};
use tablebase::table::{file_name, write};
use tablebase::truth::Truths;
use tablebase::{scan, stats, verify};

fn build(rules: &Rules, pieces: u32) -> Memory {
    let mut solver = Solver::new(Classes::new(&table_rules(rules), pieces));
    let mut files = Memory::default();
    for (at, class) in solver.classes().clone().list().iter().enumerate() {
        let solved = solver.solve(at);
        files.0.insert(file_name(class.material), Arc::new(write(rules, class, &solved, true)));
    }
    files
}

#[test]
fn true_tables_pass_under_every_preset() {
    for preset in Rules::PRESETS {
        let tablebase = Tablebase::new(&preset.rules, 2, build(&preset.rules, 2));
        let mut truths = Truths::new(&tablebase);
        for class in 0..tablebase.classes().list().len() {
            let mut told = 0;
            let report = verify::full(&mut truths, class, |done| told = done).unwrap();
            assert!(report.is_good(), "{}: {report:?}", preset.name);
            assert_eq!(told, report.positions);
        }
    }
}

/// A file whose checksums are right and whose contents are not.
#[test]
fn a_single_false_distance_is_found() {
    let rules = Rules::LEIDEN;
    let mut files = build(&rules, 2);
    let mut solver = Solver::new(Classes::new(&table_rules(&rules), 2));
    let material: Material = "C-E".parse().unwrap();
    let at = solver.classes().mapping(material).unwrap().class;
    let class = solver.classes().list()[at].clone();
    let mut solved = (*solver.solve(at)).clone();
    let Cells::Narrow(ByColor { white, .. }) = &mut solved.cells else { panic!("two pieces") };
    let cell = white.iter_mut().find(|cell| cell.value() == Truth::Win(9)).unwrap();
    *cell = u8::from_value(Truth::Win(7)).unwrap();
    let bytes = Arc::new(write(&rules, &class, &solved, true));
    assert!(verify::checksums(bytes.clone() as Bytes).is_ok());
    files.0.insert(file_name(class.material), bytes);

    let tablebase = Tablebase::new(&rules, 2, files);
    let report = verify::full(&mut Truths::new(&tablebase), at, |_| ()).unwrap();
    let mismatch = report.mismatch.expect("one is wrong");
    assert_eq!(mismatch.position.turn(), Color::White);
    assert!(report.mismatches > 0 && mismatch.stored != mismatch.recomputed);
}

#[test]
fn every_damaged_byte_fails_the_checksums() {
    let files = build(&Rules::TUFTS, 2);
    let good = files.open("C-C.mtb").unwrap().expect("it was built");
    let good = (*good).as_ref().to_vec();
    for at in (0..good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[at] ^= 4;
        assert!(verify::checksums(Arc::new(bad) as Bytes).is_err(), "byte {at}");
    }
}

/// Random positions of classes of four pieces, of different kinds, against their successors.
#[test]
fn four_pieces_follow_from_their_successors() {
    let rules = Rules::LEIDEN;
    let jungle = Jungle::new(rules);
    let mut solver = Solver::new(Classes::new(&table_rules(&rules), 4));
    let named = ["EC-DR", "LT-TD", "ELR-W"].map(|name| name.parse::<Material>().unwrap());
    let classes = solver.classes().clone();
    let mut files = Memory::default();
    let mut wanted: Vec<usize> =
        named.iter().map(|&material| classes.mapping(material).unwrap().class).collect();
    while let Some(class) = wanted.pop() {
        let material = classes.list()[class].material;
        if let Entry::Vacant(file) = files.0.entry(file_name(material)) {
            let solved = solver.solve(class);
            file.insert(Arc::new(write(&rules, &classes.list()[class], &solved, true)));
            wanted.extend(solver.below(class));
        }
    }
    let tablebase = Tablebase::new(&rules, 4, files);
    let mut rng = Rng::new(11);
    let mut seen = [0; 3];
    for material in named {
        let mut left = 3000;
        while left > 0 {
            let squares = |_| Square::ALL[rng.below(Square::COUNT)];
            let squares: Vec<Square> = (0..4).map(squares).collect();
            let side =
                |color| material.side(color).iter().map(move |animal| Piece { color, animal });
            let pieces: Vec<Piece> = side(Color::White).chain(side(Color::Black)).collect();
            let turn = Color::ALL[rng.below(2)];
            let Ok(position) = Position::from_pieces(squares.into_iter().zip(pieces), turn) else {
                continue;
            };
            if position.occupied().len() < 4 || jungle.outcome(&position).is_some() {
                continue;
            }
            let mut best: Option<Truth> = None;
            for mv in jungle.moves(&position) {
                let after = tablebase.probe(&jungle.after(&position, mv)).unwrap();
                let value = after.one_ply_earlier();
                best = Some(best.map_or(value, |best| best.max(value)));
            }
            let best = best.unwrap_or(Truth::Draw);
            assert_eq!(tablebase.probe(&position).unwrap(), best, "{position}");
            let outcome = tablebase.probe_outcome(&position).unwrap();
            let kind = best.outcome();
            assert_eq!(outcome, kind, "{position}");
            seen[kind as usize] += 1;
            left -= 1;
        }
    }
    assert!(seen.iter().all(|&seen| seen > 0), "{seen:?}");
}

#[test]
fn the_record_is_found_by_its_value() {
    let tablebase = Tablebase::new(&Rules::STANDARD, 2, build(&Rules::STANDARD, 2));
    // Some of these have no table of their own, and wolf and dog change places under these rules.
    for name in ["R-E", "E-R", "D-W", "W-D", "T-L", "P-C"] {
        let material: Material = name.parse().unwrap();
        let plies = stats::counts(&tablebase, material).unwrap().longest;
        let value = if plies % 2 == 1 { Truth::Win(plies) } else { Truth::Loss(plies) };
        let find = |value| scan::find(&tablebase, material, Color::White, value, 2).unwrap();
        let found = find(value);
        assert!(found.count >= found.first.len() as u64 && !found.first.is_empty());
        assert!(found.first.len() <= 2);
        for position in found.first {
            assert_eq!(Material::of(&position), material);
            assert_eq!(tablebase.probe(&position).unwrap(), value, "{position}");
        }
        assert_eq!(find(Truth::Win((plies | 1) + 2)).count, 0);
    }
}

#[test]
fn a_scan_meets_every_placement_with_its_truth() {
    let tablebase = Tablebase::new(&Rules::LEIDEN, 2, build(&Rules::LEIDEN, 2));
    let mut truths = Truths::new(&tablebase);
    for class in 0..tablebase.classes().list().len() {
        let solved = truths.load(class).unwrap();
        for turn in Color::ALL {
            let counts = tablebase.table(class).unwrap().header().counts[turn];
            let scanned: Vec<_> = scan::positions(&solved, turn).collect();
            assert!(scanned.is_sorted_by_key(|scanned| scanned.number));
            assert_eq!(scanned.iter().map(|s| s.weight).sum::<u64>(), counts.placements());
            for found in scanned.iter().step_by(37) {
                assert_eq!(tablebase.probe(&found.position).unwrap(), found.value);
            }
        }
    }
}

/// A table knows only what quiet moves achieve for one side to move; loading it makes up for that.
#[test]
fn loading_makes_up_for_what_a_table_leaves_out() {
    for preset in Rules::PRESETS {
        let rules = table_rules(&preset.rules);
        let tablebase = Tablebase::new(&rules, 2, build(&rules, 2));
        let mut solver = Solver::new(Classes::new(&rules, 2));
        let mut truths = Truths::new(&tablebase);
        for class in 0..tablebase.classes().list().len() {
            let loaded = truths.load(class).unwrap();
            assert_eq!(loaded.cells, solver.solve(class).cells, "{}", preset.name);
        }
    }
}
