//! A random player: any legal move, each as likely as the others.

use std::sync::Arc;

use game::rng::Rng;
use jungle::Play;

use crate::player::{Choice, Fault, Info, NewGame, Player, Turn};
use crate::spec::{Factory, Kind, ParameterError, Parameters};

pub(super) const KIND: Kind =
    Kind { name: "random", usage: "random", summary: "any legal move", read };

fn read(text: &str) -> Result<Factory, ParameterError> {
    Parameters::read(text)?.finish()?;
    Ok(Arc::new(|| Box::new(Random { rng: Rng::new(0) })))
}

struct Random {
    rng: Rng,
}

impl Player<Play> for Random {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.rng = Rng::new(game.seed);
        Ok(())
    }

    fn choose(&mut self, play: &Play, _: &Turn) -> Result<Choice, Fault> {
        let moves = play.legal_moves();
        let mv = *self.rng.choose(&moves).ok_or_else(Fault::no_legal_move)?;
        Ok(Choice {
            mv,
            info: Info { depth: Some(0), score: None, nodes: Some(1), ..Info::default() },
        })
    }
}
