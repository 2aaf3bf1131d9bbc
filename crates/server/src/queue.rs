//! Blocking work: searches, table probes, pictures and decision trees, off the threads that answer requests.
//!
//! A [`Queue`] bounds how much work runs at once. A request that finds all places taken waits for a while; when
//! too many wait already, it is refused and asked to come back. The work owns its place: a client that leaves
//! does not free it before the work is done, so that the limit cannot be evaded by asking and leaving.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use answers::Refusal;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a request waits for a place.
const PATIENCE: Duration = Duration::from_secs(15);
/// When to come back, in seconds, if there was no place.
pub(crate) const RETRY_AFTER: u16 = 5;

/// The right to work, until it is dropped.
pub type Place = OwnedSemaphorePermit;

/// Places for work, and for requests that wait for one.
pub struct Queue {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    /// The message for requests without a place.
    busy: &'static str,
}

impl Queue {
    /// This many places, and this many waiting requests.
    pub fn new(at_once: usize, most_waiting: usize, busy: &'static str) -> Queue {
        let places = Arc::new(Semaphore::new(at_once.max(1)));
        Queue { places, waiting: AtomicUsize::new(0), most_waiting, busy }
    }

    /// A place, as soon as one is free.
    ///
    /// # Errors
    ///
    /// If too many wait already, or the wait was too long.
    pub async fn place(&self) -> Result<Place, Refusal> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(place);
        }
        let busy = || Refusal::busy(self.busy, RETRY_AFTER);
        let _waiter = Waiter::new(self).ok_or_else(busy)?;
        let place = Arc::clone(&self.places).acquire_owned();
        let place = tokio::time::timeout(PATIENCE, place).await.map_err(|_| busy())?;
        place.map_err(Refusal::internal)
    }

    /// Runs work on a blocking thread, as soon as there is a place.
    ///
    /// # Errors
    ///
    /// If there is no place, or the work fails.
    pub async fn run<T, E>(
        &self,
        work: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<T, Refusal>
    where
        T: Send + 'static,
        E: Into<Refusal> + Send + 'static,
    {
        let place = self.place().await?;
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
    done.await.map_err(Refusal::internal)?.map_err(Into::into)
}

/// A waiting request.
struct Waiter<'a>(&'a AtomicUsize);

impl<'a> Waiter<'a> {
    fn new(queue: &'a Queue) -> Option<Waiter<'a>> {
        let waiter = Waiter(&queue.waiting);
        (queue.waiting.fetch_add(1, SeqCst) < queue.most_waiting).then_some(waiter)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_client_that_leaves_does_not_free_its_place() {
        let queue = Arc::new(Queue::new(1, 0, "busy"));
        let (release, released) = mpsc::channel::<()>();
        let asked = Arc::clone(&queue);
        let client = tokio::spawn(async move {
            asked.run(move || released.recv().map_err(Refusal::internal)).await
        });
        while queue.places.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        client.abort();
        let _ = client.await;
        assert!(queue.run(|| Ok::<_, Refusal>(())).await.is_err(), "the work goes on");
        release.send(()).unwrap();
        while queue.places.available_permits() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert!(queue.run(|| Ok::<_, Refusal>(())).await.is_ok());
    }
}
