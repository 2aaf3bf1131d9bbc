//! Players that remember choose what players that do not choose, at every depth.

use game::Game;
use game::limits::Limits;
use game::rng::Rng;
use jungle::{Jungle, Position, Rules};
use players::{Algorithm, BurnettPlayer};
use search::Report;

/// Positions of random games, and a few that fall into many parts.
fn positions() -> Vec<Position> {
    let jungle = Jungle::new(Rules::TUFTS);
    let mut rng = Rng::new(7);
    let mut positions: Vec<Position> = [
        "7/7/1cd1e2/4R2/7/7/1C5/r1P4/7 w",
        "5R1/1d2t2/1p1P3/7/7/7/1r3e1/2E1Dl1/7 w",
        "7/2l2e1/4t2/3P2R/3T3/1r5/E4L1/7/7 w",
        "c6/7/6p/7/R6/7/6P/7/C6 b",
    ]
    .map(|fen| fen.parse().unwrap())
    .into();
    for _ in 0..6 {
        let mut position = Position::start();
        for ply in 0..60 {
            let moves = jungle.moves(&position);
            if moves.is_empty() {
                break;
            }
            position = jungle.after(&position, moves[rng.below(moves.len())]);
            if ply % 20 == 19 {
                positions.push(position.clone());
            }
        }
    }
    positions
}

#[test]
fn memory_changes_no_choice() {
    let mut splits = 0;
    for position in positions() {
        for algorithm in Algorithm::ALL {
            let plain = BurnettPlayer::new(algorithm, Rules::TUFTS);
            let remembering = BurnettPlayer::new(algorithm, Rules::TUFTS).with_table(1);
            for depth in 1..=5 {
                let (one, other) = (
                    plain.choose(&position, &Limits::depth(depth)),
                    remembering.choose(&position, &Limits::depth(depth)),
                );
                let seen = |chosen: &players::Chosen| {
                    let Report { score, depth, .. } = chosen.report;
                    (chosen.report.best(), score, depth, chosen.parts.clone())
                };
                assert_eq!(seen(&one), seen(&other), "{position}, {algorithm}, depth {depth}");
                splits += u32::from(one.is_split());
            }
        }
    }
    assert!(splits > 20, "only {splits} of the choices were between parts");
}
