//! `guided`: alpha-beta on the whole board, with parts used for pruning, ordering and reductions.
//!
//! Alpha-beta with Burnett's order, in which the position of every node may be cut into parts, for about a
//! microsecond. Nothing is searched apart, so nothing has to be added up. Parts serve to
//!
//! - **strike** (prune) moves in parts of one side to which another is certain to be no worse (`lone.rs`). This
//!   is exact: the value is alpha-beta's;
//! - try moves in **busy** parts, where both sides have pieces, before the others;
//! - **reduce**: search late moves that take nothing, in parts of one side only, two plies less deep, and as
//!   deep as the others only if they turn out better than expected. Without the parts, for all late moves,
//!   that is **late**, the baseline: what it gains is not due to the parts.
//!
//! Pruning has a baseline too: at the **last** ply every move that takes nothing is worth what it gains, so
//! one of them is enough, wherever the others stand.
//!
//! At the last ply, stalemate is not checked for.

use game::Game;
use game::limits::{Meter, Stopped};
use game::score::{Evaluate, Score, Window};
use jungle::board::DEN;
use jungle::{Bitboard, BurnettEval, Move, Position};
use search::{AlphaBeta, Line, Searcher};

use jungle::decompose::{PartedJungle, Threshold, lone};

use crate::{Guides, StrongestFirst};

/// The search.
#[derive(Debug)]
pub struct Guided<'a> {
    game: &'a PartedJungle,
    by: Guides,
    threshold: Threshold,
    /// The moves of all positions of the current path, one after the other.
    moves: Vec<Move>,
    struck: u64,
}

/// How much less deep late moves are searched: whole moves, as the evaluation swings with every ply.
const REDUCTION: u32 = 2;

/// How many moves are searched to the full depth in any case.
const NEVER_LATE: usize = 3;

impl<'a> Guided<'a> {
    /// A search with the parts that a threshold makes.
    pub fn new(game: &'a PartedJungle, by: Guides, threshold: Threshold) -> Guided<'a> {
        Guided { game, by, threshold, moves: Vec::new(), struck: 0 }
    }

    /// How many moves have been pruned so far.
    pub fn struck(&self) -> u64 {
        self.struck
    }

    /// The pieces of the player to move in parts where the enemy has pieces too.
    fn busy(&self, position: &Position, depth: u32) -> Bitboard {
        let split = self.threshold.split(self.game.causality(), position, depth);
        let us = position.side(position.turn());
        let both = |pieces: &Bitboard| pieces.intersects(us) && !pieces.without(us).is_empty();
        let parts = split.parts().iter().map(|part| part.pieces).filter(both);
        parts.fold(Bitboard::EMPTY, |all, pieces| all | pieces) & us
    }

    fn node(
        &mut self,
        position: &mut Position,
        depth: u32,
        window: Window,
        meter: &mut Meter,
    ) -> Result<(Option<Move>, Score), Stopped> {
        meter.visit()?;
        let jungle = self.game.jungle();
        if let Some(ending) = jungle.decided(position) {
            meter.leaf();
            return Ok((None, Score::of_outcome(jungle, position, ending.outcome())));
        }
        if depth == 0 {
            meter.leaf();
            return Ok((None, Score::estimate(BurnettEval.evaluate(jungle, position))));
        }
        let start = self.moves.len();
        jungle.push_moves(position, &mut self.moves);
        if self.moves.len() == start {
            meter.leaf();
            let outcome = jungle.outcome(position).expect("without moves the game is over");
            return Ok((None, Score::of_outcome(jungle, position, outcome)));
        }
        if self.by.strike {
            let (lone, causality) = (self.game.lone(), self.game.causality());
            let moves = &mut self.moves;
            self.struck += lone.strike(jungle, causality, position, depth, moves, start) as u64;
        }
        if self.by.last && depth == 1 {
            self.struck += lone::keep_best_last(position.turn(), &mut self.moves, start) as u64;
        }
        let busy = match self.by.busy || self.by.reduce && depth > REDUCTION {
            true => self.busy(position, depth),
            false => Bitboard::ALL,
        };
        let first = self.by.busy;
        self.moves[start..].sort_by_key(|mv| {
            let rank = StrongestFirst::rank(*mv);
            if first && !mv.is_capture() && !busy.contains(mv.from) { rank + 10 } else { rank }
        });
        let found = self.best_of(start, busy, position, depth, window, meter);
        self.moves.truncate(start);
        found
    }

    fn best_of(
        &mut self,
        start: usize,
        busy: Bitboard,
        position: &mut Position,
        depth: u32,
        mut window: Window,
        meter: &mut Meter,
    ) -> Result<(Option<Move>, Score), Stopped> {
        let den = DEN[!position.turn()];
        let mut best: (Option<Move>, Score) = (None, Score::MINUS_INFINITE);
        for at in start..self.moves.len() {
            let mv = self.moves[at];
            let quiet = !mv.is_capture() && mv.to != den && at - start >= NEVER_LATE;
            let reduced = quiet
                && depth > REDUCTION
                && (self.by.late || self.by.reduce && !busy.contains(mv.from));
            position.make(mv);
            let mut search = |depth: u32, window: Window| {
                let reply = self.node(position, depth, window.reply(), meter);
                reply.map(|(_, reply)| reply.deeper())
            };
            let mut result = Ok(Score::MINUS_INFINITE);
            if reduced {
                result = search(depth - 1 - REDUCTION, Window::zero(window.alpha));
            }
            if result.is_ok_and(|score| !reduced || score > window.alpha) {
                result = search(depth - 1, window);
            }
            position.unmake(mv);
            let score = result?;
            if score > best.1 {
                best = (Some(mv), score);
            }
            window = window.raised_to(score);
            if window.is_closed() {
                break;
            }
        }
        Ok(best)
    }
}

impl Searcher<PartedJungle> for Guided<'_> {
    fn search(
        &mut self,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Move>, Stopped> {
        self.moves.clear();
        let (best, score) = self.node(&mut position.clone(), depth, Window::OPEN, meter)?;
        Ok(Line { score, pv: best.into_iter().collect() })
    }

    fn static_line(&self, position: &Position) -> Line<Move> {
        AlphaBeta::new(self.game, &BurnettEval).static_line(position)
    }
}
