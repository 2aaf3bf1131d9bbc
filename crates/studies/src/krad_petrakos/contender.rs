//! Contenders: ways to search, and to divide a budget among the moves of a game.
//!
//! As text: `escape` with its settings; `alphabeta` with the board's order of moves, by iterative deepening ply by
//! ply; `uct`. Each decides when to move by a global escape function; left out, it is a step at the usual share of the
//! board, which is what ordinary players do: a fixed share of what is left. Alpha-beta may have more: a transposition
//! `table`; moves `ordered` by the evaluation of what they lead to; and `partial`, by which the best move of a depth
//! that was broken off counts. That needs the table, which sees to it that the best move of the depth before is searched
//! first.
//!
//! Every position looked at costs one, whatever for: visited in the search, or evaluated to order the moves or to have a
//! score of the root.
//!
//! Alpha-beta under a global escape function stops when the value of the last depth it finished is good
//! enough for what has been spent. That can be computed beforehand, as a limit of nodes for the next depth.

use std::fmt;
use std::str::FromStr;

use game::limits::{Limits, Meter};
use game::score::Score;
use search::escape::{Curve, CurveError, Escape, Settings, SettingsError};
use search::{AlphaBeta, Searcher, Table, Uct};

use super::Board;

/// A contender: a way to search and to divide a budget. It prints as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    text: String,
    way: Way,
}

#[derive(Clone, Debug, PartialEq)]
enum Way {
    /// The settings given; the rest depends on the board.
    Escape(String),
    AlphaBeta {
        aids: Aids,
        global: Option<Curve>,
    },
    Uct {
        exploration: f64,
        global: Option<Curve>,
    },
}

/// What alpha-beta has beside the board's order of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Aids {
    /// A transposition table.
    table: bool,
    /// Moves in the order of the evaluation.
    ordered: bool,
    /// The best move of a depth that was broken off counts.
    partial: bool,
}

/// A chosen move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thought<M> {
    /// The move.
    pub mv: M,
    /// What it cost.
    pub spent: u64,
    /// Its score for the player to move, between −1 and 1.
    pub value: f64,
}

/// Why a text is not a contender.
#[derive(Debug, thiserror::Error)]
pub enum ContenderError {
    /// There is no such way to search.
    #[error(
        "there is no contender '{0}'; there are escape[:local=CURVE,global=CURVE,…], \
         alphabeta[:table,ordered,partial,global=CURVE] and uct[:c=C,global=CURVE]"
    )]
    Name(String),
    /// There is no such parameter.
    #[error("{name} has no parameter '{part}'")]
    Parameter {
        /// The way to search.
        name: String,
        /// The parameter as written.
        part: String,
    },
    /// The best move of the depth before is not known to be searched first.
    #[error("partial needs table: the best move of the last depth has to be searched first")]
    Partial,
    /// The exploration constant of UCT is not one.
    #[error("'{0}' is not an exploration constant; try c=0.5")]
    Exploration(String),
    /// A text is not an escape function.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// The settings of complexity-driven search are invalid.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// The size of the table of `alphabeta:table`, in MiB, for a move of this many nodes: every node fits into it, some
/// hundred bytes each, up to the largest.
fn table_mebibytes(nodes: u64) -> usize {
    const MOST: u64 = 64;
    (nodes.saturating_mul(100) >> 20).clamp(1, MOST) as usize
}

/// The default exploration constant of UCT.
const EXPLORATION: f64 = 0.3;

impl Contender {
    /// The settings of a complexity-driven search on this board; none for other ways.
    pub fn settings<B: Board>(&self, board: &B) -> Option<Settings> {
        let Way::Escape(text) = &self.way else { return None };
        let usual = Settings {
            scale: board.scale(),
            global: Curve::Step(board.usual_share()),
            ..Settings::default()
        };
        // It was read when the contender was made.
        usual.with(text).ok()
    }

    /// Chooses a move with this budget left for the rest of the game. The game is not over.
    pub fn choose<B: Board>(
        &self,
        board: &B,
        position: &B::Position,
        left: u64,
    ) -> Thought<B::Move> {
        let usual = || Curve::Step(board.usual_share());
        match &self.way {
            Way::Escape(_) => {
                let settings = self.settings(board).unwrap_or_default();
                let evaluation = board.evaluation();
                let mut search = Escape::new(board, &evaluation, settings).order(board.ordering());
                let answer = search.search(position, &Limits::game_nodes(left));
                let mv = answer.best.expect("a game that goes on has a move");
                Thought { mv, spent: answer.spent + ROOT, value: answer.value }
            }
            Way::AlphaBeta { aids, global } => {
                let global = global.clone().unwrap_or_else(usual);
                alphabeta(board, position, left, *aids, &global)
            }
            Way::Uct { exploration, global } => {
                let global = global.clone().unwrap_or_else(usual);
                let evaluation = board.evaluation();
                let visits = (global.last_share(0.0) * left as f64).round() as u64;
                let answer = Uct::new(board, &evaluation, board.scale(), *exploration)
                    .order(board.ordering())
                    .search(position, visits);
                let mv = answer.best.expect("a game that goes on has a move");
                Thought { mv, spent: answer.visits, value: answer.value }
            }
        }
    }
}

/// What the evaluation of the root costs.
const ROOT: u64 = 1;

fn alphabeta<B: Board>(
    board: &B,
    position: &B::Position,
    left: u64,
    aids: Aids,
    global: &Curve,
) -> Thought<B::Move> {
    let evaluation = board.evaluation();
    let most_for = |value: f64| (global.last_share(value) * left as f64).round() as u64;
    let mut search = AlphaBeta::new(board, &evaluation).order(board.ordering());
    if aids.ordered {
        search = search.ordered_by_evaluation();
    }
    let mebibytes = table_mebibytes(most_for(0.0));
    if let Some(table) = Table::new(mebibytes).ok().filter(|_| aids.table) {
        search = search.table(table);
    }
    let first = search.static_line(position);
    let mut mv = *first.pv.first().expect("a game that goes on has a move");
    let mut score = first.score;
    let mut spent = ROOT;
    for depth in 1..=Score::MAX_PLIES {
        let most = most_for(board.scale().unit(score));
        if spent >= most {
            break;
        }
        let mut meter = Meter::new(&Limits::nodes(most - spent));
        let searched = search.search(position, depth, &mut meter);
        spent += meter.nodes();
        let is_whole = searched.is_ok();
        let line = searched.ok().or_else(|| search.unfinished().filter(|_| aids.partial));
        let Some(line) = line else { break };
        (mv, score) = (*line.pv.first().expect("the root has a move"), line.score);
        if score.is_decided() || !is_whole {
            break;
        }
    }
    Thought { mv, spent, value: board.scale().unit(score) }
}

impl FromStr for Contender {
    type Err = ContenderError;

    fn from_str(text: &str) -> Result<Contender, ContenderError> {
        let text = text.trim();
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        // All parameters but escape's are one word or name=value.
        let mut left: Vec<&str> =
            rest.split(',').map(str::trim).filter(|p| !p.is_empty()).collect();
        let mut global = None;
        let way = match name {
            "escape" => {
                Settings::default().with(rest)?;
                left.clear();
                Way::Escape(rest.to_owned())
            }
            "alphabeta" | "uct" => {
                let (mut aids, mut exploration) = (Aids::default(), EXPLORATION);
                let mut words = rest;
                loop {
                    let (word, after) = words.split_once(',').unwrap_or((words, ""));
                    let aid = match word {
                        _ if name != "alphabeta" => break,
                        "table" => &mut aids.table,
                        "ordered" => &mut aids.ordered,
                        "partial" => &mut aids.partial,
                        _ => break,
                    };
                    if std::mem::replace(aid, true) {
                        break;
                    }
                    words = after;
                }
                if aids.partial && !aids.table {
                    return Err(ContenderError::Partial);
                }
                if let Some(number) = words.strip_prefix("c=").filter(|_| name == "uct") {
                    let (number, after) = number.split_once(',').unwrap_or((number, ""));
                    exploration = number
                        .parse()
                        .ok()
                        .filter(|c: &f64| (0.0..=100.0).contains(c))
                        .ok_or_else(|| ContenderError::Exploration(number.to_owned()))?;
                    words = after;
                }
                if let Some(curve) = words.strip_prefix("global=") {
                    global = Some(curve.parse::<Curve>()?);
                    words = "";
                }
                left = if words.is_empty() { Vec::new() } else { vec![words] };
                match name {
                    "uct" => Way::Uct { exploration, global },
                    _ => Way::AlphaBeta { aids, global },
                }
            }
            _ => return Err(ContenderError::Name(name.to_owned())),
        };
        match left.first() {
            Some(part) => {
                Err(ContenderError::Parameter { name: name.to_owned(), part: (*part).to_owned() })
            }
            None => Ok(Contender { text: text.to_owned(), way }),
        }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::krad_petrakos::SmallAmazons;
    use game::score::Evaluate;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn contenders_are_read_as_written() {
        for text in [
            "escape",
            "escape:local=sigmoid(0.3,12),global=power(0.2)",
            "alphabeta",
            "alphabeta:table",
            "alphabeta:table,global=linear(0,0.1)",
            "alphabeta:ordered",
            "alphabeta:ordered,table,partial,global=linear(0,0.1)",
            "uct",
            "uct:c=0.5,global=step(0.1)",
        ] {
            assert_eq!(text.parse::<Contender>().unwrap().to_string(), text);
        }
        let error = |text: &str| text.parse::<Contender>().unwrap_err().to_string();
        assert!(error("minimax").contains("uct[:c=C"));
        assert!(error("alphabeta:tabel").contains("alphabeta has no parameter 'tabel'"));
        assert!(error("alphabeta:table,table").contains("no parameter 'table'"));
        assert!(error("alphabeta:ordered,partial").contains("needs table"));
        assert!(error("uct:c=x").contains("exploration"));
        assert!(error("escape:local=step(3)").contains("between 0 and 1"));
    }

    #[test]
    fn alphabeta_with_a_step_spends_its_share_and_with_a_slope_less_when_it_is_well_off() {
        let board = SmallAmazons;
        let spent = |text: &str, opening: u64| {
            let contender: Contender = text.parse().unwrap();
            let position = board.opening(1, opening);
            let thought = contender.choose(&board, &position, 10_000);
            (thought.spent, thought.value)
        };
        for opening in 0..6 {
            assert_eq!(spent("alphabeta:global=step(0.1)", opening).0, 1000);
            assert!(spent("uct:global=step(0.1)", opening).0 <= 1000);
        }
        let mut found: Vec<(u64, f64)> =
            (0..12).map(|opening| spent("alphabeta:global=linear(0,0.3)", opening)).collect();
        found.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (worst, best) = (found[0], found[11]);
        assert!(worst.1 < best.1 && worst.0 > best.0, "{worst:?} {best:?}");
    }

    /// A board that counts its evaluations, once for each copy.
    struct Counting<'a>(&'a AtomicU64);

    impl game::Delegate for Counting<'_> {
        type Inner = SmallAmazons;

        fn inner(&self) -> &SmallAmazons {
            &SmallAmazons
        }
    }

    struct Counted<'a>(&'a AtomicU64);

    impl Evaluate<Counting<'_>> for Counted<'_> {
        fn evaluate(&self, _: &Counting<'_>, position: &amazons::Position) -> i32 {
            self.0.fetch_add(1, Relaxed);
            SmallAmazons.evaluation().value(position)
        }
    }

    impl<'a> Board for Counting<'a> {
        type Evaluation = Counted<'a>;
        type Ordering = search::AsListed;

        fn name(&self) -> &'static str {
            "counting"
        }

        fn evaluation(&self) -> Counted<'a> {
            Counted(self.0)
        }

        fn ordering(&self) -> search::AsListed {
            search::AsListed
        }

        fn scale(&self) -> search::escape::Scale {
            SmallAmazons.scale()
        }

        fn opening(&self, seed: u64, number: u64) -> amazons::Position {
            SmallAmazons.opening(seed, number)
        }

        fn most_plies(&self) -> usize {
            SmallAmazons.most_plies()
        }

        fn usual_share(&self) -> f64 {
            SmallAmazons.usual_share()
        }
    }

    #[test]
    fn every_evaluation_is_charged() {
        let count = AtomicU64::new(0);
        let board = Counting(&count);
        let position = board.opening(1, 2);
        for text in [
            "alphabeta",
            "alphabeta:table,partial",
            "alphabeta:ordered",
            "alphabeta:table,ordered,partial",
            "escape:local=never",
            "escape:local=step(0.5)",
            "uct",
        ] {
            let contender: Contender = text.parse().unwrap();
            for left in [9, 700, 40_000] {
                count.store(0, Relaxed);
                let thought = contender.choose(&board, &position, left);
                let evaluated = count.load(Relaxed);
                assert!(
                    evaluated > 0 && evaluated <= thought.spent,
                    "{text}: {evaluated} of {left}"
                );
                // The root's evaluation comes on top.
                assert!(thought.spent <= left + 1, "{text}: {} of {left}", thought.spent);
            }
        }
    }
}
