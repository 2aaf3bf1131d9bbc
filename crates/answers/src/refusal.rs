//! Refusals: why a question has no answer, as data.

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use jungle::pgn::{PgnError, PgnFault};
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
    /// Which part of a FEN is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<FenDetail>,
    /// What exactly is wrong with a record, a FEN or rules, for translations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Cause>>,
    /// In how many seconds to try again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u16>,
    /// What would help, for front ends to put into words: see [`Refusal::advised`].
    #[serde(skip)]
    pub remedy: Option<Remedy>,
    #[serde(skip)]
    source: Option<Arc<Box<dyn Error + Send + Sync>>>,
}

/// What exactly is wrong, as data: what the message says in English.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Cause {
    /// A name that stays the same: for a move, that of its own refusal, as in `too-far`; else of what is wrong, as in
    /// `unclosed-comment`, `letter` or `unknown-switch`.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "too-far"))]
    pub code: &'static str,
    /// Which part of a FEN is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<FenDetail>,
    /// The squares it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// The pieces it is about, as letters of a FEN.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<char>,
    /// The switches of the rules it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub switches: Vec<&'static str>,
    /// The text that is wrong, as it was given: a move, a letter, a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The rank of a FEN, 1 to 9.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<u8>,
    /// The line of a record or a formula, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column of a formula, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Which ply of the game a move would have been, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
}

/// A part of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum FenDetail {
    /// There is nothing.
    Empty,
    /// There are too many or too few fields.
    Fields,
    /// There are not nine ranks.
    Ranks,
    /// A rank does not have seven squares.
    Files,
    /// A letter is not that of a piece.
    Letter,
    /// The side to move is missing, or neither `w` nor `b`.
    Side,
    /// The third or the fourth field is not a dash.
    Dashes,
    /// A counter is not a number.
    Counters,
}

impl FenDetail {
    /// Its name in data formats.
    pub const fn name(self) -> &'static str {
        match self {
            FenDetail::Empty => "empty",
            FenDetail::Fields => "fields",
            FenDetail::Ranks => "ranks",
            FenDetail::Files => "files",
            FenDetail::Letter => "letter",
            FenDetail::Side => "side",
            FenDetail::Dashes => "dashes",
            FenDetail::Counters => "counters",
        }
    }
}

impl Cause {
    fn new(code: &'static str) -> Cause {
        Cause { code, ..Cause::default() }
    }

    fn with_text(self, text: impl Display) -> Cause {
        Cause { text: Some(text.to_string()), ..self }
    }

    fn on_rank(self, rank: u8) -> Cause {
        Cause { rank: Some(rank), ..self }
    }

    fn on_line(self, line: usize) -> Cause {
        Cause { line: Some(line), ..self }
    }
}

/// The cause of something larger: what caused the refusal itself, or the refusal.
impl From<Refusal> for Cause {
    fn from(refusal: Refusal) -> Cause {
        let Refusal { code, detail, squares, pieces, cause, .. } = refusal;
        let inner = cause.map(|cause| *cause).unwrap_or_default();
        Cause { code, detail, squares, pieces, ..inner }
    }
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
        self.source.as_deref().and_then(|source| source.source())
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
            detail: None,
            cause: None,
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
        Refusal { source: Some(Arc::new(Box::new(error))), ..refusal }
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

    pub(crate) fn caused_by(self, cause: Cause) -> Refusal {
        Refusal { cause: Some(Box::new(cause)), ..self }
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
        let detail = match error {
            ParseFenError::Empty => FenDetail::Empty,
            ParseFenError::NoTurn | ParseFenError::Turn(_) => FenDetail::Side,
            ParseFenError::Fields(_) => FenDetail::Fields,
            ParseFenError::Ranks(_) => FenDetail::Ranks,
            ParseFenError::Width { .. } => FenDetail::Files,
            ParseFenError::Piece { .. } => FenDetail::Letter,
            ParseFenError::Dash(_) => FenDetail::Dashes,
            ParseFenError::Counter(_) => FenDetail::Counters,
        };
        let cause = Cause { detail: Some(detail), ..Cause::new(detail.name()) };
        let cause = match &error {
            ParseFenError::Empty | ParseFenError::NoTurn => cause,
            ParseFenError::Fields(count) | ParseFenError::Ranks(count) => cause.with_text(count),
            ParseFenError::Width { rank, squares } => cause.on_rank(*rank).with_text(squares),
            ParseFenError::Piece { rank, found } => cause.on_rank(*rank).with_text(found),
            ParseFenError::Turn(found)
            | ParseFenError::Dash(found)
            | ParseFenError::Counter(found) => cause.with_text(found),
        };
        let refusal = Refusal::because(Kind::Bad, "fen", error).caused_by(cause);
        Refusal { detail: Some(detail), ..refusal }
    }
}

impl From<PgnError> for Refusal {
    fn from(error: PgnError) -> Refusal {
        let cause = Cause::from(&error);
        Refusal::because(Kind::Bad, "pgn", error).caused_by(cause)
    }
}

impl From<&PgnError> for Cause {
    fn from(error: &PgnError) -> Cause {
        let cause = match &error.fault {
            PgnFault::NoGame => Cause::new("no-game"),
            PgnFault::SecondGame => Cause::new("second-game"),
            PgnFault::BrokenTag(text) => Cause::new("broken-tag").with_text(text),
            PgnFault::Tag(_) => Cause::new("tag"),
            PgnFault::TagTwice(name) => Cause::new("tag-twice").with_text(name),
            PgnFault::Variant(text) => Cause::new("variant").with_text(text),
            PgnFault::Rules(error) => error.into(),
            PgnFault::Fen(error) => Refusal::from(error.clone()).into(),
            PgnFault::Result(text) => Cause::new("result").with_text(text),
            PgnFault::ResultDiffers { moves, .. } => Cause::new("result-differs").with_text(moves),
            PgnFault::Move { text, ply, error } => {
                let cause = Cause::from(Refusal::from(error.clone())).with_text(text);
                Cause { ply: Some(*ply), ..cause }
            }
            PgnFault::Nag(text) => Cause::new("annotation").with_text(text),
            PgnFault::NoMoveBefore => Cause::new("no-move-before"),
            PgnFault::TooDeep => Cause::new("too-deep"),
            PgnFault::UnclosedVariation => Cause::new("unclosed-variation"),
            PgnFault::UnopenedVariation => Cause::new("unopened-variation"),
            PgnFault::UnclosedComment => Cause::new("unclosed-comment"),
            PgnFault::LongComment => Cause::new("long-comment"),
            PgnFault::TooManyComments => Cause::new("too-many-comments"),
            PgnFault::Unexpected(found) => Cause::new("unexpected").with_text(found),
        };
        cause.on_line(error.line)
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
        let cause = Cause::from(&error);
        Refusal::because(Kind::Bad, "rules", error).caused_by(cause)
    }
}

impl From<&ParseRulesError> for Cause {
    fn from(error: &ParseRulesError) -> Cause {
        match error {
            ParseRulesError::UnknownPreset(text) => Cause::new("unknown-preset").with_text(text),
            ParseRulesError::UnknownSwitch(text) => Cause::new("unknown-switch").with_text(text),
            ParseRulesError::NoValue(text) => Cause::new("no-value").with_text(text),
            ParseRulesError::UnknownValue { switch, value, .. } => {
                let cause = Cause::new("unknown-value").with_text(value);
                Cause { switches: vec![switch], ..cause }
            }
        }
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
            ParseMoveError::NoSuchPiece(missing) => {
                let piece = missing.animal.map(|animal| Piece { color: missing.color, animal });
                let square = missing.square;
                let error = ParseMoveError::NoSuchPiece(missing);
                let refusal = Refusal::because(Kind::Bad, "no-such-piece", error).about(square);
                piece.into_iter().fold(refusal, Refusal::with_piece)
            }
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
