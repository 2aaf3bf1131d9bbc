//! `/api/docs`: the OpenAPI description for people, shown by Swagger UI, which is embedded in the binary.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::Response;
use axum::{middleware, response::IntoResponse};
use utoipa_swagger_ui::{Config, SwaggerUi};

/// The policy of all pages, but the viewer styles its elements one by one and has pictures in its style sheets.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The viewer of the description at this address.
pub fn router(description: &'static str) -> Router {
    let config = Config::from(description).use_base_layout().try_it_out_enabled(true);
    let viewer: Router = SwaggerUi::new("/api/docs").config(config).into();
    viewer.layer(middleware::map_response(with_policy))
}

async fn with_policy(response: Response) -> impl IntoResponse {
    ([(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY))], response)
}
