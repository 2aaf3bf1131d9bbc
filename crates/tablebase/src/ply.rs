//! One ply ahead of a whole row at once: what [`Lookahead`](crate::lookahead::Lookahead) does for a position, for all
//! squares of the runner together.
//!
//! A row of cells fits a line of a cache, and what most moves do is the same for all of it: a quiet move of a fixed
//! piece leads to the row in which it stands elsewhere, wherever the runner is, so the best of a row and of what such a
//! move achieves is one minimum of 64 bytes. Only moves of the runner and captures are looked at one by one.
//!
//! How pieces move is asked of the ordinary move generator, once, on boards of two or three pieces: where a piece goes
//! from each square, which other piece on which square is in the way (a rat in the water that is jumped over), and whom
//! it takes where. That it depends on no more than two pieces at a time is an assumption, which tests hold against
//! `Lookahead` under random house rules. Nothing here is shared with the solver but the numbering of positions.

use game::Game;
use game::truth::Truth;
use jungle::board::DEN;
use jungle::{Animal, Bitboard, Color, Jungle, Move, Piece, Position, Square};

use crate::cell::Cell;
use crate::class::{Loader, Reader};
use crate::grid::{Grid, MAX_PIECES, ROW, RowSquares};
use crate::probe::ProbeError;

/// The cells of a row.
pub(crate) type Cells<C> = [C; ROW];

/// Looks one ply ahead of the rows of a class.
pub(crate) struct Ply {
    grid: Grid,
    /// By piece and square, for squares where the piece can stand.
    steps: Vec<Vec<Vec<Step>>>,
    /// Where the capture of each piece leads; `None` if it is the last of its side.
    after: Vec<Option<Reader>>,
    /// What taking the last piece achieves.
    annihilation: Truth,
    /// What a position without a legal move is worth.
    without_moves: Truth,
}

/// A move that a piece can make from a square if nothing is in the way.
struct Step {
    to: Square,
    /// Whether it enters the enemy's den.
    wins: bool,
    /// For each piece the squares other than `to` on which it is in the way.
    barred: [Bitboard; MAX_PIECES],
    /// Whether any is.
    can_be_barred: bool,
    /// The pieces that it takes on `to`, as bits.
    takes: u8,
}

/// A truth does not fit the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooNarrow;

/// What a row is before any move is made.
pub(crate) struct RowAt {
    /// The squares of the fixed pieces; the runner's is to be filled in.
    pub squares: RowSquares,
    /// Where the fixed pieces stand.
    occupied: Bitboard,
    /// Where the runner can stand.
    pub free: Bitboard,
}

impl Ply {
    /// Asks the move generator about these pieces. The tables that captures lead to are loaded.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn new(loader: &mut Loader<'_>, jungle: &Jungle, grid: &Grid) -> Result<Ply, ProbeError> {
        let pieces = grid.pieces();
        let mut after = Vec::new();
        for victim in 0..pieces.len() {
            let rest = pieces.iter().enumerate().filter(|&(at, _)| at != victim);
            let rest: Vec<Piece> = rest.map(|(_, &piece)| piece).collect();
            after.push(loader.reader(jungle, &rest)?);
        }
        let steps = (0..pieces.len())
            .map(|piece| {
                let steps = |&from: &Square| steps(jungle, pieces, piece, from);
                Square::ALL.iter().map(steps).collect()
            })
            .collect();
        Ok(Ply {
            grid: grid.clone(),
            steps,
            after,
            annihilation: annihilation(jungle),
            without_moves: jungle.rules().no_legal_move.truth(),
        })
    }

    /// How positions are numbered.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What a position without a legal move is worth.
    pub fn without_moves(&self) -> Truth {
        self.without_moves
    }

    /// A row by its number; `None` if pieces collide in it.
    pub fn row(&self, row: usize) -> Option<RowAt> {
        let squares = self.grid.squares(row);
        let mut occupied = Bitboard::EMPTY;
        for square in &squares[..self.fixed()] {
            if occupied.contains(*square) {
                return None;
            }
            occupied |= square.bitboard();
        }
        let free = self.grid.runner_domain().without(occupied);
        Some(RowAt { squares, occupied, free })
    }

    fn fixed(&self) -> usize {
        self.grid.pieces().len() - 1
    }

    /// The best that captures and dens achieve for the side to move, put into `best` where it is better than what is
    /// there.
    ///
    /// # Errors
    ///
    /// If a distance does not fit the cells.
    pub fn exits<C: Cell>(
        &self,
        at: &RowAt,
        turn: Color,
        best: &mut Cells<C>,
    ) -> Result<(), TooNarrow> {
        self.each_fixed_step(at, turn, |piece, step, free| {
            self.exits_of(at, piece, step, free, best)
        })?;
        self.runner_exits(at, turn, best)
    }

    /// The best that all moves achieve for the side to move, in the same way. `cells` are those of all rows with the
    /// other side to move; none of them may be the longest loss that fits.
    ///
    /// # Errors
    ///
    /// If a distance does not fit the cells.
    #[inline(always)]
    pub fn best<C: Cell>(
        &self,
        row: usize,
        at: &RowAt,
        turn: Color,
        cells: &[C],
        best: &mut Cells<C>,
    ) -> Result<(), TooNarrow> {
        self.each_fixed_step(at, turn, |piece, step, free| {
            self.exits_of(at, piece, step, free, best)?;
            if !step.wins && !at.occupied.contains(step.to) {
                self.quiet(row, at, piece, step.to, free, cells, best);
            }
            Ok(())
        })?;
        self.runner_exits(at, turn, best)?;
        self.runner_quiet(row, at, turn, cells, best);
        Ok(())
    }

    /// Visits the steps of the fixed pieces of a side that no fixed piece bars, with the runner's squares for which
    /// it does not bar them either.
    #[inline(always)]
    fn each_fixed_step(
        &self,
        at: &RowAt,
        turn: Color,
        mut visit: impl FnMut(usize, &Step, Bitboard) -> Result<(), TooNarrow>,
    ) -> Result<(), TooNarrow> {
        let fixed = self.fixed();
        for (piece, kind) in self.grid.pieces()[..fixed].iter().enumerate() {
            if kind.color != turn {
                continue;
            }
            for step in &self.steps[piece][at.squares[piece].index()] {
                if step.is_barred(&at.squares[..fixed]) {
                    continue;
                }
                visit(piece, step, at.free.without(step.barred[fixed]))?;
            }
        }
        Ok(())
    }

    /// What a step of a fixed piece achieves by entering the den or taking something.
    #[inline(always)]
    fn exits_of<C: Cell>(
        &self,
        at: &RowAt,
        piece: usize,
        step: &Step,
        free: Bitboard,
        best: &mut Cells<C>,
    ) -> Result<(), TooNarrow> {
        let fixed = self.fixed();
        if step.wins {
            free.into_iter().for_each(|square| best[square.index()] = C::win(1));
        } else if step.takes != 0 {
            let (victim, free) = if at.occupied.contains(step.to) {
                let victim = at.squares[..fixed].iter().position(|&square| square == step.to);
                (victim.expect("something stands there"), free)
            } else {
                (fixed, free & step.to.bitboard())
            };
            if step.takes & 1 << victim != 0 {
                let mut squares = at.squares;
                squares[piece] = step.to;
                let turn = self.grid.pieces()[piece].color;
                for runner in free {
                    squares[fixed] = runner;
                    improve(&mut best[runner.index()], self.capture(squares, victim, turn)?);
                }
            }
        }
        Ok(())
    }

    /// What a capture achieves that leads to these squares, of which the victim's no longer counts.
    fn capture<C: Cell>(
        &self,
        mut squares: RowSquares,
        victim: usize,
        turn: Color,
    ) -> Result<C, TooNarrow> {
        let truth = match &self.after[victim] {
            None => self.annihilation,
            Some(reader) => {
                squares.copy_within(victim + 1.., victim);
                let value = reader.value(&squares[..self.fixed()], !turn);
                value.expect("a legal move leads to a position").one_ply_earlier()
            }
        };
        C::from_value(truth).ok_or(TooNarrow)
    }

    /// The runner's captures, and the den.
    #[inline(always)]
    fn runner_exits<C: Cell>(
        &self,
        at: &RowAt,
        turn: Color,
        best: &mut Cells<C>,
    ) -> Result<(), TooNarrow> {
        let fixed = self.fixed();
        if self.grid.runner().color != turn {
            return Ok(());
        }
        for runner in at.free {
            for step in &self.steps[fixed][runner.index()] {
                if step.wins {
                    best[runner.index()] = C::win(1);
                } else if step.takes != 0
                    && at.occupied.contains(step.to)
                    && !step.is_barred(&at.squares[..fixed])
                {
                    let victim = at.squares[..fixed].iter().position(|&square| square == step.to);
                    let victim = victim.expect("something stands there");
                    if step.takes & 1 << victim != 0 {
                        let mut squares = at.squares;
                        squares[fixed] = step.to;
                        improve(&mut best[runner.index()], self.capture(squares, victim, turn)?);
                    }
                }
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn runner_quiet<C: Cell>(
        &self,
        row: usize,
        at: &RowAt,
        turn: Color,
        cells: &[C],
        best: &mut Cells<C>,
    ) {
        let fixed = self.fixed();
        if self.grid.runner().color != turn {
            return;
        }
        let mut achieved: Cells<C> = line(cells, row);
        achieved.iter_mut().for_each(|cell| *cell = cell.one_ply_earlier());
        for runner in at.free {
            let mut cell = best[runner.index()];
            for step in &self.steps[fixed][runner.index()] {
                if !step.wins
                    && !at.occupied.contains(step.to)
                    && !step.is_barred(&at.squares[..fixed])
                {
                    improve(&mut cell, achieved[step.to.index()]);
                }
            }
            best[runner.index()] = cell;
        }
    }

    /// A quiet move of a fixed piece.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "they are all there is to a move")]
    fn quiet<C: Cell>(
        &self,
        row: usize,
        at: &RowAt,
        piece: usize,
        to: Square,
        free: Bitboard,
        cells: &[C],
        best: &mut Cells<C>,
    ) {
        let fixed = self.fixed();
        // Where the runner is in the way, what is known stays.
        let kept = at.free.without(free) | (at.free & to.bitboard());
        let mut before = [C::NONE; ROW];
        kept.into_iter().for_each(|square| before[square.index()] = best[square.index()]);
        if piece == 0 && to.file() > 3 {
            let mut squares = at.squares;
            squares[0] = to;
            let mirrored = squares.map(Square::mirror);
            let row =
                self.grid.row(&mirrored[..fixed]).expect("a piece moves to where it can stand");
            let there: Cells<C> = line(cells, row);
            for square in free {
                let cell = there[square.mirror().index()].one_ply_earlier();
                improve(&mut best[square.index()], cell);
            }
        } else {
            let offset = |square| self.grid.offset(piece, square).expect("a square of its own");
            let row = row - offset(at.squares[piece]) as usize + offset(to) as usize;
            let there: Cells<C> = line(cells, row);
            for (best, cell) in best.iter_mut().zip(there) {
                *best = (*best).min(cell.one_ply_earlier());
            }
        }
        kept.into_iter().for_each(|square| best[square.index()] = before[square.index()]);
    }
}

impl Step {
    /// Whether one of these pieces is in the way.
    #[inline(always)]
    fn is_barred(&self, squares: &[Square]) -> bool {
        self.can_be_barred
            && self.barred.iter().zip(squares).any(|(barred, square)| barred.contains(*square))
    }
}

#[inline(always)]
fn improve<C: Cell>(best: &mut C, cell: C) {
    *best = (*best).min(cell);
}

/// The cells of a row among those of all.
#[inline(always)]
pub(crate) fn line<C: Cell>(cells: &[C], row: usize) -> Cells<C> {
    let line = &cells[row * ROW..(row + 1) * ROW];
    line.try_into().expect("a row has just as many cells")
}

/// The moves of a piece from a square, in the presence of each of the others.
fn steps(jungle: &Jungle, pieces: &[Piece], piece: usize, from: Square) -> Vec<Step> {
    let moved = pieces[piece];
    if !crate::grid::domain(moved.animal).contains(from) {
        return Vec::new();
    }
    let mut steps: Vec<Step> = Vec::new();
    for mv in moves_beside(jungle, moved, from, None) {
        steps.push(Step {
            to: mv.to,
            wins: mv.to == DEN[!moved.color],
            barred: [Bitboard::EMPTY; MAX_PIECES],
            can_be_barred: false,
            takes: 0,
        });
    }
    for (at, &other) in pieces.iter().enumerate().filter(|&(at, _)| at != piece) {
        for square in crate::grid::domain(other.animal).without(from.bitboard()) {
            let moves = moves_beside(jungle, moved, from, Some((square, other)));
            for step in &mut steps {
                let mv = moves.iter().find(|mv| mv.to == step.to);
                if square == step.to {
                    step.takes |= u8::from(mv.is_some()) << at;
                } else if mv.is_none() {
                    step.barred[at] |= square.bitboard();
                    step.can_be_barred = true;
                }
            }
        }
    }
    steps
}

/// The moves of a piece beside another one, by the ordinary generator. If there is no enemy, one is put into a corner
/// that is out of reach, so that the game goes on.
fn moves_beside(
    jungle: &Jungle,
    piece: Piece,
    from: Square,
    other: Option<(Square, Piece)>,
) -> Vec<Move> {
    let mut placed = vec![(from, piece)];
    placed.extend(other);
    if other.is_none_or(|(_, other)| other.color == piece.color) {
        let away = |corner: &Square| {
            let far = |square: Square| {
                let files = square.file().abs_diff(corner.file());
                files + square.rank().abs_diff(corner.rank())
            };
            placed.iter().map(|&(square, _)| far(square)).min()
        };
        let corners = [Square::A1, Square::G1, Square::A9, Square::G9];
        let corner = corners.into_iter().max_by_key(away).expect("there are four");
        placed.push((corner, Piece { color: !piece.color, animal: Animal::Cat }));
    }
    let position = Position::from_pieces(placed, piece.color);
    let position = position.expect("pieces stand where they can, the enemy's too");
    let mut moves = jungle.moves(&position);
    moves.retain(|mv| mv.from == from);
    moves
}

/// What taking the last piece achieves, by the ordinary rules.
fn annihilation(jungle: &Jungle) -> Truth {
    let alone = Piece { color: Color::White, animal: Animal::Cat };
    let position = Position::from_pieces([(Square::A1, alone)], Color::Black);
    let ending = jungle.ending(&position.expect("a piece is enough for a position"));
    let worth = match ending.and_then(|ending| ending.winner) {
        None => Truth::Draw,
        Some(Color::Black) => Truth::Win(0),
        Some(Color::White) => Truth::Loss(0),
    };
    worth.one_ply_earlier()
}
