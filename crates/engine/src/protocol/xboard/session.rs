//! A CECP session: the engine's side of the conversation.

use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;

use game::clock::Clock;
use game::limits::Limits;
use game::score::{Bound, ReportedScore, Score};
use jungle::{Color, Move, Play, Setup, parse_move};

use super::command::Command;
use crate::protocol::settings::{Kind, SETTINGS, Settings};
use crate::protocol::{Flow, NAME, Sink};
use crate::report::{Answer, Event, Line};
use crate::{Request, Search};

/// An event.
#[derive(Debug)]
pub enum Message {
    /// A line arrived.
    Line(String),
    /// The input has ended.
    End,
    /// The search of this number has ended.
    Found(u64, Answer),
}

/// An XBoard session.
pub struct Session {
    settings: Settings,
    sink: Sink,
    /// Where searches announce their end.
    messages: Sender<Message>,
    play: Play,
    mode: Mode,
    search: Option<Running>,
    searches: u64,
    post: bool,
    ponder: bool,
    level: TimeControl,
    seconds_a_move: Option<Duration>,
    depth: Option<u32>,
    own_time: Option<Duration>,
    /// The engine's score of its last move, and the reply it expects.
    last: Option<(Score, Option<Move>)>,
}

/// Who makes the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The user, for both sides.
    Force,
    /// The engine plays this side.
    Play(Color),
    /// The user, while the engine analyses.
    Analyze,
}

struct Running {
    number: u64,
    search: Search,
    purpose: Purpose,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// To find a move to play.
    Move,
    /// Pondering: to be ready when this move is made.
    Ponder(Move),
    /// Analysis.
    Analysis,
}

/// The moves of a time control, what the clock starts with, and what a move adds.
#[derive(Clone, Copy, Debug)]
struct TimeControl {
    moves: u32,
    base: Duration,
    increment: Duration,
}

/// The name under which XBoard lists the game.
const VARIANT: &str = "jungle";
/// Which of XBoard's pictures stands for which letter: those it has no name for go where there is room.
const PIECES: &str = "PT.R..E.CW......D.L...pt.r..e.cw......d.l...";

impl Session {
    /// A session whose output goes to `sink`; searches announce their end to `messages`, whose other
    /// end has to be handed back to [`handle`](Session::handle). For `usual_tables` see
    /// [`Settings::new`].
    pub fn new(usual_tables: Option<PathBuf>, sink: Sink, messages: Sender<Message>) -> Session {
        let settings = Settings::new(usual_tables);
        let play = Play::start(settings.jungle());
        let minutes = |count: u64| Duration::from_secs(60 * count);
        Session {
            settings,
            sink,
            messages,
            play,
            mode: Mode::Force,
            search: None,
            searches: 0,
            post: false,
            ponder: false,
            level: TimeControl { moves: 0, base: minutes(5), increment: Duration::ZERO },
            seconds_a_move: None,
            depth: None,
            own_time: None,
            last: None,
        }
    }

    /// Handles an event.
    pub fn handle(&mut self, message: Message) -> Flow {
        match message {
            Message::Line(line) => match Command::parse(&line) {
                Ok(None) => (),
                Ok(Some(Command::Quit)) => {
                    self.drop_search();
                    return Flow::Quit;
                }
                Ok(Some(command)) => self.obey(command),
                Err(fault) => self.say(&fault.to_string()),
            },
            Message::End => {
                self.drop_search();
                return Flow::Quit;
            }
            Message::Found(number, answer) => self.found(number, &answer),
        }
        Flow::Continue
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::XBoard => self.say(""),
            Command::Protover(_) => self.introduce(),
            Command::Nothing | Command::Quit => (),
            Command::Variant(name) => {
                if name == VARIANT {
                    self.set_up();
                } else {
                    let name: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
                    self.say(&format!("Error (this engine plays {VARIANT} only): variant {name}"));
                }
            }
            Command::New => {
                self.drop_search();
                self.settings.engine.new_game();
                self.play = Play::start(self.settings.jungle());
                self.mode = Mode::Play(Color::Black);
                self.depth = None;
                self.last = None;
            }
            Command::Force => {
                self.drop_search();
                self.mode = Mode::Force;
            }
            Command::Go => {
                self.drop_search();
                self.mode = Mode::Play(self.play.position().turn());
                self.go_on();
            }
            Command::PlayOther => {
                self.drop_search();
                self.mode = Mode::Play(!self.play.position().turn());
                self.go_on();
            }
            Command::Level { moves, base, increment } => {
                self.level = TimeControl { moves, base, increment };
                self.seconds_a_move = None;
                self.own_time = None;
            }
            Command::SecondsAMove(time) => self.seconds_a_move = Some(time),
            Command::Depth(depth) => self.depth = Some(depth),
            Command::Time(time) => self.own_time = Some(time),
            Command::OpponentTime(_) => (),
            Command::UserMove(text) => self.user_move(&text),
            Command::MoveNow => {
                if let Some(Running { search, purpose: Purpose::Move, .. }) = &self.search {
                    search.stop();
                }
            }
            Command::Ping(number) => {
                self.open_tables();
                self.say(&format!("pong {number}"));
            }
            Command::DrawOffer => self.consider_draw(),
            Command::Result => {
                self.drop_search();
                self.mode = Mode::Force;
            }
            Command::SetBoard(fen) => self.set_board(&fen),
            Command::Hint => {
                if let Some((_, Some(mv))) = self.last {
                    self.say(&format!("Hint: {mv}"));
                }
            }
            Command::Undo => self.take_back(1),
            Command::Remove => self.take_back(2),
            Command::Ponder(ponder) => {
                self.ponder = ponder;
                if matches!(&self.search, Some(Running { purpose: Purpose::Ponder(_), .. })) {
                    self.drop_search();
                }
            }
            Command::Post(post) => self.post = post,
            Command::Analyze => {
                self.drop_search();
                self.mode = Mode::Analyze;
                self.go_on();
            }
            Command::Exit => {
                self.drop_search();
                self.mode = Mode::Force;
            }
            Command::Status => (),
            Command::Memory(megabytes) => {
                // The rest is for everything but the table.
                let hash = megabytes.saturating_sub(16).max(1);
                self.set_option("Hash", Some(&hash.to_string()));
            }
            Command::Cores(cores) => self.set_option("Threads", Some(&cores.to_string())),
            Command::TablePath(folder) => self.set_option("TablebasePath", Some(&folder)),
            Command::Option { name, value } => self.set_option(&name, value.as_deref()),
        }
    }

    fn say(&self, line: &str) {
        (self.sink)(line);
    }

    fn introduce(&self) {
        self.say("feature done=0");
        self.say(&format!("feature myname=\"{NAME}\" variants=\"{VARIANT}\""));
        self.say("feature ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=1 reuse=1");
        self.say("feature analyze=1 colors=0 sigint=0 sigterm=0 memory=1 smp=1 debug=1 name=0");
        self.say("feature egt=\"mousetrap\"");
        for setting in &SETTINGS {
            // XBoard has its own commands for these.
            let name = setting.name;
            if matches!(name, "Hash" | "Threads" | "Ponder" | "UCI_ShowWDL") {
                continue;
            }
            let widget = match setting.kind {
                Kind::Number { default, least, most } => format!("-spin {default} {least} {most}"),
                Kind::Switch(default) => format!("-check {}", u8::from(default)),
                Kind::Text(default) => format!("-string {default}"),
                Kind::Button => "-button".to_owned(),
            };
            self.say(&format!("feature option=\"{name} {widget}\""));
        }
        self.set_up();
        self.say("feature done=1");
    }

    /// Sends XBoard the board, the letters of the pieces and the start.
    fn set_up(&self) {
        let start = Play::start(self.settings.jungle()).setup();
        self.say(&format!("setup ({PIECES}) 7x9+0_fairy {start}"));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        self.drop_search();
        if let Err(error) = self.settings.set(name, value) {
            self.say(&format!("tellusererror {error}"));
        }
        let jungle = self.settings.jungle();
        if jungle.rules() != self.play.jungle().rules() {
            let setup = self.play.setup();
            self.play = Play::new(jungle.clone(), &setup).unwrap_or_else(|_| Play::start(jungle));
        }
        self.go_on();
    }

    fn open_tables(&mut self) {
        if self.search.is_none()
            && let Some(remark) = self.settings.open_tables()
        {
            self.say(&format!("# {remark}"));
        }
    }

    fn user_move(&mut self, text: &str) {
        let parsed = parse_move(self.play.jungle(), self.play.position(), text);
        let mv = match parsed {
            Ok(mv) => mv,
            Err(error) => {
                let text: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
                return self.say(&format!("Illegal move ({error}): {text}"));
            }
        };
        let mut checked = self.play.clone();
        if let Err(error) = checked.play(mv) {
            return self.say(&format!("Illegal move ({error}): {text}"));
        }
        self.play = checked;
        if let Some(running) = &mut self.search
            && running.purpose == Purpose::Ponder(mv)
        {
            running.purpose = Purpose::Move;
            return running.search.ponderhit();
        }
        self.drop_search();
        self.tell_result();
        self.go_on();
    }

    fn set_board(&mut self, fen: &str) {
        let play = fen.parse::<Setup>().map_err(|error| error.to_string()).and_then(|setup| {
            Play::new(self.settings.jungle(), &setup).map_err(|error| error.to_string())
        });
        match play {
            Ok(play) => {
                self.drop_search();
                self.play = play;
                self.last = None;
                self.go_on();
            }
            Err(reason) => self.say(&format!("tellusererror Illegal position: {reason}")),
        }
    }

    fn take_back(&mut self, count: usize) {
        if self.play.moves().len() < count {
            return self.say("Error (there is no such move): undo");
        }
        self.drop_search();
        for _ in 0..count {
            self.play.undo();
        }
        self.last = None;
        self.go_on();
    }

    /// The engine accepts a draw when it stands worse.
    fn consider_draw(&mut self) {
        if self.last.is_some_and(|(score, _)| score < Score::estimate(-100)) {
            self.say("offer draw");
        }
    }

    /// Starts whatever search the mode and the position ask for.
    fn go_on(&mut self) {
        if self.search.is_some() || self.play.ending().is_some() {
            return;
        }
        let turn = self.play.position().turn();
        match self.mode {
            Mode::Play(side) if side == turn => {
                let request = self.limits().into();
                self.start(&self.play.clone(), request, Purpose::Move);
            }
            Mode::Analyze => {
                self.start(&self.play.clone(), Request::infinite(), Purpose::Analysis);
            }
            Mode::Play(_) | Mode::Force => (),
        }
    }

    fn limits(&self) -> Limits {
        let clock = self.seconds_a_move.is_none().then(|| {
            let made = (self.play.moves().len() / 2) as u32;
            let TimeControl { moves, base, increment } = self.level;
            Clock {
                remaining: self.own_time.unwrap_or(base),
                increment,
                moves_to_go: (moves > 0).then(|| moves - made % moves),
            }
        });
        Limits { depth: self.depth, time: self.seconds_a_move, clock, ..Limits::default() }
    }

    fn start(&mut self, play: &Play, request: Request, purpose: Purpose) {
        self.open_tables();
        self.searches += 1;
        let number = self.searches;
        let (sink, messages) = (self.sink.clone(), self.messages.clone());
        let post = self.post || purpose == Purpose::Analysis;
        let search = self.settings.engine.go(play, request, move |event| match event {
            Event::Line(line) => {
                if post && line.bound == Bound::Exact {
                    sink(&thinking(&line));
                }
            }
            Event::Finished(answer) => {
                // The receiver is gone when the session is over.
                let _ = messages.send(Message::Found(number, answer));
            }
        });
        self.search = Some(Running { number, search, purpose });
    }

    /// Ends the running search, and ignores its result.
    fn drop_search(&mut self) {
        self.search = None;
        self.settings.engine.stop();
    }

    fn found(&mut self, number: u64, answer: &Answer) {
        let Some(Running { number: expected, purpose, .. }) = &self.search else { return };
        if *expected != number || *purpose != Purpose::Move {
            return;
        }
        self.search = None;
        let Some(best) = answer.best else { return };
        if self.play.play(best).is_err() {
            return self.say("Error (no legal move was found): go");
        }
        self.last = Some((answer.score(), answer.ponder));
        self.say(&format!("move {best}"));
        self.tell_result();
        self.start_pondering(answer.ponder);
    }

    fn start_pondering(&mut self, expected: Option<Move>) {
        let Some(expected) = expected.filter(|_| self.ponder && self.play.ending().is_none())
        else {
            return;
        };
        let mut play = self.play.clone();
        if play.play(expected).is_ok() && play.ending().is_none() {
            let request = Request::ponder(self.limits());
            self.start(&play, request, Purpose::Ponder(expected));
        }
    }

    fn tell_result(&mut self) {
        if let Some(ending) = self.play.ending() {
            let result = match ending.winner {
                Some(Color::White) => "1-0",
                Some(Color::Black) => "0-1",
                None => "1/2-1/2",
            };
            self.say(&format!("{result} {{{}}}", ending.in_chess_words()));
        }
    }
}

/// Thinking output: depth, score, centiseconds, nodes, moves.
fn thinking(line: &Line) -> String {
    let score = match ReportedScore::from(line.score) {
        ReportedScore::Mate(moves) => i64::from(moves) + 100_000 * i64::from(moves.signum()),
        ReportedScore::Cp(value) => i64::from(value),
    };
    let mut text = format!("{} {score} {} {}", line.depth, line.time.as_millis() / 10, line.nodes);
    for mv in &line.pv {
        text.push_str(&format!(" {mv}"));
    }
    text
}
