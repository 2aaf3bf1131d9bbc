//! The paper's example (its Figures 1 to 3): a root Q with children q1 to q5.
//!
//! From the text: q1 to q4 have the scores 1/3, −3/5, −2/3 and −1/5 for the player to move there; looking
//! at a node costs 1, expanding one nothing; the local function is `step(0.75)`, the global one falls
//! after 30 of 120 units. Four children are visited, q3 escapes and is expanded; five of its children are
//! visited, q32 is the best, and q3 falls behind q2.
//!
//! The figures have not survived. That five children of q3 are visited, and not four or six, shows that
//! it has six. The scores of q3's children, of q5 and of what lies below the other nodes are our choice.

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
    let open = |score| Sketch(score, vec![Sketch(0, vec![]), Sketch(0, vec![]), Sketch(0, vec![])]);
    // From the player to move at q3: it fell from −2/3 to 2/5.
    let below_q3 = [3, -6, 1, 5, 2, -1].map(open).to_vec();
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
