//! Two of Burnett's figures without a board: a light cone, and a Voronoi diagram.
//!
//! Only their captions are known, so these are new drawings for the same captions. The diagram's points
//! are the pieces of Figure 7 (a), to be compared with Figure 14 (b), where distance is counted in plies.

use std::fmt::Write as _;

use jungle::Position;
use jungle::picture::Rgb;

type Point = (f64, f64);

const STYLE: &str = "font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\"";

/// Figure 8 (a): a light cone, space on two axes and time on the third.
pub fn light_cone() -> String {
    // The body, and how wide and how high the cone is after each unit of time.
    let (x, y) = (200.0, 300.0);
    let [width, height, flat] = [44.0, 66.0, 0.32];
    let mut svg = open(
        400,
        400,
        "Figure 8 (a): a light cone. A body at the origin can affect only what lies within the cone",
    );
    // Space, now: a plane seen from the side.
    let plane = [(40.0, 340.0), (300.0, 340.0), (365.0, 262.0), (105.0, 262.0)];
    let _ = write!(svg, "<path d=\"{}\" fill=\"#eef3f8\" stroke=\"#9bb\"/>", outline(&plane));
    let (top, rim) = (y - 3.0 * height, 3.0 * width);
    let _ = write!(
        svg,
        "<path d=\"M{x} {y}L{} {top}A{rim} {} 0 0 0 {} {top}Z\" fill=\"#0072b2\" fill-opacity=\".18\" \
         stroke=\"#0072b2\"/>",
        x - rim,
        rim * flat,
        x + rim
    );
    for unit in 1..=3 {
        let time = f64::from(unit);
        let (radius, at) = (time * width, y - time * height);
        let _ = write!(
            svg,
            "<ellipse cx=\"{x}\" cy=\"{at}\" rx=\"{radius}\" ry=\"{}\" fill=\"#0072b2\" \
             fill-opacity=\".15\" stroke=\"#0072b2\"/><text x=\"{}\" y=\"{}\" {STYLE}>t = {unit}</text>",
            radius * flat,
            x + radius + 8.0,
            at + 5.0
        );
    }
    // Time upwards, space to the right and into the depth.
    for ((to_x, to_y), name, anchor, (label_x, label_y)) in [
        ((x, 42.0), "time", "middle", (x, 34.0)),
        ((340.0, y), "space", "start", (346.0, y + 5.0)),
        ((140.0, 372.0), "space", "end", (134.0, 384.0)),
    ] {
        let _ = write!(
            svg,
            "<path d=\"M{x} {y}L{to_x} {to_y}\" stroke=\"#222\" marker-end=\"url(#tip)\"/>\
             <text x=\"{label_x}\" y=\"{label_y}\" text-anchor=\"{anchor}\" {STYLE}>{name}</text>"
        );
    }
    let _ = writeln!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\"/><text x=\"{}\" y=\"{}\" {STYLE}>body</text></svg>",
        x + 10.0,
        y + 20.0
    );
    svg
}

/// Figure 14 (a): a Voronoi diagram of points in the plane, here the pieces of a position.
pub fn voronoi(position: &Position) -> String {
    const SIDE: f64 = 44.0;
    let sites: Vec<Point> = position
        .pieces()
        .map(|(square, _)| {
            let (file, rank) = (f64::from(square.file()), f64::from(square.rank()));
            ((file + 0.5) * SIDE, (8.5 - rank) * SIDE)
        })
        .collect();
    let (right, bottom) = (7.0 * SIDE, 9.0 * SIDE);
    let title = "Figure 14 (a): a Voronoi diagram. Every point in a polygon is closer to its generating \
                 point than to any other";
    let mut svg = open(right as u32, bottom as u32, title);
    for (at, &site) in sites.iter().enumerate() {
        let mut cell = vec![(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)];
        for &other in sites.iter().filter(|other| **other != site) {
            cell = nearer(&cell, site, other);
        }
        let Rgb(red, green, blue) = Rgb::PALETTE[at % Rgb::PALETTE.len()];
        let _ = write!(
            svg,
            "<path d=\"{}\" fill=\"#{red:02x}{green:02x}{blue:02x}\" fill-opacity=\".3\" stroke=\"#444\"/>\
             <circle cx=\"{}\" cy=\"{}\" r=\"4\"/>",
            outline(&cell),
            site.0,
            site.1
        );
    }
    svg + "</svg>\n"
}

/// The part of a convex polygon that is no further from one point than from another.
fn nearer(polygon: &[Point], one: Point, other: Point) -> Vec<Point> {
    // Positive on the side of `one`: the difference of the squared distances.
    let side = |(x, y): Point| {
        let square = |(px, py): Point| (x - px).powi(2) + (y - py).powi(2);
        square(other) - square(one)
    };
    let mut kept = Vec::new();
    for (at, &from) in polygon.iter().enumerate() {
        let to = polygon[(at + 1) % polygon.len()];
        let (a, b) = (side(from), side(to));
        if a >= 0.0 {
            kept.push(from);
        }
        if (a > 0.0) != (b > 0.0) && a != b {
            let part = a / (a - b);
            kept.push((from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1)));
        }
    }
    kept
}

fn outline(points: &[Point]) -> String {
    let mut path = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.2} {y:.2}", if at == 0 { 'M' } else { 'L' });
    }
    path + "Z"
}

fn open(width: u32, height: u32, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8Z\" fill=\"#222\"/></marker></defs>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_points_and_share_out_the_plane() {
        let sites = [(1.0, 1.0), (3.0, 1.5), (2.0, 4.0), (5.0, 5.0)];
        let mut area = 0.0;
        for site in sites {
            let mut cell = vec![(0.0, 0.0), (6.0, 0.0), (6.0, 6.0), (0.0, 6.0)];
            for other in sites.into_iter().filter(|other| *other != site) {
                cell = nearer(&cell, site, other);
            }
            let ring = cell.iter().zip(cell.iter().cycle().skip(1));
            area += ring.map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>() / 2.0;
            for corner in &cell {
                let far = |p: Point| (p.0 - corner.0).hypot(p.1 - corner.1);
                assert!(sites.iter().all(|&other| far(site) <= far(other) + 1e-9));
            }
        }
        assert!((area - 36.0).abs() < 1e-9, "{area}");
    }
}
