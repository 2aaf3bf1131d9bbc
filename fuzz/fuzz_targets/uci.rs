//! UCI: whatever lines come, nothing breaks, and every search that was asked for gives a best move.
#![no_main]

use std::sync::{Arc, Mutex};

use engine::protocol::Flow;
use engine::protocol::uci::{Command, Session};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let said = Arc::new(Mutex::new(0));
    let heard = Arc::clone(&said);
    let sink = Arc::new(move |line: &str| {
        *heard.lock().unwrap() += usize::from(line.starts_with("bestmove"));
    });
    let mut session = Session::new(None, sink);
    session.line("setoption name Hash value 1");
    let mut asked = 0;
    for line in text.lines().take(50) {
        // Memory and threads are the user's to give away, and files the user's to name.
        let lower = line.to_lowercase();
        if ["hash", "threads", "path"].iter().any(|word| lower.contains(word)) {
            continue;
        }
        if let Ok(Some(Command::Go(go))) = Command::parse(line) {
            asked += usize::from(go.perft.is_none());
        }
        if session.line(line) == Flow::Quit {
            break;
        }
        session.line("stop");
    }
    session.line("quit");
    drop(session);
    assert_eq!(*said.lock().unwrap(), asked);
});
