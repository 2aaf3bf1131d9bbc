//! The book: the engine's own games from the start, and its analysis of the first plies, in a small file of text.
//!
//! The first line is a JSON object that says how the book was made ([`Origin`]). Then a line for each position that was
//! analysed, a line for each game, and a checksum:
//!
//! ```text
//! {"format":"mousetrap-book","version":1,"rules":"standard","engine":"champion 0.1.0",…}
//! A - a3b3:35/14/3000000 b2a2:-4/13/3000000 …
//! A a3b3 a7a6:-12/12/300000 …
//! G 1-0 *3!(…
//! S 5f0c…
//! ```
//!
//! `A` has the moves that lead to the position (`-` if there are none), separated by commas, and then its moves, each
//! with the score for the side that makes it (hundredths, or `w5` for a win and `l4` for a loss in so many plies), the
//! depth and the nodes of the search. `G` has the result and a character for each ply: the character with code
//! 33 + n stands for move n, counted from 0, of all legal moves in the order of their text (`a1a2` before `a3a4`).
//! `S` is the BLAKE3 hash of all that comes before its line, in hexadecimal. A game is one byte a ply this way, and
//! whoever can generate moves can read it.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::OnceLock;

use game::Game;
use game::score::Verdict;
use game::truth::Truth;
use jungle::pgn::{GameRecord, GameResult, Tags};
use jungle::{Jungle, Move, Position, Rules, Setup, fen};
use serde::{Deserialize, Serialize};

use crate::entry::{Entry, Source};
use crate::key::{Edge, Located, PositionKey};
use crate::memory::Memory;
use crate::store::Store;

const FORMAT: &str = "mousetrap-book";
const VERSION: u32 = 1;
/// The first character that stands for a move.
const FIRST: u8 = b'!';

/// The book that comes with the program, as text.
#[cfg(feature = "book")]
pub const SHIPPED: &str = include_str!("../data/opening.book");

/// The book that comes with the program, read once.
///
/// # Panics
///
/// If it was damaged before it was compiled in, which a test would have found.
#[cfg(feature = "book")]
pub fn shipped() -> &'static Book {
    static BOOK: OnceLock<Book> = OnceLock::new();
    BOOK.get_or_init(|| Book::read(SHIPPED).expect("the book that is shipped can be read"))
}

/// How a book was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Origin {
    /// The rules.
    pub rules: String,
    /// Who played and analysed.
    pub engine: String,
    /// The signature of its search: the nodes of `bench` at the depth 8.
    pub signature: u64,
    /// The nodes of a move in the games.
    pub nodes: u64,
    /// The plies at the beginning of a game in which moves were drawn by lot, the better the likelier.
    pub varied: usize,
    /// What the games follow from.
    pub seed: u64,
    /// The nodes of every search of the analysis, by ply from the start.
    pub analysis: Vec<u64>,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    #[serde(flatten)]
    origin: Origin,
}

/// A game of a book, from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookGame {
    /// The moves.
    pub moves: Vec<Move>,
    /// How it ended.
    pub result: GameResult,
}

/// What a search found out about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Judged {
    /// The score, for the side that makes the move.
    pub score: Verdict,
    /// How many plies were searched throughout, the move included.
    pub depth: u32,
    /// The nodes of the search.
    pub nodes: u64,
}

/// A position that was analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysed {
    /// The moves that lead there from the start.
    pub path: Vec<Move>,
    /// Its moves, and what was found out about each.
    pub moves: Vec<(Move, Judged)>,
}

/// A book.
#[derive(Debug)]
pub struct Book {
    /// How it was made.
    pub origin: Origin,
    /// The games.
    pub games: Vec<BookGame>,
    /// The analysis.
    pub analysis: Vec<Analysed>,
    index: OnceLock<Index>,
}

/// A book, to be asked about positions.
#[derive(Debug, Default)]
struct Index {
    store: Memory,
    judged: HashMap<PositionKey, Vec<(Edge, Judged)>>,
}

/// Why a book cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the book: {fault}")]
pub struct BookError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: BookFault,
}

/// What is wrong with a book.
#[derive(Debug, thiserror::Error)]
pub enum BookFault {
    /// It is something else.
    #[error("this is not a book of Mousetrap, or of a version that is not known")]
    Header,
    /// The rules are not known.
    #[error(transparent)]
    Rules(#[from] jungle::ParseRulesError),
    /// A line is not understood.
    #[error("'{0}' is not understood")]
    Text(String),
    /// Something was changed or is missing.
    #[error("the checksum does not agree: the file is damaged or cut off")]
    Checksum,
}

impl Book {
    /// A book of these games and this analysis.
    pub fn new(origin: Origin, games: Vec<BookGame>, analysis: Vec<Analysed>) -> Book {
        Book { origin, games, analysis, index: OnceLock::new() }
    }

    /// Reads a book.
    ///
    /// # Errors
    ///
    /// If it is damaged, or something else.
    pub fn read(text: &str) -> Result<Book, BookError> {
        let at = |line: usize, fault: BookFault| BookError { line: line + 1, fault };
        let header = text.lines().next().unwrap_or_default();
        let header: Header = serde_json::from_str(header).map_err(|_| at(0, BookFault::Header))?;
        if header.format != FORMAT || header.version != VERSION {
            return Err(at(0, BookFault::Header));
        }
        let last = text.lines().count().saturating_sub(1);
        let checked = text.trim_end().rsplit_once('\n').filter(|(before, sum)| {
            let hash = blake3::hash(format!("{before}\n").as_bytes());
            sum.strip_prefix("S ") == Some(hash.to_hex().as_str())
        });
        let (body, _) = checked.ok_or_else(|| at(last, BookFault::Checksum))?;
        let rules: Rules =
            header.origin.rules.parse().map_err(|error| at(0, BookFault::Rules(error)))?;
        let jungle = Jungle::new(rules);
        let mut book = Book::new(header.origin, Vec::new(), Vec::new());
        for (number, line) in body.lines().enumerate().skip(1) {
            let known = match line.split_at_checked(2) {
                Some(("G ", rest)) => game(&jungle, rest).map(|game| book.games.push(game)),
                Some(("A ", rest)) => {
                    analysed(&jungle, rest).map(|found| book.analysis.push(found))
                }
                _ => None,
            };
            let text: String = line.chars().take(60).collect();
            known.ok_or_else(|| at(number, BookFault::Text(text)))?;
        }
        Ok(book)
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.origin.rules.parse().unwrap_or_default()
    }

    /// The games, to be found and explored.
    pub fn store(&self) -> &dyn Store {
        &self.index().store
    }

    /// What is known of the moves of a position from analysis, the best first.
    pub fn judged(&self, position: PositionKey) -> &[(Edge, Judged)] {
        self.index().judged.get(&position).map_or(&[], Vec::as_slice)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            let entries: Vec<Entry> = (1..)
                .zip(&self.games)
                .filter_map(|(number, game)| self.entry(number, game))
                .collect();
            // A store in memory takes everything.
            let _ = index.store.put(&entries);
            let jungle = Jungle::new(self.rules());
            for Analysed { path, moves } in &self.analysis {
                let mut position = Position::start();
                path.iter().for_each(|mv| jungle.make(&mut position, *mv));
                let located = Located::of(&position);
                let mut moves: Vec<(Edge, Judged)> =
                    moves.iter().map(|(mv, judged)| (located.keep(*mv), *judged)).collect();
                moves.sort_by_key(|(_, judged)| std::cmp::Reverse(rank(judged.score)));
                index.judged.insert(located.key(), moves);
            }
            index
        })
    }

    fn entry(&self, number: usize, game: &BookGame) -> Option<Entry> {
        let mut tags = Tags::default();
        for (name, value) in [
            ("Event", "Opening book"),
            ("Round", &number.to_string()),
            ("White", &self.origin.engine),
            ("Black", &self.origin.engine),
        ] {
            tags.set(name, value).ok()?;
        }
        let start: Setup = fen::START.parse().ok()?;
        let mut record = GameRecord::new(self.rules(), start);
        record.tags = tags;
        record.line = game.moves.iter().copied().collect();
        record.result = game.result;
        let id = format!("book-{number}").parse().ok()?;
        Entry::named(id, Source::Book, 0, &record).ok()
    }
}

/// The book as text.
impl std::fmt::Display for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let jungle = Jungle::new(self.rules());
        let header =
            Header { format: FORMAT.to_owned(), version: VERSION, origin: self.origin.clone() };
        let mut text = serde_json::to_string(&header).map_err(|_| std::fmt::Error)?;
        text.push('\n');
        for Analysed { path, moves } in &self.analysis {
            let path: Vec<String> = path.iter().map(ToString::to_string).collect();
            write!(text, "A {}", if path.is_empty() { "-".to_owned() } else { path.join(",") })?;
            for (mv, Judged { score, depth, nodes }) in moves {
                write!(text, " {mv}:{}/{depth}/{nodes}", score_text(*score))?;
            }
            text.push('\n');
        }
        for game in &self.games {
            write!(text, "G {} ", game.result)?;
            let mut position = Position::start();
            for mv in &game.moves {
                let number = ordered(&jungle, &position).iter().position(|known| known == mv);
                let number = number.ok_or(std::fmt::Error)?;
                text.push(char::from(FIRST + u8::try_from(number).map_err(|_| std::fmt::Error)?));
                jungle.make(&mut position, *mv);
            }
            text.push('\n');
        }
        let hash = blake3::hash(text.as_bytes());
        writeln!(f, "{text}S {}", hash.to_hex())
    }
}

/// The legal moves in the order of their text.
fn ordered(jungle: &Jungle, position: &Position) -> Vec<Move> {
    let mut moves = jungle.moves(position).to_vec();
    moves.sort_by_key(|mv| (mv.from.file(), mv.from.rank(), mv.to.file(), mv.to.rank()));
    moves
}

fn game(jungle: &Jungle, text: &str) -> Option<BookGame> {
    let (result, plies) = text.split_once(' ')?;
    let mut position = Position::start();
    let mut moves = Vec::with_capacity(plies.len());
    for byte in plies.bytes() {
        let number = byte.checked_sub(FIRST)?;
        let mv = *ordered(jungle, &position).get(usize::from(number))?;
        jungle.make(&mut position, mv);
        moves.push(mv);
    }
    Some(BookGame { moves, result: GameResult::from_text(result)? })
}

fn analysed(jungle: &Jungle, text: &str) -> Option<Analysed> {
    let mut words = text.split(' ');
    let mut position = Position::start();
    let mut path = Vec::new();
    for text in words.next()?.split(',').filter(|text| *text != "-") {
        let mv = jungle::parse_move(jungle, &position, text).ok()?;
        jungle.make(&mut position, mv);
        path.push(mv);
    }
    let judged = |word: &str| {
        let (mv, found) = word.split_once(':')?;
        let mv = jungle::parse_move(jungle, &position, mv).ok()?;
        let mut parts = found.split('/');
        let (score, depth, nodes) = (parts.next()?, parts.next()?, parts.next()?);
        let (depth, nodes) = (depth.parse().ok()?, nodes.parse().ok()?);
        Some((mv, Judged { score: read_score(score)?, depth, nodes }))
    };
    let moves = words.map(judged).collect::<Option<_>>()?;
    Some(Analysed { path, moves })
}

fn score_text(score: Verdict) -> String {
    match score {
        Verdict::Estimate(value) => value.to_string(),
        Verdict::Known(Truth::Win(plies)) => format!("w{plies}"),
        Verdict::Known(Truth::Loss(plies)) => format!("l{plies}"),
        Verdict::Known(Truth::Draw) => "d".to_owned(),
    }
}

fn read_score(text: &str) -> Option<Verdict> {
    Some(match text.split_at_checked(1)? {
        ("w", plies) => Verdict::Known(Truth::Win(plies.parse().ok()?)),
        ("l", plies) => Verdict::Known(Truth::Loss(plies.parse().ok()?)),
        ("d", "") => Verdict::Known(Truth::Draw),
        _ => Verdict::Estimate(text.parse().ok()?),
    })
}

/// Scores in order, as one number.
fn rank(score: Verdict) -> i64 {
    match score {
        Verdict::Estimate(value) => value.into(),
        Verdict::Known(Truth::Draw) => 0,
        Verdict::Known(Truth::Win(plies)) => 1_000_000 - i64::from(plies),
        Verdict::Known(Truth::Loss(plies)) => i64::from(plies) - 1_000_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Page};
    use game::rng::Rng;
    use jungle::Play;

    fn small() -> Book {
        let mut games = Vec::new();
        for seed in 0..12 {
            let mut rng = Rng::new(seed);
            let mut play = Play::start(Jungle::new(Rules::STANDARD));
            while play.ending().is_none() && play.moves().len() < 60 {
                let moves = play.legal_moves();
                let Some(mv) = rng.choose(&moves) else { break };
                play.play(*mv).unwrap();
            }
            let moves = play.moves().to_vec();
            games.push(BookGame { moves, result: play.ending().into() });
        }
        let jungle = Jungle::new(Rules::STANDARD);
        let judged = |value: i32| Judged { score: Verdict::Estimate(value), depth: 9, nodes: 100 };
        let moves = jungle.moves(&Position::start()).to_vec();
        let path = vec![moves[3]];
        let mut moves: Vec<_> = (0..).zip(moves).map(|(value, mv)| (mv, judged(value))).collect();
        moves[2].1.score = Verdict::Known(Truth::Loss(4));
        moves[5].1.score = Verdict::Known(Truth::Draw);
        let origin = Origin {
            rules: "standard".to_owned(),
            engine: "random".to_owned(),
            signature: 0,
            nodes: 1,
            varied: 0,
            seed: 0,
            analysis: vec![100],
        };
        let analysis =
            vec![Analysed { path: Vec::new(), moves }, Analysed { path, moves: Vec::new() }];
        Book::new(origin, games, analysis)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let book = small();
        let again = Book::read(&book.to_string()).unwrap();
        assert_eq!((&again.origin, &again.games), (&book.origin, &book.games));
        assert_eq!(again.analysis, book.analysis);
        let start = Located::of(&Position::start());
        let explored = again.store().explore(start.key(), &Filter::default()).unwrap();
        assert_eq!(explored.total.games(), 12);
        let judged = again.judged(start.key());
        assert_eq!((judged.len(), judged[23].1.score), (24, Verdict::Known(Truth::Loss(4))));
        let found = again.store().find(&Filter::default(), Page::default()).unwrap();
        assert_eq!(found.games[11].id.as_str(), "book-1");
    }

    #[test]
    fn a_damaged_book_is_refused() {
        let text = small().to_string();
        assert!(matches!(Book::read("").unwrap_err().fault, BookFault::Header));
        assert!(matches!(Book::read("{}\n").unwrap_err().fault, BookFault::Header));
        for end in (0..text.len() - 1).step_by(97) {
            assert!(Book::read(&text[..end]).is_err(), "{end}");
        }
        let changed = text.replacen("G ", "G  ", 1);
        assert!(matches!(Book::read(&changed).unwrap_err().fault, BookFault::Checksum));
        // A checksum that agrees does not make a move legal.
        let body = text
            .rsplit_once("S ")
            .unwrap()
            .0
            .replacen("\nG 1", "\nG ~1", 1)
            .replacen("\nG *", "\nG ~*", 1);
        let forged = format!("{body}S {}\n", blake3::hash(body.as_bytes()).to_hex());
        assert!(matches!(Book::read(&forged).unwrap_err().fault, BookFault::Text(_)));
    }
}
