//! The sweeping solver against the naive exhaustive one.

use crate::grid::{Grid, ROW};
use crate::material::{Classes, Material, table_rules};
use crate::solved::Solver;
use game::solver::solve;
use game::truth::Truth;
use jungle::{Color, Jungle, Position, Rules, Setup, Square};

/// The position with this number, if there is one.
fn position(grid: &Grid, turn: Color, number: usize) -> Option<Position> {
    let mut squares = grid.squares(number / ROW);
    let runner = Square::from_index((number % ROW) as u8)?;
    if !grid.runner_domain().contains(runner) {
        return None;
    }
    squares[grid.pieces().len() - 1] = runner;
    let mut setup = Setup { turn, ..Setup::empty() };
    for (piece, square) in grid.pieces().iter().zip(squares) {
        if setup.board[square.index()].replace(*piece).is_some() {
            return None;
        }
    }
    setup.position().ok()
}

fn check(rules: &Rules, name: &str) {
    let rules = table_rules(rules);
    let material: Material = name.parse().unwrap();
    let mut solver = Solver::new(Classes::new(&rules, material.pieces()));
    let class = solver.classes().mapping(material).unwrap().class;
    let solved = solver.solve(class);
    let numbers = || (0..solved.grid.rows() * ROW).flat_map(|n| Color::ALL.map(|turn| (turn, n)));
    let roots = numbers().filter_map(|(turn, n)| position(&solved.grid, turn, n));
    let truth = solve(&Jungle::new(rules), roots);
    for (turn, number) in numbers() {
        if let Some(position) = position(&solved.grid, turn, number) {
            let expected: Truth = truth.value(&position).unwrap();
            assert_eq!(solved.value(turn, number), expected, "{rules} {name}: {position}");
        }
    }
}

#[test]
fn two_pieces_under_every_preset() {
    for preset in Rules::PRESETS {
        for name in ["E-R", "T-E", "R-R", "C-C", "L-T", "W-D"] {
            check(&preset.rules, name);
        }
    }
}

#[test]
fn three_pieces() {
    check(&Rules::LEIDEN, "EC-D");
    check(&Rules::STANDARD, "TR-R");
}
