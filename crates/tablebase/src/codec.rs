//! The cells of a class as bytes, in blocks that can be read one at a time.

use game::solver::Value;
use jungle::{ByColor, Color};

use crate::cell::Cell;
use crate::checked::{Checked, Damaged};
use crate::grid::{Grid, ROW};
use crate::solved::{Cells, Solved};

/// How many rows a block holds.
const BLOCK_ROWS: usize = 256;

/// The payload for a solved class.
pub fn encode(solved: &Solved) -> Vec<u8> {
    let mut offsets: Vec<u32> = vec![0];
    let mut blocks = Vec::new();
    for turn in Color::ALL {
        let cells: Vec<u16> = match &solved.cells {
            Cells::Narrow(cells) => cells[turn]
                .iter()
                .map(|cell| u16::from_value(cell.value()).expect("wider"))
                .collect(),
            Cells::Wide(cells) => cells[turn].clone(),
        };
        for block in cells.chunks(BLOCK_ROWS * ROW) {
            let bytes: Vec<u8> = block.iter().flat_map(|cell| cell.to_le_bytes()).collect();
            blocks.extend(zstd::bulk::compress(&bytes, 3).expect("memory suffices"));
            offsets.push(blocks.len() as u32);
        }
    }
    let mut payload: Vec<u8> = offsets.iter().flat_map(|offset| offset.to_le_bytes()).collect();
    payload.extend(blocks);
    payload
}

/// Reads a payload.
pub struct Decoder {
    payload: Checked,
    blocks: usize,
    rows: usize,
}

impl Decoder {
    /// A decoder for a class with this grid.
    ///
    /// # Errors
    ///
    /// If the payload cannot be one of this class.
    pub fn new(grid: &Grid, payload: Checked) -> Result<Decoder, Damaged> {
        let rows = grid.rows();
        let blocks = rows.div_ceil(BLOCK_ROWS);
        if payload.len() < (2 * blocks + 1) * 4 {
            return Err(Damaged);
        }
        Ok(Decoder { payload, blocks, rows })
    }

    /// What the table says of a position. Where a capture or a den entered is as good as anything,
    /// it may say less: see [`Table::value`](crate::table::Table::value).
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn value(&self, turn: Color, number: usize) -> Result<Value, Damaged> {
        let (row, square) = (number / ROW, number % ROW);
        let cells = self.block(turn, row / BLOCK_ROWS)?;
        let cell = cells.get(row % BLOCK_ROWS * ROW + square).ok_or(Damaged)?;
        Ok(cell.value())
    }

    /// All cells.
    ///
    /// # Errors
    ///
    /// If the bytes are damaged.
    pub fn cells(&self) -> Result<ByColor<Vec<u16>>, Damaged> {
        let all = |turn| -> Result<Vec<u16>, Damaged> {
            let mut cells = Vec::with_capacity(self.rows * ROW);
            for block in 0..self.blocks {
                cells.extend(self.block(turn, block)?);
            }
            if cells.len() == self.rows * ROW { Ok(cells) } else { Err(Damaged) }
        };
        Ok(ByColor { white: all(Color::White)?, black: all(Color::Black)? })
    }

    fn block(&self, turn: Color, block: usize) -> Result<Vec<u16>, Damaged> {
        let at = turn as usize * self.blocks + block;
        let offset = |at: usize| -> Result<usize, Damaged> {
            let bytes = self.payload.get(at * 4..at * 4 + 4)?;
            Ok(u32::from_le_bytes(*bytes.first_chunk().ok_or(Damaged)?) as usize)
        };
        let base = (2 * self.blocks + 1) * 4;
        let bytes = self.payload.get(base + offset(at)?..base + offset(at + 1)?)?;
        let cells = zstd::bulk::decompress(bytes, BLOCK_ROWS * ROW * 2).map_err(|_| Damaged)?;
        Ok(cells.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
    }
}
