//! `mousetrap tb longest`.

use crate::commands::tb::args::LongestArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &LongestArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
