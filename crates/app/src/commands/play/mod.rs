//! `mousetrap play`: playing and analysing in a terminal, with the same engine as the board in the browser.
//!
//! Arrow keys walk over the board, Enter picks up and puts down; or a move is typed. The engine thinks on
//! its own threads and sends its results through a channel, so the keys always respond at once. At the
//! end the game is printed, so that it is not lost. The screen is drawn in [`draw`].

mod draw;

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use answers::algebraic;
use clap::Args;
use engine::{Engine, Event, Level, Line as Thought, Request};
use game::limits::Limits;
use jungle::pgn::GameRecord;
use jungle::{Color, Move, Play, Square, parse_move};
use library::{Entry, Source};
use puzzles::Date;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event as Input, KeyCode, KeyEventKind};
use tablebase::Tablebase;

use crate::cli::{self, RulesArg};
use crate::commands::games::{self, args::DatabaseArg};
use crate::commands::tb::args::SetArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

/// How often the screen is drawn while nothing is pressed.
const FRAME: Duration = Duration::from_millis(80);
/// The time of the strongest level for a move, and of a hint.
const THOUGHT: Duration = Duration::from_secs(2);
/// The engine's transposition table, in MiB.
const HASH: usize = 64;

#[derive(Debug, Args)]
#[command(after_help = "Keys:
  arrows, Enter    walk over the board, pick up a piece and put it down
  Ea4 or a3a4      type a move; Enter makes it
  Tab, Esc         take back; let go
  F1, F2           hint; analyse
  F3, F4           turn the board; start a new game
  Ctrl-C           end, and print the game; it is kept (`mousetrap games list`)

Examples:
  mousetrap play
  mousetrap play --level tiger --side black
  mousetrap play --two --rules leiden
  mousetrap play '7/7/3e3/7/7/7/3E3/1T5/7 w' --level elephant")]
pub struct PlayArgs {
    /// The position as FEN; the start if left out
    #[arg(value_name = "FEN", num_args = 0..)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub rules: RulesArg,
    /// The engine's level: rat (or 1, the weakest), cat, dog, wolf, panther, tiger, lion or elephant (8)
    #[arg(long, value_name = "LEVEL", default_value = "cat")]
    pub level: String,
    /// The side you play: white (Red, who moves first) or black (Blue)
    #[arg(long, value_name = "SIDE", default_value = "white", value_parser = ["white", "black"])]
    pub side: String,
    /// Two people play; the engine only helps when asked
    #[arg(long)]
    pub two: bool,
    /// The folder of endgame tables; $MOUSETRAP_TABLES or the user's data folder if left out
    #[arg(long, value_name = "DIR")]
    pub tb_dir: Option<PathBuf>,
    #[command(flatten)]
    pub database: DatabaseArg,
}

pub fn run(args: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let (level_name, level) = answers::level(&args.level).map_err(Failure::bad)?;
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let rules = args.rules.rules;
    let play = cli::play(rules, fen.as_deref())?;
    if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
        return Err(Failure::Input(
            "`mousetrap play` needs a terminal; for programs there is `mousetrap uci`".to_owned(),
        ));
    }
    let you = if args.side == "white" { Color::White } else { Color::Black };
    let set = SetArgs { rules: RulesArg { rules }, dir: args.tb_dir.clone() };
    let tables = Arc::clone(Set::open_as_it_is(&set)?.tablebase());
    let mut game = Screen::new(play, (!args.two).then_some(you), level, Some(tables));
    game.level_name = level_name;
    let screen = |error| Failure::outside("using the terminal", error);
    let mut terminal = ratatui::try_init().map_err(screen)?;
    let played = game.run(&mut terminal);
    ratatui::restore();
    played.map_err(screen)?;
    if game.play.moves().is_empty() {
        return Ok(());
    }
    let record = game.record(Date::today());
    write!(output, "{record}")?;
    match keep(&args.database, &record) {
        Ok(()) => anstream::eprintln!("The game is kept; `mousetrap games list` shows it."),
        Err(failure) => anstream::eprintln!("warning: the game is not kept: {failure}"),
    }
    Ok(())
}

/// Keeps the game with the others that were played here.
fn keep(database: &DatabaseArg, record: &GameRecord) -> Result<(), Failure> {
    let now = library::now();
    let id = format!("terminal-{now}-{}", std::process::id()).parse().map_err(Failure::bad)?;
    let entry = Entry::named(id, Source::Own, now, record).map_err(Failure::bad)?;
    let store = games::store(database)?;
    store.put(&[entry]).map_err(|error| Failure::Input(error.to_string()))?;
    Ok(())
}

/// The engine's task.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Reply,
    Hint,
    Analyse,
}

/// An event, and its task.
type TaskEvent = (u64, Event);

struct Screen {
    play: Play,
    /// The human's side; none when two people play.
    you: Option<Color>,
    level: Level,
    /// Its name among those that boards offer.
    level_name: &'static str,
    engine: Engine,
    task: Option<Task>,
    /// Grows with every task, so that answers to earlier ones are not mistaken for this one's.
    asked: u64,
    events: (Sender<TaskEvent>, Receiver<TaskEvent>),
    thoughts: HashMap<usize, Thought>,
    cursor: Square,
    taken_up: Option<Square>,
    typed: String,
    flipped: bool,
    message: String,
    /// The key for a new game was pressed once, with a game on the board.
    confirm_new: bool,
}

impl Screen {
    fn new(play: Play, you: Option<Color>, level: Level, tables: Option<Arc<Tablebase>>) -> Screen {
        let mut engine = Engine::new();
        engine.set_tables(tables);
        Screen {
            play,
            you,
            level,
            level_name: "",
            engine,
            task: None,
            asked: 0,
            events: channel(),
            thoughts: HashMap::new(),
            cursor: Square::D3,
            taken_up: None,
            typed: String::new(),
            flipped: you == Some(Color::Black),
            message: String::new(),
            confirm_new: false,
        }
    }

    /// The game with its tags, played on this day.
    fn record(&self, today: Date) -> GameRecord {
        let engine = format!("Mousetrap, level {}", self.level_name);
        let name = |side: Color| match self.you {
            None => side.to_string(),
            Some(you) if you == side => "You".to_owned(),
            Some(_) => engine.clone(),
        };
        let event = if self.you.is_none() { "Two players" } else { "Game against the computer" };
        let mut record = GameRecord::from_play(&self.play);
        for (tag, value) in [
            ("Event", event.to_owned()),
            ("Site", "Mousetrap".to_owned()),
            ("Date", today.to_string().replace('-', ".")),
            ("White", name(Color::White)),
            ("Black", name(Color::Black)),
        ] {
            record.tags.set(tag, &value).expect("a tag of letters and a plain value");
        }
        record
    }

    fn run(&mut self, terminal: &mut DefaultTerminal) -> std::io::Result<()> {
        self.next();
        loop {
            terminal.draw(|frame| self.draw(frame))?;
            if event::poll(FRAME)?
                && let Input::Key(key) = event::read()?
                && key.kind == KeyEventKind::Press
            {
                let ctrl = key.modifiers.contains(event::KeyModifiers::CONTROL);
                if ctrl && matches!(key.code, KeyCode::Char('c' | 'q')) {
                    return Ok(());
                }
                self.key(key.code);
            }
            self.listen();
        }
    }

    /// Handles the engine's events since the last time.
    fn listen(&mut self) {
        while let Ok((asked, event)) = self.events.1.try_recv() {
            if asked == self.asked {
                self.hear(event);
            }
        }
    }

    fn ours(&self) -> bool {
        self.you.is_none_or(|you| you == self.play.position().turn())
    }

    /// Whether it is the user's turn to act; if not, says why.
    fn may_move(&mut self) -> bool {
        if self.play.ending().is_some() {
            self.message = "The game is over: F4 starts another, Tab takes back.".to_owned();
        } else if !self.ours() {
            self.message = "It is the engine's move.".to_owned();
        } else {
            return true;
        }
        false
    }

    /// What follows a change of the position: the engine's reply, or fresh analysis.
    fn next(&mut self) {
        let analysing = self.task == Some(Task::Analyse);
        self.halt();
        if self.play.ending().is_some() {
            return;
        }
        if !self.ours() {
            self.ask(Task::Reply);
        } else if analysing {
            self.ask(Task::Analyse);
        }
    }

    fn halt(&mut self) {
        self.engine.stop();
        self.asked += 1;
        self.task = None;
        self.thoughts.clear();
    }

    fn ask(&mut self, task: Task) {
        self.halt();
        let (level, lines, request) = match task {
            Task::Reply => (self.level, 1, Limits::time(THOUGHT).into()),
            Task::Hint => (Level::FULL, 1, Limits::time(THOUGHT).into()),
            Task::Analyse => (Level::FULL, 3, Request::infinite()),
        };
        let manner = match task {
            Task::Reply => engine::Options::playing(),
            Task::Hint | Task::Analyse => engine::Options::default(),
        };
        let options = engine::Options { hash: HASH, lines, level, ..manner };
        if let Err(error) = self.engine.set_options(options) {
            self.message = error.to_string();
            return;
        }
        self.task = Some(task);
        let (asked, sender) = (self.asked, self.events.0.clone());
        // If the receiver is gone, nothing is lost.
        let _search = self.engine.go(&self.play, request, move |event| {
            let _ = sender.send((asked, event));
        });
    }

    fn hear(&mut self, event: Event) {
        match (event, self.task) {
            (Event::Line(line), Some(Task::Analyse | Task::Hint)) => {
                self.thoughts.insert(line.index, line);
            }
            (Event::Finished(answer), Some(Task::Reply)) => {
                self.task = None;
                if let Some(mv) = answer.best {
                    self.make(mv);
                }
            }
            (Event::Finished(answer), Some(Task::Hint)) => {
                self.task = None;
                if let Some(mv) = answer.best {
                    self.message = format!("Try {}", self.text(mv));
                }
            }
            _ => {}
        }
    }

    fn text(&self, mv: Move) -> String {
        algebraic(self.play.jungle(), self.play.position(), mv)
    }

    fn make(&mut self, mv: Move) {
        let text = self.text(mv);
        match self.play.play(mv) {
            Ok(()) => {
                self.message = format!("{} played {text}", !self.play.position().turn());
                self.next();
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    fn key(&mut self, code: KeyCode) {
        let confirmed = std::mem::take(&mut self.confirm_new);
        match code {
            KeyCode::Left => self.walk(-1, 0),
            KeyCode::Right => self.walk(1, 0),
            KeyCode::Up => self.walk(0, 1),
            KeyCode::Down => self.walk(0, -1),
            KeyCode::Enter if !self.typed.is_empty() => self.enter_typed(),
            KeyCode::Enter | KeyCode::Char(' ') => self.press(),
            KeyCode::Esc => {
                self.taken_up = None;
                self.typed.clear();
            }
            KeyCode::Backspace => {
                self.typed.pop();
            }
            KeyCode::Tab => self.take_back(),
            KeyCode::F(1) if self.may_move() => {
                self.message = "Looking for a hint…".to_owned();
                self.ask(Task::Hint);
            }
            KeyCode::F(2) if self.task == Some(Task::Analyse) => self.halt(),
            KeyCode::F(2) if self.may_move() => self.ask(Task::Analyse),
            KeyCode::F(3) => self.flipped = !self.flipped,
            KeyCode::F(4)
                if confirmed || self.play.moves().is_empty() || self.play.ending().is_some() =>
            {
                while self.play.undo().is_some() {}
                self.taken_up = None;
                self.message.clear();
                self.next();
            }
            KeyCode::F(4) => {
                self.confirm_new = true;
                self.message =
                    "Press F4 again to give up this game and start a new one.".to_owned();
            }
            KeyCode::Char(letter) if letter.is_ascii_alphanumeric() && self.typed.len() < 8 => {
                self.typed.push(letter);
            }
            _ => {}
        }
    }

    fn walk(&mut self, files: i8, ranks: i8) {
        let (files, ranks) = if self.flipped { (-files, -ranks) } else { (files, ranks) };
        if let Some(square) = self.cursor.offset(files, ranks) {
            self.cursor = square;
        }
    }

    fn enter_typed(&mut self) {
        if !self.may_move() {
            return;
        }
        let text = std::mem::take(&mut self.typed);
        match parse_move(self.play.jungle(), self.play.position(), &text) {
            Ok(mv) => self.make(mv),
            Err(error) => self.message = error.to_string(),
        }
    }

    fn press(&mut self) {
        if !self.may_move() {
            return;
        }
        let mine = self.play.position().side(self.play.position().turn());
        match self.taken_up.take() {
            Some(from) if from == self.cursor => {}
            Some(from) if !mine.contains(self.cursor) => {
                match self.play.jungle().find_move(self.play.position(), from, self.cursor) {
                    Ok(mv) => self.make(mv),
                    Err(error) => self.message = error.to_string(),
                }
            }
            _ if mine.contains(self.cursor) => self.taken_up = Some(self.cursor),
            _ => {
                self.message = format!(
                    "Pick up a piece of {} first: walk to it and press Enter.",
                    self.play.position().turn()
                );
            }
        }
    }

    /// Back to the user's own move: the engine's reply goes too.
    fn take_back(&mut self) {
        self.play.undo();
        if !self.ours() {
            self.play.undo();
        }
        self.taken_up = None;
        self.message.clear();
        self.next();
    }
}

#[cfg(test)]
mod tests;
