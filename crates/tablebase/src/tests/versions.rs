//! Tables of older versions of the format, against tables as they are written now.

use std::sync::Arc;

use game::truth::Truth;
use jungle::{Color, Position, Rules};

use super::build;
use crate::class::row_positions;
use crate::grid::ROW;
use crate::material::{Classes, Material, table_rules};
use crate::payload::Budget;
use crate::probe::Tablebase;
use crate::solved::Solver;
use crate::storage::Memory;
use crate::table::{Stored, Table, file_name, write};
use crate::version::Version;

/// Written by a program of that version, under the rules `standard`.
const VERSION_2: [(&str, &[u8]); 2] = [
    ("C-T", include_bytes!("../../tests/data/version-2/C-T.mtb")),
    ("R-ER", include_bytes!("../../tests/data/version-2/R-ER.mtb")),
];

/// The version that a file says it is of, after the magic and the length of the header.
fn version(file: &[u8]) -> Option<Version> {
    Version::from_number(u16::from_le_bytes(*file[12..].first_chunk()?))
}

#[test]
fn every_position_of_version_two_is_read_alike() {
    let rules = table_rules(&Rules::STANDARD);
    let mut solver = Solver::new(Classes::new(&rules, 3));
    for (name, old) in VERSION_2 {
        let material: Material = name.parse().unwrap();
        let at = solver.classes().mapping(material).unwrap().class;
        let class = solver.classes().list()[at].clone();
        assert_eq!(class.material, material);
        let solved = solver.solve(at);
        let new = write(&rules, material, &solved, Stored::USUAL);
        assert_eq!((version(old), version(&new)), (Some(Version::Two), Some(Version::Three)));
        let [old, new] = [old.to_vec(), new].map(|bytes| {
            let budget = Arc::new(Budget::new(u64::MAX));
            Table::open(&rules, &class, Box::new(Arc::new(bytes)), budget).unwrap()
        });
        assert_eq!(old.header(), new.header());
        assert_eq!(old.sizes().models, new.sizes().models);
        assert!(old.load().unwrap().cells == new.load().unwrap().cells);
        for row in 0..new.grid().rows() {
            for (_, runner) in row_positions(new.grid(), row) {
                for turn in Color::ALL {
                    let number = row * ROW + runner.index();
                    let value = new.value(turn, number).unwrap();
                    assert_eq!(old.value(turn, number).unwrap(), value, "{name}: {turn} {number}");
                    let outcome = new.outcome(turn, number).unwrap();
                    assert_eq!(old.outcome(turn, number).unwrap(), outcome);
                    assert_eq!(outcome, value.map(Truth::outcome));
                }
            }
        }
    }
}

#[test]
fn a_set_may_be_of_several_versions() {
    let mut files: Memory = build(&Rules::STANDARD, 3);
    let new = Tablebase::new(&Rules::STANDARD, 3, files.clone());
    for (name, old) in VERSION_2 {
        files.insert(file_name(name.parse().unwrap()), old.to_vec());
    }
    let mixed = Tablebase::new(&Rules::STANDARD, 3, files);
    for fen in ["7/7/3e3/7/6R/7/1r5/7/7 w", "7/7/3e3/7/6R/7/1r5/7/7 b", "t6/7/C6/7/7/7/7/7/7 w"] {
        let position: Position = fen.parse().unwrap();
        assert_eq!(
            mixed.probe_position(&position).unwrap(),
            new.probe_position(&position).unwrap()
        );
    }
}
