//! `mousetrap tb stats`.

use crate::commands::tb::args::StatsArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(_args: &StatsArgs, _output: &mut Output) -> Result<(), Failure> {
    Err(Failure::Outside("not there yet".to_owned()))
}
