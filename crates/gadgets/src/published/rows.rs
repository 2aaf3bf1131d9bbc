//! Rows of BLACK EDGEs: what three of them let down again.

use super::{find, post};
use crate::generalised::BoardRules;
use crate::sentry::{Post, Vigil, Watch};
use crate::solve::TooManyStates;

/// How many edges the paper puts on either side of an OUTFLOW.
pub const EDGES: usize = 3;

/// The rows of edges that are proved: how many panthers come from below, and how many more from above.
pub const ROWS: [(usize, usize); 2] = [(2, 1), (1, 2)];

/// The row that is proved as a ratchet, the upper one of a wire to a FANOUT: the same numbers.
pub const RATCHET: (usize, usize) = (1, 1);

/// So many edges in a row, which let no more panthers down than began below.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn row(
    edges: usize,
    numbers: (usize, usize),
    rules: BoardRules,
    limit: usize,
) -> Result<Vigil, TooManyStates> {
    let more = |watch: &Watch, state| watch.in_pool(state, 0) > numbers.0;
    Vigil::solve(edges_in_a_row(edges, numbers, rules), more, limit)
}

/// So many edges in a row, which moreover let nobody down again for a panther that has gone up and out, net: however many more than
/// began above were ever there at once, so many fewer than began below are there for ever.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn ratchet(
    edges: usize,
    numbers: (usize, usize),
    rules: BoardRules,
    limit: usize,
) -> Result<Vigil, TooManyStates> {
    let back = |watch: &Watch, state| watch.in_pool(state, 0) + watch.caught(state) > numbers.0;
    let watch = edges_in_a_row(edges, numbers, rules).with_ratchet(edges);
    Vigil::solve(watch, back, limit)
}

fn edges_in_a_row(edges: usize, (below, above): (usize, usize), rules: BoardRules) -> Watch {
    let edge = find("black-edge");
    let posts: Vec<Post> = (0..edges).map(|pool| post(edge.clone(), &[pool, pool + 1])).collect();
    let mut waiting = vec![0; edges + 1];
    waiting[0] = below;
    waiting[edges] += above;
    Watch::new(&posts, &waiting, rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generalised::Trapped;
    use crate::published::tests::reading;

    /// Three channels are needed where both panthers of a FANOUT come to one OUTFLOW; before a gate, two do under one reading.
    #[test]
    fn two_edges_do_not_bear_what_three_do() {
        for (trapped, numbers, holds) in [
            (Trapped::Zero, (2, 1), false),
            (Trapped::Full, (2, 1), false),
            (Trapped::Zero, (1, 2), true),
            (Trapped::Full, (1, 2), false),
        ] {
            let vigil = row(2, numbers, reading(trapped), 100_000).unwrap();
            assert_eq!(vigil.holds, holds, "{trapped:?} {numbers:?}");
        }
    }

    /// So only what has to be a ratchet is taken for one: under full strength the edges before an OR are none.
    #[test]
    fn edges_are_a_ratchet_for_what_a_fanout_sends_back_and_not_for_what_an_or_does() {
        for (trapped, numbers, holds, answers) in [
            (Trapped::Zero, (1, 0), true, Some(4)),
            (Trapped::Full, (1, 0), true, Some(5)),
            (Trapped::Zero, RATCHET, true, Some(4)),
            (Trapped::Full, RATCHET, true, Some(10)),
            (Trapped::Zero, (1, 2), true, Some(4)),
            (Trapped::Full, (1, 2), false, None),
        ] {
            let vigil = ratchet(EDGES, numbers, reading(trapped), 1_000_000).unwrap();
            assert_eq!((vigil.holds, vigil.answers), (holds, answers), "{trapped:?} {numbers:?}");
        }
    }
}
