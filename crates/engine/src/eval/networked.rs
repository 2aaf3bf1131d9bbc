//! The champion's evaluation corrected by a [network](super::network), kept up to date move by move.
//!
//! A move changes two places, a capture three, and the pairs of the piece that moves: a few rows are added to the hidden layers
//! and subtracted from them. Accumulators are on a stack, so that taking back a move costs nothing, and lazy: a move is
//! followed only once a position after it is evaluated, which many never are. Where the network sees pairs, the sum of the pairs
//! among the features is kept up to date with them. The loops are plain and compiled for what the processor has
//! ([`game::multiversion!`]).

use std::sync::Arc;

use jungle::{Animal, ByColor, Color, Jungle, Move, Position, Rules, Square};

use crate::eval::features::{HUNTER, PAIRS, Weights, pair};
use crate::eval::geometry::GEOMETRY;
use crate::eval::network::{
    Block, HIDDEN_ONE, Inputs, MOST_UNITS, Network, OUTPUT_ONE, SCALE_HUNDREDTHS, UNIT_STEP,
    bucket, input,
};
use crate::eval::{Champion, Evaluator};

/// The hidden layers of a position: White's, White's of the mirror image, Black's, Black's of the mirror image.
type Hidden = [Layer; 4];
type Layer = [Block; MOST_UNITS / UNIT_STEP];

/// A piece somewhere: the colour, the animal by strength, the square.
type Placed = (Color, Animal, Square);

/// What a move changes.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: Placed,
    to: Placed,
    taken: Option<Placed>,
}

/// An accumulator: the hidden layers of a position, or the move that they still have to follow.
#[derive(Clone, Debug)]
struct Accumulator {
    /// Where each side's animals stand, by strength.
    squares: ByColor<[Option<Square>; Animal::COUNT]>,
    hidden: Hidden,
    /// The pairs among the features, as either player to move weighs them; kept only where the network sees pairs.
    pairs: ByColor<i32>,
    /// Not yet followed.
    pending: Option<Step>,
}

impl Accumulator {
    fn empty() -> Accumulator {
        Accumulator {
            squares: ByColor::from_fn(|_| [None; Animal::COUNT]),
            hidden: Default::default(),
            pairs: ByColor::from_fn(|_| 0),
            pending: None,
        }
    }
}

/// The champion's evaluation corrected by a network.
#[derive(Clone, Debug)]
pub struct Networked {
    champion: Champion,
    network: Arc<Network>,
    rules: Rules,
    stack: Vec<Accumulator>,
    /// The accumulator of the position followed.
    top: usize,
}

impl Networked {
    /// For games under these rules, with these weights of the features or those that the network was made for.
    pub fn new(rules: &Rules, weights: Option<Arc<Weights>>, network: Arc<Network>) -> Networked {
        let weights = weights.unwrap_or_else(|| Arc::clone(&network.features));
        let champion = Champion::new(rules, Some(weights));
        Networked { champion, network, rules: *rules, stack: vec![Accumulator::empty()], top: 0 }
    }

    /// Lets the accumulators follow the moves made.
    #[inline]
    fn catch_up(&mut self) -> &Accumulator {
        let pending = |at: &usize| self.stack[*at].pending.is_some();
        let behind = (0..=self.top).rev().take_while(pending).count();
        for at in self.top + 1 - behind..=self.top {
            let (before, rest) = self.stack.split_at_mut(at);
            if let (Some(before), Some(here)) = (before.last(), rest.first_mut())
                && let Some(step) = here.pending.take()
            {
                follow(&self.network, self.champion.weights(), before, step, here);
            }
        }
        &self.stack[self.top]
    }

    /// The network's share of the value, for the player to move.
    pub fn correction(&mut self, position: &Position) -> i32 {
        self.catch_up();
        self.network.value(&self.stack[self.top].hidden, position)
    }
}

impl Network {
    /// The value that hidden layers give a position, for the player to move.
    #[inline]
    fn value(&self, hidden: &Hidden, position: &Position) -> i32 {
        let bucket = bucket(position.occupied().len());
        let black = position.turn() == Color::Black;
        let sum = self.output_bias[bucket] + output(hidden, black, &self.output[bucket]);
        let one = i64::from(HIDDEN_ONE * HIDDEN_ONE * OUTPUT_ONE);
        (i64::from(sum) * SCALE_HUNDREDTHS / (100 * one)) as i32
    }
}

impl Evaluator for Networked {
    fn reset(&mut self, position: &Position) {
        self.champion.reset(position);
        self.top = 0;
        let (network, weights) = (&self.network, self.champion.weights());
        let here = &mut self.stack[0];
        *here = Accumulator::empty();
        for layer in &mut here.hidden {
            layer[..network.blocks()].copy_from_slice(&network.bias);
        }
        for (square, piece) in position.pieces() {
            let animal = self.rules.by_strength(piece.animal);
            here.squares[piece.color][animal.index()] = Some(square);
            for (at, layer) in here.hidden.iter_mut().enumerate() {
                add_row(layer, network.row(seen(at, (piece.color, animal, square))));
            }
        }
        if network.inputs == Inputs::Pairs {
            for (white, here_is) in Animal::ALL.into_iter().zip(here.squares.white) {
                for (black, there_is) in Animal::ALL.into_iter().zip(here.squares.black) {
                    let (Some(first), Some(second)) = (here_is, there_is) else { continue };
                    let pair = Pair::new(white, first, black, second);
                    here.pairs.white += i32::from(weights[PAIRS + pair.white]);
                    here.pairs.black += i32::from(weights[PAIRS + pair.black]);
                    for (at, layer) in here.hidden.iter_mut().enumerate() {
                        let input = if at < 2 { pair.white } else { pair.black };
                        add_row(layer, network.row(Inputs::PLACES + input));
                    }
                }
            }
        }
    }

    #[inline]
    fn make(&mut self, position: &Position, mv: Move) {
        self.champion.make(position, mv);
        let us = position.turn();
        let animal = self.rules.by_strength(mv.animal);
        let taken = mv.captured.map(|taken| (!us, self.rules.by_strength(taken), mv.to));
        let step = Step { from: (us, animal, mv.from), to: (us, animal, mv.to), taken };
        self.top += 1;
        if self.top == self.stack.len() {
            self.stack.push(Accumulator::empty());
        }
        let mut squares = self.stack[self.top - 1].squares;
        squares[us][animal.index()] = Some(mv.to);
        if let Some((owner, animal, _)) = taken {
            squares[owner][animal.index()] = None;
        }
        let next = &mut self.stack[self.top];
        (next.squares, next.pending) = (squares, Some(step));
    }

    #[inline]
    fn unmake(&mut self, position: &Position, mv: Move) {
        self.champion.unmake(position, mv);
        self.top -= 1;
    }

    fn evaluate(&mut self, jungle: &Jungle, position: &Position) -> i32 {
        let correction = self.correction(position);
        let features = match self.network.inputs {
            Inputs::Places => self.champion.evaluate(jungle, position),
            Inputs::Pairs => {
                self.champion.without_pairs(position) + self.stack[self.top].pairs[position.turn()]
            }
        };
        features + correction
    }
}

/// A pair of enemies, as the [features](super::features) number them: for White to move, and for Black.
#[derive(Clone, Copy)]
struct Pair {
    white: usize,
    black: usize,
}

impl Pair {
    #[inline(always)]
    fn seen_by(self, viewer: Color) -> usize {
        match viewer {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    #[inline(always)]
    fn new(white: Animal, white_at: Square, black: Animal, black_at: Square) -> Pair {
        let gait = HUNTER[white.index()][black.index()];
        let distance = GEOMETRY.between(gait, white_at, black_at);
        Pair { white: pair(white, black, distance), black: pair(black, white, distance) }
    }
}

/// The input of a piece in a layer of [`Hidden`].
#[inline]
const fn seen(layer: usize, (owner, animal, square): Placed) -> usize {
    let square = if layer % 2 == 1 { square.mirror() } else { square };
    input(Color::ALL[layer / 2], owner, animal, square)
}

game::multiversion! {
    wide,
    fn output(hidden: &Hidden, black: bool, weights: &[Block]) -> i32 = weighted;
}
game::multiversion! {
    wide,
    fn follow(
        network: &Network,
        weights: &Weights,
        before: &Accumulator,
        step: Step,
        after: &mut Accumulator,
    ) -> () = followed;
}

/// The sum of the clipped squares of all layers, weighted; the weights of the player to move come first.
#[inline(always)]
fn weighted(hidden: &Hidden, black: bool, weights: &[Block]) -> i32 {
    let (ours, theirs) = weights.split_at(weights.len() / 2);
    let (of_white, of_black) = if black { (theirs, ours) } else { (ours, theirs) };
    let mut sums = [0_i32; UNIT_STEP / 2];
    for (layer, weights) in hidden.iter().zip([of_white, of_white, of_black, of_black]) {
        for (units, weights) in layer.iter().zip(weights) {
            // Pairs of products, as the processor adds them.
            for (pair, sum) in sums.iter_mut().enumerate() {
                let product = |at: usize| {
                    let unit = units[at].clamp(0, HIDDEN_ONE as i16);
                    i32::from(unit * unit) * i32::from(weights[at])
                };
                *sum += product(2 * pair) + product(2 * pair + 1);
            }
        }
    }
    sums.iter().sum()
}

/// Follows a move.
#[inline(always)]
fn followed(
    network: &Network,
    weights: &Weights,
    before: &Accumulator,
    step: Step,
    after: &mut Accumulator,
) {
    let (mut added, mut removed) = (PairList::EMPTY, PairList::EMPTY);
    if network.inputs == Inputs::Pairs {
        for_each_pair_changed(before, step, |pair, is_new| {
            if is_new { added.push(pair) } else { removed.push(pair) }
        });
        let sum = |pairs: &PairList, of: fn(&Pair) -> usize| -> i32 {
            pairs.all().iter().map(|pair| i32::from(weights[PAIRS + of(pair)])).sum()
        };
        let change = |of| sum(&added, of) - sum(&removed, of);
        after.pairs.white = before.pairs.white + change(|pair| pair.white);
        after.pairs.black = before.pairs.black + change(|pair| pair.black);
    }
    for block in 0..network.blocks() {
        for viewer in Color::ALL {
            // The same for the board and for its mirror image.
            let mut change = [0; UNIT_STEP];
            for pair in added.all() {
                add(&mut change, &network.row(Inputs::PLACES + pair.seen_by(viewer))[block]);
            }
            for pair in removed.all() {
                subtract(&mut change, &network.row(Inputs::PLACES + pair.seen_by(viewer))[block]);
            }
            for layer in [2 * viewer as usize, 2 * viewer as usize + 1] {
                let mut units = before.hidden[layer][block];
                add(&mut units, &change);
                add(&mut units, &network.row(seen(layer, step.to))[block]);
                subtract(&mut units, &network.row(seen(layer, step.from))[block]);
                if let Some(taken) = step.taken {
                    subtract(&mut units, &network.row(seen(layer, taken))[block]);
                }
                after.hidden[layer][block] = units;
            }
        }
    }
}

/// Pairs that a move changes.
struct PairList {
    pairs: [Pair; 2 * Animal::COUNT],
    count: usize,
}

impl PairList {
    const EMPTY: PairList = PairList { pairs: [Pair { white: 0, black: 0 }; 16], count: 0 };

    #[inline]
    fn push(&mut self, pair: Pair) {
        if let Some(place) = self.pairs.get_mut(self.count) {
            *place = pair;
            self.count += 1;
        }
    }

    #[inline]
    fn all(&self) -> &[Pair] {
        &self.pairs[..self.count]
    }
}

/// Calls `visit` with every pair of enemies that a move takes away, or adds (true): at most eight with the mover at its old
/// place and as many at its new one, and seven with the piece taken.
#[inline(always)]
fn for_each_pair_changed(before: &Accumulator, step: Step, mut visit: impl FnMut(Pair, bool)) {
    let (us, mover, from) = step.from;
    let (_, _, to) = step.to;
    let new = |color: Color, ours: Animal, here: Square, theirs: Animal, there: Square| match color
    {
        Color::White => Pair::new(ours, here, theirs, there),
        Color::Black => Pair::new(theirs, there, ours, here),
    };
    for (theirs, there) in Animal::ALL.into_iter().zip(before.squares[!us]) {
        let Some(there) = there else { continue };
        let old = new(us, mover, from, theirs, there);
        if step.taken.is_some_and(|(_, taken, _)| taken == theirs) {
            visit(old, false);
            continue;
        }
        let now = new(us, mover, to, theirs, there);
        if old.white != now.white {
            visit(old, false);
            visit(now, true);
        }
    }
    if let Some((_, taken, there)) = step.taken {
        for (ours, here) in Animal::ALL.into_iter().zip(before.squares[us]) {
            if let Some(here) = here.filter(|_| ours != mover) {
                visit(new(us, ours, here, taken, there), false);
            }
        }
    }
}

fn add_row(layer: &mut Layer, row: &[Block]) {
    for (units, row) in layer.iter_mut().zip(row) {
        add(units, row);
    }
}

#[inline(always)]
fn add(units: &mut Block, row: &Block) {
    for (unit, weight) in units.iter_mut().zip(row) {
        *unit = unit.wrapping_add(*weight);
    }
}

#[inline(always)]
fn subtract(units: &mut Block, row: &Block) {
    for (unit, weight) in units.iter_mut().zip(row) {
        *unit = unit.wrapping_sub(*weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features;
    use crate::eval::network::tests::random_network;
    use game::Game;
    use game::rng::Rng;

    /// The same value by loops over the definition, in wide numbers.
    fn plain(network: &Network, rules: &Rules, position: &Position) -> i32 {
        let us = position.turn();
        let bucket = bucket(position.occupied().len());
        let mut sum = i64::from(network.output_bias[bucket]);
        for (view, viewer) in [us, !us].into_iter().enumerate() {
            for board in [position.clone(), position.mirror()] {
                for unit in 0..network.units() {
                    let mut hidden = i64::from(network.bias.as_flattened()[unit]);
                    for (square, piece) in board.pieces() {
                        let animal = rules.by_strength(piece.animal);
                        let input = input(viewer, piece.color, animal, square);
                        hidden +=
                            i64::from(network.rows.as_flattened()[input * network.units() + unit]);
                    }
                    for input in pairs_of(network, rules, &board, viewer) {
                        hidden +=
                            i64::from(network.rows.as_flattened()[input * network.units() + unit]);
                    }
                    let clipped = hidden.clamp(0, 181);
                    let weight =
                        network.output[bucket].as_flattened()[view * network.units() + unit];
                    sum += clipped * clipped * i64::from(weight);
                }
            }
        }
        (sum * 17_372 / (100 * 181 * 181 * 128)) as i32
    }

    /// The inputs of pairs, straight from the features.
    fn pairs_of(network: &Network, rules: &Rules, board: &Position, viewer: Color) -> Vec<usize> {
        let mut found = Vec::new();
        if network.inputs == Inputs::Pairs {
            let mut board = board.clone();
            if board.turn() != viewer {
                board = Position::from_pieces(board.pieces().collect::<Vec<_>>(), viewer).unwrap();
            }
            features::for_each(rules, &board, |feature, _| {
                if (PAIRS..features::OUR_RACE).contains(&feature) {
                    found.push(Inputs::PLACES + feature - PAIRS);
                }
            });
        }
        found
    }

    #[test]
    fn following_a_game_gives_what_the_definition_says() {
        let mut rng = Rng::new(4);
        let cases = [
            (Rules::STANDARD, Inputs::Places, 16),
            (Rules::TUFTS, Inputs::Pairs, 48),
            (Rules::LEIDEN, Inputs::Places, 128),
            (Rules::STANDARD, Inputs::Pairs, 32),
        ];
        for (rules, inputs, units) in cases {
            let network = Arc::new(random_network(inputs, units, &mut rng));
            let jungle = Jungle::new(rules);
            let fresh = |position: &Position| {
                let mut judge = Networked::new(&rules, None, Arc::clone(&network));
                judge.reset(position);
                judge
            };
            for _ in 0..6 {
                let mut position = Position::start();
                let mut judge = fresh(&position);
                let start = judge.stack[0].hidden;
                let mut made = Vec::new();
                while let Some(&mv) = rng.choose(&jungle.moves(&position))
                    && made.len() < 120
                {
                    judge.make(&position, mv);
                    position.make(mv);
                    made.push(mv);
                    // Not every position is evaluated.
                    if rng.below(3) == 0 {
                        continue;
                    }
                    let value = judge.correction(&position);
                    assert_eq!(value, plain(&network, &rules, &position), "{position}");
                    let weights = Some(Arc::clone(network.features()));
                    let mut features = Champion::new(&rules, weights);
                    features.reset(&position);
                    let features = features.evaluate(&jungle, &position);
                    assert_eq!(judge.evaluate(&jungle, &position), features + value);
                    assert_eq!(value, fresh(&position.flip()).correction(&position.flip()));
                    assert_eq!(value, fresh(&position.mirror()).correction(&position.mirror()));
                }
                for &mv in made.iter().rev() {
                    position.unmake(mv);
                    judge.unmake(&position, mv);
                }
                assert!(judge.top == 0 && judge.stack[0].hidden == start);
                assert_eq!(judge.correction(&position), fresh(&position).correction(&position));
            }
        }
    }
}
