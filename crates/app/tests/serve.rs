//! `mousetrap serve` from outside: a build of tables that is killed with the server, and carried on by the next.

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
        let mut command = Command::new(env!("CARGO_BIN_EXE_mousetrap"));
        command.args(["serve", "--port", "0", "--tb-dir"]).arg(dir).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
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
        assert!(begun.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(tables(dir.path()) == expected);
}
