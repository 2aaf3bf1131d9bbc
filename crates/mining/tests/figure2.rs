//! The published trees on our tables, and the features of Table 3 on hand-made positions.

mod common;

use common::tables;
use jungle::{Color, Position, Rules};
use mining::feature::pictures::PICTURES;
use mining::feature::table3::{Metric, READING, Reading};
use mining::feature::{ClassContext, Group, PositionView, available};
use mining::population::Population;
use mining::readings::{FIGURE_2, all};
use tablebase::Material;
use tablebase::class::Loader;

fn errors(reading: &Reading) -> [u64; 3] {
    let tablebase = tables(&Rules::LEIDEN);
    let mut loader = Loader::new(&tablebase);
    FIGURE_2.map(|tree| {
        let mut most = 0;
        for class in tree.classes {
            let population = Population::load(&mut loader, class.parse().unwrap()).unwrap();
            most = most.max(tree.errors_in(reading, &population));
        }
        most
    })
}

#[test]
fn the_published_errors_come_out() {
    assert_eq!(errors(&READING), FIGURE_2.map(|tree| tree.errors));
    assert_eq!(errors(&READING), [0, 0, 16]);
}

/// Taken literally the trees do not fit; every choice that was made is needed.
#[test]
fn other_readings_do_worse() {
    let manhattan = Reading { metric: Metric::Manhattan, ..READING };
    let [a, b, c] = errors(&manhattan);
    assert!(a > 0 && b > 0 && c > 16, "{a} {b} {c}");
    let den = Reading { distance_d: (Color::Black, Color::White), ..READING };
    assert!(errors(&den)[1] > 0);
    assert!(all().contains(&READING));
}

/// The value of a feature of a position, as it is written.
fn value(feature: &str, fen: &str) -> String {
    let position: Position = fen.parse().unwrap();
    let pieces = Material::of(&position).in_order();
    let squares: Vec<_> =
        pieces.iter().map(|p| position.square_of(p.color, p.animal).unwrap()).collect();
    let all = available(&pieces, false);
    let (_, feature) = all.iter().find(|(_, f)| f.name == feature).expect("it is in the list");
    let context = ClassContext::new(&Rules::LEIDEN, &pieces);
    feature.write(feature.value(&PositionView::new(&context, &squares)))
}

#[test]
fn closest_counts_moves_and_gives_ties_to_white() {
    // d3 and d7: six moves each.
    assert_eq!(value("closest", "7/7/3e3/7/7/7/3E3/7/7 w"), "white");
    assert_eq!(value("closest", "7/7/7/3e3/7/7/3E3/7/7 w"), "black");
    // The tiger on a3 goes round by a7 (4 moves) or jumps from b3 (1 + 1 + 4); the walker on g7
    // needs the same 9 as a walker on a3 would.
    assert_eq!(value("closest", "7/7/6e/7/7/7/T6/7/7 w"), "white");
    assert_eq!(value("closest", "7/7/6t/7/7/7/E6/7/7 w"), "black");
}

#[test]
fn unopposed_asks_who_is_in_a_trap_first() {
    // c8 is one move from c9; a8 is three.
    assert_eq!(value("unopposed_w", "7/e1C4/7/7/7/7/7/7/7 w"), "yes");
    // Both two moves from c9, and Black is nearer to the others.
    assert_eq!(value("unopposed_w", "7/2e4/2C4/7/7/7/7/7/7 w"), "no");
    // From e9 to c9 Black goes round its den: four moves, not two.
    assert_eq!(value("unopposed_w", "4e2/7/2C4/7/7/7/7/7/7 w"), "yes");
    // Black must be two moves earlier: White moves first.
    assert_eq!(value("unopposed_b", "7/7/7/7/7/7/7/C1e4/7 w"), "yes");
    assert_eq!(value("unopposed_b", "7/7/7/7/7/7/7/1Ce4/7 w"), "no");
}

#[test]
fn sectors_are_ranks() {
    for (fen, white, black) in [
        ("7/7/C6/7/7/7/e6/7/7 w", "top", "bot"),
        ("7/7/7/C6/7/e6/7/7/7 w", "mid", "mid"),
        ("e6/7/7/7/7/7/C6/7/7 w", "bot", "top"),
    ] {
        assert_eq!(
            (value("sector_w", fen).as_str(), value("sector_b", fen).as_str()),
            (white, black)
        );
    }
}

#[test]
fn distances_and_parity_are_manhattan() {
    // a1 and g9, the farthest two squares.
    let far = "6e/7/7/7/7/7/7/7/C6 w";
    assert_eq!(value("distance_p", far), "14");
    assert_eq!(value("parity", far), "0");
    assert_eq!(value("distance_d", far), "3");
    assert_eq!(value("distance_d", "C6/7/7/7/7/7/7/7/6e w"), "11");
    assert_eq!(value("parity", "7/7/7/7/3e3/7/7/3C3/7 w"), "1");
    assert_eq!(value("adjacent", "7/7/7/7/7/3e3/3C3/7/7 w"), "yes");
    assert_eq!(value("adjacent", "7/7/7/7/7/7/1e1C3/7/7 w"), "no");
}

#[test]
fn trapped_is_black_in_a_white_trap() {
    assert_eq!(value("trapped", "7/7/7/7/7/7/C6/3e3/7 w"), "yes");
    assert_eq!(value("trapped", "7/3e3/7/7/7/7/C6/7/7 w"), "no");
    assert_eq!(value("trapped", "7/3C3/7/7/7/7/e6/7/7 w"), "no");
}

#[test]
fn can_cross_means_rank_7_on_a_shortest_way() {
    // Beyond rank 7 it has crossed.
    assert_eq!(value("can_cross", "C5e/7/7/7/7/7/7/7/7 w"), "yes");
    // Up the middle, and Black too far away to be on d7 first.
    assert_eq!(value("can_cross", "7/7/7/3C3/7/7/7/6e/7 w"), "yes");
    // Black waits on d7.
    assert_eq!(value("can_cross", "7/7/3e3/7/7/3C3/7/7/7 w"), "no");
    // Published (Figure 3c): White cannot cross on a shortest way, and draws all the same.
    assert_eq!(value("can_cross", "d6/7/7/7/7/7/5C1/7/7 w"), "no");
}

/// What the pictures say is what the features say.
#[test]
fn pictures_are_true() {
    let names: Vec<&str> = PICTURES.iter().map(|drawn| drawn.feature).collect();
    let all = available(&"C-W".parse::<Material>().unwrap().in_order(), false);
    for (group, feature) in &all {
        assert_eq!(*group == Group::Table3, names.contains(&feature.name.as_str()));
    }
    for drawn in &PICTURES {
        assert_eq!(value(drawn.feature, drawn.fen), drawn.value, "{}", drawn.feature);
        assert!(drawn.picture().to_svg().contains(drawn.feature));
    }
}
