//! Counting move sequences: the standard test of a move generator, and its standard benchmark.
//!
//! `perft(position, n)` is the number of legal sequences of `n` moves. A finished game has no
//! moves, so nothing is counted below it. The last plies are counted in bulk: a position two plies
//! from the end adds [`Game::count_two_plies`], one a ply from the end [`Game::count_moves`].
//!
//! [`perft`] is the plain recursion. [`Perft`] adds threads, a hash table and the count published
//! for Jungle by van Rijn and Vis, in which a position that already stands on the path from the
//! root is a leaf.
//!
//! # Hashing with repetition
//!
//! With repetition leaves the count below a position depends on the path that led there, so a plain
//! transposition table would mix up different counts. Only those positions of the path matter that
//! can come back before the last ply, and [`Game::plies_between`] says for most of them that they
//! cannot. The table's key therefore combines the position, the depth and the *set* of positions on
//! the path that may still return; equal keys mean equal counts (up to a collision of 64-bit keys).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::Game;
use crate::rng::mix;

/// The number of legal sequences of `depth` moves from `position`.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> u64 {
    plain(game, &mut position.clone(), depth, &mut Vec::new(), &AtomicBool::new(false))
}

/// As [`perft`], but ends soon with `None` when another thread sets `stop`.
pub fn perft_until<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    stop: &AtomicBool,
) -> Option<u64> {
    let nodes = plain(game, &mut position.clone(), depth, &mut Vec::new(), stop);
    (!stop.load(Relaxed)).then_some(nodes)
}

/// `moves` is a stack shared by all levels: each level owns what it pushed. Once `stop` is set, the count is
/// meaningless.
fn plain<G: Game>(
    game: &G,
    position: &mut G::Position,
    depth: u32,
    moves: &mut Vec<G::Move>,
    stop: &AtomicBool,
) -> u64 {
    match depth {
        0 => return 1,
        1 => return game.count_moves(position),
        2 => return game.count_two_plies(position),
        3 => {}
        _ if stop.load(Relaxed) => return 0,
        _ => {}
    }
    let first = moves.len();
    game.push_moves(position, moves);
    let mut nodes = 0;
    for at in first..moves.len() {
        let mv = moves[at];
        let undo = game.make(position, mv);
        nodes += plain(game, position, depth - 1, moves, stop);
        game.unmake(position, mv, undo);
    }
    moves.truncate(first);
    nodes
}

/// A configured count: threads, hash table, repetition.
///
/// ```
/// use game::perft::Perft;
/// use game::tree::{Tree, leaf, node};
///
/// let tree = Tree::new(node([node([leaf(1), leaf(2)]), leaf(3)]));
/// assert_eq!(Perft::new().threads(2).count(&tree, &tree.root(), 2), 2);
/// ```
#[derive(Debug)]
pub struct Perft {
    threads: usize,
    repetition_leaves: bool,
    table: Option<Table>,
    stop: Arc<AtomicBool>,
}

impl Default for Perft {
    fn default() -> Self {
        Perft::new()
    }
}

impl Perft {
    /// One thread, no table, plain counting.
    pub fn new() -> Perft {
        Perft { threads: 1, repetition_leaves: false, table: None, stop: Arc::default() }
    }

    /// Counts on this many threads; 0 counts as 1.
    pub fn threads(self, threads: usize) -> Perft {
        Perft { threads: threads.max(1), ..self }
    }

    /// Whether a position that already stands on the path from the root is a leaf.
    pub fn repetition_leaves(self, repetition_leaves: bool) -> Perft {
        Perft { repetition_leaves, ..self }
    }

    /// Remembers counts in a table of at most this many MiB; 0 means no table.
    ///
    /// # Errors
    ///
    /// If the memory cannot be had.
    pub fn hash(self, mebibytes: usize) -> Result<Perft, std::collections::TryReserveError> {
        let table = if mebibytes == 0 { None } else { Some(Table::new(mebibytes)?) };
        Ok(Perft { table, ..self })
    }

    /// Gives counting up soon after this flag is set.
    pub fn until(self, stop: &Arc<AtomicBool>) -> Perft {
        Perft { stop: Arc::clone(stop), ..self }
    }

    /// The number of leaves `depth` plies below `position`; meaningless once it is [stopped](Perft::until).
    pub fn count<G>(&self, game: &G, position: &G::Position, depth: u32) -> u64
    where
        G: Game + Sync,
        G::Position: Send + Sync,
        G::Move: Send + Sync,
    {
        if self.threads == 1 {
            return Worker::new(self, game, Vec::new()).count(&mut position.clone(), depth);
        }
        match depth {
            0 => 1,
            _ => self.divide(game, position, depth).iter().map(|(_, nodes)| nodes).sum(),
        }
    }

    /// The leaves below each legal move, in the order of the moves; meaningless once it is
    /// [stopped](Perft::until).
    ///
    /// # Panics
    ///
    /// If `depth` is zero: there is no move to divide by.
    pub fn divide<G>(&self, game: &G, position: &G::Position, depth: u32) -> Vec<(G::Move, u64)>
    where
        G: Game + Sync,
        G::Position: Send + Sync,
        G::Move: Send + Sync,
    {
        assert!(depth > 0, "dividing by moves needs a move");
        let moves = game.moves(position);
        let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();

        // A job is a line of one or two moves: two, when deep enough, share the work out evenly.
        let line_length = if depth >= 4 && self.threads > 1 { 2 } else { 1 };
        let mut jobs: Vec<(usize, Vec<G::Position>, G::Position)> = Vec::new();
        for (at, &mv) in moves.iter().enumerate() {
            let first = game.after(position, mv);
            if line_length == 1 {
                jobs.push((at, vec![position.clone()], first));
                continue;
            }
            for reply in game.moves(&first) {
                let second = game.after(&first, reply);
                jobs.push((at, vec![position.clone(), first.clone()], second));
            }
        }

        let next_job = AtomicUsize::new(0);
        let work = || {
            while let Some((at, path, start)) = jobs.get(next_job.fetch_add(1, Relaxed)) {
                let mut worker = Worker::new(self, game, path.clone());
                let nodes = worker.count(&mut start.clone(), depth - line_length);
                totals[*at].fetch_add(nodes, Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        moves.into_iter().zip(totals.into_iter().map(AtomicU64::into_inner)).collect()
    }
}

struct Worker<'a, G: Game> {
    game: &'a G,
    table: Option<&'a Table>,
    repetition_leaves: bool,
    stop: &'a AtomicBool,
    moves: Vec<G::Move>,
    /// The positions from the root to the current one's parent, with their keys.
    path: Vec<(u64, G::Position)>,
}

impl<'a, G: Game> Worker<'a, G> {
    fn new(options: &'a Perft, game: &'a G, path: Vec<G::Position>) -> Self {
        Worker {
            game,
            table: options.table.as_ref(),
            repetition_leaves: options.repetition_leaves,
            stop: &options.stop,
            moves: Vec::new(),
            path: path.into_iter().map(|position| (game.key(&position), position)).collect(),
        }
    }

    fn count(&mut self, position: &mut G::Position, depth: u32) -> u64 {
        if !self.repetition_leaves && self.table.is_none() {
            return plain(self.game, position, depth, &mut self.moves, self.stop);
        }
        if depth == 0 || (self.repetition_leaves && self.is_on_path(position)) {
            return 1;
        }
        match (depth, self.table) {
            (1, _) => self.game.count_moves(position),
            (2, _) => self.count_two_plies(position),
            (_, None) => self.count_children(position, depth),
            (_, Some(table)) => {
                let key = self.table_key(position, depth);
                table.get(key).unwrap_or_else(|| {
                    let nodes = self.count_children(position, depth);
                    if !self.stop.load(Relaxed) {
                        table.put(key, nodes);
                    }
                    nodes
                })
            }
        }
    }

    fn count_two_plies(&self, position: &mut G::Position) -> u64 {
        let mut nodes = self.game.count_two_plies(position);
        if self.repetition_leaves {
            // A move back to a position of the path makes one leaf, whatever could follow it.
            for (_, earlier) in &self.path {
                if self.game.plies_between(position, earlier) > 1 {
                    continue;
                }
                for mv in self.game.moves(position) {
                    if self.game.after(position, mv) == *earlier {
                        nodes = nodes + 1 - self.game.count_moves(earlier);
                    }
                }
            }
        }
        nodes
    }

    fn count_children(&mut self, position: &mut G::Position, depth: u32) -> u64 {
        if self.stop.load(Relaxed) {
            return 0;
        }
        if self.repetition_leaves {
            self.path.push((self.game.key(position), position.clone()));
        }
        let first = self.moves.len();
        self.game.push_moves(position, &mut self.moves);
        let mut nodes = 0;
        for at in first..self.moves.len() {
            let mv = self.moves[at];
            let undo = self.game.make(position, mv);
            nodes += self.count(position, depth - 1);
            self.game.unmake(position, mv, undo);
        }
        self.moves.truncate(first);
        if self.repetition_leaves {
            self.path.pop();
        }
        nodes
    }

    fn is_on_path(&self, position: &G::Position) -> bool {
        let key = self.game.key(position);
        self.path.iter().any(|(earlier, other)| *earlier == key && other == position)
    }

    fn table_key(&self, position: &G::Position, depth: u32) -> u64 {
        let key = mix(self.game.key(position).wrapping_add(u64::from(depth)));
        if !self.repetition_leaves {
            return key;
        }
        // A repetition at the last ply is a leaf anyway, so only the plies before it matter.
        self.path
            .iter()
            .filter(|(_, earlier)| self.game.plies_between(position, earlier) < depth)
            .fold(key, |key, (earlier, _)| key ^ mix(!earlier))
    }
}

/// A lock-free table of counts. An entry is two words, the count and the key xor the count: words
/// of two different entries, torn by a race, do not fit together and are not found.
#[derive(Debug)]
struct Table {
    entries: Vec<[AtomicU64; 2]>,
}

impl Table {
    fn new(mebibytes: usize) -> Result<Table, std::collections::TryReserveError> {
        let entry = size_of::<[AtomicU64; 2]>();
        let wanted = (mebibytes.saturating_mul(1 << 20) / entry).max(1);
        let len = 1 << wanted.ilog2();
        let mut entries = Vec::new();
        entries.try_reserve_exact(len)?;
        entries.resize_with(len, Default::default);
        Ok(Table { entries })
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.entries[key as usize & (self.entries.len() - 1)]
    }

    fn get(&self, key: u64) -> Option<u64> {
        let [check, nodes] = self.slot(key);
        let nodes = nodes.load(Relaxed);
        // An empty slot fits only the key 0, which is given up for it.
        (check.load(Relaxed) ^ nodes == key && key != 0).then_some(nodes)
    }

    fn put(&self, key: u64, count: u64) {
        let [check, nodes] = self.slot(key);
        check.store(key ^ count, Relaxed);
        nodes.store(count, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::rng::Rng;
    use crate::tree::Tree;
    use crate::{Outcome, Side};

    /// Two counters walk on a ring of five; nothing ever ends, so positions repeat all the time.
    struct Ring;

    impl Game for Ring {
        type Position = (u8, u8, bool);
        type Move = i8;
        type Undo = (u8, u8, bool);

        fn side_to_move(&self, position: &Self::Position) -> Side {
            if position.2 { Side::Second } else { Side::First }
        }

        fn outcome(&self, _: &Self::Position) -> Option<Outcome> {
            None
        }

        fn push_moves(&self, _: &Self::Position, moves: &mut Vec<i8>) {
            moves.extend([1, -1]);
        }

        fn make(&self, position: &mut Self::Position, mv: i8) -> Self::Undo {
            let before = *position;
            let counter = if before.2 { &mut position.1 } else { &mut position.0 };
            *counter = (*counter as i8 + mv).rem_euclid(5) as u8;
            position.2 = !before.2;
            before
        }

        fn unmake(&self, position: &mut Self::Position, _: i8, undo: Self::Undo) {
            *position = undo;
        }

        fn key(&self, position: &Self::Position) -> u64 {
            mix(position.0 as u64 | (position.1 as u64) << 8 | (position.2 as u64) << 16)
        }

        fn fresh_key(&self, position: &Self::Position) -> u64 {
            self.key(position)
        }
    }

    /// The definition, literally.
    fn obvious<G: Game>(game: &G, path: &mut Vec<G::Position>, depth: u32) -> u64 {
        let (current, earlier) = path.split_last().expect("the path starts with the root");
        if depth == 0 || earlier.contains(current) {
            return 1;
        }
        let current = current.clone();
        let mut leaves = 0;
        for mv in game.moves(&current) {
            path.push(game.after(&current, mv));
            leaves += obvious(game, path, depth - 1);
            path.pop();
        }
        leaves
    }

    #[test]
    fn every_configuration_counts_the_same() {
        let start = (0, 2, false);
        for depth in 0..12 {
            let leaves = obvious(&Ring, &mut vec![start], depth);
            assert_eq!(perft(&Ring, &start, depth), 1 << depth);
            for threads in 1..=3 {
                for mebibytes in [0, 1] {
                    let plain = Perft::new().threads(threads).hash(mebibytes).unwrap();
                    assert_eq!(plain.count(&Ring, &start, depth), 1 << depth);
                    let repetition = Perft::new()
                        .threads(threads)
                        .repetition_leaves(true)
                        .hash(mebibytes)
                        .unwrap();
                    assert_eq!(repetition.count(&Ring, &start, depth), leaves, "depth {depth}");
                }
            }
        }
        assert!(obvious(&Ring, &mut vec![start], 8) < 1 << 8, "the ring repeats");
    }

    #[test]
    fn trees_count_alike_with_threads() {
        let mut rng = Rng::new(5);
        for _ in 0..20 {
            let tree = Tree::random(&mut rng, 6, 4);
            for depth in 0..7 {
                let leaves = perft(&tree, &tree.root(), depth);
                assert_eq!(Perft::new().threads(2).count(&tree, &tree.root(), depth), leaves);
            }
        }
    }

    /// A count that nobody would live to see the end of, given up.
    #[test]
    fn counting_can_be_stopped() {
        let endless = |count: &(dyn Fn(&Arc<AtomicBool>) + Sync)| {
            let stop = Arc::default();
            std::thread::scope(|scope| {
                let counting = scope.spawn(|| count(&stop));
                std::thread::sleep(Duration::from_millis(5));
                assert!(!counting.is_finished());
                stop.store(true, Relaxed);
            });
        };
        let start = (0, 2, false);
        endless(&|stop| assert_eq!(perft_until(&Ring, &start, 60, stop), None));
        endless(&|stop| {
            Perft::new().until(stop).repetition_leaves(true).count(&Ring, &start, 60);
        });
        endless(&|stop| {
            Perft::new().until(stop).threads(2).count(&Ring, &start, 60);
        });
        assert_eq!(perft_until(&Ring, &start, 5, &AtomicBool::new(false)), Some(32));
    }
}
