//! `mousetrap escape`: the complexity-driven search of one position, and how it went.

pub mod args;
mod text;

use std::io::Write;

use answers::EscapeSearch;
use game::limits::Limits;
use jungle::{BurnettEval, Jungle, Move};
use players::StrongestFirst;
use search::PathRepetition;
use search::escape::{Diary, Escape, Settings, Trace, example};
use studies::krad_petrakos::TreePicture;

use self::args::EscapeArgs;
use crate::cli;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &EscapeArgs, output: &mut Output) -> Result<(), Failure> {
    if args.published {
        let (answer, trace) = example::run();
        write!(output, "{trace}")?;
        return Ok(writeln!(
            output,
            "answer  score {:+.3} after {} of 120 units: {}",
            answer.value,
            answer.spent,
            answer.ended.as_str()
        )?);
    }
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let position = cli::position(fen.as_deref())?;
    let rules = args.rules.rules;
    let jungle = Jungle::new(rules);
    if let Some(ending) = jungle.ending(&position) {
        return Err(Failure::Input(format!(
            "there is nothing to search: the game is over ({ending}); give another position"
        )));
    }
    let settings = settings(args)?;
    let mut search = Escape::new(&jungle, &BurnettEval, settings.clone()).order(StrongestFirst);
    let most = args.most.unwrap_or(args.left).min(args.left);
    let mut diary = if args.json { EscapeSearch::diary() } else { Diary::new(args.plies as usize) };
    let mut trace = Trace::new(settings.scale, args.steps, named);
    let mut watch = |path: &[Move], event| {
        use search::escape::Watch;
        diary.see(path, event);
        if args.explain {
            trace.see(path, event);
        }
    };
    let limits = Limits::game_nodes(args.left).with_nodes(most);
    let answer = search.search_watched(&position, &limits, &mut watch);
    if let Some(path) = &args.svg {
        let (plies, children) = (args.plies as usize, args.children as usize);
        let picture = TreePicture { plies, children, left: args.left };
        let svg = picture.draw(&settings, &answer, search.tree(), &diary);
        std::fs::write(path, svg)
            .map_err(|error| Failure::outside(format!("writing {}", path.display()), error))?;
    }
    if args.json {
        let grown = (search.tree(), &diary);
        let document = EscapeSearch::new(&rules, &position, args.left, &settings, &answer, grown);
        return output.json(&document);
    }
    text::summary(args, &jungle, &position, &answer, output)?;
    if args.explain {
        text::steps(&trace, args.steps, output)?;
        text::candidates(&diary, output)?;
        text::tree(args, &settings, search.tree(), &diary, output)?;
        text::budget(&diary, &answer, output)?;
    }
    if let Some(path) = &args.svg {
        writeln!(output, "picture: {}", path.display())?;
    }
    Ok(())
}

fn settings(args: &EscapeArgs) -> Result<Settings, Failure> {
    let repetition = Some(match args.rules.rules.repetition {
        jungle::Repetition::Ignored => PathRepetition::Ignored,
        _ => PathRepetition::Draw,
    });
    let (local, global) = (args.local.clone(), args.global.clone());
    Settings { local, global, repetition, ..Settings::default() }
        .with(&args.set)
        .map_err(|error| Failure::input("--set", error))
}

/// The path from the root as text: `root`, `a3b3 g7f7`.
fn named(path: &[Move]) -> String {
    if path.is_empty() {
        return "root".to_owned();
    }
    path.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
