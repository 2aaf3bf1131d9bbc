//! Retrograde analysis of one class, a row of 63 positions at a time.
//!
//! For each side to move, two bitboards a row say where the runner has to stand for the position to
//! be won or lost, and a byte a position how long it takes. The analysis goes ply by ply, wins and
//! losses in turn:
//!
//! - a position is won when some move leads to a lost one: the union, over all moves, of the lost
//!   sets of the rows they lead to;
//! - a position is lost when all moves lead to won ones: the intersection of the won sets.
//!
//! A move of the runner stays in the row and is a shift of its bitboard; a move of another piece
//! leads to a neighbouring row. Wins are read from losses and losses from wins, of the other side to
//! move, so that nothing is read that is being written, rows can be processed in any order and by any
//! number of threads, and the result is the same to the last bit.
//!
//! Only rows one of whose successors changed are looked at again (`dirty`), so that the long tail of
//! late wins costs little.
//!
//! Captures lead to smaller classes, already solved: before the first ply, every position gets in
//! its byte the best that a capture (or a den entered) achieves, its *exit*. A winning exit makes
//! the position won at its ply, a losing one delays the loss to its ply, a drawing one rules it out.
//! Rows are woken up for their exits by `wake`.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering::Relaxed};

use jungle::board::{self, DEN, TRAPS, WATER};
use jungle::rules::NoLegalMove;
use jungle::{Animal, Bitboard, ByColor, Color, Jungle, Piece, Square};
use rayon::prelude::*;

use crate::cell::Cell;
use crate::grid::{Grid, MAX_PIECES, ROW, RowSquares};

/// The longest distance does not fit the cells; solve again with wider ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellsTooNarrow;

/// The file that mirroring leaves in place.
const MIDDLE: u8 = 3;

/// How many rows a thread takes at a time.
const CHUNK: usize = 1024;

/// Solves a class: the cells of all positions, by side to move, in the grid's numbering. A position
/// that is neither won nor lost is `DRAW`; so is every index without a position.
///
/// # Errors
///
/// If the longest win does not fit the cells.
pub fn solve<C: Cell>(
    jungle: &Jungle,
    grid: &Grid,
    views: &impl Exits<C>,
) -> Result<ByColor<Vec<C>>, CellsTooNarrow> {
    let analysis = Analysis::new(jungle, grid);
    let mut sides = ByColor::from_fn(|_| Side::<C>::new(grid.rows()));
    for color in Color::ALL {
        analysis.find_exits(color, &mut sides[color], views);
    }
    for color in Color::ALL {
        analysis.wake_predecessors(&sides, color);
    }
    let mut half: u16 = 0;
    loop {
        half += 1;
        if half > C::MAX_HALF {
            return Err(CellsTooNarrow);
        }
        let mut active = false;
        for color in Color::ALL {
            active |= analysis.wins(&mut sides, color, half);
        }
        for color in Color::ALL {
            active |= analysis.losses(&mut sides, color, half);
        }
        let last_wake = Color::ALL.map(|color| sides[color].last_wake.load(Relaxed));
        if !active && last_wake.into_iter().all(|last| last <= u32::from(half)) {
            break;
        }
    }
    Ok(ByColor { white: sides.white.finish(), black: sides.black.finish() })
}

/// What captures, dens entered and stalemate make of every position with `turn` to move; `NONE` where there is
/// nothing of the kind.
pub fn exits<C: Cell>(jungle: &Jungle, grid: &Grid, views: &impl Exits<C>, turn: Color) -> Vec<C> {
    let mut side = Side::new(grid.rows());
    Analysis::new(jungle, grid).find_exits(turn, &mut side, views);
    side.cells
}

/// All positions with one side to move.
struct Side<C> {
    won: Vec<u64>,
    lost: Vec<u64>,
    cells: Vec<C>,
    /// Rows in which there may be new wins, because a successor was lost; and new losses.
    dirty: [Vec<AtomicU8>; 2],
    /// The half-distance at which a row has to be looked at again for an exit; 0 for never.
    wake: [Vec<u16>; 2],
    last_wake: AtomicU32,
}

const WINS: usize = 0;
const LOSSES: usize = 1;

impl<C: Cell> Side<C> {
    fn new(rows: usize) -> Side<C> {
        let flags = || (0..rows).map(|_| AtomicU8::new(0)).collect();
        Side {
            won: vec![0; rows],
            lost: vec![0; rows],
            cells: vec![C::NONE; rows * ROW],
            dirty: [flags(), flags()],
            wake: [vec![0; rows], vec![0; rows]],
            last_wake: AtomicU32::new(0),
        }
    }

    fn finish(mut self) -> Vec<C> {
        let settled = self.won.par_iter().zip(&self.lost);
        self.cells.par_chunks_mut(ROW).zip(settled).for_each(|(cells, (won, lost))| {
            for (at, cell) in cells.iter_mut().enumerate() {
                if (won | lost) >> at & 1 == 0 {
                    *cell = C::DRAW;
                }
            }
        });
        self.cells
    }
}

/// A move of a piece other than the runner.
#[derive(Clone, Copy)]
struct Step {
    to: Square,
    /// What it adds to the row; `None` when the first piece leaves files a–d and the board has to be
    /// mirrored.
    delta: Option<i32>,
    /// The water jumped over, empty for a step.
    over: Bitboard,
}

struct Row {
    number: usize,
    squares: RowSquares,
    occupied: Bitboard,
    /// Rats other than the runner, in the water.
    swimmers: Bitboard,
    /// Where the runner can stand.
    free: Bitboard,
}

struct Analysis<'a> {
    jungle: &'a Jungle,
    grid: &'a Grid,
    /// For each piece but the runner, its moves from each square.
    steps: Vec<Vec<Vec<Step>>>,
    runner: Piece,
    runner_swims: bool,
    jumps: [Bitboard; 2],
}

impl<'a> Analysis<'a> {
    fn new(jungle: &'a Jungle, grid: &'a Grid) -> Analysis<'a> {
        let runner = grid.runner();
        let fixed = &grid.pieces()[..grid.pieces().len() - 1];
        let steps = (0..fixed.len()).map(|at| steps(jungle, grid, at)).collect();
        let jumps = [board::Axis::Lengthwise, board::Axis::Sideways].map(|axis| {
            let allowed = jungle.jumps(runner.animal).allow(axis);
            if allowed { Bitboard::ALL } else { Bitboard::EMPTY }
        });
        let runner_swims = runner.animal == Animal::Rat;
        Analysis { jungle, grid, steps, runner, runner_swims, jumps }
    }

    fn fixed(&self) -> &[Piece] {
        &self.grid.pieces()[..self.steps.len()]
    }

    /// The row, or `None` if two pieces share a square.
    #[inline]
    fn row(&self, number: usize) -> Option<Row> {
        let squares = self.grid.squares(number);
        let mut occupied = Bitboard::EMPTY;
        let mut swimmers = Bitboard::EMPTY;
        for (piece, square) in self.fixed().iter().zip(squares) {
            if occupied.contains(square) {
                return None;
            }
            occupied |= square.bitboard();
            if piece.animal == Animal::Rat {
                swimmers |= square.bitboard() & WATER;
            }
        }
        let free = self.grid.runner_domain().without(occupied);
        Some(Row { number, squares, occupied, swimmers, free })
    }

    /// Calls `visit` for each row that a quiet move of `color`'s pieces, other than the runner, leads
    /// to: its number, whether it is mirrored, and where the runner must stand for the move to be
    /// possible. Quiet moves can be taken back, so these are also the rows that lead here.
    #[inline]
    fn for_each_step(
        &self,
        row: &Row,
        color: Color,
        mut visit: impl FnMut(usize, bool, Bitboard) -> bool,
    ) {
        for (at, piece) in self.fixed().iter().enumerate() {
            if piece.color != color {
                continue;
            }
            for step in &self.steps[at][row.squares[at].index()] {
                if row.occupied.contains(step.to) || step.over.intersects(row.swimmers) {
                    continue;
                }
                let mut allowed = row.free.without(step.to.bitboard());
                if self.runner_swims {
                    allowed = allowed.without(step.over);
                }
                let go_on = match step.delta {
                    Some(delta) => {
                        visit((row.number as i64 + i64::from(delta)) as usize, false, allowed)
                    }
                    None => visit(self.mirrored_row(row, at, step.to), true, allowed),
                };
                if !go_on {
                    return;
                }
            }
        }
    }

    fn mirrored_row(&self, row: &Row, moved: usize, to: Square) -> usize {
        let mut squares = row.squares;
        squares[moved] = to;
        let mirrored: [Square; MAX_PIECES] = squares.map(Square::mirror);
        self.grid.row(&mirrored[..self.steps.len()]).expect("the mirrored board has this row")
    }

    /// Where the runner can stand so that it moves quietly into `targets`; also where it gets to from
    /// there.
    #[inline]
    fn runner_moves(&self, row: &Row, targets: Bitboard) -> Bitboard {
        let mut from = targets.neighbours();
        let [lengthwise, sideways] = self.jumps.map(|allowed| targets & allowed);
        if (lengthwise | sideways).intersects(board::SHORE) {
            for landing in board::landings(lengthwise, sideways, row.swimmers) {
                from |= landing;
            }
        }
        from & row.free
    }

    /// Finds what captures and dens entered achieve, and the positions without a legal move.
    fn find_exits<C: Cell>(&self, color: Color, side: &mut Side<C>, views: &impl Exits<C>) {
        let last_wake = &side.last_wake;
        let [wake_wins, _] = &mut side.wake;
        let rows = side.cells.par_chunks_mut(ROW * CHUNK).zip(wake_wins.par_chunks_mut(CHUNK));
        let rows = rows.zip(side.lost.par_chunks_mut(CHUNK)).enumerate();
        rows.for_each(|(chunk, ((cells, wake), lost))| {
            for (at, cells) in cells.chunks_exact_mut(ROW).enumerate() {
                let Some(row) = self.row(chunk * CHUNK + at) else { continue };
                self.find_row_exits(color, &row, cells, views);
                let stuck = self.stuck(color, &row, cells);
                for square in stuck {
                    match self.jungle.rules().no_legal_move {
                        NoLegalMove::Draw => cells[square.index()] = C::DRAW,
                        NoLegalMove::Loss => {
                            cells[square.index()] = C::loss(0);
                            lost[at] |= square.bitboard().bits();
                        }
                    }
                }
                let soonest = cells.iter().filter_map(|cell| cell.win_half()).min();
                wake[at] = soonest.unwrap_or(0);
                last_wake.fetch_max(u32::from(wake[at]), Relaxed);
            }
        });
        // Positions whose only moves are captures are not reached from anywhere: look at all once.
        side.dirty[LOSSES].par_iter().for_each(|flag| flag.store(1, Relaxed));
    }

    fn find_row_exits<C: Cell>(
        &self,
        color: Color,
        row: &Row,
        cells: &mut [C],
        views: &impl Exits<C>,
    ) {
        let runner_at = self.steps.len();
        let mut improve = |square: Square, exit: C| {
            let cell = &mut cells[square.index()];
            *cell = exit.min(*cell);
        };
        let den = DEN[!color].bitboard();
        for (at, piece) in self.fixed().iter().enumerate() {
            if piece.color != color {
                continue;
            }
            let from = row.squares[at];
            if den.neighbours().contains(from) {
                row.free.into_iter().for_each(|square| improve(square, C::win(1)));
                return;
            }
            // Another piece takes another piece, or the runner.
            for step in &self.steps[at][from.index()] {
                if step.over.intersects(row.swimmers) {
                    continue;
                }
                let mut runner = row.free;
                if self.runner_swims {
                    runner = runner.without(step.over);
                }
                if let Some(victim_at) = self.fixed_on(row, step.to) {
                    let victim = self.fixed()[victim_at];
                    if victim.color != color
                        && self.jungle.may_take(piece.animal, from, victim, step.to)
                    {
                        let view = views.row(victim_at, &row.squares, at, step.to);
                        runner.into_iter().for_each(|square| improve(square, view[square.index()]));
                    }
                } else if runner.contains(step.to)
                    && self.runner.color != color
                    && self.jungle.may_take(piece.animal, from, self.runner, step.to)
                {
                    let mut squares = row.squares;
                    squares[at] = step.to;
                    improve(step.to, views.cell(runner_at, &squares));
                }
            }
        }
        if self.runner.color != color {
            return;
        }
        for square in row.free & TRAPS[!color] {
            improve(square, C::win(1));
        }
        // The runner takes another piece.
        for (at, victim) in self.fixed().iter().enumerate() {
            if victim.color == color {
                continue;
            }
            let to = row.squares[at];
            let sources = self.runner_moves(row, to.bitboard());
            let mut squares = row.squares;
            squares[runner_at] = to;
            for from in sources {
                if self.jungle.may_take(self.runner.animal, from, *victim, to) {
                    improve(from, views.cell(at, &squares));
                }
            }
        }
    }

    fn fixed_on(&self, row: &Row, square: Square) -> Option<usize> {
        if !row.occupied.contains(square) {
            return None;
        }
        row.squares[..self.steps.len()].iter().position(|&other| other == square)
    }

    /// Where the runner stands when `color` has neither a quiet move nor an exit.
    fn stuck<C: Cell>(&self, color: Color, row: &Row, cells: &[C]) -> Bitboard {
        let mut stuck = row.free;
        self.for_each_step(row, color, |_, _, allowed| {
            stuck = stuck.without(allowed);
            stuck.any()
        });
        if self.runner.color == color {
            stuck = stuck.without(self.runner_moves(row, row.free));
        }
        stuck.into_iter().filter(|square| cells[square.index()] == C::NONE).collect()
    }

    /// After the exits are found: rows that lead to a position lost by stalemate.
    fn wake_predecessors<C: Cell>(&self, sides: &ByColor<Side<C>>, color: Color) {
        let other = &sides[!color];
        sides[color].lost.par_iter().enumerate().filter(|(_, lost)| **lost != 0).for_each(
            |(number, _)| {
                if let Some(row) = self.row(number) {
                    self.mark(&row, !color, &other.dirty[WINS]);
                }
            },
        );
    }

    /// Marks every row from which a quiet move of `mover` leads into this one.
    #[inline]
    fn mark(&self, row: &Row, mover: Color, dirty: &[AtomicU8]) {
        self.for_each_step(row, mover, |number, _, _| {
            dirty[number].store(1, Relaxed);
            true
        });
        if self.runner.color == mover {
            dirty[row.number].store(1, Relaxed);
        }
        // With the first piece on file d, a row and its mirror image are the same positions. Off it,
        // this row is reached from both: from one directly, from the other across the middle.
        if self.fixed()[0].color == mover && row.squares[0].file() != MIDDLE {
            for step in &self.steps[0][row.squares[0].index()] {
                if step.to.file() == MIDDLE && !row.occupied.contains(step.to) {
                    dirty[self.mirrored_row(row, 0, step.to)].store(1, Relaxed);
                }
            }
        }
    }

    /// Finds the positions that `color`, to move, wins in `2 * half - 1` plies.
    fn wins<C: Cell>(&self, sides: &mut ByColor<Side<C>>, color: Color, half: u16) -> bool {
        let (side, other) = both(sides, color);
        let found = AtomicBool::new(false);
        let (lost, dirty, last_wake) = (&side.lost, &side.dirty[WINS], &side.last_wake);
        let rows = side.won.par_chunks_mut(CHUNK).zip(side.cells.par_chunks_mut(ROW * CHUNK));
        let rows = rows.zip(side.wake[WINS].par_chunks_mut(CHUNK)).enumerate();
        rows.for_each(|(chunk, ((won, cells), wake))| {
            for at in 0..won.len() {
                let number = chunk * CHUNK + at;
                let is_dirty = dirty[number].load(Relaxed) != 0;
                let awake = wake[at] == half;
                if !is_dirty && !awake {
                    continue;
                }
                dirty[number].store(0, Relaxed);
                let Some(row) = self.row(number) else { continue };
                let cells = &mut cells[at * ROW..(at + 1) * ROW];
                let open = row.free.bits() & !(won[at] | lost[number]);
                let mut new =
                    if is_dirty { open & self.won_by_moving(&row, color, other) } else { 0 };
                if awake {
                    let mut next = 0;
                    for square in bits(open & !new) {
                        match cells[square.index()].win_half() {
                            Some(exit) if exit == half => new |= square.bitboard().bits(),
                            Some(exit) if next == 0 || exit < next => next = exit,
                            _ => {}
                        }
                    }
                    wake[at] = next;
                    last_wake.fetch_max(u32::from(next), Relaxed);
                }
                if new == 0 {
                    continue;
                }
                won[at] |= new;
                for square in bits(new) {
                    cells[square.index()] = C::win(half);
                }
                self.mark(&row, !color, &other.dirty[LOSSES]);
                found.store(true, Relaxed);
            }
        });
        found.into_inner()
    }

    #[inline]
    fn won_by_moving<C: Cell>(&self, row: &Row, color: Color, other: &Side<C>) -> u64 {
        let mut won = Bitboard::EMPTY;
        self.for_each_step(row, color, |number, mirrored, allowed| {
            won |= set(other.lost[number], mirrored) & allowed;
            true
        });
        if self.runner.color == color {
            won |= self.runner_moves(row, set(other.lost[row.number], false));
        }
        won.bits()
    }

    /// Finds the positions that `color`, to move, loses in `2 * half` plies.
    fn losses<C: Cell>(&self, sides: &mut ByColor<Side<C>>, color: Color, half: u16) -> bool {
        let (side, other) = both(sides, color);
        let found = AtomicBool::new(false);
        let (won, dirty, last_wake) = (&side.won, &side.dirty[LOSSES], &side.last_wake);
        let rows = side.lost.par_chunks_mut(CHUNK).zip(side.cells.par_chunks_mut(ROW * CHUNK));
        let rows = rows.zip(side.wake[LOSSES].par_chunks_mut(CHUNK)).enumerate();
        rows.for_each(|(chunk, ((lost, cells), wake))| {
            for at in 0..lost.len() {
                let number = chunk * CHUNK + at;
                let is_dirty = dirty[number].load(Relaxed) != 0;
                if !is_dirty && wake[at] != half {
                    continue;
                }
                dirty[number].store(0, Relaxed);
                let Some(row) = self.row(number) else { continue };
                let open = row.free.bits() & !(won[number] | lost[at]);
                let doomed = self.doomed(&row, open, color, other);
                if doomed == 0 {
                    continue;
                }
                let cells = &mut cells[at * ROW..(at + 1) * ROW];
                let mut new = 0;
                let mut next = 0;
                for square in bits(doomed) {
                    let exit = cells[square.index()];
                    if exit >= C::loss(half) {
                        new |= square.bitboard().bits();
                    } else if let Some(later) = exit.loss_half() {
                        next = if next == 0 { later } else { later.min(next) };
                    }
                }
                wake[at] = next;
                last_wake.fetch_max(u32::from(next), Relaxed);
                if new == 0 {
                    continue;
                }
                lost[at] |= new;
                for square in bits(new) {
                    cells[square.index()] = C::loss(half);
                }
                self.mark(&row, !color, &other.dirty[WINS]);
                found.store(true, Relaxed);
            }
        });
        found.into_inner()
    }

    /// Those of the `open` positions in which every quiet move loses.
    #[inline]
    fn doomed<C: Cell>(&self, row: &Row, open: u64, color: Color, other: &Side<C>) -> u64 {
        let mut doomed = set(open, false);
        if self.runner.color == color {
            let safe = row.free.without(set(other.won[row.number], false));
            doomed = doomed.without(self.runner_moves(row, safe));
        }
        if doomed.is_empty() {
            return 0;
        }
        self.for_each_step(row, color, |number, mirrored, allowed| {
            doomed = doomed.without(allowed.without(set(other.won[number], mirrored)));
            doomed.any()
        });
        doomed.bits()
    }
}

/// Which rows are positions, and which of those leave a side without a legal move.
pub struct Stuck<'a> {
    analysis: Analysis<'a>,
}

impl<'a> Stuck<'a> {
    /// For the rows of a grid.
    pub fn new(jungle: &'a Jungle, grid: &'a Grid) -> Stuck<'a> {
        Stuck { analysis: Analysis::new(jungle, grid) }
    }

    /// Where the runner can stand in a row, and how many placements each of these positions stands
    /// for: two, unless the first piece is on the middle file, where both are in the grid. `None` if
    /// the row's pieces collide.
    pub fn free(&self, row: usize) -> Option<(Bitboard, u64)> {
        let row = self.analysis.row(row)?;
        Some((row.free, if row.squares[0].file() == MIDDLE { 1 } else { 2 }))
    }

    /// Where the runner stands when `color`, to move, has no legal move.
    pub fn stuck(&self, color: Color, row: usize) -> Bitboard {
        let Some(row) = self.analysis.row(row) else { return Bitboard::EMPTY };
        let mut exits = [u8::NONE; ROW];
        let stuck = self.analysis.stuck(color, &row, &exits);
        if stuck.is_empty() {
            return stuck;
        }
        self.analysis.find_row_exits(color, &row, &mut exits, &NoViews);
        stuck.into_iter().filter(|square| exits[square.index()] == u8::NONE).collect()
    }
}

/// What captures lead to.
pub trait Exits<C>: Sync {
    /// The value of taking `victim` with the piece `taker` arriving on `to`, for every square of the
    /// runner; neither is the runner.
    fn row(&self, victim: usize, squares: &RowSquares, taker: usize, to: Square) -> &[C];
    /// The value of taking `victim`, the others then standing on `squares`.
    fn cell(&self, victim: usize, squares: &RowSquares) -> C;
}

/// Every capture has the same value: for when it only matters whether there is one.
struct NoViews;

impl Exits<u8> for NoViews {
    fn row(&self, _: usize, _: &RowSquares, _: usize, _: Square) -> &[u8] {
        &[u8::DRAW; ROW]
    }

    fn cell(&self, _: usize, _: &RowSquares) -> u8 {
        u8::DRAW
    }
}

fn both<C>(sides: &mut ByColor<Side<C>>, color: Color) -> (&mut Side<C>, &Side<C>) {
    match color {
        Color::White => (&mut sides.white, &sides.black),
        Color::Black => (&mut sides.black, &sides.white),
    }
}

/// The set of a word that has only squares in it.
#[inline]
fn set(bits: u64, mirrored: bool) -> Bitboard {
    let set = Bitboard::from_bits_truncated(bits);
    if mirrored { set.mirror() } else { set }
}

#[inline]
fn bits(word: u64) -> jungle::bitboard::Squares {
    Bitboard::from_bits_truncated(word).into_iter()
}

/// The moves of a piece of the grid from each square it can stand on: steps and jumps between squares
/// of its domain, blocked or not.
fn steps(jungle: &Jungle, grid: &Grid, at: usize) -> Vec<Vec<Step>> {
    let piece = grid.pieces()[at];
    let domain = crate::grid::domain(piece.animal);
    let moves = |from: Square| {
        let walk = (board::neighbours(from) & domain).into_iter();
        let walk = walk.map(|to| (to, Bitboard::EMPTY));
        let allowed = jungle.jumps(piece.animal);
        let jumps = board::jumps(from).iter().filter(move |jump| allowed.allow(jump.axis));
        walk.chain(jumps.map(|jump| (jump.to, jump.over)))
    };
    Square::ALL
        .into_iter()
        .map(|from| {
            let Some(here) = grid.offset(at, from) else { return Vec::new() };
            let delta = |to| grid.offset(at, to).map(|there| there as i32 - here as i32);
            moves(from).map(|(to, over)| Step { to, delta: delta(to), over }).collect()
        })
        .collect()
}
