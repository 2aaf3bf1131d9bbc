//! Axes, linear or logarithmic, with their ticks.
//!
//! One type for all, so that every chart takes either kind; and ticks at 1, 2 and 5 times a
//! power of ten, at whole numbers only if it counts something, or exactly where the caller wants them.

use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};

/// An axis from one number to another.
#[derive(Clone, Debug)]
pub struct Axis {
    range: Range<f64>,
    log: bool,
    ticks: Ticks,
}

#[derive(Clone, Debug)]
enum Ticks {
    Round,
    Whole,
    At(Vec<f64>),
}

impl Axis {
    /// A linear axis that holds all numbers with some room; from zero if wanted.
    pub fn linear(numbers: impl Iterator<Item = f64>, from_zero: bool) -> Axis {
        Axis { range: room(numbers, from_zero), log: false, ticks: Ticks::Round }
    }

    /// A logarithmic axis that holds all positive numbers with some room.
    pub fn log(numbers: impl Iterator<Item = f64>) -> Axis {
        let logs = room(numbers.filter(|number| *number > 0.0).map(f64::log10), false);
        let range = 10f64.powf(logs.start)..10f64.powf(logs.end.max(logs.start + 0.5));
        Axis { range, log: true, ticks: Ticks::Round }
    }

    /// A linear axis over exactly this range, with ticks at these numbers only.
    pub fn with_ticks(range: Range<f64>, ticks: Vec<f64>) -> Axis {
        Axis { range, log: false, ticks: Ticks::At(ticks) }
    }

    /// The same with whole numbers only.
    pub fn whole(self) -> Axis {
        Axis { ticks: Ticks::Whole, ..self }
    }

    /// Whether a number lies on it.
    pub fn takes(&self, number: f64) -> bool {
        number.is_finite() && (!self.log || number > 0.0)
    }

    fn round_ticks(&self, most: usize) -> Vec<f64> {
        let Range { start, end } = self.range;
        if !self.log {
            return multiples(start, end, step(end - start, most));
        }
        let decades = (end / start).log10();
        let powers = start.log10().floor() as i32..=end.log10().ceil() as i32;
        let within: &[f64] = if decades <= 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = (decades / most as f64).ceil().max(1.0) as i32;
        let ticks = powers
            .filter(|power| power.rem_euclid(every) == 0)
            .flat_map(|power| within.iter().map(move |digit| digit * 10f64.powi(power)));
        ticks.filter(|tick| (start..=end).contains(tick)).collect()
    }
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let Range { start, end } = self.range;
        let share = if self.log {
            (value / start).ln() / (end / start).ln()
        } else {
            (value - start) / (end - start)
        };
        from + (share * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let most = hint.max_num_points().max(2);
        match &self.ticks {
            Ticks::Round => self.round_ticks(most),
            Ticks::Whole => {
                let Range { start, end } = self.range;
                multiples(start, end, step(end - start, most).max(1.0))
            }
            Ticks::At(ticks) => ticks.clone(),
        }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that leaves no more than this many ticks.
fn step(width: f64, most: usize) -> f64 {
    let least = width / most as f64;
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least);
    factor.unwrap_or(10.0) * power
}

fn multiples(start: f64, end: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((start / step).ceil() as i64, (end / step).floor() as i64);
    (first..=last).map(|times| times as f64 * step).collect()
}

/// A range that holds all numbers with some room, never empty.
fn room(numbers: impl Iterator<Item = f64>, from_zero: bool) -> Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers.filter(|number| number.is_finite()) {
        (low, high) = (low.min(number), high.max(number));
    }
    if low > high {
        return 0.0..1.0;
    }
    if from_zero {
        (low, high) = (low.min(0.0), high.max(0.0));
    }
    let margin = match high - low {
        0.0 if high == 0.0 => 1.0,
        0.0 => high.abs() * 0.1,
        width => width * 0.06,
    };
    let stays = |end: f64| from_zero && end == 0.0 && low < high;
    (if stays(low) { 0.0 } else { low - margin })..(if stays(high) { 0.0 } else { high + margin })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_never_empty() {
        for numbers in [vec![], vec![0.0], vec![3.0, 3.0], vec![f64::NAN, -1.0]] {
            let all = || numbers.iter().copied();
            for axis in [Axis::linear(all(), false), Axis::linear(all(), true), Axis::log(all())] {
                assert!(axis.range.start < axis.range.end, "{numbers:?} {axis:?}");
            }
            assert!(Axis::log(all()).range.start > 0.0);
        }
        assert_eq!(Axis::linear([2.0, 4.0].into_iter(), true).range.start, 0.0);
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(step(10.0, 9), 2.0);
        assert_eq!(step(0.9, 9), 0.1);
        assert_eq!(multiples(-0.3, 4.1, 2.0), [0.0, 2.0, 4.0]);
        let log = Axis { range: 0.4..30.0, log: true, ticks: Ticks::Round };
        assert_eq!(log.round_ticks(9), [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]);
        let wide = Axis { range: 0.5..3e6, log: true, ticks: Ticks::Round };
        assert_eq!(wide.round_ticks(4), [1.0, 100.0, 1e4, 1e6]);
        assert_eq!(log.map(&0.4, (100, 0)), 100);
        assert_eq!(log.map(&30.0, (100, 0)), 0);
    }
}
