//! `mousetrap tb bench`.

use crate::commands::tb::args::BenchArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &BenchArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
