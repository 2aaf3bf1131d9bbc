//! A combination of the switches that Burnett's thesis leaves open.

use std::fmt;
use std::str::FromStr;

use jungle::decompose::Edges;
use players::{Algorithm, Depths, Interrupted, Style, Ties};

use crate::burnett::configuration::{Conditions, Configuration};

/// One way to fill in what the thesis leaves open. As text, what differs from the defaults, as in
/// `cut=at-least,start=removal,interrupted=root`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Combination {
    /// Whether edges as heavy as the threshold are cut.
    pub cut: Edges,
    /// Whether (m) to (t) are the usual start without a piece.
    pub removal: bool,
    /// How the players search.
    pub style: Style,
}

/// A text is not a combination.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a combination: expected some of cut=above|at-least, start=drawn|removal, \
     interrupted=discard|root|static, depths=even|every|odd, ties=first|random and noise=0…90, joined by commas"
)]
pub struct ParseCombinationError(String);

impl Combination {
    /// All that a factorial study compares: every switch with every other.
    pub fn all() -> Vec<Combination> {
        let mut all = Vec::new();
        for cut in [Edges::Above, Edges::AtLeast] {
            for removal in [false, true] {
                for interrupted in Interrupted::ALL {
                    for (depths, _) in Depths::ALL {
                        for (ties, _) in Ties::ALL {
                            for noise in [0, 10] {
                                let style = Style { interrupted, depths, ties, noise };
                                all.push(Combination { cut, removal, style });
                            }
                        }
                    }
                }
            }
        }
        all
    }

    /// The defaults of this library, the combination that an earlier examination found best, and what differs from it by
    /// one switch.
    pub fn usual() -> Vec<Combination> {
        let best = Combination {
            cut: Edges::AtLeast,
            removal: true,
            style: Style { interrupted: Interrupted::Root, noise: 10, ..Style::default() },
        };
        let styled = |change: &dyn Fn(&mut Style)| {
            let mut changed = best;
            change(&mut changed.style);
            changed
        };
        vec![
            Combination::default(),
            best,
            Combination { cut: Edges::Above, ..best },
            Combination { removal: false, ..best },
            styled(&|style| style.interrupted = Interrupted::Discard),
            styled(&|style| style.interrupted = Interrupted::Static),
            styled(&|style| style.depths = Depths::Every),
            styled(&|style| style.depths = Depths::Odd),
            styled(&|style| style.ties = Ties::Random),
            styled(&|style| style.noise = 0),
        ]
    }

    /// A configuration played this way, to a limit of moves of each side.
    pub fn of(self, configuration: Configuration, move_limit: u32) -> Configuration {
        let cut = |player: Algorithm| match player {
            Algorithm::Split { threshold, .. } => Algorithm::Split { threshold, cut: self.cut },
            Algorithm::Both { threshold, .. } => Algorithm::Both { threshold, cut: self.cut },
            other => other,
        };
        let (style, removal) = (self.style, self.removal);
        Configuration {
            first: cut(configuration.first),
            second: cut(configuration.second),
            conditions: Conditions { style, removal, move_limit: Some(move_limit) },
        }
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut switches = Vec::new();
        if self.cut == Edges::AtLeast {
            switches.push("cut=at-least".to_owned());
        }
        if self.removal {
            switches.push("start=removal".to_owned());
        }
        switches.extend(Some(self.style.to_string()).filter(|style| !style.is_empty()));
        f.write_str(&if switches.is_empty() { "defaults".to_owned() } else { switches.join(",") })
    }
}

impl FromStr for Combination {
    type Err = ParseCombinationError;

    fn from_str(text: &str) -> Result<Combination, ParseCombinationError> {
        let refused = || ParseCombinationError(text.to_owned());
        let mut found = Combination::default();
        if text == "defaults" {
            return Ok(found);
        }
        for switch in text.split(',') {
            match switch.split_once('=').ok_or_else(refused)? {
                ("cut", value) => found.cut = value.parse().map_err(|_| refused())?,
                ("start", "drawn") => found.removal = false,
                ("start", "removal") => found.removal = true,
                (name, value) => found.style.set(name, value).map_err(|_| refused())?,
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_come_back_as_they_were_written() {
        for combination in Combination::all().into_iter().chain(Combination::usual()) {
            assert_eq!(combination.to_string().parse(), Ok(combination));
        }
        assert_eq!(Combination::all().len(), 2 * 2 * 3 * 3 * 2 * 2);
        for text in ["", "cut", "cut=below", "start=x", "speed=1"] {
            let error = text.parse::<Combination>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{text}' is not a combination")), "{error}");
        }
    }

    #[test]
    fn games_are_played_as_the_combination_says() {
        use crate::burnett::configuration::{CONFIGURATIONS, Effort};
        let combination: Combination = "cut=at-least,start=removal,ties=random".parse().unwrap();
        let configuration = combination.of(CONFIGURATIONS[2], 100);
        let settings = configuration.settings(Effort::Nodes(500), 40, 1).unwrap();
        let names = ["split:threshold=4,cut=at-least,ties=random", "ordering:ties=random"];
        assert_eq!(settings.names(), names);
        assert_eq!(settings.openings, lab::Openings::BurnettRemoval);
        assert_eq!(settings.move_limit, 100);
        assert_eq!(
            configuration.folder(Effort::Nodes(500), 40, 1),
            "split-v-ordering-500-nodes-40-games-seed-1-at-least-removal-100-moves-ties-random"
        );
    }
}
