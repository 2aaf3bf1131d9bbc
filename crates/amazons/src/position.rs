//! Positions: the amazons, the empty squares and the side to move.
//!
//! Squares hit by arrows and squares beyond the board are treated alike. So a part of a board is a
//! position too, and everything that works on the one works on the other.

use std::fmt;

use game::Side;

use crate::{Bitboard, Move, Size, Square, zobrist};

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    amazons: [Bitboard; 2],
    empty: Bitboard,
    turn: Side,
    size: Size,
    key: u64,
}

/// White moves first.
pub const fn player_name(player: Side) -> &'static str {
    match player {
        Side::First => "White",
        Side::Second => "Black",
    }
}

impl Position {
    /// A position from its parts.
    ///
    /// # Errors
    ///
    /// If the sets overlap or go beyond the board.
    pub fn new(
        size: Size,
        white: Bitboard,
        black: Bitboard,
        empty: Bitboard,
        turn: Side,
    ) -> Result<Position, Overlap> {
        let beyond = (white | black | empty).without(size.squares());
        let twice = white & black | white & empty | black & empty;
        match (beyond | twice).first() {
            Some(square) => Err(Overlap(square)),
            None => Ok(Position::assemble(size, [white, black], empty, turn)),
        }
    }

    pub(crate) fn assemble(
        size: Size,
        amazons: [Bitboard; 2],
        empty: Bitboard,
        turn: Side,
    ) -> Position {
        let mut position = Position { amazons, empty, turn, size, key: 0 };
        position.key = position.fresh_key();
        position
    }

    /// The usual start on the usual board, and its analogue on smaller ones: four amazons a side, a
    /// third of the way in from the corners along the edges.
    ///
    /// # Errors
    ///
    /// If there is no board of this size.
    pub fn start(files: u8, ranks: u8) -> Result<Position, crate::SizeError> {
        let size = Size::new(files, ranks)?;
        let (in_files, in_ranks) = ((files - 1) / 3, (ranks - 1) / 3);
        let (right, top) = (files - 1, ranks - 1);
        let white: Bitboard =
            [(in_files, 0), (right - in_files, 0), (0, in_ranks), (right, in_ranks)]
                .into_iter()
                .filter_map(|(file, rank)| Square::new(file, rank))
                .collect();
        let black = white
            .into_iter()
            .filter_map(|square| Square::new(square.file(), top - square.rank()))
            .collect();
        let empty = size.squares().without(white | black);
        Ok(Position::assemble(size, [white, black], empty, Side::First))
    }

    /// The squares of a player's amazons.
    #[inline]
    pub const fn amazons(&self, player: Side) -> Bitboard {
        self.amazons[player as usize]
    }

    /// The squares of all amazons.
    #[inline]
    pub fn all_amazons(&self) -> Bitboard {
        self.amazons[0] | self.amazons[1]
    }

    /// The empty squares.
    #[inline]
    pub const fn empty(&self) -> Bitboard {
        self.empty
    }

    /// Every square that is not blocked.
    #[inline]
    pub fn open(&self) -> Bitboard {
        self.all_amazons() | self.empty
    }

    /// The squares of the board that arrows have hit.
    pub fn arrows(&self) -> Bitboard {
        self.size.squares().without(self.open())
    }

    /// Who is to move.
    #[inline]
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// How large the board is.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The Zobrist key.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The Zobrist key computed from scratch.
    pub fn fresh_key(&self) -> u64 {
        let turn = match self.turn {
            Side::First => 0,
            Side::Second => zobrist::BLACK_TO_MOVE,
        };
        let amazons = [Side::First, Side::Second].into_iter().flat_map(|player| {
            self.amazons(player).into_iter().map(move |square| zobrist::amazon(player, square))
        });
        amazons.chain(self.empty.into_iter().map(zobrist::empty)).fold(turn, |key, word| key ^ word)
    }

    /// Whether the player, if it were her turn, could move.
    #[inline]
    pub fn can_move(&self, player: Side) -> bool {
        self.amazons(player).spread().intersects(self.empty)
    }

    /// The same with everything beyond `squares` blocked.
    #[must_use]
    pub fn restricted(&self, squares: Bitboard) -> Position {
        let amazons = self.amazons.map(|amazons| amazons & squares);
        Position::assemble(self.size, amazons, self.empty & squares, self.turn)
    }

    /// The same, where nothing but `squares` lies within it: as [`restricted`](Position::restricted), and the
    /// key follows from what is taken away.
    pub(crate) fn keep(&mut self, squares: Bitboard) {
        let gone = self.open().without(squares);
        for square in gone {
            self.key ^= if self.empty.contains(square) {
                zobrist::empty(square)
            } else {
                let white = self.amazons(Side::First).contains(square);
                zobrist::amazon(if white { Side::First } else { Side::Second }, square)
            };
        }
        self.amazons = self.amazons.map(|amazons| amazons & squares);
        self.empty &= squares;
    }

    /// The same with the other player to move.
    #[must_use]
    pub fn passed(&self) -> Position {
        Position { turn: !self.turn, key: self.key ^ zobrist::BLACK_TO_MOVE, ..*self }
    }

    /// The same with the players exchanged.
    #[must_use]
    pub fn recolored(&self) -> Position {
        let [white, black] = self.amazons;
        Position::assemble(self.size, [black, white], self.empty, !self.turn)
    }

    /// Makes a move. Whether it is legal is not asked, but its squares are on the board.
    #[inline]
    pub(crate) fn play(&mut self, mv: Move) {
        let player = self.turn;
        self.amazons[player as usize] ^= mv.from.bitboard() | mv.to.bitboard();
        self.empty ^= mv.from.bitboard() | mv.to.bitboard();
        self.empty ^= mv.arrow.bitboard();
        self.rekey(player, mv);
    }

    /// Takes back the move just made.
    #[inline]
    pub(crate) fn take_back(&mut self, mv: Move) {
        let player = !self.turn;
        self.empty ^= mv.arrow.bitboard();
        self.empty ^= mv.from.bitboard() | mv.to.bitboard();
        self.amazons[player as usize] ^= mv.from.bitboard() | mv.to.bitboard();
        self.rekey(player, mv);
    }

    #[inline]
    fn rekey(&mut self, player: Side, mv: Move) {
        self.key ^= zobrist::amazon(player, mv.from)
            ^ zobrist::amazon(player, mv.to)
            ^ zobrist::empty(mv.from)
            ^ zobrist::empty(mv.to)
            ^ zobrist::empty(mv.arrow)
            ^ zobrist::BLACK_TO_MOVE;
        self.turn = !self.turn;
    }
}

/// A square holds two things at once, or lies beyond the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} holds two things at once, or lies beyond the board")]
pub struct Overlap(pub Square);

/// As [`Display`](fmt::Display): the text form says it all.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
