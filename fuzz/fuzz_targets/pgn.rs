//! PGN: whatever comes in, every game that is read is written as text that reads as the same game
//! and is written the same again.
#![no_main]

use jungle::pgn::{self, GameRecord};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for game in pgn::read(text) {
        match game {
            Ok(game) => {
                let written = game.to_string();
                let again: Result<GameRecord, _> = written.parse();
                assert_eq!(again.as_ref(), Ok(&game), "{written}");
                assert_eq!(again.map(|game| game.to_string()), Ok(written));
                if let Ok(play) = game.play() {
                    let main_line = game.line.moves.iter().map(|node| node.mv);
                    assert!(main_line.eq(play.moves().iter().copied()));
                }
            }
            Err(error) => {
                assert!(error.line <= 1 + text.matches('\n').count());
                assert!(!error.to_string().is_empty());
            }
        }
    }
});
