//! A decision tree that explains an endgame table: tiger against elephant, with the published
//! features.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use jungle::Rules;
use mining::data::Dataset;
use mining::explain::{ExplainOptions, explain};
use mining::feature::{available, select};
use mining::population::Population;
use mining::show;
use tablebase::build::{Wanted, in_memory};
use tablebase::class::Loader;
use tablebase::{Material, Tablebase};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::LEIDEN;
    let tables = Tablebase::new(&rules, 2, in_memory(&rules, &Wanted::Pieces(2))?);

    // A class of the table is the population, and features describe its positions.
    let class: Material = "T-E".parse()?;
    let population = Population::load(&mut Loader::new(&tables), class)?;
    let features = select(&available(&class.in_order(), false), &["table3".to_owned()])?;
    let data = Dataset::new(vec![population], features);

    let options = ExplainOptions { prune: true, ..ExplainOptions::default() };
    let report = explain("T-E", &data, &options, |level| {
        println!("depth {}: {} leaves, {} errors", level.depth, level.leaves, level.errors);
    });
    println!("\n{}", show::text(&report));
    Ok(())
}
