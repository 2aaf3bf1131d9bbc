//! The book that comes with the program: what it promises, and a sample of it proved again. `mousetrap puzzles verify`
//! proves all of it.
#![cfg(feature = "shipped")]

use std::collections::HashSet;
use std::sync::Arc;

use jungle::{Color, Jungle, Rules};
use puzzles::mine::report::Kept;
use puzzles::{
    Book, Date, Flaw, Force, Goal, Identity, Judge, Proof, Puzzle, Tables, prove, themes,
};
use tablebase::build::{Wanted, in_memory};
use tablebase::{Material, Tablebase};

#[test]
fn the_book_is_large_varied_and_without_repetition() {
    let book = Book::shipped();
    assert_eq!(*book.rules(), Rules::STANDARD);
    let jungle = Jungle::new(Rules::STANDARD);
    let puzzles = book.puzzles();
    assert!(puzzles.len() >= 2_000, "{}", puzzles.len());
    let identities: HashSet<Identity> =
        puzzles.iter().map(|puzzle| Identity::of(&jungle, &puzzle.start)).collect();
    assert_eq!(identities.len(), puzzles.len());
    for puzzle in puzzles {
        assert_eq!(puzzle.own_id(), puzzle.id);
        let least = if puzzle.proof == Proof::Search { 1 } else { 3 };
        let plies = puzzle.solution.len();
        assert!((least..=9).contains(&plies) && plies % 2 == 1, "{}", puzzle.id);
        assert!((500..=2600).contains(&puzzle.rating), "{}", puzzle.id);
        assert!(puzzle.proof == Proof::Search || puzzle.pieces() <= 4, "{}", puzzle.id);
    }
    let count = |test: fn(&Puzzle) -> bool| puzzles.iter().filter(|one| test(one)).count();
    assert!(count(|one| one.start.turn() == Color::Black) > puzzles.len() / 3);
    assert!(count(|one| one.proof == Proof::Search) >= 50);
    assert!(count(|one| one.goal == Goal::Draw) >= 100);
    // Hardly a theme is missing, and none is everywhere.
    let themes = Kept::of(puzzles).themes;
    assert!(themes.iter().filter(|(_, count)| *count > 0).count() >= 15, "{themes:?}");
    assert!(themes.iter().all(|(_, count)| *count < puzzles.len() * 9 / 10), "{themes:?}");
    let names: HashSet<String> =
        puzzles.iter().map(|puzzle| Material::of(&puzzle.start).to_string()).collect();
    assert!(names.len() > 500, "{}", names.len());
}

fn check(puzzle: &Puzzle, judge: &mut impl Judge) {
    prove(puzzle, judge).unwrap_or_else(|flaw| panic!("{}: {flaw}", puzzle.id));
    let found = themes(judge, &puzzle.start, puzzle.goal, &puzzle.solution).unwrap();
    assert_eq!(found, puzzle.themes, "{}", puzzle.id);
}

#[test]
fn puzzles_of_few_pieces_are_proved_by_tables() {
    let book = Book::shipped();
    let by_tables = |pieces: u32| {
        let of = move |one: &&Puzzle| one.proof == Proof::Tables && one.pieces() == pieces;
        book.puzzles().iter().filter(of)
    };
    // All of two and three pieces, and all of one class of four.
    let class = Material::of(&by_tables(4).next().unwrap().start);
    let wanted = Wanted::Classes(vec![class]);
    let tables = Tablebase::new(book.rules(), 4, in_memory(book.rules(), &wanted).unwrap());
    let tables = Arc::new(tables);
    let file = tables.file_of(class).unwrap();
    let same = |one: &&Puzzle| tables.file_of(Material::of(&one.start)).unwrap() == file;
    let four: Vec<&Puzzle> = by_tables(4).filter(same).collect();
    let mut judge = Tables::new(Arc::clone(&tables));
    four.iter().for_each(|puzzle| check(puzzle, &mut judge));
    let small = in_memory(book.rules(), &Wanted::Pieces(3)).unwrap();
    let mut judge = Tables::new(Arc::new(Tablebase::new(book.rules(), 3, small)));
    let mut checked = 0;
    for puzzle in by_tables(2).chain(by_tables(3)) {
        check(puzzle, &mut judge);
        checked += 1;
    }
    assert!(checked > 100 && !four.is_empty(), "{checked}");
}

#[test]
fn some_puzzles_of_many_pieces_are_proved_by_search() {
    let book = Book::shipped();
    let searched = book.puzzles().iter().filter(|one| one.proof == Proof::Search);
    for puzzle in searched.step_by(10) {
        check(puzzle, &mut Force::new(&Jungle::new(*book.rules())));
    }
}

#[test]
fn a_wrong_solution_is_found() {
    let book = Book::shipped();
    let judge = || Force::new(&Jungle::new(Rules::STANDARD));
    let puzzle = book.puzzles().iter().find(|one| one.proof == Proof::Search).unwrap();
    let jungle = Jungle::new(Rules::STANDARD);
    for mv in game::Game::moves(&jungle, &puzzle.start) {
        let other = Puzzle { solution: vec![mv], ..puzzle.clone() };
        assert_eq!(prove(&other, &mut judge()).is_ok(), mv == puzzle.solution[0], "{mv}");
    }
    let cut = Puzzle { solution: puzzle.solution[..2].to_vec(), ..puzzle.clone() };
    assert!(matches!(prove(&cut, &mut judge()), Err(Flaw::Length)));
    let draw = Puzzle { goal: Goal::Draw, ..puzzle.clone() };
    assert!(matches!(prove(&draw, &mut judge()), Err(Flaw::NotOnly { ply: 0, .. })));
}

#[test]
fn every_day_has_its_own_puzzle() {
    let book = Book::shipped();
    let first: Date = "2026-11-18".parse().unwrap();
    let days = 0..book.puzzles().len() as i64;
    let of = |day| book.daily(Date::from_number(first.number() + day)).unwrap().id.as_str();
    let ids: HashSet<&str> = days.map(of).collect();
    assert_eq!(ids.len(), book.puzzles().len());
    assert_eq!(of(0), of(book.puzzles().len() as i64));
}
