//! UCI sessions.

use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::protocol::{Flow, uci::Session};
use game::Game;
use game::rng::Rng;
use jungle::{Jungle, Position, Rules, parse_move};

/// A session and what it says.
struct Talk {
    session: Session,
    said: Receiver<String>,
}

impl Talk {
    fn new() -> Talk {
        let (sender, said) = mpsc::channel();
        let sender = Mutex::new(sender);
        let sink = Arc::new(move |line: &str| {
            // The receiver may be gone before the session ends.
            let _ = sender.lock().unwrap().send(line.to_owned());
        });
        let mut talk = Talk { session: Session::new(None, sink), said };
        talk.tell("setoption name Hash value 1");
        talk
    }

    fn tell(&mut self, line: &str) {
        assert_eq!(self.session.line(line), Flow::Continue);
    }

    /// Everything up to a line with this beginning; the line itself comes last.
    fn until(&self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self
                .said
                .recv_timeout(Duration::from_secs(60))
                .unwrap_or_else(|_| panic!("no '{beginning}' after {lines:?}"));
            let last = line.starts_with(beginning);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// What was said so far and not read.
    fn rest(&self) -> Vec<String> {
        self.said.try_iter().collect()
    }
}

#[test]
fn introduces_itself_with_all_options() {
    let mut talk = Talk::new();
    talk.tell("uci");
    let lines = talk.until("uciok");
    assert!(lines[0].starts_with("id name Mousetrap "));
    for option in [
        "Hash type spin",
        "Clear Hash type button",
        "Threads type spin",
        "MultiPV type spin",
        "Ponder type check",
        "UCI_ShowWDL type check",
        "UCI_LimitStrength type check",
        "UCI_Elo type spin",
        "Skill Level type spin",
        "TablebasePath type string",
        "Rules type string",
        "Contempt type spin",
        "Advance type spin default 2 min 0 max 20",
        "Move Overhead type spin",
    ] {
        let start = format!("option name {option}");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{option}");
    }
    talk.tell("isready");
    assert_eq!(talk.until("readyok").last().unwrap(), "readyok");
}

#[test]
fn info_lines_have_every_field() {
    let mut talk = Talk::new();
    talk.tell("setoption name UCI_ShowWDL value true");
    talk.tell("setoption name MultiPV value 3");
    talk.tell("position startpos moves a3b3 a7b7");
    talk.tell("go depth 4");
    let lines = talk.until("bestmove");
    let infos: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("info depth 4 ")).collect();
    for index in 1..=3 {
        let multipv = format!(" multipv {index} ");
        let info = infos.iter().rfind(|line| line.contains(&multipv)).unwrap();
        for field in
            ["seldepth", "score cp", "wdl", "nodes", "nps", "hashfull", "tbhits", "time", "pv"]
        {
            assert!(info.contains(&format!(" {field} ")), "{field} in {info}");
        }
        let moves: Vec<&str> = info.split(" pv ").nth(1).unwrap().split(' ').collect();
        let jungle = Jungle::new(Rules::STANDARD);
        let mut position: Position = "l5t/1d3c1/1rp1w1e/7/7/7/1EW1P1R/1C3D1/T5L w".parse().unwrap();
        for text in moves {
            let mv = parse_move(&jungle, &position, text).unwrap();
            position = jungle.after(&position, mv);
        }
    }
}

#[test]
fn a_win_is_a_mate_in_moves() {
    let mut talk = Talk::new();
    talk.tell("position fen 5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w");
    talk.tell("go depth 7");
    let lines = talk.until("bestmove");
    let info = lines.iter().rfind(|line| line.starts_with("info depth")).unwrap();
    assert!(info.contains(" score mate 3 "), "{info}");
}

#[test]
fn every_go_gets_one_bestmove() {
    let mut talk = Talk::new();
    talk.tell("go infinite");
    talk.tell("isready");
    talk.until("readyok");
    talk.tell("go infinite");
    talk.until("bestmove");
    talk.tell("stop");
    talk.until("bestmove");
    talk.tell("stop");
    talk.tell("go ponder wtime 1000 btime 1000");
    talk.tell("ponderhit");
    talk.until("bestmove");
    talk.tell("go movetime 30");
    talk.until("bestmove");
    talk.tell("go ponder movetime 10");
    talk.tell("ucinewgame");
    talk.until("bestmove");
    talk.tell("go nodes 1");
    talk.until("bestmove");
    talk.tell("go depth 1 searchmoves c3d3");
    assert!(talk.until("bestmove").last().unwrap().starts_with("bestmove c3d3"));
    talk.tell("position fen 3R3/7/3e3/7/7/7/3E3/7/7 b");
    talk.tell("go depth 3");
    assert_eq!(talk.until("bestmove").last().unwrap(), "bestmove (none)");
    assert!(talk.rest().is_empty());
}

#[test]
fn nonsense_is_remarked_on_and_ignored() {
    let mut talk = Talk::new();
    talk.tell("position startpos moves a3b3");
    for line in [
        "nonsense",
        "position fen 7/7/7 w",
        "position startpos moves a3b3 a3b3",
        "position startpos moves a3a9",
        "setoption name Nonsense value 1",
        "setoption name Threads value 0",
        "go depth minus",
    ] {
        talk.tell(line);
        let said = talk.rest();
        assert!(
            !said.is_empty() && said.iter().all(|line| line.starts_with("info string ")),
            "{said:?}"
        );
    }
    talk.tell("d");
    let board = talk.rest();
    assert!(board.iter().any(|line| line.contains("1EW1P1R/1C3D1/T5L b")), "{board:?}");
}

#[test]
fn counts_moves() {
    let mut talk = Talk::new();
    talk.tell("go perft 3");
    let lines = talk.until("Nodes searched");
    assert_eq!(lines.last().unwrap(), "Nodes searched: 12240");
    assert_eq!(lines.len(), 24 + 2);
}

/// Each of these would outlive its user.
#[test]
fn counting_hears_stop_and_quit() {
    let mut talk = Talk::new();
    for (command, stopped) in [
        ("perft 60", "info string perft stopped"),
        ("go perft 60", "info string perft stopped"),
        ("bench 99", "info string bench stopped"),
    ] {
        talk.tell(command);
        talk.tell("isready");
        talk.until("readyok");
        talk.tell("stop");
        assert_eq!(talk.rest().last().unwrap(), stopped, "{command}");
    }
    talk.tell("perft 60");
    assert_eq!(talk.session.line("quit"), Flow::Quit);
}

#[test]
fn the_end_of_the_input_waits_for_what_ends_by_itself() {
    let Talk { mut session, said } = Talk::new();
    session.line("go depth 3");
    session.end();
    let lines: Vec<String> = said.iter().collect();
    assert!(lines.iter().any(|line| line.starts_with("info depth 3")));
    assert!(lines.last().unwrap().starts_with("bestmove"));
}

/// Whatever arrives, nothing breaks and every `go` is answered.
#[test]
fn survives_random_lines() {
    let words = [
        "uci",
        "isready",
        "setoption",
        "name",
        "value",
        "Hash",
        "Threads",
        "MultiPV",
        "Skill",
        "Level",
        "Rules",
        "leiden",
        "standard",
        "tufts,repetition=loss",
        "Ponder",
        "UCI_Elo",
        "true",
        "false",
        "ucinewgame",
        "position",
        "startpos",
        "fen",
        "moves",
        "a3b3",
        "g7f7",
        "a3a4",
        "c3d3",
        "go",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "movestogo",
        "infinite",
        "ponder",
        "searchmoves",
        "mate",
        "stop",
        "ponderhit",
        "d",
        "eval",
        "-1",
        "0",
        "1",
        "2",
        "3",
        "17",
        "99999999999999999999",
        "7/7/3e3/7/7/7/3E3/7/7",
        "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L",
        "w",
        "b",
        "-",
        "\u{0}",
        "鼠",
        "help",
        "debug",
        "x",
    ];
    let lines = std::env::var("MOUSETRAP_FUZZ_LINES").ok().and_then(|n| n.parse().ok());
    let mut rng = Rng::new(4);
    let mut talk = Talk::new();
    let mut goes = 0;
    let mut answers = 0;
    for _ in 0..lines.unwrap_or(3_000) {
        let count = 1 + rng.below(6);
        let mut line = String::new();
        for _ in 0..count {
            line.push_str(rng.choose(&words).unwrap());
            line.push(' ');
        }
        // Commands that would take all day or all memory are left out.
        let costly = line.contains("99999999999999999999") && line.contains("Threads");
        if costly || line.contains("Hash value 9") || line.contains("perft") {
            continue;
        }
        let understood = engine::protocol::uci::Command::parse(&line);
        goes += usize::from(matches!(understood, Ok(Some(engine::protocol::uci::Command::Go(_)))));
        talk.tell(&line);
        // No search goes on for long.
        talk.tell("stop");
        answers += talk.rest().iter().filter(|line| line.starts_with("bestmove")).count();
    }
    talk.tell("ucinewgame");
    talk.tell("isready");
    let last = talk.until("readyok");
    answers += last.iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(answers, goes);
    assert!(goes > 0);
}
