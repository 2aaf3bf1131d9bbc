//! Burnett: *Discovering and Searching Loosely Coupled Subproblems in Dou Shou Qi* (2010), a thesis on
//! decomposing positions in space: its drawings, the gain that it predicts, its matches, and the question
//! that it leaves open.

pub mod configuration;
pub mod depth30;
pub mod figure19;
pub mod figure20;
pub mod figure21;
pub mod figure22;
pub mod figures;
pub mod gain;
pub mod games;
pub mod likelihood;
mod measures;
pub mod published;
mod sketches;
pub mod splitting;

pub use depth30::Depth30;
pub use figure19::Figure19;
pub use figure20::Figure20;
pub use figure21::Figure21;
pub use figure22::Figure22;
pub use figures::Figures;
pub use gain::PredictedGain;
pub use likelihood::Likelihood;
pub use measures::{Measures, PlayerMeasures, measure};
pub use splitting::Splitting;

const BURNETT: &str =
    "Burnett (2010), Discovering and Searching Loosely Coupled Subproblems in Dou Shou Qi";
