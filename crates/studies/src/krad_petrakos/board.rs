//! The games of the experiment: each with an evaluation, an order of moves, and openings.

use amazons::evaluate::Weights;
use amazons::{Amazons, Position as AmazonsPosition};
use game::rng::{Rng, mix};
use game::score::Evaluate;
use game::{Delegate, Game};
use jungle::{BurnettEval, Jungle, Position, Rules};
use lab::Openings;
use lab::openings::DEFAULT_PLIES;
use players::StrongestFirst;
use search::escape::Scale;
use search::{AsListed, Order};

/// A game to compare searches on.
pub trait Board: Game + Sync + Sized {
    /// The evaluation that all contenders use.
    type Evaluation: Evaluate<Self>;
    /// The order of moves that all contenders use.
    type Ordering: Order<Self> + Copy;

    /// The name, as in records.
    fn name(&self) -> &'static str;

    /// The evaluation.
    fn evaluation(&self) -> Self::Evaluation;

    /// The order of moves.
    fn ordering(&self) -> Self::Ordering;

    /// How the evaluation becomes a score between −1 and 1.
    fn scale(&self) -> Scale;

    /// The opening with this number.
    fn opening(&self, seed: u64, number: u64) -> Self::Position;

    /// After how many plies a game is drawn.
    fn most_plies(&self) -> usize;

    /// The share of what is left that an ordinary player spends on a move.
    fn usual_share(&self) -> f64;
}

/// Jungle with Burnett's evaluation and order, from balanced generated openings. The usual share is the
/// thirtieth that players spend on a clock.
impl Board for Jungle {
    type Evaluation = BurnettEval;
    type Ordering = StrongestFirst;

    fn name(&self) -> &'static str {
        "jungle"
    }

    fn evaluation(&self) -> BurnettEval {
        BurnettEval
    }

    fn ordering(&self) -> StrongestFirst {
        StrongestFirst
    }

    /// An advantage of an elephant is 0.5.
    fn scale(&self) -> Scale {
        Scale::Half(1000.0)
    }

    fn opening(&self, seed: u64, number: u64) -> Position {
        let rules: Rules = *self.rules();
        // One generator an opening: what comes before it need not be made again.
        let seed = mix(seed ^ mix(number + 1));
        let mut source = Openings::Generated { plies: DEFAULT_PLIES }.source(rules, seed);
        let setup = source.get(0).ok();
        setup.and_then(|setup| setup.position().ok()).unwrap_or_else(Position::start)
    }

    fn most_plies(&self) -> usize {
        200
    }

    fn usual_share(&self) -> f64 {
        1.0 / 30.0
    }
}

/// Amazons on six by six, with its evaluation, from four random moves; a game lasts some thirteen moves
/// of each side.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmallAmazons;

impl Delegate for SmallAmazons {
    type Inner = Amazons;

    fn inner(&self) -> &Amazons {
        &Amazons
    }
}

impl Evaluate<SmallAmazons> for Weights {
    fn evaluate(&self, _: &SmallAmazons, position: &AmazonsPosition) -> i32 {
        self.value(position)
    }
}

impl Board for SmallAmazons {
    type Evaluation = Weights;
    type Ordering = AsListed;

    fn name(&self) -> &'static str {
        "amazons"
    }

    fn evaluation(&self) -> Weights {
        Weights::default()
    }

    fn ordering(&self) -> AsListed {
        AsListed
    }

    /// An advantage of five squares is 0.5.
    fn scale(&self) -> Scale {
        Scale::Half(500.0)
    }

    fn opening(&self, seed: u64, number: u64) -> AmazonsPosition {
        let mut rng = Rng::new(mix(seed ^ mix(number + 1)));
        loop {
            let mut position = AmazonsPosition::start(6, 6).expect("it is a size of a board");
            for _ in 0..4 {
                if let Some(&mv) = rng.choose(&Amazons.moves(&position)) {
                    Amazons.make(&mut position, mv);
                }
            }
            if Amazons.outcome(&position).is_none() {
                return position;
            }
        }
    }

    fn most_plies(&self) -> usize {
        // Every move fills a square.
        36
    }

    fn usual_share(&self) -> f64 {
        1.0 / 8.0
    }
}
