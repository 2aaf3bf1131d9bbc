use crate::cli::ServeArgs;
use crate::failure::Failure;
use crate::output::Output;
pub fn run(_: &ServeArgs, _: &mut Output) -> Result<(), Failure> {
    Ok(())
}
