//! `Rules`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use jungle::rules::SWITCHES;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::convert::plain;
use crate::failure;

/// A complete set of rules: a preset's name, or a name followed by switches.
///
/// ```python
/// >>> rules = mousetrap.Rules("leiden,repetition=draw")
/// >>> rules["no-legal-move"]
/// 'draw'
/// >>> rules == mousetrap.Rules("leiden").replace(repetition="draw")
/// True
/// >>> mousetrap.Rules.presets()
/// ['standard', 'leiden', 'tufts']
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct Rules(pub jungle::Rules);

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (text="standard"))]
    fn new(text: &str) -> PyResult<Rules> {
        Ok(Rules(text.parse().map_err(failure::input)?))
    }

    /// The names of the presets.
    ///
    /// ```python
    /// >>> [str(mousetrap.Rules(name)) for name in mousetrap.Rules.presets()]
    /// ['standard', 'leiden', 'tufts']
    /// ```
    #[staticmethod]
    fn presets() -> Vec<&'static str> {
        jungle::Rules::PRESETS.iter().map(|preset| preset.name).collect()
    }

    /// All presets and switches as plain data: what `mousetrap rules --json` prints.
    ///
    /// ```python
    /// >>> book = mousetrap.Rules.book()
    /// >>> [preset["name"] for preset in book["presets"]], len(book["switches"]) > 5
    /// (['standard', 'leiden', 'tufts'], True)
    /// ```
    #[staticmethod]
    fn book(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        Ok(plain(py, &answers::RuleBook::presets())?.cast_into()?)
    }

    /// All switches with their values under these rules.
    ///
    /// ```python
    /// >>> mousetrap.Rules("tufts").switches()["move-limit"]
    /// '200'
    /// ```
    fn switches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for switch in &SWITCHES {
            dict.set_item(switch.name, self.0.switch(switch))?;
        }
        Ok(dict)
    }

    /// The same rules with other values for some switches, whose dashes are written as underscores.
    ///
    /// ```python
    /// >>> mousetrap.Rules().replace(no_legal_move="draw", quiet_limit=60)
    /// Rules('standard,no-legal-move=draw,quiet-limit=60')
    /// ```
    #[pyo3(signature = (**switches))]
    fn replace(&self, switches: Option<&Bound<'_, PyDict>>) -> PyResult<Rules> {
        let mut text = self.0.to_string();
        for (name, value) in switches.into_iter().flatten() {
            let name = name.str()?.to_cow()?.replace('_', "-");
            let value = match value.extract::<bool>() {
                Ok(value) => (if value { "yes" } else { "no" }).to_owned(),
                Err(_) if value.is_none() => "none".to_owned(),
                Err(_) => value.str()?.to_cow()?.into_owned(),
            };
            text.push_str(&format!(",{name}={value}"));
        }
        Rules::new(&text)
    }

    fn __getitem__(&self, switch: &str) -> PyResult<String> {
        match SWITCHES.iter().find(|known| known.name == switch) {
            Some(known) => Ok(self.0.switch(known)),
            None => Err(pyo3::exceptions::PyKeyError::new_err(switch.to_owned())),
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Rules>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let text = PyTuple::new(slf.py(), [slf.get().0.to_string()])?;
        Ok((slf.get_type().into_any(), text))
    }
}
