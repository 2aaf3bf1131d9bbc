//! The chart frame: title, legend, size, labels, and number formatting on axes.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::axis::Axis;
use crate::palette::{AXIS, FAINT_INK, GRID, INK, colour, mark};

/// A part of the paper.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The titles and the size of a chart.
#[derive(Clone, Debug)]
pub struct Frame {
    title: String,
    subtitle: String,
    pub(crate) x: String,
    pub(crate) y: String,
    size: (u32, u32),
}

impl Frame {
    /// A chart with this title.
    pub fn new(title: impl Into<String>) -> Frame {
        let nothing = String::new;
        Frame {
            title: title.into(),
            subtitle: nothing(),
            x: nothing(),
            y: nothing(),
            size: (720, 440),
        }
    }

    /// A smaller line below the title.
    #[must_use]
    pub fn subtitle(self, text: impl Into<String>) -> Frame {
        Frame { subtitle: text.into(), ..self }
    }

    /// What stands below the horizontal axis.
    #[must_use]
    pub fn x(self, label: impl Into<String>) -> Frame {
        Frame { x: label.into(), ..self }
    }

    /// What stands beside the vertical axis.
    #[must_use]
    pub fn y(self, label: impl Into<String>) -> Frame {
        Frame { y: label.into(), ..self }
    }

    /// Width and height in pixels, at least 240 by 160; 720 by 440 by default.
    #[must_use]
    pub fn size(self, width: u32, height: u32) -> Frame {
        Frame { size: (width.max(240), height.max(160)), ..self }
    }

    /// Draws the titles and a legend, calls the chart for the rest, and returns the whole as SVG.
    pub(crate) fn svg(&self, legend: &[Entry<'_>], draw: impl FnOnce(&Area<'_>)) -> String {
        let mut svg = String::new();
        {
            let paper = SVGBackend::with_string(&mut svg, self.size).into_drawing_area();
            certain(paper.fill(&WHITE));
            let left = 16;
            let mut top = 12;
            if !self.title.is_empty() {
                text(&paper, &self.title, (left, top), 19.0, INK, HPos::Left);
                top += 24;
            }
            if !self.subtitle.is_empty() {
                text(&paper, &self.subtitle, (left, top), 15.0, FAINT_INK, HPos::Left);
                top += 20;
            }
            if !legend.is_empty() {
                top = self.draw_legend(&paper, legend, top + 4);
            }
            draw(&paper.margin(top + 4, 12, 12, 24));
            certain(paper.present());
        }
        svg.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", self.words()), 1)
    }

    /// The legend, in as many rows as it needs; returns where it ends.
    fn draw_legend(&self, paper: &Area<'_>, legend: &[Entry<'_>], top: i32) -> i32 {
        let (mut x, mut y) = (16, top);
        for entry in legend {
            let width = 34 + text_width(entry.name, 15.0) + 18;
            if x > 16 && x + width > self.size.0 as i32 - 12 {
                (x, y) = (16, y + 20);
            }
            entry.draw_sample(paper, (x, y + 7));
            text(paper, entry.name, (x + 34, y), 15.0, INK, HPos::Left);
            x += width;
        }
        y + 22
    }

    /// Alternative text for screen readers, escaped for XML.
    fn words(&self) -> String {
        let parts = [&self.title, &self.subtitle, &self.x, &self.y];
        let words: Vec<&str> =
            parts.iter().map(|part| part.as_str()).filter(|part| !part.is_empty()).collect();
        words.join(". ").replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
    }
}

/// A line of the legend.
pub(crate) struct Entry<'a> {
    pub name: &'a str,
    pub series: usize,
    pub sample: Sample,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    Line,
    Dashes,
    Dots,
    Box,
}

impl Entry<'_> {
    fn draw_sample(&self, paper: &Area<'_>, (x, y): (i32, i32)) {
        let colour = colour(self.series);
        let dash =
            |from: i32, to: i32| {
                certain(paper.draw(&PathElement::new(
                    vec![(x + from, y), (x + to, y)],
                    colour.stroke_width(2),
                )));
            };
        match self.sample {
            Sample::Line => dash(0, 28),
            Sample::Dashes => {
                [(0, 8), (10, 18), (20, 28)].into_iter().for_each(|(a, b)| dash(a, b));
            }
            Sample::Dots => {}
            Sample::Box => {
                let corners = [(x + 8, y - 6), (x + 22, y + 6)];
                return certain(paper.draw(&Rectangle::new(corners, colour.filled())));
            }
        }
        draw_mark(paper, self.series, (x + 14, y));
    }
}

/// A series' mark at a place of the paper.
pub(crate) fn draw_mark(paper: &Area<'_>, series: usize, (x, y): (i32, i32)) {
    let colour = colour(series).filled();
    let corners: Vec<(i32, i32)> = mark(series).iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    if corners.is_empty() {
        certain(paper.draw(&Circle::new((x, y), 4, colour)));
    } else {
        certain(paper.draw(&Polygon::new(corners, colour)));
    }
}

/// Text at a place of the paper, which is its top.
pub(crate) fn text(
    paper: &Area<'_>,
    text: &str,
    at: (i32, i32),
    size: f64,
    colour: RGBColor,
    anchor: HPos,
) {
    let style = font(size, colour).pos(Pos::new(anchor, VPos::Top));
    certain(paper.draw(&Text::new(text, at, style)));
}

/// Text of a size.
pub(crate) fn font(size: f64, colour: RGBColor) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&colour)
}

/// An estimate of a text's width. The font it will be drawn with is unknown; this is generous.
pub(crate) fn text_width(text: &str, size: f64) -> i32 {
    (text.chars().count() as f64 * size * 0.47).ceil() as i32
}

/// A number for an axis or a bar: no more digits than it needs.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if !(1e-4..1e7).contains(&size) {
        let power = size.log10().floor();
        let mantissa = value / 10f64.powf(power);
        match (mantissa - 1.0).abs() < 1e-9 {
            true => format!("1e{power}"),
            false => format!("{}e{power}", trimmed(mantissa, 2)),
        }
    } else {
        let digits = if size >= 100.0 {
            1
        } else if size >= 1.0 {
            2
        } else {
            4
        };
        grouped(&trimmed(value, digits))
    }
}

fn trimmed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// With a thin space between thousands from ten thousand on.
fn grouped(text: &str) -> String {
    let (whole, rest) = text.find('.').map_or((text, ""), |dot| text.split_at(dot));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    if digits.len() < 5 {
        return text.to_owned();
    }
    let mut out = sign.to_owned();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out + rest
}

/// The paper from its corner: a chart's coordinates are counted from there.
pub(crate) fn whole<'a>(area: &Area<'a>) -> Area<'a> {
    area.use_screen_coord()
}

/// The labels along the horizontal axis.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Along {
    /// Numbers, with lines of the grid.
    Numbers,
    /// Bins, without.
    Bins,
    /// Names of this many lines, which are drawn later.
    Names(usize),
}

/// A chart's coordinates within its part of the paper, with grid, numbers and labels drawn.
pub(crate) fn plane<'a, 'b>(
    area: &'b Area<'a>,
    frame: &Frame,
    (x, y): (Axis, Axis),
    along: Along,
) -> ChartContext<'b, SVGBackend<'a>, Cartesian2d<Axis, Axis>> {
    let lines = if let Along::Names(lines) = along { lines.max(1) } else { 1 };
    let below = 11 + 15 * lines as u32 + if frame.x.is_empty() { 0 } else { 20 };
    let mut chart = certain(
        ChartBuilder::on(area)
            .x_label_area_size(below)
            .y_label_area_size(if frame.y.is_empty() { 52 } else { 72 })
            .build_cartesian_2d(x, y),
    );
    let mut mesh = chart.configure_mesh();
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(AXIS)
        .x_labels(11)
        .y_labels(9)
        .x_label_formatter(&|value| number(*value))
        .y_label_formatter(&|value| number(*value))
        .label_style(font(14.0, FAINT_INK))
        .axis_desc_style(font(15.0, INK))
        .x_desc(&frame.x)
        .y_desc(&frame.y);
    if !matches!(along, Along::Numbers) {
        mesh.disable_x_mesh();
    }
    certain(mesh.draw());
    chart
}

/// An error bar.
pub(crate) fn draw_whiskers(paper: &Area<'_>, colour: RGBColor, x: i32, (top, bottom): (i32, i32)) {
    for path in [
        vec![(x, top), (x, bottom)],
        vec![(x - 4, top), (x + 4, top)],
        vec![(x - 4, bottom), (x + 4, bottom)],
    ] {
        certain(paper.draw(&PathElement::new(path, colour.stroke_width(1))));
    }
}

/// The result of drawing on a string, which cannot fail.
pub(crate) fn certain<T, E: std::fmt::Debug>(drawn: Result<T, E>) -> T {
    drawn.expect("drawing on a string cannot fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1.0, 0.05, 12.5, 1234.0, 56_789.0, -1_234_567.0, 1e8, 2.5e-6];
        let texts = shown.map(number).join(" ");
        assert_eq!(texts, "0 1 0.05 12.5 1234 56\u{202f}789 -1\u{202f}234\u{202f}567 1e8 2.5e-6");
    }
}
