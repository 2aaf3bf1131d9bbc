//! The inventory of a set: which tables are there, and how complete it is.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use jungle::{ByColor, Rules};

use super::error::BuildError;
use super::plan::MOST_PIECES;
use super::store::names;
use crate::material::{Class, Classes, Material, table_rules};
use crate::payload::Budget;
use crate::storage::{Folder, Storage};
use crate::table::{Counts, SUFFIX, Table, TableError, class_of_file, file_name};
use crate::verify::ledger::Identity;

/// The tables in a folder.
#[derive(Debug)]
pub struct Inventory {
    /// The tables, fewer pieces first; at the end, files that are not named after a class of the set.
    pub entries: Vec<TableFile>,
    /// How complete the set is for each number of pieces, up to the most of any table.
    pub layers: Vec<Layer>,
}

/// A table file.
#[derive(Debug)]
pub struct TableFile {
    /// Its name.
    pub file: String,
    /// Its class, if the name is that of one.
    pub class: Option<Material>,
    /// Its size.
    pub bytes: u64,
    /// Its counts by side to move, mirror images counted apart, or what is wrong with it. Only the header
    /// is looked at.
    pub counts: Result<ByColor<Counts>, TableError>,
    /// Which table it is and which it relies on, if all of them can be used.
    pub identity: Option<Identity>,
}

/// The classes with a given number of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// How many pieces.
    pub pieces: u32,
    /// How many usable tables there are.
    pub present: usize,
    /// How many classes there are.
    pub classes: usize,
}

impl Inventory {
    /// Looks into the folder of a set; one that does not exist is empty.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn new(rules: &Rules, folder: &Path) -> Result<Inventory, BuildError> {
        let files: Vec<String> =
            names(folder)?.into_iter().filter(|name| name.ends_with(SUFFIX)).collect();
        let sizes = files.iter().filter_map(|file| class_of_file(file)).map(Material::pieces);
        let most = sizes.filter(|pieces| *pieces <= MOST_PIECES).max().unwrap_or(0);
        let classes = Classes::new(&table_rules(rules), most);

        let mut entries = Vec::new();
        let mut hashes: HashMap<usize, String> = HashMap::new();
        let mut layers: Vec<Layer> =
            (2..=most).map(|pieces| Layer { pieces, present: 0, classes: 0 }).collect();
        for (at, class) in classes.list().iter().enumerate() {
            let layer = &mut layers[class.material.pieces() as usize - 2];
            layer.classes += 1;
            let file = file_name(class.material);
            if files.binary_search(&file).is_ok() {
                let opened = open(&classes, class, folder)?;
                if let Ok(table) = &opened {
                    hashes.insert(at, table.hash().to_owned());
                }
                let counts = opened.map(|table| table.header().counts);
                layer.present += usize::from(counts.is_ok());
                let bytes = size(folder, &file)?;
                let identity = identity(&classes, at, &hashes);
                let class = Some(class.material);
                entries.push(TableFile { file, class, bytes, counts, identity });
            }
        }
        for file in files {
            if entries.iter().all(|entry| entry.file != file) {
                let bytes = size(folder, &file)?;
                let counts = Err(TableError::Corrupt("no class of this set has this name"));
                entries.push(TableFile { file, class: None, bytes, counts, identity: None });
            }
        }
        Ok(Inventory { entries, layers })
    }

    /// Up to how many pieces the set is complete; `None` if it is not even for two.
    pub fn complete(&self) -> Option<u32> {
        let complete = self.layers.iter().take_while(|layer| layer.present == layer.classes);
        complete.last().map(|layer| layer.pieces)
    }
}

/// Which table that of a class is, given the hashes of those that can be used, which are known up to this class.
fn identity(classes: &Classes, class: usize, hashes: &HashMap<usize, String>) -> Option<Identity> {
    let known = |class: usize| {
        Some((file_name(classes.list()[class].material), hashes.get(&class)?.clone()))
    };
    let (file, header) = known(class)?;
    let below = classes.below(class).into_iter().map(known).collect::<Option<_>>()?;
    Some(Identity { file, header, below })
}

/// The table of a class, or what is wrong with it.
fn open(
    classes: &Classes,
    class: &Class,
    folder: &Path,
) -> Result<Result<Table, TableError>, BuildError> {
    let file = file_name(class.material);
    let opened = Folder::new(folder).open(&file);
    let opened = opened.map_err(BuildError::io("reading", folder.join(&file)))?;
    let Some(opened) = opened else {
        return Ok(Err(TableError::Corrupt("the file has gone")));
    };
    Ok(Table::open(classes.rules(), class, opened, Arc::new(Budget::new(0))))
}

fn size(folder: &Path, file: &str) -> Result<u64, BuildError> {
    let path = folder.join(file);
    Ok(fs::metadata(&path).map_err(BuildError::io("reading", path))?.len())
}
