//! Small tables, solved in memory.
#![allow(dead_code)]

use jungle::Rules;
use mining::data::Dataset;
use mining::feature::{available, select};
use mining::population::Population;
use tablebase::build::{Wanted, in_memory};
use tablebase::class::Loader;
use tablebase::{Material, Tablebase};

/// All tables of two pieces.
pub fn tables(rules: &Rules) -> Tablebase {
    Tablebase::new(rules, 2, in_memory(rules, &Wanted::Pieces(2)).unwrap())
}

/// All tables of two pieces, those of these classes, and those that they lead to.
pub fn tables_for(rules: &Rules, classes: &[&str]) -> Tablebase {
    let letters = || "RCWDPTLE".chars();
    let pairs = letters().flat_map(|one| letters().map(move |other| format!("{one}-{other}")));
    let names = pairs.chain(classes.iter().map(|&name| name.to_owned()));
    let wanted = Wanted::Classes(names.map(|name| name.parse().unwrap()).collect());
    Tablebase::new(rules, 3, in_memory(rules, &wanted).unwrap())
}

/// Classes seen by features.
pub fn data(tablebase: &Tablebase, classes: &[&str], features: &[&str]) -> Dataset {
    let mut loader = Loader::new(tablebase);
    let materials: Vec<Material> = classes.iter().map(|name| name.parse().unwrap()).collect();
    let load = |material: &Material| Population::load(&mut loader, *material).unwrap();
    let populations = materials.iter().map(load).collect();
    let all = available(&materials[0].in_order(), classes.len() > 1);
    let wanted: Vec<String> = features.iter().map(|name| (*name).to_owned()).collect();
    Dataset::new(populations, select(&all, &wanted).unwrap())
}
