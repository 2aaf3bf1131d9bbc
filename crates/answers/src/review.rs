//! Game review: the engine's opinion of every position of a game.

use std::ops::ControlFlow;
use std::time::Instant;

use engine::{Chances, Control, Engine};
use game::limits::Limits;
use game::score::Verdict;
use jungle::{Ending, Play};
use serde::{Deserialize, Serialize};

use crate::analysis::{Analysis, LONGEST};

/// The nodes a review spends on each position.
const USUAL_NODES: u64 = 200_000;
/// The most nodes a review may spend on each position.
const MOST_NODES: u64 = 2_000_000;

/// How thoroughly to review.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct ReviewRequest {
    /// Nodes for each position, up to two million; 200,000 if left out.
    pub nodes: Option<u64>,
}

impl ReviewRequest {
    /// The limits of each position of a review that begins now.
    pub fn limits(&self) -> impl Fn() -> Limits + use<> {
        let nodes = self.nodes.unwrap_or(USUAL_NODES).clamp(1_000, MOST_NODES);
        let end = Instant::now() + LONGEST;
        move || Limits {
            nodes: Some(nodes),
            time: Some(end.saturating_duration_since(Instant::now())),
            ..Limits::default()
        }
    }
}

/// The engine's opinion of a position of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Review {
    /// How many moves had been played.
    pub ply: usize,
    /// How many positions there are.
    pub of: usize,
    /// The score for the side to move, or for the side that would be.
    pub score: Verdict,
    /// How the game may end; null if it is over.
    pub chances: Option<Chances>,
    /// The best move, as coordinates; null if the game is over.
    pub best: Option<String>,
    /// The best line in the papers' form.
    pub san: Vec<String>,
    /// How the game ended, if it did.
    pub ending: Option<Ending>,
}

impl Review {
    fn new(ply: usize, of: usize, found: Analysis) -> Review {
        let Analysis { score, chances, bestmove, san, ending, .. } = found;
        Review { ply, of, score, chances, best: bestmove, san, ending }
    }
}

/// Reviews a game from its first position to its last, until `each` breaks off or the search is stopped.
/// `limits` is called before every position. Returns whether the review was completed.
pub fn review(
    engine: &mut Engine,
    whole: &Play,
    control: &Control,
    limits: impl Fn() -> Limits,
    mut each: impl FnMut(Review) -> ControlFlow<()>,
) -> bool {
    let mut play = whole.clone();
    while play.undo().is_some() {}
    let of = whole.moves().len() + 1;
    for ply in 0..of {
        let answer = engine.think(&play, limits(), control, &mut |_| ());
        if control.stopped() && play.ending().is_none() {
            return false;
        }
        if each(Review::new(ply, of, Analysis::new(&play, &answer))).is_break() {
            return false;
        }
        if let Some(&mv) = whole.moves().get(ply) {
            play.play(mv).expect("moves of a game are legal");
        }
    }
    true
}
