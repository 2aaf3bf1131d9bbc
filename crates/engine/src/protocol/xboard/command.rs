//! The CECP parser: commands of XBoard (Chess Engine Communication Protocol, version 2), line by line.

use std::str::FromStr;
use std::time::Duration;

/// A parsed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `xboard`: what follows is this protocol.
    XBoard,
    /// `protover N`: send your features.
    Protover(u32),
    /// Commands that need no action: `accepted`, `rejected`, `random`, `computer`, `name` and the like.
    Nothing,
    /// `variant NAME`.
    Variant(String),
    /// `new`: the usual start, and the engine plays Black.
    New,
    /// `quit`.
    Quit,
    /// `force`: play neither side.
    Force,
    /// `go`: play the side that is to move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    /// `level MOVES BASE INCREMENT`.
    Level {
        /// Moves until the next time control; 0 if the whole game has one clock.
        moves: u32,
        /// The clock at its start.
        base: Duration,
        /// What each move adds.
        increment: Duration,
    },
    /// `st SECONDS`: exactly this long a move.
    SecondsAMove(Duration),
    /// `sd DEPTH`.
    Depth(u32),
    /// `time CENTISECONDS`: the engine's clock.
    Time(Duration),
    /// `otim CENTISECONDS`: the opponent's clock.
    OpponentTime(Duration),
    /// `usermove MOVE`.
    UserMove(String),
    /// `?`: move now.
    MoveNow,
    /// `ping N`: answer when all before it is done.
    Ping(String),
    /// `draw`: the opponent offers one.
    DrawOffer,
    /// `result …`: the game is over.
    Result,
    /// `setboard FEN`.
    SetBoard(String),
    /// `hint`: a move to suggest.
    Hint,
    /// `undo`: take back one move.
    Undo,
    /// `remove`: take back two.
    Remove,
    /// `hard` or `easy`: whether to think on the opponent's time.
    Ponder(bool),
    /// `post` or `nopost`: whether to show thinking output.
    Post(bool),
    /// `analyze`: search without end and make no moves.
    Analyze,
    /// `exit`: leave analysis.
    Exit,
    /// `.`: report the state of the analysis.
    Status,
    /// `memory MEGABYTES`.
    Memory(u64),
    /// `cores N`.
    Cores(u32),
    /// `egtpath mousetrap FOLDER`: where the endgame tables are.
    TablePath(String),
    /// `option NAME[=VALUE]`.
    Option {
        /// The name.
        name: String,
        /// The value; none for buttons.
        value: Option<String>,
    },
}

/// Why a line was not understood, in the words XBoard shows to its user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCommandError {
    /// Not a command.
    #[error("Error (unknown command): {0}")]
    Unknown(String),
    /// A command with an invalid argument.
    #[error("Error (expected {expected}): {line}")]
    Malformed {
        /// What is expected.
        expected: &'static str,
        /// The line.
        line: String,
    },
}

impl Command {
    /// Reads a line; `None` if it is blank.
    ///
    /// # Errors
    ///
    /// Says what was not understood.
    pub fn parse(line: &str) -> Result<Option<Command>, ParseCommandError> {
        let line = line.trim();
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        let shown: String =
            line.chars().map(|c| if c.is_control() { '·' } else { c }).take(60).collect();
        let malformed = |expected| ParseCommandError::Malformed { expected, line: shown.clone() };
        Ok(Some(match word {
            "" => return Ok(None),
            "xboard" => Command::XBoard,
            "protover" => Command::Protover(number(rest).ok_or(malformed("a version"))?),
            "accepted" | "rejected" | "random" | "computer" | "name" | "rating" | "ics" | "bk"
            | "white" | "black" | "pause" | "resume" | "nps" => Command::Nothing,
            "variant" => Command::Variant(rest.to_owned()),
            "new" => Command::New,
            "quit" => Command::Quit,
            "force" => Command::Force,
            "go" => Command::Go,
            "playother" => Command::PlayOther,
            "level" => level(rest).ok_or(malformed("moves, base and increment"))?,
            "st" => Command::SecondsAMove(seconds(rest).ok_or(malformed("seconds"))?),
            "sd" => Command::Depth(number(rest).ok_or(malformed("a depth in plies"))?),
            "time" => Command::Time(centiseconds(rest).ok_or(malformed("centiseconds"))?),
            "otim" => Command::OpponentTime(centiseconds(rest).ok_or(malformed("centiseconds"))?),
            "usermove" if !rest.is_empty() => Command::UserMove(rest.to_owned()),
            "usermove" => return Err(malformed("a move")),
            "?" => Command::MoveNow,
            "ping" => Command::Ping(rest.to_owned()),
            "draw" => Command::DrawOffer,
            "result" => Command::Result,
            "setboard" if !rest.is_empty() => Command::SetBoard(rest.to_owned()),
            "setboard" => return Err(malformed("a position")),
            "hint" => Command::Hint,
            "undo" => Command::Undo,
            "remove" => Command::Remove,
            "hard" => Command::Ponder(true),
            "easy" => Command::Ponder(false),
            "post" => Command::Post(true),
            "nopost" => Command::Post(false),
            "analyze" => Command::Analyze,
            "exit" => Command::Exit,
            "." => Command::Status,
            "memory" => Command::Memory(number(rest).ok_or(malformed("megabytes"))?),
            "cores" => Command::Cores(number(rest).ok_or(malformed("a number of threads"))?),
            "egtpath" => match rest.split_once(char::is_whitespace) {
                Some((_, path)) => Command::TablePath(path.trim().to_owned()),
                None => return Err(malformed("a kind of table and a folder")),
            },
            "option" => match rest.split_once('=') {
                Some((name, value)) => {
                    Command::Option { name: name.to_owned(), value: Some(value.to_owned()) }
                }
                None if rest.is_empty() => return Err(malformed("an option")),
                None => Command::Option { name: rest.to_owned(), value: None },
            },
            _ => return Err(ParseCommandError::Unknown(shown)),
        }))
    }
}

fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

/// Clocks may have run out, and then they are negative.
fn centiseconds(text: &str) -> Option<Duration> {
    let value: i64 = number(text)?;
    Some(Duration::from_millis(value.max(0).unsigned_abs().saturating_mul(10)))
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(number(text)?).ok()
}

/// The base is in minutes, or minutes and seconds as in `2:30`.
fn level(text: &str) -> Option<Command> {
    let mut words = text.split_whitespace();
    let moves = number(words.next()?)?;
    let base = words.next()?;
    let base = match base.split_once(':') {
        Some((minutes, rest)) => {
            let minutes: u64 = number(minutes)?;
            let rest: u64 = number(rest)?;
            Duration::from_secs(minutes.checked_mul(60)?.checked_add(rest)?)
        }
        None => Duration::from_secs(number::<u64>(base)?.checked_mul(60)?),
    };
    let increment = seconds(words.next()?)?;
    Some(Command::Level { moves, base, increment })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn commands_with_their_arguments() {
        assert_eq!(parse("protover 2"), Command::Protover(2));
        assert_eq!(parse("usermove a3b3"), Command::UserMove("a3b3".into()));
        assert_eq!(
            parse("level 40 2:30 1.5"),
            Command::Level {
                moves: 40,
                base: Duration::from_secs(150),
                increment: Duration::from_millis(1500)
            }
        );
        assert_eq!(parse("time -12"), Command::Time(Duration::ZERO));
        assert_eq!(parse("otim 1234"), Command::OpponentTime(Duration::from_millis(12_340)));
        assert_eq!(
            parse("option Skill Level=3"),
            Command::Option { name: "Skill Level".into(), value: Some("3".into()) }
        );
        assert_eq!(
            parse("egtpath mousetrap /tables here"),
            Command::TablePath("/tables here".into())
        );
        assert_eq!(parse("accepted ping"), Command::Nothing);
        assert_eq!(Command::parse("  "), Ok(None));
    }

    #[test]
    fn faults_are_errors_in_the_protocol_s_words() {
        let fault = |line| Command::parse(line).unwrap_err().to_string();
        assert_eq!(fault("xyzzy 1"), "Error (unknown command): xyzzy 1");
        assert_eq!(
            fault("level 40 abc 0"),
            "Error (expected moves, base and increment): level 40 abc 0"
        );
        assert_eq!(fault("st -1"), "Error (expected seconds): st -1");
        assert_eq!(fault("setboard"), "Error (expected a position): setboard");
    }
}
