//! Where tables come from: a folder, memory, or whatever a caller can turn into bytes.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;

/// The contents of a file.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Finds table files by name.
pub trait Source: Send + Sync {
    /// The file's contents; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If the file is there but cannot be read.
    fn open(&self, file: &str) -> io::Result<Option<Bytes>>;
}

/// A folder of table files, mapped into memory: the system's page cache is the cache.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The tables in this folder, which need not exist.
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder(path.into())
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Source for Folder {
    fn open(&self, file: &str) -> io::Result<Option<Bytes>> {
        match File::open(self.0.join(file)) {
            Ok(file) => {
                // SAFETY: table files appear by rename and are never written in place, so the
                // mapping does not change under us. It saves copying tables that may be larger than
                // memory; what is read from it is checked like any other input.
                let map = unsafe { Mmap::map(&file)? };
                Ok(Some(Arc::new(map)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Files held in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory(pub HashMap<String, Arc<Vec<u8>>>);

impl Source for Memory {
    fn open(&self, file: &str) -> io::Result<Option<Bytes>> {
        Ok(self.0.get(file).map(|bytes| bytes.clone() as Bytes))
    }
}
