//! A server on a free port, one request to its HTTP interface, and an orderly end.
#![expect(clippy::print_stdout, reason = "an example for the terminal")]

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};

use server::access::Access;
use server::{Options, Server};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

fn main() -> io::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(run())
}

async fn run() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let tables = folder.path().to_owned();
    let access = Access::default();
    let options = Options { tables, threads: 1, hash: 16, max_searches: 1, access, games: None };
    let server = Server::new(&options);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;

    // The server ends when the second future does.
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(server.serve(listener, async { drop(stopped.await) }));
    let answer = tokio::task::spawn_blocking(move || get(address, "/api/moves?moves=a3a4"));
    println!("{}", answer.await??);
    drop(stop);
    running.await?
}

fn get(address: SocketAddr, path: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
