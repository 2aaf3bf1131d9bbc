//! `mousetrap split`: a position cut into parts by causality.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use answers::{Split, SplitSearch};
use game::Game;
use game::limits::Limits;
use game::truth::Plies;
use jungle::board::DENS;
use jungle::causality::Causality;
use jungle::picture::Terminal;
use jungle::{Jungle, Position, Square};

use crate::cli;
use crate::commands::causality::args::SplitArgs;
use crate::commands::show::write_pictures;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &SplitArgs, output: &mut Output) -> Result<(), Failure> {
    let position = cli::position(Some(&args.fen.join(" ")))?;
    let rules = args.rules.rules;
    let causality = Arc::new(Causality::new(&rules));
    let graph = causality.graph(&position, position.turn());
    let cut = causality.split(&position, position.turn(), args.threshold);
    let mut split = Split::of(&rules, &position, &graph, &cut);
    if let Some(depth) = args.depth {
        split = split.searched(search_parts(args, causality, &position, depth)?);
    }
    if args.picture.svg.is_some() || args.picture.png.is_some() {
        let picture = cut.picture(&position, &graph);
        write_pictures(&picture, &args.picture.svg, &args.picture.png)?;
    }
    if args.json {
        return output.json(&split);
    }
    print_boards(&split, &position, output)?;
    print_times(&split, output)?;
    print_tree(&split, output)?;
    print_parts(&split, output)?;
    split.search.as_ref().map_or(Ok(()), |search| print_scores(search, output))
}

/// Searches the parts of a position.
fn search_parts(
    args: &SplitArgs,
    causality: Arc<Causality>,
    position: &Position,
    depth: u32,
) -> Result<SplitSearch, Failure> {
    let rules = args.rules.rules;
    if Jungle::new(rules).outcome(position).is_some() {
        return Err(Failure::Input(
            "the game is over in this position, so there is nothing to search; leave out --depth"
                .to_owned(),
        ));
    }
    Ok(SplitSearch::new(rules, causality, position, args.threshold, &Limits::depth(depth)))
}

/// The board and, beside it, who owns each square.
fn print_boards(split: &Split, position: &Position, output: &mut Output) -> Result<(), Failure> {
    let board = Terminal::of(position).to_string();
    let owners = owner_grid(split);
    let mut lines = board.lines();
    for (owned, line) in owners.lines().zip(lines.by_ref()) {
        writeln!(output, "{line}      {owned}")?;
    }
    for line in lines {
        writeln!(output, "{line}")?;
    }
    Ok(())
}

/// How soon any two pieces can affect each other.
fn print_times(split: &Split, output: &mut Output) -> Result<(), Failure> {
    let first = split.first;
    writeln!(output, "\nPlies until two pieces can affect each other ({first} moves first)")?;
    let header = split.pieces.iter().fold(String::new(), |mut text, piece| {
        let _ = write!(text, " {:>3}", piece.square);
        text
    });
    writeln!(output, "    {header}")?;
    for (one, (piece, times)) in split.pieces.iter().zip(&split.times).enumerate() {
        write!(output, "{} {}", piece.piece, piece.square)?;
        for (other, &time) in times.iter().enumerate() {
            let text = if one == other { "·".to_owned() } else { plies(time) };
            write!(output, " {text:>3}")?;
        }
        writeln!(output)?;
    }
    Ok(())
}

fn print_tree(split: &Split, output: &mut Output) -> Result<(), Failure> {
    writeln!(output, "\nMinimum spanning tree")?;
    for edge in &split.edges {
        let cut = if edge.cut { "  cut" } else { "" };
        writeln!(output, "{:>4}  {}–{}{cut}", plies(edge.plies), edge.from, edge.to)?;
    }
    if !split.edges.is_empty() {
        writeln!(output, "T_max {}", plies(split.tmax))?;
    }
    Ok(())
}

fn print_parts(split: &Split, output: &mut Output) -> Result<(), Failure> {
    writeln!(output, "\nParts at threshold {}", split.threshold)?;
    for (at, part) in split.parts.iter().enumerate() {
        writeln!(output, "{:>4}  {}", at + 1, part.join(" "))?;
    }
    for (den, parts) in split.dens.iter().filter(|(_, parts)| !parts.is_empty()) {
        let parts: Vec<String> = parts.iter().map(|at| (at + 1).to_string()).collect();
        writeln!(output, "den {den} is open to {}", parts.join(", "))?;
    }
    Ok(())
}

/// A table of the values of the parts, and the choice.
fn print_scores(search: &SplitSearch, output: &mut Output) -> Result<(), Failure> {
    let SplitSearch { depth, nodes, best, score, parts } = search;
    let deep = Plies(*depth);
    writeln!(output, "\nScores {deep} deep, for the side to move ({nodes} nodes)")?;
    if parts.is_empty() {
        writeln!(output, "one part, searched as a whole")?;
    } else {
        writeln!(output, "part   best          move      non-move       implied")?;
    }
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    for (at, part) in parts.iter().enumerate() {
        let mv = or_dash(part.best.clone());
        let own = or_dash(part.mv.map(|score| score.to_string()));
        let implied = or_dash(part.implied.map(|score| score.to_string()));
        let chosen = if part.best.is_some() && part.best == *best { "  chosen" } else { "" };
        let (number, non_move) = (at + 1, part.non_move.to_string());
        writeln!(output, "{number:>4}   {mv:<4} {own:>13} {non_move:>13} {implied:>13}{chosen}")?;
    }
    match best {
        Some(mv) => writeln!(output, "best {mv}, {score}")?,
        None => writeln!(output, "no move")?,
    }
    Ok(())
}

/// A number of plies; `∞` for never.
fn plies(time: Option<u8>) -> String {
    time.map_or_else(|| "∞".to_owned(), |plies| plies.to_string())
}

/// The number of the part that owns each square, from 1; `#` for dens, `·` for no part.
fn owner_grid(split: &Split) -> String {
    let mut grid = String::new();
    for rank in (0..Square::RANKS).rev() {
        for file in 0..Square::FILES {
            let square = Square::new(file, rank).expect("the loops stay on the board");
            let owner = match split.owner[&square.to_string()] {
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
