//! Analysis of a position: the engine's two best lines, deeper and deeper, and its answer.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use engine::{Engine, Event, Options};
use game::limits::Limits;
use jungle::{Jungle, Notation, Play, Rules, Setup};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setup: Setup = "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w".parse()?;
    let play = Play::new(Jungle::new(Rules::STANDARD), &setup)?;

    let mut engine = Engine::new();
    engine.set_options(Options { lines: 2, ..Options::default() })?;
    // The search runs on its own threads and reports to a handler; `wait` waits for the answer.
    let search = engine.go(&play, Limits::depth(8), |event| {
        if let Event::Line(line) = event {
            let pv: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
            println!("{:2} #{}  {:12} {}", line.depth, line.index, line.score, pv.join(" "));
        }
    });
    let answer = search.wait();
    let best = answer.best.ok_or("the game is over")?;
    let best = Notation::default().write(play.jungle(), play.position(), best);
    println!("best is {best}, after {} nodes", answer.nodes);
    Ok(())
}
