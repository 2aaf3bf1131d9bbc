//! The published protector, judged by what each of its edges lets back.
//!
//! Panthers walk up through BLACK EDGEs one above the other. The paper argues by counting: to bring a
//! panther back past *n* of them, White needs *n* others below, and there are never more than two, so three
//! channels suffice. Here the premises are decided:
//!
//! - [`crossing`]: how many White can bring to the lower side of an edge, with so many below it and so many
//!   above;
//! - [`guard`]: whether the edge is left as it was found. This is a contract in the sense of
//!   [`crate::holding`]: Black answers only moves inside, and only so often. Where it fails without the dog being taken, one
//!   panther holds the dog in a corner, a *jailer*, while others pass;
//! - [`overload`]: what the gates behind do with more panthers than they were made for.
//!
//! The count is then a program ([`leak`]), which gives White a jailer or a helper wherever the premises do.

use std::collections::{HashMap, HashSet};

use jungle::{Animal, Color, Piece};

use crate::gadget::{Gadget, Role};
use crate::generalised::BoardRules;
use crate::geometry::Spot;
use crate::library;
use crate::local::{Goal, Local, State, Traffic};
use crate::solve::{TooManyStates, solve};

/// What comes back through an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// Panthers that wait at its input.
    pub below: usize,
    /// Panthers that wait at its output.
    pub above: usize,
    /// The most that White can bring to its input.
    pub at_in: usize,
    /// Whether Black, while he prevents more, can play elsewhere again and again.
    pub leaves_time: bool,
    /// How many states were looked at, in all the games together.
    pub states: usize,
}

/// The most panthers that White brings to the input of a gadget (its first port), with these waiting below
/// and above.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn crossing(
    gadget: &Gadget,
    below: usize,
    above: usize,
    rules: impl Into<BoardRules>,
    limit: usize,
) -> Result<Crossing, TooManyStates> {
    let waiting = [(0, gadget.signal, below), (1, gadget.signal, above)];
    let local = Local::new(gadget, &waiting, Traffic::Open, Color::White, rules);
    let (mut states, mut leaves_time) = (0, true);
    for at_least in (below + 1..=below + above).rev() {
        let goal = Goal::Signals { ports: vec![0], at_least };
        let solution = solve(&local, &[local.start()], Color::White, &goal, None, limit)?;
        states += solution.len();
        if solution.plies(local.start()).is_some() {
            return Ok(Crossing { below, above, at_in: at_least, leaves_time, states });
        }
        leaves_time = solution.leaves_time(local.start());
    }
    Ok(Crossing { below, above, at_in: below, leaves_time, states })
}

/// What Black holds in an edge for ever, with panthers below it and above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Whether he keeps his dog, and lets nobody down once all are above: those past the traps.
    pub holds: bool,
    /// Whether White forces the capture of the dog, whatever else happens.
    pub dog_taken: bool,
    /// Whether he can, doing so, play elsewhere again and again, if he may also answer moves elsewhere here: where not,
    /// no way of answering leaves him time.
    pub leaves_time: bool,
    /// How often White can make him answer altogether, if he answers nothing but moves inside; `None` if without end, or if he
    /// does not hold so.
    pub answers: Option<u32>,
    /// How many states there are.
    pub states: usize,
}

/// Decides whether an edge whose dog stands on `post` is left as it was found: whether Black keeps the dog, and, whenever all
/// panthers are above the row of the post, lets none come to the post, below it, or to the input.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn guard(
    gadget: &Gadget,
    post: Spot,
    (below, above): (usize, usize),
    rules: impl Into<BoardRules>,
    limit: usize,
) -> Result<Guard, TooManyStates> {
    let waiting = [(0, gadget.signal, below), (1, gadget.signal, above)];
    let local = Local::new(gadget, &waiting, Traffic::Open, Color::White, rules);
    let graph = Graph::of(&local, limit)?;
    let geometry = gadget.board.geometry();
    let waits_below = Goal::Signals { ports: vec![0], at_least: 1 };
    let panthers = |state: State, wanted: &dyn Fn(Spot) -> bool| {
        local.inside(state).any(|(spot, piece)| piece == gadget.signal && wanted(spot))
    };
    let below_post = |spot: Spot| geometry.row(spot) > geometry.row(post);
    let low = |state: State| {
        local.reached(state, &waits_below)
            || panthers(state, &|spot| spot == post || below_post(spot))
    };
    let clear = |state: State| {
        !local.reached(state, &waits_below)
            && !panthers(state, &|spot| geometry.row(spot) >= geometry.row(post))
    };
    let comes_down = graph.forced(&graph.mark(low));
    let dog_taken = graph.forced(&graph.mark(|state| local.count(state, Color::Black) == 0))[0];
    let lost = |(number, &state): (usize, &State)| {
        local.count(state, Color::Black) == 0 || (comes_down[number] && clear(state))
    };
    let bad: Vec<bool> = graph.states.iter().enumerate().map(lost).collect();
    let lost = graph.forced(&bad);
    let (holds, states) = (!lost[0], graph.states.len());
    let leaves_time = holds && graph.leaves_time(&lost);
    Ok(Guard { holds, dog_taken, leaves_time, answers: graph.answers(&bad), states })
}

/// All states of a local game with its moves, the beginning first.
struct Graph {
    states: Vec<State>,
    /// The pass is the first.
    next: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
}

impl Graph {
    fn of(local: &Local, limit: usize) -> Result<Graph, TooManyStates> {
        let mut graph = Graph { states: vec![local.start()], next: vec![], before: vec![vec![]] };
        let mut numbers = HashMap::from([(local.start(), 0_u32)]);
        while graph.next.len() < graph.states.len() {
            if graph.states.len() > limit {
                return Err(TooManyStates(limit));
            }
            let (from, mut moves) = (graph.next.len(), Vec::new());
            local.for_each_move(graph.states[from], |_, next| {
                let number = *numbers.entry(next).or_insert_with(|| {
                    graph.states.push(next);
                    graph.before.push(Vec::new());
                    graph.states.len() as u32 - 1
                });
                graph.before[number as usize].push(from as u32);
                moves.push(number);
            });
            graph.next.push(moves);
        }
        Ok(graph)
    }

    fn mark(&self, wanted: impl Fn(State) -> bool) -> Vec<bool> {
        self.states.iter().map(|&state| wanted(state)).collect()
    }

    /// The states from which White forces one of these.
    fn forced(&self, target: &[bool]) -> Vec<bool> {
        let mut forced = target.to_vec();
        let mut open: Vec<usize> = self.next.iter().map(Vec::len).collect();
        let all = 0..target.len() as u32;
        let mut stack: Vec<u32> = all.filter(|&number| target[number as usize]).collect();
        while let Some(number) = stack.pop() {
            for &before in &self.before[number as usize] {
                let at = before as usize;
                open[at] -= 1;
                let wins = self.states[at].mover() == Color::White || open[at] == 0;
                if wins && !forced[at] {
                    forced[at] = true;
                    stack.push(before);
                }
            }
        }
        forced
    }

    /// Whether Black can pass again and again, from the beginning, without coming to a state that is lost: the largest set
    /// of states from which he gets to a pass that leads back into the set.
    fn leaves_time(&self, lost: &[bool]) -> bool {
        let mut allowed: Vec<bool> = lost.iter().map(|&lost| !lost).collect();
        loop {
            // White wins this game if Black never gets to pass: it is the least set closed under these rules.
            let mut free = vec![false; allowed.len()];
            loop {
                let gets_there = |number: usize| {
                    let next = &self.next[number];
                    match self.states[number].mover() {
                        Color::White => next.iter().all(|&after| free[after as usize]),
                        Color::Black => {
                            next.first().is_some_and(|&pass| allowed[pass as usize])
                                || next.iter().any(|&after| free[after as usize])
                        }
                    }
                };
                let new: Vec<usize> = (0..free.len())
                    .filter(|&number| allowed[number] && !free[number] && gets_there(number))
                    .collect();
                if new.is_empty() {
                    break;
                }
                for number in new {
                    free[number] = true;
                }
            }
            if free == allowed {
                return allowed[0];
            }
            allowed = free;
        }
    }

    /// How many answers White can ask for, if Black moves only after moves inside: White's passes are left out. `None` if
    /// Black cannot hold so, or if there is no end to them.
    fn answers(&self, bad: &[bool]) -> Option<u32> {
        // A bound that no chain of answers comes near: what reaches it has no end.
        const ENDLESS: u32 = 100;
        let mut cost: Vec<Option<u32>> = bad.iter().map(|&bad| (!bad).then_some(0)).collect();
        loop {
            let mut changed = false;
            for number in 0..self.states.len() {
                if self.states[number].mover() == Color::Black || cost[number].is_none() {
                    continue;
                }
                let worst = self.next[number][1..].iter().try_fold(0, |worst: u32, &asked| {
                    let replies =
                        self.next[asked as usize].iter().zip([0].into_iter().chain([1; 64]));
                    let held = |(&after, answer): (&u32, u32)| Some(cost[after as usize]? + answer);
                    let least = replies.filter_map(held).min()?;
                    (!bad[asked as usize]).then_some(worst.max(least).min(ENDLESS))
                });
                if worst != cost[number] {
                    cost[number] = worst;
                    changed = true;
                }
            }
            if !changed {
                return cost[0].filter(|&cost| cost < ENDLESS);
            }
        }
    }
}

/// A gate with more panthers at one input than it was made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overload {
    /// Its name.
    pub gadget: &'static str,
    /// How many panthers wait at its first input, and none at others.
    pub panthers: usize,
    /// How many should come out at most.
    pub promised: usize,
    /// In how many plies White forces one more out, if he does, even with cats that move only to take.
    pub plies: Option<u32>,
    /// How many states were looked at.
    pub states: usize,
}

/// Tries the outflow protector and the AND gate with more and more panthers.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn overload(
    rules: impl Into<BoardRules>,
    limit: usize,
) -> Result<Vec<Overload>, TooManyStates> {
    let rules = rules.into();
    let cat = Piece { color: Color::White, animal: Animal::Cat };
    let tried = |&(name, panthers, promised): &(&'static str, usize, usize)| {
        let gadget = library::find(name).expect("a gadget of the library");
        let out = gadget.with_role(Role::Out);
        let waiting = [(0, gadget.signal, panthers)];
        let local = Local::new(&gadget, &waiting, Traffic::Sealed, Color::White, rules);
        let (local, start) = (local.clone().with_sitting(cat), [local.start()]);
        let goal = Goal::Signals { ports: out, at_least: promised + 1 };
        let solution = solve(&local, &start, Color::White, &goal, None, limit)?;
        let plies = solution.plies(start[0]);
        Ok(Overload { gadget: name, panthers, promised, plies, states: solution.len() })
    };
    [("outflow", 2, 1), ("outflow", 3, 1), ("and", 1, 0), ("and", 2, 0)].iter().map(tried).collect()
}

/// Panthers in the stretches between edges, the lowest first, and the edges with a jailer, a bit each.
type Stretches = (Vec<usize>, u32);

/// What is known of a single edge, with so many panthers right below it and so many right above.
pub struct Premises<'a> {
    /// Whether more come to its lower side than were there.
    pub returns: &'a dyn Fn(usize, usize) -> bool,
    /// Whether it is not left as it was found.
    pub jails: &'a dyn Fn(usize, usize) -> bool,
}

/// Whether White brings more panthers below a chain of so many edges than began there, with `below` under the chain and
/// `above` over it: the shortest way, as the number of panthers in each stretch after each move, the lowest first, jailers left
/// out.
///
/// Panthers go up as they like. They come down past an edge that has a jailer, or as the premises say.
pub fn leak(
    edges: usize,
    below: usize,
    above: usize,
    premises: &Premises<'_>,
) -> Option<Vec<Vec<usize>>> {
    let mut start = vec![0; edges + 1];
    start[0] = below;
    start[edges] += above;
    let start: Stretches = (start, 0);
    let mut known = HashSet::from([start.clone()]);
    let mut paths = vec![vec![start]];
    let mut next = 0;
    while next < paths.len() {
        let path = paths[next].clone();
        next += 1;
        let here = &path[path.len() - 1];
        if here.0[0] > below {
            return Some(path.into_iter().map(|(panthers, _)| panthers).collect());
        }
        for after in (0..edges).flat_map(|edge| moves_at(here, edge, premises)) {
            if known.insert(after.clone()) {
                paths.push(path.iter().cloned().chain([after]).collect());
            }
        }
    }
    None
}

/// What one White manoeuvre at an edge can come to.
fn moves_at(here: &Stretches, edge: usize, premises: &Premises<'_>) -> Vec<Stretches> {
    let (panthers, jailers) = here;
    let (low, high) = (panthers[edge], panthers[edge + 1]);
    let jailed = jailers >> edge & 1 == 1;
    let with = |low: usize, high: usize, jailers: u32| {
        let mut panthers = panthers.clone();
        (panthers[edge], panthers[edge + 1]) = (low, high);
        (panthers, jailers)
    };
    let mut moves = Vec::new();
    if low > 0 {
        moves.push(with(low - 1, high + 1, *jailers));
    }
    if high > 0 && (jailed || (premises.returns)(low, high)) {
        moves.push(with(low + 1, high - 1, *jailers));
    }
    if jailed {
        moves.push(with(low + 1, high, jailers & !(1 << edge)));
        moves.push(with(low, high + 1, jailers & !(1 << edge)));
    } else if (premises.jails)(low, high) {
        if low > 0 {
            moves.push(with(low - 1, high, jailers | 1 << edge));
        }
        if high > 0 {
            moves.push(with(low, high - 1, jailers | 1 << edge));
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;
    use crate::generalised::Trapped;

    fn edge() -> (Gadget, Spot) {
        let edge = library::find("black-edge").unwrap();
        let (post, _) = edge.board.pieces().next().unwrap();
        (edge, post)
    }

    /// If each edge takes a helper or a jailer of its own, three of them bear two panthers below and one above, two do not.
    #[test]
    fn the_count_of_the_paper() {
        let helped = |below: usize, _: usize| below > 0;
        let jails = |below: usize, above: usize| below > 0 && below + above > 1;
        let premises = Premises { returns: &helped, jails: &jails };
        assert_eq!(leak(3, 2, 1, &premises), None);
        let way = leak(2, 2, 1, &premises).unwrap();
        assert_eq!((&way[0], way[way.len() - 1][0]), (&vec![2, 0, 1], 3));
        assert_eq!(leak(3, 1, 3, &premises), None);
        let crowd = |below: usize, above: usize| below > 0 || above > 1;
        assert!(leak(3, 0, 2, &Premises { returns: &crowd, jails: &jails }).is_some());
    }

    #[test]
    fn what_a_black_edge_holds_depends_on_the_strength_of_trapped_pieces() {
        let (edge, post) = edge();
        let held = |trapped, numbers| {
            let rules = BoardRules { trapped, ..Rules::LEIDEN.into() };
            guard(&edge, post, numbers, rules, 100_000).unwrap()
        };
        for numbers in [(0, 1), (0, 2), (1, 0)] {
            let zero = held(Trapped::Zero, numbers);
            assert!(zero.holds && zero.leaves_time && zero.answers.is_some(), "{numbers:?}");
        }
        for numbers in [(1, 1), (2, 0)] {
            let zero = held(Trapped::Zero, numbers);
            assert!(!zero.holds && !zero.dog_taken, "{numbers:?}");
        }
        let full = held(Trapped::Full, (1, 0));
        assert!(full.holds && !full.leaves_time && full.answers.is_none());
        assert!(!held(Trapped::Full, (0, 2)).holds);
        assert!(held(Trapped::Full, (1, 1)).dog_taken);
    }
}
