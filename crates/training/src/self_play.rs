//! Self-play: the champion against itself, playing to win.
//!
//! Both sides have contempt for draws and a bonus for advancing, as in any game that the champion plays: nine games
//! in ten are decided then, and decided games teach what drawn ones do not. The bonus is no judgement of the position,
//! so it is taken out of the scores. One side has a little less to think with than the other, so that two equal
//! players do not wait for each other.

use std::sync::Arc;

use engine::eval::features::Weights;
use engine::{Control, Correction, Engine, EngineError, Options, rows_advanced};
use game::limits::Limits;
use game::rng::{Rng, mix};
use game::truth::Wdl;
use jungle::board::TRAPS;
use jungle::{Jungle, Play, Position, Rules};
use tablebase::Tablebase;

use crate::game_record::{Ended, GameRecord, Ply};
use crate::opening::opening;

/// The longest game, in plies; what is undecided then is drawn.
const LONGEST: usize = 300;
/// MiB: quickly cleared, and large enough for so few nodes.
const HASH: usize = 2;

/// How games are played. The same settings and number give the same game.
#[derive(Clone)]
pub struct SelfPlay {
    /// The rules.
    pub rules: Rules,
    /// How many nodes a move has; the other side has a fifteenth less.
    pub nodes: u64,
    /// The weights of the features in the evaluation, if not the usual ones.
    pub weights: Option<Arc<Weights>>,
    /// The network that corrects it.
    pub network: Correction,
    /// Tables that end games that they know.
    pub tables: Option<Arc<Tablebase>>,
}

impl SelfPlay {
    /// With the usual evaluation and without tables.
    pub fn new(rules: Rules, nodes: u64) -> SelfPlay {
        SelfPlay { rules, nodes, weights: None, network: Correction::Usual, tables: None }
    }

    /// The options of an engine for such games.
    pub fn options(&self) -> Options {
        let (weights, network) = (self.weights.clone(), self.network.clone());
        Options { hash: HASH, weights, network, ..Options::playing() }
    }

    /// An engine for such games, to be used for one after the other.
    ///
    /// # Errors
    ///
    /// If there is no memory for its table.
    pub fn engine(&self) -> Result<Engine, EngineError> {
        let mut engine = Engine::new();
        engine.set_options(self.options())?;
        Ok(engine)
    }

    /// Plays one game.
    ///
    /// # Errors
    ///
    /// If there is no memory for an engine.
    pub fn play(&self, number: u64) -> Result<GameRecord, EngineError> {
        Ok(self.play_with(&mut self.engine()?, number))
    }

    /// Plays one game with an engine of [`engine`](Self::engine).
    pub fn play_with(&self, engine: &mut Engine, number: u64) -> GameRecord {
        let mut rng = Rng::new(mix(number));
        let mut play = opening(&Jungle::new(self.rules), &mut rng, engine);
        engine.new_game();
        let start = play.position().clone();
        let fewer = rng.below(2);
        let mut plies = Vec::new();
        let ended = loop {
            if let Some(ended) = self.known(&play) {
                break ended;
            }
            if plies.len() == LONGEST {
                break Ended::Drawn;
            }
            let us = play.position().turn();
            let less = if us as usize == fewer { self.nodes / 15 } else { 0 };
            let limits = Limits::nodes(self.nodes - less);
            let answer = engine.think(&play, limits, &Control::new(false), &mut |_| ());
            let Some(mv) = answer.best else { break Ended::Drawn };
            let score = answer.score();
            // Wins that the engine announces are certain.
            if score.is_decided() {
                break Ended::won_by(Some(if score.is_win() { us } else { !us }));
            }
            let bonus = Options::USUAL_ADVANCE * rows_advanced(play.position(), us);
            let score = (score.value() - bonus).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
            let quiet = !mv.is_capture() && !threatened(play.position());
            plies.push(Ply { mv, score, quiet });
            if play.play(mv).is_err() {
                break Ended::Drawn;
            }
        };
        GameRecord { number, start, plies, ended }
    }

    /// How the game ends, if the rules or the tables know.
    fn known(&self, play: &Play) -> Option<Ended> {
        if let Some(ending) = play.ending() {
            return Some(Ended::won_by(ending.winner));
        }
        let (tables, position) = (self.tables.as_deref()?, play.position());
        if position.occupied().len() > tables.most_pieces() {
            return None;
        }
        let us = position.turn();
        Some(match tables.probe_outcome(position).ok()? {
            Wdl::Win => Ended::won_by(Some(us)),
            Wdl::Draw => Ended::Drawn,
            Wdl::Loss => Ended::won_by(Some(!us)),
        })
    }
}

/// Whether an enemy stands in one of our traps, about to enter the den.
fn threatened(position: &Position) -> bool {
    let us = position.turn();
    position.side(!us).intersects(TRAPS[us])
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;

    #[test]
    fn a_number_names_a_game_and_most_are_decided() {
        let self_play = SelfPlay::new(Rules::STANDARD, 60);
        let mut engine = self_play.engine().unwrap();
        let games: Vec<GameRecord> =
            (0..20).map(|number| self_play.play_with(&mut engine, number)).collect();
        // Whatever the engine did before.
        assert_eq!(games[7], self_play.play(7).unwrap());
        assert_ne!(games[7].plies, games[8].plies);
        let drawn = games.iter().filter(|game| game.ended == Ended::Drawn).count();
        assert!(drawn <= 10, "{drawn} of 20 games were drawn");
        let jungle = Jungle::new(Rules::STANDARD);
        for game in &games {
            game.for_each(|position, ply| {
                assert!(jungle.moves(position).contains(&ply.mv));
                assert!(!ply.quiet || !ply.mv.is_capture());
            });
        }
    }
}
