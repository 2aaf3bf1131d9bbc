//! `mousetrap uci` and `mousetrap xboard`: lines in, lines out.
//!
//! Hosts that can start a program but not give it arguments are served too: started without any, and
//! not from a terminal, the first line says which protocol is meant.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::{Arc, mpsc};

use engine::protocol::xboard::Message;
use engine::protocol::{Flow, Sink, uci, xboard};

use crate::commands::tb::tables_folder;
use crate::failure::Failure;

/// The first line, if this process was started by a host without arguments.
pub fn greeting() -> Option<String> {
    if std::env::args_os().len() > 1 || io::stdin().is_terminal() {
        return None;
    }
    let mut lines = Lines::default();
    lines.find(|line| !line.trim().is_empty())
}

/// Speaks the protocol that begins with `greeting`.
pub fn answer(greeting: String) -> Result<(), Failure> {
    match greeting.split_whitespace().next() {
        Some("uci") => uci(Some(greeting)),
        Some("xboard") => xboard(Some(greeting)),
        _ => Err(Failure::Input(
            "expected 'uci' or 'xboard' on standard input; `mousetrap --help` lists the commands"
                .to_owned(),
        )),
    }
}

/// Speaks UCI until the other side leaves. `greeting` is a line that was read already.
pub fn uci(greeting: Option<String>) -> Result<(), Failure> {
    let mut session = uci::Session::new(tables_folder(None).ok(), stdout());
    for line in greeting.into_iter().chain(Lines::default()) {
        if session.line(&line) == Flow::Quit {
            return Ok(());
        }
    }
    session.end();
    Ok(())
}

/// Speaks XBoard's protocol until the other side leaves. `greeting` is a line that was read already.
pub fn xboard(greeting: Option<String>) -> Result<(), Failure> {
    let (messages, arriving) = mpsc::channel();
    let mut session = xboard::Session::new(tables_folder(None).ok(), stdout(), messages.clone());
    std::thread::spawn(move || {
        for line in greeting.into_iter().chain(Lines::default()) {
            if messages.send(Message::Line(line)).is_err() {
                return;
            }
        }
        // If the receiver is gone, the session is over anyway.
        let _ = messages.send(Message::End);
    });
    for message in arriving {
        if session.handle(message) == Flow::Quit {
            break;
        }
    }
    Ok(())
}

/// Standard output, a line at a time. If the host has closed it, what it should have read is
/// dropped, and the end of the input ends the session.
fn stdout() -> Sink {
    Arc::new(|line: &str| {
        let mut stdout = io::stdout().lock();
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    })
}

/// The lines of standard input. What is not UTF-8 is replaced, so that it is refused like any other
/// nonsense; an endless line is cut into pieces rather than filling the memory.
#[derive(Default)]
struct Lines {
    buffer: Vec<u8>,
}

/// Longer than the moves of any game.
const LONGEST_LINE: u64 = 1 << 20;

impl Iterator for Lines {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.buffer.clear();
        let mut input = io::Read::take(io::stdin().lock(), LONGEST_LINE);
        match input.read_until(b'\n', &mut self.buffer) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(
                String::from_utf8_lossy(&self.buffer).trim_end_matches(['\r', '\n']).to_owned(),
            ),
        }
    }
}
