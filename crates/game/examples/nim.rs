//! A game of one's own: Nim, from the rules to the truth about every position.
//!
//! Implementing [`Game`] is all it takes. The conformance suite then says whether the promises of the
//! trait are kept, perft counts, and the solver plays the game out.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use game::conformance::Conformance;
use game::perft::perft;
use game::rng::Rng;
use game::solver::solve;
use game::truth::Truth;
use game::{Game, Outcome, Side};

/// Heaps of counters. A move takes any number from one heap; the player who takes the last counter wins.
struct Nim;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Heaps {
    heaps: [u8; 3],
    turn: Side,
}

/// How many counters to take, and from which heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Take {
    heap: usize,
    counters: u8,
}

impl Game for Nim {
    type Position = Heaps;
    type Move = Take;
    type Undo = ();

    fn side_to_move(&self, position: &Heaps) -> Side {
        position.turn
    }

    fn outcome(&self, position: &Heaps) -> Option<Outcome> {
        (position.heaps == [0; 3]).then_some(Outcome::Win(!position.turn))
    }

    fn push_moves(&self, position: &Heaps, moves: &mut Vec<Take>) {
        for (heap, &counters) in position.heaps.iter().enumerate() {
            moves.extend((1..=counters).map(|counters| Take { heap, counters }));
        }
    }

    fn make(&self, position: &mut Heaps, mv: Take) {
        position.heaps[mv.heap] -= mv.counters;
        position.turn = !position.turn;
    }

    fn unmake(&self, position: &mut Heaps, mv: Take, (): ()) {
        position.heaps[mv.heap] += mv.counters;
        position.turn = !position.turn;
    }

    // A position is so small that its key is itself.
    fn key(&self, position: &Heaps) -> u64 {
        let [a, b, c] = position.heaps;
        u64::from_le_bytes([a, b, c, u8::from(position.turn == Side::Second), 0, 0, 0, 0])
    }

    fn fresh_key(&self, position: &Heaps) -> u64 {
        self.key(position)
    }
}

/// The legal moves once more, written in another way: the suite compares the two.
fn plain_moves(position: &Heaps) -> Vec<Take> {
    let all = (0..3).flat_map(|heap| (1..=9).map(move |counters| Take { heap, counters }));
    all.filter(|take| take.counters <= position.heaps[take.heap]).collect()
}

fn main() {
    let start = Heaps { heaps: [3, 4, 5], turn: Side::First };
    Conformance::new(&Nim, plain_moves).random_games(&start, 100, 20, &mut Rng::new(1));
    println!("Nim keeps the promises of a game");

    for depth in 1..=4 {
        println!("{} sequences of {depth} moves", perft(&Nim, &start, depth));
    }

    let solution = solve(&Nim, [start.clone()]);
    let truth = solution.value(&start).expect("the start was solved");
    println!("{} positions; {:?} is a {truth}", solution.len(), start.heaps);
    for mv in Nim.moves(&start) {
        if let Some(Truth::Loss(_)) = solution.value(&Nim.after(&start, mv)) {
            println!("taking {} from heap {} wins", mv.counters, mv.heap + 1);
        }
    }
    // Bouton's theorem: the player to move loses just when the heaps cancel out in binary.
    for (position, truth) in solution.iter() {
        let sum = position.heaps.iter().fold(0, |sum, heap| sum ^ heap);
        assert_eq!(matches!(truth, Truth::Loss(_)), sum == 0, "{position:?}");
    }
}
