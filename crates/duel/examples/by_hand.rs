//! Plays the first moves of a duel, and shows what is kept of it.

use duel::{Action, Duel, Key, Opening, Terms, View};
use jungle::Color;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (host, guest) = (Key::from_bytes([1; 16]), Key::from_bytes([2; 16]));
    let mut duel = Duel::open(Opening::invite(&host, Terms::default(), Color::White, 0));
    let mut log = duel.record(duel.join(&host.invitation(), &guest)?, 1_000)?;
    for (side, mv) in [(Color::White, "a3a4"), (Color::Black, "a7a6")] {
        let events = duel.decide(side, &Action::moving(duel.version(), mv), 2_000)?;
        log.extend(duel.record(events, 2_000)?);
    }
    let texts: Result<Vec<_>, _> =
        log.iter().map(|entry| serde_json::to_string(&entry.event)).collect();
    assert_eq!(texts?.len(), 3);
    assert_eq!(View::of(&duel, None, None, 3_000).moves, ["a3a4", "a7a6"]);
    Ok(())
}
