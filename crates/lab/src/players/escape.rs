//! The complexity-driven search, with the thesis' evaluation and order of moves.
//!
//! With nodes counted over the game (`--game-nodes`) or on a clock, the global escape function decides when
//! to move, and what a move saves is there for later ones. On a clock complexity is counted in time. Under
//! a limit a move nothing can be saved, and all of it is spent. Repeated positions count as draws wherever
//! the rules do not ignore them, unless the spec says otherwise.

use std::sync::Arc;
use std::time::Duration;

use game::score::{Score, Verdict};
use jungle::{BurnettEval, Play, Position};
use players::StrongestFirst;
use search::Repetition;
use search::escape::{Allowance, Curve, Escape, Settings, Unit};

use crate::Limit;
use crate::player::{self, Choice, Fault, Info, NewGame, Player};
use crate::spec::{Factory, Kind};

pub(super) const KIND: Kind = Kind {
    name: "escape",
    usage: "escape[:local=CURVE,global=CURVE,scale=S,…]",
    summary: "complexity-driven search; see `mousetrap escape --help`",
    read,
};

/// What a search to a depth and nothing else may visit: depth alone would never end it.
const MOST_WITH_A_DEPTH: u64 = 1_000_000;

fn read(text: &str) -> Result<Factory, String> {
    let settings = Settings::default().with(text)?;
    let follows_rules = !text.contains("repetition=");
    Ok(Arc::new(move || Box::new(EscapePlayer { settings: settings.clone(), follows_rules })))
}

struct EscapePlayer {
    settings: Settings,
    follows_rules: bool,
}

impl EscapePlayer {
    /// The settings and the allowance for a move.
    fn plan(&self, play: &Play, limit: &Limit) -> (Settings, Allowance) {
        let mut settings = self.settings.clone();
        if self.follows_rules && play.jungle().rules().repetition != jungle::Repetition::Ignored {
            settings.repetition = Repetition::Draw;
        }
        settings.depth = settings.depth.into_iter().chain(limit.depth).min();
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let allowance = match *limit {
            Limit { purse: Some(left), .. } => Allowance::of(left),
            Limit { clock: Some(clocks), .. } => {
                settings.unit = Unit::Time;
                let left = nanoseconds(clocks.left[play.position().turn()]);
                Allowance { left, most: left / 5 * 4 }
            }
            // Nothing can be saved: the global function is not asked.
            Limit { nodes, time, depth, .. } => {
                settings.global = Curve::Never;
                if let Some(time) = time {
                    settings.unit = Unit::Time;
                    Allowance::of(nanoseconds(time.mul_f64(0.95)))
                } else {
                    let endless = depth.map_or(u64::MAX, |_| MOST_WITH_A_DEPTH);
                    Allowance::of(nodes.unwrap_or(endless))
                }
            }
        };
        (settings, allowance)
    }
}

impl Player for EscapePlayer {
    fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, play: &Play, limit: &Limit) -> Result<Choice, Fault> {
        let legal = play.legal_moves();
        let (settings, allowance) = self.plan(play, limit);
        let history: Vec<Position> = play.earlier_positions().cloned().collect();
        let mut search = Escape::new(play.jungle(), &BurnettEval, settings)
            .order(StrongestFirst)
            .history(&history);
        let answer = search.search(play.position(), allowance);
        // The rules against repetition may forbid the best move: then the best of the others.
        let allowed = search
            .tree()
            .visited()
            .filter_map(|child| Some((child.mv()?, child.score().deeper())))
            .filter(|(mv, _)| legal.contains(mv))
            .reduce(|best, child| if child.1 > best.1 { child } else { best });
        let (mv, score) =
            allowed.or(legal.first().map(|&mv| (mv, answer.score))).ok_or_else(super::no_move)?;
        let info = Info {
            depth: Some(answer.deepest),
            score: Some(told(score)),
            nodes: Some(answer.visits),
            ..Info::default()
        };
        Ok(Choice { mv, info })
    }
}

fn told(score: Score) -> player::Score {
    let moves = |plies: u32| plies.div_ceil(2) as i32;
    match score.verdict() {
        Verdict::Win(plies) => player::Score::Mate(moves(plies)),
        Verdict::Loss(plies) => player::Score::Mate(-moves(plies)),
        Verdict::Estimate(value) => player::Score::Cp(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;
    use game::Game;
    use jungle::{Jungle, Move, Rules};

    fn nodes(spec: &str, limit: &Limit) -> u64 {
        let jungle = Jungle::new(Rules::TUFTS);
        let play = Play::start(jungle.clone());
        let mut player = spec.parse::<Spec>().unwrap().build();
        let game = NewGame { jungle: &jungle, seed: 1, patience: Duration::from_secs(60) };
        player.new_game(&game).unwrap();
        let choice = player.choose(&play, limit).unwrap();
        let expected: Vec<Move> = jungle.moves(play.position());
        assert!(expected.contains(&choice.mv));
        choice.info.nodes.unwrap()
    }

    #[test]
    fn a_limit_a_move_is_spent_and_a_purse_is_saved() {
        let a_move = Limit { nodes: Some(3000), ..Limit::default() };
        assert_eq!(nodes("escape:global=step(0.1)", &a_move), 3000);
        let purse = Limit::default().with_purse(3000);
        let spent = nodes("escape:global=step(0.1)", &purse);
        assert!((300..400).contains(&spent), "{spent}");
        assert!(nodes("escape:local=power(0.5),global=linear(0,0.02)", &purse) < 100);
        let time = Limit { time: Some(Duration::from_millis(3)), ..Limit::default() };
        assert!(nodes("escape", &time) > 0);
        let shallow = Limit { depth: Some(2), ..Limit::default() };
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
