//! The chart of errors against size.

use charts::{Frame, Line, Lines};

use super::ClassTree;

/// Draws the errors of trees of growing depth: all classes together, the easiest and the hardest.
pub fn chart(pieces: u32, rows: &[ClassTree]) -> String {
    let classes: Vec<&ClassTree> = rows.iter().filter(|row| row.class != "all").collect();
    let frame = Frame::new(format!("Errors against size, classes of {pieces} pieces"))
        .subtitle("a point for each depth; trees that are perfect by then leave the chart")
        .x("leaves of a tree")
        .y("positions wrong, in percent");
    let mut lines = Lines::new(frame).log_x().log_y();
    let depth = classes.iter().flat_map(|row| &row.levels).map(|step| step.depth).max();
    let mean = (0..=depth.unwrap_or(0)).filter_map(|depth| {
        let steps = || classes.iter().filter_map(|row| at(row, depth));
        let leaves: f64 = steps().map(|(leaves, _)| leaves).sum::<f64>() / classes.len() as f64;
        let wrong: f64 = steps().map(|(_, wrong)| wrong).sum::<f64>() / classes.len() as f64;
        (wrong > 0.0).then_some((leaves, wrong))
    });
    lines = lines.line(Line::new("mean of all classes").points(mean));
    // By the errors left at six questions.
    let errors = |row: &&&ClassTree| at(row, 6).map_or(0, |(_, wrong)| (wrong * 1e6) as u64);
    let (hardest, easiest) = (classes.iter().max_by_key(errors), classes.iter().min_by_key(errors));
    for (what, row) in [("hardest", hardest), ("easiest", easiest)] {
        if let Some(row) = row {
            let points = row.levels.iter().map(|step| point(row, step.leaves, step.errors));
            let line = Line::new(format!("{what}: {}", row.class)).dashed();
            lines = lines.line(line.points(points.filter(|(_, wrong)| *wrong > 0.0)));
        }
    }
    lines.svg()
}

/// Leaves, and errors in percent, at a depth; a tree that ended earlier stays as it is.
fn at(row: &ClassTree, depth: u32) -> Option<(f64, f64)> {
    let step = row.levels.iter().rfind(|step| step.depth <= depth)?;
    Some(point(row, step.leaves, step.errors))
}

fn point(row: &ClassTree, leaves: usize, errors: u64) -> (f64, f64) {
    (leaves as f64, 100.0 * errors as f64 / row.positions.max(1) as f64)
}
