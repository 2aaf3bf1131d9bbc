use super::args::ExactnessArgs;
use crate::failure::Failure;
use crate::output::Output;
pub fn run(_args: &ExactnessArgs, _output: &mut Output) -> Result<(), Failure> {
    Ok(())
}
