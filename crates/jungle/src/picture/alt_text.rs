//! Alternative text: where each piece stands, strongest first, for screen readers.

use std::fmt::Write as _;

use super::Picture;
use crate::{Animal, Color, Piece, Square};

/// The title: the one given, or what kind of picture it is and who is to move.
pub(super) fn title(picture: &Picture) -> String {
    match (&picture.title, picture.turn) {
        (Some(title), _) => title.clone(),
        (None, Some(turn)) => format!("Jungle position, {turn} to move"),
        (None, None) => "Jungle board".to_owned(),
    }
}

/// The title, every piece, and the last move.
pub(super) fn description(picture: &Picture) -> String {
    let mut text = title(picture);
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    for color in Color::ALL {
        let pieces = pieces(picture, color);
        if !pieces.is_empty() {
            let _ = write!(text, " {color}: {}.", pieces.join(", "));
        }
    }
    if let Some((from, to)) = picture.last_move {
        let _ = write!(text, " Last move: {from} to {to}.");
    }
    text
}

fn pieces(picture: &Picture, color: Color) -> Vec<String> {
    let strongest_first = Animal::ALL.into_iter().rev();
    strongest_first
        .flat_map(|animal| {
            let piece = Some(Piece { color, animal });
            let squares = Square::ALL.into_iter();
            squares
                .filter(move |square| picture.board[square.index()] == piece)
                .map(move |square| format!("{animal} {square}"))
        })
        .collect()
}
