//! A budget for a whole game: what is not spent on a move is there for the next ones.

/// What is left of a game's budget, in the unit of the search.
///
/// ```
/// use search::escape::GameClock;
///
/// let mut clock = GameClock::new(100);
/// clock.charge(30);
/// assert_eq!(clock.left(), 70);
/// clock.charge(1000);
/// assert_eq!(clock.left(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    total: u64,
    spent: u64,
}

/// What one move may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// What is left for the rest of the game: the global escape function is asked for the share of it.
    pub left: u64,
    /// What this move may cost at most.
    pub most: u64,
}

impl Allowance {
    /// So much for everything.
    pub const fn of(units: u64) -> Allowance {
        Allowance { left: units, most: units }
    }

    /// No end.
    pub const ENDLESS: Allowance = Allowance::of(u64::MAX);
}

impl GameClock {
    /// So much for the game.
    pub const fn new(total: u64) -> GameClock {
        GameClock { total, spent: 0 }
    }

    /// What is left.
    pub const fn left(&self) -> u64 {
        self.total.saturating_sub(self.spent)
    }

    /// What has been spent, by the search's own account.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// What the next move may cost: all that is left, if the global escape function lets it.
    pub const fn allowance(&self) -> Allowance {
        Allowance::of(self.left())
    }

    /// Takes off what a move has cost.
    pub const fn charge(&mut self, cost: u64) {
        self.spent = self.spent.saturating_add(cost);
    }
}
