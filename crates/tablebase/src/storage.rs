//! Storage: where table files come from. A folder, memory, another machine ([`Ranges`]), or anything that can
//! be read at an offset.
//!
//! Files are read, never mapped: another process may truncate or overwrite a mapped file, and then
//! reading it is undefined behaviour that no check can rule out. Reads copy, so that what was verified
//! cannot change (see `docs/decisions/0009-reading-tables.md` for what that costs).

mod remote;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use self::remote::{Fetch, Fetched, Ranges};

/// Opens table files by name.
pub trait Storage: Send + Sync {
    /// Opens a file; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If the file is there but cannot be opened.
    fn open(&self, file: &str) -> io::Result<Option<Box<dyn ReadAt>>>;
}

/// An open file that any number of threads read from, each at its own offset.
pub trait ReadAt: Send + Sync {
    /// How many bytes the file has.
    ///
    /// # Errors
    ///
    /// If the system does not say.
    fn size(&self) -> io::Result<u64>;

    /// Fills the buffer with the bytes from `offset` on.
    ///
    /// # Errors
    ///
    /// If there are fewer bytes, or they cannot be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Whether each read is a request to another machine, so that few large ones are better than many.
    fn is_remote(&self) -> bool {
        false
    }

    /// The bytes at the front of the file, if opening it brought them along; they are given away once.
    fn take_front(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// A folder of table files.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The tables in this folder, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder(path.into())
    }
}

impl Storage for Folder {
    fn open(&self, file: &str) -> io::Result<Option<Box<dyn ReadAt>>> {
        match open_file(&self.0.join(file)) {
            Ok(file) => Ok(Some(Box::new(file))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Opens a regular file for reading. A pipe or a device under its name is an error, where waiting for a writer, or
/// reading without end, would hang whoever asks.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        // A pipe then opens without waiting.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
}

impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    buffer = &mut buffer[read..];
                    offset += read as u64;
                }
            }
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek, SeekFrom};

        // Where the position belongs to the file, one reader at a time may move it.
        static POSITION: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _moving = POSITION.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut file = self;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

/// Table files held in memory, by name.
#[derive(Clone, Debug, Default)]
pub struct Memory(HashMap<String, Arc<Vec<u8>>>);

impl Memory {
    /// Holds a file; one of the same name is replaced.
    pub fn insert(&mut self, file: impl Into<String>, bytes: Vec<u8>) {
        self.0.insert(file.into(), Arc::new(bytes));
    }

    /// Removes a file; returns its contents, if it was held.
    pub fn remove(&mut self, file: &str) -> Option<Arc<Vec<u8>>> {
        self.0.remove(file)
    }

    /// The names and contents of all files, in no particular order.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(file, bytes)| (file.as_str(), bytes.as_slice()))
    }
}

impl Storage for Memory {
    fn open(&self, file: &str) -> io::Result<Option<Box<dyn ReadAt>>> {
        Ok(self.0.get(file).map(|bytes| Box::new(bytes.clone()) as Box<dyn ReadAt>))
    }
}

impl ReadAt for Arc<Vec<u8>> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).ok().filter(|&start| start <= self.len());
        let bytes = start.and_then(|start| self[start..].get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn a_pipe_a_device_or_a_folder_is_no_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        mknodat(CWD, path("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        symlink("/dev/zero", path("device")).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        std::fs::write(path("file"), b"bytes").unwrap();
        symlink(path("file"), path("link")).unwrap();
        let storage = Folder::new(folder.path());
        for name in ["pipe", "device", "folder"] {
            let error = storage.open(name).err().unwrap_or_else(|| panic!("{name} was opened"));
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
        }
        for name in ["file", "link"] {
            assert_eq!(storage.open(name).unwrap().unwrap().size().unwrap(), 5);
        }
        assert!(storage.open("nothing").unwrap().is_none());
    }
}
