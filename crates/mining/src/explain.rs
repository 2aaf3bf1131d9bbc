//! A tree with everything there is to tell about it: what the command line and the board both show.

use crate::data::Data;
use crate::learn::{self, Level};
use crate::show::{Report, rules_label};
use crate::{cost, examples, prune};

/// What kind of tree is wanted.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// How it grows.
    pub grow: learn::Options,
    /// Whether questions that are not worth it are left out again.
    pub prune: bool,
    /// How many positions that the tree is wrong about are wanted.
    pub examples: usize,
}

/// Grows a tree and looks for examples. `progress` is told about each level.
pub fn explain(title: &str, data: &Data, wish: &Wish, progress: impl FnMut(&Level)) -> Report {
    let grown = learn::grow(data, &wish.grow, progress);
    let tree = if wish.prune { prune::prune(&grown.tree) } else { grown.tree };
    let rules = data.populations().next().map(|population| rules_label(population.rules()));
    Report {
        title: title.to_owned(),
        rules: rules.unwrap_or_default(),
        examples: examples::find(data, &tree, wish.examples),
        bits: cost::bits(&tree),
        tree,
        levels: grown.levels,
        table_bytes: None,
    }
}
