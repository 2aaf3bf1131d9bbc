//! The experiments of chapter 11 of Burnett's thesis (2010): who played whom, from where and how deep, and
//! what is measured in the games.
//!
//! Burnett gave his players 30 seconds a move; what he prints is the depth they reached in it. On another
//! machine seconds mean nothing, so there are several ways to make the effort equal ([`Effort`]): the depths
//! that were reached, to which every player searches; a number of nodes; or a time. At fixed depths the players
//! remember positions in a table: their moves are the same (`players/tests/memory.rs`), and forty games take
//! minutes and not days.
//!
//! Games begin at Burnett's twenty positions, each played with both colours: forty games. Players without
//! randomness would only repeat themselves, so games beyond the fortieth begin at positions generated from the
//! seed.

use std::fmt;
use std::time::Duration;

use jungle::decompose::{Edges, Threshold};
use jungle::{Rules, Setup};
use lab::openings::{DEFAULT_PLIES, Generator, OpeningError};
use lab::{Openings, Settings, Spec, TimeControl};
use players::{Algorithm, Style};

use super::published;

/// How many games Burnett's positions are enough for.
pub const BURNETT_GAMES: u64 = 40;

/// How many nodes stand for Burnett's thirty seconds: with these, alpha-beta without heuristics reaches about
/// the depth that is printed (Figure 20 shows it).
pub const NODES_FOR_30_SECONDS: u64 = 8_000_000;

/// The table of players at a fixed depth, in MiB. It is new for every move, so it is small where the search
/// is short.
fn hash_for(depth: u32) -> usize {
    1 << depth.saturating_sub(5).min(3)
}

/// Two of Burnett's players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Whose wins are counted.
    pub first: Algorithm,
    /// The opponent.
    pub second: Algorithm,
    /// What the thesis leaves open about the games.
    pub conditions: Conditions,
}

/// What the thesis leaves open about its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conditions {
    /// How the players search.
    pub style: Style,
    /// Whether (m) to (t) are the usual start without a piece, and not as drawn.
    pub removal: bool,
    /// After how many moves of each side a game is drawn; those of the settings if none.
    pub move_limit: Option<u32>,
}

impl Conditions {
    const USUAL: Conditions = Conditions {
        style: Style {
            interrupted: players::Interrupted::Discard,
            depths: players::Depths::Even,
            ties: players::Ties::First,
            noise: 0,
        },
        removal: false,
        move_limit: None,
    };

    fn openings(self) -> Openings {
        if self.removal { Openings::BurnettRemoval } else { Openings::Burnett }
    }
}

const PLAIN: Algorithm = Algorithm::Plain;
const ORDERING: Algorithm = Algorithm::Ordering;
const SPLIT: Algorithm = Algorithm::Split { threshold: Threshold::Plies(4), cut: Edges::Above };
const BOTH: Algorithm = Algorithm::Both { threshold: Threshold::Plies(4), cut: Edges::Above };

/// The four configurations of Figure 19, in its order.
pub const CONFIGURATIONS: [Configuration; 4] = [
    Configuration::of(ORDERING, PLAIN),
    Configuration::of(SPLIT, PLAIN),
    Configuration::of(SPLIT, ORDERING),
    Configuration::of(BOTH, ORDERING),
];

/// As in `split v plain`.
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} v {}", self.first, self.second)
    }
}

/// The limit of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// Every player searches to its published mean depth, rounded to whole plies.
    PublishedDepth,
    /// All search to this depth.
    Depth(u32),
    /// All visit this many nodes.
    Nodes(u64),
    /// All take this long.
    Time(Duration),
}

impl Effort {
    /// A word for folders and tables, as in `8000000-nodes`.
    pub fn slug(&self) -> String {
        match self {
            Effort::PublishedDepth => "published-depth".to_owned(),
            Effort::Depth(depth) => format!("depth-{depth}"),
            Effort::Nodes(nodes) => format!("{nodes}-nodes"),
            Effort::Time(time) => format!("{}-seconds", time.as_secs_f64()),
        }
    }

    /// Whether the same seed gives the same games.
    pub fn is_reproducible(&self) -> bool {
        !matches!(self, Effort::Time(_))
    }

    fn depth_of(&self, algorithm: Algorithm) -> Option<u32> {
        match self {
            Effort::PublishedDepth => Some(published_depth(algorithm)),
            Effort::Depth(depth) => Some(*depth),
            Effort::Nodes(_) | Effort::Time(_) => None,
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::PublishedDepth => {
                let depths = Algorithm::ALL
                    .map(|player| format!("{} {}", player.name(), published_depth(player)));
                write!(f, "published depths ({})", depths.join(", "))
            }
            Effort::Depth(depth) => write!(f, "depth {depth}"),
            Effort::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Effort::Time(time) => write!(f, "{} s a move", time.as_secs_f64()),
        }
    }
}

/// The mean depth that Figure 20 gives a player, rounded.
pub fn published_depth(player: Algorithm) -> u32 {
    published::mean_depth(player).round() as u32
}

impl Configuration {
    const fn of(first: Algorithm, second: Algorithm) -> Configuration {
        Configuration { first, second, conditions: Conditions::USUAL }
    }

    /// The match as Burnett played it.
    ///
    /// # Errors
    ///
    /// If there are not enough openings for this many games.
    pub fn settings(
        &self,
        effort: Effort,
        games: u64,
        seed: u64,
    ) -> Result<Settings, OpeningError> {
        let spec = |algorithm: Algorithm| -> Spec {
            let depth = effort.depth_of(algorithm);
            let parameters: Vec<String> = [
                algorithm.threshold().map(|threshold| format!("threshold={threshold}")),
                (algorithm.edges() == Edges::AtLeast).then(|| "cut=at-least".to_owned()),
                Some(self.conditions.style.to_string()).filter(|style| !style.is_empty()),
                depth.map(|depth| format!("depth={depth},hash={}", hash_for(depth))),
            ]
            .into_iter()
            .flatten()
            .collect();
            let text = match parameters.is_empty() {
                true => algorithm.name().to_owned(),
                false => format!("{}:{}", algorithm.name(), parameters.join(",")),
            };
            text.parse().expect("Burnett's players are players")
        };
        let time_control = match effort {
            Effort::PublishedDepth => {
                TimeControl::Depth(published_depth(self.first).max(published_depth(self.second)))
            }
            Effort::Depth(depth) => TimeControl::Depth(depth),
            Effort::Nodes(nodes) => TimeControl::Nodes(nodes),
            Effort::Time(time) => TimeControl::Time(time),
        };
        let usual = Settings::new(vec![spec(self.first), spec(self.second)], time_control);
        Ok(Settings {
            rules: Rules::TUFTS,
            seed,
            games,
            openings: openings(self.conditions.openings(), games, seed)?,
            move_limit: self.conditions.move_limit.unwrap_or(usual.move_limit),
            // A slow search must not lose a game.
            patience: Duration::from_secs(24 * 60 * 60),
            margin: Duration::from_secs(1),
            ..usual
        })
    }

    /// The name of a folder for its games.
    pub fn folder(&self, effort: Effort, games: u64, seed: u64) -> String {
        let (one, other) = (self.first.name(), self.second.name());
        let mut name = format!("{one}-v-{other}-{}-{games}-games-seed-{seed}", effort.slug());
        let Conditions { style, removal, move_limit } = self.conditions;
        if [self.first, self.second].iter().any(|player| player.edges() == Edges::AtLeast) {
            name.push_str("-at-least");
        }
        if removal {
            name.push_str("-removal");
        }
        if let Some(moves) = move_limit {
            name.push_str(&format!("-{moves}-moves"));
        }
        for switch in style.to_string().split(',').filter(|switch| !switch.is_empty()) {
            name.push_str(&format!("-{}", switch.replace('=', "-")));
        }
        name
    }
}

/// Burnett's positions, and for games beyond the fortieth generated ones.
fn openings(first: Openings, games: u64, seed: u64) -> Result<Openings, OpeningError> {
    if games <= BURNETT_GAMES {
        return Ok(first);
    }
    let mut source = first.source(Rules::TUFTS, seed);
    let mut setups: Vec<Setup> =
        (0..BURNETT_GAMES / 2).map(|at| source.get(at)).collect::<Result<_, _>>()?;
    let mut generator = Generator::new(Rules::TUFTS, seed, DEFAULT_PLIES);
    while (setups.len() as u64) < games.div_ceil(2) {
        setups.push(Setup::from(&generator.next_opening()?));
    }
    Ok(Openings::List(setups))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_begin_at_burnetts_positions_first() {
        let settings = |games| CONFIGURATIONS[3].settings(Effort::Nodes(10), games, 1).unwrap();
        assert_eq!(settings(40).openings, Openings::Burnett);
        let (few, many) = (settings(40), settings(48));
        let mut sources = [few, many].map(|settings| settings.openings.source(Rules::TUFTS, 1));
        let [few, many] = &mut sources;
        for at in 0..20 {
            assert_eq!(few.get(at), many.get(at));
        }
        assert_ne!(few.get(20), many.get(20), "the twenty-first is new");
    }

    #[test]
    fn efforts_limit_the_players() {
        let names = |effort| CONFIGURATIONS[1].settings(effort, 2, 1).unwrap().names();
        let deep = names(Effort::PublishedDepth);
        assert_eq!(deep, ["split:threshold=4,depth=8,hash=8", "plain:depth=8,hash=8"]);
        assert_eq!(names(Effort::Nodes(5)), ["split:threshold=4", "plain"]);
        let folder = CONFIGURATIONS[1].folder(Effort::PublishedDepth, 40, 1);
        assert_eq!(folder, "split-v-plain-published-depth-40-games-seed-1");
    }
}
