use crate::cli::ShowArgs;
use crate::failure::Failure;
use crate::output::Output;
pub fn run(_: &ShowArgs, _: &mut Output) -> Result<(), Failure> {
    Ok(())
}
