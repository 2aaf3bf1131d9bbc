//! `mousetrap tb stats`: how many positions are won, lost and drawn.
//!
//! The columns are those of Table 2 of van Rijn & Vis, White to move, every class by name, and one
//! more: positions without a legal move. The published counts leave those out, so where having no
//! legal move is a draw they are not among `draws` here, and the four add up to the placements.
//! Where it loses, such a position is a loss in 0 plies like any other: it is counted among `losses`
//! *and* told in `stalemates`, and wins, losses and draws alone add up.
//!
//! Everything is read off the headers, so that it takes no time.

use std::io::Write;

use jungle::Rules;
use jungle::rules::NoLegalMove;
use serde::Serialize;
use tablebase::material::Material;
use tablebase::probe::ProbeError;
use tablebase::stats;
use tablebase::table::Counts;

use crate::commands::tb::args::StatsArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

/// A row; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    #[serde(flatten)]
    pub of: Of,
    pub placements: u64,
    pub stalemates: u64,
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
    pub longest: u32,
}

/// What a row is about.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    Pieces(u32),
    Class(String),
}

impl Row {
    fn new(of: Of, rules: &Rules, counts: Counts) -> Row {
        let apart = match rules.no_legal_move {
            NoLegalMove::Draw => counts.stalemates,
            NoLegalMove::Loss => 0,
        };
        Row {
            of,
            placements: counts.placements(),
            stalemates: counts.stalemates,
            wins: counts.wins,
            losses: counts.losses,
            draws: counts.draws - apart,
            longest: counts.longest,
        }
    }
}

pub fn run(args: &StatsArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let mut rows = Vec::new();
    match args.pieces {
        Some(pieces) if args.per_class => rows = class_rows(&set, pieces)?,
        Some(pieces) => rows.push(layer_row(&set, pieces)?),
        None => {
            for pieces in 2..=set.largest {
                // A layer still being built is no reason to be silent about the others.
                if let Some(missing) = missing(&set, pieces)? {
                    anstream::eprintln!("note: {missing}");
                } else if args.per_class {
                    rows.extend(class_rows(&set, pieces)?);
                } else {
                    rows.push(layer_row(&set, pieces)?);
                }
            }
            if rows.is_empty() {
                return Err(nothing(&set, None));
            }
        }
    }
    if args.json {
        return rows.iter().try_for_each(|row| output.json(row));
    }
    print(&rows, output)
}

/// The row of all classes of so many pieces.
pub fn layer_row(set: &Set, pieces: u32) -> Result<Row, Failure> {
    check(set, pieces)?;
    let counts = stats::layer(&set.tablebase, pieces).map_err(|error| set.failure(&error))?;
    Ok(Row::new(Of::Pieces(pieces), set.rules(), counts))
}

/// Which tables of so many pieces are missing, and what to do about it; `None` if none is.
pub fn missing(set: &Set, pieces: u32) -> Result<Option<String>, Failure> {
    let list = set.tablebase.classes().list();
    let wanted = || list.iter().enumerate().filter(|(_, c)| c.material.pieces() == pieces);
    let mut missing = Vec::new();
    for (at, _) in wanted() {
        match set.tablebase.table(at) {
            Ok(_) => (),
            Err(ProbeError::MissingTable { file }) => missing.push(file),
            Err(error) => return Err(set.failure(&error)),
        }
    }
    let Some(first) = missing.first() else { return Ok(None) };
    Ok(Some(format!(
        "the tables of {pieces} pieces are incomplete: {} of {} are missing in {}, {first} among \
         them; build them with `{}`",
        missing.len(),
        wanted().count(),
        set.folder.display(),
        set.build_command(pieces)
    )))
}

/// There are no tables at all, or none of so many pieces.
pub fn nothing(set: &Set, pieces: Option<u32>) -> Failure {
    let of = pieces.map(|pieces| format!(" of {pieces} pieces")).unwrap_or_default();
    Failure::Outside(format!(
        "there are no tables{of} in {}; build some with `{}`",
        set.folder.display(),
        set.build_command(pieces.unwrap_or(4))
    ))
}

fn class_rows(set: &Set, pieces: u32) -> Result<Vec<Row>, Failure> {
    check(set, pieces)?;
    Material::all(pieces)
        .map(|material| {
            let counts = stats::counts(&set.tablebase, material);
            let counts = counts.map_err(|error| set.failure(&error))?;
            Ok(Row::new(Of::Class(material.to_string()), set.rules(), counts))
        })
        .collect()
}

fn check(set: &Set, pieces: u32) -> Result<(), Failure> {
    let most = set.tablebase.classes().list().last().map_or(0, |class| class.material.pieces());
    if pieces < 2 {
        return Err(Failure::Input(format!(
            "no class has {pieces} pieces: each side has one, so ask for 2 or more"
        )));
    }
    if pieces > most {
        return Err(set.failure(&ProbeError::TooManyPieces { found: pieces, most }));
    }
    missing(set, pieces)?.map_or(Ok(()), |message| Err(Failure::Outside(message)))
}

fn print(rows: &[Row], output: &mut Output) -> Result<(), Failure> {
    writeln!(
        output,
        "{:<8} {:>16} {:>12} {:>16} {:>16} {:>14} {:>8}",
        "pieces", "placements", "no move", "wins", "losses", "draws", "longest"
    )?;
    for row in rows {
        let name = match &row.of {
            Of::Pieces(pieces) => pieces.to_string(),
            Of::Class(class) => class.clone(),
        };
        writeln!(
            output,
            "{name:<8} {:>16} {:>12} {:>16} {:>16} {:>14} {:>8}",
            row.placements, row.stalemates, row.wins, row.losses, row.draws, row.longest
        )?;
    }
    Ok(())
}
