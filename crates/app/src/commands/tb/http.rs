//! Files from a web host, from any byte on: HTTP/1.0 on a plain connection, which is enough for a static host. What an
//! https URL needs beyond that is left to curl.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tablebase::publish::{Download, Host};

use crate::failure::Failure;

/// How long a host may say nothing.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many times a host may send us elsewhere.
const REDIRECTIONS: usize = 5;

/// The longest line of an answer's head.
const LONGEST_LINE: u64 = 1 << 14;

/// A folder on a web host.
pub struct WebHost {
    url: String,
}

impl WebHost {
    /// The folder at a URL.
    pub fn new(url: &str) -> Result<WebHost, Failure> {
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Err(Failure::Input(format!(
                "'{url}' is not a URL that begins with http:// or https://"
            )));
        }
        Ok(WebHost { url: url.trim_end_matches('/').to_owned() })
    }
}

impl Host for WebHost {
    fn get(&self, path: &str, from: u64) -> io::Result<Download> {
        let mut url = format!("{}/{path}", self.url);
        for _ in 0..=REDIRECTIONS {
            let mut bytes = BufReader::new(open(&url, from)?);
            let head = Head::read(&mut bytes)?;
            match (head.status, head.location) {
                (200, _) => return Ok(Download { from: 0, bytes: whole(bytes, head.length) }),
                (206, _) => {
                    let from =
                        head.from.ok_or_else(|| invalid("it does not say which part it sends"))?;
                    return Ok(Download { from, bytes: whole(bytes, head.length) });
                }
                (301 | 302 | 303 | 307 | 308, Some(location)) => url = redirected(&url, &location),
                (404, _) => {
                    return Err(io::Error::new(ErrorKind::NotFound, format!("{url} is not there")));
                }
                (status, _) => {
                    return Err(io::Error::other(format!("{url}: the host answers {status}")));
                }
            }
        }
        Err(io::Error::other(format!("{url}: the host sends us around in circles")))
    }
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what.to_owned())
}

/// The bytes, and an error if there are fewer than were announced.
fn whole(bytes: impl Read + 'static, length: Option<u64>) -> Box<dyn Read> {
    match length {
        // An end that comes too soon shows by the size of the file.
        Some(length) => Box::new(bytes.take(length)),
        None => Box::new(bytes),
    }
}

/// The answer to a request, head included.
fn open(url: &str, from: u64) -> io::Result<Box<dyn Read>> {
    let Some(rest) = url.strip_prefix("http://") else { return curl(url, from) };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let port =
        if authority.rsplit(']').next().is_some_and(|end| end.contains(':')) { "" } else { ":80" };
    let mut stream = None;
    let mut error = invalid("the host has no address");
    for address in format!("{authority}{port}").to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(connected) => {
                stream = Some(connected);
                break;
            }
            Err(refused) => error = refused,
        }
    }
    let mut stream = stream.ok_or(error)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let range = if from > 0 { format!("Range: bytes={from}-\r\n") } else { String::new() };
    write!(
        stream,
        "GET /{path} HTTP/1.0\r\nHost: {authority}\r\n{range}User-Agent: mousetrap\r\nAccept: */*\r\n\r\n"
    )?;
    Ok(Box::new(stream))
}

/// The same by curl, which prints the head, too.
fn curl(url: &str, from: u64) -> io::Result<Box<dyn Read>> {
    let mut command = Command::new("curl");
    command.args(["--silent", "--show-error", "--include", "--http1.1"]);
    command.args(["--connect-timeout", "60", "--speed-time", "60", "--speed-limit", "1"]);
    if from > 0 {
        command.arg("--range").arg(format!("{from}-"));
    }
    let spawned = command.arg("--").arg(url).stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let child = spawned.map_err(|error| match error.kind() {
        ErrorKind::NotFound => io::Error::new(
            ErrorKind::NotFound,
            "https needs the program curl, which is not there; install it or use an http:// URL",
        ),
        _ => error,
    })?;
    Ok(Box::new(Running(child)))
}

/// The output of a program, which ends with it.
struct Running(Child);

impl Read for Running {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.stdout.as_mut().map_or(Ok(0), |output| output.read(buffer))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What an answer says of itself.
struct Head {
    status: u16,
    /// How many bytes follow.
    length: Option<u64>,
    /// With which byte of the file they begin.
    from: Option<u64>,
    location: Option<String>,
}

impl Head {
    fn read(bytes: &mut impl BufRead) -> io::Result<Head> {
        let status = line(bytes)?;
        let status = status.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| invalid("the host does not speak HTTP"))?;
        let mut head = Head { status, length: None, from: None, location: None };
        loop {
            let line = line(bytes)?;
            if line.is_empty() {
                return Ok(head);
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => head.length = value.parse().ok(),
                "content-range" => {
                    let range =
                        value.strip_prefix("bytes ").and_then(|range| range.split_once('-'));
                    head.from = range.and_then(|(from, _)| from.trim().parse().ok());
                }
                "location" => head.location = Some(value.to_owned()),
                _ => {}
            }
        }
    }
}

fn line(bytes: &mut impl BufRead) -> io::Result<String> {
    let mut line = Vec::new();
    bytes.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(invalid("the host's answer has no end of its head"));
    }
    Ok(String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
}

/// Where a location leads from a URL.
fn redirected(url: &str, location: &str) -> String {
    if location.contains("://") {
        return location.to_owned();
    }
    let scheme = url.find("://").map_or(0, |at| at + 3);
    let root = url[scheme..].find('/').map_or(url.len(), |at| scheme + at);
    if location.starts_with('/') {
        return format!("{}{location}", &url[..root]);
    }
    let folder = url.rfind('/').filter(|&at| at >= root).unwrap_or(root);
    format!("{}/{location}", &url[..folder])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_and_locations_followed() {
        let answer = "HTTP/1.1 206 Partial Content\r\nContent-Length: 7\r\ncontent-range: bytes 12-18/19\r\n\r\nthe end";
        let mut bytes = BufReader::new(answer.as_bytes());
        let head = Head::read(&mut bytes).unwrap();
        assert_eq!((head.status, head.length, head.from), (206, Some(7), Some(12)));
        let mut rest = String::new();
        bytes.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "the end");
        assert!(Head::read(&mut BufReader::new(&b"HTTP/1.1 200 OK\r\nServer: x"[..])).is_err());
        assert!(Head::read(&mut BufReader::new(&b"220 smtp.example.org\r\n\r\n"[..])).is_err());
        let from = "http://here:81/a/b.mtb";
        assert_eq!(redirected(from, "https://there/c"), "https://there/c");
        assert_eq!(redirected(from, "/c"), "http://here:81/c");
        assert_eq!(redirected(from, "c"), "http://here:81/a/c");
    }
}
