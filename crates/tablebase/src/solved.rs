//! A solved class in memory, and how one class reads another.

use std::collections::HashMap;
use std::sync::Arc;

use game::solver::Value;
use jungle::{ByColor, Color, Jungle, Piece, Square};

use crate::cell::Cell;
use crate::grid::{Grid, MAX_PIECES};
use crate::material::{Classes, Material};
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
    pub fn value(&self, turn: Color, number: usize) -> Value {
        match &self.cells {
            Cells::Narrow(cells) => cells[turn][number].value(),
            Cells::Wide(cells) => cells[turn][number].value(),
        }
    }
}

/// Solves classes one after the other, the smaller ones first, keeping what was solved in memory.
pub struct Solver {
    jungle: Jungle,
    classes: Classes,
    solved: HashMap<usize, Arc<Solved>>,
}

impl Solver {
    /// A solver for classes of up to so many pieces.
    pub fn new(classes: Classes) -> Solver {
        Solver { jungle: Jungle::new(*classes.rules()), classes, solved: HashMap::new() }
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The compiled rules.
    pub fn jungle(&self) -> &Jungle {
        &self.jungle
    }

    /// The solved class, solving it and all it leads to if need be.
    pub fn solve(&mut self, class: usize) -> Arc<Solved> {
        if let Some(solved) = self.solved.get(&class) {
            return solved.clone();
        }
        let slots = self.classes.list()[class].slots.clone();
        let material = self.classes.list()[class].material;
        for &victim in &slots {
            if let Some(mapping) = self.classes.mapping(material.without(victim)) {
                self.solve(mapping.class);
            }
        }
        let grid = Grid::new(&self.jungle, &slots);
        let narrow = self.solve_with::<u8>(&grid, material).map(Cells::Narrow);
        let cells = narrow
            .or_else(|CellsTooNarrow| self.solve_with::<u16>(&grid, material).map(Cells::Wide));
        let cells = cells.expect("no game of so few pieces takes a hundred thousand plies");
        let solved = Arc::new(Solved { grid, cells });
        self.solved.insert(class, solved.clone());
        solved
    }

    /// Takes over a class from its table, completing what the table leaves to captures. The classes
    /// that it leads to must be there already.
    ///
    /// # Errors
    ///
    /// If the table is damaged.
    pub fn adopt(&mut self, class: usize, table: &Table) -> Result<Arc<Solved>, TableError> {
        let material = self.classes.list()[class].material;
        let cells = match self.cells_of::<u8>(material, table)? {
            Some(cells) => Cells::Narrow(cells),
            None => Cells::Wide(
                self.cells_of::<u16>(material, table)?
                    .ok_or(TableError::Corrupt("a distance is out of range"))?,
            ),
        };
        let solved = Arc::new(Solved { grid: table.grid().clone(), cells });
        self.solved.insert(class, solved.clone());
        Ok(solved)
    }

    fn cells_of<C: Cell>(
        &self,
        material: Material,
        table: &Table,
    ) -> Result<Option<ByColor<Vec<C>>>, TableError> {
        let mut both = ByColor::default();
        for turn in Color::ALL {
            let Some(mut cells) = table.cells::<C>(turn)? else { return Ok(None) };
            if !table.is_complete_for(turn) {
                let views = self.views::<C>(table.grid(), material);
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

    fn solve_with<C: Cell>(
        &self,
        grid: &Grid,
        material: Material,
    ) -> Result<ByColor<Vec<C>>, CellsTooNarrow> {
        solve(&self.jungle, grid, &self.views(grid, material))
    }

    fn views<C: Cell>(&self, grid: &Grid, material: Material) -> Views<C> {
        let readers: Vec<Option<Reader>> =
            grid.pieces().iter().map(|&victim| self.reader(grid, material, victim)).collect();
        let worth = |victim: usize, squares: &[Square]| {
            let reader = readers[victim].as_ref()?;
            C::from_value(reader.value(squares)?)
        };
        Views::new(grid, annihilation(self.jungle.rules()), &worth)
    }

    /// Reads the class left when `victim` is taken, with the victim's side to move.
    fn reader(&self, grid: &Grid, material: Material, victim: Piece) -> Option<Reader> {
        let mapping = self.classes.mapping(material.without(victim))?;
        let solved = self.solved.get(&mapping.class)?.clone();
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
    fn value(&self, squares: &[Square]) -> Option<Value> {
        let mut own = [Square::A1; MAX_PIECES];
        for (square, &source) in own.iter_mut().zip(&self.sources) {
            *square = if self.swapped { squares[source].rotate() } else { squares[source] };
        }
        let number = self.solved.grid.number(&own[..self.sources.len()])?;
        Some(self.solved.value(self.turn, number))
    }
}
