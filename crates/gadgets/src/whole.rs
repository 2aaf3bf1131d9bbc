//! Whole boards solved by retrograde analysis, with nothing assumed about gadgets.
//!
//! The local games ([`crate::local`], [`crate::holding`]) look at one gadget at a time and an argument puts
//! them together. This solver knows no gadgets: it lists every position that can be reached on the
//! board by legal moves and works backwards from the dens, so it is an independent judge of small
//! formulas. It shares the rules ([`GeneralisedJungle`]) with the rest, and no other code.
//!
//! **State.** A piece whose squares no other can ever reach is *lone*: on a compiled board, the two cats.
//! What the others do does not depend on where the lone ones are, only who wins does. So a state
//! is an *arrangement* of the pieces that can meet, a side to move, and a combination of places of the
//! lone pieces. Arrangements are listed and numbered; for an arrangement and a side to move, all
//! combinations are one machine word (`whole/lane.rs`), and one step of the analysis works on all of them at
//! once. That is exact, not an abstraction: every state has its bit, and is counted.
//!
//! **Working backwards.** White's wins and Black's are found separately, by depth. A position in which
//! the winner moves is won if one move leads to a won one: words are joined. One in which the loser
//! moves is looked at again whenever one of its moves has become lost: words are intersected over all of
//! its moves. As sides alternate, even depths have the loser to move and odd ones the winner, so a word
//! that changes is not read again at the same depth, and the depth is the number of plies.
//!
//! **Memory.** About 150 bytes an arrangement, edges in both directions included.

mod graph;
mod groups;
mod lane;

use jungle::Color;
use jungle::rules::Rules;

use crate::board::Board;
use crate::generalised::{BoardRules, GeneralisedJungle};

use graph::Graph;
use groups::Group;
use lane::{Lane, side};

/// What the whole board comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeSolution {
    /// Who wins with best play; `None` if neither side can force a win.
    pub winner: Option<Color>,
    /// In how many plies, with best play.
    pub plies: Option<u32>,
    /// How many states can be reached.
    pub states: u64,
    /// How many of them neither side can win.
    pub drawn: u64,
    /// In how many arrangements of the pieces that can meet.
    pub arrangements: usize,
}

/// Why a whole board was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WholeError {
    /// An arrangement does not fit.
    #[error("the pieces of this board take {0} bits, and 64 are the most: try a shorter formula")]
    TooWide(u32),
    /// Too many arrangements.
    #[error("there are more than {0} arrangements: allow more, or try a shorter formula")]
    TooMany(usize),
}

/// A board prepared for solving.
pub struct WholeBoard {
    groups: Vec<Group>,
    lane: Lane,
    start: u64,
    turn: Color,
    rules: Rules,
}

impl WholeBoard {
    /// Prepares a board.
    ///
    /// # Errors
    ///
    /// If an arrangement does not fit in 64 bits.
    pub fn new(board: &Board, rules: impl Into<BoardRules>) -> Result<WholeBoard, WholeError> {
        WholeBoard::prepared(board, rules.into(), true)
    }

    fn prepared(
        board: &Board,
        rules: BoardRules,
        with_lane: bool,
    ) -> Result<WholeBoard, WholeError> {
        let generalised = GeneralisedJungle::new(rules);
        let mut groups = groups::groups_of(&generalised, board);
        let lane = if with_lane { Lane::split_off(&mut groups) } else { Lane::default() };
        let bits = groups::lay_out(&generalised, board, &mut groups);
        if bits > u64::BITS {
            return Err(WholeError::TooWide(bits));
        }
        let start = groups::places_of(&groups, board);
        let (turn, rules) = (board.turn(), *generalised.rules());
        Ok(WholeBoard { groups, lane, start, turn, rules })
    }

    /// Who has won in an arrangement, wherever the lone pieces are.
    fn ended(&self, places: u64) -> Option<Color> {
        groups::entered(&self.groups, places).or_else(|| {
            let bare = |&color: &Color| {
                !self.lane.present(color) && groups::bare(&self.groups, places, color)
            };
            let beaten = Color::ALL.into_iter().find(bare);
            beaten.filter(|_| self.rules.annihilation_wins).map(|color| !color)
        })
    }

    /// Calls `visit` with the arrangement after every move of a side that is not one of a lone piece.
    fn moves(&self, places: u64, turn: Color, mut visit: impl FnMut(u64)) {
        for group in self.groups.iter().filter(|group| group.piece.color == turn) {
            group.moves(&self.groups, places, &mut visit);
        }
    }

    /// Solves the board; `progress` gets the number of arrangements found so far, now and then.
    ///
    /// # Errors
    ///
    /// If there are more than `limit` arrangements.
    pub fn solve(
        &self,
        limit: usize,
        progress: impl FnMut(usize),
    ) -> Result<WholeSolution, WholeError> {
        let graph = Graph::of(self, limit, progress)?;
        let mut open = self.reached(&graph);
        let count = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum();
        let states = count(&open);
        for (node, word) in open.iter_mut().enumerate() {
            *word &= self.undecided(&graph, node);
        }
        let by_white = self.won(&graph, &mut open, Color::White);
        let by_black = self.won(&graph, &mut open, Color::Black);
        let winner = by_white.map(|_| Color::White).or(by_black.map(|_| Color::Black));
        Ok(WholeSolution {
            winner,
            plies: by_white.or(by_black),
            states,
            drawn: count(&open),
            arrangements: graph.len(),
        })
    }

    /// The number of the first arrangement with the side that begins.
    fn start_node(&self) -> usize {
        side(self.turn)
    }

    /// For every node the combinations that can be reached.
    fn reached(&self, graph: &Graph) -> Vec<u64> {
        let mut reached = vec![0; 2 * graph.len()];
        let mut fresh = vec![0; 2 * graph.len()];
        fresh[self.start_node()] = self.lane.start();
        let mut stack = vec![0];
        while let Some(number) = stack.pop() {
            let pair = 2 * number as usize..2 * number as usize + 2;
            let [mut white, mut black] = [0, 1].map(|mover| fresh[pair.start + mover]);
            fresh[pair.clone()].fill(0);
            let goes_on = graph.ended(number).is_none();
            // The lone pieces move on, and the turn passes, until nothing is new here.
            let mut news = [white, black];
            while goes_on && news != [0, 0] {
                let known = |mover: usize, here: u64| reached[pair.start + mover] | here;
                let [from_white, from_black] =
                    [0, 1].map(|mover| self.lane.after(mover, news[mover]));
                news = [from_black & !known(0, white), from_white & !known(1, black)];
                white |= news[0];
                black |= news[1];
            }
            for (mover, here) in [white, black].into_iter().enumerate() {
                let node = pair.start + mover;
                reached[node] |= here;
                let here = here & self.lane.open();
                if here == 0 {
                    continue;
                }
                for &next in graph.next(node) {
                    let there = 2 * next as usize;
                    let new = here & !reached[there + 1 - mover] & !fresh[there + 1 - mover];
                    if new != 0 {
                        if fresh[there] | fresh[there + 1] == 0 {
                            stack.push(next);
                        }
                        fresh[there + 1 - mover] |= new;
                    }
                }
            }
        }
        reached
    }

    /// The combinations at a node in which the game goes on.
    fn undecided(&self, graph: &Graph, node: usize) -> u64 {
        let ends = [Color::White, Color::Black].map(|winner| self.ends(graph, node, winner));
        if graph.ended(node as u32 / 2).is_some() { 0 } else { !(ends[0] | ends[1]) }
    }

    /// The combinations at a node in which a side has won, reached or not.
    fn ends(&self, graph: &Graph, node: usize, winner: Color) -> u64 {
        match graph.ended(node as u32 / 2) {
            Some(ended) if ended == winner => u64::MAX,
            Some(_) => 0,
            None => {
                let turn = [Color::White, Color::Black][node % 2];
                let stuck = graph.next(node).is_empty()
                    && self.rules.no_legal_move.winner(turn) == Some(winner);
                let stuck = if stuck { self.lane.stuck(node % 2) } else { 0 };
                self.lane.dens(winner) | stuck
            }
        }
    }

    /// Takes from `open` all that a side wins; in how many plies it wins the start, if it does.
    fn won(&self, graph: &Graph, open: &mut [u64], winner: Color) -> Option<u32> {
        let ends = |node| self.ends(graph, node, winner);
        let mut won: Vec<u64> = (0..open.len()).map(ends).collect();
        let (start, begin) = (self.start_node(), self.lane.start());
        if won[start] & begin != 0 {
            return Some(0);
        }
        let mut plies = None;
        // What may have changed: nodes before those of the last depth, and in which combinations.
        let mut touched = Touched { words: vec![0; open.len()], nodes: Vec::new() };
        for (node, &word) in won.iter().enumerate() {
            self.touch(graph, open, node, word, &mut touched);
        }
        for depth in 1.. {
            let mut changed: Vec<(u32, u64)> = Vec::new();
            for node in std::mem::take(&mut touched.nodes) {
                let at = node as usize;
                let word = std::mem::take(&mut touched.words[at]);
                let new = if at % 2 == side(winner) {
                    word
                } else {
                    let away = self.lane.before(at % 2, !won[at ^ 1]);
                    let all = |left: u64, &next: &u32| match left {
                        0 => None,
                        left => Some(left & won[2 * next as usize + 1 - at % 2]),
                    };
                    graph.next(at).iter().try_fold(word & !away, all).unwrap_or(0)
                };
                if new != 0 {
                    open[at] &= !new;
                    won[at] |= new;
                    changed.push((node, new));
                }
            }
            if plies.is_none() && won[start] & begin != 0 {
                plies = Some(depth);
            }
            if changed.is_empty() {
                break;
            }
            for (node, new) in changed {
                self.touch(graph, open, node as usize, new, &mut touched);
            }
        }
        plies
    }

    /// Notes the nodes from which a move leads to these combinations at a node.
    fn touch(&self, graph: &Graph, open: &[u64], node: usize, word: u64, touched: &mut Touched) {
        if word == 0 {
            return;
        }
        let mover = 1 - node % 2;
        for &before in graph.before(node) {
            touched.note(open, 2 * before as usize + mover, word);
        }
        touched.note(open, node ^ 1, self.lane.before(mover, word));
    }
}

/// Nodes to be looked at, and in which combinations.
struct Touched {
    words: Vec<u64>,
    nodes: Vec<u32>,
}

impl Touched {
    fn note(&mut self, open: &[u64], node: usize, word: u64) {
        let word = word & open[node];
        if word != 0 {
            if self.words[node] == 0 {
                self.nodes.push(node as u32);
            }
            self.words[node] |= word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Circuit;
    use crate::formula::Formula;
    use crate::layout::Layout;

    /// With the cats among the pieces that can meet, every state is an arrangement of its own.
    #[test]
    fn the_lane_of_lone_pieces_changes_nothing() {
        for (text, first) in [("x & y", Color::White), ("x & y", Color::Black)] {
            let formula: Formula = text.parse().unwrap();
            let mut board = Layout::of(&Circuit::of(&formula)).board;
            board.set_turn(first);
            let solved = |with_lane| {
                let whole = WholeBoard::prepared(&board, Rules::LEIDEN.into(), with_lane);
                whole.unwrap().solve(1_000_000, |_| ()).unwrap()
            };
            let (fast, plain) = (solved(true), solved(false));
            assert!(fast.arrangements * 10 < plain.arrangements);
            assert_eq!(WholeSolution { arrangements: fast.arrangements, ..plain }, fast);
        }
    }
}
