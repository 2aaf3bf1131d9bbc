//! Minimum spanning trees: does updating one after a move pay, compared with computing it from scratch?

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use clap::Args;
use game::Game;
use game::rng::Rng;
use jungle::causality::update::Tree;
use jungle::causality::{Causality, Node, naive};
use jungle::{Color, Jungle, Position, Rules};
use serde::{Deserialize, Serialize};

use crate::parameter::{text, within};
use crate::statistics::median;
use crate::study::each;
use crate::{Context, Draft, Study, StudyError};

/// Updating spanning trees.
pub struct SpanningTrees;

/// What is updated.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct Params {
    /// How many moves to make on each board
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub moves: u32,
    /// The most pieces on an open board
    #[arg(long, value_name = "N", default_value_t = 2000,
          value_parser = clap::value_parser!(u32).range(16..=5000))]
    pub pieces: u32,
    /// A preset, or a preset with switches as in leiden,repetition=draw
    #[arg(long, value_name = "RULES", default_value = "standard")]
    #[serde(with = "text")]
    pub rules: Rules,
}

impl Default for Params {
    fn default() -> Params {
        Params { moves: 400, pieces: 2000, rules: Rules::STANDARD }
    }
}

/// The results.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The boards.
    pub boards: Vec<BoardRow>,
    /// By how much weights change in a move.
    pub changes: Vec<Changes>,
    /// How often the published algorithm is wrong.
    pub published: Vec<Published>,
}

/// One board.
#[derive(Clone, Debug, Serialize)]
pub struct BoardRow {
    board: String,
    pieces: usize,
    moves: u32,
    /// Of one move, the median: other load on the machine affects a few moves only.
    update_microseconds: f64,
    anew_microseconds: f64,
    /// How many times faster updating is.
    ratio: f64,
}

/// By how much weights change in a move.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Changes {
    pairs: &'static str,
    /// How many weights changed by 0, 1, 2, 3, 4 and more.
    by: [u64; 6],
}

/// How often the published algorithm is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
    form: &'static str,
    moves: u64,
    not_minimal: u64,
}

/// How many pieces open boards have.
const SIZES: [usize; 9] = [16, 32, 64, 125, 250, 500, 1000, 2000, 5000];

impl Study for SpanningTrees {
    const NAME: &'static str = "bench-mst";
    const TITLE: &'static str = "Spanning trees, updated and recomputed";
    const ABOUT: &'static str = "Spanning trees: updated after each move, and recomputed";
    const TAKES: &'static str = "a minute";

    type Params = Params;
    type Results = Results;

    fn run(params: &Params, context: &mut Context<'_>) -> Result<Option<Results>, StudyError> {
        within("moves", params.moves, 1..=1_000_000)?;
        within("pieces", params.pieces, 16..=5000)?;
        let sizes = SIZES.into_iter().filter(|&pieces| pieces <= params.pieces as usize);
        context.progress.begin("boards", None);
        let mut boards = vec![our_board(params)];
        for pieces in sizes {
            boards.push(open_board(pieces, params.moves)?);
            context.advance()?;
        }
        context.progress.end();
        let (changes, published) = games(params.rules);
        Ok(Some(Results { boards, changes, published }))
    }

    fn render(params: &Params, results: &Results) -> String {
        let mut text = "a move on each board: the tree updated, and recomputed (Prim)\n".to_owned();
        for row in &results.boards {
            let _ = writeln!(
                text,
                "{:<24} {:>5} pieces  updated {:>9.2} µs  recomputed {:>9.2} µs  ratio {:>6.2}",
                row.board, row.pieces, row.update_microseconds, row.anew_microseconds, row.ratio
            );
        }
        let _ = writeln!(
            text,
            "\nweights changed in a move of random games, {}, by plies\n\
             {:<26}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}",
            params.rules, "", 0, 1, 2, 3, 4, "more"
        );
        for row in &results.changes {
            let counts: String = row.by.iter().map(|count| format!("{count:>8}")).collect();
            let _ = writeln!(text, "{:<26}{counts}", row.pairs);
        }
        text.push_str("\nUpdate-MST exactly as printed, in the same games\n");
        for row in &results.published {
            let _ = writeln!(
                text,
                "{:<32}not minimal after {} of {} moves",
                row.form, row.not_minimal, row.moves
            );
        }
        text
    }

    fn lines(results: &Results) -> serde_json::Result<Vec<String>> {
        let mut lines = each(&results.boards)?;
        lines.extend(each(&results.changes)?);
        lines.extend(each(&results.published)?);
        Ok(lines)
    }

    fn record(params: &Params, results: &Results, draft: Draft) -> Draft {
        draft.rules(params.rules).parameter("moves", params.moves).results(results)
    }
}

/// The positions of random games without captures. Recomputing is done as in a search: tables and
/// packed keys, not the general algorithm.
fn our_board(params: &Params) -> BoardRow {
    let (jungle, causality) = (Jungle::new(params.rules), Causality::new(&params.rules));
    let mut rng = Rng::new(1);
    let mut position = Position::start();
    let weight = |one: &Node, other: &Node| time(&causality, one, other);
    let mut nodes = naive::nodes(&causality, &position);
    let mut tree = Tree::new(16, |one, other| weight(&nodes[one], &nodes[other]));
    let (mut update, mut recomputed) = (Vec::new(), Vec::new());
    for _ in 0..params.moves {
        let mut moves = jungle.moves(&position);
        moves.retain(|mv| !mv.is_capture() && !jungle::board::DENS.contains(mv.to));
        let Some(&mv) = rng.choose(&moves) else { break };
        let moved = nodes.iter().position(|node| node.square == mv.from).expect("it stands there");
        nodes[moved].square = mv.to;
        position.make(mv);
        let start = Instant::now();
        tree.update(moved, |other| weight(&nodes[moved], &nodes[other]));
        update.push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        black_box(causality.split(black_box(&position), Color::White, u8::MAX));
        recomputed.push(start.elapsed().as_secs_f64());
    }
    row("ours", 16, params.moves, update, recomputed)
}

/// Never is heavier than anything else.
fn time(causality: &Causality, one: &Node, other: &Node) -> u16 {
    let time = causality.time_to_effect(one, other, Color::White).get();
    time.map_or(u16::from(u8::MAX), u16::from)
}

fn row(board: &str, pieces: usize, moves: u32, update: Vec<f64>, recomputed: Vec<f64>) -> BoardRow {
    let [update, recomputed] =
        [update, recomputed].map(|seconds| median(seconds).unwrap_or_default());
    BoardRow {
        board: board.to_owned(),
        pieces,
        moves,
        update_microseconds: update * 1e6,
        anew_microseconds: recomputed * 1e6,
        ratio: recomputed / update,
    }
}

/// A square board without water, a quarter of it occupied by walkers of two sides that step about.
fn open_board(pieces: usize, moves: u32) -> Result<BoardRow, StudyError> {
    let side = (4.0 * pieces as f64).sqrt().ceil() as usize;
    let mut rng = Rng::new(pieces as u64);
    let mut taken = vec![false; side * side];
    let mut places = Vec::with_capacity(pieces);
    while places.len() < pieces {
        let place = rng.below(side * side);
        if !std::mem::replace(&mut taken[place], true) {
            places.push(place);
        }
    }
    // Definition 7.1 for walkers on open ground, where the distance decides.
    let weight = |one: (usize, usize), other: (usize, usize)| -> u16 {
        let apart = |one: usize, other: usize| {
            (one / side).abs_diff(other / side) + (one % side).abs_diff(other % side)
        };
        let moves = apart(one.1, other.1);
        let time = match (one.0 % 2, other.0 % 2) {
            (0, 0) => 4 * moves.div_ceil(2) - 3,
            (1, 1) => 4 * moves.div_ceil(2) - 1,
            _ => moves - 1,
        };
        time as u16
    };
    let between = |places: &[usize], one: usize, other: usize| {
        weight((one, places[one]), (other, places[other]))
    };
    let mut tree = Tree::new(pieces, |one, other| between(&places, one, other));
    let (mut update, mut recomputed) = (Vec::new(), Vec::new());
    let mut made = 0;
    while made < moves {
        let moved = rng.below(pieces);
        let from = places[moved];
        let (x, y) = (from % side, from / side);
        let to = match rng.below(4) {
            0 if x > 0 => from - 1,
            1 if x + 1 < side => from + 1,
            2 if y > 0 => from - side,
            3 if y + 1 < side => from + side,
            _ => continue,
        };
        if std::mem::replace(&mut taken[to], true) {
            continue;
        }
        taken[from] = false;
        places[moved] = to;
        made += 1;
        let start = Instant::now();
        tree.update(moved, |other| between(&places, moved, other));
        update.push(start.elapsed().as_secs_f64());
        // The matrix is up to date already; only the tree is left to recompute.
        let start = Instant::now();
        let edges = black_box(tree.recomputed());
        recomputed.push(start.elapsed().as_secs_f64());
        if edges.iter().map(|edge| u64::from(edge.weight)).sum::<u64>() != tree.weight() {
            return Err(StudyError::Contradiction(format!(
                "the trees of {pieces} pieces disagree"
            )));
        }
    }
    Ok(row(&format!("open, {side} by {side}"), pieces, moves, update, recomputed))
}

/// How often Burnett's premises hold in random games, captures left out: the roles are tied to the
/// colours, White being player A.
fn games(rules: Rules) -> (Vec<Changes>, Vec<Published>) {
    const GAMES: u32 = 100;
    const PLIES: u32 = 60;
    let (jungle, causality) = (Jungle::new(rules), Causality::new(&rules));
    let mut rng = Rng::new(2);
    let names = ["enemies that move alike", "enemies that do not", "friends"];
    let mut changes = names.map(|pairs| Changes { pairs, ..Changes::default() });
    let mut published = ["as published (8.2.3)", "with its optimisation (8.2.4)"]
        .map(|form| Published { form, moves: 0, not_minimal: 0 });
    for _ in 0..GAMES {
        let mut position = Position::start();
        let mut nodes = naive::nodes(&causality, &position);
        let len = nodes.len();
        for _ in 0..PLIES {
            let mut moves = jungle.moves(&position);
            moves.retain(|mv| !mv.is_capture() && !jungle::board::DENS.contains(mv.to));
            let Some(&mv) = rng.choose(&moves) else { break };
            let moved = nodes.iter().position(|node| node.square == mv.from).expect("it is there");
            let old = nodes.clone();
            nodes[moved].square = mv.to;
            let before = |one: usize, other: usize| time(&causality, &old[one], &old[other]);
            let after = |one: usize, other: usize| time(&causality, &nodes[one], &nodes[other]);
            for other in (0..len).filter(|&other| other != moved) {
                let friends = nodes[other].piece.color == nodes[moved].piece.color;
                let alike = nodes[other].movement == nodes[moved].movement;
                let by = before(moved, other).abs_diff(after(moved, other));
                let kind = if friends { 2 } else { usize::from(!alike) };
                changes[kind].by[usize::from(by).min(5)] += 1;
            }
            let tree = Tree::new(len, before);
            let right = Tree::new(len, after).weight();
            for (form, optimised) in published.iter_mut().zip([false, true]) {
                let edges =
                    naive::update_as_published(tree.edges(), moved, len, before, after, optimised);
                let weight: u64 = edges.iter().map(|edge| u64::from(edge.weight)).sum();
                form.moves += 1;
                form.not_minimal += u64::from(weight != right);
            }
            position.make(mv);
        }
    }
    (changes.into(), published.into())
}
