//! The experiment of Xu, Xing and Zuo: games of plain alpha-beta against itself, every position of
//! which is searched again by regions, to the same depth.
//!
//! Their depths: 3 up to step 24, 4 up to 36, 6 up to 56, 7 after that; a step is a move of either
//! side. On smaller boards the steps are scaled by the number of squares that can be filled. To make
//! games differ, the weights of the evaluation are varied a little from game to game, as they did.
//! The sub-boards' values are kept from step to step within a game, which is what "only sub-boards
//! that changed are searched" means here.
//!
//! Nodes are exact and the same on every machine; times are taken one after the other in one run and
//! are good for their ratio only.

use std::time::{Duration, Instant};

use game::Game;
use game::limits::{Limits, Meter};
use game::rng::Rng;

use amazons::divide::Divide;
use amazons::evaluate::Weights;
use amazons::region;
use amazons::{Amazons, Position, Size};

/// One position of a game, searched twice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Which move of the game follows, from 1.
    pub step: u32,
    /// How deep both searches went.
    pub depth: u32,
    /// How many executing sub-boards there are.
    pub parts: u32,
    /// The cost of plain alpha-beta.
    pub plain: Cost,
    /// The cost of the region-divided search.
    pub divided: Cost,
    /// Whether both found the same value.
    pub same_value: bool,
    /// Whether both chose the same move.
    pub same_move: bool,
    /// The size of the divided search by formula (6), for every node of a plain one.
    pub predicted: f64,
}

/// The cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Positions visited.
    pub nodes: u64,
    /// Time.
    pub time: Duration,
}

/// A game of the experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its number.
    pub number: u64,
    /// Its moves, as text.
    pub moves: Vec<String>,
    /// Its positions, searched twice.
    pub steps: Vec<Step>,
}

/// The depth of both searches at a step, from 1, on a board.
pub fn depth(size: Size, step: u32) -> u32 {
    let squares = u32::from(size.files()) * u32::from(size.ranks()) - 8;
    // 92 squares can be filled on the usual board.
    let until = |usual: u32| (usual * squares + 46) / 92;
    match step {
        step if step <= until(24) => 3,
        step if step <= until(36) => 4,
        step if step <= until(56) => 6,
        _ => 7,
    }
}

/// The weights of a game: the usual ones, varied a little.
pub fn weights(seed: u64, number: u64) -> Weights {
    let mut rng = Rng::new(seed ^ game::rng::mix(number + 1));
    let mut vary = |weight: i32, by: usize| weight - by as i32 + rng.below(2 * by + 1) as i32;
    let usual = Weights::default();
    Weights {
        queen_territory: vary(usual.queen_territory, 15),
        king_territory: vary(usual.king_territory, 10),
        queen_tie: vary(usual.queen_tie, 5),
        king_tie: vary(usual.king_tie, 3),
        mobility: vary(usual.mobility, 4),
    }
}

/// Formula (6) over the plain search's `2 N^(l/2)`, for sub-boards with these numbers of moves.
pub fn predicted(moves: &[u64], depth: u32) -> f64 {
    let (k, half) = (moves.len() as f64, f64::from(depth) / 2.0);
    let all: u64 = moves.iter().sum();
    let part = |n: u64| 2.0 * (n as f64).powf(half) + 2.0 * (n as f64).powf(half - 0.5);
    let sum: f64 = moves.iter().map(|&n| part(n)).sum();
    sum * (2.0 * k - 1.0) / (k * k) / (2.0 * (all as f64).powf(half))
}

/// Plays a game and searches its positions; `watch` sees every step as it is finished.
pub fn play(size: Size, seed: u64, number: u64, mut watch: impl FnMut(&Step)) -> Played {
    let weights = weights(seed, number);
    let mut plain = Divide::plain(weights);
    let mut divided = Divide::new(weights);
    let mut position =
        Position::start(size.files(), size.ranks()).expect("a size is a size of a board");
    let mut played = Played { number, moves: Vec::new(), steps: Vec::new() };
    while Amazons.outcome(&position).is_none() {
        let step = played.steps.len() as u32 + 1;
        let depth = depth(size, step);
        let (one, plain_cost) = timed(&mut plain, &position, depth);
        let (other, divided_cost) = timed(&mut divided, &position, depth);
        let mut moves = Vec::new();
        region::executing(&position, |region| {
            moves.push(Amazons.count_moves(&position.restricted(region.squares)));
        });
        let found = Step {
            step,
            depth,
            parts: moves.len() as u32,
            plain: plain_cost,
            divided: divided_cost,
            same_value: one.value == other.value,
            same_move: one.best == other.best,
            predicted: predicted(&moves, depth),
        };
        watch(&found);
        played.steps.push(found);
        let mv = one.best.expect("a game that goes on has a move");
        played.moves.push(mv.to_string());
        Amazons.make(&mut position, mv);
    }
    played
}

fn timed(search: &mut Divide, position: &Position, depth: u32) -> (amazons::divide::Found, Cost) {
    let mut meter = Meter::new(&Limits::none());
    let start = Instant::now();
    let found = search.find(position, depth, &mut meter).expect("nothing stops it");
    (found, Cost { nodes: meter.nodes(), time: start.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_depths() {
        let depths: Vec<u32> =
            [1, 24, 25, 36, 37, 56, 57, 92].map(|step| depth(Size::USUAL, step)).to_vec();
        assert_eq!(depths, [3, 3, 4, 4, 6, 6, 7, 7]);
        let small = Size::new(6, 6).unwrap();
        assert_eq!([1, 7, 8, 11, 12, 17, 18].map(|step| depth(small, step)), [3, 3, 4, 4, 6, 6, 7]);
    }

    #[test]
    fn formula_six() {
        // One sub-board: everything once more, a ply less deep.
        assert!((predicted(&[16], 4) - (1.0 + 0.25)).abs() < 1e-12);
        // Two of 8: 2 * (2 * 64 + 2 * 8^1.5) * 3/4 over 2 * 256.
        let expected = 2.0 * (128.0 + 2.0 * 8.0_f64.powf(1.5)) * 0.75 / 512.0;
        assert!((predicted(&[8, 8], 4) - expected).abs() < 1e-12);
    }

    #[test]
    fn a_game_is_the_same_every_time_but_for_the_clock() {
        let size = Size::new(4, 4).unwrap();
        let exact = |played: Played| {
            let steps = played.steps.iter().map(|s| (s.parts, s.plain.nodes, s.divided.nodes));
            (played.moves.clone(), steps.collect::<Vec<_>>())
        };
        let game = exact(play(size, 1, 5, |_| ()));
        assert_eq!(exact(play(size, 1, 5, |_| ())), game);
        assert!(!game.0.is_empty() && game.0.len() == game.1.len());
        assert_ne!(weights(1, 5), weights(1, 6));
    }
}
