//! The root: iterative deepening with aspiration windows, and several best lines.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use game::Game;
use game::score::{Bound, Score, Window};
use game::truth::Truth;
use jungle::{Move, Position, tactics};

use crate::eval::Evaluator;
use crate::pacing::{Signs, Trend};
use crate::report::{Chances, Line};
use crate::search::deferral::{self, Searching};
use crate::search::iterations::{Aspiration, Finished, Pass};
use crate::search::{MAX_PLY, Selectivity, Worker, unpacked};

/// A root move, and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its value at the depth searched last.
    pub score: Score,
    /// Its value at the depth before.
    previous: Score,
    bound: Bound,
    /// The line, the move itself included.
    pub pv: Vec<Move>,
    seldepth: usize,
    depth: u32,
    /// The nodes of this depth that were spent on it.
    effort: u64,
    /// The most it can be worth, where it was refuted.
    most: Score,
}

impl RootMove {
    /// A move without a score yet.
    pub fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            score: Score::MINUS_INFINITE,
            previous: Score::MINUS_INFINITE,
            bound: Bound::Upper,
            pv: vec![mv],
            seldepth: 0,
            depth: 0,
            effort: 0,
            most: Score::MINUS_INFINITE,
        }
    }
}

/// A worker's result: its root moves, best first, and the depth.
pub struct Deepening {
    /// The moves, best first.
    pub moves: Vec<RootMove>,
    /// The depth searched to the end.
    pub depth: u32,
}

impl<E: Evaluator> Worker<'_, E> {
    /// Iterative deepening until stopped, reporting every line found to `report`.
    pub fn deepen(
        &mut self,
        mut moves: Vec<RootMove>,
        lines: usize,
        report: &mut dyn FnMut(Line),
    ) -> Deepening {
        let lines = lines.clamp(1, moves.len().max(1));
        let most = MAX_PLY as u32 - 10;
        let deepest = self.shared.request.limits.depth.map_or(most, |depth| depth.clamp(1, most));
        let mut finished = 0;
        let mut last_best = None;
        let mut trend = Trend::default();
        self.alone = lines > 1 || self.shared.searching.is_none();
        let mut depth = 0;
        'deepening: while depth < deepest {
            depth += 1;
            for root in &mut moves {
                root.previous = root.score;
                (root.effort, root.most) = (0, Score::MINUS_INFINITE);
            }
            for index in 0..lines {
                self.seldepth = 0;
                let Some(done) = self.aspire(&mut moves, index, depth, report) else {
                    break 'deepening;
                };
                depth = done;
                moves[..=index].sort_by_key(|root| std::cmp::Reverse(root.score));
            }
            finished = depth;
            self.ready = true;
            if self.index > 0 {
                continue;
            }
            let is_same = last_best.replace(moves[0].mv) == Some(moves[0].mv);
            let signs = self.signs(&moves, &mut trend, is_same);
            for (index, root) in moves[..lines].iter().enumerate() {
                let signs = (lines == 1).then_some(signs);
                report(Line { signs, ..self.line(root, index, depth) });
            }
            if self.may_stop(&moves, depth, &signs) {
                break;
            }
        }
        Deepening { moves, depth: finished }
    }

    /// Whether to begin no new depth.
    fn may_stop(&self, moves: &[RootMove], depth: u32, signs: &Signs) -> bool {
        let shared = self.shared;
        let open_ended = shared.request.infinite || shared.control.pondering();
        let best = moves[0].score;
        // A proven win or loss will not get shorter or longer.
        let seen_to_its_end = best.plies().is_some_and(|plies| plies + 2 <= depth);
        if seen_to_its_end && !open_ended && shared.request.limits.depth.is_none() {
            return true;
        }
        if open_ended || !shared.time.saves() {
            return false;
        }
        if moves.len() == 1 && depth >= 8 {
            return true;
        }
        shared.time.enough(shared.control, self.thought(), signs)
    }

    /// The signs of a search that has finished a depth; the best move is the first.
    fn signs(&self, moves: &[RootMove], trend: &mut Trend, is_same: bool) -> Signs {
        let best = &moves[0];
        let others = moves[1..].iter();
        let most = others.map(|root| root.score.max(root.most)).max().unwrap_or(best.score);
        let gap = (best.score.value() - most.value()).max(0);
        let all: u64 = moves.iter().map(|root| root.effort).sum();
        let effort = best.effort as f64 / all.max(1) as f64;
        self.shared.nodes[self.index].store(self.nodes, Relaxed);
        trend.after(is_same, self.shared.total_nodes(), best.score, effort, gap)
    }

    fn thought(&self) -> Duration {
        self.shared.started.elapsed()
    }

    /// Searches for the best of the moves from `index` on, in a window around its last value. Returns the
    /// depth that is finished, a greater one if others were quicker, or none if the search was stopped.
    fn aspire(
        &mut self,
        moves: &mut [RootMove],
        index: usize,
        depth: u32,
        report: &mut dyn FnMut(Line),
    ) -> Option<u32> {
        let mut aspiration = self.aspiration(moves[index].previous, depth);
        let mut attempt = 0;
        loop {
            self.pass = if self.alone { Pass::NEVER } else { Pass::new(depth, attempt) };
            let searched = (depth as i32 - aspiration.lowered).max(1);
            let value = self.search_root(moves, index, aspiration.window, searched);
            // Also when broken off: a better move found by then is better.
            moves[index..].sort_by_key(|root| std::cmp::Reverse(root.score));
            let finished = match self.overtaken.take() {
                Some(finished) => {
                    self.stopped = false;
                    finished
                }
                None if self.stopped => return None,
                None => {
                    let next = aspiration.after(value);
                    let quick = self.thought() < Duration::from_secs(1) || self.index > 0;
                    if next.is_some() && !quick {
                        let mut line = self.line(&moves[index], index, depth);
                        let high = aspiration.window.fails_high(value);
                        line.bound = if high { Bound::Lower } else { Bound::Upper };
                        report(line);
                    }
                    let moves = moves.to_vec();
                    let found = Finished { depth, attempt, next, moves };
                    if self.alone { found } else { self.shared.iterations.share(found) }
                }
            };
            moves.clone_from_slice(&finished.moves);
            match finished.next {
                Some(next) if finished.depth == depth => {
                    (aspiration, attempt) = (next, finished.attempt + 1);
                }
                // Others are deeper already; that depth is begun here too, and then taken up where they are.
                Some(_) => return Some(finished.depth - 1),
                None => return Some(finished.depth),
            }
        }
    }

    /// The aspiration window to search in first, given the value at the depth before.
    fn aspiration(&self, guess: Score, depth: u32) -> Aspiration {
        let width = self.tuning.constants.aspiration_width;
        let aspire = depth >= 5
            && self.tuning.has(Selectivity::Aspiration)
            && guess.abs() < Score::estimate(Score::MAX_ESTIMATE);
        let window = if aspire { Window::around(guess, width) } else { Window::OPEN };
        Aspiration { window, width, lowered: 0 }
    }

    /// Searches the moves from `index` on; the best of them gets an exact score, or a bound outside
    /// the window.
    fn search_root(
        &mut self,
        moves: &mut [RootMove],
        index: usize,
        mut window: Window,
        depth: i32,
    ) -> Score {
        let mut best = Score::MINUS_INFINITE;
        let mut order: Vec<usize> = (index..moves.len()).collect();
        let root_count = order.len();
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            let root = &mut moves[at];
            let mv = root.mv;
            let first = at == index;
            // Defer what another thread has begun.
            let others = self.shared.searching.as_ref();
            let mark = others
                .filter(|_| !first && depth >= deferral::LEAST_DEPTH)
                .map(|others| (others, Searching::mark(self.table_key(), mv)));
            if let Some((others, mark)) = mark {
                let deferred = next > root_count;
                if !deferred && others.has(mark) {
                    order.push(at);
                    continue;
                }
                others.begin(mark);
            }
            self.make(mv, 0);
            let scout = -Window::zero(window.alpha);
            let before = self.nodes;
            let mut value = Score::DRAW;
            if !first {
                let mut reduced = depth - 1;
                if depth >= 4 && at > index + 3 && !mv.is_capture() {
                    reduced -= self.shared.reductions.get(depth, at - index) - 1;
                    reduced = reduced.clamp(1, depth - 1);
                }
                value = -self.search::<false>(scout, reduced, 1, true);
                if value > window.alpha && reduced < depth - 1 {
                    value = -self.search::<false>(scout, depth - 1, 1, true);
                }
            }
            if first || value > window.alpha {
                value = -self.search::<true>(-window, depth - 1, 1, false);
            }
            self.unmake(mv);
            if let Some((others, mark)) = mark {
                others.end(mark);
            }
            root.effort += self.nodes - before;
            if self.stopped {
                return best;
            }
            if first || value > window.alpha {
                root.score = value;
                root.seldepth = self.seldepth;
                root.depth = depth as u32;
                root.bound = window.bound_of(value);
                root.pv.clear();
                root.pv.push(mv);
                root.pv.extend_from_slice(&self.frames[1].pv);
            } else {
                // The order of the others is kept.
                root.score = Score::MINUS_INFINITE;
                root.most = value;
            }
            best = best.max(value);
            window = window.raised_to(value);
            if window.is_closed() {
                break;
            }
        }
        best
    }

    /// A report on a root move.
    pub fn line(&self, root: &RootMove, index: usize, depth: u32) -> Line {
        let unknown = root.score == Score::MINUS_INFINITE;
        let score = if unknown { root.previous } else { root.score };
        // Stopped before anything was known.
        let score = if score == Score::MINUS_INFINITE { Score::DRAW } else { score };
        let shared = self.shared;
        shared.nodes[self.index].store(self.nodes, Relaxed);
        Line {
            depth,
            seldepth: root.seldepth as u32,
            index: index + 1,
            score,
            bound: root.bound,
            drawn: false,
            chances: Chances::of(score),
            nodes: shared.total_nodes(),
            time: self.thought(),
            hashfull: shared.table.fullness(),
            tbhits: shared.table_hits.load(Relaxed),
            pv: self.completed(&root.pv, score),
            signs: None,
        }
    }

    /// A line that ends in a win or a loss, extended to its end: the search stops where the rest is
    /// detected statically, or known from the table.
    fn completed(&self, pv: &[Move], score: Score) -> Vec<Move> {
        let mut line = pv.to_vec();
        if !score.is_decided() {
            return line;
        }
        let mut position = self.position.clone();
        for &mv in pv {
            position.make(mv);
        }
        let plies = score.plies().unwrap_or(0) as usize;
        while line.len() < plies && self.jungle.decided(&position).is_none() {
            let from_table = || {
                let entry = self.shared.table.get(position.key() ^ self.salt)?;
                let (from, to) = unpacked(entry.mv?)?;
                tactics::legal(&self.jungle, &position, from, to)
            };
            let next = tactics::den_move(&position)
                .or_else(|| tactics::first_evasion(&position))
                .or_else(|| tactics::safe_step_into_trap(&self.jungle, &position))
                .or_else(|| self.race_move(&position))
                .or_else(from_table)
                .or_else(|| self.jungle.moves(&position).first().copied());
            let Some(mv) = next else { break };
            line.push(mv);
            position.make(mv);
        }
        line
    }

    /// The next move of a race: the quickest for the winner, the slowest for the loser.
    fn race_move(&self, position: &Position) -> Option<Move> {
        let wins = matches!(self.races.judge(position)?, Truth::Win(_));
        let moves = self.jungle.moves(position).into_iter();
        let judged =
            moves.filter_map(|mv| match self.races.judge(&self.jungle.after(position, mv)) {
                Some(Truth::Loss(plies)) if wins => Some((plies, mv)),
                Some(Truth::Win(plies)) if !wins => Some((u32::MAX - plies, mv)),
                _ => None,
            });
        judged.min_by_key(|(plies, _)| *plies).map(|(_, mv)| mv)
    }
}
