//! `mousetrap tb export`.

use crate::commands::tb::args::ExportArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &ExportArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
