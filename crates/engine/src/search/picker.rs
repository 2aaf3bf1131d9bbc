//! Staged move picking: which move to try next.
//!
//! Moves come in stages, each generated only when the one before has not caused a cutoff: the move
//! from the transposition table, captures that do not lose material, the killers and the countermove,
//! the other quiet moves by their history, and at last the captures that lose material.

use jungle::tactics::{attacked, worth};
use jungle::{Jungle, Move, Position};

use crate::search::history::Histories;

/// No position has more moves: eight pieces with four directions each.
const MOST: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    Captures,
    GoodCaptures,
    Killers,
    Quiets,
    QuietsByScore,
    BadCaptures,
}

/// Staged move picker: yields the legal moves of a position one by one.
pub struct Picker {
    stage: Stage,
    table: Option<Move>,
    special: [Option<Move>; 3],
    list: List,
    bad: List,
    at: usize,
    /// Whether only captures are wanted.
    captures_only: bool,
    /// Whether captures that lose material are put last.
    losing_last: bool,
}

#[derive(Clone)]
struct List {
    moves: [(i32, Option<Move>); MOST],
    len: usize,
}

impl List {
    const EMPTY: List = List { moves: [(0, None); MOST], len: 0 };

    #[inline]
    fn push(&mut self, score: i32, mv: Move) {
        if self.len < MOST {
            self.moves[self.len] = (score, Some(mv));
            self.len += 1;
        }
    }

    /// Takes the best of those from `at` on.
    #[inline]
    fn best_from(&mut self, at: usize) -> Option<Move> {
        let rest = self.moves.get_mut(at..self.len)?;
        let best =
            (0..rest.len()).max_by_key(|&index| (rest[index].0, std::cmp::Reverse(index)))?;
        rest.swap(0, best);
        rest[0].1
    }
}

impl Picker {
    /// All legal moves. `table` and `special` are tried early where they are legal; `table` must be.
    pub fn new(table: Option<Move>, special: [Option<Move>; 3], losing_last: bool) -> Picker {
        Picker {
            stage: Stage::Table,
            table,
            special,
            list: List::EMPTY,
            bad: List::EMPTY,
            at: 0,
            captures_only: false,
            losing_last,
        }
    }

    /// Only captures, those that lose material left out.
    pub fn captures(table: Option<Move>, losing_last: bool) -> Picker {
        let table = table.filter(|mv| mv.is_capture());
        Picker { captures_only: true, ..Picker::new(table, [None; 3], losing_last) }
    }

    /// Skips the quiet moves that have not been yielded yet.
    pub fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Killers | Stage::Quiets | Stage::QuietsByScore) {
            self.stage = Stage::BadCaptures;
            self.at = 0;
        }
    }

    /// The next move.
    #[inline]
    pub fn next(
        &mut self,
        jungle: &Jungle,
        position: &Position,
        histories: &Histories,
        before: [Option<Move>; 2],
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Captures;
                    if self.table.is_some() {
                        return self.table;
                    }
                }
                Stage::Captures => {
                    self.stage = Stage::GoodCaptures;
                    let list = &mut self.list;
                    jungle.for_each_capture(position, |mv| {
                        let victim = mv.captured.map_or(0, |victim| worth(jungle, victim));
                        list.push(16 * victim - worth(jungle, mv.animal), mv);
                    });
                    self.at = 0;
                }
                Stage::GoodCaptures => match self.list.best_from(self.at) {
                    Some(mv) => {
                        self.at += 1;
                        if Some(mv) == self.table {
                            continue;
                        }
                        if self.losing_last && loses_material(jungle, position, mv) {
                            self.bad.push(self.list.moves[self.at - 1].0, mv);
                            continue;
                        }
                        return Some(mv);
                    }
                    None => {
                        if self.captures_only {
                            return None;
                        }
                        self.stage = Stage::Killers;
                        self.at = 0;
                    }
                },
                Stage::Killers => {
                    let Some(&special) = self.special.get(self.at) else {
                        self.stage = Stage::Quiets;
                        continue;
                    };
                    self.at += 1;
                    if let Some(mv) = special
                        && special != self.table
                        && !self.special[..self.at - 1].contains(&special)
                        && quiet_and_legal(jungle, position, mv)
                    {
                        return special;
                    }
                    // Not yielded: it must not be skipped among the quiet moves.
                    if special != self.table && !self.special[..self.at - 1].contains(&special) {
                        self.special[self.at - 1] = None;
                    }
                }
                Stage::Quiets => {
                    self.stage = Stage::QuietsByScore;
                    self.at = 0;
                    self.list.len = 0;
                    let (table, special) = (self.table, self.special);
                    let us = position.turn();
                    let list = &mut self.list;
                    jungle.for_each_quiet(position, |mv| {
                        if Some(mv) != table && !special.contains(&Some(mv)) {
                            list.push(histories.score(us, mv, before), mv);
                        }
                    });
                }
                Stage::QuietsByScore => match self.list.best_from(self.at) {
                    Some(mv) => {
                        self.at += 1;
                        return Some(mv);
                    }
                    None => {
                        self.stage = Stage::BadCaptures;
                        self.at = 0;
                    }
                },
                Stage::BadCaptures => {
                    let mv = self.bad.best_from(self.at)?;
                    self.at += 1;
                    return Some(mv);
                }
            }
        }
    }
}

fn quiet_and_legal(jungle: &Jungle, position: &Position, mv: Move) -> bool {
    let us = position.turn();
    !mv.is_capture()
        && position.square_of(us, mv.animal) == Some(mv.from)
        && !position.occupied().contains(mv.to)
        && jungle.reach(position, us, mv.animal, mv.from).contains(mv.to)
}

/// Whether a capture gives more than it takes: the victim is worth less, and the capturer is retaken.
pub fn loses_material(jungle: &Jungle, position: &Position, mv: Move) -> bool {
    let victim = mv.captured.map_or(0, |victim| worth(jungle, victim));
    victim < worth(jungle, mv.animal)
        && attacked(jungle, position, position.turn(), mv.animal, mv.to)
}
