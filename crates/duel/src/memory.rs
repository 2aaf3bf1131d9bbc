//! A store in memory: for tests, and the oracle of the others.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use library::StoreError;

use crate::event::Opening;
use crate::key::DuelId;
use crate::state::Stage;
use crate::store::{Append, Heard, Keeping, Store, Stored};
use crate::terms::Millis;

/// A store in memory.
#[derive(Debug, Default)]
pub struct Memory(Mutex<All>);

#[derive(Debug, Default)]
struct All {
    duels: BTreeMap<DuelId, One>,
    beat: Option<Millis>,
}

#[derive(Debug)]
struct One {
    stored: Stored,
    stage: Stage,
    is_timed: bool,
}

impl One {
    fn last(&self) -> Millis {
        self.stored.entries.last().map_or(self.stored.opening.at, |entry| entry.at)
    }
}

impl Memory {
    fn all(&self) -> MutexGuard<'_, All> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    fn create(&self, opening: &Opening) -> Result<bool, StoreError> {
        let mut all = self.all();
        if all.duels.contains_key(&opening.id) {
            return Ok(false);
        }
        let stage = if opening.guest_key.is_some() { Stage::Playing } else { Stage::Open };
        let stored = Stored { opening: opening.clone(), entries: Vec::new() };
        all.duels.insert(opening.id, One { stored, stage, is_timed: false });
        Ok(true)
    }

    fn load(&self, id: DuelId) -> Result<Option<Stored>, StoreError> {
        Ok(self.all().duels.get(&id).map(|one| one.stored.clone()))
    }

    fn append(&self, batch: &[Append]) -> Result<Vec<bool>, StoreError> {
        let mut all = self.all();
        let mut append = |append: &Append| {
            let Some(one) = all.duels.get_mut(&append.id) else { return false };
            let version = one.stored.entries.last().map_or(0, |entry| entry.version);
            if version != append.after() {
                return false;
            }
            one.stored.entries.extend(append.entries.iter().cloned());
            one.stage = append.stage;
            one.is_timed = append.is_timed;
            true
        };
        Ok(batch.iter().map(&mut append).collect())
    }

    fn timed(&self) -> Result<Vec<DuelId>, StoreError> {
        let is_timed = |one: &One| one.is_timed && one.stage == Stage::Playing;
        Ok(self.all().duels.iter().filter(|(_, one)| is_timed(one)).map(|(id, _)| *id).collect())
    }

    fn beat(&self, now: Millis) -> Result<Option<Millis>, StoreError> {
        Ok(self.all().beat.replace(now))
    }

    fn sweep(&self, keeping: &Keeping) -> Result<u64, StoreError> {
        let mut all = self.all();
        all.duels.retain(|_, one| {
            let since = match one.stage {
                Stage::Open => keeping.open_since,
                Stage::Playing | Stage::Over => keeping.played_since,
            };
            one.last() >= since
        });
        Ok(all.duels.len() as u64)
    }

    /// There are no others.
    fn listen(&self, _: Heard) {}
}
