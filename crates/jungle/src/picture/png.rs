//! PNG pictures, drawn from the SVG by `resvg`.
//!
//! Text is set only in the fonts kept in `art/fonts`, so that a picture is the same on
//! every machine and can be drawn on one without fonts.
//!
//! Without the feature `png`, which more than doubles the crate's time to compile, every PNG is refused.

#[cfg(feature = "png")]
use std::sync::{Arc, LazyLock};

#[cfg(feature = "png")]
use resvg::tiny_skia::{Pixmap, Transform};
#[cfg(feature = "png")]
use resvg::usvg::{self, fontdb};

use super::Picture;

/// Why a picture cannot be drawn as PNG.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The feature `png` was left out of the build.
    #[error(
        "this build draws SVG, not PNG: for both, `cargo install --path crates/app --features full`"
    )]
    LeftOut,
    /// The picture would have no pixels, or more than fit in memory.
    #[error(
        "a picture at scale {scale} has no pixels or more than {MAX_SIDE} on a side: choose another \
         scale or size of squares"
    )]
    Size {
        /// The scale asked for.
        scale: f32,
    },
    /// The SVG could not be read back.
    #[cfg(feature = "png")]
    #[error("the picture's SVG cannot be drawn: {0}")]
    Svg(#[from] usvg::Error),
    /// The encoder failed.
    #[cfg(feature = "png")]
    #[error("the PNG cannot be encoded: {0}")]
    Encode(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A picture of 16,000 by 16,000 pixels takes a gigabyte; larger ones are refused.
const MAX_SIDE: f32 = 16_000.0;

impl Picture {
    /// The picture as a PNG file, `scale` times as large as the size of its squares says.
    ///
    /// Labels may use the characters of Western European languages, arrows and a few signs such as
    /// ± − × ≤ ∞; others are left out, because no other font is looked for.
    ///
    /// ```
    /// # if cfg!(not(feature = "png")) { return Ok(()); }
    /// use jungle::Position;
    /// use jungle::picture::Picture;
    ///
    /// let png = Picture::of(&Position::start()).square_size(20).to_png(2.0)?;
    /// assert!(png.starts_with(b"\x89PNG"));
    /// # Ok::<(), jungle::picture::PictureError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the scale is not a positive number, the picture would be too large to hold, or the feature `png`
    /// was left out.
    pub fn to_png(&self, scale: f32) -> Result<Vec<u8>, PictureError> {
        svg_to_png(&self.to_svg(), scale)
    }
}

/// Any SVG document as a PNG file, `scale` times as large as it says; text as in
/// [`Picture::to_png`].
///
/// # Errors
///
/// When the document cannot be read, the scale is not a positive number, the picture would be too large to
/// hold, or the feature `png` was left out.
pub fn svg_to_png(svg: &str, scale: f32) -> Result<Vec<u8>, PictureError> {
    #[cfg(feature = "png")]
    return draw(svg, scale);
    #[cfg(not(feature = "png"))]
    {
        let _ = (svg, scale);
        Err(PictureError::LeftOut)
    }
}

#[cfg(feature = "png")]
fn draw(svg: &str, scale: f32) -> Result<Vec<u8>, PictureError> {
    let options = usvg::Options {
        font_family: "Noto Sans".to_owned(),
        fontdb: Arc::clone(&FONTS),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).map_err(PictureError::Svg)?;
    let pixels = |side: f32| {
        let pixels = (side * scale).round();
        (1.0..=MAX_SIDE).contains(&pixels).then_some(pixels as u32)
    };
    let size = tree.size();
    let mut pixmap = pixels(size.width())
        .zip(pixels(size.height()))
        .and_then(|(width, height)| Pixmap::new(width, height))
        .ok_or(PictureError::Size { scale })?;
    // To the very edge, although whole pixels may be a little more or less than the scale.
    let stretch = Transform::from_scale(
        pixmap.width() as f32 / size.width(),
        pixmap.height() as f32 / size.height(),
    );
    resvg::render(&tree, stretch, &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| PictureError::Encode(error.into()))
}

#[cfg(feature = "png")]
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(include_bytes!("../../art/fonts/NotoSans-Bold-subset.ttf").to_vec());
    fonts.load_font_data(include_bytes!("../../art/fonts/NotoSansMath-subset.ttf").to_vec());
    fonts.set_sans_serif_family("Noto Sans");
    Arc::new(fonts)
});
