//! The complexity-driven search, with Burnett's evaluation and order of moves.
//!
//! With a limit of nodes for the whole game or on a clock, the global escape function decides when
//! to move, and what a move saves is there for later ones. On a clock complexity is counted in time. Under
//! a limit a move nothing can be saved, and all of it is spent. Repeated positions count as draws wherever
//! the rules do not ignore them, unless the spec says otherwise.

use std::sync::Arc;

use game::limits::Limits;
use jungle::{BurnettEval, Play, Position};
use players::StrongestFirst;
use search::PathRepetition;
use search::escape::{Curve, Escape, Settings};

use crate::player::{Choice, Fault, Info, NewGame, Player, Turn};
use crate::spec::{Factory, Kind, ParameterError};

pub(super) const KIND: Kind = Kind {
    name: "escape",
    usage: "escape[:local=CURVE,global=CURVE,scale=S,…]",
    summary: "complexity-driven search",
    read,
};

/// The node limit of a search with only a depth limit: depth alone would never end it.
const MOST_WITH_A_DEPTH: u64 = 1_000_000;

fn read(text: &str) -> Result<Factory, ParameterError> {
    let settings = Settings::default().with(text)?;
    Ok(Arc::new(move || Box::new(EscapePlayer { settings: settings.clone() })))
}

struct EscapePlayer {
    settings: Settings,
}

impl EscapePlayer {
    /// The settings and the limits for a move.
    fn plan(&self, play: &Play, turn: &Turn) -> (Settings, Limits) {
        let mut settings = self.settings.clone();
        if play.jungle().rules().repetition != jungle::Repetition::Ignored {
            settings.repetition.get_or_insert(PathRepetition::Draw);
        }
        let mut limits = super::limits(&Limits::none(), turn);
        if limits.game_nodes.is_none() && limits.clock.is_none() {
            // Nothing can be saved: the global function is not used.
            settings.global = Curve::Never;
            if limits.depth.is_some() && limits.nodes.is_none() && limits.time.is_none() {
                limits.nodes = Some(MOST_WITH_A_DEPTH);
            }
        }
        (settings, limits)
    }
}

impl Player<Play> for EscapePlayer {
    fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, play: &Play, turn: &Turn) -> Result<Choice, Fault> {
        let legal = play.legal_moves();
        let (settings, limits) = self.plan(play, turn);
        let history: Vec<Position> = play.earlier_positions().cloned().collect();
        let mut search = Escape::new(play.jungle(), &BurnettEval, settings)
            .order(StrongestFirst)
            .history(&history);
        let answer = search.search(play.position(), &limits);
        // The rules against repetition may forbid the best move: then the best of the others.
        let allowed = search
            .tree()
            .visited()
            .filter_map(|child| Some((child.mv()?, child.score().deeper())))
            .filter(|(mv, _)| legal.contains(mv))
            .reduce(|best, child| if child.1 > best.1 { child } else { best });
        let (mv, score) = allowed
            .or(legal.first().map(|&mv| (mv, answer.score)))
            .ok_or_else(Fault::no_legal_move)?;
        let info = Info {
            depth: Some(answer.deepest),
            score: Some(score.into()),
            nodes: Some(answer.visits),
            ..Info::default()
        };
        Ok(Choice { mv, info })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Spec;
    use game::Game;
    use jungle::{Jungle, Move, Rules};

    fn nodes(spec: &str, limits: &Limits) -> u64 {
        let jungle = Jungle::new(Rules::TUFTS);
        let play = Play::start(jungle.clone());
        let mut player = spec.parse::<Spec>().unwrap().build();
        let game = NewGame { game: &jungle, seed: 1, patience: Duration::from_secs(60) };
        player.new_game(&game).unwrap();
        let choice = player.choose(&play, &limits.clone().into()).unwrap();
        let expected: Vec<Move> = jungle.moves(play.position());
        assert!(expected.contains(&choice.mv));
        choice.info.nodes.unwrap()
    }

    #[test]
    fn a_limit_a_move_is_spent_and_a_game_s_nodes_are_saved() {
        let a_move = Limits::nodes(3000);
        assert_eq!(nodes("escape:global=step(0.1)", &a_move), 3000);
        let a_game = Limits::game_nodes(3000);
        let spent = nodes("escape:global=step(0.1)", &a_game);
        assert!((300..400).contains(&spent), "{spent}");
        assert!(nodes("escape:local=power(0.5),global=linear(0,0.02)", &a_game) < 100);
        let time = Limits::time(Duration::from_millis(3));
        assert!(nodes("escape", &time) > 0);
        let shallow = Limits::depth(2);
        assert!((24..1000).contains(&nodes("escape", &shallow)));
    }

    #[test]
    fn mistakes_in_the_spec_are_explained() {
        let refused = |spec: &str| spec.parse::<Spec>().unwrap_err().to_string();
        assert!(refused("escape:local=cubic").contains("sigmoid(M,K)"));
        assert!(refused("escape:depht=3").contains("there are local, global"));
        assert!("escape:local=power(2),global=step(0.3)".parse::<Spec>().is_ok());
    }
}
