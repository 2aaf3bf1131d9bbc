//! Contracts of gadgets: the published lemmas as claims about forced play, decided by solving.
//!
//! A claim names a gadget, what waits outside, who moves first, the goal that one side (the chaser)
//! tries to reach, and who should succeed. Deciding it means solving the local game ([`crate::solve`]).
//!
//! For a gadget with inputs I and outputs O and a function f from sets of inputs to numbers, the
//! lemma is the conjunction, over all sets A of inputs at which one signal each waits, of
//! - *forces*: White forces f(A) signals out, whatever Black does;
//! - *holds*: Black prevents f(A) + 1, whatever White does;
//!
//! and, with signals at all inputs, of
//! - *containment of White*: Black prevents White pieces other than signals from getting out;
//! - *containment of Black*: White prevents Black pieces from getting out.
//!
//! Published gadgets are judged with sealed traffic, that is, as if their protectors kept every
//! promise. The mended ones need none: traffic is open, and *holds* is strengthened to "Black
//! prevents, all at once and for ever, one signal too many at the outputs and any signal too many
//! going back to an input" (a splitter may send back both of its signals; what comes before it, a
//! RELAY or a VARIABLE, is shown to bear that). For composition, two more things are shown. *White can
//! wait*: he need not answer Black's moves in the gadget except by taking a piece. *Black has time*:
//! holding, he can play elsewhere again and again, however busy White keeps him.

use jungle::{Animal, Color, Piece};

use crate::compose;
use crate::gadget::{Gadget, Role};
use crate::generalised::BoardRules;
use crate::library;
use crate::local::{Goal, Local, LocalMove, State, Traffic};
use crate::solve::{Solution, TooManyStates, solve};

/// Who should win the reachability game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The chaser forces the goal.
    Forced,
    /// The other side prevents it for ever.
    Prevented,
}

/// A claim about forced play in a gadget: one clause of its contract.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The lemma it belongs to, as in `2.1`.
    pub lemma: &'static str,
    /// The gadget.
    pub gadget: Gadget,
    /// In words.
    pub text: String,
    /// What waits outside: port, piece, how many.
    pub waiting: Vec<(usize, Piece, usize)>,
    /// Who goes where.
    pub traffic: Traffic,
    /// Who moves first.
    pub turn: Color,
    /// Who is after the goal.
    pub chaser: Color,
    /// The goal.
    pub goal: Goal,
    /// What must not happen before.
    pub lost: Option<Goal>,
    /// Who should succeed.
    pub expect: Expect,
    /// Whether the pieces have to fit together with others: waiting and time are judged too.
    pub composable: bool,
}

/// The result of deciding a claim.
#[derive(Clone, Debug)]
pub struct ClaimResult {
    /// Whether the claim is true; `None` if there were too many states.
    pub holds: Option<bool>,
    /// In how many plies the goal is forced, if it is.
    pub plies: Option<u32>,
    /// How many states the proof took.
    pub states: usize,
    /// A line of play: the forced way to the goal, or tries that are answered.
    pub line: Vec<String>,
    /// The animals of the winner that move only to take in this proof, which makes it smaller and a way to
    /// the goal perhaps longer.
    pub sitting: Option<Animal>,
    /// For composable claims where the goal is forced: the worst number of plies after any waiting.
    pub patience: Option<u32>,
    /// For composable claims where the goal is prevented: whether the holder has time.
    pub leaves_time: Option<bool>,
}

impl Claim {
    /// The local game of the claim.
    pub fn local(&self, rules: impl Into<BoardRules>) -> Local {
        Local::new(&self.gadget, &self.waiting, self.traffic, self.turn, rules)
    }

    /// Decides the claim, looking at no more than `limit` states.
    pub fn decide(&self, rules: impl Into<BoardRules>, limit: usize) -> ClaimResult {
        let local = self.local(rules);
        let start = local.start();
        let solve = |local: &Local| {
            solve(local, &[start], self.chaser, &self.goal, self.lost.as_ref(), limit)
        };
        // A result with guards that move only to take also holds without that restriction.
        let guards = [white(Animal::Cat), black(Animal::Dog)].into_iter().filter(|&guard| {
            !self.composable && local.inside(start).any(|(_, piece)| piece == guard)
        });
        let shortcut = guards
            .map(|guard| (guard, local.clone().with_sitting(guard)))
            .filter_map(|(guard, sitting)| Some((guard, solve(&sitting).ok()?, sitting)))
            .find(|(guard, solution, _)| {
                solution.plies(start).is_some() == (self.chaser == guard.color)
            });
        let (sitting, solution, local) = match shortcut {
            Some((guard, solution, local)) => (Some(guard.animal), Ok(solution), local),
            None => (None, solve(&local), local.clone()),
        };
        let solution = match solution {
            Ok(solution) => solution,
            Err(TooManyStates(states)) => {
                return ClaimResult {
                    holds: None,
                    plies: None,
                    states,
                    line: Vec::new(),
                    sitting,
                    patience: None,
                    leaves_time: None,
                };
            }
        };
        let plies = solution.plies(start);
        let patience = (self.composable && self.expect == Expect::Forced && plies.is_some())
            .then(|| solution.patience(&local, start))
            .flatten();
        let leaves_time = (self.composable && self.expect == Expect::Prevented && plies.is_none())
            .then(|| solution.leaves_time(start));
        let basic = plies.is_some() == (self.expect == Expect::Forced);
        let fits = !self.composable
            || match self.expect {
                Expect::Forced => patience.is_some(),
                Expect::Prevented => leaves_time == Some(true),
            };
        let moves = match plies {
            Some(_) => solution.line(&local, start),
            None => tries(&local, &solution, start, self.chaser),
        };
        let line = moves
            .into_iter()
            .map(|(state, mv)| format!("{} {}", local.turn(state), local.describe(state, mv)))
            .collect();
        ClaimResult {
            holds: Some(basic && fits),
            plies,
            states: solution.len(),
            line,
            sitting,
            patience,
            leaves_time,
        }
    }
}

/// How many plies of vain tries are shown.
const SHOWN: usize = 10;

/// A few tries of the chaser, who comes in where he can and otherwise goes forward at random, with
/// the holder's answers.
fn tries(
    local: &Local,
    solution: &Solution,
    start: State,
    chaser: Color,
) -> Vec<(State, LocalMove)> {
    let mut rng = game::rng::Rng::new(1);
    let (mut line, mut state) = (Vec::new(), start);
    for _ in 0..SHOWN {
        let step = if local.turn(state) == chaser {
            let mut moves = Vec::new();
            local.for_each_move(state, |mv, next| moves.push((mv, next)));
            let enters = |mv: &(LocalMove, State)| matches!(mv.0, LocalMove::Enter { .. });
            let entering = moves.iter().copied().find(enters);
            // Passing makes no progress.
            entering.or_else(|| rng.choose(moves.get(1..)?).copied())
        } else {
            solution.best(local, state)
        };
        let Some((mv, next)) = step else { break };
        line.push((state, mv));
        state = next;
    }
    line
}

fn white(animal: Animal) -> Piece {
    Piece { color: Color::White, animal }
}

fn black(animal: Animal) -> Piece {
    Piece { color: Color::Black, animal }
}

/// Builds the contract of one gadget.
struct ClaimBuilder {
    lemma: &'static str,
    gadget: Gadget,
    traffic: Traffic,
    composable: bool,
    /// How many signals may come back to an input beyond those that waited there.
    returning: usize,
    claims: Vec<Claim>,
}

impl ClaimBuilder {
    fn published(lemma: &'static str, name: &str) -> ClaimBuilder {
        let gadget = library::find(name).expect("a gadget of the library");
        ClaimBuilder {
            lemma,
            gadget,
            traffic: Traffic::Sealed,
            composable: false,
            returning: 0,
            claims: Vec::new(),
        }
    }

    fn mended(lemma: &'static str, name: &str) -> ClaimBuilder {
        ClaimBuilder {
            traffic: Traffic::Open,
            composable: true,
            ..ClaimBuilder::published(lemma, name)
        }
    }

    fn claim(
        &mut self,
        text: impl Into<String>,
        waiting: &[(usize, Piece, usize)],
        chaser: Color,
        goal: Goal,
        expect: Expect,
    ) -> &mut Claim {
        self.claims.push(Claim {
            lemma: self.lemma,
            gadget: self.gadget.clone(),
            text: text.into(),
            waiting: waiting.to_vec(),
            traffic: self.traffic,
            turn: Color::White,
            chaser,
            goal,
            lost: None,
            expect,
            composable: self.composable,
        });
        self.claims.last_mut().expect("just pushed")
    }

    fn outs(&self) -> Vec<usize> {
        self.gadget.with_role(Role::Out)
    }

    fn signals(&self, ports: &[usize], at_least: usize) -> Goal {
        Goal::Signals { ports: ports.to_vec(), at_least }
    }

    /// The claims for every set of inputs: `f` says how many signals White forces out.
    fn logic(&mut self, f: impl Fn(usize) -> usize) {
        let (ins, outs) = (self.gadget.with_role(Role::In), self.outs());
        for set in 0..1_usize << ins.len() {
            let arriving: Vec<usize> = (0..ins.len())
                .filter(|input| set >> input & 1 == 1)
                .map(|input| ins[input])
                .collect();
            let waiting: Vec<_> =
                arriving.iter().map(|&port| (port, self.gadget.signal, 1)).collect();
            let names: Vec<&str> =
                arriving.iter().map(|&port| self.gadget.ports[port].name.as_str()).collect();
            let at = if names.is_empty() {
                "nothing arriving".to_owned()
            } else {
                format!("signals at {}", names.join(" and "))
            };
            let count = f(set);
            if count > 0 {
                let goal = if outs.len() == count && count > 1 {
                    Goal::All(outs.iter().map(|&out| self.signals(&[out], 1)).collect())
                } else {
                    self.signals(&outs, count)
                };
                let text = format!("with {at}, White forces {count} out");
                self.claim(text, &waiting, Color::White, goal, Expect::Forced);
            }
            let mut goals = vec![self.signals(&outs, count + 1)];
            let mut text = format!("with {at}, Black prevents {} out", count + 1);
            if self.traffic == Traffic::Open && !ins.is_empty() {
                for &port in &ins {
                    let waits = usize::from(arriving.contains(&port));
                    goals.push(self.signals(&[port], waits + self.returning + 1));
                }
                text += match self.returning {
                    0 => " and any more back at an input",
                    _ => " and more than one more back at an input",
                };
            }
            self.claim(text, &waiting, Color::White, Goal::Any(goals), Expect::Prevented);
        }
    }

    /// The claims that keep pieces inside, with a signal at every input.
    fn containment(&mut self) {
        let waiting: Vec<_> = self
            .gadget
            .with_role(Role::In)
            .iter()
            .map(|&port| (port, self.gadget.signal, 1))
            .collect();
        self.composable = false;
        let text = "Black prevents White pieces other than signals from getting out";
        self.claim(text, &waiting, Color::White, Goal::Stranger, Expect::Prevented);
        let text = "White prevents Black pieces from getting out";
        self.claim(text, &waiting, Color::Black, Goal::BlackOutside, Expect::Prevented);
    }
}

/// The claims about the published gadgets, in the order of the lemmas.
pub fn published() -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut and = ClaimBuilder::published("2.1", "and");
    and.logic(|set| usize::from(set == 3));
    and.containment();
    claims.append(&mut and.claims);

    let mut or = ClaimBuilder::published("2.2", "or");
    or.logic(|set| usize::from(set != 0));
    or.containment();
    claims.append(&mut or.claims);

    let mut fanout = ClaimBuilder::published("2.3", "fanout");
    fanout.logic(|set| 2 * set);
    let waiting = [(0, fanout.gadget.signal, 1)];
    for port in fanout.outs() {
        let name = &fanout.gadget.ports[port].name;
        let text = format!("with a signal at in, Black prevents 2 out by {name}");
        let goal = fanout.signals(&[port], 2);
        fanout.claim(text, &waiting, Color::White, goal, Expect::Prevented);
    }
    fanout.containment();
    claims.append(&mut fanout.claims);

    let mut choice = ClaimBuilder::published("2.4", "choice");
    choice_claims(&mut choice);
    claims.append(&mut choice.claims);

    let mut variable = ClaimBuilder::published("2.5", "variable");
    variable_claims(&mut variable);
    variable.containment();
    let text = "Black moving first, White prevents Black pieces from getting out";
    let goal = Goal::BlackOutside;
    variable.claim(text, &[], Color::Black, goal, Expect::Prevented).turn = Color::Black;
    claims.append(&mut variable.claims);

    claims.append(&mut protectors());
    claims
}

fn choice_claims(choice: &mut ClaimBuilder) {
    choice.logic(|set| set);
    let arriving = [(0, choice.gadget.signal, 1)];
    for port in choice.outs() {
        let text = format!(
            "with a signal at in, White forces it out by {}",
            choice.gadget.ports[port].name
        );
        let goal = choice.signals(&[port], 1);
        choice.claim(text, &arriving, Color::White, goal, Expect::Forced);
    }
}

fn variable_claims(variable: &mut ClaimBuilder) {
    let out = [variable.outs()[0]];
    variable.composable = false; // who moves first is the point: neither side can wait
    let goal = variable.signals(&out, 1);
    let text = "moving first, White forces a signal out";
    variable.claim(text, &[], Color::White, goal.clone(), Expect::Forced);
    let text = "moving first, Black prevents any signal from getting out";
    variable.claim(text, &[], Color::White, goal, Expect::Prevented).turn = Color::Black;
}

/// The supporting constructions of figure 4, and a white edge on either side of a black one.
fn protectors() -> Vec<Claim> {
    let panther = white(Animal::Panther);
    let mut claims = Vec::new();

    for name in ["black-edge", "channel-core"] {
        let mut edge = ClaimBuilder::published("Fig. 4a", name);
        edge.traffic = Traffic::Open;
        let (into, out) = (0, 1);
        let goal = |port: usize, at_least: usize| Goal::Signals { ports: vec![port], at_least };
        let one = [(into, panther, 1)];
        edge.claim(
            "White forces a panther from in to out",
            &one,
            Color::White,
            goal(out, 1),
            Expect::Forced,
        );
        let back = [(out, panther, 1)];
        let text = "Black prevents a panther from getting from out to in";
        edge.claim(text, &back, Color::White, goal(into, 1), Expect::Prevented);
        if name == "black-edge" {
            let text = "Black prevents one of two panthers at out from getting to in";
            edge.claim(text, &[(out, panther, 2)], Color::White, goal(into, 1), Expect::Prevented);
            let text = "with a panther on either side, Black prevents two at in";
            let both = [(into, panther, 1), (out, panther, 1)];
            edge.claim(text, &both, Color::White, goal(into, 2), Expect::Prevented);
            let cat = [(into, white(Animal::Cat), 1)];
            let goal = Goal::Any(vec![Goal::Stranger]);
            // The cat waits outside the input, so it is a stranger outside from the start: ask for
            // it at the output by making it the signal.
            let mut gadget = edge.gadget.clone();
            gadget.signal = white(Animal::Cat);
            let claim = edge.claim(
                "Black prevents a White cat from getting from in to out",
                &cat,
                Color::White,
                goal,
                Expect::Prevented,
            );
            claim.gadget = gadget;
            claim.goal = Goal::Signals { ports: vec![out], at_least: 1 };
        }
        let text = "White prevents the dog from getting out, with a panther at in";
        edge.claim(text, &one, Color::Black, Goal::BlackOutside, Expect::Prevented);
        claims.append(&mut edge.claims);
    }

    let mut channel = ClaimBuilder {
        gadget: compose::one_way_channel(),
        ..ClaimBuilder::published("Fig. 4", "black-edge")
    };
    channel.traffic = Traffic::Open;
    let one = [(0, panther, 1)];
    let goal = channel.signals(&[1], 1);
    let text = "White forces a panther from in to out";
    channel.claim(text, &one, Color::White, goal, Expect::Forced);
    let text = "White prevents the dog from getting out, with a panther at in";
    channel.claim(text, &one, Color::Black, Goal::BlackOutside, Expect::Prevented);
    let goal = channel.signals(&[0], 1);
    let text = "Black prevents a panther from getting from out to in";
    channel.claim(text, &[(1, panther, 1)], Color::White, goal, Expect::Prevented);
    claims.append(&mut channel.claims);

    let mut edge = ClaimBuilder::published("Fig. 4b", "white-edge");
    edge.traffic = Traffic::Open;
    for (from, to) in [(0, 1), (1, 0)] {
        let names = [&edge.gadget.ports[from].name, &edge.gadget.ports[to].name];
        let text = format!("White forces a panther from {} to {}", names[0], names[1]);
        let goal = edge.signals(&[to], 1);
        edge.claim(text, &[(from, panther, 1)], Color::White, goal, Expect::Forced);
    }
    let goal = edge.signals(&[0, 1], 1);
    let text = "with nothing arriving, Black prevents any panther from getting out";
    edge.claim(text, &[], Color::White, goal, Expect::Prevented);
    let elephant = black(Animal::Elephant);
    for (text, waiting) in [
        ("one elephant at in", vec![(0, elephant, 1)]),
        ("two elephants at in", vec![(0, elephant, 2)]),
        ("a dog at in", vec![(0, black(Animal::Dog), 1)]),
    ] {
        let text = format!("with {text}, White prevents Black from getting to out");
        edge.claim(text, &waiting, Color::Black, Goal::BlackOutside, Expect::Prevented);
    }
    let text = "the cat stays: Black prevents it from getting out";
    edge.claim(text, &[], Color::White, Goal::Stranger, Expect::Prevented);
    claims.append(&mut edge.claims);

    let mut outflow = ClaimBuilder::published("Fig. 4c", "outflow");
    let goal = |at_least| Goal::Signals { ports: vec![1], at_least };
    outflow.claim(
        "with one panther at in, White forces one out",
        &[(0, panther, 1)],
        Color::White,
        goal(1),
        Expect::Forced,
    );
    outflow.claim(
        "with one panther at in, Black prevents two out",
        &[(0, panther, 1)],
        Color::White,
        goal(2),
        Expect::Prevented,
    );
    outflow.claim(
        "with nothing arriving, Black prevents one out",
        &[],
        Color::White,
        goal(1),
        Expect::Prevented,
    );
    outflow.claim(
        "with two panthers at in, Black prevents two out",
        &[(0, panther, 2)],
        Color::White,
        goal(2),
        Expect::Prevented,
    );
    claims.append(&mut outflow.claims);
    claims
}

/// The claims about the mended set.
pub fn mended() -> Vec<Claim> {
    let mut claims = Vec::new();
    for (lemma, name, truth) in [
        ("2.1", "mended-and", (|set| usize::from(set == 3)) as fn(usize) -> usize),
        ("2.2", "mended-or", |set| usize::from(set != 0)),
        ("Fig. 4", "mended-relay", |set| set),
        ("2.3", "mended-split", |set| 2 * set),
        ("2.3", "mended-guarded-split", |set| 2 * set),
        ("2.3", "mended-fanout", |set| 2 * set),
    ] {
        let mut gate = ClaimBuilder::mended(lemma, name);
        gate.returning = usize::from(matches!(name, "mended-split" | "mended-fanout"));
        gate.logic(truth);
        if name == "mended-fanout" {
            let waiting = [(0, gate.gadget.signal, 1)];
            for port in gate.outs() {
                let text = format!(
                    "with a signal at in, Black prevents 2 out by {}",
                    gate.gadget.ports[port].name
                );
                let goal = gate.signals(&[port], 2);
                gate.claim(text, &waiting, Color::White, goal, Expect::Prevented);
            }
        }
        // The claims of the large one's parts need not be repeated.
        if name != "mended-fanout" {
            gate.containment();
        }
        claims.append(&mut gate.claims);
    }
    let mut relay = ClaimBuilder::mended("Fig. 4", "mended-relay");
    let (signal, outs) = (relay.gadget.signal, relay.outs());
    for count in 2..=3 {
        let goal = relay.signals(&outs, 2);
        let text = format!("with {count} signals at in, Black prevents 2 out");
        relay.claim(text, &[(0, signal, count)], Color::White, goal, Expect::Prevented);
    }
    for (at_in, at_out) in [(1, 1), (1, 2)] {
        let goal = Goal::Any(vec![
            relay.signals(&[0], at_in + 1),
            relay.signals(&outs, at_out + at_in + 1),
        ]);
        let text = format!(
            "with {at_in} at in and {at_out} come back to out, Black prevents {} at in and {} at out",
            at_in + 1,
            at_out + at_in + 1
        );
        let waiting = [(0, signal, at_in), (1, signal, at_out)];
        relay.claim(text, &waiting, Color::White, goal, Expect::Prevented);
    }
    claims.append(&mut relay.claims);

    let mut choice = ClaimBuilder::mended("2.4", "mended-choice");
    choice_claims(&mut choice);
    choice.containment();
    claims.append(&mut choice.claims);

    let mut variable = ClaimBuilder::mended("2.5", "mended-variable");
    variable_claims(&mut variable);
    let (signal, outs) = (variable.gadget.signal, variable.outs());
    let goal = variable.signals(&outs, 2);
    let text = "with a signal come back to out, Black moving first prevents 2 there";
    variable.claim(text, &[(0, signal, 1)], Color::White, goal, Expect::Prevented).turn =
        Color::Black;
    variable.containment();
    claims.append(&mut variable.claims);
    claims
}
