//! One game between two contenders, each with a budget for all its moves.

use game::clock::NodeClock;
use game::{Outcome, Side};

use super::{Board, Contender, Thought};

/// One game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played<P, M> {
    /// The points of the contender named first, in halves.
    pub half_points: usize,
    /// The moves, those of both.
    pub steps: Vec<Step<P, M>>,
    /// What each contender spent, the first named first.
    pub spent: [u64; 2],
}

/// One move.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<P, M> {
    /// Where it was made.
    pub position: P,
    /// The move.
    pub mv: M,
    /// Which contender made it: 0 or 1.
    pub by: usize,
    /// What was left to it.
    pub left: u64,
    /// What it spent on this move.
    pub spent: u64,
    /// Its score, between −1 and 1.
    pub value: f64,
}

/// Plays a game; `first` says which of the two makes the first move. A game longer than the board's
/// limit is drawn.
pub fn play<B: Board>(
    board: &B,
    opening: &B::Position,
    contenders: [&Contender; 2],
    first: usize,
    nodes: u64,
) -> Played<B::Position, B::Move> {
    let mut clocks = [NodeClock::new(nodes); 2];
    let mut position = opening.clone();
    let mut steps = Vec::new();
    let opener = board.side_to_move(opening);
    let contender_of = |player: Side| if player == opener { first } else { 1 - first };
    let outcome = loop {
        if let Some(outcome) = board.outcome(&position) {
            break outcome;
        }
        if steps.len() >= board.most_plies() {
            break Outcome::Draw;
        }
        let by = contender_of(board.side_to_move(&position));
        let left = clocks[by].left();
        let Thought { mv, spent, value } = contenders[by].choose(board, &position, left);
        clocks[by].charge(spent);
        steps.push(Step { position: position.clone(), mv, by, left, spent, value });
        board.make(&mut position, mv);
    };
    let half_points = match outcome {
        Outcome::Draw => 1,
        Outcome::Win(player) if contender_of(player) == 0 => 2,
        Outcome::Win(_) => 0,
    };
    Played { half_points, steps, spent: clocks.map(|clock| clock.spent()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krad_petrakos::SmallAmazons;
    use jungle::{Jungle, Rules};

    fn contender(text: &str) -> Contender {
        text.parse().unwrap()
    }

    #[test]
    fn games_follow_from_the_seed_and_nobody_overspends() {
        let amazons = SmallAmazons;
        let players = ["escape", "alphabeta:global=step(0.1)"].map(contender);
        let opening = amazons.opening(1, 3);
        assert_eq!(opening, amazons.opening(1, 3));
        assert_ne!(opening, amazons.opening(2, 3));
        let game = || play(&amazons, &opening, [&players[0], &players[1]], 1, 3000);
        let played = game();
        assert_eq!(played, game());
        assert_eq!(played.steps[0].by, 1, "the second contender opened");
        assert_ne!(played.half_points, 1, "there are no draws in Amazons");
        for by in [0, 1] {
            let spent: u64 =
                played.steps.iter().filter(|step| step.by == by).map(|step| step.spent).sum();
            assert_eq!(spent, played.spent[by]);
            assert!(spent <= 3000 + played.steps.len() as u64, "{spent}");
        }
    }

    #[test]
    fn every_contender_finishes_a_game_of_jungle() {
        let jungle = Jungle::new(Rules::TUFTS);
        let opening = jungle.opening(1, 0);
        for text in ["escape:local=linear", "alphabeta:table", "uct", "alphabeta:global=power(0.2)"]
        {
            let played =
                play(&jungle, &opening, [&contender(text), &contender("alphabeta")], 0, 2000);
            assert!(played.steps.len() > 10, "{text}");
            assert!(played.steps.iter().all(|step| step.value.abs() <= 1.0), "{text}");
        }
    }
}
