use super::args::PlayArgs;
use crate::failure::Failure;
use crate::output::Output;
pub fn run(_args: &PlayArgs, _output: &mut Output) -> Result<(), Failure> {
    Ok(())
}
