//! Files of the site that a page came from.

use std::io;

/// Files of the site that a page came from.
pub trait Files: Send + Sync {
    /// A whole file below the folder of tables; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If it cannot be had.
    fn whole(&self, path: &str) -> io::Result<Option<Vec<u8>>>;
}
