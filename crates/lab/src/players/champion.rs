//! The engine as a player, on one thread and with empty tables in every game.
//!
//! With a limit on nodes its games are the same anywhere. `eval=burnett` swaps the evaluation, and the
//! heuristics of the search can be turned off one by one, for experiments on what each gains; `weights=FILE` plays
//! with the weights of a tuning run before they are built in, `network=FILE` with another network, `network=none` with the
//! weighted features alone.
//!
//! With nodes counted over the game the stopping rule that was fitted to measured regret decides when to move
//! ([`engine::Pacing`]); `pacing=fitted` lets it do so on a clock too, and with `pacing=share` a move takes an equal share of the
//! nodes left.
//!
//! `global=CURVE` replaces its time management by a global escape function ([`search::escape`]), on
//! clocks and with nodes counted over the game: no new depth is begun once the score is good enough for the
//! share of what was left that will be spent by its end, taken to be twice what is spent now, and a move is
//! broken off at twice what a score of 0 would take. (Without that forecast a move costs half as much again as
//! it should, and the champion plays its endings on nothing: `docs/reports/complexity.md`.)

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::eval::features::Weights;
use engine::eval::network::Network;
use engine::eval::text;
use engine::{
    Constant, Constants, Control, Correction, Engine, Evaluation, Level, Line, Options, Pacing,
    Selectivity,
};
use game::clock::Clock;
use game::limits::Limits;
use game::score::Bound;
use jungle::Play;
use search::escape::{Curve, Scale};

use crate::player::{Choice, Fault, Info, NewGame, Player, Turn};
use crate::spec::{Factory, Kind, ParameterError, Parameters};

pub(super) const KIND: Kind = Kind {
    name: "champion",
    usage: "champion[:level=0-20,nodes=N,depth=D,hash=MB,contempt=N,advance=N,eval=burnett,weights=FILE,network=FILE,without=HEURISTIC,pacing=PACING,global=CURVE,CONSTANT=N]",
    summary: "the engine at full strength, or less",
    read,
};

fn read(text: &str) -> Result<Factory, ParameterError> {
    let mut parameters = Parameters::read(text)?;
    let number = parameters.take::<u8>("level")?.unwrap_or(Level::FULL.number());
    let most = Level::FULL.number().into();
    let level =
        Level::new(number).ok_or(ParameterError::Range { what: "the level", least: 0, most })?;
    let depth = parameters.take::<u32>("depth")?;
    let nodes = parameters.take::<u64>("nodes")?;
    let hash = parameters.take::<usize>("hash")?.unwrap_or(Options::default().hash);
    let evaluation = parameters.take::<Evaluation>("eval")?.unwrap_or_default();
    let weights = parameters.take::<String>("weights")?.map(read_weights).transpose()?;
    let network = match parameters.take::<String>("network")?.as_deref() {
        None | Some("usual") => Correction::Usual,
        Some("none") => Correction::Off,
        Some(path) => Correction::By(read_network(path)?),
    };
    let contempt = parameters.take::<i32>("contempt")?.unwrap_or(Options::USUAL_CONTEMPT);
    // The former name of the advance bonus.
    let drive = parameters.take_quietly::<i32>("drive")?;
    let advance = parameters.take::<i32>("advance")?.or(drive).unwrap_or(Options::USUAL_ADVANCE);
    let pacing = parameters.take::<Pacing>("pacing")?.unwrap_or_default();
    let without = parameters.take::<Selectivity>("without")?;
    let global = parameters.take::<String>("global")?;
    let global = global.map(|text| text.parse::<Curve>()).transpose()?;
    let mut constants = Constants::default();
    for Constant { name, .. } in Constants::ALL {
        if let (Some(value), Some(constant)) = (parameters.take(name)?, constants.named(name)) {
            *constant = value;
        }
    }
    parameters.finish()?;
    let options = Options {
        level,
        hash,
        evaluation,
        weights,
        network,
        contempt,
        advance,
        pacing,
        without,
        constants,
        ..Options::default()
    };
    // Refused here, with a reason, rather than when the game begins.
    Engine::new().set_options(options.clone())?;
    let limits = Limits { depth, nodes, ..Limits::none() };
    Ok(Arc::new(move || {
        let mut engine = Engine::new();
        // It was accepted a moment ago; should memory have run out since, the default table will do.
        let _ = engine.set_options(options.clone());
        Box::new(Champion { engine, limits: limits.clone(), global: global.clone() })
    }))
}

/// Weights from a file that tuning wrote.
fn read_weights(path: String) -> Result<Arc<Weights>, ParameterError> {
    let path = PathBuf::from(path);
    let source = match std::fs::read_to_string(&path) {
        Ok(source) => source,
        Err(source) => return Err(ParameterError::File { path, source }),
    };
    let weights = text::parse(&source);
    weights.map(Arc::new).map_err(|source| ParameterError::Weights { path, source })
}

/// A network from a file that training wrote.
fn read_network(path: &str) -> Result<Arc<Network>, ParameterError> {
    let path = PathBuf::from(path);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(source) => return Err(ParameterError::File { path, source }),
    };
    let network = Network::from_bytes(&bytes);
    network.map(Arc::new).map_err(|source| ParameterError::Network { path, source })
}

struct Champion {
    engine: Engine,
    limits: Limits,
    global: Option<Curve>,
}

/// How the engine's scores are mapped to the interval from −1 to 1 for a global escape function: an advantage of an
/// elephant is 0.5.
const SCALE: Scale = Scale::Half(325.0);

/// How much more will be spent when another depth is finished.
const NEXT_DEPTH: f64 = 2.0;

/// A move is broken off at this many times what a score of 0 would take, or at the ceiling of any clock.
const LONGEST: f64 = 2.0;

impl Player<Play> for Champion {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.engine.new_game();
        self.engine.set_seed(game.seed);
        Ok(())
    }

    fn choose(&mut self, play: &Play, turn: &Turn) -> Result<Choice, Fault> {
        let mut limits = super::limits(&self.limits, turn);
        let control = Control::new(false);
        let left = match (limits.game_nodes, limits.clock) {
            (Some(nodes), _) => Some(Left::Nodes(nodes)),
            (None, Some(clock)) => Some(Left::Time(clock.remaining)),
            (None, None) => None,
        };
        let answer = match (&self.global, left) {
            (Some(global), Some(left)) => {
                left.limit(global, &mut limits);
                let mut watch = |line: Line| {
                    let is_best = line.index == 1 && line.bound == Bound::Exact;
                    if is_best && SCALE.unit(line.score) > global.at(NEXT_DEPTH * left.share(&line))
                    {
                        control.stop();
                    }
                };
                self.engine.think(play, limits, &control, &mut watch)
            }
            _ => self.engine.think(play, limits, &control, &mut |_| ()),
        };
        let mv = answer.best.ok_or_else(Fault::no_legal_move)?;
        let score = Some(answer.score().into());
        let depth = answer.lines.first().map(|line| line.depth);
        Ok(Choice { mv, info: Info { depth, score, nodes: Some(answer.nodes), ..Info::default() } })
    }
}

/// What is left for the game.
#[derive(Clone, Copy)]
enum Left {
    Nodes(u64),
    Time(Duration),
}

impl Left {
    /// Replaces the engine's time management by the longest a move may take.
    fn limit(self, global: &Curve, limits: &mut Limits) {
        let most = (LONGEST * global.last_share(0.0)).min(Clock::CEILING);
        (limits.clock, limits.game_nodes) = (None, None);
        match self {
            Left::Nodes(nodes) => limits.nodes = Some(((nodes as f64 * most) as u64).max(1)),
            Left::Time(time) => {
                limits.time = Some(time.mul_f64(most).max(Duration::from_millis(1)));
            }
        }
    }

    /// The share of it that a line took.
    fn share(self, line: &Line) -> f64 {
        match self {
            Left::Nodes(nodes) => line.nodes as f64 / nodes.max(1) as f64,
            Left::Time(time) => line.time.as_secs_f64() / time.as_secs_f64().max(1e-9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;
    use jungle::{Jungle, Rules};

    #[test]
    fn a_global_escape_function_decides_when_to_move() {
        let jungle = Jungle::new(Rules::STANDARD);
        let spent = |spec: &str, fen: &str| {
            let play = Play::new(jungle.clone(), &fen.parse().unwrap()).unwrap();
            let mut player = spec.parse::<Spec>().unwrap().build();
            let game = NewGame { game: &jungle, seed: 1, patience: Duration::from_secs(60) };
            player.new_game(&game).unwrap();
            let turn = Limits::game_nodes(300_000).into();
            player.choose(&play, &turn).unwrap().info.nodes.unwrap()
        };
        // The same position for the side that is an elephant up, and for the other.
        let [good, bad] = ["w", "b"].map(|turn| {
            let fen = format!("l5t/1d3c1/r1p1w2/7/7/7/E1W1P1R/1C3D1/T5L {turn}");
            spent("champion:hash=1,global=linear(0,0.0667)", &fen)
        });
        assert!(good < bad && bad <= 40_000, "{good} and {bad}");
        assert!("champion:global=cubic".parse::<Spec>().is_err());
    }
}
