//! `mousetrap split`: a position cut into parts by causality.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use jungle::board::DENS;
use jungle::causality::{Causality, Graph, Split, Time};
use jungle::picture::Terminal;
use jungle::{Bitboard, Position, Square};
use serde::Serialize;

use crate::cli;
use crate::commands::causality::args::SplitArgs;
use crate::commands::causality::scores::{Searched, search_parts};
use crate::commands::show::write_pictures;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Report {
    fen: String,
    rules: String,
    /// Who is player A.
    first: String,
    threshold: u8,
    /// The pieces in the order of `times`.
    pieces: Vec<ReportPiece>,
    /// T between all pairs; null on the diagonal and for never.
    times: Vec<Vec<Option<u8>>>,
    /// The weights of the tree, lightest first.
    tree: Vec<Option<u8>>,
    /// The edges in the same order.
    edges: Vec<ReportEdge>,
    tmax: Option<u8>,
    parts: Vec<Vec<String>>,
    owner: BTreeMap<String, Option<usize>>,
    dens: BTreeMap<String, Vec<usize>>,
    /// What searching the parts came to, with --depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<Searched>,
}

#[derive(Serialize)]
struct ReportPiece {
    square: String,
    piece: char,
}

#[derive(Serialize)]
struct ReportEdge {
    from: String,
    to: String,
    plies: Option<u8>,
    cut: bool,
}

pub fn run(args: &SplitArgs, output: &mut Output) -> Result<(), Failure> {
    let position = cli::position(Some(&args.fen.join(" ")))?;
    let causality = Causality::new(&args.rules.rules);
    let graph = causality.graph(&position, position.turn());
    let split = causality.split(&position, position.turn(), args.threshold);
    let searched = args.depth.map(|depth| search_parts(args, &position, depth)).transpose()?;

    write_pictures(&split.picture(&position, &graph), &args.picture.svg, &args.picture.png)?;
    if args.json {
        output.json(&Report { search: searched, ..report(args, &position, &graph, &split) })
    } else {
        print(output, args.threshold, &position, &graph, &split)?;
        searched.map_or(Ok(()), |searched| searched.print(output))
    }
}

fn report(args: &SplitArgs, position: &Position, graph: &Graph, split: &Split) -> Report {
    let len = graph.nodes().len();
    let row = |one| (0..len).map(|other| graph.time(one, other).get()).collect();
    let dens = DENS.into_iter().map(|den| (den.to_string(), open_to(split, den))).collect();
    Report {
        fen: position.to_string(),
        rules: args.rules.rules.to_string(),
        first: position.turn().to_string(),
        threshold: args.threshold,
        pieces: graph
            .nodes()
            .iter()
            .map(|node| ReportPiece { square: node.square.to_string(), piece: node.piece.letter() })
            .collect(),
        times: (0..len).map(row).collect(),
        tree: split.tree().map(|edge| edge.weight.get()).collect(),
        edges: graph
            .tree()
            .into_iter()
            .map(|edge| {
                let [from, to] = ends(graph, edge.one, edge.other);
                let cut = edge.weight > split.threshold();
                ReportEdge { from, to, plies: edge.weight.get(), cut }
            })
            .collect(),
        tmax: split.t_max().and_then(Time::get),
        parts: split.parts().iter().map(|part| names(part.pieces)).collect(),
        owner: Square::ALL.map(|square| (square.to_string(), split.owner(square))).into(),
        dens,
        search: None,
    }
}

/// The squares of an edge in the order of their names.
fn ends(graph: &Graph, one: usize, other: usize) -> [String; 2] {
    let mut ends = [one, other].map(|at| graph.nodes()[at].square.to_string());
    ends.sort();
    ends
}

/// By file and then by rank.
fn names(squares: Bitboard) -> Vec<String> {
    let mut names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    names.sort();
    names
}

/// The parts that may enter a den.
fn open_to(split: &Split, den: Square) -> Vec<usize> {
    let parts = split.parts().iter().enumerate();
    parts.filter(|(_, part)| part.territory.contains(den)).map(|(at, _)| at).collect()
}

fn print(
    output: &mut Output,
    threshold: u8,
    position: &Position,
    graph: &Graph,
    split: &Split,
) -> Result<(), Failure> {
    // The board and, beside it, who owns each square.
    let board = Terminal::of(position).to_string();
    let owners = owner_grid(split);
    let mut lines = board.lines();
    for (owned, line) in owners.lines().zip(lines.by_ref()) {
        writeln!(output, "{line}      {owned}")?;
    }
    for line in lines {
        writeln!(output, "{line}")?;
    }

    writeln!(output, "\nPlies until two pieces can affect each other ({} moves first)", {
        position.turn()
    })?;
    let nodes = graph.nodes();
    let header: String = nodes.iter().fold(String::new(), |mut text, node| {
        let _ = write!(text, " {:>3}", node.square.to_string());
        text
    });
    writeln!(output, "    {header}")?;
    for (one, node) in nodes.iter().enumerate() {
        write!(output, "{} {}", node.piece.letter(), node.square)?;
        for other in 0..nodes.len() {
            if one == other {
                write!(output, "   ·")?;
            } else {
                write!(output, " {:>3}", graph.time(one, other))?;
            }
        }
        writeln!(output)?;
    }

    writeln!(output, "\nMinimum spanning tree")?;
    for edge in graph.tree() {
        let [from, to] = ends(graph, edge.one, edge.other);
        let cut = if edge.weight > split.threshold() { "  cut" } else { "" };
        writeln!(output, "{:>4}  {from}–{to}{cut}", edge.weight)?;
    }
    if let Some(t_max) = split.t_max() {
        writeln!(output, "T_max {t_max}")?;
    }

    writeln!(output, "\nParts at threshold {threshold}")?;
    for (at, part) in split.parts().iter().enumerate() {
        writeln!(output, "{:>4}  {}", at + 1, names(part.pieces).join(" "))?;
    }
    for den in DENS {
        let parts: Vec<String> =
            open_to(split, den).into_iter().map(|at| (at + 1).to_string()).collect();
        if !parts.is_empty() {
            writeln!(output, "den {den} is open to {}", parts.join(", "))?;
        }
    }
    Ok(())
}

/// The number of the part that owns each square, from 1; `#` for dens, `·` for nobody.
fn owner_grid(split: &Split) -> String {
    let mut grid = String::new();
    for rank in (0..Square::RANKS).rev() {
        for file in 0..Square::FILES {
            let square = Square::new(file, rank).expect("the loops stay on the board");
            let owner = match split.owner(square) {
                _ if DENS.contains(square) => "#".to_owned(),
                Some(part) => (part + 1).to_string(),
                None => "·".to_owned(),
            };
            let _ = write!(grid, "{owner:>3}");
        }
        grid.push('\n');
    }
    grid
}
