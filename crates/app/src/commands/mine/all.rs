//! All classes of so many pieces.
//!
//! Classes that are the same game by other names get one row, with White to move and, where that is
//! another game, with the colours exchanged. For two pieces there is more: the tree is the smallest
//! that was found, it must be perfect, and it is asked about every position of every class that it
//! serves; at the end comes one tree for all of them.

use std::io::{IsTerminal, Write};

use game::rng::Rng;
use mining::cells::{self, Cells};
use mining::data::Dataset;
use mining::feature::USUAL;
use mining::learn::{self, Level};
use mining::population::{Population, minority, pieces_of};
use mining::show::percent;
use mining::tree::Tree;
use mining::{cost, prune};
use serde::Serialize;
use tablebase::material::Material;
use tablebase::truth::Truths;

use crate::commands::mine::args::MineArgs;
use crate::commands::mine::{features, one, options, plot, progress};
use crate::commands::tb::set::{Set, on_threads};
use crate::commands::tb::stats;
use crate::failure::Failure;
use crate::output::Output;

/// A class; the names are a contract with other programs.
#[derive(Serialize)]
pub struct Row {
    pub class: String,
    /// The classes that are the same game.
    same: Vec<String>,
    pub positions: u64,
    /// The errors of always claiming the most frequent outcome.
    majority_errors: u64,
    features: String,
    questions: usize,
    leaves: usize,
    depth: u32,
    errors: u64,
    /// The errors when every position of every class was asked anew; two pieces only.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified_errors: Option<u64>,
    /// Bits of the tree and its exceptions, cut where that is cheapest.
    bits: f64,
    bits_depth: u32,
    /// Bits of the outcomes in a table file, for both sides to move.
    table_bits: Option<u64>,
    pub levels: Vec<Step>,
}

/// A tree at some depth.
#[derive(Serialize)]
pub struct Step {
    pub depth: u32,
    pub leaves: usize,
    pub errors: u64,
}

impl From<&Level> for Step {
    fn from(level: &Level) -> Step {
        Step { depth: level.depth, leaves: level.leaves, errors: level.errors }
    }
}

pub fn run(args: &MineArgs, output: &mut Output) -> Result<(), Failure> {
    let pieces = args.pieces.unwrap_or(2);
    let set = Set::open(&args.set)?;
    if let Some(missing) = stats::missing(&set, pieces)? {
        return Err(Failure::Outside(missing));
    }
    let mut groups = groups(&set, pieces);
    if groups.is_empty() {
        return Err(stats::nothing(&set, Some(pieces)));
    }
    if let Some(sample) = args.sample {
        pick(&mut groups, sample, args.seed);
    }
    // Two pieces are to have perfect trees, unless something else is asked for.
    let perfectly = pieces == 2 && !args.prune && args.max_depth.is_none() && args.min_leaf == 1;
    if !args.json {
        heading(perfectly, output)?;
    }
    let mut rows: Vec<Row> = Vec::new();
    for group in &groups {
        let row = on_threads(args.threads, || {
            if perfectly { perfect(&set, args, group) } else { large(&set, args, group) }
        })??;
        print(&row, args.json, output)?;
        rows.push(row);
    }
    if !args.json {
        summary(&rows, output)?;
    }
    if perfectly {
        let row = on_threads(args.threads, || whole(&set, args, &groups))??;
        print(&row, args.json, output)?;
        rows.push(row);
    }
    if let Some(file) = &args.plot {
        plot::write(file, pieces, &rows)?;
    }
    if args.features.is_some() || args.without.is_some() {
        // Who chooses the features decides how good the trees can be.
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

/// The classes of so many pieces, those that are the same game together, the one whose name comes
/// first in front.
fn groups(set: &Set, pieces: u32) -> Vec<Vec<Material>> {
    let classes = set.tablebase.classes();
    let mut groups: Vec<((usize, bool), Vec<Material>)> = Vec::new();
    for material in Material::all(pieces) {
        let Some(mapping) = tablebase::stats::mapping(classes, set.rules(), material) else {
            continue;
        };
        let turned = mapping.swapped && !classes.list()[mapping.class].symmetric;
        let key = (mapping.class, turned);
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, group)) => group.push(material),
            None => groups.push((key, vec![material])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Keeps so many of the groups, in their order.
fn pick(groups: &mut Vec<Vec<Material>>, sample: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    while groups.len() > sample {
        groups.remove(rng.below(groups.len()));
    }
}

/// Two pieces: the smallest perfect tree found, with the fewest groups of features that allow one.
fn perfect(set: &Set, args: &MineArgs, group: &[Material]) -> Result<Row, Failure> {
    let class = group[0];
    let pieces = pieces_of(class);
    let choices: &[&[&str]] = &[&["table3"], &["table3", "cones"], &["table3", "cones", "squares"]];
    let population = one::load(set, class)?;
    let mut best: Option<(Dataset, Tree, String)> = None;
    for usual in choices {
        let chosen = features(args, &pieces, false, usual)?;
        let data = Dataset::new(vec![population.clone()], chosen);
        let cells = Cells::new(&data);
        let perfect = cells.inseparable() == 0;
        if perfect || args.features.is_some() || usual.len() == 3 {
            let tree = cells::smallest(&cells);
            best = Some((data, tree, args.features.clone().unwrap_or_else(|| usual.join(","))));
            break;
        }
    }
    let (data, tree, asked) = best.expect("the last choice is taken");
    let grown = learn::grow(&data, &options(args), |level| progress(&class.to_string(), level));
    let mut errors = 0;
    for &same in group {
        let data = Dataset::new(vec![one::load(set, same)?], tree.features.clone());
        errors += tree.verify(&data);
    }
    let row = row(set, group, &population, &tree, asked, &grown.levels);
    Ok(Row { verified_errors: Some(errors), ..row })
}

fn large(set: &Set, args: &MineArgs, group: &[Material]) -> Result<Row, Failure> {
    let class = group[0];
    let chosen = features(args, &pieces_of(class), false, USUAL)?;
    let population = one::load(set, class)?;
    let data = Dataset::new(vec![population.clone()], chosen);
    let grown = learn::grow(&data, &options(args), |level| progress(&class.to_string(), level));
    let tree = if args.prune { prune::prune(&grown.tree) } else { grown.tree };
    let asked = args.features.clone().unwrap_or_else(|| USUAL.join(","));
    Ok(row(set, group, &population, &tree, asked, &grown.levels))
}

fn row(
    set: &Set,
    group: &[Material],
    population: &Population,
    tree: &Tree,
    features: String,
    levels: &[Level],
) -> Row {
    let (bits_depth, bits) = cost::cheapest(tree);
    Row {
        class: group[0].to_string(),
        same: group.iter().map(ToString::to_string).collect(),
        positions: tree.positions(),
        majority_errors: minority(&tree.nodes[0].counts),
        features,
        questions: tree.questions(),
        leaves: tree.leaves().count(),
        depth: tree.depth(),
        errors: tree.errors(),
        verified_errors: None,
        bits: bits.total(),
        bits_depth,
        table_bits: one::table_bytes(set, population).map(|bytes| 8 * bytes),
        levels: levels.iter().map(Step::from).collect(),
    }
}

/// One tree for every class of two pieces.
fn whole(set: &Set, args: &MineArgs, groups: &[Vec<Material>]) -> Result<Row, Failure> {
    let mut classes: Vec<Material> = groups.iter().flatten().copied().collect();
    classes.sort_by_key(ToString::to_string);
    let mut truths = Truths::new(&set.tablebase);
    let load = |class: &Material| Population::load(&mut truths, *class);
    let populations: Result<Vec<Population>, _> = classes.iter().map(load).collect();
    let populations = populations.map_err(|error| set.failure(&error))?;
    let pieces = populations[0].pieces().to_vec();
    let mut data = Dataset::new(populations, Vec::new());
    // Squares explain nothing; they are added only if the rest does not suffice.
    let choices: [&[&str]; 2] =
        [&["table3", "cones", "material"], &["table3", "cones", "material", "squares"]];
    let mut grown = None;
    let mut names = String::new();
    for usual in choices {
        data = data.with_features(features(args, &pieces, true, usual)?);
        let found = learn::grow(&data, &options(args), |level| progress("all", level));
        let perfect = found.tree.errors() == 0;
        grown = Some(found);
        names = args.features.clone().unwrap_or_else(|| usual.join(","));
        if perfect || args.features.is_some() {
            break;
        }
    }
    let grown = grown.expect("the last choice is taken");
    let tree = grown.tree;
    let (bits_depth, bits) = cost::cheapest(&tree);
    Ok(Row {
        class: "all".to_owned(),
        same: classes.iter().map(ToString::to_string).collect(),
        positions: tree.positions(),
        majority_errors: minority(&tree.nodes[0].counts),
        features: names,
        questions: tree.questions(),
        leaves: tree.leaves().count(),
        depth: tree.depth(),
        errors: tree.errors(),
        verified_errors: Some(tree.verify(&data)),
        bits: bits.total(),
        bits_depth,
        table_bits: None,
        levels: grown.levels.iter().map(Step::from).collect(),
    })
}

/// The depths at which accuracy is told.
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

fn print(row: &Row, json: bool, output: &mut Output) -> Result<(), Failure> {
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
    let right = |errors: u64| percent(row.positions - errors, row.positions);
    write!(output, "{:<10}{:>10}{:>8.2}%", row.class, row.positions, right(row.majority_errors))?;
    for depth in DEPTHS {
        // A tree that ended earlier stays as it is.
        let step = row.levels.iter().rfind(|step| step.depth <= depth);
        let (leaves, errors) = step.map_or((1, row.majority_errors), |s| (s.leaves, s.errors));
        write!(output, "{leaves:>7}{:>8.2}%", right(errors))?;
    }
    // Half of what the file holds is with Black to move.
    let sides = 2.0 * row.positions as f64;
    writeln!(
        output,
        "{:>9}{:>9}{:>12.4}{:>12.4}",
        row.leaves,
        row.errors,
        row.bits / row.positions as f64,
        row.table_bits.unwrap_or(0) as f64 / sides
    )?;
    output.flush()
}

/// All rows together.
fn summary(rows: &[Row], output: &mut Output) -> Result<(), Failure> {
    let sum = |number: fn(&Row) -> u64| rows.iter().map(number).sum::<u64>();
    let positions = sum(|row| row.positions);
    let bits: f64 = rows.iter().map(|row| row.bits).sum();
    let table: f64 =
        rows.iter().filter_map(|row| row.table_bits).map(|bits| bits as f64 / 2.0).sum();
    writeln!(
        output,
        "{} classes up to isomorphism, {} by name; {positions} positions, {} wrong ({:.3}% right)",
        rows.len(),
        rows.iter().map(|row| row.same.len()).sum::<usize>(),
        sum(|row| row.errors),
        percent(positions - sum(|row| row.errors), positions)
    )?;
    writeln!(
        output,
        "trees with exceptions take {:.4} bits a position, tables of outcomes {:.4}; trees are the \
         smaller for {} classes",
        bits / positions as f64,
        table / positions as f64,
        rows.iter().filter(|r| r.table_bits.is_some_and(|t| r.bits < t as f64 / 2.0)).count()
    )?;
    Ok(())
}
