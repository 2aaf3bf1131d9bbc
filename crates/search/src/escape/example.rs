//! The paper's example (its Figures 1 to 3): a root Q with children q1 to q5.
//!
//! From the text: q1 to q4 have the scores 1/3, −3/5, −2/3 and −1/5 for the player to move there; looking
//! at a node costs 1, expanding one nothing; the local function is `step(0.75)`, the global one falls
//! after 30 of 120 units. Four children are visited, q3 escapes and is expanded; five of its children are
//! visited, q32 is the best, and q3 falls behind q2.
//!
//! The figures have not survived, and no reading of the text restores q3's children in full. It fixes
//!
//! - that there are six: with `step(0.75)` the fifth of `n` is the first that may escape only if 4/n is at most 3/4 and 5/n
//!   above it. (A cost of expanding, c_δ > 0, would shift the shares, but those printed for Q, 1/5 to 4/5, and g's
//!   C = 4 need c_δ = 0.)
//! - that q32 has the least score of the first five, and the first if several are equal;
//! - that this score is below 3/5: q3 "no longer possesses the best score", and q2 offers 3/5;
//! - that q2 is the next candidate, and Q is worth 3/5 then, whatever the scores: the share of what Q's children took is
//!   9/10 by then.
//!
//! Any six scores with these properties tell the same story, so the scores themselves are our choice, and so are
//! those of q5 and of what lies below the other nodes. The tests below try it.

use game::limits::Limits;
use game::rng::mix;
use game::score::Evaluate;
use game::{Game, Outcome, Side};

use super::{Curve, Escape, EscapeAnswer, Scale, Settings, Solving, Trace};

/// A game given as a tree with a score on every node, in fifteenths, for the player to move there.
#[derive(Clone, Debug)]
pub struct Scored {
    nodes: Vec<(i32, Vec<usize>, Side)>,
}

/// A node with its score and its children; without children it is a leaf.
#[derive(Clone, Debug)]
pub struct Sketch(pub i32, pub Vec<Sketch>);

/// Dropped from the top, so that a very deep one does not overflow the stack.
impl Drop for Sketch {
    fn drop(&mut self) {
        let mut left = std::mem::take(&mut self.1);
        while let Some(mut sketch) = left.pop() {
            left.append(&mut sketch.1);
        }
    }
}

/// A node of a [`Scored`] tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(usize);

impl Scored {
    /// The game.
    pub fn new(root: &Sketch) -> Scored {
        let mut tree = Scored { nodes: Vec::new() };
        // Parents before children, without recursion: trees of tests may be very deep.
        let mut left = vec![(root, Side::First, None)];
        while let Some((Sketch(score, children), player, parent)) = left.pop() {
            let index = tree.nodes.len();
            tree.nodes.push((*score, Vec::new(), player));
            if let Some(parent) = parent {
                let parent: &mut (i32, Vec<usize>, Side) = &mut tree.nodes[parent];
                parent.1.push(index);
            }
            left.extend(children.iter().rev().map(|child| (child, !player, Some(index))));
        }
        tree
    }

    /// The root.
    pub fn root(&self) -> Place {
        Place(0)
    }

    /// The score of a node, for the player to move there.
    pub fn score(&self, place: &Place) -> i32 {
        self.nodes[place.0].0
    }

    /// The name of a path: Q, q3, q32.
    pub fn name(&self, path: &[usize]) -> String {
        let mut at = 0;
        let mut name = String::new();
        for &mv in path {
            let number = self.nodes[at].1.iter().position(|&child| child == mv).unwrap_or_default();
            name.push_str(&(number + 1).to_string());
            at = mv;
        }
        if path.is_empty() { "Q".to_owned() } else { format!("q{name}") }
    }
}

impl Game for Scored {
    type Position = Place;
    type Move = usize;
    type Undo = Place;

    fn side_to_move(&self, place: &Place) -> Side {
        self.nodes[place.0].2
    }

    /// A leaf is over; its score is a win, a draw or a loss.
    fn outcome(&self, place: &Place) -> Option<Outcome> {
        let (score, children, player) = &self.nodes[place.0];
        children.is_empty().then_some(match score {
            1.. => Outcome::Win(*player),
            0 => Outcome::Draw,
            _ => Outcome::Win(!*player),
        })
    }

    fn push_moves(&self, place: &Place, moves: &mut Vec<usize>) {
        moves.extend_from_slice(&self.nodes[place.0].1);
    }

    fn make(&self, place: &mut Place, mv: usize) -> Place {
        std::mem::replace(place, Place(mv))
    }

    fn unmake(&self, place: &mut Place, _: usize, undo: Place) {
        *place = undo;
    }

    fn key(&self, place: &Place) -> u64 {
        mix(place.0 as u64)
    }

    fn fresh_key(&self, place: &Place) -> u64 {
        self.key(place)
    }
}

impl Evaluate<Scored> for Scored {
    fn evaluate(&self, _: &Scored, place: &Place) -> i32 {
        self.score(place)
    }
}

/// The tree. Below what the paper describes, every node has three leaves that are draws, so that nothing
/// in the example is a leaf.
pub fn published() -> Scored {
    // From the player to move at q3: it fell from −2/3 to 2/5.
    published_with(&[3, -6, 1, 5, 2, -1])
}

/// The tree with these scores of q3's children, in fifteenths.
pub fn published_with(below_q3: &[i32]) -> Scored {
    let open = |score| Sketch(score, vec![Sketch(0, vec![]), Sketch(0, vec![]), Sketch(0, vec![])]);
    let below_q3 = below_q3.iter().copied().map(open).collect();
    let children = vec![open(5), open(-9), Sketch(-10, below_q3), open(-3), open(4)];
    Scored::new(&Sketch(0, children))
}

/// The settings of the example.
pub fn settings() -> Settings {
    Settings {
        local: Curve::Step(0.75),
        global: Curve::Step(0.25),
        scale: Scale::Linear(15.0),
        visit: 1,
        expand: 0,
        solving: Solving::Conjunction,
        ..Settings::default()
    }
}

/// Runs the example and returns its trace; the game has 120 units.
pub fn run() -> (EscapeAnswer<usize>, String) {
    let tree = published();
    let mut trace = Trace::new(settings().scale, usize::MAX, |path: &[usize]| tree.name(path));
    let mut search = Escape::new(&tree, &tree, settings());
    let answer = search.search_watched(&tree.root(), &Limits::game_nodes(120), &mut trace);
    (answer, trace.text().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::escape::{Event, Judgement};
    use game::rng::Rng;

    /// What the text tells of q3 and of what follows, with these scores of its children.
    #[derive(Debug, PartialEq)]
    struct Story {
        /// How many of q3's children are visited before one escapes, and which one does.
        visited: usize,
        escaped: String,
        /// Whether q3 then falls behind another child of the root, at once.
        outdone: bool,
        /// The root's next candidate.
        next: Option<String>,
    }

    fn story(below_q3: &[i32]) -> Option<Story> {
        let tree = published_with(below_q3);
        let (mut first, mut judged, mut next) = (None, None, None);
        let mut watch = |path: &[usize], event: Event<usize>| match (&tree.name(path)[..], event) {
            ("q3", Event::Tested(test)) if test.escaped && first.is_none() => {
                first = Some((test.visited, tree.name(&[path, &[test.best]].concat())));
            }
            ("q3", Event::Judged(judgement)) if first.is_some() => {
                judged.get_or_insert(judgement);
            }
            ("Q", Event::Tested(test)) if test.escaped && first.is_some() => {
                next.get_or_insert(tree.name(&[test.best]));
            }
            _ => {}
        };
        let mut search = Escape::new(&tree, &tree, settings());
        search.search_watched(&tree.root(), &Limits::game_nodes(120), &mut watch);
        let (visited, escaped) = first?;
        let outdone = judged == Some(Judgement::Outdone);
        Some(Story { visited, escaped, outdone, next })
    }

    fn published_story() -> Story {
        let [escaped, next] = ["q32", "q2"].map(str::to_owned);
        Story { visited: 5, escaped, outdone: true, next: Some(next) }
    }

    #[test]
    fn the_text_fixes_how_many_children_q3_has() {
        for count in 2..=12 {
            let mut scores = vec![1; count];
            scores[1] = -6;
            let told = story(&scores).unwrap();
            assert_eq!(told == published_story(), count == 6, "{count} children: {told:?}");
        }
    }

    #[test]
    fn the_text_fixes_an_order_of_their_scores_and_nothing_else() {
        let mut rng = Rng::new(4);
        let mut values = vec![Vec::new(); 6];
        let mut told = 0;
        for _ in 0..20_000 {
            let scores: Vec<i32> = (0..6).map(|_| rng.below(29) as i32 - 14).collect();
            let least = scores[..5].iter().min();
            let fits = least == scores.get(1) && scores[0] > scores[1] && scores[1] < 9;
            assert_eq!(story(&scores) == Some(published_story()), fits, "{scores:?}");
            if fits {
                told += 1;
                values.iter_mut().zip(&scores).for_each(|(values, score)| values.push(*score));
            }
        }
        assert!(told > 1000, "{told}");
        // No child has the same score in all trees that tell the story, nor nearly so.
        for mut values in values {
            values.sort_unstable();
            values.dedup();
            assert!(values.len() > 20, "{values:?}");
        }
    }
}
