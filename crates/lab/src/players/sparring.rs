//! A sparring partner: plain alpha-beta by iterative deepening over material and advancement.
//!
//! It exists to be played against and to judge openings, and is meant to stay as it is, so that
//! results against it can be compared over time. No tables, no quiescence, no pruning but
//! alpha-beta; captures, dearest victim first, are searched before other moves. Ties at the root
//! are broken by the seed. With a limit on nodes it counts exactly and so plays the same anywhere.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::Game;
use game::rng::Rng;
use jungle::{Color, Jungle, Move, Play, Position, Repetition, board};

use crate::player::{Choice, Fault, Info, NewGame, Player, Score};
use crate::spec::{Factory, Kind, Parameters};
use crate::{Limit, material};

pub(super) const KIND: Kind = Kind {
    name: "sparring",
    usage: "sparring[:depth=D,nodes=N]",
    summary: "plain alpha-beta over material; never changes",
    read,
};

/// The deepest it ever looks.
const DEEPEST: u32 = 64;

/// The value of a win now; one in `n` plies is worth `n` less.
pub const WIN: i32 = 1_000_000;

/// Values beyond this are wins and losses.
pub const DECIDED: i32 = WIN - 10_000;

/// How many nodes pass between two looks at the clock.
const NODES_A_LOOK: u64 = 512;

fn read(text: &str) -> Result<Factory, String> {
    let mut parameters = Parameters::read(text)?;
    let depth = parameters.take::<u32>("depth")?;
    let nodes = parameters.take::<u64>("nodes")?;
    parameters.finish()?;
    if depth.is_some_and(|depth| depth == 0 || depth > DEEPEST) {
        return Err(format!("the depth is from 1 to {DEEPEST}"));
    }
    Ok(Arc::new(move || Box::new(Sparring { depth, nodes, rng: Rng::new(0) })))
}

struct Sparring {
    depth: Option<u32>,
    nodes: Option<u64>,
    rng: Rng,
}

impl Player for Sparring {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        self.rng = Rng::new(game.seed);
        Ok(())
    }

    fn choose(&mut self, play: &Play, limit: &Limit) -> Result<Choice, Fault> {
        let smaller = |one: Option<u64>, other: Option<u64>| one.into_iter().chain(other).min();
        let depth = smaller(self.depth.map(u64::from), limit.depth.map(u64::from));
        let depth = depth.map_or(DEEPEST, |depth| depth.clamp(1, DEEPEST.into()) as u32);
        let mut search = Search::new(play.jungle());
        search.most_nodes = smaller(self.nodes, limit.nodes).unwrap_or(u64::MAX);
        search.deadline = time_for(limit, play.position().turn()).map(|time| Instant::now() + time);

        let mut moves = play.legal_moves();
        shuffle(&mut self.rng, &mut moves);
        let repeated: Vec<bool> = moves.iter().map(|&mv| draws_by_repetition(play, mv)).collect();
        let mut best = *moves.first().ok_or_else(super::no_move)?;
        let (mut reached, mut value) = (0, None);
        for depth in 1..=depth {
            let Some((found, found_value)) =
                search.root(play.position(), &moves, &repeated, best, depth)
            else {
                break;
            };
            (best, reached, value) = (found, depth, Some(found_value));
            if found_value.abs() > DECIDED {
                break;
            }
        }
        let info = Info {
            depth: Some(reached),
            score: value.map(score),
            nodes: Some(search.nodes),
            ..Info::default()
        };
        Ok(Choice { mv: best, info })
    }
}

/// What a position is worth to the player to move, searched so many plies deep.
pub fn value(jungle: &Jungle, position: &Position, depth: u32) -> i32 {
    let mut search = Search::new(jungle);
    search.negamax(&mut position.clone(), depth, 0, -WIN, WIN)
}

fn score(value: i32) -> Score {
    match WIN - value.abs() {
        plies if plies > WIN - DECIDED => Score::Cp(value),
        plies => Score::Mate((plies + 1) / 2 * value.signum()),
    }
}

/// How long a move may take: a thirtieth of what is left, and most of the increment.
fn time_for(limit: &Limit, turn: Color) -> Option<Duration> {
    let clock = limit.clock.map(|clocks| {
        let left = clocks.left[turn];
        (left / 30 + clocks.increment.mul_f64(0.8)).min(left.mul_f64(0.8))
    });
    clock.into_iter().chain(limit.time.map(|time| time.mul_f64(0.95))).min()
}

fn shuffle(rng: &mut Rng, moves: &mut [Move]) {
    for at in (1..moves.len()).rev() {
        moves.swap(at, rng.below(at + 1));
    }
}

/// Whether a move leads back to a position of this game, where that heads for a draw.
fn draws_by_repetition(play: &Play, mv: Move) -> bool {
    let jungle = play.jungle();
    !mv.is_capture() && jungle.rules().repetition == Repetition::Draw && {
        let after = jungle.after(play.position(), mv);
        play.earlier_positions().any(|earlier| *earlier == after)
    }
}

struct Search<'a> {
    jungle: &'a Jungle,
    nodes: u64,
    most_nodes: u64,
    deadline: Option<Instant>,
    stopped: bool,
}

impl<'a> Search<'a> {
    fn new(jungle: &'a Jungle) -> Search<'a> {
        Search { jungle, nodes: 0, most_nodes: u64::MAX, deadline: None, stopped: false }
    }

    /// The best move and its value; `None` if the limit came first.
    fn root(
        &mut self,
        position: &Position,
        moves: &[Move],
        repeated: &[bool],
        first: Move,
        depth: u32,
    ) -> Option<(Move, i32)> {
        let mut best: Option<(Move, i32)> = None;
        let listed = || moves.iter().copied().zip(repeated.iter().copied());
        // What was best a ply before comes first.
        let ordered = listed().filter(|&(mv, _)| mv == first);
        for (mv, repeats) in ordered.chain(listed().filter(|&(mv, _)| mv != first)) {
            let alpha = best.map_or(-WIN, |(_, value)| value);
            let value = if repeats {
                0
            } else {
                let mut after = self.jungle.after(position, mv);
                -self.negamax(&mut after, depth - 1, 1, -WIN, -alpha)
            };
            if self.stopped {
                return None;
            }
            if best.is_none_or(|(_, known)| value > known) {
                best = Some((mv, value));
            }
        }
        best
    }

    fn negamax(
        &mut self,
        position: &mut Position,
        depth: u32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        self.count_node();
        if self.stopped {
            return 0;
        }
        if let Some(ending) = self.jungle.ending(position) {
            return match ending.winner {
                Some(winner) if winner == position.turn() => WIN - ply,
                Some(_) => ply - WIN,
                None => 0,
            };
        }
        if depth == 0 {
            return evaluate(position);
        }
        for mv in self.ordered_moves(position) {
            self.jungle.make(position, mv);
            let value = -self.negamax(position, depth - 1, ply + 1, -beta, -alpha);
            position.unmake(mv);
            if self.stopped {
                return 0;
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    fn ordered_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(32);
        self.jungle.for_each_capture(position, |mv| moves.push(mv));
        moves.sort_by_key(|mv| -mv.captured.map_or(0, material::value));
        self.jungle.for_each_quiet(position, |mv| moves.push(mv));
        moves
    }

    fn count_node(&mut self) {
        if self.nodes >= self.most_nodes {
            self.stopped = true;
            return;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_A_LOOK) {
            self.stopped |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
    }
}

/// Material, and how near the pieces are to the enemy's den.
fn evaluate(position: &Position) -> i32 {
    let us = position.turn();
    let mut value = material::balance(position);
    for (square, piece) in position.pieces() {
        let den = board::DEN[!piece.color];
        let steps = square.file().abs_diff(den.file()) + square.rank().abs_diff(den.rank());
        let nearness = 2 * (11 - i32::from(steps));
        value += if piece.color == us { nearness } else { -nearness };
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::minimax::minimax;
    use jungle::Rules;

    fn oracle(jungle: &Jungle, position: &Position, depth: u32) -> i32 {
        minimax(jungle, position, depth, &|at, outcome| match outcome {
            Some(game::Outcome::Draw) => 0,
            // The oracle does not count plies; neither may the comparison.
            Some(game::Outcome::Win(player)) if Color::from(player) == at.turn() => WIN,
            Some(_) => -WIN,
            None => evaluate(at),
        })
    }

    #[test]
    fn the_value_is_that_of_minimax() {
        let positions = [
            jungle::fen::START,
            "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w",
            "7/7/7/7/7/2r4/7/3p3/L3E2 w",
            "6t/1dp1wc1/l3e1R/1r5/3L3/E6/2W1P2/1C3D1/T6 b",
        ];
        for rules in [Rules::STANDARD, Rules::LEIDEN] {
            let jungle = Jungle::new(rules);
            for fen in positions {
                let position: Position = fen.parse().unwrap();
                for depth in 0..=3 {
                    let found = value(&jungle, &position, depth);
                    let expected = oracle(&jungle, &position, depth);
                    let clamped = if found.abs() > DECIDED { WIN * found.signum() } else { found };
                    assert_eq!(clamped, expected, "{fen} at depth {depth}");
                }
            }
        }
    }

    #[test]
    fn wins_are_told_in_moves() {
        assert_eq!(score(WIN - 1), Score::Mate(1));
        assert_eq!(score(WIN - 3), Score::Mate(2));
        assert_eq!(score(2 - WIN), Score::Mate(-1));
        assert_eq!(score(-350).to_string(), "-3.50");
        assert_eq!(Score::Mate(-2).to_string(), "-M2");
    }

    #[test]
    fn it_keeps_to_its_nodes_and_does_not_depend_on_anything_else() {
        let mut player = "sparring".parse::<crate::Spec>().unwrap().build();
        let play = Play::start(Jungle::new(Rules::STANDARD));
        let limit = Limit { nodes: Some(2000), ..Limit::default() };
        let mut choose = |seed| {
            player
                .new_game(&NewGame { jungle: play.jungle(), seed, patience: Duration::ZERO })
                .unwrap();
            player.choose(&play, &limit).unwrap()
        };
        let once = choose(7);
        assert_eq!(once.info.nodes, Some(2000));
        assert!(once.info.depth >= Some(2));
        choose(8);
        assert_eq!(choose(7), once);
    }
}
