//! Proofs by parts of positions that no table holds.

use game::truth::Wdl;
use jungle::Position;
use serde::Serialize;
use tablebase::proof::{By, Certificate, Prover};

/// What could be proved of a position. Repetition and move limits are not considered.
#[derive(Clone, Debug, Serialize)]
pub struct Proved {
    /// The position.
    pub fen: String,
    /// The outcome for the side to move; null if no proof was found.
    pub outcome: Option<Wdl>,
    /// Within how many plies the game ends.
    pub plies: Option<u32>,
    /// What the proof rests on.
    pub by: Option<By>,
    /// The strategy, which `tablebase::proof::check` has accepted.
    pub certificate: Option<Certificate>,
}

impl Proved {
    /// Looks for a proof. One that the checker would not accept is none.
    pub fn of(prover: &mut Prover, position: &Position) -> Proved {
        let proof = prover.prove(position);
        let proof = proof
            .filter(|proof| tablebase::proof::check(&proof.certificate, prover.rules()).is_ok());
        Proved {
            fen: position.to_string(),
            outcome: proof.as_ref().map(|proof| proof.outcome),
            plies: proof.as_ref().map(|proof| proof.plies),
            by: proof.as_ref().map(|proof| proof.by),
            certificate: proof.map(|proof| proof.certificate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jungle::Rules;

    #[test]
    fn what_is_not_proved_is_null() {
        let mut prover = Prover::new(&Rules::STANDARD, 1);
        let keys = |fen: &str, prover: &mut Prover| {
            serde_json::to_value(Proved::of(prover, &fen.parse().unwrap())).unwrap()
        };
        let won = keys("7/2C4/7/7/7/7/6e/1t3l1/E4PD w", &mut prover);
        assert_eq!((&won["outcome"], &won["by"]), (&"win".into(), &"race".into()));
        assert_eq!(won["certificate"]["winner"], "white");
        assert_eq!(won["certificate"]["part"], serde_json::json!(["c8"]));
        let unknown = keys(jungle::fen::START, &mut prover);
        for key in ["outcome", "plies", "by", "certificate"] {
            assert_eq!(unknown[key], serde_json::Value::Null, "{key}");
        }
    }
}
