//! What services show to people: pages that are rendered on the server, with one layout, one stylesheet and
//! small scripts of our own.
//!
//! A page is an operation that returns [`Html`]. Pages work without scripts, load nothing from another origin,
//! and have a Content-Security-Policy without exceptions. They call the operations of their service, so they
//! never show more than the API would.

pub(crate) mod assets;
pub(crate) mod docs;
mod form;
mod html;
pub(crate) mod layout;
mod marked;
pub(crate) mod offline;
pub(crate) mod problem;
mod qr;

use axum::response::Response;
use http::{HeaderMap, Method};

pub use form::Form;
pub(crate) use form::refused;
pub use html::Html;
pub use layout::{HTML, POLICY};
pub use qr::QrCode;

use self::assets::Asset;
use crate::http::respond;

/// Returns the file name of the stylesheet of all pages. It changes with the stylesheet.
pub fn style_file_name() -> &'static str {
    Asset::Style.file_name()
}

/// Returns the response with a file of the page layer, which browsers keep for good.
pub fn asset(file_name: &str) -> Option<Response> {
    let reply = assets::file(file_name).ok()?;
    Some(respond::reply(reply, &Method::GET, &HeaderMap::new()))
}
