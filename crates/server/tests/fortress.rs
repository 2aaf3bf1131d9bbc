//! What was tried against the server, over real connections: each of these once worked.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::{Duration, Instant};

use jungle::Rules;
use server::access::Access;
use server::{Options, Server, Shared};
use tablebase::build::ensure_small;
use tablebase::{Set, set_folder};
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::oneshot;

/// A server that listens, until dropped.
struct Live {
    address: SocketAddr,
    shared: Shared,
    _stop: oneshot::Sender<()>,
}

async fn live(folder: &Path, access: Access) -> Live {
    let options = Options {
        tables: folder.into(),
        threads: 2,
        hash: 4,
        max_searches: 2,
        access,
        games: None,
    };
    let server = Server::new(&options);
    let shared = server.shared();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(server.serve(listener, async { drop(stopped.await) }));
    Live { address, shared, _stop: stop }
}

/// A connection from an address of this machine that has asked for something.
async fn asked(from: u8, to: SocketAddr, path: &str, headers: &str) -> std::net::TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((IpAddr::from([127, 0, 0, from]), 0).into()).unwrap();
    let stream = socket.connect(to).await.unwrap().into_std().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let host = if headers.to_lowercase().contains("host:") { "" } else { "host: localhost\r\n" };
    // A connection that is refused at once may be closed by now.
    let _ = write!(&stream, "GET {path} HTTP/1.1\r\n{host}connection: close\r\n{headers}\r\n");
    stream
}

/// The whole answer.
async fn answer(mut stream: std::net::TcpStream) -> String {
    let read = tokio::task::spawn_blocking(move || {
        let mut text = Vec::new();
        // A refused connection may be reset behind its answer.
        let _ = stream.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    read.await.unwrap()
}

async fn get(to: SocketAddr, path: &str, headers: &str) -> String {
    answer(asked(1, to, path, headers).await).await
}

fn is(answer: &str, status: u16) -> bool {
    answer.starts_with(&format!("HTTP/1.1 {status} "))
}

#[tokio::test(flavor = "multi_thread")]
async fn other_names_other_sites_and_strangers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let server = live(folder.path(), Access::default()).await;
    let open = server.address;
    assert!(is(&get(open, "/api/moves", "").await, 200));
    let rebound = get(open, "/api/moves", "host: evil.example\r\n").await;
    assert!(is(&rebound, 421) && rebound.contains("--host evil.example"), "{rebound}");
    assert!(is(&get(open, "/", "host: evil.example\r\n").await, 421));
    let embedded = get(open, "/api/picture.png", "sec-fetch-site: cross-site\r\n").await;
    assert!(is(&embedded, 403), "{embedded}");
    assert!(is(&get(open, "/healthz", "host: anything\r\n").await, 200));

    let access = Access {
        hosts: vec!["board.example".to_owned()],
        token: Some("secret".to_owned()),
        behind_proxy: true,
        ..Access::default()
    };
    let server = live(folder.path(), access).await;
    let closed = server.address;
    assert!(is(&get(closed, "/", "host: board.example\r\n").await, 401));
    let admitted = get(closed, "/?token=secret", "").await;
    assert!(is(&admitted, 303) && admitted.contains("HttpOnly; SameSite=Strict"), "{admitted}");
    assert!(is(&get(closed, "/api/moves", "authorization: Bearer secret\r\n").await, 200));
    assert!(is(&get(closed, "/metrics", "").await, 401));
    assert!(is(&get(closed, "/healthz", "").await, 200));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_client_does_not_keep_others_from_the_engines() {
    let folder = tempfile::tempdir().unwrap();
    let server = live(folder.path(), Access::default()).await;
    let address = server.address;
    let mut greedy = Vec::new();
    for _ in 0..24 {
        greedy.push(asked(2, address, "/api/analyse?seconds=120", "").await);
    }
    let begun = Instant::now();
    let path = "/api/best?level=rat";
    for _ in 0..3 {
        let modest = answer(asked(3, address, path, "").await).await;
        assert!(is(&modest, 200), "{modest}");
    }
    assert!(begun.elapsed() < Duration::from_secs(50), "the searches of the other go on");
    // Those who were refused know when to come back.
    let metrics = get(address, "/metrics", "").await;
    let refused = r#"mousetrap_requests_total{path="/api/analyse",status="503"}"#;
    assert!(metrics.contains(refused), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_has_a_limit_of_connections() {
    let folder = tempfile::tempdir().unwrap();
    let server = live(folder.path(), Access::default()).await;
    let address = server.address;
    let mut idle = Vec::new();
    for _ in 0..160 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((IpAddr::from([127, 0, 0, 4]), 0).into()).unwrap();
        idle.push(socket.connect(address).await.unwrap());
    }
    let other = answer(asked(5, address, "/api/moves", "").await).await;
    assert!(is(&other, 200), "{other}");
    let more = answer(asked(4, address, "/api/moves", "").await).await;
    assert!(more.is_empty() || is(&more, 503), "{more}");
    drop(idle);
}

/// Tables that change under the server are noticed, or not read again; no answer is wrong.
#[tokio::test(flavor = "multi_thread")]
async fn damage_to_served_tables_gives_no_wrong_answer() {
    let folder = tempfile::tempdir().unwrap();
    let rules = Rules::LEIDEN;
    let set = set_folder(folder.path(), &rules);
    ensure_small(&rules, &set).unwrap();
    let server = live(folder.path(), Access::default()).await;
    let path = "/api/tablebase?rules=leiden&fen=7/7/3e3/7/7/7/3E3/7/7%20w";
    let truth = get(server.address, path, "").await;
    assert!(is(&truth, 200) && truth.contains(r#""plies":12"#), "{truth}");
    let body = |answer: &str| answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
    let tables = Set::open(&rules, &set).unwrap();
    let file = set.join(tables.tablebase().file_of("E-E".parse().unwrap()).unwrap());
    let good = std::fs::read(&file).unwrap();
    let mut noticed = 0;
    for round in 0..40 {
        let mut bad = good.clone();
        if round % 4 == 3 {
            bad.truncate(good.len() * round / 40);
        } else {
            bad[good.len() * round / 40] ^= 1 << (round % 8);
        }
        // In place, as a failing disk would, not by renaming.
        std::fs::write(&file, &bad).unwrap();
        assert_eq!(
            body(&get(server.address, path, "").await),
            body(&truth),
            "what was verified stays"
        );
        server.shared.reload();
        let after = get(server.address, path, "").await;
        let damaged = is(&after, 500) && after.contains("damaged-table");
        assert!(damaged || body(&after) == body(&truth), "round {round}: {after}");
        noticed += usize::from(damaged);
        std::fs::write(&file, &good).unwrap();
        server.shared.reload();
        assert_eq!(body(&get(server.address, path, "").await), body(&truth), "it is used again");
    }
    assert!(noticed > 20, "{noticed}");
}

/// Work that its client has left still counts, so that leaving gains nothing.
#[cfg(feature = "png")]
#[tokio::test(flavor = "multi_thread")]
async fn leaving_does_not_evade_the_limit_of_work() {
    let folder = tempfile::tempdir().unwrap();
    let server = live(folder.path(), Access::default()).await;
    for _ in 0..60 {
        drop(asked(6, server.address, "/api/picture.png?size=256", "").await);
    }
    let running = |text: &str| -> Vec<usize> {
        let lines = text.lines().filter_map(|line| {
            line.strip_prefix(r#"mousetrap_work_running{queue="work"} "#)?.parse().ok()
        });
        lines.collect()
    };
    let begun = Instant::now();
    let mut most = 0;
    loop {
        let now = running(&get(server.address, "/metrics", "").await)[0];
        most = most.max(now);
        if now == 0 && begun.elapsed() > Duration::from_millis(300) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60));
    }
    assert!(most <= 2, "{most} at once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_that_nobody_reads_holds_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    let server = live(folder.path(), Access::default()).await;
    let moves = ["a3a4,a7a6,a4a3,a6a7"; 475].join(",");
    let path = format!("/api/review?nodes=1000&rules=leiden&moves={moves}");
    let mut deaf = Vec::new();
    for _ in 0..2 {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(2_048).unwrap();
        let stream = socket.connect(server.address).await.unwrap().into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        write!(&stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        deaf.push(stream);
    }
    let count = |metrics: &str, name: &str| -> u64 {
        let line = metrics.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("{name} in {metrics}"))
            .rsplit(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    let mut begun = false;
    loop {
        let metrics = get(server.address, "/metrics", "").await;
        let running = count(&metrics, "mousetrap_work_running{queue=\"searches\"}");
        begun |= running > 0;
        if begun && running == 0 {
            // The engines are free while the answers still wait to be read.
            assert!(count(&metrics, "mousetrap_connections") >= 3, "{metrics}");
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_the_page_come_compressed_to_those_who_ask() {
    let folder = tempfile::tempdir().unwrap();
    let server = live(folder.path(), Access::default()).await;
    let length = |answer: &str| -> u64 {
        let (_, rest) = answer.split_once("content-length: ").unwrap();
        rest.split("\r\n").next().unwrap().parse().unwrap()
    };
    for path in ["/app.js", "/art.svg"] {
        let packed = get(server.address, path, "accept-encoding: br, gzip;q=0.8\r\n").await;
        assert!(is(&packed, 200) && packed.contains("content-encoding: gzip"), "{path}");
        for refused in ["gzip;q=0", "identity", ""] {
            let plain = get(server.address, path, &format!("accept-encoding: {refused}\r\n")).await;
            assert!(is(&plain, 200) && !plain.contains("content-encoding"), "{path} {refused}");
            assert!(length(&plain) > 2 * length(&packed));
        }
    }
}
