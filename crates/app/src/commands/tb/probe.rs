//! `mousetrap tb probe`.

use crate::commands::tb::args::ProbeArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &ProbeArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
