//! Builds in the background: begun, watched and stopped by a program that does something else meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jungle::Rules;

use super::error::BuildError;
use super::plan::Wanted;
use super::progress::Progress;
use super::{BuildSummary, Event, Options, build};

/// A build on a thread of its own. Dropping it stops it soon.
///
/// ```
/// use std::time::Duration;
///
/// use jungle::Rules;
/// use tablebase::build::{Job, Options, Wanted};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path().to_owned();
/// let job = Job::start(Rules::STANDARD, folder, Wanted::Pieces(2), Options::default(), || ())?;
/// assert!(job.wait(Duration::from_secs(60)));
/// let status = job.status();
/// assert_eq!(status.progress.done, status.progress.total);
/// assert!(status.ended.is_some_and(|end| end.is_ok()));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Job {
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
}

/// How a job is.
#[derive(Clone, Debug)]
pub struct JobStatus {
    /// How far it is.
    pub progress: Progress,
    /// How long it has been going on, or went on.
    pub time: Duration,
    /// Whether it has begun to build, all that could keep it from that being checked.
    pub begun: bool,
    /// How it ended, if it did.
    pub ended: Option<Result<BuildSummary, Arc<BuildError>>>,
}

#[derive(Debug)]
struct Shared {
    status: Mutex<JobStatus>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, JobStatus> {
        // Numbers, each changed in one step.
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn event(&self, event: &Event<'_>) {
        let mut status = self.lock();
        status.progress.event(event);
        if !matches!(event, Event::Planned { .. }) && !status.begun {
            status.begun = true;
            self.changed.notify_all();
        }
    }

    fn end(&self, end: Result<BuildSummary, BuildError>) {
        let mut status = self.lock();
        status.time = status.progress.elapsed();
        status.ended = Some(end.map_err(Arc::new));
        self.changed.notify_all();
    }

    /// Waits until something holds, and at most this long; whether it holds.
    fn wait(&self, most: Duration, holds: impl Fn(&JobStatus) -> bool) -> bool {
        let deadline = Instant::now() + most;
        let mut status = self.lock();
        while !holds(&status) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.changed.wait_timeout(status, left);
            status = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

impl Job {
    /// Begins to build what is missing of the wanted tables in the folder of a set; `then` is called before the
    /// job counts as ended, however it ends.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started. Whatever else goes wrong is how the job ends.
    pub fn start(
        rules: Rules,
        folder: PathBuf,
        wanted: Wanted,
        options: Options,
        then: impl FnOnce() + Send + 'static,
    ) -> Result<Job, BuildError> {
        let progress = Progress::new();
        let status = JobStatus { progress, time: Duration::ZERO, begun: false, ended: None };
        let shared = Arc::new(Shared { status: Mutex::new(status), changed: Condvar::new() });
        let job = Job { shared: Arc::clone(&shared), stop: Arc::clone(&options.stop) };
        let work = move || {
            let built = catch_unwind(AssertUnwindSafe(|| {
                build(&rules, &folder, &wanted, &options, &mut |event| shared.event(&event))
            }));
            let bug =
                |_| Err(BuildError::io("building in", folder)(std::io::Error::other("a bug")));
            let end = built.unwrap_or_else(bug);
            then();
            shared.end(end);
        };
        let thread = std::thread::Builder::new().name("tables".to_owned()).spawn(work);
        thread.map_err(|error| BuildError::Threads(Box::new(error)))?;
        Ok(job)
    }

    /// How it is.
    pub fn status(&self) -> JobStatus {
        let mut status = self.shared.lock().clone();
        if status.ended.is_none() {
            status.time = status.progress.elapsed();
        }
        status
    }

    /// Stops it before the next class. What is finished stays, and another build carries on from there.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether it was told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Waits until it has begun to build or has ended, and at most this long; whether it has.
    pub fn wait_begun(&self, most: Duration) -> bool {
        self.shared.wait(most, |status| status.begun || status.ended.is_some())
    }

    /// Waits until it has ended, and at most this long; whether it has.
    pub fn wait(&self, most: Duration) -> bool {
        self.shared.wait(most, |status| status.ended.is_some())
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop();
    }
}
