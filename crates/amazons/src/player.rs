//! The players of this crate by name: the champion and the published searches.

use std::fmt;
use std::str::FromStr;

use game::limits::Limits;
use search::{Report, Schedule, deepen};

use crate::champion::{Champion, Settings};
use crate::divide::Divide;
use crate::evaluate::Weights;
use crate::{Move, Position};

/// A way to play.
///
/// ```
/// use amazons::player::Kind;
///
/// let kind: Kind = "champion:regions=off".parse()?;
/// assert_eq!(kind.to_string(), "champion:regions=off");
/// # Ok::<(), amazons::player::KindError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The [champion](Champion), or some of it.
    Champion(Settings),
    /// Alpha-beta over regions, as published.
    Regions,
    /// Plain alpha-beta.
    Plain,
}

impl Kind {
    /// All ways to play, the strongest first.
    pub const ALL: [Kind; 3] = [Kind::CHAMPION, Kind::Regions, Kind::Plain];
    /// The whole champion.
    pub const CHAMPION: Kind = Kind::Champion(Settings::DEFAULT);

    /// A player of this kind, who has seen nothing yet.
    pub fn player(self) -> Player {
        let weights = Weights::default();
        match self {
            Kind::Champion(settings) => Player::Champion(Box::new(Champion::new(settings))),
            Kind::Regions => Player::Divide(Divide::new(weights)),
            Kind::Plain => Player::Divide(Divide::plain(weights)),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Regions => f.write_str("regions"),
            Kind::Plain => f.write_str("plain"),
            Kind::Champion(settings) => {
                f.write_str("champion")?;
                let switches = [
                    ("regions", settings.regions),
                    ("selective", settings.selective),
                    ("table", settings.table),
                ];
                let off = switches.into_iter().filter(|(_, on)| !on);
                for (at, (name, _)) in off.enumerate() {
                    write!(f, "{}{name}=off", if at == 0 { ':' } else { ',' })?;
                }
                Ok(())
            }
        }
    }
}

/// A text that is not the name of a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no player '{0}'; there are champion[:regions=off,selective=off,table=off], regions and plain"
)]
pub struct KindError(String);

impl FromStr for Kind {
    type Err = KindError;

    fn from_str(text: &str) -> Result<Kind, KindError> {
        let (name, switches) = text.split_once(':').unwrap_or((text, ""));
        let wrong = || KindError(text.to_owned());
        match name {
            "regions" if switches.is_empty() => Ok(Kind::Regions),
            "plain" if switches.is_empty() => Ok(Kind::Plain),
            "champion" => {
                let mut settings = Settings::DEFAULT;
                for switch in switches.split(',').filter(|switch| !switch.is_empty()) {
                    let (name, value) = switch.split_once('=').ok_or_else(wrong)?;
                    let on = match value {
                        "on" => true,
                        "off" => false,
                        _ => return Err(wrong()),
                    };
                    match name {
                        "regions" => settings.regions = on,
                        "selective" => settings.selective = on,
                        "table" => settings.table = on,
                        _ => return Err(wrong()),
                    }
                }
                Ok(Kind::Champion(settings))
            }
            _ => Err(wrong()),
        }
    }
}

/// A player in a game.
#[derive(Debug)]
pub enum Player {
    /// The champion.
    Champion(Box<Champion>),
    /// A published search.
    Divide(Divide),
}

impl Player {
    /// Searches deeper and deeper until a limit is met or the game is decided.
    pub fn think(&mut self, position: &Position, limits: &Limits) -> Report<Move> {
        match self {
            Player::Champion(champion) => champion.think(position, limits, |_| ()),
            Player::Divide(search) => deepen(search, position, Schedule::EVERY_PLY, limits, |_| ()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_and_others_are_refused() {
        for text in ["champion", "champion:regions=off,table=off", "regions", "plain"] {
            assert_eq!(text.parse::<Kind>().unwrap().to_string(), text);
        }
        for text in ["", "Plain", "plain:table=off", "champion:x=off", "champion:table=1"] {
            assert!(text.parse::<Kind>().is_err(), "{text}");
        }
    }
}
