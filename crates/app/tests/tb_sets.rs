//! Whole sets: published and fetched, planned as jobs, catalogued.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use serde_json::Value;

fn tb(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mousetrap")).arg("tb").args(args).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(output: &Output) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn complaint(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder as a web host, which answers requests for ranges, and for one file breaks off once.
struct Host {
    url: String,
    /// The files asked for, and from which byte on.
    asked: Arc<Mutex<Vec<(String, u64)>>>,
}

impl Host {
    fn new(folder: PathBuf, breaks_off: &'static str) -> Host {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/tables", listener.local_addr().unwrap());
        let asked = Arc::<Mutex<Vec<(String, u64)>>>::default();
        let known = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let _ = answer(&stream.unwrap(), &folder, breaks_off, &known);
            }
        });
        Host { url, asked }
    }
}

fn answer(
    mut stream: &TcpStream,
    folder: &Path,
    breaks_off: &str,
    asked: &Mutex<Vec<(String, u64)>>,
) -> std::io::Result<()> {
    let head: Vec<String> = BufReader::new(stream)
        .lines()
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
        .collect();
    let path = head[0].split(' ').nth(1).unwrap().trim_start_matches("/tables/").to_owned();
    let range = head.iter().find_map(|line| line.strip_prefix("Range: bytes="));
    let from = range.map_or(0, |range| range.trim_end_matches('-').parse().unwrap());
    let is_first = asked.lock().unwrap().iter().all(|(known, _)| *known != path);
    asked.lock().unwrap().push((path.clone(), from));
    let Ok(bytes) = fs::read(folder.join(&path)) else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\n\r\n");
    };
    let (rest, length) = (&bytes[from as usize..], bytes.len());
    let status = match range {
        Some(_) => {
            format!("206 Partial Content\r\nContent-Range: bytes {from}-{}/{length}", length - 1)
        }
        None => "200 OK".to_owned(),
    };
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n", rest.len())?;
    let sent = if is_first && path.ends_with(breaks_off) { 300 } else { rest.len() };
    stream.write_all(&rest[..sent])?;
    stream.shutdown(Shutdown::Both)
}

#[test]
fn a_published_set_is_fetched_from_a_web_host() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (source, public, copy) = (at("source"), at("public"), at("copy"));
    let rules = ["--rules", "leiden", "--dir"];
    text(&tb(&[&["build", "--pieces", "2"], &rules[..], &[&source]].concat()));
    text(&tb(&[&["verify", "--full", "--class", "E-R"], &rules[..], &[&source]].concat()));
    let publish = [&["publish", &public, "--json"], &rules[..], &[&source]].concat();
    let summary = json(&tb(&publish));
    assert_eq!((&summary[0]["tables"], &summary[0]["verified"]), (&10.into(), &1.into()));
    assert_eq!(json(&tb(&publish)), summary);
    for file in
        ["CITATION.cff", "leiden/README.md", "leiden/manifest.json", "leiden/verified.jsonl"]
    {
        assert!(Path::new(&public).join(file).exists(), "{file}");
    }
    let card = fs::read_to_string(Path::new(&public).join("leiden/README.md")).unwrap();
    assert!(card.contains("| 2 | 160068 | 82852 | 64501 | 12715 | 34 |"), "{card}");

    let host = Host::new(public.into(), "E-R.mtb");
    let fetch = [&["fetch", &host.url], &rules[..], &[&copy]].concat();
    assert!(complaint(&tb(&fetch), 1).contains("broke off"));
    assert!(text(&tb(&fetch)).contains("of 10 tables fetched"));
    let asked = |file: &str| -> Vec<u64> {
        let asked = host.asked.lock().unwrap();
        asked.iter().filter(|(path, _)| path.ends_with(file)).map(|(_, from)| *from).collect()
    };
    assert_eq!(asked("E-R.mtb"), [0, 300]);
    assert!(text(&tb(&fetch)).contains("0 of 10 tables fetched"));
    assert_eq!(asked("E-R.mtb").len(), 2);
    assert!(
        text(&tb(&[&["verify"], &rules[..], &[&copy]].concat())).contains("10 tables are good")
    );
    let other = [&["fetch", &host.url, "--rules", "tufts", "--dir", &copy][..]].concat();
    assert!(complaint(&tb(&other), 1).contains("tufts/manifest.json is not there"));
    assert!(complaint(&tb(&["fetch", "ftp://example.org"]), 2).contains("http://"));
}

/// Tasks are run by a stand-in for `sbatch`, one after the other.
#[test]
fn a_plan_runs_as_job_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (tables, jobs, sbatch) = (at("tables"), at("jobs"), at("sbatch"));
    let plan = ["plan", "--class", "WR-C", "--dir", &tables, "--slurm", &jobs, "--threads", "1"];
    let rows = json(&tb(&[&plan[..], &["--json"]].concat()));
    let last = rows.last().unwrap();
    assert_eq!(
        (&last["pieces"], last["below"].as_array().unwrap().len()),
        (&3.into(), rows.len() - 1)
    );
    let script = r#"#!/bin/sh
for job; do :; done
echo "$@" >> sbatch.log
tasks=$(sed -n 's/^#SBATCH --array=1-//p' "$job")
for task in $(seq "$tasks"); do SLURM_ARRAY_TASK_ID=$task sh "$job" >> tasks.log 2>&1 || exit 1; done
wc -l < sbatch.log | tr -d ' '
"#;
    fs::write(&sbatch, script).unwrap();
    for round in 1..=2 {
        let mut submit = Command::new("sh");
        submit.arg(format!("{jobs}/submit.sh")).env("SBATCH", format!("sh {sbatch}"));
        let said =
            text(&submit.env("MOUSETRAP", env!("CARGO_BIN_EXE_mousetrap")).output().unwrap());
        assert!(said.contains(&format!("the last layer is:{}", 2 * round)), "{said}");
    }
    let log = fs::read_to_string(format!("{jobs}/sbatch.log")).unwrap();
    let mut lines = log.lines();
    assert!(!lines.next().unwrap().contains("--dependency"));
    assert!(lines.next().unwrap().contains("--dependency=afterok:1 "), "{log}");
    let done = fs::read_to_string(format!("{jobs}/tasks.log")).unwrap();
    assert_eq!(done.matches("1 of 1 classes built").count(), 2, "{done}");
    assert_eq!(done.matches("none had to be built").count(), rows.len(), "{done}");
    let probe = ["probe", "7/7/3c3/7/7/3W3/R6/7/7 w", "--dir", &tables, "--json"];
    assert!(json(&tb(&probe))[0]["outcome"].is_string());
    assert!(complaint(&tb(&["plan", "--class", "ELTW-RCD"]), 2).contains("7 pieces"));
}

#[test]
fn six_pieces_are_planned_without_tables() {
    let rows = json(&tb(&["plan", "--pieces", "6", "--rules", "leiden", "--json"]));
    let six: Vec<_> = rows.iter().filter(|row| row["pieces"] == 6).collect();
    // The canonical positions of all classes of six pieces, both sides to move, with 64 cells a row.
    let positions: u64 = six.iter().map(|row| row["positions"].as_u64().unwrap()).sum();
    assert!(six.len() > 700 && positions > 9_000_000_000_000, "{} {positions}", six.len());
    assert!(six.iter().all(|row| row["memory"].as_u64() > row["positions"].as_u64()));
}

#[test]
fn starts_and_catalogues_agree_with_probing() {
    let folder = tempfile::tempdir().unwrap();
    let set = ["--rules", "leiden", "--dir", folder.path().to_str().unwrap()];
    let starts = [&["solve-starts", "--white", "1", "--black", "1"][..], &set].concat();
    let rows = json(&tb(&[&starts[..], &["--json"]].concat()));
    assert_eq!(rows.len(), 64);
    for row in rows.iter().step_by(9) {
        let fen = row["fen"].as_str().unwrap();
        let probed = &json(&tb(&[&["probe", fen, "--json"], &set[..]].concat()))[0];
        assert_eq!(
            (&probed["outcome"], &probed["plies"]),
            (&row["outcome"], &row["plies"]),
            "{fen}"
        );
    }
    let wins = rows.iter().filter(|row| row["outcome"] == "win").count();
    assert!(
        text(&tb(&starts))
            .contains(&format!("64 starts of 1 against 1: the side that moves first wins {wins}"))
    );

    let page = folder.path().join("page.html");
    let out = ["--class", "E-R", "--json", "--out", page.to_str().unwrap()];
    let rows = json(&tb(&[&["catalogue"], &out[..], &set].concat()));
    let example = &rows[0]["only_moves"]["example"];
    let probed =
        &json(&tb(&[&["probe", example["fen"].as_str().unwrap(), "--json"], &set[..]].concat()))[0];
    assert_eq!((&probed["outcome"], &probed["plies"]), (&example["outcome"], &example["plies"]));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<svg") && page.contains(example["fen"].as_str().unwrap()));
    assert!(
        complaint(&tb(&[&["catalogue", "--pieces", "4"], &set[..]].concat()), 1)
            .contains("no tables of 4 pieces")
    );
}
