//! Textbook retrograde analysis: the oracle of the sweeping solver, and what it is measured against.
//!
//! It works as in textbooks, position by position with the ordinary move generator: a byte
//! counts the quiet moves not yet known to lose, buckets hold what is settled at each ply, and
//! whatever is settled is carried back over *unmoves* (quiet moves can be taken back, so they are
//! the quiet moves of the side that just moved). It shares no numbering, no views and no sweeps with
//! [`solve`](crate::solve).

use game::truth::Truth;
use game::{Game, Outcome};
use jungle::board::DENS;
use jungle::{Color, Jungle, Piece, Position, Square};

use crate::grid::MAX_PIECES;

/// All positions of a class, solved.
pub struct Plain {
    pieces: Vec<Piece>,
    states: Vec<State>,
}

/// What is known of a position, four bytes: distances here are below 2¹⁵ plies.
#[derive(Clone, Copy)]
struct State {
    /// The settled value: 0 for none, else plies + 1.
    settled: u16,
    /// How many quiet moves are not yet known to lose; `SAFE` if something else does.
    unrefuted: u8,
    is_position: bool,
}

const SAFE: u8 = u8::MAX;

impl Plain {
    /// Solves the class of these pieces. `after_capture` gives the value, for the player to move, of
    /// the positions that captures lead to.
    pub fn solve(
        jungle: &Jungle,
        pieces: &[Piece],
        after_capture: impl Fn(&Position) -> Truth,
    ) -> Plain {
        let placements = Square::COUNT.pow(pieces.len() as u32);
        let nothing = State { settled: 0, unrefuted: 0, is_position: false };
        let mut plain = Plain { pieces: pieces.to_vec(), states: vec![nothing; 2 * placements] };
        let mut buckets: Vec<Vec<u32>> = Vec::new();
        let mut losing_exits = std::collections::HashMap::new();
        for number in 0..2 * placements {
            if let Some(position) = plain.position(number) {
                plain.start(
                    jungle,
                    number,
                    &position,
                    &after_capture,
                    &mut buckets,
                    &mut losing_exits,
                );
            }
        }
        let mut ply = 0;
        while ply < buckets.len() {
            for number in std::mem::take(&mut buckets[ply]) {
                let state = &mut plain.states[number as usize];
                if state.settled == 0 {
                    state.settled = ply as u16 + 1;
                    plain.carry_back(jungle, number as usize, ply, &mut buckets, &losing_exits);
                }
            }
            ply += 1;
        }
        plain
    }

    /// The value of a position of the class; `None` if it is of another.
    #[cfg(test)]
    pub fn value(&self, position: &Position) -> Option<Truth> {
        let state = self.states[self.number(position)?];
        state.is_position.then(|| match u32::from(state.settled) {
            0 => Truth::Draw,
            plies if plies % 2 == 0 => Truth::Win(plies - 1),
            plies => Truth::Loss(plies - 1),
        })
    }

    /// All positions of the class.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        (0..self.states.len())
            .filter(|&number| self.states[number].is_position)
            .filter_map(|number| self.position(number))
    }

    fn start(
        &mut self,
        jungle: &Jungle,
        number: usize,
        position: &Position,
        after_capture: &impl Fn(&Position) -> Truth,
        buckets: &mut Vec<Vec<u32>>,
        losing_exits: &mut std::collections::HashMap<u32, u32>,
    ) {
        let mut unrefuted = 0;
        let mut exit: Option<Truth> = None;
        for mv in jungle.moves(position) {
            let after = jungle.after(position, mv);
            let value = if DENS.contains(mv.to) {
                Truth::Win(1)
            } else if mv.is_capture() {
                after_capture(&after).one_ply_earlier()
            } else {
                unrefuted += 1;
                continue;
            };
            exit = Some(exit.map_or(value, |best| best.max(value)));
        }
        let put = |buckets: &mut Vec<Vec<u32>>, plies: u32| put(buckets, plies, number);
        match (exit, unrefuted) {
            (Some(Truth::Win(plies)), _) => {
                unrefuted = SAFE;
                put(buckets, plies);
            }
            (Some(Truth::Draw), _) => unrefuted = SAFE,
            (Some(Truth::Loss(plies)), 0) => put(buckets, plies),
            (Some(Truth::Loss(plies)), _) => drop(losing_exits.insert(number as u32, plies)),
            (None, 0) => match jungle.outcome(position) {
                Some(Outcome::Win(_)) => put(buckets, 0),
                _ => unrefuted = SAFE,
            },
            (None, _) => {}
        }
        self.states[number] = State { settled: 0, unrefuted, is_position: true };
    }

    fn carry_back(
        &mut self,
        jungle: &Jungle,
        number: usize,
        ply: usize,
        buckets: &mut Vec<Vec<u32>>,
        losing_exits: &std::collections::HashMap<u32, u32>,
    ) {
        let position = self.position(number).expect("only positions are settled");
        let before = position.with_turn(!position.turn());
        let is_won = ply % 2 == 1;
        jungle.for_each_quiet(&before, |unmove| {
            if DENS.contains(unmove.to) {
                return;
            }
            let mut from = before.clone();
            from.make(unmove);
            let from =
                self.number(&from.with_turn(before.turn())).expect("the pieces are the same");
            let state = &mut self.states[from];
            if state.settled != 0 {
            } else if !is_won {
                put(buckets, ply as u32 + 1, from);
            } else if state.unrefuted != SAFE {
                state.unrefuted -= 1;
                if state.unrefuted == 0 {
                    let exit = losing_exits.get(&(from as u32)).copied().unwrap_or(0);
                    put(buckets, exit.max(ply as u32 + 1), from);
                }
            }
        });
    }

    fn number(&self, position: &Position) -> Option<usize> {
        let mut number = usize::from(position.turn() == Color::Black);
        for piece in &self.pieces {
            let square = position.square_of(piece.color, piece.animal)?;
            number = number * Square::COUNT + square.index();
        }
        (position.occupied().len() as usize == self.pieces.len()).then_some(number)
    }

    fn position(&self, number: usize) -> Option<Position> {
        let mut rest = number;
        let mut squares = [Square::A1; MAX_PIECES];
        for square in squares[..self.pieces.len()].iter_mut().rev() {
            *square = Square::ALL[rest % Square::COUNT];
            rest /= Square::COUNT;
        }
        let turn = if rest == 0 { Color::White } else { Color::Black };
        let placed = squares.into_iter().zip(self.pieces.iter().copied());
        let position = Position::from_pieces(placed, turn).ok()?;
        let whole = position.occupied().len() as usize == self.pieces.len();
        (whole && !position.occupied().intersects(DENS)).then_some(position)
    }
}

fn put(buckets: &mut Vec<Vec<u32>>, plies: u32, number: usize) {
    let plies = plies as usize;
    if buckets.len() <= plies {
        buckets.resize_with(plies + 1, Vec::new);
    }
    buckets[plies].push(number as u32);
}
