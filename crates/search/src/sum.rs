//! The exact search of a position in parts.
//!
//! When parts cannot touch within `d` plies, a search of `d` plies of the whole is a search of their
//! *sum*: at every ply the player to move picks one part and moves in it, and the others wait. Its value
//! is not a sum of values, as the part in which a move is worth most depends on all of them. But much of
//! what a part offers is never worth having, whatever the others are, and that can be found out from
//! the part alone.
//!
//! # Forms
//!
//! The *form* of a part with `n` plies to go says all that a sum needs to know about it: at `n = 0` its
//! value; before that, its form if it waits, and the forms its moves lead to, each with `n - 1` plies to
//! go. A form in which something ended the game says who won. Positions with equal forms are one.
//!
//! Form `g` is *at least as good* for the first player as form `h` of the same `n` and player to move, if
//! the game ends in `g` with that player's win, or in `h` with the other's; or, at `n = 0`, if its value
//! is no less and in both, or in neither, there is a move; or if
//!
//! - waiting leads to a form at least as good,
//! - the first player to move: each move of `h` has a move of `g` that is at least as good;
//!   the second: each move of `g` has a move of `h` that is at most as good,
//! - and either both have moves or neither has, so that stalemate is the same in both.
//!
//! Then `g` is at least as good in every sum, by induction on `n`: whatever is played in the sum with one
//! can be answered in the sum with the other by the matching move, or by the same move elsewhere. So a
//! move to a form that is not better than another's is struck out. Nothing else is: no move is assumed
//! to be worth more than waiting, so zugzwang comes out right.
//!
//! # The search
//!
//! The largest part stays on the board, where alpha-beta cuts most; the others are reduced to forms, which
//! costs a search of each with non-moves to the full depth. A node is a position of the largest part and
//! a form of each of the others; its moves are the moves of the one and what is left of the others'.
//!
//! The value equals minimax's on the whole board to depth `d`, if the parts are
//! [independent](Independent) for `d` plies, the evaluation is a sum over what stands on the board, and
//! repetition is ignored. Where repeated positions are draws ([`Sum::repetition`]), a part cannot know whether a
//! position returns: parts are searched only up to three plies deep, in which no position of the search returns, and only
//! if no earlier position of the game is within reach, for that may be one ply away. Everything else is searched
//! as a whole. `docs/decisions/0007-searching-parts.md` says when Burnett's implied scores
//! are exact too, and how often they are not.

use std::collections::HashMap;

use game::decompose::{Independent, PartGame};
use game::rng::mix;
use game::score::{Bound, Evaluate, Score, Window};
use game::{Game, Outcome, Side};

use crate::minimax::static_line;
use crate::of_part::OfPart;
use crate::path::Path;
use crate::{AlphaBeta, AsListed, Line, Order, PathRepetition, Searcher};
use game::limits::{Meter, Stopped};

/// The exact search of a sum of parts; positions that do not fall into parts are searched by alpha-beta.
#[derive(Debug)]
pub struct Sum<'a, G: Game, E, O = AsListed> {
    game: &'a G,
    evaluate: &'a E,
    order: O,
    repetition: PathRepetition,
    history: Vec<G::Position>,
}

impl<'a, G: Independent, E: Evaluate<G>> Sum<'a, G, E> {
    /// A search with an evaluation that is a sum over what stands on the board.
    pub fn new(game: &'a G, evaluate: &'a E) -> Self {
        let repetition = PathRepetition::Ignored;
        Sum { game, evaluate, order: AsListed, repetition, history: Vec::new() }
    }
}

impl<'a, G: Independent, E: Evaluate<G>, O> Sum<'a, G, E, O> {
    /// Tries the moves of the largest part in this order, and before those of the others.
    #[must_use]
    pub fn order<P: Order<G>>(self, order: P) -> Sum<'a, G, E, P> {
        let Sum { game, evaluate, repetition, history, .. } = self;
        Sum { game, evaluate, order, repetition, history }
    }

    /// What a repeated position is worth, and the positions of the game so far, without the one that will be searched.
    #[must_use]
    pub fn repetition(self, repetition: PathRepetition, history: &[G::Position]) -> Self {
        Sum { repetition, history: history.to_vec(), ..self }
    }

    /// Whether a position may return within so many plies, which the parts would not know.
    fn may_return(&self, position: &G::Position, depth: u32) -> bool {
        let earlier = || {
            let path = Path::new(self.game, &self.history);
            !path.reachable(self.game, position, depth).is_empty()
        };
        self.repetition == PathRepetition::Draw && (depth > NO_RETURN || earlier())
    }
}

impl<G: Independent, E: Evaluate<G>, O: Order<G>> Searcher<G> for Sum<'_, G, E, O> {
    fn search(
        &mut self,
        position: &G::Position,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<G::Move>, Stopped> {
        let mut parts = match self.game.outcome(position) {
            None if depth > 0 && !self.may_return(position, depth) => {
                self.game.independent_parts(position, depth)
            }
            _ => Vec::new(),
        };
        if parts.len() < 2 {
            let order = |game: &G, position: &G::Position, mv| self.order.rank(game, position, mv);
            let mut whole = AlphaBeta::new(self.game, self.evaluate)
                .order(order)
                .repetition(self.repetition)
                .history(&self.history);
            return whole.search(position, depth, meter);
        }
        parts.sort_by_key(|part| self.game.part_size(part));
        let largest = PartGame { game: self.game, part: parts.pop().expect("there are two") };
        let mut adding = Adding {
            game: self.game,
            evaluate: self.evaluate,
            order: &self.order,
            forms: Forms::default(),
            seen: HashMap::new(),
        };
        adding.root(largest, parts, depth, meter)
    }

    fn static_line(&self, position: &G::Position) -> Line<G::Move> {
        static_line(self.game, self.evaluate, position)
    }
}

/// Within so many plies no position returns: each side has to go and to come back.
const NO_RETURN: u32 = 3;

/// An index into [`Forms::all`].
type Id = u32;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    /// Something in this part ended the game.
    Over(Outcome),
    /// No plies to go: the value for the first player, and whether the player to move could move.
    Value { value: i32, moves: bool },
    /// The forms that waiting and moving lead to.
    Open { player: Side, wait: Id, moves: Box<[Id]> },
}

/// All forms met so far, each once.
#[derive(Default)]
struct Forms {
    all: Vec<Form>,
    ids: HashMap<Form, Id>,
    /// Whether the one is at least as good for the first player as the other.
    comparisons: HashMap<(Id, Id), bool>,
}

impl Forms {
    fn id(&mut self, form: Form) -> Id {
        if let Some(&id) = self.ids.get(&form) {
            return id;
        }
        let id = self.all.len() as Id;
        self.all.push(form.clone());
        self.ids.insert(form, id);
        id
    }

    fn get(&self, id: Id) -> &Form {
        &self.all[id as usize]
    }

    /// Prunes the moves that are dominated by another.
    fn open(&mut self, player: Side, wait: Id, mut moves: Vec<Id>) -> Id {
        moves.sort_unstable();
        moves.dedup();
        let mut kept: Vec<Id> = Vec::new();
        for mv in moves {
            let mut beats = |one, other| match player {
                Side::First => self.at_least(one, other),
                Side::Second => self.at_least(other, one),
            };
            if kept.iter().any(|&other| beats(other, mv)) {
                continue;
            }
            kept.retain(|&other| !beats(mv, other));
            kept.push(mv);
        }
        kept.sort_unstable();
        self.id(Form::Open { player, wait, moves: kept.into() })
    }

    /// Whether `one` is at least as good for the first player, in every sum.
    fn at_least(&mut self, one: Id, other: Id) -> bool {
        if one == other {
            return true;
        }
        if let Some(&known) = self.comparisons.get(&(one, other)) {
            return known;
        }
        let result = match (self.get(one).clone(), self.get(other).clone()) {
            (Form::Over(Outcome::Win(Side::First)), _)
            | (_, Form::Over(Outcome::Win(Side::Second))) => true,
            (
                Form::Value { value, moves },
                Form::Value { value: other_value, moves: other_moves },
            ) => moves == other_moves && value >= other_value,
            (
                Form::Open { player, wait, moves },
                Form::Open { wait: other_wait, moves: other_moves, .. },
            ) => {
                moves.is_empty() == other_moves.is_empty()
                    && self.at_least(wait, other_wait)
                    && match player {
                        Side::First => other_moves
                            .iter()
                            .all(|&theirs| moves.iter().any(|&ours| self.at_least(ours, theirs))),
                        Side::Second => moves.iter().all(|&ours| {
                            other_moves.iter().any(|&theirs| self.at_least(ours, theirs))
                        }),
                    }
            }
            _ => false,
        };
        self.comparisons.insert((one, other), result);
        result
    }
}

struct Adding<'a, G: Independent, E, O> {
    game: &'a G,
    evaluate: &'a E,
    order: &'a O,
    forms: Forms,
    /// Bounds on the values of nodes, both included.
    seen: HashMap<u64, Window>,
}

/// The most nodes stored; beyond that they are searched again.
const MOST_SEEN: usize = 1 << 21;

impl<'a, G: Independent, E: Evaluate<G>, O: Order<G>> Adding<'a, G, E, O> {
    fn root(
        &mut self,
        largest: PartGame<'a, G>,
        small: Vec<G::Part>,
        depth: u32,
        meter: &mut Meter,
    ) -> Result<Line<G::Move>, Stopped> {
        meter.visit()?;
        // What each part leads to if it waits, and its moves with what they lead to.
        let mut waiting = Vec::new();
        let mut choices: Vec<(usize, G::Move, Id)> = Vec::new();
        for (at, part) in small.into_iter().enumerate() {
            let part = PartGame { game: self.game, part };
            let position = self.game.part_position(&part.part);
            let mut known = HashMap::new();
            let mut form = |mv| {
                let next = part.after(&position, mv);
                self.form(&part, next, depth - 1, &mut known, meter)
            };
            waiting.push(form(None)?);
            for mv in part.moves(&position).into_iter().flatten() {
                choices.push((at, mv, form(Some(mv))?));
            }
        }
        let mut position = self.game.part_position(&largest.part);
        let player = self.game.side_to_move(&position);
        let mut best: Option<(G::Move, Score)> = None;
        let mut consider = |mv, score: Score| {
            if best.is_none_or(|(_, best)| score > best) {
                best = Some((mv, score));
            }
            let floor = best.map_or(Score::MINUS_INFINITE, |(_, best)| best);
            Window::OPEN.raised_to(floor).reply()
        };
        let mut window = Window::OPEN.reply();
        for mv in self.ordered(&largest, &position) {
            let undo = self.game.make(&mut position, mv);
            let reply = match largest.outcome(&position) {
                Some(outcome) => Ok(Score::of_outcome(self.game, &position, outcome)),
                None => self.node(&largest, &mut position, &waiting, depth - 1, window, meter),
            };
            self.game.unmake(&mut position, mv, undo);
            window = consider(mv, reply?.deeper());
        }
        self.game.pass(&mut position);
        for (at, mv, form) in choices {
            let score = match self.forms.get(form) {
                Form::Over(outcome) => over(*outcome, player),
                _ => {
                    let mut forms = waiting.clone();
                    forms[at] = form;
                    self.node(&largest, &mut position, &forms, depth - 1, window, meter)?.deeper()
                }
            };
            window = consider(mv, score);
        }
        let (mv, score) = best.expect("a game that goes on has a move");
        Ok(Line { score, pv: vec![mv] })
    }

    /// The form of a part with this many plies to go.
    fn form(
        &mut self,
        part: &PartGame<'_, G>,
        position: G::Position,
        plies: u32,
        known: &mut HashMap<(G::Position, u32), Id>,
        meter: &mut Meter,
    ) -> Result<Id, Stopped> {
        let at = (position, plies);
        if let Some(&id) = known.get(&at) {
            return Ok(id);
        }
        meter.visit()?;
        let position = &at.0;
        let id = if let Some(outcome) = part.outcome(position) {
            meter.leaf();
            self.forms.id(Form::Over(outcome))
        } else if plies == 0 {
            meter.leaf();
            let value = self.value(part, position);
            let moves = part.moves(position).iter().any(Option::is_some);
            self.forms.id(Form::Value { value, moves })
        } else {
            let wait = self.form(part, part.after(position, None), plies - 1, known, meter)?;
            let mut moves = Vec::new();
            for mv in part.moves(position).into_iter().filter(Option::is_some) {
                moves.push(self.form(part, part.after(position, mv), plies - 1, known, meter)?);
            }
            self.forms.open(part.side_to_move(position), wait, moves)
        };
        known.insert(at, id);
        Ok(id)
    }

    /// The evaluation of a part, for the first player.
    fn value(&self, part: &PartGame<'_, G>, position: &G::Position) -> i32 {
        let value = OfPart(self.evaluate).evaluate(part, position);
        match part.side_to_move(position) {
            Side::First => value,
            Side::Second => -value,
        }
    }

    /// The value of a sum for the player to move.
    fn node(
        &mut self,
        largest: &PartGame<'_, G>,
        position: &mut G::Position,
        small: &[Id],
        plies: u32,
        mut window: Window,
        meter: &mut Meter,
    ) -> Result<Score, Stopped> {
        meter.visit()?;
        let player = self.game.side_to_move(position);
        if plies == 0 {
            meter.leaf();
            let (mut can_move, mut others) = (false, 0);
            for &id in small {
                if let Form::Value { value, moves } = self.forms.get(id) {
                    can_move |= *moves;
                    others += *value;
                }
            }
            if !can_move && !largest.moves(position).iter().any(Option::is_some) {
                return Ok(Score::of_outcome(self.game, position, self.game.stuck(player)));
            }
            let sum = self.value(largest, position) + others;
            return Ok(Score::estimate(if player == Side::First { sum } else { -sum }));
        }
        let key = small.iter().fold(mix(self.game.key(position)), |key, &id| {
            // Parts are identified by their forms alone, so their order does not matter.
            key.wrapping_add(mix(!u64::from(id)))
        });
        let key = mix(key.wrapping_add(u64::from(plies)));
        let known = *self.seen.get(&key).unwrap_or(&Window::OPEN);
        if window.fails_high(known.alpha) || known.alpha == known.beta {
            return Ok(known.alpha);
        }
        if window.fails_low(known.beta) {
            return Ok(known.beta);
        }

        let asked = window;
        let mut best: Option<Score> = None;
        // Whether the rest can be left out.
        let mut consider = |score: Score| {
            best = best.max(Some(score));
            window = window.raised_to(score);
            (window.is_closed(), window.reply())
        };
        let mut reply_window = asked.reply();
        let (waits, moves) = self.opened(small);
        let mut done = false;
        for mv in self.ordered(largest, position) {
            let undo = self.game.make(position, mv);
            let reply = match largest.outcome(position) {
                Some(outcome) => Ok(Score::of_outcome(self.game, position, outcome)),
                None => self.node(largest, position, &waits, plies - 1, reply_window, meter),
            };
            self.game.unmake(position, mv, undo);
            (done, reply_window) = consider(reply?.deeper());
            if done {
                break;
            }
        }
        if !done && !moves.is_empty() {
            self.game.pass(position);
            let mut forms = waits.clone();
            let mut result = Ok(());
            for (at, form) in moves {
                let score = match self.forms.get(form) {
                    Form::Over(outcome) => over(*outcome, player),
                    _ => {
                        forms[at] = form;
                        let reply =
                            self.node(largest, position, &forms, plies - 1, reply_window, meter);
                        forms[at] = waits[at];
                        match reply {
                            Ok(reply) => reply.deeper(),
                            Err(stopped) => {
                                result = Err(stopped);
                                break;
                            }
                        }
                    }
                };
                (done, reply_window) = consider(score);
                if done {
                    break;
                }
            }
            self.game.pass(position);
            result?;
        }
        let Some(best) = best else {
            meter.leaf();
            return Ok(Score::of_outcome(self.game, position, self.game.stuck(player)));
        };
        if self.seen.len() < MOST_SEEN {
            let known = self.seen.entry(key).or_insert(Window::OPEN);
            let bound = asked.bound_of(best);
            if bound != Bound::Upper {
                known.alpha = known.alpha.max(best);
            }
            if bound != Bound::Lower {
                known.beta = known.beta.min(best);
            }
        }
        Ok(best)
    }

    fn ordered(&self, part: &PartGame<'_, G>, position: &G::Position) -> Vec<G::Move> {
        let mut moves: Vec<G::Move> = part.moves(position).into_iter().flatten().collect();
        moves.sort_by_key(|&mv| self.order.rank(self.game, position, mv));
        moves
    }

    /// What the forms lead to if all wait, and the moves in each.
    fn opened(&self, small: &[Id]) -> (Vec<Id>, Vec<(usize, Id)>) {
        let mut waits = Vec::with_capacity(small.len());
        let mut choices = Vec::new();
        for (at, &id) in small.iter().enumerate() {
            match self.forms.get(id) {
                Form::Open { wait, moves, .. } => {
                    waits.push(*wait);
                    choices.extend(moves.iter().map(|&mv| (at, mv)));
                }
                Form::Over(_) | Form::Value { .. } => unreachable!("there are plies to go"),
            }
        }
        (waits, choices)
    }
}

/// The score, for the player who moves there, of a move that ends the game.
fn over(outcome: Outcome, mover: Side) -> Score {
    match outcome {
        Outcome::Draw => Score::DRAW,
        Outcome::Win(winner) if winner == mover => Score::win_in(1),
        Outcome::Win(_) => Score::loss_in(1),
    }
}
