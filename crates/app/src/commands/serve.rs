//! `mousetrap serve`: the board in a browser.

use std::io::{ErrorKind, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anstyle::AnsiColor;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use server::access::Access;
use server::{Database, Options, Server};
use tokio::net::TcpListener;

use crate::cli::ServeArgs;
use crate::commands::games;
use crate::commands::tb::tables_folder;
use crate::failure::Failure;
use crate::output::Output;

/// Where a token is looked for that should not stand on the command line, where others can see it.
const TOKEN_VARIABLE: &str = "MOUSETRAP_TOKEN";

pub fn run(args: &ServeArgs, output: &mut Output) -> Result<(), Failure> {
    tracing_subscriber::fmt()
        .with_max_level(args.log)
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
    let access = Access {
        hosts: args.host.clone(),
        token: token(args.token.as_deref())?,
        behind_proxy: args.behind_proxy,
        allow_builds: args.allow_builds,
        network: None,
    };
    let options = Options {
        tables: tables_folder(args.tb_dir.clone())?,
        threads: args.threads.map_or_else(cores, usize::from),
        hash: args.hash as usize,
        max_searches: args.max_searches.into(),
        access,
        games: Some(database(games::database(args.database.clone())?)?),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores().clamp(2, 8))
        .max_blocking_threads(options.blocking_threads())
        .enable_all()
        .build()
        .map_err(|error| Failure::outside("starting the server", error))?;
    let served = runtime.block_on(serve(args, &options, output));
    // Building tables in the background must not keep the program from ending.
    runtime.shutdown_background();
    served
}

/// Where games are kept: a file, or the address of a database.
fn database(given: PathBuf) -> Result<Database, Failure> {
    #[cfg(feature = "postgres")]
    if let Some(address) = games::address(&given) {
        return Database::postgres(address).map_err(|error| Failure::Input(error.to_string()));
    }
    #[cfg(not(feature = "postgres"))]
    if games::address(&given).is_some() {
        return Err(games::no_postgres());
    }
    Ok(given.into())
}

/// The token that clients have to know: as given, from the environment, or made up; none if it was not asked for.
fn token(given: Option<&str>) -> Result<Option<String>, Failure> {
    let Some(given) = given else { return Ok(None) };
    let token = match given {
        "" => std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.is_empty()),
        given => Some(given.to_owned()),
    };
    let token = token.map_or_else(new_token, Ok)?;
    // It stands in addresses, headers and cookies.
    if token.len() > 128
        || !token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    {
        return Err(Failure::Input(
            "a token is up to 128 letters, digits, '-', '_' and '.'".to_owned(),
        ));
    }
    Ok(Some(token))
}

/// 128 random bits.
fn new_token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| Failure::outside("making a token", error))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

async fn serve(args: &ServeArgs, options: &Options, output: &mut Output) -> Result<(), Failure> {
    let wanted = SocketAddr::new(args.bind, args.port);
    let listener = TcpListener::bind(wanted).await.map_err(|error| {
        let remedy = match error.kind() {
            ErrorKind::AddrNotAvailable => "this machine has no such address: try --bind 0.0.0.0",
            ErrorKind::PermissionDenied => "ports below 1024 are the system's: try another --port",
            _ => "try another --port",
        };
        Failure::outside(format!("cannot listen on {wanted} ({remedy})"), error)
    })?;
    let address = listener
        .local_addr()
        .map_err(|error| Failure::outside("finding the server's address", error))?;
    let access = Access { network: in_the_network(address), ..options.access.clone() };
    let server = Server::new(&Options { access, ..options.clone() });
    let token = options.access.token.as_deref();
    announce(address, token, output)?;
    if args.open {
        open_browser(&page(on_this_machine(address), token));
    }
    let shared = server.shared();
    tokio::spawn(reload_when_told(server.shared()));
    tokio::task::spawn_blocking(move || {
        for failure in shared.prepare_tables() {
            anstream::eprintln!("no small endgame tables: {failure}");
        }
    });
    server.serve(listener, interrupted()).await.map_err(|error| Failure::outside("serving", error))
}

/// Says what is being prepared and where the board is: on this machine, and for a phone in the same network. All of it
/// is written at once: a program that reads the first line may close its end then.
fn announce(address: SocketAddr, token: Option<&str>, output: &mut Output) -> Result<(), Failure> {
    let mut text = format!(
        "Mousetrap is at {} (stop with Ctrl-C); the small endgame tables are being prepared.\n",
        page(on_this_machine(address), token)
    );
    if let Some(address) = in_the_network(address) {
        let page = page(address, token);
        text += &format!("On a phone in the same network: {page}\n");
        if std::io::stdout().is_terminal()
            && let Ok(code) = QrCode::new(&page)
        {
            text += &painted(&code);
        }
    }
    output.write_all(text.as_bytes())?;
    output.flush()?;
    if !address.ip().is_loopback() && token.is_none() {
        anstream::eprintln!(
            "warning: whoever reaches {address} can use this machine's processor; add --token to ask for a secret, \
             and put a reverse proxy with TLS before it on a network that you do not trust"
        );
    }
    Ok(())
}

/// A QR code in black on white, whatever the colours of the terminal: not every camera reads it inverted.
fn painted(code: &QrCode) -> String {
    let colours = AnsiColor::Black.on(AnsiColor::BrightWhite);
    let drawn = code.render::<Dense1x2>().build();
    drawn.lines().map(|line| format!("{colours}{line}{colours:#}\n")).collect()
}

fn page(address: SocketAddr, token: Option<&str>) -> String {
    let token = token.map(|token| format!("?token={token}")).unwrap_or_default();
    format!("http://{address}/{token}")
}

/// The address at which a browser on this machine finds the server.
fn on_this_machine(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => {
            SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port())
        }
        IpAddr::V6(ip) if ip.is_unspecified() => {
            SocketAddr::new(Ipv6Addr::LOCALHOST.into(), address.port())
        }
        _ => address,
    }
}

/// The address at which other machines find the server; none if it listens to this one only.
fn in_the_network(address: SocketAddr) -> Option<SocketAddr> {
    if address.ip().is_loopback() {
        return None;
    }
    if !address.ip().is_unspecified() {
        return Some(address);
    }
    let interfaces = if_addrs::get_if_addrs().ok()?;
    let addresses =
        interfaces.iter().filter(|interface| !interface.is_loopback()).map(if_addrs::Interface::ip);
    // A home network hands out private addresses of version 4, and those are the ones a phone can type.
    let private = |ip: &IpAddr| matches!(ip, IpAddr::V4(ip) if ip.is_private());
    let reachable = |ip: &IpAddr| matches!(ip, IpAddr::V4(ip) if !ip.is_link_local());
    let found = addresses.clone().find(private).or_else(|| addresses.clone().find(reachable))?;
    Some(SocketAddr::new(found, address.port()))
}

/// Asks the desktop to show a page. Where there is none, the address that was printed will do.
fn open_browser(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/c", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        anstream::eprintln!("the browser could not be opened ({error}); open {address} yourself");
    }
}

/// Opens the tables again at every hangup signal, as `systemctl reload` sends.
async fn reload_when_told(shared: server::Shared) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        let Ok(mut hangups) = signal(SignalKind::hangup()) else { return };
        while hangups.recv().await.is_some() {
            shared.reload();
            tracing::warn!("tables are opened again");
        }
    }
    #[cfg(not(unix))]
    drop(shared);
}

/// Waits for Ctrl-C, or for a termination signal. Where neither can be waited for, the server
/// runs until it is killed.
async fn interrupted() {
    let ctrl_c = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = ctrl_c => {}
        () = terminated => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_finds_a_server_that_listens_everywhere() {
        let here = |text: &str| on_this_machine(text.parse().unwrap()).to_string();
        assert_eq!(here("0.0.0.0:8089"), "127.0.0.1:8089");
        assert_eq!(here("[::]:8089"), "[::1]:8089");
        assert_eq!(here("192.0.2.7:8089"), "192.0.2.7:8089");
    }

    #[test]
    fn a_phone_is_given_an_address_only_if_the_server_listens_to_it() {
        let phone = |text: &str| in_the_network(text.parse().unwrap());
        assert_eq!(phone("127.0.0.1:8089"), None);
        assert_eq!(phone("[::1]:8089"), None);
        assert_eq!(phone("192.0.2.7:8089"), "192.0.2.7:8089".parse().ok());
        assert!(phone("0.0.0.0:8089").is_none_or(|address| !address.ip().is_loopback()));
    }
}
