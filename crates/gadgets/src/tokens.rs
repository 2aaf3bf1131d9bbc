//! What a circuit of the published set can carry, if nothing is known of its gates but their promises.
//!
//! A wire carries a signal or not: *net*, so a signal may also go back where it came from. Signals go up and
//! down, one at a time, in any order, as long as every gate keeps its promise: an AND lets out half of what has come in, an OR half of
//! that and its own, a CHOICE what has come in, a FANOUT nothing before a signal has come in, and
//! **anything ever after**. So a signal that enters a FANOUT, comes down again and goes the other way at a CHOICE below counts twice,
//! unless the wire before a FANOUT is a *ratchet*: what has gone up there never comes down ([`crate::published::ratchet`]).
//!
//! One bit a wire is enough: before a FANOUT it says that a signal has ever come in, elsewhere that more signals have come in than
//! gone back. What went back and stays on the wire is neither here nor there, and leaves the gates at both ends less to send.
//!
//! With the ratchet whatever is carried at any time is a run of the circuit ([`Tokens::is_run`]), and without it is not.

use std::collections::HashMap;

use crate::circuit::{Circuit, End, Gate};

/// Wires that carry a signal, a bit each, then the FANOUTs that a signal has ever entered.
pub type Carried = u64;

/// A circuit whose splitters are FANOUTs: the relays of our own set are left out.
#[derive(Clone, Debug)]
pub struct Tokens {
    circuit: Circuit,
    /// Where each wire comes from and goes.
    wires: Vec<(End, End)>,
    /// The wires into each gate, and out of it.
    ends: Vec<(Carried, Carried)>,
    /// The bit of a FANOUT that a signal has entered, by gate.
    entered: Vec<Carried>,
}

/// All that can be carried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// In how many ways.
    pub states: usize,
    /// A shortest way to what should not be: wires, and whether the signal goes up.
    pub line: Option<Vec<(usize, bool)>>,
}

impl Tokens {
    /// The tokens of a circuit.
    ///
    /// # Panics
    ///
    /// If it has more than 64 wires and FANOUTs.
    pub fn of(circuit: &Circuit) -> Tokens {
        let gates = circuit.gates();
        let source = |mut end: End| {
            while gates[end.gate] == Gate::Relay {
                end = circuit.inputs(end.gate)[0];
            }
            end
        };
        let whole = circuit.wires().filter(|(_, to)| gates[to.gate] != Gate::Relay);
        let wires: Vec<(End, End)> = whole.map(|(from, to)| (source(from), to)).collect();
        let mut ends = vec![(0, 0); gates.len()];
        for (number, (from, to)) in wires.iter().enumerate() {
            ends[from.gate].1 |= 1 << number;
            ends[to.gate].0 |= 1 << number;
        }
        let (mut bits, mut entered) = (wires.len(), vec![0; gates.len()]);
        for (gate, _) in gates.iter().enumerate().filter(|(_, gate)| **gate == Gate::Split) {
            entered[gate] = 1 << bits;
            bits += 1;
        }
        assert!(bits <= 64, "too many wires");
        Tokens { circuit: circuit.clone(), wires, ends, entered }
    }

    /// How many gates and wires there are.
    pub fn size(&self) -> (usize, usize) {
        let relay = |gate: &&Gate| **gate == Gate::Relay;
        let gates = self.circuit.gates();
        (gates.len() - gates.iter().filter(relay).count(), self.wires.len())
    }

    /// Whether a gate keeps its promise, if these variables or sources carry a signal.
    fn keeps(&self, gate: usize, set: u32, carried: Carried) -> bool {
        let (ins, outs) = self.ends[gate];
        let (came, out) = ((carried & ins).count_ones(), (carried & outs).count_ones());
        match self.circuit.gates()[gate] {
            Gate::Variable(source) | Gate::Source(source) => out <= set >> source & 1,
            Gate::Split => out == 0 || carried & self.entered[gate] != 0,
            Gate::Choice | Gate::Relay => out <= came,
            Gate::Or => out <= came.div_ceil(2),
            Gate::And => out <= came / 2,
            Gate::Sink(_) | Gate::Den => true,
        }
    }

    /// What is carried after a signal goes up a wire that carries none, or down one that does.
    fn after(&self, carried: Carried, wire: usize, set: u32, ratchet: bool) -> Option<Carried> {
        let (from, to) = self.wires[wire];
        let entered = self.entered[to.gate];
        if ratchet && entered != 0 && carried >> wire & 1 == 1 {
            return None;
        }
        let next = (carried ^ 1 << wire) | entered;
        (self.keeps(from.gate, set, next) && self.keeps(to.gate, set, next)).then_some(next)
    }

    /// Whether the circuit carries at least these signals when these sources do and every CHOICE sends its signal where one is.
    pub fn is_run(&self, set: u32, carried: Carried) -> bool {
        let second = |choice: usize| {
            let sent = |(wire, (from, _)): (usize, &(End, End))| {
                carried >> wire & 1 == 1 && *from == End { gate: choice, port: 1 }
            };
            self.wires.iter().enumerate().any(sent)
        };
        let (outputs, _) = self.circuit.run(set, second);
        let carries = |(wire, (from, _)): (usize, &(End, End))| {
            carried >> wire & 1 == 0 || outputs[from.gate][from.port]
        };
        self.wires.iter().enumerate().all(carries)
    }

    /// The sinks at which a signal is, a bit each.
    pub fn sinks(&self, carried: Carried) -> u32 {
        let sink = |(wire, (_, to)): (usize, &(End, End))| match self.circuit.gates()[to.gate] {
            Gate::Sink(sink) => (carried >> wire & 1) as u32 * (1 << sink),
            _ => 0,
        };
        self.wires.iter().enumerate().map(sink).sum()
    }

    /// Everything that can be carried when these sources carry a signal, with ratchets before the FANOUTs or without, until something
    /// comes up that should not be.
    pub fn explore(&self, set: u32, ratchet: bool, wrong: impl Fn(Carried) -> bool) -> Explored {
        let mut states: Vec<(Carried, usize, usize)> = vec![(0, 0, 0)];
        let mut known = HashMap::from([(0, 0)]);
        let mut next = 0;
        while next < states.len() {
            let carried = states[next].0;
            if wrong(carried) {
                return Explored { states: known.len(), line: Some(line(&states, next)) };
            }
            for wire in 0..self.wires.len() {
                let Some(after) = self.after(carried, wire, set, ratchet) else { continue };
                known.entry(after).or_insert_with(|| {
                    states.push((after, next, wire));
                    states.len() - 1
                });
            }
            next += 1;
        }
        Explored { states: known.len(), line: None }
    }

    /// Whether everything carried is a run, with ratchets before the FANOUTs, whichever of the first two sources carry a signal: in how
    /// many ways at the most, or a way to what is none.
    ///
    /// # Errors
    ///
    /// The way.
    pub fn check(&self) -> Result<usize, String> {
        let mut most = 0;
        for set in 0..4 {
            let found = self.explore(set, true, |carried| !self.is_run(set, carried));
            if let Some(line) = found.line {
                return Err(self.words(&line));
            }
            most = most.max(found.states);
        }
        Ok(most)
    }

    /// A shortest way to a signal at one of these sinks when these sources carry one, without ratchets.
    pub fn leak(&self, set: u32, sinks: u32) -> Option<Vec<(usize, bool)>> {
        self.explore(set, false, |carried| self.sinks(carried) & sinks != 0).line
    }

    /// A way, in words: `F3 to A16` for a signal that goes up there, `A16 back to O15` for one that comes down.
    pub fn words(&self, line: &[(usize, bool)]) -> String {
        let gates = self.circuit.gates();
        let name = |end: End| match gates[end.gate] {
            Gate::Source(source) => format!("in{}", source + 1),
            Gate::Sink(sink) => format!("out{}", sink + 1),
            gate => {
                let label = if gate == Gate::Split { "FANOUT".into() } else { gate.label(&[]) };
                let alike = |other: &&Gate| **other == gate;
                format!("{label} {}", gates[..=end.gate].iter().filter(alike).count())
            }
        };
        let step = |&(wire, up): &(usize, bool)| {
            let (from, to) = (name(self.wires[wire].0), name(self.wires[wire].1));
            if up { format!("{from} to {to}") } else { format!("{to} back to {from}") }
        };
        line.iter().map(step).collect::<Vec<_>>().join(", ")
    }
}

fn line(states: &[(Carried, usize, usize)], mut at: usize) -> Vec<(usize, bool)> {
    let mut line = Vec::new();
    while at != 0 {
        let (carried, before, wire) = states[at];
        line.push((wire, carried >> wire & 1 == 1));
        at = before;
    }
    line.reverse();
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_ratchets_before_fanouts_a_crossover_carries_what_it_should() {
        for circuit in [Circuit::half_crossover(), Circuit::crossover()] {
            let tokens = Tokens::of(&circuit);
            for set in 0..4 {
                let found = tokens.explore(set, true, |carried| !tokens.is_run(set, carried));
                assert_eq!(found.line, None, "{set}");
                let strays = |carried| tokens.sinks(carried) & 2 != 0;
                let stray = tokens.explore(set, true, strays).line.is_some();
                assert_eq!(
                    stray,
                    set & 2 != 0 || (circuit == Circuit::half_crossover() && set == 1)
                );
            }
        }
    }

    /// A signal enters the last FANOUT, comes down again to the CHOICE before it, and goes the other way.
    #[test]
    fn without_ratchets_a_crossover_leaks() {
        let tokens = Tokens::of(&Circuit::crossover());
        assert_eq!(tokens.size(), (34, 47));
        let line = tokens.leak(1, 2).unwrap();
        let words = tokens.words(&line);
        assert!(words.contains("AND 1 to FANOUT 3, FANOUT 3 back to AND 1"), "{words}");
        assert!(words.ends_with("AND 3 to out2"), "{words}");
        // Every promise is kept, that of the ratchet once not.
        let (mut carried, mut slips) = (0, 0);
        for &(wire, up) in &line {
            let next = tokens.after(carried, wire, 1, false).unwrap();
            slips += usize::from(tokens.after(carried, wire, 1, true).is_none());
            assert_eq!(next >> wire & 1 == 1, up);
            carried = next;
        }
        assert_eq!((slips, tokens.is_run(1, carried)), (1, false));
    }

    /// Without a CHOICE there is no other way to go.
    #[test]
    fn circuits_of_formulas_need_no_ratchet() {
        for text in ["x & x", "(x | y) & (x | z | w) & y"] {
            let tokens = Tokens::of(&Circuit::of(&text.parse().unwrap()));
            for set in 0..4 {
                let found = tokens.explore(set, false, |carried| !tokens.is_run(set, carried));
                assert_eq!(found.line, None, "{text} {set}");
            }
        }
    }
}
