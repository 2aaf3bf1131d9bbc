//! Where games are kept: a file, or a database that several servers share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use library::Store;

/// Where games are kept.
#[derive(Clone, Debug)]
pub enum Database {
    /// A file for those that are kept; those that two people play are in another beside it.
    File(PathBuf),
    /// A PostgreSQL database for both.
    #[cfg(feature = "postgres")]
    Postgres {
        /// Games that are kept.
        games: Arc<library::Postgres>,
        /// Games that two people play.
        duels: Arc<duel::Postgres>,
    },
}

#[cfg(feature = "postgres")]
impl Database {
    /// A PostgreSQL database by its address; nothing is asked of it yet.
    ///
    /// # Errors
    ///
    /// If it is not an address.
    pub fn postgres(address: &str) -> Result<Database, library::postgres::BadAddress> {
        let games = Arc::new(library::Postgres::new(address)?);
        Ok(Database::Postgres { games, duels: Arc::new(duel::Postgres::new(address)?) })
    }
}

impl From<PathBuf> for Database {
    fn from(path: PathBuf) -> Database {
        Database::File(path)
    }
}

impl From<&Path> for Database {
    fn from(path: &Path) -> Database {
        Database::File(path.into())
    }
}

/// Where games are kept.
pub(crate) fn games(database: Option<&Database>) -> Arc<dyn Store> {
    match database {
        None => Arc::new(library::Memory::default()),
        Some(Database::File(path)) => Arc::new(library::Sqlite::new(path)),
        #[cfg(feature = "postgres")]
        Some(Database::Postgres { games, .. }) => Arc::<library::Postgres>::clone(games),
    }
}

/// Where duels are kept.
pub(crate) fn duels(database: Option<&Database>) -> Arc<dyn duel::Store> {
    match database {
        None => Arc::new(duel::Memory::default()),
        Some(Database::File(path)) => {
            Arc::new(duel::Sqlite::new(path.with_extension("duels.sqlite")))
        }
        #[cfg(feature = "postgres")]
        Some(Database::Postgres { duels, .. }) => Arc::<duel::Postgres>::clone(duels),
    }
}
