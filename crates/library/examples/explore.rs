//! Keeps three games and asks what was played at the start.

use jungle::Position;
use library::{Filter, Import, Located, Memory, Source, Store, import};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "1. Ea4 Ra6 1-0\n\n1. Ea4 Eg6 *\n\n1. Rf3 Rb7 0-1\n";
    let store = Memory::default();
    let report = import(&store, text.as_bytes(), &Import::new(Source::Imported), &mut |_| {})?;
    assert_eq!(report.added, 3);
    let start = Located::of(&Position::start());
    let explored = store.explore(start.key(), &Filter::default())?;
    for (edge, tally) in &explored.moves {
        let (from, to) = start.restore(*edge);
        assert!(tally.games() > 0);
        let _ = format!("{from}{to}: {} games, {} won by Red", tally.games(), tally.white);
    }
    assert_eq!(explored.total.games(), 3);
    Ok(())
}
