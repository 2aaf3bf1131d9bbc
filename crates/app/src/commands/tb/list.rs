//! `mousetrap tb list`.

use crate::commands::tb::args::ListArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &ListArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
