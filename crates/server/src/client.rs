//! Clients: who asks, by address.
//!
//! Fairness and limits count by client. A machine with an address of IPv6 has a whole network of them, so the network
//! (64 bits) is the client. Behind a reverse proxy all connections come from the proxy; if the server is told to
//! trust it, the last address in `X-Forwarded-For`, which the proxy added, is the client.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;

/// A client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl Client {
    /// The client with an address.
    pub fn of(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            address => address,
        })
    }

    /// Whether it is a program on this machine, or behind a proxy on it.
    pub fn is_loopback(self) -> bool {
        self.0.is_loopback()
    }

    /// The client that a proxy speaks for, if it says so.
    pub fn forwarded(headers: &HeaderMap) -> Option<Client> {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        let address = last.to_str().ok()?.rsplit(',').next()?.trim();
        // Some proxies give the port as well.
        let with_port = || address.parse::<SocketAddr>().ok().map(|address| address.ip());
        address.parse().ok().or_else(with_port).map(Client::of)
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The client that the connection found; nobody in particular where there is no connection, as in tests.
impl<S: Send + Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        let known = parts.extensions.get().copied();
        Ok(known.unwrap_or(Client(Ipv4Addr::UNSPECIFIED.into())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let client = |text: &str| Client::of(text.parse().unwrap());
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:1"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:192.0.2.7"), client("192.0.2.7"));
        assert_ne!(client("192.0.2.7"), client("192.0.2.8"));
    }

    #[test]
    fn a_proxy_adds_the_client_last() {
        let mut headers = HeaderMap::new();
        assert_eq!(Client::forwarded(&headers), None);
        headers.append("x-forwarded-for", "203.0.113.9, 192.0.2.7".parse().unwrap());
        assert_eq!(Client::forwarded(&headers), Some(Client::of([192, 0, 2, 7].into())));
        headers.append("x-forwarded-for", "nonsense".parse().unwrap());
        assert_eq!(Client::forwarded(&headers), None);
    }
}
