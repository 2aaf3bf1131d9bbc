//! Combinatorial game theory: canonical values of games (Berlekamp, Conway and Guy, Winning Ways,
//! 1982).
//!
//! When the player who cannot move loses, a position is worth what its options are worth: `{L | R}`, where
//! `L` are the values that Left (White) can move to and `R` those that Right (Black) can. Values can
//! be added and compared, and equal ones have the same simplest form: drop options that another one
//! dominates, bypass options that the other side would reverse at once, until nothing changes. A sum
//! of regions is worth the sum of their values, which is what makes regions useful.
//!
//! [`Games`] keeps every value once, in simplest form; a [`Value`] is its number there. Comparisons
//! and sums are remembered.

use std::collections::HashMap;
use std::fmt;

use game::Side;

/// The value of a game, kept by [`Games`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Form {
    left: Box<[Value]>,
    right: Box<[Value]>,
}

/// All values met so far.
#[derive(Clone, Debug)]
pub struct Games {
    forms: Vec<Form>,
    index: HashMap<Form, Value>,
    order: HashMap<(Value, Value), bool>,
    sums: HashMap<(Value, Value), Value>,
    /// For each value, the integer it is, if it is one.
    integers: Vec<Option<i32>>,
    /// For each value, the largest integer not above it and the smallest not below it, once asked for.
    bounds: Vec<Option<(i32, i32)>>,
}

impl Default for Games {
    fn default() -> Games {
        Games::new()
    }
}

impl Games {
    /// Nothing but 0.
    pub fn new() -> Games {
        let mut games = Games {
            forms: Vec::new(),
            index: HashMap::new(),
            order: HashMap::new(),
            sums: HashMap::new(),
            integers: Vec::new(),
            bounds: Vec::new(),
        };
        games.intern(Vec::new(), Vec::new());
        games
    }

    /// The game in which neither player can move.
    pub const ZERO: Value = Value(0);

    /// How many different values there are so far.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    /// Never true: there is always 0.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// This many moves for Left, or for Right if negative.
    pub fn integer(&mut self, n: i32) -> Value {
        let mut value = Games::ZERO;
        for _ in 0..n.unsigned_abs() {
            value = match n > 0 {
                true => self.intern(vec![value], Vec::new()),
                false => self.intern(Vec::new(), vec![value]),
            };
        }
        value
    }

    /// The integer that a value is, if it is one.
    pub fn as_integer(&self, value: Value) -> Option<i32> {
        self.integers[value.0 as usize]
    }

    /// What a player can move to.
    pub fn options(&self, value: Value, player: Side) -> &[Value] {
        let form = &self.forms[value.0 as usize];
        match player {
            Side::First => &form.left,
            Side::Second => &form.right,
        }
    }

    /// The value with these options.
    pub fn value(&mut self, mut left: Vec<Value>, mut right: Vec<Value>) -> Value {
        loop {
            self.keep_best(&mut left, Side::First);
            self.keep_best(&mut right, Side::Second);
            if !self.bypass(&mut left, &mut right) {
                return self.intern(left, right);
            }
        }
    }

    /// The sum of two games: a move is a move in one of them.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        if a == Games::ZERO {
            return b;
        }
        if b == Games::ZERO {
            return a;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(&sum) = self.sums.get(&pair) {
            return sum;
        }
        if let (Some(m), Some(n)) = (self.as_integer(a), self.as_integer(b)) {
            return self.integer(m + n);
        }
        // Neither player needs to move in an integer while there is anything else.
        let [left, right] = [Side::First, Side::Second].map(|player| {
            let mut options = Vec::new();
            if self.as_integer(b).is_none() {
                for option in self.options(b, player).to_vec() {
                    options.push(self.add(a, option));
                }
            }
            if self.as_integer(a).is_none() {
                for option in self.options(a, player).to_vec() {
                    options.push(self.add(option, b));
                }
            }
            options
        });
        let sum = self.value(left, right);
        self.sums.insert(pair, sum);
        sum
    }

    /// The same game with the players exchanged.
    pub fn negative(&mut self, value: Value) -> Value {
        if let Some(n) = self.as_integer(value) {
            return self.integer(-n);
        }
        let [left, right] = [Side::Second, Side::First].map(|player| {
            let options = self.options(value, player).to_vec();
            options.into_iter().map(|option| self.negative(option)).collect()
        });
        self.intern(left, right)
    }

    /// Whether `a` is at most `b`: whether Right, moving second, wins `a` − `b`.
    pub fn at_most(&mut self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        if let (Some(m), Some(n)) = (self.as_integer(a), self.as_integer(b)) {
            return m <= n;
        }
        if let Some(&known) = self.order.get(&(a, b)) {
            return known;
        }
        let left = self.options(a, Side::First).to_vec();
        let right = self.options(b, Side::Second).to_vec();
        let answer = !left.into_iter().any(|option| self.at_most(b, option))
            && !right.into_iter().any(|option| self.at_most(option, a));
        self.order.insert((a, b), answer);
        answer
    }

    /// Whether the player to move wins the game when `player` is to move.
    pub fn mover_wins(&mut self, value: Value, player: Side) -> bool {
        match player {
            Side::First => !self.at_most(value, Games::ZERO),
            Side::Second => !self.at_most(Games::ZERO, value),
        }
    }

    /// The largest integer not above the value and the smallest not below it.
    pub fn bounds(&mut self, value: Value) -> (i32, i32) {
        if let Some(n) = self.as_integer(value) {
            return (n, n);
        }
        if let Some(bounds) = self.bounds[value.0 as usize] {
            return bounds;
        }
        let is_at_least = |games: &mut Games, n: i32| {
            let integer = games.integer(n);
            games.at_most(integer, value)
        };
        let is_at_most = |games: &mut Games, n: i32| {
            let integer = games.integer(n);
            games.at_most(value, integer)
        };
        let mut low = 0;
        if is_at_least(self, 0) {
            while is_at_least(self, low + 1) {
                low += 1;
            }
        } else {
            while !is_at_least(self, low) {
                low -= 1;
            }
        }
        let mut high = low;
        while !is_at_most(self, high) {
            high += 1;
        }
        self.bounds[value.0 as usize] = Some((low, high));
        (low, high)
    }

    /// Drops what is dominated: for Left what is at most another option, for Right at least.
    fn keep_best(&mut self, options: &mut Vec<Value>, player: Side) {
        options.sort_unstable();
        options.dedup();
        let mut kept: Vec<Value> = Vec::with_capacity(options.len());
        for &option in options.iter() {
            let beats = |games: &mut Games, a: Value, b: Value| match player {
                Side::First => games.at_most(b, a),
                Side::Second => games.at_most(a, b),
            };
            if kept.iter().any(|&other| beats(self, other, option)) {
                continue;
            }
            kept.retain(|&other| !beats(self, option, other));
            kept.push(option);
        }
        kept.sort_unstable();
        *options = kept;
    }

    /// Replaces one reversible option by what it leads to after the reply; false if there is none.
    fn bypass(&mut self, left: &mut Vec<Value>, right: &mut Vec<Value>) -> bool {
        let mut compared = Compared { known: HashMap::new() };
        for at in 0..left.len() {
            for reply in self.options(left[at], Side::Second).to_vec() {
                if compared.form_at_least(self, left, right, reply) {
                    left.swap_remove(at);
                    left.extend_from_slice(&self.forms[reply.0 as usize].left);
                    return true;
                }
            }
        }
        for at in 0..right.len() {
            for reply in self.options(right[at], Side::First).to_vec() {
                if compared.form_at_most(self, left, right, reply) {
                    right.swap_remove(at);
                    right.extend_from_slice(&self.forms[reply.0 as usize].right);
                    return true;
                }
            }
        }
        false
    }

    fn intern(&mut self, left: Vec<Value>, right: Vec<Value>) -> Value {
        let form = Form { left: left.into(), right: right.into() };
        if let Some(&value) = self.index.get(&form) {
            return value;
        }
        let integer = match (&*form.left, &*form.right) {
            ([], []) => Some(0),
            ([option], []) => self.as_integer(*option).filter(|&n| n >= 0).map(|n| n + 1),
            ([], [option]) => self.as_integer(*option).filter(|&n| n <= 0).map(|n| n - 1),
            _ => None,
        };
        let value = Value(u32::try_from(self.forms.len()).expect("fewer than 2^32 values"));
        self.forms.push(form.clone());
        self.integers.push(integer);
        self.bounds.push(None);
        self.index.insert(form, value);
        value
    }

    /// The value in the usual notation: `3`, `-1/2`, `*`, `{2|-1}`.
    pub fn describe(&self, value: Value) -> Described<'_> {
        Described { games: self, value }
    }

    /// The number that a value is, if it is one.
    pub fn number(&self, value: Value) -> Option<f64> {
        self.as_number(value).map(|(numerator, power)| numerator as f64 / f64::from(1_u32 << power))
    }

    /// The number that a value is, as a numerator and a power of two below it.
    fn as_number(&self, value: Value) -> Option<(i64, u32)> {
        if let Some(n) = self.as_integer(value) {
            return Some((i64::from(n), 0));
        }
        // In simplest form a number that is not an integer lies halfway between its two options.
        let form = &self.forms[value.0 as usize];
        let ([left], [right]) = (&*form.left, &*form.right) else { return None };
        let ((a, m), (b, n)) = (self.as_number(*left)?, self.as_number(*right)?);
        let power = m.max(n);
        let (a, b) = (a << (power - m), b << (power - n));
        (a < b).then_some((a + b, power + 1))
    }
}

/// Comparisons of a form that is not in the collection with values that are.
struct Compared {
    known: HashMap<(Value, bool), bool>,
}

impl Compared {
    fn form_at_least(&mut self, games: &mut Games, l: &[Value], r: &[Value], value: Value) -> bool {
        if let Some(&known) = self.known.get(&(value, true)) {
            return known;
        }
        let answer = !r.iter().any(|&option| games.at_most(option, value))
            && !games
                .options(value, Side::First)
                .to_vec()
                .into_iter()
                .any(|option| self.form_at_most(games, l, r, option));
        self.known.insert((value, true), answer);
        answer
    }

    fn form_at_most(&mut self, games: &mut Games, l: &[Value], r: &[Value], value: Value) -> bool {
        if let Some(&known) = self.known.get(&(value, false)) {
            return known;
        }
        let answer = !l.iter().any(|&option| games.at_most(value, option))
            && !games
                .options(value, Side::Second)
                .to_vec()
                .into_iter()
                .any(|option| self.form_at_least(games, l, r, option));
        self.known.insert((value, false), answer);
        answer
    }
}

/// A value that can be printed.
#[derive(Clone, Copy)]
pub struct Described<'a> {
    games: &'a Games,
    value: Value,
}

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Described { games, value } = *self;
        match games.as_number(value) {
            Some((n, 0)) => return write!(f, "{n}"),
            Some((n, power)) => return write!(f, "{n}/{}", 1_u64 << power),
            None => {}
        }
        let form = &games.forms[value.0 as usize];
        if *form.left == [Games::ZERO] && *form.right == [Games::ZERO] {
            return f.write_str("*");
        }
        let list = |f: &mut fmt::Formatter<'_>, options: &[Value]| {
            for (at, &option) in options.iter().enumerate() {
                let comma = if at > 0 { "," } else { "" };
                write!(f, "{comma}{}", games.describe(option))?;
            }
            Ok(())
        };
        f.write_str("{")?;
        list(f, &form.left)?;
        f.write_str("|")?;
        list(f, &form.right)?;
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::rng::Rng;

    #[test]
    fn the_usual_small_games() {
        let mut games = Games::new();
        let zero = Games::ZERO;
        let one = games.integer(1);
        let minus_one = games.integer(-1);
        let star = games.value(vec![zero], vec![zero]);
        assert_eq!(games.describe(star).to_string(), "*");
        assert_eq!(games.add(star, star), zero);
        let half = games.value(vec![zero], vec![one]);
        assert_eq!(games.describe(half).to_string(), "1/2");
        assert_eq!(games.add(half, half), one);
        let up = games.value(vec![zero], vec![star]);
        assert_eq!(games.describe(up).to_string(), "{0|*}");
        assert!(games.at_most(zero, up) && !games.at_most(up, zero));
        assert!(!games.at_most(up, star) && !games.at_most(star, up), "up is confused with star");
        let switch = games.value(vec![one], vec![minus_one]);
        assert_eq!(games.negative(switch), switch);
        assert_eq!(games.add(switch, switch), zero);
        assert_eq!(games.bounds(switch), (-2, 2));
        assert_eq!(games.bounds(half), (0, 1));
        let nothing = games.value(vec![minus_one], vec![one]);
        assert_eq!(nothing, zero, "the simplest number between the options");
        let dominated = games.value(vec![zero, minus_one], vec![zero, one]);
        assert_eq!(dominated, star);
        let reversible = games.value(vec![star], vec![zero]);
        assert_eq!(games.describe(reversible).to_string(), "{*|0}", "down");
        let up_star = games.add(up, star);
        assert_eq!(games.describe(up_star).to_string(), "{0,*|0}");
    }

    /// Who wins by plain search over pairs of games.
    fn plain_mover_wins(games: &Games, sum: &[Value], player: Side) -> bool {
        (0..sum.len()).any(|at| {
            games.options(sum[at], player).iter().any(|&option| {
                let mut next = sum.to_vec();
                next[at] = option;
                !plain_mover_wins(games, &next, !player)
            })
        })
    }

    #[test]
    fn random_values_behave() {
        let mut rng = Rng::new(6);
        let mut games = Games::new();
        let mut values = vec![Games::ZERO];
        for _ in 0..60 {
            let pick = |rng: &mut Rng, values: &[Value]| -> Vec<Value> {
                (0..rng.below(4)).map(|_| values[rng.below(values.len().min(14))]).collect()
            };
            let (left, right) = (pick(&mut rng, &values), pick(&mut rng, &values));
            values.push(games.value(left, right));
        }
        for _ in 0..400 {
            let (a, b) = (*rng.choose(&values).unwrap(), *rng.choose(&values).unwrap());
            let (minus, sum) = (games.negative(b), games.add(a, b));
            assert_eq!(games.add(sum, minus), a);
            assert_eq!(games.negative(minus), b);
            let difference = games.add(a, minus);
            assert_eq!(games.at_most(a, b), games.at_most(difference, Games::ZERO));
            for player in [Side::First, Side::Second] {
                let plain = plain_mover_wins(&games, &[a, b], player);
                assert_eq!(games.mover_wins(sum, player), plain);
            }
            let (low, high) = games.bounds(a);
            let (low, high) = (games.integer(low), games.integer(high));
            assert!(games.at_most(low, a) && games.at_most(a, high));
        }
    }

    /// Options that are not in simplest form must not change who wins.
    #[test]
    fn simplifying_keeps_the_winner() {
        let mut rng = Rng::new(7);
        let mut games = Games::new();
        // (raw options, value): trees that are never simplified beside their values.
        #[derive(Clone)]
        struct Raw(Vec<Raw>, Vec<Raw>);
        fn random(rng: &mut Rng, depth: u32) -> Raw {
            let side = |rng: &mut Rng| match depth {
                0 => Vec::new(),
                _ => (0..rng.below(3)).map(|_| random(rng, depth - 1)).collect(),
            };
            Raw(side(rng), side(rng))
        }
        fn value(games: &mut Games, raw: &Raw) -> Value {
            let left = raw.0.iter().map(|option| value(games, option)).collect();
            let right = raw.1.iter().map(|option| value(games, option)).collect();
            games.value(left, right)
        }
        fn wins(raw: &[&Raw], player: Side) -> bool {
            (0..raw.len()).any(|at| {
                let options = if player == Side::First { &raw[at].0 } else { &raw[at].1 };
                options.iter().any(|option| {
                    let mut next = raw.to_vec();
                    next[at] = option;
                    !wins(&next, !player)
                })
            })
        }
        for _ in 0..300 {
            let (a, b) = (random(&mut rng, 4), random(&mut rng, 3));
            let (va, vb) = (value(&mut games, &a), value(&mut games, &b));
            let sum = games.add(va, vb);
            for player in [Side::First, Side::Second] {
                assert_eq!(games.mover_wins(va, player), wins(&[&a], player));
                assert_eq!(games.mover_wins(sum, player), wins(&[&a, &b], player));
            }
        }
    }
}
