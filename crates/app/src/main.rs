//! The `mousetrap` program: everything that prints, listens or reads configuration.

mod cli;
mod commands;
mod failure;
mod output;

use std::process::ExitCode;

use clap::FromArgMatches;
use lab::players::uci::warden;

use crate::cli::{Cli, Command};
use crate::failure::Failure;
use crate::output::Output;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|first| first == warden::ARGUMENT) {
        return ExitCode::from(warden::run(words));
    }
    warden::offer();
    let mut output = Output::stdout();
    let done = match commands::protocol::greeting() {
        Some(greeting) => commands::protocol::answer(greeting),
        None => match arguments().command {
            Some(command) => run(command, &mut output),
            None => {
                anstream::eprintln!("{}", commands::overview::begin());
                return ExitCode::from(2);
            }
        },
    };
    match done.and_then(|()| output.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// What was typed; ends the program where that is help, a version or a mistake.
fn arguments() -> Cli {
    let matches = Cli::grouped().get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn run(command: Command, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => commands::serve::run(&args, output),
        Command::Play(args) => commands::play::run(&args, output),
        Command::Show(args) => commands::show::run(&args, output),
        Command::Perft(args) => commands::perft::run(&args, output),
        Command::Rules(args) => commands::rules::run(&args, output),
        Command::Split(args) => commands::causality::split::run(&args, output),
        Command::Cone(args) => commands::causality::cone::run(&args, output),
        Command::Prove(args) => commands::prove::run(&args, output),
        Command::Tb(args) => commands::tb::run(&args, output),
        Command::Mine(args) => commands::mine::run(&args, output),
        Command::Games(args) => commands::games::run(&args, output),
        Command::Book(args) => commands::book::run(&args, output),
        Command::Puzzles(args) => commands::puzzles::run(&args, output),
        Command::Match(args) => commands::contest::run_match(args, output),
        Command::Tournament(args) => commands::contest::run_tournament(args, output),
        Command::Openings(args) => commands::contest::openings::run(&args, output),
        Command::Lab(args) => commands::lab::run(&args, output),
        Command::Analyse(args) => commands::analyse::run(&args, output),
        Command::Escape(args) => commands::escape::run(&args, output),
        Command::Datagen(args) => commands::datagen::run(&args, output),
        Command::Train(args) => commands::train::run(&args, output),
        Command::Tune(args) => commands::tune::run(&args, output),
        Command::TuneSearch(args) => commands::tune_search::run(&args, output),
        Command::Amazons(args) => commands::amazons::run(&args, output),
        Command::Gadgets(args) => commands::gadgets::run(&args, output),
        Command::Repro(args) => commands::repro::run(&args, output),
        Command::Report(args) => commands::report::run(&args, output),
        Command::Bench(args) => commands::bench::run(&args, output),
        Command::Uci => commands::protocol::uci(None),
        Command::Xboard => commands::protocol::xboard(None),
        Command::Completions(args) => commands::shell::completions(&args, output),
        Command::Man(args) => commands::shell::man(&args, output),
    }
}
