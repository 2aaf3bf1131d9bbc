//! XBoard sessions.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::protocol::Flow;
use engine::protocol::xboard::{Message, Session};
use game::rng::Rng;
use jungle::{Jungle, Play, Rules, parse_move};

const PATIENCE: Duration = Duration::from_secs(60);

/// A session, its queue, and what it says.
struct Talk {
    session: Session,
    queue: Receiver<Message>,
    /// Keeps the queue open.
    _sender: Sender<Message>,
    said: Receiver<String>,
}

impl Talk {
    fn new() -> Talk {
        let (messages, queue) = mpsc::channel();
        let (sender, said) = mpsc::channel();
        let sender = Mutex::new(sender);
        let sink = Arc::new(move |line: &str| {
            // The receiver may be gone before the session ends.
            let _ = sender.lock().unwrap().send(line.to_owned());
        });
        let session = Session::new(None, sink, messages.clone());
        Talk { session, queue, _sender: messages, said }
    }

    fn tell(&mut self, line: &str) {
        assert_eq!(self.session.handle(Message::Line(line.to_owned())), Flow::Continue);
    }

    /// Handles what searches report until a line with this beginning is said.
    fn until(&mut self, beginning: &str) -> String {
        let mut seen = VecDeque::new();
        loop {
            while let Ok(line) = self.said.try_recv() {
                if line.starts_with(beginning) {
                    return line;
                }
                seen.push_back(line);
            }
            let message = self
                .queue
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("no '{beginning}' after {seen:?}"));
            self.session.handle(message);
        }
    }

    fn rest(&self) -> Vec<String> {
        self.said.try_iter().collect()
    }
}

/// What a real XBoard said in a game, with moves that follow the game as it goes this time.
#[test]
fn plays_the_recorded_game() {
    let mut talk = Talk::new();
    let mut play = Play::start(Jungle::new(Rules::STANDARD));
    let mut own_moves = 0;
    for line in include_str!("data/xboard/two-machines.txt").lines() {
        match line.split_at_checked(2) {
            Some(("> ", "new")) => {
                play = Play::start(Jungle::new(Rules::STANDARD));
                talk.tell("new");
            }
            Some(("> ", sent)) if sent.starts_with("usermove ") => {
                if play.ending().is_some() {
                    break;
                }
                let recorded = parse_move(play.jungle(), play.position(), &sent[9..]).ok();
                let legal = play.legal_moves();
                let mv = recorded.filter(|mv| legal.contains(mv)).unwrap_or(legal[0]);
                play.play(mv).unwrap();
                talk.tell(&format!("usermove {mv}"));
            }
            Some(("> ", sent)) => talk.tell(sent),
            Some(("< ", said)) if said.starts_with("move ") => {
                if play.ending().is_some() {
                    break;
                }
                let said = talk.until("move ");
                let mv = parse_move(play.jungle(), play.position(), &said[5..]).unwrap();
                play.play(mv).unwrap();
                own_moves += 1;
            }
            Some(("< ", said)) if said.starts_with("feature option") => {
                talk.until("feature option");
            }
            Some(("< ", said)) if said.starts_with("feature myname") => {
                talk.until("feature myname=\"Mousetrap ");
            }
            Some(("< ", said)) if said.starts_with("1/2") => (),
            Some(("< ", said)) => {
                assert_eq!(talk.until(said), said);
            }
            _ => assert!(line.starts_with('#') || line.is_empty() || line == "<", "{line}"),
        }
    }
    assert!(own_moves >= 10, "{own_moves}");
}

#[test]
fn announces_the_board() {
    let mut talk = Talk::new();
    talk.tell("xboard");
    talk.tell("protover 2");
    let said = talk.rest();
    let setup = said.iter().find(|line| line.starts_with("setup ")).unwrap();
    assert!(setup.ends_with("7x9+0_fairy l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1"));
    let pieces = setup.split(['(', ')']).nth(1).unwrap();
    for letter in "RCWDPTLErcwdptle".chars() {
        assert_eq!(pieces.matches(letter).count(), 1, "{letter}");
    }
    assert_eq!(said.last().unwrap(), "feature done=1");
}

#[test]
fn plays_takes_back_and_ends() {
    let mut talk = Talk::new();
    talk.tell("new");
    talk.tell("sd 3");
    talk.tell("usermove a3b3");
    talk.until("move ");
    talk.tell("usermove b3b9");
    assert!(talk.until("Illegal move (").ends_with("): b3b9"));
    talk.tell("remove");
    talk.tell("usermove c3d3");
    talk.until("move ");
    talk.tell("undo");
    talk.until("move ");
    talk.tell("force");
    talk.tell("setboard 7/3E3/7/7/7/7/7/7/r6 w - - 0 1");
    talk.tell("go");
    assert_eq!(talk.until("move "), "move d8d9");
    assert_eq!(talk.until("1-0"), "1-0 {White wins by entering the den}");
    talk.tell("setboard 7/7 w");
    assert!(talk.until("tellusererror").starts_with("tellusererror Illegal position: "));
}

#[test]
fn moves_at_once_and_ponders() {
    let mut talk = Talk::new();
    talk.tell("new");
    talk.tell("st 1000");
    talk.tell("hard");
    talk.tell("usermove a3b3");
    talk.tell("?");
    talk.until("move ");
    // Pondering by now, on one reply or another; this one has to be right either way.
    talk.tell("usermove b2a2");
    talk.tell("?");
    talk.until("move ");
    talk.tell("easy");
    talk.tell("ping 7");
    assert_eq!(talk.until("pong"), "pong 7");
}

#[test]
fn analyses_without_moving() {
    let mut talk = Talk::new();
    talk.tell("new");
    talk.tell("force");
    talk.tell("analyze");
    for _ in 0..50 {
        if talk.said.recv_timeout(PATIENCE).unwrap().starts_with("5 ") {
            break;
        }
    }
    talk.tell("usermove a3b3");
    assert!(!talk.said.recv_timeout(PATIENCE).unwrap().is_empty());
    talk.tell("exit");
    talk.tell("ping 1");
    talk.until("pong 1");
    assert!(talk.rest().is_empty(), "nothing is searched any more");
}

/// Whatever arrives, nothing breaks.
#[test]
fn survives_random_lines() {
    let lines = [
        "xboard",
        "protover 2",
        "protover x",
        "new",
        "force",
        "go",
        "playother",
        "level 40 5 0",
        "level 0 0:01 1",
        "level a b c",
        "st 0.01",
        "st -3",
        "sd 2",
        "sd",
        "time 100",
        "otim -5",
        "usermove a3b3",
        "usermove a7b7",
        "usermove zz",
        "usermove",
        "?",
        "ping 3",
        "draw",
        "result 1-0 {x}",
        "setboard 7/7/3e3/7/7/7/3E3/7/7 b",
        "setboard nonsense",
        "hint",
        "undo",
        "remove",
        "hard",
        "easy",
        "post",
        "nopost",
        "analyze",
        "exit",
        ".",
        "memory 20",
        "memory x",
        "cores 1",
        "cores 0",
        "option Skill Level=3",
        "option Rules=leiden",
        "option Rules=x",
        "option Clear Hash",
        "option",
        "egtpath mousetrap /nowhere",
        "variant jungle",
        "variant x",
        "\u{0}\u{1}",
        "鼠",
        "",
        "bk",
        "random",
        "computer",
        "rejected ping",
        "pause",
    ];
    let count = std::env::var("MOUSETRAP_FUZZ_LINES").ok().and_then(|n| n.parse().ok());
    let mut rng = Rng::new(5);
    let mut talk = Talk::new();
    talk.tell("memory 17");
    for _ in 0..count.unwrap_or(3_000) {
        let line = rng.choose(&lines).unwrap();
        talk.tell(line);
        while let Ok(message) = talk.queue.try_recv() {
            talk.session.handle(message);
        }
        talk.rest();
    }
    talk.tell("force");
    talk.tell("ping 99");
    assert_eq!(talk.until("pong 99"), "pong 99");
    assert_eq!(talk.session.handle(Message::Line("quit".to_owned())), Flow::Quit);
}
