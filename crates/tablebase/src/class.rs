//! Whole classes decoded in memory, with the value of every position.
//!
//! For one side to move a table on disk has only what quiet moves achieve. Probing one position completes that
//! as it goes; going through *all* positions of a class, it is cheaper to do it once. A [`Loader`] decodes a
//! class after those that its captures lead to, and puts the true value in every cell. [`ClassValues`] is the
//! result under the name that was asked for: the table behind it may be that of an isomorphic class, with the
//! colours exchanged, which it hides.
//!
//! Positions come row by row; a row holds all squares of one piece. Mirror images share a number in the
//! table, so every position comes with its weight, and sums of weights count placements.

use std::sync::Arc;

use game::truth::Truth;
use jungle::{Bitboard, ByColor, Color, Jungle, Piece, Position, Rules, Square};
use rayon::prelude::*;

use crate::cache::Cache;
use crate::cell::Cell;
use crate::grid::{Grid, MAX_PIECES, ROW, RowSquares};
use crate::material::Material;
use crate::ply::{Ply, TooNarrow, line};
use crate::probe::{self, ProbeError, Tablebase};
use crate::solved::{Cells, Solved};
use crate::table;

/// Decodes whole classes of a [`Tablebase`], and keeps them for the classes that lead to them.
pub struct Loader<'a> {
    tablebase: &'a Tablebase,
    loaded: Cache,
}

impl<'a> Loader<'a> {
    /// Nothing is decoded yet.
    pub fn new(tablebase: &'a Tablebase) -> Loader<'a> {
        Loader::with(tablebase, Cache::default())
    }

    /// What is in the cache is decoded already.
    pub(crate) fn with(tablebase: &'a Tablebase, loaded: Cache) -> Loader<'a> {
        Loader { tablebase, loaded }
    }

    /// All that is decoded now.
    pub(crate) fn into_cache(self) -> Cache {
        self.loaded
    }

    /// Where the tables come from.
    pub fn tablebase(&self) -> &'a Tablebase {
        self.tablebase
    }

    /// Decodes a class, whose animals are named as in the tablebase's rules. What it leads to is decoded
    /// too, and kept.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, or the class has too many pieces.
    pub fn load(&mut self, class: Material) -> Result<ClassValues, ProbeError> {
        let rules = *self.tablebase.rules();
        let mapping = self.tablebase.mapping(class)?;
        let solved = self.solved(mapping.class)?;
        let pieces = class.in_order();
        let place = |slot: &usize| {
            // Exchanging the names of wolf and dog twice changes nothing.
            let filled = mapping.pieces[*slot];
            let named = Piece { animal: rules.by_strength(filled.animal), ..filled };
            pieces.iter().position(|&piece| piece == named).expect("the material is the same")
        };
        let places = solved.grid.slots().iter().map(place).collect();
        let table = self.tablebase.class_list().list()[mapping.class].material;
        let swapped = mapping.swapped;
        Ok(ClassValues { class, rules, pieces, table, solved, places, swapped })
    }

    /// Forgets all classes of fewer pieces than this, to make room for larger ones.
    pub fn forget_below(&mut self, pieces: u32) {
        let list = self.tablebase.class_list().list();
        self.loaded.retain(|class| list[class].material.pieces() >= pieces);
    }

    /// Forgets one class, and those that share its table.
    pub fn forget(&mut self, class: Material) {
        if let Ok(mapping) = self.tablebase.mapping(class) {
            self.loaded.retain(|held| held != mapping.class);
        }
    }

    /// The class with this place in the list of classes, with the true value in every cell.
    pub(crate) fn solved(&mut self, class: usize) -> Result<Arc<Solved>, ProbeError> {
        if let Some(solved) = self.loaded.get(class) {
            return Ok(solved);
        }
        let table = self.tablebase.table(class)?;
        let stored = table.load().map_err(|error| probe::failed(table.header().material, error))?;
        self.tablebase.make_room();
        let jungle = Jungle::new(*self.tablebase.class_list().rules());
        let ply = Ply::new(self, &jungle, &stored.grid)?;
        let incomplete = Color::ALL.into_iter().filter(|&turn| !table.is_complete_for(turn));
        let solved = Arc::new(complete(stored, &ply, &incomplete.collect::<Vec<_>>()));
        self.loaded.insert(class, solved.clone());
        Ok(solved)
    }

    /// A reader for these pieces, which are named as in `jungle`'s rules; `None` if a side has none.
    pub(crate) fn reader(
        &mut self,
        jungle: &Jungle,
        pieces: &[Piece],
    ) -> Result<Option<Reader>, ProbeError> {
        let renamed: Vec<Piece> = pieces
            .iter()
            .map(|piece| Piece { animal: jungle.rules().by_strength(piece.animal), ..*piece })
            .collect();
        let side = |color| renamed.iter().filter(|p| p.color == color).map(|p| p.animal).collect();
        let class = Material { white: side(Color::White), black: side(Color::Black) };
        if class.white.is_empty() || class.black.is_empty() {
            return Ok(None);
        }
        let mapping = self.tablebase.class_list().mapping(class).ok_or_else(|| {
            let most = self.tablebase.most_pieces();
            ProbeError::TooManyPieces { found: class.pieces(), most }
        })?;
        let solved = self.solved(mapping.class)?;
        let place = |slot: &usize| {
            let wanted = mapping.pieces[*slot];
            renamed.iter().position(|&piece| piece == wanted).expect("the material is the same")
        };
        let sources = solved.grid.slots().iter().map(place).collect();
        Ok(Some(Reader { solved, sources, swapped: mapping.swapped }))
    }
}

/// A class by name with the values of all its positions.
#[derive(Clone)]
pub struct ClassValues {
    class: Material,
    rules: Rules,
    pieces: Vec<Piece>,
    /// The class that gives the table its name.
    table: Material,
    solved: Arc<Solved>,
    /// For each of the table's pieces, its place in `pieces`.
    places: Vec<usize>,
    swapped: bool,
}

/// A position of a class, as it is visited.
#[derive(Clone, Copy, Debug)]
pub struct ClassPosition<'a> {
    /// Where the pieces stand, in the order of [`ClassValues::pieces`].
    pub squares: &'a [Square],
    /// What it is worth to the player to move.
    pub value: Truth,
    /// How many placements it stands for: 2 with its mirror image, or 1.
    pub weight: u64,
}

/// The positions of a class that have a given value.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// How many placements there are, mirror images counted apart.
    pub count: u64,
    /// The first of them, in the order of the table; of two mirror images often only one.
    pub first: Vec<Position>,
}

impl ClassValues {
    /// The class.
    pub fn class(&self) -> Material {
        self.class
    }

    /// The rules of the tables, as the caller gave them.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The pieces, White's first, on each side the strongest first.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// How many rows there are to go through.
    pub fn rows(&self) -> usize {
        self.solved.grid.rows()
    }

    /// Visits the positions of a row with this side to move.
    #[inline]
    pub fn row(&self, row: usize, turn: Color, mut visit: impl FnMut(ClassPosition<'_>)) {
        let grid = &self.solved.grid;
        let turn = if self.swapped { !turn } else { turn };
        let weight = weight(grid, row);
        let mut squares = [Square::A1; MAX_PIECES];
        for (own, runner) in row_positions(grid, row) {
            for (square, &place) in own.iter().zip(&self.places) {
                squares[place] = if self.swapped { square.rotate() } else { *square };
            }
            let value = self.solved.value(turn, row * ROW + runner.index());
            visit(ClassPosition { squares: &squares[..self.pieces.len()], value, weight });
        }
    }

    /// The position with the pieces on these squares; `None` if they cannot stand there.
    pub fn position(&self, squares: &[Square], turn: Color) -> Option<Position> {
        let placed = squares.iter().copied().zip(self.pieces.iter().copied());
        Position::from_pieces(placed, turn).ok()
    }

    /// The positions with this value for the player to move, the first `most` of them in full.
    pub fn find(&self, turn: Color, wanted: Truth, most: usize) -> Found {
        let row = |row: usize| {
            let mut found = Found::default();
            self.row(row, turn, |at| {
                if at.value != wanted {
                    return;
                }
                found.count += at.weight;
                if found.first.len() < most {
                    found.first.extend(self.position(at.squares, turn));
                }
            });
            found
        };
        let join = |mut one: Found, other: Found| {
            one.count += other.count;
            one.first.extend(other.first);
            one.first.truncate(most);
            one
        };
        (0..self.rows()).into_par_iter().map(row).reduce(Found::default, join)
    }

    /// How many bytes the file of the class takes with outcomes (WDL) alone. It is coded for this, which
    /// takes a while for large classes.
    pub fn wdl_bytes(&self) -> u64 {
        table::write(&self.rules, self.table, &self.solved, table::Stored::OUTCOMES).len() as u64
    }
}

/// The positions of a row: the squares of all pieces in the grid's order, and the runner's, which is
/// the last of them.
#[inline]
pub(crate) fn row_positions(
    grid: &Grid,
    row: usize,
) -> impl Iterator<Item = (RowSquares, Square)> + use<> {
    let squares = grid.squares(row);
    let runner = grid.pieces().len() - 1;
    let mut free = grid.runner_domain();
    let mut possible = true;
    for (at, &square) in squares[..runner].iter().enumerate() {
        possible &= !squares[..at].contains(&square);
        free = free.without(square.bitboard());
    }
    let free = if possible { free } else { Bitboard::EMPTY };
    free.into_iter().map(move |square| {
        let mut squares = squares;
        squares[runner] = square;
        (squares, square)
    })
}

/// How many placements a position of this row stands for: its mirror image has no number of its own
/// unless the first piece is on the middle file.
#[inline]
pub(crate) fn weight(grid: &Grid, row: usize) -> u64 {
    if grid.squares(row)[0].file() == 3 { 1 } else { 2 }
}

/// Reads a decoded class by the squares of pieces in an order of the reader's own: everything about
/// animals, colours and slots is settled beforehand, and reading is arithmetic.
#[derive(Clone)]
pub(crate) struct Reader {
    solved: Arc<Solved>,
    /// For each piece of the table's grid, which of the reader's pieces it is.
    sources: Vec<usize>,
    swapped: bool,
}

impl Reader {
    /// The value for the player to move; `None` if the pieces stand where they cannot.
    #[inline]
    pub fn value(&self, squares: &[Square], turn: Color) -> Option<Truth> {
        let mut own = [Square::A1; MAX_PIECES];
        for (square, &source) in own.iter_mut().zip(&self.sources) {
            *square = if self.swapped { squares[source].rotate() } else { squares[source] };
        }
        let number = self.solved.grid.number(&own[..self.sources.len()])?;
        let turn = if self.swapped { !turn } else { turn };
        Some(self.solved.value(turn, number))
    }
}

/// Puts the true value in every cell: the better of what is there and what captures and dens achieve.
fn complete(stored: Solved, ply: &Ply, turns: &[Color]) -> Solved {
    let Solved { grid, mut cells } = stored;
    if let Cells::Narrow(narrow) = &mut cells
        && !improve(ply, narrow, turns)
    {
        // A distance did not fit. What was improved so far stays right.
        cells = Cells::Wide(cells.wide());
    }
    match &mut cells {
        Cells::Narrow(narrow) => settle(narrow),
        Cells::Wide(wide) => {
            improve(ply, wide, turns);
            settle(wide);
        }
    }
    Solved { grid, cells }
}

/// Indices without a position count as drawn, as they do when a class is solved.
fn settle<C: Cell>(cells: &mut ByColor<Vec<C>>) {
    for cells in [&mut cells.white, &mut cells.black] {
        cells.iter_mut().filter(|cell| **cell == C::NONE).for_each(|cell| *cell = C::DRAW);
    }
}

/// Whether every distance fitted.
fn improve<C: Cell>(ply: &Ply, cells: &mut ByColor<Vec<C>>, turns: &[Color]) -> bool {
    let stuck = C::from_value(ply.without_moves()).expect("a draw or a loss at once");
    let improve_row = |turn: Color, row: usize, cells: &mut [C]| {
        let Some(at) = ply.row(row) else { return Ok(()) };
        let mut best = line(cells, 0);
        ply.exits(&at, turn, &mut best)?;
        for square in at.free {
            let cell = best[square.index()];
            cells[square.index()] = if cell == C::NONE { stuck } else { cell };
        }
        Ok::<_, TooNarrow>(())
    };
    turns.iter().all(|&turn| {
        let rows = cells[turn].par_chunks_mut(ROW).enumerate();
        rows.with_min_len(64).try_for_each(|(row, cells)| improve_row(turn, row, cells)).is_ok()
    })
}
