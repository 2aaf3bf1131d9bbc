//! Decomposition: games whose positions fall into independent parts.
//!
//! Pieces far apart in Jungle, regions walled off in Amazons: what happens in one part does not matter
//! in another, for a while or for ever. A part is a position of the same game with everything else
//! taken off the board; [`Decompose`] says how to cut and what may move where.
//!
//! A player moves in one part only, so seen from any other the turn passes: a *non-move*. [`PartGame`]
//! is a part as a game of its own, in which a non-move is always allowed; any search can be run on it.

use crate::{Game, Outcome, Side};

/// A game whose positions may fall into parts.
pub trait Decompose: Game {
    /// What is to be known about a part beside its position.
    type Part: Clone + std::fmt::Debug;

    /// Cuts a position of a game in progress, for a search of `depth` plies. Everything on the board
    /// belongs to exactly one part; a single part means that there is nothing to cut.
    fn parts(&self, position: &Self::Position, depth: u32) -> Vec<Self::Part>;

    /// Whether every position is cut alike for searches of both depths.
    fn cuts_alike(&self, depth: u32, other: u32) -> bool {
        depth == other
    }

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

    /// Makes a non-move (null move): the other player is to move, and nothing else changes. Never twice in a
    /// row.
    fn pass(&self, position: &mut Self::Position);
}

/// A game that knows for how long its parts stay apart.
pub trait Independent: Decompose {
    /// Cuts a position into parts that are independent for `plies` plies: whatever sequence of that many moves
    /// is played, the legal moves are at each ply those of the parts, and the game ends only
    /// by what happens in one part or when the player to move has no move in any of them.
    fn independent_parts(&self, position: &Self::Position, plies: u32) -> Vec<Self::Part>;

    /// How the game ends when this player is to move and has no move.
    fn stuck(&self, player: Side) -> Outcome;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two heaps of counters: a move takes one from a heap, and a player who cannot move has lost. Every heap is a
    /// part.
    struct Heaps;

    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    struct Counters([u8; 2], Side);

    impl Game for Heaps {
        type Position = Counters;
        type Move = usize;
        type Undo = ();

        fn side_to_move(&self, counters: &Counters) -> Side {
            counters.1
        }

        fn outcome(&self, counters: &Counters) -> Option<Outcome> {
            (counters.0 == [0, 0]).then_some(Outcome::Win(!counters.1))
        }

        fn push_moves(&self, counters: &Counters, moves: &mut Vec<usize>) {
            moves.extend((0..2).filter(|&heap| counters.0[heap] > 0));
        }

        fn make(&self, counters: &mut Counters, heap: usize) {
            counters.0[heap] -= 1;
            counters.1 = !counters.1;
        }

        fn unmake(&self, counters: &mut Counters, heap: usize, (): ()) {
            counters.0[heap] += 1;
            counters.1 = !counters.1;
        }

        fn key(&self, counters: &Counters) -> u64 {
            let [one, other] = counters.0.map(u64::from);
            crate::rng::mix(one << 16 | other << 8 | counters.1 as u64)
        }

        fn fresh_key(&self, counters: &Counters) -> u64 {
            self.key(counters)
        }
    }

    impl Decompose for Heaps {
        type Part = Counters;

        fn parts(&self, counters: &Counters, _: u32) -> Vec<Counters> {
            let [one, other] = counters.0;
            [[one, 0], [0, other]].map(|heaps| Counters(heaps, counters.1)).to_vec()
        }

        fn part_size(&self, part: &Counters) -> usize {
            part.0.iter().map(|&count| usize::from(count)).sum()
        }

        fn part_position(&self, part: &Counters) -> Counters {
            part.clone()
        }

        fn part_outcome(&self, _: &Counters, _: &Counters) -> Option<Outcome> {
            None
        }

        fn push_part_moves(&self, _: &Counters, counters: &Counters, moves: &mut Vec<usize>) {
            self.push_moves(counters, moves);
        }

        fn pass(&self, counters: &mut Counters) {
            counters.1 = !counters.1;
        }
    }

    #[test]
    fn a_part_is_a_game_in_which_one_may_always_wait() {
        let start = Counters([2, 1], Side::First);
        let parts = Heaps.parts(&start, 3);
        assert_eq!(parts.iter().map(|part| Heaps.part_size(part)).collect::<Vec<_>>(), [2, 1]);
        let part = PartGame { game: &Heaps, part: parts[0].clone() };
        let position = Heaps.part_position(&part.part);
        assert_eq!(part.moves(&position), [Some(0), None]);
        let waited = part.after(&position, None);
        assert_eq!(waited, Counters([2, 0], Side::Second));
        for mv in part.moves(&position) {
            let mut there_and_back = position.clone();
            let undo = part.make(&mut there_and_back, mv);
            part.unmake(&mut there_and_back, mv, undo);
            assert_eq!(there_and_back, position);
        }
    }
}
