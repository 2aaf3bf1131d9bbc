//! `mousetrap puzzles mine`: a collection from tables and games.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};
use puzzles::mine::{MineError, Options, Progress, Stage, mine};
use puzzles::{Book, JudgeError};

use super::args::MineArgs;
use crate::commands::tb::set::{Set, on_threads};
use crate::failure::Failure;
use crate::output::{Output, write_file};

pub fn run(args: &MineArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    set.check(args.pieces)?;
    let rules = *set.rules();
    let options = Options {
        rules: rules.to_string(),
        seed: args.seed,
        pieces: args.pieces,
        samples: args.samples,
        enough: args.enough,
        games: args.games,
        want: args.want,
        every_level: args.every_level,
    };
    let work = args.work.clone().unwrap_or_else(|| args.out.with_extension("work"));
    let show = Show::new();
    let mined = on_threads(args.threads, || {
        mine(&options, rules, set.tablebase(), &work, &|progress| show.progress(progress))
    })?;
    show.finish();
    let (book, report) = mined.map_err(|error| failure(&set, error, &work))?;
    write_file(&args.out, text(&book, args).as_bytes())?;
    write!(output, "{report}")?;
    writeln!(output, "written to {}", args.out.display())?;
    Ok(())
}

fn failure(set: &Set, error: MineError, work: &std::path::Path) -> Failure {
    match error {
        MineError::Judge(JudgeError::Tables(error)) => set.failure(error),
        MineError::Journal(error) => {
            let doing =
                format!("mining; name another folder with --work, or delete {}", work.display());
            Failure::outside(doing, error)
        }
        error => Failure::outside("mining", error),
    }
}

/// The file: what it is, how it was made, and the book.
fn text(book: &Book, args: &MineArgs) -> String {
    let MineArgs { seed, pieces, samples, enough, games, want, .. } = args;
    format!(
        "# Puzzles of Dou Shou Qi, made by `mousetrap puzzles mine --seed {seed} --pieces {pieces} --samples {samples} \
         --enough {enough} --games {games} --want {want}`.\n\
         # A line each: ID GOAL PROOF RATING THEMES POSITION MOVES…\n{book}"
    )
}

/// How far it is: a bar on a terminal, elsewhere a line now and then.
struct Show {
    bar: Option<ProgressBar>,
    last: Mutex<Option<(Stage, usize)>>,
}

impl Show {
    fn new() -> Show {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}, {eta} left: {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Show { bar, last: Mutex::new(None) }
    }

    fn progress(&self, Progress { stage, done, total }: Progress) {
        let words = match stage {
            Stage::Looking => "looking for candidates",
            Stage::Rating => "rating by levels",
        };
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(bar) = &self.bar {
            if last.is_none_or(|(before, _)| before != stage) {
                bar.reset_eta();
            }
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(words);
        } else {
            let tenth = done * 10 / total.max(1);
            if *last == Some((stage, tenth)) {
                return;
            }
            anstream::eprintln!("{words}: {done} of {total}");
        }
        *last = Some((stage, done * 10 / total.max(1)));
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
