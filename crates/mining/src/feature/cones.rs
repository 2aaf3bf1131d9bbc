//! Features for any pieces, from the distances of the causality cones.
//!
//! A free body needs a number of moves from square to square ([`jungle::causality`]); from that follow
//! who can be where first, by how much, and how soon two pieces can matter to each other. White is to
//! move. Lone features look at one piece or a pair; joint ones take the best over a side.

use game::truth::Truth;
use jungle::board::{DEN, TRAPS};
use jungle::causality::Node;
use jungle::{Bitboard, Color, Square};

use super::PositionView;

/// Later than anything on the board.
const NEVER: i16 = 99;

/// Moves of a piece to a square.
#[inline]
fn moves(view: &PositionView<'_>, piece: usize, to: Square) -> i16 {
    let movement = view.context.movements[piece];
    movement.distance(view.squares[piece], to).get().map_or(NEVER, i16::from)
}

/// Moves of a piece to the enemy's den.
pub(super) fn den(view: &PositionView<'_>, piece: usize) -> i16 {
    moves(view, piece, DEN[!view.context.pieces[piece].color])
}

/// Moves of a piece to the nearest trap of its own.
pub(super) fn home(view: &PositionView<'_>, piece: usize) -> i16 {
    let traps = TRAPS[view.context.pieces[piece].color].into_iter();
    traps.map(|trap| moves(view, piece, trap)).min().unwrap_or(NEVER)
}

/// Moves of one piece to where another stands.
pub(super) fn gap(view: &PositionView<'_>, from: usize, to: usize) -> i16 {
    moves(view, from, view.squares[to])
}

/// Whether two pieces stand on squares of the same colour (0) or of different colours (1), if the
/// board were chequered: steps change it, sideways jumps (by three squares) too, lengthwise jumps (by
/// four) do not.
pub(super) fn step_parity(view: &PositionView<'_>, one: usize, other: usize) -> u8 {
    let shade = |piece: usize| view.squares[piece].file() + view.squares[piece].rank();
    (shade(one) + shade(other)) % 2
}

/// The causality function T.
pub(super) fn effect(view: &PositionView<'_>, one: usize, other: usize) -> i16 {
    let node = |piece: usize| Node {
        square: view.squares[piece],
        piece: view.context.pieces[piece],
        movement: view.context.movements[piece],
    };
    let time = view.context.causality.time_to_effect(&node(one), &node(other), Color::White);
    time.get().map_or(NEVER, i16::from)
}

/// The least moves of a side to the enemy's den.
fn nearest(view: &PositionView<'_>, color: Color) -> i16 {
    view.context.side(color).map(|piece| den(view, piece)).min().unwrap_or(NEVER)
}

/// By how many moves White is nearer to Black's den than Black to White's.
pub(super) fn lead(view: &PositionView<'_>) -> i16 {
    nearest(view, Color::Black) - nearest(view, Color::White)
}

/// By how many moves a side is earlier than the other in one of the other's traps, at best.
pub(super) fn margin(view: &PositionView<'_>, color: Color) -> i16 {
    let first = |color: Color, trap: Square| {
        view.context.side(color).map(|piece| moves(view, piece, trap)).min().unwrap_or(NEVER)
    };
    let traps = TRAPS[!color].into_iter();
    traps.map(|trap| first(!color, trap) - first(color, trap)).max().unwrap_or(-NEVER)
}

/// The least moves of a side's piece to an enemy that it takes on open land.
pub(super) fn chase(view: &PositionView<'_>, color: Color) -> i16 {
    let mut least = NEVER;
    for attacker in view.context.side(color) {
        for victim in view.context.side(!color) {
            if view.context.takes(attacker, victim) {
                least = least.min(gap(view, attacker, victim));
            }
        }
    }
    least
}

/// Where a piece can go in one move on a board with nothing in its way; rats stop jumps.
fn reach(view: &PositionView<'_>, piece: usize) -> Bitboard {
    let own = view.context.pieces[piece];
    view.context.jungle.reach(view.position(), own.color, own.animal, view.squares[piece])
}

/// Whether a piece could take another that stood on `to`.
fn strikes(view: &PositionView<'_>, attacker: usize, victim: usize, to: Square) -> bool {
    let (own, other) = (view.context.pieces[attacker], view.context.pieces[victim]);
    reach(view, attacker).contains(to)
        && view.context.jungle.may_take(own.animal, view.squares[attacker], other, to)
}

/// How many enemies a side could take at once, if it were to move.
pub(super) fn hits(view: &PositionView<'_>, color: Color) -> i16 {
    let struck = |victim: usize| {
        let to = view.squares[victim];
        view.context.side(color).any(|attacker| strikes(view, attacker, victim, to))
    };
    view.context.side(!color).filter(|&victim| struck(victim)).count() as i16
}

/// In how many ways a piece can come nearer to the enemy's den in one move and not be taken there at
/// once: friends, and enemies that it cannot take, are in the way.
pub(super) fn approaches(view: &PositionView<'_>, piece: usize) -> i16 {
    let own = view.context.pieces[piece];
    let goal = DEN[!own.color];
    let far = den(view, piece);
    let movement = view.context.movements[piece];
    let good = |&to: &Square| {
        let nearer = movement.distance(to, goal).get().is_some_and(|left| i16::from(left) < far);
        if to == goal || !nearer {
            return to == goal;
        }
        let standing = view.squares.iter().position(|&square| square == to);
        let way = standing.is_none_or(|other| {
            let victim = view.context.pieces[other];
            victim.color != own.color
                && view.context.jungle.may_take(own.animal, view.squares[piece], victim, to)
        });
        way && !view
            .context
            .side(!own.color)
            .any(|enemy| standing != Some(enemy) && strikes(view, enemy, piece, to))
    };
    reach(view, piece).into_iter().filter(good).count() as i16
}

/// 0 if a race is won for White, 2 if it is won for Black, 1 if distances do not decide.
pub(super) fn race(view: &PositionView<'_>) -> u8 {
    match view.context.races.judge(view.position()) {
        Some(Truth::Win(_)) => 0,
        Some(Truth::Loss(_)) => 2,
        Some(Truth::Draw) | None => 1,
    }
}

/// Who takes whom of one piece a side: 0 both, 1 White, 2 Black, 3 neither.
pub(super) fn takes(view: &PositionView<'_>) -> u8 {
    match (view.context.takes(0, 1), view.context.takes(1, 0)) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => 2,
        (false, false) => 3,
    }
}

/// Files from the middle one.
pub(super) fn wing(view: &PositionView<'_>, piece: usize) -> i16 {
    (i16::from(view.squares[piece].file()) - 3).abs()
}

/// 0 if both stand on the same wing or one on the middle file, 1 if on different wings.
pub(super) fn same_wing(view: &PositionView<'_>, one: usize, other: usize) -> u8 {
    let side = |piece: usize| i16::from(view.squares[piece].file()) - 3;
    u8::from(side(one) * side(other) < 0)
}
