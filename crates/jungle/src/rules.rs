//! Rule variants: presets, house-rule switches, and their text form.
//!
//! The text form is a preset's name, or a name followed by switches:
//! `standard`, `leiden,repetition=draw`, `tufts,move-limit=none`. Every [`Rules`] value prints as
//! the shortest such text, and that text is what tables, game records and experiments record.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use game::truth::Truth;

use crate::board::Axis;
use crate::{Animal, Color};

/// A complete set of rules.
///
/// ```
/// use jungle::{Repetition, Rules};
///
/// let rules: Rules = "leiden,repetition=draw".parse()?;
/// assert_eq!(rules, Rules { repetition: Repetition::Draw, ..Rules::LEIDEN });
/// assert_eq!(rules.to_string(), "leiden,repetition=draw");
/// # Ok::<(), jungle::ParseRulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Which of wolf and dog is the weaker.
    pub weaker: WolfOrDog,
    /// Whether the elephant takes the rat on open land.
    pub elephant_takes_rat: bool,
    /// What a rat takes when it crosses the shore to do so.
    pub shore: Shore,
    /// Whom traps weaken.
    pub traps: Traps,
    /// How the lion jumps.
    pub lion_jumps: Jumps,
    /// How the tiger jumps.
    pub tiger_jumps: Jumps,
    /// How the panther jumps.
    pub panther_jumps: Jumps,
    /// Whether taking the last enemy piece wins.
    pub annihilation_wins: bool,
    /// What having no legal move means.
    pub no_legal_move: NoLegalMove,
    /// What the third occurrence of a position means.
    pub repetition: Repetition,
    /// Draw when each side has made this many moves.
    pub move_limit: Option<NonZeroU32>,
    /// Draw after this many plies without a capture.
    pub quiet_limit: Option<NonZeroU32>,
}

/// One of the two animals about whose order rule sheets disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WolfOrDog {
    /// The wolf has strength 3, the dog 4.
    Wolf,
    /// The dog has strength 3, the wolf 4.
    Dog,
}

/// What a rat may take when it stands in the water and its victim on land, or the other way round.
/// Within the water, and on land, rats always take as their strength allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shore {
    /// Nothing.
    Closed,
    /// A rat, both ways.
    Rats,
    /// Whatever its strength allows, but not the elephant. (On this board that is the same as
    /// `Rats`: no trap touches the water.)
    NotElephant,
    /// Whatever its strength allows, the elephant included.
    Open,
}

/// Whom traps weaken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Traps {
    /// Only the enemies of the side that owns them.
    Enemies,
    /// Every piece that stands in them.
    Everybody,
}

/// Which jumps over water an animal makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Jumps {
    /// None.
    None,
    /// Along the files only, over three squares.
    Lengthwise,
    /// Along the ranks only, over two squares.
    Sideways,
    /// Both ways.
    Both,
}

impl Jumps {
    /// Whether a jump along this axis is allowed.
    pub const fn allow(self, axis: Axis) -> bool {
        match self {
            Jumps::None => false,
            Jumps::Lengthwise => matches!(axis, Axis::Lengthwise),
            Jumps::Sideways => matches!(axis, Axis::Sideways),
            Jumps::Both => true,
        }
    }
}

/// What having no legal move means for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoLegalMove {
    /// The player to move loses.
    Loss,
    /// The game is drawn.
    Draw,
}

impl NoLegalMove {
    /// What a position without a legal move is worth to the player to move.
    pub const fn truth(self) -> Truth {
        match self {
            NoLegalMove::Loss => Truth::Loss(0),
            NoLegalMove::Draw => Truth::Draw,
        }
    }

    /// Who wins when this side has no legal move; `None` for a draw.
    pub fn winner(self, mover: Color) -> Option<Color> {
        match self {
            NoLegalMove::Loss => Some(!mover),
            NoLegalMove::Draw => None,
        }
    }
}

/// What the third occurrence of a position, with the same side to move, means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// It means nothing.
    Ignored,
    /// The game is drawn.
    Draw,
    /// The player whose move brought it about loses.
    Loss,
    /// The move that would bring it about is illegal.
    Illegal,
}

impl Default for Rules {
    /// The rules for play: [`Rules::STANDARD`].
    fn default() -> Rules {
        Rules::STANDARD
    }
}

impl Rules {
    /// The rules of most rule sheets and public programs; the default for play.
    pub const STANDARD: Rules = Rules {
        weaker: WolfOrDog::Dog,
        elephant_takes_rat: false,
        shore: Shore::Closed,
        traps: Traps::Enemies,
        lion_jumps: Jumps::Both,
        tiger_jumps: Jumps::Both,
        panther_jumps: Jumps::None,
        annihilation_wins: true,
        no_legal_move: NoLegalMove::Loss,
        repetition: Repetition::Draw,
        move_limit: None,
        quiet_limit: None,
    };

    /// The rules of van Rijn and Vis (2013, 2014), under which their tables come out.
    pub const LEIDEN: Rules = Rules {
        weaker: WolfOrDog::Wolf,
        elephant_takes_rat: true,
        shore: Shore::Rats,
        no_legal_move: NoLegalMove::Draw,
        repetition: Repetition::Ignored,
        ..Rules::STANDARD
    };

    /// The rules of Burnett's thesis (2010).
    pub const TUFTS: Rules = Rules {
        weaker: WolfOrDog::Wolf,
        no_legal_move: NoLegalMove::Draw,
        repetition: Repetition::Ignored,
        move_limit: NonZeroU32::new(200),
        ..Rules::STANDARD
    };

    /// The animal whose place this one has in [`Animal::ALL`] ordered by strength: itself, except for
    /// wolf and dog where the dog is the weaker. Which of the two is called wolf is only a matter
    /// of names.
    #[inline]
    pub const fn by_strength(&self, animal: Animal) -> Animal {
        match (self.weaker, animal) {
            (WolfOrDog::Dog, Animal::Wolf) => Animal::Dog,
            (WolfOrDog::Dog, Animal::Dog) => Animal::Wolf,
            _ => animal,
        }
    }

    /// The named presets.
    pub const PRESETS: [Preset; 3] = [
        Preset {
            name: "standard",
            rules: Rules::STANDARD,
            summary: "what most rule sheets and programs say; the default",
        },
        Preset {
            name: "leiden",
            rules: Rules::LEIDEN,
            summary: "van Rijn & Vis 2013 and 2014: complexity, tablebases, decision trees",
        },
        Preset { name: "tufts", rules: Rules::TUFTS, summary: "Burnett 2010: split search" },
    ];

    /// The value of a switch as text. See [`SWITCHES`].
    pub fn switch(&self, switch: &Switch) -> String {
        (switch.get)(self)
    }
}

/// A named set of rules.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name, as in `standard`.
    pub name: &'static str,
    /// The rules.
    pub rules: Rules,
    /// One line about where they come from.
    pub summary: &'static str,
}

/// A house rule that can be set by name.
#[derive(Debug)]
pub struct Switch {
    /// The name, as in `no-legal-move`.
    pub name: &'static str,
    /// The values it takes, as shown to the user.
    pub values: &'static [&'static str],
    /// One line about its meaning.
    pub summary: &'static str,
    get: fn(&Rules) -> String,
    set: fn(&mut Rules, &str) -> bool,
}

/// A value of a switch and its name.
trait Named: Sized + Copy + PartialEq + 'static {
    const NAMES: &'static [(&'static str, Self)];

    fn name(self) -> String {
        let found = Self::NAMES.iter().find(|(_, value)| *value == self);
        found.expect("every value is listed").0.to_owned()
    }

    fn assign(slot: &mut Self, name: &str) -> bool {
        let found = Self::NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *slot = *value).is_some()
    }
}

impl Named for WolfOrDog {
    const NAMES: &'static [(&'static str, Self)] = &[("wolf", Self::Wolf), ("dog", Self::Dog)];
}

impl Named for bool {
    const NAMES: &'static [(&'static str, Self)] = &[("yes", true), ("no", false)];
}

impl Named for Shore {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("closed", Self::Closed),
        ("rats", Self::Rats),
        ("not-elephant", Self::NotElephant),
        ("open", Self::Open),
    ];
}

impl Named for Traps {
    const NAMES: &'static [(&'static str, Self)] =
        &[("enemies", Self::Enemies), ("everybody", Self::Everybody)];
}

impl Named for Jumps {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("none", Self::None),
        ("lengthwise", Self::Lengthwise),
        ("sideways", Self::Sideways),
        ("both", Self::Both),
    ];
}

impl Named for NoLegalMove {
    const NAMES: &'static [(&'static str, Self)] = &[("loss", Self::Loss), ("draw", Self::Draw)];
}

impl Named for Repetition {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("ignored", Self::Ignored),
        ("draw", Self::Draw),
        ("loss", Self::Loss),
        ("illegal", Self::Illegal),
    ];
}

fn limit_name(limit: Option<NonZeroU32>) -> String {
    limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string())
}

fn assign_limit(slot: &mut Option<NonZeroU32>, name: &str) -> bool {
    let limit = if name == "none" { Ok(None) } else { name.parse().map(Some) };
    limit.map(|limit| *slot = limit).is_ok()
}

macro_rules! switch {
    ($name:literal, $field:ident, $values:expr, $summary:literal) => {
        Switch {
            name: $name,
            values: $values,
            summary: $summary,
            get: |rules| rules.$field.name(),
            set: |rules, value| Named::assign(&mut rules.$field, value),
        }
    };
    (limit $name:literal, $field:ident, $summary:literal) => {
        Switch {
            name: $name,
            values: &["none", "N"],
            summary: $summary,
            get: |rules| limit_name(rules.$field),
            set: |rules, value| assign_limit(&mut rules.$field, value),
        }
    };
}

const JUMPS: &[&str] = &["none", "lengthwise", "sideways", "both"];

/// All switches, in the order in which they are printed.
pub static SWITCHES: [Switch; 12] = [
    switch!("weaker", weaker, &["wolf", "dog"], "which of wolf and dog has strength 3, not 4"),
    switch!("elephant-takes-rat", elephant_takes_rat, &["yes", "no"], "on open land"),
    switch!(
        "shore",
        shore,
        &["closed", "rats", "not-elephant", "open"],
        "what a rat may take when it enters or leaves the water"
    ),
    switch!("traps", traps, &["enemies", "everybody"], "whom a trap weakens"),
    switch!("lion-jumps", lion_jumps, JUMPS, "over water"),
    switch!("tiger-jumps", tiger_jumps, JUMPS, "over water"),
    switch!("panther-jumps", panther_jumps, JUMPS, "over water"),
    switch!(
        "annihilation-wins",
        annihilation_wins,
        &["yes", "no"],
        "whether taking the last enemy piece wins"
    ),
    switch!(
        "no-legal-move",
        no_legal_move,
        &["loss", "draw"],
        "for the player who has to move and cannot"
    ),
    switch!(
        "repetition",
        repetition,
        &["ignored", "draw", "loss", "illegal"],
        "third occurrence of a position: a draw, lost by the player who repeats, or forbidden"
    ),
    switch!(limit "move-limit", move_limit, "draw when each side has made N moves"),
    switch!(limit "quiet-limit", quiet_limit, "draw after N plies without a capture"),
];

/// The shortest text that parses to these rules.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let differing = |preset: &Preset| {
            let differs = |switch: &&Switch| self.switch(switch) != preset.rules.switch(switch);
            SWITCHES.iter().filter(differs).collect::<Vec<_>>()
        };
        let (preset, switches) = Rules::PRESETS
            .iter()
            .map(|preset| (preset, differing(preset)))
            .min_by_key(|(_, switches)| switches.len())
            .expect("there are presets");
        f.write_str(preset.name)?;
        switches
            .into_iter()
            .try_for_each(|switch| write!(f, ",{}={}", switch.name, self.switch(switch)))
    }
}

/// Why a text is not a set of rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseRulesError {
    /// There is no preset of this name.
    #[error("unknown rules '{_0}': expected one of {names}", names = preset_names())]
    UnknownPreset(String),
    /// There is no switch of this name.
    #[error("unknown rules switch '{_0}': expected one of {names}", names = switch_names())]
    UnknownSwitch(String),
    /// A switch is not followed by `=` and a value.
    #[error("rules switch '{0}' needs a value, as in no-legal-move=draw")]
    NoValue(String),
    /// The switch does not take this value.
    #[error(
        "rules switch '{switch}' cannot be '{value}': expected one of {values}",
        values = values.join(", ")
    )]
    UnknownValue {
        /// The switch.
        switch: &'static str,
        /// The value that was given.
        value: String,
        /// The values it takes.
        values: &'static [&'static str],
    },
}

fn preset_names() -> String {
    Rules::PRESETS.map(|preset| preset.name).join(", ")
}

fn switch_names() -> String {
    SWITCHES.each_ref().map(|switch| switch.name).join(", ")
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Rules, ParseRulesError> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let mut rules = Rules::PRESETS
            .iter()
            .find(|preset| preset.name == name)
            .ok_or_else(|| ParseRulesError::UnknownPreset(name.to_owned()))?
            .rules;
        for part in parts {
            let (name, value) =
                part.split_once('=').ok_or_else(|| ParseRulesError::NoValue(part.to_owned()))?;
            let switch = SWITCHES
                .iter()
                .find(|switch| switch.name == name)
                .ok_or_else(|| ParseRulesError::UnknownSwitch(name.to_owned()))?;
            if !(switch.set)(&mut rules, value) {
                return Err(ParseRulesError::UnknownValue {
                    switch: switch.name,
                    value: value.to_owned(),
                    values: switch.values,
                });
            }
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_print_as_their_names() {
        for preset in Rules::PRESETS {
            assert_eq!(preset.rules.to_string(), preset.name);
            assert_eq!(preset.name.parse(), Ok(preset.rules));
        }
    }

    #[test]
    fn every_value_of_every_switch_round_trips() {
        for preset in Rules::PRESETS {
            for switch in &SWITCHES {
                for value in switch.values {
                    let value = if *value == "N" { "77" } else { value };
                    let text = format!("{},{}={value}", preset.name, switch.name);
                    let rules: Rules = text.parse().unwrap();
                    assert_eq!(rules.switch(switch), value);
                    assert_eq!(rules.to_string().parse(), Ok(rules), "{text}");
                }
            }
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        let message = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(
            message("chess"),
            "unknown rules 'chess': expected one of standard, leiden, tufts"
        );
        assert!(message("leiden,shores=open").contains("expected one of weaker"));
        assert!(message("leiden,shore").contains("needs a value"));
        assert_eq!(
            message("leiden,shore=ajar"),
            "rules switch 'shore' cannot be 'ajar': expected one of closed, rats, not-elephant, open"
        );
        assert!(message("leiden,move-limit=0").contains("cannot be '0'"));
        assert!(message("").contains("unknown rules ''"));
    }
}
