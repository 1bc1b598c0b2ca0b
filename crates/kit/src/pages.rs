//! Pages for people: rendered on the server, with one layout, one stylesheet and small scripts of
//! our own.
//!
//! A page is an operation that returns [`Html`]. Pages work without scripts, load nothing from another origin,
//! and have a Content-Security-Policy without exceptions. They call the operations of their service, so they
//! never show more than the API would.

pub(crate) mod assets;
pub(crate) mod docs;
mod form;
pub(crate) mod html;
mod kept;
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
pub use kept::{KeptPage, KeptPages};
pub use layout::{HTML, POLICY};
pub use qr::QrCode;

use self::assets::Asset;
use crate::http::respond;

/// Returns what the heads of all pages have in common, for files of the page layer at this path.
pub fn head(folder: &str) -> String {
    let (icon, style) = (Asset::Icon.file_name(), Asset::Style.file_name());
    format!(
        "<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"{folder}{icon}\">\n\
         <link rel=\"stylesheet\" href=\"{folder}{style}\">"
    )
}

/// Returns the response with a file of the page layer, which browsers may cache forever.
pub fn asset(file_name: &str) -> Option<Response> {
    let reply = assets::file(file_name).ok()?;
    Some(respond::reply(reply, &Method::GET, &HeaderMap::new()))
}
