//! A least-recently-used cache of solved classes, which other classes lead to.

use std::collections::HashMap;
use std::sync::Arc;

use crate::solved::Solved;

/// Solved classes, by their place in the list of classes.
#[derive(Default)]
pub struct Cache {
    held: HashMap<usize, Entry>,
    bytes: u64,
    clock: u64,
}

struct Entry {
    solved: Arc<Solved>,
    used: u64,
}

impl Cache {
    /// The class, if it is held; it counts as used.
    pub fn get(&mut self, class: usize) -> Option<Arc<Solved>> {
        self.clock += 1;
        let entry = self.held.get_mut(&class)?;
        entry.used = self.clock;
        Some(entry.solved.clone())
    }

    /// Holds a class.
    pub fn insert(&mut self, class: usize, solved: Arc<Solved>) {
        self.clock += 1;
        self.bytes += solved.bytes();
        let entry = Entry { solved, used: self.clock };
        if let Some(old) = self.held.insert(class, entry) {
            self.bytes -= old.solved.bytes();
        }
    }

    /// Evicts classes until the rest fits this many bytes.
    pub fn shrink_to(&mut self, limit: u64) {
        while self.bytes > limit {
            let oldest = self.held.iter().min_by_key(|(_, entry)| entry.used);
            let Some((&class, _)) = oldest else { return };
            if let Some(entry) = self.held.remove(&class) {
                self.bytes -= entry.solved.bytes();
            }
        }
    }

    /// Evicts all classes except those that `keep` names.
    pub fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        self.held.retain(|&class, _| keep(class));
        self.bytes = self.held.values().map(|entry| entry.solved.bytes()).sum();
    }

    /// How many bytes are held.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Classes, table_rules};
    use crate::solved::Solver;
    use jungle::Rules;

    #[test]
    fn the_longest_unused_goes_first() {
        let mut solver = Solver::new(Classes::new(&table_rules(&Rules::STANDARD), 2));
        let solved: Vec<Arc<Solved>> = (0..3).map(|class| solver.solve(class)).collect();
        let mut cache = Cache::default();
        for (class, solved) in solved.iter().enumerate() {
            cache.insert(class, solved.clone());
            cache.insert(class, solved.clone());
        }
        assert_eq!(cache.bytes(), solved.iter().map(|solved| solved.bytes()).sum::<u64>());
        assert!(cache.get(0).is_some());
        cache.shrink_to(cache.bytes() - 1);
        assert!(cache.get(1).is_none() && cache.get(0).is_some() && cache.get(2).is_some());
        cache.shrink_to(0);
        assert_eq!(cache.bytes(), 0);
        assert!(cache.get(0).is_none());
    }
}
