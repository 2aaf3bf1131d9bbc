//! Collecting regret: what the best move after every depth gave away against a far longer search.
//!
//! The champion plays itself with few nodes. At every few plies a fresh engine first thinks about its previous move of
//! the game, so that its table is as warm as in a game, and then about this one, far longer than a game
//! would allow. The best move after each depth is noted with the signs the search gave. Then those moves
//! that were not the last are judged by a search of theirs alone, to the same depth and in the same table. Regret
//! is in points: the difference of what the two scores are worth between a loss and a win.

use engine::{Control, Engine, EngineError, Options, Request, Signs};
use game::limits::Limits;
use game::rng::mix;
use game::score::{Bound, Score};
use jungle::{Jungle, Move, Play, Rules};
use lab::Openings;
use lab::openings::DEFAULT_PLIES;
use search::escape::Scale;
use serde::{Deserialize, Serialize};

/// How positions are collected. The same settings and number give the same game with the same samples.
#[derive(Clone, Copy, Debug)]
pub struct Collecting {
    /// The nodes of the judging search.
    pub nodes: u64,
    /// The nodes of a move of the games.
    pub game_nodes: u64,
    /// Every how many plies a position is taken.
    pub every: usize,
    /// Decides the openings.
    pub seed: u64,
}

/// The positions of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// The seed, the nodes and the distance of the samples: what decides the game beside its number.
    pub key: (u64, u64, u64, usize),
    /// Its number.
    pub number: u64,
    /// Its positions.
    pub samples: Vec<Sample>,
}

/// A position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// How many plies had been played.
    pub ply: usize,
    /// The depths, in order.
    pub depths: Vec<Depth>,
}

/// The state of the search after a depth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Depth {
    /// The nodes so far.
    pub nodes: u64,
    /// By what this depth multiplied them.
    pub growth: f64,
    /// For how many depths the best move has been the same.
    pub steady: u32,
    /// How often it changed, the latest counting most.
    pub changes: f64,
    /// By how much its score fell.
    pub fallen: i32,
    /// The share of the depth's nodes that it took.
    pub effort: f64,
    /// How much better it is than any other move can be.
    pub gap: i32,
    /// Its score.
    pub score: i32,
    /// What the best move gave away, in points.
    pub regret: f64,
}

impl Depth {
    /// The signs that it was made from.
    pub fn signs(&self) -> Signs {
        let Depth { nodes, growth, steady, changes, fallen, effort, gap, .. } = *self;
        let score = Score::estimate(self.score.clamp(-Score::MAX_ESTIMATE, Score::MAX_ESTIMATE));
        Signs { nodes, growth, steady, changes, fallen, effort, gap, score }
    }
}

/// Games are drawn after this many plies.
const LONGEST: usize = 160;
/// MiB: a judging search fits into it.
const HASH: usize = 16;
/// The search of the move before has this part of the nodes of the judging one.
const WARM: u64 = 16;

impl Collecting {
    fn key(&self) -> (u64, u64, u64, usize) {
        (self.seed, self.nodes, self.game_nodes, self.every)
    }

    /// Whether a game is one of these.
    pub fn made(&self, game: &Game) -> bool {
        game.key == self.key()
    }

    /// Plays a game and judges its positions.
    ///
    /// # Errors
    ///
    /// If there is no memory for an engine.
    pub fn game(&self, number: u64) -> Result<Game, EngineError> {
        let rules = Rules::STANDARD;
        let seed = mix(self.seed ^ mix(number + 1));
        let setup = Openings::Generated { plies: DEFAULT_PLIES }.source(rules, seed).get(0).ok();
        let jungle = Jungle::new(rules);
        let start = setup.and_then(|setup| Play::new(jungle.clone(), &setup).ok());
        let mut play = start.unwrap_or_else(|| Play::start(jungle));
        let mut engines = [new_engine()?, new_engine()?, new_engine()?];
        let mut samples = Vec::new();
        let mut earlier: Vec<Play> = Vec::new();
        let first = number as usize % self.every;
        for ply in 0..LONGEST {
            if play.ending().is_some() {
                break;
            }
            if ply % self.every == first {
                let before = ply.checked_sub(2).and_then(|before| earlier.get(before));
                let depths = self.judged(&mut engines[2], before, &play);
                if depths.len() > 1 {
                    samples.push(Sample { ply, depths });
                }
            }
            let limits = Limits::nodes(self.game_nodes);
            let answer = engines[ply % 2].think(&play, limits, &Control::new(false), &mut |_| ());
            earlier.push(play.clone());
            let Some(mv) = answer.best else { break };
            if play.play(mv).is_err() {
                break;
            }
        }
        Ok(Game { key: self.key(), number, samples })
    }

    /// The depths of a long search, with the regret of each; none where there is nothing to choose.
    fn judged(&self, engine: &mut Engine, before: Option<&Play>, play: &Play) -> Vec<Depth> {
        engine.new_game();
        if play.legal_moves().len() < 2 {
            return Vec::new();
        }
        let control = Control::new(false);
        if let Some(before) = before {
            engine.think(before, Limits::nodes(self.nodes / WARM), &control, &mut |_| ());
        }
        let mut seen: Vec<(Signs, Move)> = Vec::new();
        let mut depth = 0;
        let answer = engine.think(play, Limits::nodes(self.nodes), &control, &mut |line| {
            if let (Some(signs), Some(&mv), Bound::Exact) =
                (line.signs, line.pv.first(), line.bound)
            {
                depth = line.depth;
                seen.push((signs, mv));
            }
        });
        let (Some(best), score) = (answer.best, answer.score()) else { return Vec::new() };
        let mut worth = vec![(best, points(score))];
        let mut depths = Vec::new();
        for (signs, mv) in seen {
            let known = worth.iter().find(|(known, _)| *known == mv);
            let value = known.map(|(_, value)| *value).unwrap_or_else(|| {
                let limits = Limits::depth(depth).with_nodes(2 * self.nodes);
                let alone = Request::from(limits).among([mv]);
                let answer = engine.think(play, alone, &control, &mut |_| ());
                worth.push((mv, points(answer.score())));
                points(answer.score())
            });
            let Signs { nodes, growth, steady, changes, fallen, effort, gap, score } = signs;
            let regret = (worth[0].1 - value).max(0.0);
            let score = score.value();
            depths.push(Depth {
                nodes,
                growth,
                steady,
                changes,
                fallen,
                effort,
                gap,
                score,
                regret,
            });
            // The engine would stop here whatever the clock says.
            if signs.score.is_decided() {
                break;
            }
        }
        depths
    }
}

fn new_engine() -> Result<Engine, EngineError> {
    let mut engine = Engine::new();
    engine.set_options(Options { hash: HASH, ..Options::playing() })?;
    Ok(engine)
}

/// What a score is worth, from 0 for a loss to 1 for a win: an advantage of an elephant is three quarters. (The chances that
/// a search reports are a guess, and so flat about 0 that small advantages would hardly count, though between equals who
/// play to win few games are drawn.)
fn points(score: Score) -> f64 {
    const SCALE: Scale = Scale::Half(325.0);
    f64::midpoint(1.0, SCALE.unit(score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_follows_from_its_number_and_its_last_moves_have_no_regret() {
        let collecting = Collecting { nodes: 2000, game_nodes: 100, every: 5, seed: 1 };
        let game = collecting.game(3).unwrap();
        assert_eq!(game, collecting.game(3).unwrap());
        assert!(collecting.made(&game));
        assert!(!Collecting { seed: 2, ..collecting }.made(&game));
        assert!(game.samples.len() > 3 && game.samples.iter().all(|sample| sample.ply % 5 == 3));
        let depths = || game.samples.iter().flat_map(|sample| &sample.depths);
        assert!(depths().all(|depth| (0.0..=1.0).contains(&depth.regret)));
        assert!(depths().any(|depth| depth.regret > 0.0));
        assert!(depths().any(|depth| depth.steady > 2 && depth.effort > 0.3));
        for sample in &game.samples {
            assert!(sample.depths.is_sorted_by_key(|depth| depth.nodes));
        }
    }
}
