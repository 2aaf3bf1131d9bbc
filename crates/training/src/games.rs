//! The games of a file, decoded when they are asked for: in memory they take what they take on disk, so that a hundred
//! million positions fit easily.

use std::fs::File;
use std::io::BufReader;
use std::ops::Range;
use std::path::{Path, PathBuf};

use jungle::Jungle;

use crate::file::{Description, GameFileError, Reader, decode, number, result};
use crate::game_record::{Ended, GameRecord};

/// All games of a file, each once, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Games {
    path: PathBuf,
    description: Description,
    jungle: Jungle,
    /// The bodies of the records.
    bytes: Vec<u8>,
    /// The number of each game, and where it is.
    games: Vec<(u64, Range<usize>)>,
}

impl Games {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read or holds something else.
    pub fn read(path: &Path) -> Result<Games, GameFileError> {
        let reading = |source| GameFileError::Read { path: path.to_owned(), source };
        let file = File::open(path).map_err(reading)?;
        let mut reader = Reader::new(path, BufReader::new(file))?;
        let (mut bytes, mut games) = (Vec::new(), Vec::new());
        while let Some(body) = reader.record()? {
            games.push((number(body), bytes.len()..bytes.len() + body.len()));
            bytes.extend_from_slice(body);
        }
        games.sort_by_key(|(number, _)| *number);
        games.dedup_by_key(|(number, _)| *number);
        let description = reader.description;
        let jungle = Jungle::new(description.rules);
        Ok(Games { path: path.to_owned(), description, jungle, bytes, games })
    }

    /// How they were played.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// How many of them are decided.
    pub fn decided(&self) -> usize {
        let bodies = self.games.iter().map(|(_, at)| &self.bytes[at.clone()]);
        bodies.filter(|body| result(body).is_some_and(|ended| ended != Ended::Drawn)).count()
    }

    /// A game by its index.
    ///
    /// # Errors
    ///
    /// If a move of it is illegal.
    ///
    /// # Panics
    ///
    /// If there are not so many games.
    pub fn game(&self, index: usize) -> Result<GameRecord, GameFileError> {
        let what = "a game with an illegal move";
        decode(&self.jungle, &self.bytes[self.games[index].1.clone()])
            .ok_or_else(|| GameFileError::Damaged { path: self.path.clone(), what })
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Result<GameRecord, GameFileError>> + '_ {
        (0..self.len()).map(|index| self.game(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameFile, SelfPlay};
    use jungle::Rules;

    #[test]
    fn games_come_once_and_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let how = SelfPlay::new(Rules::STANDARD, 50);
        let mut file = GameFile::open(&path, &Description::of(&how)).unwrap();
        let played: Vec<GameRecord> = (0..4).map(|number| how.play(number).unwrap()).collect();
        for index in [2, 0, 3, 0, 1] {
            file.append(&played[index]).unwrap();
        }
        drop(file);
        let games = Games::read(&path).unwrap();
        assert_eq!((games.len(), games.description()), (4, &Description::of(&how)));
        let read: Vec<GameRecord> = games.iter().collect::<Result<_, _>>().unwrap();
        assert_eq!(read, played);
        let decided = played.iter().filter(|game| game.ended != Ended::Drawn).count();
        assert_eq!(games.decided(), decided);
    }
}
