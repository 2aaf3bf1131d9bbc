//! The standings of a contest: who beat whom, in games and in pairs.
//!
//! A sequential test must not depend on which games happen to finish first, or quick wins would
//! count before slow draws. So pairs are counted in the order of their numbers, and the test ends at
//! the first pair in that order at which it is decided: games beyond that, which other threads had
//! begun, stay in the record but are not counted. The decision is then the same on any number of
//! threads.

use std::collections::BTreeMap;

use crate::Settings;
use crate::record::Finished;
use crate::referee::End;
use crate::schedule::Schedule;
use crate::stats::{Pentanomial, Sprt, SprtDecision};

/// Win-draw-loss counts and pentanomial counts between two players, seen by the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Whole pairs of games by their score.
    pub pairs: Pentanomial,
}

impl Tally {
    /// How many games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points made.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points made for every game.
    pub fn score(&self) -> f64 {
        self.points() / self.games() as f64
    }

    /// The same seen by the other player.
    #[must_use]
    pub fn reversed(self) -> Tally {
        Tally { wins: self.losses, losses: self.wins, pairs: self.pairs.reversed(), ..self }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Tally) -> Tally {
        Tally {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            pairs: self.pairs.plus(other.pairs),
        }
    }

    fn count(&mut self, half_points: usize) {
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] += 1;
    }
}

/// The scoreboard: all finished games of a contest, and the state of its test.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    names: Vec<String>,
    schedule: Schedule,
    sprt: Option<Sprt>,
    games: BTreeMap<u64, Finished>,
    /// How many pairs from the first on are complete and have been given to the test.
    tested: u64,
    tested_pairs: Pentanomial,
    decision: Option<SprtDecision>,
}

/// The standings of a contest.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The players.
    pub names: Vec<String>,
    /// Between each two players, the one with the lower number first.
    pub pairings: Vec<(usize, usize, Tally)>,
    /// How games ended.
    pub ends: BTreeMap<End, u64>,
    /// Games lost because a player failed: the number, and why.
    pub faults: Vec<(u64, String)>,
    /// Plies played in all.
    pub plies: u64,
    /// The test, if there is one.
    pub test: Option<SprtState>,
    /// A digest of all counted games: their openings, moves and results, in order.
    pub digest: String,
    /// How many games there are to play.
    pub scheduled: u64,
    /// Games played beyond the end of the test.
    pub uncounted: u64,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtState {
    /// The test.
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The pairs it is computed from.
    pub pairs: Pentanomial,
    /// The decision; `None` while the test goes on.
    pub decision: Option<SprtDecision>,
}

impl Scoreboard {
    /// No games yet.
    pub fn new(settings: &Settings) -> Scoreboard {
        Scoreboard::of(settings.names(), settings.games, settings.sprt)
    }

    /// No games yet between these players.
    pub fn of(names: Vec<String>, games_a_pairing: u64, sprt: Option<Sprt>) -> Scoreboard {
        let schedule = Schedule::new(names.len(), games_a_pairing);
        Scoreboard {
            names,
            schedule,
            sprt,
            games: BTreeMap::new(),
            tested: 0,
            tested_pairs: Pentanomial::default(),
            decision: None,
        }
    }

    /// Counts a finished game.
    pub fn add(&mut self, game: Finished) {
        self.games.insert(game.game, game);
        let Some(sprt) = self.sprt else { return };
        while self.decision.is_none() {
            let Some(half_points) = self.pair(self.tested) else { break };
            self.tested_pairs.count(half_points);
            self.tested += 1;
            self.decision = sprt.decide(&self.tested_pairs);
        }
    }

    /// Whether a game has been played.
    pub fn has(&self, number: u64) -> bool {
        self.games.contains_key(&number)
    }

    /// How many games have been played.
    pub fn len(&self) -> u64 {
        self.games.len() as u64
    }

    /// Whether nothing has been played.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The decision of the test; `None` while it goes on or if there is none.
    pub fn decision(&self) -> Option<SprtDecision> {
        self.decision
    }

    /// The half points that the first of the pairing made in a pair of games, if both are finished.
    fn pair(&self, pair: u64) -> Option<usize> {
        let (one, _) = self.schedule.pairings()[self.schedule.pairing_of(pair)];
        let of = |number| self.games.get(&number).map(|game| half_points(game, one));
        Some(of(2 * pair)? + of(2 * pair + 1)?)
    }

    /// How the contest stands.
    pub fn standing(&self) -> Standing {
        let last = if self.decision.is_some() { 2 * self.tested } else { u64::MAX };
        let pairings = self.schedule.pairings();
        let mut tallies = vec![Tally::default(); pairings.len()];
        let (mut ends, mut faults, mut plies) = (BTreeMap::new(), Vec::new(), 0);
        let mut hasher = blake3::Hasher::new();
        for (&number, game) in self.games.range(..last) {
            let pair = number / 2;
            let at = self.schedule.pairing_of(pair);
            tallies[at].count(half_points(game, pairings[at].0));
            if number % 2 == 1 {
                self.pair(pair).into_iter().for_each(|points| tallies[at].pairs.count(points));
            }
            *ends.entry(game.end).or_default() += 1;
            faults.extend(game.fault.clone().map(|why| (number, why)));
            plies += game.plies as u64;
            hasher.update(&number.to_le_bytes()).update(&game.digest);
        }
        Standing {
            names: self.names.clone(),
            pairings: pairings.into_iter().zip(tallies).map(|((a, b), t)| (a, b, t)).collect(),
            ends,
            faults,
            plies,
            test: self.sprt.map(|sprt| SprtState {
                sprt,
                llr: sprt.llr(&self.tested_pairs),
                pairs: self.tested_pairs,
                decision: self.decision,
            }),
            digest: hasher.finalize().to_hex()[..16].to_owned(),
            scheduled: self.schedule.games(),
            uncounted: self.games.range(last..).count() as u64,
        }
    }
}

fn half_points(game: &Finished, player: usize) -> usize {
    if game.players.white == player { game.white_half_points } else { 2 - game.white_half_points }
}

/// A player's place in a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The player's number.
    pub player: usize,
    /// All games of the player.
    pub tally: Tally,
}

impl Standing {
    /// The first pairing, which is all there is in a match.
    pub fn first_pairing(&self) -> Tally {
        self.pairings.first().map(|(_, _, tally)| *tally).unwrap_or_default()
    }

    /// The games of one player against another, seen by the first.
    pub fn between(&self, one: usize, other: usize) -> Option<Tally> {
        self.pairings.iter().find_map(|&(a, b, tally)| match (a, b) {
            pair if pair == (one, other) => Some(tally),
            pair if pair == (other, one) => Some(tally.reversed()),
            _ => None,
        })
    }

    /// The players, the best score first; of equal ones, the one named first.
    pub fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = (0..self.names.len())
            .map(|player| {
                let others = (0..self.names.len()).filter_map(|other| self.between(player, other));
                Place { player, tally: others.fold(Tally::default(), Tally::plus) }
            })
            .collect();
        places.sort_by(|one, other| {
            other.tally.score().total_cmp(&one.tally.score()).then(one.player.cmp(&other.player))
        });
        places
    }

    /// How many games are counted.
    pub fn games(&self) -> u64 {
        self.pairings.iter().map(|(_, _, tally)| tally.games()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jungle::ByColor;

    fn game(schedule: &Schedule, number: u64, white_half_points: usize) -> Finished {
        let players: ByColor<usize> = schedule.fixture(number).players;
        let (end, fault, plies) = (End::TooLong, None, 10);
        let digest = [white_half_points as u8; 32];
        Finished { game: number, players, white_half_points, end, fault, plies, digest }
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("player {at}")).collect()
    }

    #[test]
    fn pairs_are_seen_by_the_first_player() {
        let schedule = Schedule::new(2, 6);
        let mut scoreboard = Scoreboard::of(names(2), 6, None);
        // White always wins, then a win with each colour, then a draw and an unfinished game.
        for (number, points) in [(0, 2), (1, 2), (2, 2), (3, 0), (4, 1)] {
            scoreboard.add(game(&schedule, number, points));
        }
        let tally = scoreboard.standing().first_pairing();
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 1, 1));
        assert_eq!(tally.pairs, Pentanomial([0, 0, 1, 0, 1]), "the half pair does not count");
        assert_eq!(tally.reversed().pairs, Pentanomial([1, 0, 1, 0, 0]));
        assert_eq!(tally.points(), 3.5);
    }

    #[test]
    fn a_test_ends_at_the_same_pair_whatever_finishes_first() {
        let sprt: Sprt = "0,50".parse().unwrap();
        let schedule = Schedule::new(2, 400);
        // The first player wins with White, and draws with Black.
        let games: Vec<Finished> =
            (0..400).map(|n| game(&schedule, n, if n % 2 == 0 { 2 } else { 1 })).collect();
        let mut in_order = Scoreboard::of(names(2), 400, Some(sprt));
        games.iter().for_each(|game| in_order.add(game.clone()));
        let mut backwards = Scoreboard::of(names(2), 400, Some(sprt));
        games.iter().rev().for_each(|game| backwards.add(game.clone()));
        let (one, other) = (in_order.standing(), backwards.standing());
        assert_eq!(one.test.unwrap().decision, Some(SprtDecision::H1));
        assert_eq!(one.test, other.test);
        assert_eq!((one.first_pairing(), one.digest), (other.first_pairing(), other.digest));
        assert!(one.uncounted > 0 && one.uncounted + one.pairings[0].2.games() == 400);
        assert_eq!(one.pairings[0].2.pairs, one.test.unwrap().pairs);
    }

    #[test]
    fn a_tournament_ranks_by_score() {
        let schedule = Schedule::new(3, 2);
        let mut scoreboard = Scoreboard::of(names(3), 2, None);
        for number in 0..schedule.games() {
            let players = schedule.fixture(number).players;
            // The higher number wins.
            let points = if players.white > players.black { 2 } else { 0 };
            scoreboard.add(game(&schedule, number, points));
        }
        let standing = scoreboard.standing();
        let order: Vec<usize> = standing.places().iter().map(|place| place.player).collect();
        assert_eq!(order, [2, 1, 0]);
        assert_eq!(standing.between(2, 0).unwrap().pairs, Pentanomial([0, 0, 0, 0, 1]));
        assert_eq!(standing.between(0, 2).unwrap().losses, 2);
        assert_eq!(standing.between(1, 1), None);
        assert_eq!(standing.places()[1].tally.points(), 2.0);
    }
}
