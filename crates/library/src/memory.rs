//! A store in memory: for tests, for the book, and for a browser, which keeps the texts in its own storage.
//!
//! It is the oracle of the other stores: a filter is asked of every game, except that games with a position are found by
//! an index.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::entry::{Entry, GameId, Kept};
use crate::filter::{Filter, Page};
use crate::key::{Edge, PositionKey};
use crate::store::{Explored, Found, Put, Status, Store, StoreError, Tally};

/// A store in memory.
#[derive(Debug, Default)]
pub struct Memory(Mutex<Games>);

#[derive(Debug, Default)]
struct Games {
    /// By order of arrival.
    kept: BTreeMap<u64, Entry>,
    next: u64,
    by_id: HashMap<GameId, u64>,
    by_digest: HashMap<[u8; 16], BTreeSet<u64>>,
    /// Which games came to a position, and by which move they left it.
    positions: HashMap<PositionKey, BTreeSet<(u64, Option<Edge>)>>,
}

impl Memory {
    fn games(&self) -> MutexGuard<'_, Games> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets everything.
    pub fn clear(&self) {
        *self.games() = Games::default();
    }
}

impl Games {
    fn insert(&mut self, number: u64, entry: Entry) {
        for (key, edge) in &entry.path {
            self.positions.entry(*key).or_default().insert((number, *edge));
        }
        self.by_id.insert(entry.kept.id.clone(), number);
        self.by_digest.entry(entry.digest).or_default().insert(number);
        self.kept.insert(number, entry);
    }

    fn remove(&mut self, number: u64) {
        let Some(entry) = self.kept.remove(&number) else { return };
        self.by_id.remove(&entry.kept.id);
        if let Some(numbers) = self.by_digest.get_mut(&entry.digest) {
            numbers.remove(&number);
        }
        for (key, edge) in &entry.path {
            if let Some(games) = self.positions.get_mut(key) {
                games.remove(&(number, *edge));
            }
        }
    }

    fn put(&mut self, entry: &Entry) -> Put {
        if !entry.is_named {
            let numbers = self.by_digest.get(&entry.digest).into_iter().flatten();
            if let Some(known) = numbers.filter_map(|number| self.kept.get(number)).next() {
                return Put { id: known.kept.id.clone(), status: Status::Known };
            }
        }
        let (number, status) = match self.by_id.get(&entry.kept.id).copied() {
            Some(number) => {
                self.remove(number);
                (number, Status::Replaced)
            }
            None => {
                self.next += 1;
                (self.next, Status::Added)
            }
        };
        self.insert(number, entry.clone());
        Put { id: entry.kept.id.clone(), status }
    }

    /// The games that a filter means, in order of arrival.
    fn meant<'a>(&'a self, filter: &'a Filter) -> Vec<(u64, &'a Kept)> {
        let admitted = |number: u64| {
            let kept = &self.kept.get(&number)?.kept;
            filter.admits(kept).then_some((number, kept))
        };
        match filter.position {
            None => self.kept.keys().filter_map(|number| admitted(*number)).collect(),
            Some(key) => {
                let numbers = self.positions.get(&key).into_iter().flatten();
                let numbers: BTreeSet<u64> = numbers.map(|(number, _)| *number).collect();
                numbers.into_iter().filter_map(admitted).collect()
            }
        }
    }
}

impl Store for Memory {
    fn put(&self, games: &[Entry]) -> Result<Vec<Put>, StoreError> {
        let mut kept = self.games();
        Ok(games.iter().map(|entry| kept.put(entry)).collect())
    }

    fn find(&self, filter: &Filter, page: Page) -> Result<Found, StoreError> {
        let games = self.games();
        let mut meant = games.meant(filter);
        // `None` is less than every date.
        meant.sort_by(|a, b| (&b.1.date, b.0).cmp(&(&a.1.date, a.0)));
        let wanted = meant.iter().skip(page.offset as usize).take(page.limit as usize);
        let wanted = wanted.map(|(_, kept)| (*kept).clone()).collect();
        Ok(Found { total: meant.len() as u64, games: wanted })
    }

    fn delete(&self, filter: &Filter) -> Result<u64, StoreError> {
        let mut games = self.games();
        let numbers: Vec<u64> = games.meant(filter).into_iter().map(|(number, _)| number).collect();
        numbers.iter().for_each(|number| games.remove(*number));
        Ok(numbers.len() as u64)
    }

    fn explore(&self, position: PositionKey, filter: &Filter) -> Result<Explored, StoreError> {
        let games = self.games();
        let filter = Filter { position: Some(position), ..filter.clone() };
        let meant: HashMap<u64, &Kept> = games.meant(&filter).into_iter().collect();
        let mut explored = Explored::default();
        let mut moves: BTreeMap<Edge, Tally> = BTreeMap::new();
        for kept in meant.values() {
            explored.total.add(&kept.result, 1);
        }
        for (number, edge) in games.positions.get(&position).into_iter().flatten() {
            if let (Some(edge), Some(kept)) = (edge, meant.get(number)) {
                moves.entry(*edge).or_default().add(&kept.result, 1);
            }
        }
        explored.moves = moves.into_iter().collect();
        Ok(explored.sorted())
    }
}
