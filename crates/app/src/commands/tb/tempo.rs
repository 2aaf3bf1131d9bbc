//! `mousetrap tb tempo`: a class by how many passes each side may spend.

use std::io::Write;

use tablebase::tempo::TempoTable;

use crate::commands::tb::args::TempoArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &TempoArgs, output: &mut Output) -> Result<(), Failure> {
    let pieces = args.class.pieces();
    if pieces > 3 {
        return Err(Failure::Input(format!(
            "{} has {pieces} pieces, and tempo tables are solved for two and three",
            args.class
        )));
    }
    let table = TempoTable::new(&args.rules.rules, args.class, args.passes);
    if args.json {
        return output.json(&table);
    }
    writeln!(output, "{}, {}: by how often Red and Blue may pass", table.class, table.rules)?;
    writeln!(
        output,
        "{:>4} {:>5} {:>10} {:>10} {:>10}   {:>10} {:>10} {:>10}",
        "Red", "Blue", "Red wins", "draws", "Blue wins", "Red wins", "draws", "Blue wins"
    )?;
    for row in &table.rows {
        let [red, blue] = [row.white, row.black].map(|passes| passes.to_string());
        writeln!(
            output,
            "{red:>4} {blue:>5} {:>10} {:>10} {:>10}   {:>10} {:>10} {:>10}",
            row.white_wins[0],
            row.draws[0],
            row.black_wins[0],
            row.white_wins[1],
            row.draws[1],
            row.black_wins[1]
        )?;
    }
    writeln!(output, "left: Red to move; right: Blue to move")?;
    writeln!(
        output,
        "{} of {} positions have another outcome with other numbers of passes",
        table.sensitive, table.positions
    )?;
    match table.enough {
        Some(times) => writeln!(output, "{times} are as good as any number, in every position")?,
        None => writeln!(output, "more than {} can matter", args.passes)?,
    }
    Ok(())
}
