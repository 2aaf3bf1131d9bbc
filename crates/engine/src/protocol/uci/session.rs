//! A UCI session: the engine's side of the conversation.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use game::Game;
use game::clock::Clock;
use game::limits::{Limits, nps};
use game::perft::perft_until;
use game::score::{Bound, Evaluate, ReportedScore};
use jungle::picture::Terminal;
use jungle::{
    BurnettEval, Color, IllegalMove, Move, ParseFenError, ParseMoveError, Play, Setup, SetupError,
    parse_move,
};

use super::command::{Command, Go};
use crate::control::Control;
use crate::eval::Breakdown;
use crate::protocol::settings::{Kind, SETTINGS, Settings};
use crate::protocol::{Flow, NAME, Sink};
use crate::report::{Answer, Event, Line};
use crate::{Request, Search, bench};

/// A UCI session.
pub struct Session {
    settings: Settings,
    play: Play,
    sink: Sink,
    search: Option<Search>,
    /// Whether the running search ends by itself.
    bounded: bool,
    counting: Option<Counting>,
}

/// Why a position was not set.
#[derive(Debug, thiserror::Error)]
enum PositionError {
    #[error(transparent)]
    Fen(#[from] ParseFenError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("{text}: {source}")]
    Unreadable { text: String, source: ParseMoveError },
    #[error("{text}: {source}")]
    Illegal { text: String, source: IllegalMove },
}

/// A running perft or bench.
struct Counting {
    control: Arc<Control>,
    thread: JoinHandle<()>,
}

impl Session {
    /// A session whose output goes to `sink`; for `usual_tables` see [`Settings::new`].
    pub fn new(usual_tables: Option<PathBuf>, sink: Sink) -> Session {
        let settings = Settings::new(usual_tables);
        let play = Play::start(settings.jungle());
        Session { settings, play, sink, search: None, bounded: true, counting: None }
    }

    /// Handles a line of input.
    pub fn line(&mut self, line: &str) -> Flow {
        match Command::parse(line) {
            Ok(None) => Flow::Continue,
            Ok(Some(Command::Quit)) => {
                self.stop();
                Flow::Quit
            }
            Ok(Some(command)) => {
                self.obey(command);
                Flow::Continue
            }
            Err(fault) => {
                self.remark(&fault.to_string());
                Flow::Continue
            }
        }
    }

    /// The input has ended: waits for a search that ends by itself, and stops any other.
    pub fn end(mut self) {
        if let Some(search) = self.search.take()
            && self.bounded
        {
            let _ = search.wait();
        }
        if let Some(counting) = self.counting.take() {
            let _ = counting.thread.join();
        }
        self.stop();
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug | Command::Quit => (),
            Command::IsReady => {
                self.open_tables();
                self.say("readyok");
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.stop();
                self.settings.engine.new_game();
            }
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Go(Go { perft: Some(depth), .. }) | Command::Perft(depth) => self.perft(depth),
            Command::Go(go) => self.go(&go),
            Command::Stop => {
                if let Some(search) = &self.search {
                    search.stop();
                }
                self.stop_counting();
            }
            Command::PonderHit => {
                if let Some(search) = &self.search {
                    search.ponderhit();
                    self.bounded = true;
                }
            }
            Command::Display => self.display(),
            Command::Eval => self.eval(),
            Command::Bench(depth) => self.bench(depth),
            Command::Help => self.help(),
        }
    }

    fn say(&self, line: &str) {
        (self.sink)(line);
    }

    fn remark(&self, text: &str) {
        for line in text.lines() {
            self.say(&format!("info string {line}"));
        }
    }

    fn introduce(&self) {
        self.say(&format!("id name {NAME}"));
        self.say("id author the Mousetrap developers");
        for setting in &SETTINGS {
            let name = setting.name;
            self.say(&match setting.kind {
                Kind::Number { default, least, most } => {
                    format!("option name {name} type spin default {default} min {least} max {most}")
                }
                Kind::Switch(default) => format!("option name {name} type check default {default}"),
                Kind::Text(default) => format!("option name {name} type string default {default}"),
                Kind::Button => format!("option name {name} type button"),
            });
        }
        self.say("uciok");
    }

    fn open_tables(&mut self) {
        if let Some(remark) = self.settings.open_tables() {
            self.remark(&remark);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        self.stop();
        let rules = *self.play.jungle().rules();
        if let Err(error) = self.settings.set(name, value) {
            self.remark(&error.to_string());
        }
        let jungle = self.settings.jungle();
        if *jungle.rules() != rules {
            // The same position under other rules; its moves may not have been legal there.
            let setup = self.play.setup();
            self.play = Play::new(jungle.clone(), &setup).unwrap_or_else(|_| Play::start(jungle));
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        match self.read_position(fen, moves) {
            Ok(play) => self.play = play,
            Err(reason) => self.remark(&format!("position not set: {reason}")),
        }
    }

    fn read_position(&self, fen: Option<&str>, moves: &[String]) -> Result<Play, PositionError> {
        let jungle = self.settings.jungle();
        let mut play = match fen {
            None => Play::start(jungle),
            Some(fen) => Play::new(jungle, &fen.parse::<Setup>()?)?,
        };
        for text in moves {
            let mv = parse_move(play.jungle(), play.position(), text)
                .map_err(|source| PositionError::Unreadable { text: text.clone(), source })?;
            play.play(mv)
                .map_err(|source| PositionError::Illegal { text: text.clone(), source })?;
        }
        Ok(play)
    }

    fn go(&mut self, go: &Go) {
        self.stop();
        let mut request = request(go, self.play.position().turn());
        for text in &go.searchmoves {
            match parse_move(self.play.jungle(), self.play.position(), text) {
                Ok(mv) => request.moves.push(mv),
                Err(error) => self.remark(&format!("searchmoves {text}: {error}")),
            }
        }
        self.open_tables();
        self.bounded = request.is_bounded();
        let sink = self.sink.clone();
        let chances = self.settings.show_chances;
        self.search =
            Some(self.settings.engine.go(&self.play, request, move |event| match event {
                Event::Line(line) => sink(&info(&line, chances)),
                Event::Finished(answer) => sink(&best_move(&answer)),
            }));
    }

    /// Ends whatever is running, and waits until it has reported.
    fn stop(&mut self) {
        self.search = None;
        self.settings.engine.stop();
        self.stop_counting();
    }

    fn stop_counting(&mut self) {
        if let Some(counting) = self.counting.take() {
            counting.control.stop();
            // There is no result to hand over.
            let _ = counting.thread.join();
        }
    }

    /// Counts on its own thread, so that `stop` and `quit` are heard.
    fn count(&mut self, name: &'static str, job: impl FnOnce(&Control, &Sink) + Send + 'static) {
        self.stop();
        let control = Arc::new(Control::new(false));
        let (sink, shared) = (self.sink.clone(), Arc::clone(&control));
        let started = std::thread::Builder::new().spawn(move || {
            job(&shared, &sink);
            if shared.stopped() {
                sink(&format!("info string {name} stopped"));
            }
        });
        match started {
            Ok(thread) => self.counting = Some(Counting { control, thread }),
            Err(error) => self.remark(&format!("{name} cannot be started: {error}")),
        }
    }

    fn perft(&mut self, depth: u32) {
        let play = self.play.clone();
        self.count("perft", move |control, sink| {
            let (jungle, position) = (play.jungle(), play.position());
            let mut total = u64::from(depth == 0);
            let moves = if depth == 0 { Vec::new() } else { jungle.moves(position) };
            for &mv in &moves {
                let after = jungle.after(position, mv);
                let Some(count) = perft_until(jungle, &after, depth - 1, control.flag()) else {
                    return;
                };
                sink(&format!("{mv}: {count}"));
                total += count;
            }
            sink("");
            sink(&format!("Nodes searched: {total}"));
        });
    }

    fn display(&self) {
        for line in Terminal::of(self.play.position()).colored(false).to_string().lines() {
            self.say(line);
        }
        self.say(&format!("Fen: {}", self.play.setup()));
        self.say(&format!("Key: {:016X}", self.play.position().key()));
        self.say(&format!("Rules: {}", self.play.jungle().rules()));
        match self.play.ending() {
            Some(ending) => self.say(&format!("Result: {}", ending.in_chess_words())),
            None => {
                let moves: Vec<String> =
                    self.play.legal_moves().iter().map(Move::to_string).collect();
                self.say(&format!("Moves: {}", moves.join(" ")));
            }
        }
    }

    /// What each piece contributes to the evaluation in use; its value and Burnett's, for White.
    fn eval(&self) {
        let (jungle, position) = (self.play.jungle(), self.play.position());
        if let Some(ending) = self.play.ending() {
            return self.say(&format!("Result: {}", ending.in_chess_words()));
        }
        let breakdown = Breakdown::of(self.settings.engine.options(), jungle, position);
        self.say("Contributions: the value less that without the piece, in hundredths, for White");
        for line in breakdown.board().lines() {
            self.say(line);
        }
        let burnett = BurnettEval.evaluate(jungle, position);
        let burnett = if position.turn() == Color::White { burnett } else { -burnett };
        for (name, white) in [("champion", breakdown.value), ("burnett", burnett)] {
            self.say(&format!("Evaluation ({name}): {white:+} for White"));
        }
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.count("bench", move |control, sink| {
            let result = bench::run_until(depth.unwrap_or(bench::DEPTH), control);
            if let Some(result) = result {
                sink(&format!("Nodes searched: {}", result.nodes));
                sink(&format!("Nodes/second: {}", nps(result.nodes, result.time)));
            }
        });
    }

    fn help(&self) {
        for line in [
            "uci                                      identify the engine and list its options",
            "isready                                  answer when all commands before it are done",
            "setoption name NAME [value VALUE]        set an option",
            "ucinewgame                               another game begins",
            "position startpos|fen FEN [moves …]      set the board",
            "go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS]",
            "   [movestogo N] [mate N] [searchmoves …] [ponder] [infinite] [perft N]",
            "stop, ponderhit                          end a search; the expected move was made",
            "d, eval                                  show the board, evaluate it without searching",
            "bench [DEPTH]                            search fixed positions and count nodes",
            "quit                                     leave",
        ] {
            self.remark(line);
        }
    }
}

/// The request for the side to move.
fn request(go: &Go, turn: Color) -> Request {
    let (remaining, increment) = match turn {
        Color::White => (go.wtime, go.winc),
        Color::Black => (go.btime, go.binc),
    };
    // A win in n moves takes 2n − 1 plies.
    let mate = go.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1).max(1));
    let limits = Limits {
        depth: go.depth.or(mate),
        nodes: go.nodes,
        time: go.movetime,
        clock: remaining.map(|remaining| Clock {
            remaining,
            increment,
            moves_to_go: go.movestogo.filter(|&moves| moves > 0),
        }),
        ..Limits::none()
    };
    Request { limits, infinite: go.infinite, ponder: go.ponder, moves: Vec::new() }
}

/// A line as `info`.
fn info(line: &Line, chances: bool) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        line.depth,
        line.seldepth,
        line.index,
        match ReportedScore::from(line.score) {
            ReportedScore::Mate(moves) => format!("mate {moves}"),
            ReportedScore::Cp(value) => format!("cp {value}"),
        }
    );
    match line.bound {
        Bound::Exact => (),
        Bound::Lower => text.push_str(" lowerbound"),
        Bound::Upper => text.push_str(" upperbound"),
    }
    if chances {
        let chances = line.chances;
        text.push_str(&format!(" wdl {} {} {}", chances.win, chances.draw, chances.loss));
    }
    text.push_str(&format!(
        " nodes {} nps {} hashfull {} tbhits {} time {} pv",
        line.nodes,
        line.nps(),
        line.hashfull,
        line.tbhits,
        line.time.as_millis(),
    ));
    for mv in &line.pv {
        text.push_str(&format!(" {mv}"));
    }
    text
}

fn best_move(answer: &Answer) -> String {
    match (answer.best, answer.ponder) {
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove (none)".to_owned(),
    }
}
