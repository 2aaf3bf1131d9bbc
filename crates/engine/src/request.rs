//! Search requests (UCI's `go`): limits, root moves, pondering, infinite search.

use game::limits::Limits;
use jungle::Move;

/// A search request. Any [`Limits`] are one; the rest is as in the protocol's `go`.
///
/// ```
/// use engine::Request;
/// use game::limits::Limits;
///
/// assert_eq!(Request::from(Limits::depth(8)).limits.depth, Some(8));
/// assert!(Request::infinite().infinite);
/// assert!(Request::ponder(Limits::nodes(1000)).ponder);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// When to stop. With no limit set the search ends when it is stopped.
    pub limits: Limits,
    /// Go on until stopped, even when the result is certain.
    pub infinite: bool,
    /// Think in the other player's time: as `infinite`, until
    /// [`ponderhit`](crate::Control::ponderhit) says that the expected move was made. From then on the
    /// limits hold.
    pub ponder: bool,
    /// Consider these moves only (`searchmoves`). Illegal moves are ignored, and if none is
    /// left, all moves are considered.
    pub moves: Vec<Move>,
}

impl Request {
    /// A search that goes on until it is stopped.
    pub fn infinite() -> Request {
        Request { infinite: true, ..Request::default() }
    }

    /// Pondering: a search in the other player's time, under these limits after the ponderhit.
    pub fn ponder(limits: Limits) -> Request {
        Request { ponder: true, ..Request::from(limits) }
    }

    /// The same, among these moves only.
    #[must_use]
    pub fn among(self, moves: impl Into<Vec<Move>>) -> Request {
        Request { moves: moves.into(), ..self }
    }

    /// Whether the search ends by itself.
    pub fn is_bounded(&self) -> bool {
        !self.infinite && !self.ponder && !self.limits.is_endless()
    }
}

impl From<Limits> for Request {
    fn from(limits: Limits) -> Request {
        Request { limits, ..Request::default() }
    }
}
