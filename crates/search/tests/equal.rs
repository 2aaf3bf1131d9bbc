//! Every search returns what naive minimax returns, at every depth.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::{Maze, Written, random_game};
use game::Game;
use game::limits::{Limits, Meter};
use game::rng::Rng;
use game::score::{Evaluate, Score};
use game::tree::{At, Tree};
use jungle::{BurnettEval, Jungle, Move, Position, Rules};
use proptest::prelude::*;
use search::{
    AlphaBeta, Line, Minimax, Order, PathRepetition, Report, Schedule, Searcher, Table, deepen,
    fixed,
};

/// An arbitrary order that depends on the position.
struct Shuffled;

impl<G: Game> Order<G> for Shuffled {
    fn rank(&self, game: &G, position: &G::Position, mv: G::Move) -> i32 {
        game.key(&game.after(position, mv)) as i32
    }
}

fn searched<G: Game>(
    searcher: &mut impl Searcher<G>,
    position: &G::Position,
    depth: u32,
) -> Line<G::Move> {
    searcher.search(position, depth, &mut Meter::new(&Limits::none())).unwrap()
}

/// Plays the line and values its end: the score it should have.
fn worth<G: Game>(
    game: &G,
    evaluate: &impl Evaluate<G>,
    repetition: PathRepetition,
    history: &[G::Position],
    position: &G::Position,
    pv: &[G::Move],
) -> Score {
    let mut path = history.to_vec();
    let mut current = position.clone();
    for &mv in pv {
        assert!(game.moves(&current).contains(&mv), "{mv:?} is illegal");
        path.push(current.clone());
        game.make(&mut current, mv);
    }
    let score = if repetition == PathRepetition::Draw && !pv.is_empty() && path.contains(&current) {
        Score::DRAW
    } else if let Some(outcome) = game.outcome(&current) {
        Score::of_outcome(game, &current, outcome)
    } else {
        Score::estimate(evaluate.evaluate(game, &current))
    };
    pv.iter().fold(score, |score, _| score.deeper())
}

/// Compares all searches on one position, at every depth for which the oracle stays affordable.
/// Returns the depth reached and how many values depended on repetition.
fn compare<G: Game, E: Evaluate<G>>(
    game: &G,
    evaluate: &E,
    history: &[G::Position],
    position: &G::Position,
    tables: &mut [Option<Table<G::Move>>; 2],
    affordable: u64,
) -> (u32, u32) {
    let mut repeating = 0;
    for depth in 0.. {
        let mut values = Vec::new();
        for (repetition, table) in
            [PathRepetition::Ignored, PathRepetition::Draw].into_iter().zip(&mut *tables)
        {
            let limits = Limits::nodes(affordable);
            let mut minimax = Minimax::new(game, evaluate).repetition(repetition).history(history);
            let Some(oracle) = fixed(&mut minimax, position, depth, &limits) else {
                return (depth - 1, repeating);
            };
            let about = format!("depth {depth}, {repetition:?}, {position:?} after {history:?}");
            let worth = |pv: &[G::Move]| worth(game, evaluate, repetition, history, position, pv);
            assert_eq!(worth(&oracle.pv), oracle.score, "{about}");

            let plain = AlphaBeta::new(game, evaluate).repetition(repetition).history(history);
            let line = searched(&mut { plain }, position, depth);
            assert_eq!(line.score, oracle.score, "alpha-beta, {about}");
            assert_eq!(worth(&line.pv), oracle.score, "alpha-beta's line, {about}");

            let shuffled = AlphaBeta::new(game, evaluate)
                .repetition(repetition)
                .history(history)
                .order(Shuffled);
            let line = searched(&mut { shuffled }, position, depth);
            assert_eq!(line.score, oracle.score, "shuffled, {about}");

            let ordered = AlphaBeta::new(game, evaluate)
                .repetition(repetition)
                .history(history)
                .ordered_by_evaluation();
            let line = searched(&mut { ordered }, position, depth);
            assert_eq!(line.score, oracle.score, "ordered by evaluation, {about}");

            // One table for everything that was ever asked.
            let mut tabled = AlphaBeta::new(game, evaluate)
                .repetition(repetition)
                .history(history)
                .order(Shuffled)
                .ordered_by_evaluation()
                .table(table.take().unwrap());
            for _ in 0..2 {
                let line = searched(&mut tabled, position, depth);
                assert_eq!(line.score, oracle.score, "with a table, {about}");
                assert!(depth == 0 || !line.pv.is_empty() || game.outcome(position).is_some());
            }
            *table = tabled.into_table();

            let small = AlphaBeta::new(game, evaluate)
                .repetition(repetition)
                .history(history)
                .table(Table::new(0).unwrap());
            let mut small = small;
            let limits = Limits::depth(depth);
            let report = deepen(&mut small, position, Schedule::EVERY_PLY, &limits, |_| ());
            assert_eq!(report.score, oracle.score, "deepening in a small table, {about}");
            values.push(oracle.score);
        }
        repeating += u32::from(values[0] != values[1]);
        if depth > 40 {
            return (depth, repeating);
        }
    }
    unreachable!("the depths do not end")
}

fn new_tables<M: Copy>() -> [Option<Table<M>>; 2] {
    [Some(Table::new(4).unwrap()), Some(Table::new(4).unwrap())]
}

#[test]
fn jungle_under_all_presets() {
    let mut rng = Rng::new(20_101);
    let (mut positions, mut repeating, mut deepest) = (0, 0, 0);
    for rules in [Rules::LEIDEN, Rules::STANDARD, Rules::TUFTS] {
        let jungle = Jungle::new(rules);
        let mut tables = new_tables::<Move>();
        let mut check = |history: &[Position], position: &Position, affordable| {
            let (depth, repeats) =
                compare(&jungle, &BurnettEval, history, position, &mut tables, affordable);
            positions += 1;
            repeating += repeats;
            deepest = deepest.max(depth);
        };
        check(&[], &Position::start(), 15_000);
        for (most, count) in [(1, 40), (2, 25), (8, 8)] {
            for index in 0..count {
                let (history, position) = random_game(&jungle, &mut rng, most, index % 7);
                check(&history, &position, 6_000);
            }
        }
    }
    assert!(positions >= 200, "{positions} positions");
    assert!(repeating >= 20, "only {repeating} values depended on repetition");
    assert!(deepest >= 6, "no deeper than {deepest}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn trees(seed: u64, depth in 1u32..7, width in 1usize..5) {
        let tree = Tree::random(&mut Rng::new(seed), depth, width);
        let evaluate = |tree: &Tree, at: &At| tree.evaluate(at);
        compare(&tree, &evaluate, &[], &tree.root(), &mut new_tables(), 3_000);
    }

    #[test]
    fn mazes(seed: u64, places in 2usize..9, tells: bool, walked in 0usize..6) {
        let mut rng = Rng::new(seed);
        let maze = Maze::random(&mut rng, places, tells);
        let mut history = Vec::new();
        let mut token = maze.start();
        for _ in 0..walked {
            if let Some(&mv) = rng.choose(&maze.moves(&token)) {
                history.push(token);
                maze.make(&mut token, mv);
            }
        }
        compare(&maze, &Written, &history, &token, &mut new_tables(), 3_000);
    }
}

/// Soundness costs something, but not the table's usefulness. The counts are the same on every
/// machine.
#[test]
fn a_table_saves_most_of_the_nodes() {
    let jungle = Jungle::new(Rules::LEIDEN);
    let limits = Limits::depth(6);
    let captures_first = |_: &Jungle, _: &Position, mv: Move| i32::from(!mv.is_capture());
    let nodes = |repetition, table: Option<Table<Move>>| {
        let mut search =
            AlphaBeta::new(&jungle, &BurnettEval).order(captures_first).repetition(repetition);
        if let Some(table) = table {
            search = search.table(table);
        }
        deepen(&mut search, &Position::start(), Schedule::EVERY_PLY, &limits, |_| ()).nodes
    };
    let table = || Some(Table::new(64).unwrap());
    let without = nodes(PathRepetition::Draw, None);
    let with = nodes(PathRepetition::Draw, table());
    let careless = nodes(PathRepetition::Ignored, table());
    assert!(with * 10 < without, "{with} nodes instead of {without}");
    assert!(with < 2 * careless, "{with} nodes, {careless} if repetition is ignored");
}

#[test]
fn limits_are_kept() {
    let jungle = Jungle::new(Rules::STANDARD);
    let start = Position::start();
    let mut search = AlphaBeta::new(&jungle, &BurnettEval);
    let mut run =
        |limits: &Limits| deepen(&mut search, &start, Schedule::EVERY_PLY, limits, |_| ());

    let report = run(&Limits::nodes(0));
    assert_eq!((report.nodes, report.depth, report.pv.len()), (0, 0, 1), "a move all the same");
    let report = run(&Limits::nodes(5_000));
    assert_eq!(report.nodes, 5_000);
    assert!(report.depth >= 2 && report.pv.len() == report.depth as usize);
    let report = run(&Limits::depth(3));
    assert_eq!((report.depth, report.pv.len()), (3, 3));
    assert!(report.leaves < report.nodes && report.leaves > 0);

    let stop = Arc::new(AtomicBool::new(true));
    assert_eq!(run(&Limits::none().with_stop(stop)).depth, 0);
    assert_eq!(run(&Limits::time(Duration::ZERO)).depth, 0);
    assert_eq!(fixed(&mut search, &start, 4, &Limits::nodes(100)), None);
}

#[test]
fn depths_follow_the_schedule() {
    let jungle = Jungle::new(Rules::STANDARD);
    let mut search = AlphaBeta::new(&jungle, &BurnettEval);
    let mut seen = Vec::new();
    let watch = |report: &Report<Move>| seen.push(report.depth);
    deepen(&mut search, &Position::start(), Schedule::EVERY_MOVE, &Limits::depth(5), watch);
    assert_eq!(seen, [2, 4, 5]);

    // A win ends the search, however deep it may go.
    let won: Position = "7/3L3/7/7/7/7/7/7/c6 w".parse().unwrap();
    let report = deepen(&mut search, &won, Schedule::EVERY_PLY, &Limits::none(), |_| ());
    assert_eq!((report.score, report.depth), (Score::win_in(1), 1));
    assert_eq!(report.best().map(|mv| mv.to_string()).as_deref(), Some("d8d9"));
}

/// A second opinion on game trees, from another crate.
#[test]
fn minimax_is_minimax() {
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        let jungle = Jungle::new(Rules::LEIDEN);
        let (_, position) = random_game(&jungle, &mut rng, 3, 0);
        for depth in 0..3 {
            let value = game::minimax::minimax(&jungle, &position, depth, &|position, outcome| {
                outcome.map_or_else(
                    || BurnettEval.evaluate(&jungle, position),
                    |outcome| Score::of_outcome(&jungle, position, outcome).value(),
                )
            });
            let ours = searched(&mut Minimax::new(&jungle, &BurnettEval), &position, depth).score;
            if ours.is_decided() {
                assert_eq!(value.abs(), Score::win_in(0).value());
                assert_eq!(value > 0, ours.is_win());
            } else {
                assert_eq!(ours.value(), value);
            }
        }
    }
}

#[test]
fn evaluations_that_order_moves_are_counted_and_save_more_than_they_cost() {
    use std::cell::Cell;

    let jungle = Jungle::new(Rules::STANDARD);
    let evaluations = Cell::new(0);
    let evaluate = |jungle: &Jungle, position: &Position| {
        evaluations.set(evaluations.get() + 1);
        BurnettEval.evaluate(jungle, position)
    };
    let search = |ordered: bool, limits: &Limits| {
        let search = AlphaBeta::new(&jungle, &evaluate);
        let mut search = if ordered { search.ordered_by_evaluation() } else { search };
        evaluations.set(0);
        let mut meter = Meter::new(limits);
        let found = search.search(&Position::start(), 5, &mut meter);
        (found.is_ok(), meter.nodes(), evaluations.get())
    };
    let (_, plain, _) = search(false, &Limits::none());
    let (_, ordered, evaluated) = search(true, &Limits::none());
    assert!(evaluated <= ordered, "{evaluated} evaluations for {ordered} nodes");
    assert!(ordered < plain, "{ordered} nodes with the order, {plain} without");
    // It may be stopped while it orders.
    for most in 1..200 {
        let (done, nodes, evaluated) = search(true, &Limits::nodes(most));
        assert!(!done && nodes == most && evaluated <= most);
    }
}
