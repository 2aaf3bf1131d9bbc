//! The twenty test positions of J. W. Burnett, "Discovering and Searching Loosely Coupled
//! Subproblems in Dou Shou Qi" (Tufts University, 2010), Appendix A, read off its drawings; White
//! moves.
//!
//! Of (m) to (t), which differ in the piece that Black lacks, the drawings show White without a rat;
//! the drawing of (t) still has the elephant that its caption says is missing, and the caption is
//! followed. The text calls them modified starting positions, and the sizes of parts of Figure 21 fit the usual start
//! without a piece better than what is drawn; so there is that, too.

use jungle::{Animal, Color, Piece, Position, Setup};

/// Positions (a) to (l).
const DRAWN: [&str; 12] = [
    "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w",
    "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w",
    "6t/l1d1w1c/5e1/3p2R/7/r2P3/1C5/E1W1D1L/T6 w",
    "7/2d1wct/1l3e1/6R/7/3p3/r3P2/1EW1DL1/1TC4 w",
    "6R/1d2w2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w",
    "5t1/1lr1w2/1Ep4/3P3/6d/7/1W3ce/1D2C2/T3LR1 w",
    "6t/1d4c/1lp1w1e/r2P3/7/6R/1EW4/1C3D1/T5L w",
    "6t/2d3c/l2pwe1/Tr4R/3P3/7/1E4L/1CW2D1/7 w",
    "6t/2d3c/1l1pwe1/Tr5/3P2R/7/1E4L/1CW2D1/7 w",
    "6t/1dp1wc1/l3e1R/1r5/3L3/E6/2W1P2/1C3D1/T6 w",
    "l5t/1d3c1/r2pw2/7/6e/7/E1W1P1R/1C4L/T4D1 w",
    "l6/1d3c1/3pwe1/6t/3P3/r6/1CW4/E3DLR/1T5 w",
];

/// What (m) to (t) have in common.
const HANDICAP: &str = "6t/l1d1w1c/5e1/3p3/7/r2P3/1C5/E1W1D1L/T6 w";

/// What (m) to (t) are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handicap {
    /// What is drawn.
    Drawn,
    /// The usual start.
    Removal,
}

/// All twenty, in order.
pub(super) fn setups(handicap: Handicap) -> Vec<Setup> {
    let read = |fen: &str| -> Setup { fen.parse().expect("the positions are well-formed") };
    let without = |animal: Animal| {
        let mut setup = match handicap {
            Handicap::Drawn => read(HANDICAP),
            Handicap::Removal => Setup::from(&Position::start()),
        };
        let gone = Some(Piece { color: Color::Black, animal });
        for square in &mut setup.board {
            if *square == gone {
                *square = None;
            }
        }
        setup
    };
    DRAWN.into_iter().map(read).chain(Animal::ALL.map(without)).collect()
}
