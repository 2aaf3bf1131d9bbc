//! Trials: random formulas, both sides to move first, the winner by strategy against an adversary.

use game::rng::Rng;
use jungle::Color;

use crate::formula::Formula;
use crate::generalised::BoardRules;
use crate::play::{Opponent, Played, Setting, play};

/// What is tried.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// How many formulas.
    pub formulas: usize,
    /// The most variables of one.
    pub variables: usize,
    /// The most clauses of one.
    pub clauses: usize,
    /// How the side without a strategy plays.
    pub opponent: Opponent,
    /// Everything random follows from this.
    pub seed: u64,
    /// The rules.
    pub rules: BoardRules,
    /// Whether boards have stepping stones.
    pub stepping: bool,
}

/// One game of a trial.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The formula.
    pub formula: Formula,
    /// Who moved first.
    pub first: Color,
    /// The game.
    pub played: Played,
}

/// What a trial came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that White, that Black should win.
    pub games: [usize; 2],
    /// Games among them that the strategist did not win.
    pub lost: [usize; 2],
    /// Games in which a contract was broken.
    pub broken: usize,
    /// The longest game, in plies.
    pub longest: usize,
    /// All plies.
    pub plies: usize,
}

impl Trial {
    /// The formulas, in order.
    pub fn formulas(&self) -> impl Iterator<Item = Formula> + use<> {
        let (mut rng, trial) = (Rng::new(self.seed), *self);
        (0..self.formulas).map(move |_| random_formula(&mut rng, trial.variables, trial.clauses))
    }

    /// Plays a formula, White first and Black first.
    pub fn games(&self, nth: usize, formula: &Formula) -> [Tried; 2] {
        Color::ALL.map(|first| {
            let seed = self.seed.wrapping_add(nth as u64);
            let Trial { opponent, rules, stepping, .. } = *self;
            let setting = Setting { first, opponent, seed, rules, stepping };
            Tried { formula: formula.clone(), first, played: play(formula, setting) }
        })
    }
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &Tried) {
        let side = usize::from(game.played.strategist == Color::Black);
        self.games[side] += 1;
        self.lost[side] += usize::from(game.played.winner != Some(game.played.strategist));
        self.broken += usize::from(!game.played.broken.is_empty());
        self.longest = self.longest.max(game.played.moves.len());
        self.plies += game.played.moves.len();
    }
}

/// A formula with up to so many variables and clauses, all numbers equally likely, all clauses too.
fn random_formula(rng: &mut Rng, variables: usize, clauses: usize) -> Formula {
    let variables = 1 + rng.below(variables);
    let clause = |rng: &mut Rng| {
        let set = 1 + rng.below((1 << variables) - 1);
        (0..variables).filter(|variable| set >> variable & 1 == 1).collect()
    };
    let clauses = (0..1 + rng.below(clauses)).map(|_| clause(rng)).collect();
    Formula::new(variables, clauses)
}
