//! The trait [`Study`], and studies of any type behind [`Prepared`].

use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::record::Draft;
use crate::{Context, StudyError};

/// A study: a published result or a measurement. Parameters in, results out, and how results are shown.
pub trait Study {
    /// The name it is run by.
    const NAME: &'static str;
    /// The title of its record.
    const TITLE: &'static str;
    /// What it shows, in a line.
    const ABOUT: &'static str;
    /// The publication whose result it reproduces; none for a measurement.
    const SOURCE: Option<&'static str> = None;
    /// Roughly how long it takes on one core of an ordinary machine.
    const TAKES: &'static str;

    /// Its parameters. Each is declared once, with its default and its help.
    type Params: Args + Default + Serialize + DeserializeOwned + Send;
    /// Its results.
    type Results: Serialize;

    /// Runs it; `None` if only a shard of the work was requested and more is to do.
    ///
    /// # Errors
    ///
    /// If the parameters are invalid, the disk fails, or two ways that must agree do not.
    fn run(
        params: &Self::Params,
        context: &mut Context<'_>,
    ) -> Result<Option<Self::Results>, StudyError>;

    /// Results as text, ours beside theirs.
    fn render(params: &Self::Params, results: &Self::Results) -> String;

    /// Results as lines of JSON, an object each. The names are a contract with other programs.
    ///
    /// # Errors
    ///
    /// If something cannot be written as JSON.
    fn lines(results: &Self::Results) -> serde_json::Result<Vec<String>>;

    /// The record of a run: parameters, results, notes, tables and charts.
    fn record(params: &Self::Params, results: &Self::Results, draft: Draft) -> Draft;

    /// The name of a folder for the record, and for unfinished work.
    fn folder(_params: &Self::Params) -> String {
        Self::NAME.to_owned()
    }
}

/// One line of JSON.
pub(crate) fn line(value: &impl Serialize) -> serde_json::Result<Vec<String>> {
    each([value])
}

/// A line of JSON for each value.
pub(crate) fn each<T: Serialize>(
    values: impl IntoIterator<Item = T>,
) -> serde_json::Result<Vec<String>> {
    values.into_iter().map(|value| serde_json::to_string(&value)).collect()
}

/// A study with its parameters, whichever it is.
pub trait Ready: Send {
    /// The name of a folder for the record, and for unfinished work.
    fn folder(&self) -> String;

    /// Runs the study; `None` if only a shard of the work was requested.
    ///
    /// # Errors
    ///
    /// As for [`Study::run`].
    fn run(&self, context: &mut Context<'_>) -> Result<Option<Finished>, StudyError>;
}

/// A study with parameters of its own type.
pub(crate) struct Prepared<S: Study>(pub S::Params);

impl<S: Study> Ready for Prepared<S> {
    fn folder(&self) -> String {
        S::folder(&self.0)
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Option<Finished>, StudyError> {
        run::<S>(&self.0, context)
    }
}

/// Runs a study and makes everything that is made from its results.
///
/// # Errors
///
/// As for [`Study::run`].
pub fn run<S: Study>(
    params: &S::Params,
    context: &mut Context<'_>,
) -> Result<Option<Finished>, StudyError> {
    let Some(results) = S::run(params, context)? else { return Ok(None) };
    let draft = Draft::new(S::NAME, S::TITLE).made_by(context.made_by.clone());
    Ok(Some(Finished {
        text: S::render(params, &results),
        lines: S::lines(&results).map_err(StudyError::Json)?,
        record: S::record(params, &results, draft),
    }))
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Finished {
    text: String,
    lines: Vec<String>,
    record: Draft,
}

impl Finished {
    /// Results as text, ours beside theirs.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Results as lines of JSON, an object each.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The record, to be written into a folder.
    pub fn record(&self) -> &Draft {
        &self.record
    }
}
