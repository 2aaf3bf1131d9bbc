//! Mined decision trees.

use ::mining::data::Dataset;
use ::mining::feature::{Feature, Scale, USUAL, available, choose};
use ::mining::learn::{self, Options};
use ::mining::population::Population;
use ::mining::show::{self, TreeReport};
use ::mining::split::Criterion;
use ::mining::tree::Question;
use ::mining::{cost, examples, prune};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tablebase::class::Loader;
use tablebase::{Material, ProbeError, Set};

use crate::arrow::written;
use crate::batch::integers;
use crate::convert::{plain, rows};
use crate::failure;

/// The features that lists ask for.
pub fn features(
    class: Material,
    wanted: Option<&str>,
    without: Option<&str>,
) -> PyResult<Vec<Feature>> {
    choose(&class.in_order(), false, wanted, without, USUAL).map_err(failure::input)
}

/// The options of induction.
pub fn options(max_depth: Option<u32>, min_leaf: u64, criterion: &str) -> PyResult<Options> {
    let criterion = match criterion {
        "gain-ratio" => Criterion::GainRatio,
        "gain" => Criterion::Gain,
        other => {
            return Err(failure::input(format!(
                "'{other}' is not a split criterion: expected gain-ratio or gain"
            )));
        }
    };
    if min_leaf == 0 {
        return Err(failure::input("min_leaf must be 1 or more"));
    }
    Ok(Options { max_depth, min_leaf, criterion, ..Options::default() })
}

fn load(set: &Set, class: Material, features: Vec<Feature>) -> Result<Dataset, ProbeError> {
    let population = Population::load(&mut Loader::new(set.tablebase()), class)?;
    Ok(Dataset::new(vec![population], features))
}

/// Grows a tree.
pub fn grow(
    set: &Set,
    class: Material,
    features: Vec<Feature>,
    options: &Options,
    pruned: bool,
) -> Result<DecisionTree, ProbeError> {
    let data = load(set, class, features)?;
    let grown = learn::grow(&data, options, |_| {});
    let tree = if pruned { prune::prune(&grown.tree) } else { grown.tree };
    Ok(DecisionTree(TreeReport {
        title: class.to_string(),
        rules: show::rules_label(set.rules()),
        examples: examples::find(&data, &tree, 2),
        bits: cost::bits(&tree),
        tree,
        levels: grown.levels,
        table_bytes: None,
    }))
}

/// A candidate for the root question.
pub struct First {
    feature: String,
    at_most: Option<i16>,
    gain: f64,
    information: f64,
}

impl First {
    pub fn dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("feature", &self.feature)?;
        dict.set_item("at_most", self.at_most)?;
        dict.set_item("gain", self.gain)?;
        dict.set_item("split_information", self.information)?;
        dict.set_item("gain_ratio", self.gain / self.information)?;
        Ok(dict)
    }
}

/// The candidates for the root question.
pub fn questions(
    set: &Set,
    class: Material,
    features: Vec<Feature>,
) -> Result<Vec<First>, ProbeError> {
    let data = load(set, class, features)?;
    let first = |candidate: &::mining::split::Candidate| {
        let feature = &data.features()[candidate.question.feature()];
        First {
            feature: feature.name.clone(),
            at_most: match candidate.question {
                Question::Which { .. } => None,
                Question::AtMost { bound, .. } => Some(written(feature, bound)),
            },
            gain: candidate.gain,
            information: candidate.information,
        }
    };
    Ok(learn::first_questions(&data, 1).iter().map(first).collect())
}

/// All features for a class.
pub fn listed<'py>(py: Python<'py>, class: Material) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (group, feature) in available(&class.in_order(), false) {
        let dict = PyDict::new(py);
        dict.set_item("group", group.name())?;
        dict.set_item("name", &feature.name)?;
        let all = 0..feature.scale.len() as u8;
        if feature.is_nominal() {
            dict.set_item("values", all.map(|value| feature.write(value)).collect::<Vec<_>>())?;
        } else {
            let numbers: Vec<i16> = all.map(|value| written(&feature, value)).collect();
            dict.set_item("values", numbers)?;
        }
        dict.set_item("nominal", feature.is_nominal())?;
        dict.set_item("about", &feature.about)?;
        list.append(dict)?;
    }
    Ok(list)
}

/// A decision tree that explains a class; made by `Tablebase.mine`. It prints as text and shows itself as a
/// picture in a notebook.
///
/// ```python
/// >>> tree = mousetrap.Tablebase.open(rules="leiden").mine("C-C", features="table3")
/// >>> tree.depth, tree.leaves, tree.data()["tree"]["feature"]
/// (3, 6, 'closest')
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct DecisionTree(TreeReport);

#[pymethods]
impl DecisionTree {
    /// The whole report as plain data with the keys of `mousetrap mine --json`.
    ///
    /// ```python
    /// >>> tree = mousetrap.Tablebase.open(rules="leiden").mine("C-C", features="table3")
    /// >>> tree.data()["counts"]
    /// {'black': 1035, 'draw': 0, 'white': 1317}
    /// ```
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &show::json(&self.0))
    }

    /// The learning curve: size and errors of the tree at each depth, from the bare leaf on, a record for each.
    ///
    /// ```python
    /// >>> tree = mousetrap.Tablebase.open(rules="leiden").mine("C-C", features="table3")
    /// >>> [level["errors"] for level in tree.levels()][-1]
    /// 0
    /// ```
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = PyList::empty(py);
        for level in &self.0.levels {
            let dict = PyDict::new(py);
            dict.set_item("depth", level.depth)?;
            dict.set_item("leaves", level.leaves)?;
            dict.set_item("errors", level.errors)?;
            list.append(dict)?;
        }
        rows(py, list.into_any())
    }

    /// What the tree says of positions whose features have these values: an array of shape (n, features), in
    /// the order of `features`, as `Tablebase.batches` gives them. 1 is a win for White, 0 a draw, -1 a loss.
    ///
    /// ```python
    /// >>> import numpy, pyarrow
    /// >>> tables = mousetrap.Tablebase.open(rules="leiden")
    /// >>> tree = tables.mine("C-C", features="table3")
    /// >>> table = pyarrow.table(tables.batches("C-C", features="table3"))
    /// >>> values = numpy.column_stack([table[name] for name in tree.features])
    /// >>> bool((tree.predict(values) == table["outcome"].to_numpy()).all())
    /// True
    /// ```
    fn predict<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let tree = &self.0.tree;
        let width = tree.features.len();
        let numbers = integers(values)?;
        if width == 0 || !numbers.len().is_multiple_of(width) {
            return Err(failure::input(format!("expected an array of shape (n, {width})")));
        }
        let mut outcomes = Vec::with_capacity(numbers.len() / width);
        for (row, numbers) in numbers.chunks(width).enumerate() {
            let mut places = Vec::with_capacity(width);
            for (feature, &number) in tree.features.iter().zip(numbers) {
                let lowest = match feature.scale {
                    Scale::Nominal(_) => 0,
                    Scale::Numeric { lowest, .. } => i64::from(lowest),
                };
                let place = number.checked_sub(lowest).and_then(|place| u8::try_from(place).ok());
                let place = place.filter(|&place| usize::from(place) < feature.scale.len());
                places.push(place.ok_or_else(|| {
                    failure::input(format!(
                        "row {row}: {number} is not a value of {}",
                        feature.name
                    ))
                })?);
            }
            let leaf = &tree.nodes[tree.walk_with(|feature| places[feature])];
            outcomes.push(1 - leaf.outcome as i8);
        }
        Ok(PyArray1::from_vec(py, outcomes))
    }

    /// The names of the features that the tree could ask about.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.0.tree.features.iter().map(|feature| feature.name.clone()).collect()
    }

    /// How many positions there are.
    #[getter]
    fn positions(&self) -> u64 {
        self.0.tree.positions()
    }

    /// How many positions the tree is wrong about.
    #[getter]
    fn errors(&self) -> u64 {
        self.0.tree.errors()
    }

    /// How many leaves there are.
    #[getter]
    fn leaves(&self) -> usize {
        self.0.tree.leaves().count()
    }

    /// The depth: how many questions the longest path asks.
    #[getter]
    fn depth(&self) -> u32 {
        self.0.tree.depth()
    }

    /// The tree as SVG.
    ///
    /// ```python
    /// >>> mousetrap.Tablebase.open(rules="leiden").mine("C-C", features="table3").svg()[:4]
    /// '<svg'
    /// ```
    fn svg(&self) -> String {
        show::svg(&self.0)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        show::text(&self.0)
    }

    fn __repr__(&self) -> String {
        format!(
            "DecisionTree('{}', {} leaves, {} wrong)",
            self.0.title,
            self.leaves(),
            self.errors()
        )
    }
}
