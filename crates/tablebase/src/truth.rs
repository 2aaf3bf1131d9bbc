//! Whole tables in memory, with the truth about every position.
//!
//! For one side to move a table on disk knows only what quiet moves achieve (see
//! [`Table::is_complete_for`](crate::table::Table::is_complete_for)). Asking about one position makes up for that as it
//! goes; whoever goes through *all* positions of a class had better do it once. [`Truths`] loads a
//! class after those that its captures lead to, and puts the truth in every cell.
//!
//! A [`Lens`] reads such a table for pieces in any order, of either colour: everything about animals,
//! colours and slots is settled when the lens is ground, and looking through it is arithmetic.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use game::truth::Truth;
use jungle::{ByColor, Color, Jungle, Piece, Square};
use rayon::prelude::*;

use crate::cache::Cache;
use crate::cell::Cell;
use crate::grid::{Grid, MAX_PIECES, ROW};
use crate::lookahead::Lookahead;
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::scan::row_positions;
use crate::solved::{Cells, Solved};
use crate::table::file_name;

/// Tables loaded from a [`Tablebase`].
pub struct Truths<'a> {
    tablebase: &'a Tablebase,
    loaded: Cache,
}

impl<'a> Truths<'a> {
    /// Nothing is loaded yet.
    pub fn new(tablebase: &'a Tablebase) -> Truths<'a> {
        Truths::with(tablebase, Cache::default())
    }

    /// What is in the cache is loaded already.
    pub fn with(tablebase: &'a Tablebase, loaded: Cache) -> Truths<'a> {
        Truths { tablebase, loaded }
    }

    /// All that is loaded now.
    pub fn into_cache(self) -> Cache {
        self.loaded
    }

    /// Where the tables come from.
    pub fn tablebase(&self) -> &'a Tablebase {
        self.tablebase
    }

    /// The class, by its place in the list of classes, with the truth in every cell. What it leads
    /// to is loaded too, and kept.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn load(&mut self, class: usize) -> Result<Arc<Solved>, ProbeError> {
        if let Some(solved) = self.loaded.get(class) {
            return Ok(solved);
        }
        let table = self.tablebase.table(class)?;
        let wanted = &self.tablebase.classes().list()[class];
        let stored = table.load().map_err(|error| ProbeError::CorruptTable {
            file: file_name(wanted.material),
            error,
        })?;
        let jungle = Jungle::new(*self.tablebase.classes().rules());
        let ahead = Lookahead::captures(self, &jungle, stored.grid.pieces())?;
        let incomplete = Color::ALL.into_iter().filter(|&turn| !table.is_complete_for(turn));
        let solved = Arc::new(complete(stored, &ahead, &incomplete.collect::<Vec<_>>()));
        self.loaded.insert(class, solved.clone());
        Ok(solved)
    }

    /// Forgets all classes of fewer pieces than this, to make room for larger ones.
    pub fn forget_below(&mut self, pieces: u32) {
        let list = self.tablebase.classes().list();
        self.loaded.retain(|class| list[class].material.pieces() >= pieces);
    }

    /// Forgets one class.
    pub fn forget(&mut self, class: usize) {
        self.loaded.retain(|held| held != class);
    }

    /// A lens for these pieces, which are named as in `jungle`'s rules; `None` if a side has none.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged, or there are too many pieces.
    pub fn lens(&mut self, jungle: &Jungle, pieces: &[Piece]) -> Result<Option<Lens>, ProbeError> {
        let renamed: Vec<Piece> = pieces
            .iter()
            .map(|piece| Piece { animal: jungle.rules().by_strength(piece.animal), ..*piece })
            .collect();
        let side = |color| renamed.iter().filter(|p| p.color == color).map(|p| p.animal).collect();
        let material = Material { white: side(Color::White), black: side(Color::Black) };
        if material.white.is_empty() || material.black.is_empty() {
            return Ok(None);
        }
        let classes = self.tablebase.classes();
        let Some(mapping) = classes.mapping(material) else {
            let most = classes.list().last().map_or(0, |class| class.material.pieces());
            return Err(ProbeError::TooManyPieces { found: material.pieces(), most });
        };
        let solved = self.load(mapping.class)?;
        let place = |slot: &usize| {
            let wanted = mapping.pieces[*slot];
            renamed.iter().position(|&piece| piece == wanted).expect("the material is the same")
        };
        let sources = solved.grid.slots().iter().map(place).collect();
        Ok(Some(Lens { solved, sources, swapped: mapping.swapped }))
    }
}

/// Reads a loaded table by the squares of pieces in an order of the reader's own.
#[derive(Clone)]
pub struct Lens {
    solved: Arc<Solved>,
    /// For each piece of the table's grid, which of the reader's pieces it is.
    sources: Vec<usize>,
    swapped: bool,
}

impl Lens {
    /// The truth for the player to move; `None` if the pieces stand where they cannot.
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

/// Puts the truth in every cell: the better of what is there and what captures and dens achieve.
fn complete(stored: Solved, ahead: &Lookahead<'_>, turns: &[Color]) -> Solved {
    let Solved { grid, mut cells } = stored;
    if let Cells::Narrow(narrow) = &mut cells
        && !improve(&grid, ahead, narrow, turns)
    {
        // A distance did not fit. What was improved so far stays right.
        let widen = |cells: &Vec<u8>| {
            let wide = |cell: &u8| match *cell {
                u8::NONE => u16::NONE,
                cell => u16::from_value(cell.value()).expect("wider"),
            };
            cells.par_iter().map(wide).collect()
        };
        cells = Cells::Wide(ByColor { white: widen(&narrow.white), black: widen(&narrow.black) });
    }
    match &mut cells {
        Cells::Narrow(narrow) => settle(narrow),
        Cells::Wide(wide) => {
            improve(&grid, ahead, wide, turns);
            settle(wide);
        }
    }
    Solved { grid, cells }
}

/// Numbers that are no position count as drawn, as they do when a class is solved.
fn settle<C: Cell>(cells: &mut ByColor<Vec<C>>) {
    for cells in [&mut cells.white, &mut cells.black] {
        cells.iter_mut().filter(|cell| **cell == C::NONE).for_each(|cell| *cell = C::DRAW);
    }
}

/// Whether everything fitted.
fn improve<C: Cell>(
    grid: &Grid,
    ahead: &Lookahead<'_>,
    cells: &mut ByColor<Vec<C>>,
    turns: &[Color],
) -> bool {
    let fits = AtomicBool::new(true);
    for &turn in turns {
        cells[turn].par_chunks_mut(ROW).enumerate().for_each(|(row, cells)| {
            for (squares, runner) in row_positions(grid, row) {
                let cell = &mut cells[runner.index()];
                let exit = ahead.best_exit(&squares[..grid.pieces().len()], turn);
                let truth = match exit {
                    Some(exit) if *cell == C::NONE => exit,
                    Some(exit) => exit.max(cell.value()),
                    None if *cell == C::NONE => ahead.without_moves(),
                    None => continue,
                };
                match C::from_value(truth) {
                    Some(better) => *cell = better,
                    None => fits.store(false, Relaxed),
                }
            }
        });
    }
    fits.into_inner()
}
