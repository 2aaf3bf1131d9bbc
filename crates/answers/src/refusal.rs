//! Refusals: why a question has no answer, as data.

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use jungle::{
    IllegalMove, IllegalReason, ParseFenError, ParseMoveError, ParsePositionError, ParseRulesError,
    Piece, SetupError, Square,
};
use serde::Serialize;
use tablebase::{LineError, ProbeError, Remedy, SetError};

use crate::cone::NoPiece;

/// Why a question has no answer: a code for programs, and a sentence for people.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refusal {
    /// The kind of refusal.
    #[serde(skip)]
    pub kind: Kind,
    /// A name that stays the same, for programs and translations.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "in-water"))]
    pub code: &'static str,
    /// The reason in English, with a remedy where a front end knows one.
    pub message: String,
    /// The squares it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// The pieces it is about, as letters of a FEN.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<char>,
    /// In how many seconds to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u16>,
    /// What would help, for front ends to put into words: see [`Refusal::advised`].
    #[serde(skip)]
    pub remedy: Option<Remedy>,
    #[serde(skip)]
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// The kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The question cannot be understood, or is about something impossible.
    Bad,
    /// Something that was asked for is not there.
    Missing,
    /// Too much is going on; the question may be asked again later.
    Busy,
    /// Something failed unexpectedly, such as a damaged table.
    Failed,
}

impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Refusal {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // The message is the source's, so the next in the chain is the source's own source.
        self.source.as_deref().and_then(Error::source)
    }
}

impl Refusal {
    /// A refusal in words.
    pub fn new(kind: Kind, code: &'static str, message: impl Display) -> Refusal {
        Refusal {
            kind,
            code,
            message: message.to_string(),
            squares: Vec::new(),
            pieces: Vec::new(),
            retry_after: None,
            remedy: None,
            source: None,
        }
    }

    /// A question that cannot be understood or is about something impossible.
    pub fn bad(code: &'static str, message: impl Display) -> Refusal {
        Refusal::new(Kind::Bad, code, message)
    }

    /// Something that is not there.
    pub fn missing(code: &'static str, message: impl Display) -> Refusal {
        Refusal::new(Kind::Missing, code, message)
    }

    /// A question that may be asked again in `retry_after` seconds.
    pub fn busy(message: impl Display, retry_after: u16) -> Refusal {
        Refusal { retry_after: Some(retry_after), ..Refusal::new(Kind::Busy, "busy", message) }
    }

    /// A fault of our own, in words.
    pub fn failed(message: impl Display) -> Refusal {
        Refusal::new(Kind::Failed, "internal", message)
    }

    /// A refusal because of an error, which is kept.
    pub fn because(
        kind: Kind,
        code: &'static str,
        error: impl Error + Send + Sync + 'static,
    ) -> Refusal {
        let refusal = Refusal::new(kind, code, &error);
        Refusal { source: Some(Arc::new(error)), ..refusal }
    }

    /// A fault of our own because of an error, which is kept.
    pub fn internal(error: impl Error + Send + Sync + 'static) -> Refusal {
        Refusal::because(Kind::Failed, "internal", error)
    }

    /// The same, its message after what it is about.
    #[must_use]
    pub fn in_context(self, about: &str) -> Refusal {
        Refusal { message: format!("{about}: {self}"), ..self }
    }

    /// The same, its message with the remedy as a front end words it, if there is one.
    #[must_use]
    pub fn advised(mut self, words: impl FnOnce(Remedy) -> String) -> Refusal {
        if let Some(remedy) = self.remedy.take() {
            self.message = format!("{}; {}", self.message, words(remedy));
        }
        self
    }

    fn with_remedy(self, remedy: Option<Remedy>) -> Refusal {
        Refusal { remedy, ..self }
    }

    fn about(mut self, squares: impl IntoIterator<Item = Square>) -> Refusal {
        self.squares = squares.into_iter().map(|square| square.to_string()).collect();
        self
    }

    fn with_piece(mut self, piece: Piece) -> Refusal {
        self.pieces = vec![piece.letter()];
        self
    }
}

impl From<ParseFenError> for Refusal {
    fn from(error: ParseFenError) -> Refusal {
        Refusal::because(Kind::Bad, "fen", error)
    }
}

impl From<SetupError> for Refusal {
    fn from(error: SetupError) -> Refusal {
        let because = |code| Refusal::because(Kind::Bad, code, error.clone());
        let den = jungle::board::DEN;
        match error {
            SetupError::TwoOfAKind { piece, first, second } => {
                because("two-of-a-kind").about([first, second]).with_piece(piece)
            }
            SetupError::InWater { piece, square } => {
                because("in-water").about([square]).with_piece(piece)
            }
            SetupError::InOwnDen { piece } => {
                because("own-den").about([den[piece.color]]).with_piece(piece)
            }
            SetupError::BothDensTaken => because("both-dens").about([den.white, den.black]),
            SetupError::NoPieces => because("no-pieces"),
        }
    }
}

impl From<ParsePositionError> for Refusal {
    fn from(error: ParsePositionError) -> Refusal {
        match error {
            ParsePositionError::Fen(error) => error.into(),
            ParsePositionError::Setup(error) => error.into(),
        }
    }
}

impl From<ParseRulesError> for Refusal {
    fn from(error: ParseRulesError) -> Refusal {
        Refusal::because(Kind::Bad, "rules", error)
    }
}

impl From<IllegalMove> for Refusal {
    fn from(error: IllegalMove) -> Refusal {
        let code = match error.reason {
            IllegalReason::Over(_) => "game-over",
            IllegalReason::NoSuchPiece { .. } => "no-such-piece",
            IllegalReason::TooFar(_) => "too-far",
            IllegalReason::OwnDen => "move-own-den",
            IllegalReason::Water(_) => "cannot-swim",
            IllegalReason::NoJump(..) => "no-jump",
            IllegalReason::RatBlocks(_) => "rat-blocks",
            IllegalReason::OwnPiece(_) => "own-piece",
            IllegalReason::WrongVictim { .. } => "wrong-victim",
            IllegalReason::DoesNotTake { .. } => "too-strong",
            IllegalReason::Shore(_) => "shore",
            IllegalReason::Repetition => "third-time",
        };
        let squares = [error.from, error.to];
        Refusal::because(Kind::Bad, code, error).about(squares)
    }
}

impl From<ParseMoveError> for Refusal {
    fn from(error: ParseMoveError) -> Refusal {
        match error {
            ParseMoveError::NotAMove(_) => Refusal::because(Kind::Bad, "not-a-move", error),
            ParseMoveError::NoSuchPiece(_) => Refusal::because(Kind::Bad, "no-such-piece", error),
            ParseMoveError::Illegal(error) => error.into(),
        }
    }
}

/// Whose fault a failed probe is, and its code.
fn of_probe(error: &ProbeError) -> (Kind, &'static str) {
    match error {
        ProbeError::TooManyPieces { .. } => (Kind::Missing, "too-many-pieces"),
        ProbeError::MissingTable { .. } => (Kind::Missing, "missing-table"),
        ProbeError::CorruptTable { .. } | ProbeError::Unreadable { .. } => {
            (Kind::Failed, "damaged-table")
        }
    }
}

impl From<ProbeError> for Refusal {
    fn from(error: ProbeError) -> Refusal {
        let ((kind, code), remedy) = (of_probe(&error), error.remedy());
        Refusal::because(kind, code, error).with_remedy(remedy)
    }
}

impl From<LineError> for Refusal {
    fn from(error: LineError) -> Refusal {
        match error {
            LineError::Probe(error) => error.into(),
            LineError::Contradiction { .. } => {
                let remedy = error.remedy();
                Refusal::internal(error).with_remedy(remedy)
            }
        }
    }
}

impl From<SetError> for Refusal {
    fn from(error: SetError) -> Refusal {
        let (kind, code) = match &error {
            SetError::Probe { error, .. } => of_probe(error),
            SetError::TooFewPieces(_) => (Kind::Bad, "too-few-pieces"),
            SetError::Incomplete { .. } | SetError::Empty { .. } => {
                (Kind::Missing, "missing-table")
            }
            SetError::Build(_) => (Kind::Failed, "internal"),
        };
        let remedy = error.remedy();
        Refusal::because(kind, code, error).with_remedy(remedy)
    }
}

impl From<NoPiece> for Refusal {
    fn from(error: NoPiece) -> Refusal {
        let square = error.0;
        Refusal::because(Kind::Bad, "no-piece", error).about([square])
    }
}
