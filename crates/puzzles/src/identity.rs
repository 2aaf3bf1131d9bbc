//! Which positions are the same game: mirror images, colours exchanged, animals renamed.
//!
//! Only who takes whom, who swims and who jumps matters, not an animal's name (material isomorphism). The pieces of a position
//! are told apart by their squares, so no names are needed: seen by the side to move and from either wing, a position is a
//! list of squares, with what stands there described by what it can do. The lesser of the two lists is the identity.

use jungle::rules::Jumps;
use jungle::{Animal, Color, Jungle, Move, Piece, Position, Square};

/// What a position is, up to mirror image, colours and names of animals.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity(Vec<u8>);

impl Identity {
    /// The identity of a position.
    pub fn of(jungle: &Jungle, position: &Position) -> Identity {
        let turned =
            if position.turn() == Color::White { position.clone() } else { position.flip() };
        let identity = describe(jungle, &turned).min(describe(jungle, &turned.mirror()));
        Identity(identity)
    }

    /// Whether a position has to be mirrored to be described as its identity is.
    fn is_mirrored(jungle: &Jungle, position: &Position) -> bool {
        let turned =
            if position.turn() == Color::White { position.clone() } else { position.flip() };
        describe(jungle, &turned.mirror()) < describe(jungle, &turned)
    }

    /// A short name: ten letters and digits, the same on every machine.
    pub fn name(&self) -> String {
        const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        // FNV-1a: no collision matters here that a book would not notice, which it checks.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for &byte in &self.0 {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let hash = game::rng::mix(hash);
        (0..10).map(|at| char::from(LETTERS[(hash >> (5 * at) & 31) as usize])).collect()
    }

    /// The shape of a solution: who goes which way, wherever it is on the board.
    pub fn shape(jungle: &Jungle, start: &Position, solution: &[Move]) -> Vec<i8> {
        let mirrored = Identity::is_mirrored(jungle, start);
        let flipped = start.turn() == Color::Black;
        let place = |square: Square| {
            let square = if flipped { square.rotate() } else { square };
            let square = if mirrored { square.mirror() } else { square };
            (square.file() as i8, square.rank() as i8)
        };
        let mut shape = Vec::new();
        for mv in solution {
            let (from, to) = (place(mv.from), place(mv.to));
            shape.extend([to.0 - from.0, to.1 - from.1, i8::from(mv.is_capture())]);
        }
        shape
    }
}

fn movement(jungle: &Jungle, animal: Animal) -> u8 {
    let jumps = match jungle.jumps(animal) {
        Jumps::None => 0,
        Jumps::Lengthwise => 1,
        Jumps::Sideways => 2,
        Jumps::Both => 3,
    };
    jumps | u8::from(animal == Animal::Rat) << 2
}

/// Who takes whom of two enemies, from land and from the water.
fn relation(jungle: &Jungle, one: Piece, other: Piece) -> u8 {
    let takes = |attacker: Animal, victim: Animal| {
        u8::from(jungle.takes(attacker).contains(victim))
            | u8::from(attacker == Animal::Rat && jungle.emerging_rat_takes().contains(victim)) << 1
    };
    takes(one.animal, other.animal) | takes(other.animal, one.animal) << 2
}

/// A position with White to move: its pieces by square, and for each what it does.
fn describe(jungle: &Jungle, position: &Position) -> Vec<u8> {
    let mut pieces: Vec<(Square, Piece)> = position.pieces().collect();
    pieces.sort_unstable_by_key(|(square, piece)| (piece.color == Color::Black, square.index()));
    let mut described = Vec::with_capacity(pieces.len() * (pieces.len() + 2));
    for (square, piece) in &pieces {
        described.push(square.index() as u8 | u8::from(piece.color == Color::Black) << 7);
        described.push(movement(jungle, piece.animal));
    }
    for (_, white) in pieces.iter().filter(|(_, piece)| piece.color == Color::White) {
        for (_, black) in pieces.iter().filter(|(_, piece)| piece.color == Color::Black) {
            described.push(relation(jungle, *white, *black));
        }
    }
    described
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;

    fn of(fen: &str) -> Identity {
        Identity::of(&Jungle::new(Rules::STANDARD), &fen.parse().unwrap())
    }

    #[test]
    fn the_same_game_has_the_same_identity() {
        let one = of("7/7/2d4/7/7/7/3C3/7/7 w");
        assert_eq!(one, of("7/7/4d2/7/7/7/3C3/7/7 w"), "mirrored");
        assert_eq!(one, of("7/7/2p4/7/7/7/3W3/7/7 w"), "renamed");
        assert_eq!(one, of("7/7/3c3/7/7/7/4D2/7/7 b"), "colours exchanged");
        assert_eq!(one.name(), of("7/7/3c3/7/7/7/2P4/7/7 b").name());
    }

    #[test]
    fn other_games_have_others() {
        let one = of("7/7/2d4/7/7/7/3C3/7/7 w");
        for other in [
            "7/7/2d4/7/7/7/3C3/7/7 b",
            "7/7/2d4/7/7/7/3D3/7/7 w",
            "7/7/2l4/7/7/7/3C3/7/7 w",
            "7/7/2d4/7/7/7/3R3/7/7 w",
            "7/7/2d4/7/7/7/2C4/7/7 w",
            "7/7/2d4/7/7/7/3C2R/7/7 w",
        ] {
            assert_ne!(one, of(other), "{other}");
            assert_ne!(one.name(), of(other).name(), "{other}");
        }
    }
}
