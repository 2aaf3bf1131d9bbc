//! Limits by address: how often a client may begin duels, act, and be wrong about keys. Token buckets.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use answers::Refusal;
use axum::http::StatusCode;

use crate::client::Client;
use crate::error::ApiError;

/// Of how many clients it is remembered what they did; who did least is forgotten first.
const REMEMBERED: usize = 16_384;
/// The most streams of one client: a class room behind one router, or a page left open many times.
const STREAMS: usize = 64;

/// What a client may do for a while.
struct Allowance {
    /// At once.
    burst: f64,
    /// And so often in a second after that.
    rate: f64,
}

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Begin a duel.
    Begin,
    /// Do something in one.
    Act,
    /// Name a key or a duel that does not exist. Nobody guesses one among 2^128, but nobody needs to try.
    Wrong,
}

impl Kind {
    const fn allowance(self) -> Allowance {
        match self {
            Kind::Begin => Allowance { burst: 30.0, rate: 1.0 / 20.0 },
            Kind::Act => Allowance { burst: 60.0, rate: 10.0 },
            Kind::Wrong => Allowance { burst: 30.0, rate: 0.5 },
        }
    }
}

/// What is left to a client, and when that was so.
#[derive(Clone, Copy)]
struct Left {
    left: f64,
    at: Instant,
}

/// What clients did of late.
#[derive(Default)]
pub(super) struct Limits {
    buckets: Mutex<HashMap<(Client, Kind), Left>>,
    streams: Mutex<HashMap<Client, usize>>,
}

impl Limits {
    /// Takes one of what a client may do.
    ///
    /// # Errors
    ///
    /// If nothing is left: 429, and when to come back.
    pub fn take(&self, client: Client, kind: Kind) -> Result<(), ApiError> {
        self.take_at(client, kind, Instant::now()).map_err(too_many)
    }

    /// Whether anything is left, without taking it.
    ///
    /// # Errors
    ///
    /// If nothing is.
    pub fn check(&self, client: Client, kind: Kind) -> Result<(), ApiError> {
        let left = self.left(client, kind, Instant::now());
        if left >= 1.0 { Ok(()) } else { Err(too_many(wait(left, kind))) }
    }

    fn left(&self, client: Client, kind: Kind, now: Instant) -> f64 {
        let buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        filled(&buckets, client, kind, now)
    }

    fn take_at(&self, client: Client, kind: Kind, now: Instant) -> Result<(), u16> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let left = filled(&buckets, client, kind, now);
        if left < 1.0 {
            return Err(wait(left, kind));
        }
        buckets.insert((client, kind), Left { left: left - 1.0, at: now });
        if buckets.len() > REMEMBERED {
            let full = |(_, kind): &(Client, Kind), left: &mut Left| {
                left.left + kind.allowance().rate * seconds(now, left.at) < kind.allowance().burst
            };
            buckets.retain(full);
            if buckets.len() > REMEMBERED {
                // More clients than can be remembered are at work at once: those are forgotten that have done least.
                let half = |(_, kind): &(Client, Kind), left: &mut Left| {
                    left.left < kind.allowance().burst / 2.0
                };
                buckets.retain(half);
            }
            if buckets.len() > 2 * REMEMBERED {
                buckets.clear();
            }
        }
        Ok(())
    }
}

fn seconds(now: Instant, then: Instant) -> f64 {
    now.saturating_duration_since(then).as_secs_f64()
}

fn filled(
    buckets: &HashMap<(Client, Kind), Left>,
    client: Client,
    kind: Kind,
    now: Instant,
) -> f64 {
    let Allowance { burst, rate } = kind.allowance();
    let left = buckets.get(&(client, kind));
    left.map_or(burst, |left| (left.left + rate * seconds(now, left.at)).min(burst))
}

fn wait(left: f64, kind: Kind) -> u16 {
    ((1.0 - left) / kind.allowance().rate).ceil().clamp(1.0, 3600.0) as u16
}

fn too_many(seconds: u16) -> ApiError {
    let message = format!("too much of this from one address: try again in {seconds} s");
    let mut refusal = Refusal::bad("too-often", message);
    refusal.retry_after = Some(seconds);
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, refusal)
}

/// A stream that counts, until dropped.
pub(super) struct Streaming<L: AsRef<Limits>> {
    limits: L,
    client: Client,
}

impl<L: AsRef<Limits>> Streaming<L> {
    /// Another stream of a client.
    ///
    /// # Errors
    ///
    /// If it has too many.
    pub fn new(limits: L, client: Client) -> Result<Streaming<L>, ApiError> {
        let mut streams = limits.as_ref().streams.lock().unwrap_or_else(PoisonError::into_inner);
        let count = streams.entry(client).or_default();
        if *count >= STREAMS {
            return Err(too_many(5));
        }
        *count += 1;
        drop(streams);
        Ok(Streaming { limits, client })
    }
}

impl<L: AsRef<Limits>> Drop for Streaming<L> {
    fn drop(&mut self) {
        let streams = &self.limits.as_ref().streams;
        let mut streams = streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = streams.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                streams.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_address_may_do_something_often_and_then_now_and_again() {
        let (limits, now) = (Limits::default(), Instant::now());
        let [one, two] = [1, 2].map(|number| Client::of([192, 0, 2, number].into()));
        let burst = Kind::Begin.allowance().burst as usize;
        for _ in 0..burst {
            assert!(limits.take_at(one, Kind::Begin, now).is_ok());
        }
        assert_eq!(limits.take_at(one, Kind::Begin, now), Err(20));
        assert!(limits.take_at(two, Kind::Begin, now).is_ok(), "another address");
        assert!(limits.take_at(one, Kind::Act, now).is_ok(), "another kind");
        let later = now + Duration::from_secs(20);
        assert!(limits.take_at(one, Kind::Begin, later).is_ok());
        assert!(limits.take_at(one, Kind::Begin, later).is_err());
    }
}
