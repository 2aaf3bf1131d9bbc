//! Context models of the entropy coder: how likely each symbol is in each context, counted over the table, pruned, and stored with it.
//!
//! Contexts are numbers, and each belongs to a coarser one. A context has frequencies of its own only
//! where they save more bits than it costs to store them; elsewhere those of the coarser one serve.

use std::collections::HashMap;

use super::rans::{Decoder, Encoder, Frequencies, Packed, SCALE_BITS};

/// The contexts of a model.
pub trait Contexts {
    /// How many there are.
    const FINE: usize;
    /// How many coarse ones there are.
    const COARSE: usize;

    /// The coarse context of a fine one.
    fn coarse(fine: usize) -> usize;
}

/// Contexts that lie side by side in memory.
pub const LINE: usize = 16;

/// One pass over the symbols of a block: counting them, writing them or reading them. The same code
/// walks a block in all three cases, so that they agree on every context.
pub trait Symbols<const N: usize> {
    /// Whether the symbols come from here, so that the truth need not be asked.
    const READS: bool;

    /// Turns to a stream of the block, 0 or 1.
    fn start(&mut self, stream: usize);

    /// Handles the next symbol. A reader ignores what it is given and returns what it read; the
    /// others return what they were given.
    fn symbol(&mut self, context: usize, symbol: usize) -> usize;

    /// As `symbol`, for the context `16 * line + column`: of the two, the line is known earlier, and
    /// a reader may fetch it before it knows the column.
    #[inline(always)]
    fn symbol_in(&mut self, line: usize, column: usize, symbol: usize) -> usize {
        self.symbol(line * LINE + column, symbol)
    }

    /// Handles a byte that follows no pattern.
    fn byte(&mut self, byte: u8) -> u8;
}

/// Counts symbols to make a model of them.
#[derive(Clone, Debug)]
pub struct Counter<const N: usize> {
    counts: Vec<[u32; N]>,
}

impl<const N: usize> Counter<N> {
    /// Nothing counted yet.
    pub fn new<C: Contexts>() -> Counter<N> {
        Counter { counts: vec![[0; N]; C::FINE] }
    }

    /// Both taken together.
    #[must_use]
    pub fn plus(mut self, other: &Counter<N>) -> Counter<N> {
        for (ours, theirs) in
            self.counts.as_flattened_mut().iter_mut().zip(other.counts.as_flattened())
        {
            *ours += theirs;
        }
        self
    }
}

impl<const N: usize> Symbols<N> for Counter<N> {
    const READS: bool = false;

    fn start(&mut self, _: usize) {}

    #[inline]
    fn symbol(&mut self, context: usize, symbol: usize) -> usize {
        self.counts[context][symbol] += 1;
        symbol
    }

    fn byte(&mut self, byte: u8) -> u8 {
        byte
    }
}

/// Frequencies for all contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model<const N: usize> {
    /// The coarse contexts' frequencies, then those of the fine ones that have their own.
    tables: Vec<Frequencies<N>>,
    /// For each fine context, where its frequencies are.
    places: Vec<u16>,
    /// How many tables belong to coarse contexts.
    coarse: u16,
}

/// Bits that storing a fine context's frequencies costs, about.
const COST_OF_OWN: f64 = 16.0;
/// And for each symbol that occurs in it.
const COST_OF_SYMBOL: f64 = 8.0;

impl<const N: usize> Model<N> {
    /// The model of what was counted.
    pub fn new<C: Contexts>(counter: &Counter<N>) -> Model<N> {
        let mut coarse = vec![[0; N]; C::COARSE];
        for (fine, counts) in counter.counts.iter().enumerate() {
            for (sum, count) in coarse[C::coarse(fine)].iter_mut().zip(counts) {
                *sum += count;
            }
        }
        let mut tables: Vec<_> = coarse.iter().map(Frequencies::from_counts).collect();
        let places = counter
            .counts
            .iter()
            .enumerate()
            .map(|(fine, counts)| {
                let coarse = C::coarse(fine);
                let occurring = counts.iter().filter(|&&count| count > 0).count();
                if occurring == 0 {
                    return coarse as u16;
                }
                let mine = Frequencies::from_counts(counts);
                let saved = cost(&tables[coarse], counts) - cost(&mine, counts);
                let worth_it = saved > COST_OF_OWN + COST_OF_SYMBOL * occurring as f64;
                match u16::try_from(tables.len()) {
                    Ok(place) if worth_it => {
                        tables.push(mine);
                        place
                    }
                    _ => coarse as u16,
                }
            })
            .collect();
        Model { tables, places, coarse: C::COARSE as u16 }
    }

    /// The frequencies that hold in a context.
    #[inline(always)]
    pub fn frequencies(&self, context: usize) -> &Frequencies<N> {
        &self.tables[usize::from(self.places[context])]
    }

    /// The model as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let write = |bytes: &mut Vec<u8>, table: &Frequencies<N>| {
            // The last share follows from the others.
            for share in &table.shares()[..N - 1] {
                push_number(bytes, u32::from(*share) - 1);
            }
        };
        let coarse = usize::from(self.coarse);
        self.tables[..coarse].iter().for_each(|table| write(&mut bytes, table));
        let mut skipped = 0;
        for &place in &self.places {
            if place < self.coarse {
                skipped += 1;
            } else {
                push_number(&mut bytes, skipped);
                skipped = 0;
                write(&mut bytes, &self.tables[usize::from(place)]);
            }
        }
        bytes
    }

    /// Reads a model; `None` if the bytes are not one.
    pub fn from_bytes<C: Contexts>(mut bytes: &[u8]) -> Option<Model<N>> {
        let read = |bytes: &mut &[u8]| {
            let mut shares = [0; N];
            let mut left = 1u32 << SCALE_BITS;
            for share in &mut shares[..N - 1] {
                let value = take_number(bytes)?.checked_add(1)?;
                left = left.checked_sub(value)?;
                *share = value as u16;
            }
            shares[N - 1] = left as u16;
            Frequencies::from_shares(&shares)
        };
        let mut tables = Vec::new();
        for _ in 0..C::COARSE {
            tables.push(read(&mut bytes)?);
        }
        let mut places: Vec<u16> = (0..C::FINE).map(|fine| C::coarse(fine) as u16).collect();
        let mut at = 0;
        while !bytes.is_empty() {
            at += take_number(&mut bytes)? as usize;
            *places.get_mut(at)? = u16::try_from(tables.len()).ok()?;
            tables.push(read(&mut bytes)?);
            at += 1;
        }
        Some(Model { tables, places, coarse: C::COARSE as u16 })
    }
}

fn cost<const N: usize>(frequencies: &Frequencies<N>, counts: &[u32; N]) -> f64 {
    let shares = frequencies.shares();
    let bits = |share: u16| f64::from(SCALE_BITS) - f64::from(share).log2();
    counts.iter().zip(shares).map(|(&count, share)| f64::from(count) * bits(share)).sum()
}

/// Seven bits a byte, the low ones first.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in [0, 7, 14, 21] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 127) << shift;
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// A model of three symbols for quick reading. Contexts go in lines of sixteen, each line as long as
/// a line of a processor's cache, and lines that are alike are kept once: most are, and a model that
/// is rarely used should not push others out of the cache.
pub struct Lines {
    line_of: Vec<u16>,
    lines: Vec<Line>,
}

#[repr(align(64))]
struct Line([Packed; LINE]);

impl Lines {
    /// The same frequencies, laid out for reading; `None` if there are more lines than can be.
    pub fn new(model: &Model<3>) -> Option<Lines> {
        let mut known: HashMap<&[u16], u16> = HashMap::new();
        let mut lines = Vec::new();
        let mut line_of = Vec::with_capacity(model.places.len().div_ceil(LINE));
        for places in model.places.chunks(LINE) {
            let next = u16::try_from(lines.len()).ok()?;
            line_of.push(*known.entry(places).or_insert_with(|| {
                let mut line = Line([Packed::default(); LINE]);
                for (packed, &place) in line.0.iter_mut().zip(places) {
                    *packed = Packed::from(&model.tables[usize::from(place)]);
                }
                lines.push(line);
                next
            }));
        }
        Some(Lines { line_of, lines })
    }
}

/// Reads a block of three symbols.
pub struct LineReader<'a> {
    model: &'a Lines,
    streams: [&'a [u8]; 2],
    decoder: Decoder<'a>,
}

impl<'a> LineReader<'a> {
    /// A reader of a block with these streams.
    #[inline]
    pub fn new(model: &'a Lines, streams: [&'a [u8]; 2]) -> Self {
        LineReader { model, streams, decoder: Decoder::new(&[]) }
    }
}

impl Symbols<3> for LineReader<'_> {
    const READS: bool = true;

    #[inline]
    fn start(&mut self, stream: usize) {
        self.decoder = Decoder::new(self.streams[stream]);
    }

    #[inline(always)]
    fn symbol(&mut self, context: usize, symbol: usize) -> usize {
        self.symbol_in(context / LINE, context % LINE, symbol)
    }

    #[inline(always)]
    fn symbol_in(&mut self, line: usize, column: usize, _: usize) -> usize {
        let line = &self.model.lines[usize::from(self.model.line_of[line])];
        self.decoder.get_packed(line.0[column % LINE])
    }

    fn byte(&mut self, _: u8) -> u8 {
        self.decoder.get_byte()
    }
}

/// Writes a block: remembers its symbols, then codes them last first.
pub struct Writer<'a, const N: usize> {
    model: &'a Model<N>,
    streams: [Vec<Written>; 2],
    current: usize,
}

enum Written {
    Symbol(u32, u8),
    Byte(u8),
}

impl<'a, const N: usize> Writer<'a, N> {
    /// For blocks of this model, one after the other.
    pub fn new(model: &'a Model<N>) -> Self {
        Writer { model, streams: [Vec::new(), Vec::new()], current: 0 }
    }

    /// Appends the block's bytes and begins a new block. Returns the lengths of the streams.
    ///
    /// # Panics
    ///
    /// If a stream is too long for a two-byte length; a few hundred symbols never are.
    pub fn finish(&mut self, bytes: &mut Vec<u8>) -> [u16; 2] {
        [0, 1].map(|stream: usize| {
            let mut encoder = Encoder::new();
            for written in self.streams[stream].drain(..).rev() {
                match written {
                    Written::Symbol(context, symbol) => {
                        let frequencies = self.model.frequencies(context as usize);
                        encoder.put(frequencies, usize::from(symbol));
                    }
                    Written::Byte(byte) => encoder.put_byte(byte),
                }
            }
            let coded = encoder.finish();
            bytes.extend(&coded);
            u16::try_from(coded.len()).expect("a stream has a few hundred symbols")
        })
    }
}

impl<const N: usize> Symbols<N> for Writer<'_, N> {
    const READS: bool = false;

    fn start(&mut self, stream: usize) {
        self.current = stream;
    }

    fn symbol(&mut self, context: usize, symbol: usize) -> usize {
        self.streams[self.current].push(Written::Symbol(context as u32, symbol as u8));
        symbol
    }

    fn byte(&mut self, byte: u8) -> u8 {
        self.streams[self.current].push(Written::Byte(byte));
        byte
    }
}

/// Reads a block.
pub struct Reader<'a, const N: usize> {
    model: &'a Model<N>,
    streams: [&'a [u8]; 2],
    decoder: Decoder<'a>,
}

impl<'a, const N: usize> Reader<'a, N> {
    /// A reader of a block with these streams.
    #[inline]
    pub fn new(model: &'a Model<N>, streams: [&'a [u8]; 2]) -> Self {
        Reader { model, streams, decoder: Decoder::new(&[]) }
    }
}

impl<const N: usize> Symbols<N> for Reader<'_, N> {
    const READS: bool = true;

    #[inline]
    fn start(&mut self, stream: usize) {
        self.decoder = Decoder::new(self.streams[stream]);
    }

    #[inline(always)]
    fn symbol(&mut self, context: usize, _: usize) -> usize {
        self.decoder.get(self.model.frequencies(context))
    }

    fn byte(&mut self, _: u8) -> u8 {
        self.decoder.get_byte()
    }
}
