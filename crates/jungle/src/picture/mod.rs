//! Pictures of positions: SVG and, with the feature `png`, PNG; and boards for the terminal.
//!
//! A [`Picture`] is a list of things to draw, bottom to top: the board, tinted regions, the last
//! move, lines, pieces, marks, arrows and labels. Nothing in it depends on the rules, so the same
//! few parts serve a diagram in an article, a heat map, a spanning tree or a board cut into
//! clusters. The sides differ in shape as well as in colour (White's discs are round and red,
//! Black's are eight-cornered and blue), and every picture says in words what it shows.
//!
//! The same picture always yields the same bytes: no identifiers, no system fonts, no dates.

mod alt_text;
mod art;
mod decoration;
pub mod motif;
mod overlay;
mod png;
mod sheet;
mod svg;
mod terminal;
mod terrain;

pub use art::{ParsePieceSetError, PieceSet};
pub use decoration::{Mark, ParseRgbError, Rgb, Stroke};
pub use png::{PictureError, svg_to_png};
pub use sheet::sheet;
pub use terminal::Terminal;

use crate::{Bitboard, Color, Piece, Position, Square};

/// A drawing of a board, built step by step.
///
/// ```
/// use jungle::picture::{Picture, Rgb, Stroke};
/// use jungle::{Position, Square, board};
///
/// let svg = Picture::of(&Position::start())
///     .region(board::WATER, Rgb::VIOLET, 0.3)
///     .arrow(Stroke::new(Square::A3, Square::A4).label("best"))
///     .to_svg();
/// assert!(svg.starts_with("<svg") && svg.contains("Red to move"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    board: [Option<Piece>; Square::COUNT],
    turn: Option<Color>,
    title: Option<String>,
    set: PieceSet,
    flipped: bool,
    coordinates: bool,
    square_size: u32,
    last_move: Option<(Square, Square)>,
    regions: Vec<Region>,
    lines: Vec<Stroke>,
    arrows: Vec<Stroke>,
    marks: Vec<(Bitboard, Mark, Rgb)>,
    labels: Vec<(Square, String)>,
}

/// Squares tinted together.
#[derive(Clone, Debug)]
struct Region {
    squares: Bitboard,
    color: Rgb,
    opacity: f32,
    outlined: bool,
}

impl Picture {
    /// The size of a square when none is asked for, in pixels.
    pub const SQUARE_SIZE: u32 = 64;

    /// A picture of a position.
    pub fn of(position: &Position) -> Picture {
        let mut picture = Picture::empty();
        picture.turn = Some(position.turn());
        for (square, piece) in position.pieces() {
            picture.board[square.index()] = Some(piece);
        }
        picture
    }

    /// A picture of the board without pieces.
    pub fn empty() -> Picture {
        Picture {
            board: [None; Square::COUNT],
            turn: None,
            title: None,
            set: PieceSet::default(),
            flipped: false,
            coordinates: true,
            square_size: Picture::SQUARE_SIZE,
            last_move: None,
            regions: Vec::new(),
            lines: Vec::new(),
            arrows: Vec::new(),
            marks: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Puts a piece on a square, instead of what stood there. Any piece anywhere: a diagram may
    /// show only part of a position, or an impossible one.
    #[must_use]
    pub fn piece(mut self, square: Square, piece: Piece) -> Picture {
        self.board[square.index()] = Some(piece);
        self
    }

    /// The title, instead of one that names the side to move.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Picture {
        self.title = Some(title.into());
        self
    }

    /// How pieces are drawn.
    #[must_use]
    pub fn pieces(mut self, set: PieceSet) -> Picture {
        self.set = set;
        self
    }

    /// Whether Black is at the bottom; otherwise White is.
    #[must_use]
    pub fn flipped(mut self, flipped: bool) -> Picture {
        self.flipped = flipped;
        self
    }

    /// Whether files and ranks are written beside the board. They are unless this says no.
    #[must_use]
    pub fn coordinates(mut self, shown: bool) -> Picture {
        self.coordinates = shown;
        self
    }

    /// The side of a square in pixels, at least 1.
    #[must_use]
    pub fn square_size(mut self, pixels: u32) -> Picture {
        self.square_size = pixels.max(1);
        self
    }

    /// Highlights the squares of the last move.
    #[must_use]
    pub fn last_move(mut self, from: Square, to: Square) -> Picture {
        self.last_move = Some((from, to));
        self
    }

    /// Tints squares and outlines them. The outline runs inside the squares, so that regions that
    /// touch can be distinguished. `opacity` is that of the tint: 0 leaves just the outline, 1 hides the
    /// board.
    #[must_use]
    pub fn region(self, squares: impl Into<Bitboard>, color: Rgb, opacity: f32) -> Picture {
        self.tinted(squares.into(), color, opacity, true)
    }

    /// Tints squares without an outline, as for a heat map, where each has its own colour.
    #[must_use]
    pub fn tint(self, squares: impl Into<Bitboard>, color: Rgb, opacity: f32) -> Picture {
        self.tinted(squares.into(), color, opacity, false)
    }

    fn tinted(mut self, squares: Bitboard, color: Rgb, opacity: f32, outlined: bool) -> Picture {
        // NaN counts as zero; it must not reach the file.
        let opacity = if opacity.is_nan() { 0.0 } else { opacity.clamp(0.0, 1.0) };
        self.regions.push(Region { squares, color, opacity, outlined });
        self
    }

    /// Draws a line under the pieces, between the centres of two squares.
    #[must_use]
    pub fn line(mut self, stroke: Stroke) -> Picture {
        self.lines.push(stroke);
        self
    }

    /// Draws an arrow over the pieces.
    #[must_use]
    pub fn arrow(mut self, stroke: Stroke) -> Picture {
        self.arrows.push(stroke);
        self
    }

    /// Puts a mark on each of the squares.
    #[must_use]
    pub fn mark(mut self, squares: impl Into<Bitboard>, mark: Mark, color: Rgb) -> Picture {
        self.marks.push((squares.into(), mark, color));
        self
    }

    /// Writes a short text into a square: in the middle of an empty one, in the corner of one with
    /// a piece. Four characters fit well; longer texts are written smaller.
    #[must_use]
    pub fn label(mut self, square: Square, text: impl Into<String>) -> Picture {
        self.labels.push((square, text.into()));
        self
    }

    /// What the picture shows, in words, for screen readers.
    ///
    /// ```
    /// use jungle::picture::Picture;
    /// use jungle::Position;
    ///
    /// let endgame: Position = "7/7/3e3/7/7/7/3E3/7/7 w".parse()?;
    /// assert_eq!(
    ///     Picture::of(&endgame).description(),
    ///     "Jungle position, Red to move. Red: elephant d3. Blue: elephant d7."
    /// );
    /// # Ok::<(), jungle::ParsePositionError>(())
    /// ```
    pub fn description(&self) -> String {
        alt_text::description(self)
    }

    /// The picture as an SVG document, which can also be pasted into a page.
    pub fn to_svg(&self) -> String {
        svg::document(self)
    }
}
