//! Decision trees that explain a class of positions, and the path of one position down such a tree.
//!
//! A tree is grown from a whole table, which is work of seconds, not of microseconds: one tree grows at
//! a time, a few requests wait, the others are asked to come back, and the last trees are kept. So walking through a game with the tree of its endgame open grows it once. Trees are for White to
//! move; for Black, the position is turned round and the colours exchanged, and the answer says so.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use answers::{GameRequest, MineRequest, Mined, Refusal, WantedTree};
use axum::Json;
use axum::extract::State;
use mining::show::TreeReport;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::queue::{Load, Queue, Stop, in_place};

/// How many trees are kept.
const KEPT: usize = 8;
/// How many requests may wait for a tree to grow.
const WAITING: usize = 8;

/// Finished trees, and the queue for growing another.
pub struct Trees {
    /// As reports, not as JSON, which takes many times the memory.
    kept: Mutex<VecDeque<(WantedTree, Arc<TreeReport>)>>,
    queue: Queue,
    threads: usize,
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

    /// The queue for work of seconds on whole tables.
    pub(crate) fn queue(&self) -> &Queue {
        &self.queue
    }

    /// On how many threads it is done.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// Forgets all trees, as after tables were replaced.
    pub fn clear(&self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn find(&self, wanted: &WantedTree) -> Option<Arc<TreeReport>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == wanted).map(|(_, grown)| Arc::clone(grown))
    }

    fn keep(&self, wanted: WantedTree, grown: &Arc<TreeReport>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT - 1);
        kept.push_front((wanted, Arc::clone(grown)));
    }
}

/// Explain a class
///
/// A decision tree that says who wins: its questions, how many positions come to each node with which
/// outcome, and one of them. For a class, or for the class of a position with the path that this position
/// takes. Up to four pieces, where the endgame tables reach; 404 where they do not.
#[utoipa::path(get, path = "/api/mine", tag = "truth", params(GameRequest, MineRequest),
    responses((status = 200, body = Mined), (status = 400, body = ErrorBody),
              (status = 404, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn mine(
    State(shared): State<Shared>,
    client: Client,
    Query(game): Query<GameRequest>,
    Query(query): Query<MineRequest>,
) -> Result<Json<Mined>, ApiError> {
    let (wanted, traveller) = query.wanted(&game)?;
    let grown = tree(&shared, client, wanted.clone()).await?;
    let body = shared.work.run(client, move || Ok::<_, Refusal>(wanted.answer(&grown, &traveller)));
    Ok(Json(body.await?))
}

/// The tree, grown if it is not there.
async fn tree(
    shared: &Shared,
    client: Client,
    wanted: WantedTree,
) -> Result<Arc<TreeReport>, Refusal> {
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
        let set = shared.tables.set(wanted.rules())?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(shared.trees.threads).build();
        let grown = pool.map_err(Refusal::internal)?.install(|| wanted.grow(&set, &felled.0))?;
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
