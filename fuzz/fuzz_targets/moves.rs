//! Moves: the first line is a FEN, the second rules, each further line a move. A move that is read
//! is legal, and reads back from either notation; what is refused is refused with words.
#![no_main]

use jungle::{Jungle, Notation, Play, Rules, Setup, parse_move};
use libfuzzer_sys::fuzz_target;

const NOTATIONS: [Notation; 3] = [
    Notation::Coordinates,
    Notation::Algebraic { marks: false },
    Notation::Algebraic { marks: true },
];

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Ok(setup) = lines.next().unwrap_or_default().parse::<Setup>() else {
        return;
    };
    let Ok(rules) = lines.next().unwrap_or_default().parse::<Rules>() else {
        return;
    };
    let Ok(mut play) = Play::new(Jungle::new(rules), &setup) else {
        return;
    };
    for line in lines {
        let (jungle, position) = (play.jungle(), play.position());
        let mv = match parse_move(jungle, position, line) {
            Ok(mv) => mv,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                continue;
            }
        };
        assert!(game::Game::moves(jungle, position).contains(&mv));
        for notation in NOTATIONS {
            let written = notation.write(jungle, position, mv);
            assert_eq!(parse_move(jungle, position, &written), Ok(mv));
        }
        let listed = play.legal_moves().contains(&mv);
        assert_eq!(play.ending().is_some(), play.legal_moves().is_empty());
        let before = play.setup();
        assert_eq!(play.play(mv).is_ok(), listed);
        if listed {
            assert_eq!(play.undo(), Some(mv));
            assert_eq!(play.setup(), before);
            assert_eq!(play.play(mv), Ok(()));
        }
    }
});
