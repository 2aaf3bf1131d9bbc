//! Complexity-driven search (Krad and Petrakos, "Complexity Driven Algorithm for Computer Games"): best
//! first, by a score and what has been spent on it.
//!
//! A node's *score* is for the player to move there; a parent is worth the best of its visited children,
//! negated. Its *complexity* is what it took to get that score. Children are *visited* (generated and
//! evaluated) one at a time, and after each visit the best one is compared with the **local escape
//! function** at the share of the children's complexity already spent: a good child escapes after a few
//! visits, a bad one only when most have been tried. The search goes on below the child that escaped for
//! as long as its line stays the best there is (it is *confirmed*), and turns elsewhere when it does not
//! (*refuted*). After every update the root is compared with the **global escape function** at the share
//! of the *game's* remaining budget: a good move is made soon, and what it saved is there for later moves.
//!
//! ```text
//! next_move(p):
//!     A  p is not expanded:        expand p; q ← select(p)
//!     B  a child is not visited:   visit it; if p is still confirmed, q ← select(p)
//!     C  all are visited:          q ← the best child that is not solved
//!     while p is confirmed and there is a q:
//!         next_move(q); q ← select(p); update(p)
//!
//! select(p):   while the best visited child that is not solved does not escape, visit another
//! ```
//!
//! [`Escape`] runs this on an explicit stack. [`example`] is the paper's example.
//!
//! # Where text, example and pseudocode disagree
//!
//! What settles a disagreement is the theorem: with `g = 1` and enough to spend, the answer is the
//! minimax value. The choices, each with what else is printed:
//!
//! 1. *Escape functions fall.* The text says "non decreasing", with f(0) = 1 and f(1) = −1.
//! 2. *A parent takes the largest negated score of its children.* The definitions print
//!    max(−s₁, …, sₙ) and s_q = max(−s…); the example negates all.
//! 3. *q₃ is the first candidate of the example.* The text says q₂ once, and then goes on with q₃, whose
//!    2/3 is the largest.
//! 4. *C_n = n c_δ + Σ c_i.* Printed with a stray factor c_δ in the sum. The example's shares 1/5, 2/5 …
//!    and its g(4) need c_δ = 0 and c_i = 1, and count nothing for the root itself.
//! 5. *Complexity adds up:* what a node was given when it was visited, what expanding it cost, and its
//!    visited children's. The definition leaves out the first, `update` the second.
//! 6. *The global function takes a share,* C over what is left of the game when the move begins. The
//!    example's g takes time units: 30 of 120, so it is `step(0.25)` here. At 30 it is printed with both
//!    values; the first counts, as for the local one.
//! 7. *The root moves when its score exceeds g* (>), *a child escapes when it reaches l* (≥), as
//!    worded. With g = 1 and ≥ an estimate of 1 would end the search, against the theorem.
//! 8. *The loop runs while p is confirmed.* Printed as `while (not status)` with a `refuted` that is true
//!    for a confirmed node; as it stands nothing below the first candidate would ever be searched. With
//!    `while (status)` the rest of the pseudocode is right, `else status ← true` too.
//! 9. *In state B the parent is updated and judged before anything is searched below the new child,* as
//!    the proof says; the pseudocode goes straight down, through a child that may be solved or bad. If the
//!    parent is confirmed, `select` decides where to go on.
//! 10. *`trace` returns the best child that is not solved* (the second of its two descriptions): a solved
//!     one has nothing to search.
//! 11. *`select` serves for `local_esc_child` and `next_sib`.* The definition of the former would let a
//!     solved child escape, which cannot be searched; in the latter's s_{k+i} ≥ e(…) the new child alone
//!     is printed, but the best so far is meant, as in the example.
//! 12. *Once all children are visited, the best open one escapes,* whatever its value: f(1) = −1 says so,
//!     and with the constant 1 in place of an escape function the theorem still needs it.
//! 13. *Confirmation.* (a) p's best open child, seen by the root's player, is not worse than the second
//!     best child of the root, whose scores are those of the moment the search left the root. (b) No
//!     visited open sibling of p is better for the player who chose p. (The printed equation compares
//!     scores of different signs.) Where a node has no open visited child its score stands for it.
//! 14. *The root's score is as it was last updated* when it is weighed deep below it, as in the
//!     pseudocode, while C is counted at once. When the search ends, all nodes on the path are updated.
//! 15. *Solved:* the text's definition (its score is the minimax value of its descendants) is met by a
//!     node with one winning solved child; the pseudocode's conjunction is not. [`Solving`] has both.
//! 16. *The example's figures have not survived.* That q₃₁ … q₃₅ are visited before one escapes tells
//!     that q₃ has six children; of their scores the text fixes an order and a bound, and no more ([`example`]). They are
//!     ours, chosen so that q₃₂ is the best and q₃ falls behind.
//!
//! One consequence of the paper's rules is kept although it is a weakness: the root is entered once, so its
//! children that were not visited before the first candidate escaped are visited only when a later test
//! fails, which gets rare as the visited ones' complexity grows. Below the root state B sees to them.
//!
//! # Limits
//!
//! Of the [limits](game::limits::Limits) of a search, `game_nodes` is what is left for the game, of which
//! the global function takes the share, and `nodes` what this move may cost at most; one stands for both if
//! the other is missing. Without either, a clock or a time is counted in their place, and complexity is
//! nanoseconds: `clock` is what is left, and `time` what the move may take.
//!
//! # Memory
//!
//! At most [`Settings::memory`] nodes are kept, of 24 bytes in Jungle and Amazons. When the next
//! expansion does not fit, the search returns to the root and forgets the least promising expansions
//! until half of the limit is free: first those below solved nodes, whose score is final; then by how much
//! worse than the best the moves that lead there are, added up along the way, the worst first and among
//! equals the deepest. A node that lost its children keeps its score and complexity, and may be expanded
//! again. What is left is copied, so twice the limit is the most that is ever held. A search that had to
//! forget is no longer bound to end: it ends by its limits.

mod arena;
mod curve;
mod diary;
pub mod example;
mod machine;
mod settings;
mod spending;
mod trace;
mod tree;
mod watch;

pub use arena::Pruned;
pub use curve::{Curve, CurveError};
pub use diary::{Diary, Life};
pub use machine::Escape;
pub use settings::{Scale, Settings, SettingsError, Solving};
pub use trace::Trace;
pub use tree::Grown;
pub use watch::{Asleep, Event, Judgement, Test, Watch, Weighing};

use game::score::Score;

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct EscapeAnswer<M> {
    /// The best visited child of the root; none only when the game is over.
    pub best: Option<M>,
    /// The root's score, for the player to move; its evaluation if nothing was visited.
    pub score: Score,
    /// The score between −1 and 1.
    pub value: f64,
    /// The best line, as far as the tree goes.
    pub pv: Vec<M>,
    /// What was spent, in the unit of the search: the root's complexity.
    pub spent: u64,
    /// How many nodes were visited.
    pub visits: u64,
    /// How many were expanded.
    pub expansions: u64,
    /// How many plies below the root the deepest visit was.
    pub deepest: u32,
    /// How often room had to be made.
    pub prunings: u64,
    /// The most nodes that were kept at one time.
    pub peak: usize,
    /// What ended the search.
    pub ended: Ended,
}

/// What ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The root is solved.
    Solved,
    /// The root escaped: it is good enough for what has been spent on it.
    Escaped,
    /// There was nothing left to spend.
    Spent,
    /// A stop was requested.
    Stopped,
    /// The memory does not even hold the children of the root and of one other node.
    Full,
}

impl Ended {
    /// In a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Ended::Solved => "solved",
            Ended::Escaped => "good enough to move",
            Ended::Spent => "nothing left to spend",
            Ended::Stopped => "stopped",
            Ended::Full => "memory too small",
        }
    }
}
