//! Illustrations of the features of Table 3, each on a position that shows what it means.
//!
//! The positions are tests as well: every picture says which value the feature has, and a test asks
//! the feature.

use jungle::board::{DEN, TRAPS};
use jungle::causality::Movement;
use jungle::picture::{Mark, Picture, Rgb, Stroke};
use jungle::{Bitboard, Color, Position, Square};

use super::table3::{READING, manhattan};

/// A feature on a position.
#[derive(Clone, Debug)]
pub struct FeaturePicture {
    /// The feature's name.
    pub feature: &'static str,
    /// The position.
    pub fen: &'static str,
    /// The value that the feature has there.
    pub value: &'static str,
    /// Why, in a sentence.
    pub why: &'static str,
}

/// A picture for each feature of the table.
pub const PICTURES: [FeaturePicture; 11] = [
    FeaturePicture {
        feature: "closest",
        fen: "7/7/6e/7/7/7/E6/7/7 w",
        value: "white",
        why: "nine moves each, and Red moves first",
    },
    FeaturePicture {
        feature: "unopposed_w",
        fen: "4e2/7/2C4/7/7/7/7/7/7 w",
        value: "yes",
        why: "at c9 Red needs two moves and Blue, who may not cross its own den, four",
    },
    FeaturePicture {
        feature: "unopposed_b",
        fen: "7/7/7/7/7/7/7/1Ce4/7 w",
        value: "no",
        why: "Blue is in c1 in one move, Red in two: Red moves first and takes it there",
    },
    FeaturePicture {
        feature: "sector_w",
        fen: "7/7/7/C6/7/7/e6/7/7 w",
        value: "mid",
        why: "rank 6 is in the middle third",
    },
    FeaturePicture {
        feature: "sector_b",
        fen: "7/7/7/C6/7/7/e6/7/7 w",
        value: "bot",
        why: "rank 3 is in the lowest third",
    },
    FeaturePicture {
        feature: "distance_d",
        fen: "7/7/C6/7/7/7/7/7/6e w",
        value: "9",
        why: "three files and six ranks between Red's piece and Red's den",
    },
    FeaturePicture {
        feature: "distance_p",
        fen: "6e/7/7/7/7/7/7/7/C6 w",
        value: "14",
        why: "six files and eight ranks, as if there were no water",
    },
    FeaturePicture {
        feature: "parity",
        fen: "7/7/7/7/3e3/7/7/3C3/7 w",
        value: "1",
        why: "three squares apart, an odd number",
    },
    FeaturePicture {
        feature: "adjacent",
        fen: "7/7/7/7/7/3e3/3C3/7/7 w",
        value: "yes",
        why: "next to each other",
    },
    FeaturePicture {
        feature: "trapped",
        fen: "7/7/7/7/7/7/C6/3e3/7 w",
        value: "yes",
        why: "d2 is a trap of Red",
    },
    FeaturePicture {
        feature: "can_cross",
        fen: "7/7/7/3C3/7/7/7/6e/7 w",
        value: "yes",
        why: "d7 is on a shortest way, one move for Red and eight for Blue",
    },
];

impl FeaturePicture {
    /// The picture: what is compared is written into the squares, White's number first.
    pub fn picture(&self) -> Picture {
        let position: Position = self.fen.parse().expect("a constant, tested");
        let square = |color: Color| position.side(color).first().expect("one piece a side");
        let (white, black) = (square(Color::White), square(Color::Black));
        let title = format!("{} is {}: {}", self.feature, self.value, self.why);
        let picture = Picture::of(&position).title(title);
        let moves = |from: Square, to: Square| READING.distance(Movement::Walker, from, to);
        let compared = |picture: Picture, squares: Bitboard| {
            squares.into_iter().fold(picture, |picture, square| {
                picture.label(square, format!("{}:{}", moves(white, square), moves(black, square)))
            })
        };
        let arrow = |picture: Picture, from: Square, to: Square, number: i16| {
            picture.arrow(Stroke::new(from, to).label(number.to_string()))
        };
        match self.feature {
            "closest" => {
                let picture = arrow(picture, white, DEN.black, moves(white, DEN.black));
                arrow(picture, black, DEN.white, moves(black, DEN.white))
            }
            "unopposed_w" => compared(picture, TRAPS.black),
            "unopposed_b" => compared(picture, TRAPS.white),
            "can_cross" => compared(picture, rank(6)),
            "sector_w" | "sector_b" => [Rgb::VIOLET, Rgb::ORANGE, Rgb::GREEN]
                .into_iter()
                .enumerate()
                .fold(picture, |picture, (third, color)| {
                    let ranks = (0..3).map(|rank_| rank(3 * third as u8 + rank_));
                    picture.region(ranks.fold(Bitboard::EMPTY, |all, r| all | r), color, 0.25)
                }),
            "distance_d" => arrow(picture, white, DEN.white, manhattan(white, DEN.white)),
            "distance_p" | "parity" | "adjacent" => {
                arrow(picture, white, black, manhattan(white, black))
            }
            _ => picture.mark(black.bitboard(), Mark::Ring, Rgb::ORANGE),
        }
    }
}

fn rank(rank: u8) -> Bitboard {
    let squares = (0..Square::FILES).filter_map(|file| Square::new(file, rank));
    squares.fold(Bitboard::EMPTY, Bitboard::with)
}
