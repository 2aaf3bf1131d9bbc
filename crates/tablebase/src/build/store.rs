//! Atomic writes: files appear in the folder of a set complete or not at all.
//!
//! A file is written under a temporary name in the same folder, made durable, renamed, and the folder
//! made durable; a process killed in between leaves a temporary file, which the next claim on the
//! same class removes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::error::BuildError;
use super::owner::Owner;

/// How the names of temporary files end.
pub const TEMPORARY: &str = ".tmp";

/// Writes files; tests substitute one that fails.
pub trait Disk: Send + Sync {
    /// Writes a new file and returns when it would survive a power cut.
    ///
    /// # Errors
    ///
    /// If the disk fails; the file may be there in part.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
}

/// The disk of the system.
#[derive(Clone, Copy, Debug)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    }
}

/// Makes the folder if it is not there.
///
/// # Errors
///
/// If that is not possible.
pub fn make_folder(folder: &Path) -> Result<(), BuildError> {
    fs::create_dir_all(folder).map_err(BuildError::io("making the folder", folder))
}

/// How many bytes are free for us on the disk of a folder, where the system tells.
pub fn free(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(folder).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}

/// Puts a file in place.
///
/// # Errors
///
/// If the disk fails. Then nothing has changed.
pub fn put(
    disk: &dyn Disk,
    folder: &Path,
    name: &str,
    owner: &Owner,
    bytes: &[u8],
) -> Result<(), BuildError> {
    let path = folder.join(name);
    let temporary = folder.join(format!("{name}.{}{TEMPORARY}", owner.tag()));
    let put = || {
        disk.write(&temporary, bytes)?;
        fs::rename(&temporary, &path)
    };
    let result = match put() {
        // Another builder took this one for dead and cleaned up.
        Err(error) if error.kind() == io::ErrorKind::NotFound && folder.is_dir() => put(),
        result => result,
    };
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result.map_err(BuildError::io("writing", &path))?;
    sync_folder(folder).map_err(BuildError::io("writing", folder))
}

/// Removes temporary files left behind for `name`, whose claim the caller holds.
///
/// # Errors
///
/// If the folder cannot be read or written.
pub fn clear(folder: &Path, name: &str) -> Result<(), BuildError> {
    for file in names(folder)? {
        if !file.ends_with(TEMPORARY) || file.split_once('.').is_none_or(|(of, _)| of != name) {
            continue;
        }
        let path = folder.join(file);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(BuildError::io("removing", path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The names of all files in a folder, in order; none if there is no folder.
pub fn names(folder: &Path) -> Result<Vec<String>, BuildError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(BuildError::io("reading the folder", folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(BuildError::io("reading the folder", folder))?;
        names.extend(entry.file_name().into_string().ok());
    }
    names.sort_unstable();
    Ok(names)
}

/// Makes renamed files stay renamed. Where folders cannot be opened, that is left to the system.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes this many bytes and then is full.
    struct FullAfter(usize);

    impl Disk for FullAfter {
        fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
            fs::write(path, &bytes[..bytes.len().min(self.0)])?;
            if bytes.len() > self.0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let owner = Owner::this();
        put(&SystemDisk, folder.path(), "E-R.mtb", &owner, b"old").unwrap();
        let error = put(&FullAfter(4), folder.path(), "E-R.mtb", &owner, b"newer").unwrap_err();
        let text = error.to_string();
        assert!(text.contains("E-R.mtb"), "{text}");
        assert_eq!(error.remedy(), Some(crate::remedy::Remedy::FreeSpace));
        assert_eq!(names(folder.path()).unwrap(), ["E-R.mtb"]);
        assert_eq!(fs::read(folder.path().join("E-R.mtb")).unwrap(), b"old");
    }

    #[test]
    fn only_the_temporary_files_of_the_name_are_cleared() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["E-R.mtb.a-1.tmp", "E-R.claim.a-1.tmp", "E-RC.mtb.a-1.tmp", "E-R.mtb"] {
            fs::write(folder.path().join(name), b"x").unwrap();
        }
        clear(folder.path(), "E-R").unwrap();
        assert_eq!(names(folder.path()).unwrap(), ["E-R.mtb", "E-RC.mtb.a-1.tmp"]);
    }
}
