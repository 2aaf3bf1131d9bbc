//! Static win detection: races to the den that distances alone decide.
//!
//! A cone bounds from below when a piece can be somewhere, whatever the others do. If a *runner* can
//! walk to the enemy's den so that on no square of its way any enemy can be in time to take it, stand
//! in its way or block its jump, and no enemy can enter the other den first, then it has won. That is
//! a proof, not an estimate: nothing the defender does comes sooner than its cones say.
//!
//! # The rule
//!
//! Let the runner make its `i`-th move to square `p_i`, the den being `p_k`. Before that move the
//! defender has made `i - 1` moves if the runner's side moves first, and `i` if it moves second; write
//! `i - 1 + lead`. The claim stands if for every `i` from 1 to `k - 1` (and, when the defender moves
//! first, for 0 too)
//!
//! - no enemy that takes the runner can be on `p_i` within `i + lead` moves: the last of them would
//!   be the capture. In a trap every enemy takes it;
//! - no enemy that neither takes the runner nor is taken by it can be there within `i - 1 + lead`.
//!   What the runner takes may stand in its way;
//! - the runner's own pieces, which do not move, are not on its way, and no rat of either side can be
//!   under a jump in time;
//! - no enemy can enter the other den within `k - 1 + lead` moves.
//!
//! Then the runner's side wins within `2k - 1` plies from its move, or the side to move loses within
//! `2k`. It may be sooner; the distance is an upper bound.
//!
//! **No legal move.** Where that is a draw, the defender must be shown to have a move at every turn.
//! Land without the defender's den has no square whose removal splits it (nor has the whole board),
//! so pieces that cannot move have at least two enemies beside them. If the defender can come beside
//! none of the pieces that stand still, all is well; if beside one, the runner takes a way on which
//! no enemy comes beside it; if beside two, nothing is claimed. Where taking the last piece does not
//! win, the runner takes nothing.
//!
//! Repetition and move limits are ignored, as always when a position is judged by itself.
//!
//! # How
//!
//! Danger only grows with time, so waiting never helps, and the ways of all lengths are flooded at
//! once: the set of squares where the runner can be after `i` moves is what one move leads to from
//! the set before, less what is in danger by then. Most positions are settled before that: a runner
//! must stand in one of three traps before any enemy can be there, and words that hold the squares
//! within `n` moves of each trap say so in a few operations.
//!
//! The rule is checked against the endgame tables: two and three pieces in the tests, which find no
//! false claim, and more in `docs/reports/races.md`.

use game::truth::Truth;

use super::Movement;
use crate::board::{self, DEN, DENS, TRAPS};
use crate::rules::{NoLegalMove, Rules, Traps};
use crate::{Animal, AnimalSet, Bitboard, Color, Jungle, Position, Square};

/// The race rule, compiled for some rules.
///
/// ```
/// use game::truth::Truth;
/// use jungle::causality::Races;
/// use jungle::{Position, Rules};
///
/// let races = Races::new(&Rules::STANDARD);
/// let judged = |fen: &str| races.judge(&fen.parse::<Position>().unwrap());
/// // The cat is two steps from the den, and the elephant too far away to help.
/// assert_eq!(judged("7/2C4/7/7/7/7/6e/7/7 w"), Some(Truth::Win(3)));
/// assert_eq!(judged("7/2C4/7/7/7/7/6e/7/7 b"), Some(Truth::Loss(4)));
/// // A step farther back, and with the elephant before it, nothing can be said.
/// assert_eq!(judged("7/3e3/2C4/7/7/7/7/7/7 w"), None);
/// ```
#[derive(Clone, Debug)]
pub struct Races {
    movements: [Movement; Animal::COUNT],
    /// Who takes each animal, in the open.
    takers: [AnimalSet; Animal::COUNT],
    /// Whom each animal can be sure to take.
    prey: [AnimalSet; Animal::COUNT],
    /// Whether traps weaken their owners too.
    traps_weaken_all: bool,
    no_move_draws: bool,
}

/// No path is longer: the farthest squares are 15 moves from a trap, and rivals are nearer.
const LONGEST: usize = 24;

type ByMovement = [Bitboard; Movement::COUNT];

impl Races {
    /// Compiles the rule.
    pub fn new(rules: &Rules) -> Races {
        let jungle = Jungle::new(*rules);
        let takers = Animal::ALL.map(|victim| {
            let takes = |attacker: &Animal| jungle.takes(*attacker).contains(victim);
            Animal::ALL.into_iter().filter(takes).collect()
        });
        let no_move_draws = rules.no_legal_move == NoLegalMove::Draw;
        // Without pieces the defender would have no move.
        let spares_all = !rules.annihilation_wins && no_move_draws;
        let prey = Animal::ALL.map(|runner| {
            // What a rat takes depends on the shore; it counts on no capture.
            let spares = spares_all || runner == Animal::Rat;
            if spares { AnimalSet::EMPTY } else { jungle.takes(runner) }
        });
        Races {
            movements: Animal::ALL.map(|animal| Movement::of(animal, rules)),
            takers,
            prey,
            traps_weaken_all: rules.traps == Traps::Everybody,
            no_move_draws,
        }
    }

    /// What a race decides, for the player to move: a win or a loss within a number of plies, or nothing.
    /// It is never a draw. Finished games are not judged.
    pub fn judge(&self, position: &Position) -> Option<Truth> {
        let (us, them) = (position.turn(), !position.turn());
        let over = position.occupied().intersects(DENS)
            || position.side(us).is_empty()
            || position.side(them).is_empty();
        if over {
            return None;
        }
        let mut all = ByMovement::default();
        for animal in Animal::ALL {
            all[self.movements[animal.index()].index()] |= position.animal(animal);
        }
        if let Some(moves) = self.win(position, &all, us, 0) {
            return Some(Truth::Win(2 * moves - 1));
        }
        self.win(position, &all, them, 1).map(|moves| Truth::Loss(2 * moves))
    }

    /// In how many of its moves a side wins a race. `lead` is how many moves the other makes before
    /// its first.
    #[inline]
    fn win(&self, position: &Position, all: &ByMovement, side: Color, lead: usize) -> Option<u32> {
        let (ours, theirs) = (position.side(side), position.side(!side));
        // Traps that are free at that time, until some enemy gets there.
        let mut open = [true; 3];
        let mut moves = 0;
        'hopeful: loop {
            let arrival = moves + lead;
            if arrival > 0 && any_within(all, theirs, side, arrival - 1) {
                return None;
            }
            for (trap, open) in open.iter_mut().enumerate() {
                if !*open {
                    continue;
                }
                let near = |movement: usize, of: Bitboard, moves: usize| {
                    (all[movement] & of).intersects(WITHIN[movement][!side as usize][trap][moves])
                };
                if (0..Movement::COUNT).any(|movement| near(movement, theirs, arrival)) {
                    *open = false;
                } else if (0..Movement::COUNT).any(|movement| near(movement, ours, moves)) {
                    break 'hopeful;
                }
            }
            if open == [false; 3] || moves + 2 >= LONGEST {
                return None;
            }
            moves += 1;
        }
        let runners = Animal::ALL.into_iter().filter_map(|animal| {
            let from = (position.animal(animal) & ours).first()?;
            self.run(position, all, side, lead, (animal, from))
        });
        runners.min()
    }

    /// In how many moves this runner wins.
    fn run(
        &self,
        position: &Position,
        all: &ByMovement,
        side: Color,
        lead: usize,
        runner: (Animal, Square),
    ) -> Option<u32> {
        let run = Run::new(self, position, all, side, lead, runner);
        let moves = run.flood(false)?;
        if !self.no_move_draws || run.still.is_empty() {
            return Some(moves as u32);
        }
        match run.pieces_met(moves) {
            0 => Some(moves as u32),
            1 => {
                let moves = run.flood(true)?;
                (run.pieces_met(moves) <= 1).then_some(moves as u32)
            }
            _ => None,
        }
    }
}

/// A runner and its rivals.
struct Run<'a> {
    races: &'a Races,
    position: &'a Position,
    all: &'a ByMovement,
    side: Color,
    lead: usize,
    animal: Animal,
    from: Square,
    theirs: Bitboard,
    /// The runner's friends, which stand still.
    still: Bitboard,
}

impl<'a> Run<'a> {
    fn new(
        races: &'a Races,
        position: &'a Position,
        all: &'a ByMovement,
        side: Color,
        lead: usize,
        (animal, from): (Animal, Square),
    ) -> Run<'a> {
        let theirs = position.side(!side);
        let still = position.side(side).without(from.bitboard());
        Run { races, position, all, side, lead, animal, from, theirs, still }
    }

    /// How many moves the runner needs on a safe way. A `shy` runner keeps away from all enemies.
    fn flood(&self, shy: bool) -> Option<usize> {
        let takers = self.races.takers[self.animal.index()];
        let prey = self.races.prey[self.animal.index()];
        let everybody = shy || self.races.traps_weaken_all;
        let (mut taking, mut blocking) = (ByMovement::default(), ByMovement::default());
        for animal in Animal::ALL {
            let squares = self.position.animal(animal) & self.theirs;
            let movement = self.races.movements[animal.index()].index();
            if everybody || takers.contains(animal) {
                taking[movement] |= squares;
            } else if !prey.contains(animal) {
                blocking[movement] |= squares;
            }
        }
        let rats = self.position.animal(Animal::Rat);
        let mut swimming = rats & self.theirs;
        for _ in 0..self.lead {
            grow(&mut taking);
            grow(&mut blocking);
            swimming |= Movement::Swimmer.advance(swimming);
        }
        let runner = self.races.movements[self.animal.index()];
        let mut reached = self.from.bitboard();
        if self.lead > 0 {
            reached = reached.without(union(&taking)).without(self.lost_traps(0));
        }
        for moves in 1..LONGEST {
            if reached.is_empty() {
                return None;
            }
            let before = moves - 1 + self.lead;
            // Entering the enemy's den on an earlier move would have won for the other side.
            if before > 0 && any_within(self.all, self.theirs, self.side, before - 1) {
                return None;
            }
            if reached.intersects(TRAPS[!self.side]) {
                return Some(moves);
            }
            let waded = swimming | (rats & self.still);
            grow(&mut taking);
            let danger = union(&taking) | union(&blocking) | self.still | self.lost_traps(moves);
            reached = advance(runner, reached, waded).without(danger);
            grow(&mut blocking);
            swimming |= Movement::Swimmer.advance(swimming);
        }
        None
    }

    /// The enemy's traps in which the runner would be taken after this many of its moves.
    fn lost_traps(&self, moves: usize) -> Bitboard {
        let mut lost = Bitboard::EMPTY;
        for (trap, square) in TRAPS[!self.side].into_iter().enumerate() {
            let near = |movement: usize| {
                let within = WITHIN[movement][!self.side as usize][trap][moves + self.lead];
                (self.all[movement] & self.theirs).intersects(within)
            };
            if (0..Movement::COUNT).any(near) {
                lost |= square.bitboard();
            }
        }
        lost
    }

    /// Beside how many of the pieces that stand still the defender can come before it is too late.
    fn pieces_met(&self, moves: usize) -> usize {
        let limit = moves - 1 + self.lead;
        let met = |piece: &Square| {
            self.theirs.into_iter().any(|enemy| {
                let animal = self.position.animal_at(enemy).expect("somebody stands there");
                let movement = self.races.movements[animal.index()];
                usize::from(movement.distance(enemy, *piece).0) <= limit
            })
        };
        self.still.into_iter().filter(met).count()
    }
}

/// One move of a runner, except jumps over certain squares.
#[inline]
fn advance(movement: Movement, from: Bitboard, waded: Bitboard) -> Bitboard {
    let (lengthwise, sideways) = match movement {
        Movement::Walker | Movement::Swimmer => return movement.advance(from),
        Movement::Jumper => (from, from),
        Movement::LengthwiseJumper => (from, Bitboard::EMPTY),
        Movement::SidewaysJumper => (Bitboard::EMPTY, from),
    };
    let jumps = board::landings(lengthwise, sideways, waded);
    Movement::Walker.advance(from) | jumps[0] | jumps[1] | jumps[2] | jumps[3]
}

#[inline]
fn grow(sets: &mut ByMovement) {
    for (movement, set) in Movement::ALL.into_iter().zip(sets) {
        if set.any() {
            *set |= movement.advance(*set);
        }
    }
}

#[inline]
fn union(sets: &ByMovement) -> Bitboard {
    sets.iter().fold(Bitboard::EMPTY, |all, &set| all | set)
}

/// Whether some piece of a set can be in a trap of `owner` within this many moves.
#[inline]
fn any_within(all: &ByMovement, pieces: Bitboard, owner: Color, moves: usize) -> bool {
    let near = |movement: usize| {
        let [one, other, third] = &WITHIN[movement][owner as usize];
        (all[movement] & pieces).intersects(one[moves] | other[moves] | third[moves])
    };
    (0..Movement::COUNT).any(near)
}

/// For each movement, and each trap of each side, the squares from which it is at most a given number of moves
/// there.
static WITHIN: [[[[Bitboard; LONGEST + 2]; 3]; 2]; Movement::COUNT] = {
    let mut table = [[[[Bitboard::EMPTY; LONGEST + 2]; 3]; 2]; Movement::COUNT];
    let mut movement = 0;
    while movement < Movement::COUNT {
        let mut side = 0;
        while side < 2 {
            let mut left = if side == 0 { TRAPS.white.0 } else { TRAPS.black.0 };
            let mut trap = 0;
            while left != 0 {
                // Every move can be reversed, so predecessors and successors are the same squares.
                let mut set = Bitboard(left & left.wrapping_neg());
                left &= left - 1;
                let mut moves = 0;
                while moves < LONGEST + 2 {
                    table[movement][side][trap][moves] = set;
                    set = Bitboard(set.0 | Movement::ALL[movement].advance(set).0);
                    moves += 1;
                }
                trap += 1;
            }
            side += 1;
        }
        movement += 1;
    }
    table
};

const _: () = assert!(DEN.white as u8 == 3 && Color::White as u8 == 0 && Color::Black as u8 == 1);
