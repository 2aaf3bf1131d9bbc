//! An entropy coder: asymmetric numeral systems with fixed frequencies (Duda 2009; the byte-wise
//! variant is Giesen's).
//!
//! The state is a number in `[2^15, 2^23)`. Coding a symbol of frequency `f` out of 4096 multiplies
//! it by `4096 / f`; whole bytes move between the state and the stream to keep it in range. A coder
//! is a stack: symbols come out in the opposite order, so the encoder starts from the last one.

/// Frequencies add up to `1 << SCALE_BITS`.
pub const SCALE_BITS: u32 = 12;

const LOW: u32 = 1 << 15;

/// The frequencies of `N` symbols, as where each starts. None of them is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frequencies<const N: usize> {
    start: [u16; N],
}

impl<const N: usize> Frequencies<N> {
    /// Scales counts to frequencies; every symbol keeps at least one share.
    pub fn from_counts(counts: &[u32; N]) -> Frequencies<N> {
        let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let shares = (1u64 << SCALE_BITS) - N as u64;
        let mut frequencies = counts.map(|count| match total {
            0 => 1,
            _ => 1 + (u64::from(count) * shares / total) as u16,
        });
        // What rounding left over goes to the most frequent symbol.
        let most = (0..N).rev().max_by_key(|&at| counts[at]).unwrap_or(0);
        let used: u16 = frequencies.iter().sum();
        frequencies[most] += (1 << SCALE_BITS) - used;
        Frequencies::from_shares(&frequencies).expect("the shares add up")
    }

    /// Frequencies as they are stored; `None` if they do not add up or one is zero.
    pub fn from_shares(shares: &[u16; N]) -> Option<Frequencies<N>> {
        let mut start = [0; N];
        let mut sum: u32 = 0;
        for (slot, &share) in start.iter_mut().zip(shares) {
            if share == 0 || sum >= 1 << SCALE_BITS {
                return None;
            }
            *slot = sum as u16;
            sum += u32::from(share);
        }
        (sum == 1 << SCALE_BITS).then_some(Frequencies { start })
    }

    /// The shares of all symbols.
    pub fn shares(&self) -> [u16; N] {
        std::array::from_fn(|symbol| self.range(symbol).1 as u16)
    }

    /// The most frequent symbol, the first among equals.
    pub fn most(&self) -> usize {
        let shares = self.shares();
        (0..N).rev().max_by_key(|&symbol| shares[symbol]).unwrap_or(0)
    }

    #[inline(always)]
    fn range(&self, symbol: usize) -> (u32, u32) {
        let start = u32::from(self.start[symbol]);
        let end = self.start.get(symbol + 1).map_or(1 << SCALE_BITS, |&next| u32::from(next));
        (start, end - start)
    }

    #[inline(always)]
    fn find(&self, slot: u32) -> usize {
        // Symbols are few: counting comparisons beats searching. The first starts at 0.
        let slot = slot as u16;
        let passed: u16 = self.start[1..].iter().map(|&start| u16::from(start <= slot)).sum();
        usize::from(passed)
    }
}

/// Codes symbols given last first.
#[derive(Debug, Default)]
pub struct Encoder {
    state: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    /// An empty stream.
    pub fn new() -> Encoder {
        Encoder { state: LOW, bytes: Vec::new() }
    }

    /// Puts a symbol in front of all those put before.
    pub fn put<const N: usize>(&mut self, frequencies: &Frequencies<N>, symbol: usize) {
        let (start, share) = frequencies.range(symbol);
        self.push(start, share, SCALE_BITS);
    }

    /// Puts a byte in front.
    pub fn put_byte(&mut self, byte: u8) {
        self.push(u32::from(byte), 1, 8);
    }

    fn push(&mut self, start: u32, share: u32, scale: u32) {
        let most = ((LOW >> scale) << 8) * share;
        while self.state >= most {
            self.bytes.push(self.state as u8);
            self.state >>= 8;
        }
        self.state = (self.state / share) << scale | (self.state % share + start);
    }

    /// The stream, to be read from the front.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.extend(&self.state.to_le_bytes()[..3]);
        self.bytes.reverse();
        self.bytes
    }
}

/// Reads a stream. Damaged bytes give wrong symbols, never a panic; a stream that runs out goes on
/// with zeros.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    state: u32,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Starts reading.
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let (head, bytes) = bytes.split_at(bytes.len().min(3));
        let state = head.iter().fold(0, |state, &byte| state << 8 | u32::from(byte));
        Decoder { state, bytes }
    }

    /// The next symbol.
    #[inline(always)]
    pub fn get<const N: usize>(&mut self, frequencies: &Frequencies<N>) -> usize {
        let slot = self.state & ((1 << SCALE_BITS) - 1);
        // The first symbol is the likeliest by far where there are many: looked at first.
        let end = u32::from(frequencies.start[1]);
        let (symbol, start, share) = if N > 3 && slot < end {
            (0, 0, end)
        } else {
            let symbol = frequencies.find(slot);
            let (start, share) = frequencies.range(symbol);
            (symbol, start, share)
        };
        self.state = share * (self.state >> SCALE_BITS) + slot - start;
        self.refill();
        symbol
    }

    /// The next byte.
    pub fn get_byte(&mut self) -> u8 {
        let byte = self.state as u8;
        self.state >>= 8;
        self.refill();
        byte
    }

    #[inline(always)]
    fn refill(&mut self) {
        while self.state < LOW {
            let (byte, rest) = self.bytes.split_first().unwrap_or((&0, &[]));
            self.bytes = rest;
            self.state = self.state << 8 | u32::from(*byte);
            if self.state == 0 {
                // Only a damaged stream gets here; any state will do.
                self.state = LOW;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use game::rng::Rng;

    use super::*;

    #[test]
    fn symbols_and_bytes_come_back() {
        let mut rng = Rng::new(1);
        for round in 0..200 {
            let counts: [u32; 5] =
                std::array::from_fn(|_| rng.below(1 << rng.clone().below(20)) as u32);
            let frequencies = Frequencies::from_counts(&counts);
            assert_eq!(Frequencies::from_shares(&frequencies.shares()), Some(frequencies));
            let symbols: Vec<usize> = (0..round * 3).map(|_| rng.below(5)).collect();
            let mut encoder = Encoder::new();
            for &symbol in symbols.iter().rev() {
                encoder.put(&frequencies, symbol);
                encoder.put_byte(symbol as u8 * 50);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for &symbol in &symbols {
                assert_eq!(decoder.get_byte(), symbol as u8 * 50);
                assert_eq!(decoder.get(&frequencies), symbol);
            }
        }
    }

    #[test]
    fn likely_symbols_cost_next_to_nothing() {
        let frequencies = Frequencies::from_counts(&[100_000, 1, 1]);
        let mut encoder = Encoder::new();
        (0..10_000).for_each(|_| encoder.put(&frequencies, 0));
        assert!(encoder.finish().len() <= 5);
    }

    #[test]
    fn damaged_streams_do_no_harm() {
        let frequencies = Frequencies::from_counts(&[5, 3, 1]);
        let mut rng = Rng::new(2);
        for len in 0..40 {
            let bytes: Vec<u8> = (0..len).map(|_| rng.next_u64() as u8).collect();
            let mut decoder = Decoder::new(&bytes);
            (0..1000).for_each(|_| assert!(decoder.get(&frequencies) < 3));
        }
    }
}
