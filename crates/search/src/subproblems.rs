//! Search-Subproblems (Burnett, *Discovering and Searching Loosely Coupled Subproblems in Dou Shou Qi*,
//! 2010, chapter 10): every part is searched by itself, and the scores are added up.
//!
//! To depths 2, 4, 6 and so on, each part is searched twice, for its best move and for a non-move, with
//! non-moves allowed at every later ply. To move in part `i` means not to move in the others, so that
//! move is worth `move(i)` plus the sum of `non-move(j)` over the others, its *implied score*.
//!
//! The evaluation has to be a sum over what stands on the board, or the scores of parts do not add up.
//! Where a score is a win or a loss, the soonest of them is the score of all; a win ends the search, which
//! is how the thesis puts shallow wins first.
//!
//! The result is an estimate, not minimax: after the first move each part is searched as if both sides
//! could answer in all parts at once. [`sum`](crate::sum) is exact, as far as parts stay apart.

use game::Game;
use game::score::{Evaluate, Score};

use crate::decompose::{Decompose, OfPart, PartGame};
use crate::minimax::glance;
use crate::{
    AlphaBeta, AsListed, Budget, Limits, Order, Report, Schedule, Searcher, Stopped, Table, deepen,
};

/// A search that cuts positions into parts where it can.
#[derive(Debug)]
pub struct Subproblems<'a, G, E, O = AsListed> {
    game: &'a G,
    evaluate: &'a E,
    order: O,
    schedule: Schedule,
    memory: usize,
}

/// What came out, and of which parts.
#[derive(Clone, Debug)]
pub struct SplitReport<G: Decompose> {
    /// The move and its implied score; the line is as much of the part's own line as is legal on the
    /// whole board. The depth is that of every part.
    pub report: Report<G::Move>,
    /// The parts that were searched. A single one means that the position was searched as a whole, and
    /// then its scores are not filled in.
    pub parts: Vec<PartReport<G>>,
}

/// What was found out about a part at the last depth finished.
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
}

/// A part's line of play and what it leads to.
struct Searched<M> {
    best: Option<(Vec<Option<M>>, Score)>,
    non_move: Score,
}

impl<'a, G: Decompose, E: Evaluate<G>> Subproblems<'a, G, E> {
    /// A search in the game's own order.
    pub fn new(game: &'a G, evaluate: &'a E) -> Self {
        Subproblems { game, evaluate, order: AsListed, schedule: Schedule::EVERY_MOVE, memory: 0 }
    }
}

impl<'a, G: Decompose, E: Evaluate<G>, O: Order<G>> Subproblems<'a, G, E, O> {
    /// Tries moves in this order.
    #[must_use]
    pub fn order<P: Order<G>>(self, order: P) -> Subproblems<'a, G, E, P> {
        let Subproblems { game, evaluate, schedule, memory, .. } = self;
        Subproblems { game, evaluate, order, schedule, memory }
    }

    /// Remembers positions of a part in a table of so many MiB. The scores and the choice at any depth stay
    /// what they are; only the number of positions visited, the depth that a limit of them allows, and the
    /// tail of the line change.
    #[must_use]
    pub fn memory(self, mebibytes: usize) -> Self {
        Subproblems { memory: mebibytes, ..self }
    }

    /// Searches to these depths.
    #[must_use]
    pub fn schedule(self, schedule: Schedule) -> Self {
        Subproblems { schedule, ..self }
    }

    /// Searches the parts of a position, or the whole if it does not fall into parts.
    pub fn search(&self, position: &G::Position, limits: &Limits) -> SplitReport<G> {
        let parts = match self.game.outcome(position) {
            None => self.game.parts(position),
            Some(_) => Vec::new(),
        };
        let mut reports: Vec<PartReport<G>> = parts
            .into_iter()
            .map(|part| {
                let size = self.game.part_size(&part);
                PartReport { part, size, best: None, non_move: None }
            })
            .collect();
        if reports.len() > 1
            && let Some(report) = self.search_parts(&mut reports, position, limits)
        {
            return SplitReport { report, parts: reports };
        }
        reports.truncate(1);
        let order = |game: &G, position: &G::Position, mv| self.order.rank(game, position, mv);
        let mut whole = AlphaBeta::new(self.game, self.evaluate).order(order);
        let report = deepen(&mut whole, position, self.schedule, limits, |_| ());
        SplitReport { report, parts: reports }
    }

    /// `None` if no part has a move: what leaves its part may still be legal on the whole board.
    fn search_parts(
        &self,
        reports: &mut [PartReport<G>],
        position: &G::Position,
        limits: &Limits,
    ) -> Option<Report<G::Move>> {
        let games: Vec<PartGame<'_, G>> = reports
            .iter()
            .map(|report| PartGame { game: self.game, part: report.part.clone() })
            .collect();
        let positions: Vec<G::Position> =
            games.iter().map(|part| self.game.part_position(&part.part)).collect();
        // A part that knows nothing of the rest may see a move where there is none.
        let legal = self.game.moves(position);
        let moves: Vec<Vec<Option<G::Move>>> = games
            .iter()
            .zip(&positions)
            .map(|(part, position)| {
                let mut moves = part.moves(position);
                moves.retain(|mv| mv.is_some_and(|mv| legal.contains(&mv)));
                moves.sort_by_key(|&mv| OfPart(&self.order).rank(part, position, mv));
                moves
            })
            .collect();
        let any = moves.iter().flatten().copied().flatten().next()?;

        // Without the memory for a table, the search is only slower.
        let table = || (self.memory > 0).then(|| Table::new(self.memory).ok()).flatten();
        let mut tables: Vec<Option<Table<Option<G::Move>>>> =
            games.iter().map(|_| table()).collect();

        let mut budget = Budget::new(limits);
        let mut line = glance(self.game, self.evaluate, position);
        line.pv = vec![any];
        let mut report = Report::new(line, 0, &budget);
        for depth in self.schedule.depths(limits.last_depth()).filter(|depth| *depth > 0) {
            let searched: Result<Vec<_>, Stopped> = games
                .iter()
                .zip(&positions)
                .zip(&moves)
                .zip(&mut tables)
                .map(|(((part, position), moves), table)| {
                    self.search_part(part, position, moves, depth, table, &mut budget)
                })
                .collect();
            let Ok(searched) = searched else {
                break;
            };
            let implied = implied_scores(&searched);
            let mut chosen: Option<(usize, Score)> = None;
            for (at, score) in implied.into_iter().enumerate() {
                if let Some(score) = score
                    && chosen.is_none_or(|(_, best)| score > best)
                {
                    chosen = Some((at, score));
                }
            }
            let (at, score) = chosen.expect("some part has a move");
            let (line, _) = searched[at].best.as_ref().expect("it has a move");
            report.pv = self.legal_line(position, line);
            (report.score, report.depth) = (score, depth);
            for (report, searched) in reports.iter_mut().zip(searched) {
                report.non_move = Some(searched.non_move);
                report.best =
                    searched.best.and_then(|(line, score)| Some(((*line.first()?)?, score)));
            }
            if score.is_win() {
                break;
            }
        }
        Some(Report { nodes: budget.nodes(), leaves: budget.leaves(), ..report })
    }

    fn search_part(
        &self,
        part: &PartGame<'_, G>,
        position: &G::Position,
        moves: &[Option<G::Move>],
        depth: u32,
        table: &mut Option<Table<Option<G::Move>>>,
        budget: &mut Budget,
    ) -> Result<Searched<G::Move>, Stopped> {
        let evaluate = OfPart(self.evaluate);
        let remembering = |table: &mut Option<Table<Option<G::Move>>>| {
            let search = AlphaBeta::new(part, &evaluate).order(OfPart(&self.order));
            match table.take() {
                Some(table) => search.table(table),
                None => search,
            }
        };
        let mut best = None;
        if !moves.is_empty() {
            let mut search = remembering(table).only_in_order(moves);
            let line = search.search(position, depth, budget);
            *table = search.into_table();
            let line = line?;
            best = Some((line.pv, line.score));
        }
        let mut search = remembering(table);
        let passed = part.after(position, None);
        let line = search.search(&passed, depth - 1, budget);
        *table = search.into_table();
        Ok(Searched { best, non_move: line?.score.deeper() })
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
        let (_, own) = searched[at].best.as_ref()?;
        let others = searched.iter().enumerate().filter(|(other, _)| *other != at);
        Some(together(std::iter::once(*own).chain(others.map(|(_, part)| part.non_move))))
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
    fn implied_scores_are_those_of_the_thesis() {
        let part = |best: Option<i32>, non_move: i32| Searched::<u8> {
            best: best.map(|score| (Vec::new(), Score::estimate(score))),
            non_move: Score::estimate(non_move),
        };
        let searched = [part(Some(10), 4), part(Some(7), -3), part(None, 1)];
        let implied = implied_scores(&searched);
        assert_eq!(implied, [Some(Score::estimate(8)), Some(Score::estimate(12)), None]);
    }
}
