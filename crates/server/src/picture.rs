//! Pictures of positions, and the art of the page: both come from `jungle::picture`, so that a piece
//! looks the same everywhere.

use std::error::Error;
use std::fmt::Write;
use std::sync::LazyLock;

use answers::Refusal;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use jungle::picture::{Picture, PictureError, PieceSet, Rgb, Stroke, motif};
use jungle::{Animal, Color, Piece, Setup, Square, fen};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::Shared;
use crate::client::Client;
use crate::error::{ApiError, ErrorBody};
use crate::extract::Query;
use crate::page::{constant, pack};

/// The largest square of a PNG, in pixels: the picture is then under four megapixels.
const LARGEST_SQUARE: u32 = 256;
/// The most arrows in a picture.
const MOST_ARROWS: usize = 32;

/// What to draw.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PictureQuery {
    /// The board as FEN, possible or not; the start if left out.
    pub fen: Option<String>,
    /// `animals` or `hanzi`.
    pub pieces: Option<String>,
    /// Whether Black is at the bottom.
    #[serde(default)]
    pub flipped: bool,
    /// The side of a square in pixels, up to 256; 64 if left out.
    pub size: Option<u32>,
    /// The last move, to be marked, as `a3b3`.
    pub last: Option<String>,
    /// Arrows, separated by commas, as `a3b3`.
    pub arrows: Option<String>,
}

impl PictureQuery {
    fn picture(&self) -> Result<Picture, Refusal> {
        let setup: Setup = self.fen.as_deref().unwrap_or(fen::START).parse()?;
        let set: PieceSet = match &self.pieces {
            Some(name) => name.parse().map_err(|error| bad("pieces", error))?,
            None => PieceSet::default(),
        };
        let size = self.size.unwrap_or(Picture::SQUARE_SIZE);
        if !(1..=LARGEST_SQUARE).contains(&size) {
            let message = format!("a size of {size} pixels: use 1 to {LARGEST_SQUARE}");
            return Err(Refusal::bad("size", message));
        }
        let mut picture =
            setup.pieces().fold(Picture::empty(), |p, (sq, piece)| p.piece(sq, piece));
        picture = picture.title(format!("Jungle position, {} to move", setup.turn));
        picture = picture.pieces(set).flipped(self.flipped).square_size(size);
        if let Some(text) = &self.last {
            let (from, to) = squares(text)?;
            picture = picture.last_move(from, to);
        }
        let arrows =
            self.arrows.as_deref().unwrap_or("").split(',').filter(|text| !text.is_empty());
        for (count, text) in arrows.enumerate() {
            if count >= MOST_ARROWS {
                return Err(Refusal::bad("arrows", format!("at most {MOST_ARROWS} arrows")));
            }
            let (from, to) = squares(text)?;
            picture = picture.arrow(Stroke::new(from, to).color(Rgb::GREEN));
        }
        Ok(picture)
    }
}

fn bad(code: &'static str, error: impl Error + Send + Sync + 'static) -> Refusal {
    Refusal::because(answers::Kind::Bad, code, error)
}

fn undrawn(error: PictureError) -> Refusal {
    match error {
        PictureError::LeftOut => Refusal::because(answers::Kind::Missing, "left-out", error),
        error => bad("size", error),
    }
}

/// Two squares written together.
fn squares(text: &str) -> Result<(Square, Square), Refusal> {
    let halves = text.get(..2).zip(text.get(2..));
    let (from, to) = halves
        .ok_or_else(|| Refusal::bad("squares", format!("'{text}' is not two squares, as a3b3")))?;
    let square = |half: &str| half.parse().map_err(|error| bad("squares", error));
    Ok((square(from)?, square(to)?))
}

/// Picture (SVG)
#[utoipa::path(get, path = "/api/picture.svg", tag = "picture", params(PictureQuery),
    responses((status = 200, content_type = "image/svg+xml", body = String),
              (status = 400, body = ErrorBody)))]
pub async fn svg(Query(query): Query<PictureQuery>) -> Result<Response, ApiError> {
    Ok(([(CONTENT_TYPE, "image/svg+xml")], query.picture()?.to_svg()).into_response())
}

/// Picture (PNG)
#[utoipa::path(get, path = "/api/picture.png", tag = "picture", params(PictureQuery),
    responses((status = 200, content_type = "image/png", body = Vec<u8>),
              (status = 400, body = ErrorBody), (status = 404, body = ErrorBody),
              (status = 503, body = ErrorBody)))]
pub async fn png(
    State(shared): State<Shared>,
    client: Client,
    Query(query): Query<PictureQuery>,
) -> Result<Response, ApiError> {
    let picture = query.picture()?;
    let png = shared.work.run(client, move || picture.to_png(1.0).map_err(undrawn));
    let png = png.await?;
    Ok(([(CONTENT_TYPE, "image/png")], png).into_response())
}

/// All pieces and the empty board as symbols of one SVG document: `animals-E`, `hanzi-r`, `board`,
/// and `board-flipped` as Blue sees it.
static ART: LazyLock<String> = LazyLock::new(|| {
    let mut sheet = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\">\n");
    for set in PieceSet::ALL {
        for color in Color::ALL {
            for animal in Animal::ALL {
                let piece = Piece { color, animal };
                let _ = writeln!(
                    sheet,
                    "<symbol id=\"{set}-{}\" viewBox=\"-50 -50 100 100\">{}</symbol>",
                    piece.letter(),
                    motif::piece(set, piece)
                );
            }
        }
    }
    for (id, flipped) in [("board", false), ("board-flipped", true)] {
        let board = Picture::empty().coordinates(false).square_size(100).flipped(flipped).to_svg();
        let inner = board.split_once("</title>").map_or("", |(_, rest)| rest).trim_end();
        let inner = inner.strip_suffix("</svg>").unwrap_or(inner);
        let _ = writeln!(sheet, "<symbol id=\"{id}\" viewBox=\"0 0 744 944\">{inner}</symbol>");
    }
    sheet.push_str("</svg>\n");
    sheet
});

/// The same, compressed.
static PACKED_ART: LazyLock<Vec<u8>> = LazyLock::new(|| pack(ART.as_bytes()));

/// The art of the page.
pub async fn art(headers: HeaderMap) -> Response {
    let art = constant(&headers, "image/svg+xml", ART.as_bytes(), &PACKED_ART);
    ([(CACHE_CONTROL, "no-cache")], art).into_response()
}
