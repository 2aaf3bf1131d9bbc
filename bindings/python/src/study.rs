//! Studies: published results and measurements, by name.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use ::studies::registry::{ALL, find};
use ::studies::{Context, Entry, Finished, Progress};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{plain, rows};
use crate::tables::tables_folder;
use crate::{failure, waiting};

/// The studies there are: `name`, `title`, `source`, `takes` and `parameters` of each.
///
/// ```python
/// >>> "table1" in mousetrap.studies().column("name")
/// True
/// ```
#[pyfunction]
pub fn studies(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let all: Vec<_> = ALL.iter().map(Entry::describe).collect();
    rows(py, plain(py, &all)?)
}

/// Sends notes on.
struct Telling<'a>(&'a (dyn Fn(String) + Sync));

impl Progress for Telling<'_> {
    fn note(&mut self, text: &str) {
        (self.0)(text.to_owned());
    }
}

/// Runs a study; `mousetrap.study` says what the arguments are. Returns the results, the rows, the tables, the
/// charts and the text; `None` if only a shard of the work was requested.
#[pyfunction]
#[pyo3(signature = (name, parameters, *, tables=None, out=None, progress=None))]
pub fn run_study<'py>(
    py: Python<'py>,
    name: &str,
    parameters: &str,
    tables: Option<PathBuf>,
    out: Option<PathBuf>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let study = find(name).ok_or_else(|| {
        let names: Vec<&str> = ALL.iter().map(|study| study.name).collect();
        failure::input(format!("there is no study '{name}'; there are {}", names.join(", ")))
    })?;
    let parameters = serde_json::from_str(parameters).map_err(|error| failure::bad(name, error))?;
    let ready = study.with(&parameters).map_err(failure::study)?;
    let stop = Arc::new(AtomicBool::new(false));
    let (ends, folder) = (stop.clone(), out.clone());
    let tables = tables.or_else(|| tables_folder(None).ok());
    let work = move |report: &(dyn Fn(String) + Sync)| {
        let mut context = Context { folder, tables, stop: ends, ..Context::default() };
        context.progress = Box::new(Telling(report));
        ready.run(&mut context)
    };
    let report =
        |note: String| progress.map_or(Ok(()), |progress| progress.call1((note,)).map(drop));
    let finished = waiting::run(py, work, || stop.store(true, Relaxed), report)?;
    let Some(finished) = finished.map_err(failure::study)? else { return Ok(None) };
    if let Some(folder) = &out {
        finished.record().write(folder).map_err(failure::study)?;
    }
    described(py, &finished).map(Some)
}

fn described<'py>(py: Python<'py>, finished: &Finished) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let record = finished.record();
    dict.set_item("results", plain(py, &record.record().results)?)?;
    let lines = PyList::empty(py);
    let json = py.import("json")?;
    for line in finished.lines() {
        lines.append(json.call_method1("loads", (line,))?)?;
    }
    dict.set_item("rows", rows(py, lines.into_any())?)?;
    let tables = PyDict::new(py);
    for (attachment, table) in record.tables() {
        let name = attachment.file.trim_end_matches(".csv");
        tables.set_item(name, rows(py, plain(py, &table.records())?)?)?;
    }
    dict.set_item("tables", tables)?;
    let charts = PyDict::new(py);
    for (attachment, svg) in record.charts() {
        charts.set_item(attachment.file.trim_end_matches(".svg"), svg)?;
    }
    dict.set_item("charts", charts)?;
    dict.set_item("text", finished.text())?;
    Ok(dict)
}
