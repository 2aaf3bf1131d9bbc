//! Lone pieces: those whose squares no other piece can ever reach.
//!
//! On a compiled board these are the two cats. Nothing that such a piece does changes what the others
//! can do, so the places of all lone pieces together are one number, and a *set* of such numbers is
//! one machine word: bit *i* stands for the *i*-th combination of places. A move of a lone piece
//! shifts the word.

use jungle::Color;

use super::groups::Group;

/// As many combinations of places as a word has bits.
const WIDTH: usize = u64::BITS as usize;

/// Moves of lone pieces that change the number of the combination by the same amount.
struct Hop {
    by: i32,
    /// The combinations from which there is such a move.
    from: u64,
}

/// The lone pieces of a board.
#[derive(Default)]
pub struct Lane {
    /// For White and for Black.
    hops: [Vec<Hop>; 2],
    dens: [u64; 2],
    present: [bool; 2],
    /// The combination at the beginning.
    start: u32,
}

/// White is 0, Black 1.
pub const fn side(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

fn shifted(set: u64, by: i32) -> u64 {
    if by < 0 { set >> -by } else { set << by }
}

impl Lane {
    /// Takes as many lone pieces from the groups as fit in a word, those with the most squares first.
    pub fn split_off(groups: &mut Vec<Group>) -> Lane {
        groups.sort_by_key(|group| std::cmp::Reverse(group.squares.len()));
        let (mut lane, mut stride) = (Lane::default(), 1);
        groups.retain(|group| {
            let fits = group.is_alone() && stride * group.squares.len() <= WIDTH;
            if fits {
                lane.add(group, stride);
                stride *= group.squares.len();
            }
            !fits
        });
        lane
    }

    fn add(&mut self, group: &Group, stride: usize) {
        let places = group.squares.len();
        // All combinations with the piece in one place. Those beyond the last are never reached.
        let with = |place: usize| {
            (0..WIDTH).filter(|bit| bit / stride % places == place).map(|bit| 1 << bit).sum::<u64>()
        };
        let owner = side(group.piece.color);
        self.present[owner] = true;
        for place in (0..places).filter(|place| group.dens >> place & 1 == 1) {
            self.dens[owner] |= with(place);
        }
        for step in &group.steps {
            let by = (step.to as i32 - step.from as i32) * stride as i32;
            let from = with(step.from as usize);
            match self.hops[owner].iter_mut().find(|hop| hop.by == by) {
                Some(hop) => hop.from |= from,
                None => self.hops[owner].push(Hop { by, from }),
            }
        }
        self.start += group.home * stride as u32;
    }

    /// The combination at the beginning, as a set.
    pub fn start(&self) -> u64 {
        1 << self.start
    }

    /// Whether a side has lone pieces, which are never taken.
    pub fn present(&self, color: Color) -> bool {
        self.present[side(color)]
    }

    /// The combinations in which a side has entered a den.
    pub fn dens(&self, color: Color) -> u64 {
        self.dens[side(color)]
    }

    /// The combinations in which the game goes on.
    pub fn open(&self) -> u64 {
        !(self.dens[0] | self.dens[1])
    }

    /// Where a side's lone pieces get to from these combinations.
    pub fn after(&self, mover: usize, set: u64) -> u64 {
        let set = set & self.open();
        self.hops[mover].iter().fold(0, |reached, hop| reached | shifted(set & hop.from, hop.by))
    }

    /// From where a side's lone pieces get to these combinations.
    pub fn before(&self, mover: usize, set: u64) -> u64 {
        let from = |hop: &Hop| shifted(set, -hop.by) & hop.from;
        self.hops[mover].iter().fold(0, |before, hop| before | from(hop)) & self.open()
    }

    /// The combinations in which a side has no move with a lone piece.
    pub fn stuck(&self, mover: usize) -> u64 {
        !self.before(mover, u64::MAX) & self.open()
    }
}
