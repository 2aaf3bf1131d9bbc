//! Alpha-beta (Knuth and Moore 1975), with an order of moves and a transposition table if wanted.
//!
//! A node is searched with a [`Window`]: values below it or above it need not be known exactly, a bound
//! will do (fail-soft). At the root the window is open, so the root's value is minimax's.
//!
//! The engine has its own alpha-beta on purpose: this one prunes nothing else, plays any
//! game, and counts wins from the position, so that its values can be compared and published; that one
//! is selective, for strength. They share scores, windows, bounds and limits.
//!
//! # Order by evaluation
//!
//! [`AlphaBeta::ordered_by_evaluation`] sorts the moves of every node but those just above the leaves by the static
//! evaluation of what they lead to. That is work like any other: each position looked at for it counts as a visit, so
//! that searches which differ in it can be compared at equal nodes. Just above the leaves nothing would be saved: there
//! the evaluations are the search.
//!
//! # The table and repetition
//!
//! When repeated positions are draws, a value depends on the path that led to the position, and a
//! table that forgets the path goes wrong: the graph history interaction problem (Palay 1983; Campbell
//! 1985). An entry for a position `N` and a depth `d` holds a bound and stands for the *proof* of it,
//! the tree of positions visited. On another path the same tree can fail in two ways: a position it
//! took for a repetition is not one there, or a position it searched is a repetition there.
//!
//! The first is tracked. Each value carries the oldest place on the path that its proof of "not less"
//! met, and the same for "not more". (The proof of "not less" is that of the best move alone; "not
//! more" needs all moves. A move's "not more" is the reply's "not less".) A bound whose proof met
//! nothing before `N` is *free*. The second is excluded by one of three rules; a bound is used if
//!
//! 1. it was found with the same set of earlier positions within reach. [`Game::plies_between`] tells
//!    which cannot return within `d` plies; only the rest matters, and their set is hashed; or
//! 2. it is free, and here nothing earlier is within reach; or
//! 3. it is free, and it is "not less than `v`" with `v` a draw or worse, or "not more than `v`" with
//!    `v` a draw or better. Turning positions of such a proof into draws cannot break it: in a proof
//!    that a value is at least `v` every position visited is shown to be worth at least `v` to that
//!    player, and so is a draw. About half of all bounds in a search are of this kind.
//!
//! A bound got by rule 3 may be used in a proof of its parent, whose bound is then of that kind too;
//! one got by rule 1 passes on that it rests on the oldest position within reach, unless it is free.
//!
//! Entries are used at their own depth only, since the value at another depth is another number; the best
//! move is tried first whatever the depth, which is most of what a table saves. How much that is, with
//! repetition and without, is asserted in `tests/equal.rs`.

use game::Game;
use game::score::{Bound, Evaluate, Score, Window};

use crate::minimax::static_line;
use crate::path::{Path, Reachable};
use crate::table::Entry;
use crate::{AsListed, Line, Order, PathRepetition, Searcher, Table};
use game::limits::{Meter, Stopped};

/// Alpha-beta. The table, if there is one, lives as long as the searcher: use one searcher for one game
/// and evaluation.
#[derive(Debug)]
pub struct AlphaBeta<'a, G: Game, E, O = AsListed> {
    game: &'a G,
    evaluate: &'a E,
    order: O,
    /// Whether inner nodes order their moves by the evaluation of what they lead to.
    by_evaluation: bool,
    table: Option<Table<G::Move>>,
    repetition: PathRepetition,
    history: Vec<G::Position>,
    only: Option<Vec<G::Move>>,
    in_order: bool,
    /// Whether nodes that a limit forbids are leaves.
    leaves_when_stopped: bool,
    /// The score of the best move of the root so far.
    root: Option<Score>,
    path: Path<G>,
    /// The best line found at each ply of the current path.
    pv: Vec<Vec<G::Move>>,
    /// The moves of all positions of the current path, one after the other.
    moves: Vec<G::Move>,
}

impl<'a, G: Game, E: Evaluate<G>> AlphaBeta<'a, G, E> {
    /// A search in the game's own order, without a table, that ignores repetition.
    pub fn new(game: &'a G, evaluate: &'a E) -> Self {
        AlphaBeta {
            game,
            evaluate,
            order: AsListed,
            by_evaluation: false,
            table: None,
            repetition: PathRepetition::Ignored,
            history: Vec::new(),
            only: None,
            in_order: false,
            leaves_when_stopped: false,
            root: None,
            path: Path::new(game, &[]),
            pv: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl<'a, G: Game, E: Evaluate<G>, O> AlphaBeta<'a, G, E, O> {
    /// Tries moves in this order.
    #[must_use]
    pub fn order<P: Order<G>>(self, order: P) -> AlphaBeta<'a, G, E, P> {
        AlphaBeta {
            order,
            by_evaluation: self.by_evaluation,
            game: self.game,
            evaluate: self.evaluate,
            table: self.table,
            repetition: self.repetition,
            history: self.history,
            only: self.only,
            in_order: self.in_order,
            leaves_when_stopped: self.leaves_when_stopped,
            root: None,
            path: self.path,
            pv: self.pv,
            moves: self.moves,
        }
    }

    /// Orders moves by the evaluation of what they lead to, the best first, and counts a visit for each. Moves of one
    /// value stay in the order that was set.
    #[must_use]
    pub fn ordered_by_evaluation(self) -> Self {
        AlphaBeta { by_evaluation: true, ..self }
    }

    /// Stores positions in this transposition table.
    #[must_use]
    pub fn table(self, table: Table<G::Move>) -> Self {
        AlphaBeta { table: Some(table), ..self }
    }

    /// The table with what it has learnt, for another searcher of the same game and evaluation.
    pub fn into_table(self) -> Option<Table<G::Move>> {
        self.table
    }

    /// What a repeated position is worth.
    #[must_use]
    pub fn repetition(self, repetition: PathRepetition) -> Self {
        AlphaBeta { repetition, ..self }
    }

    /// The positions of the game so far, without the one that will be searched.
    #[must_use]
    pub fn history(self, history: &[G::Position]) -> Self {
        AlphaBeta { history: history.to_vec(), ..self }
    }

    /// Considers only these moves at the root, those of them that are legal there.
    #[must_use]
    pub fn only(self, moves: &[G::Move]) -> Self {
        AlphaBeta { only: Some(moves.to_vec()), ..self }
    }

    /// Takes nodes that a limit forbids for leaves, so that a search never stops: it only ends sooner, with what
    /// the static evaluation says of them. Not to be used with a table, which would remember that.
    #[must_use]
    pub fn leaves_when_stopped(self, leaves_when_stopped: bool) -> Self {
        AlphaBeta { leaves_when_stopped, ..self }
    }

    /// As [`only`](AlphaBeta::only), and tries them in exactly this order. Of moves that are equally good the
    /// first is chosen, so the choice too is the same with a table and without, and whatever order is used
    /// further down.
    #[must_use]
    pub fn only_in_order(self, moves: &[G::Move]) -> Self {
        AlphaBeta { in_order: true, ..self.only(moves) }
    }
}

/// A value within a window, and what its proof rests on.
#[derive(Clone, Copy)]
struct Value {
    score: Score,
    /// The oldest position of the path on which the proof of "not less" rests.
    low: u32,
    /// The oldest position of the path on which the proof of "not more" rests.
    high: u32,
}

/// The proof rests on nothing before the position itself.
const FREE: u32 = u32::MAX;

impl Value {
    fn leaf(score: Score) -> Value {
        Value { score, low: FREE, high: FREE }
    }
}

impl<G: Game, E: Evaluate<G>, O: Order<G>> AlphaBeta<'_, G, E, O> {
    fn node(
        &mut self,
        position: &mut G::Position,
        depth: u32,
        ply: usize,
        window: Window,
        meter: &mut Meter,
    ) -> Result<Value, Stopped> {
        let forbidden = meter.visit();
        if !self.leaves_when_stopped {
            forbidden?;
        }
        if self.pv.len() == ply {
            self.pv.push(Vec::new());
        }
        self.pv[ply].clear();
        let game = self.game;
        let depth = if forbidden.is_err() && ply > 0 { 0 } else { depth };
        let key = game.key(position);
        let draws = self.repetition == PathRepetition::Draw;
        if draws
            && ply > 0
            && let Some(index) = self.path.find(key, position)
        {
            meter.leaf();
            return Ok(Value { score: Score::DRAW, low: index, high: index });
        }
        if depth == 0 {
            meter.leaf();
            let score = match game.outcome(position) {
                Some(outcome) => Score::of_outcome(game, position, outcome),
                None => Score::estimate(self.evaluate.evaluate(game, position)),
            };
            return Ok(Value::leaf(score));
        }

        let mut reachable = Reachable::NONE;
        let mut first = None;
        if let Some(table) = &self.table {
            if draws {
                reachable = self.path.reachable(game, position, depth);
            }
            let mut deepest = 0;
            for entry in table.find(key) {
                if entry.depth >= deepest {
                    (deepest, first) = (entry.depth, Some(entry.best));
                }
                if entry.depth == depth
                    && ply > 0
                    && let Some(value) = entry.answer(reachable, window)
                {
                    meter.leaf();
                    return Ok(value);
                }
            }
        }

        let start = self.moves.len();
        game.push_moves(position, &mut self.moves);
        if self.moves.len() == start {
            meter.leaf();
            let outcome = game.outcome(position).expect("without moves the game is over");
            return Ok(Value::leaf(Score::of_outcome(game, position, outcome)));
        }
        let only = self.only.as_deref().filter(|_| ply == 0);
        if let Some(only) = only {
            self.moves.retain(|mv| only.contains(mv));
        }
        let moves = &mut self.moves[start..];
        if let Some(only) = only.filter(|_| self.in_order) {
            moves.sort_by_key(|mv| only.iter().position(|other| other == mv));
        } else {
            moves.sort_by_key(|&mv| self.order.rank(game, position, mv));
            if self.by_evaluation && depth > 1 {
                self.sort_by_evaluation(start, position, meter)?;
            }
            let moves = &mut self.moves[start..];
            if let Some(at) = moves.iter().position(|mv| Some(*mv) == first) {
                moves[..=at].rotate_right(1);
            }
        }
        if draws {
            self.path.push(key, position);
        }
        let found = self.best_of(start, position, depth, ply, window, meter);
        self.moves.truncate(start);
        if draws {
            self.path.pop();
        }
        let (best, mut value) = found?;

        // What rests on this position or a later one rests on nothing before it.
        let own = self.path.len();
        let free = |oldest: u32| if oldest >= own { FREE } else { oldest };
        (value.low, value.high) = (free(value.low), free(value.high));
        if let (Some(table), Some(best)) = (&mut self.table, best)
            && (ply > 0 || self.only.is_none())
        {
            table.store(Entry {
                key,
                reachable: reachable.set,
                depth,
                score: value.score,
                bound: window.bound_of(value.score),
                low_is_free: value.low == FREE,
                high_is_free: value.high == FREE,
                best,
                age: 0,
            });
        }
        Ok(value)
    }

    /// Sorts the moves from `start` on by the evaluation of what they lead to.
    fn sort_by_evaluation(
        &mut self,
        start: usize,
        position: &mut G::Position,
        meter: &mut Meter,
    ) -> Result<(), Stopped> {
        let game = self.game;
        let mut judged = Vec::with_capacity(self.moves.len() - start);
        for &mv in &self.moves[start..] {
            // What may only end sooner does without the rest of the order.
            match meter.visit() {
                Err(_) if self.leaves_when_stopped => return Ok(()),
                visited => visited?,
            }
            let undo = game.make(position, mv);
            let score = match game.outcome(position) {
                Some(outcome) => Score::of_outcome(game, position, outcome),
                None => Score::estimate(self.evaluate.evaluate(game, position)),
            };
            game.unmake(position, mv, undo);
            judged.push((score, mv));
        }
        // The scores are the other player's: the least first.
        judged.sort_by_key(|&(score, _)| score);
        for (mv, (_, sorted)) in self.moves[start..].iter_mut().zip(judged) {
            *mv = sorted;
        }
        Ok(())
    }

    /// The best of the moves from `start` on.
    fn best_of(
        &mut self,
        start: usize,
        position: &mut G::Position,
        depth: u32,
        ply: usize,
        mut window: Window,
        meter: &mut Meter,
    ) -> Result<(Option<G::Move>, Value), Stopped> {
        let mut best = None;
        let mut value = Value::leaf(Score::MINUS_INFINITE);
        for at in start..self.moves.len() {
            let mv = self.moves[at];
            let undo = self.game.make(position, mv);
            let reply = self.node(position, depth - 1, ply + 1, window.reply(), meter);
            self.game.unmake(position, mv, undo);
            let reply = reply?;
            let score = reply.score.deeper();
            value.high = value.high.min(reply.low);
            if score > value.score {
                best = Some(mv);
                (value.score, value.low) = (score, reply.high);
                if ply == 0 {
                    self.root = Some(score);
                }
            }
            if score > window.alpha {
                window.alpha = score;
                let [line, rest] = self.pv.get_disjoint_mut([ply, ply + 1]).expect("both exist");
                line.clear();
                line.push(mv);
                line.append(rest);
                if window.fails_high(score) {
                    break;
                }
            }
        }
        Ok((best, value))
    }
}

impl<M: Copy> Entry<M> {
    /// The stored value, if it settles a search with this window on a path with these positions
    /// within reach.
    #[inline]
    fn answer(&self, reachable: Reachable, window: Window) -> Option<Value> {
        let same = self.reachable == reachable.set;
        let clear = reachable.is_empty();
        let low = self.bound != Bound::Upper
            && (same || self.low_is_free && (clear || self.score <= Score::DRAW));
        let high = self.bound != Bound::Lower
            && (same || self.high_is_free && (clear || self.score >= Score::DRAW));
        let settled = low && window.fails_high(self.score)
            || high && window.fails_low(self.score)
            || low && high;
        let oldest = |free: bool| if free { FREE } else { reachable.oldest };
        settled.then(|| Value {
            score: self.score,
            low: oldest(self.low_is_free),
            high: oldest(self.high_is_free),
        })
    }
}

impl<G: Game, E: Evaluate<G>, O: Order<G>> Searcher<G> for AlphaBeta<'_, G, E, O> {
    fn search(
        &mut self,
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<G::Move>, Stopped> {
        self.path = Path::new(self.game, &self.history);
        self.moves.clear();
        self.root = None;
        if let Some(table) = &mut self.table {
            table.grow_older();
        }
        let value = self.node(&mut position.clone(), depth, 0, Window::OPEN, meter)?;
        Ok(Line { score: value.score, pv: self.pv[0].clone() })
    }

    fn static_line(&self, position: &G::Position) -> Line<G::Move> {
        static_line(self.game, self.evaluate, position)
    }

    fn unfinished(&self) -> Option<Line<G::Move>> {
        self.root.map(|score| Line { score, pv: self.pv[0].clone() })
    }
}
