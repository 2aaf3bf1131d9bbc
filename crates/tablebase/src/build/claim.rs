//! Claims, lock files with a heartbeat: builders that share a folder agree through them who builds what.
//!
//! A claim on a class is a file, held by the builder that creates it first: creating it fails if it is
//! there. While it is held, a thread touches it every few seconds. A claim is abandoned when its
//! process is known to have ended, or when it has not been touched for a minute *by the clock of the observer*:
//! clocks of other machines are not trusted, so a builder that finds such a claim first
//! watches it for that minute.
//!
//! An abandoned claim is taken over by renaming it away, which succeeds for one taker only. Between
//! looking and renaming, another taker may have been quicker and hold a new one; so the file is looked
//! at again under its new name and put back if it is not the abandoned one. What remains possible is
//! that two builders build the same class at once. That is harmless: they write the same bytes under
//! different names, and each puts the finished file in place in one step.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};

use super::error::BuildError;
use super::owner::Owner;
use crate::storage::open_file;

/// How the names of claims end.
pub const SUFFIX: &str = ".claim";

/// How many times a claim is touched before others would think it abandoned.
const BEATS: u32 = 12;

/// The outcome of trying to claim something.
pub enum Attempt {
    /// It is ours until the claim is dropped.
    Mine(Claim),
    /// Someone else holds it; the owner is unknown for an instant after the claim was made.
    Held(Option<Owner>),
}

/// The claims in a folder, as seen by one builder.
pub struct Claims {
    folder: PathBuf,
    abandoned_after: Duration,
    seen: HashMap<String, Seen>,
}

/// A claim of someone else, and since when it has been unchanged.
struct Seen {
    look: Look,
    since: Instant,
}

#[derive(Clone, PartialEq, Eq)]
struct Look {
    text: String,
    touched: Option<SystemTime>,
}

impl Claims {
    /// Claims in this folder, abandoned when untouched for this long.
    pub fn new(folder: &Path, abandoned_after: Duration) -> Claims {
        Claims { folder: folder.to_owned(), abandoned_after, seen: HashMap::new() }
    }

    /// Tries to claim `name`, taking it over if it is abandoned.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read or written.
    pub fn attempt(&mut self, name: &str) -> Result<Attempt, BuildError> {
        let path = self.folder.join(format!("{name}{SUFFIX}"));
        // Twice: once to find it abandoned and remove it, once to create a new one.
        for _ in 0..2 {
            match File::create_new(&path) {
                Ok(file) => {
                    self.seen.remove(name);
                    let claim = Claim::new(path, file, self.abandoned_after / BEATS)?;
                    return Ok(Attempt::Mine(claim));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(BuildError::io("claiming", path)(error)),
            }
            let Some(look) = look(&path).map_err(BuildError::io("reading", &path))? else {
                continue;
            };
            let owner = Owner::from_text(&look.text);
            if !self.is_abandoned(name, &look, owner.as_ref()) {
                return Ok(Attempt::Held(owner));
            }
            take_away(&path, &look).map_err(BuildError::io("taking over", &path))?;
        }
        Ok(Attempt::Held(None))
    }

    fn is_abandoned(&mut self, name: &str, look: &Look, owner: Option<&Owner>) -> bool {
        if owner.is_some_and(Owner::is_gone) {
            return true;
        }
        match self.seen.get(name) {
            Some(seen) if seen.look == *look => seen.since.elapsed() >= self.abandoned_after,
            _ => {
                let seen = Seen { look: look.clone(), since: Instant::now() };
                self.seen.insert(name.to_owned(), seen);
                false
            }
        }
    }
}

/// Opened again each time: that is when shared folders look at the server's copy.
fn look(path: &Path) -> io::Result<Option<Look>> {
    let file = match open_file(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    (&file).take(4096).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(Some(Look { text, touched: file.metadata()?.modified().ok() }))
}

/// Removes an abandoned claim, unless it is another one by now.
fn take_away(path: &Path, abandoned: &Look) -> io::Result<()> {
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".{}{}", Owner::this().tag(), super::store::TEMPORARY));
    let aside = PathBuf::from(aside);
    match fs::rename(path, &aside) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    }
    if look(&aside)?.is_some_and(|found| found.text != abandoned.text) {
        // Someone was quicker. If yet another has claimed it since, both build it.
        let _ = fs::hard_link(&aside, path);
    }
    match fs::remove_file(&aside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A claim that is ours. Dropping it gives it up.
pub struct Claim {
    path: PathBuf,
    owner: Owner,
    heart: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Claim {
    fn new(path: PathBuf, mut file: File, beat: Duration) -> Result<Claim, BuildError> {
        let owner = Owner::this();
        let mut claim = Claim { path, owner, heart: None };
        file.write_all(claim.owner.to_text().as_bytes())
            .map_err(BuildError::io("writing", &claim.path))?;
        let (sender, stop) = mpsc::channel::<()>();
        let heart = std::thread::Builder::new().name("heartbeat".to_owned()).spawn(move || {
            while stop.recv_timeout(beat) == Err(RecvTimeoutError::Timeout) {
                // A beat that is missed costs nothing; and through the open file, a claim that was
                // taken over is never touched by mistake.
                let _ = file.set_modified(SystemTime::now());
            }
        });
        let heart = heart.map_err(|error| BuildError::Threads(Box::new(error)))?;
        claim.heart = Some((sender, heart));
        Ok(claim)
    }

    /// Who holds it.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((sender, heart)) = self.heart.take() {
            drop(sender);
            let _ = heart.join();
        }
        // One that was taken over belongs to someone else; one not yet written (a full disk) is ours.
        let ours = |look: Look| look.text.is_empty() || look.text == self.owner.to_text();
        if look(&self.path).ok().flatten().is_some_and(ours) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(60);

    fn attempt(claims: &mut Claims) -> Option<Claim> {
        match claims.attempt("E-R").unwrap() {
            Attempt::Mine(claim) => Some(claim),
            Attempt::Held(_) => None,
        }
    }

    fn left_behind(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_claim_is_held_by_one_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let (mut one, mut other) =
            (Claims::new(folder.path(), LONG), Claims::new(folder.path(), LONG));
        let claim = attempt(&mut one).unwrap();
        match other.attempt("E-R").unwrap() {
            Attempt::Held(Some(owner)) => assert_eq!(owner, *claim.owner()),
            _ => panic!("two hold it"),
        }
        assert!(attempt(&mut one).is_none());
        drop(claim);
        assert!(attempt(&mut other).is_some());
        assert_eq!(left_behind(folder.path()), 0);
    }

    #[test]
    fn a_touched_claim_is_respected_and_an_untouched_one_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut claims = Claims::new(folder.path(), SHORT);
        let held = attempt(&mut Claims::new(folder.path(), SHORT)).unwrap();
        for _ in 0..8 {
            assert!(attempt(&mut claims).is_none());
            std::thread::sleep(SHORT / 4);
        }
        drop(held);
        // Of another machine, of which nothing is known; and one that says nothing at all.
        for text in ["host elsewhere\npid 1\nsince 0\nserial 0\nmachine elsewhere 0 0\n", ""] {
            fs::write(folder.path().join("E-R.claim"), text).unwrap();
            assert!(attempt(&mut claims).is_none());
            std::thread::sleep(SHORT * 2);
            assert!(attempt(&mut claims).is_some());
        }
        assert_eq!(left_behind(folder.path()), 0);
    }

    #[test]
    fn the_claim_of_an_ended_process_is_taken_over_at_once() {
        if cfg!(not(target_os = "linux")) {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let mut dead = Owner::this();
        dead.pid = child.id();
        fs::write(folder.path().join("E-R.claim"), dead.to_text()).unwrap();
        assert!(attempt(&mut Claims::new(folder.path(), LONG)).is_some());
        assert_eq!(left_behind(folder.path()), 0);
    }

    #[test]
    fn of_many_takers_hardly_ever_more_than_one_wins() {
        let folder = tempfile::tempdir().unwrap();
        let mut stale = Owner::this();
        stale.pid = u32::MAX;
        let rounds = 20;
        let mut total = 0;
        for _ in 0..rounds {
            fs::write(folder.path().join("E-R.claim"), stale.to_text()).unwrap();
            let barrier = std::sync::Barrier::new(4);
            let winners = std::thread::scope(|scope| {
                let takers: Vec<_> = (0..4)
                    .map(|_| {
                        scope.spawn(|| {
                            let mut claims = Claims::new(folder.path(), LONG);
                            barrier.wait();
                            let claim = attempt(&mut claims);
                            barrier.wait();
                            claim.is_some()
                        })
                    })
                    .collect();
                takers.into_iter().filter_map(|taker| taker.join().ok()).filter(|won| *won).count()
            });
            total += winners;
            assert_eq!(left_behind(folder.path()), 0);
        }
        assert!((rounds / 2..rounds * 3 / 2).contains(&total), "{total} winners");
    }
}
