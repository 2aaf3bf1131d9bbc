//! A running engine process. Two threads read and write its pipes, so that a program that does not read, does
//! not write or does not stop writing can never block the caller. It leads a process group, and where it can be it is
//! [supervised](super::warden), so that whatever it started is killed with it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Deadline;
use super::command::Command;
use super::warden;
use crate::player::Fault;

/// The longest line that is read in one piece.
const LONGEST_LINE: u64 = 1 << 16;

/// How many lines may wait to be read before the engine blocks.
const WAITING_LINES: usize = 1024;

/// How long an engine has to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

pub(super) struct Process {
    child: Child,
    commands: Sender<String>,
    lines: Receiver<String>,
}

impl Process {
    pub fn start(command: &Command) -> Result<Process, Fault> {
        let mut start = warden::supervised(&command.program, &command.arguments);
        start.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        let unstarted = |error| {
            Fault::Crash(format!("{} cannot be started: {error}", command.program.display()))
        };
        let mut child = start.spawn().map_err(unstarted)?;
        let (commands, to_write) = channel();
        let (to_read, lines) = sync_channel(WAITING_LINES);
        let pipes = child.stdin.take().zip(child.stdout.take());
        let process = Process { child, commands, lines };
        if let Some((stdin, stdout)) = pipes {
            thread::Builder::new().spawn(move || write(stdin, &to_write)).map_err(unstarted)?;
            thread::Builder::new().spawn(move || read(stdout, &to_read)).map_err(unstarted)?;
        }
        Ok(process)
    }

    /// Sends a line without waiting. If the engine has ended, reading reports it.
    pub fn send(&mut self, line: &str) {
        let _ = self.commands.send(format!("{line}\n"));
    }

    /// The next line.
    pub fn line(&mut self, deadline: &Deadline) -> Result<String, Fault> {
        match self.lines.recv_timeout(deadline.left()) {
            // Lines that keep coming do not move the deadline.
            Ok(_) if deadline.left().is_zero() => Err(deadline.missed()),
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(deadline.missed()),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Crash(self.farewell())),
        }
    }

    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Why there is nothing more to read.
    fn farewell(&mut self) -> String {
        match wait(&mut self.child, FAREWELL) {
            Some(status) if status.code() == Some(127) => "it could not be started".to_owned(),
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_owned(),
        }
    }

    /// Ends it at once.
    pub fn kill(mut self) {
        self.kill_group();
    }

    fn kill_group(&mut self) {
        let child = &mut self.child;
        #[cfg(unix)]
        if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
        {
            // Of one that has ended, another process may have the number by now.
            #[cfg(target_os = "linux")]
            if matches!(child.try_wait(), Ok(None)) {
                warden::kill_descendants(group);
            }
            // Even if the leader has ended: what it started may outlive it, and keeps the group's number in
            // use.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        if wait(&mut self.child, FAREWELL).is_none() {
            self.kill_group();
        }
    }
}

/// Waits for a process to end.
fn wait(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if start.elapsed() < patience => thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}

fn write(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read(stdout: ChildStdout, lines: &SyncSender<String>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match (&mut reader).take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        if lines.send(line).is_err() {
            return;
        }
    }
}
