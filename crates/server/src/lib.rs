//! The board as a web service, over HTTP.
//!
//! A [`Server`] answers HTTP on a listener that its caller opened: the page, which is embedded in the
//! binary, and under `/api/` everything that the page shows. The rules of the game stay on this side; the
//! page asks for the legal moves after every move, which on one machine takes a millisecond.
//!
//! Questions are answered by the crate [`answers`]; here are limits, streams and status codes. No client may
//! exhaust the machine or keep others out. [`connections`] bounds how many there are, of whom, and how long they may be
//! slow; [`access`] decides who may ask; bodies, addresses, times and nodes are bounded in [`guard`] and [`analysis`];
//! all work is done on separate threads, with a limit and in fair turn ([`queue`]). A search ends when its client
//! goes. What happens is counted and logged in `metrics`.
#![expect(unused_qualifications, reason = "utoipa's macros write paths out in full")]

pub mod access;
pub mod amazons_board;
pub mod analysis;
pub mod builds;
pub mod client;
pub mod connections;
pub mod database;
#[cfg(feature = "api-docs")]
mod docs;
pub mod duels;
pub mod error;
pub mod escape;
pub mod extract;
pub mod games;
pub mod guard;
pub mod hardness;
mod metrics;
pub mod mine;
pub mod moves;
pub mod page;
pub mod picture;
pub mod puzzles;
pub mod queue;
pub mod record;
pub mod searches;
pub mod splits;
pub mod tables;
pub mod trainer;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use answers::record::{RecordLine, RecordNode};
use answers::{Analysis, Review};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
#[cfg(not(feature = "api-docs"))]
use axum::response::Redirect;
use axum::routing::get;
use jungle::Rules;
use jungle::causality::Causality;
use library::Store;
use tokio::net::TcpListener;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access::Access;
use crate::builds::Builds;
use crate::connections::Census;
pub use crate::database::Database;
use crate::duels::desk::Desk;
use crate::metrics::Metrics;
use crate::mine::Trees;
use crate::queue::Queue;
use crate::searches::Searches;
use crate::tables::Tables;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of endgame tables, with a folder for each set of rules in it.
    pub tables: PathBuf,
    /// How many threads all searches have together.
    pub threads: usize,
    /// How much memory all searches have for their tables together, in MiB.
    pub hash: usize,
    /// How many searches run at once.
    pub max_searches: usize,
    /// Who may ask.
    pub access: Access,
    /// Where games are kept; in memory, for as long as the server runs, if left out.
    pub games: Option<Database>,
}

impl Options {
    /// How many blocking threads all work may have: a bound for the runtime that the server runs on.
    pub fn blocking_threads(&self) -> usize {
        // Each search, each place for work, a tree, the tables being prepared, duels being written, read and tended, and one
        // to spare.
        self.max_searches + work_places(self.threads) + 3 + duels::BLOCKING
    }
}

/// How much work of milliseconds runs at once.
fn work_places(threads: usize) -> usize {
    threads.max(2)
}

/// What all requests share.
pub type Shared = Arc<State>;

/// What all requests share.
pub struct State {
    tables: Tables,
    builds: Builds,
    trees: Trees,
    statements: trainer::Known,
    book: ::puzzles::Book,
    searches: Arc<Searches>,
    /// Work of milliseconds, too long for a thread that answers other requests: tables, splits, PNG and PGN.
    work: Queue,
    metrics: Arc<Metrics>,
    census: Arc<Census>,
    causality: Mutex<Vec<(Rules, Arc<Causality>)>>,
    games: Arc<dyn Store>,
    duels: Arc<Desk>,
    network: Option<SocketAddr>,
    guest: Option<String>,
}

/// Where the OpenAPI description is.
const DESCRIPTION: &str = "/api/openapi.json";
/// How many requests may wait for work of milliseconds.
const WAITING: usize = 256;
/// Sets of rules whose causality is kept compiled.
const KEPT_CAUSALITY: usize = 4;

impl State {
    /// Builds the small endgame tables of the presets where they are missing, and returns what failed. Takes
    /// a few seconds the first time.
    pub fn prepare_tables(&self) -> Vec<String> {
        self.tables.prepare()
    }

    /// Opens tables and grows trees again when they are next needed, as after tables were added or replaced.
    /// Requests under way keep what they have.
    pub fn reload(&self) {
        self.tables.reload();
        self.trees.clear();
        self.statements.clear();
    }

    /// The causality function under these rules.
    fn causality(&self, rules: &Rules) -> Arc<Causality> {
        let mut kept = self.causality.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = kept.iter().find(|(known, _)| known == rules) {
            return Arc::clone(found);
        }
        if kept.len() >= KEPT_CAUSALITY {
            kept.remove(0);
        }
        let made = Arc::new(Causality::new(rules));
        kept.push((*rules, Arc::clone(&made)));
        made
    }
}

/// The board's server.
pub struct Server {
    shared: Shared,
    router: Router,
}

#[derive(OpenApi)]
#[openapi(
    components(schemas(Analysis, Review, RecordLine, RecordNode)),
    info(
        title = "Mousetrap",
        description = "Dou Shou Qi (Jungle, Animal Chess): legal moves, analysis, endgame tables, splits, \
        pictures and game records; and the Game of the Amazons: legal moves, regions and searches; \
        and the gadgets of the hardness proof: drawings, compiled boards and games on them. Every refusal is a JSON object with a code and a reason."
    )
)]
struct Description;

impl Server {
    /// A server, not yet listening.
    pub fn new(options: &Options) -> Server {
        let shared = Arc::new(State {
            tables: Tables::new(&options.tables),
            builds: Builds::new(&options.tables),
            trees: Trees::new(options.threads),
            statements: trainer::Known::default(),
            book: ::puzzles::Book::shipped(),
            searches: Searches::new(options.max_searches, options.threads, options.hash),
            work: Queue::new(work_places(options.threads), WAITING, "too many requests at once"),
            metrics: Arc::new(Metrics::new()),
            census: Census::new(options.access.behind_proxy),
            causality: Mutex::default(),
            games: database::games(options.games.as_ref()),
            duels: Desk::new(database::duels(options.games.as_ref())),
            network: options.access.network,
            guest: options.access.guest_pass(),
        });
        let (router, api) = OpenApiRouter::with_openapi(Description::openapi())
            .routes(routes!(moves::moves))
            .routes(routes!(moves::check))
            .routes(routes!(moves::rules))
            .routes(routes!(analysis::analyse))
            .routes(routes!(analysis::best))
            .routes(routes!(analysis::review))
            .routes(routes!(tables::probe))
            .routes(routes!(tables::line))
            .routes(routes!(builds::status, builds::start, builds::cancel))
            .routes(routes!(mine::mine))
            .routes(routes!(puzzles::list))
            .routes(routes!(puzzles::daily))
            .routes(routes!(trainer::drill))
            .routes(routes!(trainer::reply))
            .routes(routes!(trainer::statements))
            .routes(routes!(splits::split))
            .routes(routes!(splits::cone))
            .routes(routes!(escape::jungle))
            .routes(routes!(escape::amazons))
            .routes(routes!(picture::svg))
            .routes(routes!(picture::png))
            .routes(routes!(record::import))
            .routes(routes!(record::export))
            .routes(routes!(games::list))
            .routes(routes!(games::game))
            .routes(routes!(games::save))
            .routes(routes!(games::delete))
            .routes(routes!(games::import))
            .routes(routes!(games::export))
            .routes(routes!(games::explorer))
            .routes(routes!(duels::begin))
            .routes(routes!(duels::join))
            .routes(routes!(duels::show))
            .routes(routes!(duels::act))
            .routes(routes!(duels::events))
            .routes(routes!(duels::links))
            .routes(routes!(duels::qr))
            .routes(routes!(amazons_board::position))
            .routes(routes!(amazons_board::analyse))
            .routes(routes!(hardness::drawings))
            .routes(routes!(hardness::board))
            .routes(routes!(hardness::play))
            .with_state(Arc::clone(&shared))
            .split_for_parts();
        let api = api.to_json().unwrap_or_default();
        let json = [(CONTENT_TYPE, "application/json")];
        let router = router
            .route(DESCRIPTION, get(move || async move { (json, api) }))
            .route(access::HEALTH, get(metrics::health))
            .route("/metrics", get(metrics::show).with_state(Arc::clone(&shared)))
            .route("/art.svg", get(picture::art))
            .route("/", get(page::index))
            .route("/amazons", get(page::amazons))
            .route("/gadgets", get(page::gadgets))
            .route("/{*path}", get(page::file));
        #[cfg(feature = "api-docs")]
        let router = router.merge(docs::router(DESCRIPTION));
        // Without the viewer, browsers show JSON well enough.
        #[cfg(not(feature = "api-docs"))]
        let router = router.route("/api/docs", get(async || Redirect::to(DESCRIPTION)));
        let access = Arc::new(options.access.clone());
        let router = guard::guarded(router, access, Arc::clone(&shared.metrics));
        Server { shared, router }
    }

    /// All routes, for tests.
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// A handle with which another thread can prepare the tables while the server runs.
    pub fn shared(&self) -> Shared {
        Arc::clone(&self.shared)
    }

    /// Answers until `stop` is done; then ends all searches and builds, and finishes what else has begun.
    ///
    /// # Errors
    ///
    /// If the listener fails for good.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let shared = self.shared;
        let census = Arc::clone(&shared.census);
        let close = || {
            shared.searches.close();
            shared.builds.close();
            shared.duels.close();
        };
        let duels = Arc::clone(&shared.duels);
        let resumed = tokio::task::spawn_blocking(move || duels.resume()).await;
        // A database that is away is an error of its own requests, which look for it again.
        if let Err(error) = resumed.map_err(io::Error::other)? {
            tracing::error!(%error, "duels");
        }
        let tending = tokio::spawn(Arc::clone(&shared.duels).tend());
        let served = connections::serve(listener, self.router, census, stop, close).await;
        tending.abort();
        served?;
        // So that it leaves nothing behind; the next build would clear that away.
        tokio::task::spawn_blocking(move || shared.builds.wait()).await.map_err(io::Error::other)
    }
}
