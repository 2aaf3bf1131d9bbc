//! Work on other threads, while this one watches for Ctrl-C.
//!
//! Python runs signal handlers on its main thread, and only when that thread asks. So long work is done
//! elsewhere; the thread that was called waits with Python's lock released, and asks a few times a
//! second. Reports that are for Python come through the same channel, so that callbacks run on the
//! thread that called.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use pyo3::prelude::*;

use crate::failure;

/// How often signals are checked.
const PATIENCE: Duration = Duration::from_millis(50);

/// A message from another thread.
pub struct Waiting<T>(Mutex<Receiver<T>>);

impl<T: Send> Waiting<T> {
    /// What comes through this channel.
    pub fn new(receiver: Receiver<T>) -> Waiting<T> {
        Waiting(Mutex::new(receiver))
    }

    /// The next one; `None` if there will be no more.
    ///
    /// # Errors
    ///
    /// If a signal handler raised an exception, as that of Ctrl-C does.
    pub fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            let next = py.detach(|| {
                let receiver = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                receiver.recv_timeout(PATIENCE)
            });
            match next {
                Ok(item) => return Ok(Some(item)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }
}

/// A message of a worker thread.
enum Sent<R, T> {
    Report(R),
    Done(T),
}

/// Does some work on another thread. What it reports is handed to `report` on this one; `stop` is called,
/// once, when a signal or `report` raises an exception, and the work is then left to end by itself.
///
/// # Errors
///
/// That exception, or one that says that the work broke off.
pub fn run<R: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&(dyn Fn(R) + Sync)) -> T + Send + 'static,
    stop: impl Fn(),
    mut report: impl FnMut(R) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    let thread = spawn(sender, work)?;
    let waiting = Waiting::new(receiver);
    let result = loop {
        match waiting.next(py) {
            Ok(Some(Sent::Done(result))) => break Ok(result),
            Ok(Some(Sent::Report(event))) => match report(event) {
                Ok(()) => {}
                Err(error) => break Err(error),
            },
            Ok(None) => {
                break Err(failure::outside("the work broke off; this is a fault of mousetrap"));
            }
            Err(error) => break Err(error),
        }
    };
    if result.is_err() {
        stop();
    } else {
        // It has sent its result: this takes no time.
        let _ = py.detach(|| thread.join());
    }
    result
}

fn spawn<R: Send + 'static, T: Send + 'static>(
    sender: Sender<Sent<R, T>>,
    work: impl FnOnce(&(dyn Fn(R) + Sync)) -> T + Send + 'static,
) -> PyResult<JoinHandle<()>> {
    let job = move || {
        // The receiver is gone only after an exception.
        let report = |event| drop(sender.send(Sent::Report(event)));
        // A panic ends the channel, and the caller learns of it there.
        if let Ok(result) = catch_unwind(AssertUnwindSafe(|| work(&report))) {
            let _ = sender.send(Sent::Done(result));
        }
    };
    std::thread::Builder::new().spawn(job).map_err(failure::outside)
}
