//! The search window of alpha-beta, and what a score found in one proves.

use std::ops::Neg;

use serde::{Deserialize, Serialize};

use super::Score;

/// How a score relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this: the search failed high.
    Lower,
    /// The value is at most this: the search failed low.
    Upper,
}

/// An alpha-beta window: scores between `alpha` and `beta`, both excluded, are searched for exactly; of
/// others a bound will do.
///
/// A window is turned round for the reply to a move in one of two ways. Where scores count plies from the
/// root, as in the engine, it is [negated](Neg). Where they count from the position itself, as in the
/// published searches, wins and losses also move a ply: [`reply`](Window::reply).
///
/// ```
/// use game::score::{Bound, Score, Window};
///
/// let window = Window::around(Score::estimate(10), 5);
/// assert_eq!((window.alpha, window.beta), (Score::estimate(5), Score::estimate(15)));
/// assert!(window.contains(Score::estimate(14)) && window.fails_high(Score::estimate(15)));
/// assert_eq!(window.bound_of(Score::estimate(3)), Bound::Upper);
/// assert!(Window::zero(Score::DRAW).is_zero());
/// assert_eq!(-(-window), window);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The lower end: lower scores fail low.
    pub alpha: Score,
    /// The upper end: higher scores fail high.
    pub beta: Score,
}

impl Window {
    /// The open window, with everything inside.
    pub const OPEN: Window = Window { alpha: Score::MINUS_INFINITE, beta: Score::INFINITE };

    /// Between two scores.
    #[inline]
    pub const fn new(alpha: Score, beta: Score) -> Window {
        Window { alpha, beta }
    }

    /// The zero-width window (null window, scout window) above a score: asks only whether the value is higher.
    #[inline]
    pub const fn zero(alpha: Score) -> Window {
        Window { alpha, beta: Score(alpha.0 + 1) }
    }

    /// The aspiration window around a guess, with this margin on each side.
    #[inline]
    pub const fn around(guess: Score, width: i32) -> Window {
        Window { alpha: guess.plus(-width), beta: guess.plus(width) }
    }

    /// Whether nothing lies inside: only a bound is asked for.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.beta.value() - self.alpha.value() <= 1
    }

    /// Whether nothing is left to be found, since alpha has met beta.
    #[inline]
    pub const fn is_closed(self) -> bool {
        self.alpha.value() >= self.beta.value()
    }

    /// Whether a score lies inside.
    #[inline]
    pub const fn contains(self, score: Score) -> bool {
        !self.fails_low(score) && !self.fails_high(score)
    }

    /// Whether a score fails high: a beta cutoff.
    #[inline]
    pub const fn fails_high(self, score: Score) -> bool {
        score.value() >= self.beta.value()
    }

    /// Whether a score fails low.
    #[inline]
    pub const fn fails_low(self, score: Score) -> bool {
        score.value() <= self.alpha.value()
    }

    /// What a score found by a search of this window proves.
    #[inline]
    pub const fn bound_of(self, score: Score) -> Bound {
        if self.fails_high(score) {
            Bound::Lower
        } else if self.fails_low(score) {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether a score of which this much is known settles a search of this window.
    #[inline]
    pub const fn settled_by(self, score: Score, bound: Bound) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => self.fails_high(score),
            Bound::Upper => self.fails_low(score),
        }
    }

    /// The window once a score is known to be attainable: alpha is at least that.
    #[inline]
    #[must_use]
    pub fn raised_to(self, score: Score) -> Window {
        Window { alpha: self.alpha.max(score), ..self }
    }

    /// The part of the window between two scores.
    #[inline]
    #[must_use]
    pub fn clipped(self, least: Score, most: Score) -> Window {
        Window { alpha: self.alpha.max(least), beta: self.beta.min(most) }
    }

    /// The window of a reply, where scores count from the position itself: the inverse of
    /// [`Score::deeper`] at both ends.
    #[inline]
    #[must_use]
    pub const fn reply(self) -> Window {
        Window { alpha: self.beta.shallower(), beta: self.alpha.shallower() }
    }
}

impl Neg for Window {
    type Output = Window;

    /// The window as the other player sees it, where scores count from the root.
    #[inline]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: i32) -> Score {
        Score::estimate(value)
    }

    #[test]
    fn a_score_is_inside_or_a_bound() {
        let window = Window::new(estimate(-3), estimate(3));
        let bounds = [-4, -3, -2, 2, 3, 4].map(|value| window.bound_of(estimate(value)));
        use Bound::{Exact, Lower, Upper};
        assert_eq!(bounds, [Upper, Upper, Exact, Exact, Lower, Lower]);
        for value in -5..=5 {
            let score = estimate(value);
            assert_eq!(window.contains(score), window.bound_of(score) == Exact);
            assert_eq!(window.settled_by(score, Lower), value >= 3);
            assert_eq!(window.settled_by(score, Upper), value <= -3);
            assert!(window.settled_by(score, Exact) && Window::OPEN.contains(score));
        }
    }

    #[test]
    fn a_zero_window_has_nothing_inside() {
        for score in [Score::loss_in(0), estimate(-1), Score::DRAW, Score::win_in(3)] {
            let window = Window::zero(score);
            assert!(window.is_zero() && !window.is_closed());
            assert!(window.fails_low(score) && window.fails_high(score.plus(1)));
        }
    }

    #[test]
    fn aspiration_windows_stay_on_the_scale() {
        let window = Window::around(Score::win_in(0), 500);
        assert_eq!(window.beta, Score::INFINITE);
        assert_eq!(window.raised_to(Score::INFINITE).alpha, Score::INFINITE);
        assert!(window.raised_to(Score::INFINITE).is_closed());
        let clipped = Window::OPEN.clipped(Score::loss_in(4), Score::win_in(5));
        assert_eq!((clipped.alpha, clipped.beta), (Score::loss_in(4), Score::win_in(5)));
    }

    /// A reply is inside the reply's window if and only if the move is inside the window.
    #[test]
    fn a_reply_s_window_asks_the_same_question() {
        let scores: Vec<Score> = [-32_000, -31_999, -30_002, -30_000, -1, 0, 1, 30_000, 31_998]
            .map(Score::from_value)
            .to_vec();
        for &alpha in &scores {
            for &beta in scores.iter().filter(|&&beta| beta > alpha) {
                let window = Window::new(alpha, beta);
                for &reply in &scores {
                    assert_eq!(
                        window.bound_of(reply.deeper()),
                        match window.reply().bound_of(reply) {
                            Bound::Exact => Bound::Exact,
                            Bound::Lower => Bound::Upper,
                            Bound::Upper => Bound::Lower,
                        },
                        "{reply} as a reply in {window:?}"
                    );
                }
            }
        }
    }
}
