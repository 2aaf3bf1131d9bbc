//! Monotone circuits of gadgets: gates, the wires between them, and what White can make them do.
//!
//! A formula becomes a circuit as in Hearn's framework: a variable setter for each variable, split as
//! often as it occurs, a chain of ORs for each clause, a chain of ANDs over the clauses, the Black den
//! at the end. Every output of a splitter runs through a relay, which keeps it to one signal and one
//! direction.
//!
//! Signals are spent: a wire carries one, once. With CHOICE gates White decides which way it goes, so
//! what a circuit does is a set of possible outputs; [`Circuit::possible`] lists it.

use std::collections::BTreeSet;

use jungle::Color;

use crate::formula::Formula;

/// What a gate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// The setter of a variable.
    Variable(usize),
    /// An open end through which signals come, for circuits that are part of others.
    Source(usize),
    /// An open end through which signals go.
    Sink(usize),
    /// Two outputs for one input.
    Split,
    /// One signal, one way.
    Relay,
    /// One output for either input.
    Or,
    /// One output for both inputs.
    And,
    /// One of two outputs for one input.
    Choice,
    /// The Black den.
    Den,
}

impl Gate {
    /// How many inputs and outputs it has.
    pub const fn arity(self) -> (usize, usize) {
        match self {
            Gate::Variable(_) | Gate::Source(_) => (0, 1),
            Gate::Sink(_) | Gate::Den => (1, 0),
            Gate::Split | Gate::Choice => (1, 2),
            Gate::Relay => (1, 1),
            Gate::Or | Gate::And => (2, 1),
        }
    }

    /// The name of the mended gadget that is this gate, for those that are one.
    pub const fn gadget(self) -> Option<&'static str> {
        Some(match self {
            Gate::Variable(_) => "mended-variable",
            Gate::Split => "mended-split",
            Gate::Relay => "mended-relay",
            Gate::Or => "mended-or",
            Gate::And => "mended-and",
            Gate::Choice => "mended-choice",
            Gate::Source(_) | Gate::Sink(_) | Gate::Den => return None,
        })
    }

    /// A short name for pictures.
    pub fn label(self, names: &[String]) -> String {
        let named =
            |number: usize| names.get(number).cloned().unwrap_or_else(|| format!("{number}"));
        match self {
            Gate::Variable(number) => named(number),
            Gate::Source(number) => format!("in{}", number + 1),
            Gate::Sink(number) => format!("out{}", number + 1),
            Gate::Split => "SPLIT".to_owned(),
            Gate::Relay => "RELAY".to_owned(),
            Gate::Or => "OR".to_owned(),
            Gate::And => "AND".to_owned(),
            Gate::Choice => "CHOICE".to_owned(),
            Gate::Den => "DEN".to_owned(),
        }
    }
}

/// The end of a wire: a gate and one of its outputs, or one of its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct End {
    /// The number of the gate.
    pub gate: usize,
    /// The number of its output or input.
    pub port: usize,
}

/// Gates in an order in which wires run forward.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Circuit {
    gates: Vec<Gate>,
    /// For every gate, where each input comes from.
    inputs: Vec<Vec<End>>,
}

impl Circuit {
    /// An empty circuit.
    pub fn new() -> Circuit {
        Circuit::default()
    }

    /// Adds a gate fed by these outputs; returns its outputs.
    ///
    /// # Panics
    ///
    /// If the number of inputs is not the gate's: circuits are built by the program.
    pub fn add(&mut self, gate: Gate, inputs: &[End]) -> Vec<End> {
        assert_eq!(inputs.len(), gate.arity().0, "{gate:?}");
        let number = self.gates.len();
        self.gates.push(gate);
        self.inputs.push(inputs.to_vec());
        (0..gate.arity().1).map(|port| End { gate: number, port }).collect()
    }

    fn one(&mut self, gate: Gate, inputs: &[End]) -> End {
        self.add(gate, inputs)[0]
    }

    /// The gates.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// Where the inputs of a gate come from.
    pub fn inputs(&self, gate: usize) -> &[End] {
        &self.inputs[gate]
    }

    /// All wires: from an output to an input.
    pub fn wires(&self) -> impl Iterator<Item = (End, End)> {
        self.inputs.iter().enumerate().flat_map(|(gate, inputs)| {
            inputs.iter().enumerate().map(move |(port, &from)| (from, End { gate, port }))
        })
    }

    /// Two outputs that follow one: a splitter with a relay on each output.
    pub fn fan_out(&mut self, from: End) -> (End, End) {
        let outs = self.add(Gate::Split, &[from]);
        (self.one(Gate::Relay, &[outs[0]]), self.one(Gate::Relay, &[outs[1]]))
    }

    /// The circuit of a formula.
    pub fn of(formula: &Formula) -> Circuit {
        let mut circuit = Circuit::new();
        let mut uses: Vec<Vec<End>> = Vec::new();
        for variable in 0..formula.names().len() {
            let mut next = circuit.one(Gate::Variable(variable), &[]);
            let occurs =
                formula.clauses().iter().filter(|clause| clause.contains(&variable)).count();
            let mut ends = Vec::new();
            for _ in 1..occurs {
                let (one, other) = circuit.fan_out(next);
                ends.push(one);
                next = other;
            }
            if occurs > 0 {
                ends.push(next);
            }
            ends.reverse(); // taken from the back
            uses.push(ends);
        }
        let mut whole: Option<End> = None;
        for clause in formula.clauses() {
            let mut either: Option<End> = None;
            for &variable in clause {
                let end = uses[variable].pop().expect("as many ends as occurrences");
                either = Some(match either {
                    Some(before) => circuit.one(Gate::Or, &[before, end]),
                    None => end,
                });
            }
            let clause = either.expect("a clause has variables");
            whole = Some(match whole {
                Some(before) => circuit.one(Gate::And, &[before, clause]),
                None => clause,
            });
        }
        circuit.add(Gate::Den, &[whole.expect("a formula has clauses")]);
        circuit
    }

    /// Two inputs, two outputs: either input can go to either output, both inputs to both. Three
    /// CHOICEs and three ORs.
    fn half_crossover_from(&mut self, left: End, below: End) -> (End, End) {
        let a = self.add(Gate::Choice, &[left]);
        let b = self.add(Gate::Choice, &[below]);
        let middle = self.one(Gate::Or, &[a[1], b[0]]);
        let m = self.add(Gate::Choice, &[middle]);
        let top = self.one(Gate::Or, &[a[0], m[0]]);
        let right = self.one(Gate::Or, &[m[1], b[1]]);
        (top, right)
    }

    /// The half crossover by itself.
    pub fn half_crossover() -> Circuit {
        let mut circuit = Circuit::new();
        let left = circuit.one(Gate::Source(0), &[]);
        let below = circuit.one(Gate::Source(1), &[]);
        let (top, right) = circuit.half_crossover_from(left, below);
        circuit.add(Gate::Sink(0), &[top]);
        circuit.add(Gate::Sink(1), &[right]);
        circuit
    }

    /// The crossover: the first input goes to the first output, the second to the second, although
    /// the wires cross. The first signal is split in two before each of the second's two strands,
    /// crosses the strand by half crossovers, and is put together by an AND; so is the second at the
    /// end. A signal that strays leaves its own AND short.
    pub fn crossover() -> Circuit {
        let mut circuit = Circuit::new();
        let mut across = circuit.one(Gate::Source(0), &[]);
        let below = circuit.one(Gate::Source(1), &[]);
        let (one, two) = circuit.fan_out(below);
        let mut strands = Vec::new();
        for strand in [one, two] {
            let (lower, upper) = circuit.fan_out(across);
            let (strand, lower) = circuit.half_crossover_from(lower, strand);
            let (strand, upper) = circuit.half_crossover_from(upper, strand);
            across = circuit.one(Gate::And, &[lower, upper]);
            strands.push(strand);
        }
        let up = circuit.one(Gate::And, &strands);
        circuit.add(Gate::Sink(0), &[across]);
        circuit.add(Gate::Sink(1), &[up]);
        circuit
    }

    /// The sets of outputs (sinks, and the den as number 0) that White can bring about when these
    /// variables or sources carry a signal. A bit each; every way to decide the CHOICEs is tried.
    pub fn possible(&self, set: u32) -> BTreeSet<u32> {
        let choices: Vec<usize> =
            (0..self.gates.len()).filter(|&gate| self.gates[gate] == Gate::Choice).collect();
        (0..1_u32 << choices.len())
            .map(|decisions| {
                let decide = |gate| {
                    let nth = choices.iter().position(|&choice| choice == gate);
                    nth.is_some_and(|nth| decisions >> nth & 1 == 1)
                };
                self.run(set, decide).1
            })
            .collect()
    }

    /// Which outputs carry a signal, gate by gate, and which ends are reached.
    pub fn run(&self, set: u32, decide: impl Fn(usize) -> bool) -> (Vec<Vec<bool>>, u32) {
        let mut outputs: Vec<Vec<bool>> = Vec::new();
        let mut reached = 0;
        for (number, &gate) in self.gates.iter().enumerate() {
            let input: Vec<bool> =
                self.inputs[number].iter().map(|end| outputs[end.gate][end.port]).collect();
            outputs.push(match gate {
                Gate::Variable(variable) | Gate::Source(variable) => vec![set >> variable & 1 == 1],
                Gate::Sink(sink) => {
                    reached |= u32::from(input[0]) << sink;
                    vec![]
                }
                Gate::Den => {
                    reached |= u32::from(input[0]);
                    vec![]
                }
                Gate::Split => vec![input[0], input[0]],
                Gate::Relay => vec![input[0]],
                Gate::Or => vec![input[0] || input[1]],
                Gate::And => vec![input[0] && input[1]],
                Gate::Choice => {
                    let second = decide(number);
                    vec![input[0] && !second, input[0] && second]
                }
            });
        }
        (outputs, reached)
    }

    /// Whether White wins the game in which variables are set in turn and a signal in the den wins:
    /// every way to play is tried.
    pub fn white_wins(&self, white: u32, black: u32, turn: Color) -> bool {
        let variables = self.gates.iter().filter_map(|gate| match gate {
            Gate::Variable(variable) => Some(*variable),
            _ => None,
        });
        let free: Vec<usize> = variables.filter(|v| (white | black) >> v & 1 == 0).collect();
        if free.is_empty() {
            return self.possible(white).iter().any(|reached| reached & 1 == 1);
        }
        match turn {
            Color::White => {
                free.iter().any(|&v| self.white_wins(white | 1 << v, black, Color::Black))
            }
            Color::Black => {
                free.iter().all(|&v| self.white_wins(white, black | 1 << v, Color::White))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_half_crossover_sends_either_input_to_either_output() {
        let circuit = Circuit::half_crossover();
        let reach = |set, wanted: u32| {
            circuit.possible(set).iter().any(|reached| reached & wanted == wanted)
        };
        assert_eq!(circuit.possible(0), BTreeSet::from([0]));
        for set in [1, 2] {
            assert!(reach(set, 1) && reach(set, 2) && !reach(set, 3), "{set}");
        }
        assert!(reach(3, 3));
    }

    #[test]
    fn the_crossover_crosses_and_nothing_else() {
        let circuit = Circuit::crossover();
        for set in 0..4 {
            let possible = circuit.possible(set);
            assert!(possible.contains(&set), "{set}");
            assert!(possible.iter().all(|reached| reached & !set == 0), "{set}: {possible:?}");
        }
    }

    #[test]
    fn formula_and_circuit_agree_on_every_assignment() {
        let formula: Formula = "(x | y) & (x | z | w) & y".parse().unwrap();
        let circuit = Circuit::of(&formula);
        for set in 0..16 {
            assert_eq!(circuit.possible(set), BTreeSet::from([u32::from(formula.holds(set))]));
        }
    }
}
