//! Tempo tables: what a part of a board is worth when either side may pass in it.
//!
//! A side that has pieces elsewhere need not move here: each of its moves elsewhere is a *pass*, a tempo. A tempo table
//! gives the outcome of every position of a class for every number of passes that each side may spend, up to any
//! number ([`Passes::Any`]). A side that has passes to spend has pieces elsewhere, so that taking all its pieces here does
//! not end the game.
//!
//! The tables are what [`proof`](crate::proof) finds its proofs with.

mod solve;

use game::truth::{Truth, Wdl};
use jungle::{ByColor, Color, Rules};
use serde::Serialize;

pub use solve::{Part, Passes};

use crate::Material;

/// The outcomes of a class by the passes that both sides may spend.
#[derive(Clone, Debug, Serialize)]
pub struct TempoTable {
    /// The class.
    pub class: String,
    /// The rules.
    pub rules: String,
    /// The rows: every number of passes of Red with every one of Blue.
    pub rows: Vec<TempoRow>,
    /// How many positions, both sides to move.
    pub positions: u64,
    /// How many of them have another outcome with other numbers of passes.
    pub sensitive: u64,
    /// The least number of passes, the other side having any of those in the table, that is as good as any number in
    /// every position; none if no number in the table is.
    pub enough: Option<u32>,
}

/// The outcomes of all positions of a class for given numbers of passes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TempoRow {
    /// How often Red may pass.
    pub white: Passes,
    /// How often Blue may pass.
    pub black: Passes,
    /// Positions that Red wins, Red to move and Blue to move.
    pub white_wins: [u64; 2],
    /// Positions that nobody wins.
    pub draws: [u64; 2],
    /// Positions that Blue wins.
    pub black_wins: [u64; 2],
}

impl TempoTable {
    /// Solves a class for up to this many passes of each side, and for any number.
    pub fn new(rules: &Rules, material: Material, most: u32) -> TempoTable {
        let passes: Vec<Passes> = (0..=most).map(Passes::Times).chain([Passes::Any]).collect();
        let pieces = material.in_order();
        // A side with passes has pieces elsewhere, also when it has spent them, so there are four families.
        let family = |others: ByColor<bool>| {
            let of = |has: bool| if has { passes.clone() } else { vec![Passes::Times(0)] };
            Part::solve(
                rules,
                &pieces,
                others,
                [of(others[Color::White]), of(others[Color::Black])],
            )
        };
        let flags = [false, true];
        let families = flags.map(|white| {
            flags.map(|black| {
                family(ByColor::from_fn(|color| if color == Color::White { white } else { black }))
            })
        });
        let value = |number: usize, red: Passes, blue: Passes| -> Option<Truth> {
            let has = |passes: Passes| usize::from(passes != Passes::Times(0));
            families[has(red)][has(blue)].value_at(number, [red, blue])
        };
        let numbers = families[0][0].numbers();
        let mut rows = Vec::new();
        for &red in &passes {
            for &blue in &passes {
                let mut row = TempoRow {
                    white: red,
                    black: blue,
                    white_wins: [0; 2],
                    draws: [0; 2],
                    black_wins: [0; 2],
                };
                for number in numbers.clone() {
                    let Some(truth) = value(number, red, blue) else { continue };
                    let turn = families[0][0].turn(number);
                    let counts = match (truth.outcome(), turn) {
                        (Wdl::Draw, _) => &mut row.draws,
                        (Wdl::Win, Color::White) | (Wdl::Loss, Color::Black) => &mut row.white_wins,
                        _ => &mut row.black_wins,
                    };
                    counts[turn as usize] += 1;
                }
                rows.push(row);
            }
        }
        let outcomes = |number: usize| -> Vec<Wdl> {
            let pairs = passes.iter().flat_map(|&red| passes.iter().map(move |&blue| (red, blue)));
            pairs.filter_map(|(red, blue)| Some(value(number, red, blue)?.outcome())).collect()
        };
        let (mut positions, mut sensitive) = (0, 0);
        for number in numbers.clone() {
            let outcomes = outcomes(number);
            positions += u64::from(!outcomes.is_empty());
            sensitive += u64::from(outcomes.windows(2).any(|pair| pair[0] != pair[1]));
        }
        let same = |passes: Passes, number: usize, rival: Passes| {
            let outcome = |red, blue| value(number, red, blue).map(Truth::outcome);
            outcome(passes, rival) == outcome(Passes::Any, rival)
                && outcome(rival, passes) == outcome(rival, Passes::Any)
        };
        let enough = (1..=most).find(|&times| {
            let passes_with =
                |number| passes.iter().all(|&rival| same(Passes::Times(times), number, rival));
            numbers.clone().all(passes_with)
        });
        TempoTable {
            class: material.to_string(),
            rules: crate::rules_name(rules),
            rows,
            positions,
            sensitive,
            enough,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tablebase;
    use crate::build::{Wanted, in_memory};

    const PRESETS: [Rules; 3] = [Rules::STANDARD, Rules::LEIDEN, Rules::TUFTS];

    fn part(rules: &Rules, class: &str, others: [bool; 2], passes: [Vec<Passes>; 2]) -> Part {
        let material: Material = class.parse().unwrap();
        let others = ByColor::from_fn(|color| others[color as usize]);
        Part::solve(rules, &material.in_order(), others, passes)
    }

    #[test]
    fn without_passes_they_are_endgame_tables() {
        for rules in PRESETS {
            let classes = ["C-D", "R-E", "T-L", "RC-E", "L-RC"];
            let wanted = Wanted::Classes(classes.map(|class| class.parse().unwrap()).to_vec());
            let tables = Tablebase::new(&rules, 3, in_memory(&rules, &wanted).unwrap());
            for class in classes {
                let zero = || vec![Passes::Times(0)];
                let part = part(&rules, class, [false; 2], [zero(), zero()]);
                let mut seen = 0;
                for number in part.numbers().step_by(if class.len() > 3 { 17 } else { 1 }) {
                    let Some(position) = part.position(number) else { continue };
                    let found = part.value_at(number, [Passes::Times(0); 2]).unwrap();
                    assert_eq!(found, tables.probe(&position).unwrap(), "{position}");
                    seen += 1;
                }
                assert!(seen > 4000, "{class} {seen}");
            }
        }
    }

    #[test]
    fn every_value_follows_from_those_it_leads_to() {
        let all = || vec![Passes::Times(0), Passes::Times(1), Passes::Times(2), Passes::Any];
        for rules in PRESETS {
            for class in ["C-D", "R-E", "T-T"] {
                let part = part(&rules, class, [true; 2], [all(), all()]);
                for number in part.numbers() {
                    for red in all() {
                        for blue in all() {
                            part.check(number, [red, blue]);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn passes_never_hurt_who_has_them() {
        let table = TempoTable::new(&Rules::STANDARD, "C-C".parse().unwrap(), 2);
        assert_eq!(table.rows.len(), 16);
        assert!(table.sensitive > 0, "equals are decided by who has to give way");
        let row = |red, blue| {
            table.rows.iter().find(|row| (row.white, row.black) == (red, blue)).unwrap().clone()
        };
        let wins = |row: &TempoRow| row.white_wins[0] + row.white_wins[1];
        for blue in [Passes::Times(1), Passes::Times(2), Passes::Any] {
            let with = |red| wins(&row(red, blue));
            assert!(with(Passes::Times(1)) <= with(Passes::Times(2)));
            assert!(with(Passes::Times(2)) <= with(Passes::Any));
        }
        let none = row(Passes::Times(0), Passes::Times(0));
        assert_eq!(none.draws, [0, 0], "two pieces of equal strength never draw");
        // By symmetry: what Red wins with the one, Blue wins with the other.
        let one = row(Passes::Times(1), Passes::Any);
        let other = row(Passes::Any, Passes::Times(1));
        assert_eq!(one.white_wins, [other.black_wins[1], other.black_wins[0]]);
    }
}
