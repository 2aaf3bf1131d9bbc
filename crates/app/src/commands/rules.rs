//! `mousetrap rules`: what the presets and switches mean.

use std::collections::BTreeMap;
use std::io::Write;

use jungle::Rules;
use jungle::rules::SWITCHES;
use serde::Serialize;

use crate::cli::RulesArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Listing {
    presets: Vec<PresetEntry>,
    switches: Vec<SwitchEntry>,
}

#[derive(Serialize)]
struct PresetEntry {
    name: String,
    summary: Option<&'static str>,
    switches: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
struct SwitchEntry {
    name: &'static str,
    values: &'static [&'static str],
    summary: &'static str,
}

pub fn run(args: &RulesArgs, output: &mut Output) -> Result<(), Failure> {
    let columns: Vec<(String, Option<&'static str>, Rules)> = match args.rules {
        Some(rules) => vec![(rules.to_string(), None, rules)],
        None => Rules::PRESETS
            .into_iter()
            .map(|preset| (preset.name.to_owned(), Some(preset.summary), preset.rules))
            .collect(),
    };
    if args.json {
        return output.json(&Listing {
            presets: columns
                .into_iter()
                .map(|(name, summary, rules)| PresetEntry {
                    name,
                    summary,
                    switches: SWITCHES.iter().map(|s| (s.name, rules.switch(s))).collect(),
                })
                .collect(),
            switches: SWITCHES
                .iter()
                .map(|s| SwitchEntry { name: s.name, values: s.values, summary: s.summary })
                .collect(),
        });
    }

    let bold = anstyle::Style::new().bold();
    for (name, summary, _) in &columns {
        let summary = summary.unwrap_or_default();
        writeln!(output, "{bold}{name}{bold:#}  {summary}")?;
    }
    write!(output, "\n{bold}{:<20}{bold:#}", "switch")?;
    for (name, _, _) in &columns {
        let name = if columns.len() == 1 { "value" } else { name };
        write!(output, "{bold}{name:<12}{bold:#}")?;
    }
    writeln!(output, "{bold}meaning{bold:#}")?;
    for switch in &SWITCHES {
        write!(output, "{:<20}", switch.name)?;
        for (_, _, rules) in &columns {
            write!(output, "{:<12}", rules.switch(switch))?;
        }
        writeln!(output, "{} ({})", switch.summary, switch.values.join(" | "))?;
    }
    if args.rules.is_none() {
        writeln!(
            output,
            "\nEvery preset: a piece in an enemy trap can be taken by anything; lion and tiger jump \
             over water unless a rat\nswims in the way; equal strength takes; entering the enemy den \
             wins. Combine as in\n  mousetrap perft 4 --rules leiden,no-legal-move=loss"
        )?;
    }
    Ok(())
}
