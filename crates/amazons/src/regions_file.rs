//! A database of small contested regions: their values, means and temperatures, as text.
//!
//! Every contested region of up to so many squares is listed once: up to translation, the eight symmetries and the
//! players' colours, with at most two amazons a side. A line has the region (ranks from the top, as in positions), its value in
//! simplest form with White's moves positive, the integers between which it lies, its mean and its temperature.
//! Values longer than a limit are left out; their bounds and temperatures are not.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};

use game::{Game, Side};

use crate::exact::{Solver, brute_force};
use crate::shape::Shape;
use crate::{Amazons, Bitboard, Position, Square};

/// The first line of a file.
const HEADER: &str = "amazons regions 1";
/// A longer value is left out.
const LONGEST: usize = 120;
/// At most so many amazons a side.
const AMAZONS: u32 = 2;

/// A region on file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The region, with White to move, on the smallest board that holds it in the corner at a1.
    pub region: String,
    /// Its value, if that is short enough.
    pub value: Option<String>,
    /// The largest integer not above the value, and the smallest not below it.
    pub bounds: (i32, i32),
    /// What it is worth on average.
    pub mean: f64,
    /// What a move in it is worth; −1 for a number.
    pub temperature: f64,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.as_deref().unwrap_or("-");
        let Entry { region, bounds: (low, high), mean, temperature, .. } = self;
        write!(f, "{region}\t{low}\t{high}\t{mean}\t{temperature}\t{value}")
    }
}

/// Why a file is not a database of regions.
#[derive(Debug, thiserror::Error)]
pub enum RegionsError {
    /// A line is not understood.
    #[error("line {0} is not understood: build the file again")]
    Line(usize),
    /// What is on file is not what the solver or brute force finds.
    #[error("{0} is not worth what the file says: build the file again")]
    Wrong(String),
}

/// Writes the database of regions of up to so many squares, amazons' included. Gives the number of regions.
///
/// # Errors
///
/// If writing fails.
pub fn build(
    squares: u32,
    out: &mut impl Write,
    mut progress: impl FnMut(u32, u64),
) -> io::Result<u64> {
    writeln!(out, "{HEADER}\tsquares {squares}\tamazons {AMAZONS}")?;
    let mut solver = Solver::new().value_squares(squares);
    let mut count = 0;
    let mut areas: BTreeSet<Bitboard> =
        Square::new(0, 0).map(Square::bitboard).into_iter().collect();
    for size in 1..=squares {
        for &area in &areas {
            for shape in populations(area) {
                writeln!(out, "{}", entry(&mut solver, &shape))?;
                count += 1;
            }
        }
        progress(size, count);
        if size < squares {
            areas = areas.iter().flat_map(|&area| larger(area)).collect();
        }
    }
    out.flush()?;
    Ok(count)
}

/// The areas of one square more, each in canonical form.
fn larger(area: Bitboard) -> Vec<Bitboard> {
    // Away from the edges, so that it can grow on all sides.
    let moved: Bitboard = area.into_iter().filter_map(|square| square.offset(1, 1)).collect();
    let around = moved.spread().without(moved);
    around.into_iter().filter_map(|square| canonical(moved.with(square))).collect()
}

fn canonical(area: Bitboard) -> Option<Bitboard> {
    let position =
        Position::new(crate::Size::USUAL, Bitboard::EMPTY, Bitboard::EMPTY, area, Side::First);
    Shape::of(&position.ok()?, Side::First).map(|(shape, _)| shape.empty())
}

/// All ways to put amazons of both players into an area, each once up to symmetry and colours.
fn populations(area: Bitboard) -> BTreeSet<Shape> {
    let squares: Vec<Square> = area.into_iter().collect();
    let mut found = BTreeSet::new();
    let sets: Vec<Bitboard> = subsets(&squares);
    for &white in &sets {
        for &black in &sets {
            let empty = area.without(white | black);
            if white.intersects(black) || white < black || empty.is_empty() {
                continue;
            }
            let both = [[white, black], [black, white]].map(|[white, black]| {
                let position =
                    Position::new(crate::Size::USUAL, white, black, empty, Side::First).ok()?;
                Shape::of(&position, Side::First).map(|(shape, _)| shape)
            });
            found.extend(both.into_iter().flatten().min());
        }
    }
    found
}

/// The sets of one or more squares, as many as there may be amazons of a side.
fn subsets(squares: &[Square]) -> Vec<Bitboard> {
    let mut sets: Vec<Bitboard> = squares.iter().map(|square| square.bitboard()).collect();
    let mut last = sets.clone();
    for _ in 1..AMAZONS {
        let more: BTreeSet<Bitboard> = last
            .iter()
            .flat_map(|&set| squares.iter().map(move |&square| set.with(square)))
            .filter(|set| set.len() > last[0].len())
            .collect();
        last = more.into_iter().collect();
        if last.is_empty() {
            break;
        }
        sets.extend(&last);
    }
    sets
}

fn entry(solver: &mut Solver, shape: &Shape) -> Entry {
    let position = shape.position(Side::First);
    let (value, bounds, thermal) = solver.appraise(&position);
    Entry {
        region: text(&position),
        value: Some(value).filter(|text| text.len() <= LONGEST),
        bounds,
        mean: thermal.mean,
        temperature: thermal.temperature,
    }
}

/// A region on the smallest board that holds it, without the side to move.
fn text(position: &Position) -> String {
    let open = position.open();
    let least = crate::Size::MIN;
    let files = open.into_iter().map(Square::file).max().unwrap_or(0).max(least - 1) + 1;
    let ranks = open.into_iter().map(Square::rank).max().unwrap_or(0).max(least - 1) + 1;
    let size = crate::Size::new(files, ranks).expect("a shape fits on a board");
    let [white, black] = [Side::First, Side::Second].map(|who| position.amazons(who));
    let small = Position::new(size, white, black, position.empty(), Side::First);
    let text = small.expect("it has all squares of the shape").to_string();
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// Reads a database.
///
/// # Errors
///
/// If a line is not understood.
pub fn read(file: &str) -> Result<Vec<Entry>, RegionsError> {
    let mut lines = file.lines().enumerate();
    if !lines.next().is_some_and(|(_, line)| line.starts_with(HEADER)) {
        return Err(RegionsError::Line(1));
    }
    lines.map(|(at, line)| read_line(line).ok_or(RegionsError::Line(at + 1))).collect()
}

fn read_line(line: &str) -> Option<Entry> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    Some(Entry {
        region: next()?.to_owned(),
        bounds: (next()?.parse().ok()?, next()?.parse().ok()?),
        mean: next()?.parse().ok()?,
        temperature: next()?.parse().ok()?,
        value: Some(next()?.to_owned()).filter(|value| value != "-"),
    })
}

/// Checks an entry against brute force: who wins the region next to moves that only one player has, for every number
/// of these around its bounds and both players to move. Gives how many positions were compared.
///
/// # Errors
///
/// If they disagree.
pub fn verify(entry: &Entry) -> Result<u64, RegionsError> {
    let wrong = || RegionsError::Wrong(entry.region.clone());
    let position: Position = format!("{} w", entry.region).parse().map_err(|_| wrong())?;
    let (low, high) = entry.bounds;
    let mut compared = 0;
    for moves in low - 1..=high + 1 {
        let Some(board) = beside(&position, -moves) else { continue };
        let wins = [Side::First, Side::Second].map(|turn| {
            let board = if board.turn() == turn { board } else { board.passed() };
            brute_force(&board, u64::MAX).map(|(winner, _)| winner)
        });
        let [Ok(white_first), Ok(black_first)] = wins else { return Err(wrong()) };
        compared += 2;
        // The value is at least n if Black, moving first, loses what is left after n moves are taken away.
        let at_least = black_first == Side::First;
        let at_most = white_first == Side::Second;
        if at_least != (moves <= low) || at_most != (moves >= high) {
            return Err(wrong());
        }
    }
    Ok(compared)
}

/// A region with so many moves of White's beside it, of Black's if negative: a corridor with one amazon.
fn beside(region: &Position, moves: i32) -> Option<Position> {
    let size = crate::Size::USUAL;
    let [mut white, mut black] = [Side::First, Side::Second].map(|who| region.amazons(who));
    let mut empty = region.empty();
    let length = moves.unsigned_abs() as u8;
    if moves != 0 {
        let corridor = |file: u8| Square::new(file, Square::MAX - 1);
        // The rank below has to be free of the region.
        if region.open().into_iter().any(|square| square.rank() >= Square::MAX - 2) || length >= 10
        {
            return None;
        }
        let owner = if moves > 0 { &mut white } else { &mut black };
        *owner = owner.with(corridor(0)?);
        for file in 1..=length {
            empty = empty.with(corridor(file)?);
        }
    }
    let board = Position::new(size, white, black, empty, Side::First).ok()?;
    debug_assert!(Amazons.count_moves(&board) > 0 || moves <= 0);
    Some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_listed_once_and_hold_against_brute_force() {
        let mut file = Vec::new();
        let count = build(5, &mut file, |_, _| ()).unwrap();
        let entries = read(&String::from_utf8(file).unwrap()).unwrap();
        assert_eq!(entries.len() as u64, count);
        let regions: BTreeSet<&str> = entries.iter().map(|entry| entry.region.as_str()).collect();
        assert_eq!(regions.len() as u64, count);
        let compared: u64 = entries.iter().map(|entry| verify(entry).unwrap()).sum();
        assert!(compared > 4 * count);
        // Areas of kings' steps, up to symmetry: the free polykings.
        let mut areas: BTreeSet<Bitboard> =
            Square::new(0, 0).map(Square::bitboard).into_iter().collect();
        let mut counts = vec![areas.len()];
        for _ in 1..5 {
            areas = areas.iter().flat_map(|&area| larger(area)).collect();
            counts.push(areas.len());
        }
        assert_eq!(counts, [1, 2, 5, 22, 94]);
    }

    #[test]
    fn what_is_wrong_is_found() {
        let mut file = Vec::new();
        build(4, &mut file, |_, _| ()).unwrap();
        let entries = read(&String::from_utf8(file).unwrap()).unwrap();
        for entry in entries {
            let (low, high) = entry.bounds;
            let worse = Entry { bounds: (low - 1, high), ..entry.clone() };
            assert!(verify(&worse).is_err(), "{worse}");
            let worse = Entry { bounds: (low, high + 1), ..entry };
            assert!(verify(&worse).is_err(), "{worse}");
        }
        assert!(read("amazons").is_err() && read(&format!("{HEADER}\nx")).is_err());
    }
}
