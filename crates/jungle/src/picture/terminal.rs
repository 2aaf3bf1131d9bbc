//! Boards as text for the terminal, with ANSI colours.
//!
//! Colours only repeat what the characters say, so nothing is lost without them: terrain has a
//! character of its own, White's letters are upper case, Black's hanzi stand behind a `v` (as in
//! shogi records), and an asterisk marks the squares of the last move.

use std::fmt::{self, Write};

use anstyle::{Ansi256Color, Style};

use super::{PieceSet, art};
use crate::board::{Terrain, terrain};
use crate::{Color, Piece, Position, Square};

/// A board made of characters, shown by its `Display`.
///
/// ```
/// use jungle::Position;
/// use jungle::picture::Terminal;
///
/// let endgame: Position = "7/7/3e3/7/7/7/3E3/7/7 b".parse()?;
/// let board = Terminal::of(&endgame).colored(false).to_string();
/// assert!(board.starts_with("9  .  .  ^  #  ^  .  .\n"));
/// assert!(board.ends_with("\n\nBlue to move\n"));
/// # Ok::<(), jungle::ParsePositionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Terminal {
    position: Position,
    set: PieceSet,
    flipped: bool,
    colored: bool,
    last_move: Option<(Square, Square)>,
}

impl Terminal {
    /// A coloured board, White at the bottom.
    pub fn of(position: &Position) -> Terminal {
        Terminal {
            position: position.clone(),
            set: PieceSet::default(),
            flipped: false,
            colored: true,
            last_move: None,
        }
    }

    /// Letters or hanzi. Hanzi are twice as wide, and so are the squares then.
    #[must_use]
    pub fn pieces(mut self, set: PieceSet) -> Terminal {
        self.set = set;
        self
    }

    /// Whether Black is at the bottom; otherwise White is.
    #[must_use]
    pub fn flipped(mut self, flipped: bool) -> Terminal {
        self.flipped = flipped;
        self
    }

    /// Whether to use colours. Without them there are no escape sequences at all.
    #[must_use]
    pub fn colored(mut self, colored: bool) -> Terminal {
        self.colored = colored;
        self
    }

    /// Marks the squares of the last move.
    #[must_use]
    pub fn last_move(mut self, from: Square, to: Square) -> Terminal {
        self.last_move = Some((from, to));
        self
    }

    fn square(&self, file: u8, rank: u8) -> Option<Square> {
        let square = Square::new(file, rank)?;
        Some(if self.flipped { square.rotate() } else { square })
    }

    fn is_last(&self, square: Square) -> bool {
        self.last_move.is_some_and(|(from, to)| square == from || square == to)
    }

    /// The characters of a square, always as wide as those of any other.
    fn cell(&self, square: Square) -> String {
        let piece = self.position.piece_at(square);
        let after = if self.is_last(square) { '*' } else { ' ' };
        match (self.set, piece) {
            (PieceSet::Animals, Some(piece)) => format!(" {}{after}", piece.letter()),
            (PieceSet::Animals, None) => format!(" {}{after}", ground(square)),
            (PieceSet::Hanzi, Some(Piece { color, animal })) => {
                let before = match color {
                    Color::White => ' ',
                    Color::Black => 'v',
                };
                format!("{before}{}{after}", art::hanzi(animal))
            }
            (PieceSet::Hanzi, None) => format!(" {0}{0}{after}", ground(square)),
        }
    }

    fn style(&self, square: Square) -> Style {
        if !self.colored {
            return Style::new();
        }
        let (back, faint) = match terrain(square) {
            _ if self.is_last(square) => (LAST_MOVE, LAST_MOVE_FAINT),
            Terrain::Land => (LAND, LAND_FAINT),
            Terrain::Water => (WATER, WATER_FAINT),
            Terrain::Trap(Color::White) => (WHITE_TRAP, WHITE_INK),
            Terrain::Trap(Color::Black) => (BLACK_TRAP, BLACK_INK),
            Terrain::Den(Color::White) => (WHITE_DEN, PALE),
            Terrain::Den(Color::Black) => (BLACK_DEN, PALE),
        };
        let style = Style::new().bg_color(Some(back.into()));
        match self.position.piece_at(square) {
            None => style.fg_color(Some(faint.into())),
            // A den is as dark as its owner's ink, and a guest there is the other side's: pale
            // ink is the one that can be read on both.
            Some(_) if matches!(terrain(square), Terrain::Den(_)) && !self.is_last(square) => {
                style.fg_color(Some(PALE.into())).bold()
            }
            Some(Piece { color: Color::White, .. }) => {
                style.fg_color(Some(WHITE_INK.into())).bold()
            }
            Some(Piece { color: Color::Black, .. }) => {
                style.fg_color(Some(BLACK_INK.into())).bold()
            }
        }
    }
}

impl fmt::Display for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..Square::RANKS).rev() {
            let mut line = String::new();
            for file in 0..Square::FILES {
                let Some(square) = self.square(file, rank) else { continue };
                if file == 0 {
                    write!(line, "{} ", square.rank() + 1)?;
                }
                let style = self.style(square);
                write!(line, "{style}{}{style:#}", self.cell(square))?;
            }
            // Plain text is often pasted; blanks at the end of a line get lost on the way anyway.
            f.write_str(line.trim_end())?;
            f.write_char('\n')?;
        }
        let mut files = " ".to_owned();
        for file in 0..Square::FILES {
            let Some(square) = self.square(file, 0) else { continue };
            let name = char::from(b'a' + square.file());
            match self.set {
                PieceSet::Animals => write!(files, "  {name}")?,
                PieceSet::Hanzi => write!(files, "  {name} ")?,
            }
        }
        writeln!(f, "{}\n\n{} to move", files.trim_end(), self.position.turn())
    }
}

const fn ansi(index: u8) -> Ansi256Color {
    Ansi256Color(index)
}

// From the cube of 256 colours, which is the same everywhere, unlike the sixteen that users set.
const LAND: Ansi256Color = ansi(187);
const LAND_FAINT: Ansi256Color = ansi(144);
const WATER: Ansi256Color = ansi(117);
const WATER_FAINT: Ansi256Color = ansi(67);
const WHITE_TRAP: Ansi256Color = ansi(217);
const BLACK_TRAP: Ansi256Color = ansi(147);
const WHITE_DEN: Ansi256Color = ansi(124);
const BLACK_DEN: Ansi256Color = ansi(18);
const WHITE_INK: Ansi256Color = ansi(124);
const BLACK_INK: Ansi256Color = ansi(18);
const LAST_MOVE: Ansi256Color = ansi(221);
const LAST_MOVE_FAINT: Ansi256Color = ansi(94);
const PALE: Ansi256Color = ansi(230);

fn ground(square: Square) -> char {
    match terrain(square) {
        Terrain::Land => '.',
        Terrain::Water => '~',
        Terrain::Trap(_) => '^',
        Terrain::Den(_) => '#',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Terminal {
        Terminal::of(&Position::start()).colored(false)
    }

    #[test]
    fn the_start_without_colour() {
        let expected = "\
9  l  .  ^  #  ^  .  t
8  .  d  .  ^  .  c  .
7  r  .  p  .  w  .  e
6  .  ~  ~  .  ~  ~  .
5  .  ~  ~  .  ~  ~  .
4  .  ~  ~  .  ~  ~  .
3  E  .  W  .  P  .  R
2  .  C  .  ^  .  D  .
1  T  .  ^  #  ^  .  L
   a  b  c  d  e  f  g

Red to move
";
        assert_eq!(start().to_string(), expected);
    }

    #[test]
    fn flipped_with_hanzi_and_a_last_move() {
        let board = start().flipped(true).pieces(PieceSet::Hanzi).last_move(Square::F1, Square::G1);
        let board = board.to_string();
        let lines: Vec<&str> = board.lines().collect();
        assert_eq!(lines[0], "1  狮* ..* ^^  ##  ^^  ..  虎");
        assert_eq!(lines[8], "9 v虎  ..  ^^  ##  ^^  .. v狮");
        assert_eq!(lines[9], "   g   f   e   d   c   b   a");
    }

    #[test]
    fn colours_add_nothing_but_escapes() {
        let colored = start().colored(true).last_move(Square::A2, Square::A3).to_string();
        let plain = start().last_move(Square::A2, Square::A3).to_string();
        let mut stripped = String::new();
        for part in colored.split('\u{1b}') {
            stripped.push_str(match part.strip_prefix('[') {
                Some(rest) => rest.split_once('m').expect("escapes end in m").1,
                None => part,
            });
        }
        let trimmed: Vec<&str> = stripped.lines().map(str::trim_end).collect();
        assert_eq!(trimmed, plain.lines().collect::<Vec<_>>());
        assert!(!plain.contains('\u{1b}'));
    }
}
