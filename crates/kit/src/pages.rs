//! What services show to people: pages that are rendered on the server, with one layout, one stylesheet and
//! small scripts of our own.
//!
//! A page is an operation that returns [`Html`]. Pages work without scripts, load nothing from another origin,
//! and have a Content-Security-Policy without exceptions. They call the operations of their service, so they
//! never show more than the API would.

pub(crate) mod assets;
pub(crate) mod docs;
mod html;
mod layout;
mod marked;
pub(crate) mod problem;

pub use html::Html;
pub(crate) use layout::{HTML, POLICY};
