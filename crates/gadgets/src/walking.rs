//! Boards of the published set: formulas whose circuits need no crossing, laid out for panthers that walk.
//!
//! Signals go up. VARIABLEs stand in a row at the bottom, the Black den is at the top; on every wire stands a protector as in the
//! paper: three one-way channels, an OUTFLOW, three one-way channels. FANOUT and the den have the last WHITE EDGE of the
//! protector at their ports. The lower opening of VARIABLE is closed. Black's cat runs on an island, below everything.
//!
//! A formula can be drawn so if its variables, written as they occur, occur once or twice, twice only one right after the other.

use jungle::board::Terrain;
use jungle::{Animal, Color, Piece};

use crate::board::{Board, Cell};
use crate::compose::outflow_upwards;
use crate::formula::Formula;
use crate::gadget::{Gadget, Role};
use crate::generalised::{BoardRules, GeneralisedJungle};
use crate::geometry::{Direction, Spot};
use crate::library;
use crate::published;
use crate::sentry::CAT;

const WATER: Cell = Cell::empty(Terrain::Water);
const LAND: Cell = Cell::empty(Terrain::Land);

/// A gadget where it stands on the board.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The gadget, turned as it stands.
    pub gadget: Gadget,
    /// The row of its top left corner.
    pub row: usize,
    /// The column of that.
    pub column: usize,
}

impl Plot {
    /// The square of the board where this one of the gadget is.
    pub fn spot(&self, board: &Board, local: Spot) -> Spot {
        let own = self.gadget.board.geometry();
        board.geometry().spot(self.row + own.row(local), self.column + own.column(local))
    }

    /// The square of the gadget that is this one of the board.
    pub fn local(&self, board: &Board, spot: Spot) -> Option<Spot> {
        let own = self.gadget.board.geometry();
        let row = board.geometry().row(spot).checked_sub(self.row)?;
        let column = board.geometry().column(spot).checked_sub(self.column)?;
        (row < own.height() && column < own.width()).then(|| own.spot(row, column))
    }

    /// The square of the board just outside a port.
    pub fn outside(&self, board: &Board, port: usize) -> Option<Spot> {
        let port = &self.gadget.ports[port];
        let landing = port.landing(self.gadget.board.geometry())?;
        board.geometry().next(self.spot(board, landing), port.edge)
    }
}

/// What a gate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The setter of a variable.
    Variable(usize),
    /// FANOUT.
    Fanout,
    /// OR.
    Or,
    /// AND.
    And,
    /// The den, behind its BLACK EDGE.
    Den,
}

/// A gate of the board.
#[derive(Clone, Debug)]
pub struct Stand {
    /// What it does.
    pub task: Task,
    /// Its plot.
    pub plot: usize,
    /// The wires that lead to it, by input.
    pub wires: Vec<usize>,
}

/// A wire with its protector.
#[derive(Clone, Debug)]
pub struct Path {
    /// The gate it comes from.
    pub from: usize,
    /// The output of that.
    pub port: usize,
    /// The plots of the BLACK EDGEs below the OUTFLOW, of it, and of those above.
    pub low: Vec<usize>,
    /// The OUTFLOW.
    pub outflow: usize,
    /// The BLACK EDGEs above it.
    pub high: Vec<usize>,
}

/// A board of walking panthers.
#[derive(Clone, Debug)]
pub struct Walking {
    /// The board, White to move.
    pub board: Board,
    /// All gadgets of figures 3 and 4 on it.
    pub plots: Vec<Plot>,
    /// The gates, sources first.
    pub gates: Vec<Stand>,
    /// The wires.
    pub paths: Vec<Path>,
    /// The way of Black's cat; White's den is at its end.
    pub track: Vec<Spot>,
}

/// A wire that is being laid: the column of its upper end.
#[derive(Clone, Debug)]
struct Front {
    column: usize,
    from: usize,
    port: usize,
    /// Whether a WHITE EDGE stands at its lower end already.
    edged: bool,
    /// The wire, once its protector stands.
    path: Option<usize>,
}

/// A board that grows upwards: the first row is the lowest.
#[derive(Default)]
struct Site {
    width: usize,
    rows: Vec<Vec<Cell>>,
    plots: Vec<Plot>,
    gates: Vec<Stand>,
    paths: Vec<Path>,
    fronts: Vec<Front>,
}

impl Site {
    /// Puts rows of cells, the top one first, so that their lowest is `bottom`.
    fn put(&mut self, rows: &[Vec<Cell>], bottom: usize, left: usize) {
        for (up, row) in rows.iter().rev().enumerate() {
            while self.rows.len() <= bottom + up {
                self.rows.push(vec![WATER; self.width]);
            }
            self.rows[bottom + up][left..left + row.len()].copy_from_slice(row);
        }
    }

    /// A gadget at a place, its number; rows of plots are counted from below until the end.
    fn plot(&mut self, gadget: Gadget, bottom: usize, left: usize) -> usize {
        self.put(&gadget.board.rows(), bottom, left);
        self.note(gadget, bottom, left)
    }

    fn note(&mut self, gadget: Gadget, bottom: usize, left: usize) -> usize {
        self.plots.push(Plot { gadget, row: bottom, column: left });
        self.plots.len() - 1
    }

    fn land(&mut self, row: usize, columns: std::ops::RangeInclusive<usize>) {
        for column in columns {
            self.put(&[vec![LAND]], row, column);
        }
    }

    /// Lengthens all fronts but these up to a row.
    fn lengthen(&mut self, from: usize, to: usize, but: &[usize]) {
        for front in (0..self.fronts.len()).filter(|front| !but.contains(front)) {
            let column = self.fronts[front].column;
            (from..to).for_each(|row| self.land(row, column..=column));
        }
    }

    /// Puts protectors on these fronts; `edged` if the last WHITE EDGE belongs to what comes next.
    fn protect(&mut self, fronts: &[usize], edged: bool) {
        let (start, mut end) = (self.rows.len(), 0);
        for &number in fronts {
            let front = self.fronts[number].clone();
            let mut links = protector();
            if front.edged {
                links.remove(0);
            }
            if edged {
                links.pop();
            }
            let mut row = start;
            let (mut edges, mut outflow) = (Vec::new(), 0);
            for link in links {
                let height = link.board.geometry().height();
                let left = front.column - link.ports[0].line;
                let name = link.name.clone();
                let plot = self.plot(link, row, left);
                match name.as_str() {
                    "black-edge" => edges.push(plot),
                    "outflow-upwards" => outflow = plot,
                    _ => {}
                }
                row += height;
            }
            end = end.max(row);
            let high = edges.split_off(published::EDGES);
            self.fronts[number].path = Some(self.paths.len());
            self.paths.push(Path { from: front.from, port: front.port, low: edges, outflow, high });
        }
        // Where a link was left out, the wire goes on.
        for &number in fronts {
            let column = self.fronts[number].column;
            let open = (start..end).rev().take_while(|&row| self.rows[row][column] == WATER);
            open.collect::<Vec<_>>().into_iter().for_each(|row| self.land(row, column..=column));
        }
        self.lengthen(start, end, fronts);
    }

    /// Joins each of these fronts and the one after it by a gate.
    fn join(&mut self, firsts: &[usize], task: Task, name: &str) {
        let bend = self.rows.len();
        let both: Vec<usize> = firsts.iter().flat_map(|&first| [first, first + 1]).collect();
        let gadget = library::find(name).expect("a gadget of the library");
        let height = gadget.board.geometry().height();
        self.lengthen(bend, bend + 1 + height, &both);
        for &first in firsts.iter().rev() {
            let (one, other) = (self.fronts[first].clone(), self.fronts[first + 1].clone());
            let left = (one.column + other.column) / 2 - 2;
            self.land(bend, one.column..=left + 1);
            self.land(bend, left + 3..=other.column);
            let plot = self.plot(gadget.clone(), bend + 1, left);
            let wires = [one.path, other.path].into_iter().flatten().collect();
            let from = self.gate(task, plot, wires);
            self.fronts.remove(first + 1);
            self.fronts[first] =
                Front { column: left + 2, from, port: 0, edged: false, path: None };
        }
    }

    fn gate(&mut self, task: Task, plot: usize, wires: Vec<usize>) -> usize {
        self.gates.push(Stand { task, plot, wires });
        self.gates.len() - 1
    }

    /// Puts a FANOUT on each of these fronts, which become two.
    fn fan(&mut self, fronts: &[usize]) {
        let (fanout, guarded) =
            (library::find("fanout").expect("a gadget"), published::guarded_fanout());
        let white = library::find("white-edge").expect("a gadget");
        let (start, height) = (self.rows.len(), guarded.board.geometry().height());
        self.lengthen(start, start + height + 1, fronts);
        for &number in fronts.iter().rev() {
            let front = self.fronts[number].clone();
            let left = front.column - guarded.ports[0].line;
            self.put(&guarded.board.rows(), start, left);
            let plot = self.note(fanout.clone(), start + 5, left + 1);
            for (row, column) in [(0, 2), (10, 3), (15, 0)] {
                self.note(white.clone(), start + row, left + column);
            }
            let from = self.gate(Task::Fanout, plot, front.path.into_iter().collect());
            let (low, high) = (left + 2, left + 5);
            self.land(start + height, low - 6..=low);
            self.land(start + height, high..=high + 6);
            let end = |column, port| Front { column, from, port, edged: true, path: None };
            self.fronts[number] = end(low - 6, 0);
            self.fronts.insert(number + 1, end(high + 6, 1));
        }
    }
}

/// The links of a protector, from below.
fn protector() -> Vec<Gadget> {
    let find = |name: &str| library::find(name).expect("a gadget of the library");
    let (white, black) = (find("white-edge"), find("black-edge"));
    let channel = [white.clone(), white.clone(), black, white.clone(), white];
    let channels = || std::iter::repeat_n(channel.clone(), published::EDGES).flatten();
    channels().chain([outflow_upwards()]).chain(channels()).collect()
}

impl Walking {
    /// The board of a formula; `None` if it cannot be drawn without crossings.
    pub fn of(formula: &Formula) -> Option<Walking> {
        let mut site = Site::default();
        let occurrences: Vec<usize> = formula.clauses().concat();
        let mut variables = occurrences.clone();
        variables.dedup();
        let times = |variable| occurrences.iter().filter(|&&there| there == variable).count();
        let once =
            variables.iter().enumerate().all(|(nth, there)| !variables[..nth].contains(there));
        if !once || variables.iter().any(|&variable| times(variable) > 2) {
            return None;
        }
        let room = |variable| if times(variable) > 1 { 34 } else { 14 };
        site.width = variables.iter().map(|&variable| room(variable)).sum();
        let setter = library::find("variable").expect("a gadget of the library");
        let mut left = 0;
        for &variable in &variables {
            let column = left + room(variable) / 2;
            let plot = site.plot(setter.clone(), 1, column - 2);
            let from = site.gate(Task::Variable(variable), plot, Vec::new());
            site.fronts.push(Front { column, from, port: 0, edged: false, path: None });
            left += room(variable);
        }
        let twice: Vec<usize> =
            (0..variables.len()).filter(|&front| times(variables[front]) > 1).collect();
        if !twice.is_empty() {
            site.protect(&twice, true);
            site.fan(&twice);
        }
        let all: Vec<usize> = (0..site.fronts.len()).collect();
        let last = all.len() == 1;
        site.protect(&all, last);
        // How many fronts each clause still has.
        let mut clauses: Vec<usize> = formula.clauses().iter().map(Vec::len).collect();
        while clauses.iter().any(|&fronts| fronts > 1) {
            let first = |nth: usize| clauses[..nth].iter().sum::<usize>();
            let open = (0..clauses.len()).filter(|&nth| clauses[nth] > 1);
            let (open, firsts): (Vec<usize>, Vec<usize>) =
                open.map(|nth| (nth, first(nth))).unzip();
            site.join(&firsts, Task::Or, "or");
            open.iter().for_each(|&nth| clauses[nth] -= 1);
            let joined: Vec<usize> =
                open.iter().map(|&nth| clauses[..nth].iter().sum::<usize>()).collect();
            site.protect(&joined, site.fronts.len() == 1);
        }
        while site.fronts.len() > 1 {
            site.join(&[0], Task::And, "and");
            site.protect(&[0], site.fronts.len() == 1);
        }
        Some(site.finish())
    }

    /// What a port leads to: another port, or the den.
    fn far_end(&self, plot: usize, port: usize) -> Option<End> {
        let geometry = self.board.geometry();
        let mut seen = vec![self.plots[plot].outside(&self.board, port)?];
        let (mut next, mut ends) = (0, Vec::new());
        while next < seen.len() {
            let spot = seen[next];
            next += 1;
            match self.owner(spot) {
                _ if geometry.is_water(spot) => {}
                _ if geometry.terrain(spot) == Terrain::Den(Color::Black) => ends.push(End::Den),
                Some(owner) => {
                    let plot = &self.plots[owner];
                    let landing = plot.local(&self.board, spot);
                    let own = plot.gadget.board.geometry();
                    let port =
                        plot.gadget.ports.iter().position(|port| port.landing(own) == landing);
                    ends.push(End::Port(owner, port?));
                }
                None => {
                    let around =
                        Direction::ALL.into_iter().filter_map(|way| geometry.next(spot, way));
                    let new: Vec<Spot> = around.filter(|spot| !seen.contains(spot)).collect();
                    seen.extend(new);
                }
            }
        }
        // A wire of squares that belong to nobody comes back to where it began.
        ends.retain(|&end| end != End::Port(plot, port));
        match ends.as_slice() {
            [end] => Some(*end),
            _ => None,
        }
    }

    fn owner(&self, spot: Spot) -> Option<usize> {
        self.plots.iter().position(|plot| plot.local(&self.board, spot).is_some())
    }

    /// Checks that nobody leaves a gadget but by a port, that nobody jumps, and that from every gate to the next leads a protector as in
    /// the paper and nothing else.
    ///
    /// # Errors
    ///
    /// What is wrong, and where.
    pub fn check(&self, rules: impl Into<BoardRules>) -> Result<(), String> {
        let geometry = self.board.geometry();
        let generalised = GeneralisedJungle::new(rules);
        let leaps = |(_, piece): &(Spot, Piece)| {
            piece.animal == Animal::Rat
                || Direction::ALL.into_iter().any(|way| generalised.jumps(piece.animal, way))
        };
        if let Some((spot, _)) = self.board.pieces().find(leaps) {
            return Err(format!("the piece on {} crosses water", geometry.name(spot)));
        }
        for plot in &self.plots {
            let own = &plot.gadget.board;
            let drawn = |&local: &Spot| {
                let spot = plot.spot(&self.board, local);
                let terrain = geometry.terrain(spot) == own.geometry().terrain(local);
                terrain && self.board.at(spot) == own.at(local)
            };
            if !(0..own.geometry().len()).all(|local| drawn(&local)) {
                return Err(format!("{} in row {} is not as drawn", plot.gadget.name, plot.row));
            }
        }
        let owners: Vec<Option<usize>> = (0..geometry.len()).map(|spot| self.owner(spot)).collect();
        for from in geometry.land() {
            for to in Direction::ALL.into_iter().filter_map(|way| geometry.next(from, way)) {
                if geometry.is_water(to) || owners[from] == owners[to] {
                    continue;
                }
                let by_port = |owner: usize| {
                    let ports = 0..self.plots[owner].gadget.ports.len();
                    ports
                        .into_iter()
                        .any(|port| self.plots[owner].outside(&self.board, port) == Some(to))
                };
                if owners[from].is_some_and(|owner| !by_port(owner)) {
                    return Err(format!("a way leads out at {}", geometry.name(from)));
                }
            }
        }
        for (number, gate) in self.gates.iter().enumerate() {
            for (input, &wire) in gate.wires.iter().enumerate() {
                self.check_wire(number, input, &self.paths[wire])?;
            }
        }
        self.check_den(&generalised)?;
        let steps = self.track.windows(2).all(|pair| {
            Direction::ALL.into_iter().any(|way| geometry.next(pair[0], way) == Some(pair[1]))
        });
        let (mut race, mut track) = (self.flood(self.track[0], None), self.track.clone());
        race.sort_unstable();
        track.sort_unstable();
        match (steps, race == track) {
            (false, _) => Err("the track is broken".to_owned()),
            (_, false) => Err("the track is not by itself".to_owned()),
            _ => Ok(()),
        }
    }

    /// All squares to which a way leads over land, but for one that is closed.
    fn flood(&self, from: Spot, closed: Option<Spot>) -> Vec<Spot> {
        let geometry = self.board.geometry();
        let mut open = vec![true; geometry.len()];
        open[from] = false;
        closed.into_iter().for_each(|spot| open[spot] = false);
        let (mut reached, mut next) = (vec![from], 0);
        while next < reached.len() {
            let spot = reached[next];
            for to in Direction::ALL.into_iter().filter_map(|way| geometry.next(spot, way)) {
                if !geometry.is_water(to) && std::mem::replace(&mut open[to], false) {
                    reached.push(to);
                }
            }
            next += 1;
        }
        reached
    }

    /// Checks that nobody gets into the Black den but over the square of its edge's dog, which has no other Black piece to move and whom
    /// no cat takes there: so no cat gets in as long as Black leaves the dog alone.
    fn check_den(&self, generalised: &GeneralisedJungle) -> Result<(), String> {
        let geometry = self.board.geometry();
        let edge = self.gates.iter().find(|gate| gate.task == Task::Den);
        let plot = &self.plots[edge.ok_or("no den")?.plot];
        let mut dogs = plot.gadget.board.pieces().map(|(local, _)| plot.spot(&self.board, local));
        let dog = dogs.next().ok_or("no dog before the den")?;
        let is_den = |&spot: &Spot| geometry.terrain(spot) == Terrain::Den(Color::Black);
        let den = geometry.land().find(is_den).ok_or("no den")?;
        if self.flood(den, Some(dog)).iter().any(|&spot| self.board.at(spot).is_some()) {
            return Err("a way leads to the den past the dog".to_owned());
        }
        let piece = self.board.at(dog).ok_or("no dog before the den")?;
        let beside = Direction::ALL.into_iter().filter_map(|way| geometry.next(dog, way));
        let takes = |from: Spot| generalised.may_take(geometry, CAT, from, piece, dog);
        let taken = beside.filter(|&from| !geometry.is_water(from)).any(takes);
        if taken { Err("a cat takes the dog before the den".to_owned()) } else { Ok(()) }
    }

    fn check_wire(&self, gate: usize, input: usize, path: &Path) -> Result<(), String> {
        let source = &self.gates[path.from];
        let output = |gadget: &Gadget, nth: usize| gadget.with_role(Role::Out)[nth];
        let mut at = (source.plot, output(&self.plots[source.plot].gadget, path.port));
        for link in protector() {
            match self.far_end(at.0, at.1) {
                Some(End::Port(plot, 0)) if self.plots[plot].gadget.name == link.name => {
                    at = (plot, 1);
                }
                end => return Err(format!("expected {}, found {end:?}", link.name)),
            }
        }
        let stand = &self.gates[gate];
        if self.far_end(at.0, at.1) != Some(End::Port(stand.plot, input)) {
            return Err(format!("a wire does not lead to input {input} of gate {gate}"));
        }
        if stand.task == Task::Den && self.far_end(stand.plot, 1) != Some(End::Den) {
            return Err("the den is not where it should be".to_owned());
        }
        Ok(())
    }
}

/// What a port leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Port(usize, usize),
    Den,
}

impl Site {
    /// The den on the last front, the race below, and rows counted from the top.
    fn finish(mut self) -> Walking {
        let front = self.fronts[0].clone();
        let guarded = published::guarded_den();
        let (start, left) = (self.rows.len(), front.column - guarded.ports[0].line);
        self.put(&guarded.board.rows(), start, left);
        let find = |name: &str| library::find(name).expect("a gadget of the library");
        self.note(find("white-edge"), start, left + 1);
        let plot = self.note(find("black-edge"), start + 5, left);
        self.gate(Task::Den, plot, front.path.into_iter().collect());
        let height = self.rows.len() + 1;
        let mut rows: Vec<Vec<Cell>> = vec![vec![WATER; self.width]];
        rows.extend(self.rows.iter().rev().cloned());
        for plot in &mut self.plots {
            plot.row = height - plot.row - plot.gadget.board.geometry().height();
        }
        // White's strategy takes fewer moves than there are squares of land.
        let land = rows.iter().flatten().filter(|cell| cell.terrain != Terrain::Water).count();
        let mut track = Vec::new();
        while track.len() <= 2 * land {
            let row = rows.len();
            let mut cells = vec![LAND; self.width];
            cells[0] = WATER;
            cells[self.width - 1] = WATER;
            let mut columns: Vec<usize> = (1..self.width - 1).collect();
            if row % 4 < 2 {
                columns.reverse();
            }
            track.extend(columns.iter().map(|column| row * self.width + column));
            rows.push(cells);
            let mut turn = vec![WATER; self.width];
            let last = columns[columns.len() - 1];
            turn[last] = LAND;
            track.push(rows.len() * self.width + last);
            rows.push(turn);
        }
        rows.push(vec![WATER; self.width]);
        let mut put = |spot: Spot, cell| rows[spot / self.width][spot % self.width] = cell;
        put(track[0], Cell::occupied(Color::Black, Animal::Cat));
        put(track[track.len() - 1], Cell::empty(Terrain::Den(Color::White)));
        let board = Board::from_rows(&rows, Color::White);
        Walking { board, plots: self.plots, gates: self.gates, paths: self.paths, track }
    }
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;

    fn walking(text: &str) -> Option<Walking> {
        Walking::of(&text.parse::<Formula>().unwrap())
    }

    #[test]
    fn boards_are_made_of_the_gadgets_of_the_paper() {
        for text in ["x", "x & y", "x | y", "x & x", "(x | y) & (y | z)", "(x | y | z) & w"] {
            let board = walking(text).unwrap();
            assert_eq!(board.check(Rules::LEIDEN), Ok(()), "{text}");
            let edges = board.plots.iter().filter(|plot| plot.gadget.name == "black-edge").count();
            assert_eq!(edges, 1 + 2 * published::EDGES * board.paths.len(), "{text}");
        }
        assert!(walking("(x | y) & (x | z)").is_none());
    }

    #[test]
    fn a_hole_in_a_wall_and_a_broken_wire_are_found() {
        let board = walking("x & y").unwrap();
        let changed = |spots: &[Spot], terrain| {
            let mut geometry = board.board.geometry().clone();
            spots.iter().for_each(|&spot| geometry.set(spot, terrain));
            let mut new = Board::new(geometry, Color::White);
            board.board.pieces().for_each(|(spot, piece)| _ = new.put(spot, Some(piece)));
            Walking { board: new, ..board.clone() }.check(Rules::LEIDEN)
        };
        let and = board.gates.iter().find(|gate| gate.task == Task::And).unwrap();
        let plot = &board.plots[and.plot];
        let wire = plot.outside(&board.board, 0).unwrap();
        assert!(changed(&[wire], Terrain::Water).unwrap_err().contains("does not lead"));
        let wall = plot.spot(&board.board, 0) + 2 * board.board.geometry().width();
        let hole = changed(&[wall, wall - 1], Terrain::Land).unwrap_err();
        assert!(hole.contains("not as drawn"), "{hole}");
        assert!(changed(&[wall - 1], Terrain::Land).is_ok());
        let race = board.track[0] + board.board.geometry().width();
        assert!(changed(&[race], Terrain::Land).unwrap_err().contains("by itself"));
        let around = |board: &Walking| board.check_den(&GeneralisedJungle::new(Rules::LEIDEN));
        assert_eq!(around(&board), Ok(()));
        let den = board.gates.iter().find(|gate| gate.task == Task::Den).unwrap();
        let edge = &board.plots[den.plot];
        let [below, above] = [0, 1].map(|port| edge.outside(&board.board, port).unwrap());
        let mut geometry = board.board.geometry().clone();
        let side = (above + 4..below + 4).step_by(geometry.width());
        let way = (above + 1..above + 5).chain(side).chain(below + 1..below + 5);
        way.for_each(|spot| geometry.set(spot, Terrain::Land));
        let mut open = Walking { board: Board::new(geometry, Color::White), ..board.clone() };
        board.board.pieces().for_each(|(spot, piece)| _ = open.board.put(spot, Some(piece)));
        assert!(around(&open).unwrap_err().contains("past the dog"));
    }
}
