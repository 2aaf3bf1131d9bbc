//! Owners of claims: which process holds one, and whether it is still there.
//!
//! A process can only be looked up on its own machine, since the machine was last started, and
//! where process numbers mean the same: a container may share the folder and the host name but not
//! the numbers. All of that makes up the *machine*. Numbers are used again, so the time at which the
//! process started goes with it. Linux has all this under `/proc`; elsewhere nothing is known, and
//! only the heartbeat counts.

use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

/// Who holds a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The name of the machine.
    pub host: String,
    /// The process.
    pub pid: u32,
    /// When the claim was made, in seconds since 1970.
    pub since: u64,
    /// The machine and its current boot, where known.
    machine: Option<String>,
    /// When the process started, in the machine's own count.
    process_start: Option<u64>,
    /// Distinguishes the claims that one process makes.
    serial: u64,
}

/// The name of a machine without one.
const UNKNOWN: &str = "unknown";

static SERIAL: AtomicU64 = AtomicU64::new(0);

impl Owner {
    /// This process, making a new claim.
    pub(super) fn this() -> Owner {
        let pid = std::process::id();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Owner {
            host: host(),
            pid,
            since: now.as_secs(),
            machine: machine(),
            process_start: process_start(pid),
            serial: SERIAL.fetch_add(1, Relaxed),
        }
    }

    /// Whether the process is known to have ended; `false` where that is unknown.
    pub(super) fn is_gone(&self) -> bool {
        let Some(here) = machine() else { return false };
        let Some(there) = &self.machine else { return false };
        let host = |machine: &str| machine.split(' ').next().map(str::to_owned);
        if host(&here) != host(there) {
            return false;
        }
        let boot = |machine: &str| machine.split(' ').nth(1).map(str::to_owned);
        if boot(&here) != boot(there) {
            return true;
        }
        here == *there && process_start(self.pid) != self.process_start
    }

    /// What is written into the claim.
    pub(super) fn to_text(&self) -> String {
        let mut text = format!(
            "host {}\npid {}\nsince {}\nserial {}\n",
            self.host, self.pid, self.since, self.serial
        );
        if let Some(machine) = &self.machine {
            text += &format!("machine {machine}\n");
        }
        if let Some(start) = self.process_start {
            text += &format!("process-start {start}\n");
        }
        text
    }

    /// Reads a claim; `None` if it is not one, or not yet written.
    pub(super) fn from_text(text: &str) -> Option<Owner> {
        let field =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        Some(Owner {
            host: field("host")?.to_owned(),
            pid: field("pid")?.parse().ok()?,
            since: field("since")?.parse().ok()?,
            machine: field("machine").map(str::to_owned),
            process_start: field("process-start").and_then(|start| start.parse().ok()),
            serial: field("serial")?.parse().ok()?,
        })
    }

    /// A short text for the names of temporary files.
    pub(super) fn tag(&self) -> String {
        let host: String = self.host.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
        format!("{host}-{}-{}-{}", self.pid, self.since, self.serial)
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} on {}", self.pid, self.host)
    }
}

/// The name of this machine.
#[cfg(unix)]
fn host() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().trim().to_owned();
    if name.is_empty() { UNKNOWN.to_owned() } else { name.replace(char::is_whitespace, "-") }
}

#[cfg(not(unix))]
fn host() -> String {
    UNKNOWN.to_owned()
}

/// Host, boot and space of process numbers, separated by blanks.
fn machine() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let numbers = fs::read_link("/proc/self/ns/pid").ok()?;
    // Host names are not always unique.
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    Some(format!("{}/{} {} {}", host(), id.trim(), boot.trim(), numbers.display()))
}

/// When a process started; `None` if there is none, or only its remains.
fn process_start(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may hold anything; after it come the state and 18 more fields.
    let mut fields = stat[stat.rfind(')')? + 1..].split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_round_trip() {
        let owner = Owner::this();
        assert_eq!(Owner::from_text(&owner.to_text()), Some(owner.clone()));
        assert_ne!(Owner::this(), owner);
        assert_eq!(Owner::from_text(""), None);
        assert_eq!(Owner::from_text("host x\npid y\n"), None);
    }

    #[test]
    fn only_processes_known_to_have_ended_are_gone() {
        let owner = Owner::this();
        assert!(!owner.is_gone());
        let elsewhere = Owner { machine: Some("elsewhere 1 pid:[1]".to_owned()), ..owner.clone() };
        assert!(!elsewhere.is_gone());
        if let Some(here) = machine() {
            let earlier = Owner { process_start: Some(1), ..owner.clone() };
            assert!(earlier.is_gone());
            let rebooted = format!("{} before pid:[1]", here.split(' ').next().unwrap());
            assert!(Owner { machine: Some(rebooted), ..owner }.is_gone());
        }
    }
}
