//! Games on compiled boards: the winner of the formula game by strategy, the other side by a policy.

use game::Game;
use game::rng::Rng;
use jungle::{Animal, Color, Piece, Rules};

use crate::adversary::Adversary;
use crate::board::Board;
use crate::circuit::Circuit;
use crate::formula::Formula;
use crate::generalised::{BoardMove, BoardRules, GeneralisedJungle};
use crate::layout::Layout;
use crate::strategy::{Plan, Strategist};

/// The policy of the side without a winning strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Takes what it can, then runs, or jumps on with its lions.
    Greedy,
    /// Makes any legal move.
    Random,
    /// Plays ahead against the strategist, see [`crate::adversary`].
    Search,
}

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Who moves first.
    pub first: Color,
    /// How the side without a strategy plays.
    pub opponent: Opponent,
    /// Its choices follow from this.
    pub seed: u64,
    /// The rules.
    pub rules: BoardRules,
    /// Whether the board has stepping stones, and no leap over more than three squares of water.
    pub stepping: bool,
}

impl Setting {
    /// White moves first, under the rules of the paper.
    pub fn new(opponent: Opponent, seed: u64) -> Setting {
        Setting {
            first: Color::White,
            opponent,
            seed,
            rules: Rules::LEIDEN.into(),
            stepping: false,
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Who played by strategy: the winner of the formula game.
    pub strategist: Color,
    /// Who won on the board; `None` if the game was broken off.
    pub winner: Option<Color>,
    /// All moves.
    pub moves: Vec<BoardMove>,
    /// The variables White took; a bit each.
    pub white: u32,
    /// How many moves Black's cat was from White's den at the end.
    pub left_to_run: usize,
    /// The gates whose contracts were broken: none, if the proofs are right.
    pub broken: Vec<usize>,
    /// The board at the end.
    pub board: Board,
}

const LION: Piece = Piece { color: Color::White, animal: Animal::Lion };

/// Plays the formula on its board: the winner of the formula game by strategy, the other side by a policy.
pub fn play(formula: &Formula, setting: Setting) -> Played {
    let circuit = Circuit::of(formula);
    let layout = if setting.stepping { Layout::stepping(&circuit) } else { Layout::of(&circuit) };
    let rules = BoardRules { leap: layout.leap, ..setting.rules };
    let plan = Plan::new(formula, &layout, rules);
    let generalised = GeneralisedJungle::new(rules);
    let strategist = plan.winner(setting.first);
    let mut player = Strategist::new(&plan, strategist);
    let mut adversary = Adversary::new(&plan, rules, setting.seed);
    let mut rng = Rng::new(setting.seed);
    let mut board = layout.board.clone();
    board.set_turn(setting.first);
    let mut moves = Vec::new();
    let limit = 100 * layout.track.len() + 4000;
    while moves.len() < limit && generalised.outcome(&board).is_none() {
        let mv = if board.turn() == strategist {
            player.choose(&board)
        } else if setting.opponent == Opponent::Search {
            adversary.choose(&board, &player)
        } else {
            simple_move(&generalised, &layout, &board, setting.opponent, &mut rng)
        };
        let Some(mv) = mv else { break };
        player.note(&board, mv);
        generalised.make(&mut board, mv);
        moves.push(mv);
    }
    Played {
        strategist,
        winner: generalised.winner(&board),
        moves,
        white: player.white_variables(),
        left_to_run: plan.runner(&board).map_or(0, |at| layout.track.len() - 1 - at),
        broken: player.broken().to_vec(),
        board,
    }
}

fn simple_move(
    generalised: &GeneralisedJungle,
    layout: &Layout,
    board: &Board,
    opponent: Opponent,
    rng: &mut Rng,
) -> Option<BoardMove> {
    let moves = generalised.moves(board);
    if opponent == Opponent::Random {
        return rng.choose(&moves).copied();
    }
    let ends = |mv: &BoardMove| generalised.winner(&generalised.after(board, *mv)).is_some();
    let takes = |mv: &BoardMove| mv.captured.is_some();
    let lion = |mv: &BoardMove| board.at(mv.from) == Some(LION);
    let runs = |mv: &BoardMove| {
        let at = |spot| layout.track.iter().position(|&track| track == spot);
        at(mv.from).zip(at(mv.to)).is_some_and(|(from, to)| to > from)
    };
    let best = |wanted: &dyn Fn(&BoardMove) -> bool, rng: &mut Rng| {
        let good: Vec<BoardMove> = moves.iter().copied().filter(|mv| wanted(mv)).collect();
        rng.choose(&good).copied()
    };
    best(&ends, rng)
        .or_else(|| best(&takes, rng))
        .or_else(|| best(&runs, rng))
        .or_else(|| best(&lion, rng))
        .or_else(|| rng.choose(&moves).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_win_on_the_board() {
        let texts = [
            "x",
            "x & y",
            "(x | y) & (x | z | w)",
            "(x | y) & (z | w)",
            "(x | y) & (y | z) & (z | x)",
            "(a | b | c) & (b | c | d) & (a | d)",
            "(a | b) & (a | c) & (a | d) & (b | d)",
        ];
        let mut sides = [0; 2];
        for text in texts {
            let formula: Formula = text.parse().unwrap();
            for opponent in [Opponent::Greedy, Opponent::Random, Opponent::Search] {
                for seed in 0..3 {
                    let played = play(&formula, Setting::new(opponent, seed));
                    assert_eq!(
                        played.winner,
                        Some(played.strategist),
                        "{text} against {opponent:?} {seed}: {} plies, {} left",
                        played.moves.len(),
                        played.left_to_run
                    );
                    sides[usize::from(played.strategist == Color::Black)] += 1;
                }
            }
        }
        assert!(sides[0] > 0 && sides[1] > 0, "both sides were tried");
    }
}
