//! The command line of `mousetrap mine`.

use std::path::PathBuf;

use clap::Args;
use tablebase::Material;

use crate::commands::tb::args::SetArgs;

#[derive(Debug, Args)]
#[command(
    after_help = "A class is Red's animals, a dash and Blue's, as in EL-RT; Red is to move. Features are
groups (table3, cones, material, squares), kinds (gap, parity) or single ones (gap(E,t));
--list-features explains them.

Examples:
  mousetrap mine C-W --features table3
  mousetrap mine T-E --max-depth 4 --format svg --out tree.svg
  mousetrap mine LC-T --prune --format html --out tree.html
  mousetrap mine C-C --statements
  mousetrap mine --all --pieces 2 --rules leiden
  mousetrap mine --all --pieces 3 --plot sizes.svg
  mousetrap mine --all --pieces 3 --features race,parity --json
  mousetrap mine EL-RT --list-features"
)]
pub struct MineArgs {
    /// The class to explain
    #[arg(value_name = "CLASS", required_unless_present = "all")]
    pub class: Option<Material>,
    /// Explain every class of --pieces pieces, one of each that are isomorphic
    #[arg(long, conflicts_with = "class", requires = "pieces")]
    pub all: bool,
    /// How many pieces the classes of --all have
    #[arg(long, value_name = "N", requires = "all",
          value_parser = clap::value_parser!(u32).range(2..=6))]
    pub pieces: Option<u32>,
    /// Of --all, only this many classes, picked at random
    #[arg(long, value_name = "N", requires = "all")]
    pub sample: Option<usize>,
    /// The random seed by which classes are picked
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub set: SetArgs,
    /// The features, separated by commas; table3 and cones if left out
    #[arg(long, value_name = "LIST")]
    pub features: Option<String>,
    /// Features to exclude, separated by commas
    #[arg(long, value_name = "LIST")]
    pub without: Option<String>,
    /// The maximum depth of the tree
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// The minimum leaf size: how many positions at least two answers of a question must have
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub min_leaf: u64,
    /// Prune the tree (C4.5's pessimistic pruning)
    #[arg(long)]
    pub prune: bool,
    /// How to show the tree
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "all",
          value_parser = ["text", "dot", "svg", "json", "html"])]
    pub format: String,
    /// The file to write; the output if left out
    #[arg(long, value_name = "FILE", conflicts_with = "all")]
    pub out: Option<PathBuf>,
    /// How many misclassified positions to show
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub examples: usize,
    /// Instead of a tree, print association rules that hold without exception, as sentences
    #[arg(long, conflicts_with_all = ["all", "format", "out", "prune", "max_depth"])]
    pub statements: bool,
    /// How many sentences
    #[arg(long, value_name = "N", default_value_t = 10, requires = "statements")]
    pub most: usize,
    /// Explain the features for the class, and do nothing else
    #[arg(long, conflicts_with_all = ["all", "statements"])]
    pub list_features: bool,
    /// Of --all, draw errors against size as SVG
    #[arg(long, value_name = "FILE", requires = "all")]
    pub plot: Option<PathBuf>,
    /// How many threads to use; all cores if left out
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// Print JSON: of --all one object per class, of --statements one per sentence
    #[arg(long)]
    pub json: bool,
}
