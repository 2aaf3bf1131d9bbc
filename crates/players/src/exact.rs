//! Exact alpha-beta with a transposition table: the value that plain alpha-beta gives at a depth, only
//! sooner.
//!
//! Nothing is left out and nothing extended: every line is searched to the same depth and judged there
//! by Burnett's evaluation. Repetition is ignored, as the rules of van Rijn and Vis have it, so a value
//! depends on position and depth alone and can be remembered without error. They are remembered apart
//! for each depth, since a deeper search answers another question. The rest of the speed comes from
//! principal-variation search, from ordering, and from the last ply, which is not played out: the
//! evaluation is a sum over pieces, so the best last move is the one with the largest change.
//!
//! It also searches a [part](Ground) of a board by itself, as Burnett's players do, where both sides may
//! leave their pieces alone and move elsewhere.
//!
//! Tests hold it against alpha-beta without a table, and that against minimax.

mod ground;
mod moves;

use std::time::{Duration, Instant};

use game::Game;
use game::limits::{Limits, Meter, Stopped};
use game::score::{Score, Window};
use jungle::board::{DEN, DENS, walks};
use jungle::{Animal, Bitboard, Color, Jungle, Move, Position, Square, tactics};
use search::shared_table::{Entry, SharedTable};

pub use self::ground::Ground;
use self::moves::{
    MOST_GAIN, MOST_MOVES, Ordered, evaluate, gain, make, pack, seen, unmake, unpack,
};

/// The result of one depth.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// How many plies were searched.
    pub depth: u32,
    /// The value for the player to move.
    pub score: Score,
    /// A best line, as far as the table has it.
    pub pv: Vec<Move>,
    /// The nodes so far, in all depths; positions judged without being played out count as well.
    pub nodes: u64,
    /// The time so far.
    pub time: Duration,
}

/// An exact searcher under some rules.
pub struct Exact {
    jungle: Jungle,
    /// The same rules without annihilation, to make moves by: losing the last piece here need not end the game,
    /// and whether it does is checked beforehand.
    moves: Jungle,
    table: SharedTable,
    nodes: u64,
    killers: Vec<[Option<Move>; 2]>,
    history: [[[i32; Square::COUNT]; Animal::COUNT]; 2],
    /// How non-moves have changed the evaluation for each side.
    resting: [i32; 2],
    stopped: bool,
    ground: Ground,
    salt: u64,
    territory: Bitboard,
}

/// How a non-move is stored in the table; nothing moves from a square to itself.
const NON_MOVE: (Square, Square) = (Square::ALL[1], Square::ALL[1]);

/// The longest line that is searched.
const MAX_PLY: u32 = 200;

/// Numbers that keep the entries of different depths apart.
fn depth_key(key: u64, depth: u32) -> u64 {
    key ^ game::rng::mix(u64::from(depth) + 1)
}

impl Exact {
    /// A searcher with a table of this many MiB; a smaller one if there is no memory for it.
    pub fn new(jungle: Jungle, megabytes: usize) -> Exact {
        let table = SharedTable::new(megabytes).unwrap_or_else(|_| SharedTable::none());
        let moves = jungle.within_part();
        Exact {
            jungle,
            moves,
            table,
            nodes: 0,
            killers: vec![[None; 2]; 256],
            history: [[[0; Square::COUNT]; Animal::COUNT]; 2],
            resting: [0; 2],
            stopped: false,
            ground: Ground::Board,
            salt: Ground::Board.salt(),
            territory: Ground::Board.territory(),
        }
    }

    /// Searches on this ground from now on; what is stored of others stays.
    pub fn on(&mut self, ground: Ground) -> &mut Exact {
        (self.ground, self.salt, self.territory) = (ground, ground.salt(), ground.territory());
        self
    }

    /// The nodes visited since the searcher was made, or since the last [`deepen`](Exact::deepen).
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Runs a search and charges the meter for its nodes.
    fn metered<T>(
        &mut self,
        meter: &mut Meter,
        search: impl FnOnce(&mut Exact, &mut Meter) -> T,
    ) -> Result<T, Stopped> {
        self.stopped = false;
        let (nodes, metered) = (self.nodes, meter.nodes());
        let found = search(self, meter);
        let charged = meter.nodes() - metered;
        meter.count((self.nodes - nodes).saturating_sub(charged));
        if self.stopped { Err(Stopped) } else { Ok(found) }
    }

    /// What a position is worth at a depth.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    pub fn value(
        &mut self,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Score, Stopped> {
        self.metered(meter, |exact, meter| {
            let mut value = Score::DRAW;
            // The shallow searches leave good first moves for the deep one.
            for depth in depth % 2..=depth {
                let (mut root, eval) = (position.clone(), evaluate(position));
                value = exact.search(&mut root, eval, depth, 0, Window::OPEN, meter);
            }
            value
        })
    }

    /// The first of these moves that is as good as any of them at a depth, which is the one that plain
    /// alpha-beta chooses if it tries them in this order; what it is worth, and a line beginning with it.
    /// Without moves, or at depth 0, there is none.
    ///
    /// # Errors
    ///
    /// If a limit is met first.
    pub fn first_best(
        &mut self,
        position: &Position,
        moves: &[Move],
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Option<(Vec<Move>, Score)>, Stopped> {
        self.metered(meter, |exact, meter| exact.first_of(position, moves, depth, meter))
    }

    fn first_of(
        &mut self,
        position: &Position,
        moves: &[Move],
        depth: u32,
        meter: &mut Meter,
    ) -> Option<(Vec<Move>, Score)> {
        let eval = evaluate(position);
        let mut root = position.clone();
        let mut search = |exact: &mut Exact, mv: Move, depth: u32, window: Window| {
            let after = -(eval + gain(position.turn(), mv));
            root.make(mv);
            let value = -exact.search(&mut root, after, depth - 1, 1, -window, meter);
            root.unmake(mv);
            value
        };
        let mut order: Vec<usize> = (0..moves.len()).collect();
        let mut best = Score::MINUS_INFINITE;
        let mut values = vec![Score::MINUS_INFINITE; moves.len()];
        for depth in 1..=depth {
            best = Score::MINUS_INFINITE;
            for index in 0..order.len() {
                let mv = moves[order[index]];
                let open = Window::new(best, Score::INFINITE);
                let window = if index == 0 { open } else { Window::zero(best) };
                let mut value = search(self, mv, depth, window);
                if index > 0 && value > best {
                    value = search(self, mv, depth, open);
                }
                values[order[index]] = value;
                if value > best {
                    best = value;
                    order[..=index].rotate_right(1);
                }
            }
            if self.stopped {
                return None;
            }
        }
        // The score of the first in `order`. Of another move with the same score it is known only that it is
        // worth no more.
        for (index, &mv) in moves.iter().enumerate() {
            if best == Score::MINUS_INFINITE || values[index] < best {
                continue;
            }
            let below = Window::zero(best.plus(-1));
            if order[0] == index || search(self, mv, depth, below) >= best {
                let mut line = vec![mv];
                line.extend(self.line(&self.jungle.after(position, mv), depth - 1));
                return Some((line, best));
            }
        }
        None
    }

    /// Iterative deepening: searches to depth 1, 2, … within the limits, telling `report` what each found,
    /// and gives what the last that was finished found.
    pub fn deepen(
        &mut self,
        position: &Position,
        limits: &Limits,
        mut report: impl FnMut(&Found),
    ) -> Option<Found> {
        let started = Instant::now();
        let mut meter = Meter::new(limits);
        self.nodes = 0;
        if let Some(outcome) = self.jungle.outcome(position) {
            let score = Score::of_outcome(&self.jungle, position, outcome);
            let time = started.elapsed();
            return Some(Found { depth: 0, score, pv: Vec::new(), nodes: 0, time });
        }
        let mut last = None;
        for depth in 1..=limits.depth.unwrap_or(MAX_PLY).min(MAX_PLY) {
            let value = self.metered(&mut meter, |exact, meter| {
                let (mut root, eval) = (position.clone(), evaluate(position));
                exact.search(&mut root, eval, depth, 0, Window::OPEN, meter)
            });
            let Ok(score) = value else { break };
            let (pv, nodes) = (self.line(position, depth), self.nodes);
            let found = Found { depth, score, pv, nodes, time: started.elapsed() };
            report(&found);
            last = Some(found);
        }
        last
    }

    /// The value of the position at `ply`; wins and losses are counted from the root.
    fn search(
        &mut self,
        position: &mut Position,
        eval: i32,
        depth: u32,
        ply: u32,
        mut window: Window,
        meter: &mut Meter,
    ) -> Score {
        self.nodes += 1;
        if self.nodes.is_multiple_of(Meter::CHECK_INTERVAL)
            && meter.spend(Meter::CHECK_INTERVAL).is_err()
        {
            self.stopped = true;
        }
        if self.stopped {
            return Score::DRAW;
        }
        if position.occupied().intersects(DENS) || self.annihilated(position) {
            // The side that moved last did that.
            return Score::loss_in(ply);
        }
        if depth == 0 {
            let stuck = !self.ground.is_part() && self.moves.count_moves(position) == 0;
            return if stuck { self.stuck(ply) } else { Score::estimate(eval) };
        }
        if depth == 1 && self.replies_are_certain(position) {
            return self.last_ply(position, eval, ply, window);
        }

        let key = self.key(position, depth);
        let entry = self.table.get(key);
        if let Some(entry) = entry {
            let score = entry.score.later(ply);
            if window.settled_by(score, entry.bound) && ply > 0 {
                return score;
            }
        }
        let table_move = entry.and_then(|entry| entry.mv).or_else(|| {
            let shallower = |less: u32| {
                let depth = depth.checked_sub(less)?;
                self.table.get(self.key(position, depth))?.mv
            };
            if depth > 2 { shallower(1).or_else(|| shallower(2)) } else { None }
        });
        let mut moves = self.ordered(position, table_move.and_then(unpack), ply);
        if moves.len == 0 {
            return self.stuck(ply);
        }
        let asked = window;
        let mut best = Score::MINUS_INFINITE;
        let mut best_move = None;
        for index in 0..moves.len {
            let mv = moves.pick(index);
            let after = -(eval + mv.map_or(0, |mv| gain(position.turn(), mv)));
            make(position, mv);
            let mut deeper =
                |window: Window| -self.search(position, after, depth - 1, ply + 1, -window, meter);
            let scout = Window::zero(window.alpha);
            let mut value = deeper(if index == 0 { window } else { scout });
            if index > 0 && window.contains(value) {
                value = deeper(window);
            }
            unmake(position, mv);
            if self.stopped {
                return Score::DRAW;
            }
            if value > best {
                best = value;
                if value > window.alpha {
                    window.alpha = value;
                    best_move = Some(mv);
                    if window.fails_high(value) {
                        self.reward(position.turn(), mv, ply, depth);
                        break;
                    }
                }
            }
        }
        let mv = best_move.and_then(pack);
        let (bound, score) = (asked.bound_of(best), best.sooner(ply));
        self.table.put(key, Entry { mv, bound, depth: depth as u8, score, eval: Score::DRAW });
        best
    }

    fn key(&self, position: &Position, depth: u32) -> u64 {
        depth_key(position.key() ^ self.salt, depth)
    }

    /// Whether the side to move has lost its last piece.
    fn annihilated(&self, position: &Position) -> bool {
        let turn = position.turn();
        position.side(turn).is_empty() && self.can_be_annihilated(turn)
    }

    /// Whether a side that loses all pieces here has lost the game.
    fn can_be_annihilated(&self, color: Color) -> bool {
        let elsewhere = match self.ground {
            Ground::Board => false,
            Ground::Part { others, .. } => others[color],
        };
        self.jungle.rules().annihilation_wins && !elsewhere
    }

    /// What it means to have no legal move.
    fn stuck(&self, ply: u32) -> Score {
        Score::from(self.jungle.rules().no_legal_move.truth()).later(ply)
    }

    /// Whether the other side will have a legal move whatever is played now: two of its pieces have
    /// two empty squares to step to each, and a move takes away one of either at most.
    fn replies_are_certain(&self, position: &Position) -> bool {
        if self.ground.is_part() {
            return true;
        }
        let them = !position.turn();
        let free = (!position.occupied()).without(DEN[them].bitboard());
        let roomy = |&square: &Square| (walks(square) & free).len() >= 2;
        let walkers = position.side(them).without(jungle::board::WATER);
        walkers.into_iter().filter(roomy).take(2).count() == 2
    }

    /// The value of the last ply: the evaluation, and the largest change that a move makes to it.
    fn last_ply(&mut self, position: &Position, eval: i32, ply: u32, window: Window) -> Score {
        let us = position.turn();
        let won = Score::win_in(ply + 1);
        if tactics::entering(position).any() && self.territory.contains(DEN[!us]) {
            return won;
        }
        let part = self.ground.is_part();
        let mut best = if part { Score::estimate(eval) } else { Score::MINUS_INFINITE };
        let wins = position.side(!us).len() == 1 && self.can_be_annihilated(!us);
        self.moves.for_each_capture(position, |mv| {
            if !self.territory.contains(mv.to) {
                return;
            }
            best = best.max(if wins { won } else { Score::estimate(eval + gain(us, mv)) });
        });
        if window.fails_high(best) {
            return best;
        }
        let free = self.territory.without(position.occupied());
        // What no quiet move can exceed.
        let gains = Animal::ALL.into_iter().filter_map(|animal| {
            let from = position.square_of(us, animal)?;
            Some(i32::from(MOST_GAIN[animal.index()][seen(us, from)]))
        });
        let most = gains.max().map_or(Score::MINUS_INFINITE, |most| Score::estimate(eval + most));
        if most <= window.alpha.max(best) {
            let moved =
                part || best > Score::MINUS_INFINITE || self.moves.count_moves(position) > 0;
            return if moved { best.max(most) } else { self.stuck(ply) };
        }
        for animal in Animal::ALL {
            let Some(from) = position.square_of(us, animal) else { continue };
            let reach: Bitboard = self.moves.reach(position, us, animal, from) & free;
            for to in reach {
                let mv = Move { animal, from, to, captured: None };
                best = best.max(Score::estimate(eval + gain(us, mv)));
            }
        }
        if best == Score::MINUS_INFINITE { self.stuck(ply) } else { best }
    }

    fn ordered(&self, position: &Position, table: Option<(Square, Square)>, ply: u32) -> Ordered {
        let mut ordered = Ordered { moves: [(0, None); MOST_MOVES], len: 0 };
        let us = position.turn();
        let killers = self.killers[ply.min(255) as usize];
        if self.ground.is_part() {
            let score = if table == Some(NON_MOVE) { i32::MAX } else { self.resting[us as usize] };
            ordered.push(score, None);
        }
        let territory = self.territory;
        self.moves.for_each_capture(position, |mv| {
            if !territory.contains(mv.to) {
                return;
            }
            let victim = mv.captured.map_or(0, |victim| tactics::WORTH[victim.index()]);
            let score = if table == Some((mv.from, mv.to)) {
                i32::MAX
            } else {
                (1 << 28) + 16 * victim - tactics::WORTH[mv.animal.index()]
            };
            ordered.push(score, Some(mv));
        });
        self.moves.for_each_quiet(position, |mv| {
            if !territory.contains(mv.to) {
                return;
            }
            let score = if table == Some((mv.from, mv.to)) {
                i32::MAX
            } else if mv.to == DEN[!us] {
                i32::MAX - 1
            } else if killers[0] == Some(mv) {
                (1 << 27) + 1
            } else if killers[1] == Some(mv) {
                1 << 27
            } else {
                self.history[us as usize][mv.animal.index()][mv.to.index()] + 8 * gain(us, mv)
            };
            ordered.push(score, Some(mv));
        });
        ordered
    }

    fn reward(&mut self, us: Color, mv: Option<Move>, ply: u32, depth: u32) {
        let more = |worth: i32| (worth + (depth * depth) as i32).min(1 << 26);
        let Some(mv) = mv else {
            self.resting[us as usize] = more(self.resting[us as usize]);
            return;
        };
        if mv.is_capture() {
            return;
        }
        let killers = &mut self.killers[ply.min(255) as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let cell = &mut self.history[us as usize][mv.animal.index()][mv.to.index()];
        *cell = more(*cell);
    }

    /// A best line, read from the table.
    fn line(&self, position: &Position, depth: u32) -> Vec<Move> {
        let mut position = position.clone();
        let mut line = Vec::new();
        for left in (1..=depth).rev() {
            let entry = self.table.get(self.key(&position, left));
            let Some((from, to)) = entry.and_then(|entry| unpack(entry.mv?)) else {
                // The last ply is not stored.
                let us = position.turn();
                let moves = self.jungle.moves(&position).into_iter();
                line.extend(moves.max_by_key(|&mv| gain(us, mv)).filter(|_| left == 1));
                break;
            };
            let Some(mv) = tactics::legal(&self.jungle, &position, from, to) else { break };
            position.make(mv);
            line.push(mv);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::rng::Rng;
    use jungle::{BurnettEval, Rules};

    /// Alpha-beta as in a textbook, without a table.
    fn plain(jungle: &Jungle, position: &mut Position, depth: u32, window: Window) -> Score {
        use game::score::Evaluate;
        if let Some(outcome) = jungle.outcome(position) {
            return Score::of_outcome(jungle, position, outcome);
        }
        if depth == 0 {
            return Score::estimate(BurnettEval.evaluate(jungle, position));
        }
        let mut best = Score::MINUS_INFINITE;
        for mv in jungle.moves(position) {
            position.make(mv);
            let reply = window.raised_to(best).reply();
            let value = plain(jungle, position, depth - 1, reply).deeper();
            position.unmake(mv);
            best = best.max(value);
            if window.fails_high(best) {
                break;
            }
        }
        best
    }

    fn minimax(jungle: &Jungle, position: &mut Position, depth: u32) -> Score {
        use game::score::Evaluate;
        if let Some(outcome) = jungle.outcome(position) {
            return Score::of_outcome(jungle, position, outcome);
        }
        if depth == 0 {
            return Score::estimate(BurnettEval.evaluate(jungle, position));
        }
        let moves = jungle.moves(position);
        let values = moves.into_iter().map(|mv| {
            position.make(mv);
            let value = minimax(jungle, position, depth - 1).deeper();
            position.unmake(mv);
            value
        });
        values.max().expect("the game goes on")
    }

    fn check(jungle: &Jungle, position: &Position, depth: u32) {
        let mut exact = Exact::new(jungle.clone(), 1);
        exact.deepen(position, &Limits::depth(depth), |found| {
            let mut copy = position.clone();
            let expected = plain(jungle, &mut copy, found.depth, Window::OPEN);
            assert_eq!(found.score, expected, "{position} at depth {}", found.depth);
            if found.depth <= 3 {
                assert_eq!(minimax(jungle, &mut copy, found.depth), expected);
            }
        });
    }

    #[test]
    fn equals_plain_alpha_beta_from_the_start() {
        let jungle = Jungle::new(Rules::LEIDEN);
        check(&jungle, &Position::start(), 6);
        let mut exact = Exact::new(jungle, 4);
        let mut values = Vec::new();
        exact.deepen(&Position::start(), &Limits::depth(7), |found| {
            values.push(found.score.value());
        });
        assert_eq!(values, [5, 0, 3, 0, 3, 0, 3], "as published");
    }

    #[test]
    fn equals_plain_alpha_beta_anywhere() {
        let mut rng = Rng::new(4);
        for preset in Rules::PRESETS {
            let jungle = Jungle::new(preset.rules);
            for fen in ["5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w", "7/7/7/7/7/7/7/LW5/c1E4 w"] {
                check(&jungle, &fen.parse().unwrap(), 5);
            }
            for _ in 0..12 {
                let mut position = Position::start();
                for _ in 0..rng.below(200) {
                    match rng.choose(&jungle.moves(&position)) {
                        Some(&mv) => position.make(mv),
                        None => break,
                    }
                }
                if jungle.outcome(&position).is_none() {
                    check(&jungle, &position, 4);
                }
            }
        }
    }
}
