//! Pruning by parts of one side: an exact use of parts at every node of an ordinary search.
//!
//! With `d` plies to go, pieces of the player to move are *among themselves* if no enemy can get in their way
//! within them, nor they in an enemy's ([`meetings`](super::meetings)), none can reach the enemy's den, and none of
//! the player's other pieces can get in their way either. They are a part in the sense of `search::sum`, and
//! one in which only one player moves: the rest of the board plays on as if they were not there, and all they
//! ever contribute to the value is what they are worth on the squares where they end. So most of their
//! moves are dominated: whatever else happens, another is at least as good. Those are pruned, and the
//! value at the root stays the same. Parts are found again at every node, as pieces come and go.
//!
//! Which moves are dominated depends on how many more moves `r` the player has within the `d` plies:
//!
//! - `r = 0` (one or two plies to go): the player has this move only, so its own pieces cannot get in each
//!   other's way, and enemies are all that has to be far. Of all moves by such pieces, only the one with the
//!   largest gain matters.
//! - `r = 1`: this move and one more, if the player wants to spend it here. A first move is described by two
//!   numbers: the gain now, and the largest gain together with a second move, by any of the pieces. A move is
//!   pruned if another is no less in both.
//! - `r > 1`, only for *lone* pieces, each a part by itself: a square `s` is at least as good as `t` if the
//!   piece is worth no less there and, with `r > 0`, each move from `t` has a move from `s` that leads to a
//!   square at least as good with `r - 1` moves left: a simulation, found for all squares in advance. A move
//!   is pruned if another leads to a square at least as good.
//!
//! Each is the comparison of forms of `search::sum`. A search that prunes in this way must not ask at its last
//! ply whether there is a legal move: pieces would have to be apart for a ply longer.

use crate::board::{DEN, DENS};
use crate::causality::{Causality, Movement};
use crate::{Animal, Bitboard, BurnettEval, Color, Jungle, Move, Piece, Position, Square};

use super::meetings::Meetings;

/// Precomputed tables, for all squares.
#[derive(Clone, Debug)]
pub struct Lone {
    /// How soon pieces meet.
    pub meetings: Meetings,
    /// By number of moves left, piece and square: the squares that are no better.
    no_better: Vec<Vec<[Bitboard; Square::COUNT]>>,
}

/// With more moves left than this nothing is pruned.
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
        let mut no_better: Vec<Vec<[Bitboard; Square::COUNT]>> = Vec::new();
        for left in 0..=MOST_MOVES_LEFT {
            let shorter = left.checked_sub(1).map(|left| &no_better[left]);
            let of = |piece: Piece| {
                let movement = causality.movement(piece.animal);
                compare(piece, movement, shorter.map(|shorter| &shorter[at(piece)]))
            };
            no_better.push(all_pieces().map(of).collect());
        }
        Lone { meetings: Meetings::new(causality), no_better }
    }

    /// The pieces of the player to move that no enemy meets within this many plies, and that cannot end the
    /// game.
    fn undisturbed(&self, causality: &Causality, position: &Position, plies: u32) -> Bitboard {
        let us = position.turn();
        let ours = plies.div_ceil(2);
        let enemies: Vec<(Movement, Square)> = position
            .pieces()
            .filter(|(_, piece)| piece.color != us)
            .map(|(square, piece)| (causality.movement(piece.animal), square))
            .collect();
        let mut found = Bitboard::EMPTY;
        for (animal, square) in own_pieces(position) {
            let own = (causality.movement(animal), square);
            let den = own.0.distance(square, DEN[!us]).get();
            if den.is_none_or(|moves| u32::from(moves) > ours)
                && enemies.iter().all(|enemy| self.meetings.of_enemies(own, *enemy) > plies)
            {
                found |= square.bitboard();
            }
        }
        found
    }

    /// Leaves out pieces that can get in the way of a friend outside the set, within this many moves; of
    /// any friend if they have to be `alone`.
    fn among_themselves(
        &self,
        causality: &Causality,
        position: &Position,
        mut pieces: Bitboard,
        moves: u32,
        alone: bool,
    ) -> Bitboard {
        let own: Vec<(Movement, Square)> = own_pieces(position)
            .map(|(animal, square)| (causality.movement(animal), square))
            .collect();
        loop {
            let before = pieces;
            for one in own.iter().filter(|one| before.contains(one.1)) {
                let disturbed = own.iter().any(|other| {
                    other.1 != one.1
                        && (alone || !pieces.contains(other.1))
                        && self.meetings.of_friends(*one, *other) <= moves
                });
                if disturbed {
                    pieces = pieces.without(one.1.bitboard());
                }
            }
            if alone || pieces == before {
                return pieces;
            }
        }
    }

    /// Prunes the moves that another dominates in a search of `plies` plies. `moves` from `start`
    /// on are the legal ones; what is left keeps its order. Returns how many were pruned.
    pub fn strike(
        &self,
        jungle: &Jungle,
        causality: &Causality,
        position: &mut Position,
        plies: u32,
        moves: &mut Vec<Move>,
        start: usize,
    ) -> usize {
        let before = moves.len();
        let ours = plies.div_ceil(2);
        let left = ours as usize - 1;
        let mut pieces = self.undisturbed(causality, position, plies);
        if left > 0 && pieces.any() {
            pieces = self.among_themselves(causality, position, pieces, ours, left > 1);
        }
        if pieces.is_empty() {
            return 0;
        }
        let us = position.turn();
        match left {
            0 | 1 => keep_best(jungle, pieces, left, position, moves, start),
            2..=MOST_MOVES_LEFT => self.keep_unrivalled(us, pieces, left, moves, start),
            _ => {}
        }
        before - moves.len()
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

/// The player's pieces.
fn own_pieces(position: &Position) -> impl Iterator<Item = (Animal, Square)> {
    let us = position.turn();
    Animal::ALL
        .into_iter()
        .filter_map(move |animal| Some((animal, position.square_of(us, animal)?)))
}

/// What a piece of the player gains by a move that takes nothing.
fn gain(color: Color, animal: Animal, from: Square, to: Square) -> i32 {
    let piece = Piece { color, animal };
    BurnettEval::piece(piece, to) - BurnettEval::piece(piece, from)
}

/// At most one more move: all pieces at once. Undominated moves are kept.
fn keep_best(
    jungle: &Jungle,
    pieces: Bitboard,
    left: usize,
    position: &mut Position,
    moves: &mut Vec<Move>,
    start: usize,
) {
    let us = position.turn();
    let mut kept: Vec<(Move, [i32; 2])> = Vec::with_capacity(8);
    for &mv in moves[start..].iter().filter(|mv| pieces.contains(mv.from)) {
        let now = gain(us, mv.animal, mv.from, mv.to);
        let mut then = 0;
        if left > 0 {
            position.make(mv);
            then = now
                + best_gain(jungle, position, us, pieces.without(mv.from.bitboard()).with(mv.to));
            position.unmake(mv);
        }
        if kept.iter().any(|(_, [first, second])| *first >= now && *second >= then) {
            continue;
        }
        kept.retain(|(_, [first, second])| !(now >= *first && then >= *second));
        kept.push((mv, [now, then]));
    }
    retain_from(moves, start, |mv| {
        !pieces.contains(mv.from) || kept.iter().any(|(other, _)| other == mv)
    });
}

/// Prunes, one ply before the end, all moves that take nothing and enter no den, except the one with the
/// largest gain. Returns how many were pruned.
pub fn keep_best_last(us: Color, moves: &mut Vec<Move>, start: usize) -> usize {
    let before = moves.len();
    let quiet = |mv: &Move| !mv.is_capture() && !DENS.contains(mv.to);
    let gain = |mv: &Move| gain(us, mv.animal, mv.from, mv.to);
    // The first of several with the same gain.
    let best = moves[start..].iter().copied().filter(quiet).rev().max_by_key(gain);
    retain_from(moves, start, |mv| !quiet(mv) || Some(*mv) == best);
    before - moves.len()
}

/// The largest gain of a move by some pieces of a side, if it were to move.
fn best_gain(jungle: &Jungle, position: &Position, us: Color, pieces: Bitboard) -> i32 {
    let empty = (!position.occupied()).without(DENS);
    let mut best: Option<i32> = None;
    for animal in Animal::ALL {
        let Some(from) = position.square_of(us, animal).filter(|from| pieces.contains(*from))
        else {
            continue;
        };
        for to in jungle.reach(position, us, animal, from) & empty {
            best = best.max(Some(gain(us, animal, from, to)));
        }
    }
    // A piece that has moved can move back.
    best.unwrap_or(0)
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
    let worth = |square| BurnettEval::piece(piece, square);
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
        movement.domain().into_iter().filter(no_better).collect()
    })
}
