//! Files of self-play games, three bytes a ply; described for other programs in `docs/training-data.md`.
//!
//! A header names the rules and how the games were played. Each game is a record with its length and a checksum,
//! written in one piece when the game is over, so that a kill loses only the games under way: an incomplete record at
//! the end is dropped when the file is opened again. Which games a file holds is known by their numbers; a run that goes
//! on plays the others.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use engine::EngineError;
use jungle::{Animal, Color, Jungle, Piece, Position, Rules, Square};

use crate::game_record::{Ended, GameRecord, Ply, direction, move_towards};
use crate::self_play::SelfPlay;

const MAGIC: [u8; 8] = *b"MTGAMES\x01";
/// No description is longer.
const LONGEST_DESCRIPTION: u32 = 4096;
/// Number, squares, player to move, result.
const FIXED: usize = 8 + 16 + 1 + 1;
/// No record is longer: thousands of plies.
const LONGEST_RECORD: u32 = 1 << 16;
/// In place of the square of a piece that is not there.
const ABSENT: u8 = 255;
/// The bit of quiet positions.
const QUIET: u8 = 0x20;

/// How the games of a file were played; a file goes on only with games played in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The rules.
    pub rules: Rules,
    /// How many nodes a move had.
    pub nodes: u64,
    /// Which weights played: their checksum.
    pub weights: u32,
    /// Which network corrected them: the checksum of its file; 0 without one.
    pub network: u32,
    /// Up to how many pieces tables ended games; 0 without tables.
    pub tables: u32,
}

impl Description {
    /// Of games played so.
    pub fn of(self_play: &SelfPlay) -> Description {
        let options = self_play.options();
        let weights = match (&options.weights, options.network()) {
            (Some(weights), _) => weights,
            (None, Some(network)) => &**network.features(),
            (None, None) => engine::eval::features::USUAL,
        };
        let bytes: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        Description {
            rules: self_play.rules,
            nodes: self_play.nodes,
            weights: crc32fast::hash(&bytes),
            network: options.network().map_or(0, |network| crc32fast::hash(&network.to_bytes())),
            tables: self_play.tables.as_deref().map_or(0, tablebase::Tablebase::most_pieces),
        }
    }

    fn text(&self) -> String {
        let Description { rules, nodes, weights, network, tables } = self;
        let network = match network {
            0 => String::new(),
            network => format!("network={network:08x}\n"),
        };
        format!("rules={rules}\nnodes={nodes}\nweights={weights:08x}\n{network}tables={tables}\n")
    }

    fn parse(text: &str) -> Option<Description> {
        let value =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        Some(Description {
            rules: value("rules")?.parse().ok()?,
            nodes: value("nodes")?.parse().ok()?,
            weights: u32::from_str_radix(value("weights")?, 16).ok()?,
            network: u32::from_str_radix(value("network").unwrap_or("0"), 16).ok()?,
            tables: value("tables")?.parse().ok()?,
        })
    }
}

/// Why games cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The file cannot be read.
    #[error("reading {path}: {source}", path = path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("writing {path}: {source}", path = path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file holds something else, or is damaged.
    #[error("{path} is no file of self-play games, or is damaged ({what})", path = path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The games of the file were played in another way.
    #[error(
        "the games of {path} were played in another way ({})",
        there.text().trim_end().replace('\n', ", "), path = path.display()
    )]
    Different {
        /// Which.
        path: PathBuf,
        /// How they were played.
        there: Box<Description>,
    },
    /// Another process writes to it.
    #[error("another process is writing to {path}", path = path.display())]
    Busy {
        /// Which.
        path: PathBuf,
    },
    /// Engines cannot be had.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A file of games.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    file: File,
    description: Description,
    numbers: HashSet<u64>,
    positions: u64,
}

impl GameFile {
    /// Opens a file to add games to it, or begins one.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, holds something else or games played in another way, or another process is
    /// writing to it.
    pub fn open(path: &Path, description: &Description) -> Result<GameFile, GameFileError> {
        let writing = |source| GameFileError::Write { path: path.to_owned(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(writing)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(GameFileError::Busy { path: path.to_owned() });
            }
            Err(TryLockError::Error(error)) => return Err(writing(error)),
        }
        if file.metadata().map_err(writing)?.len() == 0 {
            file.write_all(&header(description)).map_err(writing)?;
        }
        file.rewind().map_err(writing)?;
        let mut reader = Reader::new(path, BufReader::new(&file))?;
        if reader.description != *description {
            let there = Box::new(reader.description);
            return Err(GameFileError::Different { path: path.to_owned(), there });
        }
        let (mut numbers, mut positions) = (HashSet::new(), 0);
        while let Some(body) = reader.record()? {
            numbers.insert(number(body));
            positions += ((body.len() - FIXED) / 3) as u64;
        }
        let complete = reader.complete;
        file.set_len(complete).map_err(writing)?;
        file.seek(SeekFrom::End(0)).map_err(writing)?;
        let (path, description) = (path.to_owned(), description.clone());
        Ok(GameFile { path, file, description, numbers, positions })
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// How many positions they have, quiet or not.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Those of these games that have not been played.
    pub fn missing(&self, numbers: impl IntoIterator<Item = u64>) -> Vec<u64> {
        numbers.into_iter().filter(|game| !self.numbers.contains(game)).collect()
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), GameFileError> {
        let writing = |source| GameFileError::Write { path: self.path.clone(), source };
        self.file.write_all(&encode(game)).map_err(writing)?;
        self.numbers.insert(game.number);
        self.positions += game.plies.len() as u64;
        Ok(())
    }

    /// Plays games on several threads and adds each as it ends; `played` is called after each with the number of
    /// its positions, and no further game is begun once `stop` is set.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or there is no memory for the engines.
    pub fn play(
        &mut self,
        wanted: &[u64],
        self_play: &SelfPlay,
        threads: usize,
        stop: &AtomicBool,
        played: impl Fn(usize) + Sync,
    ) -> Result<(), GameFileError> {
        debug_assert_eq!(self.description, Description::of(self_play));
        let engines = (0..threads.clamp(1, wanted.len().max(1))).map(|_| self_play.engine());
        let engines = engines.collect::<Result<Vec<_>, _>>()?;
        let shared = Mutex::new((self, Ok(())));
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for mut engine in engines {
                let (shared, next, played) = (&shared, &next, &played);
                scope.spawn(move || {
                    while !stop.load(Relaxed)
                        && let Some(&number) = wanted.get(next.fetch_add(1, Relaxed))
                    {
                        let game = self_play.play_with(&mut engine, number);
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let (file, outcome) = &mut *shared;
                        if outcome.is_err() {
                            return;
                        }
                        *outcome = file.append(&game);
                        played(game.plies.len());
                    }
                });
            }
        });
        shared.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// Reads the records of a file one after the other.
pub(crate) struct Reader<'a, R> {
    path: &'a Path,
    input: R,
    pub(crate) description: Description,
    /// How many bytes hold complete records.
    complete: u64,
    body: Vec<u8>,
}

impl<'a, R: Read> Reader<'a, R> {
    pub(crate) fn new(path: &'a Path, mut input: R) -> Result<Reader<'a, R>, GameFileError> {
        let damaged = |what| GameFileError::Damaged { path: path.to_owned(), what };
        let mut start = [0; 12];
        input.read_exact(&mut start).map_err(|_| damaged("it is too short"))?;
        let length = u32::from_le_bytes([start[8], start[9], start[10], start[11]]);
        if start[..8] != MAGIC || length > LONGEST_DESCRIPTION {
            return Err(damaged("it begins differently"));
        }
        let mut text = vec![0; length as usize];
        input.read_exact(&mut text).map_err(|_| damaged("it is too short"))?;
        let text = str::from_utf8(&text).ok();
        let description =
            text.and_then(Description::parse).ok_or_else(|| damaged("its description"))?;
        let complete = 12 + u64::from(length);
        Ok(Reader { path, input, description, complete, body: Vec::new() })
    }

    /// The next record; none at the end, or where a kill cut off the last one.
    pub(crate) fn record(&mut self) -> Result<Option<&[u8]>, GameFileError> {
        let damaged = |what| GameFileError::Damaged { path: self.path.to_owned(), what };
        let mut start = [0; 8];
        let length = |start: [u8; 8]| u32::from_le_bytes([start[0], start[1], start[2], start[3]]);
        let sum = |start: [u8; 8]| u32::from_le_bytes([start[4], start[5], start[6], start[7]]);
        let read = match self.input.read_exact(&mut start) {
            Ok(()) if length(start) > LONGEST_RECORD => return Err(damaged("a record's length")),
            Ok(()) => {
                self.body.resize(length(start) as usize, 0);
                self.input.read_exact(&mut self.body)
            }
            Err(error) => Err(error),
        };
        match read {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
            Err(source) => return Err(GameFileError::Read { path: self.path.to_owned(), source }),
        }
        let well_formed = self.body.len() >= FIXED && (self.body.len() - FIXED).is_multiple_of(3);
        if !well_formed || crc32fast::hash(&self.body) != sum(start) {
            return Err(damaged("a checksum"));
        }
        self.complete += 8 + self.body.len() as u64;
        Ok(Some(&self.body))
    }
}

fn header(description: &Description) -> Vec<u8> {
    let text = description.text();
    let mut bytes = MAGIC.to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}

/// A record with its length and checksum.
fn encode(game: &GameRecord) -> Vec<u8> {
    let mut body = Vec::with_capacity(FIXED + 3 * game.plies.len());
    body.extend(game.number.to_le_bytes());
    for color in Color::ALL {
        body.extend(Animal::ALL.map(|animal| {
            game.start.square_of(color, animal).map_or(ABSENT, |square| square.index() as u8)
        }));
    }
    body.push(game.start.turn() as u8);
    body.push(game.ended as u8);
    for Ply { mv, score, quiet } in &game.plies {
        let quiet = if *quiet { QUIET } else { 0 };
        body.push(mv.animal.index() as u8 | direction(*mv) << 3 | quiet);
        body.extend(score.to_le_bytes());
    }
    let mut record = Vec::with_capacity(8 + body.len());
    record.extend((body.len() as u32).to_le_bytes());
    record.extend(crc32fast::hash(&body).to_le_bytes());
    record.extend(body);
    record
}

/// The number of the game that a record holds.
pub(crate) fn number(body: &[u8]) -> u64 {
    body.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// How it ended.
pub(crate) fn result(body: &[u8]) -> Option<Ended> {
    [Ended::Black, Ended::Drawn, Ended::White].get(usize::from(*body.get(25)?)).copied()
}

/// The game that a record holds; none if a move is illegal.
pub(crate) fn decode(jungle: &Jungle, body: &[u8]) -> Option<GameRecord> {
    let (fixed, moves) = body.split_at_checked(FIXED)?;
    let pieces = Color::ALL.into_iter().flat_map(|color| Animal::ALL.map(|animal| (color, animal)));
    let mut placed: Vec<(Square, Piece)> = Vec::with_capacity(16);
    for ((color, animal), &at) in pieces.zip(&fixed[8..24]) {
        if at != ABSENT {
            placed.push((Square::from_index(at)?, Piece { color, animal }));
        }
    }
    let turn = *Color::ALL.get(usize::from(fixed[24]))?;
    let ended = result(body)?;
    let start = Position::from_pieces(placed, turn).ok()?;
    let mut position = start.clone();
    let mut plies = Vec::with_capacity(moves.len() / 3);
    for &[byte, low, high] in moves.as_chunks::<3>().0 {
        let animal = Animal::ALL[usize::from(byte & 7)];
        let mv = move_towards(jungle, &position, animal, byte >> 3 & 3)?;
        let score = i16::from_le_bytes([low, high]);
        plies.push(Ply { mv, score, quiet: byte & QUIET != 0 });
        position.make(mv);
    }
    Some(GameRecord { number: number(body), start, plies, ended })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Games;

    #[test]
    fn games_are_played_once_and_half_games_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let how = SelfPlay::new(Rules::STANDARD, 50);
        let description = Description::of(&how);
        let never = AtomicBool::new(false);
        let mut file = GameFile::open(&path, &description).unwrap();
        assert!(file.is_empty());
        file.play(&file.missing(3..6), &how, 2, &never, |_| ()).unwrap();
        let busy = GameFile::open(&path, &description).unwrap_err();
        assert!(matches!(busy, GameFileError::Busy { .. }), "{busy}");
        let positions = file.positions();
        drop(file);
        let games = Games::read(&path).unwrap();
        assert_eq!((games.description(), games.len()), (&description, 3));
        assert_eq!(games.game(1).unwrap(), how.play(4).unwrap());

        // A kill in the middle of the next game.
        let whole = std::fs::read(&path).unwrap();
        let cut = [&whole[..], &encode(&games.game(0).unwrap())[..50]].concat();
        std::fs::write(&path, cut).unwrap();
        let file = GameFile::open(&path, &description).unwrap();
        assert_eq!((file.len(), file.positions()), (3, positions));
        assert_eq!(file.missing(2..7), [2, 6]);
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let how = SelfPlay::new(Rules::STANDARD, 50);
        let description = Description::of(&how);
        let mut file = GameFile::open(&path, &description).unwrap();
        file.append(&how.play(1).unwrap()).unwrap();
        drop(file);
        let with_network = Description { network: 0xab, ..description.clone() };
        assert_eq!(Description::parse(&with_network.text()), Some(with_network.clone()));
        assert!(matches!(
            GameFile::open(&path, &with_network),
            Err(GameFileError::Different { .. })
        ));
        let more = Description { nodes: 51, ..description.clone() };
        let error = GameFile::open(&path, &more).unwrap_err().to_string();
        assert!(error.contains("nodes=50"), "{error}");
        let whole = std::fs::read(&path).unwrap();
        for at in [3, 20, whole.len() - 2] {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x40;
            std::fs::write(&path, &flipped).unwrap();
            assert!(Games::read(&path).is_err(), "byte {at}");
        }
        std::fs::write(&path, "nonsense\n").unwrap();
        assert!(matches!(GameFile::open(&path, &description), Err(GameFileError::Damaged { .. })));
    }
}
