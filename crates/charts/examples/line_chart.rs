//! A line chart with error bars as an SVG document: to a file if one is named, else its size.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use charts::{Frame, Line, Lines};

fn main() -> std::io::Result<()> {
    let frame = Frame::new("Nodes by depth").subtitle("from the start").x("depth").y("nodes");
    let plain = [24.0, 576.0, 14_000.0, 330_000.0];
    let line = Line::new("alpha-beta").points((1..).map(f64::from).zip(plain));
    // A point with the ends of its confidence interval; series also differ by their marks.
    let ordered = Line::new("with ordering").dashed();
    let ordered = ordered.point_between(2.0, 300.0, 260.0, 340.0).point(4.0, 40_000.0);
    let svg = Lines::new(frame).log_y().whole_x().line(line).line(ordered).svg();

    match std::env::args().nth(1) {
        Some(path) => std::fs::write(path, svg)?,
        None => println!("an SVG of {} bytes; name a file to write it", svg.len()),
    }
    Ok(())
}
