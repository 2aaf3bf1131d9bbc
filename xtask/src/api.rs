//! The HTTP interface against its own description: schemathesis, from PyPI, makes up requests from the OpenAPI
//! document of a running server and compares the answers with what it promises.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::board;
use crate::python::{environment, pip};
use crate::shell::{root, step, target};

/// How many requests are made up for each operation.
const EXAMPLES: &str = "8";

/// Everything that is promised about answers.
pub fn test() -> Result<(), String> {
    let tools = environment(&root().join("target/python/tools"), false)?;
    if !tools.join("schemathesis").exists() {
        step("installing schemathesis", pip(&tools).arg("schemathesis>=4,<5"))?;
    }
    board::program()?;
    let mut server = Server::start()?;
    let description = format!("{}api/openapi.json", server.address()?);
    let mut run = Command::new(tools.join("schemathesis"));
    run.arg("--config-file").arg(root().join("xtask/schemathesis.toml"));
    // One worker: Python 3.11 counts the depth of its parser for all threads together, and two that parse at once fail.
    run.args(["run", &description, "--max-examples", EXAMPLES, "--seed", "1", "--workers", "1"])
        // A busy server may say so at any time.
        .args(["--checks", "not_a_server_error,status_code_conformance,content_type_conformance"])
        .args(["--checks", "response_headers_conformance,response_schema_conformance"])
        .args(["--phases", "examples,coverage,fuzzing", "--request-timeout", "60", "--no-color"])
        .current_dir(target());
    step("the HTTP interface against its description", run)
}

/// A server with empty tables on a free port, until dropped. As behind a proxy, it builds no tables for anybody: a build
/// of four pieces that a made-up request begins would take longer than all other requests together.
struct Server(Child);

impl Server {
    fn start() -> Result<Server, String> {
        let mut serve = Command::new(target().join("debug/mousetrap"));
        serve
            .args(["serve", "--port", "0", "--behind-proxy", "--tb-dir"])
            .arg(target().join("api-tables"));
        let child = serve.stdout(Stdio::piped()).spawn();
        child.map(Server).map_err(|error| format!("the server cannot be started: {error}"))
    }

    /// The address that it announces.
    fn address(&mut self) -> Result<String, String> {
        let mut line = String::new();
        let output = self.0.stdout.as_mut().expect("it is piped");
        BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        let word = line.split_whitespace().find(|word| word.starts_with("http://"));
        word.map(str::to_owned).ok_or_else(|| format!("the server announces no address: {line}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
