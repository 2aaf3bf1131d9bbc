//! Decision trees for all classes of a number of pieces.
//!
//! Classes that are the same game by other names get one row, with White to move and, where that is
//! another game, with the colours exchanged. For two pieces there is more: the tree is the smallest
//! that was found, it must be perfect, and it is evaluated on every position of every class that it
//! serves; at the end comes one tree for all of them.

mod plot;

use game::rng::Rng;
use jungle::Piece;
use mining::cells::{self, Cells};
use mining::data::Dataset;
use mining::feature::{Feature, USUAL, choose};
use mining::learn::{self, Level, Options};
use mining::population::{Population, minority};
use mining::show::percent;
use mining::tree::Tree;
use mining::{cost, prune};
use serde::Serialize;
use tablebase::class::Loader;
use tablebase::{Material, Set};

use crate::StudyError;

pub use plot::chart;

/// Which features the trees may use, and how they grow.
#[derive(Clone, Debug)]
pub struct Params {
    /// How many pieces the classes have.
    pub pieces: u32,
    /// Only this many classes, picked at random.
    pub sample: Option<usize>,
    /// Decides which classes are picked.
    pub seed: u64,
    /// The features they may use, separated by commas; the default ones if left out.
    pub features: Option<String>,
    /// The features they may not use.
    pub without: Option<String>,
    /// The most questions on a path through a tree.
    pub max_depth: Option<u32>,
    /// How many positions at least two answers of a question must have.
    pub min_leaf: u64,
    /// Whether questions that are not worth it are left out.
    pub prune: bool,
}

impl Params {
    /// Two pieces are to have perfect trees, unless something else is asked for.
    pub fn is_perfect(&self) -> bool {
        self.pieces == 2 && !self.prune && self.max_depth.is_none() && self.min_leaf == 1
    }

    /// How trees grow.
    pub fn options(&self) -> Options {
        Options { max_depth: self.max_depth, min_leaf: self.min_leaf, ..Options::default() }
    }

    fn choose(
        &self,
        pieces: &[Piece],
        any: bool,
        usual: &[&str],
    ) -> Result<Vec<Feature>, StudyError> {
        choose(pieces, any, self.features.as_deref(), self.without.as_deref(), usual)
            .map_err(|error| StudyError::parameter("features", error.to_string()))
    }
}

/// The observer of a growing tree: the class, and its latest level.
type Watch<'a> = &'a (dyn Fn(&str, &Level) + Sync);

/// A class; the names are a contract with other programs.
#[derive(Clone, Debug, Serialize)]
pub struct ClassTree {
    /// The class, or `all`.
    pub class: String,
    /// The classes that are the same game.
    pub same: Vec<String>,
    /// Its positions.
    pub positions: u64,
    /// The errors of always claiming the most frequent outcome.
    pub majority_errors: u64,
    /// The groups of features that the tree asks about.
    pub features: String,
    /// How many questions it has.
    pub questions: usize,
    /// How many leaves.
    pub leaves: usize,
    /// The most questions on a path through it.
    pub depth: u32,
    /// Positions that it is wrong about.
    pub errors: u64,
    /// The errors when every position of every class is evaluated; two pieces only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified_errors: Option<u64>,
    /// Bits of the tree and its exceptions, cut where that is cheapest.
    pub bits: f64,
    /// Where that is.
    pub bits_depth: u32,
    /// Bits of the outcomes in a table file, for both sides to move.
    pub table_bits: Option<u64>,
    /// The tree at every depth.
    pub levels: Vec<Step>,
}

/// A tree at some depth.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// The depth.
    pub depth: u32,
    /// Its leaves.
    pub leaves: usize,
    /// Positions that it is wrong about.
    pub errors: u64,
}

impl From<&Level> for Step {
    fn from(level: &Level) -> Step {
        Step { depth: level.depth, leaves: level.leaves, errors: level.errors }
    }
}

/// The layer, ready to be learned.
pub struct Layer<'a> {
    set: &'a Set,
    params: &'a Params,
    groups: Vec<Vec<Material>>,
}

impl<'a> Layer<'a> {
    /// The classes of this many pieces, those that are the same game together.
    ///
    /// # Errors
    ///
    /// If there are no such tables.
    pub fn open(set: &'a Set, params: &'a Params) -> Result<Layer<'a>, StudyError> {
        set.check(params.pieces)?;
        let mut groups = groups(set, params.pieces);
        if let Some(sample) = params.sample {
            pick(&mut groups, sample, params.seed);
        }
        Ok(Layer { set, params, groups })
    }

    /// How many groups of classes there are.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The tree of a group.
    ///
    /// # Errors
    ///
    /// If its tables cannot be read, or its features are invalid.
    pub fn explain(&self, group: usize, watch: Watch<'_>) -> Result<ClassTree, StudyError> {
        let group = &self.groups[group];
        if self.params.is_perfect() {
            perfect(self.set, self.params, group, watch)
        } else {
            large(self.set, self.params, group, watch)
        }
    }

    /// One tree for every class, of two pieces.
    ///
    /// # Errors
    ///
    /// As for [`explain`](Layer::explain).
    pub fn explain_all(&self, watch: Watch<'_>) -> Result<ClassTree, StudyError> {
        whole(self.set, self.params, &self.groups, watch)
    }
}

/// All trees together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    /// Classes up to isomorphism.
    pub classes: usize,
    /// Classes by name.
    pub names: usize,
    /// Positions.
    pub positions: u64,
    /// Positions that trees are wrong about.
    pub errors: u64,
    /// Positions that they are right about, in per cent.
    pub right: f64,
    /// Bits a position that trees and their exceptions take.
    pub tree_bits: f64,
    /// Bits a position that tables of outcomes take.
    pub table_bits: f64,
    /// For how many classes the tree is the smaller.
    pub smaller: usize,
}

impl Sum {
    /// All rows together.
    pub fn of(rows: &[ClassTree]) -> Sum {
        let sum = |number: fn(&ClassTree) -> u64| rows.iter().map(number).sum::<u64>();
        let (positions, errors) = (sum(|row| row.positions), sum(|row| row.errors));
        let bits: f64 = rows.iter().map(|row| row.bits).sum();
        let table: f64 = rows.iter().filter_map(ClassTree::table_bits_of_white).sum();
        let smaller = |row: &&ClassTree| row.table_bits_of_white().is_some_and(|t| row.bits < t);
        Sum {
            classes: rows.len(),
            names: rows.iter().map(|row| row.same.len()).sum(),
            positions,
            errors,
            right: percent(positions - errors, positions),
            tree_bits: bits / positions as f64,
            table_bits: table / positions as f64,
            smaller: rows.iter().filter(smaller).count(),
        }
    }
}

impl ClassTree {
    /// The leaves and errors of the tree at a depth; a tree that ended earlier stays as it is.
    pub fn at(&self, depth: u32) -> (usize, u64) {
        let step = self.levels.iter().rfind(|step| step.depth <= depth);
        step.map_or((1, self.majority_errors), |step| (step.leaves, step.errors))
    }

    /// Positions that are right if this many are wrong, in per cent.
    pub fn right(&self, errors: u64) -> f64 {
        percent(self.positions - errors, self.positions)
    }

    /// Bits a position that the tree and its exceptions take.
    pub fn tree_bits_a_position(&self) -> f64 {
        self.bits / self.positions as f64
    }

    /// Bits a position that the table of outcomes takes; 0 if there is none.
    pub fn table_bits_a_position(&self) -> f64 {
        self.table_bits_of_white().unwrap_or(0.0) / self.positions as f64
    }

    /// Half of what the file holds is with Black to move.
    pub fn table_bits_of_white(&self) -> Option<f64> {
        self.table_bits.map(|bits| bits as f64 / 2.0)
    }
}

/// Loads a class.
///
/// # Errors
///
/// If its tables cannot be read.
pub fn load(set: &Set, class: Material) -> Result<Population, StudyError> {
    let loaded = Population::load(&mut Loader::new(set.tablebase()), class);
    Ok(loaded.map_err(|error| set.failed(error))?)
}

/// How many bytes the table of a class takes with outcomes alone, for both sides to move.
pub fn table_bytes(set: &Set, population: &Population) -> Option<u64> {
    // Large tables are not coded again for this; their own size, without the header, will do.
    if population.pieces().len() > 4 {
        let sizes = set.tablebase().sizes(population.material()).ok()?;
        return Some(sizes.models + sizes.outcomes);
    }
    Some(population.values().wdl_bytes())
}

/// The classes of this many pieces, those that are the same game together, the one whose name comes
/// first in front.
fn groups(set: &Set, pieces: u32) -> Vec<Vec<Material>> {
    let mut groups: Vec<(Material, Vec<Material>)> = Vec::new();
    for material in Material::all(pieces) {
        let Ok(key) = set.tablebase().representative(material) else { continue };
        match groups.iter_mut().find(|(other, _)| *other == key) {
            Some((_, group)) => group.push(material),
            None => groups.push((key, vec![material])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Keeps this many of the groups, in their order.
fn pick(groups: &mut Vec<Vec<Material>>, sample: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    while groups.len() > sample {
        groups.remove(rng.below(groups.len()));
    }
}

/// Two pieces: the smallest perfect tree found, with the fewest groups of features that allow one.
fn perfect(
    set: &Set,
    params: &Params,
    group: &[Material],
    watch: Watch<'_>,
) -> Result<ClassTree, StudyError> {
    let class = group[0];
    let pieces = class.in_order();
    let choices: &[&[&str]] = &[&["table3"], &["table3", "cones"], &["table3", "cones", "squares"]];
    let population = load(set, class)?;
    let mut best: Option<(Dataset, Tree, String)> = None;
    for usual in choices {
        let chosen = params.choose(&pieces, false, usual)?;
        let data = Dataset::new(vec![population.clone()], chosen);
        let cells = Cells::new(&data);
        let perfect = cells.inseparable() == 0;
        if perfect || params.features.is_some() || usual.len() == 3 {
            let tree = cells::smallest(&cells);
            best = Some((data, tree, params.features.clone().unwrap_or_else(|| usual.join(","))));
            break;
        }
    }
    let (data, tree, asked) = best.expect("the last choice is taken");
    let grown = learn::grow(&data, &params.options(), |level| watch(&class.to_string(), level));
    let mut errors = 0;
    for &same in group {
        let data = Dataset::new(vec![load(set, same)?], tree.features.clone());
        errors += tree.verify(&data);
    }
    let row = row(set, group, &population, &tree, asked, &grown.levels);
    Ok(ClassTree { verified_errors: Some(errors), ..row })
}

fn large(
    set: &Set,
    params: &Params,
    group: &[Material],
    watch: Watch<'_>,
) -> Result<ClassTree, StudyError> {
    let class = group[0];
    let chosen = params.choose(&class.in_order(), false, USUAL)?;
    let population = load(set, class)?;
    let data = Dataset::new(vec![population.clone()], chosen);
    let grown = learn::grow(&data, &params.options(), |level| watch(&class.to_string(), level));
    let tree = if params.prune { prune::prune(&grown.tree) } else { grown.tree };
    let asked = params.features.clone().unwrap_or_else(|| USUAL.join(","));
    Ok(row(set, group, &population, &tree, asked, &grown.levels))
}

fn row(
    set: &Set,
    group: &[Material],
    population: &Population,
    tree: &Tree,
    features: String,
    levels: &[Level],
) -> ClassTree {
    let (bits_depth, bits) = cost::cheapest(tree);
    ClassTree {
        class: group[0].to_string(),
        same: group.iter().map(ToString::to_string).collect(),
        positions: tree.positions(),
        majority_errors: minority(&tree.nodes[0].counts),
        features,
        questions: tree.questions(),
        leaves: tree.leaves().count(),
        depth: tree.depth(),
        errors: tree.errors(),
        verified_errors: None,
        bits: bits.total(),
        bits_depth,
        table_bits: table_bytes(set, population).map(|bytes| 8 * bytes),
        levels: levels.iter().map(Step::from).collect(),
    }
}

/// One tree for every class of two pieces.
fn whole(
    set: &Set,
    params: &Params,
    groups: &[Vec<Material>],
    watch: Watch<'_>,
) -> Result<ClassTree, StudyError> {
    let mut classes: Vec<Material> = groups.iter().flatten().copied().collect();
    classes.sort_by_key(ToString::to_string);
    let mut loader = Loader::new(set.tablebase());
    let load = |class: &Material| Population::load(&mut loader, *class);
    let populations: Result<Vec<Population>, _> = classes.iter().map(load).collect();
    let populations = populations.map_err(|error| set.failed(error))?;
    let pieces = populations[0].pieces().to_vec();
    let mut data = Dataset::new(populations, Vec::new());
    // Squares explain nothing; they are added only if the rest does not suffice.
    let choices: [&[&str]; 2] =
        [&["table3", "cones", "material"], &["table3", "cones", "material", "squares"]];
    let mut grown = None;
    let mut names = String::new();
    for usual in choices {
        data = data.with_features(params.choose(&pieces, true, usual)?);
        let found = learn::grow(&data, &params.options(), |level| watch("all", level));
        let perfect = found.tree.errors() == 0;
        grown = Some(found);
        names = params.features.clone().unwrap_or_else(|| usual.join(","));
        if perfect || params.features.is_some() {
            break;
        }
    }
    let grown = grown.expect("the last choice is taken");
    let tree = grown.tree;
    let (bits_depth, bits) = cost::cheapest(&tree);
    Ok(ClassTree {
        class: "all".to_owned(),
        same: classes.iter().map(ToString::to_string).collect(),
        positions: tree.positions(),
        majority_errors: minority(&tree.nodes[0].counts),
        features: names,
        questions: tree.questions(),
        leaves: tree.leaves().count(),
        depth: tree.depth(),
        errors: tree.errors(),
        verified_errors: Some(tree.verify(&data)),
        bits: bits.total(),
        bits_depth,
        table_bits: None,
        levels: grown.levels.iter().map(Step::from).collect(),
    })
}
