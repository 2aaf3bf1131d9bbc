//! Searches: how many at once, the queue for them, and how they end.
//!
//! There are as many engines as searches may run at once, and they share out the threads and the memory
//! evenly; requests wait for one in a [`Queue`]. A search ends when its [`Ticket`] is dropped, which happens
//! when its client goes, or when another client has waited for a moment and has no search. Searches that bring their
//! own engine take a [place](Searches::place) and a [flag](Searches::flag).

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use answers::Refusal;
use engine::{Control, Engine, Level};

use crate::client::Client;
use crate::queue::{Load, Place, Queue, Stop};

/// When to come back, in seconds, if the server stops.
const RETRY_AFTER: u16 = 5;
/// How many requests may wait for each engine.
const WAITING_EACH: usize = 8;

/// All engines.
pub struct Searches {
    queue: Queue,
    idle: Mutex<Vec<Engine>>,
    running: Mutex<Vec<Weak<dyn Stop>>>,
    closed: AtomicBool,
    threads: usize,
    hash: usize,
}

impl Searches {
    /// Engines for this many searches at once, sharing these threads and MiB.
    pub fn new(most: usize, threads: usize, hash: usize) -> Arc<Searches> {
        let most = most.max(1);
        Arc::new(Searches {
            queue: Queue::new(most, WAITING_EACH * most, "all engines are busy"),
            idle: Mutex::default(),
            running: Mutex::default(),
            closed: AtomicBool::new(false),
            threads: (threads / most).max(1),
            hash: (hash / most).max(1),
        })
    }

    /// An engine, as soon as one is free.
    ///
    /// # Errors
    ///
    /// If too many wait already, or the wait was too long.
    pub async fn slot(self: &Arc<Searches>, client: Client) -> Result<Slot, Refusal> {
        let place = self.place(client).await?;
        let engine = lock(&self.idle).pop().unwrap_or_default();
        Ok(Slot { engine: Some(engine), searches: Arc::clone(self), place })
    }

    /// The right to search on one thread until it is dropped, as soon as it is available.
    ///
    /// # Errors
    ///
    /// If too many wait already, or the wait was too long.
    pub async fn place(&self, client: Client) -> Result<Place, Refusal> {
        if self.closed.load(SeqCst) {
            return Err(Refusal::busy("the server is shutting down", RETRY_AFTER));
        }
        self.queue.place(client).await
    }

    /// How many searches there are.
    pub fn load(&self) -> Load {
        self.queue.load()
    }

    /// Ends all searches and refuses new ones.
    pub fn close(&self) {
        self.closed.store(true, SeqCst);
        for control in lock(&self.running).drain(..).filter_map(|control| control.upgrade()) {
            control.stop();
        }
    }

    /// A handle that ends a search in this place that looks at a flag: see [`Slot::ticket`].
    pub fn flag(&self, place: &Place) -> Ticket<AtomicBool> {
        let ticket = self.known(AtomicBool::new(false));
        place.ends_with(Arc::<AtomicBool>::clone(&ticket.0));
        ticket
    }

    fn known<S: Stop>(&self, control: S) -> Ticket<S> {
        let control = Arc::new(control);
        let known: Arc<dyn Stop> = Arc::<S>::clone(&control);
        let mut running = lock(&self.running);
        running.retain(|control| control.strong_count() > 0);
        running.push(Arc::downgrade(&known));
        if self.closed.load(SeqCst) {
            control.stop();
        }
        Ticket(control)
    }
}

impl Stop for Control {
    fn stop(&self) {
        Control::stop(self);
    }
}

impl Stop for AtomicBool {
    fn stop(&self) {
        self.store(true, SeqCst);
    }
}

/// Ends its search when dropped.
pub struct Ticket<S: Stop = Control>(pub Arc<S>);

impl<S: Stop> Drop for Ticket<S> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// An engine for one search, until dropped.
pub struct Slot {
    engine: Option<Engine>,
    searches: Arc<Searches>,
    place: Place,
}

impl Slot {
    /// A handle that ends the search in this slot: when it is dropped, when the server stops, and when others wait
    /// too long.
    pub fn ticket(&self) -> Ticket {
        let ticket = self.searches.known(Control::new(false));
        self.place.ends_with(Arc::<Control>::clone(&ticket.0));
        ticket
    }

    /// The engine, with this many lines and at a level.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn engine(&mut self, lines: usize, level: Level) -> Result<&mut Engine, Refusal> {
        self.engine_with(engine::Options { lines, level, ..engine::Options::default() })
    }

    /// The engine, to choose a move at a level.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn player(&mut self, level: Level) -> Result<&mut Engine, Refusal> {
        self.engine_with(engine::Options { level, ..engine::Options::playing() })
    }

    fn engine_with(&mut self, options: engine::Options) -> Result<&mut Engine, Refusal> {
        let engine = self.engine.get_or_insert_default();
        let options = engine::Options {
            hash: self.searches.hash,
            threads: if options.level == Level::FULL { self.searches.threads } else { 1 },
            ..options
        };
        engine.set_options(options).map_err(Refusal::internal)?;
        Ok(engine)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.searches.idle).extend(self.engine.take());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Lists only: a panic cannot leave them inconsistent.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
