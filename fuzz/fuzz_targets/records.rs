//! Records of matches: whatever a line holds, it is a game that can be written and read again, or an error.
#![no_main]

use jungle::{Jungle, Rules};
use lab::record::RecordedGame;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    let jungle = Jungle::new(Rules::STANDARD);
    let Ok(game) = RecordedGame::read(line, &jungle) else { return };
    let written = serde_json::to_vec(&game).expect("a game is JSON");
    let again = RecordedGame::read(&written, &jungle).expect("what is written is read");
    assert_eq!(serde_json::to_vec(&again).expect("a game is JSON"), written);
    let _ = (again.result(), again.positions(), again.finished());
});
