//! Mining: the same result from the same seed, also after an interruption.

use std::path::Path;
use std::sync::Arc;

use jungle::Rules;
use puzzles::mine::{Filter, MineError, Options, journal::JournalError, mine};
use puzzles::{Book, Tables, prove};
use tablebase::Tablebase;
use tablebase::build::{Wanted, in_memory};

fn options() -> Options {
    Options {
        rules: "standard".to_owned(),
        seed: 5,
        pieces: 2,
        samples: 200,
        enough: 4,
        games: 0,
        want: 4,
        every_level: false,
    }
}

fn run(
    tables: &Arc<Tablebase>,
    options: &Options,
    folder: &Path,
) -> Result<(Book, String), MineError> {
    let (book, report) = mine(options, Rules::STANDARD, tables, folder, &|_| ())?;
    Ok((book, report.to_string()))
}

#[test]
fn a_run_that_was_ended_goes_on_to_the_same_result() {
    let rules = Rules::STANDARD;
    let tables = Tablebase::new(&rules, 2, in_memory(&rules, &Wanted::Pieces(2)).unwrap());
    let tables = Arc::new(tables);
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let whole = run(&tables, &options(), one.path()).unwrap();
    assert!(!whole.0.puzzles().is_empty());
    for puzzle in whole.0.puzzles() {
        prove(puzzle, &mut Tables::new(Arc::clone(&tables))).unwrap();
    }
    for filter in Filter::ALL {
        assert!(whole.1.contains(filter.about()), "{}", whole.1);
    }

    // Ended in the middle of a line.
    let journal = std::fs::read(one.path().join("journal.jsonl")).unwrap();
    std::fs::write(other.path().join("journal.jsonl"), &journal[..journal.len() / 2]).unwrap();
    assert_eq!(run(&tables, &options(), other.path()).unwrap(), whole);

    // Another seed does not go into the same journal.
    let error = run(&tables, &Options { seed: 6, ..options() }, other.path()).unwrap_err();
    assert!(matches!(error, MineError::Journal(JournalError::Other { .. })), "{error}");
    std::fs::write(other.path().join("journal.jsonl"), "nonsense\n").unwrap();
    let error = run(&tables, &options(), other.path()).unwrap_err();
    assert!(matches!(error, MineError::Journal(JournalError::Damaged { line: 1, .. })), "{error}");
}
