//! Tuning the constants of the search: [SPSA](crate::spsa) over matches of the champion with itself.
//!
//! The journal is a text file: a line that says what is tuned and how, then the games that the first side won, drew and
//! lost, a line an iteration. A line is written when its match is over; a run that was killed goes on behind the last whole one.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use engine::Constants;
use jungle::Rules;
use lab::contest::{Contest, ContestError, Silent};
use lab::{Settings, SpecError, TimeControl};

use crate::spsa::{Parameter, Progress, Sides, Spsa};

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct SearchTuning {
    /// What is tuned: constants of the search by name.
    pub spsa: Spsa,
    /// Games of a match: an even number.
    pub games: u64,
    /// What the players may spend.
    pub time_control: TimeControl,
    /// What else both players are told, as in `hash=4,contempt=0`; or nothing.
    pub player: String,
    /// The rules.
    pub rules: Rules,
    /// How many games at a time.
    pub threads: usize,
    /// Where results are kept.
    pub journal: PathBuf,
}

/// Why the search cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum SearchTuningError {
    /// There is no constant of this name.
    #[error("there is no constant {0}; there are {list}", list = Constants::ALL.map(|constant| constant.name).join(", "))]
    Unknown(String),
    /// There is nothing to tune.
    #[error("there must be a constant and an iteration at least")]
    Nothing,
    /// The player cannot be had.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A match.
    #[error(transparent)]
    Match(#[from] ContestError),
    /// The journal cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Journal {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// The journal is of another run.
    #[error("{path} belongs to a run with other settings", path = path.display())]
    Different {
        /// Which.
        path: PathBuf,
    },
    /// Another process goes on with it.
    #[error("another process is writing to {path}", path = path.display())]
    Busy {
        /// Which.
        path: PathBuf,
    },
}

/// The constants of these names, as they are in use; all of them if there are no names.
///
/// # Errors
///
/// If there is no constant of a name.
pub fn parameters(names: &[String]) -> Result<Vec<Parameter>, SearchTuningError> {
    let known = |name: &str| Constants::ALL.into_iter().find(|constant| constant.name == name);
    if let Some(name) = names.iter().find(|name| known(name).is_none()) {
        return Err(SearchTuningError::Unknown(name.clone()));
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let mut usual = Constants::default();
    let found = Constants::ALL.into_iter().filter(|constant| wanted(constant.name));
    let parameters = found.filter_map(|constant| {
        let start = *usual.named(constant.name)?;
        let (name, step) = (constant.name.to_owned(), constant.step);
        Some(Parameter { name, start, least: constant.least, most: constant.most, step })
    });
    Ok(parameters.collect())
}

/// The constants with these values, as players take them.
pub fn text(parameters: &[Parameter], values: &[i32]) -> String {
    let all = parameters.iter().zip(values);
    all.map(|(parameter, value)| format!("{}={value}", parameter.name))
        .collect::<Vec<_>>()
        .join(",")
}

impl SearchTuning {
    /// Plays on until all iterations are done or `stop` is set, telling of the state at the beginning and after each.
    ///
    /// # Errors
    ///
    /// If the journal or the players cannot be had. What is done is kept.
    pub fn run(
        &self,
        stop: &Arc<AtomicBool>,
        mut tell: impl FnMut(&Progress),
    ) -> Result<Progress, SearchTuningError> {
        let spsa = &self.spsa;
        if spsa.parameters.is_empty() || spsa.iterations == 0 {
            return Err(SearchTuningError::Nothing);
        }
        let mut journal = Journal::open(&self.journal, &self.description())?;
        let mut progress = spsa.begin();
        for &[won, _, lost] in journal.results.iter().take(spsa.iterations as usize) {
            spsa.learn(&mut progress, won as f64 - lost as f64);
        }
        tell(&progress);
        while progress.done < spsa.iterations && !stop.load(Relaxed) {
            let Some([won, drawn, lost]) = self.meet(&progress, stop)? else { break };
            journal.add([won, drawn, lost])?;
            spsa.learn(&mut progress, won as f64 - lost as f64);
            tell(&progress);
        }
        Ok(progress)
    }

    /// The match of the next iteration: won, drawn and lost by the first side; none if it was stopped.
    fn meet(
        &self,
        progress: &Progress,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<[u64; 3]>, SearchTuningError> {
        let Sides { one, other } = self.spsa.sides(progress);
        let player = |values: &[i32]| {
            let comma = if self.player.is_empty() { "" } else { "," };
            let constants = text(&self.spsa.parameters, values);
            format!("champion:{}{comma}{constants}", self.player).parse()
        };
        let players = vec![player(&one)?, player(&other)?];
        let settings = Settings {
            games: self.games,
            rules: self.rules,
            seed: self.spsa.seed.wrapping_add(progress.done.into()),
            ..Settings::new(players, self.time_control)
        };
        let contest = Contest::new(settings)?.concurrency(self.threads).stopped_by(stop.clone());
        let tally = contest.run(&mut Silent)?.standing.first_pairing();
        let whole = tally.games() == self.games;
        Ok(whole.then_some([tally.wins, tally.draws, tally.losses]))
    }

    /// Everything that the results depend on, in a line.
    fn description(&self) -> String {
        let Spsa { parameters, iterations, rate, seed } = &self.spsa;
        let all = parameters.iter().map(|parameter| {
            let Parameter { name, start, least, most, step } = parameter;
            format!("{name}={start}:{least}:{most}:{step}")
        });
        format!(
            "spsa 1; {}; iterations {iterations}; rate {rate}; seed {seed}; games {}; {}; rules {}; player {}",
            all.collect::<Vec<_>>().join(" "),
            self.games,
            self.time_control,
            self.rules,
            self.player
        )
    }
}

/// The results of all matches that are over.
struct Journal {
    path: PathBuf,
    file: File,
    results: Vec<[u64; 3]>,
}

impl Journal {
    fn open(path: &Path, description: &str) -> Result<Journal, SearchTuningError> {
        let path = path.to_owned();
        let failed = |source| SearchTuningError::Journal { path: path.clone(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SearchTuningError::Busy { path }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        if text.is_empty() {
            writeln!(file, "{description}").map_err(failed)?;
            return Ok(Journal { path, file, results: Vec::new() });
        }
        let mut whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let first = whole.next().unwrap_or_default();
        let results: Option<Vec<[u64; 3]>> = whole.map(counts).collect();
        let Some(results) = results.filter(|_| first.trim_end() == description) else {
            return Err(SearchTuningError::Different { path });
        };
        // A line that a kill cut off goes.
        let end = text.rfind('\n').map_or(0, |at| at + 1);
        file.set_len(end as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Journal { path, file, results })
    }

    fn add(&mut self, [won, drawn, lost]: [u64; 3]) -> Result<(), SearchTuningError> {
        let failed = |source| SearchTuningError::Journal { path: self.path.clone(), source };
        // In one piece, so that a kill leaves a whole line or a part of one.
        self.file.write_all(format!("{won} {drawn} {lost}\n").as_bytes()).map_err(failed)?;
        self.results.push([won, drawn, lost]);
        Ok(())
    }
}

fn counts(line: &str) -> Option<[u64; 3]> {
    let numbers: Option<Vec<u64>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn tuning(journal: PathBuf) -> SearchTuning {
        let parameters = parameters(&["late-base".to_owned(), "null-margin".to_owned()]).unwrap();
        SearchTuning {
            spsa: Spsa { parameters, iterations: 6, rate: 0.1, seed: 3 },
            games: 2,
            time_control: TimeControl::Nodes(40),
            player: "hash=1".to_owned(),
            rules: Rules::STANDARD,
            threads: 2,
            journal,
        }
    }

    #[test]
    fn a_run_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let at_once = tuning(folder.path().join("whole"));
        let wanted = at_once.run(&Arc::default(), |_| ()).unwrap();
        assert_eq!(wanted.done, 6);

        // Stopped after two iterations, and killed within a line of the third.
        let tuning = tuning(folder.path().join("parts"));
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Mutex::new(Vec::new());
        let done = tuning.run(&stop, |progress| {
            seen.lock().unwrap().push(progress.done);
            stop.store(progress.done == 2, Relaxed);
        });
        assert_eq!((done.unwrap().done, &seen.lock().unwrap()[..]), (2, &[0, 1, 2][..]));
        let mut file = OpenOptions::new().append(true).open(&tuning.journal).unwrap();
        file.write_all(b"1 ").unwrap();
        assert_eq!(tuning.run(&Arc::default(), |_| ()).unwrap(), wanted);
        let [whole, parts] =
            [&at_once, &tuning].map(|tuning| std::fs::read_to_string(&tuning.journal).unwrap());
        assert_eq!(whole, parts);

        let other = SearchTuning { games: 4, ..tuning };
        let refused = other.run(&Arc::default(), |_| ()).unwrap_err();
        assert!(matches!(refused, SearchTuningError::Different { .. }), "{refused}");
    }

    #[test]
    fn constants_are_found_by_name() {
        let all = parameters(&[]).unwrap();
        assert_eq!(all.len(), Constants::ALL.len());
        let starts: Vec<i32> = all.iter().map(|parameter| parameter.start).collect();
        // What is in use, written as a player takes it.
        let text = text(&all, &starts);
        assert!(text.starts_with("late-base=4,"), "{text}");
        assert!(format!("champion:{text}").parse::<lab::Spec>().is_ok());
        let error = parameters(&["lat-base".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("late-base"), "{error}");
    }
}
