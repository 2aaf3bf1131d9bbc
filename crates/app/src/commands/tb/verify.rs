//! `mousetrap tb verify`.

use crate::commands::tb::args::VerifyArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &VerifyArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
