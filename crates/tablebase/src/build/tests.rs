//! Sets built on disk: the same bytes however they are built, and nothing lost in a failure.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use jungle::Rules;

use super::manifest::{Manifest, ManifestEntry};
use super::*;
use crate::material::{Classes, table_rules};
use crate::payload::checksum;
use crate::remedy::Remedy;

const RULES: Rules = Rules::STANDARD;

fn quiet(folder: &Path, wanted: &Wanted, options: &Options) -> Result<BuildSummary, BuildError> {
    build(&RULES, folder, wanted, options, &mut |_| {})
}

fn class(name: &str) -> Wanted {
    Wanted::Classes(vec![name.parse().unwrap()])
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    files
        .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
        .collect()
}

#[test]
fn a_set_is_built_once_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let wanted = class("EL-R");
    let outcome = quiet(folder, &wanted, &Options::default()).unwrap();
    assert_eq!(outcome.built, outcome.classes);
    let files = contents(folder);
    assert_eq!(files.len(), outcome.classes + 1, "tables and the manifest");

    let manifest = Manifest::read(folder).unwrap().unwrap();
    assert_eq!(manifest.complete_pieces, None);
    assert_eq!(manifest.files.len(), outcome.classes);
    for (file, entry) in &manifest.files {
        assert_eq!(*entry, ManifestEntry::of(&files[file]), "{file}");
    }
    assert_eq!(quiet(folder, &wanted, &Options::default()).unwrap().built, 0);
    assert_eq!(contents(folder), files);

    let all = Wanted::Pieces(2);
    let rest = quiet(folder, &all, &Options::default()).unwrap();
    assert!(rest.built > 0 && rest.built < rest.classes);
    let inventory = Inventory::new(&RULES, folder).unwrap();
    assert_eq!(inventory.complete(), Some(2));
    assert_eq!(inventory.layers[1].present, 1);
    assert_eq!(Manifest::read(folder).unwrap().unwrap().complete_pieces, Some(2));
}

#[test]
fn threads_and_memory_do_not_change_the_bytes() {
    let wanted = class("EL-RT");
    let full = tempfile::tempdir().unwrap();
    quiet(full.path(), &wanted, &Options::default()).unwrap();
    let error = quiet(full.path(), &class("EL-RC"), &Options { memory: 1, ..Options::default() });
    let Err(BuildError::Memory { need, limit: 1, .. }) = error else { panic!("{error:?}") };

    let tight = tempfile::tempdir().unwrap();
    let options = Options { memory: need, threads: Some(1), ..Options::default() };
    quiet(tight.path(), &wanted, &options).unwrap();
    assert_eq!(contents(full.path()), contents(tight.path()));
}

#[test]
fn tables_without_distances_give_way_to_complete_ones() {
    let folder = tempfile::tempdir().unwrap();
    let short = Options { wdl_only: true, ..Options::default() };
    quiet(folder.path(), &Wanted::Pieces(2), &short).unwrap();
    let outcomes_only = contents(folder.path());
    assert_eq!(quiet(folder.path(), &Wanted::Pieces(2), &short).unwrap().built, 0);
    quiet(folder.path(), &Wanted::Pieces(2), &Options::default()).unwrap();
    let complete = contents(folder.path());
    for (name, bytes) in complete.iter().filter(|(name, _)| name.ends_with(".mtb")) {
        assert!(outcomes_only[name].len() < bytes.len(), "{name}");
    }
    assert_eq!(quiet(folder.path(), &Wanted::Pieces(2), &short).unwrap().built, 0);
}

#[test]
fn tables_of_one_side_give_way_to_those_of_both() {
    let folder = tempfile::tempdir().unwrap();
    let both = Options { both_sides: true, ..Options::default() };
    quiet(folder.path(), &Wanted::Pieces(3), &Options::default()).unwrap();
    let one = contents(folder.path());
    quiet(folder.path(), &Wanted::Pieces(3), &both).unwrap();
    let two = contents(folder.path());
    for (name, bytes) in one.iter().filter(|(name, _)| name.ends_with(".mtb")) {
        // Only the largest tables are other than usual.
        let largest = crate::table::class_of_file(name).unwrap().pieces() == 3;
        assert_eq!(bytes.len() < two[name].len(), largest, "{name}");
        assert_eq!(*bytes != two[name], largest, "{name}");
    }
    assert_eq!(quiet(folder.path(), &Wanted::Pieces(3), &Options::default()).unwrap().built, 0);

    // What they lead to is read from either kind.
    let folder = tempfile::tempdir().unwrap();
    quiet(folder.path(), &Wanted::Pieces(2), &both).unwrap();
    quiet(folder.path(), &class("EL-R"), &Options::default()).unwrap();
    let three =
        |name: &str| crate::table::class_of_file(name).is_some_and(|class| class.pieces() == 3);
    let built = contents(folder.path());
    let built: Vec<_> = built.iter().filter(|(name, _)| three(name)).collect();
    assert!(!built.is_empty() && built.iter().all(|(name, bytes)| one[*name] == **bytes));
}

#[test]
fn too_little_memory_is_told_before_anything_is_built() {
    let folder = tempfile::tempdir().unwrap();
    let options = Options { memory: 1 << 20, ..Options::default() };
    let error = quiet(folder.path(), &Wanted::Pieces(4), &options).unwrap_err();
    assert_eq!(error.remedy(), Some(Remedy::MoreMemory));
    assert!(error.to_string().contains("and 1M are allowed"), "{error}");
    assert!(contents(folder.path()).is_empty());
}

#[test]
fn small_tables_come_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("a").join("b");
    ensure_small(&RULES, &folder).unwrap();
    assert_eq!(Inventory::new(&RULES, &folder).unwrap().complete(), Some(3));
    let files = contents(&folder);
    ensure_small(&RULES, &folder).unwrap();
    assert_eq!(contents(&folder), files);
}

/// Works for this many files and then is full, half of the next file written.
struct FullAfter(AtomicUsize);

impl Disk for FullAfter {
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok() {
            return SystemDisk.write(path, bytes);
        }
        fs::write(path, &bytes[..bytes.len() / 2])?;
        Err(io::ErrorKind::StorageFull.into())
    }
}

#[test]
fn a_full_disk_keeps_what_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let wanted = Wanted::Pieces(2);
    let full = FullAfter(AtomicUsize::new(3));
    let built = build_on(&full, &RULES, folder, &wanted, &Options::default(), &mut |_| {});
    let error = built.unwrap_err();
    assert_eq!(error.remedy(), Some(Remedy::FreeSpace));
    assert!(error.to_string().contains(".mtb"), "{error}");
    let names: Vec<String> = contents(folder).into_keys().collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert!(names.iter().all(|name| name.ends_with(".mtb")), "{names:?}");
    quiet(folder, &wanted, &Options::default()).unwrap();

    let whole = tempfile::tempdir().unwrap();
    quiet(whole.path(), &wanted, &Options::default()).unwrap();
    assert_eq!(contents(folder), contents(whole.path()));
}

#[test]
fn a_damaged_table_stops_the_build_and_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    quiet(folder, &class("E-R"), &Options::default()).unwrap();
    let names: Vec<String> = contents(folder).into_keys().filter(|n| n.ends_with("mtb")).collect();
    let path = folder.join(&names[0]);
    let good = fs::read(&path).unwrap();
    for bad in [&good[..good.len() - 1], &b"nonsense"[..], &[]] {
        fs::write(&path, bad).unwrap();
        let error = quiet(folder, &Wanted::Pieces(3), &Options::default()).unwrap_err();
        assert_eq!(error.remedy(), Some(Remedy::Rebuild));
        assert!(error.to_string().contains(&names[0]), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bad);
        let inventory = Inventory::new(&RULES, folder).unwrap();
        assert!(inventory.entries[0].counts.is_err());
    }
    // Damage further in is found when the table is needed.
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    fs::write(&path, &bad).unwrap();
    let error = quiet(folder, &Wanted::Pieces(3), &Options::default()).unwrap_err();
    assert_eq!(error.remedy(), Some(Remedy::Rebuild));
    assert!(error.to_string().contains(&names[0]), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bad);
    assert!(contents(folder).keys().all(|name| !name.ends_with(".claim")));
}

#[test]
fn what_others_left_behind_is_cleared_and_what_they_hold_respected() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let name = Classes::new(&table_rules(&RULES), 2).list()[0].material.to_string();
    let claim = folder.join(format!("{name}.claim"));
    let held = "host elsewhere\npid 1\nsince 0\nserial 0\nmachine elsewhere 0 0\n";
    fs::write(&claim, held).unwrap();
    fs::write(folder.join("E-R.mtb.gone-1.tmp"), b"half").unwrap();
    fs::write(folder.join("manifest.json.gone-1.tmp"), b"half").unwrap();
    let abandoned_after = Duration::from_secs(2);
    let options = Options { abandoned_after, ..Options::default() };
    let (mut waited, mut built) = (Vec::new(), Vec::new());
    build(&RULES, folder, &Wanted::Pieces(2), &options, &mut |event| match event {
        Event::Waiting { class, owner } => {
            waited.push((class.to_string(), owner.unwrap().to_string()));
        }
        Event::Built { report, .. } => built.push(report.class.to_string()),
        _ => {}
    })
    .unwrap();
    assert_eq!(waited, [(name.clone(), "process 1 on elsewhere".to_owned())]);
    assert_eq!(*built.last().unwrap(), name);
    let names: Vec<String> = contents(folder).into_keys().collect();
    assert!(names.iter().all(|name| name.ends_with("mtb") || name == "manifest.json"), "{names:?}");
}

#[test]
fn tables_of_an_older_version_are_built_anew() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let wanted = Wanted::Pieces(2);
    quiet(folder, &wanted, &Options::default()).unwrap();
    let files = contents(folder);
    let (name, good) = files.iter().find(|(name, _)| name.ends_with(".mtb")).unwrap();

    // The version stands first in the header, after the magic and the header's length.
    let mut old = good.clone();
    let length = u32::from_le_bytes(*good[8..].first_chunk().unwrap()) as usize;
    old[12..14].copy_from_slice(&1u16.to_le_bytes());
    let sum = checksum(&old[..12 + length]);
    old[12 + length..][..sum.len()].copy_from_slice(&sum);
    fs::write(folder.join(name), &old).unwrap();

    let state = Inventory::new(&RULES, folder).unwrap().complete();
    assert_eq!(state, None, "an old table is not one of the set");
    assert_eq!(quiet(folder, &wanted, &Options::default()).unwrap().built, 1);
    assert_eq!(contents(folder), files);
}

#[test]
fn tables_of_a_version_that_can_be_read_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let old = include_bytes!("../../tests/data/version-2/C-T.mtb");
    fs::write(folder.path().join("C-T.mtb"), old).unwrap();
    let summary = quiet(folder.path(), &class("C-T"), &Options::default()).unwrap();
    assert_eq!((summary.built, summary.classes), (0, 1));
    assert_eq!(contents(folder.path())["C-T.mtb"], old);
}
