//! Selection: a collection in which one sees something new every time.
//!
//! Units are asked in turn, and each gives the candidate whose rarest theme is the rarest so far, with a length that is rare
//! so far. Of candidates with the same shape (who goes which way) a unit gives one.

use std::collections::HashSet;

use jungle::Jungle;

use super::Unit;
use crate::identity::Identity;
use crate::theme::Theme;
use crate::{Goal, Puzzle};

/// The most puzzles of a class, and of some games.
pub const MOST_OF_A_UNIT: [usize; 2] = [18, 60];
/// At most this part of a collection holds draws, out of ten.
const DRAWS: usize = 3;

/// Selects up to so many puzzles.
pub fn select(jungle: &Jungle, units: &[Unit], want: usize) -> Vec<Puzzle> {
    let mut left: Vec<Vec<&Puzzle>> =
        units.iter().map(|unit| unit.found.iter().collect()).collect();
    let mut taken = vec![0; units.len()];
    let most = |unit: usize| MOST_OF_A_UNIT[usize::from(units[unit].name.starts_with("games"))];
    let mut shapes: Vec<HashSet<Vec<i8>>> = vec![HashSet::new(); units.len()];
    let mut ids = HashSet::new();
    let mut themes = [0_usize; Theme::ALL.len()];
    let mut lengths = [0_usize; super::MOST_PLIES + 1];
    let mut draws = 0;
    let mut selected = Vec::new();
    while selected.len() < want {
        for unit in 0..units.len() {
            if selected.len() >= want || taken[unit] >= most(unit) {
                continue;
            }
            let enough = |puzzle: &Puzzle| puzzle.goal == Goal::Draw && draws * 10 >= want * DRAWS;
            let rarity = |puzzle: &Puzzle| {
                let rarest = puzzle.themes.iter().map(|theme| themes[theme as usize]).min();
                (enough(puzzle), rarest.unwrap_or(usize::MAX), lengths[puzzle.solution.len()])
            };
            let best = (0..left[unit].len()).min_by_key(|&at| rarity(left[unit][at]));
            let Some(puzzle) = best.map(|at| left[unit].remove(at)).filter(|one| !enough(one))
            else {
                continue;
            };
            let shape = Identity::shape(jungle, &puzzle.start, &puzzle.solution);
            if !shapes[unit].insert(shape) || !ids.insert(puzzle.id.as_str()) {
                continue;
            }
            puzzle.themes.iter().for_each(|theme| themes[theme as usize] += 1);
            lengths[puzzle.solution.len()] += 1;
            draws += usize::from(puzzle.goal == Goal::Draw);
            taken[unit] += 1;
            selected.push(puzzle.clone());
        }
        let exhausted =
            (0..units.len()).all(|unit| left[unit].is_empty() || taken[unit] >= most(unit));
        if exhausted {
            break;
        }
    }
    selected
}
