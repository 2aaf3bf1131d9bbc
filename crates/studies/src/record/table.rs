//! Tables as CSV (RFC 4180): written for programs, and read again for the page of all records.

use serde_json::{Map, Value};

/// A table with named columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = S>) -> Table {
        Table { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty, and cells beyond the last column are dropped.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
    }

    /// The names of the columns.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// A record for each row, for data frames: cells of a column that holds numbers alone are numbers, and
    /// empty cells are null.
    pub fn records(&self) -> Vec<Map<String, Value>> {
        let cells = |at: usize| self.rows.iter().map(move |row| row[at].as_str());
        let columns: Vec<Vec<Value>> = (0..self.columns.len()).map(|at| typed(cells(at))).collect();
        let record = |row: usize| {
            let cells = columns.iter().map(|column| column[row].clone());
            self.columns.iter().cloned().zip(cells).collect()
        };
        (0..self.rows.len()).map(record).collect()
    }

    /// The table as CSV.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for line in std::iter::once(&self.columns).chain(&self.rows) {
            for (at, cell) in line.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                if cell.contains(['"', ',', '\n', '\r']) {
                    text.push('"');
                    text.push_str(&cell.replace('"', "\"\""));
                    text.push('"');
                } else {
                    text.push_str(cell);
                }
            }
            text.push('\n');
        }
        text
    }

    /// Reads CSV; any text gives some table.
    pub fn read(csv: &str) -> Table {
        let mut lines: Vec<Vec<String>> = Vec::new();
        let mut cells = vec![String::new()];
        let mut quoted = false;
        let mut letters = csv.chars().peekable();
        while let Some(letter) = letters.next() {
            let cell = cells.last_mut().expect("a line has a cell");
            match letter {
                '"' if quoted && letters.peek() == Some(&'"') => {
                    letters.next();
                    cell.push('"');
                }
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                '\n' if !quoted => lines.push(std::mem::replace(&mut cells, vec![String::new()])),
                '\r' if !quoted => {}
                _ => cell.push(letter),
            }
        }
        if cells != [""] {
            lines.push(cells);
        }
        let mut lines = lines.into_iter();
        let mut table = Table::new(lines.next().unwrap_or_default());
        lines.for_each(|line| table.row(line));
        table
    }
}

/// The cells of a column as integers if all are, else as numbers if all are, else as text.
fn typed<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> Vec<Value> {
    fn all<'a, T: Into<Value>>(
        cells: impl Iterator<Item = &'a str>,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<Vec<Value>> {
        cells
            .map(
                |cell| if cell.is_empty() { Some(Value::Null) } else { read(cell).map(Into::into) },
            )
            .collect()
    }
    // Unknown and infinite numbers are null in JSON.
    let float = |cell: &str| match cell {
        "?" => Some(Value::Null),
        _ => cell.parse::<f64>().ok().map(Value::from),
    };
    all(cells.clone(), |cell| cell.parse::<i64>().ok())
        .or_else(|| all(cells.clone(), float))
        .unwrap_or_else(|| cells.map(Value::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_back() {
        let mut table = Table::new(["plain", "with, comma", "with \"quotes\""]);
        table.row(["", "two\nlines", "x"]);
        table.row(["short"]);
        assert_eq!(Table::read(&table.csv()), table);
        assert_eq!(table.rows()[1], ["short", "", ""]);
        assert_eq!(Table::read("").columns().len(), 0);
        assert_eq!(Table::read("a,b\r\n1,2").rows(), [["1", "2"]]);
    }

    #[test]
    fn columns_of_numbers_become_numbers() {
        let mut table = Table::new(["name", "games", "score"]);
        table.row(["a", "40", "0.5"]);
        table.row(["2", "", "?"]);
        let records = table.records();
        let row = |at: usize| Value::Object(records[at].clone());
        assert_eq!(row(0), serde_json::json!({ "name": "a", "games": 40, "score": 0.5 }));
        assert_eq!(row(1), serde_json::json!({ "name": "2", "games": null, "score": null }));
    }
}
