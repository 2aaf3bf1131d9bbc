//! The second half of `mousetrap amazons exactness`: why values differ, with an example of each cause.

use std::io::Write;

use amazons::causes::Cause;
use amazons::evaluate::Weights;
use amazons::exactness::{Example, Figures, Made};
use amazons::picture::Picture;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::Output;

/// A row: one depth, boards of one kind, one cause.
#[derive(Serialize)]
pub struct Reason {
    depth: u32,
    made_of: &'static str,
    cause: &'static str,
    /// Differences put down to it.
    first: u64,
    /// Differences that its repair alone makes vanish.
    alone: u64,
}

#[derive(Serialize)]
pub struct ShownExample {
    cause: &'static str,
    vanishes_if: &'static str,
    position: String,
    depth: u32,
    combined: i32,
    chosen: Option<String>,
    minimax: i32,
    line: Vec<String>,
    repaired: Vec<Repaired>,
}

/// The value after a repair.
#[derive(Serialize)]
struct Repaired {
    cause: &'static str,
    value: i32,
}

/// Everything found out about causes.
#[derive(Serialize)]
pub struct Reasons {
    causes: Vec<Reason>,
    /// Differences that would have taken too long to trace.
    untraced: u64,
    /// Differences where the traced game with everything repaired is not minimax.
    mistraced: u64,
    examples: Vec<ShownExample>,
}

impl Reasons {
    pub fn of(figures: &Figures, weights: Weights) -> Reasons {
        let mut causes = Vec::new();
        for (reasons, depth) in figures.reasons.iter().zip(1..) {
            for (made, reasons) in Made::ALL.into_iter().zip(reasons) {
                for cause in Cause::ALL {
                    let [first, alone] =
                        [reasons.first, reasons.alone].map(|of| of[cause as usize]);
                    let made_of = super::exactness::name(made);
                    causes.push(Reason { depth, made_of, cause: cause.name(), first, alone });
                }
            }
        }
        let show = |(&cause, example): (&Cause, &Example)| ShownExample {
            cause: cause.name(),
            vanishes_if: cause.repair(),
            position: example.position.to_string(),
            depth: example.depth,
            combined: example.combined,
            chosen: example.chosen(weights).map(|mv| mv.to_string()),
            minimax: example.trace.board,
            line: example.line(weights).iter().map(ToString::to_string).collect(),
            repaired: Cause::ALL
                .into_iter()
                .zip(example.trace.repaired)
                .map(|(cause, value)| Repaired { cause: cause.name(), value })
                .collect(),
        };
        Reasons {
            causes,
            untraced: figures.reasons.iter().flatten().map(|reasons| reasons.untraced).sum(),
            mistraced: figures.mistraced,
            examples: figures.examples.iter().map(show).collect(),
        }
    }

    /// The table and the examples as text.
    pub fn write(&self, figures: &Figures, output: &mut Output) -> Result<(), Failure> {
        writeln!(
            output,
            "\nwhy values differ: by the first repair that makes the difference vanish \
             (in brackets: by all whose repair alone does)"
        )?;
        write!(output, "{:>5} {:<12}", "depth", "cause")?;
        for made in Made::ALL {
            write!(output, " {:>24}", super::exactness::name(made))?;
        }
        writeln!(output)?;
        for (reasons, depth) in figures.reasons.iter().zip(1..) {
            for cause in Cause::ALL {
                let of = cause as usize;
                if reasons.iter().all(|reasons| reasons.alone[of] == 0) {
                    continue;
                }
                write!(output, "{depth:>5} {:<12}", cause.name())?;
                for reasons in reasons {
                    let cell = format!("{} ({})", reasons.first[of], reasons.alone[of]);
                    write!(output, " {cell:>24}")?;
                }
                writeln!(output)?;
            }
        }
        writeln!(
            output,
            "traced: {} too long to trace, {} where the game with all repairs is not minimax",
            self.untraced, self.mistraced
        )?;
        for ((cause, example), shown) in figures.examples.iter().zip(&self.examples) {
            let (name, depth) = (cause.name(), example.depth);
            writeln!(output, "\n{name}: vanishes if {}. The smallest:", cause.repair())?;
            write!(output, "{}", Picture::of(&example.position).colored(false).to_terminal())?;
            writeln!(output, "{}", example.position)?;
            writeln!(
                output,
                "to depth {depth}: formula (5) {} with {}; minimax {} with {}",
                shown.combined,
                shown.chosen.as_deref().unwrap_or("no move"),
                shown.minimax,
                shown.line.join(" ")
            )?;
            let repaired: Vec<String> =
                shown.repaired.iter().map(|one| format!("{} {}", one.cause, one.value)).collect();
            writeln!(output, "repaired: {}", repaired.join(", "))?;
        }
        Ok(())
    }
}
