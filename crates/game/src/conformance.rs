//! The suite that every implementation of [`Game`] has to pass.
//!
//! It plays random games and, at every position, compares the implementation with an obvious
//! generator supplied by the caller and checks the promises made in the trait's documentation.

use std::collections::HashSet;

use crate::rng::Rng;
use crate::{Game, Outcome, Side, Symmetric};

/// A game under test, with the obvious generator to compare it with.
pub struct Conformance<'a, G, O> {
    game: &'a G,
    legal_moves: O,
}

impl<'a, G, O> Conformance<'a, G, O>
where
    G: Game,
    O: Fn(&G::Position) -> Vec<G::Move>,
{
    /// `legal_moves` lists the legal moves of a position in any order, and none if the game is over.
    pub fn new(game: &'a G, legal_moves: O) -> Self {
        Conformance { game, legal_moves }
    }

    /// Plays `games` random games of at most `plies` plies from `start`, checking every position.
    ///
    /// # Panics
    ///
    /// With a description of the broken promise, if there is one.
    pub fn random_games(&self, start: &G::Position, games: u32, plies: u32, rng: &mut Rng) {
        self.random_games_with(start, games, plies, rng, |_| ());
    }

    /// As [`random_games`](Self::random_games), running `check` on every position as well.
    pub fn random_games_with(
        &self,
        start: &G::Position,
        games: u32,
        plies: u32,
        rng: &mut Rng,
        mut check: impl FnMut(&G::Position),
    ) {
        for _ in 0..games {
            let mut position = start.clone();
            for _ in 0..plies {
                self.position(&position);
                check(&position);
                match rng.choose(&self.game.moves(&position)) {
                    Some(&mv) => drop(self.game.make(&mut position, mv)),
                    None => break,
                }
            }
        }
    }

    /// Checks one position and all moves from it.
    ///
    /// # Panics
    ///
    /// With a description of the broken promise, if there is one.
    pub fn position(&self, position: &G::Position) {
        let game = self.game;
        let moves = game.moves(position);
        let distinct: HashSet<_> = moves.iter().copied().collect();
        assert_eq!(distinct.len(), moves.len(), "a move is listed twice in {position:?}");
        let legal: HashSet<_> = (self.legal_moves)(position).into_iter().collect();
        assert_eq!(distinct, legal, "the moves are not exactly the legal ones in {position:?}");
        assert_eq!(game.count_moves(position), moves.len() as u64, "count_moves in {position:?}");
        assert_eq!(
            game.outcome(position).is_some(),
            moves.is_empty(),
            "a game is over just when there are no moves: {position:?}"
        );
        assert_eq!(game.key(position), game.fresh_key(position), "key of {position:?}");

        let mut current = position.clone();
        let two_plies = game.count_two_plies(&mut current);
        assert_eq!(&current, position, "count_two_plies changes {position:?}");
        let mut replies = 0;
        for mv in moves {
            let undo = game.make(&mut current, mv);
            assert_eq!(game.key(&current), game.fresh_key(&current), "key after {mv:?}");
            assert_ne!(&current, position, "{mv:?} changes nothing in {position:?}");
            assert!(game.plies_between(position, &current) <= 1, "{mv:?} is one ply");
            replies += game.moves(&current).len() as u64;
            game.unmake(&mut current, mv, undo);
            assert_eq!(&current, position, "unmake does not restore after {mv:?}");
            assert_eq!(game.key(&current), game.key(position), "unmake leaves another key");
        }
        assert_eq!(two_plies, replies, "count_two_plies in {position:?}");
    }
}

impl<G, O> Conformance<'_, G, O>
where
    G: Symmetric,
    O: Fn(&G::Position) -> Vec<G::Move>,
{
    /// Checks that every symmetry preserves everything at one position.
    ///
    /// # Panics
    ///
    /// With a description of the broken promise, if there is one.
    pub fn symmetries(&self, position: &G::Position) {
        let game = self.game;
        for symmetry in game.symmetries() {
            let image = game.transform(symmetry, position);
            let swaps = game.swaps_players(symmetry);
            let player = |player: Side| if swaps { !player } else { player };
            assert_eq!(game.key(&image), game.fresh_key(&image), "key after {symmetry:?}");
            assert_eq!(
                game.side_to_move(&image),
                player(game.side_to_move(position)),
                "{symmetry:?} and the side to move of {position:?}"
            );
            let outcome = game.outcome(position).map(|outcome| match outcome {
                Outcome::Win(winner) => Outcome::Win(player(winner)),
                Outcome::Draw => Outcome::Draw,
            });
            assert_eq!(
                game.outcome(&image),
                outcome,
                "{symmetry:?} and the outcome of {position:?}"
            );
            let moves = game.moves(position);
            let images: HashSet<_> =
                moves.iter().map(|&mv| game.transform_move(symmetry, mv)).collect();
            let expected: HashSet<_> = game.moves(&image).into_iter().collect();
            assert_eq!(images, expected, "{symmetry:?} and the moves of {position:?}");
            for mv in moves {
                let moved_first = game.transform(symmetry, &game.after(position, mv));
                let moved_last = game.after(&image, game.transform_move(symmetry, mv));
                assert_eq!(moved_first, moved_last, "{symmetry:?} does not commute with {mv:?}");
            }
        }
    }
}
