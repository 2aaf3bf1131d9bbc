//! `mousetrap book`: making the opening book, and what is in it.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use game::score::Verdict;
use indicatif::{ProgressBar, ProgressStyle};
use jungle::Notation;
use jungle::{Jungle, Position};
use lab::book::{Plan, Progress};
use lab::record::RecordError;
use library::Book;
use library::book::{self, Judged};
use serde::Serialize;

use crate::cli::RulesArg;
use crate::failure::Failure;
use crate::output::{Output, write_file};

#[derive(Debug, Args)]
pub struct BookArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: BookCommand,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum BookCommand {
    /// Make a book: games of the engine with itself, and an analysis of the first plies
    Build(BuildArgs),
    /// How a book was made, and the first moves by their score
    Show(ShowArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Every move of the first plies is searched by itself with the nodes that --analyse gives for its ply. In the
games the first plies are drawn by lot among the best lines, the better the likelier. All follows from the
seed; what is done is kept in --record, so that a run that was stopped carries on when it is started again.

The book that comes with the program is made by this, from the top of the repository:

  mousetrap book build --record target/book --out crates/library/data/opening.book"
)]
pub struct BuildArgs {
    /// Where finished games and searches are kept
    #[arg(long, value_name = "DIR")]
    pub record: PathBuf,
    /// The book
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = Plan::default().games)]
    pub games: usize,
    /// How many nodes a move in the games
    #[arg(long, value_name = "N", default_value_t = Plan::default().nodes,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// In how many plies at the beginning of a game moves are drawn by lot
    #[arg(long, value_name = "N", default_value_t = Plan::default().varied)]
    pub varied: usize,
    /// The nodes of every search of the analysis: of the first ply, of the second, and so on
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_values_t = Plan::default().analysis,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub analyse: Vec<u64>,
    /// What all follows from
    #[arg(long, value_name = "N", default_value_t = Plan::default().seed)]
    pub seed: u64,
    /// How many threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    #[command(flatten)]
    pub rules: RulesArg,
}

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A book; the one that comes with the program if left out
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &BookArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        BookCommand::Build(args) => build(args, output),
        BookCommand::Show(args) => show(args, output),
    }
}

fn build(args: &BuildArgs, output: &mut Output) -> Result<(), Failure> {
    let plan = Plan {
        rules: args.rules.rules,
        games: args.games,
        nodes: args.nodes,
        varied: args.varied,
        seed: args.seed,
        analysis: args.analyse.clone(),
    };
    let style = "{bar:40} {pos}/{len} games and searches, {elapsed} passed, {eta} left";
    let bar = ProgressBar::new(0);
    bar.set_style(
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let mut heard = |Progress { done, of }: Progress| {
        if bar.length() != Some(of as u64) {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.reset_eta();
        }
        bar.set_position(done as u64);
    };
    let book = plan.make(&args.record, args.threads.into(), &mut heard).map_err(failure)?;
    bar.finish_and_clear();
    let text = book.to_string();
    write_file(&args.out, text.as_bytes())?;
    writeln!(
        output,
        "{} games and {} analysed positions in {} ({:.1} kB)",
        book.games.len(),
        book.analysis.len(),
        args.out.display(),
        text.len() as f64 / 1e3
    )?;
    summary(&book, output)
}

fn failure(error: RecordError) -> Failure {
    let message = match &error {
        RecordError::Different { folder, what } => format!(
            "the book in {} was begun in another way: {}; go on with the same settings and engine, or choose another \
             --record",
            folder.display(),
            what.join("; ")
        ),
        RecordError::Busy(_) => format!("{error}; wait for it, or choose another --record"),
        _ => error.to_string(),
    };
    Failure::because(error.is_outside(), message, error)
}

/// A first move.
#[derive(Debug, Serialize)]
struct First {
    #[serde(rename = "move")]
    mv: String,
    san: String,
    #[serde(flatten)]
    judged: Judged,
}

/// What is in a book.
#[derive(Debug, Serialize)]
struct Contents {
    #[serde(flatten)]
    origin: book::Origin,
    games: usize,
    white: usize,
    draws: usize,
    black: usize,
    unfinished: usize,
    plies: usize,
    analysed: usize,
    first: Vec<First>,
}

fn contents(book: &Book) -> Contents {
    let count =
        |result: &str| book.games.iter().filter(|game| game.result.as_str() == result).count();
    let jungle = Jungle::new(book.rules());
    let mut first = book.analysis.iter().find(|found| found.path.is_empty());
    let first = first.take().map_or(Vec::new(), |found| {
        let mut moves = found.moves.clone();
        let value = |judged: &Judged| match judged.score {
            Verdict::Estimate(value) => i64::from(value),
            Verdict::Known(truth) => match truth {
                game::truth::Truth::Win(plies) => 1_000_000 - i64::from(plies),
                game::truth::Truth::Draw => 0,
                game::truth::Truth::Loss(plies) => i64::from(plies) - 1_000_000,
            },
        };
        moves.sort_by_key(|(_, judged)| std::cmp::Reverse(value(judged)));
        let notation = Notation::Algebraic { marks: true };
        let first = |(mv, judged)| First {
            mv: format!("{mv}"),
            san: notation.write(&jungle, &Position::start(), mv),
            judged,
        };
        moves.into_iter().map(first).collect()
    });
    Contents {
        origin: book.origin.clone(),
        games: book.games.len(),
        white: count("1-0"),
        draws: count("1/2-1/2"),
        black: count("0-1"),
        unfinished: count("*"),
        plies: book.games.iter().map(|game| game.moves.len()).sum(),
        analysed: book.analysis.iter().map(|found| found.moves.len()).sum(),
        first,
    }
}

fn show(args: &ShowArgs, output: &mut Output) -> Result<(), Failure> {
    let read;
    let book = match &args.file {
        None => book::shipped(),
        Some(path) => {
            let about = path.display();
            let text = std::fs::read_to_string(path);
            let text =
                text.map_err(|error| Failure::input(format_args!("reading {about}"), error))?;
            read = Book::read(&text).map_err(|error| Failure::input(about, error))?;
            &read
        }
    };
    if args.json { output.json(&contents(book)) } else { summary(book, output) }
}

fn summary(book: &Book, output: &mut Output) -> Result<(), Failure> {
    let Contents { origin, games, white, draws, black, unfinished, plies, analysed, first } =
        contents(book);
    writeln!(
        output,
        "rules {}, {} (signature {}), seed {}\n\
         {games} games at {} nodes a move, {} plies on average: Red won {white}, drawn {draws}, Blue won {black}, \
         without a result {unfinished}\n\
         {analysed} moves analysed with {} nodes each, by ply",
        origin.rules,
        origin.engine,
        origin.signature,
        origin.seed,
        origin.nodes,
        plies / games.max(1),
        origin.analysis.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    )?;
    for First { mv, san, judged } in &first {
        let score = match judged.score {
            Verdict::Estimate(value) => format!("{:+.2}", f64::from(value) / 100.0),
            known @ Verdict::Known(_) => known.to_string(),
        };
        writeln!(output, "{mv}  {san:<5} {score:>7}  depth {}", judged.depth)?;
    }
    Ok(())
}
