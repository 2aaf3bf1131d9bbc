//! Plain minimax (Shannon 1950): the oracle of everything else here.
//!
//! Every position within the depth is visited, so [`Meter::leaves`] counts what the published
//! tables count.

use game::Game;
use game::score::{Evaluate, Score};

use crate::path::Path;
use crate::{Line, PathRepetition, Searcher};
use game::limits::{Meter, Stopped};

/// Minimax without pruning.
#[derive(Debug)]
pub struct Minimax<'a, G: Game, E> {
    game: &'a G,
    evaluate: &'a E,
    repetition: PathRepetition,
    history: Vec<G::Position>,
}

impl<'a, G: Game, E: Evaluate<G>> Minimax<'a, G, E> {
    /// A search that ignores repetition.
    pub fn new(game: &'a G, evaluate: &'a E) -> Self {
        Minimax { game, evaluate, repetition: PathRepetition::Ignored, history: Vec::new() }
    }

    /// What a repeated position is worth.
    #[must_use]
    pub fn repetition(self, repetition: PathRepetition) -> Self {
        Minimax { repetition, ..self }
    }

    /// The positions of the game so far, without the one that will be searched.
    #[must_use]
    pub fn history(self, history: &[G::Position]) -> Self {
        Minimax { history: history.to_vec(), ..self }
    }

    fn value(
        &self,
        position: &G::Position,
        depth: u32,
        path: &mut Path<G>,
        meter: &mut Meter,
    ) -> Result<Line<G::Move>, Stopped> {
        meter.visit()?;
        let game = self.game;
        let key = game.key(position);
        // The root is searched even if it occurred before.
        let is_root = path.len() as usize == self.history.len();
        let is_repeated = !is_root
            && self.repetition == PathRepetition::Draw
            && path.find(key, position).is_some();
        let leaf = if is_repeated {
            Some(Score::DRAW)
        } else if let Some(outcome) = game.outcome(position) {
            Some(Score::of_outcome(game, position, outcome))
        } else if depth == 0 {
            Some(Score::estimate(self.evaluate.evaluate(game, position)))
        } else {
            None
        };
        if let Some(score) = leaf {
            meter.leaf();
            return Ok(Line { score, pv: Vec::new() });
        }
        path.push(key, position);
        let mut best: Option<Line<G::Move>> = None;
        for mv in game.moves(position) {
            let reply = self.value(&game.after(position, mv), depth - 1, path, meter)?;
            let score = reply.score.deeper();
            if best.as_ref().is_none_or(|best| score > best.score) {
                let pv = std::iter::once(mv).chain(reply.pv).collect();
                best = Some(Line { score, pv });
            }
        }
        path.pop();
        Ok(best.expect("a game that goes on has a move"))
    }
}

impl<G: Game, E: Evaluate<G>> Searcher<G> for Minimax<'_, G, E> {
    fn search(
        &mut self,
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<G::Move>, Stopped> {
        self.value(position, depth, &mut Path::new(self.game, &self.history), meter)
    }

    fn static_line(&self, position: &G::Position) -> Line<G::Move> {
        static_line(self.game, self.evaluate, position)
    }
}

/// The static value, as [`Searcher::static_line`] wants it.
pub fn static_line<G: Game>(
    game: &G,
    evaluate: &impl Evaluate<G>,
    position: &G::Position,
) -> Line<G::Move> {
    match game.outcome(position) {
        Some(outcome) => Line { score: Score::of_outcome(game, position, outcome), pv: Vec::new() },
        None => Line {
            score: Score::estimate(evaluate.evaluate(game, position)),
            pv: game.moves(position).into_iter().take(1).collect(),
        },
    }
}
