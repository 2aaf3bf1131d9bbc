//! The round-robin schedule: who plays whom in which game, and with which seeds.
//!
//! Games are numbered from 0 and come in pairs: the same players from the same opening, colours
//! exchanged. With more than two players, a round is a pair between any two of them, all from one
//! opening. Everything about a game follows from its number, so that any part of a contest can be
//! played anywhere, in any order.

use std::fmt;
use std::str::FromStr;

use game::rng::mix;
use jungle::ByColor;

/// Who plays whom.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    players: usize,
    games: u64,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number.
    pub number: u64,
    /// Which opening it begins with.
    pub round: u64,
    /// Who has which colour.
    pub players: ByColor<usize>,
}

impl Schedule {
    /// All pairings of this many players, each with this many games, an even number.
    pub fn new(players: usize, games_a_pairing: u64) -> Schedule {
        let mut schedule = Schedule { players, games: 0 };
        schedule.games = games_a_pairing * schedule.pairings().len() as u64;
        schedule
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// All pairings, the player with the lower number first.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let all = 0..self.players;
        all.flat_map(|one| (one + 1..self.players).map(move |other| (one, other))).collect()
    }

    /// Which pairing a pair of games belongs to.
    pub fn pairing_of(&self, pair: u64) -> usize {
        (pair % self.pairings().len() as u64) as usize
    }

    /// The game with this number.
    pub fn fixture(&self, number: u64) -> Fixture {
        let pairings = self.pairings();
        let pair = number / 2;
        let (one, other) = pairings[self.pairing_of(pair)];
        let colours = ByColor { white: one, black: other };
        Fixture {
            number,
            round: pair / pairings.len() as u64,
            players: if number.is_multiple_of(2) { colours } else { colours.swapped() },
        }
    }
}

/// The seeds of the two players in a game.
pub fn seeds(contest_seed: u64, number: u64) -> ByColor<u64> {
    let game = mix(contest_seed ^ mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    ByColor { white: mix(game.wrapping_add(1)), black: mix(game.wrapping_add(2)) }
}

/// A shard: one of several parts of a contest, divided by pairs. It prints as `2/8`.
///
/// ```
/// use lab::schedule::Shard;
///
/// let shard: Shard = "2/8".parse()?;
/// assert!(shard.has(2) && shard.has(3) && !shard.has(4) && shard.has(18));
/// assert!("9/8".parse::<Shard>().is_err());
/// # Ok::<(), lab::schedule::ParseShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// Which, counted from 1.
    pub index: u64,
    /// Out of how many.
    pub of: u64,
}

impl Shard {
    /// Whether a game belongs to this shard.
    pub fn has(self, number: u64) -> bool {
        number / 2 % self.of == self.index - 1
    }
}

/// The text is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a shard: write 1/8 for the first of eight parts")]
pub struct ParseShardError(String);

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let parts = text
            .split_once('/')
            .and_then(|(index, of)| Some((index.trim().parse().ok()?, of.trim().parse().ok()?)));
        match parts {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
            _ => Err(ParseShardError(text.to_owned())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn two_players_alternate() {
        let schedule = Schedule::new(2, 6);
        assert_eq!(schedule.games(), 6);
        for number in 0..6 {
            let fixture = schedule.fixture(number);
            assert_eq!(fixture.round, number / 2);
            assert_eq!(fixture.players.white, (number % 2) as usize);
            assert_eq!(fixture.players.black, 1 - fixture.players.white);
        }
    }

    #[test]
    fn everybody_plays_everybody_with_both_colours_from_the_same_openings() {
        let schedule = Schedule::new(4, 10);
        assert_eq!(schedule.games(), 60);
        let mut met: HashMap<(usize, usize, u64), u32> = HashMap::new();
        for number in 0..schedule.games() {
            let Fixture { players, round, .. } = schedule.fixture(number);
            *met.entry((players.white, players.black, round)).or_default() += 1;
        }
        assert_eq!(met.len(), 4 * 3 * 5);
        assert!(met.values().all(|&times| times == 1));
    }

    #[test]
    fn shards_divide_the_pairs() {
        for of in 1..5 {
            for number in 0..40 {
                let owners: Vec<u64> =
                    (1..=of).filter(|&index| Shard { index, of }.has(number)).collect();
                assert_eq!(owners.len(), 1);
                assert!(Shard { index: owners[0], of }.has(number ^ 1), "pairs stay together");
            }
        }
        for wrong in ["", "1", "0/3", "4/3", "a/b", "1/0", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn seeds_differ_between_games_sides_and_contests() {
        let all: Vec<u64> = (0..3)
            .flat_map(|contest| (0..100).map(move |number| seeds(contest, number)))
            .flat_map(|seeds| [seeds.white, seeds.black])
            .collect();
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
    }
}
