//! The store: where the logs of duels are kept, behind one narrow trait.

use std::sync::Arc;

use library::StoreError;

use crate::event::{Entry, Opening};
use crate::key::DuelId;
use crate::state::{Corrupt, Duel, Stage};
use crate::terms::Millis;

/// Where the logs of duels are kept.
///
/// What [`create`](Store::create) and [`append`](Store::append) have done when they return is durable: a process that is
/// killed then has lost nothing. All may be called from several threads, and by several servers at once.
pub trait Store: Send + Sync {
    /// Keeps a new duel. One of the same name is left as it is; whether it was new.
    ///
    /// # Errors
    ///
    /// If it cannot be kept.
    fn create(&self, opening: &Opening) -> Result<bool, StoreError>;

    /// A duel with all its events.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn load(&self, id: DuelId) -> Result<Option<Stored>, StoreError>;

    /// Appends to several duels at once, each at the version that its first entry follows: for each whether it did, or
    /// another was first. A duel is among them once.
    ///
    /// # Errors
    ///
    /// If they cannot be kept. Whether they were is then unknown.
    fn append(&self, batch: &[Append]) -> Result<Vec<bool>, StoreError>;

    /// The duels that are being played with clocks.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn timed(&self) -> Result<Vec<DuelId>, StoreError>;

    /// Says that a server is there, and when one said so before.
    ///
    /// # Errors
    ///
    /// If that cannot be kept.
    fn beat(&self, now: Millis) -> Result<Option<Millis>, StoreError>;

    /// Deletes what nobody will come back to, and says how many duels are left.
    ///
    /// # Errors
    ///
    /// If they cannot be deleted.
    fn sweep(&self, keeping: &Keeping) -> Result<u64, StoreError>;

    /// From now on tells which duels were changed, by this server or another, and which version they have; or `None` if it may
    /// have missed some. Ends with the store.
    fn listen(&self, heard: Heard);
}

/// Is told what was changed.
pub type Heard = Arc<dyn Fn(Option<(DuelId, u32)>) + Send + Sync>;

/// A duel as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// How it began.
    pub opening: Opening,
    /// What happened since.
    pub entries: Vec<Entry>,
}

impl Stored {
    /// The duel.
    ///
    /// # Errors
    ///
    /// If the log does not hold together.
    pub fn duel(self) -> Result<Duel, Corrupt> {
        Duel::replay(self.opening, &self.entries)
    }
}

/// What is to be appended to a duel.
#[derive(Clone, Debug)]
pub struct Append {
    /// Which duel.
    pub id: DuelId,
    /// The entries, numbered on from its version; at least one.
    pub entries: Vec<Entry>,
    /// How far the duel is with them.
    pub stage: Stage,
    /// Whether it has clocks.
    pub is_timed: bool,
}

impl Append {
    /// The version that the first entry follows.
    pub fn after(&self) -> u32 {
        self.entries.first().map_or(0, |entry| entry.version - 1)
    }

    /// The version with them.
    pub fn version(&self) -> u32 {
        self.entries.last().map_or(0, |entry| entry.version)
    }

    /// When the last of them happened.
    pub fn at(&self) -> Millis {
        self.entries.last().map_or(0, |entry| entry.at)
    }
}

/// What is not deleted yet: duels in which something happened since.
#[derive(Clone, Copy, Debug)]
pub struct Keeping {
    /// Invitations that nobody has accepted.
    pub open_since: Millis,
    /// All others.
    pub played_since: Millis,
}

impl Keeping {
    /// Where room is scarce, invitations are kept for a day, other duels for a month.
    pub fn scarce(now: Millis) -> Keeping {
        use crate::terms::DAY;
        Keeping { open_since: now.saturating_sub(DAY), played_since: now.saturating_sub(30 * DAY) }
    }

    /// Invitations are kept for two weeks, other duels for half a year.
    pub fn usual(now: Millis) -> Keeping {
        use crate::terms::DAY;
        Keeping {
            open_since: now.saturating_sub(14 * DAY),
            played_since: now.saturating_sub(183 * DAY),
        }
    }
}

impl Stage {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Stage::Open => "open",
            Stage::Playing => "playing",
            Stage::Over => "over",
        }
    }
}
