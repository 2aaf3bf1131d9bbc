//! `mousetrap` alone: where to begin; and the list of commands, grouped by what one wants.

use std::fmt::Write;

use clap::CommandFactory;

use crate::cli::Cli;

/// The commands by what one wants, in the order in which they are listed.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["serve", "play", "puzzles", "rules"]),
    ("Analyse", &["analyse", "games", "book", "show", "split", "cone", "escape"]),
    ("Endgame tables", &["tb", "prove", "mine"]),
    (
        "Laboratory",
        &[
            "match",
            "tournament",
            "openings",
            "lab",
            "repro",
            "report",
            "gadgets",
            "amazons",
            "perft",
            "bench",
            "tune",
            "tune-search",
            "datagen",
            "train",
        ],
    ),
    ("For programs", &["uci", "xboard", "completions", "man", "help"]),
];

/// Where to begin, for a user who gave no command.
pub fn begin() -> String {
    format!(
        "Mousetrap {}: Dou Shou Qi (Jungle, Animal Chess, 斗兽棋)\n\nUsage: mousetrap COMMAND\n\n{}{}\n\n\
         `mousetrap COMMAND --help` says more of a command.",
        env!("CARGO_PKG_VERSION"),
        first(),
        list(&Cli::command())
    )
}

/// The commands to begin with.
pub fn first() -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut first = format!("{bold}Begin here{bold:#}");
    for (command, what) in [
        ("mousetrap serve --open", "the board in your browser: play, analyse, look up"),
        ("mousetrap play", "the same in this terminal"),
        ("mousetrap rules", "how the game is played"),
    ] {
        let _ = write!(first, "\n  {command:<24}{dim}{what}{dim:#}");
    }
    first
}

/// The commands by group, each with what it does.
pub fn list(command: &clap::Command) -> String {
    let bold = anstyle::Style::new().bold();
    let mut list = String::new();
    for (group, names) in GROUPS {
        let _ = write!(list, "\n\n{bold}{group}{bold:#}");
        for name in names {
            let found = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = found
                .map_or("Print this list, or the help of a command".into(), ToString::to_string);
            let _ = write!(list, "\n  {name:<13}{about}");
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut known: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        known.push("help");
        let mut listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        known.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, known);
    }
}
