//! A class as Arrow record batches, handed over through Arrow's C stream interface.
//!
//! The columns are built here once; the importer of the stream reads the same memory. Of Arrow's Rust
//! crates only the arrays are used, and no other package of Python's: the capsule is all that pyarrow,
//! Polars and DuckDB need.

use std::collections::HashMap;
use std::sync::Arc;

use ::game::truth::Truth;
use ::mining::feature::{ClassContext, Feature, PositionView, Scale};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, Int8Array, Int16Array, RecordBatch, RecordBatchReader, UInt8Array, UInt16Array,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use jungle::{Color, Rules, Square};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rayon::prelude::*;
use tablebase::Material;
use tablebase::export::{Batches, Columns, column_name};

use crate::failure;

/// How many rows a thread takes at a time.
const STRETCH: usize = 1 << 11;

/// All positions of a class; made by `Tablebase.batches`. It can be read any number of times: by any
/// library that takes `__arrow_c_stream__`, or with pyarrow in a loop.
///
/// ```python
/// >>> batches = mousetrap.Tablebase.open(rules="leiden").batches("E-R", size=1000)
/// >>> [batch.num_rows for batch in batches], len(batches)
/// ([1000, 1000, 940], 2940)
/// ```
#[pyclass(module = "mousetrap", frozen)]
pub struct RecordBatches {
    class: Material,
    reader: Reader,
}

#[derive(Clone)]
struct Reader {
    batches: Batches,
    context: Arc<ClassContext>,
    features: Arc<[Feature]>,
    schema: SchemaRef,
}

impl RecordBatches {
    pub fn new(
        class: Material,
        rules: Rules,
        batches: Batches,
        features: Vec<Feature>,
    ) -> RecordBatches {
        let pieces = class.in_order();
        let mut fields: Vec<Field> = pieces
            .iter()
            .map(|piece| Field::new(column_name(*piece), DataType::UInt8, false))
            .collect();
        fields.push(Field::new("turn", DataType::UInt8, false));
        fields.push(Field::new("outcome", DataType::Int8, false));
        fields.push(Field::new("plies", DataType::UInt16, true));
        let asked = features.iter();
        fields.extend(asked.map(|feature| Field::new(&feature.name, DataType::Int16, false)));
        let metadata =
            [("mousetrap.rules", rules.to_string()), ("mousetrap.class", class.to_string())];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value));
        let schema = Schema::new(fields).with_metadata(HashMap::from(metadata));
        let reader = Reader {
            batches,
            context: Arc::new(ClassContext::new(&rules, &pieces)),
            features: features.into(),
            schema: Arc::new(schema),
        };
        RecordBatches { class, reader }
    }
}

#[pymethods]
impl RecordBatches {
    /// The columns' names.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.reader.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Arrow's C stream. A schema cannot be requested.
    ///
    /// ```python
    /// >>> batches = mousetrap.Tablebase.open(rules="leiden").batches("E-R")
    /// >>> type(batches.__arrow_c_stream__()).__name__
    /// 'PyCapsule'
    /// ```
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The importer has to check the schema: the interface allows it.
        let _ = requested_schema;
        let stream = FFI_ArrowArrayStream::new(Box::new(self.reader.clone()));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let pyarrow = slf.py().import("pyarrow").map_err(|_| {
            PyImportError::new_err(
                "a loop over batches needs pyarrow: pip install pyarrow, or hand the object to a \
                 library that takes Arrow's C stream",
            )
        })?;
        let reader = pyarrow.getattr("RecordBatchReader")?.call_method1("from_stream", (slf,))?;
        Ok(reader.try_iter()?.into_any())
    }

    fn __len__(&self) -> PyResult<usize> {
        usize::try_from(self.reader.batches.len()).map_err(failure::outside)
    }

    fn __repr__(&self) -> String {
        let columns = self.reader.schema.fields().len();
        format!(
            "RecordBatches('{}', {} rows, {columns} columns)",
            self.class,
            self.reader.batches.len()
        )
    }
}

impl Reader {
    /// The values of the features, each a column.
    fn feature_columns(&self, columns: &Columns) -> Vec<Vec<i16>> {
        let rows = columns.values.len();
        let parts: Vec<Vec<Vec<i16>>> = (0..rows.div_ceil(STRETCH))
            .into_par_iter()
            .map(|part| {
                let range = part * STRETCH..rows.min((part + 1) * STRETCH);
                let mut found = vec![Vec::with_capacity(range.len()); self.features.len()];
                let mut squares = vec![Square::A1; columns.squares.len()];
                for row in range {
                    for (square, column) in squares.iter_mut().zip(&columns.squares) {
                        *square = Square::ALL[usize::from(column[row])];
                    }
                    let view = PositionView::new(&self.context, &squares);
                    for (column, feature) in found.iter_mut().zip(&*self.features) {
                        column.push(written(feature, feature.value(&view)));
                    }
                }
                found
            })
            .collect();
        let mut whole = vec![Vec::with_capacity(rows); self.features.len()];
        for part in parts {
            for (column, stretch) in whole.iter_mut().zip(part) {
                column.extend(stretch);
            }
        }
        whole
    }
}

/// A value as it is in a column: the number itself, or the index in the list of names.
pub fn written(feature: &Feature, value: u8) -> i16 {
    match feature.scale {
        Scale::Nominal(_) => i16::from(value),
        Scale::Numeric { lowest, .. } => lowest + i16::from(value),
    }
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let columns = self.batches.next()?;
        let features = self.feature_columns(&columns);
        let Columns { squares, values } = columns;
        let outcome = |value: &Truth| match value {
            Truth::Win(_) => 1,
            Truth::Draw => 0,
            Truth::Loss(_) => -1,
        };
        let plies = |value: &Truth| match *value {
            Truth::Win(plies) | Truth::Loss(plies) => u16::try_from(plies).ok(),
            Truth::Draw => None,
        };
        let rows = values.len();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        arrays.extend(squares.into_iter().map(|s| Arc::new(UInt8Array::from(s)) as ArrayRef));
        arrays.push(Arc::new(UInt8Array::from(vec![Color::White as u8; rows])));
        arrays.push(Arc::new(values.iter().map(outcome).map(Some).collect::<Int8Array>()));
        arrays.push(Arc::new(values.iter().map(plies).collect::<UInt16Array>()));
        arrays.extend(features.into_iter().map(|c| Arc::new(Int16Array::from(c)) as ArrayRef));
        Some(RecordBatch::try_new(self.schema.clone(), arrays))
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
