//! Rules: the presets and the switches that make house rules of them.

use std::collections::BTreeMap;

use jungle::Rules;
use jungle::rules::SWITCHES;
use serde::Serialize;

use crate::primer::{Topic, primer};

/// The rule book: presets and switches.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleBook {
    /// The presets, or the one set of rules that was asked for.
    pub presets: Vec<Preset>,
    /// The switches that make house rules out of a preset.
    pub switches: Vec<Switch>,
}

/// A preset: rules that have a name.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preset {
    /// Its name, or the text of house rules.
    pub name: String,
    /// What it is; null for house rules.
    pub summary: Option<&'static str>,
    /// The position of every switch.
    pub switches: BTreeMap<&'static str, String>,
    /// How to play by these rules, for a beginner.
    pub primer: Vec<Topic>,
}

/// A switch.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Switch {
    /// Its name.
    pub name: &'static str,
    /// What it can be.
    pub values: Vec<&'static str>,
    /// What it means.
    pub summary: &'static str,
}

impl RuleBook {
    /// All presets.
    pub fn presets() -> RuleBook {
        let preset = |preset: jungle::rules::Preset| {
            Preset::new(preset.name.to_owned(), Some(preset.summary), &preset.rules)
        };
        RuleBook { presets: Rules::PRESETS.into_iter().map(preset).collect(), switches: switches() }
    }

    /// One set of rules.
    pub fn of(rules: &Rules) -> RuleBook {
        let known = Rules::PRESETS.into_iter().find(|preset| preset.rules == *rules);
        let summary = known.map(|preset| preset.summary);
        RuleBook {
            presets: vec![Preset::new(rules.to_string(), summary, rules)],
            switches: switches(),
        }
    }
}

impl Preset {
    fn new(name: String, summary: Option<&'static str>, rules: &Rules) -> Preset {
        let switches = SWITCHES.iter().map(|switch| (switch.name, rules.switch(switch))).collect();
        Preset { name, summary, switches, primer: primer(rules) }
    }
}

fn switches() -> Vec<Switch> {
    let switch = |switch: &jungle::rules::Switch| Switch {
        name: switch.name,
        values: switch.values.to_vec(),
        summary: switch.summary,
    };
    SWITCHES.iter().map(switch).collect()
}
