//! The bitboards against the plain rules: random games on every size of board, perft, symmetries.

use amazons::naive::{Board, Naive};
use amazons::symmetry::{Frame, Symmetry};
use amazons::{Amazons, Move, Position, Size};
use game::conformance::Conformance;
use game::perft::{Perft, perft};
use game::rng::Rng;
use game::{Delegate, Game, Symmetric};

/// The rules on one square board: there, moves can be turned without looking at a position.
struct OnBoard(Size);

impl Delegate for OnBoard {
    type Inner = Amazons;

    fn inner(&self) -> &Amazons {
        &Amazons
    }
}

impl Symmetric for OnBoard {
    type Symmetry = (Symmetry, bool);
    fn symmetries(&self) -> Vec<Self::Symmetry> {
        Symmetry::ALL.into_iter().flat_map(|s| [(s, false), (s, true)]).collect()
    }
    fn swaps_players(&self, (_, swaps): Self::Symmetry) -> bool {
        swaps
    }
    fn transform(&self, (symmetry, swaps): Self::Symmetry, position: &Position) -> Position {
        let image = symmetry.position(position);
        if swaps { image.recolored() } else { image }
    }
    fn transform_move(&self, (symmetry, _): Self::Symmetry, mv: Move) -> Move {
        symmetry.mv(Frame::of_board(self.0), mv)
    }
}

#[test]
fn random_games_on_every_board() {
    let mut rng = Rng::new(1);
    let suite =
        Conformance::new(&Amazons, |position: &Position| Naive.moves(&Board::from(position)));
    for files in Size::MIN..=10 {
        for ranks in Size::MIN..=10 {
            // Moves are checked one by one, and large boards have many: stay near the end there.
            let mut start = Position::start(files, ranks).unwrap();
            for _ in 0..usize::from(files * ranks).saturating_sub(45) {
                if let Some(&mv) = rng.choose(&Amazons.moves(&start)) {
                    Amazons.make(&mut start, mv);
                }
            }
            suite.random_games_with(&start, 2, 100, &mut rng, |position| {
                assert_eq!(Amazons.outcome(position), Naive.outcome(&Board::from(position)));
                assert_eq!(position.to_string().parse(), Ok(*position));
            });
        }
    }
}

#[test]
fn turning_the_board_changes_nothing() {
    let mut rng = Rng::new(2);
    for side in 4..=6 {
        let start = Position::start(side, side).unwrap();
        let board = OnBoard(start.size());
        let suite = Conformance::new(&board, |p: &Position| Amazons.moves(p));
        suite.random_games_with(&start, 2, 100, &mut rng, |position| suite.symmetries(position));
    }
}

#[test]
fn the_naive_game_conforms_too() {
    let mut rng = Rng::new(3);
    let suite = Conformance::new(&Naive, |board: &Board| Naive.moves(board));
    suite.random_games(&Board::from(&Position::start(5, 4).unwrap()), 5, 100, &mut rng);
}

/// 2,176 first moves is the published count; the rest comes from the naive generator, which the
/// next test checks on small boards.
#[test]
fn first_moves_of_the_usual_board() {
    let start = Position::start(10, 10).unwrap();
    assert_eq!(perft(&Amazons, &start, 1), 2_176);
    assert_eq!(perft(&Amazons, &start, 2), 4_307_152);
    assert_eq!(perft(&Naive, &Board::from(&start), 1), 2_176);
}

#[test]
fn perft_as_the_naive_generator_counts() {
    for (files, ranks, depth) in [(4, 4, 4), (5, 4, 3), (5, 5, 3), (6, 6, 2), (8, 8, 2)] {
        let start = Position::start(files, ranks).unwrap();
        for depth in 0..=depth {
            let naive = perft(&Naive, &Board::from(&start), depth);
            assert_eq!(perft(&Amazons, &start, depth), naive, "{files}x{ranks}, {depth} plies");
            let hashed = Perft::new().hash(1).unwrap().threads(2);
            assert_eq!(hashed.count(&Amazons, &start, depth), naive);
        }
    }
}
