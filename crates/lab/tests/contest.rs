//! Whole contests: the same games whatever the threads, kills and divisions.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use jungle::{EndReason, Rules};
use lab::contest::{Contest, ContestError, ContestResult, Silent};
use lab::record::{Archive, Document, Provenance, RecordError, Store};
use lab::referee::End;
use lab::schedule::Shard;
use lab::standing::Scoreboard;
use lab::{Openings, Settings, Spec, TimeControl};
use tablebase::Tablebase;
use tablebase::build::{Options, Wanted, build};
use tablebase::storage::Folder;

fn settings(games: u64) -> Settings {
    let players: Vec<Spec> = vec!["sparring".parse().unwrap(), "greedy".parse().unwrap()];
    Settings { games, ..Settings::new(players, TimeControl::Nodes(300)) }
}

fn contest(games: u64) -> Contest {
    Contest::new(settings(games)).unwrap()
}

fn recorded(games: u64, folder: &Path, resume: bool) -> Result<ContestResult, ContestError> {
    contest(games).recorded_in(folder.to_owned(), resume, Provenance::default()).run(&mut Silent)
}

#[test]
fn threads_change_nothing_and_the_seed_everything() {
    let one = contest(20).run(&mut Silent).unwrap().standing;
    let four = contest(20).concurrency(4).run(&mut Silent).unwrap().standing;
    assert_eq!((one.first_pairing(), &one.digest), (four.first_pairing(), &four.digest));
    let other = Settings { seed: 2, ..settings(20) };
    let other = Contest::new(other).unwrap().run(&mut Silent).unwrap().standing;
    assert_ne!(one.digest, other.digest);
    assert!(one.first_pairing().wins > one.first_pairing().losses, "a search beats none");
}

#[test]
fn a_killed_contest_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let expected = recorded(12, &whole, false).unwrap().standing;
    let lines = fs::read_to_string(whole.join("games.jsonl")).unwrap();
    let kept: String = lines.split_inclusive('\n').take(5).collect();

    // A kill after five games, in the middle of writing the sixth.
    fs::create_dir(&broken).unwrap();
    fs::copy(whole.join("settings.json"), broken.join("settings.json")).unwrap();
    fs::write(broken.join("games.jsonl"), kept.clone() + &lines[kept.len()..kept.len() + 40])
        .unwrap();
    let report = recorded(12, &broken, true).unwrap();
    assert_eq!((report.found, report.played), (5, 7));
    assert_eq!(report.standing.digest, expected.digest);
    let record = fs::read_to_string(broken.join("games.jsonl")).unwrap();
    assert!(record.starts_with(&kept), "what was finished stays as it was");
    assert_eq!(record.lines().count(), 12);
    let pgn = fs::read_to_string(broken.join("games.pgn")).unwrap();
    let games: Vec<_> = jungle::pgn::read(&pgn).map(Result::unwrap).collect();
    assert_eq!(games.len(), 12);
    assert!(games.iter().all(|game| game.play().is_ok()));
    assert_eq!(games[3].tags.get("Round"), Some("2.2"));

    let again = recorded(12, &broken, true).unwrap();
    assert_eq!((again.found, again.played), (12, 0));
}

#[test]
fn a_record_is_not_mixed_up_with_another() {
    let folder = tempfile::tempdir().unwrap();
    recorded(2, folder.path(), false).unwrap();
    let refused = |result: Result<ContestResult, ContestError>| match result {
        Err(ContestError::Record(error)) => error,
        other => panic!("{other:?}"),
    };
    let error = refused(recorded(2, folder.path(), false));
    assert!(matches!(error, RecordError::Exists(_)), "{error}");
    let error = refused(recorded(4, folder.path(), true)).to_string();
    assert!(error.contains("games (2 there, 4 here)"), "{error}");

    let document = Document::new(&settings(2), Provenance::default());
    let _open = Store::open(folder.path(), &document, None, true).unwrap();
    let error = refused(recorded(2, folder.path(), true));
    assert!(matches!(error, RecordError::Busy(_)), "{error}");
}

#[test]
fn a_damaged_record_is_refused_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    recorded(2, folder.path(), false).unwrap();
    let path = folder.path().join("games.jsonl");
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    writeln!(file, "nonsense").unwrap();
    let before = fs::read(&path).unwrap();
    let error = recorded(2, folder.path(), true).unwrap_err().to_string();
    assert!(error.contains("line 3"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn parts_make_the_same_whole() {
    let folder = tempfile::tempdir().unwrap();
    let expected = contest(14).run(&mut Silent).unwrap().standing;
    for index in [2, 3, 1] {
        let shard = Some(Shard { index, of: 3 });
        let part = contest(14).shard(shard).recorded_in(
            folder.path().to_owned(),
            false,
            Provenance::default(),
        );
        part.run(&mut Silent).unwrap();
    }
    let archive = Archive::open(folder.path()).unwrap();
    assert_eq!(archive.paths.len(), 3);
    let document = &archive.document;
    let mut scoreboard = Scoreboard::of(document.players.clone(), document.games, document.sprt);
    archive.games().unwrap().into_values().for_each(|game| scoreboard.add(game));
    let merged = scoreboard.standing();
    assert_eq!(
        (merged.first_pairing(), merged.digest),
        (expected.first_pairing(), expected.digest)
    );
    let target = folder.path().join("games.pgn");
    archive.write_pgn(&target).unwrap();
    let pgn = fs::read_to_string(target).unwrap();
    let rounds: Vec<String> = jungle::pgn::read(&pgn)
        .map(|game| game.unwrap().tags.get("Round").unwrap().to_owned())
        .collect();
    assert_eq!(rounds.len(), 14);
    assert_eq!(rounds[..3], ["1.1", "1.2", "2.1"]);
}

#[test]
fn a_test_ends_a_match() {
    let sprt = Some("0,100".parse().unwrap());
    let run = |concurrency| {
        let settings = Settings { sprt, ..settings(1000) };
        let stop = Arc::new(AtomicBool::new(false));
        let contest = Contest::new(settings).unwrap().concurrency(concurrency);
        let result = contest.stopped_by(stop.clone()).run(&mut Silent).unwrap();
        // The flag is its owner's.
        assert!(!stop.load(Relaxed));
        result
    };
    let (one, three) = (run(1), run(3));
    assert!(one.played < 200, "{}", one.played);
    assert!(one.standing.test.unwrap().decision.is_some());
    assert_eq!(one.standing.test, three.standing.test);
    assert_eq!(one.standing.digest, three.standing.digest);
}

#[test]
fn tables_end_games_they_know() {
    let rules = Rules::LEIDEN;
    let folder = tempfile::tempdir().unwrap();
    build(&rules, folder.path(), &Wanted::Pieces(2), &Options::default(), &mut |_| {}).unwrap();
    let tables = Arc::new(Tablebase::new(&rules, 2, Folder::new(folder.path())));
    // White to move loses in 12 plies, as van Rijn and Vis show.
    let fen = "7/7/3e3/7/7/7/3E3/7/7 w";
    let play = |rules: Rules, tables: Option<Arc<Tablebase>>| {
        let openings = Openings::read(fen, rules).unwrap();
        let settings = Settings { openings, rules, tablebases: tables.is_some(), ..settings(2) };
        Contest::new(settings).unwrap().tables(tables).run(&mut Silent).unwrap().standing
    };
    let standing = play(rules, Some(Arc::clone(&tables)));
    assert_eq!((standing.ends[&End::Tablebase], standing.plies), (2, 0));
    assert_eq!(
        (standing.first_pairing().wins, standing.first_pairing().losses),
        (1, 1),
        "Black wins both"
    );
    assert!(!play(rules, None).ends.contains_key(&End::Tablebase));
    // Three moves are too few to win in twelve plies: the tables must not say otherwise.
    let short: Rules = "leiden,move-limit=3".parse().unwrap();
    let tables = Arc::new(Tablebase::new(&short, 2, Folder::new(folder.path())));
    let standing = play(short, Some(tables));
    assert_eq!(standing.ends[&End::Rules(EndReason::MoveLimit)], 2, "{:?}", standing.ends);
}
