//! Rows of databases: what both kinds of them keep, as text.

use crate::event::{Entry, Opening};
use crate::state::Stage;
use crate::store::Stored;
use crate::terms::Millis;

/// Something of ours as JSON, which never fails.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A row as it was read: number, time, event.
pub(crate) type Raw = (u32, Millis, String);

/// The log that these rows are.
pub(crate) fn stored(opening: &str, rows: Vec<Raw>) -> Result<Stored, String> {
    let opening = serde_json::from_str(opening).map_err(|error| error.to_string())?;
    let entry = |(version, at, event): Raw| {
        let event = serde_json::from_str(&event).map_err(|error| error.to_string())?;
        Ok::<_, String>(Entry { version, at, event })
    };
    Ok(Stored { opening, entries: rows.into_iter().map(entry).collect::<Result<_, _>>()? })
}

/// How far a duel is that begins so.
pub(crate) fn first_stage(opening: &Opening) -> Stage {
    if opening.guest_key.is_some() { Stage::Playing } else { Stage::Open }
}
