//! Data sets: classes of tables, and the features their positions are described by.

use game::rng::mix;
use jungle::{Position, Square};

use crate::feature::{ClassContext, Feature, PositionView};
use crate::population::{Counts, Population};

/// A data set: one class or several, with features that are defined for all of them.
pub struct Dataset {
    classes: Vec<(Population, ClassContext)>,
    features: Vec<Feature>,
}

/// A case, as C4.5 calls a labelled instance, borrowed during a visit.
pub struct Case<'a> {
    /// What features look at.
    pub view: PositionView<'a>,
    /// Who wins, as an index into [`OUTCOMES`](crate::population::OUTCOMES).
    pub outcome: usize,
    /// How many placements it stands for.
    pub weight: u64,
    population: &'a Population,
    squares: &'a [Square],
}

impl Case<'_> {
    /// The position itself.
    pub fn position(&self) -> Option<Position> {
        self.population.position(self.squares)
    }

    /// A pseudorandom key by which positions are sampled: the same ones every time.
    pub fn sampling_key(&self) -> u64 {
        let next = |key: u64, square: &Square| mix(key.wrapping_add(1 + square.index() as u64));
        self.squares.iter().fold(0, next)
    }

    /// The values of all features, in the order of their list.
    pub fn values(&self, features: &[Feature], values: &mut Vec<u8>) {
        values.clear();
        values.extend(features.iter().map(|feature| feature.value(&self.view)));
    }
}

impl Dataset {
    /// A data set of several classes with the same features.
    pub fn new(populations: Vec<Population>, features: Vec<Feature>) -> Dataset {
        let context = |population: Population| {
            let context = ClassContext::new(population.rules(), population.pieces());
            (population, context)
        };
        Dataset { classes: populations.into_iter().map(context).collect(), features }
    }

    /// The features.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The classes.
    pub fn populations(&self) -> impl Iterator<Item = &Population> {
        self.classes.iter().map(|(population, _)| population)
    }

    /// The same classes with other features.
    #[must_use]
    pub fn with_features(self, features: Vec<Feature>) -> Dataset {
        Dataset { features, ..self }
    }

    /// Goes through all positions on all threads; the result does not depend on how many there are.
    pub fn fold<T: Send>(
        &self,
        new: impl Fn() -> T + Sync + Send,
        step: impl Fn(&mut T, &Case<'_>) + Sync,
        join: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        let mut all = new();
        for (population, context) in &self.classes {
            let one = population.fold(
                &new,
                |state, sample| {
                    let case = Case {
                        view: PositionView::new(context, sample.squares),
                        outcome: sample.outcome,
                        weight: sample.weight,
                        population,
                        squares: sample.squares,
                    };
                    step(state, &case);
                },
                &join,
            );
            all = join(all, one);
        }
        all
    }

    /// How many positions have each outcome.
    pub fn counts(&self) -> Counts {
        self.fold(
            Counts::default,
            |counts, case| counts[case.outcome] += case.weight,
            crate::population::plus,
        )
    }
}
