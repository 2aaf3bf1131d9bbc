//! Exact endgame solver: positions as sums of games, one for each region.
//!
//! The last to move wins, so a board is the sum of its regions in the sense of [combinatorial game
//! theory](crate::cgt), and the winner of a sum follows from the values of its parts:
//!
//! - a *filling* region is an integer: the longest run of moves its owner has in it;
//! - a small *competing* region is worth its value in simplest form, found once for each
//!   [shape](crate::shape) and remembered; integers among them go to the integer of the sum;
//! - larger competing regions are searched move by move, and fall into smaller ones.
//!
//! What is searched is therefore a multiset of parts with an integer, not a board, and most of the
//! moves of a region that a plain search tries are dominated in its value. Two rules end the search
//! early: parts that cancel (a value and its negative) are dropped, and a sum whose parts have
//! integer bounds on the right side of 0 is decided.
//!
//! [`brute_force`] plays out the whole board; it is the oracle.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use game::{Game, Side};

use crate::cgt::{Games, Value};
use crate::region::{self, Kind};
use crate::shape::Shape;
use crate::thermograph::{Thermal, Thermographs};
use crate::{Amazons, Move, Position};

/// The search was given up: it would have taken more steps than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not solved within {limit} steps: allow more, or play on")]
pub struct TooHard {
    /// How many steps were allowed.
    pub limit: u64,
}

/// A part of a sum that is not an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Part {
    Value(Value),
    /// A competing region too large for its value; its number among the areas.
    Area(u32),
}

/// A sum of games: moves that cannot be disputed, and the parts that are still contested, in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
struct Sum {
    integer: i32,
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
struct Area {
    shape: Shape,
    options: [Option<Rc<[Sum]>>; 2],
}

/// Solves positions, and remembers everything it learns.
#[derive(Clone, Debug)]
pub struct Solver {
    games: Games,
    thermographs: Thermographs,
    /// Competing regions with at most this many empty squares get a value.
    value_squares: u32,
    values: HashMap<Shape, Value>,
    runs: HashMap<Shape, i32>,
    areas: Vec<Area>,
    area_index: HashMap<Shape, u32>,
    won: HashMap<(Sum, Side), bool>,
    steps: u64,
    limit: u64,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// Regions of up to this many empty squares get a value by default.
    pub const VALUE_SQUARES: u32 = 3;

    /// A new solver.
    pub fn new() -> Solver {
        Solver {
            games: Games::new(),
            thermographs: Thermographs::default(),
            value_squares: Solver::VALUE_SQUARES,
            values: HashMap::new(),
            runs: HashMap::new(),
            areas: Vec::new(),
            area_index: HashMap::new(),
            won: HashMap::new(),
            steps: 0,
            limit: u64::MAX,
        }
    }

    /// Gives values to regions of up to this many empty squares. 0 means that every competing region is
    /// searched.
    #[must_use]
    pub fn value_squares(mut self, squares: u32) -> Solver {
        self.value_squares = squares;
        self
    }

    /// How many steps were taken so far: moves made, and sums and shapes looked at for the first time.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Who wins with best play, in at most `limit` further steps.
    ///
    /// # Errors
    ///
    /// If that is not enough. What was learned is kept.
    pub fn winner(&mut self, position: &Position, limit: u64) -> Result<Side, TooHard> {
        self.limit = self.steps.saturating_add(limit);
        let found = self.sum_of(position).and_then(|sum| self.mover_wins(&sum, position.turn()));
        match found {
            Ok(true) => Ok(position.turn()),
            Ok(false) => Ok(!position.turn()),
            Err(Stopped) => Err(TooHard { limit }),
        }
    }

    /// A move that wins; `None` if none does.
    ///
    /// # Errors
    ///
    /// If `limit` further steps are not enough.
    pub fn winning_move(
        &mut self,
        position: &Position,
        limit: u64,
    ) -> Result<Option<Move>, TooHard> {
        if self.winner(position, limit)? != position.turn() {
            return Ok(None);
        }
        for mv in Amazons.moves(position) {
            if self.winner(&Amazons.after(position, mv), limit)? == position.turn() {
                return Ok(Some(mv));
            }
        }
        unreachable!("a won position has a winning move")
    }

    /// The value of a region in words, if it is small enough to have one or only one player can move
    /// in it.
    pub fn describe(&mut self, part: &Position, limit: u64) -> Option<String> {
        self.limit = self.steps.saturating_add(limit);
        let sum = self.sum_of(part).ok()?;
        match sum.parts[..] {
            [] => Some(sum.integer.to_string()),
            [Part::Value(value)] if sum.integer == 0 => {
                Some(self.games.describe(value).to_string())
            }
            _ => None,
        }
    }

    /// The largest integer not above the value of a region and the smallest not below it, for regions that are
    /// small enough to have a value.
    pub(crate) fn bounds_of_region(&mut self, part: &Position) -> (i32, i32) {
        self.limit = u64::MAX;
        let sum = self.sum_of(part).expect("there is no limit");
        self.bounds(&sum)
    }

    /// A region small enough to have a value: the value in words, its bounds, mean and temperature.
    pub(crate) fn appraise(&mut self, part: &Position) -> (String, (i32, i32), Thermal) {
        self.limit = u64::MAX;
        let sum = self.sum_of(part).expect("there is no limit");
        let mut value = self.games.integer(sum.integer);
        for part in &sum.parts {
            if let Part::Value(other) = *part {
                value = self.games.add(value, other);
            }
        }
        let thermal = self.thermographs.of(&self.games, value);
        (self.games.describe(value).to_string(), self.games.bounds(value), thermal)
    }

    /// Whether the player to move wins a position to which so many moves of White's are added.
    pub(crate) fn mover_wins_with(&mut self, position: &Position, settled: i32) -> bool {
        self.limit = u64::MAX;
        let mut sum = self.sum_of(position).expect("there is no limit");
        sum.integer += settled;
        self.mover_wins(&sum, position.turn()).expect("there is no limit")
    }

    fn step(&mut self) -> Result<(), Stopped> {
        self.steps += 1;
        if self.steps > self.limit { Err(Stopped) } else { Ok(()) }
    }

    /// A position as a sum.
    fn sum_of(&mut self, position: &Position) -> Result<Sum, Stopped> {
        let mut sum = Sum::default();
        for shape in shapes(position) {
            match (shape.has(Side::First), shape.has(Side::Second)) {
                (true, false) => sum.integer += self.run(shape)?,
                (false, _) => sum.integer -= self.run(shape)?,
                (true, true) if shape.empty().len() <= self.value_squares => {
                    let value = self.value_of(shape)?;
                    self.put(&mut sum, Part::Value(value));
                }
                (true, true) => {
                    let area = self.area(shape);
                    self.put(&mut sum, Part::Area(area));
                }
            }
        }
        Ok(sum)
    }

    /// Adds a part to a sum: integers are taken in, a value meets its negative and both are gone.
    fn put(&mut self, sum: &mut Sum, part: Part) {
        if let Part::Value(value) = part {
            if let Some(n) = self.games.as_integer(value) {
                sum.integer += n;
                return;
            }
            let negative = Part::Value(self.games.negative(value));
            if let Ok(at) = sum.parts.binary_search(&negative) {
                sum.parts.remove(at);
                return;
            }
        }
        let (Ok(at) | Err(at)) = sum.parts.binary_search(&part);
        sum.parts.insert(at, part);
    }

    fn area(&mut self, shape: Shape) -> u32 {
        *self.area_index.entry(shape).or_insert_with(|| {
            self.areas.push(Area { shape, options: [None, None] });
            u32::try_from(self.areas.len() - 1).expect("fewer than 2^32 areas fit in memory")
        })
    }

    /// The longest run of moves of the player who has amazons in the shape.
    fn run(&mut self, shape: Shape) -> Result<i32, Stopped> {
        if let Some(&known) = self.runs.get(&shape) {
            return Ok(known);
        }
        self.step()?;
        let most = shape.empty().len() as i32;
        let owner = if shape.has(Side::First) { Side::First } else { Side::Second };
        let position = shape.position(owner);
        let mut best = 0;
        for mv in Amazons.moves(&position) {
            self.step()?;
            let after = Amazons.after(&position, mv);
            let rooms: Vec<Shape> = shapes(&after).collect();
            let at_most: i32 = rooms.iter().map(|room| room.empty().len() as i32).sum();
            if at_most < best {
                continue;
            }
            let mut moves = 1;
            for room in rooms {
                moves += self.run(room)?;
            }
            best = best.max(moves);
            if best == most {
                break;
            }
        }
        self.runs.insert(shape, best);
        Ok(best)
    }

    fn value_of(&mut self, shape: Shape) -> Result<Value, Stopped> {
        if let Some(&known) = self.values.get(&shape) {
            return Ok(known);
        }
        self.step()?;
        let mut sides = [Vec::new(), Vec::new()];
        for player in [Side::First, Side::Second] {
            for sum in self.options_of(shape, player)? {
                let mut value = self.games.integer(sum.integer);
                for part in sum.parts {
                    if let Part::Value(other) = part {
                        value = self.games.add(value, other);
                    }
                }
                sides[player as usize].push(value);
            }
        }
        let [left, right] = sides;
        let value = self.games.value(left, right);
        self.values.insert(shape, value);
        Ok(value)
    }

    /// What the player can make of a shape, each sum once.
    fn options_of(&mut self, shape: Shape, player: Side) -> Result<HashSet<Sum>, Stopped> {
        let position = shape.position(player);
        let mut found = HashSet::new();
        for mv in Amazons.moves(&position) {
            self.step()?;
            found.insert(self.sum_of(&Amazons.after(&position, mv))?);
        }
        Ok(found)
    }

    fn area_options(&mut self, area: u32, player: Side) -> Result<Rc<[Sum]>, Stopped> {
        let side = player as usize;
        if let Some(known) = &self.areas[area as usize].options[side] {
            return Ok(Rc::clone(known));
        }
        self.step()?;
        let shape = self.areas[area as usize].shape;
        let mut options: Vec<Sum> = self.options_of(shape, player)?.into_iter().collect();
        // A set has no order of its own, and steps are to be the same in every run.
        options.sort_unstable_by(|a, b| (a.integer, &a.parts).cmp(&(b.integer, &b.parts)));
        let options: Rc<[Sum]> = options.into();
        self.areas[area as usize].options[side] = Some(Rc::clone(&options));
        Ok(options)
    }

    /// Integers between which the sum lies.
    fn bounds(&mut self, sum: &Sum) -> (i32, i32) {
        let (mut low, mut high) = (sum.integer, sum.integer);
        for part in &sum.parts {
            let (least, most) = match *part {
                Part::Value(value) => self.games.bounds(value),
                Part::Area(area) => {
                    let squares = self.areas[area as usize].shape.empty().len() as i32;
                    (-squares, squares)
                }
            };
            low += least;
            high += most;
        }
        (low, high)
    }

    fn mover_wins(&mut self, sum: &Sum, player: Side) -> Result<bool, Stopped> {
        let (low, high) = self.bounds(sum);
        // Seen by the player to move: at least `worst`, at most `best`.
        let (worst, best) = match player {
            Side::First => (low, high),
            Side::Second => (-high, -low),
        };
        if worst > 0 {
            return Ok(true);
        }
        if best <= 0 {
            return Ok(false);
        }
        if let [Part::Value(value)] = sum.parts[..] {
            let other = self.games.integer(-sum.integer);
            return Ok(match player {
                Side::First => !self.games.at_most(value, other),
                Side::Second => !self.games.at_most(other, value),
            });
        }
        let key = (sum.clone(), player);
        if let Some(&known) = self.won.get(&key) {
            return Ok(known);
        }
        self.step()?;
        let won = self.has_winning_move(sum, player)?;
        self.won.insert(key, won);
        Ok(won)
    }

    fn has_winning_move(&mut self, sum: &Sum, player: Side) -> Result<bool, Stopped> {
        let mut next: Vec<(i32, Sum)> = Vec::new();
        for (at, &part) in sum.parts.iter().enumerate() {
            if at > 0 && sum.parts[at - 1] == part {
                continue; // the same moves again
            }
            let mut rest = sum.clone();
            rest.parts.remove(at);
            match part {
                Part::Value(value) => {
                    for option in self.games.options(value, player).to_vec() {
                        let mut after = rest.clone();
                        self.put(&mut after, Part::Value(option));
                        next.push((0, after));
                    }
                }
                Part::Area(area) => {
                    for option in self.area_options(area, player)?.iter() {
                        let mut after = rest.clone();
                        after.integer += option.integer;
                        for &part in &option.parts {
                            self.put(&mut after, part);
                        }
                        next.push((0, after));
                    }
                }
            }
        }
        let sign = if player == Side::First { 1 } else { -1 };
        if sum.integer * sign > 0 {
            next.push((0, Sum { integer: sum.integer - sign, parts: sum.parts.clone() }));
        }
        // The most promising first: where the middle of the bounds is best for the player.
        for (promise, after) in &mut next {
            let (low, high) = self.bounds(after);
            *promise = -sign * (low + high);
        }
        next.sort_by_key(|(promise, _)| *promise);
        next.dedup_by(|a, b| a.1 == b.1);
        for (_, after) in next {
            if !self.mover_wins(&after, !player)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[derive(Debug)]
struct Stopped;

/// The shapes of the regions in which a player can move, with White's amazons as White's.
fn shapes(position: &Position) -> impl Iterator<Item = Shape> + use<> {
    let mut found = Vec::new();
    region::executing(position, |region| {
        debug_assert_ne!(region.kind, Kind::Terminating);
        let part = position.restricted(region.squares);
        found.extend(Shape::of(&part, Side::First).map(|(shape, _)| shape));
    });
    found.into_iter()
}

/// Who wins, by playing out the whole board; positions met before are remembered. Gives the number of
/// different positions looked at as well.
///
/// # Errors
///
/// If there are more than `limit` positions.
pub fn brute_force(position: &Position, limit: u64) -> Result<(Side, u64), TooHard> {
    let mut known = HashMap::new();
    match mover_wins_plainly(position, limit, &mut known) {
        Ok(wins) => {
            let winner = if wins { position.turn() } else { !position.turn() };
            Ok((winner, known.len() as u64))
        }
        Err(Stopped) => Err(TooHard { limit }),
    }
}

fn mover_wins_plainly(
    position: &Position,
    limit: u64,
    known: &mut HashMap<Position, bool>,
) -> Result<bool, Stopped> {
    if let Some(&won) = known.get(position) {
        return Ok(won);
    }
    let mut won = false;
    for mv in Amazons.moves(position) {
        if !mover_wins_plainly(&Amazons.after(position, mv), limit, known)? {
            won = true;
            break;
        }
    }
    if known.len() as u64 >= limit {
        return Err(Stopped);
    }
    known.insert(*position, won);
    Ok(won)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::rng::Rng;

    fn endgames(seed: u64, count: usize, side: u8, squares: u32, mut check: impl FnMut(&Position)) {
        let mut rng = Rng::new(seed);
        for _ in 0..count {
            let mut position = Position::start(side, side).unwrap();
            while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                Amazons.make(&mut position, mv);
                if position.empty().len() <= squares {
                    check(&position);
                }
            }
        }
    }

    #[test]
    fn the_solver_agrees_with_brute_force() {
        for value_squares in [0, 2, 4] {
            let mut solver = Solver::new().value_squares(value_squares);
            endgames(20, 12, 5, 7, |position| {
                let (winner, _) = brute_force(position, u64::MAX).unwrap();
                assert_eq!(solver.winner(position, u64::MAX), Ok(winner), "{position}");
            });
        }
    }

    #[test]
    fn a_winning_move_wins() {
        let mut solver = Solver::new();
        endgames(21, 5, 5, 7, |position| {
            let (winner, _) = brute_force(position, u64::MAX).unwrap();
            match solver.winning_move(position, u64::MAX).unwrap() {
                None => assert_ne!(winner, position.turn()),
                Some(mv) => {
                    let after = Amazons.after(position, mv);
                    assert_eq!(brute_force(&after, u64::MAX).unwrap().0, position.turn());
                }
            }
        });
    }

    #[test]
    fn runs_are_as_long_as_can_be() {
        fn plain(position: &Position) -> u32 {
            let after = |mv| 1 + plain(&Amazons.after(position, mv).passed());
            Amazons.moves(position).into_iter().map(after).max().unwrap_or(0)
        }
        fn longest_run(solver: &mut Solver, part: &Position) -> u32 {
            solver.limit = u64::MAX;
            let runs = shapes(part).map(|shape| solver.run(shape).expect("there is no limit"));
            runs.sum::<i32>().unsigned_abs()
        }
        let mut solver = Solver::new();
        endgames(22, 40, 5, 7, |position| {
            for region in region::regions(position) {
                if let Kind::Filling(owner) = region.kind {
                    let part = position.restricted(region.squares);
                    let part = if part.turn() == owner { part } else { part.passed() };
                    assert_eq!(longest_run(&mut solver, &part), plain(&part), "{part}");
                }
            }
        });
        // The corner can be entered or shot at, not both, and nothing else is lost.
        let defective: Position = "W1xx/x1xx/1x1x/xxxx w".parse().unwrap();
        assert_eq!(longest_run(&mut solver, &defective), plain(&defective));
    }

    #[test]
    fn values_in_words() {
        let mut solver = Solver::new();
        let mut describe = |text: &str| solver.describe(&text.parse().unwrap(), u64::MAX).unwrap();
        assert_eq!(describe("W2x/xxxx/xxxx/xxxx w"), "2");
        assert_eq!(describe("B2x/xxxx/xxxx/xxxx w"), "-2");
        assert_eq!(describe("W1Bx/xxxx/xxxx/xxxx w"), "*");
        assert_eq!(describe("WBxx/xxxx/xxxx/xxxx w"), "0");
    }

    #[test]
    fn a_limit_is_kept() {
        let start = Position::start(6, 6).unwrap();
        assert_eq!(Solver::new().winner(&start, 100), Err(TooHard { limit: 100 }));
        assert_eq!(brute_force(&start, 100), Err(TooHard { limit: 100 }));
    }
}
