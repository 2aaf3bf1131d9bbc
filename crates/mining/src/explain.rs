//! Reports on trees: grows one and gathers all that front ends show of it.

use crate::data::Dataset;
use crate::learn::{self, Level};
use crate::show::{TreeReport, rules_label};
use crate::{cost, examples, prune};

/// Options of a report.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions {
    /// How it grows.
    pub grow: learn::Options,
    /// Whether the tree is pruned.
    pub prune: bool,
    /// How many misclassified positions are wanted.
    pub examples: usize,
}

/// Grows a tree and looks for examples. `progress` is called at each level.
pub fn explain(
    title: &str,
    data: &Dataset,
    options: &ExplainOptions,
    progress: impl FnMut(&Level),
) -> TreeReport {
    let grown = learn::grow(data, &options.grow, progress);
    let tree = if options.prune { prune::prune(&grown.tree) } else { grown.tree };
    let rules = data.populations().next().map(|population| rules_label(population.rules()));
    TreeReport {
        title: title.to_owned(),
        rules: rules.unwrap_or_default(),
        examples: examples::find(data, &tree, options.examples),
        bits: cost::bits(&tree),
        tree,
        levels: grown.levels,
        table_bytes: None,
    }
}
