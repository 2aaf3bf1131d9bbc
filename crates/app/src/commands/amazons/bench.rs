use super::args::BenchArgs;
use crate::failure::Failure;
use crate::output::Output;
pub fn run(_args: &BenchArgs, _output: &mut Output) -> Result<(), Failure> {
    Ok(())
}
