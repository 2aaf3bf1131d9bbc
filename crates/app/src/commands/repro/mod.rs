//! `mousetrap repro`: published results, computed anew and shown beside the originals.

mod amazons;
mod complexity;
mod depth14;
mod depth30;
mod table1;
mod table2;

use std::io::Write;

use crate::cli::ReproArgs;
use crate::commands::causality::figures;
use crate::failure::Failure;
use crate::output::Output;

type Run = fn(&ReproArgs, &mut Output) -> Result<(), Failure>;

/// What can be reproduced: its name, what it is, and how.
const ALL: &[(&str, &str, Run)] = &[
    (
        "table1",
        "van Rijn & Vis (2013), Table 1: leaves, value and best move, one to seven plies deep",
        table1::run,
    ),
    (
        "table2",
        "van Rijn & Vis (2013), Table 2: wins, losses and draws of two to four pieces",
        table2::run,
    ),
    ("depth14", "van Rijn & Vis (2013): fourteen plies from the start", depth14::run),
    ("depth30", "Burnett (2010), Figure 20: depth in 30 seconds on his positions", depth30::run),
    (
        "amazons",
        "Xu, Xing & Zuo, Figure 3: search by regions beside plain alpha-beta, by sub-boards",
        amazons::run,
    ),
    (
        "complexity",
        "Krad & Petrakos: the games their paper lacks, against alpha-beta at equal nodes a game",
        complexity::run,
    ),
    ("figures", "Burnett (2010), Figures 7, 8, 13, 14 and 16, drawn anew as SVG", figures::run),
];

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    if args.list {
        for (name, what, _) in ALL {
            writeln!(output, "{name}  {what}")?;
        }
        return Ok(());
    }
    let wanted = args.name.as_deref().unwrap_or_default();
    match ALL.iter().find(|(name, _, _)| *name == wanted) {
        Some((_, _, run)) => run(args, output),
        None => {
            let names: Vec<&str> = ALL.iter().map(|(name, _, _)| *name).collect();
            Err(Failure::Input(format!(
                "'{wanted}' is nothing to reproduce: expected one of {}",
                names.join(", ")
            )))
        }
    }
}
