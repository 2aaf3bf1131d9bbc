//! When a search ends.

use std::time::Duration;

use jungle::Move;

/// When a search ends: as soon as any of the limits that are set is reached. With none set, and with
/// [`infinite`](Limits::infinite), it ends when it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// So many plies, searched to the end.
    pub depth: Option<u32>,
    /// So many nodes, on all threads together. On one thread the number is kept exactly, and the
    /// answer is the same on every machine.
    pub nodes: Option<u64>,
    /// So much time, used up unless nothing is left to think about.
    pub time: Option<Duration>,
    /// What the clock shows; the engine decides how much of it to use.
    pub clock: Option<Clock>,
    /// Go on until stopped, even when everything has been found out.
    pub infinite: bool,
    /// Think in the other player's time: as `infinite`, until
    /// [`ponderhit`](crate::Control::ponderhit) says that the expected move was made. From then on the
    /// other limits hold.
    pub ponder: bool,
    /// Consider these moves only. Moves that are not legal are passed over, and if none is left, all
    /// moves are considered.
    pub moves: Vec<Move>,
}

/// What a player's clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left for the rest of the game, or until the next time control.
    pub remaining: Duration,
    /// What is added after every move.
    pub increment: Duration,
    /// How many moves are left until more time is added, if that happens.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// So many plies.
    pub fn depth(plies: u32) -> Limits {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// So many nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// So much time.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }
}
