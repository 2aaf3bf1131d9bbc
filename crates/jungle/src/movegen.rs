//! Move generation with bitboards, and Jungle as a [`Game`].
//!
//! [`Jungle::new`] compiles a [`Rules`] value into small tables: who takes whom, who jumps which
//! way, and where a trap weakens whom. Generation asks three questions of an animal on a square: where
//! can it *reach* (steps and unblocked jumps, whatever stands there), which of those squares are
//! empty (quiet moves), and which hold its *prey* (captures).
//!
//! Counting moves without listing them needs no loop over animals: everything that walks is shifted
//! at once in each of the four directions, and the bits that fall on empty land are counted. Only
//! when pieces touch are captures looked at one by one. `docs/decisions/0002-move-generation.md`
//! has the figures, and what else was tried.

use game::{Game, Outcome, Side, Symmetric};

use crate::board::{self, Axis, DEN, DENS, LAND, SHORE, TRAPS, WATER};
use crate::ending::{EndReason, Ending};
use crate::moves::Move;
use crate::rules::{Jumps, Rules, Shore, Traps};
use crate::{Animal, AnimalSet, Bitboard, ByColor, Color, Piece, Position, Square};

/// The game under a given set of rules.
///
/// ```
/// use game::Game;
/// use jungle::{Jungle, Position, Rules};
///
/// let jungle = Jungle::new(Rules::STANDARD);
/// let start = Position::start();
/// assert_eq!(jungle.moves(&start).len(), 24);
/// assert_eq!(game::perft::perft(&jungle, &start, 3), 12_240);
/// ```
#[derive(Clone, Debug)]
pub struct Jungle {
    rules: Rules,
    /// Whom each animal takes where the shore does not lie between them.
    takes: [AnimalSet; Animal::COUNT],
    /// All ones where the second animal takes the first, zero elsewhere.
    taken_by: [[Bitboard; Animal::COUNT]; Animal::COUNT],
    /// Whom a rat in the water takes on land.
    emerging_rat_takes: AnimalSet,
    /// Whether a rat on land takes a rat in the water.
    diving_rat_takes_rat: bool,
    /// Where pieces of each side can be taken by anything.
    weak: ByColor<Bitboard>,
    /// Which jumps each animal makes.
    jumps: [Jumps; Animal::COUNT],
    /// All ones for each animal that jumps along the axis, zero for the others.
    lengthwise: [Bitboard; Animal::COUNT],
    sideways: [Bitboard; Animal::COUNT],
}

/// Who takes whom by strength alone, on open land.
fn takes_on_land(rules: &Rules, attacker: Animal, victim: Animal) -> bool {
    match (attacker, victim) {
        (Animal::Rat, Animal::Elephant) => true,
        (Animal::Elephant, Animal::Rat) => rules.elephant_takes_rat,
        _ => rules.by_strength(attacker) >= rules.by_strength(victim),
    }
}

impl Jungle {
    /// Compiles the rules.
    pub fn new(rules: Rules) -> Jungle {
        let takes: [AnimalSet; Animal::COUNT] = Animal::ALL.map(|attacker| {
            Animal::ALL
                .into_iter()
                .filter(|&victim| takes_on_land(&rules, attacker, victim))
                .collect()
        });
        let rat_takes: AnimalSet = takes[Animal::Rat.index()];
        let emerging_rat_takes = match rules.shore {
            Shore::Closed => AnimalSet::EMPTY,
            Shore::Rats => Animal::Rat.set(),
            Shore::NotElephant => rat_takes.without(Animal::Elephant),
            Shore::Open => rat_takes,
        };
        let weak = ByColor::from_fn(|color: Color| match rules.traps {
            Traps::Enemies => TRAPS[!color],
            Traps::Everybody => TRAPS.white | TRAPS.black,
        });
        let jumps = Animal::ALL.map(|animal| match animal {
            Animal::Lion => rules.lion_jumps,
            Animal::Tiger => rules.tiger_jumps,
            Animal::Panther => rules.panther_jumps,
            _ => Jumps::None,
        });
        let all_if = |condition| {
            if condition { Bitboard::ALL } else { Bitboard::EMPTY }
        };
        let taken_by = Animal::ALL.map(|victim| {
            Animal::ALL.map(|attacker: Animal| all_if(takes[attacker.index()].contains(victim)))
        });
        Jungle {
            rules,
            takes,
            taken_by,
            emerging_rat_takes,
            diving_rat_takes_rat: rules.shore != Shore::Closed,
            weak,
            jumps,
            lengthwise: jumps.map(|jumps| all_if(jumps.allow(Axis::Lengthwise))),
            sideways: jumps.map(|jumps| all_if(jumps.allow(Axis::Sideways))),
        }
    }

    /// The same game within a part of the board, where taking the last piece decides nothing.
    pub fn within_part(&self) -> Jungle {
        Jungle::new(Rules { annihilation_wins: false, ..self.rules })
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Whom an animal takes where neither the shore nor a trap matters.
    pub fn takes(&self, attacker: Animal) -> AnimalSet {
        self.takes[attacker.index()]
    }

    /// Which jumps an animal makes.
    pub fn jumps(&self, animal: Animal) -> Jumps {
        self.jumps[animal.index()]
    }

    /// Where pieces of a side can be taken by anything: the traps that weaken it.
    pub fn weak_squares(&self, color: Color) -> Bitboard {
        self.weak[color]
    }

    /// How the game ended in this position, looking at the position alone; `None` while it goes on.
    pub fn ending(&self, position: &Position) -> Option<Ending> {
        if let Some(ending) = self.decided(position) {
            return Some(ending);
        }
        (self.count_moves(position) == 0).then(|| Ending {
            winner: self.rules.no_legal_move.winner(position.turn()),
            reason: EndReason::NoLegalMove,
        })
    }

    /// As [`ending`](Jungle::ending), but without asking whether there is a legal move.
    pub fn decided(&self, position: &Position) -> Option<Ending> {
        if !self.is_decided(position) {
            return None;
        }
        let won = |color: Color, reason| Some(Ending { winner: Some(color), reason });
        for color in Color::ALL {
            if position.side(color).contains(DEN[!color]) {
                return won(color, EndReason::Den);
            }
        }
        let loser = Color::ALL.into_iter().find(|&color| position.side(color).is_empty());
        won(!loser.expect("somebody has no pieces left"), EndReason::Annihilation)
    }

    /// Whether the move that led to this position won: it entered the den, or took the last piece.
    #[inline]
    pub fn is_lost(&self, position: &Position) -> bool {
        let us = position.turn();
        position.side(!us).contains(DEN[us])
            || (self.rules.annihilation_wins && position.side(us).is_empty())
    }

    /// Whether the game is over for a reason other than stalemate.
    #[inline]
    fn is_decided(&self, position: &Position) -> bool {
        // No piece enters its own den, so a piece in any den has won.
        position.occupied().intersects(DENS)
            || (self.rules.annihilation_wins
                && (position.side(Color::White).is_empty()
                    || position.side(Color::Black).is_empty()))
    }

    /// Where a piece could go if it could share a square with any other: steps, and jumps that no
    /// rat blocks.
    #[inline]
    pub fn reach(
        &self,
        position: &Position,
        color: Color,
        animal: Animal,
        from: Square,
    ) -> Bitboard {
        let mut reach =
            if animal == Animal::Rat { board::neighbours(from) } else { board::walks(from) };
        let jumps = self.jumps[animal.index()];
        if jumps != Jumps::None && SHORE.contains(from) {
            let swimmers = position.animal(Animal::Rat);
            for jump in board::jumps(from) {
                if jumps.allow(jump.axis) && !jump.over.intersects(swimmers) {
                    reach |= jump.to.bitboard();
                }
            }
        }
        reach.without(DEN[color].bitboard())
    }

    /// The enemies that an animal standing on `from` may take, wherever they are.
    #[inline]
    pub fn prey(
        &self,
        position: &Position,
        color: Color,
        animal: Animal,
        from: Square,
    ) -> Bitboard {
        let enemies = position.side(!color);
        let of_kinds = |kinds: AnimalSet| {
            let squares = Animal::ALL.into_iter().map(|kind| {
                if kinds.contains(kind) { position.animal(kind) } else { Bitboard::EMPTY }
            });
            squares.fold(Bitboard::EMPTY, |all, squares| all | squares) & enemies
        };
        let on_land = of_kinds(self.takes[animal.index()]) | (enemies & self.weak[!color]);
        if animal != Animal::Rat {
            return on_land & LAND;
        }
        let swimmers = enemies & position.animal(Animal::Rat) & WATER;
        if WATER.contains(from) {
            swimmers | (of_kinds(self.emerging_rat_takes) & LAND)
        } else if self.diving_rat_takes_rat {
            swimmers | (on_land & LAND)
        } else {
            on_land & LAND
        }
    }

    /// Whether an animal on `from` may take a piece on `to`, if it can get there.
    pub fn may_take(&self, attacker: Animal, from: Square, victim: Piece, to: Square) -> bool {
        match (WATER.contains(from), WATER.contains(to)) {
            (true, true) => attacker == Animal::Rat && victim.animal == Animal::Rat,
            (true, false) => {
                attacker == Animal::Rat && self.emerging_rat_takes.contains(victim.animal)
            }
            (false, true) => attacker == Animal::Rat && self.diving_rat_takes_rat,
            (false, false) => {
                self.takes[attacker.index()].contains(victim.animal)
                    || self.weak[victim.color].contains(to)
            }
        }
    }

    /// Whom a rat in the water takes on land.
    pub fn emerging_rat_takes(&self) -> AnimalSet {
        self.emerging_rat_takes
    }

    /// Whether a rat on land takes a rat in the water.
    pub fn diving_rat_takes_rat(&self) -> bool {
        self.diving_rat_takes_rat
    }

    /// Calls `visit` for every legal move that takes a piece.
    #[inline]
    pub fn for_each_capture(&self, position: &Position, visit: impl FnMut(Move)) {
        if !self.is_decided(position) && self.touching(position) {
            self.captures_of(position, position.turn(), visit);
        }
    }

    #[inline]
    fn captures_of(&self, position: &Position, us: Color, mut visit: impl FnMut(Move)) {
        for animal in Animal::ALL {
            let Some(from) = position.square_of(us, animal) else {
                continue;
            };
            let contact = self.reach(position, us, animal, from) & position.side(!us);
            if contact.is_empty() {
                continue;
            }
            for to in contact & self.prey(position, us, animal, from) {
                visit(Move { animal, from, to, captured: position.animal_at(to) });
            }
        }
    }

    /// Calls `visit` for every legal move that takes nothing.
    #[inline]
    pub fn for_each_quiet(&self, position: &Position, mut visit: impl FnMut(Move)) {
        if self.is_decided(position) {
            return;
        }
        let us = position.turn();
        let empty = !position.occupied();
        for animal in Animal::ALL {
            let Some(from) = position.square_of(us, animal) else {
                continue;
            };
            for to in self.reach(position, us, animal, from) & empty {
                visit(Move { animal, from, to, captured: None });
            }
        }
    }

    /// Whether a capture is at all possible: some piece of the side to move is next to an enemy, or
    /// a jumper across the water from one.
    #[inline]
    fn touching(&self, position: &Position) -> bool {
        let ours = position.side(position.turn());
        let jumped = union(self.landings(position, ours));
        (ours.neighbours() | jumped).intersects(position.side(!position.turn()))
    }

    /// Where the jumpers among `ours` land: upwards, downwards, to the right, to the left.
    #[inline]
    fn landings(&self, position: &Position, ours: Bitboard) -> [Bitboard; 4] {
        let jumpers = |masks: &[Bitboard; Animal::COUNT]| {
            // Rats, cats, wolves, dogs and elephants never jump, whatever the rules.
            let [panther, tiger, lion] = [Animal::Panther, Animal::Tiger, Animal::Lion]
                .map(|animal| position.animal(animal) & masks[animal.index()]);
            (panther | tiger | lion) & ours & SHORE
        };
        let (lengthwise, sideways) = (jumpers(&self.lengthwise), jumpers(&self.sideways));
        if (lengthwise | sideways).is_empty() {
            return [Bitboard::EMPTY; 4];
        }
        board::landings(lengthwise, sideways, position.animal(Animal::Rat))
    }
}

/// Bulk counting for perft: moves are counted without being listed.
impl Jungle {
    /// The moves that `us` would have if it were to move, in a game that goes on.
    #[inline(always)]
    fn count_moves_of(&self, position: &Position, us: Color) -> u64 {
        let ours = position.side(us);
        let rat = position.animal(Animal::Rat) & ours;
        let walkers = ours.without(rat);
        let empty = (!position.occupied()).without(DEN[us].bitboard());
        let empty_land = empty & LAND;
        let landings = self.landings(position, ours);

        let mut count = count_in(steps(walkers), empty_land)
            + count_in(landings, empty_land)
            + (rat.neighbours() & empty).len();
        if (ours.neighbours() | union(landings)).intersects(position.side(!us)) {
            self.captures_of(position, us, |_| count += 1);
        }
        u64::from(count)
    }

    /// The sequences of two moves, in a game that goes on.
    ///
    /// Most moves change little for the other side. Take a quiet move on land from `a` to `b`: the
    /// replies are those to a pass, plus those that enter `a` now that it is empty, less those that
    /// entered `b` while it was, with captures on the two squares put right. All destinations of a
    /// piece are summed at once. Captures and moves of a swimming rat, which may open or close
    /// jumps, are made and their replies counted afresh.
    #[inline(always)]
    fn count_with_replies(&self, position: &mut Position) -> u64 {
        let us = position.turn();
        let enemies = position.side(!us);
        let empty = !position.occupied();
        let replies_to_pass = self.count_moves_of(position, !us) as i64;
        let landed = union(self.landings(position, enemies));
        let mut total = 0;

        for animal in Animal::ALL {
            let Some(from) = position.square_of(us, animal) else {
                continue;
            };
            let reach = self.reach(position, us, animal, from);
            let mut quiet = reach & empty;
            let contact = reach & enemies;
            let wet = if animal != Animal::Rat {
                Bitboard::EMPTY
            } else if WATER.contains(from) {
                quiet
            } else {
                quiet & WATER
            };
            if (contact | wet).any() {
                let afresh = wet | (contact & self.prey(position, us, animal, from));
                for to in afresh {
                    let captured = if wet.contains(to) { None } else { position.animal_at(to) };
                    let mv = Move { animal, from, to, captured };
                    position.make(mv);
                    total += self.count_moves(position) as i64;
                    position.unmake(mv);
                }
                quiet = quiet.without(wet);
            }

            // Nothing follows when the den is entered; in a trap, any piece that could enter can capture.
            quiet = quiet.without(DEN[!us].bitboard());
            let here = from.bitboard().without(self.weak[us]);
            let there = quiet.without(self.weak[us]);
            // What could step onto the square if it were empty, but cannot take this animal there.
            let idle = steps(enemies.without(self.stepping_takers(position, us, animal)));
            let (mut lost_here, mut lost_there) = (count_in(idle, here), count_in(idle, there));
            if landed.intersects(here | there) {
                let takers = self.jumping_takers(position, us, animal);
                let idle = self.landings(position, enemies.without(takers));
                lost_here += count_in(idle, here);
                lost_there += count_in(idle, there);
            }
            total += i64::from(quiet.len()) * (replies_to_pass + i64::from(lost_here));
            total -= i64::from(lost_there);
        }
        total as u64
    }

    /// The enemies that take `animal` of `us` when they step onto it on open land.
    #[inline]
    fn stepping_takers(&self, position: &Position, us: Color, animal: Animal) -> Bitboard {
        let takers = self.jumping_takers(position, us, animal);
        let rat = position.animal(Animal::Rat) & position.side(!us);
        if !rat.intersects(WATER) {
            takers
        } else if self.emerging_rat_takes.contains(animal) {
            takers | rat
        } else {
            takers.without(rat)
        }
    }

    /// The enemies that take `animal` of `us` by strength.
    #[inline]
    fn jumping_takers(&self, position: &Position, us: Color, animal: Animal) -> Bitboard {
        let masks = &self.taken_by[animal.index()];
        let takers = Animal::ALL.map(|kind| position.animal(kind) & masks[kind.index()]);
        takers.into_iter().fold(Bitboard::EMPTY, |all, squares| all | squares) & position.side(!us)
    }
}

game::multiversion! {
    fn count_moves(jungle: &Jungle, position: &Position) -> u64 = moves_to_count;
}

game::multiversion! {
    fn count_two_plies(jungle: &Jungle, position: &mut Position) -> u64 = Jungle::count_with_replies;
}

#[inline(always)]
fn moves_to_count(jungle: &Jungle, position: &Position) -> u64 {
    jungle.count_moves_of(position, position.turn())
}

/// The set shifted one step in each direction: a square stands in as many of them as it has
/// neighbours in the set.
#[inline]
fn steps(set: Bitboard) -> [Bitboard; 4] {
    [set.up(), set.down(), set.right(), set.left()]
}

#[inline]
fn union(sets: [Bitboard; 4]) -> Bitboard {
    sets[0] | sets[1] | sets[2] | sets[3]
}

/// How often the squares occur in the sets.
#[inline]
fn count_in(sets: [Bitboard; 4], squares: Bitboard) -> u32 {
    sets.into_iter().map(|set| (set & squares).len()).sum()
}

impl Game for Jungle {
    type Position = Position;
    type Move = Move;
    type Undo = ();

    fn side_to_move(&self, position: &Position) -> Side {
        position.turn().player()
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        self.ending(position).map(Ending::outcome)
    }

    fn push_moves(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.reserve(64);
        self.for_each_capture(position, |mv| moves.push(mv));
        self.for_each_quiet(position, |mv| moves.push(mv));
    }

    #[inline]
    fn make(&self, position: &mut Position, mv: Move) {
        position.make(mv);
    }

    #[inline]
    fn unmake(&self, position: &mut Position, mv: Move, (): ()) {
        position.unmake(mv);
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn fresh_key(&self, position: &Position) -> u64 {
        position.fresh_key()
    }

    #[inline]
    fn count_moves(&self, position: &Position) -> u64 {
        if self.is_decided(position) { 0 } else { count_moves(self, position) }
    }

    fn count_two_plies(&self, position: &mut Position) -> u64 {
        if self.is_decided(position) { 0 } else { count_two_plies(self, position) }
    }

    fn plies_between(&self, from: &Position, to: &Position) -> u32 {
        // Each newly occupied square has to be moved to, and no piece returns.
        let moved = |color: Color| {
            let (before, after) = (from.side(color), to.side(color));
            (after.len() <= before.len()).then(|| after.without(before).len())
        };
        let us = from.turn();
        let (Some(ours), Some(theirs)) = (moved(us), moved(!us)) else {
            return u32::MAX;
        };
        let plies = (2 * ours).saturating_sub(1).max(2 * theirs);
        let same_turn = from.turn() == to.turn();
        if plies.is_multiple_of(2) == same_turn { plies } else { plies + 1 }
    }
}

/// The symmetries of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// Left and right change places.
    Mirror,
    /// The colours change places, and the board is turned round.
    Flip,
}

impl Symmetric for Jungle {
    type Symmetry = Symmetry;

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::Mirror, Symmetry::Flip]
    }

    fn swaps_players(&self, symmetry: Symmetry) -> bool {
        symmetry == Symmetry::Flip
    }

    fn transform(&self, symmetry: Symmetry, position: &Position) -> Position {
        match symmetry {
            Symmetry::Mirror => position.mirror(),
            Symmetry::Flip => position.flip(),
        }
    }

    fn transform_move(&self, symmetry: Symmetry, mv: Move) -> Move {
        match symmetry {
            Symmetry::Mirror => mv.mirror(),
            Symmetry::Flip => mv.flip(),
        }
    }
}
