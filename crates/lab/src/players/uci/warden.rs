//! A supervisor process for engines: nothing that an engine started outlives it, or the program that plays with it.
//!
//! A program that is killed cannot tidy up after itself, and a process group does not hold who leaves it. So the
//! engine runs under a second process of this program ([`run`]), which passes its pipes on and does two things. It is
//! a *subreaper*: whatever an engine started stays its descendant, sessions of their own (`setsid`) included. And it
//! watches its parent: when that is gone, or the engine has ended, it kills all descendants.
//!
//! Both need Linux, and a program that offers the second process ([`offer`]), as `mousetrap` does. Elsewhere, an
//! engine leads a process group that is killed in the ordinary way, and outlives a killed parent until it reads the
//! end of its input.

use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

/// The first argument of the supervising process.
pub const ARGUMENT: &str = "supervise-engine";

static OFFERED: OnceLock<()> = OnceLock::new();

/// Says that this program, called with [`ARGUMENT`] and a command line, calls [`run`] with the command line.
pub fn offer() {
    let _ = OFFERED.set(());
}

/// A command, under supervision where that is offered.
pub(super) fn supervised(program: &std::path::Path, arguments: &[String]) -> Command {
    if !cfg!(target_os = "linux") || OFFERED.get().is_none() {
        let mut command = Command::new(program);
        command.args(arguments);
        return command;
    }
    // The very program that runs, even if its file was replaced meanwhile.
    let mut command = Command::new("/proc/self/exe");
    command.arg(ARGUMENT).arg(program).args(arguments);
    command
}

/// The supervising process: runs a command line and returns its exit code; 127 if it cannot be started.
#[cfg(target_os = "linux")]
pub fn run(mut command_line: impl Iterator<Item = OsString>) -> u8 {
    use std::thread;
    use std::time::Duration;

    use rustix::process::{getpid, getppid, set_child_subreaper};

    /// How often the parent is looked for.
    const PAUSE: Duration = Duration::from_millis(100);

    let parent = getppid();
    let _ = set_child_subreaper(Some(getpid()));
    let Some(program) = command_line.next() else { return 127 };
    let Ok(mut engine) = Command::new(program).args(command_line).spawn() else { return 127 };
    thread::spawn(move || {
        while getppid() == parent {
            thread::sleep(PAUSE);
        }
        kill_descendants(getpid());
        std::process::exit(1);
    });
    let status = engine.wait();
    kill_descendants(getpid());
    status.ok().and_then(|status| u8::try_from(status.code()?).ok()).unwrap_or(1)
}

/// The supervising process, which there is on Linux only.
#[cfg(not(target_os = "linux"))]
pub fn run(_: impl Iterator<Item = OsString>) -> u8 {
    127
}

/// Kills all descendants of a process that is a subreaper, those that are started meanwhile included.
#[cfg(target_os = "linux")]
pub(super) fn kill_descendants(root: rustix::process::Pid) {
    use rustix::process::{Signal, kill_process};

    /// More rounds than a fork bomb that is being killed survives; then it has won.
    const ROUNDS: usize = 1_000;

    for _ in 0..ROUNDS {
        let living = descendants(root);
        if living.is_empty() {
            return;
        }
        for process in living {
            let _ = kill_process(process, Signal::KILL);
        }
        std::thread::yield_now();
    }
}

/// The processes below a process that have not ended.
#[cfg(target_os = "linux")]
fn descendants(root: rustix::process::Pid) -> Vec<rustix::process::Pid> {
    use std::collections::HashMap;

    use rustix::process::Pid;

    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    let mut ended = Vec::new();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok()) {
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { continue };
        // The name, in parentheses, may hold anything; behind it stand the state and the parent.
        let mut fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
        let (state, parent) = (fields.next(), fields.next().and_then(|text| text.parse().ok()));
        if matches!(state, Some("Z" | "X")) {
            ended.push(process);
        }
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(process);
        }
    }
    let (mut found, mut next) = (Vec::new(), vec![root.as_raw_nonzero().get()]);
    while let Some(parent) = next.pop() {
        let below = children.remove(&parent).unwrap_or_default();
        found.extend(below.iter().filter(|process| !ended.contains(process)));
        next.extend(below);
    }
    found.into_iter().filter_map(Pid::from_raw).collect()
}
