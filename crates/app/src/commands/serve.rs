//! `mousetrap serve`: the board in a browser.
//!
//! For now a plain page with the start position; the picture is drawn by the library at start-up.

use std::io::Write;
use std::net::SocketAddr;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName};
use axum::routing::get;
use jungle::Position;
use jungle::picture::Picture;
use tokio::net::TcpListener;

use crate::cli::ServeArgs;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &ServeArgs, output: &mut Output) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(|error| Failure::outside("starting the server", error))?;
    runtime.block_on(serve(SocketAddr::new(args.bind, args.port), output))
}

async fn serve(address: SocketAddr, output: &mut Output) -> Result<(), Failure> {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        Failure::outside(format!("cannot listen on {address} (try another --port)"), error)
    })?;
    let address = listener
        .local_addr()
        .map_err(|error| Failure::outside("finding the server's address", error))?;
    writeln!(output, "Mousetrap is at http://{address}/ (stop with Ctrl-C)")?;
    output.flush()?;
    axum::serve(listener, router())
        .with_graceful_shutdown(interrupted())
        .await
        .map_err(|error| Failure::outside("serving", error))
}

fn router() -> Router {
    let page = page();
    let headers = || -> [(HeaderName, &str); 3] {
        [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
            (CACHE_CONTROL, "no-cache"),
        ]
    };
    Router::new().route("/", get(move || async move { (headers(), page) }))
}

fn page() -> String {
    let board = Picture::of(&Position::start()).to_svg();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Mousetrap</title>\n\
         <style>body{{margin:0;display:grid;place-items:center;min-height:100vh;background:#f4f1e8}}\
         svg{{max-width:96vw;max-height:96vh}}</style>\n{board}\n</html>\n"
    )
}

/// Waits for Ctrl-C. Where that cannot be waited for, the server runs until it is killed.
async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
