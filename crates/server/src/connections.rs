//! Connections: how many, from whom, how long a request's head or an unread answer may take, and how they end.
//!
//! axum's own loop accepts without bound and waits for slow clients for ever; this one does not. A client may have an
//! eighth of all connections, 128 at most, and has to read its answers.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};
use tower::util::MapRequest;

use crate::client::Client;

/// The most connections at once: everybody who plays or watches has one. More wait in the system's queue; fewer where the
/// system allows fewer open files.
const MOST_CONNECTIONS: usize = 4_096;
/// What one client may have of them: an eighth, and no more than [`MOST_EACH`]. More are told so and closed; a browser opens
/// six.
const SHARE: usize = 8;
/// The most connections of a client.
const MOST_EACH: usize = 128;
/// Open files for everything that is not a connection.
const OTHER_FILES: usize = 128;
/// How long the head of a request may take to arrive.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long an answer may wait for its client to read [`LEAST`] bytes of it.
const READ_TIME: Duration = Duration::from_secs(15);
/// How much a client has to read in that time.
const LEAST: usize = 4 << 10;
/// How long connections may take to finish once the server stops.
const FAREWELL: Duration = Duration::from_secs(5);
/// What a client with too many connections gets.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
    content-type: text/plain\r\ncontent-length: 49\r\n\r\ntoo many connections from one client: close some\n";

/// The two ends of the connection that a request came by.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// The other end.
    pub client: Client,
    /// The address at which the client found the server.
    pub here: IpAddr,
}

/// Answers requests until `stop` is done, then finishes those that have begun.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    census: Arc<Census>,
    stop: impl Future<Output = ()>,
    on_stop: impl FnOnce(),
) -> io::Result<()> {
    let connections = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(64 << 10);
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, ends, place) = tokio::select! {
            accepted = accept(&listener, &census) => match accepted {
                Ok(Some(accepted)) => accepted,
                Ok(None) => continue,
                // Out of file handles, or a client that has gone: wait a moment.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let service = MapRequest::new(router.clone(), move |mut request: Request<_>| {
            request.extensions_mut().insert(ends);
            request
        });
        let stream = TokioIo::new(Patient::new(stream));
        let service = TowerToHyperService::new(service);
        let connection = connections.watch(http.serve_connection(stream, service));
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

/// The next connection; `None` if it is one too many of its client.
async fn accept(
    listener: &TcpListener,
    census: &Arc<Census>,
) -> io::Result<Option<(TcpStream, Ends, Counted)>> {
    // The semaphore is never closed.
    let place = Arc::clone(&census.places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, address) = listener.accept().await?;
    let client = Client::of(address.ip());
    let here = stream.local_addr()?.ip().to_canonical();
    let _ = stream.set_nodelay(true);
    match Counted::new(census, client, place) {
        Some(place) => Ok(Some((stream, Ends { client, here }, place))),
        None => {
            // What the socket does not take at once is not worth waiting for.
            let _ = stream.try_write(TOO_MANY);
            Ok(None)
        }
    }
}

/// How many connections there is room for, once the system was asked for as many open files as it allows.
#[cfg(unix)]
fn most_connections() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let wanted = (MOST_CONNECTIONS + OTHER_FILES) as u64;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let Some(now) = current else { return MOST_CONNECTIONS };
    let raised = maximum.map_or(wanted, |maximum| wanted.min(maximum));
    let now = if now < raised {
        let raise = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum });
        raise.map_or(now, |()| raised)
    } else {
        now
    };
    let now = usize::try_from(now).unwrap_or(usize::MAX);
    now.saturating_sub(OTHER_FILES).max(now / 4).clamp(1, MOST_CONNECTIONS)
}

#[cfg(not(unix))]
fn most_connections() -> usize {
    MOST_CONNECTIONS
}

/// Who is connected.
pub(crate) struct Census {
    places: Arc<Semaphore>,
    most_each: usize,
    each: Mutex<HashMap<Client, usize>>,
}

impl Census {
    /// Behind a proxy all connections are the proxy's: it has to see that no client has too many.
    pub fn new(behind_proxy: bool) -> Arc<Census> {
        let places = most_connections();
        let most_each = if behind_proxy { places } else { (places / SHARE).clamp(1, MOST_EACH) };
        let places = Arc::new(Semaphore::new(places));
        Arc::new(Census { places, most_each, each: Mutex::default() })
    }

    /// How many connections there are.
    pub fn connections(&self) -> usize {
        self.each().values().sum()
    }

    fn each(&self) -> std::sync::MutexGuard<'_, HashMap<Client, usize>> {
        self.each.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that counts, until dropped.
struct Counted {
    census: Arc<Census>,
    client: Client,
    _place: OwnedSemaphorePermit,
}

impl Counted {
    fn new(census: &Arc<Census>, client: Client, place: OwnedSemaphorePermit) -> Option<Counted> {
        let mut each = census.each();
        let count = each.entry(client).or_default();
        if *count >= census.most_each {
            return None;
        }
        *count += 1;
        drop(each);
        Some(Counted { census: Arc::clone(census), client, _place: place })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Entry::Occupied(mut count) = self.census.each().entry(self.client) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

/// A stream that fails when the other end does not read: less than [`LEAST`] bytes in [`READ_TIME`] while more wait.
struct Patient<S> {
    stream: S,
    /// While something waits to be written.
    deadline: Option<Pin<Box<Sleep>>>,
    /// What was written since the deadline was set.
    written: usize,
}

impl<S> Patient<S> {
    fn new(stream: S) -> Patient<S> {
        Patient { stream, deadline: None, written: 0 }
    }

    /// Keeps account of an attempt to write, `wanted` bytes of which were to be taken.
    fn account(
        &mut self,
        context: &mut Context<'_>,
        wanted: usize,
        outcome: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(count)) = outcome {
            self.written += count;
            if count >= wanted {
                self.deadline = None;
            }
            return outcome;
        }
        if outcome.is_ready() {
            return outcome;
        }
        if self.deadline.is_none() {
            self.written = 0;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(READ_TIME)));
        loop {
            ready!(deadline.as_mut().poll(context));
            if std::mem::take(&mut self.written) < LEAST {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            deadline.as_mut().reset(Instant::now() + READ_TIME);
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.account(context, bytes.len(), outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wanted = buffers.iter().map(|buffer| buffer.len()).sum();
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, buffers);
        self.account(context, wanted, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_is_given_up() {
        let (near, _far) = duplex(1 << 10);
        let begun = Instant::now();
        let error = Patient::new(near).write_all(&[0; 1 << 20]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), READ_TIME.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn a_trickle_is_not_reading() {
        let (near, mut far) = duplex(1 << 10);
        tokio::spawn(async move {
            while far.read_u8().await.is_ok() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        let error = Patient::new(near).write_all(&[0; 1 << 20]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_client_that_reads_is_waited_for() {
        let (near, mut far) = duplex(1 << 10);
        tokio::spawn(async move {
            let mut some = [0; 1 << 10];
            while far.read(&mut some).await.is_ok_and(|count| count > 0) {
                tokio::time::sleep(Duration::from_secs(3)).await;
            }
        });
        let mut near = Patient::new(near);
        near.write_all(&[0; 1 << 17]).await.unwrap();
        // Between answers nobody waits.
        tokio::time::sleep(10 * READ_TIME).await;
        near.write_all(&[0; 1 << 10]).await.unwrap();
    }

    #[test]
    fn a_client_has_its_share_of_connections() {
        let census = Census::new(false);
        let permit = || Arc::clone(&census.places).try_acquire_owned().unwrap();
        let client = |number| Client::of([127, 0, 0, number].into());
        let mut held: Vec<_> = (0..census.most_each)
            .map(|_| Counted::new(&census, client(1), permit()).unwrap())
            .collect();
        assert!(Counted::new(&census, client(1), permit()).is_none());
        assert!(Counted::new(&census, client(2), permit()).is_some());
        assert_eq!(census.connections(), census.most_each);
        held.pop();
        assert!(Counted::new(&census, client(1), permit()).is_some());
        held.clear();
        assert!(census.each().is_empty());
    }

    #[test]
    fn the_refusal_is_as_long_as_it_says() {
        let text = std::str::from_utf8(TOO_MANY).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{}", body.len());
    }
}
