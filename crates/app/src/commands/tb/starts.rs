//! `mousetrap tb solve-starts`: who wins when both sides begin with only some of their animals.

use std::collections::BTreeMap;
use std::io::Write;

use game::truth::{Truth, Wdl};
use jungle::AnimalSet;
use serde::Serialize;
use tablebase::starts::{classes, start};

use crate::commands::tb::args::SolveStartsArgs;
use crate::commands::tb::set::Set;
use crate::failure::Failure;
use crate::output::Output;

/// A start solved; the names are a contract with other programs.
#[derive(Serialize)]
struct StartRow {
    white: String,
    black: String,
    fen: String,
    /// For White, who moves first.
    #[serde(flatten)]
    value: Truth,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Default)]
struct Score([u32; 3]);

impl Score {
    fn add(&mut self, outcome: Wdl) {
        self.0[match outcome {
            Wdl::Win => 0,
            Wdl::Draw => 1,
            Wdl::Loss => 2,
        }] += 1;
    }

    /// In half points.
    fn points(self) -> u32 {
        2 * self.0[0] + self.0[1]
    }
}

pub fn run(args: &SolveStartsArgs, output: &mut Output) -> Result<(), Failure> {
    let set = Set::open(&args.set)?;
    let (mut all, mut longest) = (Score::default(), None::<(u32, String)>);
    let (mut first, mut second) = (BTreeMap::new(), BTreeMap::new());
    for class in classes(args.white, args.black) {
        let Some(position) = start(class) else { continue };
        let value = set.tablebase().probe(&position).map_err(|error| set.failure(error))?;
        if args.json {
            let (white, black) = (class.white.to_string(), class.black.to_string());
            output.json(&StartRow { white, black, fen: position.to_string(), value })?;
            continue;
        }
        let outcome = value.outcome();
        all.add(outcome);
        score(&mut first, class.white).add(outcome);
        score(&mut second, class.black).add(outcome.reversed());
        if value.plies().is_some_and(|plies| longest.as_ref().is_none_or(|(most, _)| plies > *most))
        {
            longest = Some((value.plies().unwrap_or(0), format!("{class}, {position}: {value}")));
        }
    }
    if args.json {
        return Ok(());
    }
    let Score([wins, draws, losses]) = all;
    writeln!(
        output,
        "{} starts of {} against {}: the side that moves first wins {wins}, draws {draws} and loses {losses}",
        wins + draws + losses,
        args.white,
        args.black
    )?;
    if let Some((_, longest)) = longest {
        writeln!(output, "the longest: {longest}")?;
    }
    table("moving first", &first, output)?;
    table("moving second", &second, output)
}

fn score(scores: &mut BTreeMap<u8, Score>, animals: AnimalSet) -> &mut Score {
    scores.entry(animals.bits()).or_default()
}

/// The animals by their points, most first.
fn table(heading: &str, scores: &BTreeMap<u8, Score>, output: &mut Output) -> Result<(), Failure> {
    writeln!(output, "\n{heading:<14}{:>6}{:>7}{:>8}", "wins", "draws", "losses")?;
    let mut rows: Vec<(&u8, &Score)> = scores.iter().collect();
    rows.sort_by_key(|(animals, score)| std::cmp::Reverse((score.points(), **animals)));
    for (animals, Score([wins, draws, losses])) in rows {
        let animals = AnimalSet::from_bits(*animals).to_string();
        writeln!(output, "{animals:<14}{wins:>6}{draws:>7}{losses:>8}")?;
    }
    Ok(())
}
