//! Engine options as both protocols name them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jungle::{Jungle, ParseRulesError, Rules};
use tablebase::build::ensure_small;
use tablebase::{Set, set_folder};

use crate::engine::Correction;
use crate::eval::network::{Network, NotANetwork};
use crate::{Engine, EngineError, Level, Options};

/// An option that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name; upper and lower case are the same.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
}

/// The type of an option.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number.
    Number {
        /// The default.
        default: u64,
        /// The least it can be.
        least: u64,
        /// The most it can be.
        most: u64,
    },
    /// Yes or no, and the default.
    Switch(bool),
    /// A text, and the default.
    Text(&'static str),
    /// An action without a value.
    Button,
}

const fn number(default: u64, least: u64, most: u64) -> Kind {
    Kind::Number { default, least, most }
}

/// Stands for the folder of tables that the program finds by itself.
const USUAL: &str = "<usual>";
/// No tables.
const NONE: &str = "<none>";

/// All options.
pub const SETTINGS: [Setting; 15] = [
    Setting { name: "Hash", kind: number(64, 1, Options::MOST_HASH as u64) },
    Setting { name: "Clear Hash", kind: Kind::Button },
    Setting { name: "Threads", kind: number(1, 1, Options::MOST_THREADS as u64) },
    Setting { name: "MultiPV", kind: number(1, 1, Options::MOST_LINES as u64) },
    Setting { name: "Ponder", kind: Kind::Switch(false) },
    Setting { name: "UCI_ShowWDL", kind: Kind::Switch(false) },
    Setting { name: "UCI_LimitStrength", kind: Kind::Switch(false) },
    Setting {
        name: "UCI_Elo",
        kind: number(Level::MOST_ELO as u64, Level::LEAST_ELO as u64, Level::MOST_ELO as u64),
    },
    Setting { name: "Skill Level", kind: number(20, 0, 20) },
    Setting { name: "TablebasePath", kind: Kind::Text(USUAL) },
    Setting { name: "Rules", kind: Kind::Text("standard") },
    Setting {
        name: "Contempt",
        kind: number(Options::USUAL_CONTEMPT as u64, 0, Options::MOST_CONTEMPT as u64),
    },
    Setting {
        name: "Advance",
        kind: number(Options::USUAL_ADVANCE as u64, 0, Options::MOST_ADVANCE as u64),
    },
    Setting { name: "Move Overhead", kind: number(10, 0, 5000) },
    Setting { name: "EvalFile", kind: Kind::Text(USUAL) },
];

/// Why an option was not set; nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum SettingError {
    /// There is no option of this name.
    #[error(
        "there is no option '{}', only {}", clean(.0),
        SETTINGS.map(|setting| setting.name).join(", ")
    )]
    Unknown(String),
    /// It needs a value, and none was given.
    #[error("{name} needs a value: {expected}")]
    Missing {
        /// The setting.
        name: &'static str,
        /// What it can be.
        expected: String,
    },
    /// The value is invalid.
    #[error("{name}: '{}' is not {expected}", clean(value))]
    Malformed {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it can be.
        expected: String,
    },
    /// There are no such rules.
    #[error("Rules: {0}")]
    Rules(#[from] ParseRulesError),
    /// A network cannot be read.
    #[error("EvalFile: {}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The file is no network.
    #[error("EvalFile: {}: {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: NotANetwork,
    },
    /// The engine refuses it.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// An engine and its options.
pub struct Settings {
    /// The engine.
    pub engine: Engine,
    /// Whether estimated chances of winning, drawing and losing are shown.
    pub show_chances: bool,
    rules: Rules,
    limited: bool,
    elo: u32,
    skill: u8,
    tables: TablePath,
    /// The folder that stands for [`USUAL`].
    usual_tables: Option<PathBuf>,
    /// Whether the tables in use are those that the options ask for.
    tables_opened: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TablePath {
    Usual,
    None,
    Folder(PathBuf),
}

impl Settings {
    /// A new engine with the defaults of [`SETTINGS`]. `usual_tables` is the folder of tables to use
    /// unless another one is set, if there is such a folder.
    pub fn new(usual_tables: Option<PathBuf>) -> Settings {
        let mut settings = Settings {
            engine: Engine::new(),
            show_chances: false,
            rules: Rules::STANDARD,
            limited: false,
            elo: Level::MOST_ELO,
            skill: Level::FULL.number(),
            tables: TablePath::Usual,
            usual_tables,
            tables_opened: false,
        };
        for setting in &SETTINGS {
            if let Kind::Number { default, .. } = setting.kind {
                // The default can be had, or else the engine keeps what it has.
                let _ = settings.set(setting.name, Some(&default.to_string()));
            }
        }
        settings
    }

    /// The rules that games are played by.
    pub fn jungle(&self) -> Jungle {
        Jungle::new(self.rules)
    }

    /// Sets an option. What needs a stop of the running search stops it.
    ///
    /// # Errors
    ///
    /// If there is no such option or its value is invalid.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), SettingError> {
        let known = |setting: &&Setting| setting.name.eq_ignore_ascii_case(current_name(name));
        let setting =
            SETTINGS.iter().find(known).ok_or_else(|| SettingError::Unknown(name.to_owned()))?;
        let wrong = |expected: &str| {
            let (name, expected) = (setting.name, expected.to_owned());
            match value.map(str::to_owned) {
                Some(value) => SettingError::Malformed { name, value, expected },
                None => SettingError::Missing { name, expected },
            }
        };
        let mut number = 0;
        let mut on = false;
        match setting.kind {
            Kind::Number { least, most, .. } => {
                number = value
                    .and_then(|value| value.parse().ok())
                    .filter(|number| (least..=most).contains(number))
                    .ok_or_else(|| wrong(&format!("a whole number from {least} to {most}")))?;
            }
            Kind::Switch(_) => {
                on = match value {
                    Some("true" | "1") => true,
                    Some("false" | "0") => false,
                    _ => return Err(wrong("true or false")),
                };
            }
            Kind::Text(_) if value.is_none() => return Err(wrong("a text")),
            Kind::Text(_) | Kind::Button => (),
        }
        let text = value.unwrap_or_default();
        let mut options = self.engine.options().clone();
        match setting.name {
            "Hash" => options.hash = number as usize,
            "Clear Hash" => self.engine.new_game(),
            "Threads" => options.threads = number as usize,
            "MultiPV" => options.lines = number as usize,
            // The GUI says when to ponder.
            "Ponder" => (),
            "UCI_ShowWDL" => self.show_chances = on,
            "UCI_LimitStrength" => self.limited = on,
            "UCI_Elo" => self.elo = number as u32,
            "Skill Level" => self.skill = number as u8,
            "Contempt" => options.contempt = number as i32,
            "Advance" => options.advance = number as i32,
            "Move Overhead" => options.overhead = Duration::from_millis(number),
            "EvalFile" => {
                options.network = match text {
                    USUAL | "<empty>" | "" => Correction::Usual,
                    NONE => Correction::Off,
                    path => Correction::By(Arc::new(read_network(path.into())?)),
                };
            }
            "TablebasePath" => {
                self.tables = match text {
                    USUAL => TablePath::Usual,
                    NONE | "<empty>" | "" => TablePath::None,
                    folder => TablePath::Folder(folder.into()),
                };
                self.tables_opened = false;
            }
            "Rules" => {
                self.rules = text.parse()?;
                self.tables_opened = false;
            }
            _ => (),
        }
        options.level = if self.limited {
            Level::from_elo(self.elo)
        } else {
            Level::new(self.skill).unwrap_or(Level::FULL)
        };
        self.apply(options)
    }

    fn apply(&mut self, options: Options) -> Result<(), SettingError> {
        if options == *self.engine.options() {
            return Ok(());
        }
        Ok(self.engine.set_options(options)?)
    }

    /// Opens the endgame tables that the options ask for, unless that is done: returns a message for the user,
    /// if any. The smallest tables of the usual folder are built if they are missing.
    pub fn open_tables(&mut self) -> Option<String> {
        if self.tables_opened {
            return None;
        }
        self.tables_opened = true;
        let folder = match (&self.tables, &self.usual_tables) {
            (TablePath::None, _) | (TablePath::Usual, None) => {
                self.engine.set_tables(None);
                return None;
            }
            (TablePath::Usual, Some(folder)) | (TablePath::Folder(folder), _) => {
                set_folder(folder, &self.rules)
            }
        };
        if self.tables == TablePath::Usual
            && let Err(error) = ensure_small(&self.rules, &folder)
        {
            self.engine.set_tables(None);
            return Some(format!("playing without endgame tables: {error}"));
        }
        match Set::open(&self.rules, &folder) {
            Ok(set) if set.largest() > 0 => {
                self.engine.set_tables(Some(set.tablebase().clone()));
                None
            }
            Ok(_) => {
                self.engine.set_tables(None);
                Some(format!("there are no endgame tables in {}", folder.display()))
            }
            Err(error) => {
                self.engine.set_tables(None);
                Some(format!("the endgame tables in {} cannot be read: {error}", folder.display()))
            }
        }
    }
}

fn read_network(path: PathBuf) -> Result<Network, SettingError> {
    match std::fs::read(&path) {
        Ok(bytes) => {
            Network::from_bytes(&bytes).map_err(|source| SettingError::Network { path, source })
        }
        Err(source) => Err(SettingError::File { path, source }),
    }
}

/// The current name of an option; some had other names.
fn current_name(name: &str) -> &str {
    if name.eq_ignore_ascii_case("Drive") { "Advance" } else { name }
}

/// Any text, made fit for one line of output.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '·' } else { c }).take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_reach_the_engine() {
        let mut settings = Settings::new(None);
        assert_eq!(settings.engine.options().hash, 64);
        settings.set("hash", Some("3")).unwrap();
        settings.set("MultiPV", Some("5")).unwrap();
        settings.set("Skill Level", Some("0")).unwrap();
        let options = settings.engine.options();
        assert_eq!((options.hash, options.lines, options.level), (3, 5, Level::BEGINNER));
        settings.set("UCI_LimitStrength", Some("true")).unwrap();
        assert!(settings.engine.options().level > Level::BEGINNER);
        settings.set("Rules", Some("leiden,repetition=draw")).unwrap();
        assert_eq!(settings.jungle().rules().to_string(), "leiden,repetition=draw");
        settings.set("Clear Hash", None).unwrap();
        for (name, value) in [("Advance", 7), ("drive", 9)] {
            settings.set(name, Some(&value.to_string())).unwrap();
            assert_eq!(settings.engine.options().advance, value, "{name}");
        }
    }

    #[test]
    fn nonsense_is_refused_and_changes_nothing() {
        let mut settings = Settings::new(None);
        let mut refused = |name, value| settings.set(name, value).unwrap_err().to_string();
        assert_eq!(
            refused("Hash", Some("much")),
            "Hash: 'much' is not a whole number from 1 to 1048576"
        );
        assert_eq!(refused("Hash", None), "Hash needs a value: a whole number from 1 to 1048576");
        assert_eq!(
            refused("UCI_ShowWDL", Some("maybe")),
            "UCI_ShowWDL: 'maybe' is not true or false"
        );
        assert!(refused("Rules", Some("chess")).starts_with("Rules: "));
        assert!(
            refused("Book File", Some("1"))
                .starts_with("there is no option 'Book File', only Hash,")
        );
        assert_eq!(settings.engine.options().hash, 64);
        assert_eq!(*settings.jungle().rules(), Rules::STANDARD);
    }

    #[test]
    fn missing_tables_are_remarked_on_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings::new(None);
        assert_eq!(settings.open_tables(), None);
        settings.set("TablebasePath", folder.path().to_str()).unwrap();
        assert!(settings.open_tables().unwrap().starts_with("there are no endgame tables"));
        assert_eq!(settings.open_tables(), None);
    }
}
