//! Proofs against tables that hold the whole position, and certificates that have been tampered with.

use game::rng::Rng;
use game::truth::{Truth, Wdl};
use jungle::board::DENS;
use jungle::{Jungle, Piece, Position, Rules, Square};

use super::{By, Fault, Prover, check};
use crate::build::{Wanted, in_memory};
use crate::{Material, Tablebase};

const PRESETS: [Rules; 3] = [Rules::STANDARD, Rules::LEIDEN, Rules::TUFTS];

fn random(rng: &mut Rng, material: Material) -> Position {
    loop {
        let mut placed: Vec<(Square, Piece)> = Vec::new();
        for piece in material.in_order() {
            placed.push((Square::ALL[rng.below(Square::COUNT)], piece));
        }
        let turn = if rng.below(2) == 0 { jungle::Color::White } else { jungle::Color::Black };
        if let Ok(position) = Position::from_pieces(placed, turn)
            && position.occupied().len() == material.pieces()
            && !position.occupied().intersects(DENS)
        {
            return position;
        }
    }
}

/// What a proof says must be true, in time, and accepted by the checker.
fn hold(position: &Position, prover: &mut Prover, tables: &Tablebase, rules: &Rules) -> Option<By> {
    let proof = prover.prove(position)?;
    let truth = tables.probe(position).unwrap();
    let right = match (proof.truth(), truth) {
        (Truth::Win(most), Truth::Win(plies)) | (Truth::Loss(most), Truth::Loss(plies)) => {
            plies <= most
        }
        _ => false,
    };
    assert!(right, "{position}: {:?} claimed, {truth:?} true", proof.truth());
    assert_eq!(check(&proof.certificate, rules), Ok(()), "{position}");
    Some(proof.by)
}

#[test]
fn three_pieces_are_never_claimed_falsely() {
    for rules in PRESETS {
        let classes = ["CT-E", "RD-T", "L-RE", "CD-D"];
        let wanted = Wanted::Classes(classes.map(|class| class.parse().unwrap()).to_vec());
        let tables = Tablebase::new(&rules, 3, in_memory(&rules, &wanted).unwrap());
        let mut prover = Prover::new(&rules, 2);
        let mut rng = Rng::new(30);
        let mut by = [0; 3];
        for class in classes {
            let material: Material = class.parse().unwrap();
            for _ in 0..300 {
                let position = random(&mut rng, material);
                if let Some(found) = hold(&position, &mut prover, &tables, &rules) {
                    by[found as usize] += 1;
                }
            }
        }
        assert!(by.iter().all(|count| *count > 0), "{by:?}");
    }
}

#[test]
fn a_spare_piece_wins_the_opposition() {
    // The dogs face each other on the way; without the cat in the corner Red would have to give way.
    let rules = Rules::STANDARD;
    let mut prover = Prover::new(&rules, 2);
    let mut rng = Rng::new(7);
    let material: Material = "CD-D".parse().unwrap();
    let waits = (0..4000).find_map(|_| {
        let proof = prover.prove(&random(&mut rng, material))?;
        (proof.by == By::Tempo).then_some(proof)
    });
    let proof = waits.expect("one of them has to wait");
    assert!(proof.certificate.strategy.iter().any(|step| step.mv == "pass"));
    let mut certificate = proof.certificate.clone();
    certificate.spare = None;
    assert!(matches!(check(&certificate, &rules), Err(Fault::Move { .. })));
}

#[test]
fn what_no_table_holds_can_be_proved() {
    // The cat at c8 walks in; everything else is too far away to matter.
    let position: Position = "7/2C4/7/7/7/7/6e/1t3l1/E4PD w".parse().unwrap();
    for rules in PRESETS {
        let mut prover = Prover::new(&rules, 2);
        let proof = prover.prove(&position).unwrap();
        assert_eq!((proof.outcome, proof.plies), (Wdl::Win, 3));
        // Where no move draws, Blue must be shown to have one, for which a race has to be farther from all pieces.
        assert_eq!(proof.by == By::Race, rules == Rules::STANDARD);
        assert_eq!(check(&proof.certificate, &rules), Ok(()));
    }
    let quiet = Position::start();
    assert_eq!(Prover::new(&Rules::STANDARD, 1).prove(&quiet), None);
}

#[test]
fn tampered_certificates_are_refused() {
    let rules = Rules::STANDARD;
    let position: Position = "7/2C4/7/7/7/7/6e/1t3l1/E4PD w".parse().unwrap();
    let certificate = Prover::new(&rules, 1).prove(&position).unwrap().certificate;
    let with = |change: &dyn Fn(&mut super::Certificate)| {
        let mut changed = certificate.clone();
        change(&mut changed);
        check(&changed, &rules)
    };
    assert_eq!(with(&|_| ()), Ok(()));
    assert!(matches!(with(&|one| one.plies = 2), Err(Fault::Move { .. })));
    assert!(matches!(with(&|one| one.strategy.truncate(1)), Err(Fault::Silent { .. })));
    assert!(matches!(
        with(&|one| one.strategy[0].mv = "c8b8".to_owned()),
        Err(Fault::Silent { .. })
    ));
    assert!(matches!(with(&|one| one.strategy[0].mv = "c8a9".to_owned()), Err(Fault::Move { .. })));
    assert!(matches!(with(&|one| one.part.push("g9".to_owned())), Err(Fault::Part)));
    assert!(matches!(with(&|one| one.part.clear()), Err(Fault::Part)));
    assert!(matches!(with(&|one| one.fen = "x".to_owned()), Err(Fault::Text(_))));
    // The same strategy with enemies beside both traps on the way.
    assert!(with(&|one| one.fen = "1l5/2C4/3e3/7/7/7/7/1t5/E4PD w".to_owned()).is_err());
    // And with a tiger that would be first.
    assert!(with(&|one| one.fen = "7/2C4/7/7/7/7/6e/5l1/E1t2PD w".to_owned()).is_err());
}

#[test]
fn proofs_hold_against_the_rules_of_the_whole_board() {
    // Whatever is played: the strategy is followed on the whole board, with legal moves only.
    let rules = Rules::STANDARD;
    let jungle = Jungle::new(rules);
    let mut rng = Rng::new(3);
    let mut prover = Prover::new(&rules, 2);
    let mut proved = 0;
    for class in ["CDT-RWL", "CPE-DT", "RL-CDE", "WPT-RDLE"] {
        let material: Material = class.parse().unwrap();
        for _ in 0..150 {
            let position = random(&mut rng, material);
            let Some(proof) = prover.prove(&position) else { continue };
            assert_eq!(check(&proof.certificate, &rules), Ok(()), "{position}");
            proved += 1;
            // A search of the whole board finds the same where it is short enough.
            if proof.plies <= 3 {
                let score = tests_support::solve(&jungle, &position, proof.plies);
                let won = if proof.outcome == Wdl::Win { 1 } else { -1 };
                assert_eq!(score, won, "{position}");
            }
        }
    }
    assert!(proved > 40, "{proved}");
}

mod tests_support {
    use game::Game;
    use jungle::{Jungle, Position};

    /// 1 if the player to move wins within so many plies, −1 if it loses, else 0.
    pub fn solve(jungle: &Jungle, position: &Position, plies: u32) -> i32 {
        use game::Outcome;
        if let Some(outcome) = jungle.outcome(position) {
            return match outcome {
                Outcome::Draw => 0,
                Outcome::Win(side) => {
                    if side == jungle.side_to_move(position) {
                        1
                    } else {
                        -1
                    }
                }
            };
        }
        if plies == 0 {
            return 0;
        }
        let mut best = -1;
        for mv in jungle.moves(position) {
            let mut next = position.clone();
            next.make(mv);
            best = best.max(-solve(jungle, &next, plies - 1));
            if best == 1 {
                break;
            }
        }
        best
    }
}
