//! Validation of a board, fault by fault, for editors.

use jungle::{Ending, Jungle, Setup, SetupError, Square};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::request::GameRequest;

/// Which board to check.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct CheckRequest {
    /// The position as FEN, possible or not.
    #[cfg_attr(feature = "openapi", param(example = "7/7/7/1W5/7/7/7/7/7 w"))]
    pub fen: String,
    /// The rules; `standard` if left out.
    pub rules: Option<String>,
}

impl CheckRequest {
    /// Everything that is wrong with the board.
    ///
    /// # Errors
    ///
    /// If the text is not a FEN, or the rules are not understood.
    pub fn answer(&self) -> Result<Checked, Refusal> {
        let request = GameRequest { rules: self.rules.clone(), ..GameRequest::default() };
        let setup: Setup = self.fen.parse()?;
        Ok(check(&Jungle::new(request.rules()?), &setup))
    }
}

/// What is wrong with a board.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Checked {
    /// Whether it is a position.
    pub valid: bool,
    /// The FEN with all six fields.
    pub fen: String,
    /// All faults; none if it is valid.
    pub faults: Vec<Refusal>,
    /// How the game has already ended, if it has.
    pub ending: Option<Ending>,
}

/// Everything that is wrong with a board.
pub fn check(jungle: &Jungle, setup: &Setup) -> Checked {
    let faults = faults(setup);
    let over = setup.position().ok().and_then(|position| jungle.ending(&position));
    Checked { valid: faults.is_empty(), fen: setup.to_string(), faults, ending: over }
}

/// All faults of a setup: each is mended by taking the offending piece away, until none is left.
fn faults(setup: &Setup) -> Vec<Refusal> {
    let mut setup = setup.clone();
    let mut faults = Vec::new();
    while let Err(fault) = setup.position() {
        let offender = match &fault {
            SetupError::TwoOfAKind { second, .. } => Some(*second),
            SetupError::InWater { square, .. } => Some(*square),
            SetupError::InOwnDen { piece } => Some(jungle::board::DEN[piece.color]),
            SetupError::BothDensTaken => Some(jungle::board::DEN.white),
            SetupError::NoPieces => None,
        };
        let also = match &fault {
            // The piece that goes may stand wrongly as well.
            SetupError::TwoOfAKind { second, .. } => alone(&setup, *second),
            _ => None,
        };
        // A board emptied by mending had other faults than being empty.
        if offender.is_some() || faults.is_empty() {
            faults.push(fault.into());
            faults.extend(also.map(Refusal::from));
        }
        match offender {
            Some(square) => setup.board[square.index()] = None,
            None => break,
        }
    }
    faults
}

/// What is wrong with one piece by itself.
fn alone(setup: &Setup, square: Square) -> Option<SetupError> {
    let mut one = Setup::empty();
    one.board[square.index()] = setup.board[square.index()];
    one.position().err()
}
