//! The reference implementation of the rules, slow and simple: the oracle of the bitboards, and
//! what their speed is measured against.
//!
//! A board is a grid of cells. Amazons and arrows walk over it step by step, and so does the
//! evaluation, so that whole searches can be compared.

use game::rng::mix;
use game::score::Evaluate;
use game::{Game, Outcome, Side};

use crate::evaluate::Weights;
use crate::{Move, Position, Square};

/// What is on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// An amazon.
    Amazon(Side),
    /// An arrow.
    Arrow,
}

/// A board, ranks from the bottom.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    rows: Vec<Vec<Cell>>,
    turn: Side,
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Board {
        let size = position.size();
        let cell = |file, rank| {
            let square = Square::new(file, rank).expect("the loops stay on the board");
            if position.empty().contains(square) {
                Cell::Empty
            } else if position.amazons(Side::First).contains(square) {
                Cell::Amazon(Side::First)
            } else if position.amazons(Side::Second).contains(square) {
                Cell::Amazon(Side::Second)
            } else {
                Cell::Arrow
            }
        };
        let row = |rank| (0..size.files()).map(|file| cell(file, rank)).collect();
        Board { rows: (0..size.ranks()).map(row).collect(), turn: position.turn() }
    }
}

const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Board {
    fn at(&self, square: Square) -> Option<Cell> {
        self.rows.get(usize::from(square.rank()))?.get(usize::from(square.file())).copied()
    }

    fn put(&mut self, square: Square, cell: Cell) {
        self.rows[usize::from(square.rank())][usize::from(square.file())] = cell;
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        (0..Square::MAX)
            .flat_map(|rank| (0..Square::MAX).filter_map(move |file| Square::new(file, rank)))
            .filter(|&square| self.at(square).is_some())
    }

    /// The squares a queen on `from` could move to.
    fn reach(&self, from: Square) -> Vec<Square> {
        let mut reached = Vec::new();
        for (files, ranks) in DIRECTIONS {
            let mut at = from;
            while let Some(next) = at.offset(files, ranks) {
                if self.at(next) != Some(Cell::Empty) {
                    break;
                }
                reached.push(next);
                at = next;
            }
        }
        reached
    }
}

impl Board {
    fn amazons(&self, who: Side) -> Vec<Square> {
        self.squares().filter(|&square| self.at(square) == Some(Cell::Amazon(who))).collect()
    }

    /// The empty squares next to a square.
    fn neighbours(&self, from: Square) -> Vec<Square> {
        let next = DIRECTIONS.iter().filter_map(|&(files, ranks)| from.offset(files, ranks));
        next.filter(|&square| self.at(square) == Some(Cell::Empty)).collect()
    }

    /// The squares that a player's amazons can get to and in how many steps, her own in none.
    fn distances(
        &self,
        who: Side,
        step: impl Fn(&Board, Square) -> Vec<Square>,
    ) -> Vec<(Square, u32)> {
        let mut found: Vec<(Square, u32)> =
            self.amazons(who).into_iter().map(|square| (square, 0)).collect();
        let mut at = 0;
        while let Some(&(square, distance)) = found.get(at) {
            for next in step(self, square) {
                if found.iter().all(|&(known, _)| known != next) {
                    found.push((next, distance + 1));
                }
            }
            at += 1;
        }
        found
    }

    /// Squares nearer to the player to move less those nearer to the other, and squares as near to
    /// both.
    fn territory(&self, step: impl Fn(&Board, Square) -> Vec<Square>) -> (i32, i32) {
        let [mine, theirs] = [self.turn, !self.turn].map(|who| self.distances(who, &step));
        let (mut balance, mut ties) = (0, 0);
        for square in self.squares().filter(|&square| self.at(square) == Some(Cell::Empty)) {
            let steps = |of: &[(Square, u32)]| {
                of.iter().find(|(at, _)| *at == square).map(|&(_, distance)| distance)
            };
            match (steps(&mine), steps(&theirs)) {
                (None, None) => {}
                (Some(one), Some(other)) if one == other => ties += 1,
                (Some(one), other) if other.is_none_or(|other| one < other) => balance += 1,
                _ => balance -= 1,
            }
        }
        (balance, ties)
    }
}

impl Evaluate<Naive> for Weights {
    fn evaluate(&self, _: &Naive, board: &Board) -> i32 {
        let (queens, queen_ties) = board.territory(Board::reach);
        let (kings, king_ties) = board.territory(Board::neighbours);
        let mobility = |who| -> i32 {
            board.amazons(who).into_iter().map(|from| board.reach(from).len() as i32).sum()
        };
        self.queen_territory * queens
            + self.queen_tie * queen_ties
            + self.king_territory * kings
            + self.king_tie * king_ties
            + self.mobility * (mobility(board.turn) - mobility(!board.turn))
    }
}

/// The rules over plain boards.
#[derive(Clone, Copy, Debug, Default)]
pub struct Naive;

impl Game for Naive {
    type Position = Board;
    type Move = Move;
    type Undo = Board;

    fn side_to_move(&self, board: &Board) -> Side {
        board.turn
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        self.moves(board).is_empty().then(|| Outcome::Win(!board.turn))
    }

    fn push_moves(&self, board: &Board, moves: &mut Vec<Move>) {
        for from in board.squares() {
            if board.at(from) != Some(Cell::Amazon(board.turn)) {
                continue;
            }
            let mut after = board.clone();
            after.put(from, Cell::Empty);
            for to in board.reach(from) {
                moves.extend(after.reach(to).into_iter().map(|arrow| Move { from, to, arrow }));
            }
        }
    }

    fn make(&self, board: &mut Board, mv: Move) -> Board {
        let before = board.clone();
        board.put(mv.from, Cell::Empty);
        board.put(mv.to, Cell::Amazon(board.turn));
        board.put(mv.arrow, Cell::Arrow);
        board.turn = !board.turn;
        before
    }

    fn unmake(&self, board: &mut Board, _: Move, before: Board) {
        *board = before;
    }

    fn key(&self, board: &Board) -> u64 {
        self.fresh_key(board)
    }

    fn fresh_key(&self, board: &Board) -> u64 {
        let cell = |square| match board.at(square) {
            None => 0,
            Some(Cell::Empty) => 1,
            Some(Cell::Arrow) => 2,
            Some(Cell::Amazon(player)) => 3 + player as u64,
        };
        board.squares().fold(board.turn as u64, |key, square| mix(key ^ cell(square)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Amazons;
    use game::rng::Rng;

    #[test]
    fn the_plain_evaluation_is_the_same() {
        let weights = Weights::default();
        let mut rng = Rng::new(5);
        for round in 0..14 {
            let mut position = Position::start(4 + round % 7, 10 - round % 6).unwrap();
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                Amazons.make(&mut position, mv);
                let plain = weights.evaluate(&Naive, &Board::from(&position));
                assert_eq!(plain, weights.value(&position), "{position}");
            }
        }
    }
}
