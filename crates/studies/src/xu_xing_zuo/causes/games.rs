//! The games between formula (5) and the board, played on forms.
//!
//! What a sub-board can become within n plies is its *form*: a value now, what waiting leads to, what
//! each move leads to. Equal forms are one, and each shape is computed once. A sum of sub-boards is a
//! list of forms, and its values are cached too.

use std::collections::HashMap;

use game::Game;

use amazons::evaluate::Weights;
use amazons::region;
use amazons::shape::Shape;
use amazons::{Amazons, Bitboard, Position};

/// Plays the games, and caches forms and values.
#[derive(Debug)]
pub struct Games {
    weights: Weights,
    forms: Vec<Form>,
    ids: HashMap<Form, Id>,
    shapes: HashMap<(Shape, u32), Id>,
    values: HashMap<(Rules, Box<[Id]>), i32>,
    boards: HashMap<Box<[Id]>, i32>,
    steps: u64,
}

/// It would have taken more steps than allowed.
pub struct TooHard;

/// The number of a form.
pub type Id = u32;

/// What a sub-board can become, seen by the player to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Form {
    plies: u32,
    /// Its evaluation.
    value: i32,
    /// Its evaluation for the same player, with the other one to move.
    passed: i32,
    role: Role,
    /// What waiting leads to, seen by the other player; nothing without plies.
    wait: Option<Id>,
    /// What moves lead to, each once.
    moves: Box<[Id]>,
}

/// What the player to move can do in a sub-board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    /// Fill it: the other player cannot move here any more.
    Fills,
    /// Move in it, as the other one can, or will be able to.
    Contests,
    /// Nothing now, but there is an amazon in it that may get free.
    Stuck,
    /// Nothing ever.
    Absent,
}

impl Role {
    const fn can_move(self) -> bool {
        matches!(self, Role::Fills | Role::Contests)
    }
}

/// The rules of a game played in every sub-board at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    pub stuck: Stops,
    /// Whether the game ends when the player to move is stuck everywhere.
    pub ends: bool,
    pub may_wait_filling: bool,
    pub may_wait_competing: bool,
}

/// The treatment of a sub-board in which the player to move is stuck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stops {
    /// It is over, and worth its evaluation.
    Now,
    /// It is over, and worth its evaluation for the player to move at the end of the search.
    Later,
    /// It goes on.
    Never,
}

impl Rules {
    /// Those of formula (5).
    pub const FORMULA: Rules = Rules {
        stuck: Stops::Now,
        ends: false,
        may_wait_filling: false,
        may_wait_competing: false,
    };

    /// Formula (5) with a set of repairs: of stuck sub-boards (1), of the end (2), of filling (4) and of
    /// competing sub-boards (8).
    pub const fn repaired(set: u32) -> Rules {
        Rules {
            stuck: if set & 1 != 0 { Stops::Never } else { Stops::Now },
            ends: set & 2 != 0,
            may_wait_filling: set & 4 != 0,
            may_wait_competing: set & 8 != 0,
        }
    }
}

impl Games {
    /// Plays for values of this evaluation.
    pub fn new(weights: Weights) -> Games {
        Games {
            weights,
            forms: Vec::new(),
            ids: HashMap::new(),
            shapes: HashMap::new(),
            values: HashMap::new(),
            boards: HashMap::new(),
            steps: 0,
        }
    }

    /// The evaluation.
    pub fn weights(&self) -> Weights {
        self.weights
    }

    /// How many forms and values are cached.
    pub fn kept(&self) -> usize {
        self.forms.len() + self.values.len() + self.boards.len()
    }

    /// Allows this many steps from now on: forms and choices visited.
    pub fn allow(&mut self, steps: u64) {
        self.steps = steps;
    }

    fn step(&mut self) -> Result<(), TooHard> {
        self.steps = self.steps.checked_sub(1).ok_or(TooHard)?;
        Ok(())
    }

    /// The form of a part of a board.
    pub fn form(&mut self, part: &Position, plies: u32) -> Result<Id, TooHard> {
        let value = self.weights.value(part);
        if plies == 0 {
            return Ok(self.id(Form {
                plies,
                value,
                passed: value,
                role: Role::Absent,
                wait: None,
                moves: Box::default(),
            }));
        }
        let mut alive = Bitboard::EMPTY;
        region::executing(part, |region| alive |= region.squares);
        let part = part.restricted(alive);
        let shape = Shape::of(&part, part.turn()).map(|(shape, _)| (shape, plies));
        if let Some(known) = shape.and_then(|shape| self.shapes.get(&shape)) {
            return Ok(*known);
        }
        self.step()?;
        let has = |player| part.amazons(player).any();
        let role = match (part.can_move(part.turn()), has(part.turn()), has(!part.turn())) {
            (true, _, false) => Role::Fills,
            (true, _, true) => Role::Contests,
            (false, true, _) => Role::Stuck,
            (false, false, _) => Role::Absent,
        };
        let wait = Some(self.form(&part.passed(), plies - 1)?);
        let mut moves = Vec::new();
        for mv in Amazons.moves(&part) {
            moves.push(self.form(&Amazons.after(&part, mv), plies - 1)?);
        }
        moves.sort_unstable();
        moves.dedup();
        let passed = -self.weights.value(&part.passed());
        let id = self.id(Form { plies, value, passed, role, wait, moves: moves.into() });
        if let Some(shape) = shape {
            self.shapes.insert(shape, id);
        }
        Ok(id)
    }

    fn id(&mut self, form: Form) -> Id {
        if let Some(&id) = self.ids.get(&form) {
            return id;
        }
        let id = Id::try_from(self.forms.len()).expect("far fewer forms are kept");
        self.forms.push(form.clone());
        self.ids.insert(form, id);
        id
    }

    fn of(&self, id: Id) -> &Form {
        &self.forms[id as usize]
    }

    fn evaluation(&self, parts: impl IntoIterator<Item = Id>) -> i32 {
        parts.into_iter().map(|part| self.of(part).value).sum()
    }

    /// What waiting leads to.
    fn waited(&self, part: Id) -> Id {
        self.of(part).wait.expect("there are plies to go")
    }

    /// What a move in part `at` leads to, for each of its moves: that and the others waiting.
    fn after(&self, parts: &[Id], at: usize) -> Vec<Vec<Id>> {
        let waiting: Vec<Id> = parts.iter().map(|&part| self.waited(part)).collect();
        let after = |&mv: &Id| {
            let mut after = waiting.clone();
            after[at] = mv;
            after
        };
        self.of(parts[at]).moves.iter().map(after).collect()
    }

    /// The value if the first move is made in one part and the game then goes on by these rules.
    pub fn first_move(
        &mut self,
        parts: &[Id],
        mut go_on: impl FnMut(&mut Games, &[Id]) -> Result<i32, TooHard>,
    ) -> Result<i32, TooHard> {
        let mut best = None;
        for at in 0..parts.len() {
            for after in self.after(parts, at) {
                best = best.max(Some(-go_on(self, &after)?));
            }
        }
        Ok(best.unwrap_or_else(|| self.evaluation(parts.iter().copied())))
    }

    /// The game as it is: one move in one part a ply.
    pub fn board(&mut self, parts: &[Id]) -> Result<i32, TooHard> {
        self.step()?;
        let over = !parts.iter().any(|&part| self.of(part).role.can_move());
        if over || self.of(parts[0]).plies == 0 {
            return Ok(self.evaluation(parts.iter().copied()));
        }
        if self.of(parts[0]).plies == 1 {
            let last = self.last_move(parts.iter().map(|&part| (part, true)));
            return Ok(last.expect("somebody can move"));
        }
        let mut key: Box<[Id]> = parts.into();
        key.sort_unstable();
        if let Some(&known) = self.boards.get(&key) {
            return Ok(known);
        }
        let value = self.first_move(&key, Games::board)?;
        self.boards.insert(key, value);
        Ok(value)
    }

    /// The value of the best move in one of the parts where a move is allowed, if an evaluation follows;
    /// nothing if there is no move.
    fn last_move(&self, parts: impl Iterator<Item = (Id, bool)>) -> Option<i32> {
        let (mut waiting, mut gain) = (0, None);
        for (part, may_move) in parts {
            let wait = -self.of(self.waited(part)).value;
            waiting += wait;
            if may_move {
                let moves = self.of(part).moves.iter();
                gain = gain.max(moves.map(|&mv| -self.of(mv).value - wait).max());
            }
        }
        gain.map(|gain| waiting + gain)
    }

    /// One move in one part a ply, but in competing parts the players take turns. With each part goes
    /// whether it is the turn there of the player to move.
    pub fn in_turn(&mut self, parts: &[(Id, bool)]) -> Result<i32, TooHard> {
        self.step()?;
        let over = !parts.iter().any(|&(part, _)| self.of(part).role.can_move());
        if over || self.of(parts[0].0).plies == 0 {
            return Ok(self.evaluation(parts.iter().map(|&(part, _)| part)));
        }
        let may_move = |(part, hers): (Id, bool)| hers || self.of(part).role == Role::Fills;
        let waiting: Vec<(Id, bool)> =
            parts.iter().map(|&(part, hers)| (self.waited(part), !hers)).collect();
        if self.of(parts[0].0).plies == 1 {
            let last = self.last_move(parts.iter().map(|&part| (part.0, may_move(part))));
            let waited = || -self.evaluation(waiting.iter().map(|&(part, _)| part));
            return Ok(last.unwrap_or_else(waited));
        }
        let movable: Vec<bool> = parts.iter().map(|&part| may_move(part)).collect();
        let mut best = None;
        for (at, &(part, _)) in parts.iter().enumerate().filter(|&(at, _)| movable[at]) {
            for mv in self.of(part).moves.clone() {
                let mut after = waiting.clone();
                after[at] = (mv, true);
                best = best.max(Some(-self.in_turn(&after)?));
            }
        }
        match best {
            Some(best) => Ok(best),
            None => Ok(-self.in_turn(&waiting)?),
        }
    }

    /// The game in all parts at once.
    pub fn at_once(&mut self, parts: &[Id], rules: Rules) -> Result<i32, TooHard> {
        let Some(&first) = parts.first() else { return Ok(0) };
        let plies = self.of(first).plies;
        let can_move = parts.iter().any(|&part| self.of(part).role.can_move());
        if plies == 0 || !can_move && rules.ends {
            return Ok(self.evaluation(parts.iter().copied()));
        }
        let mut key: Box<[Id]> = parts.into();
        key.sort_unstable();
        let key = (rules, key);
        if let Some(&known) = self.values.get(&key) {
            return Ok(known);
        }
        let mut stopped = 0;
        // The choices in each part that goes on; waiting first, if it is allowed.
        let mut choices: Vec<Choices> = Vec::new();
        for &part in &key.1 {
            let form = self.of(part);
            let may_wait = match form.role {
                Role::Fills => rules.may_wait_filling,
                Role::Contests => rules.may_wait_competing,
                Role::Stuck if rules.stuck == Stops::Now => {
                    stopped += form.value;
                    continue;
                }
                Role::Stuck if rules.stuck == Stops::Later => {
                    stopped += if plies.is_multiple_of(2) { form.value } else { form.passed };
                    continue;
                }
                Role::Stuck | Role::Absent => true,
            };
            let wait = form.wait.filter(|_| may_wait);
            choices.push(Choices { wait, moves: form.moves.clone() });
        }
        let going_on = if plies == 1 {
            self.last_ply(&choices, can_move)?
        } else {
            let mut best = None;
            self.choose(&choices, &mut Vec::new(), !can_move, rules, &mut best)?;
            best.expect("there is a choice in every part")
        };
        let value = stopped + going_on;
        self.values.insert(key, value);
        Ok(value)
    }

    /// Tries every choice in the parts that are left; `moved` says whether a move was made, or none can.
    fn choose(
        &mut self,
        choices: &[Choices],
        chosen: &mut Vec<Id>,
        moved: bool,
        rules: Rules,
        best: &mut Option<i32>,
    ) -> Result<(), TooHard> {
        let Some((part, rest)) = choices.split_first() else {
            if moved {
                self.step()?;
                *best = (*best).max(Some(-self.at_once(chosen, rules)?));
            }
            return Ok(());
        };
        let wait = part.wait.into_iter().map(|wait| (wait, moved));
        for (next, moved) in wait.chain(part.moves.iter().map(|&mv| (mv, true))) {
            chosen.push(next);
            self.choose(rest, chosen, moved, rules, best)?;
            chosen.pop();
        }
        Ok(())
    }

    /// The same when evaluations follow, which add up: the best in each part, and if that is to wait
    /// in all of them, the move that costs least.
    fn last_ply(&mut self, choices: &[Choices], can_move: bool) -> Result<i32, TooHard> {
        self.step()?;
        let (mut sum, mut moved, mut least) = (0, false, i32::MAX);
        for part in choices {
            let wait = part.wait.map(|wait| -self.of(wait).value);
            let best = part.moves.iter().map(|&mv| -self.of(mv).value).max();
            sum += wait.max(best).expect("there is a choice in every part");
            moved |= best.is_some() && best >= wait;
            if let (Some(wait), Some(best)) = (wait, best) {
                least = least.min(wait - best);
            }
        }
        Ok(if can_move && !moved { sum - least } else { sum })
    }
}

struct Choices {
    wait: Option<Id>,
    moves: Box<[Id]>,
}
