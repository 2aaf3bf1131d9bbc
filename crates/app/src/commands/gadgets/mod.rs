//! `mousetrap gadgets`: hardness gadgets, their contracts and compiled boards.

pub mod args;
mod compile;
mod list;
mod play;
mod protector;
mod show;
mod solve;
mod trial;
mod verify;

use std::path::Path;

use ::gadgets::circuit::Circuit;
use ::gadgets::formula::Formula;
use ::gadgets::layout::Layout;
use ::gadgets::play::Opponent;
use ::gadgets::{BoardRules, Trapped};
use jungle::Color;

use crate::commands::gadgets::args::{
    Against, BoardRulesArgs, First, GadgetsArgs, GadgetsCommand, TrappedArg,
};
use crate::failure::Failure;
use crate::output::{Output, write_file};

pub fn run(args: &GadgetsArgs, output: &mut Output) -> Result<(), Failure> {
    match &args.command {
        GadgetsCommand::List(args) => list::run(args, output),
        GadgetsCommand::Show(args) => show::run(args, output),
        GadgetsCommand::Verify(args) => verify::run(args, output),
        GadgetsCommand::Protector(args) => protector::run(args, output),
        GadgetsCommand::Compile(args) => compile::run(args, output),
        GadgetsCommand::Play(args) => play::run(args, output),
        GadgetsCommand::Solve(args) => solve::run(args, output),
        GadgetsCommand::Trial(args) => trial::run(args, output),
    }
}

impl First {
    fn color(self) -> Color {
        match self {
            First::White => Color::White,
            First::Black => Color::Black,
        }
    }
}

impl BoardRulesArgs {
    fn board_rules(self) -> BoardRules {
        let trapped = match self.trapped {
            TrappedArg::Full => Trapped::Full,
            TrappedArg::Zero => Trapped::Zero,
        };
        BoardRules { trapped, ..self.rules.into() }
    }
}

impl std::fmt::Display for BoardRulesArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.trapped {
            TrappedArg::Full => write!(f, "{}", self.rules),
            TrappedArg::Zero => write!(f, "{}, trapped pieces of strength zero", self.rules),
        }
    }
}

impl Against {
    /// The policy, and what it is called.
    fn opponent(self) -> (Opponent, &'static str) {
        match self {
            Against::Greedy => (Opponent::Greedy, "greedy"),
            Against::Random => (Opponent::Random, "random"),
            Against::Search => (Opponent::Search, "search"),
        }
    }
}

/// The board of a formula.
fn layout(formula: &Formula, stepping: bool) -> Layout {
    let circuit = Circuit::of(formula);
    if stepping { Layout::stepping(&circuit) } else { Layout::of(&circuit) }
}

/// The side as formats write it.
fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A formula given on the command line, or the name of a file with one.
fn formula(text: &str) -> Result<Formula, Failure> {
    if Path::new(text).is_file() {
        let content = std::fs::read_to_string(text)
            .map_err(|error| Failure::outside(format!("reading {text}"), error))?;
        return content
            .parse()
            .map_err(|error| Failure::input(format_args!("bad formula in {text}"), error));
    }
    text.parse().map_err(|error| Failure::input("bad formula", error))
}

/// How large a PNG may become, in pixels on the longer side.
const PNG_SIDE: f32 = 4000.0;

/// Writes a picture as SVG and as PNG, where asked; the PNG is made to fit.
fn write_pictures(
    svg: &str,
    side: f64,
    as_svg: Option<&Path>,
    as_png: Option<&Path>,
) -> Result<(), Failure> {
    if let Some(path) = as_svg {
        write_file(path, svg.as_bytes())?;
    }
    if let Some(path) = as_png {
        let scale = (PNG_SIDE / side as f32).min(2.0);
        let png = jungle::picture::svg_to_png(svg, scale)
            .map_err(|error| Failure::outside("drawing the picture", error))?;
        write_file(path, &png)?;
    }
    Ok(())
}
