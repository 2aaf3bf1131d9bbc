//! Moves of the exact search, a non-move among them, in order; and what a move changes of the evaluation.

use jungle::{Animal, BurnettEval, Color, Move, Piece, Position, Square};
use search::shared_table::PackedMove;

use super::NON_MOVE;

pub(super) fn make(position: &mut Position, mv: Option<Move>) {
    match mv {
        Some(mv) => position.make(mv),
        None => *position = position.with_turn(!position.turn()),
    }
}

pub(super) fn unmake(position: &mut Position, mv: Option<Move>) {
    match mv {
        Some(mv) => position.unmake(mv),
        None => make(position, None),
    }
}

/// A move, or the non-move, as the table has it.
pub(super) fn pack(mv: Option<Move>) -> Option<PackedMove> {
    let (from, to) = mv.map_or(NON_MOVE, |mv| (mv.from, mv.to));
    PackedMove::new(from.index(), to.index())
}

/// The squares of a move of the table.
pub(super) fn unpack(mv: PackedMove) -> Option<(Square, Square)> {
    let (from, to) = mv.squares();
    Some((*Square::ALL.get(from)?, *Square::ALL.get(to)?))
}

/// Eight pieces with four moves each, and the non-move.
pub(super) const MOST_MOVES: usize = 4 * Animal::COUNT + 1;

/// Moves with scores; `None` is the non-move.
pub(super) struct Ordered {
    pub(super) moves: [(i32, Option<Move>); MOST_MOVES],
    pub(super) len: usize,
}

impl Ordered {
    pub(super) fn push(&mut self, score: i32, mv: Option<Move>) {
        self.moves[self.len] = (score, mv);
        self.len += 1;
    }

    /// The best of the moves from `index` on.
    pub(super) fn pick(&mut self, index: usize) -> Option<Move> {
        let rest = &mut self.moves[index..self.len];
        let mut best = 0;
        for at in 1..rest.len() {
            if rest[at].0 > rest[best].0 {
                best = at;
            }
        }
        rest.swap(0, best);
        rest[0].1
    }
}

pub(super) fn evaluate(position: &Position) -> i32 {
    let worth = |(square, piece): (Square, Piece)| {
        let worth = BurnettEval::piece(piece, square);
        if piece.color == position.turn() { worth } else { -worth }
    };
    position.pieces().map(worth).sum()
}

/// By how much a move changes the evaluation for its maker.
#[inline]
pub(super) fn gain(us: Color, mv: Move) -> i32 {
    let worth = |color, animal, square| BurnettEval::piece(Piece { color, animal }, square);
    worth(us, mv.animal, mv.to) - worth(us, mv.animal, mv.from)
        + mv.captured.map_or(0, |captured| worth(!us, captured, mv.to))
}

pub(super) fn seen(us: Color, square: Square) -> usize {
    if us == Color::White { square.index() } else { square.rotate().index() }
}

/// The most that a quiet move of a white animal from a square can change the evaluation.
pub(super) static MOST_GAIN: std::sync::LazyLock<[[i16; Square::COUNT]; Animal::COUNT]> =
    std::sync::LazyLock::new(|| {
        Animal::ALL.map(|animal| {
            let worth = |square| BurnettEval::piece(Piece { color: Color::White, animal }, square);
            Square::ALL.map(|from| {
                let steps = jungle::board::neighbours(from).into_iter();
                let leaps = jungle::board::jumps(from).iter().map(|jump| jump.to);
                let gains = steps.chain(leaps).map(|to| worth(to) - worth(from));
                gains.max().unwrap_or(0) as i16
            })
        })
    });
