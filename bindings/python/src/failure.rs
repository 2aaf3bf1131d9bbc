//! Errors as Python sees them: the fault, and the remedy as a call, in the three classes of
//! `mousetrap/errors.py`.

use std::fmt::Display;

use jungle::Rules;
use lab::contest::ContestError;
use lab::record::RecordError;
use pyo3::import_exception;
use pyo3::prelude::*;
use studies::StudyError;
use tablebase::batch::BatchError;
use tablebase::build::BuildError;
use tablebase::export::ExportError;
use tablebase::{LineError, ProbeError, Remedy, Set, SetError, rules_name};

import_exception!(mousetrap.errors, IllegalMoveError);
import_exception!(mousetrap.errors, InputError);
import_exception!(mousetrap.errors, OutsideError);

/// What was asked for is impossible.
pub fn input(error: impl Display) -> PyErr {
    InputError::new_err(error.to_string())
}

/// Bad input, with what it was about.
pub fn bad(about: &str, error: impl Display) -> PyErr {
    InputError::new_err(format!("{about}: {error}"))
}

/// A move that cannot be made.
pub fn illegal(error: impl Display) -> PyErr {
    IllegalMoveError::new_err(error.to_string())
}

/// Something outside failed, such as a disk.
pub fn outside(error: impl Display) -> PyErr {
    OutsideError::new_err(error.to_string())
}

fn either(is_outside: bool, error: impl Display) -> PyErr {
    if is_outside { outside(error) } else { input(error) }
}

/// A fault with its remedy.
fn advised(fault: &dyn Display, remedy: Option<Remedy>, rules: Option<&Rules>) -> String {
    match remedy.map(|remedy| text(remedy, rules)) {
        Some(remedy) => format!("{fault}; {remedy}"),
        None => fault.to_string(),
    }
}

fn text(remedy: Remedy, rules: Option<&Rules>) -> String {
    match remedy {
        Remedy::Build { pieces } => {
            let rules = rules.map(|rules| format!(", rules='{}'", rules_name(rules)));
            let rules = rules.unwrap_or_default();
            format!("build it with `mousetrap.Tablebase.build({pieces}{rules})`")
        }
        Remedy::BuildDistances => "it was built with wdl_only; rebuild it without".to_owned(),
        remedy => remedy.to_string(),
    }
}

/// A set that cannot be opened.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn set(error: SetError) -> PyErr {
    either(error.is_outside(), advised(&error, error.remedy(), None))
}

/// A set that does not answer.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn refused(of: &Set, error: SetError) -> PyErr {
    either(error.is_outside(), advised(&error, error.remedy(), Some(of.rules())))
}

/// A failed lookup.
pub fn probe(of: &Set, error: ProbeError) -> PyErr {
    refused(of, of.failed(error))
}

/// Playing a position out.
pub fn line(of: &Set, error: LineError) -> PyErr {
    match error {
        LineError::Probe(error) => probe(of, error),
        error @ LineError::Contradiction { .. } => {
            outside(advised(&error, error.remedy(), Some(of.rules())))
        }
    }
}

/// Building tables.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn build(error: BuildError) -> PyErr {
    either(error.is_outside(), advised(&error, error.remedy(), None))
}

/// Exporting tables.
pub fn export(of: &Set, error: ExportError) -> PyErr {
    match error {
        ExportError::Probe(error) => probe(of, error),
        error => either(error.is_outside(), advised(&error, error.remedy(), None)),
    }
}

/// Looking up many positions.
pub fn batch(of: &Set, error: BatchError) -> PyErr {
    match error {
        BatchError::Probe(error) => probe(of, error),
        error => input(error),
    }
}

/// Matches.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn contest(error: ContestError) -> PyErr {
    let remedy = match &error {
        ContestError::Record(RecordError::Exists(_)) => {
            "; use resume=True to continue it, or another out"
        }
        ContestError::Record(RecordError::Different { .. }) => "; use the same, or another out",
        _ => "",
    };
    let is_outside = matches!(&error, ContestError::Record(error) if error.is_outside());
    either(is_outside, format!("{error}{remedy}"))
}

/// Studies.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub fn study(error: StudyError) -> PyErr {
    either(error.is_outside(), &error)
}
