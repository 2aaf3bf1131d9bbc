//! Alpha-beta over regions: `DivideConquerAlphaBeta` of Xu, Xing and Zuo (A Region-divided Search
//! Algorithm for Game Amazons), and the plain alpha-beta that it is compared with.
//!
//! A position that does not fall apart is searched as usual. One that does is not searched move by
//! move: each executing sub-board is searched by itself with an open window, once with the player to
//! move and, a ply less deep, once with the other player, which is a *non-move*. With `S(b)` and
//! `N(b)` for the two values, both for the player to move,
//!
//! ```text
//! S(B) = max over j of (S(bj) − N(bj)) + sum over i of N(bi)          (5)
//! ```
//!
//! and the best move is the best move of the sub-board `j`. Cutting goes on inside the search of each
//! sub-board. In a sub-board that only one player can fill, the other makes empty moves (the paper's
//! simple filling algorithm); in one where the player to move happens to be stuck the evaluation is
//! returned. The end of the game in a sub-board is not the end of the game, so wins and losses are
//! reported only for whole boards.
//!
//! Values of sub-boards are kept for each [shape](crate::shape) and depth, for either player to move: moves
//! later, or elsewhere on the board, only those that changed are searched again.
//!
//! Formula (5) is not exact: after the first move each sub-board is searched as if both players
//! answered each other in it, while on the board they may answer elsewhere. How often that matters
//! is measured by the studies of Xu, Xing and Zuo.
//!
//! Both searches here are one function with a switch, order moves in the same way (by the evaluation
//! of what they lead to, except at the last ply) and differ in nothing but the cutting, so that what
//! is measured is the cutting.

use std::collections::HashMap;

use game::Game;
use game::limits::{Meter, Stopped};
use game::score::{Evaluate, Score};
use search::{Line, Searcher};

use crate::batch::{LANES, values_after};
use crate::evaluate::Weights;
use crate::region::{self, Kind, Region};
use crate::shape::Shape;
use crate::{Amazons, Move, Position};

/// The value of the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Ends {
    /// A win or a loss.
    #[default]
    Decided,
    /// The evaluation, as in the paper's formulas.
    Evaluated,
}

/// Alpha-beta, with or without cutting.
#[derive(Debug)]
pub struct Divide {
    weights: Weights,
    cuts: bool,
    ends: Ends,
    table: HashMap<(Shape, u32), Stored>,
    keeps: bool,
    parts_searched: u64,
    parts_reused: u64,
}

#[derive(Clone, Copy, Debug)]
struct Stored {
    value: i32,
    best: Option<Move>,
}

/// A value for the player to move and the move that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The value in the units of the evaluation; wins and losses lie beyond [`WIN`] less a thousand.
    pub value: i32,
    /// The best move; none if there is no move, or at depth 0.
    pub best: Option<Move>,
}

/// A sub-board's values on a board that is cut, for the player to move: the two of formula (5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubBoard {
    /// Which one.
    pub region: Region,
    /// `S`: moving in it, with the best move; none if the player to move cannot.
    pub moving: Option<Found>,
    /// `N`: moving elsewhere.
    pub non_move: i32,
}

/// A win now; a win in n plies is n less.
pub const WIN: i32 = 1_000_000;
const INFINITE: i32 = i32::MAX - 1;
/// More sub-boards than this are not remembered; a game leaves far fewer behind.
const MOST_STORED: usize = 1 << 20;

impl Divide {
    /// The region-divided search.
    pub fn new(weights: Weights) -> Divide {
        Divide {
            weights,
            cuts: true,
            ends: Ends::default(),
            table: HashMap::new(),
            keeps: true,
            parts_searched: 0,
            parts_reused: 0,
        }
    }

    /// The plain search.
    pub fn plain(weights: Weights) -> Divide {
        Divide { cuts: false, ..Divide::new(weights) }
    }

    /// Sets the value of the end of the game.
    #[must_use]
    pub fn ends(self, ends: Ends) -> Divide {
        Divide { ends, ..self }
    }

    /// Whether values of sub-boards are kept and used again; on by default.
    #[must_use]
    pub fn keeps(self, keeps: bool) -> Divide {
        Divide { keeps, ..self }
    }

    /// How many sub-boards were searched, and how many more were known from before.
    pub fn parts(&self) -> (u64, u64) {
        (self.parts_searched, self.parts_reused)
    }

    /// Forgets all sub-boards.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches a board to a depth.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    pub fn find(
        &mut self,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Found, Stopped> {
        if self.table.len() > MOST_STORED {
            self.table.clear();
        }
        let mut found = Found { value: 0, best: None };
        let node = Node { depth, ply: 0, whole: true, may_have_split: true };
        found.value = self.node(*position, node, [-INFINITE, INFINITE], &mut found.best, meter)?;
        Ok(found)
    }

    /// What [`find`](Divide::find) adds up where arrows cut the board: its executing sub-boards with
    /// their values. Nothing if there is only one, or at depth 0.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    pub fn sub_boards(
        &mut self,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Vec<SubBoard>, Stopped> {
        let mut parts: Vec<Region> = Vec::new();
        region::executing(position, |region| parts.push(region));
        if parts.len() < 2 || depth == 0 {
            return Ok(Vec::new());
        }
        parts.into_iter().map(|region| self.sub_board(position, region, depth, meter)).collect()
    }

    fn node(
        &mut self,
        position: Position,
        node: Node,
        window: [i32; 2],
        best: &mut Option<Move>,
        meter: &mut Meter,
    ) -> Result<i32, Stopped> {
        meter.visit()?;
        let mover = position.turn();
        let can_move = position.can_move(mover);
        if node.whole && !can_move && self.ends == Ends::Decided {
            meter.leaf();
            return Ok(node.ply - WIN);
        }
        if node.depth == 0 {
            meter.leaf();
            return Ok(self.weights.value(&position));
        }
        if self.cuts && node.may_have_split {
            let mut parts: Vec<Region> = Vec::new();
            region::executing(&position, |region| parts.push(region));
            if parts.len() > 1 {
                return self.combine(&position, &parts, node, best, meter);
            }
            if !can_move
                && !node.whole
                && parts.first().is_some_and(|p| p.kind == Kind::Filling(!mover))
            {
                return self.empty_move(&position, node, window, meter);
            }
        } else if self.cuts && !can_move && !node.whole && position.amazons(mover).is_empty() {
            return self.empty_move(&position, node, window, meter);
        }
        if !can_move {
            meter.leaf();
            return Ok(self.weights.value(&position));
        }
        self.moves(&position, node, window, best, meter)
    }

    /// The other player fills, this one waits.
    fn empty_move(
        &mut self,
        position: &Position,
        node: Node,
        [alpha, beta]: [i32; 2],
        meter: &mut Meter,
    ) -> Result<i32, Stopped> {
        let next = Node { depth: node.depth - 1, ply: node.ply + 1, may_have_split: false, ..node };
        Ok(-self.node(position.passed(), next, [-beta, -alpha], &mut None, meter)?)
    }

    /// The usual search of moves, fail-soft.
    fn moves(
        &mut self,
        position: &Position,
        node: Node,
        [mut alpha, beta]: [i32; 2],
        best: &mut Option<Move>,
        meter: &mut Meter,
    ) -> Result<i32, Stopped> {
        let listed = Amazons.moves(position);
        if node.depth == 1 {
            return self.leaves(position, &listed, node, [alpha, beta], best, meter);
        }
        let mut values = Vec::new();
        values_after(&self.weights, position, &listed, &mut values);
        let mut moves: Vec<(i32, Move)> = values.into_iter().zip(listed).collect();
        moves.sort_by_key(|(value, _)| *value);
        let open = position.open();
        let mut value = -INFINITE;
        for (_, mv) in moves {
            let next = Node {
                depth: node.depth - 1,
                ply: node.ply + 1,
                whole: node.whole,
                may_have_split: self.cuts && region::may_split(open, mv.arrow),
            };
            let after = Amazons.after(position, mv);
            let found = -self.node(after, next, [-beta, -alpha], &mut None, meter)?;
            if found > value {
                value = found;
                *best = Some(mv);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        Ok(value)
    }

    /// The same where every move leads to a leaf. They are evaluated several at a time, and some perhaps in vain;
    /// those are not counted as visited.
    fn leaves(
        &self,
        position: &Position,
        moves: &[Move],
        node: Node,
        [mut alpha, beta]: [i32; 2],
        best: &mut Option<Move>,
        meter: &mut Meter,
    ) -> Result<i32, Stopped> {
        let mut value = -INFINITE;
        let mut values = Vec::new();
        for moves in moves.chunks(LANES) {
            values_after(&self.weights, position, moves, &mut values);
            for (&mv, &worth) in moves.iter().zip(&values) {
                meter.visit()?;
                meter.leaf();
                let lost = node.whole && self.ends == Ends::Decided && {
                    let after = Amazons.after(position, mv);
                    !after.can_move(after.turn())
                };
                let found = if lost { WIN - node.ply - 1 } else { -worth };
                if found > value {
                    value = found;
                    *best = Some(mv);
                }
                alpha = alpha.max(value);
                if alpha >= beta {
                    return Ok(value);
                }
            }
        }
        Ok(value)
    }

    /// Formula (5).
    fn combine(
        &mut self,
        position: &Position,
        parts: &[Region],
        node: Node,
        best: &mut Option<Move>,
        meter: &mut Meter,
    ) -> Result<i32, Stopped> {
        let mut sum_of_non_moves = 0;
        let mut gain: Option<(i32, Option<Move>)> = None;
        for &region in parts {
            let SubBoard { moving, non_move, .. } =
                self.sub_board(position, region, node.depth, meter)?;
            sum_of_non_moves += non_move;
            if let Some(found) = moving
                && gain.is_none_or(|(gain, _)| found.value - non_move > gain)
            {
                gain = Some((found.value - non_move, found.best));
            }
        }
        match gain {
            Some((gain, mv)) => {
                *best = mv;
                Ok(gain + sum_of_non_moves)
            }
            None => Ok(self.weights.value(position)),
        }
    }

    fn sub_board(
        &mut self,
        position: &Position,
        region: Region,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<SubBoard, Stopped> {
        let part = position.restricted(region.squares);
        let non_move = -self.part(&part.passed(), depth - 1, meter)?.value;
        let moving = match part.can_move(part.turn()) {
            true => Some(self.part(&part, depth, meter)?),
            false => None,
        };
        Ok(SubBoard { region, moving, non_move })
    }

    /// A sub-board by itself, remembered.
    fn part(&mut self, part: &Position, depth: u32, meter: &mut Meter) -> Result<Found, Stopped> {
        let shaped = Shape::of(part, part.turn()).filter(|_| self.keeps && depth > 0);
        if let Some((shape, placement)) = shaped
            && let Some(stored) = self.table.get(&(shape, depth))
        {
            self.parts_reused += 1;
            let best = stored.best.map(|mv| placement.preimage(mv));
            return Ok(Found { value: stored.value, best });
        }
        self.parts_searched += 1;
        let mut found = Found { value: 0, best: None };
        let node = Node { depth, ply: 0, whole: false, may_have_split: false };
        found.value = self.node(*part, node, [-INFINITE, INFINITE], &mut found.best, meter)?;
        if let Some((shape, placement)) = shaped {
            let best = found.best.map(|mv| placement.image(mv));
            self.table.insert((shape, depth), Stored { value: found.value, best });
        }
        Ok(found)
    }
}

#[derive(Clone, Copy)]
struct Node {
    depth: u32,
    ply: i32,
    /// Whether this is a board of the game and not a part of one.
    whole: bool,
    /// Whether the last arrow may have cut something apart.
    may_have_split: bool,
}

/// A value as a score: wins and losses by their distance, the rest as estimates.
pub fn score(value: i32) -> Score {
    let distance = |plies: i32| plies.unsigned_abs();
    match value {
        value if value > WIN - 1_000 => Score::win_in(distance(WIN - value)),
        value if value < 1_000 - WIN => Score::loss_in(distance(WIN + value)),
        value => Score::estimate(value),
    }
}

impl Searcher<Amazons> for Divide {
    fn search(
        &mut self,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Move>, Stopped> {
        let found = self.find(position, depth, meter)?;
        Ok(Line { score: score(found.value), pv: found.best.into_iter().collect() })
    }

    fn static_line(&self, position: &Position) -> Line<Move> {
        let score = match Amazons.outcome(position) {
            Some(outcome) => Score::of_outcome(&Amazons, position, outcome),
            None => Score::estimate(self.weights.evaluate(&Amazons, position)),
        };
        let mut moves = Amazons.moves(position);
        moves.truncate(1);
        Line { score, pv: moves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::limits::Limits;
    use game::minimax::minimax;
    use game::rng::Rng;
    use search::{AlphaBeta, fixed};

    fn meter() -> Meter {
        Meter::new(&Limits::none())
    }

    fn late_positions(seed: u64, games: usize, squares: u32, mut check: impl FnMut(&Position)) {
        let mut rng = Rng::new(seed);
        for _ in 0..games {
            let mut position = Position::start(5, 5).unwrap();
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                Amazons.make(&mut position, mv);
                if position.empty().len() <= squares {
                    check(&position);
                }
            }
            check(&position);
        }
    }

    #[test]
    fn the_plain_search_is_alpha_beta() {
        let weights = Weights::default();
        late_positions(1, 8, 10, |position| {
            for depth in 0..=3 {
                let mut plain = Divide::plain(weights);
                let found = plain.find(position, depth, &mut meter()).unwrap();
                let mut reference = AlphaBeta::new(&Amazons, &weights);
                let report = fixed(&mut reference, position, depth, &Limits::none()).unwrap();
                assert_eq!(score(found.value), report.score, "{position} to depth {depth}");
                assert_eq!(found.best.is_some(), depth > 0 && report.best().is_some());

                let mut plain = Divide::plain(weights).ends(Ends::Evaluated);
                let found = plain.find(position, depth, &mut meter()).unwrap();
                let value = minimax(&Amazons, position, depth, &|at, _| weights.value(at));
                assert_eq!(found.value, value);
            }
        });
    }

    /// Formula (5) with the simplest sub-searches: no windows, no table, no order.
    fn literally(weights: &Weights, position: &Position, depth: u32, whole: bool) -> i32 {
        let mut parts = Vec::new();
        region::executing(position, |region| parts.push(position.restricted(region.squares)));
        if depth == 0 {
            return weights.value(position);
        }
        if parts.len() > 1 {
            let non_moves: Vec<i32> = parts
                .iter()
                .map(|part| -literally(weights, &part.passed(), depth - 1, false))
                .collect();
            let gains = parts.iter().zip(&non_moves).filter(|(p, _)| p.can_move(p.turn()));
            return gains
                .map(|(part, non_move)| literally(weights, part, depth, false) - non_move)
                .max()
                .map_or(weights.value(position), |gain| gain + non_moves.iter().sum::<i32>());
        }
        if !whole && !position.can_move(position.turn()) && position.can_move(!position.turn()) {
            let alone = parts.iter().all(|part| part.amazons(part.turn()).is_empty());
            if alone {
                return -literally(weights, &position.passed(), depth - 1, false);
            }
        }
        Amazons
            .moves(position)
            .into_iter()
            .map(|mv| -literally(weights, &Amazons.after(position, mv), depth - 1, whole))
            .max()
            .unwrap_or_else(|| weights.value(position))
    }

    #[test]
    fn the_divided_search_is_formula_five() {
        let weights = Weights::default();
        let mut kept = Divide::new(weights).ends(Ends::Evaluated);
        late_positions(2, 25, 10, |position| {
            for depth in 0..=3 {
                let expected = literally(&weights, position, depth, true);
                let mut fresh = Divide::new(weights).ends(Ends::Evaluated).keeps(false);
                let found = fresh.find(position, depth, &mut meter()).unwrap();
                assert_eq!(found.value, expected, "{position} to depth {depth}");
                let again = kept.find(position, depth, &mut meter()).unwrap();
                assert_eq!(again.value, expected, "{position} to depth {depth}, from the table");
                if let Some(mv) = again.best {
                    assert!(Amazons.moves(position).contains(&mv), "{mv} in {position}");
                }
            }
        });
        let (searched, reused) = kept.parts();
        assert!(searched > 0 && reused > 0);
    }

    #[test]
    fn sub_boards_add_up_to_what_the_search_says() {
        let mut cut = 0;
        late_positions(3, 25, 10, |position| {
            if !position.can_move(position.turn()) {
                return;
            }
            for depth in 0..=3 {
                let mut search = Divide::new(Weights::default());
                let parts = search.sub_boards(position, depth, &mut meter()).unwrap();
                if parts.is_empty() {
                    continue;
                }
                cut += 1;
                let sum: i32 = parts.iter().map(|part| part.non_move).sum();
                let gain = |part: &SubBoard| part.moving.map(|found| found.value - part.non_move);
                let gain = parts.iter().filter_map(gain).max().unwrap();
                let found = Divide::new(Weights::default()).find(position, depth, &mut meter());
                assert_eq!(found.unwrap().value, sum + gain, "{position} to depth {depth}");
            }
        });
        assert!(cut > 100, "{cut} boards were cut");
    }

    #[test]
    fn a_player_without_moves_has_lost() {
        let lost: Position = "Bx2/xx2/2x1/2xW b".parse().unwrap();
        let mut search = Divide::new(Weights::default());
        let found = search.find(&lost, 3, &mut meter()).unwrap();
        assert_eq!((score(found.value), found.best), (Score::loss_in(0), None));
    }
}
