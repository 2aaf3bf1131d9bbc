//! Compression of the models, with zstd: by its C library, and for WebAssembly, for which that cannot be
//! compiled, in Rust.

#[cfg(not(target_family = "wasm"))]
pub use self::native::{compress, decompress};
#[cfg(target_family = "wasm")]
pub use self::portable::{compress, decompress};

#[cfg(not(target_family = "wasm"))]
mod native {
    use std::io::Read;

    /// How hard to compress.
    const LEVEL: i32 = 19;

    /// Compresses some bytes.
    pub fn compress(bytes: &[u8]) -> Vec<u8> {
        zstd::bulk::compress(bytes, LEVEL).expect("memory suffices")
    }

    /// Decompresses at most this many bytes; `None` if they are damaged.
    pub fn decompress(bytes: &[u8], most: u64) -> Option<Vec<u8>> {
        let mut decoder = zstd::stream::read::Decoder::new(bytes).ok()?.take(most);
        let mut decompressed = Vec::new();
        decoder.read_to_end(&mut decompressed).ok()?;
        Some(decompressed)
    }
}

#[cfg(any(test, target_family = "wasm"))]
mod portable {
    use std::io::Read;

    use ruzstd::decoding::StreamingDecoder;

    /// The first bytes of a frame.
    const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    /// One segment, whose size follows in four bytes.
    const SINGLE_SEGMENT: u8 = 0xa0;
    /// The largest block of a frame.
    const BLOCK: usize = 128 << 10;

    /// Packs bytes into a frame as they are: tables written in a browser are not for keeping.
    pub fn compress(bytes: &[u8]) -> Vec<u8> {
        let mut frame = MAGIC.to_vec();
        frame.push(SINGLE_SEGMENT);
        frame.extend((bytes.len() as u32).to_le_bytes());
        let mut rest = bytes;
        loop {
            let (block, later) = rest.split_at(rest.len().min(BLOCK));
            // A bit that says whether it is the last, two for its kind, raw, and its size.
            let head = block.len() << 3 | usize::from(later.is_empty());
            frame.extend(&head.to_le_bytes()[..3]);
            frame.extend(block);
            rest = later;
            if rest.is_empty() {
                return frame;
            }
        }
    }

    /// Decompresses at most this many bytes; `None` if they are damaged.
    pub fn decompress(bytes: &[u8], most: u64) -> Option<Vec<u8>> {
        let mut decoder = StreamingDecoder::new(bytes).ok()?.take(most);
        let mut decompressed = Vec::new();
        decoder.read_to_end(&mut decompressed).ok()?;
        Some(decompressed)
    }
}

#[cfg(test)]
mod tests {
    use game::rng::Rng;

    use super::{native, portable};

    /// What any of the two writes, both read.
    #[test]
    fn the_library_and_the_portable_code_agree() {
        let mut rng = Rng::new(5);
        for len in [0, 1, 1000, 128 << 10, 300_000] {
            let bytes: Vec<u8> = (0..len).map(|_| (rng.below(9) * rng.below(9)) as u8).collect();
            for frame in [native::compress(&bytes), portable::compress(&bytes)] {
                let most = len as u64 + 1;
                assert_eq!(native::decompress(&frame, most).as_ref(), Some(&bytes));
                assert_eq!(portable::decompress(&frame, most).as_ref(), Some(&bytes));
                let half = len as u64 / 2;
                let less = portable::decompress(&frame, half).unwrap();
                assert_eq!(less, bytes[..half as usize]);
            }
        }
    }

    #[test]
    fn damaged_frames_do_no_harm() {
        let mut rng = Rng::new(6);
        let bytes: Vec<u8> = (0..20_000).map(|_| rng.below(7) as u8).collect();
        let good = native::compress(&bytes);
        assert_eq!(portable::decompress(&good[..good.len() / 2], 1 << 20), None);
        for _ in 0..500 {
            let mut bad = good.clone();
            let at = rng.below(bad.len());
            bad[at] ^= 1 << rng.below(8);
            let read = portable::decompress(&bad, 1 << 20).unwrap_or_default();
            assert!(read.len() <= 1 << 20);
        }
    }
}
