//! The race rule checked against tables.
//!
//! [`jungle::causality::race`] claims wins and losses from distances alone. Here every position of a
//! class is judged by it and probed: a claim is *false* if the position is not won (or lost) or
//! takes longer than claimed, *exact* if it takes just as long, and otherwise an upper bound.

use game::truth::Truth;
use jungle::causality::Races;
use jungle::{Color, Position};
use rayon::prelude::*;

use crate::class::ClassValues;

/// What the race rule claimed in a class, or in several; mirror images count apart.
#[derive(Clone, Debug, Default)]
pub struct RaceReport {
    /// Positions with either side to move.
    pub positions: u64,
    /// Those that are won for the player to move, in truth.
    pub wins: u64,
    /// Those that are lost.
    pub losses: u64,
    /// Claimed wins that are wins in time.
    pub claimed_wins: u64,
    /// Claimed losses that are losses in time.
    pub claimed_losses: u64,
    /// Right claims whose distance is the true one.
    pub exact: u64,
    /// The longest right claim, in plies.
    pub longest: u32,
    /// Claims that are not true.
    pub false_claims: u64,
    /// One of them, with the claim and the truth.
    pub example: Option<(Position, Truth, Truth)>,
}

impl RaceReport {
    /// Right claims.
    pub fn claimed(&self) -> u64 {
        self.claimed_wins + self.claimed_losses
    }

    /// Both together; the example is the earlier one.
    #[must_use]
    pub fn plus(self, other: RaceReport) -> RaceReport {
        RaceReport {
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            claimed_wins: self.claimed_wins + other.claimed_wins,
            claimed_losses: self.claimed_losses + other.claimed_losses,
            exact: self.exact + other.exact,
            longest: self.longest.max(other.longest),
            false_claims: self.false_claims + other.false_claims,
            example: self.example.or(other.example),
        }
    }

    fn count(&mut self, position: Position, claim: Option<Truth>, truth: Truth, weight: u64) {
        self.positions += weight;
        match truth {
            Truth::Win(_) => self.wins += weight,
            Truth::Loss(_) => self.losses += weight,
            Truth::Draw => {}
        }
        let (claimed, within, plies) = match (claim, truth) {
            (None, _) => return,
            (Some(Truth::Win(within)), Truth::Win(plies)) if plies <= within => {
                (&mut self.claimed_wins, within, plies)
            }
            (Some(Truth::Loss(within)), Truth::Loss(plies)) if plies <= within => {
                (&mut self.claimed_losses, within, plies)
            }
            (Some(claim), _) => {
                self.false_claims += weight;
                self.example.get_or_insert((position, claim, truth));
                return;
            }
        };
        *claimed += weight;
        self.longest = self.longest.max(within);
        self.exact += if within == plies { weight } else { 0 };
    }
}

/// Judges every position of a class by the race rule, compiled for the same rules.
pub fn races(values: &ClassValues, rule: &Races) -> RaceReport {
    let judge = |turn: Color| {
        let rows = (0..values.rows()).into_par_iter();
        rows.fold(RaceReport::default, |mut report, row| {
            values.row(row, turn, |at| {
                if let Some(position) = values.position(at.squares, turn) {
                    let claim = rule.judge(&position);
                    report.count(position, claim, at.value, at.weight);
                }
            });
            report
        })
        .reduce(RaceReport::default, RaceReport::plus)
    };
    judge(Color::White).plus(judge(Color::Black))
}
