//! Decomposition of Jungle: positions cut into parts.
//!
//! Two ways to cut, for two searches. Burnett cuts where the causality function exceeds a threshold
//! and keeps every part on its own ground for as long as it searches ([`Decompose`]). For exact results
//! pieces are kept together that can get in each other's way within the depth of the search, and no piece
//! is fenced in ([`Independent`]; the geometry is in [`meetings`]).
//!
//! On a part's board some side may have no pieces. That does not end the game unless it has none
//! elsewhere, so parts know who else is left.

pub mod lone;
pub mod meetings;
mod threshold;

use std::sync::{Arc, OnceLock};

use game::decompose::{Decompose, Independent};
use game::score::Evaluate;
use game::{Delegate, Outcome, Side};

use self::lone::Lone;
use crate::causality::{Causality, PartSquares};
use crate::{Bitboard, BurnettEval, ByColor, Color, Jungle, Move, Position, Rules};

pub use threshold::{Edges, ParseEdgesError, ParseThresholdError, Threshold};

/// Where a position is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Where pieces are more than this many plies apart by the causality function, as Burnett does; each part
    /// stays on its own ground.
    Threshold(Threshold),
    /// The same, and where they are just as many plies apart.
    AtLeast(Threshold),
    /// Where pieces cannot get in each other's way in a search of this many plies.
    Independent(u32),
}

impl Cut {
    /// Cuts edges at this threshold.
    pub const fn at(threshold: Threshold, edges: Edges) -> Cut {
        match edges {
            Edges::Above => Cut::Threshold(threshold),
            Edges::AtLeast => Cut::AtLeast(threshold),
        }
    }

    /// The threshold, and which edges it cuts; none where pieces have to be independent.
    const fn threshold(self) -> Option<(Threshold, Edges)> {
        match self {
            Cut::Threshold(threshold) => Some((threshold, Edges::Above)),
            Cut::AtLeast(threshold) => Some((threshold, Edges::AtLeast)),
            Cut::Independent(_) => None,
        }
    }
}

/// Jungle, with positions cut into parts.
#[derive(Clone, Debug)]
pub struct PartedJungle {
    jungle: Jungle,
    /// The same without annihilation, which a part cannot decide.
    within_parts: Jungle,
    causality: Arc<Causality>,
    /// Computed when first needed.
    lone: OnceLock<Lone>,
    cut: Cut,
}

/// Some of the pieces, and the squares they may use.
#[derive(Clone, Debug)]
pub struct Part {
    /// The pieces, alone on the board.
    pub position: Position,
    /// The squares they may use.
    pub territory: Bitboard,
    /// Whether each side has pieces elsewhere.
    pub others: ByColor<bool>,
}

impl PartedJungle {
    /// The game by these rules.
    pub fn new(rules: Rules, cut: Cut) -> PartedJungle {
        PartedJungle::with_causality(rules, Arc::new(Causality::new(&rules)), cut)
    }

    /// The game by these rules, whose causality has been worked out already.
    pub fn with_causality(rules: Rules, causality: Arc<Causality>, cut: Cut) -> PartedJungle {
        let jungle = Jungle::new(rules);
        let (within_parts, lone) = (jungle.within_part(), OnceLock::new());
        PartedJungle { jungle, within_parts, causality, lone, cut }
    }

    /// The game itself.
    pub fn jungle(&self) -> &Jungle {
        &self.jungle
    }

    /// How soon pieces can matter to each other under its rules.
    pub fn causality(&self) -> &Causality {
        &self.causality
    }

    /// Precomputed tables for pieces that are on their own for a while.
    pub fn lone(&self) -> &Lone {
        self.lone.get_or_init(|| Lone::new(&self.causality))
    }

    fn part(whole: &Position, squares: PartSquares) -> Part {
        Part {
            position: squares.position(whole, whole.turn()),
            territory: squares.territory,
            others: ByColor::from_fn(|color| whole.side(color).without(squares.pieces).any()),
        }
    }
}

impl Delegate for PartedJungle {
    type Inner = Jungle;

    fn inner(&self) -> &Jungle {
        &self.jungle
    }
}

impl Evaluate<PartedJungle> for BurnettEval {
    #[inline]
    fn evaluate(&self, game: &PartedJungle, position: &Position) -> i32 {
        BurnettEval.evaluate(&game.jungle, position)
    }
}

impl Decompose for PartedJungle {
    type Part = Part;

    fn parts(&self, position: &Position, depth: u32) -> Vec<Part> {
        if let Cut::Independent(plies) = self.cut {
            return self.independent_parts(position, plies);
        }
        let (threshold, edges) = self.cut.threshold().unwrap_or_default();
        let split = threshold.split_at(edges, &self.causality, position, depth);
        split.parts().iter().map(|&part| PartedJungle::part(position, part)).collect()
    }

    fn cuts_alike(&self, depth: u32, other: u32) -> bool {
        self.cut.threshold().is_none_or(|(threshold, _)| threshold.cuts_alike(depth, other))
    }

    fn part_size(&self, part: &Part) -> usize {
        part.position.occupied().len() as usize
    }

    fn part_position(&self, part: &Part) -> Position {
        part.position.clone()
    }

    fn part_outcome(&self, part: &Part, position: &Position) -> Option<Outcome> {
        if let Some(ending) = self.within_parts.decided(position) {
            return Some(ending.outcome());
        }
        if !self.jungle.rules().annihilation_wins {
            return None;
        }
        let gone = |color: &Color| position.side(*color).is_empty() && !part.others[*color];
        Color::ALL.into_iter().find(gone).map(|loser| Outcome::Win((!loser).player()))
    }

    fn push_part_moves(&self, part: &Part, position: &Position, moves: &mut Vec<Move>) {
        if self.part_outcome(part, position).is_some() {
            return;
        }
        let mut push = |mv: Move| {
            if part.territory.contains(mv.to) {
                moves.push(mv);
            }
        };
        self.within_parts.for_each_capture(position, &mut push);
        self.within_parts.for_each_quiet(position, &mut push);
    }

    fn pass(&self, position: &mut Position) {
        *position = position.with_turn(!position.turn());
    }
}

impl Independent for PartedJungle {
    fn independent_parts(&self, position: &Position, plies: u32) -> Vec<Part> {
        let meetings = &self.lone().meetings;
        let sets =
            meetings::independent_sets(&self.jungle, &self.causality, meetings, position, plies);
        let part = |pieces| PartSquares { pieces, territory: Bitboard::ALL };
        sets.into_iter().map(|pieces| PartedJungle::part(position, part(pieces))).collect()
    }

    fn stuck(&self, player: Side) -> Outcome {
        let winner = self.jungle.rules().no_legal_move.winner(player.into());
        winner.map_or(Outcome::Draw, |color| Outcome::Win(color.player()))
    }
}
