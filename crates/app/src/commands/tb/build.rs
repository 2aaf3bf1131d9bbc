//! `mousetrap tb build`.

use crate::commands::tb::args::BuildArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &BuildArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
