//! The published values of Burnett's chapter 11. Figure 21 is a set of charts, read off to about three per cent
//! of their axes.

use players::Algorithm;

/// Games won, drawn and lost by the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl MatchResult {
    /// How many games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The mean score of a game, from 0 to 1.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games() as f64
    }

    /// The standard error of the score, as far as games are independent of each other.
    pub fn standard_error(&self) -> f64 {
        let (games, mean) = (self.games() as f64, self.score());
        let square = (self.wins as f64 + self.draws as f64 / 4.0) / games - mean * mean;
        (square / games).sqrt()
    }
}

const fn result(wins: u64, draws: u64, losses: u64) -> MatchResult {
    MatchResult { wins, draws, losses }
}

/// Figure 19: the four configurations, 30 seconds a move.
pub const FIGURE_19: [MatchResult; 4] =
    [result(15, 18, 7), result(10, 24, 6), result(3, 20, 17), result(6, 20, 14)];

/// Figures 22 and 23: seconds a move, the result of both against ordering, and both's mean depth.
pub const FIGURES_22_23: [(u32, MatchResult, f64); 3] =
    [(30, result(6, 20, 14), 9.28), (5, result(10, 21, 9), 8.19), (2, result(8, 19, 13), 7.85)];

/// Figure 20: the mean depth of a player, in plies; players that Burnett does not have count as the
/// one they are derived from.
pub const fn mean_depth(player: Algorithm) -> f64 {
    match player {
        Algorithm::Plain => 7.76,
        Algorithm::Ordering | Algorithm::Exact | Algorithm::Guided { .. } => 8.97,
        Algorithm::Split { .. } => 8.06,
        Algorithm::Both { .. } | Algorithm::Verified { .. } => 9.28,
    }
}

/// Figure 21 (a): games by the share of positions that were cut, in bins of a thirtieth from 0 on.
pub const SPLIT_FREQUENCY: [u64; 11] = [40, 29, 20, 28, 11, 13, 15, 9, 11, 9, 1];

/// How wide its bins are.
pub const FREQUENCY_BIN: f64 = 1.0 / 30.0;

/// Figure 21 (b) to (f): parts by size, from one piece on, for cuts into 2 to 6 parts.
pub const PART_SIZES: [(usize, &[u64]); 5] = [
    (2, &[1500, 270, 150, 130, 150, 150, 450, 260, 170, 165, 280, 360, 300, 770, 130]),
    (3, &[410, 165, 215, 190, 150, 105, 100, 105, 95, 90, 45, 28, 20, 12]),
    (4, &[238, 68, 80, 105, 90, 62, 37, 30, 10, 3, 2]),
    (5, &[67, 18, 41, 10, 26, 5, 4, 1, 5]),
    (6, &[12, 7, 3, 1, 7, 1]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_configuration_has_forty_games() {
        assert!(FIGURE_19.iter().all(|result| result.games() == 40));
        assert!(FIGURES_22_23.iter().all(|(_, result, _)| result.games() == 40));
        assert_eq!(FIGURE_19[3], FIGURES_22_23[0].1, "both figures show this match");
        assert!((FIGURE_19[0].score() - 0.6).abs() < 1e-12);
        // By the formula for a mean of wins, draws and losses: √((15 + 18/4)/40 - 0.36) / √40.
        assert!((FIGURE_19[0].standard_error() - 0.056_458).abs() < 1e-5);
    }
}
