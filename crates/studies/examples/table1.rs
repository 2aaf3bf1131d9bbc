//! A study by name: what there is, its parameters, a run, and its results as text and as data.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use studies::{Context, registry};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for study in registry::published() {
        println!("{:<11} {}", study.name, study.title);
    }

    let study = registry::find("table1").ok_or("there is no such study")?;
    for parameter in study.parameters() {
        println!("\n{}: {} ({})", parameter.name, parameter.help, parameter.kind);
    }

    // Parameters that are left out have their defaults.
    let parameters = serde_json::json!({ "plies": 3 });
    let parameters = parameters.as_object().ok_or("parameters are an object")?;
    let finished = study.with(parameters)?.run(&mut Context::default())?;
    let finished = finished.ok_or("only a shard was run")?;
    println!("\n{}\n{}", finished.text(), finished.lines().join("\n"));
    Ok(())
}
