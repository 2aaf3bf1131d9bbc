//! Openings of self-play: random moves from the start, from fewer pieces, or from random placements.
//!
//! The engine has to judge endings and odd material too, which it seldom reaches from the start of the game. So five games
//! in eight begin with all pieces at home, two with some taken off, and one with random pieces on random squares. In
//! half of them wolf and dog are exchanged, since other rules have the other one as the stronger. What a short search calls
//! decided or lopsided teaches little, and another opening is tried.

use engine::{Control, Engine};
use game::limits::Limits;
use game::rng::Rng;
use jungle::board::{DENS, TRAPS, WATER};
use jungle::{Animal, Color, Jungle, Piece, Play, Position, Setup, Square};

/// Nodes of the search that judges an opening.
const NODES: u64 = 300;
/// How far from even an opening may be with all pieces, and with fewer.
const LOPSIDED: [i32; 2] = [120, 350];

/// A game in which a few random moves were made.
pub(crate) fn opening(jungle: &Jungle, rng: &mut Rng, engine: &mut Engine) -> Play {
    let kind = rng.below(8);
    loop {
        let (mut setup, most) = match kind {
            0..5 => (Setup::from(&Position::start()), LOPSIDED[0]),
            5 | 6 => (fewer_pieces(rng), LOPSIDED[1]),
            _ => (random_placement(rng), LOPSIDED[1]),
        };
        if rng.below(2) == 0 {
            exchange_wolf_and_dog(&mut setup);
        }
        let Ok(mut play) = Play::new(jungle.clone(), &setup) else { continue };
        for _ in 0..6 + rng.below(12) {
            if let Some(&mv) = rng.choose(&play.legal_moves()) {
                // A legal move can be made.
                let _ = play.play(mv);
            }
        }
        if play.ending().is_some() {
            continue;
        }
        engine.new_game();
        let judged = engine.think(&play, Limits::nodes(NODES), &Control::new(false), &mut |_| ());
        let score = judged.score();
        if !score.is_decided() && score.value().abs() <= most {
            return play;
        }
    }
}

/// The start with up to six pieces of each side taken off.
fn fewer_pieces(rng: &mut Rng) -> Setup {
    let mut setup = Setup::from(&Position::start());
    for color in Color::ALL {
        let mut homes: Vec<usize> = Square::ALL
            .into_iter()
            .map(Square::index)
            .filter(|&at| setup.board[at].is_some_and(|piece| piece.color == color))
            .collect();
        for _ in 0..rng.below(7) {
            let at = homes.swap_remove(rng.below(homes.len()));
            setup.board[at] = None;
        }
    }
    setup
}

/// One to eight pieces of each side anywhere but in dens and the enemy's traps.
fn random_placement(rng: &mut Rng) -> Setup {
    let mut setup = Setup::empty();
    for color in Color::ALL {
        let mut animals = Animal::ALL.to_vec();
        for _ in 0..1 + rng.below(Animal::COUNT) {
            let animal = animals.swap_remove(rng.below(animals.len()));
            let taken = |square: Square| setup.board[square.index()].is_some();
            let free: Vec<Square> = Square::ALL
                .into_iter()
                .filter(|&square| !taken(square) && !DENS.contains(square))
                .filter(|&square| !TRAPS[!color].contains(square))
                .filter(|&square| animal == Animal::Rat || !WATER.contains(square))
                .collect();
            if let Some(&square) = rng.choose(&free) {
                setup.board[square.index()] = Some(Piece { color, animal });
            }
        }
    }
    setup.turn = if rng.below(2) == 0 { Color::White } else { Color::Black };
    setup
}

fn exchange_wolf_and_dog(setup: &mut Setup) {
    for piece in setup.board.iter_mut().flatten() {
        piece.animal = match piece.animal {
            Animal::Wolf => Animal::Dog,
            Animal::Dog => Animal::Wolf,
            other => other,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jungle::Rules;

    #[test]
    fn openings_differ_in_material() {
        let jungle = Jungle::new(Rules::STANDARD);
        let mut rng = Rng::new(5);
        let mut counts = [0_u32; 17];
        let mut engine = crate::SelfPlay::new(Rules::STANDARD, 1).engine().unwrap();
        for _ in 0..200 {
            let play = opening(&jungle, &mut rng, &mut engine);
            assert!(play.ending().is_none());
            counts[play.position().occupied().len() as usize] += 1;
        }
        assert!(counts[12..].iter().sum::<u32>() > 100, "{counts:?}");
        assert!(counts[2..10].iter().sum::<u32>() > 20, "{counts:?}");
    }
}
