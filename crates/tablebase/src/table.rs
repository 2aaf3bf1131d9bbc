//! Table files, one a class: the header and the payload.
//!
//! ```text
//! magic          8 bytes   89 4D 54 42 0D 0A 1A 0A
//! header length  4 bytes   little-endian, as are all numbers
//! header         see [`Header`], written by `Writer`
//! checksum       8 bytes   of everything before it
//! payload        to the end of the file, see `codec`
//! ```

use std::io;
use std::ops::Range;
use std::sync::Arc;

use game::truth::{Truth, Wdl};
use jungle::{ByColor, Color, Jungle, Rules};
use thiserror::Error;

use crate::cell::Cell;
use crate::codec::{Decoder, Sizes, encode};
use crate::grid::{Grid, ROW};
use crate::material::{Class, Material, table_rules};
use crate::payload::{Budget, Checksum, Payload, PayloadError, checksum, checksums};
use crate::remedy::Remedy;
use crate::solved::{Cells, Solved};
use crate::storage::ReadAt;
use crate::version::Version;

/// The first bytes of every table file.
pub const MAGIC: [u8; 8] = *b"\x89MTB\r\n\x1a\n";

/// How the names of table files end.
pub const SUFFIX: &str = ".mtb";

/// The oldest and the newest version of the format that can be read.
const OLDEST: u16 = Version::OLDEST.number();
const NEWEST: u16 = Version::WRITTEN.number();

/// The header of a file, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules, as far as tables depend on them.
    pub rules: Rules,
    /// The class that gives the table its name.
    pub material: Material,
    /// Counts over all placements, mirror images counted apart, by side to move.
    pub counts: ByColor<Counts>,
    /// What is stored.
    pub stored: Stored,
}

/// What a table stores of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Whether the table has distances, or only outcomes.
    pub distances: bool,
    /// Whether it has both sides to move, where one and a ply of search would do. It is about twice as large then, and
    /// a probe needs no smaller tables, which matters where each is a request to another machine.
    pub both_sides: bool,
}

impl Stored {
    /// Outcomes and distances of one side to move.
    pub const USUAL: Stored = Stored { distances: true, both_sides: false };
    /// Outcomes of one side to move.
    pub const OUTCOMES: Stored = Stored { distances: false, both_sides: false };

    /// As a byte of the header.
    fn to_byte(self) -> u8 {
        u8::from(self.distances) | u8::from(self.both_sides) << 1
    }

    fn from_byte(byte: u64) -> Option<Stored> {
        (byte < 4).then_some(Stored { distances: byte & 1 != 0, both_sides: byte & 2 != 0 })
    }

    /// Whether all that `other` has is there.
    pub(crate) fn covers(self, other: Stored) -> bool {
        self.to_byte() & other.to_byte() == other.to_byte()
    }
}

/// How many positions there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions won for the player to move.
    pub wins: u64,
    /// Positions lost.
    pub losses: u64,
    /// Positions drawn, those without a legal move included where that is a draw.
    pub draws: u64,
    /// Positions without a legal move, whatever that means under the rules.
    pub stalemates: u64,
    /// The longest win or loss, in plies.
    pub longest: u32,
}

/// Why a table cannot be used.
#[derive(Debug, Error)]
pub enum TableError {
    /// The bytes are not what was written.
    #[error("{0}")]
    Corrupt(&'static str),
    /// The file is of a version of the format that this program does not read.
    #[error("it is of format {0}, and this program reads formats {OLDEST} to {NEWEST}")]
    Version(u16),
    /// The table holds outcomes (WDL) alone, and a distance was asked for.
    #[error("it holds outcomes but no distances")]
    NoDistances,
    /// The bytes cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
}

impl TableError {
    /// What would help.
    pub fn remedy(&self) -> Remedy {
        match self {
            TableError::Corrupt(_) => Remedy::Rebuild,
            TableError::Version(_) if self.is_outdated() => Remedy::BuildAgain,
            TableError::Version(_) => Remedy::NewerProgram,
            TableError::NoDistances => Remedy::BuildDistances,
            TableError::Read(error) => Remedy::of_disk(error),
        }
    }

    /// Whether a program wrote the table that is too old for this one.
    pub(crate) fn is_outdated(&self) -> bool {
        matches!(self, TableError::Version(found) if *found < OLDEST)
    }
}

impl From<PayloadError> for TableError {
    fn from(error: PayloadError) -> TableError {
        match error {
            PayloadError::Damaged => {
                TableError::Corrupt("the contents do not match their checksum")
            }
            PayloadError::Read(error) => TableError::Read(error),
        }
    }
}

/// The file's name.
pub fn file_name(material: Material) -> String {
    format!("{material}{SUFFIX}")
}

/// The class that a table file is named after.
pub fn class_of_file(file: &str) -> Option<Material> {
    file.strip_suffix(SUFFIX)?.parse().ok()
}

/// Writes a solved class as a file.
pub fn write(rules: &Rules, class: Material, solved: &Solved, stored: Stored) -> Vec<u8> {
    let jungle = Jungle::new(table_rules(rules));
    let payload = encode(&jungle, solved, stored);
    let header =
        Header { rules: table_rules(rules), material: class, counts: count(rules, solved), stored };
    let mut bytes = Vec::with_capacity(payload.len() + 1024);
    bytes.extend(MAGIC);
    let sums = checksums(&payload, Version::WRITTEN);
    let body = header.to_bytes(&sums, payload.len() as u64);
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(body);
    bytes.extend(checksum(&bytes));
    bytes.extend(payload);
    bytes
}

/// An open table, ready to be probed.
pub struct Table {
    header: Header,
    hash: String,
    grid: Grid,
    decoder: Decoder,
}

impl Table {
    /// Reads the header and checks it; the payload is checked as it is read.
    ///
    /// # Errors
    ///
    /// If the file is damaged, or not the table of this class under these rules.
    pub fn open(
        rules: &Rules,
        class: &Class,
        file: Box<dyn ReadAt>,
        budget: Arc<Budget>,
    ) -> Result<Table, TableError> {
        let front = Front::read(&*file)?;
        front.header.check(rules, class)?;
        let jungle = Jungle::new(front.header.rules);
        let stored = front.header.stored;
        let grid = Grid::new(&jungle, &class.slots).with_both_sides(stored.both_sides);
        let payload = front.contents.payload(file, budget)?;
        payload.keep_front();
        let decoder = Decoder::new(&jungle, &grid, payload)?;
        if decoder.has_distances() != stored.distances {
            return Err(TableError::Corrupt("the header and the contents disagree"));
        }
        Ok(Table { header: front.header, hash: front.hash, grid, decoder })
    }

    /// Evicts chunks of the payload that were not used lately.
    pub fn give_up_unused(&self) {
        self.decoder.give_up_unused();
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// BLAKE3 of the bytes of the header, in hexadecimal. They hold the checksums of all contents, so tables with
    /// the same one are the same.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// How positions are numbered.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many bytes the parts of the payload take.
    pub fn sizes(&self) -> Sizes {
        self.decoder.sizes()
    }

    /// Whether the table holds the truth for this side to move. For the other side it holds what
    /// quiet moves achieve; captures and dens entered are left to the caller.
    pub fn is_complete_for(&self, turn: Color) -> bool {
        self.decoder.is_stored(turn)
    }

    /// Who wins, for the player to move; see [`is_complete_for`](Table::is_complete_for). `None` if
    /// there are no quiet moves.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    #[inline]
    pub fn outcome(&self, turn: Color, number: usize) -> Result<Option<Wdl>, TableError> {
        Ok(self.decoder.outcome(turn, number)?)
    }

    /// Who wins and how soon; as [`outcome`](Table::outcome) otherwise.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    #[inline]
    pub fn value(&self, turn: Color, number: usize) -> Result<Option<Truth>, TableError> {
        self.check_distances()?;
        Ok(self.decoder.value(turn, number)?)
    }

    /// All values for one side to move, in cells that are wide enough; `NONE` where
    /// [`value`](Table::value) is `None`. `None` if a distance does not fit the cells.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn cells<C: Cell>(&self, turn: Color) -> Result<Option<Vec<C>>, TableError> {
        self.check_distances()?;
        Ok(self.decoder.cells(turn)?)
    }

    /// The whole table: for each side to move what [`cells`](Table::cells) gives.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn load(&self) -> Result<Solved, TableError> {
        let narrow = (self.cells::<u8>(Color::White)?, self.cells::<u8>(Color::Black)?);
        let cells = if let (Some(white), Some(black)) = narrow {
            Cells::Narrow(ByColor { white, black })
        } else {
            let wide = (self.cells::<u16>(Color::White)?, self.cells::<u16>(Color::Black)?);
            let (Some(white), Some(black)) = wide else {
                return Err(TableError::Corrupt("a distance is out of range"));
            };
            Cells::Wide(ByColor { white, black })
        };
        Ok(Solved { grid: self.grid.clone(), cells })
    }

    fn check_distances(&self) -> Result<(), TableError> {
        if self.header.stored.distances { Ok(()) } else { Err(TableError::NoDistances) }
    }
}

impl Header {
    fn to_bytes(&self, sums: &[Checksum], payload: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(Version::WRITTEN.number().to_le_bytes());
        for text in [self.rules.to_string(), self.material.to_string()] {
            bytes.extend((text.len() as u16).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        for color in Color::ALL {
            let Counts { wins, losses, draws, stalemates, longest } = self.counts[color];
            for number in [wins, losses, draws, stalemates, u64::from(longest)] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.push(self.stored.to_byte());
        bytes.extend(payload.to_le_bytes());
        for sum in sums {
            bytes.extend(sum);
        }
        bytes
    }

    /// Whether this is the header of the class under these rules.
    fn check(&self, rules: &Rules, class: &Class) -> Result<(), TableError> {
        if self.rules != table_rules(rules) {
            return Err(TableError::Corrupt("the table is for other rules"));
        }
        if self.material != class.material {
            return Err(TableError::Corrupt("the table is for another class"));
        }
        Ok(())
    }

    fn parse_body(body: &[u8]) -> Option<(Header, Vec<Checksum>, u64)> {
        let mut reader = Reader(&body[2..]);
        let rules = reader.text()?.parse().ok()?;
        let material = reader.text()?.parse().ok()?;
        let mut counts = ByColor::<Counts>::default();
        for color in Color::ALL {
            let mut number = || reader.number(8);
            counts[color] = Counts {
                wins: number()?,
                losses: number()?,
                draws: number()?,
                stalemates: number()?,
                longest: u32::try_from(number()?).ok()?,
            };
        }
        let stored = Stored::from_byte(reader.number(1)?)?;
        let payload = reader.number(8)?;
        let (sums, rest) = reader.0.as_chunks::<8>();
        rest.is_empty()
            .then(|| (Header { rules, material, counts, stored }, sums.to_vec(), payload))
    }
}

/// What precedes the payload.
struct Front {
    header: Header,
    /// Of its bytes.
    hash: String,
    contents: Contents,
}

/// What the header says of the payload.
struct Contents {
    version: Version,
    /// One for each chunk of the payload.
    checksums: Vec<Checksum>,
    /// Where the payload lies in the file.
    range: Range<u64>,
}

impl Contents {
    fn payload(self, file: Box<dyn ReadAt>, budget: Arc<Budget>) -> Result<Payload, PayloadError> {
        Payload::new(file, self.version, self.range, self.checksums, budget)
    }
}

impl Front {
    /// The magic and the length of the header.
    const PREFIX: usize = MAGIC.len() + 4;

    fn read(file: &dyn ReadAt) -> Result<Front, TableError> {
        let damaged = || TableError::Corrupt("the header is damaged");
        let whole = file.size()?;
        let mut bytes = vec![0; Front::PREFIX.min(usize::try_from(whole).unwrap_or(usize::MAX))];
        file.read_at(0, &mut bytes)?;
        let mut reader = Reader(&bytes);
        if reader.take(MAGIC.len()) != Some(&MAGIC) {
            return Err(TableError::Corrupt("this is not a table file"));
        }
        let len = reader.number(4).ok_or_else(damaged)? as usize;
        let checked = Front::PREFIX + len;
        let start = checked + size_of::<Checksum>();
        if start as u64 > whole {
            return Err(damaged());
        }
        bytes.resize(start, 0);
        file.read_at(Front::PREFIX as u64, &mut bytes[Front::PREFIX..])?;
        let body = &bytes[Front::PREFIX..checked];
        let version = Reader(body).number(2).ok_or_else(damaged)? as u16;
        if checksum(&bytes[..checked]) != bytes[checked..] {
            return Err(damaged());
        }
        let version = Version::from_number(version).ok_or(TableError::Version(version))?;
        let (header, checksums, payload) = Header::parse_body(body).ok_or_else(damaged)?;
        if (start as u64).checked_add(payload) != Some(whole) {
            return Err(damaged());
        }
        let contents = Contents { version, checksums, range: start as u64..whole };
        let hash = blake3::hash(&bytes[..checked]).to_hex().to_string();
        Ok(Front { header, hash, contents })
    }
}

/// Checks a file's header and the checksums of all its contents.
///
/// # Errors
///
/// If anything is not as it was written, or the table is not that of the class.
pub fn verify(rules: &Rules, class: &Class, file: Box<dyn ReadAt>) -> Result<(), TableError> {
    let front = Front::read(&*file)?;
    front.header.check(rules, class)?;
    let budget = Arc::new(Budget::new(0));
    Ok(front.contents.payload(file, budget)?.verify()?)
}

/// Takes bytes off the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(len)?;
        self.0 = tail;
        Some(head)
    }

    fn number(&mut self, len: usize) -> Option<u64> {
        let bytes = self.take(len)?;
        Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn text(&mut self) -> Option<&'a str> {
        let len = self.number(2)? as usize;
        std::str::from_utf8(self.take(len)?).ok()
    }
}

/// Counts the positions of a solved class.
pub fn count(rules: &Rules, solved: &Solved) -> ByColor<Counts> {
    use rayon::prelude::*;

    let jungle = Jungle::new(table_rules(rules));
    let stuck = crate::solve::Stuck::new(&jungle, &solved.grid);
    ByColor::from_fn(|turn| {
        let rows = (0..solved.grid.rows()).into_par_iter();
        let counted = rows.map(|row| {
            let mut counts = Counts::default();
            let Some((free, weight)) = stuck.free(row) else { return counts };
            for square in free {
                let (number, plies) = match solved.value(turn, row * ROW + square.index()) {
                    Truth::Win(plies) => (&mut counts.wins, plies),
                    Truth::Loss(plies) => (&mut counts.losses, plies),
                    Truth::Draw => (&mut counts.draws, 0),
                };
                *number += weight;
                counts.longest = counts.longest.max(plies);
            }
            counts.stalemates = weight * u64::from(stuck.stuck(turn, row).len());
            counts
        });
        counted.reduce(Counts::default, Counts::plus)
    })
}

impl Counts {
    /// Both taken together.
    #[must_use]
    pub fn plus(self, other: Counts) -> Counts {
        Counts {
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
            stalemates: self.stalemates + other.stalemates,
            longest: self.longest.max(other.longest),
        }
    }

    /// All positions.
    pub fn placements(self) -> u64 {
        self.wins + self.losses + self.draws
    }
}
