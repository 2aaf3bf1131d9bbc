//! Making a book: the champion plays itself from the start, and analyses the first plies.
//!
//! Every game has a number, and all follows from it and the seed: in the first plies a move is drawn by lot among the
//! best lines of a search, the better the likelier, so that no two games need be the same; from then on the champion
//! plays as it always does, at a fixed number of nodes. For the analysis every move of a position is searched by itself,
//! as the position after it, with empty tables, so that the score of each is as good as that of the best.
//!
//! What is done is written to a folder at once (`journal.rs`). A run that was stopped or killed goes on where it was, on any
//! number of threads, and gives the same book.

mod journal;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

use engine::{Control, Engine, Line, Options};
use game::Game;
use game::limits::Limits;
use game::rng::{Rng, mix};
use game::score::Verdict;
use game::truth::Truth;
use jungle::{Jungle, Move, Play, Position, Rules};
use library::Located;
use library::book::{Analysed, Book, BookGame, Judged, Origin};

use self::journal::{Done, Journal};
use crate::record::RecordError;

/// How many lines a move is drawn from.
const LINES: usize = 12;
/// No move is drawn that is worse than the best by more than this.
const WORST: i32 = 75;
/// A move that is worse by this is drawn e times less often.
const TEMPERATURE: f64 = 25.0;
/// A game that is not over after this many plies is left without a result.
const MOST_PLIES: usize = 400;
/// The depth at which the signature of the engine is taken.
const SIGNATURE_DEPTH: u32 = 8;
/// Transposition tables, in MiB: small for a few thousand nodes, larger for an analysis.
const HASH: (usize, usize) = (1, 64);

/// What a book is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The rules.
    pub rules: Rules,
    /// How many games.
    pub games: usize,
    /// The nodes of a move in a game.
    pub nodes: u64,
    /// In how many plies at the beginning moves are drawn by lot.
    pub varied: usize,
    /// What all follows from.
    pub seed: u64,
    /// The nodes of every search of the analysis, by ply from the start; as many plies are analysed.
    pub analysis: Vec<u64>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            rules: Rules::STANDARD,
            games: 400,
            nodes: 2_000,
            varied: 10,
            seed: 1,
            analysis: vec![1_000_000, 100_000],
        }
    }
}

/// How far a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Games and searches that are done.
    pub done: usize,
    /// All of them.
    pub of: usize,
}

/// A piece of work.
#[derive(Clone, Debug)]
enum Job {
    Game(usize),
    Search { path: Vec<Move>, mv: Move, nodes: u64 },
}

impl Plan {
    /// How the book says it was made.
    pub fn origin(&self) -> Origin {
        Origin {
            rules: self.rules.to_string(),
            engine: format!("Mousetrap {}", env!("CARGO_PKG_VERSION")),
            signature: engine::bench::run(SIGNATURE_DEPTH).nodes,
            nodes: self.nodes,
            varied: self.varied,
            seed: self.seed,
            analysis: self.analysis.clone(),
        }
    }

    /// Makes the book, or what of it is not in the folder yet; `heard` is told how far it is.
    ///
    /// # Errors
    ///
    /// If the folder belongs to another plan or another engine, is in use, or the disk fails.
    pub fn make(
        &self,
        folder: &Path,
        threads: usize,
        heard: &mut dyn FnMut(Progress),
    ) -> Result<Book, RecordError> {
        let origin = self.origin();
        let (mut journal, mut done) = Journal::open(folder, &origin)?;
        let jungle = Jungle::new(self.rules);
        let jobs = self.jobs(&jungle, &done);
        let total = self.games + self.searches(&jungle).len();
        let mut progress = Progress { done: total - jobs.len(), of: total };
        heard(progress);
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (tell, told) = mpsc::channel();
            for _ in 0..threads.clamp(1, jobs.len().max(1)) {
                let (tell, jobs, next, jungle) = (tell.clone(), &jobs, &next, &jungle);
                scope.spawn(move || {
                    let mut worker = Worker::new();
                    while let Some(job) = jobs.get(next.fetch_add(1, Relaxed)) {
                        // Nobody listens any more if the disk failed.
                        if tell.send(worker.run(self, jungle, job)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(tell);
            for found in told {
                journal.append(&found)?;
                done.add(found);
                progress.done += 1;
                heard(progress);
            }
            Ok::<(), RecordError>(())
        })?;
        Ok(self.book(origin, &jungle, done))
    }

    /// What is not done yet.
    fn jobs(&self, jungle: &Jungle, done: &Done) -> Vec<Job> {
        let games = (0..self.games).filter(|number| !done.games.contains_key(number));
        let searches = self.searches(jungle).into_iter();
        let searches =
            searches.filter(|(path, mv, _)| !done.judged.contains_key(&journal::place(path, *mv)));
        games
            .map(Job::Game)
            .chain(searches.map(|(path, mv, nodes)| Job::Search { path, mv, nodes }))
            .collect()
    }

    /// All moves to be searched, with the way to their position. A position that is reached in several ways, or whose
    /// mirror image is, comes once.
    fn searches(&self, jungle: &Jungle) -> Vec<(Vec<Move>, Move, u64)> {
        let (mut searches, mut seen) = (Vec::new(), HashSet::new());
        let mut layer = vec![(Vec::new(), Position::start())];
        for &nodes in &self.analysis {
            let mut deeper = Vec::new();
            for (path, position) in layer {
                if !seen.insert(Located::of(&position).key()) {
                    continue;
                }
                for mv in jungle.moves(&position) {
                    searches.push((path.clone(), mv, nodes));
                    let mut longer = path.clone();
                    longer.push(mv);
                    deeper.push((longer, jungle.after(&position, mv)));
                }
            }
            layer = deeper;
        }
        searches
    }

    fn book(&self, origin: Origin, jungle: &Jungle, done: Done) -> Book {
        let games = done.games.into_iter().filter(|(number, _)| *number < self.games);
        let mut analysis: Vec<Analysed> = Vec::new();
        for (path, mv, _) in self.searches(jungle) {
            let Some(judged) = done.judged.get(&journal::place(&path, mv)) else { continue };
            match analysis.last_mut() {
                Some(last) if last.path == path => last.moves.push((mv, *judged)),
                _ => analysis.push(Analysed { path, moves: vec![(mv, *judged)] }),
            }
        }
        Book::new(origin, games.map(|(_, game)| game).collect(), analysis)
    }
}

/// What was found out.
enum Made {
    Game(usize, BookGame),
    Judged(Vec<Move>, Move, Judged),
}

impl Done {
    fn add(&mut self, made: Made) {
        match made {
            Made::Game(number, game) => {
                self.games.insert(number, game);
            }
            Made::Judged(path, mv, judged) => {
                self.judged.insert(journal::place(&path, mv), judged);
            }
        }
    }
}

/// The engines of a thread.
struct Worker {
    /// Plays.
    player: Engine,
    /// Says what else could be played.
    chooser: Engine,
    analyst: Engine,
}

impl Worker {
    fn new() -> Worker {
        let engine = |options: Options| {
            let mut engine = Engine::new();
            // Should there be no memory, the usual table will do.
            let _ = engine.set_options(options);
            engine
        };
        Worker {
            player: engine(Options { hash: HASH.0, ..Options::playing() }),
            chooser: engine(Options { hash: HASH.0, lines: LINES, ..Options::default() }),
            analyst: engine(Options { hash: HASH.1, ..Options::default() }),
        }
    }

    fn run(&mut self, plan: &Plan, jungle: &Jungle, job: &Job) -> Made {
        match job {
            Job::Game(number) => Made::Game(*number, self.play(plan, jungle, *number)),
            Job::Search { path, mv, nodes } => {
                let judged = self.judge(jungle, path, *mv, *nodes);
                Made::Judged(path.clone(), *mv, judged)
            }
        }
    }

    fn play(&mut self, plan: &Plan, jungle: &Jungle, number: usize) -> BookGame {
        let mut rng = Rng::new(mix(plan.seed) ^ mix(number as u64 + 1));
        let mut play = Play::start(jungle.clone());
        self.player.new_game();
        self.chooser.new_game();
        while play.ending().is_none() && play.moves().len() < MOST_PLIES {
            let is_varied = play.moves().len() < plan.varied;
            let engine = if is_varied { &mut self.chooser } else { &mut self.player };
            let limits = Limits::nodes(plan.nodes);
            let answer = engine.think(&play, limits, &Control::new(false), &mut |_| {});
            let drawn = if is_varied { draw(&answer.lines, &mut rng) } else { None };
            let Some(mv) = drawn.or(answer.best) else { break };
            if play.play(mv).is_err() {
                break;
            }
        }
        BookGame { moves: play.moves().to_vec(), result: play.ending().into() }
    }

    /// Searches the position after a move, and says what it means for who makes the move.
    fn judge(&mut self, jungle: &Jungle, path: &[Move], mv: Move, nodes: u64) -> Judged {
        let mut play = Play::start(jungle.clone());
        for mv in path.iter().chain([&mv]) {
            // The moves were generated from these positions.
            let _ = play.play(*mv);
        }
        self.analyst.new_game();
        let limits = Limits::nodes(nodes);
        let answer = self.analyst.think(&play, limits, &Control::new(false), &mut |_| {});
        let (verdict, depth) = match answer.lines.first() {
            Some(line) => (line.verdict(), line.depth),
            None => (answer.score().verdict(), 0),
        };
        Judged { score: turned(verdict), depth: depth + 1, nodes: answer.nodes }
    }
}

/// A verdict seen by who made the move before.
fn turned(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Estimate(value) => Verdict::Estimate(-value),
        Verdict::Known(Truth::Win(plies)) => Verdict::Known(Truth::Loss(plies + 1)),
        Verdict::Known(Truth::Loss(plies)) => Verdict::Known(Truth::Win(plies + 1)),
        Verdict::Known(Truth::Draw) => Verdict::Known(Truth::Draw),
    }
}

/// One of the lines by lot, the better the likelier; none if the best is decided.
fn draw(lines: &[Line], rng: &mut Rng) -> Option<Move> {
    let best = lines.first()?.score;
    if best.is_decided() {
        return None;
    }
    let weighed: Vec<(Move, f64)> = lines
        .iter()
        .filter(|line| !line.score.is_decided())
        .filter_map(|line| {
            let worse = best.value() - line.score.value();
            let weight = (-f64::from(worse) / TEMPERATURE).exp();
            (worse <= WORST).then_some((*line.pv.first()?, weight))
        })
        .collect();
    let total: f64 = weighed.iter().map(|(_, weight)| weight).sum();
    let mut left = total * (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    for (mv, weight) in &weighed {
        left -= weight;
        if left < 0.0 {
            return Some(*mv);
        }
    }
    weighed.last().map(|(mv, _)| *mv)
}

/// What was done before, in order.
type Games = BTreeMap<usize, BookGame>;

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan { games: 3, nodes: 60, varied: 6, analysis: vec![40], ..Plan::default() }
    }

    #[test]
    fn a_book_that_was_interrupted_is_the_same() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let whole = plan().make(folders[0].path(), 2, &mut |_| {}).unwrap();
        assert_eq!((whole.games.len(), whole.analysis.len()), (3, 1));
        assert_eq!(whole.analysis[0].moves.len(), 24);
        assert!(whole.games.iter().any(|game| game.moves != whole.games[0].moves));
        // A kill leaves a part of the lines, the last one torn.
        let file = |index: usize| folders[index].path().join("journal.jsonl");
        let text = std::fs::read_to_string(file(0)).unwrap();
        std::fs::copy(
            folders[0].path().join("settings.json"),
            folders[1].path().join("settings.json"),
        )
        .unwrap();
        let half: usize = text.lines().take(9).map(|line| line.len() + 1).sum();
        std::fs::write(file(1), &text[..half + 5]).unwrap();
        let mut first = None;
        let mut heard = |at| first = first.or(Some(at));
        let again = plan().make(folders[1].path(), 1, &mut heard).unwrap();
        assert_eq!(first, Some(Progress { done: 9, of: 27 }));
        assert_eq!(again.to_string(), whole.to_string());
        let other = Plan { seed: 2, ..plan() }.make(folders[1].path(), 1, &mut |_| {});
        assert!(matches!(other, Err(RecordError::Different { .. })), "{other:?}");
    }
}
