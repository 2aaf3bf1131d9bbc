//! Contracts of gates, and their composition.
//!
//! A contract is a gate in given surroundings: what Black holds there ([`crate::holding`]), and what White
//! forces ([`crate::forcing`]). [`kinds`] lists the contracts that are proved. Composition is checked by
//! [`compose`], wire by wire: what a gate assumes of its sources is what they promise, and what it
//! assumes of its targets is what they promise. [`neighbours`] lists which gate may follow which on any
//! board that the compiler makes; as the list is finite, so is the check for all boards
//! ([`compose_all`]).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use crate::circuit::{Circuit, End, Gate};
use crate::forcing::Forcing;
use crate::gadget::{Gadget, Role};
use crate::generalised::BoardRules;
use crate::holding::{Backflow, Held, Holding, Promise, Surroundings};
use crate::library;

/// A gate in given surroundings, solved for both sides.
pub struct Contract {
    /// What it does.
    pub gate: Gate,
    /// What is assumed of its neighbours.
    pub surroundings: Surroundings,
    /// Black's side.
    pub held: Held,
    /// White's side.
    pub forcing: Forcing,
}

/// What a gate promises. `None` for those that need not: a variable has but one lion to send, a den
/// sends nothing back; CHOICE and open ends are on no board made from a formula.
pub fn promise(gate: Gate) -> Option<Promise> {
    let promise = |out: &[u8], back| Some(Promise { out: out.to_vec(), back });
    match gate {
        Gate::And => promise(&[0, 0, 0, 1], Backflow::None),
        Gate::Or => promise(&[0, 1, 1, 1], Backflow::None),
        Gate::Relay => promise(&[0, 1], Backflow::None),
        Gate::Split => promise(&[0, 2], Backflow::OneAfterSignal),
        Gate::Variable(_) | Gate::Den | Gate::Choice | Gate::Source(_) | Gate::Sink(_) => None,
    }
}

/// The most signals that a gate sends down one of its wires, by what it promises: a variable has one
/// lion, so it sends no more.
fn sends(gate: Gate) -> u8 {
    promise(gate).map_or(1, |promise| promise.out.into_iter().max().unwrap_or(0))
}

/// What comes back from a gate: nothing from a den.
fn returns(gate: Gate) -> Backflow {
    promise(gate).map_or(Backflow::None, |promise| promise.back)
}

/// The ways to feed a gate with which White has to be content: the inputs of each, by number.
fn ways(gate: Gate) -> Vec<Vec<usize>> {
    match gate {
        Gate::Or => vec![vec![0], vec![1]],
        Gate::And => vec![vec![0, 1]],
        _ => vec![vec![0]],
    }
}

/// The surroundings of a gate whose inputs come from these gates, and whose outputs go to those;
/// to nothing where the wire just ends.
pub fn surroundings(sources: &[Gate], targets: &[Option<Gate>]) -> Surroundings {
    Surroundings {
        arriving: sources.iter().map(|&source| sends(source)).collect(),
        returning: targets.iter().map(|target| target.map_or(Backflow::None, returns)).collect(),
    }
}

type Solved = HashMap<(String, Surroundings, BoardRules), Arc<Contract>>;

impl Contract {
    /// The contract of a gate in these surroundings; solved once.
    ///
    /// # Panics
    ///
    /// If the gate has no contract.
    pub fn of(
        gate: Gate,
        surroundings: &Surroundings,
        rules: impl Into<BoardRules>,
    ) -> Arc<Contract> {
        Contract::of_gadget(gate, &gadget(gate), surroundings, rules)
    }

    /// The same for another gadget of the library that is this gate.
    ///
    /// # Panics
    ///
    /// If the gate has no contract.
    pub fn of_gadget(
        gate: Gate,
        gadget: &Gadget,
        surroundings: &Surroundings,
        rules: impl Into<BoardRules>,
    ) -> Arc<Contract> {
        static SOLVED: LazyLock<Mutex<Solved>> = LazyLock::new(Mutex::default);
        let rules = rules.into();
        let key = (gadget.name.clone(), surroundings.clone(), rules);
        let mut solved = SOLVED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let solve = || Arc::new(Contract::solve(gate, gadget, surroundings, rules));
        solved.entry(key).or_insert_with(solve).clone()
    }

    /// Solves a drawing as this gate.
    ///
    /// # Panics
    ///
    /// If the gate has no contract.
    pub fn solve(
        gate: Gate,
        gadget: &Gadget,
        surroundings: &Surroundings,
        rules: impl Into<BoardRules>,
    ) -> Contract {
        let rules = rules.into();
        let promise = promise(gate).expect("a gate with a contract");
        let ins = gadget.with_role(Role::In);
        let ways: Vec<Vec<usize>> = ways(gate)
            .into_iter()
            .map(|way| way.into_iter().map(|input| ins[input]).collect())
            .collect();
        Contract {
            gate,
            surroundings: surroundings.clone(),
            held: Held::solve(Holding::new(gadget, surroundings, &promise, rules)),
            forcing: Forcing::solve(gadget, &ways, rules),
        }
    }

    /// Whether both sides do what the contract says.
    pub fn holds(&self) -> bool {
        self.held.holds() && self.held.cost().is_some() && self.forcing.holds()
    }
}

fn gadget(gate: Gate) -> Gadget {
    let name = gate.gadget().expect("a gate with a gadget");
    library::find(name).expect("a gadget of the library")
}

/// The contracts that are proved, each in the weakest surroundings that any board needs.
pub fn kinds() -> Vec<(Gate, Surroundings)> {
    let kind = |gate, arriving: &[u8], returning: &[Backflow]| {
        let (arriving, returning) = (arriving.to_vec(), returning.to_vec());
        (gate, Surroundings { arriving, returning })
    };
    let none = Backflow::None;
    vec![
        kind(Gate::And, &[1, 1], &[none]),
        kind(Gate::Or, &[1, 1], &[none]),
        kind(Gate::Relay, &[2], &[Backflow::OneAfterSignal]),
        kind(Gate::Split, &[1], &[none, none]),
    ]
}

/// The contract that is proved for a gate drawn as this gadget.
pub fn proved(gate: Gate, gadget: &Gadget, rules: impl Into<BoardRules>) -> Option<Arc<Contract>> {
    let (gate, surroundings) = kinds().into_iter().find(|&(kind, _)| kind == gate)?;
    Some(Contract::of_gadget(gate, gadget, &surroundings, rules))
}

/// The drawings of a gate that boards are made of: on wide rivers, and with stepping stones.
pub fn drawings(gate: Gate) -> Vec<Gadget> {
    let names = gate.gadget().map(|name| [name.to_owned(), name.replace("mended", "stepping")]);
    names.into_iter().flatten().filter_map(|name| library::find(&name)).collect()
}

/// Which gates may follow a gate on a board made from a formula; `None` for a wire that just ends.
pub fn neighbours(gate: Gate) -> Vec<Option<Gate>> {
    let (split, relay, or, and, den) =
        (Some(Gate::Split), Some(Gate::Relay), Some(Gate::Or), Some(Gate::And), Some(Gate::Den));
    match gate {
        Gate::Variable(_) => vec![split, or, and, den, None],
        Gate::Split => vec![relay],
        Gate::Relay => vec![split, or, and, den],
        Gate::Or => vec![or, and, den],
        Gate::And => vec![and, den],
        Gate::Choice | Gate::Source(_) | Gate::Sink(_) | Gate::Den => vec![],
    }
}

/// Composition that was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Composition {
    /// How many gates had a contract.
    pub gates: usize,
    /// How many wires were looked at, from both ends.
    pub wires: usize,
}

/// Contracts that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    /// A gate follows one that it never should.
    #[error("{target:?} follows {source_gate:?}, for which no contract was made")]
    Unknown {
        /// The gate the wire comes from.
        source_gate: Gate,
        /// The gate it goes to.
        target: Option<Gate>,
    },
    /// A neighbour promises less than the gate assumes.
    #[error("{gate:?} assumes {assumed:?} and is promised {promised:?}")]
    Promise {
        /// The gate.
        gate: Gate,
        /// What its contract assumes.
        assumed: Surroundings,
        /// What its neighbours promise.
        promised: Surroundings,
    },
}

/// Checks that a gate with these neighbours has a proved contract whose assumptions they promise.
///
/// # Errors
///
/// The assumption that nobody promises.
fn fits(gate: Gate, sources: &[Gate], targets: &[Option<Gate>]) -> Result<(), CompositionError> {
    let promised = surroundings(sources, targets);
    let Some((_, assumed)) = kinds().into_iter().find(|&(kind, _)| kind == gate) else {
        return Ok(()); // variables and dens assume nothing
    };
    let implied = |assumed: &Surroundings| {
        let arriving = assumed.arriving.iter().zip(&promised.arriving);
        let returning = assumed.returning.iter().zip(&promised.returning);
        arriving.into_iter().all(|(assumed, promised)| promised <= assumed)
            && returning.into_iter().all(|(assumed, promised)| promised <= assumed)
    };
    if implied(&assumed) {
        Ok(())
    } else {
        Err(CompositionError::Promise { gate, assumed, promised })
    }
}

/// Gates of a kind are the same to their neighbours.
fn kind(gate: Gate) -> Gate {
    match gate {
        Gate::Variable(_) => Gate::Variable(0),
        other => other,
    }
}

/// Checks every wire of a circuit made from a formula.
///
/// # Errors
///
/// The first wire at which contracts do not fit.
pub fn compose(circuit: &Circuit) -> Result<Composition, CompositionError> {
    let mut composition = Composition::default();
    for (number, &gate) in circuit.gates().iter().enumerate() {
        let sources: Vec<Gate> =
            circuit.inputs(number).iter().map(|end| kind(circuit.gates()[end.gate])).collect();
        let target = |port: usize| {
            let from = End { gate: number, port };
            let wire = circuit.wires().find(|&(start, _)| start == from);
            wire.map(|(_, to)| kind(circuit.gates()[to.gate]))
        };
        let targets: Vec<Option<Gate>> = (0..gate.arity().1).map(target).collect();
        for &target in &targets {
            if !neighbours(kind(gate)).contains(&target) {
                return Err(CompositionError::Unknown { source_gate: gate, target });
            }
        }
        fits(kind(gate), &sources, &targets)?;
        composition.gates += 1;
        composition.wires += targets.len();
    }
    Ok(composition)
}

/// Checks a gate of every kind between all neighbours that it can have on any board: how many
/// combinations there are.
///
/// # Errors
///
/// The first combination in which contracts do not fit.
pub fn compose_all() -> Result<usize, CompositionError> {
    let all = [Gate::Variable(0), Gate::Split, Gate::Relay, Gate::Or, Gate::And];
    let mut combinations = 0;
    for gate in [Gate::Split, Gate::Relay, Gate::Or, Gate::And] {
        let before: Vec<Gate> =
            all.into_iter().filter(|&source| neighbours(source).contains(&Some(gate))).collect();
        for sources in tuples(&before, gate.arity().0) {
            for targets in tuples(&neighbours(gate), gate.arity().1) {
                fits(gate, &sources, &targets)?;
                combinations += 1;
            }
        }
    }
    Ok(combinations)
}

fn tuples<T: Copy>(items: &[T], length: usize) -> Vec<Vec<T>> {
    let mut tuples = vec![Vec::new()];
    for _ in 0..length {
        tuples = tuples
            .into_iter()
            .flat_map(|tuple: Vec<T>| {
                items.iter().map(move |&item| tuple.iter().copied().chain([item]).collect())
            })
            .collect();
    }
    tuples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;
    use crate::gadget::Passage;
    use crate::generalised::Trapped;
    use jungle::{Animal, Rules};

    #[test]
    fn every_contract_holds_under_every_preset() {
        for rules in [Rules::LEIDEN, Rules::STANDARD, Rules::TUFTS] {
            for (trapped, leap) in
                [(Trapped::Full, None), (Trapped::Zero, None), (Trapped::Full, Some(3))]
            {
                let rules = BoardRules { rules, trapped, leap };
                for (gate, _) in kinds() {
                    for gadget in drawings(gate) {
                        let contract = proved(gate, &gadget, rules).unwrap();
                        let line = contract.held.refutation();
                        assert!(contract.holds(), "{} under {rules:?}: {line:?}", gadget.name);
                    }
                }
            }
        }
    }

    #[test]
    fn answers_never_lead_back_to_a_position() {
        for (gate, _) in kinds() {
            for gadget in drawings(gate) {
                let contract = proved(gate, &gadget, Rules::LEIDEN).unwrap();
                assert!(contract.held.never_repeats(), "{}", gadget.name);
            }
        }
    }

    #[test]
    fn contracts_fit_between_all_neighbours() {
        assert_eq!(compose_all(), Ok(65));
        let formula: Formula = "(a | b | c) & (b | c | d) & (a | d) & c".parse().unwrap();
        let circuit = Circuit::of(&formula);
        assert_eq!(compose(&circuit).unwrap().gates, circuit.gates().len());
    }

    /// The OR as it was before: a lion comes in by one input and leaves by the other, backwards,
    /// when it arrives unannounced after the gadget's own lion was given up.
    #[test]
    fn an_or_whose_landings_are_a_jump_apart_leaks() {
        let ports = ["in1 N 0", "in2 N 2", "out E 0"];
        let drawing = ".~.~~.\n~~ew~.\n~~~L~~\n";
        let gadget = Gadget::drawn("old", "OR", drawing, Passage::Water, &ports, Animal::Lion);
        let (_, surroundings) = kinds().remove(1);
        let contract = Contract::solve(Gate::Or, &gadget, &surroundings, Rules::LEIDEN);
        assert!(!contract.held.holds());
        let line = contract.held.refutation();
        assert_eq!(line.last().unwrap(), "White leaves by in1", "{line:?}");
        assert!(contract.forcing.holds());
    }

    /// A splitter with nothing but a wire behind it assumes too much.
    #[test]
    fn contracts_that_do_not_fit_are_found() {
        let mut circuit = Circuit::new();
        let variable = circuit.add(Gate::Variable(0), &[])[0];
        let outs = circuit.add(Gate::Split, &[variable]);
        let both = circuit.add(Gate::And, &outs)[0];
        circuit.add(Gate::Den, &[both]);
        assert!(compose(&circuit).is_err());
        assert!(fits(Gate::And, &[Gate::Split, Gate::Relay], &[Some(Gate::Den)]).is_err());
    }
}
