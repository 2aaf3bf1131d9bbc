//! Verification of correct and of wrong tables.

use std::sync::Arc;

use game::Game;
use game::rng::Rng;
use game::truth::Truth;
use jungle::rules::{Jumps, NoLegalMove, Shore, Traps};
use jungle::{ByColor, Color, Jungle, Piece, Position, Rules, Square};

use super::build;
use crate::build::{Wanted, in_memory};
use crate::cache::Cache;
use crate::cell::Cell;
use crate::class::{Loader, row_positions};
use crate::grid::{Grid, ROW};
use crate::lookahead::Lookahead;
use crate::material::{Classes, Material, table_rules};
use crate::ply::Ply;
use crate::probe::Tablebase;
use crate::solved::{Cells, Solved, Solver};
use crate::storage::Memory;
use crate::table::{self, Stored, file_name, write};
use crate::verify;

#[test]
fn true_tables_pass_under_every_preset() {
    for preset in Rules::PRESETS {
        let tablebase = Tablebase::new(&preset.rules, 2, build(&preset.rules, 2));
        let mut loader = Loader::new(&tablebase);
        for class in tablebase.classes() {
            let mut progress = 0;
            let report = verify::full(&mut loader, class, |done| progress = done).unwrap();
            assert!(report.is_good(), "{}: {report:?}", preset.name);
            assert_eq!(progress, report.positions);
        }
    }
}

/// Classes of random values, so that every move counts somewhere: rows at once against position by position.
#[test]
fn a_row_at_once_is_what_its_positions_are_one_by_one() {
    let house = Rules {
        elephant_takes_rat: true,
        shore: Shore::Open,
        traps: Traps::Everybody,
        lion_jumps: Jumps::Lengthwise,
        panther_jumps: Jumps::Sideways,
        annihilation_wins: false,
        no_legal_move: NoLegalMove::Draw,
        ..Rules::LEIDEN
    };
    let mut rng = Rng::new(5);
    for rules in [Rules::LEIDEN, Rules::STANDARD, house] {
        let rules = table_rules(&rules);
        let jungle = Jungle::new(rules);
        let tablebase = Tablebase::new(&rules, 4, Memory::default());
        let classes = tablebase.class_list();
        for name in ["LR-TR", "EPR-R", "TC-LR", "WD-E", "R-R", "P-T"] {
            let class = classes.mapping(name.parse().unwrap()).unwrap().class;
            let mut cache = Cache::default();
            for class in classes.below(class).into_iter().chain([class]) {
                cache.insert(class, random_values(&jungle, &classes.list()[class].slots, &mut rng));
            }
            let mut loader = Loader::with(&tablebase, cache);
            let solved = loader.solved(class).unwrap();
            let ply = Ply::new(&mut loader, &jungle, &solved.grid).unwrap();
            let pieces = solved.grid.pieces();
            let ahead = Lookahead::new(&mut loader, &jungle, pieces).unwrap();
            let Cells::Narrow(narrow) = &solved.cells else { panic!("they are narrow") };
            let wide = solved.cells.wide();
            let step = solved.grid.rows() / 100 + 1;
            for row in (rng.below(step)..solved.grid.rows()).step_by(step) {
                for turn in Color::ALL {
                    let found = recomputed_row(&ply, row, turn, &narrow[!turn]);
                    assert_eq!(found, recomputed_row(&ply, row, turn, &wide[!turn]));
                    let one_by_one = row_positions(&solved.grid, row).map(|(squares, square)| {
                        let squares = &squares[..pieces.len()];
                        let (value, _) = ahead.recompute(squares, turn, &mut Vec::new()).unwrap();
                        (square, value)
                    });
                    let one_by_one: Vec<_> = one_by_one.collect();
                    assert_eq!(found, one_by_one, "{rules} {name} row {row}, {turn} to move");
                }
            }
        }
    }
}

/// Values that are good for nothing but to be told apart.
fn random_values(jungle: &Jungle, slots: &[Piece], rng: &mut Rng) -> Arc<Solved> {
    let grid = Grid::new(jungle, slots);
    let mut cells = |_| {
        let value = |_| match rng.below(9) {
            0 => Truth::Draw,
            half @ 1..5 => Truth::Win(2 * half as u32 - 1),
            half => Truth::Loss(2 * (half as u32 - 5)),
        };
        (0..grid.rows() * ROW).map(value).map(|value| u8::from_value(value).unwrap()).collect()
    };
    let cells = Cells::Narrow(ByColor::from_fn(&mut cells));
    Arc::new(Solved { grid, cells })
}

fn recomputed_row<C: Cell>(
    ply: &Ply,
    row: usize,
    turn: Color,
    replies: &[C],
) -> Vec<(Square, Truth)> {
    let Some(at) = ply.row(row) else { return Vec::new() };
    let mut best = [C::NONE; ROW];
    ply.best(row, &at, turn, replies, &mut best).unwrap();
    let value = |square: Square| match best[square.index()] {
        cell if cell == C::NONE => ply.without_moves(),
        cell => cell.value(),
    };
    at.free.into_iter().map(|square| (square, value(square))).collect()
}

/// The longest loss that a byte holds makes a win that it does not.
#[test]
fn distances_that_outgrow_a_byte_are_recomputed_in_two() {
    let rules = Rules::LEIDEN;
    let tablebase = Tablebase::new(&rules, 2, build(&rules, 2));
    let class: Material = "C-E".parse().unwrap();
    let at = tablebase.class_list().mapping(class).unwrap().class;
    let mut solved = (*Loader::new(&tablebase).solved(at).unwrap()).clone();
    let Cells::Narrow(ByColor { white, .. }) = &mut solved.cells else { panic!("two pieces") };
    let cell = white.iter_mut().find(|cell| cell.value() == Truth::Loss(2)).unwrap();
    *cell = u8::loss(u8::MAX_HALF);
    let mut cache = Cache::default();
    cache.insert(at, Arc::new(solved));
    let report = verify::full(&mut Loader::with(&tablebase, cache), class, |_| ()).unwrap();
    assert!(report.mismatches > 0);
    assert_eq!(report.mismatch.unwrap().recomputed, Truth::Loss(2));
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
    files.insert(file_name(class.material), write(&rules, class.material, &solved, Stored::USUAL));

    let tablebase = Tablebase::new(&rules, 2, files);
    assert!(verify::checksums(&tablebase, material).is_ok());
    let report = verify::full(&mut Loader::new(&tablebase), material, |_| ()).unwrap();
    let mismatch = report.mismatch.expect("one is wrong");
    assert_eq!(mismatch.position.turn(), Color::White);
    assert!(report.mismatches > 0 && mismatch.stored != mismatch.recomputed);
}

#[test]
fn every_damaged_byte_fails_the_checksums() {
    let good = build(&Rules::TUFTS, 2).remove("C-C.mtb").expect("it was built");
    let rules = table_rules(&Rules::TUFTS);
    let classes = Classes::new(&rules, 2);
    let material: Material = "C-C".parse().unwrap();
    let class = &classes.list()[classes.mapping(material).unwrap().class];
    assert!(table::verify(&rules, class, Box::new(good.clone())).is_ok());
    for at in (0..good.len()).step_by(7) {
        let mut bad = good.to_vec();
        bad[at] ^= 4;
        assert!(table::verify(&rules, class, Box::new(Arc::new(bad))).is_err(), "byte {at}");
    }
}

/// Random positions of classes of four pieces, of different kinds, against their successors.
#[test]
fn four_pieces_follow_from_their_successors() {
    let rules = Rules::LEIDEN;
    let jungle = Jungle::new(rules);
    let named = ["EC-DR", "LT-TD", "ELR-W"].map(|name| name.parse::<Material>().unwrap());
    let files = in_memory(&rules, &Wanted::Classes(named.to_vec())).unwrap();
    let tablebase = Tablebase::new(&rules, 4, files);
    let mut rng = Rng::new(11);
    let mut seen = [0; 3];
    for material in named {
        let mut left = 3000;
        while left > 0 {
            let squares = |_| Square::ALL[rng.below(Square::COUNT)];
            let squares: Vec<Square> = (0..4).map(squares).collect();
            let pieces = material.in_order();
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
        let plies = tablebase.counts(material).unwrap().longest;
        let value = if plies % 2 == 1 { Truth::Win(plies) } else { Truth::Loss(plies) };
        let values = Loader::new(&tablebase).load(material).unwrap();
        let found = values.find(Color::White, value, 2);
        assert!(found.count >= found.first.len() as u64 && !found.first.is_empty());
        assert!(found.first.len() <= 2);
        for position in found.first {
            assert_eq!(Material::of(&position), material);
            assert_eq!(tablebase.probe(&position).unwrap(), value, "{position}");
        }
        assert_eq!(values.find(Color::White, Truth::Win((plies | 1) + 2), 2).count, 0);
    }
}

#[test]
fn every_placement_of_a_class_comes_with_its_value() {
    for rules in [Rules::LEIDEN, Rules::STANDARD] {
        let tablebase = Tablebase::new(&rules, 2, build(&rules, 2));
        let mut loader = Loader::new(&tablebase);
        for class in Material::all(2) {
            let values = loader.load(class).unwrap();
            for (turn, named) in [(Color::White, class), (Color::Black, class.flip())] {
                let (mut placements, mut met) = (0, 0);
                for row in 0..values.rows() {
                    values.row(row, turn, |at| {
                        placements += at.weight;
                        met += 1;
                        if met % 37 == 0 {
                            let position = values.position(at.squares, turn).unwrap();
                            assert_eq!(Material::of(&position), class);
                            assert_eq!(tablebase.probe(&position).unwrap(), at.value, "{position}");
                        }
                    });
                }
                assert_eq!(placements, tablebase.counts(named).unwrap().placements(), "{class}");
            }
        }
    }
}

/// Two classes have the same representative just if one table serves both, the same way round.
#[test]
fn classes_that_are_the_same_game_have_the_same_representative() {
    let tablebase = Tablebase::new(&Rules::LEIDEN, 2, build(&Rules::LEIDEN, 2));
    let of = |name: &str| tablebase.representative(name.parse().unwrap()).unwrap();
    assert_eq!(of("C-W"), of("C-D"));
    assert_ne!(of("C-W"), of("W-C"));
    assert_eq!(of("C-C"), of("D-D"));
    for class in tablebase.classes() {
        assert_eq!(tablebase.class_of_file(&tablebase.file_of(class).unwrap()), Some(class));
        assert_eq!(tablebase.file_of(class).unwrap(), tablebase.file_of(class.flip()).unwrap());
    }
    assert_eq!(tablebase.class_of_file("W-W.mtb"), None);
}

/// A table knows only what quiet moves achieve for one side to move; loading it makes up for that.
#[test]
fn loading_makes_up_for_what_a_table_leaves_out() {
    for preset in Rules::PRESETS {
        let rules = table_rules(&preset.rules);
        let tablebase = Tablebase::new(&rules, 2, build(&rules, 2));
        let mut solver = Solver::new(Classes::new(&rules, 2));
        let mut loader = Loader::new(&tablebase);
        for class in 0..tablebase.class_list().list().len() {
            let loaded = loader.solved(class).unwrap();
            assert_eq!(loaded.cells, solver.solve(class).cells, "{}", preset.name);
        }
    }
}
