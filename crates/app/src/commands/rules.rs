//! `mousetrap rules`: how to play, and what the presets and switches mean.

use std::io::Write;

use answers::{Preset, RuleBook};

use crate::cli::RulesArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &RulesArgs, output: &mut Output) -> Result<(), Failure> {
    let book = args.rules.as_ref().map_or_else(RuleBook::presets, RuleBook::of);
    if args.json {
        return output.json(&book);
    }
    teach(&book.presets[0], output)?;
    let bold = anstyle::Style::new().bold();
    for preset in &book.presets {
        if let Some(summary) = preset.summary {
            writeln!(output, "{bold}{:<10}{bold:#}{summary}", preset.name)?;
        }
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
            "\nA preset with switches makes house rules, as in\n  mousetrap play --rules leiden,no-legal-move=loss\n  mousetrap rules leiden"
        )?;
    }
    Ok(())
}

/// The primer of a set of rules, beside a small board that shows where things are.
fn teach(preset: &Preset, output: &mut Output) -> Result<(), Failure> {
    let bold = anstyle::Style::new().bold();
    writeln!(output, "{bold}How to play{bold:#} ({} rules)\n", preset.name)?;
    for topic in &preset.primer {
        let label = format!("{:<10}", topic.topic);
        for (row, line) in wrapped(&topic.text, TEXT_COLUMNS).iter().enumerate() {
            let label = if row == 0 { label.as_str() } else { "" };
            writeln!(output, "{bold}{label:<10}{bold:#}{line}")?;
        }
    }
    Ok(writeln!(
        output,
        "\nThe board: mousetrap show. A first game: mousetrap play, or mousetrap serve --open.\n"
    )?)
}

/// How wide the text of the primer is.
const TEXT_COLUMNS: usize = 80;

/// Breaks a text into lines between words.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.len() + 1 + word.len() > columns {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
