//! The manifest: the tables of a set with their checksums, to compare with another set.
//!
//! It is made from what is in the folder, by one builder at a time. A checksum once listed stays as
//! long as the file has the same size: it says what was built, not what is on the disk now,
//! and tables of hundreds of gigabytes are not read again for every class that is added.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use jungle::Rules;
use serde::{Deserialize, Serialize};

use super::error::BuildError;
use super::inventory::Inventory;
use super::owner::Owner;
use super::store::{Disk, put};
use crate::material::table_rules;
use crate::storage::open_file;

/// The manifest's name.
pub const FILE: &str = "manifest.json";

/// The contents of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The rules, as far as tables depend on them.
    pub rules: String,
    /// Up to how many pieces the set is complete.
    pub complete_pieces: Option<u32>,
    /// The tables, by name.
    pub files: BTreeMap<String, ManifestEntry>,
}

/// A file of the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// Its size.
    pub bytes: u64,
    /// BLAKE3 of all of it, in hexadecimal.
    pub blake3: String,
}

impl ManifestEntry {
    /// The entry of a file with these contents.
    pub fn of(contents: &[u8]) -> ManifestEntry {
        let hash = blake3::hash(contents).to_hex().to_string();
        ManifestEntry { bytes: contents.len() as u64, blake3: hash }
    }

    /// The entry of a file on disk, which need not fit into memory.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn of_file(path: &Path) -> io::Result<ManifestEntry> {
        let mut hasher = blake3::Hasher::new();
        hasher.update_reader(open_file(path)?)?;
        Ok(ManifestEntry { bytes: hasher.count(), blake3: hasher.finalize().to_hex().to_string() })
    }
}

impl Manifest {
    /// Reads the manifest of a set; `None` if there is none or it is invalid.
    ///
    /// # Errors
    ///
    /// If it is there but cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, BuildError> {
        let path = folder.join(FILE);
        let read = || {
            let mut bytes = Vec::new();
            open_file(&path)?.read_to_end(&mut bytes)?;
            Ok::<_, io::Error>(bytes)
        };
        match read() {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(BuildError::io("reading", path)(error)),
        }
    }

    /// Makes the manifest agree with the folder; the caller holds the claim on it. `built` are the
    /// entries of files that the caller has just made.
    pub(super) fn update(
        rules: &Rules,
        folder: &Path,
        disk: &dyn Disk,
        owner: &Owner,
        built: &BTreeMap<String, ManifestEntry>,
    ) -> Result<(), BuildError> {
        let old = Manifest::read(folder)?;
        let new = Manifest::of_folder(rules, folder, old.as_ref(), built)?;
        if old.as_ref() == Some(&new) {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(&new).map_err(|error| BuildError::Io {
            doing: "writing",
            path: folder.join(FILE),
            error: error.into(),
        })?;
        put(disk, folder, FILE, owner, format!("{text}\n").as_bytes())
    }

    fn of_folder(
        rules: &Rules,
        folder: &Path,
        old: Option<&Manifest>,
        built: &BTreeMap<String, ManifestEntry>,
    ) -> Result<Manifest, BuildError> {
        let inventory = Inventory::new(rules, folder)?;
        let mut files = BTreeMap::new();
        for entry in inventory.entries.iter().filter(|entry| entry.counts.is_ok()) {
            let known = old.and_then(|old| old.files.get(&entry.file));
            let known = built.get(&entry.file).or(known);
            let listed = match known.filter(|known| known.bytes == entry.bytes) {
                Some(known) => known.clone(),
                None => {
                    let path = folder.join(&entry.file);
                    match ManifestEntry::of_file(&path) {
                        Ok(listed) => listed,
                        Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                        Err(error) => return Err(BuildError::io("reading", path)(error)),
                    }
                }
            };
            files.insert(entry.file.clone(), listed);
        }
        Ok(Manifest {
            rules: table_rules(rules).to_string(),
            complete_pieces: inventory.complete(),
            files,
        })
    }
}
