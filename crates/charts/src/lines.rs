//! Line charts and scatter plots, with error bars and logarithmic axes.

use plotters::coord::ranged1d::Ranged;
use plotters::prelude::*;

use crate::axis::Axis;
use crate::frame::{
    Along, Area, Entry, Frame, Sample, certain, draw_mark, draw_whiskers, plane, whole,
};
use crate::palette::{AXIS, colour};

/// A line chart or scatter plot.
#[derive(Clone, Debug)]
pub struct Lines {
    frame: Frame,
    lines: Vec<Line>,
    log: (bool, bool),
    y_from_zero: bool,
    whole_x: bool,
    level: Option<f64>,
}

/// A series of a chart.
#[derive(Clone, Debug)]
pub struct Line {
    name: String,
    sample: Sample,
    points: Vec<Point>,
}

/// A point, and between which bounds it is known to lie.
#[derive(Clone, Copy, Debug)]
struct Point {
    x: f64,
    y: f64,
    bounds: Option<(f64, f64)>,
}

impl Line {
    /// A line with a name for the legend; an empty name is left out there.
    pub fn new(name: impl Into<String>) -> Line {
        Line { name: name.into(), sample: Sample::Line, points: Vec::new() }
    }

    /// Draws dashes.
    #[must_use]
    pub fn dashed(self) -> Line {
        Line { sample: Sample::Dashes, ..self }
    }

    /// Draws the points alone.
    #[must_use]
    pub fn dots(self) -> Line {
        Line { sample: Sample::Dots, ..self }
    }

    /// Adds a point.
    #[must_use]
    pub fn point(self, x: f64, y: f64) -> Line {
        self.with(Point { x, y, bounds: None })
    }

    /// Adds a point with an error bar.
    #[must_use]
    pub fn point_between(self, x: f64, y: f64, low: f64, high: f64) -> Line {
        self.with(Point { x, y, bounds: Some((low, high)) })
    }

    /// Adds points.
    #[must_use]
    pub fn points(self, points: impl IntoIterator<Item = (f64, f64)>) -> Line {
        points.into_iter().fold(self, |line, (x, y)| line.point(x, y))
    }

    fn with(mut self, point: Point) -> Line {
        self.points.push(point);
        self
    }
}

impl Lines {
    /// A chart without any lines yet.
    pub fn new(frame: Frame) -> Lines {
        Lines {
            frame,
            lines: Vec::new(),
            log: (false, false),
            y_from_zero: false,
            whole_x: false,
            level: None,
        }
    }

    /// Adds a line.
    #[must_use]
    pub fn line(mut self, line: Line) -> Lines {
        self.lines.push(line);
        self
    }

    /// Makes the horizontal axis logarithmic.
    #[must_use]
    pub fn log_x(self) -> Lines {
        Lines { log: (true, self.log.1), ..self }
    }

    /// Makes the vertical axis logarithmic.
    #[must_use]
    pub fn log_y(self) -> Lines {
        Lines { log: (self.log.0, true), ..self }
    }

    /// Lets the vertical axis begin at zero.
    #[must_use]
    pub fn y_from_zero(self) -> Lines {
        Lines { y_from_zero: true, ..self }
    }

    /// Shows whole numbers only on the horizontal axis: depths, parts, pieces.
    #[must_use]
    pub fn whole_x(self) -> Lines {
        Lines { whole_x: true, ..self }
    }

    /// Marks a height across the chart, such as a ratio of one.
    #[must_use]
    pub fn level(self, y: f64) -> Lines {
        Lines { level: Some(y), ..self }
    }

    /// The chart.
    pub fn svg(&self) -> String {
        let legend: Vec<Entry<'_>> = self
            .lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !line.name.is_empty())
            .map(|(series, line)| Entry { name: &line.name, series, sample: line.sample })
            .collect();
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let xs = points().map(|point| point.x);
        let ys = points()
            .flat_map(|point| [Some(point.y), point.bounds.map(|b| b.0), point.bounds.map(|b| b.1)])
            .flatten()
            .chain(self.level);
        let x = if self.log.0 { Axis::log(xs) } else { Axis::linear(xs, false) };
        let x = if self.whole_x { x.whole() } else { x };
        let y = if self.log.1 { Axis::log(ys) } else { Axis::linear(ys, self.y_from_zero) };
        self.frame.svg(&legend, |area| self.draw(area, x, y))
    }

    fn draw(&self, area: &Area<'_>, x: Axis, y: Axis) {
        let (across, lowest) = (x.range(), y.range().start);
        let mut chart = plane(area, &self.frame, (x.clone(), y.clone()), Along::Numbers);
        let paper = whole(area);
        if let Some(level) = self.level.filter(|level| y.takes(*level)) {
            let ends = vec![(across.start, level), (across.end, level)];
            certain(chart.draw_series([PathElement::new(ends, AXIS.stroke_width(1))]));
        }
        for (series, line) in self.lines.iter().enumerate() {
            let colour = colour(series);
            let points = || line.points.iter().filter(|point| x.takes(point.x) && y.takes(point.y));
            let places: Vec<(f64, f64)> = points().map(|point| (point.x, point.y)).collect();
            match line.sample {
                Sample::Line => {
                    let path = PathElement::new(places.clone(), colour.stroke_width(2));
                    certain(chart.draw_series([path]));
                }
                Sample::Dashes => {
                    let dashes =
                        DashedLineSeries::new(places.clone(), 8, 5, colour.stroke_width(2));
                    certain(chart.draw_series(dashes));
                }
                Sample::Dots | Sample::Box => {}
            }
            for point in points() {
                if let Some((low, high)) = point.bounds.filter(|(_, high)| y.takes(*high)) {
                    let (at, top) = chart.backend_coord(&(point.x, high));
                    let (_, bottom) = chart.backend_coord(&(point.x, low.max(lowest)));
                    draw_whiskers(&paper, colour, at, (top, bottom));
                }
            }
            for place in &places {
                draw_mark(&paper, series, chart.backend_coord(place));
            }
        }
    }
}
