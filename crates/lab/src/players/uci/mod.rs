//! UCI engines as players.
//!
//! The dialect is UCI with Jungle's squares: `position startpos moves a3b3 …`, `go nodes 2000`,
//! `bestmove a3b3`. An engine with an option `Rules` is sent the rules. Nothing is trusted:
//! every answer has a deadline, and a program that does not answer is killed with everything it
//! started. It runs for many games, each announced by `ucinewgame`, and is restarted after any
//! fault.

mod command;
mod process;
pub mod warden;

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::clock::Clock;
use game::score::ReportedScore;
use jungle::{Color, Jungle, Play, Position, parse_move};

use crate::player::{Choice, Fault, Info, NewGame, Player, Turn};
use crate::spec::{Factory, Kind, ParameterError};
use command::Command;
pub use command::CommandError;
use process::Process;

pub(crate) const KIND: Kind = Kind {
    name: "uci",
    usage: "uci:PROGRAM ARGUMENT … [; OPTION=VALUE …]",
    summary: "a program that speaks UCI, with its options",
    read,
};

fn read(text: &str) -> Result<Factory, ParameterError> {
    let command = Arc::new(Command::read(text)?);
    Ok(Arc::new(move || Box::new(Uci { command: Arc::clone(&command), process: None })))
}

/// Makes sure that the program of a spec can be found on a search path.
pub(crate) fn check_program(text: &str, search_path: &OsStr) -> Result<(), ParameterError> {
    Ok(Command::read(text)?.check_program(search_path)?)
}

struct Uci {
    command: Arc<Command>,
    process: Option<Process>,
}

impl Player<Play> for Uci {
    fn new_game(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        let result = self.prepare(game);
        self.end_after(result)
    }

    fn choose(&mut self, play: &Play, turn: &Turn) -> Result<Choice, Fault> {
        let result = self.ask(play, turn);
        self.end_after(result)
    }
}

impl Uci {
    /// A process that failed is not used again.
    fn end_after<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        if result.is_err()
            && let Some(process) = self.process.take()
        {
            process.kill();
        }
        result
    }

    fn prepare(&mut self, game: &NewGame<'_>) -> Result<(), Fault> {
        let deadline = Deadline::after(game.patience);
        // One that has ended in the meantime is not a fault of the new game.
        if self.process.as_mut().is_some_and(|process| !process.is_running()) {
            self.process = None;
        }
        if self.process.is_none() {
            let mut process = Process::start(&self.command)?;
            process.send("uci");
            let mut has_rules = false;
            loop {
                let line = process.line(&deadline)?;
                has_rules |= line.starts_with("option name Rules ");
                if line.trim() == "uciok" {
                    break;
                }
            }
            let rules = game.game.rules().to_string();
            if has_rules || rules != "standard" {
                process.send(&format!("setoption name Rules value {rules}"));
            }
            for (name, value) in &self.command.options {
                process.send(&format!("setoption name {name} value {value}"));
            }
            self.process = Some(process);
        }
        let process = self.process.as_mut().ok_or_else(gone)?;
        process.send("ucinewgame");
        process.send("isready");
        while process.line(&deadline)?.trim() != "readyok" {}
        Ok(())
    }

    fn ask(&mut self, play: &Play, turn: &Turn) -> Result<Choice, Fault> {
        let deadline = Deadline::after(turn.patience);
        let process = self.process.as_mut().ok_or_else(gone)?;
        process.send(&position_line(play));
        process.send(&go_line(play.position().turn(), turn));
        let mut info = Info::default();
        loop {
            let line = process.line(&deadline)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => read_info(&line, &mut info),
                Some("bestmove") => {
                    let text = words.next().unwrap_or_default();
                    return choice(play.jungle(), play.position(), text, info);
                }
                _ => {}
            }
        }
    }
}

fn gone() -> Fault {
    Fault::Crash("it has gone".to_owned())
}

/// When an answer is due.
struct Deadline {
    start: Instant,
    had: Duration,
}

impl Deadline {
    fn after(had: Duration) -> Deadline {
        Deadline { start: Instant::now(), had }
    }

    fn left(&self) -> Duration {
        self.had.saturating_sub(self.start.elapsed())
    }

    fn missed(&self) -> Fault {
        Fault::Timeout { took: self.start.elapsed(), had: self.had }
    }
}

fn choice(jungle: &Jungle, position: &Position, text: &str, info: Info) -> Result<Choice, Fault> {
    // Engines give coordinates; anything else is refused.
    let well_formed = text.len() == 4 && text.is_ascii();
    let mv = parse_move(jungle, position, text)
        .map_err(|error| error.to_string())
        .and_then(|mv| if well_formed { Ok(mv) } else { Err("not of the form a3b3".to_owned()) });
    match mv {
        Ok(mv) => Ok(Choice { mv, info }),
        Err(why) => Err(Fault::Illegal(format!("bestmove {text}: {why}"))),
    }
}

fn position_line(play: &Play) -> String {
    let setup = play.initial_setup().to_string();
    let mut line = match setup.as_str() {
        jungle::fen::START => "position startpos".to_owned(),
        fen => format!("position fen {fen}"),
    };
    if !play.moves().is_empty() {
        line.push_str(" moves");
        play.moves().iter().for_each(|mv| line.push_str(&format!(" {mv}")));
    }
    line
}

fn go_line(color: Color, turn: &Turn) -> String {
    let limits = &turn.limits;
    let mut line = String::from("go");
    let mut say = |name: &str, value: u128| line.push_str(&format!(" {name} {value}"));
    limits.nodes_for_move().into_iter().for_each(|nodes| say("nodes", nodes.into()));
    limits.depth.into_iter().for_each(|depth| say("depth", depth.into()));
    limits.time.into_iter().for_each(|time| say("movetime", time.as_millis()));
    if let Some((own, other)) = limits.clock.zip(turn.opponent_clock) {
        let [white, black]: [Clock; 2] = match color {
            Color::White => [own, other],
            Color::Black => [other, own],
        };
        say("wtime", white.remaining.as_millis());
        say("btime", black.remaining.as_millis());
        say("winc", white.increment.as_millis());
        say("binc", black.increment.as_millis());
    }
    line
}

/// Reads an `info` line; what it does not mention stays.
fn read_info(line: &str, info: &mut Info) {
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next().and_then(|n| n.parse().ok()).or(info.depth),
            "nodes" => info.nodes = words.next().and_then(|n| n.parse().ok()).or(info.nodes),
            "score" => {
                let kind = words.next();
                let value = words.next().and_then(|n| n.parse().ok());
                info.score = match (kind, value) {
                    (Some("cp"), Some(value)) => Some(ReportedScore::Cp(value)),
                    (Some("mate"), Some(value)) => Some(ReportedScore::Mate(value)),
                    _ => info.score,
                };
            }
            // The rest is free text or moves.
            "string" | "pv" => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::limits::Limits;
    use jungle::Rules;

    #[test]
    fn lines_are_as_the_protocol_has_them() {
        let mut play = Play::start(Jungle::new(Rules::STANDARD));
        assert_eq!(position_line(&play), "position startpos");
        let mv = parse_move(play.jungle(), play.position(), "a3b3").unwrap();
        play.play(mv).unwrap();
        assert_eq!(position_line(&play), "position startpos moves a3b3");
        let setup = "7/7/3e3/7/7/7/3E3/7/7 b - - 3 9".parse().unwrap();
        let play = Play::new(Jungle::new(Rules::STANDARD), &setup).unwrap();
        assert_eq!(position_line(&play), "position fen 7/7/3e3/7/7/7/3E3/7/7 b - - 3 9");

        let line = |limits: Limits| go_line(Color::White, &limits.into());
        assert_eq!(line(Limits::nodes(2000)), "go nodes 2000");
        assert_eq!(line(Limits::game_nodes(60_000)), "go nodes 2000");
        assert_eq!(line(Limits::time(Duration::from_millis(250))), "go movetime 250");
        let clock = |seconds| Clock::new(Duration::from_secs(seconds), Duration::from_millis(100));
        let turn = Turn { opponent_clock: Some(clock(9)), ..Limits::clock(clock(10)).into() };
        let line = go_line(Color::White, &turn);
        assert_eq!(line, "go wtime 10000 btime 9000 winc 100 binc 100");
        let line = go_line(Color::Black, &turn);
        assert_eq!(line, "go wtime 9000 btime 10000 winc 100 binc 100");
    }

    #[test]
    fn info_lines_are_read_piece_by_piece() {
        let mut info = Info::default();
        read_info(
            "info depth 7 seldepth 12 score cp -35 nodes 1234 nps 1 pv a3b3 depth 9",
            &mut info,
        );
        assert_eq!(
            info,
            Info {
                depth: Some(7),
                score: Some(ReportedScore::Cp(-35)),
                nodes: Some(1234),
                ..Info::default()
            }
        );
        read_info("info string score cp 99", &mut info);
        read_info("info depth x score mate", &mut info);
        assert_eq!(info.score, Some(ReportedScore::Cp(-35)));
        read_info("info score mate -3 nodes 2000", &mut info);
        assert_eq!(
            info,
            Info {
                depth: Some(7),
                score: Some(ReportedScore::Mate(-3)),
                nodes: Some(2000),
                ..Info::default()
            }
        );
    }

    #[test]
    fn only_legal_coordinates_are_moves() {
        let jungle = Jungle::new(Rules::STANDARD);
        let at = |text| choice(&jungle, &Position::start(), text, Info::default());
        assert!(at("a3b3").is_ok());
        for wrong in ["a3a5", "0000", "(none)", "", "Eb3", "a3b3x", "é3b3"] {
            assert!(matches!(at(wrong), Err(Fault::Illegal(_))), "{wrong}");
        }
    }
}
