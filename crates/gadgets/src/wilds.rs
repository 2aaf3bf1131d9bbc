//! The rules on generalised boards: the same as on the ordinary one.
//!
//! Who takes whom, who jumps and what the shore allows comes from [`Jungle`]; only the geography is
//! new. A jump crosses any number of water squares in a straight line, as long as no rat swims
//! there, and ends on the first square beyond. Entering any den of the enemy wins. A piece that
//! stands in an enemy trap still attacks with its full strength, as on the ordinary board, where it
//! never matters.

use game::{Game, Outcome};
use jungle::board::{Axis, Terrain};
use jungle::rules::{NoLegalMove, Rules, Shore, Traps};
use jungle::{Animal, Color, Jungle, Piece};

use crate::board::Board;
use crate::ground::{Ground, Side, Spot};

/// The game on generalised boards under a given set of rules. Repetition and move limits are left to
/// whoever keeps the record of a game.
#[derive(Clone, Debug)]
pub struct Wilds {
    jungle: Jungle,
}

/// A move on a generalised board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where the piece stood.
    pub from: Spot,
    /// Where it goes.
    pub to: Spot,
    /// What it takes there.
    pub captured: Option<Piece>,
}

impl Step {
    /// The move as text, as in `a3b3`.
    pub fn name(&self, ground: &Ground) -> String {
        ground.name(self.from) + &ground.name(self.to)
    }
}

impl Wilds {
    /// The game under these rules.
    pub fn new(rules: Rules) -> Wilds {
        Wilds { jungle: Jungle::new(rules) }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.jungle.rules()
    }

    /// Whether an animal jumps over water along the axis of this side.
    pub fn jumps(&self, animal: Animal, side: Side) -> bool {
        let axis = match side {
            Side::North | Side::South => Axis::Lengthwise,
            Side::East | Side::West => Axis::Sideways,
        };
        self.jungle.jumps(animal).allow(axis)
    }

    /// Whether a piece coming from one square may take another on the next.
    pub fn may_take(
        &self,
        ground: &Ground,
        attacker: Piece,
        from: Spot,
        victim: Piece,
        to: Spot,
    ) -> bool {
        if attacker.color == victim.color {
            return false;
        }
        let trapped = match ground.terrain(to) {
            Terrain::Trap(owner) => owner != victim.color || self.rules().traps == Traps::Everybody,
            _ => false,
        };
        let crossing_allowed = match self.rules().shore {
            Shore::Closed => false,
            Shore::Rats => victim.animal == Animal::Rat,
            Shore::NotElephant => victim.animal != Animal::Elephant,
            Shore::Open => true,
        };
        let across_the_shore = ground.is_water(from) != ground.is_water(to);
        (trapped || self.jungle.takes(attacker.animal).contains(victim.animal))
            && (!across_the_shore || crossing_allowed)
    }

    /// Where a piece gets to on a side, if it can go that way at all: the next square, or the first
    /// beyond the water for one that jumps. `at` says what stands where.
    pub fn destination(
        &self,
        ground: &Ground,
        at: impl Fn(Spot) -> Option<Piece>,
        piece: Piece,
        from: Spot,
        side: Side,
    ) -> Option<Spot> {
        let mut to = ground.next(from, side)?;
        if ground.is_water(to) && piece.animal != Animal::Rat {
            if !self.jumps(piece.animal, side) {
                return None;
            }
            while ground.is_water(to) {
                if at(to).is_some() {
                    return None; // only rats swim, and any rat stops a jump
                }
                to = ground.next(to, side)?;
            }
        }
        (ground.terrain(to) != Terrain::Den(piece.color)).then_some(to)
    }

    /// Calls `visit` with every square that the piece may move to, and what it takes there.
    pub fn moves_of(
        &self,
        ground: &Ground,
        at: impl Fn(Spot) -> Option<Piece>,
        piece: Piece,
        from: Spot,
        mut visit: impl FnMut(Spot, Option<Piece>),
    ) {
        for side in Side::ALL {
            let Some(to) = self.destination(ground, &at, piece, from, side) else { continue };
            let victim = at(to);
            if victim.is_none_or(|victim| self.may_take(ground, piece, from, victim, to)) {
                visit(to, victim);
            }
        }
    }

    /// Who has won by entering a den or taking everything.
    pub fn winner(&self, board: &Board) -> Option<Color> {
        let entered = board
            .pieces()
            .find(|&(spot, _)| matches!(board.ground().terrain(spot), Terrain::Den(_)));
        if let Some((_, piece)) = entered {
            return Some(piece.color); // nobody enters their own
        }
        let annihilation = |color: &Color| board.count(!*color) == 0;
        Color::ALL.into_iter().find(annihilation).filter(|_| self.rules().annihilation_wins)
    }
}

impl Game for Wilds {
    type Position = Board;
    type Move = Step;
    type Undo = ();

    fn side_to_move(&self, board: &Board) -> game::Side {
        board.turn().player()
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        if let Some(winner) = self.winner(board) {
            return Some(Outcome::Win(winner.player()));
        }
        self.moves(board).is_empty().then(|| match self.rules().no_legal_move {
            NoLegalMove::Loss => Outcome::Win((!board.turn()).player()),
            NoLegalMove::Draw => Outcome::Draw,
        })
    }

    fn push_moves(&self, board: &Board, moves: &mut Vec<Step>) {
        if self.winner(board).is_some() {
            return;
        }
        for (from, piece) in board.pieces().filter(|(_, piece)| piece.color == board.turn()) {
            let at = |spot| board.at(spot);
            self.moves_of(board.ground(), at, piece, from, |to, captured| {
                moves.push(Step { from, to, captured });
            });
        }
    }

    fn make(&self, board: &mut Board, step: Step) {
        let piece = board.put(step.from, None);
        board.put(step.to, piece);
        board.set_turn(!board.turn());
    }

    fn unmake(&self, board: &mut Board, step: Step, (): ()) {
        board.set_turn(!board.turn());
        let piece = board.put(step.to, step.captured);
        board.put(step.from, piece);
    }

    fn key(&self, board: &Board) -> u64 {
        self.fresh_key(board)
    }

    fn fresh_key(&self, board: &Board) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        board.hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use game::perft::perft;
    use game::rng::Rng;
    use jungle::Position;

    use super::*;

    #[test]
    fn perft_of_the_ordinary_start_is_the_ordinary_one() {
        let start = Board::ordinary(&Position::start());
        for (rules, leaves) in [(Rules::LEIDEN, 260_100), (Rules::STANDARD, 260_099)] {
            assert_eq!(perft(&Wilds::new(rules), &start, 4), leaves);
        }
    }

    /// Random games, compared with the ordinary generator at every move, under the presets and some
    /// house rules.
    #[test]
    fn random_games_offer_the_ordinary_moves() {
        let texts = [
            "standard",
            "leiden",
            "tufts",
            "standard,shore=open,traps=everybody,panther-jumps=sideways,tiger-jumps=lengthwise",
            "leiden,shore=not-elephant,annihilation-wins=no,no-legal-move=loss",
        ];
        let mut rng = Rng::new(7);
        for text in texts {
            let rules: Rules = text.parse().unwrap();
            let (jungle, wilds) = (Jungle::new(rules), Wilds::new(rules));
            for _ in 0..60 {
                let mut position = Position::start();
                for _ in 0..120 {
                    let board = Board::ordinary(&position);
                    let ground = board.ground().clone();
                    let mut ours: Vec<String> =
                        wilds.moves(&board).iter().map(|step| step.name(&ground)).collect();
                    let moves = jungle.moves(&position);
                    let mut theirs: Vec<String> = moves.iter().map(ToString::to_string).collect();
                    ours.sort();
                    theirs.sort();
                    assert_eq!(ours, theirs, "{position:?} under {text}");
                    assert_eq!(wilds.outcome(&board), jungle.outcome(&position));
                    for step in wilds.moves(&board) {
                        let mut there_and_back = wilds.after(&board, step);
                        wilds.unmake(&mut there_and_back, step, ());
                        assert_eq!(there_and_back, board);
                    }
                    let Some(&mv) = rng.choose(&moves) else { break };
                    position = jungle.after(&position, mv);
                }
            }
        }
    }
}
