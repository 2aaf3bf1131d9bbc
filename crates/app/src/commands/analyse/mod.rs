//! `mousetrap analyse`: the engine's analysis of a position.

pub mod args;
mod show;

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use answers::{Analysis, AnalysisLine};
use engine::{Answer, Engine, Event, Line, Options};
use game::limits::Limits;
use jungle::{Move, Play};
use players::exact::{Exact, Found};
use tablebase::build::ensure_small;
use tablebase::{Set, Tablebase};

use crate::cli;
use crate::commands::analyse::args::{Algorithm, AnalyseArgs};
use crate::commands::analyse::show::Screen;
use crate::commands::tb::{self, args::SetArgs};
use crate::failure::Failure;
use crate::output::Output;

/// The default time, in seconds.
const USUAL_TIME: f64 = 5.0;

pub fn run(args: &AnalyseArgs, output: &mut Output) -> Result<(), Failure> {
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let play = cli::play(args.set.rules.rules, fen.as_deref())?;
    match args.algorithm {
        Algorithm::Champion => champion(args, &play, output),
        Algorithm::Exact => exact(args, &play, output),
        Algorithm::Published(algorithm) => published(args, algorithm, &play, output),
    }
}

/// The time to think: the one given, or the default if there is no limit at all.
fn time(args: &AnalyseArgs) -> Option<Duration> {
    let unlimited = args.depth.is_none() && args.nodes.is_none();
    let seconds = args.time.or(unlimited.then_some(USUAL_TIME))?;
    Some(Duration::from_secs_f64(seconds))
}

fn limits(args: &AnalyseArgs) -> Limits {
    Limits { depth: args.depth, nodes: args.nodes, time: time(args), ..Limits::none() }
}

fn champion(args: &AnalyseArgs, play: &Play, output: &mut Output) -> Result<(), Failure> {
    let mut engine = Engine::new();
    let options =
        Options { hash: args.hash, threads: args.threads, lines: args.lines, ..Options::default() };
    engine.set_options(options).map_err(Failure::bad)?;
    if !args.no_tables {
        engine.set_tables(tables(&args.set));
    }
    let limits = limits(args);
    let (sender, events) = mpsc::channel();
    // The receiver goes away only when the command gives up.
    let search = engine.go(play, limits, move |event| drop(sender.send(event)));
    let mut screen = Screen::new(!args.json, std::io::stdout().is_terminal());
    for event in events {
        match event {
            Event::Line(line) => screen.line(&AnalysisLine::new(play, &line), output)?,
            Event::Finished(_) => break,
        }
    }
    let analysis = Analysis::new(play, &search.wait());
    if args.json {
        return output.json(&analysis);
    }
    screen.finished(&analysis, output)
}

/// The endgame tables to use; a missing set is done without.
pub fn tables(set: &SetArgs) -> Option<Arc<Tablebase>> {
    let folder = tb::folder(set).ok()?;
    if let Err(error) = ensure_small(&set.rules.rules, &folder) {
        anstream::eprintln!("note: no small endgame tables in {}: {error}", folder.display());
    }
    match Set::open(&set.rules.rules, &folder) {
        Ok(set) => (set.largest() > 0).then(|| set.tablebase().clone()),
        Err(error) => {
            anstream::eprintln!("note: no endgame tables from {}: {error}", folder.display());
            None
        }
    }
}

fn single(args: &AnalyseArgs) -> Result<(), Failure> {
    if args.lines > 1 || args.threads > 1 {
        let message =
            "only the champion has several lines and threads; leave out --lines and --threads";
        return Err(Failure::Input(message.to_owned()));
    }
    Ok(())
}

fn published(
    args: &AnalyseArgs,
    algorithm: players::Algorithm,
    play: &Play,
    output: &mut Output,
) -> Result<(), Failure> {
    single(args)?;
    let limits = limits(args);
    let player = players::BurnettPlayer::new(algorithm, *play.jungle().rules());
    let start = Instant::now();
    let mut screen = Screen::new(!args.json, std::io::stdout().is_terminal());
    let mut shown = Ok(());
    let found = |report: &search::Report<Move>| Found {
        depth: report.depth,
        score: report.score,
        nodes: report.nodes,
        time: start.elapsed(),
        pv: report.pv.clone(),
    };
    let chosen = player.choose_watched(play.position(), &limits, |chosen| {
        if shown.is_ok() {
            let line = as_line(&found(&chosen.report));
            shown = screen.line(&AnalysisLine::new(play, &line), output);
        }
    });
    shown?;
    let done = (chosen.report.depth > 0).then(|| found(&chosen.report));
    finish(args, play, done.as_ref(), &screen, output)?;
    if chosen.is_split() && !args.json {
        let sizes: Vec<String> = chosen.parts.iter().map(ToString::to_string).collect();
        writeln!(output, "It was searched in parts of {} pieces.", sizes.join(" and "))?;
    }
    Ok(())
}

fn exact(args: &AnalyseArgs, play: &Play, output: &mut Output) -> Result<(), Failure> {
    single(args)?;
    let mut searcher = Exact::new(play.jungle().clone(), args.hash);
    let mut screen = Screen::new(!args.json, std::io::stdout().is_terminal());
    let mut shown = Ok(());
    let found = searcher.deepen(play.position(), &limits(args), |found| {
        if shown.is_ok() {
            shown = screen.line(&AnalysisLine::new(play, &as_line(found)), output);
        }
    });
    shown?;
    finish(args, play, found.as_ref(), &screen, output)
}

/// Shows what a search of one line found.
fn finish(
    args: &AnalyseArgs,
    play: &Play,
    found: Option<&Found>,
    screen: &Screen,
    output: &mut Output,
) -> Result<(), Failure> {
    let lines: Vec<Line> = found.into_iter().map(as_line).collect();
    let line = lines.first();
    let answer = Answer {
        best: line.and_then(|line| line.pv.first().copied()),
        ponder: line.and_then(|line| line.pv.get(1).copied()),
        ending: play.ending(),
        nodes: line.map_or(0, |line| line.nodes),
        time: line.map_or(Duration::ZERO, |line| line.time),
        lines,
    };
    let analysis = Analysis::new(play, &answer);
    if args.json {
        return output.json(&analysis);
    }
    screen.finished(&analysis, output)
}

fn as_line(found: &Found) -> Line {
    Line {
        depth: found.depth,
        seldepth: found.depth,
        index: 1,
        score: found.score,
        bound: game::score::Bound::Exact,
        drawn: false,
        chances: engine::Chances::of(found.score),
        nodes: found.nodes,
        time: found.time,
        hashfull: 0,
        tbhits: 0,
        pv: found.pv.clone(),
        signs: None,
    }
}
