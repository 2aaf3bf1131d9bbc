//! Questions and replies: requests and responses without a connection.

use answers::{CheckRequest, GameRequest, GameState, Kind, Refusal, RuleBook};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tablebase::Remedy;

/// A request: what a client of the HTTP interface would send.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question<'a> {
    /// The path, as `/api/moves`.
    pub path: &'a str,
    /// The query, encoded as in an address.
    pub query: &'a str,
    /// The body; empty if there is none.
    pub body: &'a str,
}

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The media type of the body.
    pub kind: &'static str,
    /// The body.
    pub body: String,
}

impl Reply {
    pub(crate) fn json(body: &impl Serialize) -> Reply {
        let body = serde_json::to_string(body).unwrap_or_default();
        Reply { status: 200, kind: "application/json", body }
    }

    #[cfg(feature = "full")]
    pub(crate) fn svg(body: String) -> Reply {
        Reply { status: 200, kind: "image/svg+xml", body }
    }

    /// The end of a stream of events.
    #[cfg(feature = "full")]
    pub(crate) fn events() -> Reply {
        Reply { status: 200, kind: "text/event-stream", body: String::new() }
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Reply {
        let status = match refusal.kind {
            Kind::Bad => 400,
            Kind::Missing => 404,
            Kind::Busy => 503,
            Kind::Failed => 500,
        };
        Reply { status, ..Reply::json(&json!({ "error": refusal.advised(words) })) }
    }
}

/// The remedy for a visitor of a site, who cannot build tables.
fn words(remedy: Remedy) -> String {
    match remedy {
        Remedy::Build { pieces } => {
            format!(
                "this site has no tables of {pieces} pieces: `mousetrap serve` on a computer builds them"
            )
        }
        remedy => remedy.to_string(),
    }
}

/// Answers a question about rules: what a page needs before its first move. `None` for all other questions.
pub(crate) fn rules(question: Question<'_>) -> Option<Result<Reply, Refusal>> {
    let Question { path, query, .. } = question;
    Some(match path {
        "/api/moves" => read::<GameRequest>(query)
            .and_then(|request| request.play())
            .map(|play| Reply::json(&GameState::of(&play))),
        "/api/check" => read::<CheckRequest>(query)
            .and_then(|request| request.answer())
            .map(|checked| Reply::json(&checked)),
        "/api/rules" => Ok(Reply::json(&RuleBook::presets())),
        _ => return None,
    })
}

/// The refusal of a path that is not known.
pub(crate) fn unknown(path: &str) -> Refusal {
    Refusal::missing("not-found", format!("there is nothing at {path}"))
}

/// Parameters of a query.
pub(crate) fn read<T: DeserializeOwned>(query: &str) -> Result<T, Refusal> {
    serde_urlencoded::from_str(query).map_err(|error| {
        Refusal::bad("query", format!("Failed to deserialize query string: {error}"))
    })
}
