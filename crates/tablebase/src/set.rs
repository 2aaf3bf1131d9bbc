//! A set of tables in a folder, opened for asking: which folder, which rules, and what to tell somebody
//! when something is missing.
//!
//! This is what every front end needs before its first question, so that the command line and the
//! Python package find the same tables and say the same about them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use etcetera::BaseStrategy;
use jungle::{Color, Rules};

use crate::build::{BuildError, MOST_PIECES, ensure_small, names};
use crate::material::{Class, Material, rules_name};
use crate::probe::{ProbeError, Tablebase};
use crate::source::Folder;
use crate::stats::{self, Row};

/// Names a folder of tables when nobody else does.
pub const TABLES_VARIABLE: &str = "MOUSETRAP_TABLES";

/// Tables are looked for up to so many pieces even if the folder has none that large, so that a
/// missing one is named.
const LOOK_FOR: u32 = 4;

/// A set of tables in a folder.
pub struct Set {
    /// The folder of the set.
    pub folder: PathBuf,
    /// What answers.
    pub tablebase: Arc<Tablebase>,
    /// The most pieces of any table in the folder.
    pub largest: u32,
    dir: Option<PathBuf>,
}

/// Why a set cannot be opened or does not answer.
#[derive(Debug)]
pub enum SetError {
    /// There is no place for tables.
    NoDataFolder(String),
    /// The folder cannot be read, or the small tables not built.
    Build(BuildError),
    /// A position could not be looked up.
    Probe {
        /// Why.
        error: ProbeError,
        /// The same with the folder and the remedy.
        message: String,
    },
    /// No class has so few pieces.
    TooFewPieces(u32),
    /// Tables are not there, with the remedy.
    Missing(String),
}

impl SetError {
    /// Whether something outside is to blame, such as a disk, and not what was asked.
    pub fn is_outside(&self) -> bool {
        match self {
            SetError::NoDataFolder(_) | SetError::Missing(_) => true,
            SetError::Build(error) => error.is_outside(),
            SetError::Probe { error, .. } => !matches!(error, ProbeError::TooManyPieces { .. }),
            SetError::TooFewPieces(_) => false,
        }
    }
}

impl fmt::Display for SetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetError::NoDataFolder(error) => {
                write!(f, "finding the data folder (use --dir or set {TABLES_VARIABLE}): {error}")
            }
            SetError::Build(error) => error.fmt(f),
            SetError::Probe { message, .. } | SetError::Missing(message) => f.write_str(message),
            SetError::TooFewPieces(pieces) => {
                write!(f, "no class has {pieces} pieces: each side has one, so ask for 2 or more")
            }
        }
    }
}

impl std::error::Error for SetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SetError::Build(error) => Some(error),
            SetError::Probe { error, .. } => Some(error),
            _ => None,
        }
    }
}

impl From<BuildError> for SetError {
    fn from(error: BuildError) -> SetError {
        SetError::Build(error)
    }
}

/// The folder of tables, with a folder for each set of rules in it: `given` if there is one, else the
/// folder named by the environment, else the user's data folder. It need not exist.
///
/// # Errors
///
/// If the user has no data folder.
pub fn tables_folder(given: Option<PathBuf>) -> Result<PathBuf, SetError> {
    let named = || std::env::var_os(TABLES_VARIABLE).filter(|path| !path.is_empty());
    match given.or_else(|| named().map(PathBuf::from)) {
        Some(folder) => Ok(folder),
        None => Ok(etcetera::choose_base_strategy()
            .map_err(|error| SetError::NoDataFolder(error.to_string()))?
            .data_dir()
            .join("mousetrap")
            .join("tables")),
    }
}

/// The folder of the set for these rules, which need not exist.
///
/// # Errors
///
/// As [`tables_folder`].
pub fn set_folder(rules: &Rules, dir: Option<PathBuf>) -> Result<PathBuf, SetError> {
    Ok(tables_folder(dir)?.join(rules_name(rules)))
}

/// The names of all table files in the folder, in order; none if there is no such folder.
///
/// # Errors
///
/// If the folder is there but cannot be read.
pub fn table_files(folder: &Path) -> Result<Vec<String>, SetError> {
    Ok(names(folder)?.into_iter().filter(|name| name.ends_with(".mtb")).collect())
}

/// The class that a table file is named after.
pub fn material_of(file: &str) -> Option<Material> {
    file.strip_suffix(".mtb")?.parse().ok()
}

impl Set {
    /// Opens the set for asking; the small tables are built if they are not there. `dir` is as for
    /// [`tables_folder`].
    ///
    /// # Errors
    ///
    /// If there is no folder for tables, or it cannot be read or written.
    pub fn open(rules: &Rules, dir: Option<PathBuf>) -> Result<Set, SetError> {
        ensure_small(rules, &set_folder(rules, dir.clone())?)?;
        Set::open_as_it_is(rules, dir)
    }

    /// Opens the set and builds nothing.
    ///
    /// # Errors
    ///
    /// As [`Set::open`].
    pub fn open_as_it_is(rules: &Rules, dir: Option<PathBuf>) -> Result<Set, SetError> {
        let folder = set_folder(rules, dir.clone())?;
        let names = table_files(&folder)?;
        let pieces = names.iter().filter_map(|name| material_of(name)).map(Material::pieces);
        let largest = pieces.filter(|&pieces| pieces <= MOST_PIECES).max().unwrap_or(0);
        let source = Folder::new(&folder);
        let tablebase = Arc::new(Tablebase::new(rules, largest.max(LOOK_FOR), source));
        Ok(Set { folder, tablebase, largest, dir })
    }

    /// The rules as they were given.
    pub fn rules(&self) -> &Rules {
        self.tablebase.rules()
    }

    /// A failed lookup with the fault and the remedy.
    pub fn failed(&self, error: ProbeError) -> SetError {
        let message = self.explain(&error);
        SetError::Probe { error, message }
    }

    /// The fault and the remedy.
    pub fn explain(&self, error: &ProbeError) -> String {
        match error {
            ProbeError::TooManyPieces { found, .. } if *found > MOST_PIECES => {
                format!("{found} pieces are too many: tables go up to {MOST_PIECES}")
            }
            ProbeError::TooManyPieces { found, most } => format!(
                "there are {found} pieces, and the tables in {} go up to {most}; build more with \
                 `{}`",
                self.folder.display(),
                self.build_command(*found)
            ),
            ProbeError::MissingTable { file } => {
                let pieces = material_of(file).map_or(LOOK_FOR, Material::pieces);
                format!(
                    "the table {file} is missing in {}; build it with `{}`",
                    self.folder.display(),
                    self.build_command(pieces)
                )
            }
            error => format!("{error} (in {})", self.folder.display()),
        }
    }

    /// The command that builds all tables of up to so many pieces.
    pub fn build_command(&self, pieces: u32) -> String {
        let rules = rules_name(self.rules());
        let dir = self.dir.as_ref().map(|dir| format!(" --dir {}", dir.display()));
        format!("mousetrap tb build --pieces {pieces} --rules {rules}{}", dir.unwrap_or_default())
    }

    /// The class of a table under the names that these rules give the animals.
    pub fn name_of(&self, class: &Class) -> Material {
        let side = |color: Color| {
            let animals = class.material.side(color).iter();
            animals.map(|animal| self.rules().by_strength(animal)).collect()
        };
        Material { white: side(Color::White), black: side(Color::Black) }
    }

    /// The counts of all classes of so many pieces, taken together.
    ///
    /// # Errors
    ///
    /// If there are no such classes or tables are missing.
    pub fn layer(&self, pieces: u32) -> Result<Row, SetError> {
        self.check_layer(pieces)?;
        let counts = stats::layer(&self.tablebase, pieces).map_err(|error| self.failed(error))?;
        Ok(Row::new(stats::Of::Pieces(pieces), self.rules(), counts))
    }

    /// The counts of each class of so many pieces, by name.
    ///
    /// # Errors
    ///
    /// As [`Set::layer`].
    pub fn layer_by_class(&self, pieces: u32) -> Result<Vec<Row>, SetError> {
        self.check_layer(pieces)?;
        Material::all(pieces)
            .map(|material| {
                let counts = stats::counts(&self.tablebase, material);
                let counts = counts.map_err(|error| self.failed(error))?;
                Ok(Row::new(stats::Of::Class(material.to_string()), self.rules(), counts))
            })
            .collect()
    }

    /// Which tables of so many pieces are missing, and what to do about it; `None` if none is.
    ///
    /// # Errors
    ///
    /// If a table is damaged.
    pub fn missing(&self, pieces: u32) -> Result<Option<String>, SetError> {
        let list = self.tablebase.classes().list();
        let wanted = || list.iter().enumerate().filter(|(_, c)| c.material.pieces() == pieces);
        let mut missing = Vec::new();
        for (at, _) in wanted() {
            match self.tablebase.table(at) {
                Ok(_) => (),
                Err(ProbeError::MissingTable { file }) => missing.push(file),
                Err(error) => return Err(self.failed(error)),
            }
        }
        let Some(first) = missing.first() else { return Ok(None) };
        Ok(Some(format!(
            "the tables of {pieces} pieces are incomplete: {} of {} are missing in {}, {first} \
             among them; build them with `{}`",
            missing.len(),
            wanted().count(),
            self.folder.display(),
            self.build_command(pieces)
        )))
    }

    /// There are no tables at all, or none of so many pieces.
    pub fn nothing(&self, pieces: Option<u32>) -> SetError {
        let of = pieces.map(|pieces| format!(" of {pieces} pieces")).unwrap_or_default();
        SetError::Missing(format!(
            "there are no tables{of} in {}; build some with `{}`",
            self.folder.display(),
            self.build_command(pieces.unwrap_or(4))
        ))
    }

    fn check_layer(&self, pieces: u32) -> Result<(), SetError> {
        let list = self.tablebase.classes().list();
        let most = list.last().map_or(0, |class| class.material.pieces());
        if pieces < 2 {
            return Err(SetError::TooFewPieces(pieces));
        }
        if pieces > most {
            return Err(self.failed(ProbeError::TooManyPieces { found: pieces, most }));
        }
        self.missing(pieces)?.map_or(Ok(()), |message| Err(SetError::Missing(message)))
    }
}
