//! Plain alpha-beta players with iterative deepening: `sparring` and `table`.
//!
//! `sparring` evaluates material and advancement, has no table, and is meant as a sparring partner. `table` has
//! Burnett's evaluation and a transposition table: what exact alpha-beta can do with the memory that the
//! published players lack. Both score repeated positions as draws where the rules say so, nothing is
//! pruned but by alpha-beta, and ties at the root are broken by the seed: moves are shuffled, what was best a
//! ply before comes first, and of equal moves the first is chosen. With a limit on nodes they count exactly, so
//! they play the same anywhere.

use std::sync::Arc;

use game::limits::{Limits, Meter};
use game::rng::Rng;
use game::score::Evaluate;
use jungle::{BurnettEval, Jungle, Move, Play, Position, board};
use search::{AlphaBeta, PathRepetition, Searcher, Table, fixed};

use crate::player::{Choice, Fault, Info, NewGame, Player, Turn};
use crate::spec::{Factory, Kind, ParameterError, Parameters};

pub(super) const SPARRING: Kind = Kind {
    name: "sparring",
    usage: "sparring[:depth=D,nodes=N]",
    summary: "plain alpha-beta over material and advancement",
    read: |text| read(text, Evaluation::Material),
};

pub(super) const TABLE: Kind = Kind {
    name: "table",
    usage: "table[:depth=D,nodes=N,hash=MB]",
    summary: "exact alpha-beta with a table and Burnett's evaluation",
    read: |text| read(text, Evaluation::Burnett),
};

/// The deepest search.
const DEEPEST: u32 = 64;

/// The table in MiB, and the most it may be.
const HASH: usize = 16;
const MOST_HASH: usize = 4096;

/// The value of a position for the player to move, searched to `depth` over material and advancement.
pub fn value(jungle: &Jungle, position: &Position, depth: u32) -> i32 {
    let mut search = AlphaBeta::new(jungle, &Evaluation::Material).order(dearest_first);
    fixed(&mut search, position, depth, &Limits::none()).map_or(0, |report| report.score.value())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Evaluation {
    /// Material, and how near the pieces are to the enemy's den.
    Material,
    Burnett,
}

impl Evaluate<Jungle> for Evaluation {
    fn evaluate(&self, jungle: &Jungle, position: &Position) -> i32 {
        if *self == Evaluation::Burnett {
            return BurnettEval.evaluate(jungle, position);
        }
        let us = position.turn();
        let mut value = BurnettEval::balance(position);
        for (square, piece) in position.pieces() {
            let den = board::DEN[!piece.color];
            let steps = square.file().abs_diff(den.file()) + square.rank().abs_diff(den.rank());
            let nearness = 2 * (11 - i32::from(steps));
            value += if piece.color == us { nearness } else { -nearness };
        }
        value
    }
}

/// Captures first, the most valuable victim before the others.
fn dearest_first(_: &Jungle, _: &Position, mv: Move) -> i32 {
    -mv.captured.map_or(0, BurnettEval::material)
}

fn read(text: &str, evaluation: Evaluation) -> Result<Factory, ParameterError> {
    let mut parameters = Parameters::read(text)?;
    let depth = parameters.take::<u32>("depth")?;
    let nodes = parameters.take::<u64>("nodes")?;
    let mut hash = 0;
    if evaluation == Evaluation::Burnett {
        hash = parameters.take::<usize>("hash")?.unwrap_or(HASH);
    }
    parameters.finish()?;
    if depth.is_some_and(|depth| depth == 0 || depth > DEEPEST) {
        let most = DEEPEST.into();
        return Err(ParameterError::Range { what: "the depth", least: 1, most });
    }
    if hash > MOST_HASH {
        let most = MOST_HASH as u64;
        return Err(ParameterError::Range { what: "the size of a table in MiB", least: 0, most });
    }
    let limits = Limits { depth, nodes, ..Limits::none() };
    Ok(Arc::new(move || {
        let table = LazyTable { mebibytes: hash, table: None };
        Box::new(AlphaBetaPlayer { evaluation, limits: limits.clone(), table, rng: Rng::new(0) })
    }))
}

struct AlphaBetaPlayer {
    evaluation: Evaluation,
    limits: Limits,
    table: LazyTable,
    rng: Rng,
}

/// A transposition table that is made when it is first needed.
struct LazyTable {
    mebibytes: usize,
    table: Option<Table<Move>>,
}

impl LazyTable {
    fn take(&mut self) -> Option<Table<Move>> {
        if self.mebibytes == 0 {
            return None;
        }
        // Without the memory for it, the player is only slower.
        self.table.take().or_else(|| Table::new(self.mebibytes).ok())
    }
}

impl Player<Play> for AlphaBetaPlayer {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.rng = Rng::new(game.seed);
        self.table.table.iter_mut().for_each(Table::clear);
        Ok(())
    }

    fn choose(&mut self, play: &Play, turn: &Turn) -> Result<Choice, Fault> {
        let jungle = play.jungle();
        let draws = jungle.rules().repetition == jungle::Repetition::Draw;
        let history: Vec<Position> =
            if draws { play.earlier_positions().cloned().collect() } else { Vec::new() };
        let limits = super::limits(&self.limits, turn);
        let deepest = limits.depth.unwrap_or(DEEPEST);
        let mut moves = play.legal_moves();
        shuffle(&mut self.rng, &mut moves);
        let mut meter = Meter::new(&limits);
        let (mut reached, mut score) = (0, None);
        for depth in 1..=deepest.clamp(1, DEEPEST) {
            let mut search = AlphaBeta::new(jungle, &self.evaluation)
                .order(dearest_first)
                .repetition(if draws { PathRepetition::Draw } else { PathRepetition::Ignored })
                .history(&history)
                .only_in_order(&moves);
            if let Some(table) = self.table.take() {
                search = search.table(table);
            }
            let line = search.search(play.position(), depth, &mut meter);
            self.table.table = search.into_table();
            let Ok(line) = line else { break };
            if let Some(at) = moves.iter().position(|mv| line.pv.first() == Some(mv)) {
                moves[..=at].rotate_right(1);
            }
            (reached, score) = (depth, Some(line.score));
            if line.score.is_decided() {
                break;
            }
        }
        let mv = *moves.first().ok_or_else(Fault::no_legal_move)?;
        let score = score.map(Into::into);
        let nodes = Some(meter.nodes());
        let info = Info { depth: Some(reached), score, nodes, ..Info::default() };
        Ok(Choice { mv, info })
    }
}

fn shuffle(rng: &mut Rng, moves: &mut [Move]) {
    for at in (1..moves.len()).rev() {
        moves.swap(at, rng.below(at + 1));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Spec;
    use game::score::ReportedScore;
    use jungle::Rules;

    fn choose(spec: &str, play: &Play, seed: u64, limits: &Limits) -> Choice {
        let mut player = spec.parse::<Spec>().unwrap().build();
        let game = NewGame { game: play.jungle(), seed, patience: Duration::ZERO };
        player.new_game(&game).unwrap();
        player.choose(play, &limits.clone().into()).unwrap()
    }

    #[test]
    fn they_keep_to_their_nodes_and_depend_on_nothing_but_the_seed() {
        let play = Play::start(Jungle::new(Rules::STANDARD));
        let limits = Limits::nodes(2000);
        for spec in ["sparring", "table:hash=1"] {
            let once = choose(spec, &play, 7, &limits);
            assert_eq!(once.info.nodes, Some(2000), "{spec}");
            assert!(once.info.depth >= Some(2), "{spec}");
            assert_eq!(once, choose(spec, &play, 7, &limits), "{spec}");
        }
        let choice = |seed| choose("sparring", &play, seed, &limits).mv.to_string();
        let moves: std::collections::HashSet<String> = (0..8).map(choice).collect();
        assert!(moves.len() > 1, "ties are broken by the seed");
    }

    #[test]
    fn a_table_finds_the_same_value_with_fewer_nodes() {
        let setup = "6t/1dp1wc1/l3e1R/1r5/3L3/E6/2W1P2/1C3D1/T6 w".parse().unwrap();
        let limits = Limits::depth(5);
        for rules in ["standard", "leiden"] {
            let play = Play::new(Jungle::new(rules.parse().unwrap()), &setup).unwrap();
            let with = choose("table:hash=4", &play, 1, &limits).info;
            let without = choose("table:hash=0", &play, 1, &limits).info;
            assert_eq!((with.score, with.depth), (without.score, without.depth), "{rules}");
            assert!(with.nodes < without.nodes, "{rules}: {:?} {:?}", with.nodes, without.nodes);
        }
    }

    #[test]
    fn repetition_is_avoided_by_the_better_side_and_sought_by_the_worse() {
        // White's cat has gone to and fro twice; the elephant can catch the dog or not at all.
        let setup = "6e/7/7/7/7/7/7/7/C6 b".parse().unwrap();
        let mut play = Play::new(Jungle::new(Rules::STANDARD), &setup).unwrap();
        for text in ["g9g8", "a1a2", "g8g9", "a2a1"] {
            let mv = jungle::parse_move(play.jungle(), play.position(), text).unwrap();
            play.play(mv).unwrap();
        }
        let limits = Limits::depth(4);
        for seed in 0..6 {
            let choice = choose("table:hash=1", &play, seed, &limits);
            assert_ne!(choice.mv.to_string(), "g9g8", "the elephant is better off than a draw");
        }
    }

    #[test]
    fn wins_are_told_in_moves() {
        // The rat steps into the den.
        let play =
            |fen: &str| Play::new(Jungle::new(Rules::STANDARD), &fen.parse().unwrap()).unwrap();
        let limits = Limits::depth(4);
        let now = play("2R4/7/7/7/7/7/7/7/e6 w");
        let choice = choose("sparring", &now, 1, &limits);
        assert_eq!((choice.info.score, choice.info.depth), (Some(ReportedScore::Mate(1)), Some(1)));
        let soon = play("1R5/7/7/7/7/7/7/7/e6 w");
        assert_eq!(choose("sparring", &soon, 1, &limits).info.score, Some(ReportedScore::Mate(2)));
    }

    #[test]
    fn the_judge_of_openings_is_minimax() {
        use game::minimax::minimax;
        for rules in [Rules::STANDARD, Rules::LEIDEN] {
            let jungle = Jungle::new(rules);
            for fen in [jungle::fen::START, "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w"] {
                let position: Position = fen.parse().unwrap();
                for depth in 0..=3 {
                    let expected = minimax(&jungle, &position, depth, &|at, outcome| {
                        assert!(outcome.is_none(), "no side can win this soon");
                        Evaluation::Material.evaluate(&jungle, at)
                    });
                    assert_eq!(value(&jungle, &position, depth), expected, "{fen}, {depth}");
                }
            }
        }
    }
}
