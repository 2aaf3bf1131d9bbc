//! `mousetrap mine`: decision trees that explain tables.

mod all;
pub mod args;
mod one;
mod statements;

use jungle::Piece;
use mining::feature::{Feature, choose};
use mining::learn::{Level, Options};

use crate::commands::mine::args::MineArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &MineArgs, output: &mut Output) -> Result<(), Failure> {
    match args.class {
        Some(class) if args.list_features => one::list_features(class, args.json, output),
        Some(class) if args.statements => statements::run(class, args, output),
        Some(class) => one::run(class, args, output),
        None => all::run(args, output),
    }
}

/// The features that the arguments ask for, with a default.
fn features(
    args: &MineArgs,
    pieces: &[Piece],
    any: bool,
    usual: &[&str],
) -> Result<Vec<Feature>, Failure> {
    choose(pieces, any, args.features.as_deref(), args.without.as_deref(), usual).map_err(|error| {
        Failure::Input(format!(
            "{error}; see --features and --without, and `mousetrap mine CLASS --list-features`"
        ))
    })
}

fn options(args: &MineArgs) -> Options {
    Options { max_depth: args.max_depth, min_leaf: args.min_leaf, ..Options::default() }
}

/// Shows how a tree grows, on a terminal.
fn progress(class: &str, level: &Level) {
    use std::io::IsTerminal;
    if std::io::stderr().is_terminal() {
        anstream::eprint!(
            "\r{class}: depth {}, {} leaves, {} wrong\u{1b}[K\r",
            level.depth,
            level.leaves,
            level.errors
        );
    }
}
