//! Batched (SIMD) evaluation: many boards at once.
//!
//! A search spends nearly all its time on the evaluation of the boards that the moves of one position lead
//! to. They are of one size and evaluated by the same steps, so eight of them go side by side: the words of
//! their bitboards lie in arrays of eight, on which a compiler uses vector instructions. The steps are those
//! of [`evaluate`](crate::evaluate), which is the oracle: a test holds the two together.

use game::Side;

use crate::bitboard::STEPS;
use crate::evaluate::{Scale, Weights};
use crate::{Bitboard, Move, Position, Square};

/// How many boards go side by side.
pub const LANES: usize = 8;

const UP: u32 = Square::UP as u32;

/// A set of squares on each of the boards: the low words, and the high ones.
#[derive(Clone, Copy)]
struct Sets {
    low: [u64; LANES],
    high: [u64; LANES],
}

impl Sets {
    const EMPTY: Sets = Sets { low: [0; LANES], high: [0; LANES] };

    #[inline(always)]
    fn set(&mut self, lane: usize, squares: Bitboard) {
        self.low[lane] = squares.bits() as u64;
        self.high[lane] = (squares.bits() >> 64) as u64;
    }

    #[inline(always)]
    fn zip(self, other: Sets, f: impl Fn(u64, u64) -> u64) -> Sets {
        let mut result = Sets::EMPTY;
        for lane in 0..LANES {
            result.low[lane] = f(self.low[lane], other.low[lane]);
            result.high[lane] = f(self.high[lane], other.high[lane]);
        }
        result
    }

    #[inline(always)]
    fn and(self, other: Sets) -> Sets {
        self.zip(other, |one, two| one & two)
    }

    #[inline(always)]
    fn or(self, other: Sets) -> Sets {
        self.zip(other, |one, two| one | two)
    }

    #[inline(always)]
    fn without(self, other: Sets) -> Sets {
        self.zip(other, |one, two| one & !two)
    }

    /// Every bit higher by `distance`, for 0 < distance < 128 except 64.
    #[inline(always)]
    fn up(self, distance: u32) -> Sets {
        let mut result = Sets::EMPTY;
        for lane in 0..LANES {
            let (low, high) = (self.low[lane], self.high[lane]);
            if distance > 64 {
                result.high[lane] = low << (distance - 64);
            } else {
                result.low[lane] = low << distance;
                result.high[lane] = high << distance | low >> (64 - distance);
            }
        }
        result
    }

    /// Every bit lower by `distance`.
    #[inline(always)]
    fn down(self, distance: u32) -> Sets {
        let mut result = Sets::EMPTY;
        for lane in 0..LANES {
            let (low, high) = (self.low[lane], self.high[lane]);
            if distance > 64 {
                result.low[lane] = high >> (distance - 64);
            } else {
                result.high[lane] = high >> distance;
                result.low[lane] = low >> distance | high << (64 - distance);
            }
        }
        result
    }

    #[inline(always)]
    fn any(self) -> bool {
        let mut all = 0;
        for lane in 0..LANES {
            all |= self.low[lane] | self.high[lane];
        }
        all != 0
    }

    /// Adds to `sums` the number of squares of each set, times `times`.
    #[inline(always)]
    fn add_len(self, sums: &mut [i32; LANES], times: i32) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let squares = self.low[lane].count_ones() + self.high[lane].count_ones();
            *sum += times * squares as i32;
        }
    }

    /// The sets and all squares a king's step away, with some that are not squares.
    #[inline(always)]
    fn spread(self) -> Sets {
        let rows = self.or(self.up(1)).or(self.down(1));
        rows.or(rows.up(UP)).or(rows.down(UP))
    }
}

/// [`Lines`](crate::bitboard::Lines) of many boards.
struct Lines {
    empty: Sets,
    rising: [[Sets; 4]; 4],
    falling: [[Sets; 4]; 4],
}

impl Lines {
    #[inline(always)]
    fn new(empty: Sets) -> Lines {
        let (mut rising, mut falling) = ([[empty; 4]; 4], [[empty; 4]; 4]);
        for direction in 0..4 {
            for doubling in 1..4 {
                let distance = STEPS[direction] << (doubling - 1);
                let (above, below) =
                    (rising[direction][doubling - 1], falling[direction][doubling - 1]);
                rising[direction][doubling] = above.and(above.up(distance));
                falling[direction][doubling] = below.and(below.down(distance));
            }
        }
        Lines { empty, rising, falling }
    }

    /// The empty squares that queens reach; adds to `moves` the number of moves, times `times`.
    #[inline(always)]
    fn queen_moves(&self, queens: Sets, moves: Option<(&mut [i32; LANES], i32)>) -> Sets {
        let mut reached = Sets::EMPTY;
        let mut moves = moves;
        for (direction, step) in STEPS.into_iter().enumerate() {
            let (mut rising, mut falling) = (queens, queens);
            for doubling in 0..4 {
                let distance = step << doubling;
                let (above, below) =
                    (self.rising[direction][doubling], self.falling[direction][doubling]);
                rising = rising.or(above.and(rising.up(distance)));
                falling = falling.or(below.and(falling.down(distance)));
            }
            reached = reached.or(rising).or(falling);
            if let Some((sums, times)) = &mut moves {
                rising.and(self.empty).add_len(sums, *times);
                falling.and(self.empty).add_len(sums, *times);
            }
        }
        reached.and(self.empty)
    }
}

/// Adds what a race for the empty squares comes to: a square nearer to White, by the step in which she reaches
/// it, and one as near to both.
#[inline(always)]
fn race(
    [mut white, mut black]: [Sets; 2],
    empty: Sets,
    (nearer, tie): ([i32; 3], i32),
    [balance, ties]: [&mut [i32; LANES]; 2],
    step: impl Fn(Sets) -> Sets,
) {
    let mut open = empty;
    let mut steps = 0;
    loop {
        let nearer = nearer[steps];
        steps = (steps + 1).min(2);
        (white, black) = (white.and(open), black.and(open));
        open = open.without(white.or(black));
        white.and(black).add_len(ties, tie);
        white.add_len(balance, nearer);
        black.add_len(balance, -nearer);
        if !open.any() || !white.or(black).any() {
            return;
        }
        (white, black) = (step(white), step(black));
    }
}

/// The value of the position after each of these moves, by these weights, for the player who is then to move.
pub fn values_after(weights: &Weights, position: &Position, moves: &[Move], values: &mut Vec<i32>) {
    values.clear();
    values.reserve(moves.len());
    let scale = Scale::from(*weights);
    for moves in moves.chunks(LANES) {
        values.extend_from_slice(&values_of(&scale, position, moves)[..moves.len()]);
    }
}

/// The same for at most [`LANES`] moves; what comes after their values means nothing.
pub fn values_of(scale: &Scale, position: &Position, moves: &[Move]) -> [i32; LANES] {
    let mover = position.turn();
    let (mut amazons, mut empty) = ([Sets::EMPTY; 2], Sets::EMPTY);
    for (lane, mv) in moves.iter().take(LANES).enumerate() {
        let stepped = mv.from.bitboard() | mv.to.bitboard();
        empty.set(lane, position.empty() ^ stepped ^ mv.arrow.bitboard());
        amazons[mover as usize].set(lane, position.amazons(mover) ^ stepped);
        amazons[!mover as usize].set(lane, position.amazons(!mover));
    }
    let (white, ties) = value(scale, &amazons, &empty);
    let sign = if mover == Side::First { -1 } else { 1 };
    std::array::from_fn(|lane| sign * white[lane] + ties[lane])
}

/// What is White's, and what belongs to the player to move, by the widest instructions that the processor has.
fn value(scale: &Scale, amazons: &[Sets; 2], empty: &Sets) -> ([i32; LANES], [i32; LANES]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has what the function is compiled for, as just asked.
            return unsafe { value_in_512_bits(scale, amazons, empty) };
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has what the function is compiled for, as just asked.
            return unsafe { value_in_256_bits(scale, amazons, empty) };
        }
    }
    value_of_lanes(scale, amazons, empty)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq,popcnt")]
fn value_in_512_bits(
    scale: &Scale,
    amazons: &[Sets; 2],
    empty: &Sets,
) -> ([i32; LANES], [i32; LANES]) {
    value_of_lanes(scale, amazons, empty)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx2,popcnt")]
fn value_in_256_bits(
    scale: &Scale,
    amazons: &[Sets; 2],
    empty: &Sets,
) -> ([i32; LANES], [i32; LANES]) {
    value_of_lanes(scale, amazons, empty)
}

#[inline(always)]
fn value_of_lanes(
    scale: &Scale,
    &[white, black]: &[Sets; 2],
    &empty: &Sets,
) -> ([i32; LANES], [i32; LANES]) {
    let (mut balance, mut ties) = ([0; LANES], [0; LANES]);
    let lines = Lines::new(empty);
    let near = [
        lines.queen_moves(white, Some((&mut balance, scale.mobility))),
        lines.queen_moves(black, Some((&mut balance, -scale.mobility))),
    ];
    let worth = (scale.queen, scale.queen_tie);
    race(near, empty, worth, [&mut balance, &mut ties], |set| lines.queen_moves(set, None));
    let worth = (scale.king, scale.king_tie);
    race([white.spread(), black.spread()], empty, worth, [&mut balance, &mut ties], Sets::spread);
    (balance, ties)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Amazons;
    use game::Game;
    use game::rng::Rng;

    #[test]
    fn many_boards_are_worth_what_each_is() {
        let mut rng = Rng::new(9);
        let weights = Weights { mobility: 7, king_tie: 3, ..Weights::default() };
        let (queen, king) = ([90, 70, 110], [50, 31, 22]);
        let scale = Scale { queen, queen_tie: 13, king, king_tie: 5, mobility: 6 };
        for size in [4, 5, 7, 10] {
            let mut position = Position::start(size, size).unwrap();
            let mut values = Vec::new();
            loop {
                let moves = Amazons.moves(&position);
                values_after(&weights, &position, &moves, &mut values);
                let each = |&mv: &Move| weights.value(&Amazons.after(&position, mv));
                assert_eq!(values, moves.iter().map(each).collect::<Vec<_>>(), "{position}");
                for moves in moves.chunks(LANES) {
                    let each = |&mv: &Move| scale.value(&Amazons.after(&position, mv));
                    let expected = moves.iter().map(each).collect::<Vec<_>>();
                    assert_eq!(values_of(&scale, &position, moves)[..moves.len()], expected);
                }
                let Some(&mv) = rng.choose(&moves) else { break };
                Amazons.make(&mut position, mv);
            }
        }
    }
}
