//! Standard output, with colours on a terminal.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

use crate::failure::Failure;

/// Where commands write their results.
pub struct Output {
    stream: anstream::AutoStream<io::Stdout>,
}

impl Output {
    /// Standard output; colours are dropped when it is not a terminal.
    pub fn stdout() -> Output {
        Output { stream: anstream::stdout() }
    }

    /// Writes a value as one line of JSON.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let line = serde_json::to_string(value)
            .map_err(|error| Failure::outside("writing JSON", error))?;
        Ok(writeln!(self.stream, "{line}")?)
    }

    /// Flushes the output; long commands call it after every line.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.stream.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Writes a file that was asked for.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes)
        .map_err(|error| Failure::outside(format!("writing {}", path.display()), error))
}
