//! Hardness gadgets: the drawings, the board that a formula is compiled to, and games on it.
//!
//! A game is text, as everywhere: a formula and the moves since. It is played again for every question, so
//! nothing is kept between two of them except the contracts of gates, which are solved once.

mod board;
mod drawing;
mod game;

use gadgets::circuit::Circuit;
use gadgets::formula::{Formula, FormulaError, FormulaFault};
use gadgets::layout::Layout;
use serde::Deserialize;

pub use self::board::{Compiled, CompiledGate, CompiledWire, Ground};
pub use self::drawing::{Drawing, DrawingPort, DrawingsRequest, GateContract};
pub use self::game::{BoardGame, BoardGameRequest, BoardPiece, BoardStep, Reply};
use crate::refusal::{Cause, Kind, Refusal};

/// As many gates as a board shown to people may have: about eight clauses of three variables.
const MOST_GATES: usize = 100;

/// As many variables: every way to share them out is looked at.
const MOST_VARIABLES: usize = 9;

/// A formula and how its board is drawn.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct FormulaRequest {
    /// A positive formula: clauses joined by `&`, in each variables joined by `|`.
    #[cfg_attr(feature = "openapi", param(example = "(x | y) & z"))]
    pub formula: String,
    /// Whether wires have stepping stones, so that no leap crosses more than three squares of water.
    #[serde(default)]
    pub stepping: bool,
}

impl FormulaRequest {
    /// The formula and its board.
    ///
    /// # Errors
    ///
    /// If that is no formula, or one whose board would be too large to look at.
    pub fn compile(&self) -> Result<(Formula, Layout), Refusal> {
        let formula: Formula = self.formula.parse()?;
        let circuit = Circuit::of(&formula);
        let (variables, gates) = (formula.names().len(), circuit.gates().len());
        if variables > MOST_VARIABLES || gates > MOST_GATES {
            let message = format!(
                "{variables} variables and {gates} gates: a board to look at has at most {MOST_VARIABLES} and \
                 {MOST_GATES}"
            );
            return Err(Refusal::bad("formula-too-large", message));
        }
        let layout = if self.stepping { Layout::stepping(&circuit) } else { Layout::of(&circuit) };
        Ok((formula, layout))
    }

    /// The board.
    ///
    /// # Errors
    ///
    /// As [`FormulaRequest::compile`].
    pub fn answer(&self) -> Result<Compiled, Refusal> {
        let (formula, layout) = self.compile()?;
        Ok(Compiled::new(&formula, &layout))
    }
}

impl From<FormulaError> for Refusal {
    fn from(error: FormulaError) -> Refusal {
        let (code, text) = match &error.fault {
            FormulaFault::Expected(what) => ("expected", Some((*what).to_owned())),
            FormulaFault::Unexpected { found, .. } | FormulaFault::Not { found, .. } => {
                ("unexpected", Some(found.clone()))
            }
            FormulaFault::Negated(name) => ("negated", Some(name.clone())),
            FormulaFault::EmptyClause => ("empty-clause", None),
            FormulaFault::Beyond { variable, .. } => ("beyond", Some(variable.to_string())),
            FormulaFault::OpenClause => ("open-clause", None),
            FormulaFault::ClauseCount { found, .. } => ("clause-count", Some(found.to_string())),
            FormulaFault::Variables(count) => ("variables", Some(count.to_string())),
            FormulaFault::TooManyClauses => ("clauses", None),
        };
        let (line, column) = (Some(error.line), Some(error.column));
        let cause = Cause { code, line, column, text, ..Cause::default() };
        Refusal::because(Kind::Bad, "formula", error).caused_by(cause)
    }
}
