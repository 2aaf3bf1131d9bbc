//! Mousetrap in a browser: the questions of the HTTP interface, answered without a server.
//!
//! A [`Desk`] is given the path, the query and the body of a request and gives the status and the body that `mousetrap
//! serve` would give: both are thin over [`answers`]. A page therefore asks one or the other and cannot tell which it
//! was. `conformance` is what a browser is compared with the native program by.
//!
//! As a module, for targets `wasm32-wasip1` and `wasm32-wasip1-threads`, the functions that a page calls are in
//! `module`. WASI gives the standard library its clock and, where memory is shared, its threads; a page of
//! TypeScript (`web/src/local/wasi.ts`) is all the system there is.

#[cfg(not(feature = "full"))]
mod clerk;
#[cfg(feature = "full")]
pub mod conformance;
#[cfg(feature = "full")]
mod desk;
mod files;
#[cfg(feature = "full")]
mod games;
#[cfg(target_family = "wasm")]
pub mod module;
mod question;
#[cfg(feature = "full")]
mod site;

#[cfg(not(feature = "full"))]
pub use clerk::Desk;
#[cfg(feature = "full")]
pub use desk::Desk;
pub use files::Files;
pub use question::{Question, Reply};
