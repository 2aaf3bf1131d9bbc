//! Endgame tables built on request, in the background.
//!
//! The small tables come by themselves; those of four pieces take a minute of all cores and a part of the disk, so they
//! are built when somebody asks who [may](MayBuild). There is one build at a time. It leaves a core to the board and
//! gives way to everything else. It is the build of the command line: it can be stopped, or killed, at any moment,
//! and the next one carries on from there. When it ends, the tables are opened again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use answers::{Kind, Refusal};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use jungle::Rules;
use serde::{Deserialize, Serialize};
use tablebase::build::{BuildError, Forecast, Job, Options, Wanted, forecast};
use tablebase::{Remedy, set_folder};
use utoipa::{IntoParams, ToSchema};

use crate::Shared;
use crate::access::MayBuild;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody, words};
use crate::extract::{JsonBody, Query};
use crate::queue::Load;

/// Tables of more pieces take hours and gigabytes.
const MOST_PIECES: u32 = 4;
/// How much memory a build may take, as far as classes go: several times what the largest needs.
const MEMORY: u64 = 512 << 20;
/// How long a request waits for a build to begin or to stop.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the server waits for a build when it stops. One that takes longer is cut off, which loses a class.
const FAREWELL: Duration = Duration::from_secs(3);

/// The build under way, or the last one.
pub struct Builds {
    folder: PathBuf,
    threads: usize,
    /// Held by who starts one.
    starting: Mutex<()>,
    current: Mutex<Option<Arc<Build>>>,
    closed: AtomicBool,
}

struct Build {
    set: Set,
    job: Job,
}

/// The tables of a build.
#[derive(Clone)]
struct Set {
    rules: Rules,
    pieces: u32,
    folder: PathBuf,
}

impl Set {
    /// These tables, in a folder of tables.
    ///
    /// # Errors
    ///
    /// If the rules are not understood, or the pieces too few or too many.
    fn new(tables: &Path, rules: Option<&str>, pieces: u32) -> Result<Set, Refusal> {
        let rules: Rules = rules.unwrap_or("standard").parse()?;
        if !(2..=MOST_PIECES).contains(&pieces) {
            let message = format!(
                "tables of {pieces} pieces are not built on request: ask for 2 to {MOST_PIECES}, or run \
                 `mousetrap tb build` where the server runs"
            );
            return Err(Refusal::bad("pieces", message));
        }
        Ok(Set { rules, pieces, folder: set_folder(tables, &rules) })
    }

    /// Whether the files are the same; rules that tables do not depend on may differ.
    fn is_same(&self, other: &Set) -> bool {
        self.folder == other.folder && self.pieces == other.pieces
    }

    fn forecast(&self) -> Result<Forecast, BuildError> {
        forecast(&self.rules, &self.folder, &Wanted::Pieces(self.pieces))
    }
}

impl Builds {
    /// Builds into folders below this one, on all cores but one.
    pub fn new(folder: impl Into<PathBuf>) -> Builds {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Builds {
            folder: folder.into(),
            threads: cores.saturating_sub(1).max(1),
            starting: Mutex::default(),
            current: Mutex::default(),
            closed: AtomicBool::new(false),
        }
    }

    /// Whether a build is under way.
    pub fn load(&self) -> Load {
        let running = self.current().is_some_and(|build| build.is_running());
        Load { running: running.into(), waiting: 0 }
    }

    /// Stops the build under way, and starts no other.
    pub fn close(&self) {
        self.closed.store(true, SeqCst);
        if let Some(build) = self.current() {
            build.job.stop();
        }
    }

    /// Waits for the build that was stopped, but not for long.
    pub fn wait(&self) {
        if let Some(build) = self.current() {
            build.job.wait(FAREWELL);
        }
    }

    fn current(&self) -> Option<Arc<Build>> {
        lock(&self.current).clone()
    }

    /// Begins a build, unless it is under way or there is nothing to do.
    fn start(&self, set: Set, then: impl FnOnce() + Send + 'static) -> Result<BuildBody, ApiError> {
        let starting = lock(&self.starting);
        if self.closed.load(SeqCst) {
            return Err(Refusal::busy("the server is shutting down", 5).into());
        }
        if let Some(build) = self.current().filter(|build| build.is_running()) {
            if !build.job.is_stopped() {
                return build.asked_again(&set);
            }
            if !build.job.wait(PATIENCE) {
                return Err(Refusal::busy("the last build is still being stopped", 5).into());
            }
        }
        let planned = set.forecast().map_err(|error| failure(&error))?;
        if planned.is_complete() {
            return Ok(BuildBody::before(&set, &planned, self.threads));
        }
        let options = Options {
            threads: Some(self.threads),
            memory: MEMORY,
            gentle: true,
            ..Options::default()
        };
        let (rules, folder, wanted) = (set.rules, set.folder.clone(), Wanted::Pieces(set.pieces));
        let job = Job::start(rules, folder, wanted, options, then);
        let build = Arc::new(Build { set, job: job.map_err(|error| failure(&error))? });
        *lock(&self.current) = Some(Arc::clone(&build));
        if self.closed.load(SeqCst) {
            build.job.stop();
        }
        drop(starting);
        build.job.wait_begun(PATIENCE);
        match build.job.status().ended {
            Some(Err(error)) if !matches!(*error, BuildError::Stopped) => Err(failure(&error)),
            _ => Ok(build.body()),
        }
    }

    /// Stops the build under way, and waits for it.
    fn cancel(&self) -> BuildBody {
        let Some(build) = self.current() else { return BuildBody::nothing() };
        build.job.stop();
        build.job.wait(PATIENCE);
        build.body()
    }

    /// The build under way; else what there is to say about these tables, or about the last build.
    fn status(&self, set: Option<Set>) -> Result<BuildBody, ApiError> {
        let current = self.current();
        match (current, set) {
            (Some(build), _) if build.is_running() => Ok(build.body()),
            (Some(build), Some(set)) if build.has_failed() && build.set.is_same(&set) => {
                Ok(build.body())
            }
            (_, Some(set)) => {
                let planned = set.forecast().map_err(|error| failure(&error))?;
                Ok(BuildBody::before(&set, &planned, self.threads))
            }
            (Some(build), None) => Ok(build.body()),
            (None, None) => Ok(BuildBody::nothing()),
        }
    }
}

impl Build {
    fn is_running(&self) -> bool {
        self.job.status().ended.is_none()
    }

    fn has_failed(&self) -> bool {
        self.body().state == BuildState::Failed
    }

    /// The status, if these are the tables that are being built.
    fn asked_again(&self, set: &Set) -> Result<BuildBody, ApiError> {
        if self.set.is_same(set) {
            return Ok(self.body());
        }
        let message = format!(
            "the tables of {} pieces for the rules {} are being built: wait until they are done, or cancel that build",
            self.set.pieces, self.set.rules
        );
        Err(ApiError::new(StatusCode::CONFLICT, Refusal::bad("build-running", message)))
    }

    fn body(&self) -> BuildBody {
        let status = self.job.status();
        let progress = status.progress;
        let (state, error) = match &status.ended {
            None => (BuildState::Running, None),
            Some(Ok(_)) => (BuildState::Done, None),
            Some(Err(error)) if matches!(**error, BuildError::Stopped) => (BuildState::Idle, None),
            Some(Err(error)) => (BuildState::Failed, Some(refusal(error).1.advised(words))),
        };
        let left = progress.left().filter(|_| state == BuildState::Running);
        BuildBody {
            state,
            rules: Some(self.set.rules.to_string()),
            pieces: Some(self.set.pieces),
            done: progress.done,
            total: progress.total,
            seconds: status.time.as_secs_f64(),
            estimate: left.map(|left| left.as_secs_f64()),
            bytes: progress.size(),
            error,
            allowed: false,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why a build failed, as a response.
fn failure(error: &BuildError) -> ApiError {
    let (status, refusal) = refusal(error);
    ApiError::new(status, refusal)
}

/// Why a build failed, and its status.
fn refusal(error: &BuildError) -> (StatusCode, Refusal) {
    let remedy = error.remedy();
    let code = match (error, remedy) {
        (_, Some(Remedy::FreeSpace)) => "no-space",
        (_, Some(Remedy::WritableFolder | Remedy::OtherFolder)) => "not-writable",
        (BuildError::Damaged { .. }, _) => "damaged-table",
        _ => "internal",
    };
    let mut refusal = Refusal::new(Kind::Failed, code, error);
    refusal.remedy = remedy;
    let status = match code {
        "no-space" => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, refusal)
}

/// The state of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BuildState {
    /// None is under way: not yet asked for, or cancelled.
    Idle,
    /// It is under way.
    Running,
    /// The tables are there, and in use.
    Done,
    /// It ended early.
    Failed,
}

/// A build of tables.
#[derive(Debug, Serialize, ToSchema)]
pub struct BuildBody {
    /// Its state.
    pub state: BuildState,
    /// The rules; null if nothing was asked for yet.
    #[schema(example = "standard")]
    pub rules: Option<String>,
    /// Up to how many pieces; null if nothing was asked for yet.
    pub pieces: Option<u32>,
    /// How much of the work is done, in positions; what was there before is counted.
    pub done: u64,
    /// How much work there is.
    pub total: u64,
    /// How long it has been going on, or went on.
    pub seconds: f64,
    /// How many seconds are left if it goes on like this, or that a build would take; null while that is unknown, and
    /// when it is done.
    pub estimate: Option<f64>,
    /// How many bytes all tables have; until they are done, roughly.
    pub bytes: u64,
    /// Why it failed.
    pub error: Option<Refusal>,
    /// Whether this client may start and cancel builds.
    pub allowed: bool,
}

impl BuildBody {
    fn nothing() -> BuildBody {
        BuildBody {
            state: BuildState::Idle,
            rules: None,
            pieces: None,
            done: 0,
            total: 0,
            seconds: 0.0,
            estimate: None,
            bytes: 0,
            error: None,
            allowed: false,
        }
    }

    /// What a build would be.
    fn before(set: &Set, planned: &Forecast, threads: usize) -> BuildBody {
        let complete = planned.is_complete();
        BuildBody {
            state: if complete { BuildState::Done } else { BuildState::Idle },
            rules: Some(set.rules.to_string()),
            pieces: Some(set.pieces),
            done: planned.total - planned.work,
            total: planned.total,
            estimate: (!complete).then(|| planned.seconds(threads)),
            bytes: planned.bytes + planned.expected,
            ..BuildBody::nothing()
        }
    }

    /// As an answer to somebody.
    fn answer(self, may: MayBuild) -> (StatusCode, Json<BuildBody>) {
        let status = match self.state {
            BuildState::Running => StatusCode::ACCEPTED,
            _ => StatusCode::OK,
        };
        (status, Json(BuildBody { allowed: may.0, ..self }))
    }
}

/// Which tables.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BuildQuery {
    /// The rules; `standard` if left out.
    #[param(example = "standard")]
    pub rules: Option<String>,
    /// Up to how many pieces; 4 if left out.
    #[param(minimum = 2, maximum = 4)]
    pub pieces: Option<u32>,
}

/// Which tables to build.
#[derive(Debug, Deserialize, ToSchema)]
pub struct BuildRequest {
    /// The rules; `standard` if left out.
    #[schema(example = "standard")]
    pub rules: Option<String>,
    /// Up to how many pieces.
    #[schema(minimum = 2, maximum = 4)]
    pub pieces: u32,
}

fn check(may: MayBuild) -> Result<(), ApiError> {
    if may.0 {
        return Ok(());
    }
    let message = "tables are built for those who sit at the machine that the server runs on: open the page there, start \
         the server with `--token` or `--allow-builds`, or run `mousetrap tb build` there";
    Err(ApiError::new(StatusCode::FORBIDDEN, Refusal::bad("builds-not-allowed", message)))
}

/// How far a build is
///
/// The build of tables under way. If there is none: what a build of the tables asked about would take, or that they are
/// there; or, if none are asked about, how the last build ended.
#[utoipa::path(get, path = "/api/tablebase/build", tag = "truth", params(BuildQuery),
    responses((status = 200, body = BuildBody), (status = 400, body = ErrorBody),
              (status = 500, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn status(
    State(shared): State<Shared>,
    client: Client,
    may: MayBuild,
    Query(query): Query<BuildQuery>,
) -> Result<Json<BuildBody>, ApiError> {
    let named = query.rules.is_some() || query.pieces.is_some();
    let pieces = query.pieces.unwrap_or(MOST_PIECES);
    let set = Set::new(&shared.builds.folder, query.rules.as_deref(), pieces)?;
    let state = Arc::clone(&shared);
    let status = move || Ok::<_, Refusal>(state.builds.status(named.then_some(set)));
    let body = shared.work.run(client, status).await??;
    Ok(body.answer(may).1)
}

/// Build tables
///
/// Begins to build the tables of up to two, three or four pieces, unless they are there (200, `done`) or being built
/// (202 again). Another build must end first (409). The tables are used as soon as they are done. Only for clients
/// on the server's own machine or with its token, unless it allows everybody: `allowed`.
#[utoipa::path(post, path = "/api/tablebase/build", tag = "truth", request_body = BuildRequest,
    responses((status = 200, body = BuildBody), (status = 202, body = BuildBody),
              (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
              (status = 409, body = ErrorBody), (status = 413, body = ErrorBody),
              (status = 415, body = ErrorBody), (status = 422, body = ErrorBody),
              (status = 500, body = ErrorBody), (status = 503, body = ErrorBody),
              (status = 507, body = ErrorBody)))]
pub async fn start(
    State(shared): State<Shared>,
    client: Client,
    may: MayBuild,
    JsonBody(body): JsonBody<BuildRequest>,
) -> Result<(StatusCode, Json<BuildBody>), ApiError> {
    check(may)?;
    let set = Set::new(&shared.builds.folder, body.rules.as_deref(), body.pieces)?;
    let (state, used) = (Arc::clone(&shared), Arc::downgrade(&shared));
    let start = move || {
        let then = move || {
            if let Some(state) = used.upgrade() {
                state.reload();
            }
        };
        Ok::<_, Refusal>(state.builds.start(set, then))
    };
    Ok(shared.work.run(client, start).await??.answer(may))
}

/// Cancel a build
///
/// Stops the build of tables under way, if there is one, within seconds. The tables that are finished stay, and
/// another build carries on from there.
#[utoipa::path(delete, path = "/api/tablebase/build", tag = "truth",
    responses((status = 200, body = BuildBody), (status = 202, body = BuildBody),
              (status = 403, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn cancel(
    State(shared): State<Shared>,
    client: Client,
    may: MayBuild,
) -> Result<(StatusCode, Json<BuildBody>), ApiError> {
    check(may)?;
    let state = Arc::clone(&shared);
    let cancelled = shared.work.run(client, move || Ok::<_, Refusal>(state.builds.cancel()));
    Ok(cancelled.await?.answer(may))
}
