//! The champion: the strong player of Amazons.
//!
//! A principal-variation search with a transposition table, killers and history, deepened ply by ply, whose
//! evaluation follows the phase of the game. Where arrows cut the board, regions that only one player
//! can fill, and small ones whose value is an integer, leave it for good and become a number; what is searched is
//! the rest, and wins are proved by counting long before the last arrow. Beside it stand
//! [`divide`](crate::divide)'s searches, which are the published ones.
//!
//! [`Champion::exact`] is the same machinery without what makes it selective: the value of a position at a depth
//! is then that of plain alpha-beta, only sooner.
//!
//! ```
//! use amazons::{Position, champion::{Champion, Settings}};
//! use game::limits::Limits;
//!
//! let position = Position::start(6, 6)?;
//! let mut champion = Champion::new(Settings::default());
//! let report = champion.think(&position, &Limits::nodes(20_000), |_| ());
//! assert!(report.depth >= 2 && report.best().is_some());
//! # Ok::<(), amazons::SizeError>(())
//! ```

pub(crate) mod board;
mod fill;
mod table;
mod tree;
mod values;
mod weights;

use game::limits::{Limits, Meter, Stopped};
use game::score::Score;
use game::{Game, Outcome};
use search::{Line, Report, Searcher};

pub use self::weights::{PHASES, PhasedWeights};

use self::board::{Board, Knowledge};
use self::table::Table;
use self::tree::{At, MOST_PLIES};
use crate::evaluate::{Scale, Weights};
use crate::{Amazons, Bitboard, Move, Position};

/// The value of a win now.
const WIN: i32 = 1_000_000;
const INFINITE: i32 = 10 * WIN;

const fn is_decided(value: i32) -> bool {
    value.abs() > WIN - 1_000
}

/// What of the champion is used; all of it, unless something is to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Take settled regions out of the board and count them.
    pub regions: bool,
    /// Search most moves less deep.
    pub selective: bool,
    /// Remember positions.
    pub table: bool,
    /// Two to the power of this many entries in the table.
    pub table_bits: u32,
}

impl Settings {
    /// All of it.
    pub const DEFAULT: Settings =
        Settings { regions: true, selective: true, table: true, table_bits: 19 };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::DEFAULT
    }
}

/// The strong player.
#[derive(Debug)]
pub struct Champion {
    settings: Settings,
    weights: PhasedWeights,
    table: Table,
    killers: Vec<[Option<Move>; 2]>,
    history: [[i32; 128]; 2],
    /// The moves of all nodes on the way to the current one.
    moves: Vec<(i32, Move)>,
    known: Knowledge,
    /// The weights of the phase in which the search began: one tree is measured by one scale.
    scale: Scale,
}

impl Champion {
    /// A player with the usual weights.
    pub fn new(settings: Settings) -> Champion {
        Champion::with_weights(settings, PhasedWeights::default())
    }

    /// A player with these weights.
    pub fn with_weights(settings: Settings, weights: PhasedWeights) -> Champion {
        Champion {
            settings,
            scale: *weights.at(1, 1),
            weights,
            table: Table::new(settings.table_bits),
            killers: vec![[None; 2]; MOST_PLIES],
            history: [[0; 128]; 2],
            moves: Vec::new(),
            known: Knowledge::with_values(),
        }
    }

    /// A search whose value at every depth is that of plain alpha-beta with these weights.
    pub fn exact(weights: Weights) -> Champion {
        let settings = Settings { regions: false, selective: false, ..Settings::default() };
        Champion::with_weights(settings, PhasedWeights::constant(weights))
    }

    /// Forgets the positions of earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history = [[0; 128]; 2];
    }

    /// Searches deeper and deeper until a limit is met or the game is decided. A depth that was not finished
    /// counts if it had already found something better.
    pub fn think(
        &mut self,
        position: &Position,
        limits: &Limits,
        mut watch: impl FnMut(&Report<Move>),
    ) -> Report<Move> {
        let mut meter = Meter::new(limits);
        let mut root = self.root(position);
        let Line { score, pv } = self.static_line(position);
        let mut report = Report { score, pv, depth: 0, nodes: 0, leaves: 0 };
        let last = limits.last_depth().min(position.empty().len());
        for depth in 1..=last {
            let finished = self.search_root(&mut root, depth as i32, &mut meter).is_ok();
            if let Some(mv) = root.best.filter(|_| finished || root.improved) {
                let lost = root.value < -(WIN - 1_000);
                // A lost position is played on with what looked best before.
                if !lost || report.pv.is_empty() || report.depth == 0 {
                    report.pv = vec![mv];
                }
                report.score = root.score(position);
            }
            (report.nodes, report.leaves) = (meter.nodes(), meter.leaves());
            if !finished {
                break;
            }
            report.depth = depth;
            watch(&report);
            if report.score.is_decided() || root.moves.len() + usize::from(root.spend.is_some()) < 2
            {
                break;
            }
        }
        report
    }

    fn root(&mut self, position: &Position) -> Root {
        self.table.new_search();
        self.killers.fill([None; 2]);
        for entry in self.history.iter_mut().flatten() {
            *entry /= 4;
        }
        let mut board = Board::whole(position);
        if self.settings.regions {
            board.settle(&mut self.known);
        }
        self.scale = *self.weights.at(position.empty().len(), position.size().squares().len());
        let moves: Vec<Move> = Amazons.moves(&board.position);
        let spend = self.spending_move(position, &board);
        let mut ordered: Vec<(i32, Move)> =
            moves.into_iter().map(|mv| (-self.evaluate(&self.plainly(&board, mv)), mv)).collect();
        ordered.sort_by_key(|&(value, _)| -value);
        Root { board, moves: ordered, spend, value: 0, best: None, improved: false }
    }

    fn plainly(&self, board: &Board, mv: Move) -> Board {
        board.after(mv, None)
    }

    /// The move in a settled region that keeps the most.
    fn spending_move(&mut self, position: &Position, board: &Board) -> Option<Move> {
        let contested: Bitboard = board.position.open();
        let mut best: Option<((i32, i32), Move)> = None;
        for mv in Amazons.moves(position) {
            if contested.contains(mv.from) {
                continue;
            }
            let mut after = Board::whole(&Amazons.after(position, mv));
            after.settle(&mut self.known);
            let [low, high] = after.settled_for_mover();
            let contested_more = after.position.open().without(contested).len() as i32;
            let kept = (-high, -low - contested_more);
            if best.is_none_or(|(most, _)| kept > most) {
                best = Some((kept, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    fn search_root(
        &mut self,
        root: &mut Root,
        depth: i32,
        meter: &mut Meter,
    ) -> Result<(), Stopped> {
        meter.visit()?;
        let (mut alpha, beta) = (-INFINITE, INFINITE);
        let mut values: Vec<(i32, usize)> = Vec::new();
        (root.improved, root.value) = (false, -INFINITE);
        self.moves.clear();
        let count = root.moves.len();
        for index in 0..count + usize::from(root.spend.is_some()) {
            let (after, mv) = match root.moves.get(index) {
                Some(&(_, mv)) => (self.step(&root.board, mv), Some(mv)),
                None => (root.board.spent(), root.spend),
            };
            let at = |depth: i32, alpha: i32, beta: i32| At {
                depth,
                ply: 1,
                alpha: -beta,
                beta: -alpha,
            };
            let mut value;
            if index == 0 {
                value = -self.node(&after, at(depth - 1, alpha, beta), meter)?;
            } else {
                let reduction =
                    i32::from(self.settings.selective && index > 20 && depth > 2 && index < count);
                value = -self.node(&after, at(depth - 1 - reduction, alpha, alpha + 1), meter)?;
                if value > alpha && reduction > 0 {
                    value = -self.node(&after, at(depth - 1, alpha, alpha + 1), meter)?;
                }
                if value > alpha {
                    value = -self.node(&after, at(depth - 1, alpha, beta), meter)?;
                }
            }
            if value > alpha || root.value == -INFINITE {
                alpha = alpha.max(value);
                (root.value, root.best) = (value, mv);
                root.improved = true;
                values.push((value, index));
            }
            if value > WIN - 1_000 && self.settings.selective {
                break;
            }
        }
        // What was best goes first next time, what was best before after it.
        let mut first: Vec<(i32, Move)> = Vec::with_capacity(values.len());
        for &(value, index) in values.iter().rev() {
            if index < count {
                first.push((value, root.moves[index].1));
            }
        }
        let known: Vec<Move> = first.iter().map(|&(_, mv)| mv).collect();
        let rest = root.moves.iter().filter(|(_, mv)| !known.contains(mv)).copied();
        root.moves = first.into_iter().chain(rest).collect();
        Ok(())
    }
}

/// A position that is being searched.
struct Root {
    board: Board,
    /// The contested moves, the most promising first.
    moves: Vec<(i32, Move)>,
    /// A move that keeps the contested part as it is.
    spend: Option<Move>,
    value: i32,
    best: Option<Move>,
    /// Whether the depth in progress has found a best move.
    improved: bool,
}

impl Root {
    /// The value as a score. How long a win takes is not known, but no longer than there are empty squares.
    fn score(&self, position: &Position) -> Score {
        if !is_decided(self.value) {
            return Score::estimate(self.value);
        }
        let squares = position.empty().len();
        let is_odd = squares % 2 == 1;
        if self.value > 0 {
            Score::win_in(if is_odd { squares } else { squares.saturating_sub(1).max(1) })
        } else {
            Score::loss_in(if is_odd { squares - 1 } else { squares })
        }
    }
}

impl Searcher<Amazons> for Champion {
    fn search(
        &mut self,
        position: &Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<Move>, Stopped> {
        if depth == 0 || Amazons.outcome(position).is_some() {
            return Ok(self.static_line(position));
        }
        let mut root = self.root(position);
        self.search_root(&mut root, depth as i32, meter)?;
        let score = if self.settings.regions { root.score(position) } else { distance(root.value) };
        Ok(Line { score, pv: root.best.into_iter().collect() })
    }

    fn static_line(&self, position: &Position) -> Line<Move> {
        let score = match Amazons.outcome(position) {
            Some(outcome @ (Outcome::Win(_) | Outcome::Draw)) => {
                Score::of_outcome(&Amazons, position, outcome)
            }
            None => Score::estimate(self.evaluate(&Board::whole(position))),
        };
        let mut moves = Amazons.moves(position);
        moves.truncate(1);
        Line { score, pv: moves }
    }
}

/// A value of a search without regions, which knows how far a win is.
fn distance(value: i32) -> Score {
    crate::divide::score(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divide::Divide;
    use crate::exact::brute_force;
    use game::rng::Rng;

    fn random_games(seed: u64, games: usize, size: u8, mut check: impl FnMut(&Position)) {
        let mut rng = Rng::new(seed);
        for _ in 0..games {
            let mut position = Position::start(size, size).unwrap();
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                check(&position);
                Amazons.make(&mut position, mv);
            }
        }
    }

    #[test]
    fn the_exact_search_has_the_value_of_plain_alpha_beta() {
        let weights = Weights { mobility: 7, ..Weights::default() };
        let mut fast = Champion::exact(weights);
        let mut compared = 0;
        random_games(1, 6, 5, |position| {
            let deepest = if position.empty().len() < 12 { 4 } else { 2 };
            for depth in 1..=deepest {
                let mut meter = Meter::new(&Limits::none());
                let plain = Divide::plain(weights).find(position, depth, &mut meter).unwrap();
                let line = fast.search(position, depth, &mut meter).unwrap();
                assert_eq!(line.score, crate::divide::score(plain.value), "{position} to {depth}");
                compared += 1;
            }
        });
        assert!(compared > 100);
    }

    #[test]
    fn wins_and_losses_are_true_and_found() {
        for settings in [Settings::default(), Settings { regions: false, ..Settings::default() }] {
            let mut champion = Champion::new(settings);
            let (mut decided, mut asked) = (0, 0);
            random_games(2, 8, 5, |position| {
                if position.empty().len() > 9 {
                    return;
                }
                let (winner, _) = brute_force(position, u64::MAX).unwrap();
                let report = champion.think(position, &Limits::nodes(10_000), |_| ());
                let mv = report.best().unwrap();
                assert!(Amazons.moves(position).contains(&mv), "{mv} in {position}");
                asked += 1;
                if report.score.is_decided() {
                    decided += 1;
                    assert_eq!(report.score.is_win(), winner == position.turn(), "{position}");
                    if report.score.is_win() {
                        let after = Amazons.after(position, mv);
                        let (still, _) = brute_force(&after, u64::MAX).unwrap();
                        assert_eq!(still, winner, "{mv} in {position}");
                    }
                }
            });
            assert!(decided * 4 > asked * 3, "{decided} of {asked}");
        }
    }

    #[test]
    fn nodes_make_it_reproducible() {
        let position = Position::start(6, 6).unwrap();
        let think =
            || Champion::new(Settings::default()).think(&position, &Limits::nodes(5_000), |_| ());
        assert_eq!(think(), think());
    }
}
