//! Jungle as a game whose positions fall into parts.
//!
//! Two ways to cut, for two searches. The thesis cuts where the causality function exceeds a threshold
//! and keeps every part on its own ground for as long as it searches ([`Decompose`]). For exact results
//! pieces are kept together that can get into each other's way within the depth of the search, and nobody
//! is fenced in ([`Independent`]; the geometry is in `apart.rs`).
//!
//! On a part's board some side may have no pieces. That does not end the game unless it has none
//! elsewhere, so parts know who else is left.

use std::sync::OnceLock;

use game::score::Evaluate;
use game::{Game, Outcome, Side};
use jungle::causality::Causality;
use jungle::rules::NoLegalMove;
use jungle::{Bitboard, BurnettEval, ByColor, Color, Jungle, Move, Position, Rules};
use search::decompose::Decompose;
use search::sum::Independent;

use crate::lone::Lone;
use crate::{Threshold, apart};

/// Where a position is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Where pieces are more than so many plies apart by the causality function, as in the thesis; each
    /// part stays on its own ground.
    Threshold(Threshold),
    /// Where pieces cannot get into each other's way in a search of so many plies.
    Independent(u32),
}

/// Jungle, with positions cut into parts.
#[derive(Clone, Debug)]
pub struct PartedJungle {
    jungle: Jungle,
    /// The same without annihilation, which is not for a part to decide.
    within_parts: Jungle,
    causality: Causality,
    /// Worked out when they are first asked for.
    lone: OnceLock<Lone>,
    cut: Cut,
}

/// Some of the pieces, and where they may go.
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
        PartedJungle {
            jungle: Jungle::new(rules),
            within_parts: Jungle::new(Rules { annihilation_wins: false, ..rules }),
            causality: Causality::new(&rules),
            lone: OnceLock::new(),
            cut,
        }
    }

    /// The game itself.
    pub fn jungle(&self) -> &Jungle {
        &self.jungle
    }

    pub(crate) fn causality(&self) -> &Causality {
        &self.causality
    }

    /// What is known of pieces that are on their own for a while.
    pub(crate) fn lone(&self) -> &Lone {
        self.lone.get_or_init(|| Lone::new(&self.causality))
    }

    fn part(&self, whole: &Position, pieces: Bitboard, territory: Bitboard) -> Part {
        let ours: Vec<_> = whole.pieces().filter(|(square, _)| pieces.contains(*square)).collect();
        let position = Position::from_pieces(ours, whole.turn());
        Part {
            position: position.expect("pieces of a position are one, if there are any"),
            territory,
            others: ByColor::from_fn(|color| whole.side(color).without(pieces).any()),
        }
    }
}

impl Game for PartedJungle {
    type Position = Position;
    type Move = Move;
    type Undo = ();

    fn side_to_move(&self, position: &Position) -> Side {
        self.jungle.side_to_move(position)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.jungle.outcome(position)
    }

    fn push_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        self.jungle.push_moves(position, moves);
    }

    #[inline]
    fn make(&self, position: &mut Position, mv: Move) {
        position.make(mv);
    }

    #[inline]
    fn unmake(&self, position: &mut Position, mv: Move, (): ()) {
        position.unmake(mv);
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn fresh_key(&self, position: &Position) -> u64 {
        position.fresh_key()
    }

    fn count_moves(&self, position: &Position) -> u64 {
        self.jungle.count_moves(position)
    }

    fn plies_between(&self, from: &Position, to: &Position) -> u32 {
        self.jungle.plies_between(from, to)
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
        match self.cut {
            Cut::Threshold(threshold) => {
                let split = threshold.split(&self.causality, position, depth);
                let parts = split.parts().iter();
                parts.map(|part| self.part(position, part.pieces, part.territory)).collect()
            }
            Cut::Independent(plies) => self.independent_parts(position, plies),
        }
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
            apart::independent_sets(&self.jungle, &self.causality, meetings, position, plies);
        sets.into_iter().map(|pieces| self.part(position, pieces, Bitboard::ALL)).collect()
    }

    fn stuck(&self, player: Side) -> Outcome {
        match self.jungle.rules().no_legal_move {
            NoLegalMove::Loss => Outcome::Win(!player),
            NoLegalMove::Draw => Outcome::Draw,
        }
    }
}
