//! `mousetrap mine --all`: all classes of a number of pieces, a row a class.

use std::io::{IsTerminal, Write};

use studies::trees::{ClassTree, Layer, Params, Sum, chart};

use crate::commands::mine::args::MineArgs;
use crate::commands::mine::progress;
use crate::commands::tb::set::{Set, on_threads};
use crate::failure::Failure;
use crate::output::{Output, write_file};

pub fn run(args: &MineArgs, output: &mut Output) -> Result<(), Failure> {
    let params = args.layer();
    let set = Set::open(&args.set)?;
    let layer = Layer::open(&set, &params)?;
    if !args.json {
        heading(params.is_perfect(), output)?;
    }
    let mut rows: Vec<ClassTree> = Vec::new();
    for group in 0..layer.len() {
        let row = on_threads(args.threads, || layer.explain(group, &progress))??;
        print(&row, args.json, output)?;
        rows.push(row);
    }
    if !args.json {
        summary(&Sum::of(&rows), output)?;
    }
    if params.is_perfect() {
        let row = on_threads(args.threads, || layer.explain_all(&progress))??;
        print(&row, args.json, output)?;
        rows.push(row);
    }
    if let Some(file) = &args.plot {
        write_file(file, chart(params.pieces, &rows).as_bytes())?;
    }
    if args.features.is_some() || args.without.is_some() {
        // The choice of features decides how good the trees can be.
        return Ok(());
    }
    match rows.iter().find(|row| row.verified_errors.is_some_and(|errors| errors > 0)) {
        None => Ok(()),
        Some(row) => Err(Failure::Outside(format!(
            "the tree of {} is not perfect: {} positions are wrong, and its features cannot tell \
             them apart",
            row.class, row.errors
        ))),
    }
}

impl MineArgs {
    /// The features of the trees of a layer, and how they grow.
    fn layer(&self) -> Params {
        Params {
            pieces: self.pieces.unwrap_or(2),
            sample: self.sample,
            seed: self.seed,
            features: self.features.clone(),
            without: self.without.clone(),
            max_depth: self.max_depth,
            min_leaf: self.min_leaf,
            prune: self.prune,
        }
    }
}

/// The depths at which accuracy is shown.
const DEPTHS: [u32; 4] = [3, 6, 9, 12];

fn heading(perfectly: bool, output: &mut Output) -> Result<(), Failure> {
    if perfectly {
        writeln!(
            output,
            "{:<8}{:>5}{:>10}  {:<23}{:>9}{:>8}{:>7}{:>8}{:>13}",
            "class",
            "same",
            "positions",
            "features",
            "questions",
            "leaves",
            "depth",
            "wrong",
            "verified"
        )?;
    } else {
        write!(output, "{:<10}{:>10}{:>9}", "class", "positions", "bare %")?;
        for depth in DEPTHS {
            write!(output, "{:>7}{:>9}", "leaves", format!("d{depth} %"))?;
        }
        writeln!(output, "{:>9}{:>9}{:>12}{:>12}", "leaves", "wrong", "tree bits", "table bits")?;
    }
    Ok(())
}

fn print(row: &ClassTree, json: bool, output: &mut Output) -> Result<(), Failure> {
    if std::io::stderr().is_terminal() {
        anstream::eprint!("\r\u{1b}[K");
    }
    if json {
        output.json(row)?;
        return output.flush();
    }
    if let Some(verified) = row.verified_errors {
        writeln!(
            output,
            "{:<8}{:>5}{:>10}  {:<23}{:>9}{:>8}{:>7}{:>8}{:>13}",
            row.class,
            row.same.len(),
            row.positions,
            row.features,
            row.questions,
            row.leaves,
            row.depth,
            row.errors,
            if verified == 0 { "perfect".to_owned() } else { format!("{verified} wrong") }
        )?;
        return output.flush();
    }
    let right = |errors: u64| row.right(errors);
    write!(output, "{:<10}{:>10}{:>8.2}%", row.class, row.positions, right(row.majority_errors))?;
    for depth in DEPTHS {
        let (leaves, errors) = row.at(depth);
        write!(output, "{leaves:>7}{:>8.2}%", right(errors))?;
    }
    writeln!(
        output,
        "{:>9}{:>9}{:>12.4}{:>12.4}",
        row.leaves,
        row.errors,
        row.tree_bits_a_position(),
        row.table_bits_a_position()
    )?;
    output.flush()
}

fn summary(sum: &Sum, output: &mut Output) -> Result<(), Failure> {
    let Sum { classes, names, positions, errors, right, tree_bits, table_bits, smaller } = sum;
    writeln!(
        output,
        "{classes} classes up to isomorphism, {names} by name; {positions} positions, {errors} wrong \
         ({right:.3}% right)"
    )?;
    writeln!(
        output,
        "trees with exceptions take {tree_bits:.4} bits a position, tables of outcomes {table_bits:.4}; \
         trees are the smaller for {smaller} classes"
    )?;
    Ok(())
}
