//! Small tables, solved in memory.

use std::sync::Arc;

use jungle::Rules;
use mining::data::Data;
use mining::feature::{available, select};
use mining::population::{Population, pieces_of};
use tablebase::material::{Classes, Material, table_rules};
use tablebase::probe::Tablebase;
use tablebase::solved::Solver;
use tablebase::source::Memory;
use tablebase::table::{file_name, write};
use tablebase::truth::Truths;

/// All tables of up to so many pieces.
pub fn tables(rules: &Rules, pieces: u32) -> Tablebase {
    let classes = Classes::new(&table_rules(rules), pieces);
    let mut solver = Solver::new(classes.clone());
    let mut memory = Memory::default();
    for (at, class) in classes.list().iter().enumerate() {
        let bytes = write(rules, class, &solver.solve(at), true);
        memory.0.insert(file_name(class.material), Arc::new(bytes));
    }
    Tablebase::new(rules, pieces, memory)
}

/// Classes seen by features.
#[allow(dead_code)]
pub fn data(tablebase: &Tablebase, classes: &[&str], features: &[&str]) -> Data {
    let mut truths = Truths::new(tablebase);
    let materials: Vec<Material> = classes.iter().map(|name| name.parse().unwrap()).collect();
    let load = |material: &Material| Population::load(&mut truths, *material).unwrap();
    let populations = materials.iter().map(load).collect();
    let all = available(&pieces_of(materials[0]), classes.len() > 1);
    let wanted: Vec<String> = features.iter().map(|name| (*name).to_owned()).collect();
    Data::new(populations, select(&all, &wanted).unwrap())
}
