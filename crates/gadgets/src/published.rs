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
use crate::sentry::{Kept, Post, Watch, keep};
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

impl Duty {
    fn of_black(gadget: &str, claim: String, watch: &Watch<'_>, kept: Kept) -> Duty {
        let holds = kept.holds && kept.answers.is_some() && watch.cats_are_transparent();
        let (gadget, cost, states) = (gadget.to_owned(), kept.answers, kept.states);
        Duty { side: Color::Black, gadget, claim, holds, cost, states }
    }
}

/// Whether so many edges in a row let no more panthers down than began below.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn row(
    edges: usize,
    (below, above): (usize, usize),
    rules: BoardRules,
    limit: usize,
) -> Result<Duty, TooManyStates> {
    let edge = find("black-edge");
    let pools: Vec<[usize; 2]> = (0..edges).map(|pool| [pool, pool + 1]).collect();
    let post = |pools| Post { gadget: &edge, beat: beat(&edge.name), pools };
    let posts: Vec<Post<'_>> = pools.iter().map(|pools| post(pools)).collect();
    let mut waiting = vec![0; edges + 1];
    waiting[0] = below;
    waiting[edges] += above;
    let watch = Watch::new(&posts, &waiting, rules);
    let kept = keep(&watch, |state| watch.in_pool(state, 0) > below, limit)?;
    let claim = format!("{below} below and {above} above, no more come down than went up");
    Ok(Duty::of_black(&format!("{edges} black-edges"), claim, &watch, kept))
}

/// Black's contracts.
///
/// # Errors
///
/// If a game has more than `limit` states.
pub fn black(rules: impl Into<BoardRules>, limit: usize) -> Result<Vec<Duty>, TooManyStates> {
    let rules = rules.into();
    let mut duties = Vec::new();
    for (name, arriving) in [("and", vec![1, 1]), ("or", vec![1, 1]), ("outflow", vec![OUTFLOW])] {
        let gadget = find(name);
        let pools: Vec<usize> = (0..=arriving.len()).collect();
        let post = Post { gadget: &gadget, beat: beat(name), pools: &pools };
        let (numbers, out) = (arriving.iter().map(ToString::to_string), arriving.len());
        let claim = format!(
            "{} arriving, no more get out than were taken",
            numbers.collect::<Vec<_>>().join(" and ")
        );
        let watch = Watch::new(&[post], &[&arriving[..], &[0]].concat(), rules);
        let toll = |state| watch.in_pool(state, out) > watch.taken(state);
        duties.push(Duty::of_black(name, claim, &watch, keep(&watch, toll, limit)?));
    }
    let fanout = find("fanout");
    let post = Post { gadget: &fanout, beat: beat("fanout"), pools: &[0, 1, 2] };
    let watch = Watch::new(&[post], &[0, 0, 0], rules);
    let kept = keep(&watch, |state| (0..3).any(|pool| watch.in_pool(state, pool) > 0), limit)?;
    let claim = "nothing arriving, none gets out".to_owned();
    duties.push(Duty::of_black("fanout", claim, &watch, kept));
    let variable = find("variable");
    let at = |name: &str| variable.board.geometry().find(name).expect("a square of the drawing");
    for retreat in ["b2", "d2", "c1"] {
        let mut gadget = variable.clone();
        let panther = gadget.board.put(at("c2"), None);
        gadget.board.put(at(retreat), panther);
        let post = Post { gadget: &gadget, beat: beat("variable"), pools: &[0, 1] };
        let watch = Watch::new(&[post], &[0, 0], rules);
        let kept = keep(&watch, |state| watch.in_pool(state, 0) > 0, limit)?;
        let claim =
            format!("White goes to {retreat} instead of taking, his panther never gets out");
        duties.push(Duty::of_black("variable", claim, &watch, kept));
    }
    for numbers in ROWS {
        duties.push(row(EDGES, numbers, rules, limit)?);
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
            let duty = row(2, numbers, reading(trapped), 100_000).unwrap();
            assert_eq!(duty.holds, holds, "{trapped:?} {numbers:?}");
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
