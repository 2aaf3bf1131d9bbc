//! `mousetrap amazons play`: a game in the terminal.

use std::io::{BufRead, Write};
use std::time::Duration;

use amazons::exact::Solver;
use amazons::picture::Picture;
use amazons::player::{Kind, Player};
use amazons::{Amazons, Move, Position, player_name};
use game::limits::Limits;
use game::{Game, Outcome, Side};

use super::args::PlayArgs;
use crate::failure::Failure;
use crate::output::Output;

/// How many steps the program tries to solve the game before it searches: well below a second.
const SOLVER_STEPS: u64 = 50_000;

/// A line typed by the user.
enum Typed {
    Move(Move),
    Undo,
    Moves,
    Quit,
    Nonsense(String),
}

pub fn run(args: &PlayArgs, output: &mut Output) -> Result<(), Failure> {
    let start = super::position(&args.position)?;
    let human = |player: Side| match args.side.as_str() {
        "white" => player == Side::First,
        "black" => player == Side::Second,
        "both" => true,
        _ => false,
    };
    let kind = if args.plain { Kind::Plain } else { args.player };
    let mut search = kind.player();
    let mut solver = Solver::new();
    let mut played: Vec<(Position, Move)> = Vec::new();
    let mut position = start;
    let mut input = std::io::stdin().lock();
    loop {
        let mut picture = Picture::of(&position);
        if let Some(&(_, mv)) = played.last() {
            picture = picture.last_move(mv);
        }
        write!(output, "{}", picture.to_terminal())?;
        if let Some(Outcome::Win(winner)) = Amazons.outcome(&position) {
            writeln!(output, "The game is over: {} wins", player_name(winner))?;
            return Ok(());
        }
        let turn = position.turn();
        let mv = if human(turn) {
            match ask(&position, &mut input, output)? {
                Typed::Move(mv) => mv,
                Typed::Quit => return Ok(writeln!(output, "{position}")?),
                Typed::Undo => {
                    // Back to the user's last move, past the program's reply.
                    match played.iter().rposition(|(before, _)| human(before.turn())) {
                        Some(at) => {
                            position = played[at].0;
                            played.truncate(at);
                        }
                        None => writeln!(output, "there is nothing to take back")?,
                    }
                    continue;
                }
                Typed::Moves => {
                    let moves: Vec<String> =
                        Amazons.moves(&position).iter().map(ToString::to_string).collect();
                    for row in moves.chunks(8) {
                        writeln!(output, "  {}", row.join("  "))?;
                    }
                    continue;
                }
                Typed::Nonsense(why) => {
                    writeln!(output, "{why}")?;
                    continue;
                }
            }
        } else {
            let (mv, why) = choose(
                args,
                &position,
                &mut search,
                (kind == Kind::Regions).then_some(&mut solver),
            );
            writeln!(output, "{} plays {mv} ({why})\n", player_name(turn))?;
            mv
        };
        output.flush()?;
        played.push((position, mv));
        Amazons.make(&mut position, mv);
    }
}

fn ask(
    position: &Position,
    input: &mut impl BufRead,
    output: &mut Output,
) -> Result<Typed, Failure> {
    write!(output, "your move: ")?;
    output.flush()?;
    let mut line = String::new();
    let read =
        input.read_line(&mut line).map_err(|error| Failure::outside("reading your move", error))?;
    Ok(match line.trim() {
        _ if read == 0 => Typed::Quit,
        "quit" | "exit" => Typed::Quit,
        "undo" => Typed::Undo,
        "moves" => Typed::Moves,
        text => match Amazons.read_move(position, text) {
            Ok(mv) => Typed::Move(mv),
            Err(error) => Typed::Nonsense(format!("{error} ('moves' lists the legal ones)")),
        },
    })
}

/// A winning move if the end can be solved at once, else the best one that the search finds.
fn choose(
    args: &PlayArgs,
    position: &Position,
    search: &mut Player,
    solver: Option<&mut Solver>,
) -> (Move, String) {
    if let Some(solver) = solver
        && let Ok(Some(mv)) = solver.winning_move(position, SOLVER_STEPS)
    {
        return (mv, "a win, solved".to_owned());
    }
    let limits = Limits::time(Duration::from_secs_f64(args.seconds));
    let report = search.think(position, &limits);
    let mv = report.best().expect("a game that goes on has a move");
    (mv, format!("{} at depth {}", report.score, report.depth))
}
