//! Flags, clocks and stores that go away.

use duel::{Action, Key, Memory, Pace, Terms};
use jungle::{Color, Rules};
use library::StoreError;

use super::*;

/// A duel in a store, in which Blue's clock has run since then.
fn timed(store: &Memory, since: Millis) -> DuelId {
    let (host, guest) = (Key::from_bytes([1; 16]), Key::from_bytes([2; 16]));
    let terms = Terms { rules: Rules::STANDARD, pace: Pace::Clock { initial: 600, increment: 0 } };
    let opening = Opening::invite(&host, terms, Color::White, since);
    let mut duel = Duel::open(opening);
    store.create(duel.opening()).unwrap();
    let joins = |duel: &Duel| duel.join(&host.invitation(), &guest).unwrap();
    let moves = |duel: &Duel| duel.decide(Color::White, &Action::moving(1, "a3a4"), since).unwrap();
    for decide in [&joins as &dyn Fn(&Duel) -> Vec<Event>, &moves] {
        let (append, after) = append(&duel, decide(&duel), since).unwrap();
        assert_eq!(store.append(&[append]).unwrap(), [true]);
        duel = after;
    }
    duel.id()
}

#[test]
fn clocks_are_given_back_the_time_without_a_server_once() {
    let store = Arc::new(Memory::default());
    let at = now();
    let id = timed(&store, at - 65_000);
    store.beat(at - 60_000).unwrap();
    let left = |store: &Memory| {
        let duel = store.load(id).unwrap().unwrap().duel().unwrap();
        (duel.version(), duel.clocks().unwrap().left(Color::Black, at))
    };
    assert_eq!(left(&store), (2, 535_000));
    for _ in 0..2 {
        Desk::new(Arc::<Memory>::clone(&store)).resume().unwrap();
        let (version, left) = left(&store);
        assert_eq!(version, 3, "once");
        assert!((594_000..=596_000).contains(&left), "{left}");
    }
}

/// A store that can be away.
struct Away(Memory, AtomicBool);

impl Away {
    fn there(&self) -> Result<&Memory, StoreError> {
        let locked = || StoreError::Locked { place: "the store".to_owned() };
        if self.1.load(SeqCst) { Err(locked()) } else { Ok(&self.0) }
    }
}

impl Store for Away {
    fn create(&self, opening: &Opening) -> Result<bool, StoreError> {
        self.there()?.create(opening)
    }
    fn load(&self, id: DuelId) -> Result<Option<duel::Stored>, StoreError> {
        self.there()?.load(id)
    }
    fn append(&self, batch: &[Append]) -> Result<Vec<bool>, StoreError> {
        self.there()?.append(batch)
    }
    fn timed(&self) -> Result<Vec<DuelId>, StoreError> {
        self.there()?.timed()
    }
    fn beat(&self, now: Millis) -> Result<Option<Millis>, StoreError> {
        self.there()?.beat(now)
    }
    fn sweep(&self, keeping: &Keeping) -> Result<u64, StoreError> {
        self.there()?.sweep(keeping)
    }
    fn listen(&self, _: duel::Heard) {}
}

#[tokio::test]
async fn clocks_are_given_back_the_time_in_which_the_store_was_away() {
    let store = Arc::new(Away(Memory::default(), AtomicBool::new(true)));
    let at = now();
    // Blue's time was up three minutes ago, but nobody could have moved for ten.
    let id = timed(&store.0, at - 780_000);
    store.0.beat(at - 600_000).unwrap();
    let desk = Desk::new(Arc::<Away>::clone(&store));
    // A server that starts before its store.
    assert!(desk.resume().is_err());
    let moved = || desk.change(id, |_, _| Ok(Vec::new()));
    assert_eq!(moved().await.unwrap_err().kind, Kind::Busy);
    store.1.store(false, SeqCst);
    let left = |duel: &Duel| duel.clocks().unwrap().left(Color::Black, now());
    let back = moved().await.unwrap();
    assert_eq!(back.stage(), Stage::Playing);
    assert!((415_000..=420_000).contains(&left(&back)), "{}", left(&back));
    // The store goes away under a server that runs, which is as if it had been for twenty seconds.
    store.0.beat(at - 20_000).unwrap();
    desk.present.store(at - 20_000, SeqCst);
    let version = back.version();
    let back = moved().await.unwrap();
    assert_eq!(back.version(), version + 1);
    assert!((435_000..=440_500).contains(&left(&back)), "{}", left(&back));
    assert_eq!(moved().await.unwrap().version(), version + 1, "once");
}

#[tokio::test]
async fn a_flag_falls_by_itself_and_a_duel_that_does_not_exist_takes_no_room() {
    let store = Arc::new(Memory::default());
    let id = timed(&store, now() - 700_000);
    let desk = Desk::new(Arc::<Memory>::clone(&store));
    let live = desk.live(id);
    desk.look(&live, |_| ()).await.unwrap();
    desk.drop_flags();
    tokio::task::yield_now().await;
    let stage = desk.look(&live, Duel::stage).await;
    assert_eq!(stage.unwrap(), Stage::Playing, "not before the store was told of the server");
    desk.resume().unwrap();
    let mut versions = live.subscribe();
    desk.drop_flags();
    versions.changed().await.unwrap();
    assert_eq!(desk.look(&live, Duel::stage).await.unwrap(), Stage::Over);
    let nobody = desk.live(Key::from_bytes([9; 16]).duel());
    assert!(desk.look(&nobody, |_| ()).await.is_err());
    assert_eq!(desk.activity().live, 1);
}
