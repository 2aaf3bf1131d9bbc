//! Classes and the features they are seen by: what a learner learns from.

use game::rng::mix;
use jungle::{Position, Square};

use crate::feature::{Feature, Lore, Seen};
use crate::population::{Counts, Population};

/// One class or several, with features that make sense for all of them.
pub struct Data {
    classes: Vec<(Population, Lore)>,
    features: Vec<Feature>,
}

/// A position on its way past, ready to be asked.
pub struct Case<'a> {
    /// What features look at.
    pub seen: Seen<'a>,
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

    /// A number by which positions can be drawn at random, the same ones every time.
    pub fn lot(&self) -> u64 {
        let next = |lot: u64, square: &Square| mix(lot.wrapping_add(1 + square.index() as u64));
        self.squares.iter().fold(0, next)
    }

    /// The values of all features, in the order of their list.
    pub fn values(&self, features: &[Feature], values: &mut Vec<u8>) {
        values.clear();
        values.extend(features.iter().map(|feature| feature.value(&self.seen)));
    }
}

impl Data {
    /// Several classes seen by the same features.
    pub fn new(populations: Vec<Population>, features: Vec<Feature>) -> Data {
        let lore = |population: Population| {
            let lore = Lore::new(population.rules(), population.pieces());
            (population, lore)
        };
        Data { classes: populations.into_iter().map(lore).collect(), features }
    }

    /// The features.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The classes.
    pub fn populations(&self) -> impl Iterator<Item = &Population> {
        self.classes.iter().map(|(population, _)| population)
    }

    /// The same classes, seen by other features.
    #[must_use]
    pub fn seen_by(self, features: Vec<Feature>) -> Data {
        Data { features, ..self }
    }

    /// Goes through all positions on all threads; the result does not depend on how many there are.
    pub fn fold<T: Send>(
        &self,
        new: impl Fn() -> T + Sync + Send,
        step: impl Fn(&mut T, &Case<'_>) + Sync,
        join: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        let mut all = new();
        for (population, lore) in &self.classes {
            let one = population.fold(
                &new,
                |state, sample| {
                    let case = Case {
                        seen: Seen::new(lore, sample.squares),
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
