//! Searches: how many at once, who waits, and how they end.
//!
//! There are as many engines as searches may run at once, and they share out the threads and the memory
//! evenly. Who comes when all are busy waits for a while; when too many wait already, they are told to
//! come back. A search ends when its [`Ticket`] is dropped, which happens when its client goes. Searches that
//! bring their own engine take a [place](Searches::place) and a [flag](Searches::flag).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use engine::{Control, Engine, Level};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;

/// How long a request waits for an engine.
const PATIENCE: Duration = Duration::from_secs(15);
/// When to come back, in seconds, if there was none.
const RETRY_AFTER: u32 = 5;
/// How many requests may wait for each engine.
const WAITING_EACH: usize = 8;

/// All engines.
pub struct Searches {
    places: Arc<Semaphore>,
    idle: Mutex<Vec<Engine>>,
    running: Mutex<Vec<Weak<dyn Stop>>>,
    waiting: AtomicUsize,
    closed: AtomicBool,
    most_waiting: usize,
    threads: usize,
    hash: usize,
}

impl Searches {
    /// Engines for so many searches at once, with so many threads and MiB together.
    pub fn new(most: usize, threads: usize, hash: usize) -> Arc<Searches> {
        let most = most.max(1);
        Arc::new(Searches {
            places: Arc::new(Semaphore::new(most)),
            idle: Mutex::default(),
            running: Mutex::default(),
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            most_waiting: WAITING_EACH * most,
            threads: (threads / most).max(1),
            hash: (hash / most).max(1),
        })
    }

    /// An engine, as soon as one is free.
    ///
    /// # Errors
    ///
    /// If too many wait already, or the wait was too long.
    pub async fn slot(self: &Arc<Searches>) -> Result<Slot, ApiError> {
        let place = self.place().await?;
        let engine = lock(&self.idle).pop().unwrap_or_default();
        Ok(Slot { engine: Some(engine), searches: Arc::clone(self), _place: place })
    }

    /// The right to search on one thread until it is dropped, as soon as it can be had.
    ///
    /// # Errors
    ///
    /// If too many wait already, or the wait was too long.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let busy = || ApiError::busy("all engines are busy: try again in a moment", RETRY_AFTER);
        if self.closed.load(SeqCst) {
            return Err(ApiError::busy("the server is shutting down", RETRY_AFTER));
        }
        match Arc::clone(&self.places).try_acquire_owned() {
            Ok(place) => Ok(place),
            Err(_) => {
                let _waiter = Waiter::new(self).ok_or_else(busy)?;
                let place = Arc::clone(&self.places).acquire_owned();
                let place = tokio::time::timeout(PATIENCE, place).await.map_err(|_| busy())?;
                place.map_err(|_| busy())
            }
        }
    }

    /// Ends all searches and refuses new ones.
    pub fn close(&self) {
        self.closed.store(true, SeqCst);
        for control in lock(&self.running).drain(..).filter_map(|control| control.upgrade()) {
            control.stop();
        }
    }

    /// The means to end a search, known to the server too.
    pub fn ticket(&self) -> Ticket {
        self.known(Control::new(false))
    }

    /// The same for a search that looks at a flag.
    pub fn flag(&self) -> Ticket<AtomicBool> {
        self.known(AtomicBool::new(false))
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

/// By which a search can be told to end.
pub trait Stop: Send + Sync + 'static {
    /// Ends it soon.
    fn stop(&self);
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

/// An engine of one's own, until dropped.
pub struct Slot {
    engine: Option<Engine>,
    searches: Arc<Searches>,
    _place: OwnedSemaphorePermit,
}

impl Slot {
    /// The engine, looking for so many lines at a level.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn engine(&mut self, lines: usize, level: Level) -> Result<&mut Engine, ApiError> {
        self.engine_with(engine::Options { lines, level, ..engine::Options::default() })
    }

    /// The engine, to choose a move of its own at a level.
    ///
    /// # Errors
    ///
    /// If there is not enough memory.
    pub fn player(&mut self, level: Level) -> Result<&mut Engine, ApiError> {
        self.engine_with(engine::Options { level, ..engine::Options::playing() })
    }

    fn engine_with(&mut self, options: engine::Options) -> Result<&mut Engine, ApiError> {
        let engine = self.engine.get_or_insert_default();
        let options = engine::Options {
            hash: self.searches.hash,
            threads: if options.level == Level::FULL { self.searches.threads } else { 1 },
            ..options
        };
        engine.set_options(options).map_err(ApiError::internal)?;
        Ok(engine)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        lock(&self.searches.idle).extend(self.engine.take());
    }
}

/// One who waits.
struct Waiter<'a>(&'a AtomicUsize);

impl<'a> Waiter<'a> {
    fn new(searches: &'a Searches) -> Option<Waiter<'a>> {
        let waiter = Waiter(&searches.waiting);
        (searches.waiting.fetch_add(1, SeqCst) < searches.most_waiting).then_some(waiter)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Lists only: nothing can be left half done by a panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
