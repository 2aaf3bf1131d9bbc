//! One file a class: the header, and what it promises about the payload.
//!
//! ```text
//! magic          8 bytes   89 4D 54 42 0D 0A 1A 0A
//! header length  4 bytes   little-endian, as are all numbers
//! header         see [`Header`], written by `Writer`
//! checksum       8 bytes   of everything before it
//! payload        to the end of the file, see `codec`
//! ```

use std::fmt;

use game::truth::{Truth, Wdl};
use jungle::{ByColor, Color, Jungle, Rules};

use crate::cell::Cell;
use crate::checked::{Checked, Checksum, Damaged, checksum, checksums};
use crate::codec::{Decoder, Sizes, encode};
use crate::grid::{Grid, ROW};
use crate::material::{Class, Material, table_rules};
use crate::solved::{Cells, Solved};
use crate::source::Bytes;

/// The first bytes of every table file.
pub const MAGIC: [u8; 8] = *b"\x89MTB\r\n\x1a\n";

/// The version of the format written here, and the only one read.
pub const VERSION: u16 = 2;

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules, as far as tables depend on them.
    pub rules: Rules,
    /// The class that lends the table its name.
    pub material: Material,
    /// Counts over all placements, mirror images counted apart, by side to move.
    pub counts: ByColor<Counts>,
    /// Whether the table knows how long a win takes, or only who wins.
    pub distances: bool,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableError {
    /// The bytes are not what was written.
    Corrupt(&'static str),
    /// The file is of another version of the format.
    Version(u16),
    /// The table knows who wins but not how soon.
    NoDistances,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Corrupt(what) => write!(f, "{what}; delete the file and build it anew"),
            TableError::NoDistances => {
                f.write_str("it was built with --wdl-only and knows no distances; build it anew")
            }
            TableError::Version(found) if *found < VERSION => write!(
                f,
                "it was built by an older version of the program (format {found}, now {VERSION}); \
                 `mousetrap tb build` builds it anew"
            ),
            TableError::Version(found) => write!(
                f,
                "it was built by a newer version of the program (format {found}, this one reads \
                 {VERSION}); use that version, or build it anew in another folder"
            ),
        }
    }
}

impl std::error::Error for TableError {}

impl From<Damaged> for TableError {
    fn from(Damaged: Damaged) -> TableError {
        TableError::Corrupt("the contents do not match their checksum")
    }
}

/// The file's name.
pub fn file_name(material: Material) -> String {
    format!("{material}.mtb")
}

/// Writes a solved class as a file, with distances or without.
pub fn write(rules: &Rules, class: &Class, solved: &Solved, distances: bool) -> Vec<u8> {
    let jungle = Jungle::new(table_rules(rules));
    let payload = encode(&jungle, solved, distances);
    let header = Header {
        rules: table_rules(rules),
        material: class.material,
        counts: count(rules, solved),
        distances,
    };
    let mut bytes = Vec::with_capacity(payload.len() + 1024);
    bytes.extend(MAGIC);
    let body = header.to_bytes(&checksums(&payload), payload.len() as u64);
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(body);
    bytes.extend(checksum(&bytes));
    bytes.extend(payload);
    bytes
}

/// A table ready to be asked.
pub struct Table {
    header: Header,
    grid: Grid,
    decoder: Decoder,
}

impl Table {
    /// Reads the header and checks it; the payload is checked as it is touched.
    ///
    /// # Errors
    ///
    /// If the file is damaged, or not the table of this class under these rules.
    pub fn open(rules: &Rules, class: &Class, bytes: Bytes) -> Result<Table, TableError> {
        let all = (*bytes).as_ref();
        let (header, sums, payload) = Header::parse(all)?;
        if header.rules != table_rules(rules) {
            return Err(TableError::Corrupt("the table is for other rules"));
        }
        if header.material != class.material {
            return Err(TableError::Corrupt("the table is for another class"));
        }
        let jungle = Jungle::new(header.rules);
        let grid = Grid::new(&jungle, &class.slots);
        let payload = Checked::new(bytes.clone(), payload, sums)?;
        let decoder = Decoder::new(&jungle, &grid, payload)?;
        if decoder.has_distances() != header.distances {
            return Err(TableError::Corrupt("the header and the contents disagree"));
        }
        Ok(Table { header, grid, decoder })
    }

    /// What the file says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How positions are numbered.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many bytes the parts of the payload take.
    pub fn sizes(&self) -> Sizes {
        self.decoder.sizes()
    }

    /// Whether the table holds the truth for this side to move. For the other side it knows what
    /// quiet moves achieve; captures and dens entered are for the caller to consider.
    pub fn is_complete_for(&self, turn: Color) -> bool {
        self.decoder.is_stored(turn)
    }

    /// Who wins, for the player to move; see [`is_complete_for`](Table::is_complete_for). `None` if
    /// there are no quiet moves to tell.
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

    /// All that the table says of one side to move, in cells that are wide enough; `NONE` where
    /// [`value`](Table::value) is `None`. `None` if a distance does not fit the cells.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn cells<C: Cell>(&self, turn: Color) -> Result<Option<Vec<C>>, TableError> {
        self.check_distances()?;
        Ok(self.decoder.cells(turn)?)
    }

    /// The whole table: for each side to move what [`cells`](Table::cells) says.
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
        if self.header.distances { Ok(()) } else { Err(TableError::NoDistances) }
    }
}

impl Header {
    fn to_bytes(&self, sums: &[Checksum], payload: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(VERSION.to_le_bytes());
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
        bytes.push(u8::from(self.distances));
        bytes.extend(payload.to_le_bytes());
        for sum in sums {
            bytes.extend(sum);
        }
        bytes
    }

    /// The header, the payload's checksums and where the payload lies.
    pub(crate) fn parse(
        bytes: &[u8],
    ) -> Result<(Header, Vec<Checksum>, std::ops::Range<usize>), TableError> {
        let damaged = TableError::Corrupt("the header is damaged");
        let mut reader = Reader(bytes);
        if reader.take(8) != Some(&MAGIC) {
            return Err(TableError::Corrupt("this is not a table file"));
        }
        let len = reader.number(4).ok_or(damaged.clone())? as usize;
        let body = reader.take(len).ok_or(damaged.clone())?;
        let sum = reader.take(8).ok_or(damaged.clone())?;
        let start = 8 + 4 + len + 8;
        let version = Reader(body).number(2).ok_or(damaged.clone())? as u16;
        if checksum(&bytes[..start - 8]) != sum {
            return Err(damaged);
        }
        if version != VERSION {
            return Err(TableError::Version(version));
        }
        Header::parse_body(body)
            .filter(|(_, _, payload)| start as u64 + payload == bytes.len() as u64)
            .map(|(header, sums, _)| (header, sums, start..bytes.len()))
            .ok_or(damaged)
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
        let distances = match reader.number(1)? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let payload = reader.number(8)?;
        let (sums, rest) = reader.0.as_chunks::<8>();
        rest.is_empty()
            .then(|| (Header { rules, material, counts, distances }, sums.to_vec(), payload))
    }
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
