//! How likely each symbol is in each context: counted over the table, pruned, and stored with it.
//!
//! A context has a coarse form and a fine one. The fine form has frequencies of its own only where
//! they save more bits than it costs to store them; elsewhere the coarse form's serve.

use super::rans::{Decoder, Encoder, Frequencies, SCALE_BITS};

/// A context, coarse and fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Below the model's number of coarse contexts.
    pub coarse: usize,
    /// Below the model's number of fine contexts.
    pub fine: usize,
}

/// One pass over the symbols of a block: counting them, writing them or reading them. The same code
/// walks a block in all three cases, so that they agree on every context.
pub trait Symbols<const N: usize> {
    /// Whether the symbols come from here, so that the truth need not be asked.
    const READS: bool;

    /// Handles the next symbol. A reader ignores what it is given and returns what it read; the
    /// others return what they were given.
    fn symbol(&mut self, context: Context, symbol: usize) -> usize;

    /// Handles a byte that follows no pattern.
    fn byte(&mut self, byte: u8) -> u8;
}

/// Counts symbols to make a model of them.
#[derive(Clone, Debug)]
pub struct Counter<const N: usize> {
    coarse: Vec<[u32; N]>,
    fine: Vec<[u32; N]>,
}

impl<const N: usize> Counter<N> {
    /// Nothing counted yet.
    pub fn new(coarse: usize, fine: usize) -> Counter<N> {
        Counter { coarse: vec![[0; N]; coarse], fine: vec![[0; N]; fine] }
    }

    /// Both taken together.
    #[must_use]
    pub fn plus(mut self, other: &Counter<N>) -> Counter<N> {
        let pairs = self.coarse.iter_mut().chain(&mut self.fine);
        for (ours, theirs) in pairs.zip(other.coarse.iter().chain(&other.fine)) {
            for (our, their) in ours.iter_mut().zip(theirs) {
                *our += their;
            }
        }
        self
    }
}

impl<const N: usize> Symbols<N> for Counter<N> {
    const READS: bool = false;

    #[inline]
    fn symbol(&mut self, context: Context, symbol: usize) -> usize {
        self.coarse[context.coarse][symbol] += 1;
        self.fine[context.fine][symbol] += 1;
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
    /// For each fine context, its own table; `None` if the coarse one serves.
    own: Vec<Option<std::num::NonZeroU16>>,
}

/// Bits that storing a fine context's frequencies costs, about.
const COST_OF_OWN: f64 = 16.0;
/// And for each symbol that occurs in it.
const COST_OF_SYMBOL: f64 = 8.0;

impl<const N: usize> Model<N> {
    /// The model of what was counted.
    pub fn new(counter: &Counter<N>, coarse_of: impl Fn(usize) -> usize) -> Model<N> {
        let mut tables: Vec<_> = counter.coarse.iter().map(Frequencies::from_counts).collect();
        let own = counter
            .fine
            .iter()
            .enumerate()
            .map(|(fine, counts)| {
                let mine = Frequencies::from_counts(counts);
                let saved = cost(&tables[coarse_of(fine)], counts) - cost(&mine, counts);
                let occurring = counts.iter().filter(|&&count| count > 0).count();
                let worth_it = saved > COST_OF_OWN + COST_OF_SYMBOL * occurring as f64;
                let place = u16::try_from(tables.len()).ok().and_then(std::num::NonZeroU16::new);
                let place = place.filter(|_| worth_it)?;
                tables.push(mine);
                Some(place)
            })
            .collect();
        Model { tables, own }
    }

    /// The frequencies that hold in a context.
    #[inline(always)]
    pub fn frequencies(&self, context: Context) -> &Frequencies<N> {
        match self.own[context.fine] {
            Some(place) => &self.tables[usize::from(place.get())],
            None => &self.tables[context.coarse],
        }
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
        let coarse = self.tables.len() - self.own.iter().flatten().count();
        self.tables[..coarse].iter().for_each(|table| write(&mut bytes, table));
        let mut skipped = 0;
        for own in &self.own {
            match own {
                None => skipped += 1,
                Some(place) => {
                    push_number(&mut bytes, skipped);
                    skipped = 0;
                    write(&mut bytes, &self.tables[usize::from(place.get())]);
                }
            }
        }
        bytes
    }

    /// Reads a model; `None` if the bytes are none.
    pub fn from_bytes(mut bytes: &[u8], coarse: usize, fine: usize) -> Option<Model<N>> {
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
        for _ in 0..coarse {
            tables.push(read(&mut bytes)?);
        }
        let mut own = vec![None; fine];
        let mut at = 0;
        while !bytes.is_empty() {
            at += take_number(&mut bytes)? as usize;
            let place = std::num::NonZeroU16::new(u16::try_from(tables.len()).ok()?)?;
            *own.get_mut(at)? = Some(place);
            tables.push(read(&mut bytes)?);
            at += 1;
        }
        Some(Model { tables, own })
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

/// Writes a block: remembers its symbols, then codes them last first.
pub struct Writer<'a, const N: usize> {
    model: &'a Model<N>,
    symbols: Vec<Written>,
    /// Whether any symbol was not the likeliest in its context.
    surprising: bool,
}

enum Written {
    Symbol(Context, usize),
    Byte(u8),
}

impl<'a, const N: usize> Writer<'a, N> {
    /// An empty block.
    pub fn new(model: &'a Model<N>) -> Self {
        Writer { model, symbols: Vec::new(), surprising: false }
    }

    /// The block's bytes: none at all if every symbol was the likeliest.
    pub fn finish(self) -> Vec<u8> {
        if !self.surprising {
            return Vec::new();
        }
        let mut encoder = Encoder::new();
        for written in self.symbols.iter().rev() {
            match written {
                Written::Symbol(context, symbol) => {
                    encoder.put(self.model.frequencies(*context), *symbol);
                }
                Written::Byte(byte) => encoder.put_byte(*byte),
            }
        }
        encoder.finish()
    }
}

impl<const N: usize> Symbols<N> for Writer<'_, N> {
    const READS: bool = false;

    fn symbol(&mut self, context: Context, symbol: usize) -> usize {
        self.surprising |= symbol != self.model.frequencies(context).most();
        self.symbols.push(Written::Symbol(context, symbol));
        symbol
    }

    fn byte(&mut self, byte: u8) -> u8 {
        self.surprising = true;
        self.symbols.push(Written::Byte(byte));
        byte
    }
}

/// Reads a block.
pub struct Reader<'a, const N: usize> {
    model: &'a Model<N>,
    /// `None` if every symbol is the likeliest.
    decoder: Option<Decoder<'a>>,
}

impl<'a, const N: usize> Reader<'a, N> {
    /// Starts reading a block.
    pub fn new(model: &'a Model<N>, bytes: &'a [u8]) -> Self {
        Reader { model, decoder: (!bytes.is_empty()).then(|| Decoder::new(bytes)) }
    }
}

impl<const N: usize> Symbols<N> for Reader<'_, N> {
    const READS: bool = true;

    #[inline(always)]
    fn symbol(&mut self, context: Context, _: usize) -> usize {
        let frequencies = self.model.frequencies(context);
        match &mut self.decoder {
            Some(decoder) => decoder.get(frequencies),
            None => frequencies.most(),
        }
    }

    fn byte(&mut self, _: u8) -> u8 {
        self.decoder.as_mut().map_or(0, Decoder::get_byte)
    }
}
