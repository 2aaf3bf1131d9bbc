//! Clocks: what each player has left, by the time of the server.

use jungle::{ByColor, Color};

use crate::terms::{DAY, Millis, Pace};

/// The clocks of both players.
///
/// They stand still until the first move was made, and when a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    pace: Pace,
    left: ByColor<Millis>,
    /// Whose clock runs, and since when.
    running: Option<(Color, Millis)>,
}

impl Clocks {
    /// Clocks at the start of a game; none if there is as much time as one likes.
    pub fn new(pace: Pace) -> Option<Clocks> {
        let left = match pace {
            Pace::Free => return None,
            Pace::Clock { initial, .. } => Millis::from(initial) * 1000,
            Pace::Days { days } => Millis::from(days) * DAY,
        };
        Some(Clocks { pace, left: ByColor { white: left, black: left }, running: None })
    }

    /// What a player has left at a time.
    pub fn left(&self, side: Color, now: Millis) -> Millis {
        match self.running {
            Some((runs, since)) if runs == side => {
                self.left[side].saturating_sub(now.saturating_sub(since))
            }
            _ => self.left[side],
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|(side, _)| side)
    }

    /// When the clock that runs will have run out.
    pub fn deadline(&self) -> Option<Millis> {
        self.running.map(|(side, since)| since.saturating_add(self.left[side]))
    }

    /// A player has moved: the other one's clock runs.
    pub(crate) fn press(&mut self, mover: Color, now: Millis) {
        let left = self.left(mover, now);
        let was_running = self.running.is_some();
        self.left[mover] = match self.pace {
            Pace::Clock { increment, .. } if was_running => left + Millis::from(increment) * 1000,
            Pace::Days { days } => Millis::from(days) * DAY,
            Pace::Clock { .. } | Pace::Free => left,
        };
        self.running = Some((!mover, now));
    }

    /// Moves were taken back: the clock of who is to move now runs, or none before the first move.
    pub(crate) fn turn_to(&mut self, turn: Option<Color>, now: Millis) {
        self.stop(now);
        self.running = turn.map(|side| (side, now));
        if let (Some(side), Pace::Days { days }) = (turn, self.pace) {
            self.left[side] = Millis::from(days) * DAY;
        }
    }

    /// For so long the clock that runs stood still.
    pub(crate) fn give_back(&mut self, time: Millis, now: Millis) {
        if let Some((_, since)) = &mut self.running {
            *since = since.saturating_add(time).min(now);
        }
    }

    /// The game is over.
    pub(crate) fn stop(&mut self, now: Millis) {
        if let Some((side, _)) = self.running {
            self.left[side] = self.left(side, now);
        }
        self.running = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_from_the_first_move_on() {
        let pace = Pace::Clock { initial: 60, increment: 2 };
        let mut clocks = Clocks::new(pace).unwrap();
        assert_eq!((clocks.left(Color::White, 9_000), clocks.deadline()), (60_000, None));
        clocks.press(Color::White, 10_000);
        assert_eq!(clocks.left(Color::White, 30_000), 60_000, "the first move is free");
        assert_eq!(clocks.left(Color::Black, 30_000), 40_000);
        assert_eq!(clocks.deadline(), Some(70_000));
        clocks.press(Color::Black, 30_000);
        assert_eq!(
            (clocks.left(Color::Black, 99_000), clocks.running()),
            (42_000, Some(Color::White))
        );
        clocks.give_back(5_000, 40_000);
        assert_eq!(clocks.left(Color::White, 40_000), 55_000);
        clocks.give_back(50_000, 41_000);
        assert_eq!(clocks.left(Color::White, 41_000), 60_000, "nobody gains");
        assert_eq!(clocks.left(Color::White, 500_000), 0);
        clocks.stop(51_000);
        assert_eq!((clocks.left(Color::White, 99_000), clocks.deadline()), (50_000, None));
    }

    #[test]
    fn days_are_for_each_move() {
        let mut clocks = Clocks::new(Pace::Days { days: 2 }).unwrap();
        clocks.press(Color::White, 0);
        clocks.press(Color::Black, DAY);
        assert_eq!(clocks.left(Color::Black, DAY), 2 * DAY);
        assert_eq!(clocks.left(Color::White, 2 * DAY), DAY);
        clocks.turn_to(Some(Color::Black), 2 * DAY);
        assert_eq!(clocks.left(Color::Black, 2 * DAY), 2 * DAY);
        assert!(Clocks::new(Pace::Free).is_none());
    }
}
