//! The documents that all front ends give: legal moves, a refusal, and the truth from endgame tables.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use answers::{GameRequest, GameState, Probe};
use jungle::Rules;
use tablebase::Tablebase;
use tablebase::build::{Wanted, in_memory};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A game as text, as it comes from a command line or a query.
    let request = GameRequest { moves: Some("a3a4,ra6".into()), ..GameRequest::default() };
    let state = GameState::of(&request.play()?);
    println!("{} legal moves in {}", state.moves.len(), state.fen);

    // A question without an answer is a refusal: a code for programs, a sentence for people.
    let illegal = GameRequest { moves: Some("c3c4".into()), ..GameRequest::default() };
    if let Err(refusal) = illegal.play() {
        println!("{}", serde_json::to_string(&refusal)?);
    }

    // All tables of two pieces, solved in memory; tables on disk are opened as a `Set`.
    let tables = Tablebase::new(&Rules::LEIDEN, 2, in_memory(&Rules::LEIDEN, &Wanted::Pieces(2))?);
    let fen = Some("7/7/3e3/7/7/7/3E3/7/7 w".into());
    let play = GameRequest { fen, rules: Some("leiden".into()), moves: None }.play()?;
    let probe = Probe::of(&tables, play.jungle(), play.position())?;
    println!("{}", serde_json::to_string_pretty(&probe)?);
    Ok(())
}
