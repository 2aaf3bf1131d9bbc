//! The program as a user or another program meets it.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use serde_json::Value;

use common::{json_rows, mousetrap, refused, stdout};

fn json_lines(args: &[&str]) -> Vec<Value> {
    json_rows(&stdout(args))
}

#[test]
fn perft_prints_a_line_a_depth() {
    let text = stdout(&["perft", "4"]);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let expected = [["1", "24"], ["2", "576"], ["3", "12240"], ["4", "260099"]];
    assert_eq!(rows.len(), 4);
    for (row, expected) in rows.iter().zip(expected) {
        assert_eq!(row[..2], expected);
        assert_eq!(row.len(), 4);
        assert!(row[2].parse::<f64>().is_ok() && row[3].parse::<u64>().is_ok());
    }
}

#[test]
fn perft_json_has_the_promised_keys() {
    let rows = json_lines(&["perft", "5", "--rules", "leiden", "--repetition-leaves", "--json"]);
    let nodes: Vec<_> = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).collect();
    assert_eq!(nodes, [24, 576, 12_240, 260_100, 5_098_477]);
    for (at, row) in rows.iter().enumerate() {
        assert_eq!(row["depth"], at as u64 + 1);
        assert!(row["seconds"].is_f64() && row["nps"].is_u64());
        assert_eq!(row.as_object().unwrap().len(), 4);
    }
}

#[test]
fn perft_shows_the_published_figures_beside_ours() {
    let text = stdout(&["perft", "4", "--rules", "leiden", "--repetition-leaves"]);
    assert!(text.lines().last().unwrap().ends_with("published: 260100 in 0.06 s"), "{text}");
    assert!(!stdout(&["perft", "2"]).contains("published"));
}

#[test]
fn perft_options_do_not_change_the_count() {
    let fen = "6t/1dp1wc1/l3e1R/1r5/3L3/E6/2W1P2/1C3D1/T6 b - - 0 1";
    let count = |more: &[&str]| {
        let args = [&["perft", "4", "--fen", fen, "--json"], more].concat();
        json_lines(&args).last().unwrap()["nodes"].as_u64().unwrap()
    };
    let plain = count(&[]);
    assert_eq!(count(&["--threads", "3"]), plain);
    assert_eq!(count(&["--hash", "4"]), plain);
    assert_eq!(count(&["--hash", "4", "--threads", "2", "--divide"]), plain);
    let parts = json_lines(&["perft", "4", "--fen", fen, "--divide", "--json"]);
    let (total, moves) = parts.split_last().unwrap();
    let sum: u64 = moves.iter().map(|part| part["nodes"].as_u64().unwrap()).sum();
    assert_eq!(total["nodes"], sum);
    assert!(moves.iter().all(|part| part["move"].as_str().unwrap().len() == 4));
}

#[test]
fn perft_of_nothing_and_of_a_finished_game() {
    assert_eq!(json_lines(&["perft", "0", "--json"])[0]["nodes"], 1);
    let finished = "3C3/7/7/7/7/7/7/7/6r b";
    let rows = json_lines(&["perft", "2", "--json", "--fen", finished]);
    assert!(rows.iter().all(|row| row["nodes"] == 0));
}

#[test]
fn show_draws_a_board_and_lists_moves() {
    let text = stdout(&["show", "--moves"]);
    assert!(text.contains("24 legal moves") && text.contains("a3b3 (Eb3)"), "{text}");
    assert!(text.contains("l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w - - 0 1"));
    assert!(!text.contains('\u{1b}'), "no colours when not on a terminal");
    let unquoted = stdout(&["show", "3C3/7/7/7/7/7/7/7/6r", "b", "-", "-", "7", "9"]);
    assert!(unquoted.contains("b - - 7 9"), "{unquoted}");
    assert!(unquoted.contains("The game is over: Red wins by entering the den"), "{unquoted}");
}

#[test]
fn show_json_is_complete() {
    let shown = &json_lines(&["show", "--json", "--rules", "tufts"])[0];
    assert_eq!(shown["rules"], "tufts");
    assert_eq!(shown["turn"], "white");
    assert_eq!(shown["moves"].as_array().unwrap().len(), 24);
    assert_eq!(shown["ending"], Value::Null);
}

#[test]
fn show_writes_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (svg, png) = (file("a.svg"), file("a.png"));
    stdout(&["show", "--svg", &svg, "--png", &png, "--pieces", "hanzi"]);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
    let output = mousetrap(&["show", "--svg", &file("missing/a.svg")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing/a.svg"));
}

#[test]
fn bad_input_is_refused_with_a_remedy() {
    for (args, complaint) in [
        (&["perft", "3", "--rules", "chess"][..], "expected one of standard, leiden, tufts"),
        (&["perft", "3", "--rules", "leiden,shore=ajar"], "expected one of closed, rats"),
        (&["perft", "x"], "invalid digit"),
        (&["perft", "3", "--fen", "7/7 w"], "nine ranks expected"),
        (&["perft", "3", "--threads", "0"], "--threads"),
        (&["show", "7/7/7/1w5/7/7/7/7/R6 w"], "only rats swim"),
        (&["show", "7/7/7/7/7/7/7/C6/C5r w"], "two cats"),
        (&["show", "7/7/7/7/7/7/7/7/3C2r w"], "in its own den"),
        (&["show", "--pieces", "letters"], "hanzi"),
        (&["nonsense"], "unrecognized subcommand"),
        (&[], "Usage"),
    ] {
        let message = refused(args);
        assert!(message.contains(complaint), "{args:?}: {message}");
    }
}

#[test]
fn a_table_beyond_all_memory_is_refused() {
    let output = mousetrap(&["perft", "2", "--hash", "99999999999"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("smaller --hash"));
}

#[test]
fn rules_are_explained() {
    let text = stdout(&["rules"]);
    for word in ["standard", "leiden", "tufts", "elephant-takes-rat", "quiet-limit"] {
        assert!(text.contains(word), "{word}");
    }
    let listing = &json_lines(&["rules", "leiden,shore=open", "--json"])[0];
    assert_eq!(listing["presets"][0]["switches"]["shore"], "open");
    assert_eq!(listing["switches"].as_array().unwrap().len(), 12);
}

#[test]
fn completions_and_manual_pages_come_out() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(stdout(&["completions", shell]).contains("perft"), "{shell}");
    }
    assert!(stdout(&["man"]).starts_with(".ie"));
    let dir = tempfile::tempdir().unwrap();
    stdout(&["man", "--dir", dir.path().to_str().unwrap()]);
    assert!(dir.path().join("mousetrap-perft.1").exists());
}

#[test]
fn bench_compares_the_generators() {
    let rows = json_lines(&["bench", "perft", "--depth", "3", "--rounds", "1", "--json"]);
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| row["nodes"] == 12_240));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args(["rules"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn serve_shows_the_page() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_mousetrap"))
        .args(["serve", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split(['/', ' ']).find(|part| part.starts_with("127.0.0.1:")).unwrap();

    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    let page = page.to_lowercase();
    let taken = mousetrap(&["serve", "--port", address.rsplit(':').next().unwrap()]);
    server.kill().unwrap();
    server.wait().unwrap();

    assert!(page.starts_with("http/1.1 200"), "{page}");
    assert!(
        page.contains("content-security-policy: ") && page.contains("<title>mousetrap"),
        "{page}"
    );
    assert_eq!(taken.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&taken.stderr).contains("another --port"));
}

#[test]
fn the_picture_in_the_readme_is_ours() {
    let dir = tempfile::tempdir().unwrap();
    let drawn = dir.path().join("start.svg");
    stdout(&["show", "--svg", drawn.to_str().unwrap()]);
    let shown = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/start.svg");
    assert!(
        std::fs::read(drawn).unwrap() == std::fs::read(shown).unwrap(),
        "redraw it: cargo run --release -- show --svg docs/start.svg"
    );
}

#[test]
fn table_1_comes_out_as_published() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let rows = json_lines(&["repro", "table1", "--plies", "4", "--json", "--out", out]);
    let column = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("leaves"), [24, 576, 12_240, 260_100]);
    assert_eq!(column("evaluation"), [5, 0, 3, 0]);
    assert_eq!(column("equal"), [true; 4]);
    assert!(rows.iter().all(|row| row["minimax_seconds"].is_f64()));
    assert!(dir.path().join("record.json").exists() && dir.path().join("table1.csv").exists());
    let text = stdout(&["repro", "table1", "--plies", "2", "--out", out]);
    assert!(text.contains("576 in 0.00 s, 0 Eb3: equal"), "{text}");
    assert!(refused(&["repro", "table1", "--plies", "8"]).contains("--plies"));
    assert!(stdout(&["repro", "--list"]).contains("table1"));
}
