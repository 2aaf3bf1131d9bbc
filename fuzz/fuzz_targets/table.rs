//! Table payloads: whatever the bytes are, reading them neither panics nor runs away.
#![no_main]

use std::sync::{Arc, LazyLock};

use jungle::{Color, Jungle, Rules};
use libfuzzer_sys::fuzz_target;
use tablebase::checked::{Checked, checksums};
use tablebase::codec::Decoder;
use tablebase::grid::{Grid, ROW};
use tablebase::material::Classes;

static CLASS: LazyLock<(Jungle, Grid)> = LazyLock::new(|| {
    let jungle = Jungle::new(Rules::LEIDEN);
    let classes = Classes::new(&Rules::LEIDEN, 2);
    let grid = Grid::new(&jungle, &classes.list()[0].slots);
    (jungle, grid)
});

fuzz_target!(|payload: &[u8]| {
    let (jungle, grid) = &*CLASS;
    let sums = checksums(payload);
    let len = payload.len();
    let payload = Checked::new(Arc::new(payload.to_vec()), 0..len, sums).expect("it fits");
    if let Ok(decoder) = Decoder::new(jungle, grid, payload) {
        for number in (0..grid.rows() * ROW).step_by(7) {
            for turn in Color::ALL {
                let _ = decoder.outcome(turn, number);
                let _ = decoder.value(turn, number);
            }
        }
        let _ = decoder.cells::<u8>(Color::White);
    }
});
