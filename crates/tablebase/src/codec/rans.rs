//! The entropy coder: range asymmetric numeral systems (rANS) with fixed frequencies (Duda 2009; the byte-wise
//! variant is Giesen's).
//!
//! The state is a number in `[2^31, 2^63)`. Coding a symbol of frequency `f` out of 4096 multiplies
//! it by `4096 / f`; words of 32 bits move between the state and the stream to keep it in range. A
//! coder is a stack: symbols come out in the opposite order, so the encoder starts from the last one.
//!
//! Streams are a few dozen bytes long, so what a stream costs besides its symbols matters. The
//! encoder starts from the state 0, below the range, and the last state is written with as many bytes
//! as it has: no byte is spent on a start, and a stream of nothing but first symbols is empty. The
//! reader notices by running out of bytes that it has come to where the state was small.

/// Frequencies add up to `1 << SCALE_BITS`.
pub const SCALE_BITS: u32 = 12;

const LOW: u64 = 1 << 31;
const WORD: usize = 4;

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

    #[inline(always)]
    fn range(&self, symbol: usize) -> (u64, u64) {
        let start = u64::from(self.start[symbol]);
        let end = self.start.get(symbol + 1).map_or(1 << SCALE_BITS, |&next| u64::from(next));
        (start, end - start)
    }

    #[inline(always)]
    fn find(&self, slot: u64) -> usize {
        // Symbols are few: counting comparisons beats searching. The first starts at 0.
        let slot = slot as u16;
        let passed: u16 = self.start[1..].iter().map(|&start| u16::from(start <= slot)).sum();
        usize::from(passed)
    }
}

/// The frequencies of three symbols in a word: where the second and the third start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Packed(u32);

impl From<&Frequencies<3>> for Packed {
    fn from(frequencies: &Frequencies<3>) -> Packed {
        let [_, one, two] = frequencies.start;
        Packed(u32::from(one) | u32::from(two) << 16)
    }
}

/// Codes symbols given last first.
#[derive(Debug, Default)]
pub struct Encoder {
    state: u64,
    /// Last byte first.
    bytes: Vec<u8>,
}

impl Encoder {
    /// An empty stream.
    pub fn new() -> Encoder {
        Encoder::default()
    }

    /// Puts a symbol in front of all those put before.
    pub fn put<const N: usize>(&mut self, frequencies: &Frequencies<N>, symbol: usize) {
        let (start, share) = frequencies.range(symbol);
        self.push(start, share, SCALE_BITS);
    }

    /// Puts a byte in front.
    pub fn put_byte(&mut self, byte: u8) {
        self.push(u64::from(byte), 1, 8);
    }

    fn push(&mut self, start: u64, share: u64, scale: u32) {
        if self.state >= ((LOW >> scale) << (8 * WORD)) * share {
            self.bytes.extend((self.state as u32).to_le_bytes());
            self.state >>= 8 * WORD;
        }
        self.state = (self.state / share) << scale | (self.state % share + start);
    }

    /// The stream, to be read from the front.
    pub fn finish(mut self) -> Vec<u8> {
        while self.state > 0 {
            self.bytes.push(self.state as u8);
            self.state >>= 8;
        }
        self.bytes.reverse();
        self.bytes
    }
}

/// Reads a stream. Damaged bytes give wrong symbols, never a panic.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    state: u64,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Starts reading. The last state took the bytes that do not make up words; of four or eight, the
    /// first bit says which, as the state never has more than 63 bits.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let odd = bytes.len() % WORD;
        let head = match bytes.first() {
            Some(first) if odd == 0 && *first >= 128 => WORD,
            Some(_) if odd == 0 => 2 * WORD,
            Some(_) if bytes.len() > WORD => WORD + odd,
            _ => odd,
        };
        let (head, bytes) = bytes.split_at(head.min(bytes.len()));
        let state = head.iter().fold(0, |state, &byte| state << 8 | u64::from(byte));
        Decoder { state, bytes }
    }

    /// The next symbol.
    #[inline(always)]
    pub fn get<const N: usize>(&mut self, frequencies: &Frequencies<N>) -> usize {
        let slot = self.state & ((1 << SCALE_BITS) - 1);
        // The first symbol is the likeliest by far where there are many: looked at first.
        let end = u64::from(frequencies.start[1]);
        let (symbol, start, share) = if N > 4 && slot < end {
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

    /// The next of three symbols, whose frequencies are packed.
    #[inline(always)]
    pub fn get_packed(&mut self, frequencies: Packed) -> usize {
        let slot = self.state & ((1 << SCALE_BITS) - 1);
        let (one, two) = (u64::from(frequencies.0 & 0xffff), u64::from(frequencies.0 >> 16));
        let (past_one, past_two) = (slot >= one, slot >= two);
        let start = if past_one { one } else { 0 };
        let start = if past_two { two } else { start };
        let end = if past_one { two } else { one };
        let end = if past_two { 1 << SCALE_BITS } else { end };
        self.state = (end - start) * (self.state >> SCALE_BITS) + slot - start;
        self.refill();
        usize::from(past_one) + usize::from(past_two)
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
        if self.state < LOW
            && let Some((word, rest)) = self.bytes.split_first_chunk::<WORD>()
        {
            self.bytes = rest;
            self.state = self.state << (8 * WORD) | u64::from(u32::from_be_bytes(*word));
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
    fn packed_frequencies_read_the_same() {
        let mut rng = Rng::new(3);
        let frequencies = Frequencies::from_counts(&[500, 30, 4]);
        let bytes: Vec<u8> = (0..200).map(|_| rng.next_u64() as u8).collect();
        let (mut one, mut other) = (Decoder::new(&bytes), Decoder::new(&bytes));
        for _ in 0..3000 {
            assert_eq!(one.get(&frequencies), other.get_packed(Packed::from(&frequencies)));
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
