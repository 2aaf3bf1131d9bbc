//! `mousetrap mine CLASS`: the decision tree of one class.

use std::io::Write;
use std::path::Path;

use mining::data::Dataset;
use mining::explain::{ExplainOptions, explain};
use mining::feature::{USUAL, available};
use mining::show;
use serde::Serialize;
use studies::trees::{load, table_bytes};
use tablebase::Material;

use crate::commands::mine::args::MineArgs;
use crate::commands::mine::{features, options, progress};
use crate::commands::tb::set::{Set, on_threads};
use crate::failure::Failure;
use crate::output::{Output, write_file};

pub fn run(class: Material, args: &MineArgs, output: &mut Output) -> Result<(), Failure> {
    let features = features(args, &class.in_order(), false, USUAL)?;
    let set = Set::open(&args.set)?;
    let population = load(&set, class)?;
    let table_bytes = table_bytes(&set, &population);
    let data = Dataset::new(vec![population], features);
    let title = class.to_string();
    let options =
        ExplainOptions { grow: options(args), prune: args.prune, examples: args.examples };
    let mut report = on_threads(args.threads, || {
        explain(&title, &data, &options, |level| progress(&title, level))
    })?;
    report.table_bytes = table_bytes;
    let format = if args.json { "json" } else { args.format.as_str() };
    let text = match format {
        "dot" => show::dot(&report),
        "svg" => show::svg(&report),
        "html" => show::html(&report),
        "json" => format!("{}\n", show::json(&report)),
        _ => show::text(&report),
    };
    deliver(&text, args.out.as_deref(), output)
}

fn deliver(text: &str, out: Option<&Path>, output: &mut Output) -> Result<(), Failure> {
    match out {
        None => Ok(output.write_all(text.as_bytes())?),
        Some(path) => write_file(path, text.as_bytes()),
    }
}

/// A feature; the names are a contract with other programs.
#[derive(Serialize)]
struct Listed<'a> {
    group: &'static str,
    name: &'a str,
    values: Vec<String>,
    about: &'a str,
}

pub fn list_features(class: Material, json: bool, output: &mut Output) -> Result<(), Failure> {
    let all = available(&class.in_order(), false);
    let width = all.iter().map(|(_, feature)| feature.name.len()).max().unwrap_or(0);
    for (group, feature) in &all {
        let last = feature.scale.len() - 1;
        if json {
            let values = (0..=last).map(|value| feature.write(value as u8)).collect();
            let (group, name, about) = (group.name(), &feature.name, &feature.about);
            output.json(&Listed { group, name, values, about })?;
            continue;
        }
        let values = if feature.is_nominal() {
            let values: Vec<String> = (0..=last).map(|v| feature.write(v as u8)).collect();
            values.join(", ")
        } else {
            format!("{} to {}", feature.write(0), feature.write(last as u8))
        };
        let (group, name, about) = (group.name(), &feature.name, &feature.about);
        writeln!(output, "{group:<9}{name:<width$}  {about} ({values})")?;
    }
    Ok(())
}
