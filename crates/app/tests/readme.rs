//! Every command that the README and the tour of the commands show is run here.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use common::shared_folder;

/// The arguments of every `$ mousetrap …` in a page, without remarks.
fn commands(page: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = std::fs::read_to_string(path).expect("the page is there");
    let shown = text.lines().filter_map(|line| line.strip_prefix("$ mousetrap"));
    let found: Vec<Vec<String>> = shown.map(words).collect();
    assert!(found.len() > 5, "{page} shows commands");
    found
}

/// Splits as a shell does that knows single quotes and remarks.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, piece) in line.split('\'').enumerate() {
        let is_quoted = at % 2 == 1;
        if is_quoted {
            words.push(piece.to_owned());
            continue;
        }
        for word in piece.split_whitespace() {
            if word.starts_with('#') {
                return words;
            }
            words.push(word.to_owned());
        }
    }
    words
}

fn mousetrap(args: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mousetrap"));
    command
        .args(args)
        .env("MOUSETRAP_TABLES", shared_folder("readme"))
        .env("MOUSETRAP_GAMES", shared_folder("readme").join("games.sqlite"))
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null());
    command
}

/// Starts the server on a free port, asks for the page, and stops it.
fn serve(args: &[String]) {
    let shown = args.iter().filter(|arg| *arg != "--open");
    let args: Vec<String> = shown.cloned().chain(["--port", "0"].map(str::to_owned)).collect();
    let mut server = mousetrap(&args).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut said = BufReader::new(server.stdout.take().expect("a pipe"));
    let line =
        said.by_ref().lines().map_while(Result::ok).find(|line| line.contains("is at http://"));
    let line = line.expect("it says where it is");
    let page = line.split_once("http://").and_then(|(_, rest)| rest.split_whitespace().next());
    let (address, path) = page.and_then(|page| page.split_once('/')).expect("an address");
    let get = |path: &str, cookie: &str| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let head = format!("host: localhost\r\ncookie: {cookie}\r\nconnection: close");
        write!(stream, "GET /{path} HTTP/1.1\r\n{head}\r\n\r\n").expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    };
    let mut answer = get(path, "");
    // A token in the address becomes a cookie.
    if let Some((_, cookie)) = answer.split_once("set-cookie: ") {
        assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
        answer = get("", cookie.split(';').next().unwrap_or_default());
    }
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

fn run(args: &[String]) {
    match args.first().map(String::as_str) {
        Some("serve") => return serve(args),
        // Its tests have a terminal; here it can only say that it needs one.
        Some("play") => {
            let output = mousetrap(args).output().expect("it starts");
            let complaint = String::from_utf8_lossy(&output.stderr);
            return assert!(complaint.contains("terminal"), "{complaint}");
        }
        _ => {}
    }
    let output = mousetrap(args).output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "mousetrap {}: {errors}", args.join(" "));
}

#[test]
fn the_commands_of_the_readme_work() {
    commands("README.md").iter().for_each(|args| run(args));
}

#[test]
fn the_commands_of_the_tour_work() {
    commands("docs/commands.md").iter().for_each(|args| run(args));
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(words(" mine C-C --statements   # a remark"), ["mine", "C-C", "--statements"]);
    assert_eq!(words(" show '7/7 w' --svg x.svg"), ["show", "7/7 w", "--svg", "x.svg"]);
}
