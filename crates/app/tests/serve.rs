//! `mousetrap serve` from outside: a build of tables that is killed with the server and carried on by the next, and few
//! open files.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Rules for which no server prepares tables.
const RULES: &str = "standard,traps=everybody";

/// A server on a free port, killed when dropped.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(dir: &Path) -> Served {
        Served::spawn(Command::new(env!("CARGO_BIN_EXE_mousetrap")), dir, &[])
    }

    fn spawn(mut command: Command, dir: &Path, options: &[&str]) -> Served {
        command.args(["serve", "--port", "0", "--tb-dir"]).arg(dir).args(options);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_once("http://").unwrap().1.split('/').next().unwrap().to_owned();
        Served { child, address }
    }

    fn ask(&self, method: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} /api/tablebase/build HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    fn build(&self, pieces: u32) -> Value {
        self.ask("POST", &format!(r#"{{"rules": "{RULES}", "pieces": {pieces}}}"#))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The tables of the set.
fn tables(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let set = tablebase::set_folder(dir, &RULES.parse().unwrap());
    let Ok(files) = fs::read_dir(set) else { return BTreeMap::new() };
    let files = files.map(|file| file.unwrap());
    files
        .map(|file| (file.file_name().into_string().unwrap(), file.path()))
        .filter(|(name, _)| name.ends_with(".mtb"))
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect()
}

#[test]
fn a_killed_server_loses_no_finished_table() {
    let whole = tempfile::tempdir().unwrap();
    let mut build = Command::new(env!("CARGO_BIN_EXE_mousetrap"));
    build.args(["tb", "build", "--pieces", "3", "--rules", RULES, "--dir"]).arg(whole.path());
    assert!(build.output().unwrap().status.success());
    let expected = tables(whole.path());

    let dir = tempfile::tempdir().unwrap();
    let mut finished = 0;
    for round in 0..3 {
        let served = Served::start(dir.path());
        let status = served.build(3);
        assert!(["running", "done"].contains(&status["state"].as_str().unwrap()), "{status}");
        std::thread::sleep(Duration::from_millis(100 * round));
        drop(served);
        let tables = tables(dir.path());
        assert!(tables.len() >= finished, "finished tables stay");
        finished = tables.len();
        for (name, bytes) in tables {
            assert!(bytes == expected[&name], "{name} is half or other");
        }
    }
    let served = Served::start(dir.path());
    served.build(3);
    let begun = Instant::now();
    while served.ask("GET", "")["state"] != "done" {
        assert!(begun.elapsed() < Duration::from_secs(600));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(tables(dir.path()) == expected);
}

/// The answer to a request on a connection that is open.
#[cfg(unix)]
fn get(stream: &mut TcpStream, host: &str, path: &str) -> String {
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
#[cfg(unix)]
fn connections_leave_files_for_tables_and_a_proxy_may_have_all_of_them() {
    let dir = tempfile::tempdir().unwrap();
    let mut build = Command::new(env!("CARGO_BIN_EXE_mousetrap"));
    build.args(["tb", "build", "--pieces", "2", "--rules", RULES, "--dir"]).arg(dir.path());
    assert!(build.output().unwrap().status.success());

    // Of 160 files connections get a quarter, and an eighth of that is the share of one client that is no proxy.
    for (proxy, held) in [(&["--behind-proxy"][..], 39..=40), (&[], 4..=5)] {
        let mut limited = Command::new("sh");
        limited.args(["-c", r#"ulimit -n 160; program=$1; shift; exec "$program" "$@""#, "sh"]);
        limited.arg(env!("CARGO_BIN_EXE_mousetrap"));
        let served = Served::spawn(limited, dir.path(), proxy);
        let mut open: Vec<TcpStream> =
            (0..150).map(|_| TcpStream::connect(&served.address).unwrap()).collect();
        let probe = format!("/api/tablebase?fen=7/7/3e3/7/7/7/3E3/7/7%20w&rules={RULES}");
        let answer = get(&mut open[0], &served.address, &probe);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        let metrics = get(&mut open[1], &served.address, "/metrics");
        let line = metrics.lines().find_map(|line| line.strip_prefix("mousetrap_connections "));
        let connections: usize = line.unwrap().parse().unwrap();
        // The first one has gone or is about to, and of the proxy the next one may have come.
        assert!(held.contains(&connections), "{connections}");
    }
}
