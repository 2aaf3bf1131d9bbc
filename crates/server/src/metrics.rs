//! Metrics: what the server does, as Prometheus reads it, and a line of the log for every request.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::Shared;
use crate::client::Client;

/// The format of Prometheus' text.
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// The path of requests that no route is for: their own could be anything.
const NO_ROUTE: &str = "none";

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    path: String,
    status: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    path: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Queued {
    queue: &'static str,
}

/// What is counted as it happens; the rest is looked up when somebody asks.
pub struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    latencies: Family<Asked, Histogram, fn() -> Histogram>,
    running: Family<Queued, Gauge>,
    waiting: Family<Queued, Gauge>,
    searches: Counter,
    probes: Counter,
    connections: Gauge,
    duels: Gauge,
    streams: Gauge,
    events: Counter,
    commits: Counter,
    cached: Gauge,
    memory: Gauge,
}

fn latency() -> Histogram {
    // From a tenth of a millisecond to about half a minute.
    Histogram::new(exponential_buckets(0.0001, 3.5, 11))
}

impl Metrics {
    /// Nothing has happened yet.
    pub fn new() -> Metrics {
        let mut metrics = Metrics {
            registry: Registry::default(),
            requests: Family::default(),
            latencies: Family::new_with_constructor(latency),
            running: Family::default(),
            waiting: Family::default(),
            searches: Counter::default(),
            probes: Counter::default(),
            connections: Gauge::default(),
            duels: Gauge::default(),
            streams: Gauge::default(),
            events: Counter::default(),
            commits: Counter::default(),
            cached: Gauge::default(),
            memory: Gauge::default(),
        };
        let own = metrics.registry.sub_registry_with_prefix("mousetrap");
        own.register("requests", "Requests answered", metrics.requests.clone());
        own.register_with_unit(
            "latency",
            "Time until an answer begins",
            Unit::Seconds,
            metrics.latencies.clone(),
        );
        own.register("work_running", "Work under way", metrics.running.clone());
        own.register("work_waiting", "Requests that wait for a place", metrics.waiting.clone());
        own.register("searches", "Searches begun", metrics.searches.clone());
        own.register("probes", "Positions looked up in tables", metrics.probes.clone());
        own.register("connections", "Open connections", metrics.connections.clone());
        own.register("duels", "Games between two people in memory", metrics.duels.clone());
        own.register("duel_streams", "Streams of such games", metrics.streams.clone());
        own.register("duel_events", "Events of such games that were kept", metrics.events.clone());
        own.register("duel_commits", "Commits they were kept with", metrics.commits.clone());
        own.register_with_unit(
            "table_cache",
            "Verified contents of table files in memory",
            Unit::Bytes,
            metrics.cached.clone(),
        );
        metrics.registry.register_with_unit(
            "process_resident_memory",
            "Resident memory",
            Unit::Bytes,
            metrics.memory.clone(),
        );
        metrics
    }

    /// A search begins.
    pub fn search(&self) {
        self.searches.inc();
    }

    /// A position is looked up.
    pub fn probe(&self) {
        self.probes.inc();
    }

    fn answered(&self, path: &str, status: u16, took: Duration) {
        let answered = Answered { path: path.to_owned(), status: status.into() };
        self.requests.get_or_create(&answered).inc();
        let asked = Asked { path: path.to_owned() };
        self.latencies.get_or_create(&asked).observe(took.as_secs_f64());
    }
}

/// Counts and logs a request.
pub(crate) async fn observe(
    State(metrics): State<Arc<Metrics>>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get().map(MatchedPath::as_str);
    let route = route.unwrap_or(NO_ROUTE).to_owned();
    let client = request.extensions().get::<Client>().copied();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    metrics.answered(&route, status, took);
    let client = client.map(tracing::field::display);
    let milliseconds = (took.as_secs_f64() * 1e5).round() / 100.0;
    if status >= 500 && status != 503 {
        tracing::error!(client, %method, path, status, milliseconds, "request");
    } else {
        tracing::info!(client, %method, path, status, milliseconds, "request");
    }
    response
}

/// `/metrics`
pub(crate) async fn show(State(shared): State<Shared>) -> Response {
    let metrics = &shared.metrics;
    for (queue, load) in [
        ("builds", shared.builds.load()),
        ("searches", shared.searches.load()),
        ("trees", shared.trees.load()),
        ("work", shared.work.load()),
    ] {
        metrics.running.get_or_create(&Queued { queue }).set(count(load.running));
        metrics.waiting.get_or_create(&Queued { queue }).set(count(load.waiting));
    }
    metrics.connections.set(count(shared.census.connections()));
    let duels = shared.duels.activity();
    metrics.duels.set(count(duels.live));
    metrics.streams.set(count(duels.streams));
    metrics.events.inc_by(duels.events.saturating_sub(metrics.events.get()));
    metrics.commits.inc_by(duels.commits.saturating_sub(metrics.commits.get()));
    metrics.cached.set(i64::try_from(shared.tables.cached()).unwrap_or(i64::MAX));
    metrics.memory.set(resident_memory().unwrap_or(0));
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = encode(&mut text, &metrics.registry);
    ([(CONTENT_TYPE, TEXT)], text).into_response()
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// How many bytes the process has in memory, where the kernel tells it as Linux does.
fn resident_memory() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<i64>().ok().map(|kibibytes| kibibytes << 10)
}

/// `/healthz`
pub(crate) async fn health() -> &'static str {
    "ok\n"
}
