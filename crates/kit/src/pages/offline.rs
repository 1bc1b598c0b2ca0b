//! What the browser shows without a network: the page that replaces all others, and the service
//! worker that shows it.

use askama::Template;
use http::HeaderValue;
use http::header::CACHE_CONTROL;

use super::assets::{self, Asset};
use super::html::reply;
use super::layout::Frame;
use crate::reply::Reply;
use crate::route::ServiceName;

/// The page without a network.
#[derive(Template)]
#[template(path = "offline.html")]
struct OfflinePage {
    frame: Frame,
}

/// Returns the page that replaces all others. It is the same for everyone.
pub(crate) fn page(service: ServiceName) -> Reply {
    let page = OfflinePage { frame: Frame::new(service).script(Asset::OutboxScript) };
    match page.render() {
        Ok(text) => reply(200, text),
        Err(error) => unreachable!("texts are put into a frame: {error}"),
    }
}

/// Returns the service worker, which contains the list of files that pages need.
pub(crate) fn worker(service: ServiceName) -> Reply {
    let frame = Frame::new(service);
    let offline = format!("/{}/offline", service.name);
    let files = assets::ALL.iter().map(|asset| frame.asset(asset));
    let files: Vec<String> = [offline].into_iter().chain(files).collect();
    let files = serde_json::json!(files).to_string();
    let text = include_str!("../../assets/worker.js").replace("\"FILES\"", &files);
    // Browsers compare it with their copy whenever a page registers it.
    Reply::text("text/javascript; charset=utf-8", text)
        .header(CACHE_CONTROL, HeaderValue::from_static("no-cache"))
}
