//! The published searches with a transposition table: the same choices, many times sooner.
//!
//! At a given depth a choice depends on nothing but the values of the moves and the order in which they are
//! tried, so any exact search will do.

use game::Game;
use game::limits::{Meter, Stopped};
use game::score::Score;
use jungle::{BurnettEval, Move, Position};
use search::{Line, Order, SearchPart, Searcher};

use crate::exact::{Exact, Ground};
use jungle::decompose::{Part, PartedJungle};

/// A search with a table, of a whole board or of parts.
pub(crate) struct TableSearch<'a, O> {
    game: &'a PartedJungle,
    order: O,
    exact: Exact,
}

impl<'a, O: Order<PartedJungle>> TableSearch<'a, O> {
    /// A search with a table of this many MiB that chooses the first of equal moves in this order.
    pub(crate) fn new(game: &'a PartedJungle, order: O, mebibytes: usize) -> Self {
        TableSearch { game, order, exact: Exact::new(game.jungle().clone(), mebibytes) }
    }
}

impl<O: Order<PartedJungle>> Searcher<PartedJungle> for TableSearch<'_, O> {
    fn search(
        &mut self,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Move>, Stopped> {
        let mut moves = self.game.moves(position);
        moves.sort_by_key(|&mv| self.order.rank(self.game, position, mv));
        let exact = self.exact.on(Ground::Board);
        Ok(match exact.first_best(position, &moves, depth, meter)? {
            Some((pv, score)) => Line { score, pv },
            None => self.static_line(position),
        })
    }

    fn static_line(&self, position: &Position) -> Line<Move> {
        search::static_line(self.game, &BurnettEval, position)
    }
}

impl<O: Order<PartedJungle>> SearchPart<PartedJungle> for TableSearch<'_, O> {
    fn first_best(
        &mut self,
        part: &Part,
        position: &Position,
        moves: &[Move],
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Option<Move>>, Stopped> {
        let found = self.exact.on(ground(part)).first_best(position, moves, depth, meter)?;
        let (line, score) = found.expect("there are moves");
        Ok(Line { score, pv: line.into_iter().map(Some).collect() })
    }

    fn value(
        &mut self,
        part: &Part,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Score, Stopped> {
        self.exact.on(ground(part)).value(position, depth, meter)
    }
}

fn ground(part: &Part) -> Ground {
    Ground::Part { territory: part.territory, others: part.others }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StrongestFirst;
    use game::decompose::{Decompose, PartGame};
    use game::limits::Limits;
    use game::rng::Rng;
    use jungle::decompose::{Cut, Threshold};
    use jungle::{Jungle, Rules};
    use search::Minimax;

    /// Burnett's evaluation, of a part.
    struct OfPart;

    impl game::score::Evaluate<PartGame<'_, PartedJungle>> for OfPart {
        fn evaluate(&self, part: &PartGame<'_, PartedJungle>, position: &Position) -> i32 {
            BurnettEval.evaluate(part.game, position)
        }
    }

    #[test]
    fn parts_are_worth_what_minimax_says() {
        let mut rng = Rng::new(3);
        let game = PartedJungle::new(Rules::TUFTS, Cut::Threshold(Threshold::Plies(1)));
        let jungle = Jungle::new(Rules::TUFTS);
        let mut compared = 0;
        for _ in 0..40 {
            let mut position = Position::start();
            for _ in 0..30 + rng.below(120) {
                match rng.choose(&jungle.moves(&position)) {
                    Some(&mv) => position.make(mv),
                    None => break,
                }
            }
            if jungle.outcome(&position).is_some() {
                continue;
            }
            for part in game.parts(&position, 4) {
                let alone = PartGame { game: &game, part: part.clone() };
                for turn in [position.turn(), !position.turn()] {
                    let start = part.position.with_turn(turn);
                    for depth in 0..=3 {
                        let mut meter = Meter::new(&Limits::none());
                        let mut minimax = Minimax::new(&alone, &OfPart);
                        let expected = minimax.search(&start, depth, &mut meter).unwrap().score;
                        let mut search = TableSearch::new(&game, StrongestFirst, 1);
                        let value = search.value(&part, &start, depth, &mut meter).unwrap();
                        assert_eq!(value, expected, "{start} at depth {depth}, {part:?}");
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 300, "only {compared}");
    }
}
