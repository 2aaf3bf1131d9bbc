//! Matches against programs that speak UCI: a good one, and every kind of bad one.
#![cfg(unix)]

use std::path::Path;
use std::time::Duration;

use game::score::ReportedScore;
use jungle::EndReason;
use lab::contest::{Contest, ContestResult, Observer};
use lab::record::RecordedGame;
use lab::referee::End;
use lab::standing::Scoreboard;
use lab::{Openings, Settings, Spec, TimeControl};

fn engine(mode: &str) -> Spec {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine.sh");
    format!("uci:sh {} {mode}", script.display()).parse().expect("there is a shell")
}

#[derive(Default)]
struct Rows(Vec<RecordedGame>);

impl Observer for Rows {
    fn finished(&mut self, row: &RecordedGame, _: &Scoreboard) {
        self.0.push(row.clone());
    }
}

/// Two games from the start, at a time.
fn play(a: Spec, b: Spec, time_control: TimeControl) -> (ContestResult, Vec<RecordedGame>) {
    let settings = Settings {
        games: 2,
        openings: Openings::Start,
        patience: Duration::from_secs(3),
        margin: Duration::from_secs(1),
        ..Settings::new(vec![a, b], time_control)
    };
    let mut rows = Rows::default();
    let report = Contest::new(settings).unwrap().concurrency(2).run(&mut rows).unwrap();
    rows.0.sort_by_key(|row| row.game);
    (report, rows.0)
}

#[test]
fn a_good_engine_plays_and_what_it_says_is_kept() {
    let (report, rows) = play(engine("good"), engine("good"), TimeControl::Nodes(100));
    let tally = report.standing.first_pairing();
    assert_eq!((tally.draws, tally.games()), (2, 2), "{:?}", report.standing.faults);
    assert!(rows.iter().all(|row| row.played.moves.len() == 8));
    let end = End::Rules(EndReason::Repetition);
    assert!(rows.iter().all(|row| row.played.decision.end == end));
    let first = &rows[0].played.moves[0].choice;
    assert_eq!((first.mv.to_string(), first.info.depth), ("a3a4".to_owned(), Some(1)));
    assert_eq!((first.info.score, first.info.nodes), (Some(ReportedScore::Cp(12)), Some(77)));
}

#[test]
fn a_bad_engine_loses_every_game_and_the_match_goes_on() {
    let cases = [
        ("hang", End::Timeout, "no move after"),
        ("flood", End::Timeout, "no move after"),
        ("mute", End::Timeout, "no move after"),
        ("exit", End::Crash, "it ended (exit status: 7)"),
        ("close", End::Crash, "it closed its output"),
        ("illegal", End::IllegalMove, "bestmove a1a9"),
        ("nonsense", End::IllegalMove, "bestmove"),
    ];
    let check = |mode: &str, end: End, why: &str| {
        let (report, rows) = play(engine("good"), engine(mode), TimeControl::Nodes(100));
        let tally = report.standing.first_pairing();
        assert_eq!((tally.wins, tally.games()), (2, 2), "{mode}: {rows:?}");
        assert_eq!(report.standing.ends[&end], 2, "{mode}");
        assert_eq!(report.standing.faults.len(), 2);
        for (_, reason) in &report.standing.faults {
            assert!(reason.contains(why), "{mode}: {reason}");
        }
    };
    // Most of it is waiting.
    std::thread::scope(|scope| {
        for (mode, end, why) in cases {
            scope.spawn(move || check(mode, end, why));
        }
    });
}

#[test]
fn engines_keep_time_or_lose() {
    for time_control in
        [TimeControl::clock("5+0.1").unwrap(), TimeControl::Time(Duration::from_secs(5))]
    {
        let (report, _) = play(engine("good"), engine("good"), time_control);
        assert_eq!(report.standing.first_pairing().draws, 2, "{:?}", report.standing.faults);
    }
    let (report, _) = play(engine("good"), engine("hang"), TimeControl::clock("2+0").unwrap());
    assert_eq!(report.standing.ends[&End::Timeout], 2);
}

#[test]
fn options_and_rules_are_set() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let spec = format!("{} {} ; Hash=32; Book File = a b", engine("good"), log.display());
    let players = vec![spec.parse().unwrap(), engine("good")];
    let settings = Settings {
        games: 2,
        openings: Openings::Start,
        rules: "leiden,repetition=draw".parse().unwrap(),
        ..Settings::new(players, TimeControl::Depth(1))
    };
    Contest::new(settings).unwrap().run(&mut lab::contest::Silent).unwrap();
    let said = std::fs::read_to_string(log).unwrap();
    let expected =
        "name Rules value leiden,repetition=draw\nname Hash value 32\nname Book File value a b\n";
    assert_eq!(said, expected);
}

/// Nothing that a hanging engine started is left behind.
#[test]
fn hung_engines_are_killed_with_what_they_started() {
    let folder = tempfile::tempdir().unwrap();
    let (script, alive) = (folder.path().join("parent.sh"), folder.path().join("alive"));
    // The engine's child would go on for ever, touching a file.
    let text = format!(
        "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
         go) (while :; do date +%N >{}; sleep 0.02; done) & wait;; esac; done",
        alive.display()
    );
    std::fs::write(&script, text).unwrap();
    let spec = format!("uci:sh {}", script.display()).parse().unwrap();
    let (report, _) = play(engine("good"), spec, TimeControl::Nodes(1));
    assert_eq!(report.standing.ends[&End::Timeout], 2);
    let before = std::fs::read_to_string(&alive).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(std::fs::read_to_string(&alive).unwrap(), before, "the child is still running");
}
