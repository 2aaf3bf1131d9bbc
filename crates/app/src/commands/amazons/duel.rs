use super::args::MatchArgs;
use crate::failure::Failure;
use crate::output::Output;
pub fn run(_args: &MatchArgs, _output: &mut Output) -> Result<(), Failure> {
    Ok(())
}
