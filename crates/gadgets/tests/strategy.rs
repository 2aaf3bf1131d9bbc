//! Strategies against every opponent there is, and the game that the first of them lost.

use std::collections::HashMap;

use gadgets::circuit::{Circuit, Gate};
use gadgets::contract::{self, Contract};
use gadgets::formula::Formula;
use gadgets::gadget::{Gadget, Passage};
use gadgets::holding::{HoldState, WhiteMove};
use gadgets::layout::{self, Layout};
use gadgets::play::Opponent;
use gadgets::strategy::{Plan, Strategist};
use gadgets::trial::{Tally, Trial};
use gadgets::{Board, BoardMove, GeneralisedJungle};
use game::Game;
use jungle::{Animal, Color, Rules};

/// The OR of the first proof: a lion gets from one landing to the other without passing the elephant.
fn leaking_or() -> Gadget {
    let ports = ["in1 N 0", "in2 N 2", "out E 0"];
    let drawing = ".~.~~.\n~~ew~.\n~~~L~~\n";
    Gadget::drawn("leaking-or", "OR that leaks", drawing, Passage::Water, &ports, Animal::Lion)
}

/// A game that White won although Black wins the formula game: every move is legal, and the holding
/// game of the first OR, followed move by move, breaks just before the signal leaks.
#[test]
fn the_counterexample_breaks_the_contract_of_the_leaking_or_alone() {
    let formula: Formula = "x & z & (x | y | w | v)".parse().unwrap();
    let circuit = Circuit::of(&formula);
    assert!(!formula.game().white_wins(0, 0, Color::White));
    let gadget = |gate| if gate == Gate::Or { leaking_or() } else { layout::gadget_of(gate) };
    let layout = Layout::with_gadgets(&circuit, gadget);
    layout.check().unwrap();
    let plan = Plan::new(&formula, &layout, Rules::LEIDEN);
    let contracts: Vec<Option<Contract>> = layout
        .blocks
        .iter()
        .map(|block| {
            let (_, surroundings) = contract::kinds().into_iter().find(|k| k.0 == block.gate)?;
            Some(Contract::solve(block.gate, &block.gadget, &surroundings, Rules::LEIDEN))
        })
        .collect();
    for contract in contracts.iter().flatten() {
        assert_eq!(contract.held.holds(), contract.gate != Gate::Or, "{:?}", contract.gate);
    }
    let mut states: Vec<Option<HoldState>> = contracts
        .iter()
        .map(|contract| contract.as_ref().map(|contract| contract.held.game().start()))
        .collect();
    let game = GeneralisedJungle::new(Rules::LEIDEN);
    let mut board = layout.board.clone();
    let (mut first_break, mut seen) = (None, Vec::new());
    let moves = include_str!("data/formula-game-lost-by-black.txt");
    for (ply, line) in moves.lines().enumerate() {
        let name = line.split(' ').nth(2).unwrap();
        let legal = game.moves(&board);
        let mv = legal.into_iter().find(|mv| mv.name(board.geometry()) == name).expect(line);
        if board.turn() == Color::White {
            seen = plan.seen(mv);
        }
        // After Black's reply: his answer, if it is in the same gadget, or none.
        if board.turn() == Color::Black {
            for (block, white) in seen.drain(..) {
                let Some((contract, state)) = contracts[block].as_ref().zip(states[block]) else {
                    continue;
                };
                let next = followed(&layout, contract, block, state, white, mv);
                // A gate whose neighbour broke its promise first is not followed further.
                states[block] = next.filter(|&next| contract.held.game().kept(next));
                if next.is_some() && states[block].is_none() {
                    first_break.get_or_insert((ply, layout.blocks[block].gate));
                }
            }
        }
        game.make(&mut board, mv);
    }
    assert_eq!(game.winner(&board), Some(Color::White));
    assert_eq!(moves.lines().count(), 61);
    assert_eq!(first_break.map(|(_, gate)| gate), Some(Gate::Or));
}

/// The state after a White move and Black's reply; `None` if White could not have made it as long as
/// the neighbours keep their promises.
fn followed(
    layout: &Layout,
    contract: &Contract,
    block: usize,
    state: HoldState,
    white: WhiteMove,
    reply: BoardMove,
) -> Option<HoldState> {
    let game = contract.held.game();
    let next = game.after(state, white)?;
    let geometry = layout.board.geometry();
    let gate = &layout.blocks[block];
    let local = gate.local(geometry, reply.from).zip(gate.local(geometry, reply.to));
    let answers = game.answers(white, next);
    let found = answers.iter().find(|(answer, _)| *answer == local).or(answers.first());
    found.map(|&(_, after)| after)
}

/// Every play there is against a strategist: none is won by the other side, none goes on for ever.
/// Returns how many positions there were, and the longest play.
fn try_everything(text: &str, first: Color) -> (usize, u32) {
    let formula: Formula = text.parse().unwrap();
    let layout = Layout::of(&Circuit::of(&formula));
    let plan = Plan::new(&formula, &layout, Rules::LEIDEN);
    let mut board = layout.board.clone();
    board.set_turn(first);
    let mut known = HashMap::new();
    let winner = plan.winner(first);
    let longest = longest_play(&board, &Strategist::new(&plan, winner), winner, &mut known);
    (known.len(), longest)
}

type Known = HashMap<(Board, (u32, u32, Vec<Option<HoldState>>, Vec<bool>)), Option<u32>>;

fn longest_play(board: &Board, strategist: &Strategist<'_>, side: Color, known: &mut Known) -> u32 {
    let game = GeneralisedJungle::new(Rules::LEIDEN);
    if let Some(winner) = game.winner(board) {
        assert_eq!(winner, side, "the strategist loses");
        return 0;
    }
    let key = (board.clone(), strategist.memory());
    match known.get(&key) {
        Some(Some(longest)) => return *longest,
        Some(None) => panic!("a play that goes on for ever"),
        None => known.insert(key.clone(), None),
    };
    let moves = if board.turn() == side {
        let mut asked = strategist.clone();
        vec![asked.choose(board).expect("a move")]
    } else {
        game.moves(board)
    };
    let mut longest = 0;
    for mv in moves {
        let mut next = strategist.clone();
        if board.turn() == side {
            next.choose(board);
        }
        next.note(board, mv);
        assert!(next.broken().is_empty(), "a contract is broken");
        longest = longest.max(1 + longest_play(&game.after(board, mv), &next, side, known));
    }
    known.insert(key, Some(longest));
    longest
}

#[test]
fn no_play_at_all_beats_the_strategies_on_small_boards() {
    for (text, first) in [
        ("x", Color::White),
        ("x", Color::Black),
        ("x & y", Color::White),
        ("x & y", Color::Black),
        ("x | y", Color::White),
        ("x | y", Color::Black),
    ] {
        let (positions, longest) = try_everything(text, first);
        assert!(positions > 2 && longest > 2, "{text}, {first} first");
    }
}

#[test]
fn a_sample_of_random_formulas_is_won_against_the_searching_adversary() {
    let trial = Trial {
        formulas: 6,
        variables: 5,
        clauses: 6,
        opponent: Opponent::Search,
        seed: 2,
        rules: Rules::LEIDEN.into(),
        stepping: false,
    };
    let mut tally = Tally::default();
    for trial in [trial, Trial { stepping: true, formulas: 1, ..trial }] {
        for (nth, formula) in trial.formulas().enumerate() {
            for game in trial.games(nth, &formula) {
                tally.add(&game);
            }
        }
        assert_eq!((tally.lost, tally.broken), ([0, 0], 0), "{tally:?}");
    }
    assert!(tally.games[0] > 2 && tally.games[1] > 2, "{tally:?}");
}
