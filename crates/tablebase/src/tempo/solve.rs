//! Retrograde analysis of a part with passes: a layer for each pair of numbers of passes left.
//!
//! Within a layer it is textbook retrograde analysis, as in `plain.rs`: counts of successors not yet known to lose,
//! buckets by ply, and quiet moves taken back. Passes lead to a layer with one pass less, which is solved before;
//! those of a side that may pass any number of times stay in the layer. Captures lead to the same layer of a smaller
//! part.

use std::collections::HashMap;
use std::ops::Range;

use game::truth::Truth;
use jungle::board::{DEN, DENS};
use jungle::rules::NoLegalMove;
use jungle::{ByColor, Color, Jungle, Move, Piece, Position, Rules, Square};
use serde::{Serialize, Serializer};

/// How often a side may still pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Passes {
    /// This many times.
    Times(u32),
    /// Any number of times.
    Any,
}

/// A number, or `"any"`.
impl Serialize for Passes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Passes::Times(times) => serializer.serialize_u32(*times),
            Passes::Any => serializer.serialize_str("any"),
        }
    }
}

impl std::fmt::Display for Passes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Passes::Times(times) => f.pad(&times.to_string()),
            Passes::Any => f.pad("any"),
        }
    }
}

/// The values of all positions of some pieces, for every pair of numbers of passes.
pub struct Part {
    jungle: Jungle,
    pieces: Vec<Piece>,
    others: ByColor<bool>,
    passes: [Vec<Passes>; 2],
    /// Solved values by layer; a layer has both sides to move.
    layers: Vec<Vec<u16>>,
    /// What captures lead to, by which piece is gone.
    smaller: Vec<Option<Box<Part>>>,
}

/// Not settled, and so a draw; else plies + 1: even if the player to move wins, as wins take odd numbers of plies.
const UNSETTLED: u16 = 0;
/// Not a position: two pieces on a square, a den, or a beast in the water.
const NOTHING: u16 = u16::MAX;

/// How many moves are not yet known to lose, for positions where something else does not.
const SAFE: u8 = u8::MAX;

/// What a move leads to.
enum Leads {
    /// A win at once.
    Won,
    /// Another position of this layer.
    Within(usize),
    /// A value elsewhere, for the player to move there.
    Elsewhere(Truth),
}

/// The moves of the side that may not lead to a loss, counted, and the buckets of what is settled.
struct Work {
    unrefuted: Vec<u8>,
    /// The longest loss by a move that leaves the layer.
    longest_exit: HashMap<usize, u32>,
    buckets: Vec<Vec<u32>>,
}

impl Work {
    fn settle_at(&mut self, number: usize, plies: u32) {
        let plies = plies as usize;
        if self.buckets.len() <= plies {
            self.buckets.resize_with(plies + 1, Vec::new);
        }
        self.buckets[plies].push(number as u32);
    }
}

impl Part {
    /// Solves all positions of these pieces. `others`: whether each side has pieces elsewhere, so that losing all of
    /// these does not end the game. Numbers of passes have to begin at 0 and leave none out; `Any` can stand alone.
    pub fn solve(
        rules: &Rules,
        pieces: &[Piece],
        others: ByColor<bool>,
        passes: [Vec<Passes>; 2],
    ) -> Part {
        let jungle = Jungle::new(Rules { annihilation_wins: false, ..*rules });
        let mut part = Part {
            jungle,
            pieces: pieces.to_vec(),
            others,
            passes: passes.clone(),
            layers: Vec::new(),
            smaller: Vec::new(),
        };
        for gone in 0..pieces.len() {
            let mut left = pieces.to_vec();
            let taken = left.remove(gone);
            let ends = rules.annihilation_wins
                && !others[taken.color]
                && left.iter().all(|piece| piece.color != taken.color);
            let solve = || Box::new(Part::solve(rules, &left, others, passes.clone()));
            part.smaller.push((!ends && !left.is_empty()).then(solve));
        }
        for red in 0..passes[0].len() {
            for blue in 0..passes[1].len() {
                let layer = part.solve_layer([red, blue]);
                part.layers.push(layer);
            }
        }
        part
    }

    /// All numbers of positions, and some that are none.
    pub fn numbers(&self) -> Range<usize> {
        0..2 * Square::COUNT.pow(self.pieces.len() as u32)
    }

    /// Who is to move in the position of this number.
    pub fn turn(&self, number: usize) -> Color {
        if number.is_multiple_of(2) { Color::White } else { Color::Black }
    }

    /// The position with this number.
    pub fn position(&self, number: usize) -> Option<Position> {
        let turn = self.turn(number);
        let mut rest = number / 2;
        let mut placed: [(Square, Piece); 8] = [(Square::A1, self.pieces[0]); 8];
        for (slot, &piece) in placed.iter_mut().zip(&self.pieces) {
            let square = Square::ALL[rest % Square::COUNT];
            rest /= Square::COUNT;
            if DENS.contains(square) {
                return None;
            }
            *slot = (square, piece);
        }
        let placed = &placed[..self.pieces.len()];
        let apart =
            (1..placed.len()).all(|at| placed[..at].iter().all(|other| other.0 != placed[at].0));
        if !apart {
            return None;
        }
        Position::from_pieces(placed.iter().copied(), turn).ok()
    }

    /// The number of a position of these pieces; `None` if it is of others, or a piece stands in a den.
    fn number(&self, position: &Position) -> Option<usize> {
        if position.occupied().len() as usize != self.pieces.len()
            || position.occupied().intersects(DENS)
        {
            return None;
        }
        let mut number = 0;
        for piece in self.pieces.iter().rev() {
            let square = position.square_of(piece.color, piece.animal)?;
            number = number * Square::COUNT + square.index();
        }
        Some(2 * number + usize::from(position.turn() == Color::Black))
    }

    fn layer(&self, passes: [Passes; 2]) -> Option<usize> {
        let at = |side: usize| self.passes[side].iter().position(|known| *known == passes[side]);
        Some(at(0)? * self.passes[1].len() + at(1)?)
    }

    /// The value of a position for the player to move; `None` if it is of another part, or was not solved for these
    /// numbers of passes.
    pub fn value(&self, position: &Position, passes: [Passes; 2]) -> Option<Truth> {
        if let Some(number) = self.number(position) {
            return self.value_at(number, passes);
        }
        // Pieces may have been taken: then it is a position of a smaller part.
        let gone = self
            .pieces
            .iter()
            .position(|piece| position.square_of(piece.color, piece.animal).is_none())?;
        self.smaller[gone].as_ref()?.value(position, passes)
    }

    /// The same by number.
    pub fn value_at(&self, number: usize, passes: [Passes; 2]) -> Option<Truth> {
        match self.layers[self.layer(passes)?][number] {
            NOTHING => None,
            UNSETTLED => Some(Truth::Draw),
            plies if plies.is_multiple_of(2) => Some(Truth::Win(u32::from(plies) - 1)),
            plies => Some(Truth::Loss(u32::from(plies) - 1)),
        }
    }

    /// What a move leads to; the value of a capture is asked for in this layer of a smaller part.
    fn after(&self, position: &Position, mv: Move, passes: [Passes; 2]) -> Leads {
        if mv.to == DEN[!position.turn()] {
            return Leads::Won;
        }
        let mut next = position.clone();
        next.make(mv);
        match mv.captured {
            None => Leads::Within(self.number(&next).expect("a quiet move stays in the part")),
            Some(animal) => {
                let victim = Piece { color: !position.turn(), animal };
                let gone = self.pieces.iter().position(|piece| *piece == victim);
                match gone.and_then(|gone| self.smaller[gone].as_ref()) {
                    None => Leads::Won,
                    Some(smaller) => {
                        let value = smaller.value(&next, passes);
                        Leads::Elsewhere(value.expect("a smaller part has the same layers"))
                    }
                }
            }
        }
    }

    /// Calls `visit` for what every move and the pass lead to.
    fn for_each(
        &self,
        number: usize,
        position: &Position,
        layer: [usize; 2],
        mut visit: impl FnMut(Leads),
    ) {
        let passes = [self.passes[0][layer[0]], self.passes[1][layer[1]]];
        self.jungle.for_each_capture(position, |mv| visit(self.after(position, mv, passes)));
        self.jungle.for_each_quiet(position, |mv| visit(self.after(position, mv, passes)));
        let side = position.turn() as usize;
        match passes[side] {
            Passes::Any => visit(Leads::Within(number ^ 1)),
            Passes::Times(0) => {}
            Passes::Times(times) => {
                let mut fewer = passes;
                fewer[side] = Passes::Times(times - 1);
                visit(Leads::Elsewhere(
                    self.value_at(number ^ 1, fewer).expect("fewer passes are solved before"),
                ));
            }
        }
    }

    fn solve_layer(&self, layer: [usize; 2]) -> Vec<u16> {
        let size = self.numbers().end;
        let mut values = vec![NOTHING; size];
        let mut work =
            Work { unrefuted: vec![0; size], longest_exit: HashMap::new(), buckets: Vec::new() };
        for (number, value) in values.iter_mut().enumerate() {
            if let Some(position) = self.position(number) {
                *value = UNSETTLED;
                self.start(number, &position, layer, &mut work);
            }
        }
        let mut plies = 0;
        while plies < work.buckets.len() {
            for number in std::mem::take(&mut work.buckets[plies]) {
                let number = number as usize;
                if values[number] == UNSETTLED {
                    values[number] = plies as u16 + 1;
                    self.carry_back(number, plies as u32, layer, &values, &mut work);
                }
            }
            plies += 1;
        }
        values
    }

    /// Counts the moves of a position, and settles it if one wins or there are none.
    fn start(&self, number: usize, position: &Position, layer: [usize; 2], work: &mut Work) {
        let (mut within, mut safe, mut any) = (0_u8, false, false);
        let (mut win, mut loss): (Option<u32>, Option<u32>) = (None, None);
        self.for_each(number, position, layer, |leads| {
            any = true;
            match leads {
                Leads::Won => win = Some(1),
                Leads::Within(next) => {
                    debug_assert!(self.numbers().contains(&next), "moves stay on the board");
                    within += 1;
                }
                Leads::Elsewhere(Truth::Draw) => safe = true,
                Leads::Elsewhere(Truth::Loss(plies)) => {
                    win = Some(win.map_or(plies + 1, |best| best.min(plies + 1)));
                }
                Leads::Elsewhere(Truth::Win(plies)) => loss = loss.max(Some(plies + 1)),
            }
        });
        if let Some(plies) = win {
            work.settle_at(number, plies);
        }
        if !any {
            let lost = self.jungle.rules().no_legal_move == NoLegalMove::Loss;
            if lost {
                work.settle_at(number, 0);
            }
            safe = true;
        }
        // Who wins by a move that leaves the layer does not lose meanwhile.
        work.unrefuted[number] = if safe || win.is_some() { SAFE } else { within };
        if let Some(plies) = loss {
            work.longest_exit.insert(number, plies);
            if within == 0 && !safe && win.is_none() {
                work.settle_at(number, plies);
            }
        }
    }

    /// Tells the positions before a settled one.
    fn carry_back(
        &self,
        number: usize,
        plies: u32,
        layer: [usize; 2],
        values: &[u16],
        work: &mut Work,
    ) {
        let position = self.position(number).expect("settled positions are positions");
        let before = position.with_turn(!position.turn());
        let lost = plies.is_multiple_of(2);
        let mut tell = |previous: usize| {
            if values[previous] != UNSETTLED {
                return;
            }
            if lost {
                work.settle_at(previous, plies + 1);
                return;
            }
            let left = &mut work.unrefuted[previous];
            if *left == SAFE {
                return;
            }
            *left -= 1;
            if *left == 0 {
                let exit = work.longest_exit.get(&previous).copied().unwrap_or(0);
                work.settle_at(previous, exit.max(plies + 1));
            }
        };
        self.jungle.for_each_quiet(&before, |mv| {
            let mut earlier = before.clone();
            earlier.make(mv);
            // The move is taken back, so the same side is to move.
            let earlier = earlier.with_turn(before.turn());
            if let Some(previous) = self.number(&earlier) {
                tell(previous);
            }
        });
        let side = before.turn() as usize;
        if self.passes[side][layer[side]] == Passes::Any {
            tell(number ^ 1);
        }
    }

    /// Whether each side has pieces elsewhere.
    pub fn others(&self) -> &ByColor<bool> {
        &self.others
    }

    /// Checks a value against those of all moves.
    #[cfg(test)]
    pub(super) fn check(&self, number: usize, passes: [Passes; 2]) {
        use std::cmp::Ordering;
        let Some(position) = self.position(number) else { return };
        let layer = [0, 1]
            .map(|side| self.passes[side].iter().position(|known| *known == passes[side]).unwrap());
        let mut best: Option<Truth> = None;
        self.for_each(number, &position, layer, |leads| {
            let value = match leads {
                Leads::Won => Truth::Win(1),
                Leads::Within(next) => self.value_at(next, passes).unwrap().one_ply_earlier(),
                Leads::Elsewhere(value) => value.one_ply_earlier(),
            };
            if best.is_none_or(|best| value.cmp(&best) == Ordering::Greater) {
                best = Some(value);
            }
        });
        let stuck = match self.jungle.rules().no_legal_move {
            NoLegalMove::Loss => Truth::Loss(0),
            NoLegalMove::Draw => Truth::Draw,
        };
        let found = self.value_at(number, passes).unwrap();
        assert_eq!(found, best.unwrap_or(stuck), "{position} {passes:?}");
    }
}
