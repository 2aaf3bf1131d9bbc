use super::args::AnalyseArgs;
use crate::failure::Failure;
use crate::output::Output;
pub fn run(_args: &AnalyseArgs, _output: &mut Output) -> Result<(), Failure> {
    Ok(())
}
