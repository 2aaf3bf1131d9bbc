//! Thermographs: mean and temperature of a game (Conway; Berlekamp, Conway and Guy, Winning Ways).
//!
//! Cooling a game by `t` taxes every move with `t`. The left wall is what Left gets of the cooled game when she
//! begins, the right wall what is left to her when Right does. From the temperature on, moving is worth
//! nothing to either, and the walls meet in a mast at the mean. Walls are made of straight pieces with slopes
//! of 0 and ±1 between points whose coordinates are fractions with powers of two below, which `f64` holds
//! exactly.

use std::collections::HashMap;

use game::Side;

use crate::cgt::{Games, Value};

/// A wall: its points from temperature 0 upwards; above the last it is constant.
type Wall = Vec<(f64, f64)>;

/// A thermograph, as its two walls.
#[derive(Clone, Debug, PartialEq)]
struct Walls {
    left: Wall,
    right: Wall,
    thermal: Thermal,
}

/// Mean and temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thermal {
    /// What the game is worth on average over many copies.
    pub mean: f64,
    /// What a move is worth. A number has −1: nobody wants to move.
    pub temperature: f64,
}

/// Thermographs of values, each found once.
#[derive(Clone, Debug, Default)]
pub struct Thermographs {
    known: HashMap<Value, Walls>,
}

fn at(wall: &Wall, t: f64) -> f64 {
    let next = wall.partition_point(|&(point, _)| point <= t);
    match (wall.get(next.wrapping_sub(1)), wall.get(next)) {
        (Some(&(t0, v0)), Some(&(t1, v1))) => v0 + (v1 - v0) * (t - t0) / (t1 - t0),
        (Some(&(_, value)), None) | (None, Some(&(_, value))) => value,
        (None, None) => 0.0,
    }
}

/// The points at which several walls may bend, and those at which two of them cross.
fn bends(walls: &[Wall]) -> Vec<f64> {
    let mut points: Vec<f64> = walls.iter().flatten().map(|&(t, _)| t).collect();
    points.push(0.0);
    points.sort_by(f64::total_cmp);
    points.dedup();
    // Above the last point walls are constant, with the tax of slope one they may still cross.
    points.push(points.last().copied().unwrap_or(0.0) + 1_024.0);
    let mut crossings = Vec::new();
    for pair in points.windows(2) {
        for (one, a) in walls.iter().enumerate() {
            for b in &walls[..one] {
                let [d0, d1] = [pair[0], pair[1]].map(|t| at(a, t) - at(b, t));
                if d0 * d1 < 0.0 {
                    crossings.push(pair[0] + (pair[1] - pair[0]) * d0 / (d0 - d1));
                }
            }
        }
    }
    points.extend(crossings);
    points.sort_by(f64::total_cmp);
    points.dedup();
    points
}

fn envelope(walls: &[Wall], best: fn(f64, f64) -> f64) -> Wall {
    let points = bends(walls);
    let value = |t: f64| walls.iter().map(|wall| at(wall, t)).reduce(best).unwrap_or_default();
    points.into_iter().map(|t| (t, value(t))).collect()
}

impl Thermographs {
    /// Mean and temperature of a value.
    pub fn of(&mut self, games: &Games, value: Value) -> Thermal {
        self.walls(games, value).thermal
    }

    fn walls(&mut self, games: &Games, value: Value) -> Walls {
        if let Some(known) = self.known.get(&value) {
            return known.clone();
        }
        let walls = match games.number(value) {
            Some(mean) => Walls {
                left: vec![(0.0, mean)],
                right: vec![(0.0, mean)],
                thermal: Thermal { mean, temperature: -1.0 },
            },
            None => self.cooled(games, value),
        };
        self.known.insert(value, walls.clone());
        walls
    }

    fn cooled(&mut self, games: &Games, value: Value) -> Walls {
        let mut scaffold = |player: Side| -> Wall {
            let options = games.options(value, player).to_vec();
            let walls: Vec<Wall> = options
                .into_iter()
                .map(|option| {
                    let walls = self.walls(games, option);
                    if player == Side::First { walls.right } else { walls.left }
                })
                .collect();
            let best: fn(f64, f64) -> f64 = if player == Side::First { f64::max } else { f64::min };
            let tax = if player == Side::First { -1.0 } else { 1.0 };
            envelope(&walls, best).into_iter().map(|(t, value)| (t, value + tax * t)).collect()
        };
        let (left, right) = (scaffold(Side::First), scaffold(Side::Second));
        // The walls meet where the left one is no longer to the left.
        let points = bends(&[left.clone(), right.clone()]);
        let meets = points.into_iter().find(|&t| at(&left, t) <= at(&right, t)).unwrap_or(0.0);
        let mean = at(&left, meets);
        let cut = |wall: &Wall| -> Wall {
            let mut cut: Wall = wall.iter().copied().filter(|&(t, _)| t < meets).collect();
            cut.push((meets, mean));
            cut
        };
        let thermal = Thermal { mean, temperature: meets };
        Walls { left: cut(&left), right: cut(&right), thermal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_games_have_known_temperatures() {
        let mut games = Games::new();
        let mut graphs = Thermographs::default();
        let mut thermal = |games: &Games, value| {
            let Thermal { mean, temperature } = graphs.of(games, value);
            (mean, temperature)
        };
        let [one, two, minus] = [1, 2, -1].map(|n| games.integer(n));
        assert_eq!(thermal(&games, two), (2.0, -1.0));
        let half = games.value(vec![Games::ZERO], vec![one]);
        assert_eq!(thermal(&games, half), (0.5, -1.0));
        let star = games.value(vec![Games::ZERO], vec![Games::ZERO]);
        assert_eq!(thermal(&games, star), (0.0, 0.0));
        let switch = games.value(vec![two], vec![minus]);
        assert_eq!(thermal(&games, switch), (0.5, 1.5));
        // {4 | {2 | -1}}: Left's threat is answered only while it is hotter; mean 2¼ from 4 − t = 2 + … by hand.
        let four = games.integer(4);
        let hot = games.value(vec![four], vec![switch]);
        // Right moves to ±: left wall 2 − t up to 1½, then ½. 4 − t = (2 − t) + t at t = 2, where the mast stands at ½ + 2.
        assert_eq!(thermal(&games, hot), (2.25, 1.75));
        // Twice a switch is hot half the time: the mean adds up.
        let sum = games.add(switch, switch);
        assert_eq!(graphs.of(&games, sum).mean, 1.0);
    }

    #[test]
    fn means_add_up() {
        let mut games = Games::new();
        let mut graphs = Thermographs::default();
        let numbers: Vec<Value> = (-2..=3).map(|n| games.integer(n)).collect();
        let mut switches = Vec::new();
        for &left in &numbers {
            for &right in &numbers {
                switches.push(games.value(vec![left], vec![right]));
            }
        }
        for &a in &switches {
            for &b in &switches {
                let both = games.add(a, b);
                let [one, other, sum] = [a, b, both].map(|game| graphs.of(&games, game));
                assert_eq!(one.mean + other.mean, sum.mean);
                assert!(sum.temperature <= one.temperature.max(other.temperature));
            }
        }
    }
}
