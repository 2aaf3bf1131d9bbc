//! A set of tables as one would give it to a data archive, and the way back: [`publish`] and [`fetch`].
//!
//! ```text
//! DIR/leiden/*.mtb               the tables
//! DIR/leiden/manifest.json       their sizes and BLAKE3, which `fetch` begins with
//! DIR/leiden/verified.jsonl      which of them were verified position by position, and by which version
//! DIR/leiden/statistics.jsonl    wins, losses, draws, the longest win of each class by name
//! DIR/leiden/samples/*.parquet   positions with their values, picked at random
//! ```
//!
//! Both go on where they were interrupted: a file that is there and right is left alone. Of a file that is fetched
//! half, the rest is asked for. Nothing has its name before its hash was verified, and a table that is there already is
//! never replaced.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use jungle::Rules;
use thiserror::Error;

use crate::build::{self, BuildError, Inventory, MANIFEST, Manifest, ManifestEntry};
use crate::export::{Export, ExportError, atomically};
use crate::material::{Material, rules_name, table_rules};
use crate::probe::ProbeError;
use crate::remedy::Remedy;
use crate::set::{Set, SetError};
use crate::stats::{ClassStats, StatsOf};
use crate::table::class_of_file;
use crate::verify;
use crate::verify::ledger;

/// Statistics of classes, a line of JSON each.
const STATISTICS: &str = "statistics.jsonl";

/// The folder of samples.
const SAMPLES: &str = "samples";

/// How the name of a file ends that was fetched in part.
const PART: &str = ".part";

/// How much is read and written at a time.
const BUFFER: usize = 1 << 18;

/// Why a set was not published or fetched.
#[derive(Debug, Error)]
pub enum PublishError {
    /// The folder of a set, or a table in it, cannot be used.
    #[error(transparent)]
    Set(#[from] SetError),
    /// The disk failed.
    #[error(transparent)]
    Disk(#[from] BuildError),
    /// A sample could not be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The host did not answer, or not with the file.
    #[error("{path}: {error}")]
    Host {
        /// The file asked for.
        path: String,
        /// What went wrong.
        #[source]
        error: io::Error,
    },
    /// What the host calls a manifest is none.
    #[error("the manifest of the host cannot be used: {0}")]
    Manifest(String),
    /// A file is not what the manifest says.
    #[error("{0} is not what the manifest says it is")]
    Damaged(String),
    /// Another process is fetching the file.
    #[error("another process is fetching {0}")]
    Busy(String),
}

impl PublishError {
    /// What would help, if anything would.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            PublishError::Set(error) => error.remedy(),
            PublishError::Disk(error) => error.remedy(),
            PublishError::Export(error) => error.remedy(),
            _ => None,
        }
    }
}

/// A file that was dealt with.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Its path in the folder or on the host.
    pub file: &'a str,
    /// Whether it was there already.
    pub is_kept: bool,
    /// Whether it is there now, and not only a part of it.
    pub is_finished: bool,
    /// How many bytes have been dealt with.
    pub done: u64,
    /// Of how many.
    pub of: u64,
}

/// What there is of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many tables.
    pub tables: usize,
    /// Their bytes.
    pub bytes: u64,
    /// How many of them were verified position by position.
    pub verified: usize,
    /// How many samples there are.
    pub samples: usize,
}

/// What to pick for samples.
#[derive(Clone, Copy, Debug)]
pub struct Samples {
    /// From classes of up to this many pieces.
    pub pieces: u32,
    /// How many positions of each.
    pub positions: u64,
    /// By which random seed.
    pub seed: u64,
}

/// Publishes a set into a folder, which gets a folder for the rules. Every table is checked against its checksums
/// before it is copied. Without the feature `parquet` there are no samples.
///
/// # Errors
///
/// If a table is damaged, or the disk fails.
pub fn publish(
    set: &Set,
    to: &Path,
    samples: Samples,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Summary, PublishError> {
    let inventory = Inventory::new(set.rules(), set.folder())?;
    let folder = to.join(rules_name(set.rules()));
    make(&folder)?;
    let ledger =
        ledger::Ledger::read(set.folder()).map_err(BuildError::io("reading", set.folder()))?;
    let (mut summary, mut is_new) = (Summary::default(), false);
    let of = inventory.entries.iter().map(|entry| entry.bytes).sum();
    for entry in inventory.entries.iter().filter(|entry| entry.counts.is_ok()) {
        let Some(class) = set.tablebase().class_of_file(&entry.file) else { continue };
        verify::checksums(set.tablebase(), class).map_err(|error| set.failed(error))?;
        let is_kept = copy(&set.folder().join(&entry.file), &folder.join(&entry.file))?;
        let verified = entry.identity.as_ref().and_then(|identity| ledger.entry(identity));
        is_new |= !is_kept;
        summary.tables += 1;
        summary.bytes += entry.bytes;
        summary.verified += usize::from(verified.is_some_and(|entry| entry.good));
        watch(Progress { file: &entry.file, is_kept, is_finished: true, done: summary.bytes, of });
    }
    let ledger = set.folder().join(ledger::FILE);
    if ledger.exists() {
        copy(&ledger, &folder.join(ledger::FILE))?;
    }
    statistics(set, &folder.join(STATISTICS))?;
    summary.samples = sample(set, &folder.join(SAMPLES), samples)?;
    if is_new {
        // It would go by sizes, and a table in another form can have the size of the one before.
        let _ = fs::remove_file(folder.join(MANIFEST));
    }
    list(set.rules(), &folder)?;
    Ok(summary)
}

/// Copies a file, unless it is there with the same contents; whether it was.
fn copy(from: &Path, to: &Path) -> Result<bool, PublishError> {
    let reading =
        |path: &Path| ManifestEntry::of_file(path).map_err(BuildError::io("reading", path));
    if to.exists() && reading(from)? == reading(to)? {
        return Ok(true);
    }
    atomically(to, |file| {
        let copied = File::open(from).and_then(|mut from| io::copy(&mut from, file));
        copied.map(drop).map_err(|error| PublishError::from(BuildError::io("copying", from)(error)))
    })?;
    Ok(false)
}

fn make(folder: &Path) -> Result<(), BuildError> {
    fs::create_dir_all(folder).map_err(BuildError::io("making the folder", folder))
}

/// The statistics of all classes whose tables are there, under all their names.
fn statistics(set: &Set, path: &Path) -> Result<(), PublishError> {
    let mut text = Vec::new();
    for class in (2..=set.largest()).flat_map(Material::all) {
        let counts = match set.tablebase().counts(class) {
            Ok(counts) => counts,
            Err(ProbeError::MissingTable { .. }) => continue,
            Err(error) => return Err(set.failed(error).into()),
        };
        let row = ClassStats::new(StatsOf::Class(class.to_string()), set.rules(), counts);
        serde_json::to_writer(&mut text, &row)
            .map_err(|error| BuildError::io("writing", path)(error.into()))?;
        text.push(b'\n');
    }
    atomically(path, |file| {
        file.write_all(&text)
            .map_err(|error| PublishError::from(BuildError::io("writing", path)(error)))
    })
}

/// Writes the samples that are not there; how many there are.
fn sample(set: &Set, folder: &Path, samples: Samples) -> Result<usize, PublishError> {
    let mut written = 0;
    for class in set.tablebase().classes().filter(|class| class.pieces() <= samples.pieces) {
        let path = folder.join(format!("{class}.parquet"));
        if !path.exists() {
            let picked = Some(samples.positions);
            let export = match Export::new(set.tablebase(), class, picked, samples.seed) {
                Ok(export) => export,
                Err(ProbeError::MissingTable { .. }) => continue,
                Err(error) => return Err(set.failed(error).into()),
            };
            make(folder)?;
            match atomically(&path, |file| export.write_parquet(file)) {
                Err(ExportError::LeftOut) => {
                    // Nothing of this kind is written by this program.
                    let _ = fs::remove_dir(folder);
                    return Ok(0);
                }
                done => done?,
            }
        }
        written += 1;
    }
    Ok(written)
}

/// Makes the manifest agree with the folder.
fn list(rules: &Rules, folder: &Path) -> Result<(), BuildError> {
    let nothing = build::Wanted::Classes(Vec::new());
    build::build(rules, folder, &nothing, &build::Options::default(), &mut |_| ()).map(drop)
}

/// Where published sets are: files by their paths, such as `leiden/E-R.mtb`.
pub trait Host {
    /// Asks for a file from this byte on. A host that cannot give parts gives the whole.
    ///
    /// # Errors
    ///
    /// If there is no such file, or no answer.
    fn get(&self, path: &str, from: u64) -> io::Result<Download>;
}

/// What a host sends.
pub struct Download {
    /// With which byte of the file it begins.
    pub from: u64,
    /// The bytes, up to the end of the file.
    pub bytes: Box<dyn Read>,
}

/// Fetches a published set into the folder of a set: the tables of up to this many pieces that are not there.
///
/// # Errors
///
/// If the host does not answer, sends something else than it listed, or the disk fails. What is finished stays.
pub fn fetch(
    host: &dyn Host,
    rules: &Rules,
    folder: &Path,
    pieces: u32,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Summary, PublishError> {
    let name = rules_name(rules);
    let manifest = manifest(host, rules, &name)?;
    // Names come from outside: what is not the name of a table is no path for us.
    let wanted = manifest.files.iter().filter_map(|(file, entry)| {
        class_of_file(file)
            .filter(|class| class.pieces() <= pieces)
            .map(|class| (class, file, entry))
    });
    let mut wanted: Vec<_> = wanted.collect();
    wanted.sort_by_key(|(class, file, _)| (class.pieces(), *file));
    make(folder)?;
    let of = wanted.iter().map(|(_, _, entry)| entry.bytes).sum();
    let mut summary = Summary::default();
    for (_, file, entry) in wanted {
        let is_kept = folder.join(file).exists();
        if !is_kept {
            fetch_file(host, &format!("{name}/{file}"), entry, &folder.join(file), &mut |part| {
                watch(Progress {
                    file,
                    is_kept,
                    is_finished: false,
                    done: summary.bytes + part,
                    of,
                });
            })?;
        }
        summary.tables += 1;
        summary.bytes += entry.bytes;
        watch(Progress { file, is_kept, is_finished: true, done: summary.bytes, of });
    }
    list(rules, folder)?;
    Ok(summary)
}

fn manifest(host: &dyn Host, rules: &Rules, name: &str) -> Result<Manifest, PublishError> {
    /// More than the list of all tables of six pieces.
    const MOST: u64 = 16 << 20;
    let path = format!("{name}/{MANIFEST}");
    let failed = |error| PublishError::Host { path: path.clone(), error };
    let mut bytes = Vec::new();
    let download = host.get(&path, 0).map_err(failed)?;
    download.bytes.take(MOST).read_to_end(&mut bytes).map_err(failed)?;
    let manifest: Manifest = serde_json::from_slice(&bytes)
        .map_err(|error| PublishError::Manifest(error.to_string()))?;
    let ours = table_rules(rules).to_string();
    if manifest.rules != ours {
        let message = format!("it is for the rules {}, not {ours}", manifest.rules);
        return Err(PublishError::Manifest(message));
    }
    Ok(manifest)
}

/// Fetches a file, or the rest of it, and gives it its name when it is what it should be.
fn fetch_file(
    host: &dyn Host,
    path: &str,
    entry: &ManifestEntry,
    to: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<(), PublishError> {
    let mut part = to.as_os_str().to_owned();
    part.push(PART);
    let part = PathBuf::from(part);
    let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&part);
    let mut file = opened.map_err(BuildError::io("writing", &part))?;
    if file.try_lock().is_err() {
        return Err(PublishError::Busy(path.to_owned()));
    }
    // A part that turns out wrong may have been so from the beginning: once more, from there.
    for is_last in [false, true] {
        let begun = receive(host, path, entry, &mut file, &part, progress)?;
        let found = ManifestEntry::of_file(&part).map_err(BuildError::io("reading", &part))?;
        if found == *entry {
            file.sync_all().map_err(BuildError::io("writing", &part))?;
            drop(file);
            return Ok(fs::rename(&part, to).map_err(BuildError::io("writing", to))?);
        }
        file.set_len(0).map_err(BuildError::io("writing", &part))?;
        if begun == 0 || is_last {
            break;
        }
    }
    let _ = fs::remove_file(&part);
    Err(PublishError::Damaged(path.to_owned()))
}

/// Receives what is missing of a file; from which byte on.
fn receive(
    host: &dyn Host,
    path: &str,
    entry: &ManifestEntry,
    file: &mut File,
    part: &Path,
    progress: &mut dyn FnMut(u64),
) -> Result<u64, PublishError> {
    use std::io::{Seek, SeekFrom};

    let writing = |error| PublishError::from(BuildError::io("writing", part)(error));
    let failed = |error| PublishError::Host { path: path.to_owned(), error };
    let there = file.metadata().map_err(writing)?.len();
    if there >= entry.bytes {
        return Ok(there);
    }
    let Download { from, bytes } = host.get(path, there).map_err(failed)?;
    if from > there {
        return Err(failed(io::Error::new(ErrorKind::InvalidData, "the host left out bytes")));
    }
    file.set_len(from).map_err(writing)?;
    file.seek(SeekFrom::Start(from)).map_err(writing)?;
    // A byte more than there should be is enough to know.
    let mut bytes = bytes.take(entry.bytes - from + 1);
    let (mut buffer, mut done) = (vec![0; BUFFER], from);
    loop {
        match bytes.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                file.write_all(&buffer[..read]).map_err(writing)?;
                done += read as u64;
                progress(done.min(entry.bytes));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(error)),
        }
    }
    if done < entry.bytes {
        let error = io::Error::new(
            ErrorKind::UnexpectedEof,
            "the host broke off; fetching again goes on there",
        );
        return Err(failed(error));
    }
    Ok(from)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::Cursor;

    use super::*;

    /// A folder as a host that breaks off now and then, and can or cannot give parts.
    struct Unsteady {
        folder: PathBuf,
        gives_parts: bool,
        /// How many bytes it sends before it breaks off.
        patience: RefCell<u64>,
        asked: RefCell<Vec<(String, u64)>>,
    }

    impl Host for Unsteady {
        fn get(&self, path: &str, from: u64) -> io::Result<Download> {
            self.asked.borrow_mut().push((path.to_owned(), from));
            let from = if self.gives_parts { from } else { 0 };
            let bytes = fs::read(self.folder.join(path))?;
            let rest = bytes[(from as usize).min(bytes.len())..].to_vec();
            let sent = (*self.patience.borrow()).min(rest.len() as u64);
            Ok(Download { from, bytes: Box::new(Cursor::new(rest).take(sent)) })
        }
    }

    fn published() -> (tempfile::TempDir, Set) {
        let folder = tempfile::tempdir().unwrap();
        let rules = Rules::LEIDEN;
        let options = build::Options::default();
        let source = folder.path().join("source/leiden");
        build::build(&rules, &source, &build::Wanted::Pieces(2), &options, &mut |_| ()).unwrap();
        let set = Set::open(&rules, source).unwrap();
        (folder, set)
    }

    const SAMPLES: Samples = Samples { pieces: 0, positions: 0, seed: 1 };

    #[test]
    fn a_published_set_comes_back_whatever_the_host_does() {
        let (folder, set) = published();
        let public = folder.path().join("public");
        let summary = publish(&set, &public, SAMPLES, &mut |_| ()).unwrap();
        assert_eq!((summary.tables, summary.verified), (10, 0));
        let mut kept = 0;
        let again =
            publish(&set, &public, SAMPLES, &mut |file| kept += usize::from(file.is_kept)).unwrap();
        assert_eq!((again, kept), (summary, 10));
        let lines = fs::read_to_string(public.join("leiden/statistics.jsonl")).unwrap();
        assert_eq!(lines.lines().count(), 64, "all classes by name");

        for gives_parts in [true, false] {
            let (asked, patience) = (RefCell::default(), RefCell::new(u64::MAX));
            let host = Unsteady { folder: public.clone(), gives_parts, patience, asked };
            let to = folder.path().join(format!("fetched-{gives_parts}"));
            let fetch = || fetch(&host, set.rules(), &to, 6, &mut |_| ());
            fs::create_dir_all(&to).unwrap();
            fs::write(to.join("C-C.mtb.part"), b"something else").unwrap();
            fetch().unwrap();
            let asked = host.asked.borrow().clone();
            let asked = asked.iter().filter(|(path, _)| path == "leiden/C-C.mtb");
            let asked: Vec<u64> = asked.map(|(_, from)| *from).collect();
            // What was there turns out wrong, and the second try begins at the beginning.
            assert_eq!(asked, if gives_parts { vec![14, 0] } else { vec![14] });
            for file in set.files().unwrap() {
                assert_eq!(
                    fs::read(to.join(&file)).unwrap(),
                    fs::read(set.folder().join(&file)).unwrap()
                );
            }
            assert_eq!(Manifest::read(&to).unwrap(), Manifest::read(set.folder()).unwrap());
            assert!(!to.join("C-C.mtb.part").exists());
        }
    }

    #[test]
    fn what_broke_off_goes_on_and_what_is_wrong_gets_no_name() {
        let (folder, set) = published();
        let public = folder.path().join("public");
        publish(&set, &public, SAMPLES, &mut |_| ()).unwrap();
        let manifest = fs::read(public.join("leiden/manifest.json")).unwrap();
        let to = folder.path().join("fetched");
        let (asked, patience) = (RefCell::default(), RefCell::new(u64::MAX));
        let host = Unsteady { folder: public.clone(), gives_parts: true, patience, asked };
        let entry = Manifest::read(set.folder()).unwrap().unwrap().files["C-C.mtb"].clone();
        fs::create_dir_all(&to).unwrap();
        let one = || fetch_file(&host, "leiden/C-C.mtb", &entry, &to.join("C-C.mtb"), &mut |_| ());
        *host.patience.borrow_mut() = 1000;
        assert!(matches!(one(), Err(PublishError::Host { .. })));
        assert_eq!(fs::metadata(to.join("C-C.mtb.part")).unwrap().len(), 1000);
        one().unwrap();
        assert_eq!(host.asked.borrow().last(), Some(&("leiden/C-C.mtb".to_owned(), 1000)));
        assert_eq!(fs::metadata(to.join("C-C.mtb")).unwrap().len(), entry.bytes);

        *host.patience.borrow_mut() = u64::MAX;
        let path = public.join("leiden/E-R.mtb");
        let mut bytes = fs::read(&path).unwrap();
        bytes[500] ^= 1;
        fs::write(&path, bytes).unwrap();
        let fetched = fetch(&host, set.rules(), &to, 6, &mut |_| ());
        assert!(matches!(fetched, Err(PublishError::Damaged(file)) if file == "leiden/E-R.mtb"));
        assert!(!to.join("E-R.mtb").exists());

        let text = String::from_utf8(manifest).unwrap();
        let other = text.replace("\"C-C.mtb\"", "\"../C-C.mtb\"");
        fs::write(public.join("leiden/manifest.json"), other).unwrap();
        let empty = folder.path().join("empty/leiden");
        let _ = fetch(&host, set.rules(), &empty, 6, &mut |_| ());
        assert!(!folder.path().join("empty/C-C.mtb").exists() && !empty.join("C-C.mtb").exists());
        let other = text.replace("\"leiden\"", "\"standard\"");
        fs::write(public.join("leiden/manifest.json"), other).unwrap();
        let fetched = fetch(&host, set.rules(), &empty, 6, &mut |_| ());
        assert!(matches!(fetched, Err(PublishError::Manifest(_))));
    }
}
