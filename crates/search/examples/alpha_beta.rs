//! Minimax, alpha-beta and iterative deepening on a tree drawn at random: the same value, in fewer and
//! fewer positions.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use game::limits::Limits;
use game::rng::Rng;
use game::tree::{At, Tree};
use search::{AlphaBeta, Minimax, Schedule, Table, deepen, fixed};

/// How deep the tree is.
const DEPTH: u32 = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Any game will do: its rules, and a function that values positions where a search stops.
    let tree = Tree::random(&mut Rng::new(5), DEPTH, 5);
    let evaluate = |tree: &Tree, at: &At| tree.evaluate(at);
    let (root, limits) = (tree.root(), Limits::none());

    let minimax = fixed(&mut Minimax::new(&tree, &evaluate), &root, DEPTH, &limits);
    let minimax = minimax.ok_or("nothing stops it")?;
    println!("minimax:    {} in {} nodes", minimax.score, minimax.nodes);

    let alpha_beta = fixed(&mut AlphaBeta::new(&tree, &evaluate), &root, DEPTH, &limits);
    let alpha_beta = alpha_beta.ok_or("nothing stops it")?;
    println!("alpha-beta: {} in {} nodes", alpha_beta.score, alpha_beta.nodes);
    assert_eq!(alpha_beta.score, minimax.score);

    // Deeper and deeper, each depth helped by what the table remembers of the one before.
    let mut searcher = AlphaBeta::new(&tree, &evaluate).table(Table::new(1)?);
    let limits = Limits::depth(DEPTH);
    let deepened = deepen(&mut searcher, &root, Schedule::EVERY_PLY, &limits, |report| {
        println!("depth {:2}:   {} in {} nodes so far", report.depth, report.score, report.nodes);
    });
    assert_eq!(deepened.score, minimax.score);
    Ok(())
}
