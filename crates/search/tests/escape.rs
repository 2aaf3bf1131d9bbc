//! The complexity-driven search: the paper's example step by step, its theorem as a property, and memory.

mod common;

use std::time::Duration;

use common::{Maze, Written, random_game};
use game::clock::NodeClock;
use game::limits::Limits;
use game::rng::Rng;
use game::score::Score;
use jungle::{BurnettEval, Jungle, Position, Rules};
use proptest::prelude::*;
use search::escape::example::{self, Scored, Sketch};
use search::escape::{Curve, Ended, Escape, Event, Scale, Settings, Solving};
use search::{Minimax, PathRepetition, fixed};

/// The steps that the paper describes, Figures 1 to 3.
const PUBLISHED: &str = "\
expand  Q: 5 children
visit   q1: score +0.333
test    q1: -0.333 < l(0.200) = +1.000, 1 of 5 visited: visit another
visit   q2: score -0.600
test    q2: +0.600 < l(0.400) = +1.000, 2 of 5 visited: visit another
visit   q3: score -0.667
test    q3: +0.667 < l(0.600) = +1.000, 3 of 5 visited: visit another
visit   q4: score -0.200
test    q3: +0.667 ≥ l(0.800) = -1.000, 4 of 5 visited: it escapes
update  Q: score +0.667, complexity 4
weigh   +0.667 ≤ g(0.0333) = +1.000, 4 spent: go on
judge   Q: confirmed
expand  q3: 6 children
visit   q31: score +0.200
test    q31: -0.200 < l(0.167) = +1.000, 1 of 6 visited: visit another
visit   q32: score -0.400
test    q32: +0.400 < l(0.333) = +1.000, 2 of 6 visited: visit another
visit   q33: score +0.067
test    q32: +0.400 < l(0.500) = +1.000, 3 of 6 visited: visit another
visit   q34: score +0.333
test    q32: +0.400 < l(0.667) = +1.000, 4 of 6 visited: visit another
visit   q35: score +0.133
test    q32: +0.400 ≥ l(0.833) = -1.000, 5 of 6 visited: it escapes
update  q3: score +0.400, complexity 6
weigh   +0.667 ≤ g(0.0750) = +1.000, 9 spent: go on
judge   q3: refuted: another child of the root is better
test    q2: +0.600 ≥ l(0.900) = -1.000, 4 of 5 visited: it escapes
update  Q: score +0.600, complexity 9
";

/// Run it with `-- --nocapture` to read the trace; `mousetrap escape --published` prints it too.
#[test]
#[expect(clippy::print_stdout, reason = "the trace is for reading")]
fn the_published_example_runs_step_by_step() {
    let (answer, trace) = example::run();
    println!("{trace}");
    let steps: Vec<&str> = trace.lines().collect();
    for (at, expected) in PUBLISHED.lines().enumerate() {
        assert_eq!(steps[at], expected, "step {}", at + 1);
    }
    // It goes on until 30 of the 120 units are spent, and then any score is good enough.
    assert_eq!((answer.ended, answer.spent), (Ended::Escaped, 31));
    assert!(steps.contains(&"weigh   +0.000 > g(0.2583) = -1.000, 31 spent: move"));
}

fn random_tree(rng: &mut Rng, depth: u32, width: usize) -> Sketch {
    let score = rng.below(31) as i32 - 15;
    if depth == 0 || rng.below(7) == 0 {
        return Sketch(score, Vec::new());
    }
    let children = 1 + rng.below(width);
    Sketch(score, (0..children).map(|_| random_tree(rng, depth - 1, width)).collect())
}

fn nodes_of(Sketch(_, children): &Sketch) -> u64 {
    1 + children.iter().map(nodes_of).sum::<u64>()
}

/// Any escape function of the family; `never` too, which the search has to bear.
fn curve() -> impl Strategy<Value = Curve> {
    prop_oneof![
        (0.0..=1.0).prop_map(Curve::Step),
        (0.0..0.5, 0.51..=1.0).prop_map(|(from, to)| Curve::Linear(from, to)),
        (0.05..8.0).prop_map(Curve::Power),
        (0.0..=1.0, 0.1..60.0).prop_map(|(middle, steep)| Curve::Sigmoid(middle, steep)),
        (0.01..0.99, -0.9..0.9).prop_map(|(x, y): (f64, f64)| {
            Curve::piecewise("points".into(), &format!("0 1\n{x} {y}\n1 -1")).unwrap()
        }),
        Just(Curve::Never),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The theorem: with g = 1 and enough to spend the answer is the minimax value, for any local
    /// function and any costs, and the search stops.
    #[test]
    fn with_enough_to_spend_the_answer_is_the_minimax_value(
        seed: u64, local in curve(), visit in 0_u32..4, expand in 0_u32..3, scale in 1_i32..40,
    ) {
        let sketch = random_tree(&mut Rng::new(seed), 5, 4);
        let tree = Scored::new(&sketch);
        let settings = Settings {
            local, visit, expand,
            global: Curve::Never,
            scale: Scale::Linear(f64::from(scale)),
            solving: Solving::Conjunction,
            ..Settings::default()
        };
        let mut minimax = Minimax::new(&tree, &tree);
        let truth = fixed(&mut minimax, &tree.root(), 9, &Limits::none()).unwrap();
        let answer = Escape::new(&tree, &tree, settings.clone())
            .search(&tree.root(), &Limits::none());
        prop_assert_eq!(answer.ended, Ended::Solved);
        prop_assert_eq!(answer.score, truth.score);
        // Everything was visited, once.
        prop_assert_eq!(answer.visits, nodes_of(&sketch) - 1);

        // A win is a win: the rest of the node need not be looked at.
        let settings = Settings { solving: Solving::Decided, ..settings };
        let sooner = Escape::new(&tree, &tree, settings).search(&tree.root(), &Limits::none());
        prop_assert_eq!(sooner.ended, Ended::Solved);
        prop_assert_eq!(sooner.score.is_win(), truth.score.is_win());
        prop_assert_eq!(sooner.score.is_loss(), truth.score.is_loss());
        prop_assert!(sooner.visits <= answer.visits);
    }

    /// The same for estimates, which a limit of depth makes leaves of, on a graph full of cycles, with
    /// repetition drawn or ignored.
    #[test]
    fn to_a_limited_depth_the_answer_is_the_minimax_value_at_that_depth(
        seed: u64, local in curve(), depth in 1_u32..6, draws: bool,
    ) {
        let maze = Maze::random(&mut Rng::new(seed), 7, false);
        let repetition = if draws { PathRepetition::Draw } else { PathRepetition::Ignored };
        let settings = Settings {
            local, repetition: Some(repetition),
            global: Curve::Never,
            scale: Scale::Half(10.0),
            solving: Solving::Conjunction,
            depth: Some(depth),
            ..Settings::default()
        };
        let mut minimax = Minimax::new(&maze, &Written).repetition(repetition);
        let truth = fixed(&mut minimax, &maze.start(), depth, &Limits::none()).unwrap();
        let answer = Escape::new(&maze, &Written, settings).search(&maze.start(), &Limits::none());
        prop_assert_eq!(answer.ended, Ended::Solved);
        prop_assert_eq!(answer.score, truth.score);
    }

    /// Whatever the functions and however little there is, what may be spent is kept to, memory too,
    /// and there is a move.
    #[test]
    fn allowances_and_memory_are_kept_to(
        seed: u64, local in curve(), global in curve(), most in 0_u64..4000, memory in 200_usize..3000,
    ) {
        let jungle = Jungle::new(Rules::STANDARD);
        let (history, position) = random_game(&jungle, &mut Rng::new(seed), 5, 6);
        let settings = Settings { local, global, memory, repetition: Some(PathRepetition::Draw), ..Settings::default() };
        let search = |settings: &Settings| {
            let mut search = Escape::new(&jungle, &BurnettEval, settings.clone()).history(&history);
            search.search(&position, &Limits::game_nodes(20_000).with_nodes(most))
        };
        let answer = search(&settings);
        prop_assert!(answer.spent <= most);
        prop_assert_eq!(answer.visits, answer.spent);
        prop_assert!(answer.peak <= memory);
        prop_assert!(answer.best.is_some());
        prop_assert_ne!(answer.ended, Ended::Full);
        prop_assert_eq!(search(&settings), answer, "the same search twice");
    }
}

#[test]
fn a_good_root_moves_sooner_than_a_bad_one_and_what_is_saved_is_left() {
    let jungle = Jungle::new(Rules::STANDARD);
    let settings = Settings { global: "linear(0,0.2)".parse().unwrap(), ..Settings::default() };
    let spent = |fen: &str| {
        let position: Position = fen.parse().unwrap();
        let mut clock = NodeClock::new(50_000);
        let mut search = Escape::new(&jungle, &BurnettEval, settings.clone());
        let answer = search.search(&position, &Limits::game_nodes(clock.left()));
        assert_eq!(answer.ended, Ended::Escaped);
        clock.charge(answer.spent);
        assert_eq!(clock.left() + answer.spent, 50_000);
        answer.spent
    };
    // The same position for the side that is an elephant up, and for the other.
    let [good, bad] =
        ["w", "b"].map(|turn| spent(&format!("l5t/1d3c1/r1p1w2/7/7/7/E1W1P1R/1C3D1/T5L {turn}")));
    assert!(good < bad, "{good} and {bad}");
}

#[test]
fn complexity_can_be_counted_in_time() {
    let jungle = Jungle::new(Rules::STANDARD);
    let settings = Settings { global: Curve::Never, ..Settings::default() };
    let answer = Escape::new(&jungle, &BurnettEval, settings)
        .search(&Position::start(), &Limits::time(Duration::from_millis(5)));
    assert_eq!(answer.ended, Ended::Spent);
    assert!(answer.visits > 0 && answer.best.is_some());
}

/// A tree that is one long corridor with a side door every step would overflow any recursion.
#[test]
fn depth_is_no_trouble() {
    let mut sketch = Sketch(1, Vec::new());
    for step in 0..100_000 {
        sketch = Sketch(step % 3, vec![sketch]);
    }
    let tree = Scored::new(&sketch);
    let settings = Settings { global: Curve::Never, ..Settings::default() };
    let answer = Escape::new(&tree, &tree, settings).search(&tree.root(), &Limits::none());
    assert_eq!((answer.ended, answer.deepest), (Ended::Solved, 100_000));
    assert!(answer.score.is_decided());
}

#[test]
fn pruning_frees_half_and_keeps_the_best_line() {
    let jungle = Jungle::new(Rules::STANDARD);
    let settings = Settings { global: Curve::Never, memory: 2_000, ..Settings::default() };
    let mut prunings = Vec::new();
    let mut search = Escape::new(&jungle, &BurnettEval, settings);
    let mut watch = |_: &[jungle::Move], event: Event<jungle::Move>| {
        if let Event::Pruned(pruned) = event {
            prunings.push(pruned);
        }
    };
    let answer = search.search_watched(&Position::start(), &Limits::game_nodes(60_000), &mut watch);
    assert_eq!(prunings.len() as u64, answer.prunings);
    assert!(answer.prunings > 5);
    for pruned in &prunings {
        assert!(pruned.kept <= 1_000 && pruned.freed >= 950, "{pruned:?}");
    }
    assert!(answer.pv.len() > 1, "the best line is forgotten last");
    assert!(search.bytes() <= 2 * 2_000 * 24);
    // What is left is consistent: a node is worth the best of its visited children.
    let mut nodes = vec![search.tree()];
    while let Some(node) = nodes.pop() {
        if node.is_expanded() {
            let best = node.best().map(|child| child.score().deeper());
            assert_eq!(best, Some(node.score()));
            assert!(node.visited().count() <= node.count());
        }
        nodes.extend(node.visited());
    }
}

#[test]
fn a_finished_game_has_no_move_and_no_budget_still_has_one() {
    let tree = Scored::new(&Sketch(1, Vec::new()));
    let answer =
        Escape::new(&tree, &tree, Settings::default()).search(&tree.root(), &Limits::game_nodes(9));
    assert_eq!((answer.best, answer.score, answer.ended), (None, Score::win_in(0), Ended::Solved));
    let tree = example::published();
    let answer =
        Escape::new(&tree, &tree, Settings::default()).search(&tree.root(), &Limits::game_nodes(0));
    assert_eq!((answer.best, answer.ended, answer.spent), (Some(1), Ended::Spent, 0));
}
