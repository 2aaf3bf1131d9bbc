//! Principal-variation search (Marsland and Campbell 1982) of the contested part of a board.
//!
//! Moves come in stages: the table's move and the killers before any others are generated; then all of them,
//! ordered by what they lead to. With one ply left they are generated and evaluated eight at a time until one
//! is good enough. Nothing is allocated for a node: moves lie in one stack for the whole tree.
//!
//! A selective search evaluates what all moves lead to and searches only the best of them to the full depth; the
//! others are searched less deep, and deeper only if they do well. Wins and losses that it reports are
//! true all the same: they come from counting settled moves, and a move that was not searched counts with its
//! evaluation.

use game::Side;
use game::limits::{Meter, Stopped};
use game::score::Bound;

use super::board::Board;
use super::table::Entry;
use super::{Champion, INFINITE, WIN, is_decided};
use crate::batch::{LANES, values_of};
use crate::evaluate::Scale;
use crate::{Bitboard, Move, Position};

/// How far from the root killers and evaluations are kept.
pub(super) const MOST_PLIES: usize = 128;
/// So many moves are searched to the full depth before reductions begin.
const FULL: usize = 10;
/// And so many before reductions by two plies begin.
const HALF: usize = 60;
/// More moves than this are not brought into order.
const ORDERED: usize = 160;
/// A position that is better than the window by this much for every ply left is not searched.
const FUTILE: i32 = 120;

/// Calls `each` with up to eight moves at a time, until it returns false.
pub(super) fn in_batches(position: &Position, mut each: impl FnMut(&[Move]) -> bool) {
    let mover = position.turn();
    let Some(first) = position.amazons(mover).first() else { return };
    let mut batch = [Move { from: first, to: first, arrow: first }; LANES];
    let mut count = 0;
    for from in position.amazons(mover) {
        let beyond = position.empty().with(from);
        for to in from.queen_moves(position.empty()) {
            for arrow in to.queen_moves(beyond) {
                batch[count] = Move { from, to, arrow };
                count += 1;
                if count == LANES {
                    if !each(&batch) {
                        return;
                    }
                    count = 0;
                }
            }
        }
    }
    if count > 0 {
        each(&batch[..count]);
    }
}

/// Whether a move is legal; it may come from another position.
pub(super) fn is_legal(position: &Position, mv: Move) -> bool {
    position.amazons(position.turn()).contains(mv.from)
        && mv.from.queen_moves(position.empty()).contains(mv.to)
        && mv.to.queen_moves(position.empty().with(mv.from)).contains(mv.arrow)
}

/// Where the search stands.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub depth: i32,
    pub ply: usize,
    pub alpha: i32,
    pub beta: i32,
}

impl At {
    /// One ply further, with this window for the player to move here.
    fn next(self, depth: i32, alpha: i32, beta: i32) -> At {
        At { depth, ply: self.ply + 1, alpha: -beta, beta: -alpha }
    }
}

impl Champion {
    /// The static value for the player to move.
    pub(super) fn evaluate(&self, board: &Board) -> i32 {
        self.scale.value(&board.position) + self.settled_value(board)
    }

    #[inline]
    fn settled_value(&self, board: &Board) -> i32 {
        let [low, high] = board.settled_for_mover();
        self.weights.settled * (low + high) / 2
    }

    pub(super) fn step(&mut self, board: &Board, mv: Move) -> Board {
        let known = if self.settings.regions { Some(&mut self.known) } else { None };
        board.after(mv, known)
    }

    /// The value of a board, searched `at.depth` plies deep.
    pub(super) fn node(
        &mut self,
        board: &Board,
        at: At,
        meter: &mut Meter,
    ) -> Result<i32, Stopped> {
        meter.visit()?;
        let ply = at.ply as i32;
        let can_move = board.position.can_move(board.position.turn());
        if self.settings.regions {
            if let Some(wins) = board.solved(&mut self.known) {
                return Ok(if wins { WIN - ply } else { ply - WIN });
            }
            if !can_move && board.settled_for_mover()[1] <= 0 {
                return Ok(ply - WIN);
            }
        } else if !can_move {
            return Ok(ply - WIN);
        }
        if at.depth <= 0 || at.ply + 1 >= MOST_PLIES {
            return Ok(self.evaluate(board));
        }
        if !can_move {
            let next = at.next(at.depth - 1, at.alpha, at.beta);
            return Ok(-self.node(&board.spent(), next, meter)?);
        }
        if self.settings.selective && at.depth <= 3 && at.beta - at.alpha == 1 {
            let value = self.evaluate(board);
            if value - FUTILE * (at.depth - 1) >= at.beta && !is_decided(at.beta) {
                return Ok(value);
            }
        }
        let key = board.key();
        let known = if self.settings.table { self.table.get(key) } else { None };
        if let Some(entry) = known
            && let Some(value) = usable(entry, at, self.settings.selective)
        {
            return Ok(value);
        }
        let first = known.and_then(|entry| entry.mv).filter(|&mv| is_legal(&board.position, mv));
        let mut best = Best { value: -INFINITE, mv: None, alpha: at.alpha };
        if at.depth == 1 {
            self.leaves(board, at, first, &mut best, meter)?;
        } else {
            let base = self.moves.len();
            let searched = self.moves_of(board, at, first, &mut best, meter);
            self.moves.truncate(base);
            searched?;
        }
        // A settled move instead of one in a contested region.
        if best.alpha < at.beta && self.settings.regions && board.settled_for_mover()[1] > 0 {
            let next = at.next(at.depth - 1, best.alpha, at.beta);
            let value = -self.node(&board.spent(), next, meter)?;
            if value > best.value {
                best.value = value;
                best.mv = None;
            }
        }
        if self.settings.table {
            let bound = match best.value {
                value if value >= at.beta => Bound::Lower,
                value if value > at.alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let value = stored(best.value, ply);
            let entry = Entry { mv: best.mv, value, depth: at.depth, bound };
            self.table.put(key, entry);
        }
        Ok(best.value)
    }

    /// The usual search of moves.
    fn moves_of(
        &mut self,
        board: &Board,
        at: At,
        first: Option<Move>,
        best: &mut Best,
        meter: &mut Meter,
    ) -> Result<(), Stopped> {
        let mut tried = Tried::default();
        if let Some(mv) = first {
            tried.add(mv);
            if self.try_move(board, at, mv, 0, best, meter)? {
                return Ok(());
            }
        }
        for mv in self.killers[at.ply].into_iter().flatten() {
            if !tried.has(mv) && is_legal(&board.position, mv) {
                tried.add(mv);
                if self.try_move(board, at, mv, 0, best, meter)? {
                    return Ok(());
                }
            }
        }
        let range = self.list(board, meter)?;
        let mut index = 0;
        for place in range {
            let (value, mv) = self.moves[place];
            if tried.has(mv) {
                continue;
            }
            let reduction = self.reduction(at, index);
            if reduction > 0 && at.depth - 1 - reduction <= 0 && best.value > -INFINITE {
                // What it leads to has been evaluated, and is searched only if that is good enough.
                let value = -value;
                if value <= best.alpha {
                    best.value = best.value.max(value);
                    index += 1;
                    continue;
                }
            }
            if self.try_move(board, at, mv, reduction, best, meter)? {
                return Ok(());
            }
            index += 1;
        }
        Ok(())
    }

    fn reduction(&self, at: At, index: usize) -> i32 {
        match index {
            _ if !self.settings.selective => 0,
            index if index < FULL => 0,
            index if index < HALF || at.depth < 4 => 1,
            _ => 2,
        }
    }

    /// All moves with the values, for the other player, of what they lead to; the best come first. Gives their places
    /// in the stack. As in [`divide`](crate::divide), evaluating moves to order them does not count as visits.
    fn list(
        &mut self,
        board: &Board,
        meter: &mut Meter,
    ) -> Result<std::ops::Range<usize>, Stopped> {
        meter.spend(0)?;
        let base = self.moves.len();
        let scale = self.scale;
        let settled = -self.settled_value(board);
        let moves = &mut self.moves;
        in_batches(&board.position, |batch| {
            let values = values_of(&scale, &board.position, batch);
            moves.extend(batch.iter().zip(values).map(|(&mv, value)| (value + settled, mv)));
            true
        });
        let history = &self.history[board.position.turn() as usize];
        let listed = &mut self.moves[base..];
        let order = |&(value, mv): &(i32, Move)| {
            value - history[mv.to.index()] / 64 - history[mv.arrow.index()] / 64
        };
        if listed.len() > 2 * ORDERED {
            listed.select_nth_unstable_by_key(ORDERED, order);
            listed[..ORDERED].sort_unstable_by_key(order);
        } else {
            listed.sort_unstable_by_key(order);
        }
        Ok(base..self.moves.len())
    }

    /// Searches a move; true if it is good enough for a cutoff.
    fn try_move(
        &mut self,
        board: &Board,
        at: At,
        mv: Move,
        reduction: i32,
        best: &mut Best,
        meter: &mut Meter,
    ) -> Result<bool, Stopped> {
        let after = self.step(board, mv);
        let depth = at.depth - 1;
        let alpha = best.alpha;
        let mut value = alpha + 1;
        if reduction > 0 {
            let next = at.next(depth - reduction, alpha, alpha + 1);
            value = -self.node(&after, next, meter)?;
        }
        if value > alpha {
            if best.value == -INFINITE || at.beta - alpha == 1 {
                value = -self.node(&after, at.next(depth, alpha, at.beta), meter)?;
            } else {
                value = -self.node(&after, at.next(depth, alpha, alpha + 1), meter)?;
                if value > alpha && value < at.beta {
                    value = -self.node(&after, at.next(depth, alpha, at.beta), meter)?;
                }
            }
        }
        if value > best.value {
            best.value = value;
            best.mv = Some(mv);
        }
        best.alpha = best.alpha.max(value);
        if best.alpha < at.beta {
            return Ok(false);
        }
        self.remember(board.position.turn(), at, mv);
        Ok(true)
    }

    fn remember(&mut self, mover: Side, at: At, mv: Move) {
        let killers = &mut self.killers[at.ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let history = &mut self.history[mover as usize];
        for square in [mv.to, mv.arrow] {
            let entry = &mut history[square.index()];
            *entry += at.depth * at.depth;
            if *entry > 4_000 {
                for entry in history.iter_mut() {
                    *entry /= 2;
                }
            }
        }
    }

    /// The last ply: moves are evaluated eight at a time until one is good enough.
    fn leaves(
        &mut self,
        board: &Board,
        at: At,
        first: Option<Move>,
        best: &mut Best,
        meter: &mut Meter,
    ) -> Result<(), Stopped> {
        let position = &board.position;
        let scale = self.scale;
        let mut early = [None; 3];
        early[0] = first;
        early[1..].copy_from_slice(&self.killers[at.ply]);
        let Some(any) = position.amazons(position.turn()).first() else { return Ok(()) };
        let mut batch = [Move { from: any, to: any, arrow: any }; LANES];
        let mut count = 0;
        for mv in early.into_iter().flatten() {
            if is_legal(position, mv) && !batch[..count].contains(&mv) {
                batch[count] = mv;
                count += 1;
            }
        }
        if count > 0 && self.leaf_batch(board, at, &scale, &batch[..count], best, meter)? {
            return Ok(());
        }
        let mut result = Ok(false);
        in_batches(position, |batch| {
            result = self.leaf_batch(board, at, &scale, batch, best, meter);
            matches!(result, Ok(false))
        });
        result.map(|_| ())
    }

    fn leaf_batch(
        &mut self,
        board: &Board,
        at: At,
        scale: &Scale,
        batch: &[Move],
        best: &mut Best,
        meter: &mut Meter,
    ) -> Result<bool, Stopped> {
        let values = values_of(scale, &board.position, batch);
        let settled = self.settled_value(board);
        for (&mv, &value) in batch.iter().zip(&values) {
            meter.visit()?;
            meter.leaf();
            let mut value = settled - value;
            if self.settings.regions {
                if value > best.alpha && crate::region::may_split(board.position.open(), mv.arrow) {
                    let after = self.step(board, mv);
                    value = match after.solved(&mut self.known) {
                        Some(wins) => {
                            let plies = at.ply as i32 + 1;
                            if wins { plies - WIN } else { WIN - plies }
                        }
                        None => -self.evaluate(&after),
                    };
                }
            } else if lost_after(&board.position, mv) {
                value = WIN - at.ply as i32 - 1;
            }
            if value > best.value {
                best.value = value;
                best.mv = Some(mv);
            }
            best.alpha = best.alpha.max(value);
            if best.alpha >= at.beta {
                self.remember(board.position.turn(), at, mv);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether the other player has no move after this one.
fn lost_after(position: &Position, mv: Move) -> bool {
    let stepped: Bitboard = mv.from.bitboard() | mv.to.bitboard();
    let empty = position.empty() ^ stepped ^ mv.arrow.bitboard();
    !position.amazons(!position.turn()).spread().intersects(empty)
}

/// The best move so far.
pub(super) struct Best {
    pub value: i32,
    pub mv: Option<Move>,
    pub alpha: i32,
}

/// Moves that were searched before the others were generated.
#[derive(Default)]
struct Tried([Option<Move>; 3]);

impl Tried {
    fn add(&mut self, mv: Move) {
        if let Some(free) = self.0.iter_mut().find(|slot| slot.is_none()) {
            *free = Some(mv);
        }
    }

    fn has(&self, mv: Move) -> bool {
        self.0.contains(&Some(mv))
    }
}

/// A value as the table keeps it: wins and losses counted from the position.
fn stored(value: i32, ply: i32) -> i32 {
    match value {
        value if !is_decided(value) => value,
        value if value > 0 => value + ply,
        value => value - ply,
    }
}

fn usable(entry: Entry, at: At, selective: bool) -> Option<i32> {
    let value = stored(entry.value, -(at.ply as i32));
    // A search that is to be exact at its depth takes nothing from other depths. Else what is deeper is better, and
    // a win or a loss is the same at every depth.
    let deep_enough = if selective {
        entry.depth >= at.depth || is_decided(value)
    } else {
        entry.depth == at.depth
    };
    if !deep_enough {
        return None;
    }
    let holds = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= at.beta,
        Bound::Upper => value <= at.alpha,
    };
    holds.then_some(value)
}
