//! Strength levels (UCI's skill level): playing below full strength.
//!
//! A weaker level searches fewer nodes and makes mistakes on purpose: it scores every move and
//! prefers the good ones the more, the higher the level; the lowest levels now and then
//! move at random. It never waits, and it never misses an immediate win, so that games end.
//!
//! The strength of each was measured: along a scale on which nodes, preference and care grow, matches
//! showed how far apart the players are, and the levels are spaced on it so that each is about as much
//! stronger than the one below (`docs/reports/levels.md`).

use game::rng::Rng;
use game::score::{Score, Verdict};
use game::truth::Truth;

use crate::report::Line;

/// Points on the scale of strength, and the Elo of a player there above that at 0: as measured up to 15, and
/// continued from there at a falling rate.
const MEASURED: [(f64, f64); 7] = [
    (0.0, 0.0),
    (3.0, 123.0),
    (6.0, 364.0),
    (9.0, 756.0),
    (12.0, 1110.0),
    (15.0, 1423.0),
    (19.0, 1760.0),
];

/// How far apart neighbouring levels are, so that the last limited one lies at the end of the scale.
const ELO_APART: f64 = MEASURED[MEASURED.len() - 1].1 / 19.0;

/// A strength level, from a beginner's to full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// The weakest level: a child can beat it.
    pub const BEGINNER: Level = Level(0);
    /// Full strength.
    pub const FULL: Level = Level(20);

    /// The level of this number; `None` above 20.
    pub const fn new(number: u8) -> Option<Level> {
        if number <= Level::FULL.0 { Some(Level(number)) } else { None }
    }

    /// The number, 0 to 20.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The level nearest to a rating on the engine's own scale.
    pub fn from_elo(elo: u32) -> Level {
        let above = elo.saturating_sub(Level::LEAST_ELO);
        Level((above / Level::ELO_A_LEVEL).min(u32::from(Level::FULL.0) - 1) as u8)
    }

    /// The rating of the weakest level, on a scale of the engine's own.
    pub const LEAST_ELO: u32 = 500;
    /// The rating of the strongest level that is limited.
    pub const MOST_ELO: u32 = Level::LEAST_ELO + Level::ELO_A_LEVEL * 19;
    const ELO_A_LEVEL: u32 = 100;

    /// Where the level lies on the scale of strength, from 0 to 19.
    fn strength(self) -> f64 {
        let elo = ELO_APART * f64::from(self.0.min(19));
        let above =
            MEASURED.iter().position(|&(_, known)| known >= elo).unwrap_or(MEASURED.len() - 1);
        let (from, to) = (MEASURED[above.saturating_sub(1)], MEASURED[above.max(1)]);
        from.0 + (to.0 - from.0) * (elo - from.1) / (to.1 - from.1)
    }

    /// The node limit; `None` at full strength.
    pub(crate) fn nodes(self) -> Option<u64> {
        (self != Level::FULL).then(|| (400.0 * 1.35_f64.powf(self.strength())) as u64)
    }

    /// How many moves it chooses from.
    pub(crate) fn lines(self) -> usize {
        if self == Level::FULL { 1 } else { 32 }
    }

    /// Chooses one of the lines found, best first: its index.
    pub(crate) fn choose(self, lines: &[Line], rng: &mut Rng) -> usize {
        if self == Level::FULL {
            return 0;
        }
        let mut chance = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        if let Some(index) = lines.iter().position(|line| line.score == Score::win_in(1)) {
            return index;
        }
        // The lowest levels now and then move at random.
        let careless = 0.04 * (10.0 - self.strength()).max(0.0);
        if chance() < careless {
            return (chance() * lines.len() as f64) as usize;
        }
        // By how much a move may be worse than the best and still be played now and then.
        let slack = 200.0 * 0.85_f64.powf(self.strength());
        let mut best = (f64::NEG_INFINITY, 0);
        for (index, line) in lines.iter().enumerate() {
            let worth = match line.score.verdict() {
                Verdict::Known(Truth::Win(plies)) => 2000.0 - f64::from(plies),
                Verdict::Known(Truth::Draw) => 0.0,
                // Not searched.
                Verdict::Known(Truth::Loss(0)) => continue,
                Verdict::Known(Truth::Loss(plies)) => f64::from(plies) - 2000.0,
                Verdict::Estimate(value) => f64::from(value.clamp(-1500, 1500)),
            };
            // Gumbel noise makes the choice proportional to exp(score / slack).
            let noisy = worth - slack * (-(chance().max(1e-12)).ln()).ln();
            if noisy > best.0 {
                best = (noisy, index);
            }
        }
        best.1
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::FULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow() {
        let levels: Vec<Level> = (0..=20).filter_map(Level::new).collect();
        assert_eq!(levels.len(), 21);
        assert!(Level::new(21).is_none());
        let nodes: Vec<u64> = levels.iter().filter_map(|level| level.nodes()).collect();
        assert_eq!(nodes.len(), 20);
        assert!(nodes.is_sorted_by(|one, next| one < next) && nodes[0] < 1000);
        let strength: Vec<f64> = levels[..20].iter().map(|level| level.strength()).collect();
        assert!(strength.is_sorted_by(|one, next| one < next), "{strength:?}");
        assert!(strength[0] == 0.0 && (strength[19] - 19.0).abs() < 1e-9);
        assert!((levels[12].strength() - 12.0).abs() < 0.2, "measured at 12: 1110 of 1760 points");
        assert_eq!(Level::from_elo(0), Level::BEGINNER);
        assert_eq!(Level::from_elo(Level::MOST_ELO).number(), 19);
        assert!(Level::from_elo(900) < Level::from_elo(1800));
    }
}
