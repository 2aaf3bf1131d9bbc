//! Why values differ, with an example of each cause.

use std::fmt::Write;

use amazons::evaluate::Weights;
use amazons::picture::Picture;
use serde::Serialize;

use super::Cause;
use super::exactness::name;
use super::formula5::{Example, Figures, Made};

/// A row: one depth, boards of one kind, one cause.
#[derive(Clone, Debug, Serialize)]
pub struct Reason {
    depth: u32,
    made_of: &'static str,
    cause: &'static str,
    /// Differences put down to it.
    first: u64,
    /// Differences that its repair alone makes vanish.
    alone: u64,
}

#[derive(Clone, Debug, Serialize)]
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
#[derive(Clone, Debug, Serialize)]
struct Repaired {
    cause: &'static str,
    value: i32,
}

/// All findings on causes.
#[derive(Clone, Debug, Serialize)]
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
                    let made_of = name(made);
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
    pub fn render(&self, figures: &Figures) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "\nwhy values differ: by the first repair that makes the difference vanish \
             (in brackets: by all whose repair alone does)"
        );
        let _ = write!(text, "{:>5} {:<12}", "depth", "cause");
        for made in Made::ALL {
            let _ = write!(text, " {:>24}", name(made));
        }
        let _ = writeln!(text);
        for (reasons, depth) in figures.reasons.iter().zip(1..) {
            for cause in Cause::ALL {
                let of = cause as usize;
                if reasons.iter().all(|reasons| reasons.alone[of] == 0) {
                    continue;
                }
                let _ = write!(text, "{depth:>5} {:<12}", cause.name());
                for reasons in reasons {
                    let cell = format!("{} ({})", reasons.first[of], reasons.alone[of]);
                    let _ = write!(text, " {cell:>24}");
                }
                let _ = writeln!(text);
            }
        }
        let _ = writeln!(
            text,
            "traced: {} too long to trace, {} where the game with all repairs is not minimax",
            self.untraced, self.mistraced
        );
        for ((cause, example), shown) in figures.examples.iter().zip(&self.examples) {
            let (name, depth) = (cause.name(), example.depth);
            let _ = writeln!(text, "\n{name}: vanishes if {}. The smallest:", cause.repair());
            let _ = write!(text, "{}", Picture::of(&example.position).colored(false).to_terminal());
            let _ = writeln!(text, "{}", example.position);
            let _ = writeln!(
                text,
                "to depth {depth}: formula (5) {} with {}; minimax {} with {}",
                shown.combined,
                shown.chosen.as_deref().unwrap_or("no move"),
                shown.minimax,
                shown.line.join(" ")
            );
            let repaired: Vec<String> =
                shown.repaired.iter().map(|one| format!("{} {}", one.cause, one.value)).collect();
            let _ = writeln!(text, "repaired: {}", repaired.join(", "));
        }
        text
    }
}
