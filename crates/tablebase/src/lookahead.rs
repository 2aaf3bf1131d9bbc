//! A one-ply search over decoded tables, by the ordinary move generator.
//!
//! This is a second way to the value of a position: generate its moves as a player would, and
//! look up where each leads. It shares nothing with rows, sweeps and bitboards of runners, so that it
//! can check the solver, which is built on them.

use game::Game;
use game::truth::Truth;
use jungle::board::DEN;
use jungle::{Color, Jungle, Move, Piece, Position, Square};

use crate::class::{Loader, Reader};
use crate::grid::MAX_PIECES;
use crate::probe::ProbeError;

/// Looks one ply ahead of positions with given pieces.
pub struct Lookahead {
    jungle: Jungle,
    pieces: Vec<Piece>,
    /// Where moves without a capture lead; `None` if a side has no piece.
    own: Option<Reader>,
    /// Where the capture of each piece leads; `None` if it is the last of its side.
    after: Vec<Option<Reader>>,
}

impl Lookahead {
    /// Loads the tables of these pieces and of all that they lead to. The pieces are named as in
    /// `jungle`'s rules.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, or there are too many pieces.
    pub fn new(
        loader: &mut Loader<'_>,
        jungle: &Jungle,
        pieces: &[Piece],
    ) -> Result<Lookahead, ProbeError> {
        let own = loader.reader(jungle, pieces)?;
        let mut after = Vec::new();
        for victim in 0..pieces.len() {
            let rest: Vec<Piece> = without(pieces, victim).collect();
            after.push(loader.reader(jungle, &rest)?);
        }
        Ok(Lookahead { jungle: jungle.clone(), pieces: pieces.to_vec(), own, after })
    }

    /// The pieces, in the order in which squares are given.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The position with the pieces on these squares; `None` if there is none in which the game
    /// goes on.
    #[inline]
    pub fn position(&self, squares: &[Square], turn: Color) -> Option<Position> {
        let pieces = squares.iter().copied().zip(self.pieces.iter().copied());
        Position::from_pieces(pieces, turn).ok()
    }

    /// What a move achieves for the player who makes it, counted from before the move; `None` if the
    /// position it leads to is in no table, which does not happen to legal moves.
    #[inline]
    pub fn achieves(&self, squares: &[Square], position: &Position, mv: Move) -> Option<Truth> {
        let turn = position.turn();
        if mv.to == DEN[!turn] {
            return Some(Truth::Win(1));
        }
        let mover = squares.iter().position(|&square| square == mv.from)?;
        let mut next = [Square::A1; MAX_PIECES];
        next[..squares.len()].copy_from_slice(squares);
        next[mover] = mv.to;
        if !mv.is_capture() {
            let value = self.own.as_ref()?.value(&next[..squares.len()], !turn)?;
            return Some(value.one_ply_earlier());
        }
        let victim = squares.iter().position(|&square| square == mv.to)?;
        match &self.after[victim] {
            Some(reader) => {
                next.copy_within(victim + 1.., victim);
                let value = reader.value(&next[..squares.len() - 1], !turn)?;
                Some(value.one_ply_earlier())
            }
            None => self.over(&self.jungle.after(position, mv)).map(Truth::one_ply_earlier),
        }
    }

    /// The value that follows from the moves, and the first best move; `moves` is scratch space.
    /// `None` if the squares are not a position.
    #[inline]
    pub fn recompute(
        &self,
        squares: &[Square],
        turn: Color,
        moves: &mut Vec<Move>,
    ) -> Option<(Truth, Option<Move>)> {
        let position = self.position(squares, turn)?;
        moves.clear();
        self.jungle.push_moves(&position, moves);
        let mut best: Option<(Truth, Move)> = None;
        for &mv in &*moves {
            let value = self.achieves(squares, &position, mv)?;
            if best.is_none_or(|(found, _)| value > found) {
                best = Some((value, mv));
            }
        }
        match best {
            Some((value, mv)) => Some((value, Some(mv))),
            None => Some((self.over(&position)?, None)),
        }
    }

    /// Whether just one of several moves wins; `moves` is scratch space.
    pub fn is_only_win(&self, squares: &[Square], turn: Color, moves: &mut Vec<Move>) -> bool {
        let Some(position) = self.position(squares, turn) else { return false };
        moves.clear();
        self.jungle.push_moves(&position, moves);
        let wins =
            |mv: &&Move| matches!(self.achieves(squares, &position, **mv), Some(Truth::Win(_)));
        moves.len() > 1 && moves.iter().filter(wins).take(2).count() == 1
    }

    /// The value of a finished game.
    fn over(&self, position: &Position) -> Option<Truth> {
        let ending = self.jungle.ending(position)?;
        Some(match ending.winner {
            None => Truth::Draw,
            Some(winner) if winner == position.turn() => Truth::Win(0),
            Some(_) => Truth::Loss(0),
        })
    }
}

fn without(pieces: &[Piece], victim: usize) -> impl Iterator<Item = Piece> {
    let kept = pieces.iter().enumerate().filter(move |(at, _)| *at != victim);
    kept.map(|(_, &piece)| piece)
}
