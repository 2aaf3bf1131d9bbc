//! One node of the search: principal-variation search with selective depth, and quiescence.
//!
//! Wins and losses that it reports are certain. A node's moves may be left out only once one of them
//! is known not to lose, and estimates never reach into the range of wins.

use std::ops::ControlFlow;

use game::Game;
use game::score::{Bound, Score, Window};
use game::truth::Truth;
use jungle::rules::NoLegalMove;
use jungle::tactics::{self, checkers, entering, is_lost_in_check, safe_step_into_trap};
use jungle::{Bitboard, Move, Repetition};
use search::shared_table::Entry;

use crate::eval::Evaluator;
use crate::search::deferral::{self, Deferred, Searching};
use crate::search::picker::Picker;
use crate::search::tuning::{Constants, Selectivity};
use crate::search::{MAX_PLY, Worker, loss_at, packed, unpacked, win_at};

/// The largest estimate, which leaves wins and losses outside.
const MOST: Score = Score::estimate(Score::MAX_ESTIMATE);

/// The score of an entry of the table, which counts from the position, converted to count from the root.
#[inline]
fn from_root(entry: Entry, ply: usize) -> Score {
    entry.score.later(ply as u32)
}

/// The evaluation, or the table's score where that is better informed.
#[inline]
fn corrected(eval: Score, entry: Option<Entry>, ply: usize) -> Score {
    let Some(entry) = entry else { return eval };
    let score = from_root(entry, ply);
    let better = score.abs() < MOST
        && match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
        };
    if better { score } else { eval }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position at `ply`, searched to `depth`: exact inside the window, a bound outside.
    /// `cut` says that a cutoff is expected (a cut node).
    pub(super) fn search<const PV: bool>(
        &mut self,
        mut window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiesce::<PV>(window, ply);
        }
        let checkers = match self.begin(&mut window, ply) {
            ControlFlow::Continue(checkers) => checkers,
            ControlFlow::Break(value) => return value,
        };
        let key = self.table_key();
        let entry = self.shared.table.get(key);
        let table_move = entry
            .and_then(|entry| unpacked(entry.mv?))
            .and_then(|(from, to)| tactics::legal(&self.jungle, &self.position, from, to))
            .filter(|mv| checkers.is_empty() || checkers.contains(mv.to));
        if let Some(entry) = entry.filter(|_| !PV)
            && let Some(score) = self.cutoff_by(entry, window, depth, ply)
        {
            return score;
        }

        if let Some(value) = self.probe_tables(ply) {
            return value;
        }

        let in_check = checkers.any();
        let raw_eval = if in_check {
            Score::DRAW
        } else {
            entry.map_or_else(|| self.evaluate(), |entry| entry.eval)
        };
        let eval = if in_check { raw_eval } else { corrected(raw_eval, entry, ply) };
        self.frames[ply].eval = if in_check { None } else { Some(raw_eval) };
        let improving = !in_check
            && ply >= 2
            && self.frames[ply - 2].eval.is_none_or(|before| raw_eval > before);

        if !PV
            && !in_check
            && window.beta.abs() < MOST
            && let Some(value) = self.null_move(window.beta, eval, depth, ply, cut)
        {
            return value;
        }
        let us = self.position.turn();
        let before = self.before(ply);
        let frame = &self.frames[ply];
        let special = if self.tuning.has(Selectivity::Killers) {
            [frame.killers[0], frame.killers[1], self.histories.counter(us, before[0])]
        } else {
            [None; 3]
        };
        let losing_last = self.tuning.has(Selectivity::LosingCaptures);
        let mut picker = Picker::new(table_move, special, losing_last);
        let evasions = checkers
            .first()
            .map_or([None; 4], |checker| tactics::evasions(&self.position, checker));

        let asked = window;
        let mut best = Score::MINUS_INFINITE;
        let mut best_move = None;
        let mut searched = 0;
        let mut tried = 0;
        let mut quiets = [None; 32];
        let mut quiet_count = 0;
        let others = self.shared.searching.as_ref().filter(|_| depth >= deferral::LEAST_DEPTH);
        let mut deferred = others.map(|_| Deferred::default());
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
            let constants = &self.tuning.constants;
            let most = (constants.late_base + constants.late_depth * depth * depth / 16)
                / if improving { 1 } else { 2 };
            if !PV
                && best > -MOST
                && quiet
                && !in_check
                && !gives_check
                && number as i32 > most
                && self.tuning.has(Selectivity::LateMoves)
            {
                picker.skip_quiets();
                continue;
            }

            // Defer what another thread has begun.
            let mark =
                others.filter(|_| number > 1).map(|others| (others, Searching::mark(key, mv)));
            if let Some((others, mark)) = mark {
                let mut defer =
                    || deferred.as_mut().is_some_and(|deferred| deferred.push(mv, number));
                if next.is_some() && others.has(mark) && defer() {
                    continue;
                }
                // Meanwhile another thread may have finished all of this.
                if let Some(entry) = self.shared.table.get(key).filter(|_| !PV)
                    && let Some(score) = self.cutoff_by(entry, window, depth, ply)
                {
                    return score;
                }
                others.begin(mark);
            }

            let new_depth = depth - 1;
            self.make(mv, ply);
            let scout = -Window::zero(window.alpha);
            let mut value = Score::DRAW;
            let mut full = !PV || number > 1;
            if depth >= 3
                && number > 1 + usize::from(PV)
                && quiet
                && !in_check
                && !gives_check
                && self.tuning.has(Selectivity::Reductions)
            {
                let mut reduction = self.shared.reductions.get(depth, number);
                reduction += i32::from(cut);
                reduction += i32::from(!improving);
                reduction -= i32::from(PV);
                reduction -= history / self.tuning.constants.history_per_ply;
                let reduced = (new_depth - reduction).clamp(1, new_depth);
                value = -self.search::<false>(scout, reduced, ply + 1, true);
                full = value > window.alpha && reduced < new_depth;
            }
            if full {
                value = -self.search::<false>(scout, new_depth, ply + 1, !cut);
            }
            if PV && (number == 1 || value > window.alpha) {
                value = -self.search::<true>(-window, new_depth, ply + 1, false);
            }
            self.unmake(mv);
            if let Some((others, mark)) = mark {
                others.end(mark);
            }
            if self.stopped {
                return Score::DRAW;
            }

            if value > best {
                best = value;
                if value > window.alpha {
                    best_move = Some(mv);
                    if PV {
                        self.take_pv(ply, mv);
                    }
                    if window.fails_high(value) {
                        if quiet {
                            self.reward(ply, mv, &quiets[..quiet_count], depth, before);
                        }
                        break;
                    }
                    window.alpha = value;
                }
            }
            if quiet && quiet_count < quiets.len() {
                quiets[quiet_count] = Some(mv);
                quiet_count += 1;
            }
        }
        if searched == 0 {
            return if in_check { self.without_evasion(ply) } else { self.without_moves(ply) };
        }
        self.store(best, asked.bound_of(best), depth, ply, best_move, raw_eval);
        best
    }

    /// How every node begins: counted, and left at once if the rules end the game there, static win detection
    /// decides it, or mate-distance pruning shows that it cannot matter. If not, the window is clipped to what
    /// can still be, and the threats to enter the den are returned.
    #[inline]
    fn begin(&mut self, window: &mut Window, ply: usize) -> ControlFlow<Score, Bitboard> {
        if self.enter(ply) {
            return ControlFlow::Break(Score::DRAW);
        }
        self.frames[ply].pv.clear();
        if let Some(value) = self.game_end(ply) {
            return ControlFlow::Break(value);
        }
        let checkers = checkers(&self.position);
        if let Some(value) = self.static_win(ply, checkers) {
            return ControlFlow::Break(value);
        }
        // A shorter win elsewhere makes this node irrelevant.
        *window = window.clipped(loss_at(ply), win_at(ply + 1));
        if window.is_closed() {
            return ControlFlow::Break(window.alpha);
        }
        ControlFlow::Continue(checkers)
    }

    /// The value of the node, if its entry in the transposition table causes a cutoff.
    #[inline]
    fn cutoff_by(&self, entry: Entry, window: Window, depth: i32, ply: usize) -> Option<Score> {
        let score = from_root(entry, ply);
        let settled = i32::from(entry.depth) >= depth
            && self.can_trust(score, ply)
            && window.settled_by(score, entry.bound);
        settled.then_some(score)
    }

    /// Quiescence search: the value once the captures are over.
    fn quiesce<const PV: bool>(&mut self, mut window: Window, ply: usize) -> Score {
        let checkers = match self.begin(&mut window, ply) {
            ControlFlow::Continue(checkers) => checkers,
            ControlFlow::Break(value) => return value,
        };
        let entry = self.shared.table.get(self.table_key());
        if let Some(entry) = entry.filter(|_| !PV)
            && let Some(score) = self.cutoff_by(entry, window, 0, ply)
        {
            return score;
        }
        if let Some(value) = self.probe_tables(ply) {
            return value;
        }

        let asked = window;
        let mut best_move = None;
        if let Some(checker) = checkers.first() {
            // Forced: nothing may be left out, so that losses are certain.
            let evasions = tactics::evasions(&self.position, checker);
            let mut best = Score::MINUS_INFINITE;
            for mv in evasions.into_iter().flatten() {
                if self.quiesce_move::<PV>(mv, ply, &mut window, &mut best, &mut best_move) {
                    break;
                }
            }
            if self.stopped {
                return Score::DRAW;
            }
            if best == Score::MINUS_INFINITE {
                return self.without_evasion(ply);
            }
            let bound = match asked.bound_of(best) {
                Bound::Exact if !PV => Bound::Upper,
                bound => bound,
            };
            self.store(best, bound, 0, ply, best_move, Score::DRAW);
            return best;
        }

        let raw_eval = entry.map_or_else(|| self.evaluate(), |entry| entry.eval);
        let mut best = corrected(raw_eval, entry, ply);
        if window.fails_high(best) {
            return best;
        }
        window = window.raised_to(best);
        let table_move = entry
            .and_then(|entry| unpacked(entry.mv?))
            .and_then(|(from, to)| tactics::legal(&self.jungle, &self.position, from, to));
        let losing_last = self.tuning.has(Selectivity::LosingCaptures);
        let mut picker = Picker::captures(table_move, losing_last);
        while let Some(mv) = picker.next(&self.jungle, &self.position, self.histories, [None; 2]) {
            if self.quiesce_move::<PV>(mv, ply, &mut window, &mut best, &mut best_move) {
                break;
            }
        }
        if self.stopped {
            return Score::DRAW;
        }
        let bound = if window.fails_high(best) { Bound::Lower } else { Bound::Upper };
        self.store(best, bound, 0, ply, best_move, raw_eval);
        best
    }

    /// Searches a move of the quiescence search and keeps it if it is the best so far; whether it ends the node, by a
    /// beta cutoff or because the search is stopped.
    #[inline(always)]
    fn quiesce_move<const PV: bool>(
        &mut self,
        mv: Move,
        ply: usize,
        window: &mut Window,
        best: &mut Score,
        best_move: &mut Option<Move>,
    ) -> bool {
        self.make(mv, ply);
        let value = -self.quiesce::<PV>(-*window, ply + 1);
        self.unmake(mv);
        if self.stopped {
            return true;
        }
        *best = value.max(*best);
        if value > window.alpha {
            *best_move = Some(mv);
            if PV {
                self.take_pv(ply, mv);
            }
            window.alpha = value;
        }
        window.fails_high(value)
    }

    /// Null-move pruning: whether even passing would be good enough, and a bound if so. Being forced to move is
    /// often what loses this game, so it is tried only with enough pieces, and never proves a win.
    fn null_move(
        &mut self,
        beta: Score,
        eval: Score,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Option<Score> {
        let us = self.position.turn();
        let wanted = self.tuning.has(Selectivity::NullMove)
            && cut
            && depth >= 3
            && eval >= beta
            && self.position.side(us).len() >= 4
            && ply > 0
            && self.frames[ply - 1].mv.is_some();
        if !wanted {
            return None;
        }
        let Constants { null_base, null_margin, .. } = self.tuning.constants;
        let above = (eval.value() - beta.value()) / null_margin;
        let reduced = depth - null_base - depth / 4 - above.min(2);
        let here = self.position.clone();
        self.position = here.with_turn(!us);
        self.keys.push(self.position.key());
        self.frames[ply].mv = None;
        // Nothing before the pass can come back.
        self.frames[ply + 1].quiet_plies = 0;
        let value = -self.search::<false>(Window::zero(-beta), reduced, ply + 1, false);
        self.keys.pop();
        self.position = here;
        (!self.stopped && value >= beta).then(|| value.min(MOST))
    }

    /// Counts the node and returns whether the search was stopped.
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

    /// The value of a position in which the rules end the game: it is won, or drawn by a limit or a
    /// repetition.
    #[inline]
    fn game_end(&mut self, ply: usize) -> Option<Score> {
        let us = self.position.turn();
        if self.jungle.is_lost(&self.position) {
            return Some(loss_at(ply));
        }
        if self.position.side(us).is_empty() {
            return Some(self.without_moves(ply));
        }
        if let Some(value) = self.repetition(ply) {
            return Some(value);
        }
        if self.limit_reached(ply) {
            let stuck = self.jungle.count_moves(&self.position) == 0;
            return Some(if stuck { self.without_moves(ply) } else { self.draw_at(ply) });
        }
        if ply >= MAX_PLY - 1 {
            let in_check = checkers(&self.position).any();
            return Some(if in_check { Score::DRAW } else { self.evaluate() });
        }
        None
    }

    /// Static win detection: a win or a loss that needs no search.
    #[inline]
    fn static_win(&mut self, ply: usize, checkers: Bitboard) -> Option<Score> {
        if entering(&self.position).any() {
            return Some(win_at(ply + 1));
        }
        if checkers.any() {
            if !is_lost_in_check(&self.position, checkers) || self.limit_reached(ply + 1) {
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
        if self.tuning.has(Selectivity::StaticWins)
            && safe_step_into_trap(&self.jungle, &self.position).is_some()
        {
            return Some(win_at(ply + 3));
        }
        if !self.tuning.has(Selectivity::Races) {
            return None;
        }
        let truth = self.races.judge(&self.position)?;
        let plies = truth.plies()? as usize;
        (!self.limit_reached(ply + plies)).then(|| Score::from(truth).later(ply as u32))
    }

    /// The score of stalemate (no legal move).
    fn without_moves(&self, ply: usize) -> Score {
        match self.jungle.rules().no_legal_move.truth() {
            Truth::Draw => self.draw_at(ply),
            truth => Score::from(truth).later(ply as u32),
        }
    }

    /// The score when no piece can take the checker, although static win detection has not called the game
    /// lost: a limit draws it with the next move, if there is one.
    fn without_evasion(&self, ply: usize) -> Score {
        match self.jungle.count_moves(&self.position) {
            0 => self.without_moves(ply),
            _ => self.draw_at(ply),
        }
    }

    /// Stores the node in the transposition table.
    fn store(
        &self,
        score: Score,
        bound: Bound,
        depth: i32,
        ply: usize,
        mv: Option<Move>,
        eval: Score,
    ) {
        let mut entry = Entry {
            mv: mv.and_then(packed),
            bound,
            depth: depth.clamp(0, 255) as u8,
            score: score.sooner(ply as u32),
            eval,
        };
        if score == self.draw_at(ply) {
            // Drawn, most likely because a position came back, and another path to this one may
            // not do that: only the move is worth keeping.
            (entry.bound, entry.score) = (Bound::Upper, Score::win_in(0));
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
        let Constants { history_bonus, history_most, .. } = self.tuning.constants;
        let bonus = (depth * depth * history_bonus).min(history_most);
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
