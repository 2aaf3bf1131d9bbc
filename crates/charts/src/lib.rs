//! SVG charts for reports: line charts, bar charts and histograms, each a `String`.
//!
//! Thin over `plotters` and its SVG backend. No fonts are needed, text stays text, and the same numbers
//! give the same bytes on every machine, so a chart can be committed and compared. The colours are those of
//! Okabe and Ito, which colour-blind readers can distinguish; series also differ by their marks. A chart has
//! a white background, so that it can be read on a dark page. What it shows is also described in words, for
//! screen readers.
//!
//! ```
//! use charts::{Frame, Line, Lines};
//!
//! let svg = Lines::new(Frame::new("Nodes by depth").x("depth").y("nodes"))
//!     .log_y()
//!     .line(Line::new("plain").point(1.0, 24.0).point(2.0, 576.0))
//!     .line(Line::new("ordering").dashed().point_between(1.0, 24.0, 20.0, 28.0))
//!     .svg();
//! assert!(svg.starts_with("<svg") && svg.contains("ordering"));
//! ```
//!
//! Numbers that are not finite, or not positive on a logarithmic axis, are left out; a chart of nothing is an
//! empty frame.

mod axis;
mod bars;
mod frame;
mod histogram;
mod lines;
mod palette;

pub use bars::{Bars, Group};
pub use frame::Frame;
pub use histogram::{Histogram, count};
pub use lines::{Line, Lines};
