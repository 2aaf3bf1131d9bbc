//! QR codes for links, as SVG.

use std::fmt::Write;

use answers::Refusal;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use qrcode::{Color, QrCode};

use super::limits::Kind as Limit;
use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::TextBody;
use crate::queue::in_place;

/// The longest text of a code that a phone reads at a glance.
const LONGEST: usize = 400;
/// The white margin that readers need, in modules.
const MARGIN: usize = 4;

/// A QR code (SVG)
///
/// The body is the text, a link; it is in the body because it may hold a key, and addresses are logged.
#[utoipa::path(post, path = "/api/qr", tag = "duel", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 400, body = ErrorBody),
              (status = 408, body = ErrorBody), (status = 413, body = ErrorBody), (status = 429, body = ErrorBody)))]
pub async fn qr(
    State(shared): State<Shared>,
    client: Client,
    TextBody(text): TextBody,
) -> Result<Response, ApiError> {
    let unfit =
        || Refusal::bad("qr", format!("a QR code is made of a text of 1 to {LONGEST} bytes"));
    if text.is_empty() || text.len() > LONGEST {
        return Err(unfit().into());
    }
    // It takes milliseconds, so it is counted, and others are answered meanwhile.
    shared.duels.limits.take(client, Limit::Act)?;
    let made =
        in_place((), move || QrCode::new(&text).map(|code| drawn(&code)).map_err(|_| unfit()));
    Ok(([(CONTENT_TYPE, "image/svg+xml")], made.await?).into_response())
}

/// Black on white, whatever the colours around it: not every camera reads it inverted.
fn drawn(code: &QrCode) -> String {
    let (width, side) = (code.width(), code.width() + 2 * MARGIN);
    let mut path = String::new();
    for (row, modules) in code.to_colors().chunks(width).enumerate() {
        let mut column = 0;
        for run in modules.chunk_by(|one, other| one == other) {
            if run[0] == Color::Dark {
                // Writing to a string does not fail.
                let _ = write!(path, "M{} {}h{}v1h-{2}z", column + MARGIN, row + MARGIN, run.len());
            }
            column += run.len();
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" shape-rendering=\"crispEdges\">\
         <rect width=\"{side}\" height=\"{side}\" fill=\"#fff\"/><path d=\"{path}\" fill=\"#000\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dark_module_is_drawn_once() {
        let code =
            QrCode::new("http://192.0.2.7:8089/#/friend?join=00112233445566778899aabbccddeeff")
                .unwrap();
        let svg = drawn(&code);
        let dark = code.to_colors().iter().filter(|color| **color == Color::Dark).count();
        let drawn: usize = svg
            .split('h')
            .skip(1)
            .filter_map(|rest| rest.split('v').next()?.parse::<usize>().ok())
            .sum();
        assert_eq!(drawn, dark);
    }
}
