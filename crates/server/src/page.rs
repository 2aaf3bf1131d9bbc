//! The page itself, embedded in the binary, and the description of the interface for people.

use std::fmt::Write;
use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::Embed;
use utoipa::openapi::OpenApi;

use crate::error::ApiError;

/// What `web/` was built into.
#[derive(Embed)]
#[folder = "dist"]
struct Assets;

/// `/`
pub async fn index(headers: HeaderMap) -> Response {
    asset("index.html", &headers)
}

/// `/amazons`
pub async fn amazons(headers: HeaderMap) -> Response {
    asset("amazons.html", &headers)
}

/// Any other file of the page.
pub async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response {
    asset(&path, &headers)
}

fn asset(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Assets::get(path) else {
        return ApiError::missing("not-found", format!("there is no /{path}")).into_response();
    };
    let hash = file.metadata.sha256_hash();
    let tag =
        hash[..12].iter().fold("\"".to_owned(), |tag, byte| format!("{tag}{byte:02x}")) + "\"";
    let caching = [(ETAG, tag.clone()), (CACHE_CONTROL, "no-cache".to_owned())];
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    };
    (caching, [(CONTENT_TYPE, kind)], file.data.into_owned()).into_response()
}

/// The interface in words, made from its OpenAPI description once.
pub fn docs(api: &OpenApi) -> String {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| {
        let value = serde_json::to_value(api).unwrap_or_default();
        describe(&value)
    })
    .clone()
}

/// Renders what we use of OpenAPI: tags, operations, parameters, bodies and answers.
fn describe(api: &serde_json::Value) -> String {
    let mut html = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Mousetrap: interface</title>\n\
         <link rel=\"icon\" href=\"/icon.svg\"><link rel=\"stylesheet\" href=\"/docs.css\">\n<main>\n\
         <h1>Mousetrap’s interface</h1>\n",
    );
    let text = |value: &serde_json::Value| escape(value.as_str().unwrap_or(""));
    let _ = writeln!(
        html,
        "<p>{}</p>\n<p>For programs: <a href=\"/api/openapi.json\">openapi.json</a>.</p>",
        text(&api["info"]["description"])
    );
    let empty = serde_json::Map::new();
    for (path, operations) in api["paths"].as_object().unwrap_or(&empty) {
        for (method, operation) in operations.as_object().unwrap_or(&empty) {
            let (method, path) = (method.to_uppercase(), escape(path));
            let _ = writeln!(
                html,
                "<section><h2><code>{method} {path}</code> {}</h2>\n<p>{}</p>",
                text(&operation["summary"]),
                text(&operation["description"])
            );
            if let Some(parameters) = operation["parameters"].as_array() {
                html.push_str("<dl>");
                for parameter in parameters {
                    let needed = if parameter["required"] == true { " (needed)" } else { "" };
                    let _ = writeln!(
                        html,
                        "<dt><code>{}</code>{needed}</dt><dd>{}</dd>",
                        text(&parameter["name"]),
                        text(&parameter["description"])
                    );
                }
                html.push_str("</dl>\n");
            }
            let body = schema_name(&operation["requestBody"]);
            if !body.is_empty() {
                let _ = writeln!(html, "<p>Body: {}</p>", link(&body));
            }
            html.push_str("<p>Answers:");
            for (status, answer) in operation["responses"].as_object().unwrap_or(&empty) {
                let _ = write!(html, " <b>{}</b> {}", escape(status), link(&schema_name(answer)));
            }
            html.push_str("</p></section>\n");
        }
    }
    html.push_str("<h2>Objects</h2>\n");
    for (name, schema) in api["components"]["schemas"].as_object().unwrap_or(&empty) {
        let _ = writeln!(
            html,
            "<section id=\"{0}\"><h3><code>{0}</code></h3><p>{1}</p><dl>",
            escape(name),
            text(&schema["description"])
        );
        for (key, property) in schema["properties"].as_object().unwrap_or(&empty) {
            let _ = writeln!(
                html,
                "<dt><code>{}</code></dt><dd>{}</dd>",
                escape(key),
                text(&property["description"])
            );
        }
        html.push_str("</dl></section>\n");
    }
    html.push_str("</main>\n</html>\n");
    html
}

/// The name of the object that a body or answer holds.
fn schema_name(holder: &serde_json::Value) -> String {
    let content = holder["content"].as_object().and_then(|content| content.iter().next());
    let Some((kind, content)) = content else { return String::new() };
    let reference = content["schema"]["$ref"].as_str();
    reference.and_then(|name| name.rsplit('/').next()).unwrap_or(kind).to_owned()
}

fn link(name: &str) -> String {
    let name = escape(name);
    if name.is_empty() || name.contains('/') {
        name
    } else {
        format!("<a href=\"#{name}\"><code>{name}</code></a>")
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
