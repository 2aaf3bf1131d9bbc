//! Duels played at random: nothing that was not allowed happens, a log replays to the same state, and forged actions
//! change nothing.

use duel::{
    Action, Call, Deed, Duel, Entry, Event, Finish, Key, Offer, Opening, Pace, Phrase, Reason,
    Refused, Stage, Terms, View,
};
use game::rng::Rng;
use jungle::{Color, Jungle, Play, Rules};

fn key(number: u8) -> Key {
    Key::from_bytes([number; 16])
}

/// A duel that both have joined.
fn joined(pace: Pace) -> (Duel, Vec<Entry>) {
    let terms = Terms { rules: Rules::STANDARD, pace };
    let mut duel = Duel::open(Opening::invite(&key(1), terms, Color::White, 0));
    let events = duel.join(&key(1).invitation(), &key(2)).unwrap();
    let log = duel.record(events, 10).unwrap();
    (duel, log)
}

fn act(duel: &mut Duel, by: Color, deed: Deed, now: u64) -> Result<usize, Refused> {
    let action = Action { version: duel.version(), deed };
    let events = duel.decide(by, &action, now)?;
    Ok(duel.record(events, now).unwrap().len())
}

fn mv(text: &str) -> Deed {
    Deed::Move { mv: text.to_owned() }
}

const RED: Color = Color::White;
const BLUE: Color = Color::Black;

#[test]
fn seats_are_held_by_keys() {
    let (duel, _) = joined(Pace::Free);
    assert_eq!((duel.seat_of(&key(1)), duel.seat_of(&key(2))), (Some(RED), Some(BLUE)));
    assert_eq!((duel.seat_of(&key(3)), duel.seat_of(&key(1).invitation())), (None, None));
    let invitation = key(1).invitation();
    assert_eq!(duel.join(&invitation, &key(3)), Err(Refused::Taken));
    assert_eq!(duel.join(&key(9), &key(3)), Err(Refused::NoInvitation));
    assert_eq!(
        duel.join(&key(1), &key(3)),
        Err(Refused::NoInvitation),
        "the host's key does not invite"
    );
    assert_eq!(duel.join(&invitation, &key(1)), Err(Refused::Oneself));
    assert_eq!(duel.join(&invitation, &key(2)), Ok(vec![]), "an answer was lost");
    let open = Duel::open(Opening::invite(&key(1), Terms::default(), RED, 0));
    let seen = |you, key: Option<Key>| View::of(&open, you, key.as_ref(), 0).invitation;
    assert_eq!(seen(Some(RED), Some(key(1))), Some(invitation.to_string()));
    assert_eq!((seen(None, None), seen(None, Some(key(3)))), (None, None));
}

#[test]
fn a_move_is_made_once_however_often_it_is_sent_and_never_on_another_board() {
    let (mut duel, _) = joined(Pace::Free);
    let first = Action::moving(1, "a3a4");
    let events = duel.decide(RED, &first, 0).unwrap();
    duel.record(events, 0).unwrap();
    assert_eq!(duel.decide(RED, &first, 0), Ok(vec![]), "sent again");
    assert_eq!(
        duel.decide(RED, &Action::moving(1, "c3c4"), 0),
        Err(Refused::Stale),
        "another move"
    );
    assert_eq!(duel.decide(BLUE, &Action::moving(1, "g7g6"), 0), Err(Refused::Stale));
    assert_eq!(duel.decide(BLUE, &Action::moving(99, "g7g6"), 0), Err(Refused::Ahead(99)));
    // What is said in between does not hold up a move.
    act(&mut duel, RED, Deed::Say { phrase: Phrase::Hello }, 0).unwrap();
    let events = duel.decide(BLUE, &Action::moving(2, "g7g6"), 0).unwrap();
    duel.record(events, 0).unwrap();
    assert_eq!(duel.decide(RED, &first, 0), Ok(vec![]), "very late");
    act(&mut duel, RED, mv("a4a3"), 0).unwrap();
    act(&mut duel, BLUE, mv("g6g7"), 0).unwrap();
    assert_eq!(duel.decide(RED, &first, 0), Err(Refused::Stale), "a replay");
    assert_eq!(duel.play().moves().len(), 4);
    assert!(matches!(act(&mut duel, BLUE, mv("g7g6"), 0), Err(Refused::NotYourTurn)));
    for cheat in ["a3a5", "a3g9", "g7g6", "Ea9", "", "resign", "a3a4; DROP TABLE duels"] {
        assert!(act(&mut duel, RED, mv(cheat), 0).is_err(), "{cheat}");
    }
}

#[test]
fn offers_are_accepted_declined_and_forgotten() {
    let (mut duel, _) = joined(Pace::Free);
    let offer = |offer| Deed::Offer { offer };
    let accept = |offer| Deed::Accept { offer };
    assert_eq!(act(&mut duel, RED, offer(Offer::Takeback), 0), Err(Refused::NoMove));
    assert_eq!(act(&mut duel, RED, offer(Offer::Rematch), 0), Err(Refused::GoesOn));
    act(&mut duel, RED, mv("a3a4"), 0).unwrap();
    act(&mut duel, BLUE, mv("a7a6"), 0).unwrap();
    act(&mut duel, RED, offer(Offer::Takeback), 0).unwrap();
    assert_eq!(act(&mut duel, RED, accept(Offer::Takeback), 0), Err(Refused::NoOffer), "its own");
    act(&mut duel, BLUE, Deed::Decline {}, 0).unwrap();
    assert_eq!(act(&mut duel, RED, offer(Offer::Takeback), 0), Err(Refused::Enough));
    assert_eq!(act(&mut duel, BLUE, accept(Offer::Takeback), 0), Err(Refused::NoOffer));
    // Each wants to take back: that is no agreement.
    act(&mut duel, RED, mv("a4a5"), 0).unwrap();
    act(&mut duel, RED, offer(Offer::Takeback), 0).unwrap();
    act(&mut duel, BLUE, offer(Offer::Takeback), 0).unwrap();
    assert_eq!(duel.play().moves().len(), 3);
    act(&mut duel, BLUE, accept(Offer::Takeback), 0).unwrap();
    assert_eq!((duel.play().moves().len(), duel.offer(BLUE)), (2, None));
    // It is Red's turn: taking back Blue's move is one ply, Red's own would be two.
    act(&mut duel, RED, mv("a4a5"), 0).unwrap();
    act(&mut duel, BLUE, offer(Offer::Takeback), 0).unwrap();
    act(&mut duel, RED, accept(Offer::Takeback), 0).unwrap();
    assert_eq!((duel.play().moves().len(), duel.turn()), (1, Some(BLUE)));
    act(&mut duel, BLUE, mv("a7a6"), 0).unwrap();
    act(&mut duel, BLUE, offer(Offer::Draw), 0).unwrap();
    // An acceptance that was sent before the offer was seen is none.
    let blind = Action { version: duel.version() - 1, deed: accept(Offer::Draw) };
    assert_eq!(duel.decide(RED, &blind, 0), Err(Refused::NoOffer));
    act(&mut duel, RED, offer(Offer::Draw), 0).unwrap();
    assert_eq!(duel.finish(), Some(Finish { winner: None, reason: Reason::AGREED }));
    assert!(matches!(act(&mut duel, RED, mv("a4a5"), 0), Err(Refused::Over(_))));
    act(&mut duel, RED, offer(Offer::Rematch), 0).unwrap();
    act(&mut duel, BLUE, offer(Offer::Rematch), 0).unwrap();
    assert_eq!(duel.rematch(), Some(duel.id().rematch()));
    assert_eq!(act(&mut duel, BLUE, offer(Offer::Rematch), 0), Err(Refused::Enough));
    let next = Duel::open(duel.next(5));
    assert_eq!((next.stage(), next.id()), (Stage::Playing, duel.rematch().unwrap()));
    assert_eq!((next.seat_of(&key(1)), next.seat_of(&key(2))), (Some(BLUE), Some(RED)));
}

#[test]
fn phrases_do_not_flood() {
    let (mut duel, _) = joined(Pace::Free);
    let say = || Deed::Say { phrase: Phrase::GoodMove };
    for _ in 0..3 {
        act(&mut duel, BLUE, say(), 0).unwrap();
    }
    assert_eq!(act(&mut duel, BLUE, say(), 0), Err(Refused::Enough));
    act(&mut duel, RED, say(), 0).unwrap();
    act(&mut duel, RED, mv("a3a4"), 0).unwrap();
    act(&mut duel, BLUE, say(), 0).unwrap();
    assert_eq!(View::of(&duel, None, None, 0).said.len(), 5);
}

#[test]
fn flags_fall_by_the_time_of_the_server() {
    let (mut duel, _) = joined(Pace::Clock { initial: 60, increment: 1 });
    assert_eq!(duel.flag(u64::MAX), None, "no clock runs before the first move");
    act(&mut duel, RED, mv("a3a4"), 1_000_000).unwrap();
    assert_eq!(duel.flag(1_059_999), None);
    let finish = Finish { winner: Some(RED), reason: Reason::TIME };
    assert_eq!(duel.flag(1_060_000), Some(Event::Ended(finish)));
    assert_eq!(act(&mut duel.clone(), BLUE, mv("a7a6"), 1_060_000), Err(Refused::Over(finish)));
    // No server was there for half a minute.
    let pause = duel.pause(30_000).unwrap();
    duel.record(vec![pause], 1_040_000).unwrap();
    assert_eq!(duel.flag(1_060_000), None);
    act(&mut duel, BLUE, mv("a7a6"), 1_060_000).unwrap();
    assert_eq!(View::of(&duel, None, None, 1_061_000).black_left, Some(31_000));
    assert_eq!(View::of(&duel, None, None, 1_061_000).white_left, Some(59_000));
    // A clock that is behind does not turn time back.
    act(&mut duel, RED, mv("a4a5"), 5).unwrap();
    assert_eq!((duel.last(), View::of(&duel, None, None, 5).white_left), (1_060_000, Some(61_000)));
}

#[test]
fn a_game_that_has_hardly_begun_is_called_off() {
    let mut open = Duel::open(Opening::invite(&key(1), Terms::default(), BLUE, 0));
    assert_eq!(act(&mut open, BLUE, Deed::Say { phrase: Phrase::Hello }, 0), Err(Refused::Alone));
    assert_eq!(act(&mut open.clone(), RED, mv("a3a4"), 0), Err(Refused::Alone));
    act(&mut open, BLUE, Deed::Resign {}, 0).unwrap();
    assert_eq!(open.finish().unwrap().reason, Reason::Table(Call::Aborted));
    assert!(matches!(open.join(&key(1).invitation(), &key(2)), Err(Refused::Over(_))));
    let (mut duel, _) = joined(Pace::Free);
    act(&mut duel, RED, mv("a3a4"), 0).unwrap();
    act(&mut duel, BLUE, mv("a7a6"), 0).unwrap();
    act(&mut duel, RED, Deed::Resign {}, 0).unwrap();
    assert_eq!(duel.finish(), Some(Finish { winner: Some(BLUE), reason: Reason::RESIGN }));
    assert_eq!(View::of(&duel, None, None, 0).result, "0-1");
}

/// Any action, mostly senseless.
fn any_action(rng: &mut Rng, duel: &Duel) -> Action {
    let offer = [Offer::Draw, Offer::Takeback, Offer::Rematch][rng.below(3)];
    let legal = duel.play().legal_moves();
    let deed = match rng.below(12) {
        0..=4 if !legal.is_empty() => Deed::Move { mv: rng.choose(&legal).unwrap().to_string() },
        5 => Deed::Move { mv: ["a1a2", "d9", "zz", "c3c4", "g7f7"][rng.below(5)].to_owned() },
        6 | 7 => Deed::Offer { offer },
        8 => Deed::Accept { offer },
        9 => Deed::Decline {},
        10 if rng.below(8) == 0 => Deed::Resign {},
        _ => Deed::Say { phrase: Phrase::Oops },
    };
    let version = (duel.version() + 2).saturating_sub(rng.below(5) as u32);
    Action { version, deed }
}

/// The plain version of what happened to the board: moves, and moves taken back.
fn board_of(log: &[Entry]) -> Play {
    let mut moves: Vec<&str> = Vec::new();
    for entry in log {
        match &entry.event {
            Event::Moved { mv } => moves.push(mv),
            Event::TakenBack { plies } => moves.truncate(moves.len() - usize::from(*plies)),
            _ => {}
        }
    }
    let mut play = Play::start(Jungle::new(Rules::STANDARD));
    for text in moves {
        let mv = jungle::parse_move(play.jungle(), play.position(), text).unwrap();
        play.play(mv).unwrap();
    }
    play
}

#[test]
fn whatever_is_tried_the_log_tells_the_same_story() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let pace = [Pace::Free, Pace::Clock { initial: 30, increment: 0 }, Pace::Days { days: 1 }]
            [rng.below(3)];
        let (mut duel, mut log) = joined(pace);
        let mut now = 1000;
        for _ in 0..250 {
            now += rng.below(900) as u64;
            if let Some(flag) = duel.flag(now) {
                log.extend(duel.record(vec![flag], now).unwrap());
            }
            let by = Color::ALL[rng.below(2)];
            let action = any_action(&mut rng, &duel);
            let before = (duel.version(), duel.play().moves().to_vec(), duel.turn());
            match duel.decide(by, &action, now) {
                Err(_) => {
                    assert_eq!((duel.version(), duel.play().moves().to_vec(), duel.turn()), before);
                }
                Ok(events) => {
                    if let Some(Event::Moved { .. }) = events.first() {
                        assert_eq!(before.2, Some(by), "only whoever is to move moves");
                    }
                    if let Some(Event::Ended(Finish { reason: Reason::RESIGN, winner })) =
                        events.first()
                    {
                        assert_eq!(*winner, Some(!by));
                    }
                    log.extend(duel.record(events, now).unwrap());
                }
            }
        }
        let again = Duel::replay(duel.opening().clone(), &log).unwrap();
        let views = [&duel, &again].map(|duel| View::of(duel, Some(RED), None, now));
        assert_eq!(views[0], views[1], "seed {seed}");
        assert_eq!(board_of(&log).setup(), duel.play().setup(), "seed {seed}");
        assert_eq!(duel.version() as usize, log.len());
        assert_eq!(
            duel.stage() == Stage::Over,
            log.iter().any(|entry| matches!(entry.event, Event::Ended(_)))
        );
        // A log with a hole, or an event twice, is not believed.
        let mut holed = log.clone();
        holed.remove(rng.below(log.len() - 1));
        assert!(Duel::replay(duel.opening().clone(), &holed).is_err());
    }
}
