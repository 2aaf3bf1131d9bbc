//! Why formula (5) differs from minimax: the assumptions in it, repaired one by one.
//!
//! Read as a game, [formula (5)](amazons::divide) says: the player to move moves in one sub-board; from
//! then on, at every ply, the player whose turn it is moves *in every sub-board at once*. On the board
//! she moves in one of them. Between the two lie games with some of the rules of the one and some of the other:
//!
//! | repair | formula (5) | the board |
//! |---|---|---|
//! | [`Inside`](Cause::Inside) | what falls apart inside the search is added up again | only the root is cut |
//! | [`Ties`](Cause::Ties) | a sub-board that stops early is evaluated for the player stuck in it | for the player to move at the end |
//! | [`Stuck`](Cause::Stuck) | a sub-board stops when the player to move is stuck in it | it goes on |
//! | [`Over`](Cause::Over) | sub-boards are filled on when the other player is stuck everywhere | the game is over |
//! | [`Filling`](Cause::Filling) | an owner has to fill every sub-board of hers at every turn | she may wait there |
//! | [`Competing`](Cause::Competing) | both have to move in every contested sub-board at every turn | they may wait there |
//! | [`Plies`](Cause::Plies) | a ply is a move in every sub-board | a ply is a move in one; still the players take turns in each |
//! | [`Elsewhere`](Cause::Elsewhere) | an answer is given where it was asked for | anywhere |
//!
//! A player who may wait still has to move in at least one sub-board. With the last two repairs together the
//! game is the board's, so every difference vanishes by some of them; a difference is put down to the
//! first [`Cause`] whose repair alone makes it vanish, to [`Several`](Cause::Several) if some of the
//! middle four do so only together, and to `Elsewhere` if nothing less than the board will do. All
//! but the first are repaired on top of it: the root alone is cut.
//!
//! The games are played on forms of sub-boards (`causes/games.rs`), not on boards. That the last of them gives
//! minimax's value, which is found in another way, is checked on every position.

mod games;

use std::collections::HashMap;

use amazons::evaluate::Weights;
use amazons::{Position, region};

use games::{Games, Id, Rules, Stops, TooHard};

/// What makes a difference vanish; the order is that in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// Formula (5) is used at the root only.
    Inside,
    /// A sub-board that stops early is evaluated for the player to move at the end of the search.
    Ties,
    /// A sub-board in which the player to move is stuck goes on.
    Stuck,
    /// The game ends when the player to move is stuck everywhere.
    Over,
    /// The owner of a filling sub-board may wait in it.
    Filling,
    /// Both players may wait in a competing sub-board.
    Competing,
    /// Some of the last four together.
    Several,
    /// One move in one sub-board a ply, but in each competing one the players take turns.
    Plies,
    /// One move a ply, anywhere: the game as it is.
    Elsewhere,
}

impl Cause {
    /// All causes.
    pub const ALL: [Cause; 9] = [
        Cause::Inside,
        Cause::Ties,
        Cause::Stuck,
        Cause::Over,
        Cause::Filling,
        Cause::Competing,
        Cause::Several,
        Cause::Plies,
        Cause::Elsewhere,
    ];

    /// A short name.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Inside => "cut inside",
            Cause::Ties => "ties",
            Cause::Stuck => "stuck",
            Cause::Over => "over",
            Cause::Filling => "must fill",
            Cause::Competing => "must move",
            Cause::Several => "several",
            Cause::Plies => "plies",
            Cause::Elsewhere => "elsewhere",
        }
    }

    /// What was repaired, to follow "the difference vanishes if".
    pub const fn repair(self) -> &'static str {
        match self {
            Cause::Inside => "sub-boards that fall apart inside the search are not added up again",
            Cause::Ties => {
                "sub-boards that stop early are evaluated for the player to move at the end"
            }
            Cause::Stuck => {
                "a sub-board where the player to move is stuck is not taken for finished"
            }
            Cause::Over => "the game ends when the player to move is stuck everywhere",
            Cause::Filling => "owners need not fill all their sub-boards at every turn",
            Cause::Competing => "players need not move in all contested sub-boards at every turn",
            Cause::Several => "some of the last four are repaired together",
            Cause::Plies => "a ply is one move in one sub-board, answered there",
            Cause::Elsewhere => "a ply is one move in one sub-board, answered anywhere: the board",
        }
    }
}

/// The effect of the repairs on the value of one position at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The value of the game as it is played on the board.
    pub board: i32,
    /// The value after each repair, by cause. For [`Cause::Several`] that of all four together, unless
    /// fewer already give the board's.
    pub repaired: [i32; Cause::ALL.len()],
}

impl Trace {
    /// Whether this repair alone gives the board's value.
    pub fn suffices(&self, cause: Cause) -> bool {
        self.repaired[cause as usize] == self.board
    }

    /// The first cause whose repair suffices.
    pub fn cause(&self) -> Cause {
        let sufficient = Cause::ALL.into_iter().find(|&cause| self.suffices(cause));
        sufficient.unwrap_or(Cause::Elsewhere)
    }
}

/// Traces differences, and remembers forms and games between positions.
#[derive(Debug)]
pub struct Causes {
    games: Games,
    traces: HashMap<Box<[Id]>, Trace>,
}

/// The most forms and games kept; then all are cleared.
const MOST_KEPT: usize = 4_000_000;

impl Causes {
    /// Traces values of this evaluation.
    pub fn new(weights: Weights) -> Causes {
        Causes { games: Games::new(weights), traces: HashMap::new() }
    }

    /// The value of formula (5) after each repair at a position that falls into parts and has moves, to this
    /// depth of at least 1. `None` if it takes more than `limit` steps (forms and choices visited).
    pub fn trace(&mut self, position: &Position, depth: u32, limit: u64) -> Option<Trace> {
        if self.games.kept() + self.traces.len() > MOST_KEPT {
            *self = Causes::new(self.games.weights());
        }
        self.games.allow(limit);
        let mut parts = Vec::new();
        region::executing(position, |region| parts.push(position.restricted(region.squares)));
        let forms: Result<Vec<Id>, TooHard> =
            parts.iter().map(|part| self.games.form(part, depth)).collect();
        let mut forms = forms.ok()?;
        forms.sort_unstable();
        if let Some(&known) = self.traces.get(&forms[..]) {
            return Some(known);
        }
        let trace = self.repairs(&forms).ok()?;
        self.traces.insert(forms.into(), trace);
        Some(trace)
    }

    fn repairs(&mut self, parts: &[Id]) -> Result<Trace, TooHard> {
        let games = &mut self.games;
        let board = games.first_move(parts, Games::board)?;
        let mut with = |rules| games.first_move(parts, |games, parts| games.at_once(parts, rules));
        let mut repaired = [board; Cause::ALL.len()];
        repaired[Cause::Inside as usize] = with(Rules::FORMULA)?;
        repaired[Cause::Ties as usize] = with(Rules { stuck: Stops::Later, ..Rules::FORMULA })?;
        let repairs = [Cause::Stuck, Cause::Over, Cause::Filling, Cause::Competing];
        for (bit, cause) in repairs.into_iter().enumerate() {
            repaired[cause as usize] = with(Rules::repaired(1 << bit))?;
        }
        let several = (0..1_u32 << repairs.len()).filter(|set| set.count_ones() > 1);
        for set in several {
            repaired[Cause::Several as usize] = with(Rules::repaired(set))?;
            if repaired[Cause::Several as usize] == board {
                break;
            }
        }
        repaired[Cause::Plies as usize] = games.first_move(parts, |games, parts| {
            let parts: Vec<(Id, bool)> = parts.iter().map(|&part| (part, true)).collect();
            games.in_turn(&parts)
        })?;
        Ok(Trace { board, repaired })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xu_xing_zuo::formula5;
    use amazons::divide::{Divide, Ends};
    use amazons::region::Kind;
    use amazons::{Amazons, Bitboard, Size};
    use game::Game;
    use game::limits::{Limits, Meter};

    fn sampled(count: u64, seed: u64, check: impl FnMut(&Position)) {
        let start = formula5::start(Size::new(5, 5).unwrap(), 4);
        formula5::sampled(&start, count, 7, seed, check);
    }

    fn parts(position: &Position) -> Vec<Position> {
        let mut parts = Vec::new();
        region::executing(position, |region| parts.push(position.restricted(region.squares)));
        parts
    }

    fn value(search: Divide, position: &Position, depth: u32) -> i32 {
        let mut meter = Meter::new(&Limits::none());
        search.ends(Ends::Evaluated).find(position, depth, &mut meter).unwrap().value
    }

    #[test]
    fn with_everything_repaired_it_is_minimax() {
        let weights = Weights::default();
        let mut causes = Causes::new(weights);
        sampled(120, 1, |position| {
            for depth in 1..=4 {
                let trace = causes.trace(position, depth, u64::MAX).unwrap();
                let minimax = value(Divide::plain(weights), position, depth);
                assert_eq!(trace.board, minimax, "{position} to depth {depth}");
                assert!(trace.suffices(Cause::Elsewhere));
                if depth == 2 {
                    // There is one answer, and it is given in one place.
                    assert!(trace.suffices(Cause::Plies), "{position}");
                }
            }
        });
    }

    /// Formula (5) at the root with parts searched as one, move by move.
    fn uncut(weights: &Weights, part: &Position, depth: u32) -> i32 {
        let mut alive = Bitboard::EMPTY;
        region::executing(part, |region| alive |= region.squares);
        let stuck = !part.can_move(part.turn());
        if depth == 0 || stuck && part.amazons(part.turn()).intersects(alive) {
            return weights.value(part);
        }
        if stuck {
            return -uncut(weights, &part.passed(), depth - 1);
        }
        let moves = Amazons.moves(part).into_iter();
        moves.map(|mv| -uncut(weights, &Amazons.after(part, mv), depth - 1)).max().unwrap()
    }

    #[test]
    fn with_nothing_but_the_inside_repaired_it_is_formula_five_at_the_root() {
        let weights = Weights::default();
        let mut causes = Causes::new(weights);
        let mut equal = 0;
        sampled(120, 2, |position| {
            for depth in 1..=3 {
                let non_move = |part: &Position| -uncut(&weights, &part.passed(), depth - 1);
                let parts = parts(position);
                let gains = parts.iter().filter(|part| part.can_move(part.turn()));
                let gain = gains.map(|part| uncut(&weights, part, depth) - non_move(part)).max();
                let expected = gain.unwrap() + parts.iter().map(non_move).sum::<i32>();
                let trace = causes.trace(position, depth, u64::MAX).unwrap();
                assert_eq!(trace.repaired[0], expected, "{position} to depth {depth}");
                let divided = value(Divide::new(weights), position, depth);
                assert!(depth > 2 || divided == expected, "cuts inside matter from depth 3 on");
                equal += u32::from(divided == expected);
            }
        });
        assert!(equal > 240);
    }

    /// The game in all parts at once, on boards: every combination of choices is tried.
    fn at_once(weights: &Weights, parts: &[Position], plies: u32, rules: Rules) -> i32 {
        let sum = |parts: &[Position]| parts.iter().map(|part| weights.value(part)).sum();
        let can_move = parts.iter().any(|part| part.can_move(part.turn()));
        if plies == 0 || !can_move && rules.ends {
            return sum(parts);
        }
        let mut stopped = 0;
        let mut combinations: Vec<(Vec<Position>, bool)> = vec![(Vec::new(), false)];
        for part in parts {
            let mut kinds = Vec::new();
            region::executing(part, |region| kinds.push(region.kind));
            let mover = part.turn();
            let concerns = |kind: &Kind| *kind != Kind::Filling(!mover);
            let (stuck, hers) = (!part.can_move(mover), kinds.iter().any(concerns));
            if stuck && hers && rules.stuck != Stops::Never {
                stopped += match rules.stuck {
                    Stops::Later if plies % 2 == 1 => -weights.value(&part.passed()),
                    _ => weights.value(part),
                };
                continue;
            }
            let alone = kinds.iter().all(|kind| *kind == Kind::Filling(mover));
            let may_wait = if alone { rules.may_wait_filling } else { rules.may_wait_competing };
            let mut choices: Vec<(Position, bool)> =
                Amazons.moves(part).into_iter().map(|mv| (Amazons.after(part, mv), true)).collect();
            if stuck || may_wait {
                choices.push((part.passed(), false));
            }
            let with = |(chosen, moved): &(Vec<Position>, bool)| {
                let with = |&(next, moves): &(Position, bool)| {
                    let mut chosen = chosen.clone();
                    chosen.push(next);
                    (chosen, *moved || moves)
                };
                choices.iter().map(with).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(with).collect();
        }
        let allowed = combinations.iter().filter(|(_, moved)| *moved || !can_move);
        let value =
            |(chosen, _): &(Vec<Position>, bool)| -at_once(weights, chosen, plies - 1, rules);
        stopped + allowed.map(value).max().unwrap()
    }

    #[test]
    fn the_games_at_once_are_what_they_say() {
        let weights = Weights::default();
        let mut causes = Causes::new(weights);
        let start = formula5::start(Size::new(5, 5).unwrap(), 4);
        formula5::sampled(&start, 40, 5, 3, |position| {
            let parts = parts(position);
            let mut forms: Vec<Id> = Vec::new();
            causes.games.allow(u64::MAX);
            forms.extend(parts.iter().filter_map(|part| causes.games.form(part, 3).ok()));
            for set in 0..16 {
                for stuck in [Rules::repaired(set).stuck, Stops::Later] {
                    let rules = Rules { stuck, ..Rules::repaired(set) };
                    let found = causes.games.at_once(&forms, rules).ok();
                    let expected = at_once(&weights, &parts, 3, rules);
                    assert_eq!(found, Some(expected), "{position} {rules:?}");
                }
            }
        });
    }

    #[test]
    fn a_limit_is_kept() {
        let position: Position = "W3x/4x/xxxxx/B3W/5 w".parse().unwrap();
        assert_eq!(Causes::new(Weights::default()).trace(&position, 3, 10), None);
    }
}
