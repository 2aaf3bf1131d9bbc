//! Play on boards of walking panthers: both sides by the contracts of the published set, against a rowdy.
//!
//! Black answers a White move with the sentry of the gadget it was made in, if its contract asks for that; else he is free, takes a
//! variable or runs. White takes variables, takes what steps beside a cat, and then leads panthers from gadget to gadget. The
//! rowdy knows nothing of this: it takes what it can and drives its pieces up or down for a while.

mod marshal;
mod sentinel;

use game::Game;
use game::rng::Rng;
use jungle::Color;

use crate::board::Board;
use crate::formula::Formula;
use crate::generalised::{BoardMove, GeneralisedJungle};
use crate::published::Contracts;
use crate::sentry::CAT;
use crate::walking::Walking;
use marshal::Marshal;
use sentinel::Sentinel;

/// A game on a board of walking panthers.
#[derive(Clone, Debug)]
pub struct Marched {
    /// Who played by contracts: the winner of the formula game.
    pub strategist: Color,
    /// Who won; `None` if the game was broken off.
    pub winner: Option<Color>,
    /// How many plies.
    pub plies: usize,
    /// How often Black answered, if he was the strategist.
    pub answers: u32,
    /// What went wrong, if anything.
    pub trouble: Option<String>,
}

/// Plays a formula: its winner by contracts, the other side rowdily.
pub fn march(
    contracts: &Contracts,
    walking: &Walking,
    formula: &Formula,
    first: Color,
    seed: u64,
) -> Marched {
    let generalised = GeneralisedJungle::new(contracts.rules);
    let white_wins = formula.game().white_wins(0, 0, first);
    let strategist = if white_wins { Color::White } else { Color::Black };
    let mut marshal = Marshal::new(contracts, walking, formula);
    let mut sentinel = Sentinel::new(contracts, walking, formula);
    let mut rowdy = Rowdy { rng: Rng::new(seed), up: 0, left: 0 };
    let mut board = walking.board.clone();
    board.set_turn(first);
    let (mut plies, limit) = (0, 40 * walking.track.len());
    while plies < limit && generalised.winner(&board).is_none() {
        let mv = match board.turn() == strategist {
            true if strategist == Color::White => marshal.choose(&board),
            true => sentinel.choose(&board),
            false => rowdy.choose(&generalised, walking, &board),
        };
        let Some(mv) = mv else { break };
        if strategist == Color::Black && board.turn() == Color::White {
            sentinel.note(&board, mv);
        }
        if board.turn() == strategist && !generalised.moves(&board).contains(&mv) {
            marshal.trouble.get_or_insert(format!("{} is not legal", mv.name(board.geometry())));
            break;
        }
        generalised.make(&mut board, mv);
        plies += 1;
    }
    let broken = sentinel.broken.then(|| "a contract was broken".to_owned());
    Marched {
        strategist,
        winner: generalised.winner(&board),
        plies,
        answers: sentinel.answers,
        trouble: marshal.trouble.or(broken),
    }
}

/// The side without a strategy.
struct Rowdy {
    rng: Rng,
    /// Which way it drives its pieces, and for how many moves still.
    up: i32,
    left: u32,
}

impl Rowdy {
    fn choose(
        &mut self,
        generalised: &GeneralisedJungle,
        walking: &Walking,
        board: &Board,
    ) -> Option<BoardMove> {
        if self.left == 0 {
            self.up = self.rng.below(3) as i32 - 1;
            self.left = 20 + self.rng.below(60) as u32;
        }
        self.left -= 1;
        let moves = generalised.moves(board);
        let geometry = board.geometry();
        let race = geometry.row(walking.track[0]);
        let weight = |mv: &BoardMove| {
            if geometry.row(mv.from) >= race {
                return 1;
            }
            let rise = geometry.row(mv.from) as i32 - geometry.row(mv.to) as i32;
            let along = if rise == self.up && rise != 0 { 12 } else { 3 };
            let lively = if board.at(mv.from) == Some(CAT) { 1 } else { 20 };
            along * lively * if mv.captured.is_some() { 50 } else { 1 }
        };
        let total: u64 = moves.iter().map(weight).sum();
        let mut pick = self.rng.below(total.max(1) as usize) as u64;
        moves.iter().copied().find(|mv| {
            let here = pick < weight(mv);
            pick = pick.saturating_sub(weight(mv));
            here
        })
    }
}

/// The formulas of the trial: their boards have every gate of the paper but CHOICE, which only crossings need.
pub const FORMULAS: [&str; 6] =
    ["x", "x & y", "x | y", "x & x", "(x | y) & (y | z)", "(x | y | z) & w"];

/// Games on boards of walking panthers, all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marches {
    /// Games that White played by contracts, and those of them that he won.
    pub white: [usize; 2],
    /// The same for Black.
    pub black: [usize; 2],
    /// Games in which a contract was broken, or a side was stuck.
    pub broken: usize,
    /// The most answers that Black gave in a game.
    pub answers: u32,
    /// Plies in all games.
    pub plies: usize,
}

/// Plays these formulas, either side first, so many times each.
///
/// # Panics
///
/// If one of them needs a crossing, or is none.
pub fn marches(contracts: &Contracts, formulas: &[&str], times: u64) -> Marches {
    let mut all = Marches::default();
    for text in formulas {
        let formula: Formula = text.parse().expect("a formula of the program");
        let walking = Walking::of(&formula).expect("a formula that needs no crossing");
        for (first, seed) in
            Color::ALL.into_iter().flat_map(|first| (0..times).map(move |nth| (first, nth)))
        {
            let played = march(contracts, &walking, &formula, first, seed);
            let side = match played.strategist {
                Color::White => &mut all.white,
                Color::Black => &mut all.black,
            };
            side[0] += 1;
            side[1] += usize::from(played.winner == Some(played.strategist));
            all.broken += usize::from(played.trouble.is_some());
            all.answers = all.answers.max(played.answers);
            all.plies += played.plies;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalised::Trapped;
    use crate::published::tests::contracts;

    #[test]
    fn strategies_win_on_boards_of_walking_panthers() {
        let contracts = contracts(Trapped::Full);
        let all = marches(contracts, &FORMULAS[..4], 2);
        assert_eq!((all.white[0], all.black[0], all.broken), (all.white[1], all.black[1], 0));
        assert!(all.white[0] > 2 && all.black[0] > 2 && all.answers > 2, "{all:?}");
    }
}
