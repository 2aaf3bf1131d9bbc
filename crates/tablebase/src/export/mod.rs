//! Exports: the values of a class position by position, for formats that others read.
//!
//! All placements of the class by name are listed, mirror images too, with White to move, as in the
//! papers; for Black to move, export the class with the colours exchanged. The squares of
//! the pieces count like an odometer, White's strongest piece slowest and Black's weakest fastest.

#[cfg(feature = "parquet")]
mod parquet;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use game::rng::Rng;
use game::truth::Truth;
use jungle::{Color, Move, Piece, Position, Rules, Square};
use thiserror::Error;

use crate::class::{Loader, Reader};
use crate::grid::domain;
use crate::lookahead::Lookahead;
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::remedy::Remedy;

/// A class to be exported, White to move: all its positions, or a sample.
pub struct Export {
    class: Material,
    rules: Rules,
    ahead: Lookahead,
    placements: Placements,
    sample: Option<u64>,
    seed: u64,
    stop: Arc<AtomicBool>,
}

/// A position of an export.
#[derive(Clone, Copy, Debug)]
pub struct ExportRow<'a> {
    /// Where the pieces stand, in the order of [`Export::pieces`].
    pub squares: &'a [Square],
    /// What it is worth to White, who is to move.
    pub value: Truth,
    /// The first best move, if there is any.
    pub best: Option<Move>,
}

/// Why an export failed.
#[derive(Debug, Error)]
pub enum ExportError {
    /// A table is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The tables contradict themselves.
    #[error("the tables contradict themselves")]
    Contradiction,
    /// The export was stopped.
    #[error("the export was stopped; no file was written")]
    Stopped,
    /// The path does not name a file.
    #[error("{} does not name a file", .0.display())]
    NoFile(PathBuf),
    /// The file could not be written.
    #[error("writing {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The feature `parquet` was left out of the build.
    #[error(
        "this build writes text, not Parquet: for both, `cargo install --path crates/app --features full`"
    )]
    LeftOut,
    /// The file could not be written as Parquet.
    #[cfg(feature = "parquet")]
    #[error("writing Parquet: {0}")]
    Parquet(#[from] ::parquet::errors::ParquetError),
}

impl ExportError {
    /// What would help, if anything would.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            ExportError::Probe(error) => error.remedy(),
            ExportError::Contradiction => Some(Remedy::Verify),
            ExportError::NoFile(_) => Some(Remedy::NameFile),
            _ => None,
        }
    }

    /// Whether the cause is outside, such as a disk, and not the request.
    pub fn is_outside(&self) -> bool {
        match self {
            ExportError::Probe(error) => error.is_outside(),
            ExportError::NoFile(_) | ExportError::LeftOut => false,
            _ => true,
        }
    }
}

impl Export {
    /// A class, or this many positions of it picked at random.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn new(
        tablebase: &Tablebase,
        class: Material,
        sample: Option<u64>,
        seed: u64,
    ) -> Result<Export, ProbeError> {
        let pieces = class.in_order();
        let ahead = Lookahead::new(&mut Loader::new(tablebase), tablebase.jungle(), &pieces)?;
        Ok(Export {
            class,
            rules: *tablebase.rules(),
            ahead,
            placements: Placements::new(&pieces),
            sample,
            seed,
            stop: Arc::default(),
        })
    }

    /// Ends with an error once `stop` is set.
    #[must_use]
    pub fn stopped_by(self, stop: Arc<AtomicBool>) -> Export {
        Export { stop, ..self }
    }

    /// The class.
    pub fn class(&self) -> Material {
        self.class
    }

    /// The rules of the tables.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The pieces, in the order in which rows have their squares.
    pub fn pieces(&self) -> &[Piece] {
        self.ahead.pieces()
    }

    /// The position of a row.
    ///
    /// # Errors
    ///
    /// If it is not a position, which does not happen to rows of this export.
    pub fn position(&self, row: &ExportRow<'_>) -> Result<Position, ExportError> {
        self.ahead.position(row.squares, Color::White).ok_or(ExportError::Contradiction)
    }

    /// Calls `visit` for each position, in order.
    ///
    /// # Errors
    ///
    /// The first of `visit`, or that the tables contradict themselves.
    pub fn for_each<E: From<ExportError>>(
        &self,
        mut visit: impl FnMut(ExportRow<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut squares = Vec::new();
        let mut moves = Vec::new();
        let mut chosen = Chosen::new(self.sample, self.placements.possible(), self.seed);
        for number in 0..self.placements.numbers() {
            if !self.placements.squares(number, &mut squares) || !chosen.next() {
                continue;
            }
            if self.stop.load(Relaxed) {
                return Err(ExportError::Stopped.into());
            }
            let found = self.ahead.recompute(&squares, Color::White, &mut moves);
            let (value, best) = found.ok_or(ExportError::Contradiction)?;
            visit(ExportRow { squares: &squares, value, best })?;
        }
        Ok(())
    }
}

impl Export {
    /// Writes the export as Parquet, for data frames: a column of squares for each piece (`w_E`, `b_R`;
    /// 0 is a1, 62 is g9), who is to move, the outcome for them (1 win, 0 draw, -1 loss) and the plies,
    /// null for a draw.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, the tables contradict themselves, or the feature `parquet` was left out.
    pub fn write_parquet(&self, file: &mut File) -> Result<(), ExportError> {
        #[cfg(feature = "parquet")]
        return parquet::write(self, file);
        #[cfg(not(feature = "parquet"))]
        {
            let _ = file;
            Err(ExportError::LeftOut)
        }
    }
}

/// The same rows without their best moves, as an iterator over batches that borrows nothing.
#[derive(Clone)]
pub struct Batches {
    reader: Reader,
    placements: Placements,
    next: u64,
    rows: usize,
}

/// The name of the column of a piece's squares, as in `w_E`.
pub fn column_name(piece: Piece) -> String {
    format!("{}_{}", piece.color.letter(), piece.animal.letter())
}

/// Some rows, by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// For each piece, its squares.
    pub squares: Vec<Vec<u8>>,
    /// What each position is worth to White, who is to move.
    pub values: Vec<Truth>,
}

impl Batches {
    /// A class in batches of this many rows.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn new(tablebase: &Tablebase, class: Material, rows: usize) -> Result<Batches, ProbeError> {
        let pieces = class.in_order();
        let reader = Loader::new(tablebase).reader(tablebase.jungle(), &pieces)?;
        // A class always has pieces on both sides.
        let reader = reader.ok_or(ProbeError::TooManyPieces { found: 0, most: 0 })?;
        Ok(Batches { reader, placements: Placements::new(&pieces), next: 0, rows: rows.max(1) })
    }

    /// How many rows there are in all.
    pub fn len(&self) -> u64 {
        self.placements.possible()
    }

    /// Whether there are none; a class always has some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Iterator for Batches {
    type Item = Columns;

    fn next(&mut self) -> Option<Columns> {
        let most = self.rows.min(self.placements.possible() as usize);
        let mut columns = Columns {
            squares: vec![Vec::with_capacity(most); self.placements.domains.len()],
            values: Vec::with_capacity(most),
        };
        let mut squares = Vec::new();
        while self.next < self.placements.numbers() && columns.values.len() < self.rows {
            let possible = self.placements.squares(self.next, &mut squares);
            self.next += 1;
            let value = if possible { self.reader.value(&squares, Color::White) } else { None };
            let Some(value) = value else { continue };
            for (column, square) in columns.squares.iter_mut().zip(&squares) {
                column.push(square.index() as u8);
            }
            columns.values.push(value);
        }
        (!columns.values.is_empty()).then_some(columns)
    }
}

/// Numbers for all ways to put pieces on squares where they can stand, collisions included.
#[derive(Clone)]
struct Placements {
    domains: Vec<Vec<Square>>,
}

impl Placements {
    fn new(pieces: &[Piece]) -> Placements {
        let domains = pieces.iter().map(|piece| domain(piece.animal).into_iter().collect());
        Placements { domains: domains.collect() }
    }

    fn numbers(&self) -> u64 {
        self.domains.iter().map(|domain| domain.len() as u64).product()
    }

    /// How many of them have no two pieces on a square. Land is part of where a rat can stand, so
    /// placing the walkers first and the rats after them counts every placement once.
    fn possible(&self) -> u64 {
        let mut sizes: Vec<u64> = self.domains.iter().map(|domain| domain.len() as u64).collect();
        sizes.sort_unstable();
        sizes.iter().zip(0..).map(|(size, taken)| size - taken).product()
    }

    /// The squares with this number; false if two pieces share one.
    fn squares(&self, mut number: u64, squares: &mut Vec<Square>) -> bool {
        squares.clear();
        squares.resize(self.domains.len(), Square::A1);
        for (square, domain) in squares.iter_mut().zip(&self.domains).rev() {
            *square = domain[(number % domain.len() as u64) as usize];
            number /= domain.len() as u64;
        }
        (1..squares.len()).all(|at| !squares[..at].contains(&squares[at]))
    }
}

/// Decides which positions are picked: each set of the wanted size is as likely as any other, and
/// the choice is made on the way, so that it needs no memory (Knuth's algorithm S).
struct Chosen {
    wanted: u64,
    left: u64,
    rng: Rng,
}

impl Chosen {
    fn new(sample: Option<u64>, all: u64, seed: u64) -> Chosen {
        Chosen {
            wanted: sample.map_or(all, |wanted| wanted.min(all)),
            left: all,
            rng: Rng::new(seed),
        }
    }

    fn next(&mut self) -> bool {
        let is_chosen =
            self.wanted >= self.left || (self.rng.below(self.left as usize) as u64) < self.wanted;
        self.left = self.left.saturating_sub(1);
        self.wanted -= u64::from(is_chosen && self.wanted > 0);
        is_chosen
    }
}

/// Writes a file under another name and renames it when it is complete, so that no reader ever sees
/// half of it.
///
/// # Errors
///
/// The first of `write`, or of the disk.
pub fn atomically<E: From<ExportError>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |error| E::from(ExportError::Io { path: path.to_owned(), error });
    let name = path.file_name().map(std::ffi::OsStr::to_owned);
    let mut name = name.ok_or_else(|| ExportError::NoFile(path.to_owned()))?;
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let mut file = File::create(&part).map_err(failed)?;
    let written = write(&mut file)
        .and_then(|()| file.flush().and_then(|()| file.sync_all()).map_err(failed))
        .and_then(|()| std::fs::rename(&part, path).map_err(failed));
    if written.is_err() {
        // The first failure is the one to report; a part left behind does no harm.
        let _ = std::fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_the_wanted_size_and_depends_on_the_seed() {
        let pick = |wanted, all, seed| {
            let mut chosen = Chosen::new(Some(wanted), all, seed);
            (0..all).filter(|_| chosen.next()).collect::<Vec<u64>>()
        };
        for wanted in [0, 1, 7, 99, 100, 1000] {
            assert_eq!(pick(wanted, 100, 5).len() as u64, wanted.min(100));
        }
        assert_ne!(pick(9, 1000, 1), pick(9, 1000, 2));
        assert_eq!(pick(9, 1000, 1), pick(9, 1000, 1));
    }

    #[test]
    fn possible_placements_are_counted_right() {
        let piece = |letter| Piece::from_letter(letter).unwrap();
        for letters in ["Rr", "Er", "ECr", "ERr"] {
            let pieces: Vec<Piece> = letters.chars().map(piece).collect();
            let placements = Placements::new(&pieces);
            let mut squares = Vec::new();
            let numbers = 0..placements.numbers();
            let counted = numbers.filter(|&n| placements.squares(n, &mut squares)).count();
            assert_eq!(counted as u64, placements.possible(), "{letters}");
        }
    }

    #[test]
    fn batches_are_the_rows_of_an_export() {
        use crate::build::{Options, Wanted, build};
        use crate::storage::Folder;

        let folder = tempfile::tempdir().unwrap();
        let wanted = Wanted::Pieces(2);
        build(&Rules::STANDARD, folder.path(), &wanted, &Options::default(), &mut |_| {}).unwrap();
        let tablebase = Tablebase::new(&Rules::STANDARD, 2, Folder::new(folder.path()));
        let class: Material = "R-D".parse().unwrap();
        let mut rows: Vec<(Vec<u8>, Truth)> = Vec::new();
        let export = Export::new(&tablebase, class, None, 1).unwrap();
        export
            .for_each(|row| {
                let squares = row.squares.iter().map(|square| square.index() as u8).collect();
                rows.push((squares, row.value));
                Ok::<(), ExportError>(())
            })
            .unwrap();
        let batches = Batches::new(&tablebase, class, 1000).unwrap();
        assert_eq!(batches.len(), rows.len() as u64);
        let listed: Vec<(Vec<u8>, Truth)> = batches
            .flat_map(|columns| {
                let row = |at: usize| columns.squares.iter().map(|column| column[at]).collect();
                let rows = columns.values.iter().enumerate();
                rows.map(|(at, &value)| (row(at), value)).collect::<Vec<_>>()
            })
            .collect();
        assert!(listed == rows);
    }
}
