//! Layout (place and route): from a circuit to a board, gadgets on the diagonal, one bend a wire.
//!
//! Each gate's gadget gets rows and columns of its own, down the diagonal. An output leaves to the
//! east along a row that no other gadget uses, an input comes from the north down such a column. Where
//! the row of an output meets the column of its input lies one square of land, the *bend*: the wire
//! is a jump along the row, a bend, and a jump down the column, of any length. Wires cross wherever a
//! row passes a column without a bend: one signal jumps over water that another jumps over crosswise,
//! and they never meet. So crossings cost nothing, and the side of the board is the sum of the sides
//! of the gadgets.
//!
//! Two more islands lie at the end of the diagonal, out of reach. On a winding track
//! Black's cat has as far to go to White's den as White can need to reach Black's (Theorem 2.6). On a
//! meadow White's cat walks to and fro when White has nothing better to do.

use jungle::board::Terrain;
use jungle::{Animal, Color, Piece, Rules};

use crate::board::Board;
use crate::circuit::{Circuit, End, Gate};
use crate::gadget::{Gadget, Passage, Role};
use crate::generalised::{BoardRules, GeneralisedJungle};
use crate::geometry::{Geometry, Spot};
use crate::library;

/// Water between gadgets, so that no piece walks from one to the next.
const GAP: usize = 1;

/// A gate on the board.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it does.
    pub gate: Gate,
    /// Its gadget.
    pub gadget: Gadget,
    /// The row of its top left corner.
    pub row: usize,
    /// The column of its top left corner.
    pub column: usize,
    /// Its inputs among the gadget's ports.
    pub inputs: Vec<usize>,
    /// Its outputs among the gadget's ports.
    pub outputs: Vec<usize>,
}

/// A wire on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The output it comes from.
    pub from: End,
    /// The input it goes to; none for an output that leads nowhere.
    pub to: Option<End>,
    /// The square where it bends.
    pub bend: Spot,
    /// All its squares of land, from the output on: the bend, and any stepping stones.
    pub stones: Vec<Spot>,
}

/// A circuit on a board.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The circuit.
    pub circuit: Circuit,
    /// Its gates, in the same order.
    pub blocks: Vec<Block>,
    /// Its wires, and a bend for every output that leads nowhere.
    pub wires: Vec<Wire>,
    /// The board, White to move.
    pub board: Board,
    /// Black's way to White's den, from the cat on; empty for circuits without a den.
    pub track: Vec<Spot>,
    /// How many times wires cross.
    pub crossings: usize,
    /// The widest river that its rules let pieces jump; none if any.
    pub leap: Option<usize>,
}

/// How wires are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// A leap along the row, the bend, a leap down the column, however long.
    Leaping,
    /// Stepping stones. Wires keep to rows and columns whose numbers are multiples of [`LATTICE`];
    /// on them stones lie at 2 and 6 of every eight squares, so that every leap crosses one or
    /// three squares of water, wires cross in the middle of a leap, and no other land is
    /// within three squares of water in a straight line.
    Stepping,
}

/// The distance between wires of stepping stones.
const LATTICE: usize = 8;

/// The widest river of a board of stepping stones, which is that of the ordinary board.
const WIDEST: usize = 3;

/// The land of a wire: row and column of each square.
type Path = Vec<(usize, usize)>;

impl Style {
    fn gap(self) -> usize {
        match self {
            Style::Leaping => GAP,
            Style::Stepping => 2 * WIDEST,
        }
    }

    fn leap(self) -> Option<usize> {
        (self == Style::Stepping).then_some(WIDEST)
    }

    /// The next place for a gate's gadget at which its ports lie on the lattice.
    fn aligned(self, gate: Gate, row: usize, column: usize) -> (usize, usize) {
        // The row and the column of the drawing that go onto the lattice.
        let (on_row, on_column) = match gate {
            _ if self == Style::Leaping => return (row, column),
            Gate::And => (4, 0),
            Gate::Or => (7, 0),
            Gate::Split => (1, 0),
            Gate::Variable(_) => (0, 7),
            _ => (0, 0),
        };
        let up = |at: usize, on: usize| (at + on).next_multiple_of(LATTICE) - on;
        (up(row, on_row), up(column, on_column))
    }

    /// The land of a wire from one landing to another, both given as row and column.
    fn path(self, from: (usize, usize), to: (usize, usize)) -> Path {
        let corner = (from.0, to.1);
        if self == Style::Leaping {
            return vec![corner];
        }
        let along = (from.1 + 2..corner.1).filter(|&column| column % 4 == 2);
        let down = (corner.0 + 1..to.0 - 1).filter(|&row| row % 4 == 2);
        let along = along.map(|column| (from.0, column));
        along.chain([corner]).chain(down.map(|row| (row, to.1))).collect()
    }

    /// The land of a wire that leads nowhere.
    fn dead_end(self, from: (usize, usize), column: usize) -> Path {
        match self {
            Style::Leaping => vec![(from.0, column)],
            Style::Stepping => vec![self.path(from, (from.0 + 1, column))[0]],
        }
    }
}

/// How many moves White needs in a gate at most, however long he waited: half the plies of its
/// contract; in the drawing for long leaps, or for stepping stones.
pub const fn moves_needed(gate: Gate, stepping: bool) -> usize {
    match gate {
        Gate::Variable(_) | Gate::Den => 1,
        Gate::Source(_) | Gate::Sink(_) => 0,
        Gate::Split if stepping => 10,
        Gate::Split => 8,
        Gate::And if stepping => 7,
        Gate::Or if stepping => 8,
        Gate::Relay | Gate::And => 4,
        Gate::Or => 5,
        Gate::Choice => 3,
    }
}

/// The gadget of a gate, or a square of land for an end.
pub fn gadget_of(gate: Gate) -> Gadget {
    let open_end = |ports: &[&str]| {
        Gadget::drawn("open-end", "an open end", ".\n", Passage::Water, ports, Animal::Lion)
    };
    match (gate, gate.gadget()) {
        (_, Some(name)) => library::find(name).expect("a gadget of the library"),
        (Gate::Den, None) => {
            Gadget::drawn("den", "Black's den", "B\n", Passage::Water, &["in N 0"], Animal::Lion)
        }
        (Gate::Source(_), None) => open_end(&["out E 0"]),
        (_, None) => open_end(&["in N 0"]),
    }
}

impl Block {
    /// The square of the board that is a square of the gadget.
    pub fn spot(&self, geometry: &Geometry, local: Spot) -> Spot {
        let own = self.gadget.board.geometry();
        geometry.spot(self.row + own.row(local), self.column + own.column(local))
    }

    /// The square of the gadget that is a square of the board.
    pub fn local(&self, geometry: &Geometry, spot: Spot) -> Option<Spot> {
        let own = self.gadget.board.geometry();
        let row = geometry.row(spot).checked_sub(self.row)?;
        let column = geometry.column(spot).checked_sub(self.column)?;
        (row < own.height() && column < own.width()).then(|| own.spot(row, column))
    }

    /// The square of the board where a port lands.
    pub fn landing(&self, geometry: &Geometry, port: usize) -> Spot {
        let own = self.gadget.board.geometry();
        let landing = self.gadget.ports[port].landing(own).expect("a port has a landing");
        self.spot(geometry, landing)
    }
}

impl Layout {
    /// Lays out a circuit.
    pub fn of(circuit: &Circuit) -> Layout {
        Layout::with_gadgets(circuit, gadget_of)
    }

    /// Lays out a circuit on narrow rivers: no leap is longer than three squares of water.
    pub fn stepping(circuit: &Circuit) -> Layout {
        Layout::drawn(circuit, stepping_gadget_of, Style::Stepping)
    }

    /// Lays out a circuit with other gadgets for its gates.
    pub fn with_gadgets(circuit: &Circuit, gadget_of: impl Fn(Gate) -> Gadget) -> Layout {
        Layout::drawn(circuit, gadget_of, Style::Leaping)
    }

    fn drawn(circuit: &Circuit, gadget_of: impl Fn(Gate) -> Gadget, style: Style) -> Layout {
        let gap = style.gap();
        let mut blocks: Vec<Block> = Vec::new();
        let (mut row, mut column) = (gap, gap);
        for &gate in circuit.gates() {
            let gadget = gadget_of(gate);
            let (inputs, outputs) = (gadget.with_role(Role::In), gadget.with_role(Role::Out));
            let (height, width) =
                (gadget.board.geometry().height(), gadget.board.geometry().width());
            (row, column) = style.aligned(gate, row, column);
            blocks.push(Block { gate, gadget, row, column, inputs, outputs });
            row += height + gap;
            column += width + gap;
        }
        let has_den = circuit.gates().contains(&Gate::Den);
        // The meadow, a column for outputs that lead nowhere, then the track.
        let (meadow_row, meadow_column) = (row, column);
        if has_den {
            row += 1 + gap;
            column += 2 + gap;
        }
        let ends: Vec<End> = open_ends(circuit);
        let first_end = column;
        column += ends.len() * (1 + gap);
        let start = |from: End| {
            let source = &blocks[from.gate];
            let port = &source.gadget.ports[source.outputs[from.port]];
            let own = source.gadget.board.geometry();
            let landing = port.landing(own).expect("a port has a landing");
            (source.row + port.line, source.column + own.column(landing))
        };
        let mut paths: Vec<(End, Option<End>, Path)> = Vec::new();
        for (from, to) in circuit.wires() {
            let target = &blocks[to.gate];
            let port = &target.gadget.ports[target.inputs[to.port]];
            let own = target.gadget.board.geometry();
            let landing = target.row + own.row(port.landing(own).expect("a port has a landing"));
            let bend = target.column + port.line;
            paths.push((from, Some(to), style.path(start(from), (landing, bend))));
        }
        for (nth, &from) in ends.iter().enumerate() {
            let column = first_end + nth * (1 + gap);
            paths.push((from, None, style.dead_end(start(from), column)));
        }
        let stones: usize = paths.iter().map(|(.., path)| path.len() - 1).sum();
        let length = if has_den { race(circuit, style) + stones } else { 0 };
        let (track, height, width) = winding(length, row, column);
        let mut geometry = Geometry::new(column + width + gap, row + height + gap, Terrain::Water);
        for block in &blocks {
            let own = block.gadget.board.geometry();
            for local in own.land() {
                geometry.set(block.spot(&geometry, local), own.terrain(local));
            }
        }
        let mut wires = Vec::new();
        for (from, to, path) in paths {
            let corner = path.iter().map(|&(_, column)| column).max().unwrap_or(0);
            let bend = geometry.spot(path[0].0, corner);
            let stones = path.into_iter().map(|(row, column)| geometry.spot(row, column));
            wires.push(Wire { from, to, bend, stones: stones.collect() });
        }
        for &stone in wires.iter().flat_map(|wire| &wire.stones) {
            geometry.set(stone, Terrain::Land);
        }
        let track: Vec<Spot> =
            track.into_iter().map(|(row, column)| geometry.spot(row, column)).collect();
        for &spot in &track {
            geometry.set(spot, Terrain::Land);
        }
        let meadow: Vec<Spot> = (0..if has_den { 2 } else { 0 })
            .map(|step| geometry.spot(meadow_row, meadow_column + step))
            .collect();
        for &spot in &meadow {
            geometry.set(spot, Terrain::Land);
        }
        if let Some(&den) = track.last() {
            geometry.set(den, Terrain::Den(Color::White));
        }
        let crossings = crossings(&geometry, &blocks, &wires);
        let mut board = Board::new(geometry, Color::White);
        for block in &blocks {
            for (local, piece) in block.gadget.board.pieces() {
                let spot = block.spot(board.geometry(), local);
                board.put(spot, Some(piece));
            }
        }
        let cat = |color| Some(Piece { color, animal: Animal::Cat });
        if let Some(&start) = meadow.first() {
            board.put(start, cat(Color::White));
        }
        if let Some(&start) = track.first() {
            board.put(start, cat(Color::Black));
        }
        let circuit = circuit.clone();
        Layout { circuit, blocks, wires, board, track, crossings, leap: style.leap() }
    }

    /// The wire at an output.
    pub fn wire_from(&self, from: End) -> Option<&Wire> {
        self.wires.iter().find(|wire| wire.from == from)
    }

    /// The wire at an input.
    pub fn wire_to(&self, to: End) -> Option<&Wire> {
        self.wires.iter().find(|wire| wire.to == Some(to))
    }

    /// The block in whose rectangle a square lies.
    pub fn block_at(&self, spot: Spot) -> Option<usize> {
        let geometry = self.board.geometry();
        self.blocks.iter().position(|block| block.local(geometry, spot).is_some())
    }

    /// Checks with the move generator alone that the board's gadgets are joined exactly as the gates
    /// of the circuit: a lion put on any square of land can move within its block, to and from bends
    /// as the wires say, and nowhere else; no piece that does not jump can leave a block at all.
    ///
    /// # Errors
    ///
    /// The first move that should not be, or wire that is missing.
    pub fn check(&self) -> Result<(), LayoutError> {
        let rules = BoardRules { leap: self.leap, ..Rules::LEIDEN.into() };
        let generalised = GeneralisedJungle::new(rules);
        let geometry = self.board.geometry();
        let expected = self.jumps_of_wires();
        let (mut found, mut stray) = (Vec::new(), None);
        for animal in [Animal::Lion, Animal::Elephant] {
            for from in
                geometry.land().filter(|&spot| geometry.terrain(spot) != Terrain::Den(Color::White))
            {
                let piece = Piece { color: Color::Black, animal };
                generalised.moves_of(
                    geometry,
                    |_| None,
                    piece,
                    from,
                    |to, _| {
                        let place = |spot| (self.block_at(spot), self.on_track(spot));
                        let within = place(from) == place(to) && place(from) != (None, None);
                        let wire = expected.contains(&(from, to)) || expected.contains(&(to, from));
                        let den = geometry.terrain(to) == Terrain::Den(Color::White);
                        if wire && animal == Animal::Lion {
                            found.push((from, to));
                        } else if !within && !den && !self.on_meadow(from, to) {
                            stray.get_or_insert((from, to));
                        }
                    },
                );
                if let Some((from, to)) = stray {
                    let (from, to) = (geometry.name(from), geometry.name(to));
                    return Err(LayoutError::Stray { from, to });
                }
            }
        }
        // Black's own den is closed to the lion used here; White's lions enter it.
        let missing = expected.iter().find(|&&(from, to)| {
            let den = geometry.terrain(to) == Terrain::Den(Color::Black);
            !den && !found.contains(&(from, to))
        });
        match missing {
            Some(&(from, to)) => {
                Err(LayoutError::Missing { from: geometry.name(from), to: geometry.name(to) })
            }
            None => Ok(()),
        }
    }

    /// The jumps that the wires are made of: to a bend, and from there to a landing.
    fn jumps_of_wires(&self) -> Vec<(Spot, Spot)> {
        let geometry = self.board.geometry();
        let mut jumps = Vec::new();
        for wire in &self.wires {
            let source = &self.blocks[wire.from.gate];
            let landing = source.landing(geometry, source.outputs[wire.from.port]);
            jumps.push((landing, wire.stones[0]));
            jumps.extend(wire.stones.windows(2).map(|pair| (pair[0], pair[1])));
            let last = wire.stones[wire.stones.len() - 1];
            if let Some(to) = wire.to {
                let target = &self.blocks[to.gate];
                jumps.push((last, target.landing(geometry, target.inputs[to.port])));
            }
        }
        jumps
    }

    fn on_track(&self, spot: Spot) -> Option<()> {
        self.track.contains(&spot).then_some(())
    }

    fn on_meadow(&self, from: Spot, to: Spot) -> bool {
        let geometry = self.board.geometry();
        let unowned = |spot| {
            self.block_at(spot).is_none()
                && self.on_track(spot).is_none()
                && !self.wires.iter().any(|wire| wire.stones.contains(&spot))
        };
        unowned(from) && unowned(to) && geometry.row(from) == geometry.row(to)
    }
}

/// Where the board differs from the circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// A move leads from one gadget to another without a wire.
    #[error("a move leads from {from} to {to}, where the circuit has no wire")]
    Stray {
        /// Where the move starts.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// A wire of the circuit cannot be followed.
    #[error("no move leads from {from} to {to}, where the circuit has a wire")]
    Missing {
        /// Where the wire starts.
        from: String,
        /// Where it ends.
        to: String,
    },
}

/// The gadget of a gate on a board of stepping stones.
fn stepping_gadget_of(gate: Gate) -> Gadget {
    let spread = gate.gadget().and_then(|name| {
        let name = name.replace("mended", "stepping");
        library::stepping().into_iter().find(|gadget| gadget.name == name)
    });
    spread.unwrap_or_else(|| gadget_of(gate))
}

/// How far Black has to go: more than White can need.
fn race(circuit: &Circuit, style: Style) -> usize {
    let needed = |&gate: &Gate| moves_needed(gate, style == Style::Stepping);
    circuit.gates().iter().map(needed).sum::<usize>() + 1
}

/// Outputs that lead nowhere.
fn open_ends(circuit: &Circuit) -> Vec<End> {
    let used: Vec<End> = circuit.wires().map(|(from, _)| from).collect();
    let all = circuit
        .gates()
        .iter()
        .enumerate()
        .flat_map(|(gate, kind)| (0..kind.arity().1).map(move |port| End { gate, port }));
    all.filter(|end| !used.contains(end)).collect()
}

/// A winding track of `length` steps in a square of its own: squares in order, height, width.
fn winding(length: usize, row: usize, column: usize) -> (Vec<(usize, usize)>, usize, usize) {
    if length == 0 {
        return (Vec::new(), 0, 0);
    }
    let width = (1..).find(|width| width * width >= 2 * length).unwrap_or(1).max(2);
    let mut track = vec![(row, column)];
    let (mut down, mut across, mut eastward) = (0, 0, true);
    while track.len() <= length {
        let turns = if eastward { across + 1 == width } else { across == 0 };
        if turns {
            // Two squares down, with water between the lanes.
            down += 1;
            track.push((row + down, column + across));
            if track.len() <= length {
                down += 1;
                track.push((row + down, column + across));
            }
            eastward = !eastward;
        } else {
            across = if eastward { across + 1 } else { across - 1 };
            track.push((row + down, column + across));
        }
    }
    (track, down + 1, width)
}

/// How many times a wire's row passes another's column.
fn crossings(geometry: &Geometry, blocks: &[Block], wires: &[Wire]) -> usize {
    let row = |wire: &Wire| geometry.row(wire.bend);
    let column = |wire: &Wire| geometry.column(wire.bend);
    let mut count = 0;
    for lying in wires {
        let start = blocks[lying.from.gate].column;
        for standing in wires {
            let Some(to) = standing.to else { continue };
            let end = blocks[to.gate].row;
            let passes = (start..column(lying)).contains(&column(standing));
            let spans = row(standing) < row(lying) && row(lying) < end;
            count += usize::from(passes && spans);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract;
    use crate::formula::Formula;
    use crate::geometry::Direction;

    #[test]
    fn boards_are_their_circuits() {
        for text in
            ["x", "x & y", "(x | y) & (x | z | w)", "(a | b | c) & (b | c | d) & (a | d) & c"]
        {
            let formula: Formula = text.parse().unwrap();
            let layout = Layout::of(&Circuit::of(&formula));
            layout.check().unwrap_or_else(|error| panic!("{text}: {error}\n{}", layout.board));
        }
        for text in
            ["x", "x & x", "x & y", "(x | y) & (x | z | w)", "(a | b | c) & (b | c | d) & a"]
        {
            let formula: Formula = text.parse().unwrap();
            let layout = Layout::stepping(&Circuit::of(&formula));
            layout.check().unwrap_or_else(|error| panic!("{text}: {error}\n{}", layout.board));
        }
        for circuit in [Circuit::half_crossover(), Circuit::crossover()] {
            Layout::of(&circuit).check().unwrap();
        }
    }

    #[test]
    fn a_missing_bend_is_found() {
        let formula: Formula = "(x | y) & (x | z)".parse().unwrap();
        let mut layout = Layout::of(&Circuit::of(&formula));
        let mut geometry = layout.board.geometry().clone();
        geometry.set(layout.wires[2].bend, Terrain::Water);
        layout.board = Board::new(geometry, Color::White);
        assert!(layout.check().is_err());
    }

    /// Whether inputs are north and outputs east.
    fn is_laid_out(gadget: &Gadget) -> bool {
        gadget.ports.iter().all(|port| match port.role {
            Role::In => port.edge == Direction::North,
            Role::Out => port.edge == Direction::East,
        })
    }

    #[test]
    fn every_gadget_is_shaped_for_the_diagonal() {
        assert!(library::mended().iter().all(is_laid_out));
    }

    #[test]
    fn moves_needed_are_those_of_the_contracts() {
        for (gate, _) in contract::kinds() {
            for (stepping, gadget) in [false, true].into_iter().zip(contract::drawings(gate)) {
                let contract = contract::proved(gate, &gadget, Rules::LEIDEN).unwrap();
                let plies = contract.forcing.plies_after_waiting().unwrap();
                let needed = moves_needed(gate, stepping);
                assert!(plies.div_ceil(2) as usize <= needed, "{}: {plies} plies", gadget.name);
            }
        }
    }
}
