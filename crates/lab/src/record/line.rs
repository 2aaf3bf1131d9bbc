//! A line of a record, read: its text becomes a game under the rules of the contest.

use jungle::pgn::GameResult;
use jungle::{ByColor, Color, Jungle, ParseMoveError, Setup, SetupError, parse_move};
use serde::Deserialize;

use super::RecordedGame;
use crate::player::{Choice, Info};
use crate::referee::{Decision, End, Played, PlayedMove};

/// A line as it is written. Its moves need the positions before them to be understood.
#[derive(Deserialize)]
struct Line {
    game: u64,
    #[serde(flatten)]
    players: ByColor<usize>,
    opening: Setup,
    result: String,
    end: End,
    detail: String,
    moves: Vec<LineMove>,
}

#[derive(Deserialize)]
struct LineMove {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    info: Info,
    seconds: f64,
}

/// What is wrong with a line of a record.
#[derive(Debug, thiserror::Error)]
pub enum LineFault {
    /// It is not the JSON of a game.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Its result is not that of a finished game.
    #[error("'{0}' is not a result: expected 1-0, 0-1 or 1/2-1/2")]
    Result(String),
    /// The opening is not a position.
    #[error("opening: {0}")]
    Opening(#[from] SetupError),
    /// A move is not a legal one.
    #[error("ply {ply}: {error}")]
    Move {
        /// Which, counted from 1.
        ply: usize,
        /// Why.
        #[source]
        error: ParseMoveError,
    },
}

impl RecordedGame {
    /// The game that a line of a record holds.
    ///
    /// # Errors
    ///
    /// If it is not the JSON of a finished game with legal moves.
    pub fn read(line: &[u8], jungle: &Jungle) -> Result<RecordedGame, LineFault> {
        let Line { game, players, opening, result, end, detail, moves } =
            serde_json::from_slice(line)?;
        let decision = Decision { winner: winner(&result)?, end, detail };
        let moves = read_moves(moves, &opening, jungle)?;
        Ok(RecordedGame { game, players, opening, played: Played { decision, moves } })
    }
}

fn winner(result: &str) -> Result<Option<Color>, LineFault> {
    match GameResult::from_text(result) {
        Some(GameResult::Win(color)) => Ok(Some(color)),
        Some(GameResult::Draw) => Ok(None),
        Some(GameResult::Unfinished) | None => Err(LineFault::Result(result.to_owned())),
    }
}

fn read_moves(
    moves: Vec<LineMove>,
    opening: &Setup,
    jungle: &Jungle,
) -> Result<Vec<PlayedMove>, LineFault> {
    let mut position = opening.position()?;
    let mut read = Vec::with_capacity(moves.len());
    for (at, LineMove { mv, info, seconds }) in moves.into_iter().enumerate() {
        let mv = parse_move(jungle, &position, &mv)
            .map_err(|error| LineFault::Move { ply: at + 1, error })?;
        position.make(mv);
        read.push(PlayedMove { choice: Choice { mv, info }, seconds });
    }
    Ok(read)
}

/// The number of the game in a line, which says nothing about the rest.
pub(super) fn number(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Numbered {
        game: u64,
    }
    serde_json::from_slice(line).ok().map(|Numbered { game }| game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jungle::{EndReason, Rules};

    const LINE: &str = r#"{"game":3,"white":1,"black":0,"opening":"l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1","result":"1/2-1/2","end":"repetition","detail":"draw by repetition","moves":[{"move":"a3a4","depth":2,"score":{"cp":5},"nodes":7,"seconds":0.5},{"move":"a7a6","parts":[3,13],"seconds":0.25}]}"#;

    #[test]
    fn what_is_read_is_written_again() {
        let jungle = Jungle::new(Rules::STANDARD);
        let game = RecordedGame::read(LINE.as_bytes(), &jungle).unwrap();
        assert_eq!(game.played.decision.end, End::Rules(EndReason::Repetition));
        assert_eq!((game.mover(0), game.mover(1)), (1, 0));
        assert_eq!(game.positions().unwrap().len(), 2);
        assert_eq!(serde_json::to_string(&game).unwrap(), LINE);
        for end in ["tablebase", "too-long", "illegal-move", "den", "quiet-limit"] {
            let line = LINE.replacen("repetition", end, 1);
            let game = RecordedGame::read(line.as_bytes(), &jungle).unwrap();
            assert_eq!(serde_json::to_string(&game).unwrap(), line);
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let fault = |from: &str, to: &str| {
            let line = LINE.replacen(from, to, 1);
            RecordedGame::read(line.as_bytes(), &Jungle::new(Rules::STANDARD))
                .unwrap_err()
                .to_string()
        };
        let expected = "'*' is not a result: expected 1-0, 0-1 or 1/2-1/2";
        assert_eq!(fault("1/2-1/2", "*"), expected);
        assert!(fault("a7a6", "a7b6").starts_with("ply 2: a7b6 is illegal"));
        assert!(fault("E1W1P1R/", "3E1P1R/").contains("FEN"), "{}", fault("E1W1P1R/", "8/"));
        assert!(fault("E1W1P1R/1C3D1", "E1W1P1R/1C1E1D1").starts_with("opening: "));
        assert!(fault("repetition", "boredom").contains("End"));
        assert_eq!(number(LINE.as_bytes()), Some(3));
        assert_eq!(number(b"nonsense"), None);
    }
}
