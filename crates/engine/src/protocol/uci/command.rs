//! The UCI parser: commands of a GUI, line by line.
//!
//! The parser is forgiving where the protocol asks for it (unknown words before a command are skipped,
//! times may be negative when a clock has run out) and strict where a mistake would otherwise be silent: a limit
//! that is not a number is an error that names it, not a search without that limit.

use std::time::Duration;

/// A parsed command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: identify the engine and list its options.
    Uci,
    /// `debug on|off`: accepted, and without effect.
    Debug,
    /// `isready`: answer when all commands before it are done.
    IsReady,
    /// `setoption name … [value …]`.
    SetOption {
        /// The option's name as written.
        name: String,
        /// Its value; none for buttons.
        value: Option<String>,
    },
    /// `ucinewgame`: forget the last game.
    NewGame,
    /// `position startpos|fen … [moves …]`.
    Position {
        /// The position before the moves; the usual start if there is none.
        fen: Option<String>,
        /// The moves as written.
        moves: Vec<String>,
    },
    /// `go …`.
    Go(Go),
    /// `stop`: answer with the best move found so far.
    Stop,
    /// `ponderhit`: the expected move was played; the engine's clock runs now.
    PonderHit,
    /// `quit`.
    Quit,
    /// `d`: show the board.
    Display,
    /// `eval`: evaluate the position without a search.
    Eval,
    /// `bench [depth]`: search fixed positions.
    Bench(Option<u32>),
    /// `help`.
    Help,
    /// `perft N`, the same as `go perft N`.
    Perft(u32),
}

/// The limits of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Consider only these moves, as written; all if empty.
    pub searchmoves: Vec<String>,
    /// Search on the opponent's time until `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's clock.
    pub wtime: Option<Duration>,
    /// Black's clock.
    pub btime: Option<Duration>,
    /// White's increment a move.
    pub winc: Duration,
    /// Black's increment a move.
    pub binc: Duration,
    /// Moves until the next time control.
    pub movestogo: Option<u32>,
    /// Search this many plies.
    pub depth: Option<u32>,
    /// Search this many nodes.
    pub nodes: Option<u64>,
    /// Search for a win in this many moves.
    pub mate: Option<u32>,
    /// Search exactly this long.
    pub movetime: Option<Duration>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Count moves to this depth instead of searching.
    pub perft: Option<u32>,
}

/// Why a line was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCommandError {
    /// No word of the line is a command.
    #[error("unknown command '{}'; 'help' lists them", shortened(.0))]
    Unknown(String),
    /// Something must follow this word.
    #[error("'{}' must be followed by {expected}", shortened(after))]
    Missing {
        /// The word.
        after: String,
        /// What must follow.
        expected: &'static str,
    },
    /// Something else is expected here.
    #[error("{of}: '{}' is not {expected}", shortened(found))]
    Malformed {
        /// What it is the value of.
        of: String,
        /// What was written.
        found: String,
        /// What is expected.
        expected: &'static str,
    },
}

/// The beginning of any text, made fit for one line of output.
fn shortened(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '·' } else { c });
    let mut short: String = clean.clone().take(60).collect();
    if clean.count() > 60 {
        short.push('…');
    }
    short
}

impl Command {
    /// Reads a line; `None` if it is blank.
    ///
    /// # Errors
    ///
    /// Says what was not understood.
    pub fn parse(line: &str) -> Result<Option<Command>, ParseCommandError> {
        let mut words = line.split_whitespace();
        let mut first = None;
        while let Some(word) = words.next() {
            first.get_or_insert(word);
            if let Some(command) = Command::from_word(word, &mut words)? {
                return Ok(Some(command));
            }
        }
        match first {
            None => Ok(None),
            Some(_) => Err(ParseCommandError::Unknown(line.trim().to_owned())),
        }
    }

    fn from_word<'a>(
        word: &str,
        rest: &mut impl Iterator<Item = &'a str>,
    ) -> Result<Option<Command>, ParseCommandError> {
        Ok(Some(match word {
            "uci" => Command::Uci,
            "debug" => Command::Debug,
            "isready" => Command::IsReady,
            "setoption" => set_option(rest)?,
            "ucinewgame" => Command::NewGame,
            "position" => position(rest)?,
            "go" => Command::Go(go(rest)?),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" | "exit" => Command::Quit,
            "d" => Command::Display,
            "eval" => Command::Eval,
            "bench" => Command::Bench(match rest.next() {
                None => None,
                Some(depth) => Some(number("bench", depth, "a depth in plies")?),
            }),
            "perft" => Command::Perft(following("perft", rest, "a depth in plies")?),
            "help" => Command::Help,
            _ => return Ok(None),
        }))
    }
}

/// Names and values may hold blanks, so each runs to the next keyword.
fn set_option<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Command, ParseCommandError> {
    let missing =
        |after: &str, expected| ParseCommandError::Missing { after: after.to_owned(), expected };
    if words.next() != Some("name") {
        return Err(missing("setoption", "'name' and an option"));
    }
    let mut name = Vec::new();
    let mut value = None;
    for word in words {
        match &mut value {
            None if word == "value" => value = Some(Vec::new()),
            None => name.push(word),
            Some(value) => value.push(word),
        }
    }
    if name.is_empty() {
        return Err(missing("setoption name", "an option"));
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.map(|value| value.join(" ")) })
}

fn position<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Command, ParseCommandError> {
    let expected = "'startpos' or 'fen' and a position";
    let mut fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(Vec::new()),
        Some(found) => {
            return Err(ParseCommandError::Malformed {
                of: "position".to_owned(),
                found: found.to_owned(),
                expected,
            });
        }
        None => return Err(ParseCommandError::Missing { after: "position".to_owned(), expected }),
    };
    for word in words.by_ref() {
        match &mut fen {
            _ if word == "moves" => break,
            Some(fields) => fields.push(word),
            None => {
                return Err(ParseCommandError::Malformed {
                    of: "position startpos".to_owned(),
                    found: word.to_owned(),
                    expected: "'moves'",
                });
            }
        }
    }
    if fen.as_ref().is_some_and(Vec::is_empty) {
        return Err(ParseCommandError::Missing {
            after: "position fen".to_owned(),
            expected: "a position",
        });
    }
    Ok(Command::Position {
        fen: fen.map(|fields| fields.join(" ")),
        moves: words.map(str::to_owned).collect(),
    })
}

fn go<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Go, ParseCommandError> {
    let mut go = Go::default();
    let mut listing_moves = false;
    let time = "a time in milliseconds";
    let count = "a whole number";
    while let Some(word) = words.next() {
        let keyword = matches!(
            word,
            "searchmoves"
                | "ponder"
                | "wtime"
                | "btime"
                | "winc"
                | "binc"
                | "movestogo"
                | "depth"
                | "nodes"
                | "mate"
                | "movetime"
                | "infinite"
                | "perft"
        );
        if !keyword && listing_moves {
            go.searchmoves.push(word.to_owned());
            continue;
        }
        listing_moves = false;
        match word {
            "searchmoves" => listing_moves = true,
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => go.wtime = Some(milliseconds(following(word, words, time)?)),
            "btime" => go.btime = Some(milliseconds(following(word, words, time)?)),
            "winc" => go.winc = milliseconds(following(word, words, time)?),
            "binc" => go.binc = milliseconds(following(word, words, time)?),
            "movetime" => go.movetime = Some(milliseconds(following(word, words, time)?)),
            "movestogo" => go.movestogo = Some(following(word, words, count)?),
            "depth" => go.depth = Some(following(word, words, count)?),
            "nodes" => go.nodes = Some(following(word, words, count)?),
            "mate" => go.mate = Some(following(word, words, count)?),
            "perft" => go.perft = Some(following(word, words, count)?),
            _ => {
                return Err(ParseCommandError::Malformed {
                    of: "go".to_owned(),
                    found: word.to_owned(),
                    expected: "a limit",
                });
            }
        }
    }
    Ok(go)
}

/// A clock that has run out may be written as a negative time.
fn milliseconds(value: i64) -> Duration {
    Duration::from_millis(value.max(0).unsigned_abs())
}

fn following<'a, T: std::str::FromStr>(
    after: &str,
    words: &mut impl Iterator<Item = &'a str>,
    expected: &'static str,
) -> Result<T, ParseCommandError> {
    match words.next() {
        Some(word) => number(after, word, expected),
        None => Err(ParseCommandError::Missing { after: after.to_owned(), expected }),
    }
}

fn number<T: std::str::FromStr>(
    of: &str,
    found: &str,
    expected: &'static str,
) -> Result<T, ParseCommandError> {
    found.parse().map_err(|_| ParseCommandError::Malformed {
        of: of.to_owned(),
        found: found.to_owned(),
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn commands_with_their_arguments() {
        assert_eq!(parse("uci"), Command::Uci);
        assert_eq!(parse("  isready \r"), Command::IsReady);
        assert_eq!(
            parse("setoption name Skill Level value 7"),
            Command::SetOption { name: "Skill Level".into(), value: Some("7".into()) }
        );
        assert_eq!(
            parse("setoption name Clear Hash"),
            Command::SetOption { name: "Clear Hash".into(), value: None }
        );
        assert_eq!(
            parse("position startpos moves a3b3 g7f7"),
            Command::Position { fen: None, moves: vec!["a3b3".into(), "g7f7".into()] }
        );
        assert_eq!(
            parse("position fen 7/7/3e3/7/7/7/3E3/7/7 w - - 0 1"),
            Command::Position {
                fen: Some("7/7/3e3/7/7/7/3E3/7/7 w - - 0 1".into()),
                moves: vec![]
            }
        );
        assert_eq!(
            parse("go wtime -5 btime 3000 winc 10 binc 20 movestogo 9"),
            Command::Go(Go {
                wtime: Some(Duration::ZERO),
                btime: Some(Duration::from_secs(3)),
                winc: Duration::from_millis(10),
                binc: Duration::from_millis(20),
                movestogo: Some(9),
                ..Go::default()
            })
        );
        assert_eq!(
            parse("go searchmoves a3b3 c3d3 depth 4"),
            Command::Go(Go {
                searchmoves: vec!["a3b3".into(), "c3d3".into()],
                depth: Some(4),
                ..Go::default()
            })
        );
    }

    #[test]
    fn words_before_a_command_are_skipped() {
        assert_eq!(parse("joho debug on"), Command::Debug);
        assert_eq!(Command::parse(" \t "), Ok(None));
    }

    #[test]
    fn faults_name_what_was_wrong() {
        let fault = |line| Command::parse(line).unwrap_err().to_string();
        assert_eq!(fault("gobble"), "unknown command 'gobble'; 'help' lists them");
        assert_eq!(fault("go depth"), "'depth' must be followed by a whole number");
        assert_eq!(fault("go depth deep"), "depth: 'deep' is not a whole number");
        assert_eq!(fault("go nodes -1"), "nodes: '-1' is not a whole number");
        assert_eq!(fault("go fast"), "go: 'fast' is not a limit");
        assert_eq!(
            fault("position"),
            "'position' must be followed by 'startpos' or 'fen' and a position"
        );
        assert_eq!(fault("position fen"), "'position fen' must be followed by a position");
        assert_eq!(fault("setoption Hash"), "'setoption' must be followed by 'name' and an option");
        assert!(fault(&"x".repeat(9999)).len() < 200);
    }
}
