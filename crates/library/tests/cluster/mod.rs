//! A PostgreSQL server for tests: Debian's programs, a folder that is deleted, a free port of this machine.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A server, until dropped.
pub struct Cluster {
    folder: TempDir,
    server: Option<Child>,
    port: u16,
}

/// Where Debian has the programs: it puts few of them on the path.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    found.retain(|folder| folder.join("initdb").exists());
    found.sort();
    found.pop().expect("PostgreSQL is not installed: `apt-get install postgresql`")
}

/// A program as the user that PostgreSQL runs as: it refuses to run as root.
fn command(name: &str) -> Command {
    let program = programs().join(name);
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout == b"0\n");
    if !is_root {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

impl Cluster {
    /// A new server with nothing in it.
    pub fn start() -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        // The other user has to reach it.
        let open = Command::new("chmod").arg("777").arg(folder.path()).status();
        assert!(open.unwrap().success());
        let mut init = command("initdb");
        init.args([
            "--auth",
            "trust",
            "--username",
            "mousetrap",
            "--no-sync",
            "--locale",
            "C.UTF-8",
        ]);
        init.args(["--encoding", "UTF8", "--pgdata"]).arg(data(folder.path()));
        let made = init.current_dir("/").output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let mut cluster = Cluster { folder, server: None, port };
        cluster.run();
        cluster
    }

    /// Starts the server, again after it was killed.
    pub fn run(&mut self) {
        let mut server = command("postgres");
        server.arg("-D").arg(data(self.folder.path())).arg("-k").arg(self.folder.path());
        server.args(["-h", "127.0.0.1", "-p", &self.port.to_string()]);
        server.current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
        self.server = Some(server.spawn().unwrap());
        let begun = Instant::now();
        let mut ready = Command::new(programs().join("pg_isready"));
        ready.args(["-h", "127.0.0.1", "-q", "-p", &self.port.to_string()]);
        while !ready.status().is_ok_and(|status| status.success()) {
            assert!(begun.elapsed() < Duration::from_secs(30), "PostgreSQL does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Its address.
    pub fn address(&self) -> String {
        format!("postgres://mousetrap@127.0.0.1:{}/postgres", self.port)
    }

    /// Ends it at once, without ceremony: what it acknowledged is in its log.
    pub fn kill(&mut self) {
        let Some(mut server) = self.server.take() else { return };
        let mut stop = command("pg_ctl");
        stop.args(["stop", "--mode", "immediate", "--pgdata"]).arg(data(self.folder.path()));
        let _ = stop.current_dir("/").stdout(Stdio::null()).stderr(Stdio::null()).status();
        let _ = server.wait();
    }
}

fn data(folder: &Path) -> PathBuf {
    folder.join("data")
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.kill();
    }
}
