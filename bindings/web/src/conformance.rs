//! Conformance: numbers by which two builds of this program are compared, such as a browser's and the native one.

use std::hash::Hasher;

use engine::bench;
use engine::eval::{Champion, Evaluator};
use game::perft::perft;
use game::rng::Rng;
use jungle::{Jungle, Play, Rules, Square};
use serde::{Deserialize, Serialize};

/// What to count.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Wanted {
    /// The depth of `perft` from the start; not counted if left out.
    pub perft: Option<u32>,
    /// The depth of `bench`; not run if left out.
    pub bench: Option<u32>,
    /// How many random positions; none if left out.
    pub positions: Option<usize>,
    /// What the random positions follow from.
    pub seed: Option<u64>,
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Conformance {
    /// Leaves from the start.
    pub perft: Option<u64>,
    /// The signature of the search: its nodes.
    pub bench: Option<u64>,
    /// Nodes a second of `bench`. Not to be compared for equality.
    pub nps: Option<u64>,
    /// Of all random positions: FEN, legal moves, why every other move of a piece is not legal, and the evaluation.
    pub positions: Option<String>,
}

/// Counts.
pub fn run(wanted: Wanted) -> Conformance {
    let jungle = Jungle::new(Rules::STANDARD);
    let found = wanted.bench.map(bench::run);
    Conformance {
        perft: wanted
            .perft
            .map(|depth| perft(&jungle, Play::start(jungle.clone()).position(), depth)),
        bench: found.map(|found| found.nodes),
        nps: found.map(|found| game::limits::nps(found.nodes, found.time)),
        positions: wanted
            .positions
            .map(|count| format!("{:016x}", positions(count, wanted.seed.unwrap_or(1)))),
    }
}

/// A checksum over positions of random games under all presets.
fn positions(count: usize, seed: u64) -> u64 {
    let (mut rng, mut sum) = (Rng::new(seed), Fnv::default());
    let mut left = count;
    for rules in Rules::PRESETS.iter().map(|preset| preset.rules).cycle() {
        let mut play = Play::start(Jungle::new(rules));
        while left > 0 && play.ending().is_none() {
            add(&mut sum, &play);
            left -= 1;
            let moves = play.legal_moves();
            let Some(&mv) = rng.choose(&moves) else { break };
            play.play(mv).expect("the move is legal");
        }
        if left == 0 {
            break;
        }
    }
    sum.finish()
}

fn add(sum: &mut Fnv, play: &Play) {
    let (jungle, position) = (play.jungle(), play.position());
    sum.write(position.to_string().as_bytes());
    let pieces = Square::ALL.into_iter().filter(|square| position.piece_at(*square).is_some());
    for (from, to) in pieces.flat_map(|from| Square::ALL.map(|to| (from, to))) {
        match jungle.find_move(position, from, to) {
            Ok(mv) => sum.write(mv.to_string().as_bytes()),
            Err(error) => sum.write(error.reason.to_string().as_bytes()),
        }
    }
    let mut champion = Champion::new(jungle.rules(), None);
    champion.reset(position);
    sum.write(&champion.evaluate(jungle, position).to_le_bytes());
}

/// FNV-1a, 64 bits.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
