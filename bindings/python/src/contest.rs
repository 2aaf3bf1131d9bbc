//! Matches.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use lab::contest::{Contest, Observer};
use lab::players::KINDS;
use lab::record::{Document, Provenance, RecordedGame, pgn};
use lab::referee::Played;
use lab::standing::Scoreboard;
use lab::stats::Sprt;
use lab::summary::Summary;
use lab::{Openings, Settings, Spec, TimeControl};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{self, plain, rows};
use crate::tables::Tablebase;
use crate::{failure, waiting};

/// The kinds of players there are: how to write each, and what it is.
///
/// ```python
/// >>> "random" in mousetrap.player_kinds()
/// True
/// ```
#[pyfunction]
pub fn player_kinds(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for kind in KINDS {
        dict.set_item(kind.usage, kind.summary)?;
    }
    Ok(dict)
}

/// Sends games on.
struct Telling<'a>(&'a dyn Fn(RecordedGame));

impl Observer for Telling<'_> {
    fn finished(&mut self, row: &RecordedGame, _scoreboard: &Scoreboard) {
        (self.0)(row.clone());
    }
}

/// Plays a match; `mousetrap.match` says what the arguments are. Gives the games, the summary and the PGN.
#[pyfunction]
#[pyo3(signature = (a, b, *, games=None, nodes=None, depth=None, time=None, tc=None, rules=None, seed=1, openings=None, move_limit=None, concurrency=1, sprt=None, tables=None, out=None, resume=false, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn play_match<'py>(
    py: Python<'py>,
    a: &str,
    b: &str,
    games: Option<u64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<f64>,
    tc: Option<&str>,
    rules: Option<&Bound<'py, PyAny>>,
    seed: u64,
    openings: Option<&str>,
    move_limit: Option<u32>,
    concurrency: usize,
    sprt: Option<&str>,
    tables: Option<PyRef<'py, Tablebase>>,
    out: Option<PathBuf>,
    resume: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, String)> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let spec = |text: &str| {
        let spec = text.parse::<Spec>().map_err(|error| failure::bad(text, error))?;
        spec.check_program(&path).map_err(|error| failure::bad(text, error))?;
        PyResult::Ok(spec)
    };
    let time_control = TimeControl::one_of(nodes, None, depth, time, tc).map_err(failure::input)?;
    let usual = Settings::new(vec![spec(a)?, spec(b)?], time_control);
    let rules = convert::rules(rules)?;
    let sprt: Option<Sprt> = sprt.map(str::parse).transpose().map_err(failure::input)?;
    let settings = Settings {
        rules,
        seed,
        openings: match openings {
            None => usual.openings.clone(),
            Some(name) => Openings::named(name, rules).map_err(failure::input)?,
        },
        games: games.unwrap_or(if sprt.is_some() {
            lab::settings::TEST_GAMES
        } else {
            usual.games
        }),
        move_limit: move_limit.unwrap_or(usual.move_limit),
        tablebases: tables.is_some(),
        sprt,
        ..usual
    };
    if concurrency == 0 {
        return Err(failure::input("concurrency must be 1 or more"));
    }
    if resume && out.is_none() {
        return Err(failure::input("resume needs a folder: name it with out"));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let mut contest = Contest::new(settings.clone())
        .map_err(failure::contest)?
        .concurrency(concurrency)
        .stopped_by(stop.clone())
        .tables(tables.map(|tables| tables.tablebase()));
    let made_by = Provenance::default();
    if let Some(out) = out {
        contest = contest.recorded_in(out, resume, made_by.clone());
    }
    let document = Document::new(&settings, made_by);
    let list = PyList::empty(py);
    let mut text = String::new();
    let mut report_game = |row: RecordedGame| {
        let game = described(py, &document, &row)?;
        if let Some(progress) = progress {
            progress.call1((&game,))?;
        }
        text.push_str(&pgn(&document, &row).map_err(failure::outside)?);
        text.push('\n');
        list.append(game)
    };
    let work = move |report: &(dyn Fn(RecordedGame) + Sync)| contest.run(&mut Telling(report));
    let report = waiting::run(py, work, || stop.store(true, Relaxed), &mut report_game)?;
    let report = report.map_err(failure::contest)?;
    let summary = Summary::new(&report.standing, &settings.time_control, settings.rules);
    // In the order of their numbers, not in that of their ends.
    list.call_method(
        "sort",
        (),
        Some(&{
            let how = PyDict::new(py);
            how.set_item("key", py.import("operator")?.call_method1("itemgetter", ("game",))?)?;
            how
        }),
    )?;
    Ok((rows(py, list.into_any())?, plain(py, &summary)?, text))
}

/// A game as a record.
fn described<'py>(
    py: Python<'py>,
    document: &Document,
    row: &RecordedGame,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let name = |at: usize| document.players.get(at).map_or("?", String::as_str);
    dict.set_item("game", row.game + 1)?;
    let Played { decision, moves } = &row.played;
    dict.set_item("white", name(row.players.white))?;
    dict.set_item("black", name(row.players.black))?;
    dict.set_item("result", row.result().as_str())?;
    // Which of the two was named first, by place: two players may have one name.
    let points = decision.winner.map_or(0.5, |color| f64::from(row.players[color] == 0));
    dict.set_item("points", points)?;
    dict.set_item("end", decision.end.as_str())?;
    dict.set_item("detail", &decision.detail)?;
    dict.set_item("plies", moves.len())?;
    dict.set_item("opening", row.opening.to_string())?;
    let moves: Vec<String> = moves.iter().map(|played| played.choice.mv.to_string()).collect();
    dict.set_item("moves", moves.join(" "))?;
    Ok(dict)
}
