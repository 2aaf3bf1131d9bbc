//! The reference move generator: slow and simple, the oracle of the fast one.
//!
//! A board of 63 cells, four directions, and one function that says whether a piece may take
//! another. It shares the board's geometry ([`board::terrain`]) and the [`Rules`] value with the
//! fast code and nothing else: no bitboards, no compiled tables. Tests compare the two everywhere.

use game::{Game, Outcome, Side};

use crate::board::{self, Axis, Terrain};
use crate::rules::{Jumps, NoLegalMove, Rules, Shore, Traps, WolfOrDog};
use crate::{Animal, Color, Move, Piece, Position, Setup, Square};

/// The game under a given set of rules, slowly.
#[derive(Clone, Debug)]
pub struct Naive {
    /// The rules in force.
    pub rules: Rules,
}

/// A board of cells and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [Option<Piece>; Square::COUNT],
    turn: Color,
}

impl From<&Position> for Board {
    fn from(position: &Position) -> Board {
        let setup = Setup::from(position);
        Board { cells: setup.board, turn: setup.turn }
    }
}

impl Board {
    fn at(&self, square: Square) -> Option<Piece> {
        self.cells[square.index()]
    }

    fn pieces(&self, color: Color) -> usize {
        self.cells.iter().flatten().filter(|piece| piece.color == color).count()
    }
}

/// Right, left, up, down.
const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

impl Naive {
    fn strength(&self, animal: Animal) -> u32 {
        match animal {
            Animal::Rat => 1,
            Animal::Cat => 2,
            Animal::Wolf => {
                if self.rules.weaker == WolfOrDog::Wolf {
                    3
                } else {
                    4
                }
            }
            Animal::Dog => {
                if self.rules.weaker == WolfOrDog::Wolf {
                    4
                } else {
                    3
                }
            }
            Animal::Panther => 5,
            Animal::Tiger => 6,
            Animal::Lion => 7,
            Animal::Elephant => 8,
        }
    }

    fn jumps(&self, animal: Animal) -> Jumps {
        match animal {
            Animal::Panther => self.rules.panther_jumps,
            Animal::Tiger => self.rules.tiger_jumps,
            Animal::Lion => self.rules.lion_jumps,
            _ => Jumps::None,
        }
    }

    /// Whether a piece on `from` may take another on `to`, if it can get there.
    fn may_take(&self, attacker: Piece, from: Square, victim: Piece, to: Square) -> bool {
        if attacker.color == victim.color {
            return false;
        }
        let trapped = match board::terrain(to) {
            Terrain::Trap(owner) => owner != victim.color || self.rules.traps == Traps::Everybody,
            _ => false,
        };
        let stronger = match (attacker.animal, victim.animal) {
            (Animal::Rat, Animal::Elephant) => true,
            (Animal::Elephant, Animal::Rat) => self.rules.elephant_takes_rat,
            (attacker, victim) => self.strength(attacker) >= self.strength(victim),
        };
        // Jumpers cross water too, but they do not fight across the shore: both ends are land.
        let swims = |square| board::terrain(square) == Terrain::Water;
        let across_the_shore = swims(from) != swims(to);
        let crossing_allowed = match self.rules.shore {
            Shore::Closed => false,
            Shore::Rats => victim.animal == Animal::Rat,
            Shore::NotElephant => victim.animal != Animal::Elephant,
            Shore::Open => true,
        };
        (trapped || stronger) && (!across_the_shore || crossing_allowed)
    }

    /// Calls `visit` for every legal move.
    fn for_each_move(&self, board: &Board, mut visit: impl FnMut(Move)) {
        if self.winner(board).is_some() {
            return;
        }
        for from in Square::ALL {
            let Some(piece) = board.at(from) else {
                continue;
            };
            if piece.color != board.turn {
                continue;
            }
            for direction in DIRECTIONS {
                let Some(to) = self.destination(board, piece, from, direction) else {
                    continue;
                };
                let captured = board.at(to);
                if captured.is_none_or(|victim| self.may_take(piece, from, victim, to)) {
                    let captured = captured.map(|victim| victim.animal);
                    visit(Move { animal: piece.animal, from, to, captured });
                }
            }
        }
    }

    /// Where a piece gets to in a direction, if it can go that way at all.
    fn destination(
        &self,
        board: &Board,
        piece: Piece,
        from: Square,
        (files, ranks): (i8, i8),
    ) -> Option<Square> {
        let mut to = from.offset(files, ranks)?;
        if board::terrain(to) == Terrain::Water && piece.animal != Animal::Rat {
            let axis = if files == 0 { Axis::Lengthwise } else { Axis::Sideways };
            if !self.jumps(piece.animal).allow(axis) {
                return None;
            }
            while board::terrain(to) == Terrain::Water {
                if board.at(to).is_some() {
                    return None; // only rats swim, and any rat stops a jump
                }
                to = to.offset(files, ranks)?;
            }
        }
        (board::terrain(to) != Terrain::Den(piece.color)).then_some(to)
    }

    /// Who has won by entering a den or taking everything.
    fn winner(&self, board: &Board) -> Option<Color> {
        for color in Color::ALL {
            let den = if color == Color::White { Square::D9 } else { Square::D1 };
            let entered = board.at(den).is_some_and(|piece| piece.color == color);
            if entered || (self.rules.annihilation_wins && board.pieces(!color) == 0) {
                return Some(color);
            }
        }
        None
    }
}

impl Game for Naive {
    type Position = Board;
    type Move = Move;
    type Undo = ();

    fn side_to_move(&self, board: &Board) -> Side {
        board.turn.player()
    }

    fn outcome(&self, board: &Board) -> Option<Outcome> {
        let won = |color: Color| Outcome::Win(color.player());
        if let Some(winner) = self.winner(board) {
            return Some(won(winner));
        }
        (self.count_moves(board) == 0).then(|| match self.rules.no_legal_move {
            NoLegalMove::Loss => won(!board.turn),
            NoLegalMove::Draw => Outcome::Draw,
        })
    }

    fn push_moves(&self, board: &Board, moves: &mut Vec<Move>) {
        self.for_each_move(board, |mv| moves.push(mv));
    }

    fn count_moves(&self, board: &Board) -> u64 {
        let mut count = 0;
        self.for_each_move(board, |_| count += 1);
        count
    }

    fn make(&self, board: &mut Board, mv: Move) {
        board.cells[mv.to.index()] = board.cells[mv.from.index()].take();
        board.turn = !board.turn;
    }

    fn unmake(&self, board: &mut Board, mv: Move, (): ()) {
        board.turn = !board.turn;
        board.cells[mv.from.index()] = board.cells[mv.to.index()].take();
        let captured = mv.captured.map(|animal| Piece { color: !board.turn, animal });
        board.cells[mv.to.index()] = captured;
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
