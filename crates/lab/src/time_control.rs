//! Time controls: what both players of a game may spend, and the clocks that count it down.

use std::fmt;
use std::time::Duration;

use game::clock::{Clock, NodeClock};
use game::limits::Limits;
use game::player::Turn;
use jungle::{ByColor, Color};
use serde::{Deserialize, Serialize};

/// A time control: what both players may spend.
///
/// ```
/// use lab::TimeControl;
///
/// assert_eq!(TimeControl::clock("1:30+0.5")?.to_string(), "90+0.5 s");
/// assert_eq!(TimeControl::Nodes(2000).to_string(), "2000 nodes a move");
/// assert_eq!(TimeControl::GameNodes(90_000).to_string(), "90000 nodes a game");
/// assert!(TimeControl::clock("ten").is_err());
/// # Ok::<(), lab::time_control::TimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// Nodes a move.
    Nodes(u64),
    /// Nodes for all moves of a game, each side: what one move saves is there for the next.
    GameNodes(u64),
    /// A fixed depth, in plies.
    Depth(u32),
    /// A fixed time a move.
    Time(Duration),
    /// A clock for the game.
    Clock {
        /// What is on it at the start.
        base: Duration,
        /// What every move adds.
        increment: Duration,
    },
}

/// An invalid time control.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TimeControlError {
    /// A text is not a clock.
    #[error(
        "'{0}' is not a clock: write seconds and seconds a move as in 10+0.1, or minutes, seconds and \
         seconds a move as in 1:30+1"
    )]
    Clock(String),
    /// A number of seconds is not a time.
    #[error("{0} is not a valid number of seconds for a move; try 0.1")]
    Time(f64),
    /// There are several limits.
    #[error("give one limit only: nodes or time a move, nodes a game, a depth or a clock")]
    Several,
    /// The limit is 0.
    #[error("the limit must be 1 or more")]
    Nothing,
}

impl TimeControl {
    /// Reads a clock as in `10+0.1` (seconds and seconds a move) or `1:30+1` (minutes and seconds).
    ///
    /// # Errors
    ///
    /// Says what is expected.
    pub fn clock(text: &str) -> Result<TimeControl, TimeControlError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let base = match base.split_once(':') {
            Some((minutes, seconds)) => minutes_and(minutes, seconds),
            None => seconds_from(base),
        };
        match (base, seconds_from(increment)) {
            (Some(base), Some(increment)) if !base.is_zero() => {
                Ok(TimeControl::Clock { base, increment })
            }
            _ => Err(TimeControlError::Clock(text.to_owned())),
        }
    }

    /// A fixed time a move, in seconds.
    ///
    /// # Errors
    ///
    /// If it is not a time.
    pub fn time(seconds: f64) -> Result<TimeControl, TimeControlError> {
        match Duration::try_from_secs_f64(seconds) {
            Ok(time) if !time.is_zero() => Ok(TimeControl::Time(time)),
            _ => Err(TimeControlError::Time(seconds)),
        }
    }

    /// The one limit that is given, or a default number of nodes if none is.
    ///
    /// # Errors
    ///
    /// If there are several, or the limit is 0.
    pub fn one_of(
        nodes: Option<u64>,
        game_nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<f64>,
        clock: Option<&str>,
    ) -> Result<TimeControl, TimeControlError> {
        let limits = [
            nodes.map(|nodes| Ok(TimeControl::Nodes(nodes))),
            game_nodes.map(|nodes| Ok(TimeControl::GameNodes(nodes))),
            depth.map(|depth| Ok(TimeControl::Depth(depth))),
            time.map(TimeControl::time),
            clock.map(TimeControl::clock),
        ];
        let mut limits = limits.into_iter().flatten();
        let first = limits.next().unwrap_or(Ok(TimeControl::Nodes(TimeControl::USUAL_NODES)));
        if limits.next().is_some() {
            return Err(TimeControlError::Several);
        }
        match first? {
            TimeControl::Nodes(0) | TimeControl::GameNodes(0) | TimeControl::Depth(0) => {
                Err(TimeControlError::Nothing)
            }
            control => Ok(control),
        }
    }

    /// The nodes a move may cost by default.
    pub const USUAL_NODES: u64 = 10_000;

    /// Whether the same seed gives the same games.
    pub fn is_reproducible(&self) -> bool {
        matches!(self, TimeControl::Nodes(_) | TimeControl::GameNodes(_) | TimeControl::Depth(_))
    }

    /// Whether a move that comes too late loses the game.
    pub(crate) fn is_timed(&self) -> bool {
        matches!(self, TimeControl::Time(_) | TimeControl::Clock { .. })
    }
}

fn minutes_and(minutes: &str, seconds: &str) -> Option<Duration> {
    let minutes: u32 = minutes.trim().parse().ok()?;
    Duration::from_secs(60).checked_mul(minutes)?.checked_add(seconds_from(seconds)?)
}

fn seconds_from(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.trim().parse().ok()?).ok()
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            TimeControl::GameNodes(nodes) => write!(f, "{nodes} nodes a game"),
            TimeControl::Depth(depth) => write!(f, "depth {depth}"),
            TimeControl::Time(time) => write!(f, "{} s a move", time.as_secs_f64()),
            TimeControl::Clock { base, increment } => {
                write!(f, "{}+{} s", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// The clocks of a game: what a time control has left each side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    control: TimeControl,
    time: Option<ByColor<Clock>>,
    nodes: Option<ByColor<NodeClock>>,
}

impl Clocks {
    /// At the start of a game.
    pub fn new(control: TimeControl) -> Clocks {
        let time = match control {
            TimeControl::Clock { base, increment } => {
                Some(ByColor::from_fn(|_| Clock::new(base, increment)))
            }
            _ => None,
        };
        let nodes = match control {
            TimeControl::GameNodes(nodes) => Some(ByColor::from_fn(|_| NodeClock::new(nodes))),
            _ => None,
        };
        Clocks { control, time, nodes }
    }

    /// The turn of `color`. An answer on the clock may be late by a margin; without a clock, it is waited for
    /// with `patience`.
    pub fn turn(&self, color: Color, margin: Duration, patience: Duration) -> Turn {
        let mut limits = match self.control {
            TimeControl::Nodes(nodes) => Limits::nodes(nodes),
            TimeControl::Depth(depth) => Limits::depth(depth),
            TimeControl::Time(time) => Limits::time(time),
            TimeControl::Clock { .. } | TimeControl::GameNodes(_) => Limits::none(),
        };
        limits.clock = self.time.map(|clocks| clocks[color]);
        limits.game_nodes = self.nodes.map(|clocks| clocks[color].left());
        let due = limits.time.or(limits.clock.map(|clock| clock.remaining));
        Turn {
            limits,
            opponent_clock: self.time.map(|clocks| clocks[!color]),
            patience: due.map_or(patience, |due| due.saturating_add(margin)),
        }
    }

    /// Takes off what a move of `color` took, and adds its increment.
    pub fn charge(&mut self, color: Color, took: Duration, nodes: u64) {
        if let Some(clocks) = &mut self.time {
            let clock = &mut clocks[color];
            clock.remaining = clock.remaining.saturating_sub(took) + clock.increment;
        }
        if let Some(clocks) = &mut self.nodes {
            clocks[color].charge(nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_as_written() {
        let clock = |text| TimeControl::clock(text).map(|control| control.to_string());
        assert_eq!(clock("10+0.1"), Ok("10+0.1 s".to_owned()));
        assert_eq!(clock("60"), Ok("60+0 s".to_owned()));
        assert_eq!(clock("2:00+1"), Ok("120+1 s".to_owned()));
        for wrong in ["", "0+1", "-3+1", "5+x", "5+-1", "1e30", "NaN+1", "99999999999:0"] {
            assert!(clock(wrong).is_err(), "{wrong}");
        }
        assert!(TimeControl::time(0.0).is_err() && TimeControl::time(f64::NAN).is_err());
    }

    #[test]
    fn time_controls_are_kept_on_file_as_ever() {
        let json = |control: TimeControl| serde_json::to_string(&control).unwrap();
        assert_eq!(json(TimeControl::Nodes(100)), r#"{"nodes":100}"#);
        assert_eq!(json(TimeControl::GameNodes(100)), r#"{"game-nodes":100}"#);
        assert_eq!(json(TimeControl::Depth(4)), r#"{"depth":4}"#);
        assert_eq!(
            json(TimeControl::time(0.5).unwrap()),
            r#"{"time":{"secs":0,"nanos":500000000}}"#
        );
        assert_eq!(
            json(TimeControl::clock("10+0.1").unwrap()),
            r#"{"clock":{"base":{"secs":10,"nanos":0},"increment":{"secs":0,"nanos":100000000}}}"#
        );
    }

    #[test]
    fn a_turn_says_only_what_the_time_control_says() {
        let seconds = Duration::from_secs;
        let turn = |control| Clocks::new(control).turn(Color::White, seconds(1), seconds(60));
        assert_eq!(turn(TimeControl::Depth(5)), Turn::from(Limits::depth(5)));
        let control = TimeControl::clock("10+1").unwrap();
        let clock = Clock::new(seconds(10), seconds(1));
        let on_clock = turn(control);
        assert_eq!((&on_clock.limits, on_clock.patience), (&Limits::clock(clock), seconds(11)));
        assert_eq!(on_clock.opponent_clock, Some(clock));
        assert_eq!(turn(TimeControl::Time(seconds(3))).patience, seconds(4));
        assert!(!control.is_reproducible() && TimeControl::Nodes(1).is_reproducible());
        let mut clocks = Clocks::new(control);
        clocks.charge(Color::White, seconds(4), 9);
        let turn = clocks.turn(Color::Black, seconds(1), seconds(60));
        assert_eq!(turn.limits.clock, Some(clock));
        assert_eq!(turn.opponent_clock, Some(Clock::new(seconds(7), seconds(1))));
    }
}
