//! FEN: what parses prints as six fields and parses back, and a possible board survives the trip
//! through a position.
#![no_main]

use jungle::{Position, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(setup) = text.parse::<Setup>() else {
        return;
    };
    assert_eq!(setup.to_string().parse(), Ok(setup.clone()));
    if let Ok(position) = setup.position() {
        assert_eq!(position.to_string().parse(), Ok(position.clone()));
        assert_eq!(position.mirror().mirror(), position);
        assert_eq!(position.flip().flip(), position);
        assert_eq!(text.parse::<Position>(), Ok(position));
    }
});
