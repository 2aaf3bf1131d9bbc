//! Fair queueing of blocking work: searches, table probes, pictures and decision trees, off the threads that answer
//! requests.
//!
//! A [`Queue`] bounds how much work runs at once. The work owns its [`Place`]: a client that leaves does not free it
//! before the work is done, so that the limit cannot be evaded by asking and leaving.
//!
//! A request that finds all places taken waits, and a free place goes to the [client](Client) with the least work
//! under way, not to the one that asks most often (max-min fairness); among equals to the one that had the least time
//! of late, or else many requests of one client would be served before the single one of another. Where work [can be ended](Place::ends_with), a
//! client that holds more than others have loses its oldest after a moment, so that long work does not keep others
//! out. When too many wait, the client with the most waiting requests has its last one refused, and is told when to
//! come back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use answers::Refusal;
use tokio::sync::oneshot;

use crate::client::Client;

/// How long a request waits for a place.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long work may go on while a client with less of it waits.
const QUANTUM: Duration = Duration::from_secs(2);
/// In what time half of what a client had is forgotten.
const FORGETTING: Duration = Duration::from_secs(20);
/// Of how many clients it is remembered what they had.
const REMEMBERED: usize = 1_024;
/// The longest wait that is announced, in seconds.
const LONGEST_WAIT: f64 = 60.0;

/// How work is ended before its time; it still answers with what it has.
pub trait Stop: Send + Sync + 'static {
    /// Ends it soon.
    fn stop(&self);
}

/// Places for work, and for requests that wait for one.
pub struct Queue {
    shared: Arc<Shared>,
    most_waiting: usize,
    /// What is busy, for the message to requests without a place.
    busy: &'static str,
}

struct Shared(Mutex<State>);

struct State {
    places: usize,
    running: Vec<Running>,
    /// In order of arrival.
    waiting: Vec<Waiting>,
    /// Numbers places and waiting requests.
    next: u64,
    /// How long work takes, as a moving average in seconds.
    usual: f64,
    /// What clients had of late.
    had: HashMap<Client, Had>,
}

/// The time that a client had, half of which is forgotten in [`FORGETTING`].
#[derive(Clone, Copy)]
struct Had {
    seconds: f64,
    at: Instant,
}

impl Had {
    fn left(self, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.seconds * (-passed / FORGETTING.as_secs_f64()).exp2()
    }
}

struct Running {
    number: u64,
    client: Client,
    since: Instant,
    stop: Option<Arc<dyn Stop>>,
}

struct Waiting {
    number: u64,
    client: Client,
    admit: oneshot::Sender<Place>,
}

/// How much work there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// How much is under way.
    pub running: usize,
    /// How many requests wait.
    pub waiting: usize,
}

/// The right to work, until it is dropped.
pub struct Place {
    shared: Arc<Shared>,
    number: u64,
}

impl Place {
    /// Lets the queue end the work when others have to wait for it.
    pub fn ends_with(&self, stop: Arc<dyn Stop>) {
        let mut state = self.shared.lock();
        if let Some(running) = state.running.iter_mut().find(|work| work.number == self.number) {
            running.stop = Some(stop);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        let (number, now) = (self.number, Instant::now());
        if let Some(at) = state.running.iter().position(|work| work.number == number) {
            let work = state.running.swap_remove(at);
            let took = now.duration_since(work.since).as_secs_f64();
            state.usual += 0.2 * (took - state.usual);
            state.remember(work.client, took);
        }
        drop(state);
        self.shared.admit();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Lists and numbers, each changed in one step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives free places to those who wait.
    fn admit(self: &Arc<Shared>) {
        loop {
            let mut state = self.lock();
            if state.running.len() >= state.places {
                return;
            }
            let Some(next) = state.next_waiting() else { return };
            let Waiting { number, client, admit } = state.waiting.remove(next);
            state.start(number, client);
            drop(state);
            // If the client has gone, its place comes back at once, and with it another call.
            let _ = admit.send(Place { shared: Arc::clone(self), number });
        }
    }
}

impl State {
    fn start(&mut self, number: u64, client: Client) {
        self.running.push(Running { number, client, since: Instant::now(), stop: None });
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn held_by(&self, client: Client) -> usize {
        self.running.iter().filter(|work| work.client == client).count()
    }

    /// What a client had of late, in seconds.
    fn had_by(&self, client: Client, now: Instant) -> f64 {
        self.had.get(&client).map_or(0.0, |had| had.left(now))
    }

    fn remember(&mut self, client: Client, seconds: f64) {
        let now = Instant::now();
        let seconds = self.had_by(client, now) + seconds;
        self.had.insert(client, Had { seconds, at: now });
        if self.had.len() > REMEMBERED {
            // Who had little loses nothing by being forgotten.
            let mut all: Vec<f64> = self.had.values().map(|had| had.left(now)).collect();
            let (_, middle, _) = all.select_nth_unstable_by(REMEMBERED / 2, f64::total_cmp);
            let middle = *middle;
            self.had.retain(|_, had| had.left(now) > middle);
        }
    }

    /// The first request of the client with the least work under way, or of late.
    fn next_waiting(&self) -> Option<usize> {
        let now = Instant::now();
        let claims = self
            .waiting
            .iter()
            .map(|waiting| (self.held_by(waiting.client), self.had_by(waiting.client, now)));
        let least = claims
            .enumerate()
            .min_by(|(_, one), (_, other)| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        least.map(|(at, _)| at)
    }

    /// Ends the oldest work of the client that has most, if this one has less.
    fn make_way_for(&mut self, client: Client) {
        let mine = self.held_by(client);
        let most = self.running.iter().map(|work| self.held_by(work.client)).max().unwrap_or(0);
        let oldest = |work: &&Running| {
            work.stop.is_some()
                && self.held_by(work.client) == most
                && work.since.elapsed() >= QUANTUM
        };
        if most > mine
            && let Some(work) = self.running.iter().filter(oldest).min_by_key(|work| work.since)
            && let Some(stop) = &work.stop
        {
            stop.stop();
        }
    }

    /// Makes room among those who wait, at the cost of the client with the most of them. Whether there is room.
    fn make_room_for(&mut self, client: Client, most_waiting: usize) -> bool {
        self.waiting.retain(|waiting| !waiting.admit.is_closed());
        if self.waiting.len() < most_waiting {
            return true;
        }
        let mut waiting: HashMap<Client, usize> = HashMap::new();
        for one in &self.waiting {
            *waiting.entry(one.client).or_default() += 1;
        }
        let mine = waiting.get(&client).copied().unwrap_or(0);
        let Some((&greediest, &most)) = waiting.iter().max_by_key(|(_, count)| **count) else {
            return false;
        };
        if most <= mine + 1 {
            return false;
        }
        if let Some(last) = self.waiting.iter().rposition(|one| one.client == greediest) {
            self.waiting.remove(last);
        }
        true
    }

    /// In how many seconds another request would have a place.
    fn wait(&self) -> u16 {
        let turns = (self.waiting.len() + 1).div_ceil(self.places);
        (turns as f64 * self.usual).clamp(1.0, LONGEST_WAIT).ceil() as u16
    }
}

impl Queue {
    /// This many places, and this many waiting requests.
    pub fn new(at_once: usize, most_waiting: usize, busy: &'static str) -> Queue {
        let state = State {
            places: at_once.max(1),
            running: Vec::new(),
            waiting: Vec::new(),
            next: 0,
            usual: 1.0,
            had: HashMap::new(),
        };
        Queue { shared: Arc::new(Shared(Mutex::new(state))), most_waiting, busy }
    }

    /// How much work there is.
    pub fn load(&self) -> Load {
        let state = self.shared.lock();
        Load { running: state.running.len(), waiting: state.waiting.len() }
    }

    /// A place, as soon as one is free.
    ///
    /// # Errors
    ///
    /// If too many wait already, or the wait was too long.
    pub async fn place(&self, client: Client) -> Result<Place, Refusal> {
        let mut admitted = {
            let mut state = self.shared.lock();
            let number = state.number();
            if state.running.len() < state.places {
                state.start(number, client);
                return Ok(Place { shared: Arc::clone(&self.shared), number });
            }
            if !state.make_room_for(client, self.most_waiting) {
                return Err(self.refusal(&state));
            }
            let (admit, admitted) = oneshot::channel();
            state.waiting.push(Waiting { number, client, admit });
            admitted
        };
        let end = Instant::now() + PATIENCE;
        loop {
            let pause = QUANTUM.min(end.saturating_duration_since(Instant::now()));
            match tokio::time::timeout(pause, &mut admitted).await {
                Ok(Ok(place)) => return Ok(place),
                // Another client needed the room more.
                Ok(Err(_)) => return Err(self.refusal(&self.shared.lock())),
                Err(_) if Instant::now() >= end => return Err(self.refusal(&self.shared.lock())),
                Err(_) => self.shared.lock().make_way_for(client),
            }
        }
    }

    fn refusal(&self, state: &State) -> Refusal {
        let wait = state.wait();
        let unit = if wait == 1 { "second" } else { "seconds" };
        Refusal::busy(format!("{}: try again in about {wait} {unit}", self.busy), wait)
    }

    /// Runs work on a blocking thread, as soon as there is a place.
    ///
    /// # Errors
    ///
    /// If there is no place, or the work fails.
    pub async fn run<T, E>(
        &self,
        client: Client,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, Refusal>
    where
        T: Send + 'static,
        E: Into<Refusal> + Send + 'static,
    {
        let place = self.place(client).await?;
        in_place(place, work).await
    }
}

/// Runs work on a blocking thread; the place is given back when it is done.
///
/// # Errors
///
/// If the work fails.
pub async fn in_place<P, T, E>(
    place: P,
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, Refusal>
where
    P: Send + 'static,
    T: Send + 'static,
    E: Into<Refusal> + Send + 'static,
{
    let done = tokio::task::spawn_blocking(move || {
        let _place = place;
        work()
    });
    match done.await {
        Ok(done) => done.map_err(Into::into),
        // The hook of panics has logged what and where; a client can do nothing with it.
        Err(_) => Err(Refusal::failed("a bug: the request could not be answered")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use std::sync::mpsc;

    use super::*;

    fn client(number: u8) -> Client {
        Client::of([127, 0, 0, number].into())
    }

    /// Lets others run until something holds.
    async fn until(holds: impl Fn() -> bool) {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn a_client_that_leaves_does_not_free_its_place() {
        let queue = Arc::new(Queue::new(1, 0, "busy"));
        let (release, released) = mpsc::channel::<()>();
        let asked = Arc::clone(&queue);
        let leaver = tokio::spawn(async move {
            asked.run(client(1), move || released.recv().map_err(Refusal::internal)).await
        });
        until(|| queue.load().running == 1).await;
        leaver.abort();
        let _ = leaver.await;
        let refused = queue.run(client(1), || Ok::<_, Refusal>(())).await.unwrap_err();
        assert!(refused.retry_after.is_some(), "the work goes on");
        release.send(()).unwrap();
        until(|| queue.load().running == 0).await;
        assert!(queue.run(client(1), || Ok::<_, Refusal>(())).await.is_ok());
    }

    #[tokio::test]
    async fn a_place_goes_to_the_client_with_the_least_work() {
        let queue = Arc::new(Queue::new(2, 10, "busy"));
        let mut held = vec![queue.place(client(1)).await, queue.place(client(1)).await];
        let served = Arc::new(Mutex::new(Vec::new()));
        let mut asking = Vec::new();
        for number in [1, 1, 1, 2, 2, 3] {
            let (queue, served) = (Arc::clone(&queue), Arc::clone(&served));
            let before = queue.load().waiting;
            let asked = Arc::clone(&queue);
            asking.push(tokio::spawn(async move {
                let place = asked.place(client(number)).await;
                served.lock().unwrap().push(number);
                place
            }));
            until(|| queue.load().waiting == before + 1).await;
        }
        held.pop();
        until(|| served.lock().unwrap().len() == 1).await;
        held.pop();
        until(|| served.lock().unwrap().len() == 2).await;
        assert_eq!(*served.lock().unwrap(), [2, 3], "whoever has and had nothing comes first");
    }

    #[tokio::test]
    async fn the_client_with_the_most_waiting_makes_room() {
        let queue = Arc::new(Queue::new(1, 2, "busy"));
        let _held = queue.place(client(1)).await;
        let ask = |number| {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move { queue.place(client(number)).await.map(drop) })
        };
        let (first, last) = (ask(1), ask(1));
        until(|| queue.load().waiting == 2).await;
        let other = ask(2);
        let refused = last.await.unwrap().unwrap_err();
        assert!(refused.message.starts_with("busy: try again in about"), "{refused}");
        // Each has one now: a third has no better right.
        assert!(queue.place(client(3)).await.is_err());
        assert!(!first.is_finished() && !other.is_finished());
    }

    struct Flag(AtomicBool);

    impl Stop for Flag {
        fn stop(&self) {
            self.0.store(true, SeqCst);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn long_work_ends_when_another_client_waits() {
        let queue = Arc::new(Queue::new(1, 8, "busy"));
        let place = queue.place(client(1)).await.ok().unwrap();
        let flag = Arc::new(Flag(AtomicBool::new(false)));
        place.ends_with(Arc::<Flag>::clone(&flag));
        // Its own requests have to wait.
        assert!(queue.place(client(1)).await.is_err());
        assert!(!flag.0.load(SeqCst));
        // The clock of `since` does not stand still, so work is made old enough.
        queue.shared.lock().running[0].since -= QUANTUM;
        let asked = Arc::clone(&queue);
        let other = tokio::spawn(async move { asked.place(client(2)).await.is_ok() });
        until(|| flag.0.load(SeqCst)).await;
        drop(place);
        assert!(other.await.unwrap());
    }

    #[tokio::test]
    async fn among_equals_the_one_that_had_less_comes_first() {
        let queue = Arc::new(Queue::new(1, 20, "busy"));
        let first = queue.place(client(1)).await.unwrap();
        let ask = |number| {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move { queue.place(client(number)).await.unwrap() })
        };
        let greedy: Vec<_> = (0..8).map(|_| ask(1)).collect();
        until(|| queue.load().waiting == 8).await;
        let modest = ask(2);
        until(|| queue.load().waiting == 9).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
        drop(first);
        // Nothing but the modest one's request is served, until it is done.
        let place = tokio::time::timeout(Duration::from_secs(5), modest).await.unwrap().unwrap();
        assert!(greedy.iter().all(|asked| !asked.is_finished()));
        drop(place);
        for asked in greedy {
            drop(asked.await.unwrap());
        }
    }
}
