//! `mousetrap openings`: generated starting positions, one FEN per line; and openings by name.

use std::io::Write;

use jungle::{Rules, Setup};
use lab::Openings;
use lab::openings::Generator;

use super::args::OpeningsArgs;
use crate::failure::Failure;
use crate::output::{Output, write_file};

pub fn run(args: &OpeningsArgs, output: &mut Output) -> Result<(), Failure> {
    let mut generator = Generator::new(args.rules.rules, args.seed, args.plies);
    let mut text = String::new();
    for _ in 0..args.count {
        let opening = generator
            .next_opening()
            .map_err(|error| Failure::input(format_args!("--plies {}", args.plies), error))?;
        let line = format!("{}\n", Setup::from(&opening));
        match args.out {
            Some(_) => text.push_str(&line),
            None => output.write_all(line.as_bytes())?,
        }
    }
    if let Some(path) = &args.out {
        write_file(path, text.as_bytes())?;
        writeln!(output, "{} openings in {}", args.count, path.display())?;
    }
    Ok(())
}

/// Openings by name, or from a file.
pub fn named(name: &str, rules: Rules) -> Result<Openings, Failure> {
    Openings::named(name, rules).map_err(|error| Failure::input("--openings", error))
}
