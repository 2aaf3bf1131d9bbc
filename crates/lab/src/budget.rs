//! How much thinking a move may cost: the budget of a whole game, and the limit of one move.

use std::fmt;
use std::time::Duration;

use jungle::{ByColor, Color};
use serde::{Deserialize, Serialize};

/// What both players may spend.
///
/// ```
/// use lab::Budget;
///
/// assert_eq!(Budget::clock("1:30+0.5")?.to_string(), "90+0.5 s");
/// assert_eq!(Budget::Nodes(2000).to_string(), "2000 nodes a move");
/// assert_eq!(Budget::GameNodes(90_000).to_string(), "90000 nodes a game");
/// assert!(Budget::clock("ten").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    /// So many nodes a move.
    Nodes(u64),
    /// So many nodes for all moves of a game, each side: what one move saves is there for the next.
    GameNodes(u64),
    /// So many plies deep.
    Depth(u32),
    /// So long a move.
    Time(Duration),
    /// A clock for the game.
    Clock {
        /// What is on it at the start.
        base: Duration,
        /// What every move adds.
        increment: Duration,
    },
}

impl Budget {
    /// Reads a clock as in `10+0.1` (seconds and seconds a move) or `1:30+1` (minutes and seconds).
    ///
    /// # Errors
    ///
    /// Says what is expected.
    pub fn clock(text: &str) -> Result<Budget, String> {
        let wrong = || {
            format!(
                "'{text}' is not a clock: write seconds and seconds a move as in 10+0.1, or minutes, \
                 seconds and seconds a move as in 1:30+1"
            )
        };
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => {
                let minutes: u32 = minutes.trim().parse().map_err(|_| wrong())?;
                seconds_from(seconds).and_then(|rest| {
                    Duration::from_secs(60).checked_mul(minutes)?.checked_add(rest)
                })
            }
            None => seconds_from(base),
        };
        match (base, seconds_from(increment)) {
            (Some(base), Some(increment)) if !base.is_zero() => {
                Ok(Budget::Clock { base, increment })
            }
            _ => Err(wrong()),
        }
    }

    /// So long a move, in seconds.
    ///
    /// # Errors
    ///
    /// If it is not a time.
    pub fn time(seconds: f64) -> Result<Budget, String> {
        match Duration::try_from_secs_f64(seconds) {
            Ok(time) if !time.is_zero() => Ok(Budget::Time(time)),
            _ => Err(format!("{seconds} is not a valid number of seconds for a move; try 0.1")),
        }
    }

    /// The one limit that is given, or a usual number of nodes if none is.
    ///
    /// # Errors
    ///
    /// If there are several, or the limit leaves nothing to think with.
    pub fn one_of(
        nodes: Option<u64>,
        game_nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<f64>,
        clock: Option<&str>,
    ) -> Result<Budget, String> {
        let limits = [
            nodes.map(|nodes| Ok(Budget::Nodes(nodes))),
            game_nodes.map(|nodes| Ok(Budget::GameNodes(nodes))),
            depth.map(|depth| Ok(Budget::Depth(depth))),
            time.map(Budget::time),
            clock.map(Budget::clock),
        ];
        let mut limits = limits.into_iter().flatten();
        let budget = limits.next().unwrap_or(Ok(Budget::Nodes(Budget::USUAL_NODES)));
        if limits.next().is_some() {
            return Err(
                "give one limit: nodes, game-nodes, depth, time or tc, not several".to_owned()
            );
        }
        match budget? {
            Budget::Nodes(0) | Budget::GameNodes(0) | Budget::Depth(0) => {
                Err("a limit of 0 leaves nothing to think with; use 1 or more".to_owned())
            }
            budget => Ok(budget),
        }
    }

    /// What a move may cost unless somebody says otherwise.
    pub const USUAL_NODES: u64 = 10_000;

    /// Whether the same seed gives the same games.
    pub fn is_reproducible(&self) -> bool {
        matches!(self, Budget::Nodes(_) | Budget::GameNodes(_) | Budget::Depth(_))
    }

    /// The clocks at the start of a game, if it is played on clocks.
    pub(crate) fn clocks(&self) -> Option<Clocks> {
        match *self {
            Budget::Clock { base, increment } => {
                Some(Clocks { left: ByColor { white: base, black: base }, increment })
            }
            _ => None,
        }
    }

    /// What each side may spend at the start of a game, if nodes are counted over the game.
    pub(crate) fn purses(&self) -> Option<ByColor<u64>> {
        match *self {
            Budget::GameNodes(nodes) => Some(ByColor { white: nodes, black: nodes }),
            _ => None,
        }
    }

    /// The limit of a move, given what the clocks show, who moves, how late an answer may be where
    /// there is a time to keep, and how long anyone waits where there is none.
    pub(crate) fn limit(
        &self,
        clocks: Option<Clocks>,
        turn: Color,
        margin: Duration,
        patience: Duration,
    ) -> Limit {
        let patience = match (self, clocks) {
            (Budget::Time(time), _) => time.saturating_add(margin),
            (_, Some(clocks)) => clocks.left[turn].saturating_add(margin),
            _ => patience,
        };
        let mut limit = Limit { clock: clocks, patience, ..Limit::default() };
        match *self {
            Budget::Nodes(nodes) => limit.nodes = Some(nodes),
            Budget::Depth(depth) => limit.depth = Some(depth),
            Budget::Time(time) => limit.time = Some(time),
            // What is left is the referee's to say.
            Budget::Clock { .. } | Budget::GameNodes(_) => {}
        }
        limit
    }
}

fn seconds_from(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.trim().parse().ok()?).ok()
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Budget::GameNodes(nodes) => write!(f, "{nodes} nodes a game"),
            Budget::Depth(depth) => write!(f, "depth {depth}"),
            Budget::Time(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Budget::Clock { base, increment } => {
                write!(f, "{}+{} s", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// What one move may cost; a player keeps to everything that is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// So many nodes.
    pub nodes: Option<u64>,
    /// What is left of the nodes for the whole game. A player that looks after it itself may spend all of
    /// it on one move; for the others, `nodes` says how much to spend now.
    pub purse: Option<u64>,
    /// So many plies deep.
    pub depth: Option<u32>,
    /// So long.
    pub time: Option<Duration>,
    /// What the clocks show.
    pub clock: Option<Clocks>,
    /// How long an answer is waited for: later than that, the game is lost.
    pub patience: Duration,
}

impl Default for Limit {
    /// No limit but a minute's patience.
    fn default() -> Limit {
        let patience = Duration::from_secs(60);
        Limit { nodes: None, purse: None, depth: None, time: None, clock: None, patience }
    }
}

impl Limit {
    /// The same limit with so much left for the game: a move costs a thirtieth of it, as with a clock,
    /// unless the player knows better.
    #[must_use]
    pub(crate) fn with_purse(self, left: u64) -> Limit {
        Limit { purse: Some(left), nodes: Some((left / MOVES_EXPECTED).max(1)), ..self }
    }
}

/// How many moves a game is expected to last still, whenever somebody asks.
const MOVES_EXPECTED: u64 = 30;

/// What the clocks show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// How long each side still has.
    pub left: ByColor<Duration>,
    /// What every move adds.
    pub increment: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_written() {
        let clock = |text| Budget::clock(text).map(|budget| budget.to_string());
        assert_eq!(clock("10+0.1"), Ok("10+0.1 s".to_owned()));
        assert_eq!(clock("60"), Ok("60+0 s".to_owned()));
        assert_eq!(clock("2:00+1"), Ok("120+1 s".to_owned()));
        for wrong in ["", "0+1", "-3+1", "5+x", "5+-1", "1e30", "NaN+1", "99999999999:0"] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
        assert!(Budget::time(0.0).is_err() && Budget::time(f64::NAN).is_err());
    }

    #[test]
    fn a_limit_says_only_what_the_budget_says() {
        let seconds = Duration::from_secs;
        let limit =
            |budget: &Budget| budget.limit(budget.clocks(), Color::White, seconds(1), seconds(60));
        let depth = Limit { depth: Some(5), patience: seconds(60), ..Limit::default() };
        assert_eq!(limit(&Budget::Depth(5)), depth);
        let clock = Budget::clock("10+1").unwrap();
        let clocks = clock.clocks().unwrap();
        assert_eq!(clocks.left.white, seconds(10));
        assert_eq!((limit(&clock).clock, limit(&clock).patience), (Some(clocks), seconds(11)));
        assert_eq!(limit(&Budget::Time(seconds(3))).patience, seconds(4));
        assert!(!clock.is_reproducible() && Budget::Nodes(1).is_reproducible());
    }
}
