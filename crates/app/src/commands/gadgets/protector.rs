//! `mousetrap gadgets protector`: what the published protector lets back.

use std::io::Write;

use gadgets::circuit::Circuit;
use gadgets::composite::{self, Composite};
use gadgets::march::{FORMULAS, marches};
use gadgets::protector::{Crossing, Guard, Premises, crossing, guard, leak, overload};
use gadgets::published::{self, Contracts, Duty};
use gadgets::solve::TooManyStates;
use gadgets::tokens::Tokens;
use gadgets::{Gadget, compose, library};
use game::truth::Plies;
use jungle::Color;
use serde::Serialize;

use super::args::ProtectorArgs;
use crate::failure::Failure;
use crate::output::Output;

#[derive(Serialize)]
struct Back {
    edges: usize,
    below: usize,
    above: usize,
    at_in: Option<usize>,
    leaves_time: Option<bool>,
    states: Option<usize>,
}

#[derive(Serialize)]
struct Chain {
    edges: usize,
    below: usize,
    above: usize,
    leak: Option<Vec<Vec<usize>>>,
}

#[derive(Serialize)]
struct Guarded {
    below: usize,
    above: usize,
    holds: bool,
    dog_taken: bool,
    leaves_time: bool,
    answers: Option<u32>,
}

#[derive(Serialize)]
struct Overloaded {
    gadget: &'static str,
    panthers: usize,
    plies: Option<u32>,
}

#[derive(Serialize)]
struct Contracted {
    side: &'static str,
    gadget: String,
    claim: String,
    holds: bool,
    answers: Option<u32>,
    plies: Option<u32>,
    states: usize,
}

#[derive(Serialize)]
struct Together {
    composite: String,
    out: u8,
    back: Vec<u8>,
    positions: usize,
}

#[derive(Serialize)]
struct Crossed {
    circuit: &'static str,
    carries_only_runs: bool,
    states: Option<usize>,
    leak_without_ratchets: String,
}

#[derive(Serialize)]
struct Walked {
    games: usize,
    won: usize,
    broken: usize,
    plies: usize,
    answers: u32,
}

/// The square of a BLACK EDGE where its dog stands.
fn post(edge: &Gadget) -> usize {
    edge.board.pieces().map(|(spot, _)| spot).next().unwrap_or(0)
}

pub fn run(args: &ProtectorArgs, output: &mut Output) -> Result<(), Failure> {
    let rules = args.rules.board_rules();
    let (limit, most) = (args.limit as usize, usize::from(args.panthers));
    let edge = library::find("black-edge").expect("a gadget of the library");
    if !args.json {
        writeln!(output, "panthers below and above black edges, rules {}", args.rules)?;
    }
    let mut returns = Vec::new();
    for edges in 1..=usize::from(args.edges) {
        let gadget = compose::black_edges(edges);
        for below in 0..most {
            for above in 1..=most - below {
                let found = crossing(&gadget, below, above, rules, limit);
                if let (1, Ok(found)) = (edges, &found) {
                    returns.push((below, above, found.at_in > below));
                }
                show(args, output, edges, (below, above), found)?;
            }
        }
    }
    let mut jailed = Vec::new();
    for below in 0..=most {
        for above in usize::from(below == 0)..=most - below {
            let found = guard(&edge, post(&edge), (below, above), rules, limit);
            let found = found.map_err(|error| Failure::outside("solving (see --limit)", error))?;
            jailed.push((below, above, !found.holds));
            show_guard(args, output, (below, above), found)?;
        }
    }
    // What was not solved is given to White.
    let known = |table: &[(usize, usize, bool)], low: usize, high: usize| {
        let entry = table.iter().find(|&&(below, above, _)| (below, above) == (low, high));
        entry.is_none_or(|&(.., found)| found)
    };
    let comes = |low: usize, high: usize| known(&returns, low, high);
    let jails = |low: usize, high: usize| low + high > 0 && known(&jailed, low, high);
    let premises = Premises { returns: &comes, jails: &jails };
    for edges in 1..=3 {
        for (below, above) in [(1, 1), (2, 1), (1, 2), (0, 2), (0, 3)] {
            if below + above > most {
                continue;
            }
            let leak = leak(edges, below, above, &premises);
            if args.json {
                output.json(&Chain { edges, below, above, leak })?;
                continue;
            }
            let way = leak.map_or_else(
                || "no more come back than began below".to_owned(),
                |way| {
                    let stretch = |counts: &Vec<usize>| {
                        counts.iter().map(ToString::to_string).collect::<Vec<_>>().join("")
                    };
                    let stretches: Vec<String> = way.iter().map(stretch).collect();
                    format!("LEAKS {}", stretches.join(" "))
                },
            );
            writeln!(output, "{edges} in a chain, {below} below, {above} above: {way}")?;
        }
    }
    if most < 3 {
        return Ok(()); // not enough to overload anything
    }
    let overloaded = overload(rules, limit);
    for gate in overloaded.map_err(|error| Failure::outside("solving (see --limit)", error))? {
        let (name, panthers) = (gate.gadget, gate.panthers);
        if args.json {
            output.json(&Overloaded { gadget: name, panthers, plies: gate.plies })?;
            continue;
        }
        let more = gate.promised + 1;
        let what = match gate.plies {
            Some(plies) => format!("White forces {more} out in {}", Plies(plies)),
            None => format!("with cats that move only to take, White does not force {more} out"),
        };
        writeln!(output, "{name}, {panthers} at its first input: {what} ({} states)", gate.states)?;
    }
    contracts(args, output)
}

/// The contracts of the whole published set, and what is made of them.
fn contracts(args: &ProtectorArgs, output: &mut Output) -> Result<(), Failure> {
    let solved = Contracts::solve(args.rules.board_rules());
    let solved = solved.map_err(|error| Failure::outside("solving the contracts", error))?;
    if !args.json {
        writeln!(
            output,
            "contracts: panthers come unannounced, cats are anywhere, Black answers only moves inside"
        )?;
    }
    for duty in solved.duties() {
        show_duty(args, output, duty)?;
    }
    match published::compose() {
        Ok(pairs) if !args.json => {
            writeln!(
                output,
                "composition: the protector bears what each of {pairs} pairs of gates sends it"
            )?;
        }
        Ok(_) => {}
        Err(pair) => {
            return Err(Failure::Input(format!("{pair}: the protector is not proved for that")));
        }
    }
    crossed(args, output)?;
    let wires = (0..=2).map(|below| composite::wire(&solved, below));
    for found in wires
        .chain([composite::ratcheted(&solved)])
        .chain(["and", "or"].map(|name| composite::gate(&solved, name)))
        .chain([composite::conjunction(&solved)])
    {
        let Composite { title, out, back, positions } = found;
        if args.json {
            output.json(&Together { composite: title, out, back, positions })?;
            continue;
        }
        let back: Vec<String> = back.iter().map(ToString::to_string).collect();
        let back = back.join(" and ");
        writeln!(
            output,
            "{title}: {out} out and {back} at its entrance at most ({positions} positions, every play of White)"
        )?;
    }
    let all = marches(&solved, &FORMULAS, 2);
    let (games, won) = (all.white[0] + all.black[0], all.white[1] + all.black[1]);
    if args.json {
        let (broken, plies, answers) = (all.broken, all.plies, all.answers);
        return output.json(&Walked { games, won, broken, plies, answers });
    }
    writeln!(
        output,
        "boards of walking panthers: {games} games by contracts, {won} won, contracts broken in {}; {} plies, at most {} answers",
        all.broken, all.plies, all.answers
    )?;
    Ok(())
}

/// What a crossover carries by the promises of its gates.
fn crossed(args: &ProtectorArgs, output: &mut Output) -> Result<(), Failure> {
    let tokens = Tokens::of(&Circuit::crossover());
    let ((gates, wires), found) = (tokens.size(), tokens.check());
    let leak = tokens.leak(1, 2).map_or_else(String::new, |line| tokens.words(&line));
    if args.json {
        let (states, leak_without_ratchets) = (found.ok(), leak);
        let carries_only_runs = states.is_some();
        return output.json(&Crossed {
            circuit: "crossover",
            carries_only_runs,
            states,
            leak_without_ratchets,
        });
    }
    match found {
        Ok(states) => writeln!(
            output,
            "a crossover of {gates} gates and {wires} wires, ratchets before FANOUTs: carries only what it should ({states} ways)"
        )?,
        Err(line) => writeln!(output, "a crossover, ratchets before FANOUTs: LEAKS {line}")?,
    }
    writeln!(output, "the same without ratchets, nothing at in2: {leak}")?;
    Ok(())
}

fn show_duty(args: &ProtectorArgs, output: &mut Output, duty: Duty) -> Result<(), Failure> {
    let Duty { side, gadget, claim, holds, cost, states } = duty;
    let black = side == Color::Black;
    if args.json {
        let (answers, plies) = if black { (cost, None) } else { (None, cost) };
        let side = super::side(side);
        return output.json(&Contracted { side, gadget, claim, holds, answers, plies, states });
    }
    let verdict = if holds { "holds" } else { "FAILS" };
    let cost = match cost {
        Some(answers) if black => format!(", answers at most {answers}"),
        Some(plies) => format!(", {} at most", Plies(plies)),
        None => String::new(),
    };
    let side = side.chess_name();
    writeln!(output, "  {verdict} {side} {gadget}: {claim} ({states} states{cost})")?;
    Ok(())
}

fn show_guard(
    args: &ProtectorArgs,
    output: &mut Output,
    (below, above): (usize, usize),
    found: Guard,
) -> Result<(), Failure> {
    let Guard { holds, dog_taken, leaves_time, answers, states } = found;
    if args.json {
        return output.json(&Guarded { below, above, holds, dog_taken, leaves_time, answers });
    }
    let what = match (holds, leaves_time, dog_taken, answers) {
        (true, true, _, Some(answers)) => {
            format!("left as it was found, with {answers} answers at most")
        }
        (true, true, ..) => "left as it was found, but for how many answers".to_owned(),
        (true, false, ..) => "left as it was found, but Black is kept busy".to_owned(),
        (false, _, true, _) => "White takes the dog".to_owned(),
        (false, ..) => "White holds the dog in a corner and comes down".to_owned(),
    };
    writeln!(output, "guard, {below} below, {above} above: {what} ({states} states)")?;
    Ok(())
}

fn show(
    args: &ProtectorArgs,
    output: &mut Output,
    edges: usize,
    (below, above): (usize, usize),
    found: Result<Crossing, TooManyStates>,
) -> Result<(), Failure> {
    let found = found.ok();
    if args.json {
        return output.json(&Back {
            edges,
            below,
            above,
            at_in: found.map(|found| found.at_in),
            leaves_time: found.map(|found| found.leaves_time),
            states: found.map(|found| found.states),
        });
    }
    write!(output, "{edges} in a row, {below} below, {above} above: ")?;
    match found {
        Some(Crossing { at_in, leaves_time, states, .. }) => {
            let time = match (at_in == below + above, leaves_time) {
                (true, _) => "",
                (false, true) => ", Black has time",
                (false, false) => ", Black is kept busy",
            };
            writeln!(output, "{at_in} at in at most ({states} states{time})")?;
        }
        None => writeln!(output, "undecided")?,
    }
    output.flush()?;
    Ok(())
}
