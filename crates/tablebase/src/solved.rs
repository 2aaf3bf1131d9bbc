//! Solved classes in memory, and solving a class from those that its captures lead to.

use std::collections::HashMap;
use std::sync::Arc;

use game::truth::Truth;
use jungle::{ByColor, Color, Jungle, Piece, Square};
use rayon::prelude::*;
use thiserror::Error;

use crate::cache::Cache;
use crate::cell::Cell;
use crate::grid::{Grid, MAX_PIECES};
use crate::material::{Classes, Material};
use crate::need;
use crate::probe::{self, ProbeError, Tablebase};
use crate::solve::{CellsTooNarrow, exits, solve};
use crate::table::{Table, TableError};
use crate::view::{Views, annihilation};

/// The cells of a class, in bytes if they fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Every distance fits a byte.
    Narrow(ByColor<Vec<u8>>),
    /// Some do not.
    Wide(ByColor<Vec<u16>>),
}

impl Cells {
    /// The same in two bytes each.
    pub fn wide(&self) -> ByColor<Vec<u16>> {
        let widen = |cells: &Vec<u8>| {
            let wide = |cell: &u8| match *cell {
                u8::NONE => u16::NONE,
                cell => u16::from_value(cell.value()).expect("wider"),
            };
            cells.par_iter().map(wide).collect()
        };
        match self {
            Cells::Narrow(ByColor { white, black }) => {
                ByColor { white: widen(white), black: widen(black) }
            }
            Cells::Wide(wide) => wide.clone(),
        }
    }
}

/// A class with the truth about all its positions.
#[derive(Clone, Debug)]
pub struct Solved {
    /// How positions are numbered.
    pub grid: Grid,
    /// What they are worth, by side to move.
    pub cells: Cells,
}

impl Solved {
    /// The value of the position with this number, for the player to move.
    #[inline]
    pub fn value(&self, turn: Color, number: usize) -> Truth {
        match &self.cells {
            Cells::Narrow(cells) => cells[turn][number].value(),
            Cells::Wide(cells) => cells[turn][number].value(),
        }
    }

    /// How much memory the cells take.
    pub fn bytes(&self) -> u64 {
        match self.cells {
            Cells::Narrow(_) => need::finished(&self.grid, 1),
            Cells::Wide(_) => need::finished(&self.grid, 2),
        }
    }
}

/// Why a class could not be solved from tables.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The limit on memory is too small.
    #[error("{need} bytes are needed, and {limit} are allowed")]
    Memory {
        /// How many bytes it takes.
        need: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// A class that it leads to cannot be read.
    #[error(transparent)]
    Table(#[from] ProbeError),
}

/// Solves classes, the smaller ones first, holding what was solved or read as far as memory allows.
pub struct Solver {
    jungle: Jungle,
    classes: Classes,
    limit: u64,
    cache: Cache,
}

/// The classes that captures lead to.
type Below = HashMap<usize, Arc<Solved>>;

impl Solver {
    /// A solver for these classes that never evicts anything.
    pub fn new(classes: Classes) -> Solver {
        Solver::with_limit(classes, u64::MAX)
    }

    /// A solver for these classes that takes at most this many bytes.
    pub fn with_limit(classes: Classes, limit: u64) -> Solver {
        let jungle = Jungle::new(*classes.rules());
        Solver { jungle, classes, limit, cache: Cache::default() }
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// How many positions there are indices for: a measure of the work of a class.
    pub fn size(&self, class: usize) -> u64 {
        need::finished(&self.grid(class), 1)
    }

    /// How many bytes it takes to solve a class from tables, provided that distances fit a byte.
    pub fn need(&self, class: usize) -> u64 {
        let below = self.below(class).into_iter();
        below.map(|class| self.size(class)).sum::<u64>() + need::working(&self.grid(class), 1)
    }

    /// The classes that captures lead to from this one, each once.
    pub fn below(&self, class: usize) -> Vec<usize> {
        self.classes.below(class)
    }

    /// The solved class, solving it and all it leads to if need be, whatever memory it takes.
    pub fn solve(&mut self, class: usize) -> Arc<Solved> {
        if let Some(solved) = self.cache.get(class) {
            return solved;
        }
        let below = self.below(class).into_iter().map(|class| (class, self.solve(class))).collect();
        let narrow = self.solve_above::<u8>(class, &below).map(Cells::Narrow);
        let cells = narrow.unwrap_or_else(|CellsTooNarrow| self.wide(class, &below));
        self.keep(class, Solved { grid: self.grid(class), cells }, u64::MAX)
    }

    /// The solved class, reading the classes it leads to from their tables.
    ///
    /// # Errors
    ///
    /// If one of those is missing or damaged, or if it takes more memory than is allowed.
    pub fn solve_from(
        &mut self,
        class: usize,
        tables: &Tablebase,
    ) -> Result<Arc<Solved>, SolveError> {
        let grid = self.grid(class);
        let (narrow, wide) = (need::working(&grid, 1), need::working(&grid, 2));
        // Those already in memory are used first, so that making room evicts others.
        for class in self.below(class) {
            let _ = self.cache.get(class);
        }
        self.make_room(narrow, self.need(class) - narrow)?;
        let mut below = Below::new();
        for class in self.below(class) {
            let solved = self.load(class, tables)?;
            below.insert(class, solved);
        }
        let held = below.values().map(|solved| solved.bytes()).sum();
        self.make_room(narrow, held)?;
        let cells = match self.solve_above(class, &below) {
            Ok(cells) => Cells::Narrow(cells),
            Err(CellsTooNarrow) => {
                self.make_room(wide, held)?;
                self.wide(class, &below)
            }
        };
        Ok(self.keep(class, Solved { grid, cells }, self.limit))
    }

    /// A class from memory or else from its table, completed with captures.
    ///
    /// # Errors
    ///
    /// If its table, or that of a class it leads to, is missing or damaged.
    pub fn load(&mut self, class: usize, tables: &Tablebase) -> Result<Arc<Solved>, ProbeError> {
        if let Some(solved) = self.cache.get(class) {
            return Ok(solved);
        }
        let mut below = Below::new();
        for class in self.below(class) {
            below.insert(class, self.load(class, tables)?);
        }
        let table = tables.table(class)?;
        let corrupt = |error| probe::failed(self.classes.list()[class].material, error);
        let cells = match self.cells_of::<u8>(class, table, &below).map_err(corrupt)? {
            Some(cells) => Cells::Narrow(cells),
            None => {
                let wide = self.cells_of::<u16>(class, table, &below).map_err(corrupt)?;
                let range = TableError::Corrupt("a distance is out of range");
                Cells::Wide(wide.ok_or(range).map_err(corrupt)?)
            }
        };
        Ok(self.keep(class, Solved { grid: table.grid().clone(), cells }, self.limit))
    }

    /// All cells of a class from its table; `None` if one does not fit.
    fn cells_of<C: Cell>(
        &self,
        class: usize,
        table: &Table,
        below: &Below,
    ) -> Result<Option<ByColor<Vec<C>>>, TableError> {
        let mut both = ByColor::default();
        for turn in Color::ALL {
            let Some(mut cells) = table.cells::<C>(turn)? else { return Ok(None) };
            if !table.is_complete_for(turn) {
                let views = self.views::<C>(table.grid(), class, below);
                let exits = exits(&self.jungle, table.grid(), &views, turn);
                for (cell, exit) in cells.iter_mut().zip(exits) {
                    let best = exit.min(*cell);
                    *cell = if best == C::NONE { C::DRAW } else { best };
                }
            }
            both[turn] = cells;
        }
        Ok(Some(both))
    }

    fn keep(&mut self, class: usize, solved: Solved, limit: u64) -> Arc<Solved> {
        let solved = Arc::new(solved);
        self.cache.insert(class, solved.clone());
        self.cache.shrink_to(limit);
        solved
    }

    /// Evicts what has to go for `working` bytes to be free beside the `held` ones in use.
    fn make_room(&mut self, working: u64, held: u64) -> Result<(), SolveError> {
        let need = working.saturating_add(held);
        let Some(rest) = self.limit.checked_sub(working).filter(|_| need <= self.limit) else {
            return Err(SolveError::Memory { need, limit: self.limit });
        };
        // What is in use was used last, so it goes last.
        self.cache.shrink_to(rest);
        Ok(())
    }

    fn grid(&self, class: usize) -> Grid {
        Grid::new(&self.jungle, &self.classes.list()[class].slots)
    }

    fn wide(&self, class: usize, below: &Below) -> Cells {
        let cells = self.solve_above::<u16>(class, below).map(Cells::Wide);
        cells.expect("no game of so few pieces takes a hundred thousand plies")
    }

    fn solve_above<C: Cell>(
        &self,
        class: usize,
        below: &Below,
    ) -> Result<ByColor<Vec<C>>, CellsTooNarrow> {
        let grid = self.grid(class);
        solve(&self.jungle, &grid, &self.views(&grid, class, below))
    }

    fn views<C: Cell>(&self, grid: &Grid, class: usize, below: &Below) -> Views<C> {
        let material = self.classes.list()[class].material;
        let reader = |&victim: &Piece| self.reader(grid, material, victim, below);
        let readers: Vec<Option<Reader>> = grid.pieces().iter().map(reader).collect();
        let worth = |victim: usize, squares: &[Square]| {
            let reader = readers[victim].as_ref()?;
            C::from_value(reader.value(squares)?)
        };
        Views::new(grid, annihilation(self.jungle.rules()), &worth)
    }

    /// Reads the class left when `victim` is taken, with the victim's side to move.
    fn reader(
        &self,
        grid: &Grid,
        material: Material,
        victim: Piece,
        below: &Below,
    ) -> Option<Reader> {
        let mapping = self.classes.mapping(material.without(victim))?;
        let solved = below.get(&mapping.class)?.clone();
        let place = |slot: &usize| {
            let wanted = mapping.pieces[*slot];
            grid.pieces().iter().position(|&piece| piece == wanted)
        };
        let sources = solved.grid.slots().iter().map(place).collect::<Option<Vec<usize>>>()?;
        let turn = if mapping.swapped { !victim.color } else { victim.color };
        Some(Reader { solved, sources, turn, swapped: mapping.swapped })
    }
}

/// Looks up positions of a smaller class by the squares of the larger one's pieces.
struct Reader {
    solved: Arc<Solved>,
    /// For each piece of the smaller grid, which piece of the larger grid it is.
    sources: Vec<usize>,
    turn: Color,
    swapped: bool,
}

impl Reader {
    #[inline]
    fn value(&self, squares: &[Square]) -> Option<Truth> {
        let mut own = [Square::A1; MAX_PIECES];
        for (square, &source) in own.iter_mut().zip(&self.sources) {
            *square = if self.swapped { squares[source].rotate() } else { squares[source] };
        }
        let number = self.solved.grid.number(&own[..self.sources.len()])?;
        Some(self.solved.value(self.turn, number))
    }
}
