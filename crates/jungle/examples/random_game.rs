//! A game of random moves: legal moves, notation, house rules, how it ended, and what it looks like.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use game::rng::Rng;
use jungle::picture::{Picture, Terminal};
use jungle::{Jungle, Notation, Play, Rules, parse_move};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A preset, and one switch on top of it.
    let rules: Rules = "standard,repetition=draw".parse()?;
    let mut play = Play::start(Jungle::new(rules));

    // Moves can be read from text. An illegal one is refused with the reason.
    let first = parse_move(play.jungle(), play.position(), "Eb3")?;
    play.play(first)?;
    let refused = parse_move(play.jungle(), play.position(), "Ea4");
    println!("{}", refused.expect_err("Blue's elephant is far away"));

    let mut rng = Rng::new(7);
    while play.ending().is_none() {
        let moves = play.legal_moves();
        let &mv = rng.choose(&moves).expect("a game that goes on has moves");
        if play.moves().len() < 8 {
            let text = Notation::default().write(play.jungle(), play.position(), mv);
            println!("{text} (of {} moves)", moves.len());
        }
        play.play(mv)?;
    }
    let ending = play.ending().expect("the loop ended");
    println!("after {} plies: {ending:?}", play.moves().len());
    println!("{}", play.setup());
    println!("{}", Terminal::of(play.position()).colored(false));

    let svg = Picture::of(play.position()).title("The end").to_svg();
    println!("the same as SVG has {} bytes", svg.len());
    Ok(())
}
