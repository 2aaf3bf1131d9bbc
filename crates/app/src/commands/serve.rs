//! `mousetrap serve`: the board in a browser.

use std::io::Write;
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use server::{Options, Server};
use tokio::net::TcpListener;

use crate::cli::ServeArgs;
use crate::commands::tb::tables_folder;
use crate::failure::Failure;
use crate::output::Output;

pub fn run(args: &ServeArgs, output: &mut Output) -> Result<(), Failure> {
    let options = Options {
        tables: tables_folder(args.tb_dir.clone())?,
        threads: args.threads.map_or_else(cores, usize::from),
        hash: args.hash as usize,
        max_searches: args.max_searches.into(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores().clamp(2, 8))
        .enable_all()
        .build()
        .map_err(|error| Failure::outside("starting the server", error))?;
    let served = runtime.block_on(serve(args, &options, output));
    // Building tables in the background must not keep the program from ending.
    runtime.shutdown_background();
    served
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

async fn serve(args: &ServeArgs, options: &Options, output: &mut Output) -> Result<(), Failure> {
    let wanted = SocketAddr::new(args.bind, args.port);
    let listener = TcpListener::bind(wanted).await.map_err(|error| {
        Failure::outside(format!("cannot listen on {wanted} (try another --port)"), error)
    })?;
    let address = listener
        .local_addr()
        .map_err(|error| Failure::outside("finding the server's address", error))?;
    writeln!(output, "Mousetrap is at http://{address}/ (stop with Ctrl-C)")?;
    output.flush()?;
    if args.open {
        open_browser(&format!("http://{address}/"));
    }
    let server = Server::new(options);
    let shared = server.shared();
    tokio::task::spawn_blocking(move || {
        for failure in shared.prepare_tables() {
            anstream::eprintln!("no small endgame tables: {failure}");
        }
    });
    server.serve(listener, interrupted()).await.map_err(|error| Failure::outside("serving", error))
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
