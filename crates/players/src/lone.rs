//! Pieces on their own: an exact use of parts at every node of an ordinary search.
//!
//! With `d` plies to go, a piece of the player to move is *lone* if it cannot get into the way of any other
//! piece, nor any other into its way, within them (`apart.rs`), and cannot reach the enemy's den. It is a part
//! of its own in the sense of `search::sum`: the rest of the board plays on as if it were not there, and all
//! it ever contributes to the value is what it is worth on the square where it ends. So most of its
//! moves are superfluous: whatever else happens, another is at least as good. Those are struck out, and the
//! value at the root stays what it was. Parts are found anew at every node, as pieces come and go.
//!
//! What is superfluous depends on how many more moves `r` the player has within the `d` plies:
//!
//! - `r = 0` (one or two plies to go): all lone pieces together can only use one move. Only the one with the
//!   largest gain matters.
//! - `r = 1`: this move and one more, if the player wants to spend it here. A first move by any lone piece is
//!   told by two numbers: the gain now, and the largest gain together with a second move, by any of them. A
//!   move is struck out if another is no less in both.
//! - `r > 1`, for each piece by itself: a square `s` is at least as good as `t` if the piece is worth no less
//!   there and, with `r > 0`, each move from `t` has a move from `s` that leads to a square at least as good
//!   with `r - 1` moves left: a simulation, found for all squares in advance. A move is struck out if another
//!   leads to a square at least as good.
//!
//! Each is the comparison of forms of `search::sum`, for a part in which only one player moves. A search that
//! strikes out moves must not ask at its last ply whether there is a legal move: pieces would have to
//! be on their own for a ply longer.

use jungle::board::DEN;
use jungle::causality::{Causality, Movement};
use jungle::thesis::Thesis;
use jungle::{Animal, Bitboard, Color, Move, Piece, Position, Square};

use crate::apart::Meetings;

/// What is known in advance, for all squares.
#[derive(Clone, Debug)]
pub struct Lone {
    /// How soon pieces meet.
    pub meetings: Meetings,
    /// By piece and square: the largest gain of a single move from there.
    gains: Vec<[i32; Square::COUNT]>,
    /// By number of moves left, piece and square: the squares that are no better.
    no_better: Vec<Vec<[Bitboard; Square::COUNT]>>,
}

/// With more moves left than this nothing is struck out.
const MOST_MOVES_LEFT: usize = 8;

fn at(piece: Piece) -> usize {
    piece.animal.index() * 2 + usize::from(piece.color == Color::Black)
}

fn all_pieces() -> impl Iterator<Item = Piece> {
    Animal::ALL
        .into_iter()
        .flat_map(|animal| [Color::White, Color::Black].map(|color| Piece { color, animal }))
}

impl Lone {
    /// Works everything out for some rules.
    pub fn new(causality: &Causality) -> Lone {
        let gain = |piece: Piece, square: Square| {
            let next = causality.movement(piece.animal).advance(square.bitboard());
            let worth = |square| Thesis::piece(piece, square);
            next.into_iter().map(|to| worth(to) - worth(square)).max().unwrap_or(0)
        };
        let gains = all_pieces().map(|piece| Square::ALL.map(|square| gain(piece, square)));
        let mut no_better: Vec<Vec<[Bitboard; Square::COUNT]>> = Vec::new();
        for left in 0..=MOST_MOVES_LEFT {
            let shorter = left.checked_sub(1).map(|left| &no_better[left]);
            let of = |piece: Piece| {
                let movement = causality.movement(piece.animal);
                compare(piece, movement, shorter.map(|shorter| &shorter[at(piece)]))
            };
            no_better.push(all_pieces().map(of).collect());
        }
        Lone { meetings: Meetings::new(causality), gains: gains.collect(), no_better }
    }

    /// Whether a piece of the player to move is on its own for so many plies.
    fn is_lone(
        &self,
        causality: &Causality,
        position: &Position,
        (animal, square): (Animal, Square),
        plies: u32,
    ) -> bool {
        let us = position.turn();
        let movement = causality.movement(animal);
        let ours = plies.div_ceil(2);
        let den = movement.distance(square, DEN[!us]);
        if den.get().is_some_and(|moves| u32::from(moves) <= ours) {
            return false;
        }
        position.pieces().all(|(other_square, other)| {
            let standing = (causality.movement(other.animal), other_square);
            let own = (movement, square);
            match other.color == us {
                true if other_square == square => true,
                true => self.meetings.of_friends(own, standing) > ours,
                false => self.meetings.of_enemies(own, standing) > plies,
            }
        })
    }

    /// Strikes out the moves that another makes superfluous in a search of so many plies. `moves` are the
    /// legal ones; what is left keeps its order. Returns how many were struck out.
    pub fn strike(
        &self,
        causality: &Causality,
        position: &Position,
        plies: u32,
        moves: &mut Vec<Move>,
        start: usize,
    ) -> usize {
        let us = position.turn();
        let mut lone = Bitboard::EMPTY;
        for animal in Animal::ALL {
            if let Some(square) = position.square_of(us, animal)
                && self.is_lone(causality, position, (animal, square), plies)
            {
                lone |= square.bitboard();
            }
        }
        if lone.is_empty() {
            return 0;
        }
        let before = moves.len();
        let left = plies.div_ceil(2) as usize - 1;
        match left {
            0 | 1 => self.keep_best(us, lone, left, moves, start),
            2..=MOST_MOVES_LEFT => self.keep_unrivalled(us, lone, left, moves, start),
            _ => {}
        }
        before - moves.len()
    }

    /// At most one more move: all lone pieces at once.
    fn keep_best(
        &self,
        us: Color,
        lone: Bitboard,
        left: usize,
        moves: &mut Vec<Move>,
        start: usize,
    ) {
        let worth = |animal, square| Thesis::piece(Piece { color: us, animal }, square);
        let gain =
            |animal, square: Square| self.gains[at(Piece { color: us, animal })][square.index()];
        // The largest gain of a single move, and the largest of another piece.
        let mut best: [(i32, Option<Square>); 2] = [(i32::MIN, None); 2];
        let mut last = None;
        for mv in moves[start..].iter().filter(|mv| lone.contains(mv.from)) {
            if last == Some(mv.from) {
                continue;
            }
            last = Some(mv.from);
            let entry = (gain(mv.animal, mv.from), Some(mv.from));
            if best.iter().any(|(_, square)| *square == entry.1) {
                continue;
            }
            if entry.0 > best[0].0 {
                best = [entry, best[0]];
            } else if entry.0 > best[1].0 {
                best[1] = entry;
            }
        }
        let numbers = |mv: &Move| -> [i32; 2] {
            let now = worth(mv.animal, mv.to) - worth(mv.animal, mv.from);
            if left == 0 {
                return [now, 0];
            }
            let elsewhere = if best[0].1 == Some(mv.from) { best[1] } else { best[0] };
            let onward = gain(mv.animal, mv.to);
            let second = if elsewhere.1.is_some() { onward.max(elsewhere.0) } else { onward };
            [now, now + second]
        };
        let mut kept: Vec<(Square, Square, [i32; 2])> = Vec::with_capacity(4);
        for mv in moves[start..].iter().filter(|mv| lone.contains(mv.from)) {
            let [now, then] = numbers(mv);
            if kept.iter().any(|(_, _, [first, second])| *first >= now && *second >= then) {
                continue;
            }
            kept.retain(|(_, _, [first, second])| !(now >= *first && then >= *second));
            kept.push((mv.from, mv.to, [now, then]));
        }
        retain_from(moves, start, |mv| {
            !lone.contains(mv.from)
                || kept.iter().any(|(from, to, _)| (*from, *to) == (mv.from, mv.to))
        });
    }

    /// More moves: each piece by itself.
    fn keep_unrivalled(
        &self,
        us: Color,
        lone: Bitboard,
        left: usize,
        moves: &mut Vec<Move>,
        start: usize,
    ) {
        let mut kept: Vec<Move> = Vec::with_capacity(16);
        for mv in moves[start..].iter().filter(|mv| lone.contains(mv.from)) {
            let table = &self.no_better[left][at(Piece { color: us, animal: mv.animal })];
            let rivals = |one: &Move, other: &Move| {
                one.from == other.from && table[one.to.index()].contains(other.to)
            };
            if !kept.iter().any(|other| rivals(other, mv)) {
                kept.retain(|other| !rivals(mv, other));
                kept.push(*mv);
            }
        }
        retain_from(moves, start, |mv| !lone.contains(mv.from) || kept.contains(mv));
    }
}

/// As `Vec::retain`, for what lies from `start` on.
fn retain_from(moves: &mut Vec<Move>, start: usize, keep: impl Fn(&Move) -> bool) {
    let mut end = start;
    for at in start..moves.len() {
        if keep(&moves[at]) {
            moves[end] = moves[at];
            end += 1;
        }
    }
    moves.truncate(end);
}

/// For each square of a lone piece, the squares that are no better with one more move left than in
/// `shorter`, or with none.
fn compare(
    piece: Piece,
    movement: Movement,
    shorter: Option<&[Bitboard; Square::COUNT]>,
) -> [Bitboard; Square::COUNT] {
    let worth = |square| Thesis::piece(piece, square);
    Square::ALL.map(|square| {
        let covered = shorter.map(|shorter| {
            let next = movement.advance(square.bitboard()).into_iter();
            next.fold(Bitboard::EMPTY, |covered, to| covered | shorter[to.index()])
        });
        let no_better = |other: &Square| {
            worth(*other) <= worth(square)
                && covered.is_none_or(|covered| {
                    movement.advance(other.bitboard()).without(covered).is_empty()
                })
        };
        movement.ground().into_iter().filter(no_better).collect()
    })
}
