//! The pieces that are not of the part, for the search: where they can be, and when.

use jungle::board::{self, DEN, WATER};
use jungle::causality::Movement;
use jungle::rules::NoLegalMove;
use jungle::{Animal, AnimalSet, Bitboard, Color, Jungle, Piece, Position, Square};

/// The rest of a position, from the view of the winner.
pub(super) struct Rest {
    winner: Color,
    /// What is far, with where it can be after so many of the enemy's moves.
    far: Vec<(Animal, Vec<Bitboard>)>,
    /// The winner's pieces that stand still.
    pub still: Bitboard,
    /// Those of them that are rats.
    still_rats: Bitboard,
    /// The two squares of the spare piece.
    pub spare: Option<[Square; 2]>,
    /// What the winner's animals take.
    prey: [AnimalSet; Animal::COUNT],
    /// Who takes the winner's animals.
    takers: [AnimalSet; Animal::COUNT],
    weak: Bitboard,
    /// Whether it does no harm to take far pieces.
    may_take: bool,
    pub stuck_draws: bool,
}

impl Rest {
    pub fn new(
        jungle: &Jungle,
        whole: &Position,
        winner: Color,
        part: Bitboard,
        spare: Option<[Square; 2]>,
        most_moves: usize,
    ) -> Rest {
        let rules = jungle.rules();
        let cone = |piece: Piece, square: Square| {
            let movement = Movement::of(piece.animal, rules);
            let mut reach = vec![square.bitboard()];
            for _ in 0..most_moves {
                let here = reach[reach.len() - 1];
                reach.push(here | movement.advance(here));
            }
            (piece.animal, reach)
        };
        let rest = whole.pieces().filter(|(square, _)| !part.contains(*square));
        let far = rest.filter(|(_, piece)| piece.color != winner);
        let still = whole.side(winner).without(part);
        let takers = Animal::ALL.map(|victim| {
            Animal::ALL.into_iter().filter(|one| jungle.takes(*one).contains(victim)).collect()
        });
        Rest {
            winner,
            far: far.map(|(square, piece)| cone(piece, square)).collect(),
            still,
            still_rats: still & whole.animal(Animal::Rat),
            spare,
            prey: Animal::ALL.map(|animal| jungle.takes(animal)),
            takers,
            weak: jungle.weak_squares(winner),
            may_take: rules.annihilation_wins || rules.no_legal_move == NoLegalMove::Loss,
            stuck_draws: rules.no_legal_move == NoLegalMove::Draw,
        }
    }

    /// Whether the enemy has far pieces.
    pub fn is_far(&self) -> bool {
        !self.far.is_empty()
    }

    /// Where some far piece can be after so many of the enemy's moves.
    pub fn reached(&self, moves: usize) -> Bitboard {
        self.far.iter().fold(Bitboard::EMPTY, |all, (_, reach)| all | reach[moves])
    }

    /// Whether a far piece can be in the winner's den with the enemy's move of this number.
    pub fn enters(&self, moves: usize) -> bool {
        let beside = DEN[self.winner].bitboard().neighbours();
        moves > 0 && self.reached(moves - 1).intersects(beside)
    }

    /// Whether the winner's piece can certainly go there after so many moves of the enemy.
    pub fn lets_pass(&self, animal: Animal, from: Square, to: Square, moves: usize) -> bool {
        let kept = self.still | self.spare_squares();
        if kept.contains(to) {
            return false;
        }
        let over = jumped(from, to);
        let blocked = self.far.iter().any(|(far, reach)| {
            let reach = reach[moves];
            let taken = self.may_take
                && animal != Animal::Rat
                && *far != Animal::Rat
                && self.prey[animal.index()].contains(*far);
            reach.contains(to) && !taken || *far == Animal::Rat && reach.intersects(over)
        });
        !blocked && !self.still_rats.intersects(over)
    }

    /// Whether no far piece can take one of the part with the enemy's move of this number.
    pub fn spares(&self, position: &Position, moves: usize) -> bool {
        let mut ours = position.pieces().filter(|(_, piece)| piece.color == self.winner);
        ours.all(|(square, piece)| {
            self.far.iter().all(|(far, reach)| {
                let harmless = *far != Animal::Rat
                    && piece.animal != Animal::Rat
                    && !self.takers[piece.animal.index()].contains(*far)
                    && !self.weak.contains(square);
                harmless || !reach[moves].contains(square)
            })
        })
    }

    /// The squares of the spare piece.
    pub fn spare_squares(&self) -> Bitboard {
        self.spare.map_or(Bitboard::EMPTY, |squares| squares[0] | squares[1])
    }

    /// Whether a move of the enemy in the part is there whatever the rest does.
    pub fn leaves(&self, from: Square, to: Square, moves: usize) -> bool {
        let near = self.reached(moves) | self.still | self.spare_squares();
        !near.contains(to) && jumped(from, to).is_empty()
    }
}

/// The water between two squares that are not neighbours.
fn jumped(from: Square, to: Square) -> Bitboard {
    let jump = board::jumps(from).iter().find(|jump| jump.to == to);
    jump.map_or(Bitboard::EMPTY, |jump| jump.over & WATER)
}
