//! One cell of the map: a match, and the file that records it.

use std::path::Path;

use lab::contest::{Contest, Observer};
use lab::record::{RecordedGame, write_whole};
use lab::standing::Scoreboard;
use lab::stats::Pentanomial;
use lab::{Settings, Spec, TimeControl};
use serde::{Deserialize, Serialize};

use super::{MOVE_LIMIT, RULES, YARDSTICK};
use crate::{Context, StudyError};

/// A match to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The player, against the yardstick.
    pub player: String,
    /// The node limit of both.
    pub nodes: u64,
    /// How many games.
    pub games: u64,
    /// Where the openings come from.
    pub seed: u64,
}

/// A match that was played, seen by the player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The match that was requested.
    #[serde(flatten)]
    pub asked: Asked,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs of games by score: 0, ½, 1, 1½, 2.
    pub pairs: Pentanomial,
    /// The advantage in Elo.
    pub elo: f64,
    /// The half-width of its 95 % interval.
    pub elo_error: f64,
    /// The mean depth of the player's searches.
    pub depth: f64,
    /// The mean depth of the yardstick's.
    pub yardstick_depth: f64,
}

impl Asked {
    /// A file name for the cell.
    pub fn file_name(&self) -> String {
        let fit = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        let player: String = self.player.chars().map(fit).collect();
        format!("{player}-{}.json", self.nodes)
    }

    /// Plays the match.
    pub fn play(&self, context: &mut Context<'_>) -> Result<Cell, StudyError> {
        let players = vec![read(&self.player)?, read(YARDSTICK)?];
        let settings = Settings {
            rules: RULES,
            seed: self.seed,
            games: self.games,
            move_limit: MOVE_LIMIT,
            ..Settings::new(players, TimeControl::Nodes(self.nodes))
        };
        let contest = Contest::new(settings.clone())?.stopped_by(context.stop.clone());
        let progress = context.progress.contest(&settings);
        let mut watch = Watch { progress, depths: [(0.0, 0); 2] };
        let report = contest.run(&mut watch)?;
        let [depth, yardstick_depth] = watch.depths.map(|(sum, moves)| sum / f64::from(moves));
        let tally = report.standing.first_pairing();
        let elo = tally.pairs.elo();
        Ok(Cell {
            asked: self.clone(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pairs: tally.pairs,
            elo: elo.value,
            elo_error: elo.error,
            depth,
            yardstick_depth,
        })
    }
}

impl Cell {
    /// The cell on file, if there is one.
    pub fn read(path: &Path, asked: &Asked) -> Result<Option<Cell>, StudyError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StudyError::io("reading", path)(error)),
        };
        let cell: Cell = serde_json::from_str(&text).map_err(|source| StudyError::Damaged {
            path: path.to_owned(),
            line: source.line(),
            source,
        })?;
        if cell.asked == *asked {
            return Ok(Some(cell));
        }
        let what = format!(
            "has {} games with seed {}, but {} games with seed {} were requested",
            cell.asked.games, cell.asked.seed, asked.games, asked.seed
        );
        Err(StudyError::OtherRun { path: path.to_owned(), what })
    }

    /// Records the cell.
    pub fn write(&self, path: &Path) -> Result<(), StudyError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(StudyError::io("making", folder))?;
        }
        let text = serde_json::to_string_pretty(self).map_err(StudyError::Json)?;
        Ok(write_whole(path, &(text + "\n"))?)
    }
}

/// A player by its specification.
pub fn read(text: &str) -> Result<Spec, StudyError> {
    text.parse().map_err(|source| StudyError::Spec { spec: text.to_owned(), source })
}

/// Whether there are cells in a folder.
pub fn any_in(folder: &Path) -> bool {
    std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// Counts how deep both search.
struct Watch<'a> {
    progress: Box<dyn Observer + 'a>,
    /// The sum of depths and the number of moves, of each player.
    depths: [(f64, u32); 2],
}

impl Observer for Watch<'_> {
    fn begin(&mut self, scheduled: u64, scoreboard: &Scoreboard) {
        self.progress.begin(scheduled, scoreboard);
    }

    fn finished(&mut self, row: &RecordedGame, scoreboard: &Scoreboard) {
        for (ply, played) in row.played.moves.iter().enumerate() {
            if let Some(depth) = played.choice.info.depth {
                let (sum, moves) = &mut self.depths[row.mover(ply)];
                *sum += f64::from(depth);
                *moves += 1;
            }
        }
        self.progress.finished(row, scoreboard);
    }
}
