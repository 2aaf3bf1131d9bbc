//! How exact formula (5) is: values and moves added up over sub-boards, against the whole board.
//!
//! Xu, Xing and Zuo state that the combined value equals the minimax value of the whole board. At
//! depth 1 it does: one move is made, and the evaluation is a sum. From depth 2 on it need not:
//! in each sub-board the search takes turns, but on the board a player may answer elsewhere, or play
//! twice running in one sub-board. [`Tally`] counts how often value and move differ, apart for what
//! the board is made of:
//!
//! - *filling* sub-boards only: neither player can disturb the other, but each waits in turn in every part;
//! - one *competing* sub-board beside filling ones: a player would rather fill than move there, or
//!   gets in two moves there while the other fills;
//! - several competing ones: the players take turns on the board, not in each of them.
//!
//! A combined value differs although the move is right, a wrong move costs something, and the worst is
//! a move that gives away a won game; all three are counted. Why a value differs is
//! [traced](super::Causes): each difference is put down to the assumption whose repair makes it vanish,
//! and for each the smallest position is kept as an [`Example`]. The [exact solver](amazons::exact) is
//! checked against brute force on the same positions.
//!
//! Positions come from random games ([`sampled`]; each is searched by itself), or they are all that can be
//! reached on a small board ([`Classes`](super::Classes); what minimax and brute force say is known
//! from the positions after it).

use std::collections::BTreeMap;

use game::limits::{Limits, Meter};
use game::rng::Rng;
use game::{Game, Side};

use super::causes::{Cause, Causes, Trace};
use super::classes::{Known, Reply};
use amazons::divide::{Divide, Ends, Found};
use amazons::evaluate::Weights;
use amazons::exact::{self, Solver};
use amazons::region::{self, Kind};
use amazons::{Amazons, Bitboard, Move, Position, Size};

/// The kind of a board: what sub-boards it consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Made {
    /// Only sub-boards in which one player can move.
    Filling,
    /// One sub-board in which both can, and others in which one can.
    OneCompeting,
    /// Several sub-boards in which both can.
    Competing,
}

impl Made {
    /// All kinds of boards.
    pub const ALL: [Made; 3] = [Made::Filling, Made::OneCompeting, Made::Competing];

    /// What the board is made of; `None` if it does not fall into several executing sub-boards.
    pub fn of(position: &Position) -> Option<Made> {
        let (mut parts, mut competing) = (0, 0);
        region::executing(position, |region| {
            parts += 1;
            competing += u32::from(region.kind == Kind::Competing);
        });
        match (parts, competing) {
            (0 | 1, _) => None,
            (_, 0) => Some(Made::Filling),
            (_, 1) => Some(Made::OneCompeting),
            _ => Some(Made::Competing),
        }
    }
}

/// What was found at one depth on boards of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions compared.
    pub positions: u64,
    /// Positions where the combined value is not minimax's.
    pub other_value: u64,
    /// Of these, positions where it is too high.
    pub too_high: u64,
    /// Positions where the chosen move is worth less, to this depth, than the best one.
    pub worse_move: u64,
    /// Won positions in which the chosen move loses the game.
    pub thrown_away: u64,
    /// Won positions in which plain search to the same depth chooses a losing move.
    pub plain_thrown_away: u64,
    /// Positions that the player to move can win.
    pub won: u64,
}

/// Why values differed, at one depth on boards of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasons {
    /// Differences put down to each cause: its repair alone makes them vanish, and none before it does.
    pub first: [u64; Cause::ALL.len()],
    /// Differences that vanish by the repair of each cause alone, whether others do as well or not.
    pub alone: [u64; Cause::ALL.len()],
    /// Differences that would have taken too long to trace.
    pub untraced: u64,
}

/// A position where formula (5) differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The position, reduced to what matters.
    pub position: Position,
    /// To which depth.
    pub depth: u32,
    /// What formula (5) says.
    pub combined: i32,
    /// What repairs make of it, and what minimax says.
    pub trace: Trace,
}

impl Example {
    /// A line of best play to the example's depth on the whole board.
    pub fn line(&self, weights: Weights) -> Vec<Move> {
        let mut position = self.position;
        let mut line = Vec::new();
        for depth in (1..=self.depth).rev() {
            let Some(mv) = search(&mut undivided(weights), &position, depth).best else { break };
            Amazons.make(&mut position, mv);
            line.push(mv);
        }
        line
    }

    /// The move that formula (5) chooses.
    pub fn chosen(&self, weights: Weights) -> Option<Move> {
        search(&mut divided(weights), &self.position, self.depth).best
    }

    /// The shallower, the fewer squares and the fewer amazons, the smaller.
    fn smallness(&self) -> (u32, u32, u32, String) {
        let at = &self.position;
        (self.depth, at.empty().len(), at.open().len(), at.to_string())
    }
}

/// The findings on all positions.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// By depth from 1, by what the board is made of.
    pub tallies: Vec<[Tally; 3]>,
    /// The same of the causes.
    pub reasons: Vec<[Reasons; 3]>,
    /// The smallest position for each cause.
    pub examples: BTreeMap<Cause, Example>,
    /// Differences where the game with everything repaired is not worth what minimax says: none, or
    /// the tracing is wrong.
    pub mistraced: u64,
    /// Positions of all kinds that were solved by brute force and by the exact solver.
    pub solved: u64,
    /// Positions where the two disagree.
    pub disagreements: u64,
    /// Positions that brute force visited, each on its own account; none if all winners were known.
    pub brute_force_nodes: u64,
    /// Steps that the exact solver took, which remembers what it learned.
    pub solver_steps: u64,
}

/// Compares positions one after another.
#[derive(Debug)]
pub struct Comparison {
    weights: Weights,
    solver: Solver,
    causes: Causes,
    /// Kept for positions that come in order, so that their sub-boards are searched once.
    divided: Divide,
    figures: Figures,
    depth: u32,
}

/// The values to compare at one depth.
struct Compared {
    plain: i32,
    combined: i32,
    /// What the chosen move is worth.
    worth: i32,
    thrown_away: bool,
    plain_thrown_away: bool,
}

/// How many steps tracing one difference may take.
const TRACE_STEPS: u64 = 2_000_000;

impl Comparison {
    /// Compares at depths from 1 to this.
    pub fn new(depth: u32) -> Comparison {
        let weights = Weights::default();
        let tallies = vec![[Tally::default(); 3]; depth as usize];
        let reasons = vec![[Reasons::default(); 3]; depth as usize];
        Comparison {
            weights,
            solver: Solver::new(),
            causes: Causes::new(weights),
            divided: divided(weights),
            figures: Figures { tallies, reasons, ..Figures::default() },
            depth,
        }
    }

    /// The evaluation used.
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// The findings so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Looks at a position. Only those that fall into parts are compared, and solved.
    pub fn look_at(&mut self, position: &Position) {
        let Some(made) = made_of_ongoing(position) else { return };
        let (truth, nodes) = exact::brute_force(position, u64::MAX).expect("no limit");
        self.figures.brute_force_nodes += nodes;
        self.solve(position, truth);
        let won = truth == position.turn();
        for depth in 1..=self.depth {
            let plain = search(&mut undivided(self.weights), position, depth);
            let combined = search(&mut divided(self.weights), position, depth);
            let mv = combined.best.expect("a game that goes on has a move");
            let after = Amazons.after(position, mv);
            let worth = -search(&mut undivided(self.weights), &after, depth - 1).value;
            let mut loses = |found: Found| {
                let mv = found.best.expect("a game that goes on has a move");
                let after = Amazons.after(position, mv);
                won && self.solver.winner(&after, u64::MAX) != Ok(truth)
            };
            let compared = Compared {
                plain: plain.value,
                combined: combined.value,
                worth,
                thrown_away: loses(combined),
                plain_thrown_away: loses(plain),
            };
            self.count(position, made, depth, won, &compared);
        }
    }

    /// The same with what is known already, to as many depths.
    pub fn look_at_known(&mut self, known: &Known<'_>) {
        let position = &known.position;
        let Some(made) = made_of_ongoing(position) else { return };
        self.solve(position, if known.won { position.turn() } else { !position.turn() });
        let mut replies: Vec<&Reply<'_>> = known.replies.iter().collect();
        for depth in 1..=self.depth {
            let combined = search(&mut self.divided, position, depth);
            let worth = |reply: &Reply<'_>| -reply.values[depth as usize - 1];
            let chosen = known.replies.iter().find(|reply| Some(reply.mv) == combined.best);
            let chosen = chosen.expect("a game that goes on has a move");
            if depth == 2 {
                // From here on plain search tries first what is best at a glance.
                replies.sort_by_key(|reply| reply.values[0]);
            }
            let plain = known.values[depth as usize];
            let first = replies.iter().find(|reply| worth(reply) == plain);
            let compared = Compared {
                plain,
                combined: combined.value,
                worth: worth(chosen),
                thrown_away: known.won && chosen.won,
                plain_thrown_away: known.won && first.is_some_and(|reply| reply.won),
            };
            self.count(position, made, depth, known.won, &compared);
        }
    }

    fn solve(&mut self, position: &Position, truth: Side) {
        let before = self.solver.steps();
        let winner = self.solver.winner(position, u64::MAX).expect("no limit");
        self.figures.solver_steps += self.solver.steps() - before;
        self.figures.solved += 1;
        self.figures.disagreements += u64::from(winner != truth);
    }

    fn count(&mut self, at: &Position, made: Made, depth: u32, won: bool, compared: &Compared) {
        let &Compared { plain, combined, worth, thrown_away, plain_thrown_away } = compared;
        let tally = &mut self.figures.tallies[depth as usize - 1][made as usize];
        tally.positions += 1;
        tally.other_value += u64::from(combined != plain);
        tally.too_high += u64::from(combined > plain);
        tally.worse_move += u64::from(worth < plain);
        tally.won += u64::from(won);
        tally.thrown_away += u64::from(thrown_away);
        tally.plain_thrown_away += u64::from(plain_thrown_away);
        if combined != plain {
            self.explain(at, made, depth, combined, plain);
        }
    }

    fn explain(&mut self, at: &Position, made: Made, depth: u32, combined: i32, plain: i32) {
        let reasons = &mut self.figures.reasons[depth as usize - 1][made as usize];
        let Some(trace) = self.causes.trace(at, depth, TRACE_STEPS) else {
            reasons.untraced += 1;
            return;
        };
        let cause = trace.cause();
        reasons.first[cause as usize] += 1;
        for (count, cause) in reasons.alone.iter_mut().zip(Cause::ALL) {
            *count += u64::from(trace.suffices(cause));
        }
        self.figures.mistraced += u64::from(trace.board != plain);
        let kept = self.figures.examples.get(&cause);
        // Most are larger than the smallest so far, and recognised without a text.
        let larger =
            |kept: &Example| (kept.depth, kept.position.empty().len()) < (depth, at.empty().len());
        if !kept.is_some_and(larger) {
            let mut alive = Bitboard::EMPTY;
            region::executing(at, |region| alive |= region.squares);
            let found = Example { position: at.restricted(alive), depth, combined, trace };
            if kept.is_none_or(|kept| found.smallness() < kept.smallness()) {
                self.figures.examples.insert(cause, found);
            }
        }
    }
}

fn made_of_ongoing(position: &Position) -> Option<Made> {
    Made::of(position).filter(|_| Amazons.outcome(position).is_none())
}

/// Both searches with evaluations at the ends, as the paper has it.
fn undivided(weights: Weights) -> Divide {
    Divide::plain(weights).ends(Ends::Evaluated)
}

fn divided(weights: Weights) -> Divide {
    Divide::new(weights).ends(Ends::Evaluated)
}

fn search(search: &mut Divide, position: &Position, depth: u32) -> Found {
    let mut meter = Meter::new(&Limits::none());
    search.find(position, depth, &mut meter).expect("nothing stops it")
}

/// The start of a board with only this many amazons a side: White's first, and Black's opposite them.
pub fn start(size: Size, amazons: usize) -> Position {
    let usual = Position::start(size.files(), size.ranks()).expect("a size is a size of a board");
    let white: Bitboard = usual.amazons(Side::First).into_iter().take(amazons).collect();
    let black = white
        .into_iter()
        .filter_map(|square| {
            let (file, rank) = (size.files() - 1 - square.file(), size.ranks() - 1 - square.rank());
            amazons::Square::new(file, rank)
        })
        .collect();
    let empty = size.squares().without(white | black);
    Position::new(size, white, black, empty, Side::First).expect("corners apart")
}

/// Calls `visit` with `count` positions that fall into parts and have at most `squares` empty squares,
/// from random games.
pub fn sampled(
    start: &Position,
    count: u64,
    squares: u32,
    seed: u64,
    mut visit: impl FnMut(&Position),
) {
    let mut rng = Rng::new(seed);
    let mut found = 0;
    while found < count {
        let mut position = *start;
        let mut candidates = Vec::new();
        while let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
            Amazons.make(&mut position, mv);
            let fits = position.empty().len() <= squares && Made::of(&position).is_some();
            if fits && Amazons.outcome(&position).is_none() {
                candidates.push(position);
            }
        }
        // One position a game, so that they have nothing to do with each other.
        if let Some(position) = rng.choose(&candidates) {
            visit(position);
            found += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xu_xing_zuo::Classes;

    #[test]
    fn one_ply_is_exact_and_the_solver_always_is() {
        let mut exactness = Comparison::new(3);
        let start = start(Size::new(5, 5).unwrap(), 4);
        sampled(&start, 150, 8, 3, |position| exactness.look_at(position));
        let figures = exactness.figures();
        assert_eq!((figures.solved, figures.disagreements), (150, 0));
        let total = |of: fn(&Tally) -> u64, depth: usize| -> u64 {
            figures.tallies[depth - 1].iter().map(of).sum()
        };
        assert_eq!(total(|tally| tally.other_value, 1), 0);
        assert_eq!(total(|tally| tally.worse_move, 1), 0);
        assert!(total(|tally| tally.other_value, 3) > 0, "the paper's claim fails at depth 3");
        assert_eq!(total(|tally| tally.positions, 2), 150);
    }

    /// Positions looked at one by one, and with all that is known of them.
    #[test]
    fn what_is_known_is_compared_as_what_is_searched() {
        for start in ["W2x/1x2/x1x1/xx1B w", "BWBW/4/xxxx/WB1B w", "B1xWx/2x2/xxx1x/1W1Bx/xxxxx b"]
        {
            let classes = Classes::of(&start.parse().unwrap(), |_| {}).unwrap();
            let (mut known, mut searched) = (Comparison::new(3), Comparison::new(3));
            classes.backwards(&Weights::default(), 3, |class| {
                known.look_at_known(class);
                searched.look_at(&class.position);
            });
            let (known, searched) = (known.figures(), searched.figures());
            assert_eq!(known.solved, searched.solved);
            assert_eq!((known.disagreements, known.mistraced, searched.mistraced), (0, 0, 0));
            assert_eq!(known.reasons, searched.reasons);
            assert_eq!(known.examples, searched.examples);
            // Sub-boards met before are known turned, so that of equal moves another may be chosen.
            let without_choice = |tally: &Tally| Tally { worse_move: 0, thrown_away: 0, ..*tally };
            for (known, searched) in known.tallies.iter().zip(&searched.tallies) {
                assert_eq!(known.map(|t| without_choice(&t)), searched.map(|t| without_choice(&t)));
            }
        }
    }

    #[test]
    fn differences_have_causes() {
        let mut exactness = Comparison::new(3);
        let start = start(Size::new(5, 5).unwrap(), 4);
        sampled(&start, 150, 7, 4, |position| exactness.look_at(position));
        let figures = exactness.figures();
        assert_eq!(figures.mistraced, 0);
        for (tallies, reasons) in figures.tallies.iter().zip(&figures.reasons) {
            for (tally, reasons) in tallies.iter().zip(reasons) {
                let traced: u64 = reasons.first.iter().sum();
                assert_eq!(tally.other_value, traced + reasons.untraced);
                assert!(
                    reasons.first.iter().zip(&reasons.alone).all(|(first, alone)| first <= alone)
                );
                assert_eq!(reasons.alone[Cause::Elsewhere as usize], traced);
            }
        }
        assert!(figures.examples.len() >= 3, "{:?}", figures.examples);
        let mut causes = Causes::new(exactness.weights());
        for (&cause, example) in &figures.examples {
            let weights = exactness.weights();
            let trace = causes.trace(&example.position, example.depth, u64::MAX).unwrap();
            assert_eq!((trace, trace.cause()), (example.trace, cause));
            let combined = search(&mut divided(weights), &example.position, example.depth).value;
            assert_eq!(combined, example.combined);
            assert_ne!(combined, trace.board);
            // The line leads to an evaluation that is minimax's value.
            let line = example.line(weights);
            let end = line.iter().fold(example.position, |at, &mv| Amazons.after(&at, mv));
            let sign = if line.len().is_multiple_of(2) { 1 } else { -1 };
            assert_eq!(sign * weights.value(&end), trace.board, "{example:?}");
            assert!(example.chosen(weights).is_some());
        }
    }
}
