//! `mousetrap prove`: wins of positions that no table holds, by parts.

use std::io::Write;

use answers::Proved;
use clap::Args;
use jungle::Jungle;
use jungle::picture::Terminal;
use tablebase::proof::{By, Certificate, Prover};

use crate::cli::{self, RulesArg};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Debug, Args)]
#[command(
    after_help = "Looks for a few pieces that decide the game, whatever all the others do: a part that its tempo
table says is won, also if the enemy passes in it, with all other enemies too far away to matter. A win
or loss that is found is proved, and the proof is checked by another program; nothing is said of
other positions, and draws are never proved.

The distance is an upper bound. Repetition and move limits are ignored.

In JSON, `outcome` is for the side to move (null if there is no proof), `by` is race (one piece runs),
part (pieces of both sides) or tempo (a spare piece waits), and `certificate` holds the strategy: what the
winner plays, by how many plies have been played and where the pieces of the part stand.

Examples:
  mousetrap prove '7/2C4/7/7/7/7/6e/1t3l1/E4PD w'
  mousetrap prove '7/2C4/7/7/7/7/6e/1t3l1/E4PD w' --json"
)]
pub struct ProveArgs {
    /// The position as FEN
    #[arg(value_name = "FEN", num_args = 1.., required = true)]
    pub fen: Vec<String>,
    #[command(flatten)]
    pub rules: RulesArg,
    /// The most pieces of a part; three take minutes where many pieces are left
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u8).range(1..=3))]
    pub pieces: u8,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &ProveArgs, output: &mut Output) -> Result<(), Failure> {
    let position = cli::position(Some(&args.fen.join(" ")))?;
    if let Some(ending) = Jungle::new(args.rules.rules).ending(&position) {
        return Err(Failure::Input(format!("the game is over in this position: {ending}")));
    }
    let mut prover = Prover::new(&args.rules.rules, args.pieces.into());
    let proved = Proved::of(&mut prover, &position);
    if args.json {
        return output.json(&proved);
    }
    write!(output, "{}", Terminal::of(&position))?;
    let (Some(outcome), Some(plies), Some(by), Some(certificate)) =
        (proved.outcome, proved.plies, proved.by, &proved.certificate)
    else {
        writeln!(output, "no proof found with parts of up to {} pieces", args.pieces)?;
        return Ok(());
    };
    let word = if outcome == game::truth::Wdl::Win { "wins" } else { "loses" };
    writeln!(output, "{} {word} within {plies} plies, proved and checked", position.turn())?;
    explain(by, certificate, output)
}

fn explain(by: By, certificate: &Certificate, output: &mut Output) -> Result<(), Failure> {
    let part = certificate.part.join(" ");
    match (by, &certificate.spare) {
        (By::Race, _) => writeln!(output, "by a race: {part} runs, and no enemy is in time")?,
        (By::Tempo, Some([from, to])) => writeln!(
            output,
            "by the part {part}, with {from}{to} to wait: no other enemy comes near in time"
        )?,
        _ => writeln!(output, "by the part {part}: no other enemy comes near in time")?,
    }
    if let Some(first) = certificate.strategy.first() {
        writeln!(output, "first {} ({} moves in all)", first.mv, certificate.strategy.len())?;
    }
    Ok(())
}
