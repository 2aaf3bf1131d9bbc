//! Explanation: a decision tree that says who wins a class of positions, and the path of one position down it.
//!
//! Trees are for Red to move; for Blue, the position is turned round and the colours exchanged, and the answer says so.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jungle::{Color, Position, Rules, Square};
use mining::data::Dataset;
use mining::explain::{ExplainOptions, explain};
use mining::feature::{ChoiceError, ClassContext, PositionView, USUAL, choose};
use mining::learn::Options;
use mining::population::Population;
use mining::show::{self, TreeReport};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tablebase::class::Loader;
use tablebase::{Material, Tablebase};

use crate::refusal::{Kind, Refusal};
use crate::request::GameRequest;

/// Classes of more pieces take too long for a client that waits.
const MOST_PIECES: u32 = 4;
/// The most questions on a path: with up to three pieces, and with more.
const MOST_DEPTH: [u32; 2] = [12, 6];
/// The default depth.
const USUAL_DEPTH: u32 = 4;
/// A tree with more leaves is not an explanation; growing ends at that level.
const MOST_LEAVES: usize = 3_000;
/// How many misclassified positions are shown.
const EXAMPLES: usize = 3;
/// Which tree.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct MineRequest {
    /// The class to explain, White to move; that of the position if left out.
    #[cfg_attr(feature = "openapi", param(example = "EL-T"))]
    pub class: Option<String>,
    /// The features that the tree may use: groups, kinds and names, separated by commas; `table3,cones` if left
    /// out.
    #[cfg_attr(feature = "openapi", param(example = "cones"))]
    pub features: Option<String>,
    /// The most questions on a path through the tree; 4 if left out.
    #[cfg_attr(feature = "openapi", param(maximum = 12))]
    pub max_depth: Option<u32>,
    /// Whether questions that are not worth it are left out (C4.5's pessimistic pruning).
    pub prune: Option<bool>,
}

/// A tree to grow: two requests that want the same share it.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedTree {
    rules: Rules,
    class: Material,
    features: Option<String>,
    max_depth: u32,
    prune: bool,
}

/// A position to be led down a tree, turned round if Blue is to move.
#[derive(Clone, Debug)]
pub struct Traveller {
    position: Option<Position>,
    swapped: bool,
}

/// A tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MinedBody))]
pub struct Mined {
    /// The class that the tree is for, White to move.
    pub class: String,
    /// Whether Black is to move in the position: then the tree is for the position turned round, with the
    /// colours exchanged.
    pub swapped: bool,
    /// The path of the position: which child it takes at each question. Null if a class was asked for.
    pub path: Option<Vec<usize>>,
    /// The tree, with counts and an example at every node.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub report: Value,
}

impl MineRequest {
    /// Which tree, and which position is to be led down it.
    ///
    /// # Errors
    ///
    /// If something is not understood, or the class has too many pieces.
    pub fn wanted(&self, game: &GameRequest) -> Result<(WantedTree, Traveller), Refusal> {
        let (class, traveller) = match &self.class {
            Some(text) => (named(text)?, Traveller { position: None, swapped: false }),
            None => {
                let play = game.unfinished()?;
                let swapped = play.position().turn() == Color::Black;
                let position =
                    if swapped { play.position().flip() } else { play.position().clone() };
                let class = Material::of(&position);
                (class, Traveller { position: Some(position), swapped })
            }
        };
        Ok((self.tree(game.rules()?, class)?, traveller))
    }

    fn tree(&self, rules: Rules, class: Material) -> Result<WantedTree, Refusal> {
        if class.white.is_empty() || class.black.is_empty() {
            return Err(Refusal::bad("class", "each side needs a piece, as in EL-T"));
        }
        if class.pieces() > MOST_PIECES {
            let message = format!(
                "{class} has {} pieces, and trees are learnt for up to {MOST_PIECES}",
                class.pieces()
            );
            return Err(Refusal::missing("too-many-pieces", message));
        }
        let most = MOST_DEPTH[usize::from(class.pieces() > 3)];
        let max_depth = self.max_depth.unwrap_or(USUAL_DEPTH);
        if max_depth > most {
            let message = format!("at most {most} questions with {} pieces", class.pieces());
            return Err(Refusal::bad("max-depth", message));
        }
        let (features, prune) = (self.features.clone(), self.prune.unwrap_or(false));
        Ok(WantedTree { rules, class, features, max_depth, prune })
    }
}

fn named(text: &str) -> Result<Material, Refusal> {
    let class: Result<Material, _> = text.parse();
    class.map_err(|error| Refusal::because(Kind::Bad, "class", error))
}

impl WantedTree {
    /// The rules that the tree is for.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Grows the tree from the tables; ends early when the flag is set.
    ///
    /// # Errors
    ///
    /// If a feature is unknown, or a table is missing or damaged.
    pub fn grow(&self, set: &Tablebase, stop: &Arc<AtomicBool>) -> Result<TreeReport, Refusal> {
        let pieces = self.class.in_order();
        let features = choose(&pieces, false, self.features.as_deref(), None, USUAL);
        let features = features.map_err(|error| match error {
            ChoiceError::Unknown(error) => Refusal::bad("features", error),
            ChoiceError::Nothing => {
                Refusal::bad("features", "name at least one feature, or leave them out")
            }
        })?;
        let population = Population::load(&mut Loader::new(set), self.class)?;
        let data = Dataset::new(vec![population], features);
        let options = ExplainOptions {
            grow: Options {
                max_depth: Some(self.max_depth),
                max_leaves: Some(MOST_LEAVES),
                stop: Arc::clone(stop),
                ..Options::default()
            },
            prune: self.prune,
            examples: EXAMPLES,
        };
        Ok(explain(&self.class.to_string(), &data, &options, |_| ()))
    }

    /// The answer, with the tree grown.
    pub fn answer(&self, grown: &TreeReport, traveller: &Traveller) -> Mined {
        let path = traveller.position.as_ref().and_then(|position| self.path(grown, position));
        let class = self.class.to_string();
        Mined { class, swapped: traveller.swapped, path, report: show::json(grown) }
    }

    /// The path of a position of the class, Red to move, down its tree.
    fn path(&self, grown: &TreeReport, position: &Position) -> Option<Vec<usize>> {
        let pieces = self.class.in_order();
        let squares: Option<Vec<Square>> =
            pieces.iter().map(|piece| position.square_of(piece.color, piece.animal)).collect();
        let context = ClassContext::new(&self.rules, &pieces);
        Some(grown.tree.path(&PositionView::new(&context, &squares?)))
    }
}
