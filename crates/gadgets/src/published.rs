//! The published set, composed: what each side relies on in its gates, and that it is promised.
//!
//! A wire of the paper is a protector: three BLACK EDGEs (with WHITE EDGEs around each), an OUTFLOW, three BLACK EDGEs.
//!
//! **Black's contracts** ([`black`]) are games of sentries ([`crate::sentry`]). AND, OR and OUTFLOW are *tolls*: never have
//! more panthers got out at the top than were taken inside. So of n panthers, its own included, half get out at most.
//! FANOUT lets nothing out before something came in; a VARIABLE whose panther did not take lets none out; three edges let no
//! panther down that does not replace one which went up. What they assume of one another is checked for every pair of gates
//! ([`compose`]).
//!
//! **White's contracts** ([`white`]) are local games in which his cats leave their homes only to take. A gate with the WHITE EDGEs around it
//! has one Black piece, and holds it: it has to step on a trap beside a cat. White waits there for as long as he likes, answering nothing
//! or by a capture, then forces his signals out.

use jungle::{Animal, Color, Piece};

use crate::gadget::{Gadget, Passage, Role};
use crate::generalised::BoardRules;
use crate::geometry::{Direction, Spot};
use crate::library;
use crate::local::{Goal, Local, Traffic};
use crate::sentry::{Picket, Post, Vigil, Watch};
use crate::solve::{TooManyStates, solve};

const PANTHER: Piece = Piece { color: Color::White, animal: Animal::Panther };
const CAT: Piece = Piece { color: Color::White, animal: Animal::Cat };

/// How many edges the paper puts on either side of an OUTFLOW.
pub const EDGES: usize = 3;

/// FANOUT with a WHITE EDGE at each port.
const GUARDED_FANOUT: &str = "~~.~~.~~\n~.w.~.~~\n~wCw~.~~\n~.w.~.~~\n~~.~~.~~\n~~.~~.~~\n~~.~.w.~\n~~.~wCw~\n\
    ~~.~.w.~\n~~.~~.~~\n~~.~~.~~\n~~....~~\n~~bd..~~\n~~Pb..~~\n~~~~.~~~\n~~~~.~~~\n~~~.w.~~\n~~~wCw~~\n~~~.w.~~\n~~~~.~~~\n";

/// The Black den behind a BLACK EDGE, with a WHITE EDGE before it.
const GUARDED_DEN: &str = "~~~B~~~\n~~~.~~~\n~~...~~\n~~.~.~~\n~.bdb.~\n~~~.~~~\n~~~.~~~\n~~.w.~~\n~~wCw~~\n\
    ~~.w.~~\n~~~.~~~\n";

/// VARIABLE with a WHITE EDGE at each port.
const GUARDED_VARIABLE: &str = "~~.~~\n~.w.~\n~wCw~\n~.w.~\n~~.~~\n~~.~~\n~...~\n~.p.~\n~.P.~\n~~.~~\n~~.~~\n~.w.~\n~wCw~\n\
    ~.w.~\n~~.~~\n";

/// A part of a contract, decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duty {
    /// Who has to see to it.
    pub side: Color,
    /// The gadgets.
    pub gadget: String,
    /// What.
    pub claim: String,
    /// Whether he can.
    pub holds: bool,
    /// For Black, how many answers it costs him at most; for White, in how many plies he is done, however long he waited.
    pub cost: Option<u32>,
    /// How many states were looked at.
    pub states: usize,
}

/// The gates of the paper between which protectors lie, and the den.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Variable,
    Fanout,
    Choice,
    Or,
    And,
    Den,
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::Variable, Kind::Fanout, Kind::Choice, Kind::Or, Kind::And, Kind::Den];

    fn inputs(self) -> usize {
        match self {
            Kind::Variable => 0,
            Kind::Fanout | Kind::Choice | Kind::Den => 1,
            Kind::Or | Kind::And => 2,
        }
    }

    /// The panthers in it at the most, if one comes to each input.
    fn panthers(self) -> usize {
        self.inputs() + usize::from(matches!(self, Kind::Variable | Kind::Fanout | Kind::Or))
    }

    /// How many it sends by one output at the most.
    fn sends(self) -> usize {
        match self {
            Kind::Or | Kind::And => self.panthers() / 2, // the toll
            Kind::Den => 0,
            Kind::Variable | Kind::Fanout | Kind::Choice => self.panthers(),
        }
    }

    /// How many it sends back by an input at the most, besides the one that came.
    fn returns(self) -> usize {
        if self == Kind::Den { 0 } else { self.panthers() - 1 }
    }
}

/// The rows of edges that are proved: how many panthers come from below, and how many more from above.
const ROWS: [(usize, usize); 2] = [(2, 1), (1, 2)];

/// How many panthers an OUTFLOW is proved for, besides its own.
const OUTFLOW: usize = 2;

/// Checks for every gate followed by every other that the protector between them is proved for what they send it: how many pairs
/// there are, or the first that does not fit.
///
/// # Errors
///
/// The pair, in words.
pub fn compose() -> Result<usize, String> {
    let mut pairs = 0;
    for source in Kind::ALL.into_iter().filter(|source| source.sends() > 0) {
        for target in Kind::ALL.into_iter().filter(|target| target.inputs() > 0) {
            let covered = |below: usize, above: usize| {
                ROWS.iter().any(|&(low, high)| below <= low && above <= high)
            };
            // Of what comes up and the OUTFLOW's own panther half get on: one, as a gate assumes of its inputs.
            let on = source.sends().div_ceil(2);
            let fits = covered(source.sends(), 1)
                && source.sends() <= OUTFLOW
                && on == 1
                && covered(on, target.returns());
            if !fits {
                return Err(format!("{source:?} before {target:?}"));
            }
            pairs += 1;
        }
    }
    Ok(pairs)
}

fn find(name: &str) -> Gadget {
    library::find(name).expect("a gadget of the library")
}

/// Squares of a gadget that its sentry never leaves, none of them a White trap.
fn beat(name: &str) -> &'static [&'static str] {
    match name {
        "and" | "or" => &["b5", "c5", "d5"],
        "outflow" => &["e2", "e3", "e4"],
        "fanout" => &["b3", "c3", "c2"],
        "variable" => &["c2", "b3", "c3", "d3"],
        _ => &["b2", "c2", "d2", "e2", "f2"],
    }
}

/// A gadget with its sentry, and pools at its ports.
fn post(gadget: Gadget, pools: &[usize]) -> Post {
    let beat = beat(&gadget.name);
    Post { gadget, beat, pools: pools.to_vec() }
}

/// AND, OR or an OUTFLOW, with so many panthers arriving at each input.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn toll(gadget: Gadget, rules: BoardRules, limit: usize) -> Result<Vigil, TooManyStates> {
    let mut waiting = match gadget.with_role(Role::In).len() {
        1 => vec![OUTFLOW],
        inputs => vec![1; inputs],
    };
    let out = waiting.len();
    waiting.push(0);
    let pools: Vec<usize> = (0..=out).collect();
    let watch = Watch::new(&[post(gadget, &pools)], &waiting, rules);
    let unpaid = |watch: &Watch, state| watch.in_pool(state, out) > watch.taken(state);
    Vigil::solve(watch, unpaid, limit)
}

/// A gadget out of which no panther gets while none has come: FANOUT, and a VARIABLE in which White did not take.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn shut(gadget: Gadget, rules: BoardRules, limit: usize) -> Result<Vigil, TooManyStates> {
    let ports = gadget.ports.len();
    let closed: Vec<usize> = if gadget.name == "variable" { vec![0] } else { (0..ports).collect() };
    let pools: Vec<usize> = (0..ports).collect();
    let watch = Watch::new(&[post(gadget, &pools)], &vec![0; ports], rules);
    let out =
        |watch: &Watch, state: Picket| closed.iter().any(|&pool| watch.in_pool(state, pool) > 0);
    Vigil::solve(watch, out, limit)
}

/// So many edges in a row, which let no more panthers down than began below.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn row(
    edges: usize,
    (below, above): (usize, usize),
    rules: BoardRules,
    limit: usize,
) -> Result<Vigil, TooManyStates> {
    let edge = find("black-edge");
    let posts: Vec<Post> = (0..edges).map(|pool| post(edge.clone(), &[pool, pool + 1])).collect();
    let mut waiting = vec![0; edges + 1];
    waiting[0] = below;
    waiting[edges] += above;
    let more = |watch: &Watch, state| watch.in_pool(state, 0) > below;
    Vigil::solve(Watch::new(&posts, &waiting, rules), more, limit)
}

/// VARIABLE, with White's panther gone to this square instead of taking.
pub fn retreated(square: &str) -> Gadget {
    let mut gadget = find("variable");
    let at = |name: &str| gadget.board.geometry().find(name).expect("a square of the drawing");
    let (home, square) = (at("c2"), at(square));
    let panther = gadget.board.put(home, None);
    gadget.board.put(square, panther);
    gadget
}

/// Black's contracts.
///
/// # Errors
///
/// If a game has more than `limit` states.
pub fn black(rules: impl Into<BoardRules>, limit: usize) -> Result<Vec<Duty>, TooManyStates> {
    let rules = rules.into();
    let duty = |gadget: &str, claim: String, vigil: Vigil| Duty {
        side: Color::Black,
        gadget: gadget.to_owned(),
        claim,
        holds: vigil.holds && vigil.answers.is_some() && vigil.watch.cats_are_transparent(),
        cost: vigil.answers,
        states: vigil.states(),
    };
    let mut duties = Vec::new();
    for (name, arriving) in [("and", "1 and 1"), ("or", "1 and 1"), ("outflow", "2")] {
        let claim = format!("{arriving} arriving, no more get out than were taken");
        duties.push(duty(name, claim, toll(find(name), rules, limit)?));
    }
    let claim = "nothing arriving, none gets out".to_owned();
    duties.push(duty("fanout", claim, shut(find("fanout"), rules, limit)?));
    for square in ["b2", "d2", "c1"] {
        let claim = format!("White goes to {square} instead of taking, his panther never gets out");
        duties.push(duty("variable", claim, shut(retreated(square), rules, limit)?));
    }
    for (below, above) in ROWS {
        let claim = format!("{below} below and {above} above, no more come down than went up");
        let vigil = row(EDGES, (below, above), rules, limit)?;
        duties.push(duty("three black-edges", claim, vigil));
    }
    Ok(duties)
}

/// White's contracts.
///
/// # Errors
///
/// If a game has more than `limit` states.
pub fn white(rules: impl Into<BoardRules>, limit: usize) -> Result<Vec<Duty>, TooManyStates> {
    let rules = rules.into();
    let drawn = |name: &str, drawing, ports: &[&str]| {
        Gadget::drawn(name, name, drawing, Passage::Land, ports, Animal::Panther)
    };
    let fanout = drawn("guarded fanout", GUARDED_FANOUT, &["in S 4", "out1 N 2", "out2 N 5"]);
    let den = drawn("guarded den", GUARDED_DEN, &["in S 3", "out N 3"]);
    let variable = drawn("guarded variable", GUARDED_VARIABLE, &["back S 2", "out N 2"]);
    let mut duties = Vec::new();
    for (gadget, fed) in [
        (find("and"), &[0, 1][..]),
        (find("or"), &[0]),
        (find("or"), &[1]),
        (find("outflow"), &[0]),
        (find("channel-core"), &[0]),
        (find("white-edge"), &[0]),
        (fanout, &[0]),
        (variable, &[]),
        (den, &[0]),
    ] {
        duties.push(forced(&gadget, fed, rules, limit)?);
    }
    Ok(duties)
}

/// Whether White forces a signal to every output, however long he waits before he begins, and meanwhile holds Black's piece in.
fn forced(
    gadget: &Gadget,
    fed: &[usize],
    rules: BoardRules,
    limit: usize,
) -> Result<Duty, TooManyStates> {
    let waiting: Vec<_> = fed.iter().map(|&port| (port, PANTHER, 1)).collect();
    let homes: Vec<Spot> = cats(gadget).collect();
    let cats_lost = Goal::Fewer { piece: CAT, than: homes.len() };
    let local = Local::new(gadget, &waiting, Traffic::Open, Color::White, rules);
    let local = local.with_leash(CAT, homes);
    let named_out = |&port: &usize| gadget.ports[port].name.starts_with("out");
    let outs = gadget.with_role(Role::Out).into_iter().filter(named_out);
    let goal =
        Goal::All(outs.map(|port| Goal::Signals { ports: vec![port], at_least: 1 }).collect());
    let lost = Goal::Any(vec![Goal::BlackOutside, cats_lost]);
    let solution = solve(&local, &[local.start()], Color::White, &goal, Some(&lost), limit)?;
    // A VARIABLE is not waited in: he who moves first has it.
    let cost = match fed {
        [] => solution.plies(local.start()),
        _ => solution.patience(&local, local.start()),
    };
    let names: Vec<&str> = fed.iter().map(|&port| gadget.ports[port].name.as_str()).collect();
    let claim = match names.as_slice() {
        [] => "moving first, White forces a panther out".to_owned(),
        names => {
            format!("with panthers at {}, White waits, then forces them on", names.join(" and "))
        }
    };
    let (gadget, holds, states) =
        (gadget.name.clone(), cost.is_some() && black_is_held(gadget), solution.len());
    Ok(Duty { side: Color::White, gadget, claim, holds, cost, states })
}

fn cats(gadget: &Gadget) -> impl Iterator<Item = Spot> {
    gadget.board.pieces().filter(|&(_, piece)| piece == CAT).map(|(home, _)| home)
}

/// Whether a Black piece has to step on a White trap beside the home of a cat, where it is taken, before it gets to a port, and
/// there is no more than one.
pub fn black_is_held(gadget: &Gadget) -> bool {
    use jungle::board::Terrain;
    let geometry = gadget.board.geometry();
    let beside = |spot| Direction::ALL.into_iter().filter_map(move |way| geometry.next(spot, way));
    let guarded: Vec<Spot> = cats(gadget).flat_map(beside).collect();
    let closed = |spot: Spot| match geometry.terrain(spot) {
        Terrain::Water | Terrain::Den(Color::Black) => true,
        Terrain::Trap(Color::White) => guarded.contains(&spot),
        _ => cats(gadget).any(|home| home == spot),
    };
    let black = gadget.board.pieces().filter(|(_, piece)| piece.color == Color::Black);
    let mut reached: Vec<Spot> = black.map(|(spot, _)| spot).collect();
    if reached.len() > 1 {
        return false;
    }
    let mut next = 0;
    while next < reached.len() {
        let new = beside(reached[next]).filter(|&spot| !closed(spot) && !reached.contains(&spot));
        let new: Vec<Spot> = new.collect();
        reached.extend(new);
        next += 1;
    }
    gadget
        .ports
        .iter()
        .all(|port| port.landing(geometry).is_none_or(|spot| !reached.contains(&spot)))
}

#[cfg(test)]
mod tests {
    use jungle::Rules;

    use super::*;
    use crate::generalised::Trapped;

    fn reading(trapped: Trapped) -> BoardRules {
        BoardRules { trapped, ..Rules::LEIDEN.into() }
    }

    #[test]
    fn both_sides_keep_the_contracts_of_the_published_set_under_both_readings() {
        assert_eq!(compose(), Ok(25));
        for trapped in [Trapped::Zero, Trapped::Full] {
            let rules = reading(trapped);
            let duties = [black(rules, 1_000_000).unwrap(), white(rules, 1_000_000).unwrap()];
            for duty in duties.into_iter().flatten() {
                assert!(duty.holds, "{trapped:?} {duty:?}");
            }
        }
    }

    /// Three channels are needed where both panthers of a FANOUT come to one OUTFLOW; before a gate, two do under one reading.
    #[test]
    fn two_edges_do_not_bear_what_three_do() {
        for (trapped, numbers, holds) in [
            (Trapped::Zero, (2, 1), false),
            (Trapped::Full, (2, 1), false),
            (Trapped::Zero, (1, 2), true),
            (Trapped::Full, (1, 2), false),
        ] {
            let vigil = row(2, numbers, reading(trapped), 100_000).unwrap();
            assert_eq!(vigil.holds, holds, "{trapped:?} {numbers:?}");
        }
    }

    #[test]
    fn black_is_held_by_cats_at_home_and_by_nothing_less() {
        for (name, held) in [
            ("and", true),
            ("or", true),
            ("outflow", true),
            ("channel-core", true),
            ("fanout", false),
        ] {
            assert_eq!(black_is_held(&find(name)), held, "{name}");
        }
        let mut and = find("and");
        let home = cats(&and).next().unwrap();
        and.board.put(home, None);
        assert!(!black_is_held(&and));
    }
}
