//! `mousetrap mine CLASS --statements`: association rules without exception, as sentences.

use std::io::Write;

use mining::data::Dataset;
use mining::feature::USUAL;
use mining::show::percent;
use mining::statements;
use serde::Serialize;
use studies::trees::load;
use tablebase::Material;

use crate::commands::mine::args::MineArgs;
use crate::commands::mine::features;
use crate::commands::tb::set::{Set, on_threads};
use crate::failure::Failure;
use crate::output::Output;

/// A statement; the names are a contract with other programs.
#[derive(Serialize)]
struct StatementRow<'a> {
    class: String,
    sentence: &'a str,
    outcome: &'static str,
    positions: u64,
    new: u64,
}

pub fn run(class: Material, args: &MineArgs, output: &mut Output) -> Result<(), Failure> {
    let features = features(args, &class.in_order(), false, USUAL)?;
    let set = Set::open(&args.set)?;
    let data = Dataset::new(vec![load(&set, class)?], features);
    let found = on_threads(args.threads, || statements::find(&data, args.most))?;
    for statement in &found.statements {
        let sentence = statement.sentence(data.features());
        if args.json {
            output.json(&StatementRow {
                class: class.to_string(),
                sentence: &sentence,
                outcome: statement.outcome_name(),
                positions: statement.positions,
                new: statement.new,
            })?;
        } else {
            writeln!(
                output,
                "{sentence}\n    {} positions, no exception; {} of them not in a statement above",
                statement.positions, statement.new
            )?;
        }
    }
    if !args.json {
        writeln!(
            output,
            "{} of the {} positions of {class} with Red to move are covered ({:.1}%)",
            found.covered,
            found.positions,
            percent(found.covered, found.positions)
        )?;
    }
    Ok(())
}
