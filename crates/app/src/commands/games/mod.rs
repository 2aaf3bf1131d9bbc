//! `mousetrap games`: games that are kept.

pub mod args;
mod bench;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use answers::games::{
    self, Explorer, ExplorerRequest, GamesRequest, IdRequest, ImportedGames, Shelves,
};
use answers::{GameRequest, Kind, Refusal};
use etcetera::BaseStrategy;
use game::score::Verdict;
use game::truth::Truth;
use indicatif::{ProgressBar, ProgressStyle};
use library::{Filter, Import, ImportError, Page, Source, Sqlite, Store, StoreError, Tally, book};

use self::args::{
    DatabaseArg, DeleteArgs, ExploreArgs, ExportArgs, GamesArgs, GamesCommand, ImportArgs,
    ListArgs, ShowArgs,
};
use crate::failure::Failure;
use crate::output::Output;

/// The environment variable that names the file of games.
const GAMES_VARIABLE: &str = "MOUSETRAP_GAMES";
/// How many games an export reads at once.
const PART: u64 = 250;

pub fn run(args: &GamesArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        GamesCommand::List(args) => list(args, output),
        GamesCommand::Show(args) => show(args, output),
        GamesCommand::Explore(args) => explore(args, output),
        GamesCommand::Import(args) => import(args, output),
        GamesCommand::Export(args) => export(args, output),
        GamesCommand::Delete(args) => delete(args, output),
        GamesCommand::Check(args) => check(args, output),
        GamesCommand::Bench(args) => bench::run(args, output),
    }
}

/// The file or database of games: `given` if there is one, else the one named by the environment, else one in the user's data folder. It
/// need not exist.
pub fn database(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let named = || std::env::var_os(GAMES_VARIABLE).filter(|path| !path.is_empty());
    if let Some(path) = given.or_else(|| named().map(PathBuf::from)) {
        return Ok(path);
    }
    let base = etcetera::choose_base_strategy().map_err(|error| {
        let doing = format!("finding the data folder (use --database or set {GAMES_VARIABLE})");
        Failure::outside(doing, error)
    })?;
    Ok(base.data_dir().join("mousetrap").join("games.sqlite"))
}

/// The address of a PostgreSQL database, if it is one and not a file.
pub fn address(database: &Path) -> Option<&str> {
    let is_address = |text: &&str| {
        ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
    };
    database.to_str().filter(is_address)
}

/// What to do where a build cannot reach a database.
#[cfg(not(feature = "postgres"))]
pub fn no_postgres() -> Failure {
    Failure::Input(
        "this build has no PostgreSQL: build with `--features postgres`, or name a file".to_owned(),
    )
}

/// The store of games that a command names, or the usual one.
pub fn store(args: &DatabaseArg) -> Result<Box<dyn Store>, Failure> {
    let database = database(args.database.clone())?;
    #[cfg(feature = "postgres")]
    if let Some(address) = address(&database) {
        let store = library::Postgres::new(address);
        return Ok(Box::new(store.map_err(|error| Failure::Input(error.to_string()))?));
    }
    #[cfg(not(feature = "postgres"))]
    if address(&database).is_some() {
        return Err(no_postgres());
    }
    Ok(Box::new(Sqlite::new(database)))
}

fn shelves(store: &dyn Store) -> Shelves<'_> {
    Shelves { store, book: &|| Some(book::shipped()) }
}

fn failure(refusal: Refusal) -> Failure {
    match refusal.kind {
        Kind::Bad | Kind::Missing => Failure::bad(refusal),
        Kind::Busy | Kind::Failed => outside(refusal),
    }
}

fn outside(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
    Failure::because(true, error.to_string(), error)
}

fn list(args: &ListArgs, output: &mut Output) -> Result<(), Failure> {
    let request = GamesRequest {
        offset: Some(args.offset),
        limit: Some(args.limit),
        ..args.conditions.request()
    };
    let store = store(&args.database)?;
    let found = games::find(shelves(&*store), &request).map_err(failure)?;
    if args.json {
        return output.json(&found);
    }
    for game in &found.games {
        let date = game.date.as_deref().unwrap_or("?");
        writeln!(
            output,
            "{:<20}  {date:<10}  {:<7}  {:>4} plies  {} – {}  {}",
            game.id.as_str(),
            game.result,
            game.plies,
            game.white,
            game.black,
            game.rules
        )?;
    }
    let (first, count) = (args.offset, found.games.len() as u64);
    if count < found.total {
        writeln!(
            output,
            "{count} of {} games from {} on: --offset, --limit",
            found.total,
            first + 1
        )?;
    } else {
        writeln!(output, "{}", counted(count))?;
    }
    Ok(())
}

fn show(args: &ShowArgs, output: &mut Output) -> Result<(), Failure> {
    let store = store(&args.database)?;
    let opened =
        games::open(shelves(&*store), &IdRequest { id: args.id.clone() }).map_err(failure)?;
    if args.json {
        output.json(&opened)
    } else {
        Ok(output.write_all(printable(&opened.pgn).as_bytes())?)
    }
}

fn explore(args: &ExploreArgs, output: &mut Output) -> Result<(), Failure> {
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let rules = Some(args.rules.rules.to_string());
    let play = GameRequest { fen, rules, moves: args.moves.clone() }.play().map_err(failure)?;
    let wanted = ExplorerRequest { source: Some(args.source.clone()) };
    let store = store(&args.database)?;
    let source = wanted.source().map_err(failure)?;
    let found = Explorer::of(shelves(&*store), &play, source).map_err(failure)?;
    if args.json {
        return output.json(&found);
    }
    let Tally { white, draws, black, unfinished } = found.results;
    writeln!(output, "{}", found.fen)?;
    if found.moves.is_empty() && found.games == 0 {
        writeln!(output, "no game of this source came here by these rules ({})", found.rules)?;
        return Ok(());
    }
    writeln!(
        output,
        "{}: Red won {white}, drawn {draws}, Blue won {black}, unfinished {unfinished}",
        counted(found.games)
    )?;
    writeln!(
        output,
        "{:<6} {:<6} {:>6} {:>5} {:>5} {:>5}   analysis, for {}",
        "move", "", "games", "Red", "draw", "Blue", found.turn
    )?;
    for one in &found.moves {
        let Tally { white, draws, black, .. } = one.results;
        let judged = one.judged.map_or(String::new(), |judged| {
            format!("{} at depth {}", shown(judged.score), judged.depth)
        });
        let line = format!(
            "{:<6} {:<6} {:>6} {white:>5} {draws:>5} {black:>5}   {judged}",
            one.mv, one.san, one.games
        );
        writeln!(output, "{}", line.trim_end())?;
    }
    let judged = found.moves.iter().filter_map(|one| Some((one.judged.as_ref()?.score, one)));
    if let Some((score, best)) = judged.max_by_key(|&(score, _)| worth(score)) {
        writeln!(output, "best by analysis: {} ({})", best.san, shown(score))?;
    }
    Ok(())
}

/// Scores in order: a loss that comes late, estimates, a win that comes soon.
fn worth(score: Verdict) -> i64 {
    match score {
        Verdict::Estimate(value) => value.into(),
        Verdict::Known(Truth::Win(plies)) => (1 << 40) - i64::from(plies),
        Verdict::Known(Truth::Draw) => 0,
        Verdict::Known(Truth::Loss(plies)) => i64::from(plies) - (1 << 40),
    }
}

/// A score for the side to move.
fn shown(score: Verdict) -> String {
    match score {
        Verdict::Estimate(value) => format!("{:+.2}", f64::from(value) / 100.0),
        known @ Verdict::Known(_) => known.to_string(),
    }
}

fn import(args: &ImportArgs, output: &mut Output) -> Result<(), Failure> {
    let source: Source = args.source.parse().map_err(Failure::bad)?;
    if source == Source::Book {
        return Err(Failure::Input(
            "--source: games are imported as 'imported' or 'own'".to_owned(),
        ));
    }
    let store = store(&args.database)?;
    let mut faulty = 0;
    for path in &args.files {
        let name = path.display();
        let (text, bytes): (Box<dyn BufRead>, u64) = if path == Path::new("-") {
            (Box::new(io::stdin().lock()), 0)
        } else {
            let file = File::open(path);
            let file =
                file.map_err(|error| Failure::input(format_args!("opening {name}"), error))?;
            let bytes = file.metadata().map_or(0, |metadata| metadata.len());
            (Box::new(BufReader::new(file)), bytes)
        };
        let style =
            ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes}, {msg}, {eta} left");
        let bar = ProgressBar::new(bytes);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let mut heard = |report: &library::Report| {
            bar.set_position(report.bytes);
            bar.set_message(format!("{} games", report.read));
        };
        let report = library::import(&*store, text, &Import::new(source), &mut heard);
        bar.finish_and_clear();
        let report = report.map_err(|error| match error {
            ImportError::Read(error) => Failure::outside(format_args!("reading {name}"), error),
            error @ ImportError::Binary => Failure::input(&name, error),
            ImportError::Store(error) => {
                let message = format!(
                    "{name}: {error}; games that were kept before stay, and the file can be imported again"
                );
                Failure::because(true, message, error)
            }
        })?;
        faulty += report.faulty;
        if args.json {
            output.json(&ImportedGames::new(&report))?;
        } else {
            writeln!(
                output,
                "{name}: {} read, {} new, {} known already, {} faulty",
                counted(report.read as u64),
                report.added,
                report.known,
                report.faulty
            )?;
        }
        for fault in &report.faults {
            anstream::eprintln!("{name}, {}", printable(&fault.to_string()));
        }
        if report.faulty > report.faults.len() {
            anstream::eprintln!("{name}: and {} more", report.faulty - report.faults.len());
        }
    }
    if faulty > 0 {
        return Err(Failure::Outside(format!(
            "{} could not be read and left out; mend the file and import it again",
            counted(faulty as u64)
        )));
    }
    Ok(())
}

fn export(args: &ExportArgs, output: &mut Output) -> Result<(), Failure> {
    let store = store(&args.database)?;
    let filter = args.conditions.request().filter().map_err(failure)?;
    match &args.out {
        None => write_all(&*store, &filter, output).map(drop),
        Some(path) => {
            let count = write_file(path, |file| write_all(&*store, &filter, file))?;
            writeln!(output, "{} in {}", counted(count), path.display())?;
            Ok(())
        }
    }
}

/// Writes a file whole or not at all: what was there before stays until the new one is on the disk.
fn write_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let failed = |error| Failure::outside(format!("writing {}", path.display()), error);
    let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    let target = if is_special { path } else { Path::new(&draft) };
    let mut file = io::BufWriter::new(File::create(target).map_err(failed)?);
    let written = write(&mut file).and_then(|value| {
        file.flush().map_err(failed)?;
        if !is_special {
            file.get_ref().sync_all().map_err(failed)?;
            std::fs::rename(target, path).map_err(failed)?;
        }
        Ok(value)
    });
    if written.is_err() && !is_special {
        let _ = std::fs::remove_file(target);
    }
    written
}

/// Text of others as a terminal may show it: without control characters but line ends and tabs.
fn printable(text: &str) -> String {
    let plain = |letter: char| match letter {
        '\n' | '\t' => letter,
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    };
    text.chars().map(plain).collect()
}

/// How many games, in words.
fn counted(games: u64) -> String {
    format!("{games} {}", if games == 1 { "game" } else { "games" })
}

/// Writes all games that are meant, a part at a time.
fn write_all(store: &dyn Store, filter: &Filter, to: &mut dyn Write) -> Result<u64, Failure> {
    let store: &dyn Store =
        if filter.source == Some(Source::Book) { book::shipped().store() } else { store };
    let mut written = 0;
    loop {
        let page = Page { offset: written, limit: PART };
        let found = store.find(filter, page).map_err(|error: StoreError| outside(error))?;
        for game in &found.games {
            if written > 0 {
                to.write_all(b"\n")?;
            }
            to.write_all(game.pgn.as_bytes())?;
            written += 1;
        }
        if found.games.is_empty() || written >= found.total {
            return Ok(written);
        }
    }
}

fn delete(args: &DeleteArgs, output: &mut Output) -> Result<(), Failure> {
    let store = store(&args.database)?;
    let ids = (!args.ids.is_empty()).then(|| args.ids.join(","));
    let request = GamesRequest { ids, ..args.conditions.request() };
    let deleted = if args.all {
        if !request.filter().map_err(failure)?.is_all() {
            let message = "--all goes with no names and no conditions: leave one of them out";
            return Err(Failure::Input(message.to_owned()));
        }
        store.delete(&Filter::default()).map_err(outside)?
    } else {
        let refused = |refusal: Refusal| match refusal.code {
            "which-games" => Failure::Input(format!("{refusal}; --all deletes every game")),
            _ => failure(refusal),
        };
        games::delete(&*store, &request).map_err(refused)?.deleted
    };
    if args.json {
        return output.json(&games::Deleted { deleted });
    }
    if (deleted as usize) < args.ids.len() {
        let missing = args.ids.len() - deleted as usize;
        return Err(Failure::Input(format!(
            "{missing} of the games named are not there; {} deleted",
            counted(deleted)
        )));
    }
    writeln!(output, "{} deleted", counted(deleted))?;
    Ok(())
}

fn check(args: &DatabaseArg, output: &mut Output) -> Result<(), Failure> {
    let database = database(args.database.clone())?;
    if address(&database).is_some() {
        let message = "this checks a file; for a PostgreSQL database, run its `pg_amcheck`";
        return Err(Failure::Input(message.to_owned()));
    }
    let store = Sqlite::new(database);
    store.check().map_err(outside)?;
    let all = store.find(&Filter::default(), Page { offset: 0, limit: 0 }).map_err(outside)?;
    writeln!(output, "{}: {}, sound", store.path().display(), counted(all.total))?;
    Ok(())
}
