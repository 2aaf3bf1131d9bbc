//! The bench signature: how many nodes a fixed set of positions takes, the same on every machine.

use std::time::{Duration, Instant};

use game::limits::Limits;
use jungle::{Jungle, Play, Rules, Setup};

use crate::control::Control;
use crate::engine::Engine;

/// The default depth.
pub const DEPTH: u32 = 13;

/// The positions: the start, positions of Burnett's thesis, and endgames.
const POSITIONS: [&str; 16] = [
    "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w",
    "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w",
    "6t/l1d1w1c/5e1/3p2R/7/r2P3/1C5/E1W1D1L/T6 w",
    "7/2d1wct/1l3e1/6R/7/3p3/r3P2/1EW1DL1/1TC4 w",
    "6R/1d2w2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w",
    "5t1/1lr1w2/1Ep4/3P3/6d/7/1W3ce/1D2C2/T3LR1 w",
    "6t/1d4c/1lp1w1e/r2P3/7/6R/1EW4/1C3D1/T5L w",
    "6t/2d3c/l2pwe1/Tr4R/3P3/7/1E4L/1CW2D1/7 b",
    "6t/1dp1wc1/l3e1R/1r5/3L3/E6/2W1P2/1C3D1/T6 w",
    "l5t/1d3c1/r2pw2/7/6e/7/E1W1P1R/1C4L/T4D1 b",
    "l6/1d3c1/3pwe1/6t/3P3/r6/1CW4/E3DLR/1T5 w",
    "7/6r/7/3p2R/7/3P3/7/7/7 w",
    "7/7/4p2/3P2e/l6/6D/C6/7/7 w",
    "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w",
    "7/7/3e3/7/7/T2R3/7/6c/7 w",
    "4t2/7/1l5/7/3r3/7/L4P1/4T2/7 b",
];

/// The cost of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bench {
    /// The nodes of all positions: the signature.
    pub nodes: u64,
    /// The time.
    pub time: Duration,
}

/// Searches every position to `depth` on one thread, starting with empty tables each time.
pub fn run(depth: u32) -> Bench {
    run_until(depth, &Control::new(false)).expect("nobody stops it")
}

/// As [`run`], but ends soon with `None` when another thread stops it.
pub fn run_until(depth: u32, control: &Control) -> Option<Bench> {
    let mut engine = Engine::new();
    let mut total = Bench { nodes: 0, time: Duration::ZERO };
    for setup in positions() {
        let Bench { nodes, time } = search_until(&mut engine, &setup, depth, control);
        total = Bench { nodes: total.nodes + nodes, time: total.time + time };
        if control.stopped() {
            return None;
        }
    }
    Some(total)
}

/// The positions.
pub fn positions() -> Vec<Setup> {
    POSITIONS.iter().map(|fen| fen.parse().expect("the positions are FENs")).collect()
}

/// What it takes an engine to search a position to `depth`, starting with empty tables.
///
/// # Panics
///
/// If the position is not legal.
pub fn search(engine: &mut Engine, setup: &Setup, depth: u32) -> Bench {
    search_until(engine, setup, depth, &Control::new(false))
}

fn search_until(engine: &mut Engine, setup: &Setup, depth: u32, control: &Control) -> Bench {
    engine.new_game();
    let play = Play::new(Jungle::new(Rules::STANDARD), setup).expect("the position is legal");
    let started = Instant::now();
    let nodes = engine.think(&play, Limits::depth(depth), control, &mut |_| ()).nodes;
    Bench { nodes, time: started.elapsed() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_signature_is_the_same_every_time() {
        let first = super::run(6);
        assert_eq!(first.nodes, super::run(6).nodes);
        assert!(first.nodes > 1000);
    }
}
