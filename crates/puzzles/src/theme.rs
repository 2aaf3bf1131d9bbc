//! Themes: what a puzzle is about, found from its solution.

use std::fmt;
use std::str::FromStr;

use game::Game;
use game::truth::Truth;
use jungle::board::{DEN, TRAPS, WATER};
use jungle::causality::Races;
use jungle::{Animal, Bitboard, Color, EndReason, Jungle, Move, Position, Square};
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::Goal;
use crate::judge::{Judge, JudgeError};

/// What a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Theme {
    /// The solution ends in a race to the den that the solver cannot lose.
    Race,
    /// The solver's piece faces an equal at an even distance, so that the other has to give way.
    Parity,
    /// A rat of the solver swims in the way of a jump.
    BlockJump,
    /// The solver jumps over the water.
    Jump,
    /// The solver steps into a trap of the enemy where the piece can be taken.
    TrapSacrifice,
    /// The solver lets a piece be taken.
    Sacrifice,
    /// The solver takes a stronger piece in a trap.
    Trap,
    /// The other side loses because it has to move.
    Zugzwang,
    /// The solver holds a draw from its own ranks.
    Fortress,
    /// The draw is to be held.
    Defence,
    /// The solver takes something on the way.
    Hunt,
    /// The first move takes nothing and threatens nothing.
    Quiet,
    /// The first move goes away from the enemy's den.
    Retreat,
    /// A rat of the solver swims.
    Swim,
    /// A rat takes an elephant.
    RatTakesElephant,
    /// The other side ends without a legal move.
    NoMoves,
    /// More than eight pieces are on the board.
    FullBoard,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 17] = [
        Theme::Race,
        Theme::Parity,
        Theme::BlockJump,
        Theme::Jump,
        Theme::TrapSacrifice,
        Theme::Sacrifice,
        Theme::Trap,
        Theme::Zugzwang,
        Theme::Fortress,
        Theme::Defence,
        Theme::Hunt,
        Theme::Quiet,
        Theme::Retreat,
        Theme::Swim,
        Theme::RatTakesElephant,
        Theme::NoMoves,
        Theme::FullBoard,
    ];

    /// Its name in data, as in `block-jump`.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Race => "race",
            Theme::Parity => "parity",
            Theme::BlockJump => "block-jump",
            Theme::Jump => "jump",
            Theme::TrapSacrifice => "trap-sacrifice",
            Theme::Sacrifice => "sacrifice",
            Theme::Trap => "trap",
            Theme::Zugzwang => "zugzwang",
            Theme::Fortress => "fortress",
            Theme::Defence => "defence",
            Theme::Hunt => "hunt",
            Theme::Quiet => "quiet",
            Theme::Retreat => "retreat",
            Theme::Swim => "swim",
            Theme::RatTakesElephant => "rat-takes-elephant",
            Theme::NoMoves => "no-moves",
            Theme::FullBoard => "full-board",
        }
    }

    /// What it means, in a sentence.
    pub const fn about(self) -> &'static str {
        match self {
            Theme::Race => "the solution ends in a race to the den that cannot be lost",
            Theme::Parity => "the piece that moves faces an equal at an even distance",
            Theme::BlockJump => "a rat swims in the way of a jump",
            Theme::Jump => "the solver jumps over the water",
            Theme::TrapSacrifice => "the solver steps into a trap where the piece can be taken",
            Theme::Sacrifice => "the solver lets a piece be taken",
            Theme::Trap => "the solver takes a stronger piece in a trap",
            Theme::Zugzwang => "the other side loses because it has to move",
            Theme::Fortress => "the solver holds the draw from its own ranks",
            Theme::Defence => "the draw is to be held",
            Theme::Hunt => "the solver takes something on the way",
            Theme::Quiet => "the first move takes nothing and threatens nothing",
            Theme::Retreat => "the first move goes away from the enemy's den",
            Theme::Swim => "a rat of the solver swims",
            Theme::RatTakesElephant => "a rat takes an elephant",
            Theme::NoMoves => "the other side ends without a legal move",
            Theme::FullBoard => "more than eight pieces are on the board",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no theme of this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a theme: use one of {list}", list = Theme::ALL.map(Theme::name).join(", "))]
pub struct UnknownTheme(String);

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Theme, UnknownTheme> {
        let found = Theme::ALL.into_iter().find(|theme| theme.name() == text);
        found.ok_or_else(|| UnknownTheme(text.to_owned()))
    }
}

/// A set of themes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ThemeSet(u32);

impl ThemeSet {
    /// The set with a theme.
    #[must_use]
    pub const fn with(self, theme: Theme) -> ThemeSet {
        ThemeSet(self.0 | 1 << theme as u8)
    }

    /// Whether a theme is in it.
    pub const fn contains(self, theme: Theme) -> bool {
        self.0 >> theme as u8 & 1 == 1
    }

    /// The themes, in their order.
    pub fn iter(self) -> impl Iterator<Item = Theme> {
        Theme::ALL.into_iter().filter(move |&theme| self.contains(theme))
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Theme> for ThemeSet {
    fn from_iter<I: IntoIterator<Item = Theme>>(themes: I) -> ThemeSet {
        themes.into_iter().fold(ThemeSet::default(), ThemeSet::with)
    }
}

/// A list of names.
impl Serialize for ThemeSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Theme::name))
    }
}

/// The themes of a solution. Zugzwang is found where the judge can tell.
///
/// # Errors
///
/// If the judge has no answer.
pub fn themes(
    judge: &mut impl Judge,
    start: &Position,
    goal: Goal,
    solution: &[Move],
) -> Result<ThemeSet, JudgeError> {
    let jungle = judge.jungle().clone();
    let us = start.turn();
    let mut found = ThemeSet::default();
    let mut add = |theme: Theme, holds: bool| {
        if holds {
            found = found.with(theme);
        }
    };
    add(Theme::FullBoard, start.occupied().len() > 8);
    add(Theme::Defence, goal == Goal::Draw);
    if let Some(&first) = solution.first() {
        add(Theme::Quiet, is_quiet(&jungle, start, first));
        add(Theme::Retreat, is_retreat(us, first));
        add(Theme::Parity, faces_equal(&jungle, start, first));
    }
    let mut at_home = goal == Goal::Draw;
    let mut position = start.clone();
    for (ply, &mv) in solution.iter().enumerate() {
        let after = jungle.after(&position, mv);
        if ply % 2 == 0 {
            add(Theme::Jump, length(mv) > 1);
            add(Theme::Swim, WATER.contains(mv.to));
            add(Theme::BlockJump, blocks_jump(&jungle, &position, &after, mv));
            add(Theme::Hunt, mv.is_capture());
            add(Theme::Trap, is_trap_capture(&jungle, us, mv));
            add(
                Theme::RatTakesElephant,
                mv.animal == Animal::Rat && mv.captured == Some(Animal::Elephant),
            );
            let offered = !mv.is_capture() && can_be_taken(&jungle, &after, mv.to);
            let in_trap = TRAPS[!us].contains(mv.to);
            add(Theme::TrapSacrifice, offered && in_trap);
            add(Theme::Sacrifice, offered && !in_trap);
            at_home &= is_at_home(&after, us);
            let over = jungle.ending(&after);
            add(Theme::NoMoves, over.is_some_and(|end| end.reason == EndReason::NoLegalMove));
            if goal == Goal::Win && over.is_none() {
                add(Theme::Zugzwang, judge.is_zugzwang(&after)? == Some(true));
            }
        }
        position = after;
    }
    add(Theme::Fortress, at_home);
    let races = Races::new(jungle.rules());
    let race = || matches!(races.judge(&position), Some(Truth::Loss(_)));
    add(Theme::Race, goal == Goal::Win && (position.side(us).contains(DEN[!us]) || race()));
    Ok(found)
}

fn length(mv: Move) -> u8 {
    mv.from.file().abs_diff(mv.to.file()) + mv.from.rank().abs_diff(mv.to.rank())
}

/// Whether a move takes nothing, and neither enters a trap nor attacks anything that it did not before.
fn is_quiet(jungle: &Jungle, position: &Position, mv: Move) -> bool {
    let us = position.turn();
    if mv.is_capture() || TRAPS[!us].contains(mv.to) {
        return false;
    }
    let attacks = |position: &Position| {
        let mut hit = Bitboard::EMPTY;
        jungle.for_each_capture(&position.with_turn(us), |mv| hit |= mv.to.bitboard());
        hit
    };
    attacks(&jungle.after(position, mv)).without(attacks(position)).is_empty()
}

fn is_retreat(us: Color, mv: Move) -> bool {
    match us {
        Color::White => mv.to.rank() < mv.from.rank(),
        Color::Black => mv.to.rank() > mv.from.rank(),
    }
}

/// Whether the piece that moved now stands an even number of steps, and at most four, from an enemy with which it could
/// exchange captures.
fn faces_equal(jungle: &Jungle, position: &Position, mv: Move) -> bool {
    let takes = |one: Animal, other: Animal| jungle.takes(one).contains(other);
    let equal = |(square, piece): (Square, jungle::Piece)| {
        let steps = square.file().abs_diff(mv.to.file()) + square.rank().abs_diff(mv.to.rank());
        piece.color != position.turn()
            && takes(mv.animal, piece.animal)
            && takes(piece.animal, mv.animal)
            && matches!(steps, 2 | 4)
    };
    !mv.is_capture() && position.pieces().any(equal)
}

/// Whether a rat's move takes a jump away from the other side.
fn blocks_jump(jungle: &Jungle, before: &Position, after: &Position, mv: Move) -> bool {
    if mv.animal != Animal::Rat || !WATER.contains(mv.to) {
        return false;
    }
    let jumps = |position: &Position| {
        let moves = jungle.moves(&position.with_turn(!before.turn()));
        moves
            .into_iter()
            .filter(|&mv| length(mv) > 1)
            .map(|mv| (mv.from, mv.to))
            .collect::<Vec<_>>()
    };
    let left = jumps(after);
    jumps(before).iter().any(|jump| !left.contains(jump))
}

/// Whether a capture was possible only because the victim stood in a trap.
fn is_trap_capture(jungle: &Jungle, us: Color, mv: Move) -> bool {
    mv.captured.is_some_and(|victim| {
        jungle.weak_squares(!us).contains(mv.to) && !jungle.takes(mv.animal).contains(victim)
    })
}

/// Whether the side to move can take what stands on a square.
fn can_be_taken(jungle: &Jungle, position: &Position, square: Square) -> bool {
    let mut can = false;
    jungle.for_each_capture(position, |mv| can |= mv.to == square);
    can
}

/// Whether all pieces of a side stand on its three ranks.
fn is_at_home(position: &Position, us: Color) -> bool {
    position.side(us).into_iter().all(|square| match us {
        Color::White => square.rank() <= 2,
        Color::Black => square.rank() >= 6,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_differ() {
        for theme in Theme::ALL {
            assert_eq!(theme.name().parse(), Ok(theme));
            assert!(!theme.about().is_empty());
        }
        assert!("checkmate".parse::<Theme>().is_err());
        let set: ThemeSet = Theme::ALL.into_iter().collect();
        assert_eq!(set.iter().count(), Theme::ALL.len());
        assert_eq!(
            serde_json::to_string(&ThemeSet::default().with(Theme::Jump)).unwrap(),
            "[\"jump\"]"
        );
    }
}
