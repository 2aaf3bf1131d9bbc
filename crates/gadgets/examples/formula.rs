//! From a formula to a board: the reduction behind the hardness of Dou Shou Qi, carried out and played.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use gadgets::circuit::Circuit;
use gadgets::formula::Formula;
use gadgets::layout::Layout;
use gadgets::lemma;
use gadgets::picture::Picture;
use gadgets::play::{Opponent, Setting, play};
use jungle::{Color, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two players set variables in turn; White wants the formula to hold.
    let formula: Formula = "(x | y) & (x | z | w)".parse()?;
    let white_wins = formula.game().white_wins(0, 0, Color::White);
    println!("White, to move, {} the formula game", if white_wins { "wins" } else { "loses" });

    // The same as a circuit of gadgets, laid out on one board.
    let circuit = Circuit::of(&formula);
    let layout = Layout::of(&circuit);
    layout.check()?;
    let geometry = layout.board.geometry();
    println!(
        "{} gadgets on {} files and {} ranks",
        circuit.gates().len(),
        geometry.width(),
        geometry.height()
    );
    let svg = Picture::of(&layout.board, "The formula").to_svg();
    println!("a picture of it has {} bytes", svg.len());

    // The winner of the formula game wins on the board.
    let played = play(&formula, Setting::new(Opponent::Greedy, 1));
    let winner = played.winner.ok_or("the game was broken off")?;
    println!("{winner:?} won on the board after {} moves", played.moves.len());

    // Each gadget does what it should: a claim about a local game, decided by going through all of it.
    let claims = lemma::mended();
    let claim = claims.first().ok_or("there are claims")?;
    let result = claim.decide(Rules::LEIDEN, 1_000_000);
    let holds = if result.holds == Some(true) { "holds" } else { "does not hold" };
    println!("{}: {holds}, by {} states", claim.text, result.states);
    Ok(())
}
