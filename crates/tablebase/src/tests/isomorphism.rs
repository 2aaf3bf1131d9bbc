//! Isomorphism classes: classes that share a table, each solved on its own, are the same game.
//!
//! Every named class is solved in its own name, from its own captures, which are named classes solved
//! in the same way. Only then is the mapping asked which class it should equal, and where.

use std::collections::HashMap;

use crate::cell::Cell;
use crate::class::row_positions;
use crate::grid::{Grid, ROW};
use crate::material::{Classes, Material, table_rules};
use crate::solve::solve;
use crate::solved::{Cells, Solved};
use crate::table::count;
use crate::view::{Views, annihilation};
use jungle::{ByColor, Color, Jungle, Piece, Rules, Square};
use rayon::prelude::*;

/// Named classes, solved.
type Named = HashMap<Material, Solved>;

fn solve_named(jungle: &Jungle, material: Material, below: &Named) -> Solved {
    let grid = Grid::new(jungle, &material.in_order());
    let worth = |victim: usize, squares: &[Square]| {
        let victim = grid.pieces()[victim];
        let smaller = below.get(&material.without(victim))?;
        let place = |piece: &Piece| {
            let at = grid.pieces().iter().position(|other| other == piece).expect("it is left");
            squares[at]
        };
        let own: Vec<Square> = smaller.grid.pieces().iter().map(place).collect();
        u8::from_value(smaller.value(victim.color, smaller.grid.number(&own)?))
    };
    let views = Views::new(&grid, annihilation(jungle.rules()), &worth);
    let cells = solve::<u8>(jungle, &grid, &views).expect("few pieces need few plies");
    Solved { grid, cells: Cells::Narrow(cells) }
}

/// Compares a class with the one that gives its table the name.
fn compare(rules: &Rules, classes: &Classes, named: &Named, material: Material) {
    let mapping = classes.mapping(material).expect("all classes are mapped");
    let class = &classes.list()[mapping.class];
    let (own, canonical) = (&named[&material], &named[&class.material]);
    let turned = |turn: Color| if mapping.swapped { !turn } else { turn };

    let (counts, expected) = (count(rules, own), count(rules, canonical));
    for turn in Color::ALL {
        assert_eq!(counts[turn], expected[turned(turn)], "{material}, {turn} to move");
    }
    // For each piece of the canonical grid, which piece of the other grid corresponds to it.
    let parts: Vec<usize> = canonical
        .grid
        .pieces()
        .iter()
        .map(|piece| {
            let slot = class.slots.iter().position(|other| other == piece).expect("a slot each");
            let part = mapping.pieces[slot];
            own.grid.pieces().iter().position(|&other| other == part).expect("the same pieces")
        })
        .collect();
    for row in 0..own.grid.rows() {
        for (squares, runner) in row_positions(&own.grid, row) {
            let place = |&part: &usize| {
                if mapping.swapped { squares[part].rotate() } else { squares[part] }
            };
            let there: Vec<Square> = parts.iter().map(place).collect();
            let there = canonical.grid.number(&there).expect("the same squares");
            for turn in Color::ALL {
                let value = own.value(turn, row * ROW + runner.index());
                let expected = canonical.value(turned(turn), there);
                assert_eq!(value, expected, "{material}: {squares:?}, {turn} to move");
            }
        }
    }
}

/// Solves all named classes of two pieces, and those of three that are wanted with the classes that
/// they should equal; compares them all and returns how many there were.
fn check(rules: &Rules, three: impl Fn(usize) -> bool) -> ByColor<usize> {
    let rules = table_rules(rules);
    let jungle = Jungle::new(rules);
    let classes = Classes::new(&rules, 3);
    let nothing = Named::new();
    let two: Vec<Material> = Material::all(2).collect();
    let mut named: Named =
        two.par_iter().map(|&one| (one, solve_named(&jungle, one, &nothing))).collect();
    let three: Vec<Material> =
        Material::all(3).enumerate().filter(|(at, _)| three(*at)).map(|(_, one)| one).collect();
    let mut needed = three.clone();
    needed.extend(three.iter().map(|&one| {
        let class = classes.mapping(one).expect("all classes are mapped").class;
        classes.list()[class].material
    }));
    let solved: Vec<_> =
        needed.par_iter().map(|&one| (one, solve_named(&jungle, one, &named))).collect();
    named.extend(solved);
    two.par_iter().chain(&three).for_each(|&one| compare(&rules, &classes, &named, one));
    ByColor { white: two.len(), black: three.len() }
}

#[test]
fn classes_that_share_a_table_are_the_same_game() {
    for preset in Rules::PRESETS {
        // Of three pieces a sample; the step shares no factor with the number of animals.
        let checked = check(&preset.rules, |at| at % 9 == 5);
        assert_eq!((checked.white, checked.black), (64, 50), "{}", preset.name);
    }
}

/// `cargo xtask deep` runs this.
#[test]
#[ignore = "all 448 classes of three pieces"]
fn all_classes_of_three_pieces_that_share_a_table_are_the_same_game() {
    for preset in Rules::PRESETS {
        let checked = check(&preset.rules, |_| true);
        assert_eq!((checked.white, checked.black), (64, 448), "{}", preset.name);
    }
}
