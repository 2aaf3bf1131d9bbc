//! `settings.json`: the settings of a contest, and its provenance.

use jungle::Rules;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::openings::OpeningsDescription;
use crate::stats::Sprt;
use crate::{Settings, TimeControl};

/// The version of the format of a record.
const FORMAT: u32 = 1;

/// The contents of `settings.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    format: u32,
    /// The names of the players.
    pub players: Vec<String>,
    /// The rules.
    pub rules: Rules,
    /// The seed.
    pub seed: u64,
    /// The time control.
    #[serde(rename = "budget")]
    pub time_control: TimeControl,
    /// Where games begin.
    pub openings: OpeningsDescription,
    /// How many games each two players play, at most.
    pub games: u64,
    /// A game is drawn when each side has made this many moves.
    pub move_limit: u32,
    /// Whether tables are probed.
    pub tablebases: bool,
    /// The test that ends the match.
    pub sprt: Option<Sprt>,
    margin_seconds: f64,
    patience_seconds: f64,
    /// Its provenance; not compared when a contest is resumed.
    pub made_by: Provenance,
}

/// Provenance: the program and the machine that began a contest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The commit it was built from, if known.
    pub commit: Option<String>,
    /// A digest of the program itself, if known.
    pub program: Option<String>,
    /// The name of the machine, if known.
    pub host: Option<String>,
}

impl Document {
    /// The document for these settings.
    pub fn new(settings: &Settings, made_by: Provenance) -> Document {
        Document {
            format: FORMAT,
            players: settings.names(),
            rules: settings.rules,
            seed: settings.seed,
            time_control: settings.time_control,
            openings: settings.openings.describe(),
            games: settings.games,
            move_limit: settings.move_limit,
            tablebases: settings.tablebases,
            sprt: settings.sprt,
            margin_seconds: settings.margin.as_secs_f64(),
            patience_seconds: settings.patience.as_secs_f64(),
            made_by,
        }
    }

    /// What differs from another document, in words: `seed (1 there, 2 here)`.
    pub(super) fn differences(&self, there: &Document) -> Vec<String> {
        let keys = |document: &Document| match serde_json::to_value(document) {
            Ok(Value::Object(mut map)) => {
                map.remove("made_by");
                map
            }
            _ => serde_json::Map::new(),
        };
        let (here, there) = (keys(self), keys(there));
        here.iter()
            .filter(|(key, value)| there.get(*key) != Some(value))
            .map(|(key, value)| {
                let other = there.get(key).unwrap_or(&Value::Null);
                format!("{} ({other} there, {value} here)", key.replace('_', " "))
            })
            .collect()
    }
}
