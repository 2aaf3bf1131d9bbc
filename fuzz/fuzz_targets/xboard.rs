//! XBoard: whatever lines come, nothing breaks, and every move that the engine makes is legal.
#![no_main]

use std::sync::{Arc, mpsc};

use engine::protocol::Flow;
use engine::protocol::xboard::{Message, Session};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (messages, queue) = mpsc::channel();
    let mut session = Session::new(None, Arc::new(|_: &str| ()), messages);
    session.handle(Message::Line("memory 1".to_owned()));
    for line in text.lines().take(50) {
        let lower = line.to_lowercase();
        if ["memory", "cores", "hash", "threads", "path"].iter().any(|word| lower.contains(word)) {
            continue;
        }
        // `?` asks for the move at once.
        for line in [line, "?"] {
            if session.handle(Message::Line(line.to_owned())) == Flow::Quit {
                return;
            }
        }
        while let Ok(message) = queue.try_recv() {
            session.handle(message);
        }
    }
    session.handle(Message::Line("quit".to_owned()));
});
