use game::rng::Rng;
use jungle::Rules;

use super::*;
use crate::build::{Options, Wanted, build};
use crate::storage::Folder;

fn tables(rules: Rules, pieces: u32) -> (tempfile::TempDir, Arc<Tablebase>) {
    let folder = tempfile::tempdir().unwrap();
    let wanted = Wanted::Pieces(pieces);
    build(&rules, folder.path(), &wanted, &Options::default(), &mut |_| {}).unwrap();
    let tablebase = Arc::new(Tablebase::new(&rules, pieces, Folder::new(folder.path())));
    (folder, tablebase)
}

/// Random boards of two or three pieces, some of them impossible, some over.
fn boards(count: usize) -> (Vec<i8>, Vec<Color>) {
    let mut rng = Rng::new(7);
    let mut boards = vec![0_i8; count * Square::COUNT];
    for board in boards.chunks_mut(Square::COUNT) {
        for at in 0..2 + rng.below(2) {
            let animal = 1 + rng.below(8) as i8;
            let sign = if at == 0 { 1 } else { [1, -1][rng.below(2)] };
            board[rng.below(Square::COUNT)] = sign * animal;
        }
    }
    let turns = (0..count).map(|_| Color::ALL[rng.below(2)]).collect();
    (boards, turns)
}

fn position(board: &[i8], turn: Color) -> Option<Position> {
    let piece = |number: i8| Piece {
        color: if number > 0 { Color::White } else { Color::Black },
        animal: Animal::ALL[usize::from(number.unsigned_abs()) - 1],
    };
    let pieces: Vec<(Square, Piece)> = (0..Square::COUNT)
        .filter(|&at| board[at] != 0)
        .map(|at| (Square::ALL[at], piece(board[at])))
        .collect();
    Position::from_pieces(pieces, turn).ok()
}

#[test]
fn batches_say_what_single_probes_say() {
    let (_folder, tablebase) = tables(Rules::STANDARD, 3);
    let (all, turns) = boards(6000);
    let mut boards = Vec::new();
    let mut kept = Vec::new();
    let mut truth = Vec::new();
    for (board, &turn) in all.chunks(Square::COUNT).zip(&turns) {
        if let Some(position) = position(board, turn) {
            boards.extend_from_slice(board);
            kept.push(turn);
            truth.push(tablebase.probe(&position).unwrap());
        }
    }
    assert!(truth.len() > 1000, "{} positions", truth.len());
    assert!(truth.iter().any(|value| matches!(value, Truth::Win(0) | Truth::Loss(0))));
    // With everything decoded, and with nothing.
    for limit in [USUAL_LIMIT, 0] {
        let batch = Batch::new(tablebase.clone(), limit);
        assert!(batch.probe_boards(&boards, &kept, Metric::Distances).unwrap() == truth);
        let outcomes = batch.probe_boards(&boards, &kept, Metric::Outcomes).unwrap();
        let plain: Vec<Truth> = truth.iter().map(|&v| in_metric(v, Metric::Outcomes)).collect();
        assert!(outcomes == plain);
        assert!(batch.bytes() <= limit);
    }
}

#[test]
fn a_whole_class_is_decoded_once_and_given_up_when_there_is_no_room() {
    let (_folder, tablebase) = tables(Rules::LEIDEN, 2);
    let batch = Batch::new(tablebase.clone(), 1 << 14);
    for class in ["E-R", "L-T", "R-D", "T-E", "R-R", "C-C"] {
        let pieces = class.parse::<Material>().unwrap().in_order();
        let all: Vec<[u8; 2]> = (0..63).flat_map(|a| (0..63).map(move |b| [a, b])).collect();
        for turn in Color::ALL {
            let possible: Vec<([u8; 2], Truth)> = all
                .iter()
                .filter_map(|&own| {
                    let squares = own.map(|at| Square::ALL[usize::from(at)]);
                    if squares[0] == squares[1] {
                        return None;
                    }
                    let placed = squares.into_iter().zip(pieces.iter().copied());
                    let position = Position::from_pieces(placed, turn).ok()?;
                    Some((own, tablebase.probe(&position).unwrap()))
                })
                .collect();
            let squares: Vec<u8> = possible.iter().flat_map(|(own, _)| *own).collect();
            let placed = Placed { pieces: &pieces, squares: &squares, turns: &[turn] };
            let values = batch.probe(placed, Metric::Distances).unwrap();
            assert!(values.iter().eq(possible.iter().map(|(_, value)| value)), "{class} {turn}");
            assert!(batch.bytes() <= 1 << 14);
        }
    }
}

#[test]
fn what_is_no_position_is_named() {
    let (_folder, tablebase) = tables(Rules::STANDARD, 2);
    let batch = Batch::new(tablebase, USUAL_LIMIT);
    let pieces = "E-R".parse::<Material>().unwrap().in_order();
    let complaint = |squares: &[u8], turns: &[Color]| {
        let placed = Placed { pieces: &pieces, squares, turns };
        batch.probe(placed, Metric::Distances).unwrap_err().to_string()
    };
    let white = [Color::White];
    assert_eq!(
        complaint(&[0, 1, 0, 63], &white),
        "row 1: 63 is not a square: they go from 0 (a1) to 62 (g9)"
    );
    assert_eq!(complaint(&[5, 5], &white), "row 0: two pieces stand on f1");
    let wet = complaint(&[22, 5], &white);
    assert!(wet.starts_with("row 0: Red's elephant is in the water on b4"), "{wet}");
    assert!(complaint(&[0, 1, 2], &white).contains("cannot be shared"));
    assert!(complaint(&[0, 1, 0, 2], &[Color::White; 3]).contains("3 turns"));
    let mut board = [0_i8; 63];
    board[9] = 9;
    let error = batch.probe_boards(&board, &white, Metric::Distances).unwrap_err().to_string();
    assert!(error.starts_with("row 0: 9 is not a piece"), "{error}");
    board = [0; 63];
    assert!(batch.probe_boards(&board, &white, Metric::Distances).is_err());
    board[0] = i8::MIN;
    assert!(batch.probe_boards(&board, &white, Metric::Distances).is_err());
    for (at, piece) in [1, 2, -3].into_iter().enumerate() {
        board[at] = piece;
    }
    let error = batch.probe_boards(&board, &white, Metric::Distances).unwrap_err();
    assert!(matches!(error, BatchError::Probe(ProbeError::TooManyPieces { found: 3, most: 2 })));
    assert!(batch.probe_boards(&board[..62], &white, Metric::Distances).is_err());
    assert!(batch.probe_boards(&[], &white, Metric::Distances).unwrap().is_empty());
}
