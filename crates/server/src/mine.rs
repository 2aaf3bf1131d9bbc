//! Decision trees that explain a class of positions, and the path of one position down such a tree.
//!
//! A tree is grown from a whole table, which is work of seconds, not of microseconds: one tree grows at
//! a time, a few requests wait, the others are asked to come back, and the last trees are kept. So
//! walking through a game with the tree of its endgame open grows it once. Trees are for White to
//! move; for Black, the position is turned round and the colours exchanged, and the answer says so.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use answers::{GameRequest, Refusal};
use axum::Json;
use axum::extract::State;
use jungle::{Color, Position, Rules, Square};
use mining::data::Dataset;
use mining::explain::{ExplainOptions, explain};
use mining::feature::{ChoiceError, ClassContext, PositionView, USUAL, choose};
use mining::learn::Options;
use mining::population::Population;
use mining::show::{self, TreeReport};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tablebase::class::Loader;
use tablebase::{Material, Tablebase};
use utoipa::{IntoParams, ToSchema};

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::queue::{Load, Queue, Stop, in_place};

/// Classes of more pieces take too long for a client that waits.
const MOST_PIECES: u32 = 4;
/// The most questions on a path: with up to three pieces, and with more.
const MOST_DEPTH: [u32; 2] = [12, 6];
/// The default depth.
const USUAL_DEPTH: u32 = 4;
/// A tree with more leaves is not an explanation; growing ends at that level.
const MOST_LEAVES: usize = 3_000;
/// How many misclassified positions are shown.
const EXAMPLES: usize = 3;
/// How many trees are kept.
const KEPT: usize = 8;
/// How many requests may wait for a tree to grow.
const WAITING: usize = 8;

/// Finished trees, and the queue for growing another.
pub struct Trees {
    /// As reports, not as JSON, which takes many times the memory.
    kept: Mutex<VecDeque<(Wanted, Arc<TreeReport>)>>,
    queue: Queue,
    threads: usize,
}

/// The key of a tree.
#[derive(Clone, PartialEq)]
struct Wanted {
    rules: Rules,
    class: Material,
    features: Option<String>,
    max_depth: u32,
    prune: bool,
}

impl Trees {
    /// Trees grow on this many threads.
    pub fn new(threads: usize) -> Trees {
        Trees {
            kept: Mutex::default(),
            queue: Queue::new(1, WAITING, "other trees are growing"),
            threads: threads.max(1),
        }
    }

    /// How many trees grow or wait to.
    pub fn load(&self) -> Load {
        self.queue.load()
    }

    /// Forgets all trees, as after tables were replaced.
    pub fn clear(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn find(&self, wanted: &Wanted) -> Option<Arc<TreeReport>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == wanted).map(|(_, grown)| Arc::clone(grown))
    }

    fn keep(&self, wanted: Wanted, grown: &Arc<TreeReport>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT - 1);
        kept.push_front((wanted, Arc::clone(grown)));
    }
}

/// Which tree.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MineQuery {
    /// The class to explain, White to move; that of the position if left out.
    #[param(example = "EL-T")]
    pub class: Option<String>,
    /// The features that the tree may use: groups, kinds and names, separated by commas; `table3,cones` if left
    /// out.
    #[param(example = "cones")]
    pub features: Option<String>,
    /// The most questions on a path through the tree; 4 if left out.
    #[param(maximum = 12)]
    pub max_depth: Option<u32>,
    /// Whether questions that are not worth it are left out (C4.5's pessimistic pruning).
    pub prune: Option<bool>,
}

/// A tree.
#[derive(Debug, Serialize, ToSchema)]
pub struct MinedBody {
    /// The class that the tree is for, White to move.
    pub class: String,
    /// Whether Black is to move in the position: then the tree is for the position turned round, with the
    /// colours exchanged.
    pub swapped: bool,
    /// The path of the position: which child it takes at each question. Null if a class was asked for.
    pub path: Option<Vec<usize>>,
    /// The tree, with counts and an example at every node.
    #[schema(value_type = Object)]
    pub report: Value,
}

/// Explain a class
///
/// A decision tree that says who wins: its questions, how many positions come to each node with which
/// outcome, and one of them. For a class, or for the class of a position with the path that this position
/// takes. Up to four pieces, where the endgame tables reach; 404 where they do not.
#[utoipa::path(get, path = "/api/mine", tag = "truth", params(GameRequest, MineQuery),
    responses((status = 200, body = MinedBody), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn mine(
    State(shared): State<Shared>,
    client: Client,
    Query(game): Query<GameRequest>,
    Query(query): Query<MineQuery>,
) -> Result<Json<MinedBody>, ApiError> {
    let (class, position, swapped) = match &query.class {
        Some(text) => (named(text)?, None, false),
        None => {
            let play = game.unfinished()?;
            let swapped = play.position().turn() == Color::Black;
            let position = if swapped { play.position().flip() } else { play.position().clone() };
            (Material::of(&position), Some(position), swapped)
        }
    };
    let wanted = Wanted { rules: game.rules()?, class, ..wanted(&query, class)? };
    let grown = tree(&shared, client, wanted.clone()).await?;
    let body = shared.work.run(client, move || {
        let path = position.and_then(|position| way(&grown, &wanted, &position));
        let report = show::json(&grown);
        Ok::<_, Refusal>(MinedBody { class: class.to_string(), swapped, path, report })
    });
    Ok(Json(body.await?))
}

fn named(text: &str) -> Result<Material, Refusal> {
    let class: Result<Material, _> = text.parse();
    class.map_err(|error| Refusal::because(answers::Kind::Bad, "class", error))
}

/// Checks the request; the rules are filled in by the caller.
fn wanted(query: &MineQuery, class: Material) -> Result<Wanted, Refusal> {
    if class.white.is_empty() || class.black.is_empty() {
        return Err(Refusal::bad("class", "each side needs a piece, as in EL-T"));
    }
    if class.pieces() > MOST_PIECES {
        let message = format!(
            "{class} has {} pieces, and the server learns trees for up to {MOST_PIECES}",
            class.pieces()
        );
        return Err(Refusal::missing("too-many-pieces", message));
    }
    let most = MOST_DEPTH[usize::from(class.pieces() > 3)];
    let max_depth = query.max_depth.unwrap_or(USUAL_DEPTH);
    if max_depth > most {
        let message = format!("at most {most} questions with {} pieces", class.pieces());
        return Err(Refusal::bad("max-depth", message));
    }
    Ok(Wanted {
        rules: Rules::default(),
        class,
        features: query.features.clone(),
        max_depth,
        prune: query.prune.unwrap_or(false),
    })
}

/// The tree, grown if it is not there.
async fn tree(shared: &Shared, client: Client, wanted: Wanted) -> Result<Arc<TreeReport>, Refusal> {
    let trees = &shared.trees;
    if let Some(grown) = trees.find(&wanted) {
        return Ok(grown);
    }
    let place = trees.queue.place(client).await?;
    // Another request may have grown it meanwhile.
    if let Some(grown) = trees.find(&wanted) {
        return Ok(grown);
    }
    let shared = Arc::clone(shared);
    let felled = Arc::new(Felled::default());
    place.ends_with(Arc::<Felled>::clone(&felled));
    // The tree is kept even if the client is gone by then, for when it comes back.
    in_place(place, move || {
        let set = shared.tables.set(&wanted.rules)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(shared.trees.threads).build();
        let grown = pool.map_err(Refusal::internal)?.install(|| grow(&set, &wanted, &felled))?;
        if felled.0.load(Relaxed) {
            let message =
                "the tree had to make way for those of others: try again, or ask for a smaller one";
            return Err(Refusal::busy(message, 5));
        }
        let grown = Arc::new(grown);
        shared.trees.keep(wanted, &grown);
        Ok::<_, Refusal>(grown)
    })
    .await
}

/// Ends the growth of a tree when others wait.
#[derive(Default)]
struct Felled(Arc<AtomicBool>);

impl Stop for Felled {
    fn stop(&self) {
        self.0.store(true, Relaxed);
    }
}

fn grow(set: &Tablebase, wanted: &Wanted, felled: &Felled) -> Result<TreeReport, Refusal> {
    let pieces = wanted.class.in_order();
    let features = choose(&pieces, false, wanted.features.as_deref(), None, USUAL);
    let features = features.map_err(|error| match error {
        ChoiceError::Unknown(error) => Refusal::bad("features", error),
        ChoiceError::Nothing => {
            Refusal::bad("features", "name at least one feature, or leave them out")
        }
    })?;
    let population = Population::load(&mut Loader::new(set), wanted.class)?;
    let data = Dataset::new(vec![population], features);
    let options = ExplainOptions {
        grow: Options {
            max_depth: Some(wanted.max_depth),
            max_leaves: Some(MOST_LEAVES),
            stop: Arc::clone(&felled.0),
            ..Options::default()
        },
        prune: wanted.prune,
        examples: EXAMPLES,
    };
    Ok(explain(&wanted.class.to_string(), &data, &options, |_| ()))
}

/// The path of a position of the class, White to move, down its tree.
fn way(report: &TreeReport, wanted: &Wanted, position: &Position) -> Option<Vec<usize>> {
    let pieces = wanted.class.in_order();
    let squares: Option<Vec<Square>> =
        pieces.iter().map(|piece| position.square_of(piece.color, piece.animal)).collect();
    let context = ClassContext::new(&wanted.rules, &pieces);
    Some(report.tree.path(&PositionView::new(&context, &squares?)))
}
