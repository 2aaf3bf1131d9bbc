//! Pictures: well-formed whatever the options, the same every time, and safe against any text.

use jungle::picture::{Mark, Picture, PieceSet, Rgb, Stroke};
use jungle::{Animal, Bitboard, Color, Piece, Position, Square, board};
use roxmltree::{Document, Node};

/// Every kind of decoration at once, with texts that must not end up as markup.
fn decorated(picture: Picture) -> Picture {
    picture
        .last_move(Square::G1, Square::G2)
        .region(board::WATER, Rgb::VIOLET, 0.4)
        .region(Square::A1 | Square::A2 | Square::B2, Rgb::ORANGE, f32::NAN)
        .tint(Square::E7 | Square::F7, Rgb::SKY, 0.5)
        .region(Bitboard::EMPTY, Rgb::RED, 7.0)
        .line(Stroke::new(Square::D3, Square::D4).label("<&\"'>"))
        .line(Stroke::new(Square::D4, Square::D5).color(Rgb::RED).dashed())
        .arrow(Stroke::new(Square::A3, Square::A7).color(Rgb::GREEN).label("]]>"))
        .arrow(Stroke::new(Square::B3, Square::C4).dashed())
        .arrow(Stroke::new(Square::D9, Square::D9))
        .mark(Square::B3 | Square::A4, Mark::Dot, Rgb::GREEN)
        .mark(Square::A7, Mark::Ring, Rgb::RED)
        .mark(Square::D9, Mark::Cross, Rgb::INK)
        .label(Square::D6, "a<b&c\0\u{fffe}")
        .label(Square::A3, "12")
        .label(Square::E5, "")
}

fn pictures() -> Vec<Picture> {
    let mut pictures = Vec::new();
    for base in [Picture::empty(), Picture::of(&Position::start())] {
        for set in PieceSet::ALL {
            for flipped in [false, true] {
                for coordinates in [false, true] {
                    for size in [0, 1, 33, 64] {
                        let plain = base
                            .clone()
                            .pieces(set)
                            .flipped(flipped)
                            .coordinates(coordinates)
                            .square_size(size);
                        pictures.extend([decorated(plain.clone()).title("<&>"), plain]);
                    }
                }
            }
        }
    }
    pictures
}

#[test]
fn every_picture_is_well_formed_and_says_what_it_shows() {
    for picture in pictures() {
        let svg = picture.to_svg();
        let document = Document::parse(&svg).unwrap();
        let root = document.root_element();
        assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")));
        assert_eq!(root.attribute("role"), Some("img"));
        assert_eq!(root.attribute("aria-label"), Some(&*picture.description()));
        let first = root.first_element_child().map(|node| node.tag_name().name());
        assert_eq!(first, Some("title"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(!svg.contains(" id="), "identifiers clash when pictures share a page");
        assert_eq!(svg, picture.clone().to_svg());
    }
}

fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let text = |node: Node<'_, '_>| node.text().unwrap_or_default().to_owned();
    document.descendants().filter(|node| node.tag_name().name() == "text").map(text).collect()
}

#[test]
fn labels_come_out_as_they_went_in() {
    let texts = texts(&decorated(Picture::empty().coordinates(false)).to_svg());
    for expected in ["<&\"'>", "]]>", "a<b&c\u{fffd}\u{fffd}", "12"] {
        assert!(texts.iter().any(|text| text == expected), "{expected:?} in {texts:?}");
    }
}

/// Where a lone piece is drawn.
fn piece_at(picture: &Picture) -> String {
    let svg = picture.to_svg();
    let document = Document::parse(&svg).unwrap();
    let piece = document.descendants().find(|node| node.has_attribute("color")).unwrap();
    piece.attribute("transform").unwrap().to_owned()
}

#[test]
fn a_flipped_board_is_turned_round() {
    let rat = Piece { color: Color::Black, animal: Animal::Rat };
    let on = |square| Picture::empty().piece(square, rat);
    assert_eq!(piece_at(&on(Square::A1)), "translate(98.44 871.88)");
    assert_eq!(piece_at(&on(Square::A1).flipped(true)), "translate(698.44 71.88)");
    for square in Square::ALL {
        assert_eq!(piece_at(&on(square)), piece_at(&on(square.rotate()).flipped(true)));
    }
    let names = |flipped| texts(&Picture::empty().flipped(flipped).to_svg());
    assert_eq!(names(false), names(true), "the same names, in other places");
}

#[test]
fn sizes_follow_the_squares() {
    let svg = Picture::empty().square_size(30).to_svg();
    assert!(svg.contains("width=\"231\" height=\"291\""), "seven and nine squares and a margin");
}

#[test]
fn pieces_are_told_apart_by_shape() {
    let shapes = |color| {
        let piece = Piece { color, animal: Animal::Lion };
        Picture::empty().piece(Square::A1, piece).to_svg().matches("r=\"42\"").count()
    };
    assert_eq!((shapes(Color::White), shapes(Color::Black)), (1, 0));
}

#[cfg(feature = "png")]
mod png {
    use super::*;

    #[test]
    fn signature_and_dimensions() {
        for (scale, width, height) in [(1.0, 77, 97), (2.0, 154, 194)] {
            let picture = decorated(Picture::of(&Position::start())).square_size(10);
            let png = picture.to_png(scale).unwrap();
            assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
            let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
            assert_eq!((number(16), number(20)), (width, height));
            assert_eq!(png, picture.to_png(scale).unwrap(), "the same bytes each time");
        }
    }

    #[test]
    fn labels_are_drawn_without_system_fonts() {
        let plain = Picture::empty().coordinates(false).square_size(20);
        for text in ["7", "±∞", "→", "×–·"] {
            let labelled = plain.clone().label(Square::D5, text);
            assert_ne!(labelled.to_png(1.0).unwrap(), plain.to_png(1.0).unwrap(), "{text}");
        }
    }

    #[test]
    fn absurd_sizes_are_refused() {
        let picture = Picture::empty();
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9, 1e-9] {
            let error = picture.to_png(scale).unwrap_err().to_string();
            assert!(error.contains("choose another scale"), "{error}");
        }
        assert!(picture.square_size(u32::MAX).to_png(1.0).is_err());
    }
}
