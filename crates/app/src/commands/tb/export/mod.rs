//! `mousetrap tb export`: the truth about a class in formats that others read.
//!
//! All placements of the class by name are listed, mirror images too, with White to move, as in the
//! papers: whoever wants Black's turn asks for the class with the colours exchanged. The squares of
//! the pieces count like an odometer, White's strongest piece slowest and Black's weakest fastest.

mod parquet;
mod text;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use game::rng::Rng;
use game::solver::Value;
use jungle::{Color, Jungle, Move, Piece, Square};
use tablebase::grid::domain;
use tablebase::lookahead::Lookahead;
use tablebase::truth::Truths;

use crate::commands::tb::args::ExportArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &ExportArgs, output: &mut Output) -> Result<(), Failure> {
    if args.format == "parquet" && args.out.is_none() {
        return Err(Failure::Input("Parquet is no text; name a file with --out".to_owned()));
    }
    let set = Set::open(&args.set)?;
    let jungle = Jungle::new(*set.rules());
    let pieces: Vec<Piece> = Color::ALL
        .into_iter()
        .flat_map(|color| {
            let animals = args.class.side(color).iter().rev();
            animals.map(move |animal| Piece { color, animal })
        })
        .collect();
    let mut truths = Truths::new(&set.tablebase);
    let ahead = Lookahead::new(&mut truths, &jungle, &pieces).map_err(|e| set.failure(&e))?;
    let export = Export { ahead, placements: Placements::new(&pieces), sample: args.sample };
    match &args.out {
        None => text::write(&export, args.seed, &mut BufWriter::new(output)),
        Some(path) if args.format == "parquet" => {
            atomically(path, |file| parquet::write(&export, args, set.rules(), file))
        }
        Some(path) => {
            atomically(path, |file| text::write(&export, args.seed, &mut BufWriter::new(file)))
        }
    }
}

/// What is exported.
struct Export<'a> {
    ahead: Lookahead<'a>,
    placements: Placements,
    sample: Option<u64>,
}

/// One position.
struct Row<'a> {
    squares: &'a [Square],
    value: Value,
    best: Option<Move>,
}

impl Export<'_> {
    /// Calls `visit` for each position, in order.
    fn for_each(
        &self,
        seed: u64,
        mut visit: impl FnMut(Row<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut squares = Vec::new();
        let mut moves = Vec::new();
        let mut chosen = Chosen::new(self.sample, self.placements.possible(), seed);
        for number in 0..self.placements.numbers() {
            if !self.placements.squares(number, &mut squares) || !chosen.next() {
                continue;
            }
            let found = self.ahead.recompute(&squares, Color::White, &mut moves);
            let (value, best) = found.ok_or_else(|| {
                Failure::Outside("the tables are incomplete; run `mousetrap tb verify`".to_owned())
            })?;
            visit(Row { squares: &squares, value, best })?;
        }
        Ok(())
    }
}

/// Numbers for all ways to put pieces on squares where they can stand, collisions included.
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

/// Writes a file under another name and renames it when it is complete, so that nobody ever meets
/// half of it.
fn atomically(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error| Failure::outside(format!("writing {}", path.display()), error);
    let mut name = path.file_name().map(std::ffi::OsStr::to_owned).ok_or_else(|| {
        Failure::Input(format!("{} names no file; name one with --out", path.display()))
    })?;
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let mut file = File::create(&part).map_err(failed)?;
    let written = write(&mut file)
        .and_then(|()| file.flush().and_then(|()| file.sync_all()).map_err(failed))
        .and_then(|()| std::fs::rename(&part, path).map_err(failed));
    if written.is_err() {
        // The first failure is the one to tell; a part left behind does no harm.
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
}
