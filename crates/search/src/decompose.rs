//! Games whose positions fall into parts.
//!
//! Pieces far apart in Jungle, regions walled off in Amazons: what happens in one part does not matter
//! in another, for a while or for ever. A part is a position of the same game with everything else
//! taken off the board; [`Decompose`] says how to cut and what may move where.
//!
//! A player moves in one part only, so seen from any other the turn passes: a *non-move*. [`PartGame`]
//! is a part as a game of its own, in which a non-move is always allowed; any search can search it.

use game::score::Evaluate;
use game::{Game, Outcome, Side};

use crate::Order;

/// A game whose positions may fall into parts.
pub trait Decompose: Game {
    /// What is to be known about a part beside its position.
    type Part: Clone + std::fmt::Debug;

    /// Cuts a position of a game that goes on, for a search of so many plies. Everything on the board
    /// belongs to exactly one part; a single part means that there is nothing to cut.
    fn parts(&self, position: &Self::Position, depth: u32) -> Vec<Self::Part>;

    /// How many pieces a part has.
    fn part_size(&self, part: &Self::Part) -> usize;

    /// The part alone, with the same player to move.
    fn part_position(&self, part: &Self::Part) -> Self::Position;

    /// How the game ended, if something in this part ended it.
    fn part_outcome(&self, part: &Self::Part, position: &Self::Position) -> Option<Outcome>;

    /// Appends the moves within the part, none if it ended the game; a part may well have none while
    /// the game goes on.
    fn push_part_moves(
        &self,
        part: &Self::Part,
        position: &Self::Position,
        moves: &mut Vec<Self::Move>,
    );

    /// Makes a non-move: the other player is to move, and nothing else changes. Twice is never.
    fn pass(&self, position: &mut Self::Position);
}

/// A part as a game of its own. `None` is the non-move.
#[derive(Clone, Debug)]
pub struct PartGame<'a, G: Decompose> {
    /// The game of the whole.
    pub game: &'a G,
    /// The part.
    pub part: G::Part,
}

impl<G: Decompose> Game for PartGame<'_, G> {
    type Position = G::Position;
    type Move = Option<G::Move>;
    type Undo = Option<G::Undo>;

    fn side_to_move(&self, position: &G::Position) -> Side {
        self.game.side_to_move(position)
    }

    fn outcome(&self, position: &G::Position) -> Option<Outcome> {
        self.game.part_outcome(&self.part, position)
    }

    fn push_moves(&self, position: &G::Position, moves: &mut Vec<Option<G::Move>>) {
        if self.outcome(position).is_some() {
            return;
        }
        let mut real = Vec::with_capacity(64);
        self.game.push_part_moves(&self.part, position, &mut real);
        moves.extend(real.into_iter().map(Some));
        moves.push(None);
    }

    fn make(&self, position: &mut G::Position, mv: Option<G::Move>) -> Option<G::Undo> {
        match mv {
            Some(mv) => Some(self.game.make(position, mv)),
            None => {
                self.game.pass(position);
                None
            }
        }
    }

    fn unmake(&self, position: &mut G::Position, mv: Option<G::Move>, undo: Option<G::Undo>) {
        match mv.zip(undo) {
            Some((mv, undo)) => self.game.unmake(position, mv, undo),
            None => self.game.pass(position),
        }
    }

    fn key(&self, position: &G::Position) -> u64 {
        self.game.key(position)
    }

    fn fresh_key(&self, position: &G::Position) -> u64 {
        self.game.fresh_key(position)
    }
}

/// The evaluation of the whole, asked about a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfPart<'a, T>(pub &'a T);

impl<G: Decompose, E: Evaluate<G>> Evaluate<PartGame<'_, G>> for OfPart<'_, E> {
    #[inline]
    fn evaluate(&self, game: &PartGame<'_, G>, position: &G::Position) -> i32 {
        self.0.evaluate(game.game, position)
    }
}

/// The order of the whole, non-moves last.
impl<G: Decompose, O: Order<G>> Order<PartGame<'_, G>> for OfPart<'_, O> {
    #[inline]
    fn rank(&self, game: &PartGame<'_, G>, position: &G::Position, mv: Option<G::Move>) -> i32 {
        mv.map_or(i32::MAX, |mv| self.0.rank(game.game, position, mv))
    }
}
