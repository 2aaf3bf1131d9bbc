//! Pictures of positions, as requested.

use jungle::picture::{Picture, PictureError, PieceSet, Rgb, Stroke};
use jungle::{Setup, Square, fen};
use serde::Deserialize;

use crate::refusal::{Kind, Refusal};

/// The largest square of a PNG, in pixels: the picture is then under four megapixels.
const LARGEST_SQUARE: u32 = 256;
/// The most arrows in a picture.
const MOST_ARROWS: usize = 32;

/// What to draw.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct PictureRequest {
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

impl PictureRequest {
    /// The picture.
    ///
    /// # Errors
    ///
    /// If something is not understood, or too large.
    pub fn picture(&self) -> Result<Picture, Refusal> {
        let setup: Setup = self.fen.as_deref().unwrap_or(fen::START).parse()?;
        let set: PieceSet = match &self.pieces {
            Some(name) => {
                name.parse().map_err(|error| Refusal::because(Kind::Bad, "pieces", error))?
            }
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

    /// Why the picture could not be made into a PNG.
    pub fn undrawn(error: PictureError) -> Refusal {
        let is_left_out = matches!(error, PictureError::LeftOut);
        let (kind, code) =
            if is_left_out { (Kind::Missing, "left-out") } else { (Kind::Bad, "size") };
        Refusal::because(kind, code, error)
    }
}

/// Two squares written together.
fn squares(text: &str) -> Result<(Square, Square), Refusal> {
    let halves = text.get(..2).zip(text.get(2..));
    let (from, to) = halves
        .ok_or_else(|| Refusal::bad("squares", format!("'{text}' is not two squares, as a3b3")))?;
    let square =
        |half: &str| half.parse().map_err(|error| Refusal::because(Kind::Bad, "squares", error));
    Ok((square(from)?, square(to)?))
}
