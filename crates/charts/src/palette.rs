//! The palette: colours and marks of series. The colours are those that Okabe and Ito recommend (2008), without
//! the yellow, which is invisible on white, and in an order that puts the darkest contrasts first.

use plotters::prelude::*;

const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x33, 0x33, 0x33),
];

/// What text is drawn with.
pub const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Less important text.
pub const FAINT_INK: RGBColor = RGBColor(0x5a, 0x5a, 0x5a);
/// Lines of the grid.
pub const GRID: RGBColor = RGBColor(0xe4, 0xe4, 0xe4);
/// Axes, and lines that stand out.
pub const AXIS: RGBColor = RGBColor(0x77, 0x77, 0x77);

/// The colour of a series.
pub fn colour(series: usize) -> RGBColor {
    COLOURS[series % COLOURS.len()]
}

/// The corners of a series' mark, in pixels from its middle; a circle has none.
pub fn mark(series: usize) -> &'static [(i32, i32)] {
    const MARKS: [&[(i32, i32)]; 4] = [
        &[],
        &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
        &[(0, -5), (5, 4), (-5, 4)],
        &[(0, -6), (6, 0), (0, 6), (-6, 0)],
    ];
    MARKS[series % MARKS.len()]
}
