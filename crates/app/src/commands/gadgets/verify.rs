//! `mousetrap gadgets verify`: deciding the contracts of gadgets.

use std::io::Write;

use gadgets::circuit::Gate;
use gadgets::contract;
use gadgets::lemma::{self, Claim, ClaimResult, Expect};
use gadgets::{Gadget, repair};
use game::truth::Plies;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::args::{VerifyArgs, Which};
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Judged<'a> {
    lemma: &'a str,
    gadget: &'a str,
    claim: &'a str,
    verdict: &'static str,
    states: usize,
    plies: Option<u32>,
    plies_after_waiting: Option<u32>,
    leaves_time: Option<bool>,
    line: &'a [String],
}

pub fn run(args: &VerifyArgs, output: &mut Output) -> Result<(), Failure> {
    let claims = claims(args)?;
    let limit = args.limit as usize;
    if args.repair {
        return search(args, &claims, output);
    }
    let bar = ProgressBar::new(claims.len() as u64)
        .with_style(ProgressStyle::with_template("{pos}/{len} {msg}").expect("a valid template"));
    let (mut counts, mut states) = ([0; 3], 0);
    let mut gadget = String::new();
    for claim in &claims {
        bar.set_message(format!("{}: {}", claim.gadget.name, claim.text));
        bar.tick();
        let verdict = claim.decide(args.rules.board_rules(), limit);
        states += verdict.states;
        let word = match verdict.holds {
            Some(true) => "holds",
            Some(false) => "FAILS",
            None => "undecided",
        };
        counts[match verdict.holds {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        }] += 1;
        bar.inc(1);
        if args.json {
            output.json(&Judged {
                lemma: claim.lemma,
                gadget: &claim.gadget.name,
                claim: &claim.text,
                verdict: word,
                states: verdict.states,
                plies: verdict.plies,
                plies_after_waiting: verdict.patience,
                leaves_time: verdict.leaves_time,
                line: &verdict.line,
            })?;
        } else {
            if gadget != claim.gadget.name {
                gadget.clone_from(&claim.gadget.name);
                writeln!(output, "\n{gadget}: {}", claim.gadget.title)?;
            }
            writeln!(
                output,
                "  {word:<9} {:>10} states  {}{}",
                verdict.states,
                claim.text,
                notes(claim, &verdict)
            )?;
            if !verdict.line.is_empty() && (args.lines || verdict.holds == Some(false)) {
                writeln!(output, "            {}", verdict.line.join("; "))?;
            }
        }
        output.flush()?;
    }
    bar.finish_and_clear();
    if !args.json {
        let [holds, fails, undecided] = counts;
        writeln!(
            output,
            "\n{holds} claims hold, {fails} fail, {undecided} undecided; {states} states in all, rules {}",
            args.rules
        )?;
    }
    if args.set == Which::Published && args.names.is_empty() {
        Ok(())
    } else {
        contracts(args, output)
    }
}

#[derive(Serialize)]
struct ContractResult<'a> {
    contract: &'a str,
    signals_at_inputs: &'a [u8],
    verdict: &'static str,
    states: usize,
    black_holds: bool,
    answers: Option<u32>,
    never_repeats: bool,
    holding_states: usize,
    white_waits: bool,
    plies_after_waiting: Option<u32>,
    forcing_states: usize,
    line: Vec<String>,
}

/// Decides the contracts of the mended gates, and whether they fit together.
fn contracts(args: &VerifyArgs, output: &mut Output) -> Result<(), Failure> {
    let named = |gadget: &Gadget| args.names.is_empty() || args.names.contains(&gadget.name);
    let mut kinds: Vec<(Gate, Gadget)> = Vec::new();
    for (gate, _) in contract::kinds() {
        let drawings = contract::drawings(gate).into_iter().filter(named);
        kinds.extend(drawings.map(|gadget| (gate, gadget)));
    }
    if !args.json && !kinds.is_empty() {
        writeln!(
            output,
            "\ncontracts: signals come unannounced, Black answers only what happens inside"
        )?;
    }
    let mut states = 0;
    for (gate, gadget) in &kinds {
        let Some(contract) = contract::proved(*gate, gadget, args.rules.board_rules()) else {
            continue;
        };
        let surroundings = &contract.surroundings;
        states += contract.held.len() + contract.forcing.states();
        let verdict = if contract.holds() { "holds" } else { "FAILS" };
        let line = if contract.held.holds() { Vec::new() } else { contract.held.refutation() };
        let label = &gadget.name;
        if args.json {
            output.json(&ContractResult {
                contract: label,
                signals_at_inputs: &surroundings.arriving,
                verdict,
                states: contract.held.len() + contract.forcing.states(),
                black_holds: contract.held.holds(),
                answers: contract.held.cost(),
                never_repeats: contract.held.never_repeats(),
                holding_states: contract.held.len(),
                white_waits: contract.forcing.holds(),
                plies_after_waiting: contract.forcing.plies_after_waiting(),
                forcing_states: contract.forcing.states(),
                line,
            })?;
            continue;
        }
        let number = |number: Option<u32>| {
            number.map_or_else(|| "no bound".to_owned(), |number| number.to_string())
        };
        writeln!(
            output,
            "  {verdict:<9} {label:<14} {} at an input: Black holds ({} states, answers at most {}, {}); White can \
             wait and then forces ({} states, {} plies at most)",
            surroundings.arriving[0],
            contract.held.len(),
            number(contract.held.cost()),
            if contract.held.never_repeats() { "no position twice" } else { "may repeat" },
            contract.forcing.states(),
            number(contract.forcing.plies_after_waiting())
        )?;
        if !line.is_empty() {
            writeln!(output, "            {}", line.join("; "))?;
        }
    }
    if args.names.is_empty() && !args.json {
        match contract::compose_all() {
            Ok(combinations) => writeln!(
                output,
                "composition: in all {combinations} combinations of neighbours, what is assumed is promised; {states} states"
            )?,
            Err(error) => writeln!(output, "composition FAILS: {error}")?,
        }
    }
    Ok(())
}

fn claims(args: &VerifyArgs) -> Result<Vec<Claim>, Failure> {
    let mut claims = Vec::new();
    if args.set != Which::Mended || !args.names.is_empty() {
        claims.extend(lemma::published());
    }
    if args.set != Which::Published || !args.names.is_empty() {
        claims.extend(lemma::mended());
    }
    for name in &args.names {
        let drawn = |gate| contract::drawings(gate).iter().any(|gadget| gadget.name == *name);
        let contracted = contract::kinds().into_iter().any(|(gate, _)| drawn(gate));
        if !contracted && !claims.iter().any(|claim| claim.gadget.name == *name) {
            return Err(Failure::Input(format!(
                "there are no claims about '{name}': see `mousetrap gadgets list`"
            )));
        }
    }
    claims.retain(|claim| args.names.is_empty() || args.names.contains(&claim.gadget.name));
    Ok(claims)
}

fn notes(claim: &Claim, verdict: &ClaimResult) -> String {
    let mut notes = Vec::new();
    let sitting =
        verdict.sitting.map(|animal| format!("even with {animal}s that move only to take"));
    match (verdict.plies, sitting) {
        (Some(plies), Some(sitting)) => notes.push(format!("forced in {} {sitting}", Plies(plies))),
        (Some(plies), None) => notes.push(format!("forced in {}", Plies(plies))),
        (None, sitting) => notes.extend(sitting),
    }
    if claim.composable && claim.expect == Expect::Forced {
        notes.push(match verdict.patience {
            Some(plies) => format!("White can wait ({} then)", Plies(plies)),
            None => "White cannot wait".to_owned(),
        });
    }
    match verdict.leaves_time {
        Some(true) => notes.push("Black has time".to_owned()),
        Some(false) => notes.push("Black is kept busy".to_owned()),
        None => {}
    }
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) }
}

fn search(args: &VerifyArgs, claims: &[Claim], output: &mut Output) -> Result<(), Failure> {
    if args.names.len() != 1 {
        return Err(Failure::Input("--repair takes one gadget at a time: name one".to_owned()));
    }
    let bar = ProgressBar::new_spinner().with_style(
        ProgressStyle::with_template("{pos} changed drawings tried").expect("a valid template"),
    );
    let changes = usize::from(args.changes);
    let found =
        repair::repair(claims, changes, args.rules.board_rules(), args.limit as usize, |tried| {
            bar.set_position(tried as u64);
        });
    bar.finish_and_clear();
    let name = &args.names[0];
    writeln!(
        output,
        "{name}: {} drawings with up to {changes} squares changed tried, {} given up as too large",
        found.tried, found.undecided
    )?;
    match found.gadget {
        Some(gadget) => write!(output, "all claims hold for\n{}", gadget.board)?,
        None => writeln!(output, "no such change makes all claims hold")?,
    }
    Ok(())
}
