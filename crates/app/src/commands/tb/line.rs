//! `mousetrap tb line`.

use crate::commands::tb::args::LineArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &LineArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
