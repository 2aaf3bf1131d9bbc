//! A guided search that strikes out moves finds the value that it would have found without.

use game::Game;
use game::limits::{Limits, Meter};
use game::rng::Rng;
use game::score::{Evaluate, Score};
use jungle::decompose::{Cut, PartedJungle, Threshold};
use jungle::{BurnettEval, Jungle, Position, Rules, Setup, Square};
use players::{Guided, Guides};
use search::Searcher;

/// House rules that change who moves where, besides the presets.
const RULES: [&str; 5] = [
    "tufts",
    "leiden",
    "standard",
    "standard,panther-jumps=sideways",
    "tufts,annihilation-wins=no",
];

/// Minimax that does not ask at the last ply whether there is a move.
fn minimax(jungle: &Jungle, position: &Position, depth: u32) -> Score {
    if let Some(ending) = jungle.decided(position) {
        return Score::of_outcome(jungle, position, ending.outcome());
    }
    if depth == 0 {
        return Score::estimate(BurnettEval.evaluate(jungle, position));
    }
    let replies = jungle.moves(position).into_iter();
    let scores = replies.map(|mv| minimax(jungle, &jungle.after(position, mv), depth - 1).deeper());
    scores.max().unwrap_or_else(|| {
        let outcome = jungle.outcome(position).expect("without moves the game is over");
        Score::of_outcome(jungle, position, outcome)
    })
}

fn parted(rules: Rules) -> PartedJungle {
    PartedJungle::new(rules, Cut::Threshold(Threshold::default()))
}

/// The value, the nodes it took, and how many moves were struck out.
fn guided(game: &PartedJungle, by: Guides, position: &Position, depth: u32) -> (Score, u64, u64) {
    let mut meter = Meter::new(&Limits::none());
    let mut search = Guided::new(game, by, Threshold::OfDepth { hundredths: 100 });
    let line = search.search(position, depth, &mut meter).expect("there is no limit");
    if let Some(mv) = line.pv.first() {
        assert!(game.moves(position).contains(mv));
    }
    (line.score, meter.nodes(), search.struck())
}

/// A random position of a game that goes on.
fn scattered(rng: &mut Rng, rules: Rules, share: usize) -> Position {
    let all = Setup::from(&Position::start());
    loop {
        let mut setup = Setup::empty();
        for (_, piece) in all.pieces() {
            if rng.below(10) < share {
                let square = Square::ALL[rng.below(Square::COUNT)];
                let before = setup.board[square.index()].replace(piece);
                if setup.position().is_err() {
                    setup.board[square.index()] = before;
                }
            }
        }
        if let Ok(position) = setup.position()
            && Jungle::new(rules).outcome(&position).is_none()
        {
            let turned = position.with_turn(!position.turn());
            let turn = rng.below(2) == 0 && Jungle::new(rules).outcome(&turned).is_none();
            return if turn { turned } else { position };
        }
    }
}

#[test]
fn striking_out_changes_no_value() {
    let mut rng = Rng::new(41);
    let (mut struck, mut compared) = ([0; 7], 0);
    let games = RULES.map(|rules| parted(rules.parse().unwrap()));
    for round in 0..250 {
        let game = &games[round % RULES.len()];
        let (jungle, rules) = (game.jungle(), *game.jungle().rules());
        let position = scattered(&mut rng, rules, 1 + round % 4);
        let deepest = if position.occupied().len() <= 3 { 6 } else { 4 };
        for depth in 1..=deepest {
            if jungle.count_moves(&position).pow(depth) > 20_000 {
                break;
            }
            let (score, _, gone) = guided(game, Guides::STRIKE, &position, depth);
            let oracle = minimax(jungle, &position, depth);
            assert_eq!(score, oracle, "depth {depth}, {rules}, {position}");
            let last = Guides { last: true, ..Guides::STRIKE };
            assert_eq!(guided(game, last, &position, depth).0, oracle, "{rules}, {position}");
            struck[depth as usize] += gone;
            compared += 1;
        }
    }
    assert!(compared > 500 && struck[1..].iter().all(|&n| n > 100), "{compared}: {struck:?}");
}

/// Deeper, with a full board, where the search without striking out is the oracle.
#[test]
fn striking_out_changes_no_value_in_games() {
    let mut rng = Rng::new(43);
    let (game, jungle) = (parted(Rules::TUFTS), Jungle::new(Rules::TUFTS));
    let (mut with, mut without) = (0, 0);
    for _ in 0..4 {
        let mut position = Position::start();
        for ply in 0..60 {
            let Some(&mv) = rng.choose(&jungle.moves(&position)) else {
                break;
            };
            jungle.make(&mut position, mv);
            if ply % 10 == 5 {
                let found = guided(&game, Guides::STRIKE, &position, 4);
                let oracle = guided(&game, Guides::default(), &position, 4);
                assert_eq!(found.0, oracle.0, "{position}");
                (with, without) = (with + found.1, without + oracle.1);
                assert_eq!(oracle.2, 0);
            }
        }
    }
    assert!(with * 4 < without * 3, "{with} nodes with striking out, {without} without");
}

/// An order never changes a value; a reduction may, but not that of a win in sight.
#[test]
fn busy_parts_first_changes_no_value() {
    let mut rng = Rng::new(47);
    let busy = Guides { busy: true, ..Guides::default() };
    let game = parted(Rules::TUFTS);
    let reduce = Guides { reduce: true, ..Guides::default() };
    for _ in 0..40 {
        let position = scattered(&mut rng, Rules::TUFTS, 4);
        let plain = guided(&game, Guides::default(), &position, 3).0;
        assert_eq!(guided(&game, busy, &position, 3).0, plain, "{position}");
        guided(&game, reduce, &position, 4);
    }
    let won: Position = "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w".parse().unwrap();
    assert_eq!(guided(&game, Guides::default(), &won, 6).0, Score::win_in(5));
}
