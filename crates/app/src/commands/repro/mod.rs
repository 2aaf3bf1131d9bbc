//! `mousetrap repro`: published results, computed anew and shown beside the originals.

mod amazons;
mod complexity;
mod depth14;
mod depth30;
mod figure2;
pub mod record;
mod splitting;
mod table1;
mod table2;
mod thesis;

use std::io::Write;

use crate::cli::ReproArgs;
use crate::commands::causality::figures;
use crate::failure::Failure;
use crate::output::Output;

/// Something to reproduce.
struct Entry {
    name: &'static str,
    /// What it shows.
    what: &'static str,
    /// Roughly how long it takes on one core of an ordinary machine.
    takes: &'static str,
    run: fn(&ReproArgs, &mut Output) -> Result<(), Failure>,
}

/// What can be reproduced.
const ALL: &[Entry] = &[
    Entry {
        name: "table1",
        what: "van Rijn & Vis (2013), Table 1: leaves, value and best move, one to seven plies deep",
        takes: "seconds",
        run: table1::run,
    },
    Entry {
        name: "depth14",
        what: "van Rijn & Vis (2013): fourteen plies from the start, beside their eight minutes",
        takes: "seconds",
        run: depth14::run,
    },
    Entry {
        name: "table2",
        what: "van Rijn & Vis (2013), Table 2: wins, losses and draws of two to four pieces",
        takes: "minutes; more if the tables are still to be built",
        run: table2::run,
    },
    Entry {
        name: "figure2",
        what: "van Rijn & Vis (2014), Figure 2: three decision trees for two pieces, and their errors",
        takes: "seconds",
        run: figure2::run,
    },
    Entry {
        name: "figures",
        what: "Burnett (2010), Figures 7, 8, 13, 14 and 16, drawn anew as SVG",
        takes: "a second",
        run: figures::run,
    },
    Entry {
        name: "gain",
        what: "Burnett (2010), section 4.1: the predicted gain of cutting the board, and the measured one",
        takes: "minutes",
        run: thesis::gain::run,
    },
    Entry {
        name: "figure19",
        what: "Burnett (2010), Figure 19: wins, draws and losses of four configurations",
        takes: "a quarter of an hour for 40 games each at the published depths",
        run: thesis::figure19::run,
    },
    Entry {
        name: "figure20",
        what: "Burnett (2010), Figure 20: mean depth of the four players",
        takes: "a quarter of an hour besides the games of figure19",
        run: thesis::figure20::run,
    },
    Entry {
        name: "figure21",
        what: "Burnett (2010), Figure 21: how often boards are cut, and the sizes of parts",
        takes: "a second besides the games of figure19",
        run: thesis::figure21::run,
    },
    Entry {
        name: "figure22",
        what: "Burnett (2010), Figures 22 and 23: both heuristics against ordering, by time a move",
        takes: "a day at the published effort; minutes with --nodes 20000",
        run: thesis::figure22::run,
    },
    Entry {
        name: "splitting",
        what: "Burnett (2010), chapter 12: which threshold, and what parts are good for, by matches",
        takes: "half an hour",
        run: splitting::run,
    },
    Entry {
        name: "complexity",
        what: "Krad & Petrakos: the games their paper lacks, against alpha-beta at equal nodes a game",
        takes: "an hour",
        run: complexity::run,
    },
    Entry {
        name: "depth30",
        what: "Burnett (2010), Figure 20: depth of the engine in 30 seconds on his positions",
        takes: "ten minutes",
        run: depth30::run,
    },
    Entry {
        name: "amazons",
        what: "Xu, Xing & Zuo, Figure 3: search by regions beside plain alpha-beta, by sub-boards",
        takes: "minutes with --size 5, days on the usual board",
        run: amazons::run,
    },
];

pub fn run(args: &ReproArgs, output: &mut Output) -> Result<(), Failure> {
    if args.list {
        let width = ALL.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
        for Entry { name, what, takes, .. } in ALL {
            writeln!(output, "{name:<width$}  {what}\n{:width$}  takes {takes}", "")?;
        }
        return Ok(());
    }
    let wanted = args.name.as_deref().unwrap_or_default();
    if args.nodes.len() > 1 && wanted != "splitting" {
        return Err(Failure::Input(format!("{wanted} takes one number of nodes, not several")));
    }
    match ALL.iter().find(|entry| entry.name == wanted) {
        Some(entry) => (entry.run)(args, output),
        None => {
            let names: Vec<&str> = ALL.iter().map(|entry| entry.name).collect();
            Err(Failure::Input(format!(
                "'{wanted}' is nothing to reproduce: expected one of {}",
                names.join(", ")
            )))
        }
    }
}
