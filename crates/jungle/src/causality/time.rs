//! Lower bounds on time: a number of moves or plies, or never.

use std::fmt;

/// How long something takes at least, in moves or in plies; [`Time::NEVER`] is later than any other.
///
/// ```
/// use jungle::causality::Time;
///
/// assert!(Time::new(40) < Time::NEVER);
/// assert_eq!(Time::new(3).get(), Some(3));
/// assert_eq!(Time::NEVER.get(), None);
/// assert_eq!(format!("{} {}", Time::new(3), Time::NEVER), "3 ∞");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub(super) u8);

impl Time {
    /// Now.
    pub const ZERO: Time = Time(0);
    /// It does not happen.
    pub const NEVER: Time = Time(u8::MAX);

    /// This many moves or plies. A number too large to represent is never; nothing on this board
    /// takes that long.
    pub const fn new(time: u8) -> Time {
        Time(time)
    }

    /// How many moves or plies, unless never.
    pub const fn get(self) -> Option<u8> {
        if self.0 == u8::MAX { None } else { Some(self.0) }
    }

    /// The time that `change` makes of this one; never stays never.
    pub(super) const fn scaled(self, factor: u8, less: u8) -> Time {
        match self.get() {
            Some(time) => Time((factor * time).saturating_sub(less)),
            None => Time::NEVER,
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.get() {
            Some(time) => f.pad(&time.to_string()),
            None => f.pad("∞"),
        }
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
