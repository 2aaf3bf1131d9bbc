//! The evaluation of the champion: the terms of [`Scale`], weighted by how much of the board is still empty.

use crate::evaluate::{Scale, Weights};

/// How many phases there are, from a board that is full to an empty one.
pub const PHASES: usize = 17;

/// Weights for every phase of a game, and what a settled move is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhasedWeights {
    phases: [Scale; PHASES],
    /// A move that is settled, in the same units: hundredths of a square.
    pub settled: i32,
}

/// The weights at the end of a game.
const LAST: Scale =
    Scale { queen: [110, 110, 110], queen_tie: 20, king: [30, 30, 30], king_tie: 6, mobility: 1 };
/// The weights at its beginning.
const FIRST: Scale =
    Scale { queen: [75, 45, 40], queen_tie: 15, king: [60, 50, 45], king_tie: 10, mobility: 14 };

impl Default for PhasedWeights {
    fn default() -> PhasedWeights {
        PhasedWeights::between(FIRST, LAST, 140)
    }
}

impl PhasedWeights {
    /// Weights that go evenly from those of an empty board to those of a full one.
    pub fn between(first: Scale, last: Scale, settled: i32) -> PhasedWeights {
        let most = PHASES as i32 - 1;
        let phase = |at: usize| {
            let at = at as i32;
            let mix = |first: i32, last: i32| (first * at + last * (most - at)) / most;
            let three = |a: [i32; 3], b: [i32; 3]| std::array::from_fn(|i| mix(a[i], b[i]));
            Scale {
                queen: three(first.queen, last.queen),
                queen_tie: mix(first.queen_tie, last.queen_tie),
                king: three(first.king, last.king),
                king_tie: mix(first.king_tie, last.king_tie),
                mobility: mix(first.mobility, last.mobility),
            }
        };
        PhasedWeights { phases: std::array::from_fn(phase), settled }
    }

    /// The same weights in every phase.
    pub fn constant(weights: Weights) -> PhasedWeights {
        PhasedWeights { phases: [Scale::from(weights); PHASES], settled: weights.queen_territory }
    }

    /// The weights on a board of this many squares of which so many are empty.
    #[inline]
    pub fn at(&self, empty: u32, squares: u32) -> &Scale {
        let phase = (empty as usize * (PHASES - 1)) / squares.max(1) as usize;
        &self.phases[phase.min(PHASES - 1)]
    }
}
