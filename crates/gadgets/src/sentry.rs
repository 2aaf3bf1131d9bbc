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

const PANTHER: Piece = Piece { color: Color::White, animal: Animal::Panther };
const CAT: Piece = Piece { color: Color::White, animal: Animal::Cat };

/// A gadget of the game: its drawing, the beat of its sentry by the names of squares, and the pool at each port.
#[derive(Clone, Copy, Debug)]
pub struct Post<'a> {
    /// The gadget.
    pub gadget: &'a Gadget,
    /// Where its sentry goes.
    pub beat: &'a [&'a str],
    /// The number of the pool behind each port.
    pub pools: &'a [usize],
}

/// The places of the sentries, then of the panthers, sorted: a byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Picket([u8; Picket::BYTES]);

impl Picket {
    const BYTES: usize = 8;
    /// The place of a piece that was taken.
    const TAKEN: u8 = 255;
}

/// A sentry: the piece, and the places of its beat.
type Sentry = (Piece, Vec<u8>);

/// The game of sentries against panthers.
#[derive(Clone, Debug)]
pub struct Watch<'a> {
    posts: Vec<Post<'a>>,
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
}

impl<'a> Watch<'a> {
    /// The game, with so many panthers waiting in each pool besides those that the gadgets have.
    ///
    /// # Panics
    ///
    /// If there are more than eight sentries and panthers, or a beat is not on the board: gadgets are part of the program.
    pub fn new(posts: &[Post<'a>], waiting: &[usize], rules: impl Into<BoardRules>) -> Watch<'a> {
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
            for (port, &pool) in post.gadget.ports.iter().zip(post.pools) {
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
        Watch { posts, generalised, squares, next, sentries, mirrors, end, start }
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
        Some(self.tidy(state))
    }

    /// The panthers in order, and of mirror images always the same one.
    fn tidy(&self, mut state: Picket) -> Picket {
        state.0[self.sentries.len()..self.end].sort_unstable();
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

    /// Black's answers, without the one that he plays elsewhere.
    pub fn answers(&self, state: Picket) -> Vec<Picket> {
        let mut answers = Vec::new();
        for (slot, (sentry, beat)) in self.sentries.iter().enumerate() {
            let from = state.0[slot];
            if from != Picket::TAKEN {
                let next = self.next[usize::from(from)].iter().filter(|to| beat.contains(to));
                answers.extend(next.filter_map(|&to| self.moved(state, slot, *sentry, to)));
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
fn mirror(post: &Post<'_>) -> Option<Vec<Spot>> {
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

/// What Black holds in a game of sentries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Whether he keeps his promise for ever.
    pub holds: bool,
    /// How often White can make him answer altogether; `None` if without end.
    pub answers: Option<u32>,
    /// How many states there are.
    pub states: usize,
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

/// All states of a game: after each, White asks, or Black answers what led to it.
struct Asked {
    replies: Lists,
    askers: Lists,
    replied: Lists,
    bad: Vec<bool>,
}

/// Decides whether Black can keep a promise, which is broken in the states that are bad.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn keep(
    watch: &Watch<'_>,
    bad: impl Fn(Picket) -> bool,
    limit: usize,
) -> Result<Kept, TooManyStates> {
    let asked = Asked::list(watch, bad, limit)?;
    let held = asked.largest(None);
    let answers = asked.count_answers();
    Ok(Kept { holds: held[0], answers, states: held.len() })
}

impl Asked {
    fn list(
        watch: &Watch<'_>,
        bad: impl Fn(Picket) -> bool,
        limit: usize,
    ) -> Result<Asked, TooManyStates> {
        let mut states = vec![watch.start()];
        let mut index: HashMap<Picket, u32, BuildHasherDefault<StateHasher>> = HashMap::default();
        index.insert(watch.start(), 0);
        let (mut asks, mut replies) = (Lists::default(), Lists::default());
        let mut number = 0;
        while number < states.len() {
            if states.len() > limit {
                return Err(TooManyStates(limit));
            }
            let state = states[number];
            let found =
                [(watch.white_moves(state), &mut asks), (watch.answers(state), &mut replies)];
            for (found, lists) in found {
                lists.first.push(lists.items.len() as u32);
                for next in found {
                    lists.items.push(*index.entry(next).or_insert_with(|| {
                        states.push(next);
                        states.len() as u32 - 1
                    }));
                }
            }
            number += 1;
        }
        let bad = states.iter().map(|&state| bad(state)).collect();
        let (askers, replied) = (asks.reversed(states.len()), replies.reversed(states.len()));
        Ok(Asked { replies, askers, replied, bad })
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

    /// How many answers White can ask for from the beginning.
    fn count_answers(&self) -> Option<u32> {
        let mut refuge = vec![false; self.bad.len()];
        for answers in 0.. {
            let larger = self.largest(Some(&refuge));
            if larger[0] {
                return Some(answers);
            }
            if larger == refuge {
                break;
            }
            refuge = larger;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;
    use crate::library;

    /// What an AND does with two panthers at one input, or with a sentry that may step on a White trap.
    #[test]
    fn a_broken_promise_and_a_beat_that_cats_reach_are_found() {
        let and = library::find("and").unwrap();
        let post = |beat| Post { gadget: &and, beat, pools: &[0, 1, 2] };
        let watch = Watch::new(&[post(&["b5", "c5", "d5"])], &[2, 0, 0], Rules::LEIDEN);
        let kept = keep(&watch, |state| watch.in_pool(state, 2) > 0, 100_000).unwrap();
        assert!(!kept.holds && kept.answers.is_none());
        assert!(keep(&watch, |state| watch.in_pool(state, 2) > 1, 100_000).unwrap().holds);
        assert!(watch.cats_are_transparent());
        let on_trap = Watch::new(&[post(&["c4", "c5"])], &[1, 0, 0], Rules::LEIDEN);
        assert!(!on_trap.cats_are_transparent());
    }

    /// A dog that never moves lets one panther up and down an open edge as it likes, at no cost.
    #[test]
    fn a_sentry_that_does_nothing_is_never_asked() {
        let edge = library::find("black-edge").unwrap();
        let post = Post { gadget: &edge, beat: &["d2"], pools: &[0, 1] };
        let watch = Watch::new(&[post], &[1, 0], Rules::LEIDEN);
        let kept = keep(&watch, |state| watch.in_pool(state, 0) > 1, 1000).unwrap();
        assert_eq!((kept.holds, kept.answers), (true, Some(0)));
        assert!(keep(&watch, |state| watch.taken(state) > 0, 3).is_err());
    }
}
