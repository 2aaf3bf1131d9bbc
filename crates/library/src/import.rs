//! Import: PGN of any length, read game by game in bounded memory.
//!
//! The text is cut into pieces where a line of tags follows moves; each piece is read by itself ([`jungle::pgn`]), so that
//! a fault in one game does not touch the others, and is named with the number of the game and the line in
//! the whole text. A comment may hold brackets and span lines, so braces are counted; a comment that nobody closed would
//! swallow all that follows, so a tag `Event` at the beginning of a line ends it as well. Text that is not UTF-8 is
//! taken for Latin-1, which PGN was made for.

use std::fmt;
use std::io::{self, BufRead};

use jungle::pgn::{self, GameRecord, PgnError};

use crate::entry::{Entry, Source, TooLong};
use crate::store::{Put, Status, Store, StoreError};

/// The most bytes of a piece, which is one game if games have tags.
const MOST_BYTES: usize = 4 << 20;
/// How many games are kept at once.
const BATCH: usize = 250;
/// How many faults are listed; the others are counted.
const MOST_FAULTS: usize = 1000;

/// How to import.
#[derive(Clone, Debug)]
pub struct Import {
    /// Where the games come from.
    pub source: Source,
    /// When, in seconds since 1970.
    pub saved: u64,
    /// How many lines of the text came before.
    pub lines_before: usize,
    /// How many games came before.
    pub games_before: usize,
}

impl Import {
    /// Games from this source, the text from its beginning.
    pub fn new(source: Source) -> Import {
        Import { source, saved: now(), lines_before: 0, games_before: 0 }
    }
}

/// The time, in seconds since 1970.
pub fn now() -> u64 {
    let passed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    passed.map_or(0, |passed| passed.as_secs())
}

/// What became of a text.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many games there were, faulty ones included.
    pub read: usize,
    /// How many were kept.
    pub added: usize,
    /// How many were there already.
    pub known: usize,
    /// How many could not be read.
    pub faulty: usize,
    /// What is wrong with them; a thousand at most.
    pub faults: Vec<Fault>,
    /// How many bytes were read.
    pub bytes: u64,
}

/// A game that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the game in the text, counted from 1.
    pub game: usize,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub wrong: Wrong,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}: {}", self.game, self.line, self.wrong)
    }
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong {
    /// It is not PGN, or not a game of Jungle.
    #[error("{}", .0.fault)]
    Pgn(PgnError),
    /// It is too long.
    #[error(transparent)]
    Long(#[from] TooLong),
    /// It has too many bytes.
    #[error("the game has more than {MOST_BYTES} bytes: cut it")]
    Large,
}

/// Why an import ended early. What was kept until then stays.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It is not text.
    #[error("this is not a PGN file: it is not text")]
    Binary,
    /// The text cannot be read.
    #[error("reading the games")]
    Read(#[source] io::Error),
    /// The games cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reads PGN and keeps its games; `heard` is told how far it is after every batch.
///
/// # Errors
///
/// If the text ends in an error, or the games cannot be kept; faulty games are in the report.
pub fn import(
    store: &dyn Store,
    text: impl BufRead,
    how: &Import,
    heard: &mut dyn FnMut(&Report),
) -> Result<Report, ImportError> {
    let mut report = Report::default();
    let mut batch = Vec::new();
    for piece in Pieces::new(text) {
        let piece = piece.map_err(ImportError::Read)?;
        report.bytes += piece.bytes;
        if piece.text.as_ref().is_some_and(|text| text.contains('\0')) {
            return Err(ImportError::Binary);
        }
        for (line, game) in piece.games() {
            report.read += 1;
            let entry =
                game.and_then(|record| Ok(Entry::nameless(how.source, how.saved, &record)?));
            match entry {
                Ok(entry) => batch.push(entry),
                Err(wrong) => {
                    let game = how.games_before.saturating_add(report.read);
                    let line = how.lines_before.saturating_add(line);
                    report.faulty += 1;
                    if report.faults.len() < MOST_FAULTS {
                        report.faults.push(Fault { game, line, wrong });
                    }
                }
            }
        }
        if batch.len() >= BATCH {
            keep(store, &mut batch, &mut report)?;
            heard(&report);
        }
    }
    keep(store, &mut batch, &mut report)?;
    heard(&report);
    Ok(report)
}

fn keep(store: &dyn Store, batch: &mut Vec<Entry>, report: &mut Report) -> Result<(), StoreError> {
    if batch.is_empty() {
        return Ok(());
    }
    for Put { status, .. } in store.put(batch)? {
        match status {
            Status::Known => report.known += 1,
            Status::Added | Status::Replaced => report.added += 1,
        }
    }
    batch.clear();
    Ok(())
}

/// A part of a text that begins with a game and ends with one.
struct Piece {
    /// None if it is too large.
    text: Option<String>,
    /// The lines before it.
    lines: usize,
    bytes: u64,
}

impl Piece {
    /// Its games, each with its line where something is wrong with it.
    fn games(&self) -> Vec<(usize, Result<GameRecord, Wrong>)> {
        let Some(text) = &self.text else { return vec![(self.lines + 1, Err(Wrong::Large))] };
        pgn::read(text)
            .map(|game| match game {
                Ok(record) => (self.lines + 1, Ok(record)),
                Err(error) => (self.lines + error.line, Err(Wrong::Pgn(error))),
            })
            .collect()
    }
}

/// A text in pieces.
struct Pieces<R> {
    text: R,
    /// A line that begins the next piece.
    ahead: Option<Vec<u8>>,
    /// How many lines were read.
    lines: usize,
    in_comment: bool,
}

impl<R: BufRead> Pieces<R> {
    fn new(text: R) -> Pieces<R> {
        Pieces { text, ahead: None, lines: 0, in_comment: false }
    }

    /// The next line, with its end; none after the last. Of a line that is too long, the rest is left out.
    fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut line = Vec::new();
        loop {
            let buffer = self.text.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let end = buffer.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let taken = end.unwrap_or(buffer.len());
            if line.len() <= MOST_BYTES {
                line.extend_from_slice(&buffer[..taken]);
            }
            self.text.consume(taken);
            if end.is_some() {
                break;
            }
        }
        if line.is_empty() {
            return Ok(None);
        }
        self.lines += 1;
        Ok(Some(line))
    }

    fn piece(&mut self) -> io::Result<Option<Piece>> {
        let mut bytes = self.ahead.take().unwrap_or_default();
        let before = self.lines - usize::from(!bytes.is_empty());
        let (mut length, mut moves_begun) = (bytes.len() as u64, false);
        while let Some(line) = self.line()? {
            let is_tag = line.trim_ascii_start().starts_with(b"[");
            let begins = is_tag && (!self.in_comment || line.starts_with(b"[Event \""));
            if begins && moves_begun {
                self.in_comment = false;
                self.ahead = Some(line);
                break;
            }
            if !begins {
                self.in_comment = ends_in_comment(&line, self.in_comment);
                moves_begun |= !line.trim_ascii().is_empty();
            }
            length += line.len() as u64;
            if bytes.len() <= MOST_BYTES {
                bytes.extend(line);
            }
        }
        if length == 0 {
            return Ok(None);
        }
        let text = (bytes.len() <= MOST_BYTES).then(|| decode(bytes));
        Ok(Some(Piece { text, lines: before, bytes: length }))
    }
}

impl<R: BufRead> Iterator for Pieces<R> {
    type Item = io::Result<Piece>;

    fn next(&mut self) -> Option<io::Result<Piece>> {
        self.piece().transpose()
    }
}

/// Whether a comment is open after a line.
fn ends_in_comment(line: &[u8], mut is_open: bool) -> bool {
    if !is_open && line.starts_with(b"%") {
        return false;
    }
    for byte in line {
        match byte {
            b'}' => is_open = false,
            b'{' => is_open = true,
            b';' if !is_open => return false,
            _ => {}
        }
    }
    is_open
}

fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Memory, Page};

    fn read(text: &[u8]) -> (Memory, Report) {
        let store = Memory::default();
        let report = import(&store, text, &Import::new(Source::Imported), &mut |_| {}).unwrap();
        (store, report)
    }

    fn counts(report: &Report) -> (usize, usize, usize, usize) {
        (report.read, report.added, report.known, report.faulty)
    }

    #[test]
    fn what_is_not_pgn_is_refused_whole_and_long_tags_by_game() {
        let store = Memory::default();
        let how = Import { lines_before: usize::MAX, ..Import::new(Source::Imported) };
        let binary = import(&store, &b"\x89PNG\0\0* 1-0"[..], &how, &mut |_| {});
        assert!(matches!(binary, Err(ImportError::Binary)));
        let long = format!("[White \"{}\"]\n\n1. Ea4 *\n", "x".repeat(2000));
        let report = import(&store, long.as_bytes(), &how, &mut |_| {}).unwrap();
        assert_eq!(counts(&report), (1, 0, 0, 1));
        assert!(report.faults[0].to_string().contains("the tag White has more than 1000 bytes"));
    }

    #[test]
    fn faults_name_the_game_and_the_line_and_spoil_nothing() {
        let text = "[White \"1\"]\n\n1. Ea4 Ra6 1-0\n\n[White \"2\"]\n\n1. Ea4\nEa9 *\n\n\
                    [White \"3\"]\n[FEN \"what\"]\n\n1. Ea4 *\n\n[White \"4\"]\n\n1. Rf3 *\n";
        let (store, report) = read(text.as_bytes());
        assert_eq!(counts(&report), (4, 2, 0, 2));
        assert_eq!(report.bytes, text.len() as u64);
        let places: Vec<_> = report.faults.iter().map(|fault| (fault.game, fault.line)).collect();
        assert_eq!(places, [(2, 8), (3, 11)]);
        assert!(
            report.faults[0].to_string().starts_with("game 2, line 8: g7a9 is illegal"),
            "{}",
            report.faults[0]
        );
        assert_eq!(store.find(&Filter::default(), Page::default()).unwrap().total, 2);
        let (_, again) = {
            let how = Import::new(Source::Imported);
            ((), import(&store, text.as_bytes(), &how, &mut |_| {}).unwrap())
        };
        assert_eq!(counts(&again), (4, 0, 2, 2));
    }

    #[test]
    fn the_pieces_are_those_of_one_read_over_the_whole_text() {
        let text = "1. Ea4 {a [Event \"x\"] b\n[not a tag]\n} Ra6 *\n1. Rf3 *\n\n% [Event\n[White \"y\"]\n\n\
                    1. Ea4 ; {\n*\n\n[White \"z\"]\n[Black \"z\"]\n1. Wc2 *\n\n1. Pe2 *";
        let whole: Vec<_> = pgn::read(text).map(Result::unwrap).collect();
        let pieces = Pieces::new(text.as_bytes());
        let games: Vec<_> = pieces
            .flat_map(|piece| piece.unwrap().games())
            .map(|(_, game)| game.unwrap())
            .collect();
        assert_eq!(games, whole);
    }

    #[test]
    fn a_comment_that_is_not_closed_costs_one_game() {
        let text = "[Event \"1\"]\n\n1. Ea4 {open *\n\n[Event \"2\"]\n\n1. Ea4 *\n";
        let (_, report) = read(text.as_bytes());
        assert_eq!(counts(&report), (2, 1, 0, 1));
        assert_eq!((report.faults[0].game, report.faults[0].line), (1, 3));
    }

    #[test]
    fn other_encodings_empty_texts_and_giants_are_met() {
        let (store, report) = read(b"[White \"M\xfcller\"]\n\n1. Ea4 *");
        assert_eq!(counts(&report), (1, 1, 0, 0));
        assert_eq!(
            store.find(&Filter::default(), Page::default()).unwrap().games[0].white,
            "Müller"
        );
        assert_eq!(counts(&read(b"").1), (0, 0, 0, 0));
        assert_eq!(counts(&read(b"\n \n").1), (0, 0, 0, 0));
        assert_eq!(counts(&read(b"\xff\xfe").1).3, 1);
        let mut giant = b"[White \"1\"]\n\n1. Ea4 {".to_vec();
        giant.resize(MOST_BYTES + 100, b'x');
        giant.extend(b"} *\n\n[White \"2\"]\n\n1. Ea4 *\n");
        let (_, report) = read(&giant);
        assert_eq!(counts(&report), (2, 1, 0, 1));
        assert_eq!(report.faults[0].wrong, Wrong::Large);
    }

    #[test]
    fn a_text_in_parts_counts_on() {
        let how = Import { lines_before: 100, games_before: 9, ..Import::new(Source::Own) };
        let report = import(&Memory::default(), &b"1. Ea9 *"[..], &how, &mut |_| {}).unwrap();
        assert_eq!((report.faults[0].game, report.faults[0].line), (10, 101));
    }
}
