//! Regret: what a move gave away, by a deeper search.

use game::limits::Limits;
use game::score::Score;
use search::{AlphaBeta, Schedule, Table, deepen, fixed};

use super::Board;

/// How much less a move is worth than the best one, in the units of the evaluation, to alpha-beta that
/// searches the position as deep as `nodes` allow and the move's result a ply less. None if a win or a
/// loss is in sight, which no number of units measures, or if the judge got nowhere.
pub fn regret<B: Board>(board: &B, position: &B::Position, mv: B::Move, nodes: u64) -> Option<i32> {
    let evaluation = board.evaluation();
    let mut judge =
        AlphaBeta::new(board, &evaluation).order(board.ordering()).table(Table::new(4).ok()?);
    let report = deepen(&mut judge, position, Schedule::EVERY_PLY, &Limits::nodes(nodes), |_| ());
    if report.depth < 2 {
        return None;
    }
    let after = board.after(position, mv);
    let value = match board.outcome(&after) {
        Some(outcome) => Score::of_outcome(board, &after, outcome).deeper(),
        None => fixed(&mut judge, &after, report.depth - 1, &Limits::none())?.score.deeper(),
    };
    let decided = value.is_decided() || report.score.is_decided();
    (!decided).then(|| report.score.value() - value.value())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krad_petrakos::SmallAmazons;

    #[test]
    fn the_best_move_has_none_and_no_move_less() {
        let board = SmallAmazons;
        let position = board.opening(1, 1);
        let regrets: Vec<i32> = game::Game::moves(&board, &position)
            .into_iter()
            .filter_map(|mv| regret(&board, &position, mv, 3000))
            .collect();
        assert_eq!(regrets.iter().min(), Some(&0));
        assert!(regrets.iter().max() > Some(&0));
    }
}
