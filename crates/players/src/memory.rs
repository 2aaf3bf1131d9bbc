//! Players that remember positions: the choices of those that do not, many times sooner.
//!
//! At a given depth a choice depends on nothing but the values of the moves and the order in which they are
//! tried, so any exact search will do. The engine's is the quickest there is.

use engine::exact::{self, Exact, Ground, PATIENCE};
use game::Game;
use game::score::Score;
use jungle::{BurnettEval, Move, Position};
use search::{Line, Meter, Order, SearchPart, Searcher, Stopped};

use crate::{Part, PartedJungle};

/// A search with a table, of a whole board or of parts.
pub(crate) struct Remembering<'a, O> {
    game: &'a PartedJungle,
    order: O,
    exact: Exact,
}

impl<'a, O: Order<PartedJungle>> Remembering<'a, O> {
    /// A search with a table of so many MiB that chooses the first of equal moves in this order.
    pub(crate) fn new(game: &'a PartedJungle, order: O, mebibytes: usize) -> Self {
        Remembering { game, order, exact: Exact::new(game.jungle().clone(), mebibytes) }
    }

    /// Runs a search on some ground and charges the meter for it.
    fn run<T>(
        &mut self,
        ground: Ground,
        meter: &mut Meter,
        search: impl FnOnce(&mut Exact, exact::Interrupt<'_>) -> Result<T, exact::Stopped>,
    ) -> Result<T, Stopped> {
        let before = self.exact.nodes();
        let mut charged = 0;
        let found = search(self.exact.on(ground), &mut || {
            charged += PATIENCE;
            meter.spend(PATIENCE).is_err()
        });
        meter.count((self.exact.nodes() - before).saturating_sub(charged));
        found.map_err(|exact::Stopped| Stopped)
    }
}

impl<O: Order<PartedJungle>> Searcher<PartedJungle> for Remembering<'_, O> {
    fn search(
        &mut self,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Move>, Stopped> {
        let mut moves = self.game.moves(position);
        moves.sort_by_key(|&mv| self.order.rank(self.game, position, mv));
        let found = self.run(Ground::Board, meter, |exact, interrupt| {
            exact.first_best(position, &moves, depth, interrupt)
        });
        Ok(match found? {
            Some((pv, score)) => Line { score, pv },
            None => self.glance(position),
        })
    }

    fn glance(&self, position: &Position) -> Line<Move> {
        search::glance(self.game, &BurnettEval, position)
    }
}

impl<O: Order<PartedJungle>> SearchPart<PartedJungle> for Remembering<'_, O> {
    fn first_best(
        &mut self,
        part: &Part,
        position: &Position,
        moves: &[Move],
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Option<Move>>, Stopped> {
        let found = self.run(ground(part), meter, |exact, interrupt| {
            exact.first_best(position, moves, depth, interrupt)
        });
        let (line, score) = found?.expect("there are moves");
        Ok(Line { score, pv: line.into_iter().map(Some).collect() })
    }

    fn value(
        &mut self,
        part: &Part,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Score, Stopped> {
        self.run(ground(part), meter, |exact, interrupt| exact.value(position, depth, interrupt))
    }
}

fn ground(part: &Part) -> Ground {
    Ground::Part { territory: part.territory, others: part.others }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cut, StrongestFirst, Threshold};
    use game::rng::Rng;
    use jungle::{Jungle, Rules};
    use search::decompose::{Decompose, PartGame};
    use search::{Limits, Minimax};

    /// The thesis' evaluation, of a part.
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
                        let mut search = Remembering::new(&game, StrongestFirst, 1);
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
