//! Small tables, solved in memory.
#![allow(dead_code)]

use std::sync::Arc;

use jungle::Rules;
use mining::data::Dataset;
use mining::feature::{available, select};
use mining::population::{Population, pieces_of};
use tablebase::material::{Classes, Material, table_rules};
use tablebase::probe::Tablebase;
use tablebase::solved::Solver;
use tablebase::source::Memory;
use tablebase::stats::mapping;
use tablebase::table::{file_name, write};
use tablebase::truth::Truths;

/// All tables of two pieces.
pub fn tables(rules: &Rules) -> Tablebase {
    tables_for(rules, &[])
}

/// All tables of two pieces, and those of three pieces that these classes need.
pub fn tables_for(rules: &Rules, classes: &[&str]) -> Tablebase {
    let all = Classes::new(&table_rules(rules), 3);
    let mut solver = Solver::new(all.clone());
    let mut memory = Memory::default();
    let wanted: Vec<usize> = classes
        .iter()
        .map(|name| mapping(&all, rules, name.parse().unwrap()).unwrap().class)
        .chain((0..all.list().len()).filter(|&at| all.list()[at].material.pieces() == 2))
        .collect();
    for at in wanted {
        let class = &all.list()[at];
        let bytes = write(rules, class, &solver.solve(at), true);
        memory.0.insert(file_name(class.material), Arc::new(bytes));
    }
    Tablebase::new(rules, 3, memory)
}

/// Classes seen by features.
pub fn data(tablebase: &Tablebase, classes: &[&str], features: &[&str]) -> Dataset {
    let mut truths = Truths::new(tablebase);
    let materials: Vec<Material> = classes.iter().map(|name| name.parse().unwrap()).collect();
    let load = |material: &Material| Population::load(&mut truths, *material).unwrap();
    let populations = materials.iter().map(load).collect();
    let all = available(&pieces_of(materials[0]), classes.len() > 1);
    let wanted: Vec<String> = features.iter().map(|name| (*name).to_owned()).collect();
    Dataset::new(populations, select(&all, &wanted).unwrap())
}
