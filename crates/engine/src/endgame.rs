//! Endgame tables as the engine uses them.

use std::io;
use std::path::Path;
use std::sync::Arc;

use jungle::Rules;
use tablebase::build::MOST_PIECES;
use tablebase::material::Material;
use tablebase::probe::Tablebase;
use tablebase::source::Folder;

/// Opens the tables in the folder of a set (as `mousetrap tb build` fills it) for games under these
/// rules; `None` if there are none. Files are read when they are first needed.
///
/// # Errors
///
/// If the folder is there but cannot be read.
pub fn open_tables(rules: &Rules, folder: &Path) -> io::Result<Option<Arc<Tablebase>>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut largest = 0;
    for entry in entries {
        let name = entry?.file_name();
        let material = name.to_str().and_then(|name| name.strip_suffix(".mtb"));
        let pieces = material.and_then(|name| Some(name.parse::<Material>().ok()?.pieces()));
        largest = pieces.filter(|&pieces| pieces <= MOST_PIECES).unwrap_or(0).max(largest);
    }
    Ok((largest > 0).then(|| Arc::new(Tablebase::new(rules, largest, Folder::new(folder)))))
}
