//! What is shown: the same bytes every time, well-formed, and true.

mod common;

use common::{data, tables, tables_for};
use jungle::{Position, Rules};
use mining::data::Dataset;
use mining::learn::{Options, grow};
use mining::population::{OUTCOMES, Population};
use mining::show::{self, TreeReport};
use mining::statements;
use mining::{cost, examples};
use tablebase::Tablebase;

fn report(data: &Dataset, depth: u32) -> TreeReport {
    let grown = grow(data, &Options { max_depth: Some(depth), ..Options::default() }, |_| ());
    TreeReport {
        title: "T-E".to_owned(),
        rules: "leiden".to_owned(),
        examples: examples::find(data, &grown.tree, 3),
        bits: cost::bits(&grown.tree),
        tree: grown.tree,
        levels: grown.levels,
        table_bytes: Some(1000),
    }
}

#[test]
fn the_same_tree_gives_the_same_bytes() {
    let tablebase = tables(&Rules::LEIDEN);
    let formats: [fn(&TreeReport) -> String; 5] =
        [show::text, show::dot, show::svg, show::html, |report| show::json(report).to_string()];
    let all = || {
        let report = report(&data(&tablebase, &["T-E"], &["table3", "cones"]), 5);
        formats.map(|format| format(&report))
    };
    assert_eq!(all(), all());
}

#[test]
fn drawings_are_xml_and_name_every_leaf() {
    let tablebase = tables(&Rules::LEIDEN);
    let report = report(&data(&tablebase, &["T-E"], &["table3"]), 9);
    let svg = show::svg(&report);
    let document = roxmltree::Document::parse(&svg).expect("XML");
    let texts = document.descendants().filter(|node| node.tag_name().name() == "text").count();
    // A title, a text for each node, and one for each answer.
    assert_eq!(texts, 1 + report.tree.nodes.len() + report.tree.nodes.len() - 1);
    let html = show::html(&report);
    assert_eq!(html.matches("<details").count(), report.tree.questions());
    assert_eq!(html.matches("class=\"leaf").count(), report.tree.leaves().count());
    let dot = show::dot(&report);
    assert_eq!(dot.matches(" -> ").count(), report.tree.nodes.len() - 1);
}

/// Probes the positions that are shown.
#[test]
fn examples_are_what_they_are_said_to_be() {
    let tablebase = tables(&Rules::LEIDEN);
    let report = report(&data(&tablebase, &["T-E"], &["table3"]), 9);
    let truth = |position: &Position| {
        let wdl = tablebase.probe_outcome(position).expect("the table is there");
        mining::population::outcome_index(wdl)
    };
    for (at, leaf) in report.tree.leaves() {
        if let Some(position) = &report.examples.nodes[at] {
            assert_eq!(truth(position), leaf.outcome);
        }
    }
    assert_eq!(report.examples.wrong.len(), 3.min(report.tree.errors() as usize));
    for wrong in &report.examples.wrong {
        assert_eq!(truth(&wrong.position), wrong.truth);
        assert_ne!(wrong.truth, wrong.claimed);
    }
    // A random sample, the same on any number of threads.
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let data = data(&tablebase, &["T-E"], &["table3"]);
        let again = pool.install(|| examples::find(&data, &report.tree, 3));
        assert_eq!(again.nodes, report.examples.nodes);
        assert_eq!(again.wrong, report.examples.wrong);
    }
    let json = show::json(&report);
    assert_eq!(json["leaves"], report.tree.leaves().count());
    assert_eq!(json["counts"]["draw"], report.tree.nodes[0].counts[1]);
}

/// A population agrees with ordinary probing, also where the table has the colours exchanged.
#[test]
fn populations_hold_the_truth() {
    let tablebase = tables_for(&Rules::STANDARD, &["DC-W", "W-DC"]);
    for class in ["C-R", "R-C", "W-D", "D-W", "DC-W", "W-DC"] {
        let data = data(&tablebase, &[class], &["squares"]);
        let population: &Population = data.populations().next().unwrap();
        let rows = population.rows();
        let mut view = 0_u64;
        for row in 0..rows {
            population.row(row, |sample| {
                view += sample.weight;
                if row % 7 == 0 {
                    let position = population.position(sample.squares).unwrap();
                    check(&tablebase, &position, sample.outcome);
                }
            });
        }
        assert_eq!(view, data.counts().iter().sum::<u64>(), "{class}");
    }
}

fn check(tablebase: &Tablebase, position: &Position, outcome: usize) {
    let wdl = tablebase.probe_outcome(position).expect("the table is there");
    assert_eq!(OUTCOMES[mining::population::outcome_index(wdl)], OUTCOMES[outcome], "{position}");
}

/// Statements hold for every position, checked by a plain loop.
#[test]
fn statements_have_no_exception() {
    let tablebase = tables_for(&Rules::LEIDEN, &["C-WC"]);
    for class in ["C-C", "T-E", "R-C", "C-WC"] {
        let data = data(&tablebase, &[class], &["cones"]);
        let found = statements::find(&data, 6);
        assert!(found.covered > found.positions / 2, "{class}");
        assert_eq!(found.positions, data.counts().iter().sum::<u64>());
        let covered: u64 = found.statements.iter().map(|statement| statement.new).sum();
        assert_eq!(covered, found.covered);
        for statement in &found.statements {
            let counts = data.fold(
                || [0_u64; 3],
                |counts, case| {
                    let mut values = Vec::new();
                    case.values(data.features(), &mut values);
                    if statement.conditions.iter().all(|condition| condition.holds(&values)) {
                        counts[case.outcome] += case.weight;
                    }
                },
                mining::population::plus,
            );
            let mut expected = [0; 3];
            expected[statement.outcome] = statement.positions;
            assert_eq!(counts, expected, "{class}: {}", statement.sentence(data.features()));
        }
    }
}
