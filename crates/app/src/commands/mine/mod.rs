//! `mousetrap mine`: decision trees that explain tables.

mod all;
pub mod args;
mod one;
mod plot;
mod statements;

use jungle::Piece;
use mining::feature::{Feature, available, select};
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

/// The features that the arguments ask for, with what to use if they do not say.
fn features(
    args: &MineArgs,
    pieces: &[Piece],
    any: bool,
    usual: &[&str],
) -> Result<Vec<Feature>, Failure> {
    let all = available(pieces, any);
    let bad = |error| Failure::input("bad features", error);
    let wanted = match &args.features {
        Some(list) => words(list),
        // What does not exist for these pieces is not asked for.
        None => usual
            .iter()
            .filter(|name| all.iter().any(|(group, _)| group.name() == **name))
            .map(|name| (*name).to_owned())
            .collect(),
    };
    let mut chosen = select(&all, &wanted).map_err(bad)?;
    if let Some(list) = &args.without {
        let gone = select(&all, &words(list)).map_err(bad)?;
        chosen.retain(|feature| !gone.iter().any(|other| other.name == feature.name));
    }
    if chosen.is_empty() {
        return Err(Failure::Input(
            "no features are left: name some with --features, or exclude fewer with --without"
                .to_owned(),
        ));
    }
    Ok(chosen)
}

/// The groups that a tree of one class uses unless told otherwise.
const USUAL: &[&str] = &["table3", "cones"];

/// The words of a list with commas; those within brackets do not count.
fn words(list: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut depth = 0;
    for letter in list.chars() {
        match letter {
            ',' if depth == 0 => words.push(String::new()),
            _ => {
                depth += i32::from(letter == '(') - i32::from(letter == ')');
                words.last_mut().expect("there is one").push(letter);
            }
        }
    }
    words.into_iter().map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

fn options(args: &MineArgs) -> Options {
    Options { max_depth: args.max_depth, least: args.min_leaf, ..Options::default() }
}

/// Shows how a tree grows, if somebody is looking.
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

#[cfg(test)]
mod tests {
    #[test]
    fn commas_within_brackets_are_part_of_a_name() {
        assert_eq!(super::words("table3, gap(E,l),parity"), ["table3", "gap(E,l)", "parity"]);
        assert!(super::words(" , ").is_empty());
    }
}
