//! The engine, on one thread and starting afresh in every game.
//!
//! With a limit on nodes its games are the same anywhere. `eval=thesis` swaps the evaluation, and the
//! shortcuts of the search can be turned off one by one, for experiments on what each is worth.

use std::sync::Arc;

use engine::{Constants, Control, Engine, Evaluation, Level, Limits, Options, Shortcut};
use game::score::Verdict;
use jungle::Play;

use crate::Limit;
use crate::player::{Choice, Fault, Info, NewGame, Player, Score};
use crate::spec::{Factory, Kind, Parameters};

pub(super) const KIND: Kind = Kind {
    name: "champion",
    usage: "champion[:level=0-20,nodes=N,depth=D,hash=MB,contempt=N,eval=thesis,without=SHORTCUT,CONSTANT=N]",
    summary: "the engine at full strength, or less",
    read,
};

fn read(text: &str) -> Result<Factory, String> {
    let mut parameters = Parameters::read(text)?;
    let number = parameters.take::<u8>("level")?.unwrap_or(Level::FULL.number());
    let level = Level::new(number).ok_or_else(|| "levels go from 0 to 20".to_owned())?;
    let depth = parameters.take::<u32>("depth")?;
    let nodes = parameters.take::<u64>("nodes")?;
    let hash = parameters.take::<usize>("hash")?.unwrap_or(Options::default().hash);
    let evaluation = parameters.take::<Evaluation>("eval")?.unwrap_or_default();
    let contempt = parameters.take::<i32>("contempt")?.unwrap_or_default();
    let without = parameters.take::<Shortcut>("without")?;
    let mut constants = Constants::default();
    for name in Constants::NAMES {
        if let (Some(value), Some(constant)) = (parameters.take(name)?, constants.named(name)) {
            *constant = value;
        }
    }
    parameters.finish()?;
    let options =
        Options { level, hash, evaluation, contempt, without, constants, ..Options::default() };
    // Refused here, with a reason, rather than when the game begins.
    Engine::new().set_options(options.clone()).map_err(|error| error.to_string())?;
    Ok(Arc::new(move || {
        let mut engine = Engine::new();
        // It was accepted a moment ago; should memory have run out since, the usual table will do.
        let _ = engine.set_options(options.clone());
        Box::new(Champion { engine, depth, nodes })
    }))
}

struct Champion {
    engine: Engine,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Player for Champion {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.engine.new_game();
        self.engine.set_seed(game.seed);
        Ok(())
    }

    fn choose(&mut self, play: &Play, limit: &Limit) -> Result<Choice, Fault> {
        let clock = limit.clock.map(|clocks| engine::Clock {
            remaining: clocks.left[play.position().turn()],
            increment: clocks.increment,
            moves_to_go: None,
        });
        let limits = Limits {
            depth: self.depth.into_iter().chain(limit.depth).min(),
            nodes: self.nodes.into_iter().chain(limit.nodes).min(),
            time: limit.time.map(|time| time.mul_f64(0.95)),
            clock,
            ..Limits::default()
        };
        let answer = self.engine.think(play, &limits, &Control::new(false), &mut |_| ());
        let mv = answer.best.ok_or_else(super::no_move)?;
        let moves = |plies: u32| plies.div_ceil(2) as i32;
        let score = match answer.score().verdict() {
            Verdict::Win(plies) => Score::Mate(moves(plies)),
            Verdict::Loss(plies) => Score::Mate(-moves(plies)),
            Verdict::Estimate(value) => Score::Cp(value),
        };
        let depth = answer.lines.first().map(|line| line.depth);
        Ok(Choice {
            mv,
            info: Info { depth, score: Some(score), nodes: Some(answer.nodes), ..Info::default() },
        })
    }
}
