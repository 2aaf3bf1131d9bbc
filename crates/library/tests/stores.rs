//! Every store does what the one in memory does; and a file outlives what happens to it.
#![cfg(feature = "sqlite")]

use std::fs;
use std::path::Path;

use game::rng::Rng;
use jungle::pgn::{GameRecord, GameResult};
use jungle::{Color, Jungle, Play, Position, Rules};
use library::{
    Entry, Filter, GameId, Located, Memory, Page, PositionKey, Source, Sqlite, Status, Store,
    StoreError,
};

#[cfg(feature = "postgres")]
mod cluster;

/// A random game with random tags, at times from a mirror image of the start.
fn random_record(seed: u64) -> GameRecord {
    let mut rng = Rng::new(seed);
    let rules = Rules::PRESETS[rng.below(2)].rules;
    let start = if rng.below(3) == 0 { Position::start().mirror() } else { Position::start() };
    let mut play = Play::new(Jungle::new(rules), &(&start).into()).unwrap();
    let plies = 4 + rng.below(30);
    while play.ending().is_none() && play.moves().len() < plies {
        // Few choices, so that games share positions.
        let moves = play.legal_moves();
        let few = &moves[..moves.len().min(3)];
        play.play(*rng.choose(few).unwrap()).unwrap();
    }
    let mut record = GameRecord::from_play(&play);
    record.result = [
        GameResult::Win(Color::White),
        GameResult::Win(Color::Black),
        GameResult::Draw,
        GameResult::Unfinished,
    ][rng.below(4)];
    let names = ["Anna", "Änne", "bert", "李明", "?"];
    record.tags.set("White", names[rng.below(5)]).unwrap();
    record.tags.set("Black", names[rng.below(5)]).unwrap();
    let days = ["2024.05.06", "2025.01.??", "2026.11.18", "????.??.??"];
    record.tags.set("Date", days[rng.below(4)]).unwrap();
    record.tags.set("Round", &seed.to_string()).unwrap();
    record
}

fn entry(seed: u64) -> Entry {
    let source = if seed.is_multiple_of(3) { Source::Own } else { Source::Imported };
    Entry::nameless(source, 1_000 + seed, &random_record(seed)).unwrap()
}

fn filters(rng: &mut Rng, keys: &[PositionKey]) -> Filter {
    let mut filter = Filter::default();
    let mut some = |chance: usize| rng.below(chance) == 0;
    if some(3) {
        filter.source = Some(Source::Own);
    }
    if some(3) {
        filter.player = Some("ann".to_owned());
    } else if some(3) {
        filter.player = Some("ÄNN".to_owned());
    }
    if some(4) {
        filter.result = Some(GameResult::Draw);
    }
    if some(3) {
        filter.rules = Some(Rules::PRESETS[0].rules);
    }
    if some(4) {
        filter.since = Some("2025".to_owned());
    }
    if some(4) {
        filter.until = Some("2025-01".to_owned());
    }
    if some(2) {
        filter.position = rng.choose(keys).copied();
    }
    filter
}

#[test]
fn a_file_answers_as_memory_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = Sqlite::new(folder.path().join("a/games.sqlite"));
    answers_as_memory(&file);
    file.check().unwrap();
}

#[cfg(feature = "postgres")]
#[test]
fn a_database_answers_as_memory_does() {
    let cluster = cluster::Cluster::start();
    answers_as_memory(&library::Postgres::new(&cluster.address()).unwrap());
    // Opened by another server: the schema is there.
    let other = library::Postgres::new(&cluster.address()).unwrap();
    assert!(total(&other).unwrap() > 0);
}

fn answers_as_memory(store: &dyn Store) {
    let memory = Memory::default();
    let both: [&dyn Store; 2] = [store, &memory];
    let entries: Vec<Entry> = (0..60).map(entry).collect();
    let keys: Vec<PositionKey> =
        entries.iter().flat_map(|entry| entry.path.iter().map(|(key, _)| *key)).collect();
    let mut rng = Rng::new(7);
    let put = |games: &[Entry]| {
        let [one, two] = both.map(|store| store.put(games).unwrap());
        assert_eq!(one, two);
        one
    };
    assert!(put(&entries).iter().all(|put| put.status == Status::Added));
    assert!(put(&entries[..9]).iter().all(|put| put.status == Status::Known));
    for round in 0..120 {
        let filter = filters(&mut rng, &keys);
        for page in [Page::default(), Page { offset: 3, limit: 4 }, Page { offset: 9, limit: 0 }] {
            let [one, two] = both.map(|store| store.find(&filter, page).unwrap());
            assert_eq!(one, two, "{filter:?}");
        }
        let key = *rng.choose(&keys).unwrap();
        let [one, two] = both.map(|store| store.explore(key, &filter).unwrap());
        assert_eq!(one, two, "{filter:?}");
        if round % 20 == 5 && !filter.is_all() {
            let [one, two] = both.map(|store| store.delete(&filter).unwrap());
            assert_eq!(one, two, "{filter:?}");
        }
        // A game that goes on is kept under its name.
        let id: GameId = format!("game-{}", rng.below(3)).parse().unwrap();
        put(&[Entry::named(id, Source::Own, round, &random_record(round % 11)).unwrap()]);
    }
}

#[test]
fn a_position_is_found_in_games_and_in_their_mirror_images() {
    let store = Memory::default();
    let entries: Vec<Entry> = (0..40).map(entry).collect();
    store.put(&entries).unwrap();
    for seed in 0..40 {
        let play = random_record(seed).play().unwrap();
        let middle = play.earlier_positions().nth(2).unwrap();
        for position in [middle.clone(), middle.mirror()] {
            let key = Located::of(&position).key();
            let filter = Filter { position: Some(key), ..Filter::default() };
            let found = store.find(&filter, Page { offset: 0, limit: 99 }).unwrap();
            assert!(found.games.iter().any(|game| game.id == entries[seed as usize].kept.id));
        }
    }
}

fn filled(path: &Path) -> Sqlite {
    let store = Sqlite::new(path);
    let entries: Vec<Entry> = (0..20).map(entry).collect();
    store.put(&entries).unwrap();
    store
}

fn total(store: &dyn Store) -> Result<u64, StoreError> {
    store.find(&Filter::default(), Page::default()).map(|found| found.total)
}

#[test]
fn games_are_there_when_the_file_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    // Nobody closes it: as after a kill, the log is still beside it.
    std::mem::forget(filled(&path));
    assert_eq!(total(&Sqlite::new(&path)).unwrap(), 20);
}

#[test]
fn damage_locks_and_strangers_are_told_apart_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    let store = filled(&path);

    // Another program writes.
    let other = rusqlite::Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!(total(&store).unwrap(), 20, "reading goes on");
    // Those who wait at the same time are refused with the first, and not each after its own time.
    std::thread::scope(|scope| {
        let waiting: Vec<_> = (90..94)
            .map(|number| {
                scope.spawn({
                    let store = &store;
                    move || store.put(&[entry(number)])
                })
            })
            .collect();
        for refused in waiting {
            let refused = refused.join().unwrap().unwrap_err();
            assert!(matches!(refused, StoreError::Locked { .. }), "{refused}");
        }
    });
    other.execute_batch("COMMIT").unwrap();
    // For a moment nobody waits for it again.
    std::thread::sleep(std::time::Duration::from_millis(300));
    store.put(&[entry(99)]).unwrap();
    assert_eq!(total(&store).unwrap(), 21);

    drop(other);

    // It is put away while it is open: what comes is not written into the file that is gone.
    let away = folder.path().join("away.sqlite");
    drop(store);
    let store = Sqlite::new(&path);
    assert_eq!(total(&store).unwrap(), 21);
    for suffix in ["", "-wal", "-shm"] {
        let from = folder.path().join(format!("games.sqlite{suffix}"));
        let to = folder.path().join(format!("away.sqlite{suffix}"));
        let _ = fs::rename(from, to);
    }
    store.put(&[entry(5)]).unwrap();
    assert_eq!(total(&store).unwrap(), 1);
    assert_eq!(total(&Sqlite::new(&away)).unwrap(), 21);

    // A newer version, another program, and something that is no database at all.
    let newer = folder.path().join("newer.sqlite");
    filled(&newer);
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let refused = total(&Sqlite::new(&newer)).unwrap_err();
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
    let foreign = folder.path().join("foreign.sqlite");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let refused = total(&Sqlite::new(&foreign)).unwrap_err();
    assert!(matches!(refused, StoreError::Foreign { .. }), "{refused}");
    let text = folder.path().join("text.sqlite");
    fs::write(&text, "these are not the games you are looking for".repeat(100)).unwrap();
    let refused = total(&Sqlite::new(&text)).unwrap_err();
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    let refused = total(&Sqlite::new(folder.path())).unwrap_err();
    assert!(matches!(refused, StoreError::Other { .. }), "{refused}");
}

#[test]
fn a_damaged_file_is_an_error_until_a_copy_is_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    drop(filled(&path));
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    for byte in damaged.iter_mut().skip(200) {
        *byte ^= 0x5a;
    }
    fs::write(&path, &damaged).unwrap();
    let store = Sqlite::new(&path);
    assert!(matches!(total(&store), Err(StoreError::Damaged { .. })));
    assert!(matches!(store.put(&[entry(99)]), Err(StoreError::Damaged { .. })));
    assert_eq!(fs::read(&path).unwrap(), damaged, "it is left as it is");
    fs::write(&path, &whole).unwrap();
    assert_eq!(total(&store).unwrap(), 20, "the same store goes on");
}
