//! The learner against its plain oracle, and what must be the same every time.

mod common;

use common::{data, tables, tables_for};
use jungle::Rules;
use mining::cells::{self, Cells};
use mining::data::Dataset;
use mining::learn::{Options, grow};
use mining::population::{Counts, plus};
use mining::split::Criterion;
use mining::tree::Tree;

fn same(one: &Tree, other: &Tree) -> bool {
    one.nodes == other.nodes
}

/// Every class of two pieces, every group of features, both criteria.
#[test]
fn the_streaming_learner_grows_the_trees_of_the_plain_one() {
    let tablebase = tables(&Rules::LEIDEN);
    for class in
        ["C-C", "C-W", "W-C", "R-R", "R-E", "E-R", "C-R", "R-C", "T-E", "E-T", "T-T", "R-T"]
    {
        for features in
            [&["table3"][..], &["cones"], &["squares"], &["table3", "cones", "material"]]
        {
            let data = data(&tablebase, &[class], features);
            let cells = Cells::new(&data);
            let all = vec![true; data.features().len()];
            for criterion in [Criterion::GainRatio, Criterion::Gain] {
                let options = Options { criterion, ..Options::default() };
                let grown = grow(&data, &options, |_| ());
                let plain = cells::grow(&cells, &all, criterion);
                assert!(same(&grown.tree, &plain), "{class} {features:?} {criterion:?}");
                // Without limits, only what the features cannot tell apart is wrong.
                assert_eq!(grown.tree.errors(), cells.inseparable(), "{class} {features:?}");
                assert_eq!(grown.tree.verify(&data), grown.tree.errors());
            }
        }
    }
}

/// Few bytes for counts mean more passes, not other trees.
#[test]
fn batches_and_threads_change_nothing() {
    let tablebase = tables(&Rules::STANDARD);
    let data = data(&tablebase, &["T-E"], &["cones"]);
    let whole = grow(&data, &Options::default(), |_| ());
    let batched = grow(&data, &Options { bytes: 1, ..Options::default() }, |_| ());
    assert!(same(&whole.tree, &batched.tree));
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let grown = pool.install(|| grow(&data, &Options::default(), |_| ()));
        assert!(same(&whole.tree, &grown.tree) && whole.levels == grown.levels);
    }
}

/// A position's answers lead to the leaf where the learner counts it.
#[test]
fn the_way_of_a_position_ends_at_its_leaf() {
    let tablebase = tables(&Rules::STANDARD);
    let data = data(&tablebase, &["T-E"], &["table3", "cones"]);
    let options = Options { max_depth: Some(5), ..Options::default() };
    let tree = grow(&data, &options, |_| ()).tree;
    let (wrong, checked) = data.fold(
        || (0, 0),
        |(wrong, checked), case| {
            let path = tree.path(&case.view);
            let end = path.iter().fold(0, |at, answer| tree.children(at).start + answer);
            *checked += 1;
            *wrong += usize::from(end != tree.walk(case));
        },
        |one, other| (one.0 + other.0, one.1 + other.1),
    );
    assert!(wrong == 0 && checked > 1_000, "{wrong} of {checked}");
}

#[test]
fn limits_are_kept() {
    let tablebase = tables(&Rules::STANDARD);
    let data = data(&tablebase, &["C-W"], &["cones"]);
    let whole = grow(&data, &Options::default(), |_| ());
    for depth in 0..4 {
        let options = Options { max_depth: Some(depth), ..Options::default() };
        let grown = grow(&data, &options, |_| ());
        assert!(grown.tree.depth() <= depth);
        assert!(same(&grown.tree, &whole.tree.cut(depth)), "{depth}");
        assert_eq!(grown.levels.last(), whole.levels.get(depth as usize));
    }
    let options = Options { min_leaf: 50, ..Options::default() };
    let grown = grow(&data, &options, |_| ());
    for node in 0..grown.tree.nodes.len() {
        let sizes =
            grown.tree.children(node).map(|c| grown.tree.nodes[c].counts.iter().sum::<u64>());
        let large = sizes.clone().filter(|&size| size >= 50).count();
        assert!(sizes.len() == 0 || large >= 2);
    }
}

/// With the squares themselves there is always a perfect tree.
#[test]
fn squares_tell_everything_apart() {
    let tablebase = tables_for(&Rules::LEIDEN, &["LC-R", "R-EC"]);
    for class in ["R-T", "T-R", "LC-R", "R-EC"] {
        let data = data(&tablebase, &[class], &["squares"]);
        let grown = grow(&data, &Options::default(), |_| ());
        assert_eq!(grown.tree.errors(), 0, "{class}");
        assert_eq!(grown.tree.verify(&data), 0, "{class}");
    }
}

#[test]
fn pruning_makes_trees_smaller_and_counts_stay_right() {
    let tablebase = tables(&Rules::LEIDEN);
    let data = data(&tablebase, &["T-E"], &["cones"]);
    let whole = grow(&data, &Options::default(), |_| ()).tree;
    let pruned = mining::prune::prune(&whole);
    assert!(pruned.nodes.len() < whole.nodes.len());
    assert_eq!(pruned.verify(&data), pruned.errors());
    assert!(same(&recounted(&pruned, &data), &pruned));
}

/// The tree with everything counted again, position by position.
fn recounted(tree: &Tree, data: &Dataset) -> Tree {
    let counts = data.fold(
        || vec![Counts::default(); tree.nodes.len()],
        |counts, case| counts[tree.walk(case)][case.outcome] += case.weight,
        |one, other| one.into_iter().zip(other).map(|(a, b)| plus(a, b)).collect(),
    );
    let mut counted = tree.clone();
    counted.nodes.iter_mut().zip(counts).for_each(|(node, counts)| node.counts = counts);
    // Children come after their parents.
    for node in (0..counted.nodes.len()).rev() {
        let children = counted.children(node);
        if !children.is_empty() {
            let children = counted.nodes[children].iter();
            counted.nodes[node].counts =
                children.fold(Counts::default(), |sum, child| plus(sum, child.counts));
        }
    }
    counted
}

/// One tree for several classes needs to know which it is looking at.
#[test]
fn one_tree_serves_many_classes() {
    let tablebase = tables(&Rules::LEIDEN);
    let data = data(&tablebase, &["C-C", "C-W", "W-C", "T-E"], &["table3", "material", "squares"]);
    let grown = grow(&data, &Options::default(), |_| ());
    assert_eq!(grown.tree.verify(&data), 0);
    assert_eq!(grown.tree.positions(), 4 * 49 * 48);
}
