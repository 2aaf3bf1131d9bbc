//! Measurements of played games: who won, how deep each player searched, and how often boards were cut.

use std::collections::BTreeMap;

use game::score::ReportedScore;
use lab::record::{Archive, RecordError, RecordedGame};
use lab::standing::{Scoreboard, Tally};
use players::SplitStatistics;

use super::configuration::BURNETT_GAMES;

/// The measurements of a match.
#[derive(Clone, Debug)]
pub struct Measures {
    /// The score of the first player.
    pub tally: Tally,
    /// The same for the games that begin at Burnett's positions.
    pub burnett_tally: Tally,
    /// The two players.
    pub players: [PlayerMeasures; 2],
    /// Plies played in all.
    pub plies: u64,
    /// A digest of all games.
    pub digest: String,
    /// Games lost because a player failed.
    pub faults: usize,
}

/// The measurements of a player.
#[derive(Clone, Debug, Default)]
pub struct PlayerMeasures {
    /// How many moves ended their search at which depth.
    pub depths: BTreeMap<u32, u64>,
    /// The same without moves whose search saw the end of the game, and stopped there.
    pub open_depths: BTreeMap<u32, u64>,
    /// Nodes visited in all.
    pub nodes: u64,
    /// Cuts in all games.
    pub splits: SplitStatistics,
    /// The share of moves with a cut, game by game.
    pub split_frequencies: Vec<f64>,
}

impl PlayerMeasures {
    /// The mean depth in plies; NaN if there were no moves.
    pub fn mean_depth(&self) -> f64 {
        mean(&self.depths)
    }

    /// The mean depth of searches that did not see the end of the game.
    pub fn mean_open_depth(&self) -> f64 {
        mean(&self.open_depths)
    }

    /// Adds the measurements of the same player in another match.
    pub fn merge(&mut self, other: &PlayerMeasures) {
        for (into, from) in
            [(&mut self.depths, &other.depths), (&mut self.open_depths, &other.open_depths)]
        {
            from.iter().for_each(|(depth, count)| *into.entry(*depth).or_default() += count);
        }
        self.nodes += other.nodes;
        self.splits.merge(&other.splits);
        self.split_frequencies.extend(&other.split_frequencies);
    }
}

fn mean(counts: &BTreeMap<u32, u64>) -> f64 {
    let total: u64 = counts.values().sum();
    let sum: u64 = counts.iter().map(|(depth, count)| u64::from(*depth) * count).sum();
    sum as f64 / total as f64
}

/// Reads the games of a match.
///
/// # Errors
///
/// If a record cannot be read.
pub fn measure(archive: &Archive) -> Result<Measures, RecordError> {
    let document = &archive.document;
    let scoreboard = || Scoreboard::of(document.players.clone(), document.games, None);
    let (mut all, mut burnett) = (scoreboard(), scoreboard());
    // By number, so that the order of the files does not matter.
    let mut frequencies: [BTreeMap<u64, f64>; 2] = Default::default();
    let mut players: [PlayerMeasures; 2] = Default::default();
    archive.for_each_game(|row| {
        let finished = row.finished();
        if row.game < BURNETT_GAMES {
            burnett.add(finished.clone());
        }
        all.add(finished);
        for (at, player) in players.iter_mut().enumerate() {
            let splits = player.see(&row, at);
            frequencies[at].extend(splits.frequency().map(|share| (row.game, share)));
        }
    })?;
    for (player, frequencies) in players.iter_mut().zip(frequencies) {
        player.split_frequencies = frequencies.into_values().collect();
    }
    let standing = all.standing();
    Ok(Measures {
        tally: standing.first_pairing(),
        burnett_tally: burnett.standing().first_pairing(),
        players,
        plies: standing.plies,
        digest: standing.digest,
        faults: standing.faults.len(),
    })
}

impl PlayerMeasures {
    /// Adds the moves of a player in a game, and returns how often the board was cut.
    fn see(&mut self, row: &RecordedGame, player: usize) -> SplitStatistics {
        let mut splits = SplitStatistics::default();
        let moves = row.played.moves.iter().enumerate();
        let own = moves.filter(|(ply, _)| row.mover(*ply) == player);
        for (_, played) in own {
            let info = &played.choice.info;
            splits.record(&info.parts);
            self.nodes += info.nodes.unwrap_or(0);
            if let Some(depth) = info.depth {
                *self.depths.entry(depth).or_default() += 1;
                if !matches!(info.score, Some(ReportedScore::Mate(_))) {
                    *self.open_depths.entry(depth).or_default() += 1;
                }
            }
        }
        self.splits.merge(&splits);
        splits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::burnett::configuration::{CONFIGURATIONS, Effort};
    use lab::contest::{Contest, Silent};
    use lab::record::Provenance;

    #[test]
    fn depths_and_cuts_are_read_off_the_games() {
        let folder = tempfile::tempdir().unwrap();
        let settings = CONFIGURATIONS[1].settings(Effort::Depth(2), 10, 1).unwrap();
        let settings = lab::Settings { move_limit: 25, ..settings };
        let contest = Contest::new(settings).unwrap();
        let contest = contest.recorded_in(folder.path().to_owned(), false, Provenance::default());
        let report = contest.run(&mut Silent).unwrap();
        let measures = measure(&Archive::open(folder.path()).unwrap()).unwrap();
        assert_eq!(measures.tally, report.standing.first_pairing());
        assert_eq!(measures.burnett_tally, measures.tally);
        assert_eq!(measures.plies, report.standing.plies);
        let [split, plain] = &measures.players;
        assert_eq!(split.splits.choices + plain.splits.choices, measures.plies);
        assert!(split.splits.splits > 0 && plain.splits.splits == 0);
        assert_eq!(split.split_frequencies.len(), 10);
        assert!((split.mean_depth() - 2.0).abs() < 0.3 && split.mean_open_depth() == 2.0);
        let mut twice = split.clone();
        twice.merge(split);
        assert_eq!(twice.splits.choices, 2 * split.splits.choices);
        assert_eq!(twice.mean_depth(), split.mean_depth());
    }
}
