//! Bar charts by category: grouped or stacked, with error bars and their numbers on top.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::axis::Axis;
use crate::frame::{
    Along, Area, Entry, Frame, Sample, certain, draw_whiskers, number, plane, text, whole,
};
use crate::palette::{FAINT_INK, INK, colour};

/// A bar chart.
#[derive(Clone, Debug)]
pub struct Bars {
    frame: Frame,
    series: Vec<String>,
    groups: Vec<Group>,
    stacked: bool,
    numbers: bool,
}

/// The bars of a category, one for each series.
#[derive(Clone, Debug)]
pub struct Group {
    name: String,
    bars: Vec<Bar>,
}

#[derive(Clone, Copy, Debug)]
struct Bar {
    value: f64,
    bounds: Option<(f64, f64)>,
}

impl Group {
    /// A category. A line break in its name is one in the chart.
    pub fn new(name: impl Into<String>) -> Group {
        Group { name: name.into(), bars: Vec::new() }
    }

    /// Adds the bar of the next series.
    #[must_use]
    pub fn bar(mut self, value: f64) -> Group {
        self.bars.push(Bar { value, bounds: None });
        self
    }

    /// Adds the bar of the next series, with an error bar.
    #[must_use]
    pub fn bar_between(mut self, value: f64, low: f64, high: f64) -> Group {
        self.bars.push(Bar { value, bounds: Some((low, high)) });
        self
    }

    /// Leaves the next series without a bar.
    #[must_use]
    pub fn gap(self) -> Group {
        self.bar(f64::NAN)
    }
}

impl Bars {
    /// A chart of these series, by name.
    pub fn new<S: Into<String>>(frame: Frame, series: impl IntoIterator<Item = S>) -> Bars {
        let series = series.into_iter().map(Into::into).collect();
        Bars { frame, series, groups: Vec::new(), stacked: false, numbers: false }
    }

    /// Adds a category.
    #[must_use]
    pub fn group(mut self, group: Group) -> Bars {
        self.groups.push(group);
        self
    }

    /// Puts the series on top of each other instead of side by side.
    #[must_use]
    pub fn stacked(self) -> Bars {
        Bars { stacked: true, ..self }
    }

    /// Writes every bar's number on it.
    #[must_use]
    pub fn numbers(self) -> Bars {
        Bars { numbers: true, ..self }
    }

    /// The chart.
    pub fn svg(&self) -> String {
        let named = self.series.iter().enumerate().filter(|(_, name)| !name.is_empty());
        let legend: Vec<Entry<'_>> =
            named.map(|(series, name)| Entry { name, series, sample: Sample::Box }).collect();
        let heights = self.groups.iter().flat_map(|group| {
            let bars = group.bars.iter().filter(|bar| bar.value.is_finite());
            if self.stacked {
                return vec![bars.map(|bar| bar.value.max(0.0)).sum()];
            }
            bars.flat_map(|bar| {
                let (low, high) = bar.bounds.unwrap_or((bar.value, bar.value));
                [bar.value, low, high]
            })
            .collect()
        });
        let y = Axis::linear(heights, true);
        let x = Axis::with_ticks(0.0..self.groups.len().max(1) as f64, Vec::new());
        self.frame.svg(&legend, |area| self.draw(area, x, y))
    }

    fn draw(&self, area: &Area<'_>, x: Axis, y: Axis) {
        let lines = self.groups.iter().map(|group| group.name.lines().count()).max().unwrap_or(1);
        let chart = plane(area, &self.frame, (x, y), Along::Names(lines));
        let paper = whole(area);
        let place = |x: f64, y: f64| chart.backend_coord(&(x, y));
        let floor = chart.plotting_area().get_pixel_range().1.end;
        let bar = |series: usize, from: (i32, i32), to: (i32, i32)| {
            certain(paper.draw(&Rectangle::new([from, to], colour(series).filled())));
        };
        for (at, group) in self.groups.iter().enumerate() {
            for (line, name) in group.name.lines().enumerate() {
                let middle = place(at as f64 + 0.5, 0.0).0;
                let below = floor + 6 + 15 * line as i32;
                text(&paper, name, (middle, below), 14.0, FAINT_INK, HPos::Center);
            }
            let width = 0.8 / if self.stacked { 1.0 } else { self.series.len().max(1) as f64 };
            let mut stacked = 0.0;
            for (series, Bar { value, bounds }) in group.bars.iter().enumerate() {
                if !value.is_finite() {
                    continue;
                }
                let beside = if self.stacked { 0.0 } else { series as f64 * width };
                let left = at as f64 + 0.1 + beside;
                let (from, to) = if self.stacked {
                    let from = stacked;
                    stacked += value.max(0.0);
                    (from, stacked)
                } else {
                    (0.0, *value)
                };
                let (near, far) = (place(left, from), place(left + width, to));
                // A hair between neighbours.
                bar(series, (near.0 + 1, far.1.min(near.1)), (far.0 - 1, near.1.max(far.1)));
                let middle = (near.0 + far.0) / 2;
                let mut top = far.1.min(near.1);
                if let Some((low, high)) = bounds.filter(|_| !self.stacked) {
                    let ends = (place(left, high).1, place(left, low).1);
                    draw_whiskers(&paper, INK, middle, ends);
                    top = top.min(ends.0);
                }
                if self.numbers && self.stacked && near.1 - far.1 >= 14 {
                    let at = (middle, (near.1 + far.1) / 2 - 6);
                    text(&paper, &number(*value), at, 14.0, WHITE, HPos::Center);
                } else if self.numbers && !self.stacked {
                    text(&paper, &number(*value), (middle, top - 15), 13.0, INK, HPos::Center);
                }
            }
        }
    }
}
