//! Every store does what the one in memory does, also when several servers use it at once.
#![cfg(feature = "sqlite")]

use std::collections::BTreeSet;
use std::sync::Arc;

use duel::{
    Action, Append, Duel, DuelId, Keeping, Key, Memory, Opening, Pace, Sqlite, Store, Terms,
};
use game::rng::Rng;
use jungle::{Color, Rules};

#[cfg(feature = "postgres")]
#[path = "../../library/tests/cluster/mod.rs"]
mod cluster;

fn key(number: u8) -> Key {
    Key::from_bytes([number; 16])
}

fn opening(number: u8, at: u64) -> Opening {
    let pace = [Pace::Free, Pace::Clock { initial: 60, increment: 0 }, Pace::Days { days: 3 }];
    let terms = Terms { rules: Rules::STANDARD, pace: pace[usize::from(number) % 3] };
    Opening::invite(&key(number), terms, Color::ALL[usize::from(number) % 2], at)
}

fn appended(duel: &mut Duel, events: Vec<duel::Event>, now: u64) -> Append {
    let entries = duel.record(events, now).unwrap();
    let is_timed = duel.clocks().is_some_and(|clocks| clocks.running().is_some());
    Append { id: duel.id(), entries, stage: duel.stage(), is_timed }
}

/// Something that can happen next.
fn next(rng: &mut Rng, duel: &mut Duel, host: &Key, now: u64) -> Append {
    let Some(turn) = duel.turn() else {
        let events = match duel.join(&host.invitation(), &key(200)) {
            Ok(events) if !events.is_empty() => events,
            _ => vec![duel::Event::Said { by: Color::White, phrase: duel::Phrase::Bye }],
        };
        return appended(duel, events, now);
    };
    let mv = rng.choose(&duel.play().legal_moves()).unwrap().to_string();
    let resigns = Action { version: duel.version(), deed: duel::Deed::Resign {} };
    let moves = Action::moving(duel.version(), &mv);
    let action = if rng.below(20) == 0 { resigns } else { moves };
    let events = duel.decide(turn, &action, now).unwrap();
    appended(duel, events, now)
}

/// Asks all stores the same for a while.
fn agree(stores: &[&dyn Store]) {
    fn same<T: PartialEq + std::fmt::Debug>(
        stores: &[&dyn Store],
        ask: impl Fn(&dyn Store) -> T,
    ) -> T {
        let mut answers = stores.iter().map(|store| ask(*store));
        let first = answers.next().unwrap();
        answers.for_each(|answer| assert_eq!(answer, first));
        first
    }
    let mut rng = Rng::new(3);
    let mut duels: Vec<Duel> = (0..12).map(|n| Duel::open(opening(n, n.into()))).collect();
    assert_eq!(same(stores, |store| store.load(duels[0].id()).unwrap()), None);
    assert_eq!(same(stores, |store| store.beat(7).unwrap()), None, "nobody was there before");
    for duel in &duels {
        assert!(same(stores, |store| store.create(duel.opening()).unwrap()));
        assert!(!same(stores, |store| store.create(duel.opening()).unwrap()));
    }
    assert_eq!(same(stores, |store| store.beat(9).unwrap()), Some(7));
    for now in 100..160 {
        let batch: Vec<Append> = (0..duels.len())
            .filter(|_| rng.below(2) == 0)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|index| next(&mut rng, &mut duels[index], &key(index as u8), now))
            .collect();
        assert!(same(stores, |store| store.append(&batch).unwrap()).iter().all(|done| *done));
        // What was decided on an older version is not appended, and spoils nothing beside it.
        assert!(same(stores, |store| store.append(&batch).unwrap()).iter().all(|done| !done));
        same(stores, |store| store.timed().unwrap().into_iter().collect::<BTreeSet<_>>());
    }
    for duel in &duels {
        let stored = same(stores, |store| store.load(duel.id()).unwrap()).unwrap();
        let again = stored.duel().unwrap();
        assert_eq!((again.version(), again.play().setup()), (duel.version(), duel.play().setup()));
    }
    let nobody =
        Append { id: key(250).duel(), ..next(&mut rng, &mut duels[0].clone(), &key(0), 500) };
    assert_eq!(same(stores, |store| store.append(std::slice::from_ref(&nobody)).unwrap()), [false]);
    let left =
        same(stores, |store| store.sweep(&Keeping { open_since: 0, played_since: 155 }).unwrap());
    assert!(left > 0 && left <= 12, "{left}");
    let ids: Vec<DuelId> = duels.iter().map(Duel::id).collect();
    same(stores, |store| {
        ids.iter().map(|id| store.load(*id).unwrap().is_some()).collect::<Vec<_>>()
    });
    assert_eq!(
        same(stores, |store| store.sweep(&Keeping { open_since: 999, played_since: 999 }).unwrap()),
        0
    );
}

/// Many write to one duel at once: exactly one of them is right each time.
fn race(store: Arc<dyn Store>) {
    let mut duel = Duel::open(opening(1, 0));
    store.create(duel.opening()).unwrap();
    for round in 0..20u8 {
        let append =
            appended(&mut duel, vec![duel::Event::Declined { by: Color::White }], round.into());
        let done: Vec<bool> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    let (store, append) = (Arc::clone(&store), append.clone());
                    scope.spawn(move || store.append(&[append]).unwrap()[0])
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(done.iter().filter(|done| **done).count(), 1, "round {round}");
    }
    assert_eq!(store.load(duel.id()).unwrap().unwrap().entries.len(), 20);
}

#[test]
fn a_file_does_what_memory_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.duels.sqlite");
    let file = Sqlite::new(&path);
    file.check().unwrap();
    assert!(!path.exists(), "looking for duels makes no file");
    let first = opening(77, 5);
    file.create(&first).unwrap();
    file.sweep(&Keeping { open_since: 6, played_since: 6 }).unwrap();
    agree(&[&Memory::default(), &file]);
    race(Arc::new(Sqlite::new(folder.path().join("race.sqlite"))));
    // As after a kill: nobody closed it.
    file.create(&first).unwrap();
    std::mem::forget(file);
    let again = Sqlite::new(&path);
    assert_eq!(again.load(first.id).unwrap().unwrap().opening, first);
    again.check().unwrap();
    assert!(library::Sqlite::new(&path).check().is_err(), "a file of another kind");
}

#[cfg(feature = "postgres")]
#[test]
fn a_database_does_what_memory_does_and_tells_of_changes_and_comes_back() {
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    let mut cluster = cluster::Cluster::start();
    let address = cluster.address();
    // Two servers that start at once on an empty database.
    let stores = [0, 1].map(|_| Arc::new(duel::Postgres::new(&address).unwrap()));
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(|| assert_eq!(store.timed().unwrap(), []));
        }
    });
    agree(&[&Memory::default(), &*stores[0]]);
    race(Arc::<duel::Postgres>::clone(&stores[1]));

    let heard = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    stores[1].listen(Arc::new(move |change| told.lock().unwrap().push(change)));
    let until = |holds: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", heard.lock().unwrap());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    until(&|| *heard.lock().unwrap() == [None]);
    let mut duel = Duel::open(opening(50, 0));
    stores[0].create(duel.opening()).unwrap();
    let id = duel.id();
    let append = next(&mut Rng::new(1), &mut duel, &key(50), 1);
    assert_eq!(stores[0].append(&[append]).unwrap(), [true]);
    until(&|| heard.lock().unwrap().contains(&Some((id, 1))));

    // The database is killed: what it acknowledged is there, and everybody finds it again.
    let append = next(&mut Rng::new(1), &mut duel, &key(50), 2);
    assert_eq!(stores[0].append(&[append]).unwrap(), [true]);
    cluster.kill();
    let append = next(&mut Rng::new(1), &mut duel, &key(50), 3);
    let error = stores[0].append(std::slice::from_ref(&append)).unwrap_err();
    assert!(matches!(error, library::StoreError::Away { .. }), "{error:?}");
    assert!(error.to_string().contains("PostgreSQL's postgres at 127.0.0.1"), "{error}");
    cluster.run();
    assert_eq!(stores[0].append(&[append]).unwrap(), [true]);
    assert_eq!(stores[1].load(id).unwrap().unwrap().entries.len(), 3);
    until(&|| heard.lock().unwrap().iter().filter(|change| change.is_none()).count() > 1);
    assert!(duel::Postgres::new("postgres://[").is_err());
}
