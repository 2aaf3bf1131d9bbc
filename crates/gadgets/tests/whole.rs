//! Whole compiled boards, solved with nothing assumed about gadgets.

use std::collections::HashMap;

use gadgets::circuit::Circuit;
use gadgets::formula::Formula;
use gadgets::layout::Layout;
use gadgets::whole::{WholeBoard, WholeError, WholeSolution};
use gadgets::{Board, GeneralisedJungle};
use game::Game;
use jungle::{Color, Rules};

fn board(text: &str, first: Color) -> Board {
    let formula: Formula = text.parse().unwrap();
    let mut board = Layout::of(&Circuit::of(&formula)).board;
    board.set_turn(first);
    board
}

fn solved(text: &str, first: Color, limit: usize) -> Result<WholeSolution, WholeError> {
    WholeBoard::new(&board(text, first), Rules::LEIDEN).unwrap().solve(limit, |_| ())
}

/// The plain way: every board listed by the ordinary generator, then passes until nothing changes.
fn plainly(start: &Board) -> WholeSolution {
    let game = GeneralisedJungle::new(Rules::LEIDEN);
    let mut boards = vec![start.clone()];
    let mut numbers = HashMap::from([(start.clone(), 0_usize)]);
    let mut next = Vec::new();
    while next.len() < boards.len() {
        let board = boards[next.len()].clone();
        let after: Vec<usize> = game
            .moves(&board)
            .into_iter()
            .map(|mv| {
                let after = game.after(&board, mv);
                *numbers.entry(after.clone()).or_insert_with(|| {
                    boards.push(after);
                    boards.len() - 1
                })
            })
            .collect();
        next.push(after);
    }
    let mut winner: Vec<Option<Color>> = boards.iter().map(|board| game.winner(board)).collect();
    let mut plies: Option<u32> = winner[0].map(|_| 0);
    for ply in 1.. {
        let judge = |number: usize| {
            let turn = boards[number].turn();
            let afters: Vec<Option<Color>> =
                next[number].iter().map(|&after| winner[after]).collect();
            if afters.contains(&Some(turn)) {
                return Some(turn);
            }
            let lost = !afters.is_empty() && afters.iter().all(|&after| after == Some(!turn));
            lost.then_some(!turn)
        };
        let new: Vec<(usize, Color)> = (0..boards.len())
            .filter(|&number| winner[number].is_none())
            .filter_map(|number| Some((number, judge(number)?)))
            .collect();
        if new.is_empty() {
            break;
        }
        for (number, color) in new {
            winner[number] = Some(color);
        }
        plies = plies.or(winner[0].map(|_| ply));
    }
    let drawn = winner.iter().filter(|winner| winner.is_none()).count();
    let (states, drawn) = (boards.len() as u64, drawn as u64);
    WholeSolution { winner: winner[0], plies, states, drawn, arrangements: 0 }
}

#[test]
fn the_plain_way_agrees() {
    for first in Color::ALL {
        let start = board("x", first);
        let whole = solved("x", first, 1_000_000).unwrap();
        let plain = WholeSolution { arrangements: whole.arrangements, ..plainly(&start) };
        assert_eq!(whole, plain, "{first} first");
    }
}

#[test]
fn whole_boards_are_won_by_the_winner_of_the_formula_game() {
    for (text, winners) in [
        ("x", [Color::White, Color::Black]),
        ("x & y", [Color::Black, Color::Black]),
        ("x | y", [Color::White, Color::White]),
        ("x & y & z", [Color::Black, Color::Black]),
    ] {
        for (first, winner) in Color::ALL.into_iter().zip(winners) {
            let whole = solved(text, first, 3_000_000).unwrap();
            assert_eq!((whole.winner, whole.drawn), (Some(winner), 0), "{text}, {first} first");
        }
    }
}

#[test]
fn too_many_arrangements_are_an_error() {
    assert_eq!(solved("x | y", Color::White, 1000), Err(WholeError::TooMany(1000)));
    let wide = board("(a | b | c) & (d | e | f)", Color::White);
    assert!(matches!(WholeBoard::new(&wide, Rules::LEIDEN), Err(WholeError::TooWide(_))));
}
