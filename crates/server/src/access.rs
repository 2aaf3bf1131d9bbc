//! Access: which names the server answers to, who may ask from a browser, and the token.
//!
//! A page of another site can make a browser send requests here, and, by pointing its own name at this machine (DNS
//! rebinding), read the answers. So the server answers only to names it knows, and what costs anything only to its
//! own page or to programs: see `docs/decisions/0011-serving.md`.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;

use answers::Refusal;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{
    ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN,
    SET_COOKIE, USER_AGENT, WWW_AUTHENTICATE,
};
use axum::http::request::Parts;
use axum::http::uri::{Authority, Uri};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::client::Client;
use crate::connections::Ends;
use crate::error::ApiError;

/// The cookie that holds the token.
const COOKIE_NAME: &str = "mousetrap_token";
/// The cookie that holds the pass of a guest.
const GUEST_COOKIE: &str = "mousetrap_guest";
/// What the pass of guests is derived from the token for.
const GUEST_CONTEXT: &str = "mousetrap serve 1: the pass of guests";
/// What guests are not shown.
const NOT_FOR_GUESTS: &str = "/metrics";
/// Answered without a token, and to any name: whether the server is alive.
pub(crate) const HEALTH: &str = "/healthz";

/// What proxies add to the requests that they pass on.
const PROXY_HEADERS: [&str; 5] =
    ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/// Who may ask.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Names, beside those of this machine, at which clients may find the server.
    pub hosts: Vec<String>,
    /// A secret that clients have to know.
    pub token: Option<String>,
    /// Whether connections come from a proxy that says for whom it speaks.
    pub behind_proxy: bool,
    /// Whether everybody may have tables built, not only those on this machine or with the token.
    pub allow_builds: bool,
    /// The address at which other devices in the network find the server, if it listens to them.
    pub network: Option<std::net::SocketAddr>,
}

/// Whether a request may have tables built: that takes the owner's processor for a minute, and a part of the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MayBuild(pub bool);

/// Whether a request is the owner's: of somebody at this machine, or with the token. Games are theirs alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsOwner(pub bool);

/// What the connection found; without one, as in tests, there is nobody to keep out.
impl<S: Send + Sync> FromRequestParts<S> for IsOwner {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<IsOwner, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(IsOwner(true)))
    }
}

/// What the connection found; without one, as in tests, there is nobody to keep out.
impl<S: Send + Sync> FromRequestParts<S> for MayBuild {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<MayBuild, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or(MayBuild(true)))
    }
}

/// Finds out which client a request is of, and what it may do.
pub(crate) async fn identify(
    State(access): State<Arc<Access>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(ends) = request.extensions().get::<Ends>().copied() {
        let forwarded = access.behind_proxy.then(|| Client::forwarded(request.headers())).flatten();
        let may_build = access.may_build(&request, ends.client);
        let is_owner = access.is_owner(&request, ends.client);
        request.extensions_mut().insert(forwarded.unwrap_or(ends.client));
        request.extensions_mut().insert(MayBuild(may_build));
        request.extensions_mut().insert(IsOwner(is_owner));
    }
    next.run(request).await
}

/// Lets a request through, or refuses it.
pub(crate) async fn gate(
    State(access): State<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    // Without a connection, as in tests, there is nobody to keep out.
    let Some(Ends { here, .. }) = request.extensions().get().copied() else {
        return next.run(request).await;
    };
    if request.uri().path() == HEALTH {
        return next.run(request).await;
    }
    match access.check(&request, here) {
        Ok(()) => next.run(request).await,
        Err(refused) => for_people(request.headers(), *refused),
    }
}

/// A refusal as a page, for a browser that opens an address.
fn for_people(headers: &HeaderMap, refused: Response) -> Response {
    let page = match refused.status() {
        StatusCode::UNAUTHORIZED => include_str!("refused/token.html"),
        StatusCode::MISDIRECTED_REQUEST => include_str!("refused/host.html"),
        _ => return refused,
    };
    let wanted = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    if !wanted.is_some_and(|kinds| kinds.contains("text/html")) {
        return refused;
    }
    let (mut head, _) = refused.into_parts();
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Response::from_parts(head, page.into())
}

fn refuse(
    status: StatusCode,
    code: &'static str,
    message: impl std::fmt::Display,
) -> Box<Response> {
    Box::new(ApiError::new(status, Refusal::bad(code, message)).into_response())
}

impl Access {
    fn check(&self, request: &Request, here: IpAddr) -> Result<(), Box<Response>> {
        let (uri, headers) = (request.uri(), request.headers());
        let host = host(uri, headers).ok_or_else(|| {
            refuse(StatusCode::BAD_REQUEST, "host", "the request does not say which host it is for")
        })?;
        if !self.is_known(host.host(), here) {
            return Err(refuse(
                StatusCode::MISDIRECTED_REQUEST,
                "host",
                format!(
                    "this server does not answer to '{}': start it with `--host {0}` if it should",
                    host.host()
                ),
            ));
        }
        if is_costly(uri.path()) && !is_own_page(headers, &host) {
            let message = "requests of other sites' pages are refused";
            return Err(refuse(StatusCode::FORBIDDEN, "origin", message));
        }
        match &self.token {
            Some(token) if !knows(token, headers) && !self.is_guest(uri.path(), headers) => {
                Err(self.admit(token, uri))
            }
            _ => Ok(()),
        }
    }

    /// What lets somebody in who was invited to a game, where a token is asked for: it follows from the token, and the
    /// token does not follow from it. Guests are no owners.
    pub fn guest_pass(&self) -> Option<String> {
        let token = self.token.as_ref()?;
        let pass = blake3::derive_key(GUEST_CONTEXT, token.as_bytes());
        Some(pass[..16].iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether a request has the pass of guests, and is for something that they may have.
    fn is_guest(&self, path: &str, headers: &HeaderMap) -> bool {
        let has = |pass: String| cookies(headers, GUEST_COOKIE).any(|given| is_same(given, &pass));
        path != NOT_FOR_GUESTS && self.guest_pass().is_some_and(has)
    }

    /// Whether a request on a connection from this client may have tables built: everybody if the owner says so; else
    /// the owner.
    fn may_build(&self, request: &Request, connected: Client) -> bool {
        self.allow_builds || self.is_owner(request, connected)
    }

    /// Whether a request on a connection from this client is the owner's: those who know the token, where one is asked
    /// for; else those who sit at this machine. What a proxy passes on comes from this machine only by
    /// appearance.
    fn is_owner(&self, request: &Request, connected: Client) -> bool {
        let headers = request.headers();
        if let Some(token) = &self.token {
            return knows(token, headers);
        }
        let passed_on =
            self.behind_proxy || PROXY_HEADERS.iter().any(|&name| headers.contains_key(name));
        let host = host(request.uri(), headers);
        let local = host.is_some_and(|host| is_this_machine(&plain_name(host.host())));
        connected.is_loopback() && local && !passed_on
    }

    /// Whether the server answers to this name.
    fn is_known(&self, name: &str, here: IpAddr) -> bool {
        let name = plain_name(name);
        let is_here = name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical() == here);
        is_here
            || is_this_machine(&name)
            || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(&name))
    }

    /// An address with the right token, or the pass of guests, leaves it in a cookie; anything else is refused. That of a
    /// guest comes along when a link on another site's page is followed, as in a chat; the owner's does not.
    fn admit(&self, token: &str, uri: &Uri) -> Box<Response> {
        let given = |name: &str| {
            let mut pairs = uri.query().into_iter().flat_map(|query| query.split('&'));
            pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
        };
        let pass =
            self.guest_pass().filter(|pass| given("guest").is_some_and(|one| is_same(one, pass)));
        let cookie = if given("token").is_some_and(|given| is_same(given, token)) {
            Some(format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict"))
        } else {
            pass.map(|pass| format!("{GUEST_COOKIE}={pass}; Path=/; HttpOnly; SameSite=Lax"))
        };
        if let Some(cookie) = cookie {
            // A path of its own: `//name` would lead elsewhere.
            let path = format!("/{}", uri.path().trim_start_matches('/'));
            let values = HeaderValue::from_str(&cookie).ok().zip(HeaderValue::from_str(&path).ok());
            if let Some((cookie, path)) = values {
                let headers = [(SET_COOKIE, cookie), (LOCATION, path)];
                return Box::new((StatusCode::SEE_OTHER, headers).into_response());
            }
        }
        let message = "this server asks for a token: open the address that it printed when it started, or send \
             the token as `Authorization: Bearer TOKEN`";
        let mut refused = refuse(StatusCode::UNAUTHORIZED, "token", message);
        refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        refused
    }
}

/// A host's name or address without what is around it.
fn plain_name(name: &str) -> String {
    name.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase()
}

/// Whether a name always means the machine that uses it.
fn is_this_machine(name: &str) -> bool {
    match name.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => name == "localhost" || name.ends_with(".localhost"),
    }
}

/// The host that a request is for; `None` if it says nothing, or more than one thing.
fn host(uri: &Uri, headers: &HeaderMap) -> Option<Authority> {
    if let Some(authority) = uri.authority() {
        return Some(authority.clone());
    }
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next()?.to_str().ok()?.parse().ok()?;
    hosts.next().is_none().then_some(host)
}

/// Whether answering takes more than a lookup in memory.
fn is_costly(path: &str) -> bool {
    let is_static = path == crate::DESCRIPTION || path.starts_with("/api/docs");
    path == "/metrics" || path.starts_with("/api/") && !is_static
}

/// The header that the server's own page sends; a page of another site cannot without asking first, and is refused.
const PAGE_HEADER: &str = "x-mousetrap";

/// Whether a request comes from the server's own page, or from no page at all. Browsers send `Sec-Fetch-Site` only to
/// trustworthy addresses (HTTPS, loopback) and `Origin` not with every request: at the address of a local network a
/// browser that says nothing has to have the header of the page.
fn is_own_page(headers: &HeaderMap, host: &Authority) -> bool {
    let text =
        |value: Option<&HeaderValue>| value.map(|value| value.to_str().unwrap_or("?").to_owned());
    let site = text(headers.get("sec-fetch-site"));
    if !site.as_deref().is_none_or(|site| site == "same-origin" || site == "none") {
        return false;
    }
    if site.is_none()
        && !headers.contains_key(ORIGIN)
        && !headers.contains_key(PAGE_HEADER)
        && text(headers.get(USER_AGENT)).is_some_and(|agent| agent.starts_with("Mozilla/"))
    {
        return false;
    }
    text(headers.get(ORIGIN)).is_none_or(|origin| {
        let origin = origin.parse::<Uri>().ok().and_then(|origin| origin.authority().cloned());
        origin.is_some_and(|origin| origin == *host)
    })
}

/// Whether the headers have the token.
fn knows(token: &str, headers: &HeaderMap) -> bool {
    let texts = |name| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let bearer = texts(AUTHORIZATION).filter_map(|value| value.strip_prefix("Bearer "));
    bearer.chain(cookies(headers, COOKIE_NAME)).any(|given| is_same(given.trim(), token))
}

/// The values of a cookie.
fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = values.flat_map(|value| value.split(';'));
    pairs.filter_map(move |pair| Some(pair.trim().strip_prefix(name)?.strip_prefix('=')?.trim()))
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
fn is_same(one: &str, other: &str) -> bool {
    blake3::hash(one.as_bytes()) == blake3::hash(other.as_bytes())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn ask(access: &Access, path: &str, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        access.check(&request, HERE).map_or_else(|refused| refused.status().as_u16(), |()| 200)
    }

    #[test]
    fn only_known_names_are_answered_to() {
        let access = Access { hosts: vec!["Board.example".to_owned()], ..Access::default() };
        for (host, status) in [
            ("127.0.0.1:8089", 200),
            ("127.8.8.8", 200),
            ("[::1]:8089", 200),
            ("[::ffff:127.0.0.1]", 200),
            ("LOCALHOST:1", 200),
            ("localhost.", 200),
            ("a.localhost", 200),
            ("192.0.2.1", 200),
            ("board.EXAMPLE:443", 200),
            ("192.0.2.2", 421),
            ("evil.example", 421),
            ("localhost.evil.example", 421),
            ("127.0.0.1.evil.example", 421),
            ("xboard.example", 421),
            ("", 400),
            ("two words", 400),
        ] {
            assert_eq!(ask(&access, "/", &[("host", host)]), status, "{host}");
        }
        assert_eq!(ask(&access, "/", &[]), 400);
        assert_eq!(ask(&access, "/", &[("host", "localhost"), ("host", "evil.example")]), 400);
        assert_eq!(ask(&access, "http://evil.example/", &[("host", "localhost")]), 421);
    }

    #[test]
    fn pages_of_other_sites_may_not_spend_anything() {
        let ask = |path: &str, headers: &[(&str, &str)]| {
            let headers = [&[("host", "localhost:8089")], headers].concat();
            super::tests::ask(&Access::default(), path, &headers)
        };
        assert_eq!(ask("/api/moves", &[]), 200, "a program");
        let own = [("origin", "http://localhost:8089"), ("sec-fetch-site", "same-origin")];
        assert_eq!(ask("/api/moves", &own), 200);
        assert_eq!(ask("/api/moves", &[("sec-fetch-site", "none")]), 200, "typed in");
        // At an address that browsers do not trust they tell nothing; their own page does.
        let silent = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64)");
        assert_eq!(ask("/api/moves", &[silent]), 403);
        assert_eq!(ask("/api/moves", &[silent, ("x-mousetrap", "page")]), 200);
        assert_eq!(ask("/", &[silent]), 200);
        assert_eq!(ask("/api/moves", &[("user-agent", "curl/8")]), 200);
        for headers in [
            [("sec-fetch-site", "cross-site")],
            [("sec-fetch-site", "same-site")],
            [("origin", "http://evil.example")],
            [("origin", "http://localhost:9999")],
            [("origin", "null")],
        ] {
            assert_eq!(ask("/api/picture.png", &headers), 403, "{headers:?}");
            assert_eq!(ask("/metrics", &headers), 403, "{headers:?}");
            assert_eq!(ask("/", &headers), 200, "a link to the page");
            assert_eq!(ask("/api/openapi.json", &headers), 200);
        }
    }

    #[test]
    fn a_token_is_asked_for() {
        let access = Access { token: Some("secret".to_owned()), ..Access::default() };
        let ask = |path: &str, header: (&str, &str)| {
            super::tests::ask(&access, path, &[("host", "localhost"), header])
        };
        assert_eq!(ask("/", ("accept", "*/*")), 401);
        assert_eq!(ask("/?token=secret", ("accept", "*/*")), 303);
        assert_eq!(ask("/?token=secrets", ("accept", "*/*")), 401);
        assert_eq!(ask("/api/moves", ("authorization", "Bearer secret")), 200);
        assert_eq!(ask("/api/moves", ("authorization", "secret")), 401);
        assert_eq!(ask("/api/moves", ("cookie", "a=b; mousetrap_token=secret")), 200);
        assert_eq!(ask("/api/moves", ("cookie", "mousetrap_token=")), 401);
        assert_eq!(ask("/api/moves", ("cookie", "xmousetrap_token=secret")), 401);
    }

    #[test]
    fn a_browser_is_refused_with_a_page_and_a_program_with_json() {
        let browser = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/html,*/*"))]);
        for (status, is_page) in [(401, true), (421, true), (403, false), (303, false)] {
            let refused = || *refuse(StatusCode::from_u16(status).unwrap(), "some", "some");
            for (headers, is_page) in [(&browser, is_page), (&HeaderMap::new(), false)] {
                let answer = for_people(headers, refused());
                assert_eq!(answer.status(), status);
                let kind = if is_page { "text/html; charset=utf-8" } else { "application/json" };
                assert_eq!(answer.headers()[CONTENT_TYPE], kind);
            }
        }
    }

    #[test]
    fn guests_come_in_by_their_pass_and_are_no_owners() {
        let access = Access { token: Some("secret".to_owned()), ..Access::default() };
        let pass = access.guest_pass().unwrap();
        assert!(pass.len() == 32 && !pass.contains("secret"));
        let ask = |path: &str, cookie: &str| {
            super::tests::ask(&access, path, &[("host", "localhost"), ("cookie", cookie)])
        };
        let (cookie, wrong) =
            (format!("mousetrap_guest={pass}"), format!("mousetrap_guest={pass}0"));
        assert_eq!(ask(&format!("/?guest={pass}"), ""), 303);
        assert_eq!(ask("/?guest=secret", ""), 401);
        assert_eq!(ask(&format!("/?token={pass}"), ""), 401);
        assert_eq!((ask("/", &cookie), ask("/api/moves", &cookie)), (200, 200));
        assert_eq!((ask("/metrics", &cookie), ask("/", &wrong)), (401, 401));
        assert_eq!(ask("/", &format!("mousetrap_token={pass}")), 401);
        assert_eq!(Access::default().guest_pass(), None);
        let here = Client::of([127, 0, 0, 1].into());
        let owns = |cookie: &str| {
            let request = Request::get("/api/games").header("cookie", cookie);
            let request = request.header("host", "localhost").body(Body::empty()).unwrap();
            (access.is_owner(&request, here), access.may_build(&request, here))
        };
        assert_eq!(owns(&cookie), (false, false));
        assert_eq!(owns("mousetrap_token=secret"), (true, true));
    }

    #[test]
    fn builds_are_for_those_who_sit_here() {
        let here = Client::of([127, 0, 0, 1].into());
        let ask = |access: &Access, connected: Client, headers: &[(&str, &str)]| {
            let mut request = Request::post("/api/tablebase/build");
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            access.may_build(&request.body(Body::empty()).unwrap(), connected)
        };
        let usual = Access::default();
        for host in ["localhost:8089", "127.0.0.1", "[::1]:8089"] {
            assert!(ask(&usual, here, &[("host", host)]), "{host}");
            assert!(ask(&usual, Client::of("::1".parse().unwrap()), &[("host", host)]), "{host}");
            assert!(!ask(&usual, Client::of([192, 0, 2, 7].into()), &[("host", host)]), "{host}");
        }
        // A proxy that the server was not told of.
        assert!(!ask(&usual, here, &[("host", "board.example")]));
        for name in PROXY_HEADERS {
            assert!(!ask(&usual, here, &[("host", "localhost"), (name, "192.0.2.7")]), "{name}");
        }
        let local = [("host", "localhost")];
        let proxied = Access { behind_proxy: true, ..Access::default() };
        assert!(!ask(&proxied, here, &local));
        let secret = Access { token: Some("secret".to_owned()), ..proxied.clone() };
        assert!(!ask(&secret, here, &local), "not without the token");
        let known = [("host", "localhost"), ("authorization", "Bearer secret")];
        assert!(ask(&secret, here, &known));
        let generous = Access { allow_builds: true, ..proxied };
        assert!(ask(&generous, Client::of([192, 0, 2, 7].into()), &[]));
        // Games stay the owner's.
        let request = Request::get("/api/games").body(Body::empty()).unwrap();
        assert!(!generous.is_owner(&request, Client::of([192, 0, 2, 7].into())));
    }
}
