//! `mousetrap rules`: what the presets and switches mean.

use std::io::Write;

use answers::RuleBook;

use crate::cli::RulesArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &RulesArgs, output: &mut Output) -> Result<(), Failure> {
    let book = args.rules.as_ref().map_or_else(RuleBook::presets, RuleBook::of);
    if args.json {
        return output.json(&book);
    }
    let bold = anstyle::Style::new().bold();
    for preset in &book.presets {
        let summary = preset.summary.unwrap_or_default();
        writeln!(output, "{bold}{}{bold:#}  {summary}", preset.name)?;
    }
    write!(output, "\n{bold}{:<20}{bold:#}", "switch")?;
    for preset in &book.presets {
        let name = if book.presets.len() == 1 { "value" } else { preset.name.as_str() };
        write!(output, "{bold}{name:<12}{bold:#}")?;
    }
    writeln!(output, "{bold}meaning{bold:#}")?;
    for switch in &book.switches {
        write!(output, "{:<20}", switch.name)?;
        for preset in &book.presets {
            write!(output, "{:<12}", preset.switches[switch.name])?;
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
