//! Search-Subproblems (Burnett, *Discovering and Searching Loosely Coupled Subproblems in Dou Shou Qi*,
//! 2010, chapter 10): every part is searched by itself, and the scores are added up.
//!
//! To depths 2, 4, 6 and so on, each part is searched twice, for its best move and for a non-move, with
//! non-moves allowed at every later ply. To move in part `i` means not to move in the others, so that
//! move is worth `move(i)` plus the sum of `non-move(j)` over the others, its *implied score*. The position is
//! cut again at depths for which the game [does not cut alike](Decompose::cuts_alike).
//!
//! The evaluation has to be a sum over what stands on the board, or the scores of parts do not add up.
//! Where a score is a win or a loss, the soonest of them is the score of all; a win ends the search, which
//! is how Burnett prefers shallow wins.
//!
//! The result is an estimate, not minimax: after the first move each part is searched as if both sides
//! could answer in all parts at once. [`sum`](crate::sum) is exact, as far as parts stay apart.

use game::decompose::{Decompose, PartGame};
use game::rng::Rng;
use game::score::{Evaluate, Score};

use crate::minimax::static_line;
use crate::of_part::OfPart;
use crate::{AlphaBeta, AsListed, Interrupted, Line, Order, Report, Schedule, Searcher};
use game::limits::{Limits, Meter, Stopped};

/// A search that cuts positions into parts where it can.
#[derive(Debug)]
pub struct Subproblems<'a, G, E, O = AsListed> {
    game: &'a G,
    evaluate: &'a E,
    order: O,
    schedule: Schedule,
    interrupted: Interrupted,
    /// The seed by which moves that come in one place are put in order; none to leave them as listed.
    ties: Option<u64>,
}

/// The result of a search, and of its parts.
#[derive(Clone, Debug)]
pub struct SplitReport<G: Decompose> {
    /// The move and its implied score; the line is as much of the part's own line as is legal on the
    /// whole board. The depth is that of every part.
    pub report: Report<G::Move>,
    /// The parts that were searched, at the last depth finished. A single one means that the position was
    /// searched as a whole, and then its scores are not filled in.
    pub parts: Vec<PartReport<G>>,
}

impl<G: Decompose> SplitReport<G> {
    /// Whether parts were searched rather than the whole.
    pub fn is_split(&self) -> bool {
        self.parts.len() > 1
    }
}

/// The result for a part at the last depth finished.
#[derive(Clone, Debug)]
pub struct PartReport<G: Decompose> {
    /// The part.
    pub part: G::Part,
    /// How many pieces it has.
    pub size: usize,
    /// The best move in it and its value, for the player to move; none if there is no move.
    pub best: Option<(G::Move, Score)>,
    /// What not moving in it is worth, for the player to move.
    pub non_move: Option<Score>,
    /// What the best move in it is worth on the whole board: its own value and the non-moves of the others.
    pub implied: Option<Score>,
}

/// How the parts of a position are searched: alpha-beta by default; a searcher that knows the game may be
/// faster, with the same result.
pub trait SearchPart<G: Decompose> {
    /// The first of these moves within the part that is as good as any of them, with the line it leads to
    /// and its value. The position is that of the part alone, and there are moves.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    fn first_best(
        &mut self,
        part: &G::Part,
        position: &G::Position,
        moves: &[G::Move],
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Option<G::Move>>, Stopped>;

    /// What a position of the part is worth to the player to move, who may move here or not.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    fn value(
        &mut self,
        part: &G::Part,
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Score, Stopped>;

    /// The best of the moves that the last call of [`first_best`](SearchPart::first_best) had searched when a limit
    /// stopped it, if it knows.
    fn unfinished(&mut self) -> Option<Line<Option<G::Move>>> {
        None
    }
}

/// Searches parts with alpha-beta.
struct AlphaBetaParts<'a, G: Decompose, E, O> {
    game: &'a G,
    evaluate: OfPart<'a, E>,
    order: &'a O,
    leaves_when_stopped: bool,
    unfinished: Option<Line<Option<G::Move>>>,
}

impl<G: Decompose, E: Evaluate<G>, O: Order<G>> SearchPart<G> for AlphaBetaParts<'_, G, E, O> {
    fn first_best(
        &mut self,
        part: &G::Part,
        position: &G::Position,
        moves: &[G::Move],
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Option<G::Move>>, Stopped> {
        let part = PartGame { game: self.game, part: part.clone() };
        let moves: Vec<Option<G::Move>> = moves.iter().copied().map(Some).collect();
        let search = AlphaBeta::new(&part, &self.evaluate).order(OfPart(self.order));
        let search = search.leaves_when_stopped(self.leaves_when_stopped);
        let mut search = search.only_in_order(&moves);
        let found = search.search(position, depth, meter);
        self.unfinished = search.unfinished();
        found
    }

    fn value(
        &mut self,
        part: &G::Part,
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Score, Stopped> {
        let part = PartGame { game: self.game, part: part.clone() };
        let search = AlphaBeta::new(&part, &self.evaluate).order(OfPart(self.order));
        let mut search = search.leaves_when_stopped(self.leaves_when_stopped);
        Ok(search.search(position, depth, meter)?.score)
    }

    fn unfinished(&mut self) -> Option<Line<Option<G::Move>>> {
        self.unfinished.take()
    }
}

/// A part's line of play and what it leads to.
struct Searched<M> {
    best: Option<Line<Option<M>>>,
    non_move: Score,
}

impl<'a, G: Decompose, E: Evaluate<G>> Subproblems<'a, G, E> {
    /// A search in the game's own order.
    pub fn new(game: &'a G, evaluate: &'a E) -> Self {
        let (interrupted, ties) = (Interrupted::Discard, None);
        let schedule = Schedule::EVERY_MOVE;
        Subproblems { game, evaluate, order: AsListed, schedule, interrupted, ties }
    }
}

impl<'a, G: Decompose, E: Evaluate<G>, O: Order<G>> Subproblems<'a, G, E, O> {
    /// Tries moves in this order.
    #[must_use]
    pub fn order<P: Order<G>>(self, order: P) -> Subproblems<'a, G, E, P> {
        let Subproblems { game, evaluate, schedule, interrupted, ties, .. } = self;
        Subproblems { game, evaluate, order, schedule, interrupted, ties }
    }

    /// What becomes of the depth at which a limit is met: by default nothing. Of parts that were not searched in
    /// time the static value counts, and they have no move.
    #[must_use]
    pub fn interrupted(self, interrupted: Interrupted) -> Self {
        Subproblems { interrupted, ..self }
    }

    /// Puts moves that the order leaves in one place in an order that depends on this seed, so that another of
    /// several best moves is the first one.
    #[must_use]
    pub fn ties(self, seed: Option<u64>) -> Self {
        Subproblems { ties: seed, ..self }
    }

    /// Searches to these depths.
    #[must_use]
    pub fn schedule(self, schedule: Schedule) -> Self {
        Subproblems { schedule, ..self }
    }

    /// Searches the parts of a position by iterative deepening, or the whole where it does not fall into parts.
    pub fn search(&self, position: &G::Position, limits: &Limits) -> SplitReport<G> {
        self.search_watched(position, limits, |_| ())
    }

    /// The same; `watch` sees the report of every depth as it is finished.
    pub fn search_watched(
        &self,
        position: &G::Position,
        limits: &Limits,
        watch: impl FnMut(&SplitReport<G>),
    ) -> SplitReport<G> {
        self.search_with(&mut self.alpha_beta(), position, limits, watch)
    }

    /// The same, with parts searched in another way.
    pub fn search_with(
        &self,
        searcher: &mut impl SearchPart<G>,
        position: &G::Position,
        limits: &Limits,
        mut watch: impl FnMut(&SplitReport<G>),
    ) -> SplitReport<G> {
        let mut meter = Meter::new(limits);
        let line = static_line(self.game, self.evaluate, position);
        let mut found = SplitReport { report: Report::new(line, 0, &meter), parts: Vec::new() };
        let mut cut: Option<(u32, Vec<G::Part>)> = None;
        for depth in self.schedule.depths(limits.last_depth()) {
            let (_, parts) = match cut.take() {
                Some(cut) if self.game.cuts_alike(cut.0, depth) => cut,
                _ => (depth, self.cut(position, depth)),
            };
            let Ok((step, finished)) = self.step(searcher, &parts, position, depth, &mut meter)
            else {
                break;
            };
            if !finished {
                let finished = found.report.depth;
                found = step;
                found.report.depth = finished;
                break;
            }
            cut = Some((depth, parts));
            found = step;
            watch(&found);
            let Report { score, pv, .. } = &found.report;
            // Where the parts say that all is lost, the whole board may still have a way out.
            let certain = if found.is_split() { score.is_win() } else { score.is_decided() };
            if certain || pv.is_empty() {
                break;
            }
        }
        (found.report.nodes, found.report.leaves) = (meter.nodes(), meter.leaves());
        found
    }

    /// Searches to one depth.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    pub fn search_to(
        &self,
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<SplitReport<G>, Stopped> {
        let parts = self.cut(position, depth);
        match self.step(&mut self.alpha_beta(), &parts, position, depth, meter)? {
            (found, true) => Ok(found),
            (_, false) => Err(Stopped),
        }
    }

    fn alpha_beta(&self) -> AlphaBetaParts<'_, G, E, O> {
        AlphaBetaParts {
            game: self.game,
            evaluate: OfPart(self.evaluate),
            order: &self.order,
            leaves_when_stopped: self.interrupted == Interrupted::Static,
            unfinished: None,
        }
    }

    /// Sorts the moves of a root.
    fn sort(&self, position: &G::Position, moves: &mut [G::Move]) {
        if let Some(seed) = self.ties {
            let mut rng = Rng::new(seed);
            for at in (1..moves.len()).rev() {
                moves.swap(at, rng.below(at + 1));
            }
        }
        moves.sort_by_key(|&mv| self.order.rank(self.game, position, mv));
    }

    /// The parts to search; none where the game is over or nothing is searched.
    fn cut(&self, position: &G::Position, depth: u32) -> Vec<G::Part> {
        match self.game.outcome(position) {
            None if depth > 0 => self.game.parts(position, depth),
            _ => Vec::new(),
        }
    }

    fn step(
        &self,
        searcher: &mut impl SearchPart<G>,
        parts: &[G::Part],
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<(SplitReport<G>, bool), Stopped> {
        if meter.is_exhausted() {
            return Err(Stopped);
        }
        if parts.len() > 1
            && let Some(found) = self.search_parts(searcher, parts, position, depth, meter)?
        {
            return Ok(found);
        }
        let parts = parts.iter().take(1).map(|part| PartReport {
            size: self.game.part_size(part),
            part: part.clone(),
            best: None,
            non_move: None,
            implied: None,
        });
        let order = |game: &G, position: &G::Position, mv| self.order.rank(game, position, mv);
        let mut moves = self.game.moves(position);
        self.sort(position, &mut moves);
        let mut whole = AlphaBeta::new(self.game, self.evaluate)
            .order(order)
            .leaves_when_stopped(self.interrupted == Interrupted::Static)
            .only_in_order(&moves);
        let (line, finished) = match whole.search(position, depth, meter) {
            Ok(line) if self.interrupted == Interrupted::Static => (line, !meter.is_exhausted()),
            Ok(line) => (line, true),
            Err(Stopped) if self.interrupted == Interrupted::Root => {
                (whole.unfinished().ok_or(Stopped)?, false)
            }
            Err(Stopped) => return Err(Stopped),
        };
        let parts = parts.collect();
        Ok((SplitReport { parts, report: Report::new(line, depth, meter) }, finished))
    }

    /// `None` if no part has a move: what leaves its part may still be legal on the whole board.
    fn search_parts(
        &self,
        searcher: &mut impl SearchPart<G>,
        parts: &[G::Part],
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Option<(SplitReport<G>, bool)>, Stopped> {
        let positions: Vec<G::Position> =
            parts.iter().map(|part| self.game.part_position(part)).collect();
        // A part, searched without the rest, may have a move that the board does not.
        let legal = self.game.moves(position);
        let moves: Vec<Vec<G::Move>> = parts
            .iter()
            .zip(&positions)
            .map(|(part, position)| {
                let mut moves = Vec::new();
                self.game.push_part_moves(part, position, &mut moves);
                moves.retain(|mv| legal.contains(mv));
                self.sort(position, &mut moves);
                moves
            })
            .collect();
        if moves.iter().all(Vec::is_empty) {
            return Ok(None);
        }
        let mut searched: Vec<Searched<G::Move>> = Vec::new();
        let mut finished = true;
        for ((part, position), moves) in parts.iter().zip(&positions).zip(&moves) {
            let (found, whole) =
                self.search_part(searcher, (part, position, moves), depth, meter, finished)?;
            finished &= whole;
            searched.push(found);
        }
        if self.interrupted == Interrupted::Static {
            finished = !meter.is_exhausted();
        }
        let implied = implied_scores(&searched);
        let mut chosen: Option<(usize, Score)> = None;
        for (at, score) in implied.iter().enumerate() {
            if let Some(score) = *score
                && chosen.is_none_or(|(_, best)| score > best)
            {
                chosen = Some((at, score));
            }
        }
        // Only an interruption can leave no move.
        let Some((at, score)) = chosen else { return Err(Stopped) };
        let line = searched[at].best.as_ref().expect("it has a move");
        let line = Line { score, pv: self.legal_line(position, &line.pv) };
        let parts = parts.iter().zip(searched).zip(implied).map(|((part, searched), implied)| {
            let best = searched.best.and_then(|line| Some(((*line.pv.first()?)?, line.score)));
            let non_move = Some(searched.non_move);
            let size = self.game.part_size(part);
            PartReport { part: part.clone(), size, best, non_move, implied }
        });
        let parts = parts.collect();
        Ok(Some((SplitReport { parts, report: Report::new(line, depth, meter) }, finished)))
    }

    /// A part's best move and what not moving there is worth, and whether both were searched. `in_time`: all parts
    /// before it were.
    ///
    /// # Errors
    ///
    /// If a limit is met first, and nothing is to be left of what it interrupts.
    fn search_part(
        &self,
        searcher: &mut impl SearchPart<G>,
        (part, position, moves): (&G::Part, &G::Position, &[G::Move]),
        depth: u32,
        meter: &mut Meter,
        in_time: bool,
    ) -> Result<(Searched<G::Move>, bool), Stopped> {
        let mut best = None;
        let mut passed = position.clone();
        self.game.pass(&mut passed);
        if in_time {
            let found = (!moves.is_empty())
                .then(|| searcher.first_best(part, position, moves, depth, meter))
                .transpose()
                .and_then(|found| {
                    best = found;
                    searcher.value(part, &passed, depth - 1, meter)
                });
            match found {
                Ok(value) => return Ok((Searched { best, non_move: value.deeper() }, true)),
                Err(Stopped) if self.interrupted == Interrupted::Discard => return Err(Stopped),
                Err(Stopped) => best = best.or_else(|| searcher.unfinished()),
            }
        }
        let alone = PartGame { game: self.game, part: part.clone() };
        let value = static_line(&alone, &OfPart(self.evaluate), &passed).score;
        Ok((Searched { best, non_move: value.deeper() }, false))
    }

    /// The line up to the first non-move or the first move that the whole board forbids.
    fn legal_line(&self, position: &G::Position, line: &[Option<G::Move>]) -> Vec<G::Move> {
        let mut position = position.clone();
        let mut legal = Vec::new();
        for mv in line.iter().map_while(|mv| *mv) {
            if !self.game.moves(&position).contains(&mv) {
                break;
            }
            self.game.make(&mut position, mv);
            legal.push(mv);
        }
        legal
    }
}

/// For each part, what moving there is worth; none where there is no move.
fn implied_scores<M>(searched: &[Searched<M>]) -> Vec<Option<Score>> {
    let implied = |at: usize| {
        let own = searched[at].best.as_ref()?.score;
        let others = searched.iter().enumerate().filter(|(other, _)| *other != at);
        Some(together(std::iter::once(own).chain(others.map(|(_, part)| part.non_move))))
    };
    (0..searched.len()).map(implied).collect()
}

/// The score of several parts: the soonest win or loss, or the sum of the estimates.
fn together(scores: impl Iterator<Item = Score>) -> Score {
    let mut soonest: Option<Score> = None;
    let mut sum = 0;
    for score in scores {
        if !score.is_decided() {
            sum += score.value();
        } else if soonest.is_none_or(|soonest| score.value().abs() > soonest.value().abs()) {
            soonest = Some(score);
        }
    }
    soonest.unwrap_or(Score::estimate(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soonest_end_counts() {
        let of = |scores: &[Score]| together(scores.iter().copied());
        let (three, minus_five) = (Score::estimate(3), Score::estimate(-5));
        assert_eq!(of(&[three, minus_five]), Score::estimate(-2));
        assert_eq!(of(&[three, Score::win_in(5)]), Score::win_in(5));
        assert_eq!(of(&[Score::loss_in(4), Score::win_in(5)]), Score::loss_in(4));
        assert_eq!(of(&[Score::win_in(3), Score::loss_in(4), three]), Score::win_in(3));
    }

    #[test]
    fn implied_scores_are_those_of_burnett() {
        let part = |best: Option<i32>, non_move: i32| Searched::<u8> {
            best: best.map(|score| Line { score: Score::estimate(score), pv: Vec::new() }),
            non_move: Score::estimate(non_move),
        };
        let searched = [part(Some(10), 4), part(Some(7), -3), part(None, 1)];
        let implied = implied_scores(&searched);
        assert_eq!(implied, [Some(Score::estimate(8)), Some(Score::estimate(12)), None]);
    }
}
