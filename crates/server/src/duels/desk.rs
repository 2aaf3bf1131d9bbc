//! The desk: duels that somebody plays or watches now, and the one place where they are changed.
//!
//! A duel is in memory while it is needed. What a player does is decided there and then appended to the store, at the
//! version that it was decided on; only what was appended is applied, shown and acknowledged. If another server was first,
//! the duel is read again and it is decided again.
//!
//! Appends of different duels that come while one is being written are written together (group commit): a disk that
//! takes a few milliseconds for each commit takes hundreds of moves with it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant, SystemTime};

use answers::{Kind, Refusal};
use duel::{Append, Corrupt, Duel, DuelId, Event, Keeping, Millis, Opening, Refused, Stage, Store};
use tokio::sync::{oneshot, watch};

use super::limits::Limits;
use crate::queue::in_place;

/// How many appends are written together at most.
const BATCH: usize = 256;
/// How often something is decided again because another server was first.
const TRIES: usize = 8;
/// How long a duel is kept in memory that nobody looks at.
const KEPT: Duration = Duration::from_secs(300);
/// How often flags are looked at.
const TICK: Duration = Duration::from_millis(200);
/// How often a server says that it is there, while clocks run.
const BEAT: Duration = Duration::from_secs(2);
/// Clocks are given back the time without a server if it was longer than this.
const ABSENCE: Millis = 5_000;
/// How often what nobody comes back to is deleted.
const SWEEP: Duration = Duration::from_secs(3600);
/// The most duels that are kept; then room is looked for, and if there is none, no new ones are begun.
const MOST_KEPT: u64 = 200_000;
/// How often room is looked for at most.
const SQUEEZE: Duration = Duration::from_secs(60);

/// Milliseconds since 1970.
pub(super) fn now() -> Millis {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

/// A duel in memory.
pub(crate) struct Live {
    id: DuelId,
    /// `None` until it is read, and when it has to be read again.
    duel: tokio::sync::Mutex<Option<Duel>>,
    /// The version that is known of, for those who watch.
    version: watch::Sender<u32>,
    /// Whether another server may have changed it.
    stale: AtomicBool,
    used: Mutex<Instant>,
}

impl Live {
    /// Is told whenever there is something new.
    pub fn subscribe(&self) -> watch::Receiver<u32> {
        self.version.subscribe()
    }

    /// It may have changed at another server: it is read again when it is looked at next.
    pub fn doubt(&self) {
        self.stale.store(true, SeqCst);
    }

    fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }
}

/// What comes of an append.
type Written = Result<bool, Refusal>;

#[derive(Default)]
struct Writing {
    waiting: Vec<(Append, oneshot::Sender<Written>)>,
    is_busy: bool,
}

/// The desk.
pub(crate) struct Desk {
    store: Arc<dyn Store>,
    live: Mutex<HashMap<DuelId, Arc<Live>>>,
    writing: Mutex<Writing>,
    closed: watch::Sender<bool>,
    pub(super) limits: Limits,
    /// Whether any duel has a clock that runs, so that somebody should say that a server is there.
    has_clocks: AtomicBool,
    /// When this server last said so and the store kept it, or when the first clock began to run; 0 before the first time.
    present: AtomicU64,
    /// What clocks are still to be given back; held by whoever says that the server is there.
    owed: Mutex<Millis>,
    /// When room was last looked for in a store that is full.
    squeezed: Mutex<Option<Instant>>,
    kept: AtomicU64,
    events: AtomicU64,
    commits: AtomicU64,
}

/// What the desk has done and is doing.
pub(crate) struct Activity {
    /// Duels in memory.
    pub live: usize,
    /// Streams of those who play or watch.
    pub streams: usize,
    /// Events that were kept.
    pub events: u64,
    /// Commits they were kept with.
    pub commits: u64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Maps, lists and times, each changed in one step.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn missing() -> Refusal {
    Refusal::missing(
        "no-such-duel",
        "there is no such game: copy the whole link, or it was deleted",
    )
}

fn corrupt(error: Corrupt) -> Refusal {
    Refusal::because(Kind::Failed, "damaged-games", error)
}

/// What is appended when these events happen to a duel.
fn append(duel: &Duel, events: Vec<Event>, now: Millis) -> Result<(Append, Duel), Refusal> {
    let entries = duel.number(events, now);
    let mut after = duel.clone();
    entries.iter().try_for_each(|entry| after.apply(entry)).map_err(corrupt)?;
    let is_timed = after.clocks().is_some_and(|clocks| clocks.running().is_some());
    Ok((Append { id: duel.id(), entries, stage: after.stage(), is_timed }, after))
}

impl Desk {
    /// The desk over a store.
    pub fn new(store: Arc<dyn Store>) -> Arc<Desk> {
        Arc::new(Desk {
            store,
            live: Mutex::default(),
            writing: Mutex::default(),
            closed: watch::Sender::new(false),
            limits: Limits::default(),
            has_clocks: AtomicBool::new(true),
            present: AtomicU64::new(0),
            owed: Mutex::default(),
            squeezed: Mutex::default(),
            kept: AtomicU64::new(0),
            events: AtomicU64::new(0),
            commits: AtomicU64::new(0),
        })
    }

    /// Whoever holds a stream hears when the server stops.
    pub fn closed(&self) -> watch::Receiver<bool> {
        self.closed.subscribe()
    }

    /// Ends all streams.
    pub fn close(&self) {
        self.closed.send_replace(true);
    }

    /// What is going on.
    pub fn activity(&self) -> Activity {
        let live = lock(&self.live);
        Activity {
            live: live.len(),
            streams: live.values().map(|live| live.version.receiver_count()).sum(),
            events: self.events.load(SeqCst),
            commits: self.commits.load(SeqCst),
        }
    }

    /// Begins a duel, unless it was begun already.
    pub async fn begin(self: &Arc<Desk>, opening: Opening) -> Result<(), Refusal> {
        if self.kept.load(SeqCst) >= MOST_KEPT {
            let desk = Arc::clone(self);
            in_place((), move || desk.squeeze()).await?;
            if self.kept.load(SeqCst) >= MOST_KEPT {
                return Err(Refusal::busy("this server keeps as many games as it can", 3600));
            }
        }
        let desk = Arc::clone(self);
        let is_new = in_place((), move || desk.store.create(&opening)).await?;
        self.kept.fetch_add(is_new.into(), SeqCst);
        Ok(())
    }

    /// Looks for room in a full store, now and then: invitations go first, then what ended long ago.
    fn squeeze(&self) -> Result<(), library::StoreError> {
        let mut squeezed = lock(&self.squeezed);
        if squeezed.is_some_and(|then| then.elapsed() < SQUEEZE) {
            return Ok(());
        }
        *squeezed = Some(Instant::now());
        let left = self.store.sweep(&Keeping::scarce(now()))?;
        self.kept.store(left, SeqCst);
        Ok(())
    }

    /// Whether a duel is in memory and was read.
    pub fn knows(&self, id: DuelId) -> bool {
        let live = lock(&self.live);
        live.get(&id).is_some_and(|live| live.duel.try_lock().map_or(true, |duel| duel.is_some()))
    }

    /// A duel in memory, not necessarily read yet.
    pub fn live(&self, id: DuelId) -> Arc<Live> {
        let mut live = lock(&self.live);
        let found = live.entry(id).or_insert_with(|| {
            Arc::new(Live {
                id,
                duel: tokio::sync::Mutex::new(None),
                version: watch::Sender::new(0),
                stale: AtomicBool::new(false),
                used: Mutex::new(Instant::now()),
            })
        });
        found.touch();
        Arc::clone(found)
    }

    /// Reads a duel if that is needed.
    async fn read(self: &Arc<Desk>, live: &Live, duel: &mut Option<Duel>) -> Result<(), Refusal> {
        // Cleared first: what changes while it is read makes it stale again.
        let stale = live.stale.swap(false, SeqCst);
        if duel.is_some() && !stale {
            return Ok(());
        }
        let (desk, id) = (Arc::clone(self), live.id);
        let loaded = in_place((), move || {
            let stored = desk.store.load(id)?.ok_or_else(missing)?;
            stored.duel().map_err(corrupt)
        });
        match loaded.await {
            Ok(found) => {
                let version = found.version();
                *duel = Some(found);
                live.version.send_if_modified(|known| std::mem::replace(known, version) != version);
                Ok(())
            }
            Err(refusal) => {
                live.stale.store(true, SeqCst);
                if refusal.kind == Kind::Missing {
                    self.forget(live);
                }
                Err(refusal)
            }
        }
    }

    /// A duel that does not exist takes no room.
    fn forget(&self, live: &Live) {
        let mut all = lock(&self.live);
        if all.get(&live.id).is_some_and(|known| std::ptr::eq(&raw const **known, live)) {
            all.remove(&live.id);
        }
    }

    /// Looks at a duel.
    pub async fn look<T>(
        self: &Arc<Desk>,
        live: &Live,
        at: impl FnOnce(&Duel) -> T,
    ) -> Result<T, Refusal> {
        let mut duel = live.duel.lock().await;
        self.read(live, &mut duel).await?;
        duel.as_ref().map(at).ok_or_else(missing)
    }

    /// Changes a duel: what `decide` gives is kept before this returns. It is not left half done if whoever asked for it
    /// goes away.
    pub async fn change(
        self: &Arc<Desk>,
        id: DuelId,
        decide: impl Fn(&Duel, Millis) -> Result<Vec<Event>, Refused> + Send + Sync + 'static,
    ) -> Result<Duel, Refusal> {
        let desk = Arc::clone(self);
        let changed = tokio::spawn(async move { desk.change_now(id, &decide).await });
        changed.await.map_err(|_| Refusal::failed("a bug: the game could not be changed"))?
    }

    async fn change_now(
        self: &Arc<Desk>,
        id: DuelId,
        decide: &(impl Fn(&Duel, Millis) -> Result<Vec<Event>, Refused> + Sync),
    ) -> Result<Duel, Refusal> {
        let live = self.live(id);
        let mut held = live.duel.lock().await;
        for attempt in 0..TRIES {
            // Clocks first get back the time in which the store was away.
            if !self.is_present() {
                let desk = Arc::clone(self);
                in_place((), move || desk.beat(lock(&desk.owed))).await?;
            }
            self.read(&live, &mut held).await?;
            let Some(duel) = held.as_ref() else { return Err(missing()) };
            let now = now();
            let flag = duel.flag(now);
            let is_flag = flag.is_some();
            let events = match flag.map_or_else(|| decide(duel, now), |flag| Ok(vec![flag])) {
                // Another server may be further than what is known here.
                Err(Refused::Ahead(_)) if attempt == 0 => {
                    live.stale.store(true, SeqCst);
                    continue;
                }
                events => events.map_err(super::refusal)?,
            };
            if events.is_empty() {
                return Ok(duel.clone());
            }
            if events.iter().any(|event| matches!(event, Event::Rematched { .. })) {
                self.begin(duel.next(now)).await?;
            }
            let (append, after) = append(duel, events, now)?;
            let (count, is_timed) = (append.entries.len(), append.is_timed);
            match self.write(append).await {
                Ok(true) => {
                    self.events.fetch_add(count as u64, SeqCst);
                    if is_timed && !self.has_clocks.swap(true, SeqCst) {
                        // While no clock ran, nobody said that a server was there.
                        self.present.store(now, SeqCst);
                    }
                    live.version.send_replace(after.version());
                    *held = Some(after);
                    if !is_flag {
                        return held.clone().ok_or_else(missing);
                    }
                }
                Ok(false) => live.stale.store(true, SeqCst),
                Err(refusal) => {
                    // Whether it was kept is not known: it is read again before anything else.
                    live.stale.store(true, SeqCst);
                    return Err(refusal);
                }
            }
        }
        Err(Refusal::busy("too many want to change this game at once", 1))
    }

    /// Appends, together with whatever else waits to be written.
    async fn write(self: &Arc<Desk>, append: Append) -> Written {
        let (sender, written) = oneshot::channel();
        let begins = {
            let mut writing = lock(&self.writing);
            writing.waiting.push((append, sender));
            !std::mem::replace(&mut writing.is_busy, true)
        };
        if begins {
            let desk = Arc::clone(self);
            tokio::task::spawn_blocking(move || desk.write_all());
        }
        written.await.map_err(|_| Refusal::failed("a bug: the game could not be kept"))?
    }

    /// Writes batches until nothing waits.
    fn write_all(&self) {
        /// If the store panics, those who wait are told so, and the next one begins anew.
        struct Busy<'a>(&'a Mutex<Writing>);
        impl Drop for Busy<'_> {
            fn drop(&mut self) {
                let mut writing = lock(self.0);
                writing.is_busy = false;
                writing.waiting.clear();
            }
        }
        let busy = Busy(&self.writing);
        loop {
            let (batch, senders): (Vec<_>, Vec<_>) = {
                let mut writing = lock(&self.writing);
                if writing.waiting.is_empty() {
                    writing.is_busy = false;
                    std::mem::forget(busy);
                    return;
                }
                let count = writing.waiting.len().min(BATCH);
                writing.waiting.drain(..count).unzip()
            };
            self.commits.fetch_add(1, SeqCst);
            let written: Vec<Written> = match self.store.append(&batch) {
                Ok(done) => done.into_iter().map(Ok).collect(),
                Err(error) => {
                    let refusal = Refusal::from(error);
                    batch.iter().map(|_| Err(refusal.clone())).collect()
                }
            };
            for (sender, written) in senders.into_iter().zip(written) {
                // Whoever asked is a task of ours, which waits.
                let _ = sender.send(written);
            }
        }
    }

    /// Hears what was changed elsewhere.
    fn hear(&self, told: Option<(DuelId, u32)>) {
        let live = lock(&self.live);
        let behind =
            |live: &&Arc<Live>| told.is_none_or(|(_, version)| *live.version.borrow() < version);
        let one = told.map(|(id, _)| live.get(&id));
        let (one, all) = (one.flatten(), told.is_none().then(|| live.values()));
        for live in one.into_iter().chain(all.into_iter().flatten()).filter(behind) {
            live.stale.store(true, SeqCst);
            // Those who watch look again.
            live.version.send_modify(|_| ());
        }
    }

    /// Listens to other servers, and begins to say that this one is there. Before the first request.
    pub fn resume(self: &Arc<Desk>) -> Result<(), Refusal> {
        let desk = Arc::downgrade(self);
        self.store.listen(Arc::new(move |told| {
            if let Some(desk) = desk.upgrade() {
                desk.hear(told);
            }
        }));
        self.beat(lock(&self.owed))
    }

    /// Whether the store has heard of late that this server is there, so that no clock has run without one.
    fn is_present(&self) -> bool {
        let last = self.present.load(SeqCst);
        last > 0 && (!self.has_clocks.load(SeqCst) || now().saturating_sub(last) < ABSENCE)
    }

    /// Says that the server is there, and gives back to clocks the time in which none was, or in which the store was away.
    fn beat(&self, mut owed: MutexGuard<'_, Millis>) -> Result<(), Refusal> {
        let (now, last) = (now(), self.present.load(SeqCst));
        let before = self.store.beat(now)?.unwrap_or(if last == 0 { now } else { last });
        let away = now.saturating_sub(before.max(last));
        if away >= ABSENCE {
            *owed = owed.saturating_add(away);
        }
        if last == 0 || *owed > 0 {
            let timed = self.store.timed()?;
            self.has_clocks.store(!timed.is_empty(), SeqCst);
            if *owed > 0 {
                self.give_back(timed, *owed, now)?;
            }
        }
        *owed = 0;
        self.present.store(now, SeqCst);
        Ok(())
    }

    fn give_back(&self, timed: Vec<DuelId>, time: Millis, now: Millis) -> Result<(), Refusal> {
        let mut batch = Vec::new();
        for id in timed {
            let duel = match self.store.load(id)?.map(duel::Stored::duel) {
                Some(Ok(duel)) => duel,
                // It is an error of its own players alone.
                Some(Err(_)) | None => continue,
            };
            if let Some(pause) = duel.pause(time) {
                batch.push(append(&duel, vec![pause], now)?.0);
            }
        }
        for part in batch.chunks(BATCH) {
            self.store.append(part)?;
        }
        for one in &batch {
            self.hear(Some((one.id, one.version())));
        }
        Ok(())
    }

    /// Lets flags fall, says that the server is there, and deletes what is old, for as long as it runs.
    pub async fn tend(self: Arc<Desk>) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut due = [Instant::now(); 2];
        loop {
            ticks.tick().await;
            self.drop_flags();
            let now = Instant::now();
            let is_new = self.present.load(SeqCst) == 0;
            if due[0] <= now && (is_new || self.has_clocks.load(SeqCst)) {
                due[0] = now + BEAT;
                self.in_background(|desk| match desk.owed.try_lock() {
                    Ok(owed) => desk.beat(owed),
                    Err(TryLockError::Poisoned(owed)) => desk.beat(owed.into_inner()),
                    // It is being said.
                    Err(TryLockError::WouldBlock) => Ok(()),
                });
            }
            if due[1] <= now {
                due[1] = now + SWEEP;
                self.in_background(|desk| {
                    let left = desk.store.sweep(&Keeping::usual(self::now()))?;
                    desk.kept.store(left, SeqCst);
                    desk.has_clocks.store(!desk.store.timed()?.is_empty(), SeqCst);
                    Ok(())
                });
            }
        }
    }

    fn in_background(
        self: &Arc<Desk>,
        work: impl FnOnce(&Desk) -> Result<(), Refusal> + Send + 'static,
    ) {
        let desk = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            if let Err(error) = work(&desk) {
                tracing::warn!(%error, "keeping duels");
            }
        });
    }

    /// Lets go of duels that nobody looks at, and ends those whose time is up.
    fn drop_flags(self: &Arc<Desk>) {
        let at = now();
        let mut fallen = Vec::new();
        let may_fall = self.is_present();
        lock(&self.live).retain(|id, live| {
            // One that is being changed looks at the flag itself.
            let duel = live.duel.try_lock();
            let duel = duel.as_ref().ok().and_then(|duel| duel.as_ref());
            if may_fall && duel.is_some_and(|duel| duel.flag(at).is_some()) {
                fallen.push(*id);
                return true;
            }
            let runs = duel.is_some_and(|duel| {
                let clock = duel.clocks().filter(|_| duel.stage() == Stage::Playing);
                matches!(duel.opening().pace, duel::Pace::Clock { .. })
                    && clock.is_some_and(|clocks| clocks.running().is_some())
            });
            let used = lock(&live.used).elapsed() < KEPT;
            used || runs || Arc::strong_count(live) > 1
        });
        for id in fallen {
            let desk = Arc::clone(self);
            tokio::spawn(async move { desk.change(id, |_, _| Ok(Vec::new())).await });
        }
    }
}

/// Where limits are found, for streams.
#[derive(Clone)]
pub(super) struct OfDesk(pub Arc<Desk>);

impl AsRef<Limits> for OfDesk {
    fn as_ref(&self) -> &Limits {
        &self.0.limits
    }
}

#[cfg(test)]
mod tests;
