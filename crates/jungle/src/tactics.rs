//! Static win detection: wins that are certain without searching.
//!
//! A den lies between three traps. A piece in an enemy trap enters the den with the next move, and
//! only taking the piece can stop that, which anything next to the trap can do. So:
//!
//! - with a piece in an enemy trap and the move, a player wins at once;
//! - an enemy in the player's own trap has to be taken at once, like a check that can only be met by taking
//!   the checker; two of them, or one that no piece can reach, cannot be met;
//! - a player who can step into an enemy trap with no defender next to it, while no enemy threatens to enter
//!   the player's own den first, wins in three plies.
//!
//! The last two assume that there is a next move: where stalemate is a draw, that has to be
//! checked, and so has to be that no limit draws the game before.

use crate::board::{self, DEN, TRAPS};
use crate::rules::NoLegalMove;
use crate::{Animal, Bitboard, Color, Jungle, Move, Piece, Position, Square};
use game::Game;

/// The squares next to each den are just the traps of that side.
const _: () = {
    let mut index = 0;
    while index < 2 {
        let (den, traps) = ([DEN.white, DEN.black][index], [TRAPS.white, TRAPS.black][index]);
        assert!(den.bitboard().neighbours().bits() == traps.bits());
        index += 1;
    }
};

/// The pieces of the side to move that can enter the den now.
#[inline]
pub fn entering(position: &Position) -> Bitboard {
    position.side(position.turn()) & TRAPS[!position.turn()]
}

/// The enemies that will enter the den of the side to move unless they are taken.
#[inline]
pub fn checkers(position: &Position) -> Bitboard {
    position.side(!position.turn()) & TRAPS[position.turn()]
}

/// Whether the side to move cannot answer `checkers`: there are two, or no piece can take the one.
#[inline]
pub fn is_lost_in_check(position: &Position, checkers: Bitboard) -> bool {
    checkers.len() > 1 || !checkers.neighbours().intersects(position.side(position.turn()))
}

/// A move with which the side to move wins in three plies, if static detection finds one. Neither side may
/// be in check.
#[inline]
pub fn safe_step_into_trap(jungle: &Jungle, position: &Position) -> Option<Move> {
    let us = position.turn();
    let traps = TRAPS[!us];
    let ours = position.side(us);
    // The ring around the traps and the den, from where they are entered.
    if !traps.neighbours().intersects(ours) {
        return None;
    }
    for trap in traps {
        let near = board::neighbours(trap);
        if near.intersects(position.side(!us)) {
            continue;
        }
        for from in near & ours {
            if let Some(mv) = step(jungle, position, from, trap)
                && has_reply(jungle, position, mv)
            {
                return Some(mv);
            }
        }
    }
    None
}

/// The step onto a square that may hold an enemy, if it is legal.
fn step(jungle: &Jungle, position: &Position, from: Square, to: Square) -> Option<Move> {
    let us = position.turn();
    let animal = position.animal_at(from)?;
    if !position.side(!us).contains(to) {
        return Some(Move { animal, from, to, captured: None });
    }
    let prey = jungle.prey(position, us, animal, from);
    let captured = position.animal_at(to);
    prey.contains(to).then_some(Move { animal, from, to, captured })
}

/// Whether the game goes on after the move, as far as stalemate is concerned.
fn has_reply(jungle: &Jungle, position: &Position, mv: Move) -> bool {
    match jungle.rules().no_legal_move {
        // Then the game is won even sooner.
        NoLegalMove::Loss => true,
        NoLegalMove::Draw => {
            let mut after = position.clone();
            after.make(mv);
            jungle.count_moves(&after) > 0 || jungle.decided(&after).is_some()
        }
    }
}

/// The move into the den.
pub fn den_move(position: &Position) -> Option<Move> {
    let us = position.turn();
    let from = entering(position).first()?;
    let animal = position.animal_at(from)?;
    Some(Move { animal, from, to: DEN[!us], captured: None })
}

/// The move from one square to another, if it is legal as far as the board goes.
pub fn legal(jungle: &Jungle, position: &Position, from: Square, to: Square) -> Option<Move> {
    let us = position.turn();
    if !position.side(us).contains(from) || position.side(us).contains(to) {
        return None;
    }
    let animal = position.animal_at(from)?;
    if !jungle.reach(position, us, animal, from).contains(to) {
        return None;
    }
    let captured = position.animal_at(to);
    if captured.is_some() && !jungle.prey(position, us, animal, from).contains(to) {
        return None;
    }
    Some(Move { animal, from, to, captured })
}

/// The moves that take the only checker: the only ones worth playing.
#[inline]
pub fn evasions(position: &Position, checker: Square) -> [Option<Move>; 4] {
    let us = position.turn();
    let captured = position.animal_at(checker);
    // Whatever stands next to a trap stands on land, and in a trap anything is weak.
    let mut takers = (board::neighbours(checker) & position.side(us)).into_iter();
    std::array::from_fn(|_| {
        let from = takers.next()?;
        Some(Move { animal: position.animal_at(from)?, from, to: checker, captured })
    })
}

/// A move that takes a checker, if there is one to take and a piece that can.
pub fn first_evasion(position: &Position) -> Option<Move> {
    evasions(position, checkers(position).first()?)[0]
}

/// A rough value of the animals by their strength, for ordering captures.
pub const WORTH: [i32; Animal::COUNT] = [500, 200, 300, 400, 500, 800, 900, 1000];

/// The value of an animal under these rules.
#[inline]
pub fn worth(jungle: &Jungle, animal: Animal) -> i32 {
    WORTH[jungle.rules().by_strength(animal).index()]
}

/// Whether the square can be stepped on by an enemy of `us` who would take `animal` there.
#[inline]
pub fn attacked(
    jungle: &Jungle,
    position: &Position,
    us: Color,
    animal: Animal,
    at: Square,
) -> bool {
    let enemies = position.side(!us);
    if jungle.weak_squares(us).contains(at) {
        return board::neighbours(at).intersects(enemies);
    }
    let water = board::WATER.contains(at);
    for from in board::neighbours(at) & enemies {
        if let Some(attacker) = position.animal_at(from)
            && (!water || attacker == Animal::Rat)
            && jungle.may_take(attacker, from, Piece { color: us, animal }, at)
        {
            return true;
        }
    }
    // Jumpers across the water.
    for jump in board::jumps(at) {
        if enemies.contains(jump.to)
            && !jump.over.intersects(position.animal(Animal::Rat))
            && let Some(attacker) = position.animal_at(jump.to)
            && jungle.jumps(attacker).allow(jump.axis)
            && jungle.takes(attacker).contains(animal)
        {
            return true;
        }
    }
    false
}
