//! `mousetrap escape`: the complexity-driven search of one position, and how it went about it.

pub mod args;
mod diary;
mod picture;
mod text;

use std::io::Write;

use game::Game;
use jungle::{BurnettEval, Jungle, Move, Notation, Position};
use players::StrongestFirst;
use search::escape::{Answer, Escape, Settings, Trace, example};
use search::{Limits, Repetition};
use serde::Serialize;

use self::args::EscapeArgs;
use self::diary::Diary;
use crate::cli;
use crate::failure::Failure;
use crate::output::Output;

/// What came out, as data.
#[derive(Serialize)]
struct Shown {
    fen: String,
    rules: String,
    local: String,
    global: String,
    scale: String,
    left: u64,
    #[serde(rename = "move")]
    best: Option<String>,
    score: String,
    value: f64,
    pv: Vec<String>,
    spent: u64,
    share: f64,
    visits: u64,
    expansions: u64,
    deepest: u32,
    prunings: u64,
    peak_nodes: usize,
    ended: &'static str,
    /// Where the candidate at the root changed, and why the new one escaped.
    candidates: Vec<ShownCandidate>,
    /// The root's score and what it had to exceed, as the budget was spent.
    budget: Vec<ShownWeighing>,
}

#[derive(Serialize)]
struct ShownCandidate {
    spent: u64,
    #[serde(rename = "move")]
    mv: String,
    value: f64,
    share: f64,
    threshold: f64,
    visited: usize,
    children: usize,
}

#[derive(Serialize)]
struct ShownWeighing {
    spent: u64,
    share: f64,
    value: f64,
    threshold: f64,
}

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
    let jungle = Jungle::new(args.rules.rules);
    if let Some(ending) = jungle.ending(&position) {
        return Err(Failure::Input(format!(
            "there is nothing to search: the game is over ({ending}); give a position where it goes on"
        )));
    }
    let settings = settings(args)?;
    let mut search = Escape::new(&jungle, &BurnettEval, settings.clone()).order(StrongestFirst);
    let most = args.most.unwrap_or(args.left).min(args.left);
    let mut diary = Diary::new(args.plies as usize);
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
        let svg = picture::draw(args, &settings, &answer, search.tree(), &diary);
        std::fs::write(path, svg)
            .map_err(|error| Failure::outside(format!("writing {}", path.display()), error))?;
    }
    if args.json {
        return output.json(&shown(args, &settings, &position, &answer, &diary));
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
        jungle::Repetition::Ignored => Repetition::Ignored,
        _ => Repetition::Draw,
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

fn shown(
    args: &EscapeArgs,
    settings: &Settings,
    position: &Position,
    answer: &Answer<Move>,
    diary: &Diary,
) -> Shown {
    Shown {
        fen: jungle::Setup::from(position).to_string(),
        rules: args.rules.rules.to_string(),
        local: settings.local.to_string(),
        global: settings.global.to_string(),
        scale: settings.scale.to_string(),
        left: args.left,
        best: answer.best.map(|mv| mv.to_string()),
        score: answer.score.to_string(),
        value: answer.value,
        pv: answer.pv.iter().map(ToString::to_string).collect(),
        spent: answer.spent,
        share: answer.spent as f64 / args.left as f64,
        visits: answer.visits,
        expansions: answer.expansions,
        deepest: answer.deepest,
        prunings: answer.prunings,
        peak_nodes: answer.peak,
        ended: answer.ended.as_str(),
        candidates: diary
            .candidates()
            .iter()
            .map(|(spent, test)| ShownCandidate {
                spent: *spent,
                mv: test.best.to_string(),
                value: test.value,
                share: test.share,
                threshold: test.threshold,
                visited: test.visited,
                children: test.children,
            })
            .collect(),
        budget: diary
            .budget(100)
            .map(|weighing| ShownWeighing {
                spent: weighing.spent,
                share: weighing.share,
                value: weighing.value,
                threshold: weighing.threshold,
            })
            .collect(),
    }
}

/// A line of play in the papers' notation.
fn algebraic(jungle: &Jungle, position: &Position, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &mv in line {
        words.push(Notation::Algebraic { marks: true }.write(jungle, &position, mv));
        jungle.make(&mut position, mv);
    }
    words.join(" ")
}
