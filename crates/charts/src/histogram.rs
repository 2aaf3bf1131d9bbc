//! Histograms: counts by bins of one width, several series side by side in each bin.

use plotters::prelude::*;

use crate::axis::Axis;
use crate::frame::{Along, Area, Entry, Frame, Sample, certain, plane, whole};
use crate::palette::colour;

/// A histogram.
#[derive(Clone, Debug)]
pub struct Histogram {
    frame: Frame,
    first: f64,
    width: f64,
    series: Vec<(String, Vec<f64>)>,
}

impl Histogram {
    /// A histogram whose first bin begins at `first`; all have this width. For counts of whole numbers from
    /// `n` on, use `n - 0.5` and `1`.
    pub fn new(frame: Frame, first: f64, width: f64) -> Histogram {
        Histogram { frame, first, width, series: Vec::new() }
    }

    /// Adds a series: what is in each bin, from the first on.
    #[must_use]
    pub fn series(
        mut self,
        name: impl Into<String>,
        counts: impl IntoIterator<Item = f64>,
    ) -> Histogram {
        self.series.push((name.into(), counts.into_iter().collect()));
        self
    }

    /// The chart.
    pub fn svg(&self) -> String {
        let named = self.series.iter().enumerate().filter(|(_, (name, _))| !name.is_empty());
        let legend: Vec<Entry<'_>> =
            named.map(|(series, (name, _))| Entry { name, series, sample: Sample::Box }).collect();
        let bins = self.series.iter().map(|(_, counts)| counts.len()).max().unwrap_or(0).max(1);
        let counts = self.series.iter().flat_map(|(_, counts)| counts.iter().copied());
        let y = Axis::linear(counts, true);
        // Every n-th edge, so that the numbers have room; bins around whole numbers show those.
        let around_whole = self.width == 1.0 && self.first.fract().abs() == 0.5;
        let every = bins.div_ceil(15);
        let last = if around_whole { bins } else { bins + 1 };
        let shift = if around_whole { 0.5 } else { 0.0 };
        let ticks = (0..last)
            .step_by(every)
            .map(|at| self.first + self.width * (at as f64 + shift))
            .collect();
        let end = self.first + self.width * bins as f64;
        self.frame.svg(&legend, |area| {
            self.draw(area, Axis::with_ticks(self.first..end, ticks), y);
        })
    }

    fn draw(&self, area: &Area<'_>, x: Axis, y: Axis) {
        let chart = plane(area, &self.frame, (x, y), Along::Bins);
        let paper = whole(area);
        let width = 0.92 * self.width / self.series.len().max(1) as f64;
        for (series, (_, counts)) in self.series.iter().enumerate() {
            for (bin, count) in counts.iter().enumerate().filter(|(_, count)| count.is_finite()) {
                let left = self.first + self.width * (bin as f64 + 0.04) + width * series as f64;
                let (near, far) = (
                    chart.backend_coord(&(left, 0.0)),
                    chart.backend_coord(&(left + width, *count)),
                );
                let bar =
                    Rectangle::new([(near.0, far.1), (far.0, near.1)], colour(series).filled());
                certain(paper.draw(&bar));
            }
        }
    }
}

/// Counts values in bins, from `first` on; what lies beyond the last bin is counted in it, and what lies
/// before the first in that.
pub fn count(
    values: impl IntoIterator<Item = f64>,
    first: f64,
    width: f64,
    bins: usize,
) -> Vec<f64> {
    let mut counts = vec![0.0; bins];
    for value in values.into_iter().filter(|value| value.is_finite()) {
        let bin = ((value - first) / width).floor().max(0.0) as usize;
        if let Some(count) = counts.get_mut(bin.min(bins.saturating_sub(1))) {
            *count += 1.0;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_in_bins() {
        let values = [0.0, 0.49, 0.5, 1.0, 7.0, -3.0, f64::NAN];
        assert_eq!(count(values, 0.0, 0.5, 3), [3.0, 1.0, 2.0]);
        assert!(count(values, 0.0, 0.5, 0).is_empty());
    }
}
