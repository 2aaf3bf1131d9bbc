//! Files of the site that a page came from.

use std::io;
use std::ops::Range;

use tablebase::storage::Fetched;

/// Files of the site that a page came from.
pub trait Files: Send + Sync {
    /// A whole file below the folder of tables; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If it cannot be had.
    fn whole(&self, path: &str) -> io::Result<Option<Vec<u8>>>;

    /// Some bytes of such a file.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::NotFound`] if there is no such file; any other if it cannot be had.
    fn part(&self, path: &str, range: Range<u64>) -> io::Result<Fetched>;
}
