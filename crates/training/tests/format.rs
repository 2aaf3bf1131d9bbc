//! The file format of games: a file that was written once is still read, to the last position. The same file and the same
//! list are what `bindings/python/tests/test_training_data.py` holds the Python of `docs/training-data.md` to.

use std::fmt::Write;
use std::path::Path;

use jungle::Color;
use training::Games;

/// Every position: the game, board and player to move, the score, whether it is quiet, the result for White.
fn listed(games: &Games) -> String {
    let mut text = String::new();
    for game in games.iter() {
        let game = game.unwrap();
        game.for_each(|position, ply| {
            let fen = position.to_string();
            let board = fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
            let quiet = if ply.quiet { "quiet" } else { "-" };
            let worth = game.ended.worth(Color::White);
            writeln!(text, "{} {board} {} {quiet} {worth}", game.number, ply.score).unwrap();
        });
    }
    text
}

#[test]
fn a_file_from_before_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let games = Games::read(&folder.join("sample.mtg")).unwrap();
    let expected = std::fs::read_to_string(folder.join("sample.txt")).unwrap();
    assert_eq!((games.len(), games.description().nodes), (3, 40));
    assert!(expected.lines().count() > 50);
    assert_eq!(listed(&games), expected);
}
