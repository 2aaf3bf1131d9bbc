//! A search explained in words.

use std::io::Write;

use answers::{Notated, algebraic};
use jungle::{Jungle, Move, Position};
use search::escape::{Diary, EscapeAnswer, Grown, Settings, Trace};

use super::args::EscapeArgs;
use super::named;
use crate::failure::Failure;
use crate::output::Output;

/// How many rows the lists have.
const ROWS: usize = 16;

pub fn summary(
    args: &EscapeArgs,
    jungle: &Jungle,
    position: &Position,
    answer: &EscapeAnswer<Move>,
    output: &mut Output,
) -> Result<(), Failure> {
    let best = answer
        .best
        .map_or("none".to_owned(), |mv| format!("{mv} ({})", algebraic(jungle, position, mv)));
    let shown = &answer.pv[..answer.pv.len().min(10)];
    let more = if answer.pv.len() > shown.len() { " …" } else { "" };
    writeln!(output, "move    {best}")?;
    writeln!(output, "score   {} ({:+.3})", answer.score, answer.value)?;
    let line = Notated::new(jungle, position, shown).algebraic;
    writeln!(output, "line    {}{more}", line.join(" "))?;
    writeln!(
        output,
        "spent   {} of {} left for the game ({:.1} %): {}",
        answer.spent,
        args.left,
        100.0 * answer.spent as f64 / args.left as f64,
        answer.ended.as_str()
    )?;
    writeln!(
        output,
        "tree    {} visited, {} expanded, {} plies deep, {} kept at most, pruned {} times",
        answer.visits, answer.expansions, answer.deepest, answer.peak, answer.prunings
    )?;
    Ok(())
}

pub fn steps<F>(trace: &Trace<F>, most: usize, output: &mut Output) -> Result<(), Failure> {
    writeln!(output, "\nThe first steps (l: local escape function, g: global)")?;
    for line in trace.text().lines() {
        writeln!(output, "  {line}")?;
    }
    if trace.events() > most {
        writeln!(output, "  … and {} more; --steps shows more of them", trace.events() - most)?;
    }
    Ok(())
}

pub fn candidates(diary: &Diary<Move>, output: &mut Output) -> Result<(), Failure> {
    let all = diary.candidates();
    writeln!(output, "\nCandidates at the root, whenever another one escaped")?;
    writeln!(
        output,
        "  {:>8}  {:<6} {:>7}  {:>7} {:>8}  why",
        "spent", "move", "value", "share", "l(share)"
    )?;
    for (spent, test) in all.iter().take(ROWS) {
        let (visited, children) = (test.visited, test.children);
        let why = if test.value >= test.threshold {
            format!("best of {visited} of {children} visited, and good enough")
        } else {
            format!("best of all {children}: no other is left")
        };
        writeln!(
            output,
            "  {spent:>8}  {:<6} {:>+7.3}  {:>7.4} {:>+8.3}  {why}",
            test.best.to_string(),
            test.value,
            test.share,
            test.threshold
        )?;
    }
    if all.len() > ROWS {
        writeln!(output, "  … and {} more changes", all.len() - ROWS)?;
    }
    Ok(())
}

pub fn tree(
    args: &EscapeArgs,
    settings: &Settings,
    root: Grown<'_, Move>,
    diary: &Diary<Move>,
    output: &mut Output,
) -> Result<(), Failure> {
    writeln!(
        output,
        "\nThe tree: value for the player who moved there, what it took, and how the last candidate below escaped"
    )?;
    // Depth first, on a stack of its own.
    let mut left = vec![(root, Vec::new())];
    while let Some((node, path)) = left.pop() {
        let value = match node.mv() {
            Some(_) => settings.scale.unit(node.score().deeper()),
            None => settings.scale.unit(node.score()),
        };
        let name = node.mv().map_or(named(&[]), |mv| mv.to_string());
        let indent = "  ".repeat(path.len());
        write!(
            output,
            "  {:<20} {value:>+7.3} {:>8}",
            format!("{indent}{name}"),
            node.complexity()
        )?;
        if node.is_solved() {
            write!(output, "  solved")?;
        }
        if node.is_expanded() {
            write!(output, "  {}/{} visited", node.visited().count(), node.count())?;
        }
        if let Some((_, test)) = diary.escape_at(&path) {
            write!(
                output,
                ", {} at {:+.3} ≥ l({:.3}) = {:+.3}",
                test.best, test.value, test.share, test.threshold
            )?;
        }
        writeln!(output)?;
        if path.len() >= args.plies as usize {
            continue;
        }
        let children = node.dearest(args.children as usize);
        for child in children.into_iter().rev() {
            let mut path = path.clone();
            path.extend(child.mv());
            left.push((child, path));
        }
    }
    Ok(())
}

pub fn budget(
    diary: &Diary<Move>,
    answer: &EscapeAnswer<Move>,
    output: &mut Output,
) -> Result<(), Failure> {
    writeln!(output, "\nThe budget: the root moves when its value exceeds g at the share spent")?;
    writeln!(output, "  {:>8}  {:>8}  {:>7}  {:>7}", "spent", "share", "value", "g")?;
    for weighing in diary.budget(ROWS) {
        writeln!(
            output,
            "  {:>8}  {:>8.5}  {:>+7.3}  {:>+7.3}  {}",
            weighing.spent,
            weighing.share,
            weighing.value,
            weighing.threshold,
            bar(weighing.value, weighing.threshold)
        )?;
    }
    Ok(writeln!(output, "  ended: {}", answer.ended.as_str())?)
}

/// The value (o) and the threshold (|) between −1 and 1, in forty-one letters.
fn bar(value: f64, threshold: f64) -> String {
    let at = |x: f64| ((x + 1.0) * 20.0).round().clamp(0.0, 40.0) as usize;
    let mut letters = vec!['·'; 41];
    letters[at(threshold)] = '|';
    letters[at(value)] = 'o';
    letters.into_iter().collect()
}
