//! Parquet files: a column of squares for each piece (`w_E`, `b_R`; 0 is a1, 62 is g9),
//! who is to move, the outcome for them (1 win, 0 draw, -1 loss) and the plies, null for a draw.
//!
//! Rules and class stand in the file's metadata. Rows are written in groups of a fixed size, so that
//! memory stays bounded however large the class is.

use std::fs::File;
use std::sync::Arc;

use game::truth::Truth;
use jungle::{Color, Piece};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::Int32Type;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::{Export, ExportError, ExportRow, column_name};

/// How many rows a group holds.
const GROUP: usize = 1 << 18;

/// Writes an export.
///
/// # Errors
///
/// If the file cannot be written or the tables contradict themselves.
pub(super) fn write(export: &Export, file: &mut File) -> Result<(), ExportError> {
    let pieces = export.ahead.pieces();
    let entry = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(concat!("mousetrap ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(vec![
            entry("mousetrap.rules", export.rules.to_string()),
            entry("mousetrap.class", export.class.to_string()),
        ]))
        .build();
    let schema = schema(pieces)?;
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
    let mut group = Group::new(pieces.len());
    export.for_each(|row| -> Result<(), ExportError> {
        group.push(&row);
        if group.rows < GROUP {
            return Ok(());
        }
        Ok(group.write(&mut writer)?)
    })?;
    group.write(&mut writer)?;
    writer.close()?;
    Ok(())
}

fn schema(pieces: &[Piece]) -> Result<TypePtr, ParquetError> {
    let column = |name: &str, bits: i8, is_signed: bool, repetition: Repetition| {
        let logical = LogicalType::integer(bits, is_signed);
        Type::primitive_type_builder(name, Physical::INT32)
            .with_repetition(repetition)
            .with_logical_type(Some(logical))
            .build()
            .map(Arc::new)
    };
    let mut columns = Vec::new();
    for piece in pieces {
        columns.push(column(&column_name(*piece), 8, false, Repetition::REQUIRED)?);
    }
    columns.push(column("turn", 8, false, Repetition::REQUIRED)?);
    columns.push(column("outcome", 8, true, Repetition::REQUIRED)?);
    columns.push(column("plies", 16, false, Repetition::OPTIONAL)?);
    Type::group_type_builder("positions").with_fields(columns).build().map(Arc::new)
}

/// Rows on their way into the file, by column.
struct Group {
    rows: usize,
    columns: Vec<Vec<i32>>,
    plies: Vec<i32>,
    /// 1 where there are plies, 0 where the position is drawn.
    has_plies: Vec<i16>,
}

impl Group {
    fn new(pieces: usize) -> Group {
        let columns = vec![Vec::with_capacity(GROUP); pieces + 2];
        Group { rows: 0, columns, plies: Vec::new(), has_plies: Vec::new() }
    }

    fn push(&mut self, row: &ExportRow<'_>) {
        let (outcome, plies) = match row.value {
            Truth::Win(plies) => (1, Some(plies)),
            Truth::Draw => (0, None),
            Truth::Loss(plies) => (-1, Some(plies)),
        };
        let squares = row.squares.iter().map(|square| square.index() as i32);
        let cells = squares.chain([Color::White as i32, outcome]);
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
        self.plies.extend(plies.map(|plies| plies as i32));
        self.has_plies.push(i16::from(plies.is_some()));
        self.rows += 1;
    }

    /// Writes the rows, if there are any, and forgets them.
    fn write(&mut self, writer: &mut SerializedFileWriter<&mut File>) -> Result<(), ParquetError> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = writer.next_row_group()?;
        let plain = self.columns.iter().map(|column| (column, None));
        let columns = plain.chain([(&self.plies, Some(self.has_plies.as_slice()))]);
        for (values, levels) in columns {
            let mut column = group
                .next_column()?
                .ok_or_else(|| ParquetError::General("the schema lacks a column".to_owned()))?;
            column.typed::<Int32Type>().write_batch(values, levels, None)?;
            column.close()?;
        }
        group.close()?;
        self.rows = 0;
        self.columns.iter_mut().for_each(Vec::clear);
        self.plies.clear();
        self.has_plies.clear();
        Ok(())
    }
}
