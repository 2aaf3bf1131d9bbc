//! Perft files: leaves by depth for positions at every corner of the rules.
//!
//! `tests/data/perft/NAME.perft` belongs to the preset NAME (in `house.perft` the comment names the
//! rules). A position stands on one line, after a comment that says what it is about: `FEN ;D1 24
//! ;D2 576 …`. The numbers come from the naive generator: run this test with `MOUSETRAP_BLESS=1` to
//! write them again. Here the naive generator confirms them as far as it is quick, and the fast one
//! all of them.

use std::fmt::Write;
use std::path::PathBuf;

use game::perft::perft;
use jungle::naive::{Board, Naive};
use jungle::{Jungle, Position, Rules};

/// Leaves that the naive generator is asked to count at most.
const NAIVE_LIMIT: u64 = 3_000_000;

struct Entry {
    comment: String,
    rules: Rules,
    fen: String,
    leaves: Vec<u64>,
}

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/data/perft", &format!("{name}.perft")].iter().collect()
}

fn read(name: &str) -> Vec<Entry> {
    let text = std::fs::read_to_string(path(name)).unwrap();
    let mut comment = String::new();
    let mut entries = Vec::new();
    for line in text.lines() {
        if let Some(text) = line.strip_prefix("# ") {
            comment = text.to_owned();
            continue;
        }
        let mut parts = line.split(" ;");
        let fen = parts.next().unwrap().to_owned();
        let leaves = parts
            .enumerate()
            .map(|(at, part)| {
                let (depth, leaves) = part.split_once(' ').unwrap();
                assert_eq!(depth, format!("D{}", at + 1), "{line}");
                leaves.parse().unwrap()
            })
            .collect();
        let rules = if name == "house" { &comment } else { name };
        entries.push(Entry {
            rules: rules.parse().unwrap(),
            comment: comment.clone(),
            fen,
            leaves,
        });
    }
    entries
}

/// As deep as the naive generator goes without passing its limit, and at least two plies.
fn naive_leaves(rules: Rules, position: &Position) -> Vec<u64> {
    let (naive, board) = (Naive { rules }, Board::from(position));
    let mut leaves = vec![perft(&naive, &board, 1), perft(&naive, &board, 2)];
    while leaves.len() < 5 {
        let (last, before) = (leaves[leaves.len() - 1], leaves[leaves.len() - 2]);
        if last * last / before.max(1) > NAIVE_LIMIT {
            break;
        }
        leaves.push(perft(&naive, &board, leaves.len() as u32 + 1));
    }
    leaves
}

fn check(name: &str) -> usize {
    let mut entries = read(name);
    if std::env::var_os("MOUSETRAP_BLESS").is_some() {
        let mut text = String::new();
        for entry in &mut entries {
            let position = entry.fen.parse().unwrap();
            entry.leaves = naive_leaves(entry.rules, &position);
            write!(text, "# {}\n{position}", entry.comment).unwrap();
            for (at, leaves) in entry.leaves.iter().enumerate() {
                write!(text, " ;D{} {leaves}", at + 1).unwrap();
            }
            text.push('\n');
        }
        std::fs::write(path(name), text).unwrap();
    }
    for Entry { comment, rules, fen, leaves } in &entries {
        let position: Position = fen.parse().unwrap();
        assert_eq!(naive_leaves(*rules, &position), *leaves, "naive, {name}: {comment}");
        for (at, &expected) in leaves.iter().enumerate() {
            let counted = perft(&Jungle::new(*rules), &position, at as u32 + 1);
            assert_eq!(counted, expected, "fast, {name}: {comment}, depth {}", at + 1);
        }
    }
    entries.len()
}

#[test]
fn perft_files() {
    for preset in Rules::PRESETS {
        assert!(check(preset.name) >= 40);
    }
    assert!(check("house") >= 10);
}

/// Plain perft of the start as pinned by four public programs (to depth 6).
#[test]
fn start_to_depth_six() {
    let closed_shore = [24, 576, 12_240, 260_099, 5_111_620, 100_453_636];
    let leiden = [24, 576, 12_240, 260_100, 5_111_725, 100_459_989];
    for (rules, leaves) in
        [(Rules::STANDARD, closed_shore), (Rules::TUFTS, closed_shore), (Rules::LEIDEN, leiden)]
    {
        let jungle = Jungle::new(rules);
        for (at, expected) in leaves.into_iter().enumerate() {
            assert_eq!(perft(&jungle, &Position::start(), at as u32 + 1), expected, "{rules}");
        }
    }
}

/// The row that van Rijn and Vis published: a position that repeats on the path is a leaf.
#[test]
fn published_row_to_depth_six() {
    let jungle = Jungle::new(Rules::LEIDEN);
    let published = [24, 576, 12_240, 260_100, 5_098_477, 99_860_517];
    for (threads, mebibytes) in [(1, 0), (2, 16)] {
        let perft = game::perft::Perft::new()
            .repetition_leaves(true)
            .threads(threads)
            .hash(mebibytes)
            .unwrap();
        for (at, expected) in published.into_iter().enumerate() {
            assert_eq!(perft.count(&jungle, &Position::start(), at as u32 + 1), expected);
        }
    }
}
