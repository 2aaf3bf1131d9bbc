//! Black's contracts of the published gates: sentries who keep to a beat while panthers walk.
//!
//! In every published gadget Black has one piece that matters, its *sentry*, and there is a strategy in which it
//! stays on a few squares, its *beat*, none of them a White trap. On such a beat White's cats are **transparent**
//! ([`Watch::cats_are_transparent`]): no cat takes a sentry there, and a sentry takes any cat that stands in its way and is
//! then where it wanted to be. So whatever a sentry does against panthers alone it does with any number of
//! cats anywhere, whose moves are White's moves elsewhere; and no other Black piece has to move. That takes the cats, who
//! make tens of millions of states, out of all proofs.
//!
//! Several gadgets one after the other are one game: between them lies a *pool*, a stretch of any
//! length, which panthers enter and leave as they like. As in [`crate::holding`] nothing is announced: a White
//! move within a pool or elsewhere is no move here, and Black answers only moves from or to a square of the gadgets.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use jungle::{Animal, Color, Piece};

use crate::gadget::{Gadget, Port};
use crate::generalised::{BoardRules, GeneralisedJungle};
use crate::geometry::{Direction, Spot};
use crate::local::StateHasher;
use crate::solve::TooManyStates;

/// What a signal of the published set is.
pub(crate) const PANTHER: Piece = Piece { color: Color::White, animal: Animal::Panther };
/// What White guards his edges with.
pub(crate) const CAT: Piece = Piece { color: Color::White, animal: Animal::Cat };

/// A gadget of the game: its drawing, the beat of its sentry by the names of squares, and the pool at each port.
#[derive(Clone, Debug)]
pub struct Post {
    /// The gadget.
    pub gadget: Gadget,
    /// Where its sentry goes.
    pub beat: &'static [&'static str],
    /// The number of the pool behind each port.
    pub pools: Vec<usize>,
}

/// The places of the sentries, then of the panthers, sorted: a byte each. With a ratchet, the last byte is what it has caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Picket([u8; Picket::BYTES]);

impl Picket {
    const BYTES: usize = 8;
    /// Where the number of panthers is that a ratchet has caught.
    const CAUGHT: usize = Picket::BYTES - 1;
    /// The place of a piece that was taken.
    const TAKEN: u8 = 255;
}

/// A sentry: the piece, and the places of its beat.
type Sentry = (Piece, Vec<u8>);

/// The game of sentries against panthers.
#[derive(Clone, Debug)]
pub struct Watch {
    posts: Vec<Post>,
    generalised: GeneralisedJungle,
    /// The gadget and square of each place; `None` for the pools, which come first.
    squares: Vec<Option<(usize, Spot)>>,
    /// Where a panther goes from each place.
    next: Vec<Vec<u8>>,
    sentries: Vec<Sentry>,
    /// For every gadget that is its own mirror image, where each place is then.
    mirrors: Vec<Vec<u8>>,
    /// The end of the panthers in a state.
    end: usize,
    start: Picket,
    /// The pool of the ratchet, and how many panthers began there.
    ratchet: Option<(u8, usize)>,
}

impl Watch {
    /// The game, with so many panthers waiting in each pool besides those that the gadgets have.
    ///
    /// # Panics
    ///
    /// If there are more than eight sentries and panthers, or a beat is not on the board: gadgets are part of the program.
    pub fn new(posts: &[Post], waiting: &[usize], rules: impl Into<BoardRules>) -> Watch {
        let mut squares = vec![None; waiting.len()];
        let mut next = vec![Vec::new(); waiting.len()];
        let (mut sentries, mut homes, mut panthers) = (Vec::new(), Vec::new(), Vec::new());
        let mut mirrors = Vec::new();
        for (number, post) in posts.iter().enumerate() {
            let geometry = post.gadget.board.geometry();
            let (first, land) = (squares.len(), geometry.land().collect::<Vec<Spot>>());
            let place = |spot: Spot| {
                land.iter().position(|&there| there == spot).map(|nth| (first + nth) as u8)
            };
            for &spot in &land {
                let ways = Direction::ALL.into_iter().filter_map(|way| geometry.next(spot, way));
                next.push(ways.filter_map(place).collect());
                squares.push(Some((number, spot)));
            }
            for (port, &pool) in post.gadget.ports.iter().zip(&post.pools) {
                let landing = port.landing(geometry).and_then(place).expect("a port has a landing");
                next[pool].push(landing);
                next[usize::from(landing)].push(pool as u8);
            }
            mirrors.extend(mirror(post).map(|mirror| {
                let mirrored = land.iter().filter_map(|&spot| place(mirror[spot]));
                (0..first as u8).chain(mirrored).collect::<Vec<u8>>()
            }));
            for (spot, piece) in post.gadget.board.pieces() {
                let home = place(spot).expect("pieces stand on land");
                if piece == PANTHER {
                    panthers.push(home);
                } else if piece.color == Color::Black {
                    let named = |name: &&str| geometry.find(name).and_then(place).expect(name);
                    sentries.push((piece, post.beat.iter().map(named).collect()));
                    homes.push(home);
                }
            }
        }
        for (pool, &count) in waiting.iter().enumerate() {
            panthers.extend(std::iter::repeat_n(pool as u8, count));
        }
        panthers.sort_unstable();
        let end = homes.len() + panthers.len();
        assert!(end <= Picket::BYTES, "too many pieces");
        let mut start = Picket([Picket::TAKEN; Picket::BYTES]);
        for (byte, place) in start.0.iter_mut().zip(homes.iter().chain(&panthers)) {
            *byte = *place;
        }
        for mirror in &mut mirrors {
            mirror.extend(mirror.len() as u8..squares.len() as u8);
        }
        let (posts, generalised) = (posts.to_vec(), GeneralisedJungle::new(rules));
        Watch { posts, generalised, squares, next, sentries, mirrors, end, start, ratchet: None }
    }

    /// The same game, in which states remember how many panthers more than began in a pool were ever there at once.
    ///
    /// # Panics
    ///
    /// If there are as many pieces as a state has room for.
    pub fn with_ratchet(mut self, pool: usize) -> Watch {
        assert!(self.end <= Picket::CAUGHT, "no room for the ratchet");
        self.ratchet = Some((pool as u8, self.in_pool(self.start, pool)));
        self.start.0[Picket::CAUGHT] = 0;
        self
    }

    /// How many panthers more than began in the pool of the ratchet were ever there at once.
    pub fn caught(&self, state: Picket) -> usize {
        self.ratchet.map_or(0, |_| usize::from(state.0[Picket::CAUGHT]))
    }

    /// The state at the beginning.
    pub fn start(&self) -> Picket {
        self.start
    }

    /// How many panthers are in a pool.
    pub fn in_pool(&self, state: Picket, pool: usize) -> usize {
        self.panthers_at(state, pool as u8)
    }

    /// How many panthers were taken.
    pub fn taken(&self, state: Picket) -> usize {
        self.panthers_at(state, Picket::TAKEN)
    }

    fn panthers_at(&self, state: Picket, place: u8) -> usize {
        state.0[self.sentries.len()..self.end].iter().filter(|&&there| there == place).count()
    }

    /// Whether a piece on one place may take another on the next; one from a pool comes from land.
    fn takes(&self, piece: Piece, from: u8, victim: Piece, to: u8) -> bool {
        let Some((post, to)) = self.squares[usize::from(to)] else { return false };
        let from = self.squares[usize::from(from)].map_or(to, |(_, spot)| spot);
        let geometry = self.posts[post].gadget.board.geometry();
        self.generalised.may_take(geometry, piece, from, victim, to)
    }

    /// The state after a piece goes somewhere, if it may: `piece` in slot `slot`.
    fn moved(&self, mut state: Picket, slot: usize, piece: Piece, to: u8) -> Option<Picket> {
        if self.squares[usize::from(to)].is_some()
            && let Some(there) = state.0[..self.end].iter().position(|&place| place == to)
        {
            let victim = self.sentries.get(there).map_or(PANTHER, |&(sentry, _)| sentry);
            if !self.takes(piece, state.0[slot], victim, to) {
                return None;
            }
            state.0[there] = Picket::TAKEN;
        }
        state.0[slot] = to;
        state.0[self.sentries.len()..self.end].sort_unstable();
        if let Some((pool, began)) = self.ratchet {
            let more = self.panthers_at(state, pool).saturating_sub(began) as u8;
            state.0[Picket::CAUGHT] = state.0[Picket::CAUGHT].max(more);
        }
        Some(state)
    }

    /// Of mirror images always the same one.
    pub fn tidy(&self, mut state: Picket) -> Picket {
        for mirror in &self.mirrors {
            let mut other = state;
            for place in &mut other.0[..self.end] {
                *place = mirror.get(usize::from(*place)).copied().unwrap_or(*place);
            }
            other.0[self.sentries.len()..self.end].sort_unstable();
            state.0 = state.0.min(other.0);
        }
        state
    }

    /// The place of a square of a gadget.
    pub fn place(&self, post: usize, spot: Spot) -> Option<u8> {
        let place = self.squares.iter().position(|&square| square == Some((post, spot)))?;
        Some(place as u8)
    }

    /// The gadget and the square of a place; `None` for a pool.
    pub fn square(&self, place: u8) -> Option<(usize, Spot)> {
        self.squares[usize::from(place)]
    }

    /// The pool at the square of a port.
    pub fn pool_at(&self, place: u8) -> Option<u8> {
        let next = &self.next[usize::from(place)];
        next.iter().copied().find(|&to| self.squares[usize::from(to)].is_none())
    }

    /// The state after a panther goes from one place to the next, if one is there and may.
    pub fn after(&self, state: Picket, from: u8, to: u8) -> Option<Picket> {
        let panthers = self.sentries.len()..self.end;
        let slot = panthers.into_iter().find(|&slot| state.0[slot] == from)?;
        self.moved(state, slot, PANTHER, to)
    }

    /// All White moves from or to a square.
    pub fn white_moves(&self, state: Picket) -> Vec<Picket> {
        let mut moves = Vec::new();
        for slot in self.sentries.len()..self.end {
            let from = state.0[slot];
            let twin = slot > self.sentries.len() && state.0[slot - 1] == from;
            if from != Picket::TAKEN && !twin {
                let next = self.next[usize::from(from)].iter();
                moves.extend(next.filter_map(|&to| self.moved(state, slot, PANTHER, to)));
            }
        }
        moves
    }

    /// Black's answers, without the one that he plays elsewhere: from where to where, and the state then.
    fn answers(&self, state: Picket) -> Vec<(u8, u8, Picket)> {
        let mut answers = Vec::new();
        for (slot, (sentry, beat)) in self.sentries.iter().enumerate() {
            let from = state.0[slot];
            if from != Picket::TAKEN {
                let next = self.next[usize::from(from)].iter().filter(|to| beat.contains(to));
                let after = |&to| Some((from, to, self.moved(state, slot, *sentry, to)?));
                answers.extend(next.filter_map(after));
            }
        }
        answers
    }

    /// Whether no cat takes a sentry on its beat, and every sentry takes a cat there from any square beside it: then cats
    /// change nothing that sentries can do.
    pub fn cats_are_transparent(&self) -> bool {
        self.sentries.iter().all(|(sentry, beat)| {
            beat.iter().all(|&square| {
                let beside = &self.next[usize::from(square)];
                let safe = beside.iter().all(|&from| !self.takes(CAT, from, *sentry, square));
                let inside = beside.iter().filter(|from| beat.contains(from));
                safe && inside.clone().all(|&from| self.takes(*sentry, from, CAT, square))
            })
        })
    }
}

/// Where each square is in a mirror, left for right, if that changes neither the terrain nor the beat nor the ports.
fn mirror(post: &Post) -> Option<Vec<Spot>> {
    let geometry = post.gadget.board.geometry();
    let mirrored =
        |spot| geometry.spot(geometry.row(spot), geometry.width() - 1 - geometry.column(spot));
    let on_beat = |spot| post.beat.contains(&geometry.name(spot).as_str());
    let same = |spot| {
        let other = mirrored(spot);
        geometry.terrain(spot) == geometry.terrain(other) && on_beat(spot) == on_beat(other)
    };
    let stays = |port: &Port| port.landing(geometry).is_some_and(|spot| spot == mirrored(spot));
    ((0..geometry.len()).all(same) && post.gadget.ports.iter().all(stays))
        .then(|| (0..geometry.len()).map(mirrored).collect())
}

/// Lists of lists of states, one after the other.
#[derive(Default)]
struct Lists {
    first: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn of(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let end = self.first.get(number + 1).map_or(self.items.len(), |&end| end as usize);
        self.first.get(number).map_or(&[], |&first| &self.items[first as usize..end])
    }

    fn reversed(&self, count: usize) -> Lists {
        let mut first = vec![0_u32; count + 1];
        for &item in &self.items {
            first[item as usize + 1] += 1;
        }
        for number in 0..count {
            first[number + 1] += first[number];
        }
        let (mut cursor, mut items) = (first.clone(), vec![0; self.items.len()]);
        for number in 0..count as u32 {
            for &item in self.of(number) {
                items[cursor[item as usize] as usize] = number;
                cursor[item as usize] += 1;
            }
        }
        Lists { first, items }
    }
}

/// A solved game of sentries: what Black holds, and how.
pub struct Vigil {
    /// The game.
    pub watch: Watch,
    /// Whether he keeps his promise for ever.
    pub holds: bool,
    /// How often White can make him answer altogether; `None` if without end.
    pub answers: Option<u32>,
    index: Index,
    /// For every state, White to move, how many answers are to come.
    to_come: Vec<Option<u32>>,
}

impl Vigil {
    /// Decides whether Black can keep a promise, which is broken in the states that are bad.
    ///
    /// # Errors
    ///
    /// If there are more than `limit` states.
    pub fn solve(
        watch: Watch,
        bad: impl Fn(&Watch, Picket) -> bool,
        limit: usize,
    ) -> Result<Vigil, TooManyStates> {
        let (asked, index) = Asked::list(&watch, bad, limit)?;
        let holds = asked.largest(None)[0];
        let to_come = asked.count_answers();
        Ok(Vigil { holds, answers: to_come[0], watch, index, to_come })
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.to_come.len()
    }

    fn to_come(&self, state: Picket) -> Option<u32> {
        let number = *self.index.get(&self.watch.tidy(state))?;
        self.to_come[number as usize]
    }

    /// Black's answer in the state after a White move: the places of a sentry's move, or none needed, and the state then. `None` if he
    /// has lost.
    pub fn answer(&self, state: Picket) -> Option<(Option<(u8, u8)>, Picket)> {
        let answers = self.watch.answers(state).into_iter();
        let answers = answers
            .filter_map(|(from, to, next)| Some((self.to_come(next)? + 1, Some((from, to)), next)));
        let elsewhere = self.to_come(state).map(|cost| (cost, None, state));
        let best = elsewhere.into_iter().chain(answers).min_by_key(|&(cost, ..)| cost);
        best.map(|(_, mv, next)| (mv, next))
    }
}

/// All states of a game: after each, White asks, or Black answers what led to it.
struct Asked {
    replies: Lists,
    askers: Lists,
    replied: Lists,
    bad: Vec<bool>,
}

type Index = HashMap<Picket, u32, BuildHasherDefault<StateHasher>>;

impl Asked {
    fn list(
        watch: &Watch,
        bad: impl Fn(&Watch, Picket) -> bool,
        limit: usize,
    ) -> Result<(Asked, Index), TooManyStates> {
        let start = watch.tidy(watch.start());
        let (mut states, mut index) = (vec![start], Index::default());
        index.insert(start, 0);
        let (mut asks, mut replies) = (Lists::default(), Lists::default());
        let mut number = 0;
        while number < states.len() {
            if states.len() > limit {
                return Err(TooManyStates(limit));
            }
            let state = states[number];
            let answers = watch.answers(state).into_iter().map(|(_, _, next)| next).collect();
            for (found, lists) in [(watch.white_moves(state), &mut asks), (answers, &mut replies)] {
                lists.first.push(lists.items.len() as u32);
                for next in found {
                    let next = watch.tidy(next);
                    lists.items.push(*index.entry(next).or_insert_with(|| {
                        states.push(next);
                        states.len() as u32 - 1
                    }));
                }
            }
            number += 1;
        }
        let bad = states.iter().map(|&state| bad(watch, state)).collect();
        let (askers, replied) = (asks.reversed(states.len()), replies.reversed(states.len()));
        Ok((Asked { replies, askers, replied, bad }, index))
    }

    /// The largest set of states from which Black, asked, gets to a state of the set by playing elsewhere, or to one of `refuge`
    /// (of the set itself if there is none) by an answer, and breaks no promise.
    fn largest(&self, refuge: Option<&[bool]>) -> Vec<bool> {
        let count = self.bad.len();
        // How many ways out Black still has when he was asked and this is the state.
        let mut ways: Vec<u32> = (0..count as u32)
            .map(|number| {
                let good = |&&reply: &&u32| refuge.is_none_or(|refuge| refuge[reply as usize]);
                let answers = self.replies.of(number).iter().filter(good).count() as u32;
                if self.bad[number as usize] { 0 } else { answers + 1 }
            })
            .collect();
        let mut kept = vec![true; count];
        let mut stack: Vec<u32> = (0..count as u32).filter(|&nr| ways[nr as usize] == 0).collect();
        // Asked in one of these states, Black has no way out.
        while let Some(number) = stack.pop() {
            for &asker in self.askers.of(number) {
                if !std::mem::replace(&mut kept[asker as usize], false) {
                    continue;
                }
                let elsewhere = [asker];
                let answered: &[u32] = if refuge.is_none() { self.replied.of(asker) } else { &[] };
                for &lost in elsewhere.iter().chain(answered) {
                    if ways[lost as usize] > 0 {
                        ways[lost as usize] -= 1;
                        if ways[lost as usize] == 0 {
                            stack.push(lost);
                        }
                    }
                }
            }
        }
        kept
    }

    /// How many answers White can ask for from each state, as far as needed to know it for the first.
    fn count_answers(&self) -> Vec<Option<u32>> {
        let mut to_come = vec![None; self.bad.len()];
        let mut refuge = vec![false; self.bad.len()];
        for answers in 0.. {
            let larger = self.largest(Some(&refuge));
            for (number, _) in larger.iter().enumerate().filter(|&(_, &kept)| kept) {
                to_come[number].get_or_insert(answers);
            }
            if larger[0] || larger == refuge {
                break;
            }
            refuge = larger;
        }
        to_come
    }
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;
    use crate::library;

    fn watch(name: &str, beat: &'static [&'static str], waiting: &[usize]) -> Watch {
        let gadget = library::find(name).unwrap();
        let post = Post { gadget, beat, pools: (0..waiting.len()).collect() };
        Watch::new(&[post], waiting, Rules::LEIDEN)
    }

    /// What an AND does with two panthers at one input, or with a sentry that may step on a White trap.
    #[test]
    fn a_broken_promise_and_a_beat_that_cats_reach_are_found() {
        let and = || watch("and", &["b5", "c5", "d5"], &[2, 0, 0]);
        assert!(and().cats_are_transparent());
        let out = |most| move |watch: &Watch, state| watch.in_pool(state, 2) > most;
        let none = Vigil::solve(and(), out(0), 100_000).unwrap();
        assert!(!none.holds && none.answers.is_none());
        assert!(Vigil::solve(and(), out(1), 100_000).unwrap().holds);
        assert!(!watch("and", &["c4", "c5"], &[1, 0, 0]).cats_are_transparent());
    }

    #[test]
    fn a_sentry_who_need_not_do_anything_does_nothing() {
        let edge = || watch("black-edge", &["b2", "c2", "d2", "e2", "f2"], &[1, 0]);
        let vigil = Vigil::solve(edge(), |watch, state| watch.in_pool(state, 0) > 1, 1000).unwrap();
        assert_eq!((vigil.holds, vigil.answers), (true, Some(0)));
        let start = vigil.watch.start();
        assert_eq!(vigil.answer(start), Some((None, start)));
        assert!(Vigil::solve(edge(), |_, _| false, 3).is_err());
    }
}
