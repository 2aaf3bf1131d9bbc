//! HTTP: whatever is asked, the answer is not a failure of the server.
//!
//! The input is a request without its version: a line with the method and the path, headers, an empty line, a body.
#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use libfuzzer_sys::fuzz_target;
use server::access::Access;
use server::client::Client;
use server::connections::Ends;
use server::{Options, Server};
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// Long work is not what is tried here; a client that leaves ends it.
const PATIENCE: Duration = Duration::from_millis(20);

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).enable_all().build().expect("a runtime")
});
static ROUTER: LazyLock<axum::Router> = LazyLock::new(|| {
    let tables = std::env::temp_dir().join("mousetrap-fuzz-no-tables");
    let access = Access::default();
    // Games are kept in memory.
    let games = None;
    Server::new(&Options { tables, threads: 1, hash: 1, max_searches: 1, access, games }).router()
});

fuzz_target!(|text: &str| {
    let Some(request) = read(text) else { return };
    let answer = RUNTIME
        .block_on(async { tokio::time::timeout(PATIENCE, ROUTER.clone().oneshot(request)).await });
    if let Ok(Ok(answer)) = answer {
        let status = answer.status();
        assert!(!status.is_server_error() || status == StatusCode::SERVICE_UNAVAILABLE, "{status}");
    }
});

fn read(text: &str) -> Option<Request<Body>> {
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let (method, path) = lines.next()?.split_once(' ')?;
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
        request = request.header(name, value);
    }
    let here = [127, 0, 0, 1].into();
    request = request.extension(Ends { client: Client::of(here), here });
    request.body(body.to_owned().into()).ok()
}
