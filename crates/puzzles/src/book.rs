//! Books: collections of puzzles as text, a line a puzzle.
//!
//! ```text
//! # what it is, for people
//! rules standard
//! ID GOAL PROOF RATING THEMES POSITION MOVES…
//! 4qz0k3m1xt win tables 1400 parity,quiet 7/7/3e3/7/7/7/3E3/1T5/7_w b2b3 d7d6 b3b4
//! ```
//!
//! Themes are separated by commas, and `-` if there are none; a position is a FEN without counters, with `_` for the space.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use jungle::{Jungle, ParsePositionError, Position, Rules, parse_move};
use thiserror::Error;

use crate::identity::Identity;
use crate::theme::{Theme, ThemeSet};
use crate::{Goal, Proof, Puzzle};

/// The book that comes with the program.
#[cfg(feature = "shipped")]
pub const SHIPPED: &str = include_str!("../data/puzzles.txt");

/// A collection of puzzles by the same rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    rules: Rules,
    puzzles: Vec<Puzzle>,
}

/// Why a text is not a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} of the puzzles: {fault}")]
pub struct BookError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: String,
}

impl Book {
    /// A book with these puzzles.
    pub fn new(rules: Rules, puzzles: Vec<Puzzle>) -> Book {
        Book { rules, puzzles }
    }

    /// The book that comes with the program.
    ///
    /// # Panics
    ///
    /// Never: a test reads it.
    #[cfg(feature = "shipped")]
    pub fn shipped() -> Book {
        SHIPPED.parse().expect("the book that is shipped was read by a test")
    }

    /// The rules of all its puzzles.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The puzzles.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// The puzzle of this name.
    pub fn find(&self, id: &str) -> Option<&Puzzle> {
        self.puzzles.iter().find(|puzzle| puzzle.id == id)
    }

    /// The puzzle of a day: the same for everybody, another every day until all have been there. Days go through the
    /// book by steps that are prime to its length, so that neighbours are not alike.
    pub fn daily(&self, date: Date) -> Option<&Puzzle> {
        let len = self.puzzles.len() as i64;
        let mut step = 619 % len.max(1);
        while gcd(step, len) > 1 {
            step += 1;
        }
        let at = (date.number().rem_euclid(len.max(1)) * step).rem_euclid(len.max(1));
        self.puzzles.get(at as usize)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A day of the calendar, as `2026-11-18`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: i32,
    month: u8,
    day: u8,
}

/// The text is not a date.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a date: write it as 2026-11-18")]
pub struct ParseDateError(String);

impl Date {
    /// Today, by Coordinated Universal Time.
    pub fn today() -> Date {
        let passed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Date::from_number(passed.map_or(0, |passed| (passed.as_secs() / 86_400) as i64))
    }

    /// The day this many days after 1970-01-01, by the proleptic Gregorian calendar.
    pub fn from_number(days: i64) -> Date {
        // Years begin in March, so that the leap day comes last; 400 of them have 146,097 days.
        let days = days + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let january = month >= 10;
        Date {
            year: (year + 400 * era + i64::from(january)) as i32,
            month: (if january { month - 9 } else { month + 3 }) as u8,
            day: (day - (153 * month + 2) / 5 + 1) as u8,
        }
    }

    /// How many days it is after 1970-01-01.
    pub fn number(self) -> i64 {
        let year = i64::from(self.year) - i64::from(self.month <= 2);
        let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
        let month = (i64::from(self.month) + 9) % 12;
        let day = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        era * 146_097 + year * 365 + year / 4 - year / 100 + day - 719_468
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = ParseDateError;

    fn from_str(text: &str) -> Result<Date, ParseDateError> {
        let error = || ParseDateError(text.to_owned());
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return Err(error()) };
        let is_number =
            |part: &str, len| part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
        if !is_number(year, 4) || !is_number(month, 2) || !is_number(day, 2) {
            return Err(error());
        }
        let parse = |part: &str| part.parse::<u16>().map_err(|_| error());
        let date = Date {
            year: i32::from(parse(year)?),
            month: parse(month)? as u8,
            day: parse(day)? as u8,
        };
        // The thirtieth of February comes back as another day.
        if date.month == 0 || date.month > 12 || Date::from_number(date.number()) != date {
            return Err(error());
        }
        Ok(date)
    }
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rules {}", self.rules)?;
        for puzzle in &self.puzzles {
            let Puzzle { id, goal, proof, rating, themes, .. } = puzzle;
            let names: Vec<&str> = themes.iter().map(Theme::name).collect();
            let themes = if names.is_empty() { "-".to_owned() } else { names.join(",") };
            let position = placement(&puzzle.start).replace(' ', "_");
            write!(f, "{id} {} {} {rating} {themes} {position}", goal.name(), proof.name())?;
            for mv in &puzzle.solution {
                write!(f, " {mv}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A FEN without counters.
pub(crate) fn placement(position: &Position) -> String {
    let fen = position.to_string();
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

impl FromStr for Book {
    type Err = BookError;

    fn from_str(text: &str) -> Result<Book, BookError> {
        let mut jungle = None;
        let mut book = Book { rules: Rules::STANDARD, puzzles: Vec::new() };
        let mut ids = HashSet::new();
        let lines =
            text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
        for (index, line) in lines {
            let error = |fault: String| BookError { line: index + 1, fault };
            if let Some(rules) = line.strip_prefix("rules ") {
                book.rules = rules.parse().map_err(|fault| error(format!("{fault}")))?;
                jungle = Some(Jungle::new(book.rules));
                continue;
            }
            let jungle =
                jungle.as_ref().ok_or_else(|| error("the rules must come first".to_owned()))?;
            let puzzle = read(jungle, line).map_err(error)?;
            if !ids.insert(puzzle.id.clone()) {
                return Err(error(format!("there are two puzzles called {}", puzzle.id)));
            }
            book.puzzles.push(puzzle);
        }
        Ok(book)
    }
}

fn read(jungle: &Jungle, line: &str) -> Result<Puzzle, String> {
    let mut words = line.split(' ');
    let mut word =
        || words.next().ok_or("a word is missing: ID GOAL PROOF RATING THEMES POSITION MOVES…");
    let id = word()?.to_owned();
    let goal = match word()? {
        "win" => Goal::Win,
        "draw" => Goal::Draw,
        other => return Err(format!("'{other}' is not a goal: win or draw")),
    };
    let proof = match word()? {
        "tables" => Proof::Tables,
        "search" => Proof::Search,
        other => return Err(format!("'{other}' is not a proof: tables or search")),
    };
    let rating = word()?;
    let rating = rating.parse().map_err(|_| format!("'{rating}' is not a rating"))?;
    let themes = match word()? {
        "-" => ThemeSet::default(),
        names => names
            .split(',')
            .map(|name| name.parse::<Theme>().map_err(|error| error.to_string()))
            .collect::<Result<_, _>>()?,
    };
    let start = word()?.replace('_', " ");
    let start: Position = start.parse().map_err(|error: ParsePositionError| error.to_string())?;
    let mut solution = Vec::new();
    let mut position = start.clone();
    for text in words {
        let mv = parse_move(jungle, &position, text).map_err(|error| error.to_string())?;
        position.make(mv);
        solution.push(mv);
    }
    if solution.is_empty() {
        return Err("there are no moves".to_owned());
    }
    Ok(Puzzle { id, rules: *jungle.rules(), start, goal, solution, themes, rating, proof })
}

impl Puzzle {
    /// The name that the position gives it.
    pub fn own_id(&self) -> String {
        Identity::of(&Jungle::new(self.rules), &self.start).name()
    }

    /// The position as FEN without counters.
    pub fn fen(&self) -> String {
        placement(&self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "4qz0k3m1xt win tables 1400 parity,quiet 7/7/3e3/7/7/7/3E3/1T5/7_w b2b3 d7d6 b3a3";

    #[test]
    fn a_book_is_read_as_it_was_written() {
        let text = format!("rules standard\n{LINE}\n");
        let book: Book = format!("# puzzles\n\n{text}").parse().unwrap();
        assert_eq!(book.to_string(), text);
        assert_eq!(book.find("4qz0k3m1xt"), Some(&book.puzzles()[0]));
        assert_eq!(book.find("nothing"), None);
        assert_eq!(book.puzzles()[0].pieces(), 3);
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (line, fault) in [
            ("a", "a word is missing"),
            ("a lose tables 1 - 7/7/3e3/7/7/7/3E3/7/7_w d3d4", "goal"),
            ("a win luck 1 - 7/7/3e3/7/7/7/3E3/7/7_w d3d4", "proof"),
            ("a win tables high - 7/7/3e3/7/7/7/3E3/7/7_w d3d4", "rating"),
            ("a win tables 1 fork 7/7/3e3/7/7/7/3E3/7/7_w d3d4", "theme"),
            ("a win tables 1 - 7/7/3e3/7/7/7/3E3/7_w d3d4", "nine ranks"),
            ("a win tables 1 - 7/7/3e3/7/7/7/3E3/7/7_w d3d5", "d3d5"),
            ("a win tables 1 - 7/7/3e3/7/7/7/3E3/7/7_w", "no moves"),
        ] {
            let error = format!("rules standard\n{line}\n").parse::<Book>().unwrap_err();
            assert!(error.line == 2 && error.fault.contains(fault), "{line}: {error}");
        }
        assert!(LINE.parse::<Book>().unwrap_err().fault.contains("rules"));
        let twice = format!("rules standard\n{LINE}\n{LINE}\n").parse::<Book>().unwrap_err();
        assert_eq!((twice.line, twice.fault.contains("two puzzles")), (3, true));
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (text, number) in
            [("1970-01-01", 0), ("2000-02-29", 11_016), ("2026-11-18", 20_775), ("1969-12-31", -1)]
        {
            let date: Date = text.parse().unwrap();
            assert_eq!((date.number(), date.to_string()), (number, text.to_owned()));
            assert_eq!(Date::from_number(number), date);
        }
        for bad in ["", "2026-2-3", "2026-02-30", "2025-02-29", "2026-13-01", "today", "2026-00-10"]
        {
            assert!(bad.parse::<Date>().is_err(), "{bad}");
        }
    }
}
