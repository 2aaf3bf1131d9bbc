//! The engine as its users meet it.

use std::sync::mpsc;
use std::time::Duration;

use engine::{Control, Engine, Event, Level, Options, Request};
use game::clock::Clock;
use game::limits::Limits;
use game::score::{Bound, Score, Verdict};
use game::truth::Truth;
use jungle::{Jungle, Play, Rules, Setup, parse_move};

fn play(rules: Rules, fen: &str) -> Play {
    Play::new(Jungle::new(rules), &fen.parse::<Setup>().unwrap()).unwrap()
}

fn start() -> Play {
    Play::start(Jungle::new(Rules::STANDARD))
}

#[test]
fn lines_are_legal_and_the_answer_comes_last() {
    let mut engine = Engine::new();
    engine.set_options(Options { lines: 3, ..Options::default() }).unwrap();
    let (sender, events) = mpsc::channel();
    let answer =
        engine.go(&start(), Limits::depth(6), move |event| sender.send(event).unwrap()).wait();
    let events: Vec<Event> = events.into_iter().collect();
    let (last, lines) = events.split_last().unwrap();
    assert!(matches!(last, Event::Finished(finished) if *finished == answer));
    let mut depth = 0;
    for event in lines {
        let Event::Line(line) = event else { panic!("finished twice") };
        assert!(line.depth >= depth && (1..=3).contains(&line.index));
        depth = line.depth;
        let mut play = start();
        for &mv in &line.pv {
            play.play(mv).unwrap();
        }
        assert!(!line.pv.is_empty() && line.seldepth >= 1);
        assert_eq!(line.chances.win + line.chances.draw + line.chances.loss, 1000);
    }
    assert_eq!((depth, answer.lines.len()), (6, 3));
    assert!(answer.lines.iter().all(|line| line.bound == Bound::Exact));
    assert!(answer.lines.is_sorted_by(|one, other| one.score >= other.score));
    assert_eq!(answer.lines[0].pv.first(), answer.best.as_ref());
    assert_eq!(answer.lines[0].pv.get(1), answer.ponder.as_ref());
}

#[test]
fn a_finished_game_is_answered_as_such() {
    let mut engine = Engine::new();
    for (fen, winner) in [("3C3/7/7/7/7/7/7/7/6r b", "Red"), ("7/7/7/7/7/7/7/7/C6 b", "Red")] {
        let answer = engine.go(&play(Rules::STANDARD, fen), Limits::default(), |_| ()).wait();
        assert_eq!(answer.best, None);
        assert_eq!(answer.ending.unwrap().winner.unwrap().to_string(), winner);
    }
}

#[test]
fn stopping_infinite_and_pondering_searches() {
    let mut engine = Engine::new();
    // The endgame is solved within moments, and the answer held back all the same.
    let fen = "7/7/3e3/7/7/7/3E3/7/7 w";
    for limits in [
        Request::infinite(),
        Request::ponder(Limits::nodes(1000)),
        Request { infinite: true, ..Limits::depth(2).into() },
    ] {
        let (sender, events) = mpsc::channel();
        let ponder = limits.ponder;
        let search = engine.go(&play(Rules::STANDARD, fen), limits, move |event| {
            if let Event::Finished(answer) = event {
                sender.send(answer).unwrap();
            }
        });
        assert!(events.recv_timeout(Duration::from_millis(200)).is_err(), "answered too soon");
        if ponder {
            search.ponderhit();
        } else {
            search.stop();
        }
        assert!(events.recv().unwrap().best.is_some());
    }
    // A new search ends the old one; so does dropping the engine.
    let search = engine.go(&start(), Request::infinite(), |_| ());
    engine.go(&start(), Limits::depth(1), |_| ()).wait();
    assert!(search.wait().best.is_some());
    let search = engine.go(&start(), Request::infinite(), |_| ());
    drop(engine);
    assert!(search.wait().best.is_some());
}

#[test]
fn limits_are_kept() {
    let mut engine = Engine::new();
    let answer = engine.go(&start(), Limits::nodes(5000), |_| ()).wait();
    assert_eq!(answer.nodes, 5000);
    let wanted = parse_move(start().jungle(), start().position(), "a3a4").unwrap();
    let limits = Request::from(Limits::depth(4)).among([wanted]);
    assert_eq!(engine.go(&start(), limits, |_| ()).wait().best, Some(wanted));
    // Time is up before it began: there is still a move.
    let clock = Clock { remaining: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
    for limits in
        [Limits::time(Duration::ZERO), Limits::nodes(0), Limits::depth(0), Limits::clock(clock)]
    {
        assert!(engine.go(&start(), limits, |_| ()).wait().best.is_some());
    }
    let control = Control::new(false);
    control.stop();
    let answer = engine.think(&start(), Limits::default(), &control, &mut |_| ());
    assert!(answer.best.is_some());
}

#[test]
fn contempt_is_the_price_of_a_draw() {
    // The last move of a game that the move limit ends as a draw, whatever is played.
    let last = "7/7/3e3/7/7/7/3E3/7/7 w - - 0 200";
    for (fen, contempt) in [(last, 0), (last, 70), (last, -70)] {
        let mut engine = Engine::new();
        engine.set_options(Options { contempt, ..Options::default() }).unwrap();
        let answer = engine.go(&play(Rules::TUFTS, fen), Limits::depth(4), |_| ()).wait();
        assert_eq!(answer.score().verdict(), Verdict::Estimate(-contempt), "{contempt}");
    }
}

#[test]
fn an_advance_bonus_goes_forward_in_play_and_not_in_analysis() {
    // Two cats far apart: to the one on move a step forward is worth what the bonus says, and no more.
    let game = play(Rules::STANDARD, "c6/7/7/7/7/7/7/7/6C w");
    let searched = |options: Options, request: Request| {
        let mut engine = Engine::new();
        engine.set_options(options).unwrap();
        let (sender, heard) = mpsc::channel();
        let search = engine.go(&game, request, move |event| drop(sender.send(event)));
        // What never ends is stopped, but not before it has found something.
        assert!(matches!(heard.recv(), Ok(Event::Line(_))));
        search.stop();
        let answer = search.wait();
        (answer.best.unwrap().to_string(), answer.lines[0].score)
    };
    let forward = game.legal_moves().into_iter().find(|mv| mv.to_string() == "g1g2").unwrap();
    let only_forward = Request::from(Limits::depth(1)).among([forward]);
    let (_, plain) = searched(Options::default(), only_forward);
    let (best, advanced) =
        searched(Options { advance: 20, ..Options::default() }, Limits::depth(1).into());
    assert_eq!(best, "g1g2");
    assert_eq!(advanced.value(), plain.value() + 20);
    let (_, even) = searched(Options::default(), Limits::depth(1).into());
    let (_, several) =
        searched(Options { advance: 20, lines: 2, ..Options::default() }, Limits::depth(1).into());
    assert_eq!(several, even);
    let endless = Request { infinite: true, ..Limits::depth(1).into() };
    assert_eq!(searched(Options { advance: 20, ..Options::default() }, endless).1, even);
}

#[test]
fn options_out_of_range_are_refused() {
    let mut engine = Engine::new();
    for options in [
        Options { threads: 0, ..Options::default() },
        Options { hash: 0, ..Options::default() },
        Options { hash: usize::MAX, ..Options::default() },
        Options { lines: 1000, ..Options::default() },
        Options { contempt: 5000, ..Options::default() },
        Options { advance: -1, ..Options::default() },
    ] {
        assert!(engine.set_options(options).is_err());
    }
    assert_eq!(engine.options().threads, 1);
    assert!(engine.set_options(Options { threads: 2, hash: 1, ..Options::default() }).is_ok());
    assert!(engine.go(&start(), Limits::depth(8), |_| ()).wait().best.is_some());
}

#[test]
fn the_published_win_is_found_and_shown_to_its_end() {
    let figure = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w";
    for preset in Rules::PRESETS {
        let mut engine = Engine::new();
        let game = play(preset.rules, figure);
        let answer = engine.go(&game, Limits::nodes(20_000), |_| ()).wait();
        assert_eq!(answer.score().verdict(), Verdict::Known(Truth::Win(5)), "{}", preset.name);
        let mut game = game;
        for &mv in &answer.lines[0].pv {
            game.play(mv).unwrap();
        }
        assert_eq!(game.ending().unwrap().to_string(), "Red wins by entering the den");
        assert_eq!(game.moves().len(), 5);
    }
}

/// Burnett's Appendix A says of position (e) that White wins in five moves. As it is drawn White
/// loses, and soon.
#[test]
fn position_e_of_burnett_is_lost() {
    for preset in Rules::PRESETS {
        let mut engine = Engine::new();
        let game = play(preset.rules, "6R/1d2w2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w");
        let answer = engine.go(&game, Limits::nodes(400_000), |_| ()).wait();
        assert!(answer.score().is_loss(), "{}: {}", preset.name, answer.score());
    }
}

#[test]
fn levels_play_legal_moves_and_take_wins() {
    for number in 0..=20 {
        let mut engine = Engine::new();
        let level = Level::new(number).unwrap();
        engine.set_options(Options { level, ..Options::default() }).unwrap();
        let answer = engine.go(&start(), Limits::nodes(2000), |_| ()).wait();
        assert!(start().legal_moves().contains(&answer.best.unwrap()));
        assert_eq!(answer.lines.len(), 1);
        let at_the_den = play(Rules::STANDARD, "2C4/7/7/7/7/7/7/7/6r w");
        let answer = engine.go(&at_the_den, Limits::nodes(2000), |_| ()).wait();
        assert_eq!(answer.best.unwrap().to_string(), "c9d9");
        assert_eq!(answer.score(), Score::win_in(1));
    }
}

#[test]
fn a_search_answers_at_once_when_stopped() {
    // Not a timed check: it would hang if stopping did not work.
    let mut engine = Engine::new();
    engine.set_options(Options { threads: 2, ..Options::default() }).unwrap();
    for _ in 0..20 {
        let search = engine.go(&start(), Request::infinite(), |_| ());
        search.stop();
        assert!(search.wait().best.is_some());
    }
}
