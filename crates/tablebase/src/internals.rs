//! Access for the fuzz targets, behind the feature `internals`: the decoder of payloads, without the checksums
//! that would stop damaged bytes.

use std::sync::{Arc, LazyLock};

use jungle::{Color, Jungle, Rules};

use crate::codec::Decoder;
use crate::grid::{Grid, ROW};
use crate::material::Classes;
use crate::payload::{Budget, Payload, checksums};
use crate::version::Version;

static CLASS: LazyLock<(Jungle, Grid)> = LazyLock::new(|| {
    let jungle = Jungle::new(Rules::LEIDEN);
    let classes = Classes::new(&Rules::LEIDEN, 2);
    let grid = Grid::new(&jungle, &classes.list()[0].slots);
    (jungle, grid)
});

/// Reads any bytes as the payload of a table of two pieces, of every version; this must neither panic nor run
/// away.
pub fn read_payload(bytes: &[u8]) {
    for version in Version::ALL {
        read_as(version, bytes);
    }
}

fn read_as(version: Version, bytes: &[u8]) {
    let (jungle, grid) = &*CLASS;
    let (sums, len) = (checksums(bytes, version), bytes.len() as u64);
    let file = Box::new(Arc::new(bytes.to_vec()));
    let payload = Payload::new(file, version, 0..len, sums, Arc::new(Budget::new(0)));
    let payload = payload.expect("there is a checksum for each chunk");
    let Ok(decoder) = Decoder::new(jungle, grid, payload) else { return };
    for number in (0..grid.rows() * ROW).step_by(7) {
        for turn in Color::ALL {
            let _ = decoder.outcome(turn, number);
            let _ = decoder.value(turn, number);
        }
    }
    let _ = decoder.cells::<u8>(Color::White);
}
