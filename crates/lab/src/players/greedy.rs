//! A greedy player: wins at once if it can, else takes the most valuable piece, else moves at random.

use std::sync::Arc;

use game::Game;
use game::rng::Rng;
use game::score::ReportedScore;
use jungle::{BurnettEval, Jungle, Move, Play};

use crate::player::{Choice, Fault, Info, NewGame, Player, Turn};
use crate::spec::{Factory, Kind, ParameterError, Parameters};

pub(super) const KIND: Kind =
    Kind { name: "greedy", usage: "greedy", summary: "takes what it can, looks no further", read };

fn read(text: &str) -> Result<Factory, ParameterError> {
    Parameters::read(text)?.finish()?;
    Ok(Arc::new(|| Box::new(Greedy { rng: Rng::new(0) })))
}

struct Greedy {
    rng: Rng,
}

/// More than any piece is worth.
const WIN: i32 = 1_000_000;

fn gain(jungle: &Jungle, play: &Play, mv: Move) -> i32 {
    let position = play.position();
    match jungle.decided(&jungle.after(position, mv)) {
        Some(ending) if ending.winner == Some(position.turn()) => WIN,
        _ => mv.captured.map_or(0, BurnettEval::material),
    }
}

impl Player<Play> for Greedy {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.rng = Rng::new(game.seed);
        Ok(())
    }

    fn choose(&mut self, play: &Play, _: &Turn) -> Result<Choice, Fault> {
        let moves = play.legal_moves();
        let gains: Vec<i32> = moves.iter().map(|&mv| gain(play.jungle(), play, mv)).collect();
        let most = gains.iter().copied().max().ok_or_else(Fault::no_legal_move)?;
        let best: Vec<Move> = moves
            .iter()
            .zip(&gains)
            .filter(|(_, gain)| **gain == most)
            .map(|(mv, _)| *mv)
            .collect();
        let mv = *self.rng.choose(&best).ok_or_else(Fault::no_legal_move)?;
        let score = match most {
            WIN => ReportedScore::Mate(1),
            gain => ReportedScore::Cp(BurnettEval::balance(play.position()) + gain),
        };
        let nodes = Some(moves.len() as u64);
        Ok(Choice {
            mv,
            info: Info { depth: Some(1), score: Some(score), nodes, ..Info::default() },
        })
    }
}
