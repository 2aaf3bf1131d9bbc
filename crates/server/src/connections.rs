//! Connections: how many, how long a request's head may take, and how they end.
//!
//! axum's own loop accepts without bound and waits for slow heads for ever; this one does not.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// The most connections at once; more wait in the system's queue.
const MOST_CONNECTIONS: usize = 1_024;
/// How long the head of a request may take to arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long connections may take to finish once the server stops.
const FAREWELL: Duration = Duration::from_secs(5);

/// Answers requests until `stop` is done, then finishes those that have begun.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()>,
    on_stop: impl FnOnce(),
) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let connections = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(64 << 10);
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            // The semaphore is never closed.
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            listener.accept().await.map(|(stream, _)| (stream, place))
        };
        let (stream, place) = tokio::select! {
            accepted = accepted => match accepted {
                Ok(accepted) => accepted,
                // Out of file handles, or a client that has gone: wait a moment.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that breaks off is not an error of the server.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    on_stop();
    let _ = tokio::time::timeout(FAREWELL, connections.shutdown()).await;
    Ok(())
}
