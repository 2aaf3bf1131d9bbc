//! One node of the search: principal-variation search with selective depth, and quiescence.
//!
//! Wins and losses that it reports are certain. A node's moves may be left out only once one of them
//! is known not to lose, and estimates never reach into the range of wins.

use std::ops::ControlFlow;

use game::Game;
use game::score::{Bound, Score};
use game::truth::Truth;
use jungle::rules::NoLegalMove;
use jungle::{Bitboard, Move, Repetition};

use crate::eval::Evaluator;
use crate::search::busy::{self, Busy, Deferred};
use crate::search::picker::Picker;
use crate::search::tactics::{self, checkers, entering, hopeless, safe_step_into_trap};
use crate::search::tuning::Shortcut;
use crate::search::{MAX_PLY, Worker, loss_at, win_at};
use crate::table::Entry;

const MAX_ESTIMATE: i32 = Score::MAX_ESTIMATE;

/// A score as the table keeps it: wins and losses counted from the position, not from the root.
fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let score = match score {
        score if score > MAX_ESTIMATE => score + ply,
        score if score < -MAX_ESTIMATE => score - ply,
        score => score,
    };
    score as i16
}

fn from_table(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    match score {
        score if score > MAX_ESTIMATE => (score - ply).max(MAX_ESTIMATE + 1),
        score if score < -MAX_ESTIMATE => (score + ply).min(-MAX_ESTIMATE - 1),
        score => score,
    }
}

/// The evaluation, or what the table knows better.
#[inline]
fn corrected(eval: i32, entry: Option<Entry>, ply: usize) -> i32 {
    let Some(entry) = entry else { return eval };
    let score = from_table(entry.score, ply);
    let better = score.abs() < MAX_ESTIMATE
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
    if better { score } else { eval }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position at `ply`, searched to `depth`: exact between `alpha` and `beta`, a
    /// bound outside. `cut` says that a cutoff is expected.
    pub(super) fn search<const PV: bool>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<PV>(alpha, beta, ply);
        }
        let checkers = match self.begin(&mut alpha, &mut beta, ply) {
            ControlFlow::Continue(checkers) => checkers,
            ControlFlow::Break(value) => return value,
        };
        let key = self.table_key();
        let entry = self.shared.table.get(key);
        let table_move = entry
            .and_then(|entry| entry.mv)
            .and_then(|(from, to)| tactics::legal(&self.jungle, &self.position, from, to))
            .filter(|mv| checkers.is_empty() || checkers.contains(mv.to));
        if let Some(entry) = entry.filter(|_| !PV)
            && let Some(score) = self.settled_by(entry, alpha, beta, depth, ply)
        {
            return score;
        }

        if let Some(value) = self.probe_tables(ply) {
            return value;
        }

        let in_check = checkers.any();
        let raw_eval = if in_check {
            0
        } else {
            entry.map_or_else(|| self.evaluate(), |entry| i32::from(entry.eval))
        };
        let eval = if in_check { raw_eval } else { corrected(raw_eval, entry, ply) };
        self.frames[ply].eval = if in_check { None } else { Some(raw_eval) };
        let improving = !in_check
            && ply >= 2
            && self.frames[ply - 2].eval.is_none_or(|before| raw_eval > before);

        if !PV
            && !in_check
            && beta.abs() < MAX_ESTIMATE
            && let Some(value) = self.null_move(beta, eval, depth, ply, cut)
        {
            return value;
        }
        let us = self.position.turn();
        let before = self.before(ply);
        let frame = &self.frames[ply];
        let special = if self.tuning.has(Shortcut::Killers) {
            [frame.killers[0], frame.killers[1], self.histories.counter(us, before[0])]
        } else {
            [None; 3]
        };
        let sort_out = self.tuning.has(Shortcut::LosingCaptures);
        let mut picker = Picker::new(table_move, special, sort_out);
        let evasions = checkers
            .first()
            .map_or([None; 4], |checker| tactics::evasions(&self.position, checker));

        let old_alpha = alpha;
        let mut best = i32::MIN;
        let mut best_move = None;
        let mut searched = 0;
        let mut tried = 0;
        let mut quiets = [None; 32];
        let mut quiet_count = 0;
        let busy = self.shared.busy.as_ref().filter(|_| depth >= busy::LEAST_DEPTH);
        let mut deferred = busy.map(|_| Deferred::default());
        loop {
            let next = if in_check {
                tried += 1;
                evasions.get(tried - 1).copied().flatten()
            } else {
                picker.next(&self.jungle, &self.position, self.histories, before)
            };
            let (mv, number) = match next {
                Some(mv) => {
                    if self.forbidden(mv, ply) {
                        continue;
                    }
                    searched += 1;
                    (mv, searched)
                }
                None => match deferred.as_mut().and_then(Deferred::take) {
                    Some(found) => found,
                    None => break,
                },
            };
            let quiet = !mv.is_capture();
            let history = if quiet { self.histories.score(us, mv, before) } else { 0 };
            let gives_check = quiet && jungle::board::TRAPS[!us].contains(mv.to);

            // Leaving out what is unlikely to matter, once something is known not to lose.
            let most =
                (self.tuning.constants.late_base + depth * depth) / if improving { 1 } else { 2 };
            if !PV
                && best > -MAX_ESTIMATE
                && quiet
                && !in_check
                && !gives_check
                && number as i32 > most
                && self.tuning.has(Shortcut::LateMoves)
            {
                picker.skip_quiets();
                continue;
            }

            // Leave to another thread what it has begun.
            let mark = busy.filter(|_| number > 1).map(|busy| (busy, Busy::mark(key, mv)));
            if let Some((busy, mark)) = mark {
                let mut put_off =
                    || deferred.as_mut().is_some_and(|deferred| deferred.push(mv, number));
                if next.is_some() && busy.has(mark) && put_off() {
                    continue;
                }
                // Meanwhile another thread may be through with all of this.
                if let Some(entry) = self.shared.table.get(key).filter(|_| !PV)
                    && let Some(score) = self.settled_by(entry, alpha, beta, depth, ply)
                {
                    return score;
                }
                busy.begin(mark);
            }

            let new_depth = depth - 1;
            self.make(mv, ply);
            let mut value = 0;
            let mut full = !PV || number > 1;
            if depth >= 3
                && number > 1 + usize::from(PV)
                && quiet
                && !in_check
                && !gives_check
                && self.tuning.has(Shortcut::Reductions)
            {
                let mut reduction = self.shared.reductions.get(depth, number);
                reduction += i32::from(cut);
                reduction += i32::from(!improving);
                reduction -= i32::from(PV);
                reduction -= history / self.tuning.constants.history_per_ply;
                let reduced = (new_depth - reduction).clamp(1, new_depth);
                value = -self.search::<false>(-alpha - 1, -alpha, reduced, ply + 1, true);
                full = value > alpha && reduced < new_depth;
            }
            if full {
                value = -self.search::<false>(-alpha - 1, -alpha, new_depth, ply + 1, !cut);
            }
            if PV && (number == 1 || value > alpha) {
                value = -self.search::<true>(-beta, -alpha, new_depth, ply + 1, false);
            }
            self.unmake(mv);
            if let Some((busy, mark)) = mark {
                busy.end(mark);
            }
            if self.stopped {
                return 0;
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.take_pv(ply, mv);
                    }
                    if value >= beta {
                        if quiet {
                            self.reward(ply, mv, &quiets[..quiet_count], depth, before);
                        }
                        break;
                    }
                    alpha = value;
                }
            }
            if quiet && quiet_count < quiets.len() {
                quiets[quiet_count] = Some(mv);
                quiet_count += 1;
            }
        }
        if searched == 0 {
            return self.without_moves(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.remember(best, bound, depth, ply, best_move, raw_eval);
        best
    }

    /// How every node begins: counted, and left at once if it is settled, told at a glance or irrelevant. If it
    /// is not, the window is narrowed to what can still be, and what threatens to enter the den is given.
    #[inline]
    fn begin(&mut self, alpha: &mut i32, beta: &mut i32, ply: usize) -> ControlFlow<i32, Bitboard> {
        if self.enter(ply) {
            return ControlFlow::Break(0);
        }
        self.frames[ply].pv.clear();
        if let Some(value) = self.settled(ply) {
            return ControlFlow::Break(value);
        }
        let checkers = checkers(&self.position);
        if let Some(value) = self.at_a_glance(ply, checkers) {
            return ControlFlow::Break(value);
        }
        // A shorter win elsewhere makes this node irrelevant.
        *alpha = (*alpha).max(loss_at(ply));
        *beta = (*beta).min(win_at(ply + 1));
        if alpha >= beta {
            return ControlFlow::Break(*alpha);
        }
        ControlFlow::Continue(checkers)
    }

    /// The value of the node, if what the table remembers of it is enough.
    #[inline]
    fn settled_by(
        &self,
        entry: Entry,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        let score = from_table(entry.score, ply);
        let settled = i32::from(entry.depth) >= depth
            && self.can_trust(score, ply)
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
        settled.then_some(score)
    }

    /// The value once the captures are over.
    fn quiesce<const PV: bool>(&mut self, mut alpha: i32, mut beta: i32, ply: usize) -> i32 {
        let checkers = match self.begin(&mut alpha, &mut beta, ply) {
            ControlFlow::Continue(checkers) => checkers,
            ControlFlow::Break(value) => return value,
        };
        let entry = self.shared.table.get(self.table_key());
        if let Some(entry) = entry.filter(|_| !PV)
            && let Some(score) = self.settled_by(entry, alpha, beta, 0, ply)
        {
            return score;
        }
        if let Some(value) = self.probe_tables(ply) {
            return value;
        }

        let old_alpha = alpha;
        let mut best_move = None;
        if let Some(checker) = checkers.first() {
            // Forced: nothing may be left out, so that losses are certain.
            let evasions = tactics::evasions(&self.position, checker);
            let mut best = i32::MIN;
            for mv in evasions.into_iter().flatten() {
                self.make(mv, ply);
                let value = -self.quiesce::<PV>(-beta, -alpha, ply + 1);
                self.unmake(mv);
                if self.stopped {
                    return 0;
                }
                if value > best {
                    best = value;
                    if value > alpha {
                        best_move = Some(mv);
                        if PV {
                            self.take_pv(ply, mv);
                        }
                        alpha = value;
                        if value >= beta {
                            break;
                        }
                    }
                }
            }
            let bound = if best >= beta {
                Bound::Lower
            } else if best > old_alpha && PV {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.remember(best, bound, 0, ply, best_move, 0);
            return best;
        }

        let raw_eval = entry.map_or_else(|| self.evaluate(), |entry| i32::from(entry.eval));
        let mut best = corrected(raw_eval, entry, ply);
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let table_move = entry
            .and_then(|entry| entry.mv)
            .and_then(|(from, to)| tactics::legal(&self.jungle, &self.position, from, to));
        let sort_out = self.tuning.has(Shortcut::LosingCaptures);
        let mut picker = Picker::captures(table_move, sort_out);
        while let Some(mv) = picker.next(&self.jungle, &self.position, self.histories, [None; 2]) {
            self.make(mv, ply);
            let value = -self.quiesce::<PV>(-beta, -alpha, ply + 1);
            self.unmake(mv);
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if PV {
                        self.take_pv(ply, mv);
                    }
                    alpha = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.remember(best, bound, 0, ply, best_move, raw_eval);
        best
    }

    /// Whether even passing would be good enough: a bound if so. Being forced to move is often what
    /// loses this game, so it is only tried with enough pieces, and never proves a win.
    fn null_move(
        &mut self,
        beta: i32,
        eval: i32,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Option<i32> {
        let us = self.position.turn();
        let wanted = self.tuning.has(Shortcut::NullMove)
            && cut
            && depth >= 3
            && eval >= beta
            && self.position.side(us).len() >= 4
            && ply > 0
            && self.frames[ply - 1].mv.is_some();
        if !wanted {
            return None;
        }
        let reduced = depth - 3 - depth / 4 - ((eval - beta) / 150).min(2);
        let here = self.position.clone();
        self.position = here.with_turn(!us);
        self.keys.push(self.position.key());
        self.frames[ply].mv = None;
        // Nothing before the pass can come back.
        self.frames[ply + 1].quiet_plies = 0;
        let value = -self.search::<false>(-beta, -beta + 1, reduced, ply + 1, false);
        self.keys.pop();
        self.position = here;
        (!self.stopped && value >= beta).then(|| value.min(MAX_ESTIMATE))
    }

    /// Counts the node and says whether to give up: the search was stopped.
    #[inline]
    fn enter(&mut self, ply: usize) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_check {
            self.check_limits();
        }
        self.stopped
    }

    /// The value of a position that the rules settle: the game is over, or drawn by a limit or a
    /// repetition.
    #[inline]
    fn settled(&mut self, ply: usize) -> Option<i32> {
        let us = self.position.turn();
        // Whoever moved last may have entered the den or taken the last piece.
        if self.position.side(!us).contains(jungle::board::DEN[us]) {
            return Some(loss_at(ply));
        }
        if self.position.side(us).is_empty() {
            let over = self.jungle.rules().annihilation_wins;
            return Some(if over { loss_at(ply) } else { self.without_moves(ply) });
        }
        if let Some(value) = self.repetition(ply) {
            return Some(value);
        }
        if self.limit_reached(ply) {
            let stuck = self.jungle.count_moves(&self.position) == 0;
            return Some(if stuck { self.without_moves(ply) } else { self.draw_at(ply) });
        }
        if ply >= MAX_PLY - 1 {
            return Some(if checkers(&self.position).any() { 0 } else { self.evaluate() });
        }
        None
    }

    /// A win or a loss that needs no search.
    #[inline]
    fn at_a_glance(&mut self, ply: usize, checkers: Bitboard) -> Option<i32> {
        if entering(&self.position).any() {
            return Some(win_at(ply + 1));
        }
        if checkers.any() {
            if !hopeless(&self.position, checkers) || self.limit_reached(ply + 1) {
                return None;
            }
            let draws = self.jungle.rules().no_legal_move == NoLegalMove::Draw;
            if draws && self.jungle.count_moves(&self.position) == 0 {
                return Some(self.draw_at(ply));
            }
            return Some(loss_at(ply + 2));
        }
        if self.limit_reached(ply + 2) || self.jungle.rules().repetition == Repetition::Illegal {
            return None;
        }
        if self.tuning.has(Shortcut::Glance)
            && safe_step_into_trap(&self.jungle, &self.position).is_some()
        {
            return Some(win_at(ply + 3));
        }
        if !self.tuning.has(Shortcut::Races) {
            return None;
        }
        let (plies, value) = match self.races.judge(&self.position)? {
            Truth::Win(plies) => (plies as usize, win_at(ply + plies as usize)),
            Truth::Loss(plies) => (plies as usize, loss_at(ply + plies as usize)),
            Truth::Draw => return None,
        };
        (!self.limit_reached(ply + plies)).then_some(value)
    }

    /// What it means to have no legal move.
    fn without_moves(&self, ply: usize) -> i32 {
        match self.jungle.rules().no_legal_move {
            NoLegalMove::Loss => loss_at(ply),
            NoLegalMove::Draw => self.draw_at(ply),
        }
    }

    fn remember(
        &self,
        score: i32,
        bound: Bound,
        depth: i32,
        ply: usize,
        mv: Option<Move>,
        eval: i32,
    ) {
        let mut entry = Entry {
            mv: mv.map(|mv| (mv.from, mv.to)),
            bound,
            depth: depth.clamp(0, 255) as u8,
            score: to_table(score, ply),
            eval: eval as i16,
        };
        if score == self.draw_at(ply) {
            // Drawn, most likely because a position came back, and another path to this one may
            // not do that: only the move is worth keeping.
            (entry.bound, entry.score) = (Bound::Upper, win_at(0) as i16);
        }
        self.shared.table.put(self.table_key(), entry);
    }

    /// A quiet move caused a cutoff.
    fn reward(
        &mut self,
        ply: usize,
        mv: Move,
        others: &[Option<Move>],
        depth: i32,
        before: [Option<Move>; 2],
    ) {
        let us = self.position.turn();
        let bonus = (depth * depth * 16).min(1600);
        self.histories.update(us, mv, before, bonus);
        for &other in others.iter().flatten() {
            self.histories.update(us, other, before, -bonus);
        }
        self.histories.set_counter(us, before[0], mv);
        let killers = &mut self.frames[ply].killers;
        if killers[0] != Some(mv) {
            killers[1] = killers[0];
            killers[0] = Some(mv);
        }
    }
}
