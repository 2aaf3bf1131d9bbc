//! A set of tables, opened for asking: which folder, which rules, and what to tell the user when
//! something is missing.

use std::path::{Path, PathBuf};

use game::solver::Value;
use jungle::{Color, Rules};
use tablebase::build::{MOST_PIECES, ensure_small};
use tablebase::material::{Class, Material, rules_name, table_animal};
use tablebase::probe::{ProbeError, Tablebase};
use tablebase::source::Folder;

use crate::commands::tb::args::SetArgs;
use crate::commands::tb::{failure, folder};
use crate::failure::Failure;

/// Tables are looked for up to so many pieces even if the folder has none that large, so that a
/// missing one is named.
const LOOK_FOR: u32 = 4;

/// A set of tables in a folder.
pub struct Set {
    pub folder: PathBuf,
    pub tablebase: Tablebase,
    /// The most pieces of any table in the folder.
    pub largest: u32,
    dir: Option<PathBuf>,
}

impl Set {
    /// Opens the set for asking; the small tables are built if they are not there.
    pub fn open(args: &SetArgs) -> Result<Set, Failure> {
        let folder = folder(args)?;
        ensure_small(&args.rules.rules, &folder).map_err(failure)?;
        Set::open_as_it_is(args)
    }

    /// Opens the set and builds nothing.
    pub fn open_as_it_is(args: &SetArgs) -> Result<Set, Failure> {
        let folder = folder(args)?;
        let names = table_files(&folder)?;
        let pieces = names.iter().filter_map(|name| material_of(name)).map(Material::pieces);
        let largest = pieces.filter(|&pieces| pieces <= MOST_PIECES).max().unwrap_or(0);
        let source = Folder::new(&folder);
        let tablebase = Tablebase::new(&args.rules.rules, largest.max(LOOK_FOR), source);
        Ok(Set { folder, tablebase, largest, dir: args.dir.clone() })
    }

    /// The rules as the user gave them.
    pub fn rules(&self) -> &Rules {
        self.tablebase.rules()
    }

    /// What a failed lookup means to the user.
    pub fn failure(&self, error: &ProbeError) -> Failure {
        match error {
            ProbeError::TooManyPieces { .. } => Failure::Input(self.explain(error)),
            _ => Failure::Outside(self.explain(error)),
        }
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

    /// The class of a table under the names that the user's rules give the animals.
    pub fn name_of(&self, class: &Class) -> Material {
        let side = |color: Color| {
            let animals = class.material.side(color).iter();
            animals.map(|animal| table_animal(self.rules(), animal)).collect()
        };
        Material { white: side(Color::White), black: side(Color::Black) }
    }
}

/// The names of all table files in the folder, in order; none if there is no such folder.
pub fn table_files(folder: &Path) -> Result<Vec<String>, Failure> {
    let reading = |error| Failure::outside(format!("reading {}", folder.display()), error);
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(reading(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(reading)?.file_name();
        names.extend(name.to_str().filter(|name| name.ends_with(".mtb")).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// The class that a table file is named after.
pub fn material_of(file: &str) -> Option<Material> {
    file.strip_suffix(".mtb")?.parse().ok()
}

/// A value as its two keys in JSON: the outcome, and the plies unless it is a draw.
pub fn keys(value: Value) -> (&'static str, Option<u32>) {
    match value {
        Value::Win(plies) => ("win", Some(plies)),
        Value::Draw => ("draw", None),
        Value::Loss(plies) => ("loss", Some(plies)),
    }
}

/// A value in words, for a sentence that begins with who is to move.
pub fn verdict(turn: Color, value: Value) -> String {
    let count = |plies| if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
    match value {
        Value::Win(plies) => format!("{turn} to move wins in {}", count(plies)),
        Value::Draw => format!("{turn} to move: a draw"),
        Value::Loss(plies) => format!("{turn} to move loses in {}", count(plies)),
    }
}

/// Runs something on so many threads; on all cores if none are named.
pub fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    if threads == Some(0) {
        return Err(Failure::Input("--threads 0 would do nothing; use 1 or more".to_owned()));
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map(|pool| pool.install(work))
        .map_err(|error| Failure::outside("starting threads; ask for fewer with --threads", error))
}
