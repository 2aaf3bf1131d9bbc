//! Generalised Jungle: the rules of the ordinary game on boards of any size.
//!
//! Who takes whom, who jumps and what the shore allows comes from [`Jungle`]; only the geometry is
//! new. A jump crosses any number of water squares in a straight line, as long as no rat swims
//! there, and ends on the first square beyond; a [`BoardRules`] may limit how wide a river it crosses.
//! Entering any den of the enemy wins. On the ordinary board it never matters whether a piece that stands
//! in an enemy trap may take, on others it does: [`Trapped`] is the choice.

use game::{Game, Outcome};
use jungle::board::{Axis, Terrain};
use jungle::rules::{Rules, Shore, Traps};
use jungle::{Animal, Color, Jungle, Piece};

use crate::board::Board;
use crate::geometry::{Direction, Geometry, Spot};

/// What a piece that stands in an enemy trap can take from there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trapped {
    /// What it could anywhere: the trap only makes it weak against others.
    #[default]
    Full,
    /// Only what is trapped itself: its strength is zero.
    Zero,
}

/// The rules of a generalised board: those of the ordinary game and what only larger boards ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardRules {
    /// The rules of the ordinary game.
    pub rules: Rules,
    /// The strength of a trapped piece.
    pub trapped: Trapped,
    /// The widest river that is jumped; none if any.
    pub leap: Option<usize>,
}

impl From<Rules> for BoardRules {
    fn from(rules: Rules) -> BoardRules {
        BoardRules { rules, trapped: Trapped::Full, leap: None }
    }
}

/// Jungle on generalised boards, under a given set of rules. Repetition and move limits are left to
/// the keeper of the game's record.
#[derive(Clone, Debug)]
pub struct GeneralisedJungle {
    jungle: Jungle,
    board_rules: BoardRules,
}

/// A move on a generalised board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardMove {
    /// Where the piece stood.
    pub from: Spot,
    /// Where it goes.
    pub to: Spot,
    /// What it takes there.
    pub captured: Option<Piece>,
}

impl BoardMove {
    /// The move as text, as in `a3b3`.
    pub fn name(&self, geometry: &Geometry) -> String {
        geometry.name(self.from) + &geometry.name(self.to)
    }
}

impl GeneralisedJungle {
    /// The game under these rules.
    pub fn new(rules: impl Into<BoardRules>) -> GeneralisedJungle {
        let board_rules = rules.into();
        GeneralisedJungle { jungle: Jungle::new(board_rules.rules), board_rules }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.jungle.rules()
    }

    /// Whether an animal jumps over water along the axis of this direction.
    pub fn jumps(&self, animal: Animal, direction: Direction) -> bool {
        let axis = match direction {
            Direction::North | Direction::South => Axis::Lengthwise,
            Direction::East | Direction::West => Axis::Sideways,
        };
        self.jungle.jumps(animal).allow(axis)
    }

    /// Whether a piece coming from one square may take another on the next.
    pub fn may_take(
        &self,
        geometry: &Geometry,
        attacker: Piece,
        from: Spot,
        victim: Piece,
        to: Spot,
    ) -> bool {
        if attacker.color == victim.color {
            return false;
        }
        let is_trapped = |piece: Piece, spot| match geometry.terrain(spot) {
            Terrain::Trap(owner) => owner != piece.color || self.rules().traps == Traps::Everybody,
            _ => false,
        };
        let trapped = is_trapped(victim, to);
        let weak = self.board_rules.trapped == Trapped::Zero && is_trapped(attacker, from);
        if weak && !trapped {
            return false;
        }
        let crossing_allowed = match self.rules().shore {
            Shore::Closed => false,
            Shore::Rats => victim.animal == Animal::Rat,
            Shore::NotElephant => victim.animal != Animal::Elephant,
            Shore::Open => true,
        };
        let across_the_shore = geometry.is_water(from) != geometry.is_water(to);
        (trapped || self.jungle.takes(attacker.animal).contains(victim.animal))
            && (!across_the_shore || crossing_allowed)
    }

    /// Where a piece gets to in a direction, if it can go that way at all: the next square, or the first
    /// beyond the water for one that jumps. `at` says what stands where.
    pub fn destination(
        &self,
        geometry: &Geometry,
        at: impl Fn(Spot) -> Option<Piece>,
        piece: Piece,
        from: Spot,
        direction: Direction,
    ) -> Option<Spot> {
        let mut to = geometry.next(from, direction)?;
        if geometry.is_water(to) && piece.animal != Animal::Rat {
            if !self.jumps(piece.animal, direction) {
                return None;
            }
            let mut width = 0;
            while geometry.is_water(to) {
                width += 1;
                if at(to).is_some() || self.board_rules.leap.is_some_and(|widest| width > widest) {
                    return None; // only rats swim, and any rat stops a jump
                }
                to = geometry.next(to, direction)?;
            }
        }
        (geometry.terrain(to) != Terrain::Den(piece.color)).then_some(to)
    }

    /// Calls `visit` with every square that the piece may move to, and what it takes there.
    pub fn moves_of(
        &self,
        geometry: &Geometry,
        at: impl Fn(Spot) -> Option<Piece>,
        piece: Piece,
        from: Spot,
        mut visit: impl FnMut(Spot, Option<Piece>),
    ) {
        for direction in Direction::ALL {
            let Some(to) = self.destination(geometry, &at, piece, from, direction) else {
                continue;
            };
            let victim = at(to);
            if victim.is_none_or(|victim| self.may_take(geometry, piece, from, victim, to)) {
                visit(to, victim);
            }
        }
    }

    /// Who has won by entering a den or taking everything.
    pub fn winner(&self, board: &Board) -> Option<Color> {
        let entered = board
            .pieces()
            .find(|&(spot, _)| matches!(board.geometry().terrain(spot), Terrain::Den(_)));
        if let Some((_, piece)) = entered {
            return Some(piece.color); // no piece enters its own den
        }
        let annihilation = |color: &Color| board.count(!*color) == 0;
        Color::ALL.into_iter().find(annihilation).filter(|_| self.rules().annihilation_wins)
    }
}

impl Game for GeneralisedJungle {
    type Position = Board;
    type Move = BoardMove;
    type Undo = ();

    fn side_to_move(&self, board: &Board) -> game::Side {
        board.turn().player()
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        if let Some(winner) = self.winner(board) {
            return Some(Outcome::Win(winner.player()));
        }
        let winner = || self.rules().no_legal_move.winner(board.turn());
        self.moves(board)
            .is_empty()
            .then(|| winner().map_or(Outcome::Draw, |color| Outcome::Win(color.player())))
    }

    fn push_moves(&self, board: &Board, moves: &mut Vec<BoardMove>) {
        if self.winner(board).is_some() {
            return;
        }
        for (from, piece) in board.pieces().filter(|(_, piece)| piece.color == board.turn()) {
            let at = |spot| board.at(spot);
            self.moves_of(board.geometry(), at, piece, from, |to, captured| {
                moves.push(BoardMove { from, to, captured });
            });
        }
    }

    fn make(&self, board: &mut Board, mv: BoardMove) {
        let piece = board.put(mv.from, None);
        board.put(mv.to, piece);
        board.set_turn(!board.turn());
    }

    fn unmake(&self, board: &mut Board, mv: BoardMove, (): ()) {
        board.set_turn(!board.turn());
        let piece = board.put(mv.to, mv.captured);
        board.put(mv.from, piece);
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
            assert_eq!(perft(&GeneralisedJungle::new(rules), &start, 4), leaves);
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
            let (jungle, generalised) = (Jungle::new(rules), GeneralisedJungle::new(rules));
            for _ in 0..60 {
                let mut position = Position::start();
                for _ in 0..120 {
                    let board = Board::ordinary(&position);
                    let geometry = board.geometry().clone();
                    let mut ours: Vec<String> =
                        generalised.moves(&board).iter().map(|mv| mv.name(&geometry)).collect();
                    let moves = jungle.moves(&position);
                    let mut theirs: Vec<String> = moves.iter().map(ToString::to_string).collect();
                    ours.sort();
                    theirs.sort();
                    assert_eq!(ours, theirs, "{position:?} under {text}");
                    assert_eq!(generalised.outcome(&board), jungle.outcome(&position));
                    for mv in generalised.moves(&board) {
                        let mut there_and_back = generalised.after(&board, mv);
                        generalised.unmake(&mut there_and_back, mv, ());
                        assert_eq!(there_and_back, board);
                    }
                    let Some(&mv) = rng.choose(&moves) else { break };
                    position = jungle.after(&position, mv);
                }
            }
        }
    }
}
