//! The published set, composed: what each side relies on in its gates, and that it is promised.
//!
//! A wire of the paper is a protector: three BLACK EDGEs (with WHITE EDGEs around each), an OUTFLOW, three BLACK EDGEs.
//!
//! **Black's contracts** ([`Contracts::black`]) are games of sentries ([`crate::sentry`]). AND, OR and OUTFLOW are *tolls*: never have
//! more panthers got out at the top than were taken inside. So of n panthers, its own included, half get out at most.
//! FANOUT lets nothing out before something came in; a VARIABLE whose panther did not take lets none out; three edges let no
//! panther down that does not replace one which went up, and before a FANOUT, which promises nothing once it was entered, not even
//! that one ([`ratchet`]). CHOICE has no Black piece and needs no contract: no more leave it than came. What contracts assume of one
//! another is checked for every pair of gates ([`compose`]).
//!
//! **White's contracts** ([`Contracts::white`]) are local games in which his cats leave their homes only to take. A gate with the WHITE EDGEs around it
//! has one Black piece, and holds it: it has to step on a trap beside a cat. White waits there for as long as he likes, answering nothing
//! or by a capture, then forces his signals out.

mod rows;

use jungle::{Animal, Color};

pub use rows::{EDGES, RATCHET, ROWS, ratchet, row};

use crate::compose::outflow_upwards;
use crate::gadget::{Gadget, Passage, Role};
use crate::generalised::BoardRules;
use crate::geometry::{Direction, Spot};
use crate::library;
use crate::local::{Goal, Local, Traffic};
use crate::sentry::{CAT, PANTHER, Picket, Post, Vigil, Watch};
use crate::solve::{Solution, TooManyStates, solve};

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
            let back = target.returns();
            let ratchet = target != Kind::Fanout || (on <= RATCHET.0 && back <= RATCHET.1);
            let fits = covered(source.sends(), 1)
                && source.sends() <= OUTFLOW
                && on == 1
                && covered(on, back)
                && ratchet;
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
        "and" | "or" | "outflow-upwards" => &["b5", "c5", "d5"],
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

/// Where White's panther can go in a VARIABLE instead of taking.
pub const RETREATS: [&str; 3] = ["b2", "d2", "c1"];

/// VARIABLE, with White's panther gone to this square instead of taking.
pub fn retreated(square: &str) -> Gadget {
    let mut gadget = find("variable");
    let at = |name: &str| gadget.board.geometry().find(name).expect("a square of the drawing");
    let (home, square) = (at("c2"), at(square));
    let panther = gadget.board.put(home, None);
    gadget.board.put(square, panther);
    gadget
}

fn drawn(name: &str, drawing: &str, ports: &[&str]) -> Gadget {
    Gadget::drawn(name, name, drawing, Passage::Land, ports, Animal::Panther)
}

/// FANOUT with a WHITE EDGE at each port.
pub fn guarded_fanout() -> Gadget {
    drawn("guarded fanout", GUARDED_FANOUT, &["in S 4", "out1 N 2", "out2 N 5"])
}

/// The Black den behind a BLACK EDGE, with a WHITE EDGE before it.
pub fn guarded_den() -> Gadget {
    drawn("guarded den", GUARDED_DEN, &["in S 3", "out N 3"])
}

/// More states than any contract has.
const LIMIT: usize = 2_000_000;

/// White's game in a gadget: what it is fed, and its solution.
pub struct Forced {
    /// The gadget.
    pub gadget: Gadget,
    /// The ports at which panthers wait.
    pub fed: Vec<usize>,
    /// The game.
    pub local: Local,
    /// Solved.
    pub solution: Solution,
}

/// The contracts of the published set, solved under some rules.
pub struct Contracts {
    /// The rules.
    pub rules: BoardRules,
    /// Black's, by name: `low` and `high` for the edges of a wire, `ratchet` for the high ones before a FANOUT, `retreat-c1` for a VARIABLE so left, else that of the gadget.
    pub black: Vec<(String, Vigil)>,
    /// White's.
    pub white: Vec<Forced>,
}

impl Contracts {
    /// Solves them.
    ///
    /// # Errors
    ///
    /// If a game has more states than any has under the presets.
    pub fn solve(rules: impl Into<BoardRules>) -> Result<Contracts, TooManyStates> {
        let rules = rules.into();
        let mut black = Vec::new();
        for gadget in [find("and"), find("or"), outflow_upwards()] {
            black.push((gadget.name.clone(), toll(gadget, rules, LIMIT)?));
        }
        black.push(("fanout".to_owned(), shut(find("fanout"), rules, LIMIT)?));
        for square in RETREATS {
            black.push((format!("retreat-{square}"), shut(retreated(square), rules, LIMIT)?));
        }
        for (name, numbers) in ["low", "high"].into_iter().zip(ROWS) {
            black.push((name.to_owned(), row(EDGES, numbers, rules, LIMIT)?));
        }
        black.push(("ratchet".to_owned(), ratchet(EDGES, RATCHET, rules, LIMIT)?));
        let mut white = Vec::new();
        for (gadget, fed) in [
            (find("and"), &[0, 1][..]),
            (find("or"), &[0]),
            (find("or"), &[1]),
            (outflow_upwards(), &[0]),
            (find("channel-core"), &[0]),
            (find("white-edge"), &[0]),
            (guarded_fanout(), &[0]),
            (drawn("guarded variable", GUARDED_VARIABLE, &["back S 2", "out N 2"]), &[]),
            (guarded_den(), &[0]),
        ] {
            let (local, solution) = forcing(&gadget, fed, rules, LIMIT)?;
            white.push(Forced { gadget, fed: fed.to_vec(), local, solution });
        }
        Ok(Contracts { rules, black, white })
    }

    /// Black's contract with this name.
    ///
    /// # Panics
    ///
    /// If there is none: names are the program's.
    pub fn vigil(&self, name: &str) -> &Vigil {
        let named = self.black.iter().find(|(there, _)| there == name);
        &named.unwrap_or_else(|| panic!("no contract {name}")).1
    }

    /// White's contract of a gadget that is fed at these ports.
    pub fn forced(&self, gadget: &str, fed: &[usize]) -> Option<&Forced> {
        self.white.iter().find(|forced| forced.gadget.name == gadget && forced.fed == fed)
    }

    /// What is decided, for both sides.
    pub fn duties(&self) -> Vec<Duty> {
        let black = self.black.iter().map(|(name, vigil)| Duty::of_black(name, vigil));
        black.chain(self.white.iter().map(Duty::of_white)).collect()
    }
}

impl Duty {
    fn of_black(name: &str, vigil: &Vigil) -> Duty {
        let edges = |(below, above): (usize, usize), what: &str| {
            (format!("{EDGES} black-edges"), format!("{below} below and {above} above, {what}"))
        };
        let net = "no more come down than went up";
        let (gadget, claim) = match name {
            "low" => edges(ROWS[0], net),
            "high" => edges(ROWS[1], net),
            "ratchet" => edges(RATCHET, "what has gone up never comes down"),
            "fanout" => (name.to_owned(), "nothing arriving, none gets out".to_owned()),
            "and" | "or" => {
                (name.to_owned(), "1 and 1 arriving, no more get out than were taken".to_owned())
            }
            _ => match name.strip_prefix("retreat-") {
                Some(square) => {
                    let claim = format!("White goes to {square} instead of taking: never gets out");
                    ("variable".to_owned(), claim)
                }
                None => {
                    let claim = format!("{OUTFLOW} arriving, no more get out than were taken");
                    ("outflow".to_owned(), claim)
                }
            },
        };
        let holds = vigil.holds && vigil.answers.is_some() && vigil.watch.cats_are_transparent();
        let (cost, states) = (vigil.answers, vigil.states());
        Duty { side: Color::Black, gadget, claim, holds, cost, states }
    }

    fn of_white(forced: &Forced) -> Duty {
        let Forced { gadget, fed, local, solution } = forced;
        let names: Vec<&str> = fed.iter().map(|&port| gadget.ports[port].name.as_str()).collect();
        let (cost, claim) = match names.as_slice() {
            // A VARIABLE is not waited in: he who moves first has it.
            [] => (solution.plies(local.start()), "moving first, forces a panther out".to_owned()),
            names => (
                solution.patience(local, local.start()),
                format!("with panthers at {}, waits, then forces them on", names.join(" and ")),
            ),
        };
        let holds = cost.is_some() && black_is_held(gadget);
        let gadget = gadget.name.replace("-upwards", "");
        Duty { side: Color::White, gadget, claim, holds, cost, states: solution.len() }
    }
}

/// White's game in a gadget with panthers at these inputs: one out at every output, no Black piece out and no cat lost.
///
/// # Errors
///
/// If there are more than `limit` states.
pub fn forcing(
    gadget: &Gadget,
    fed: &[usize],
    rules: BoardRules,
    limit: usize,
) -> Result<(Local, Solution), TooManyStates> {
    let waiting: Vec<_> = fed.iter().map(|&port| (port, PANTHER, 1)).collect();
    let homes: Vec<Spot> = cats(gadget).collect();
    let cats_lost = Goal::Fewer { piece: CAT, than: homes.len() };
    let local = Local::new(gadget, &waiting, Traffic::Open, Color::White, rules);
    let local = local.with_leash(CAT, homes);
    let lost = Goal::Any(vec![Goal::BlackOutside, cats_lost]);
    let goal = signals_out(gadget);
    let solution = solve(&local, &[local.start()], Color::White, &goal, Some(&lost), limit)?;
    Ok((local, solution))
}

/// A signal at every output; the lower opening of VARIABLE is none.
pub fn signals_out(gadget: &Gadget) -> Goal {
    let named_out = |&port: &usize| gadget.ports[port].name.starts_with("out");
    let outs = gadget.with_role(Role::Out).into_iter().filter(named_out);
    Goal::All(outs.map(|port| Goal::Signals { ports: vec![port], at_least: 1 }).collect())
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
pub(crate) mod tests {
    use std::sync::LazyLock;

    use jungle::Rules;

    use super::*;
    use crate::generalised::Trapped;
    use crate::local::LocalMove;

    pub(crate) fn reading(trapped: Trapped) -> BoardRules {
        BoardRules { trapped, ..Rules::LEIDEN.into() }
    }

    /// The contracts under a reading of a trapped piece's strength, solved once.
    pub(crate) fn contracts(trapped: Trapped) -> &'static Contracts {
        static FULL: LazyLock<Contracts> =
            LazyLock::new(|| Contracts::solve(reading(Trapped::Full)).unwrap());
        static ZERO: LazyLock<Contracts> =
            LazyLock::new(|| Contracts::solve(reading(Trapped::Zero)).unwrap());
        match trapped {
            Trapped::Full => &FULL,
            Trapped::Zero => &ZERO,
        }
    }

    #[test]
    fn both_sides_keep_the_contracts_of_the_published_set_under_both_readings() {
        assert_eq!(compose(), Ok(25));
        for trapped in [Trapped::Zero, Trapped::Full] {
            for duty in contracts(trapped).duties() {
                assert!(duty.holds, "{trapped:?} {duty:?}");
            }
        }
    }

    /// "After a capture, the white cat can retake position": else it stands in the way of the panther.
    #[test]
    fn under_full_strength_a_cat_has_to_go_home() {
        let gadget = find("channel-core");
        for (trapped, forced) in [(Trapped::Zero, true), (Trapped::Full, false)] {
            let waiting = [(0, PANTHER, 1)];
            let local =
                Local::new(&gadget, &waiting, Traffic::Open, Color::White, reading(trapped));
            let local = local.with_sitting(CAT);
            let (goal, lost) = (signals_out(&gadget), Goal::BlackOutside);
            let start = local.start();
            let solved = solve(&local, &[start], Color::White, &goal, Some(&lost), LIMIT).unwrap();
            assert_eq!(solved.plies(start).is_some(), forced, "{trapped:?}");
        }
    }

    /// So White needs no more moves than there are squares: he works in a gadget once, and walks over no square between them twice.
    #[test]
    fn white_needs_no_more_moves_in_a_gadget_than_it_has_squares() {
        for trapped in [Trapped::Zero, Trapped::Full] {
            for forced in &contracts(trapped).white {
                let duty = Duty::of_white(forced);
                let moves = duty.cost.unwrap().div_ceil(2) as usize;
                let land = forced.gadget.board.geometry().land().count();
                assert!(moves <= land, "{trapped:?} {duty:?} {land}");
            }
        }
    }

    /// So one way of waiting does for every input of an OR: to take what can be taken.
    #[test]
    fn once_a_cat_has_taken_the_black_piece_white_wins() {
        for Forced { gadget, local, solution, .. } in &contracts(Trapped::Full).white {
            let (mut open, mut known) = (vec![local.start()], std::collections::HashSet::new());
            while let Some(state) = open.pop().filter(|_| !gadget.name.contains("variable")) {
                if !known.insert(state) {
                    continue;
                }
                if local.count(state, Color::Black) == 0 {
                    assert!(solution.plies(state).is_some(), "{}", gadget.name);
                    continue;
                }
                let mut waits = Vec::new();
                local.for_each_move(state, |mv, next| {
                    let taken = local.count(next, Color::Black) == 0;
                    if mv == LocalMove::Pass || taken {
                        waits.push(next);
                    }
                });
                for after in waits {
                    local.for_each_move(after, |_, next| {
                        if solution.knows(next)
                            && local.count(next, Color::White) == local.count(after, Color::White)
                        {
                            open.push(next);
                        }
                    });
                }
            }
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
