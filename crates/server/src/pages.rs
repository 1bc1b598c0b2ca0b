//! The server's own pages: liveness, readiness, metrics.

use monotable_metrics::CONTENT_TYPE;

use crate::access::Closed;
use crate::dispatch::Outcome;
use crate::worker::Worker;

const TEXT: &str = "text/plain; charset=utf-8";
const NOT_LOCAL: &str = r#"{"__type":"com.amazon.coral.service#AccessDeniedException","message":"Without credentials this server answers only requests to localhost that no proxy has forwarded. Start it with --credentials FILE, or with --allow-anonymous to answer everyone."}"#;

/// Responds to a GET.
pub(crate) fn answer(worker: &Worker, path: &[u8], body: &mut Vec<u8>) -> Outcome {
    match path {
        // The text of AWS's own endpoints.
        b"/" => text(body, 200, "healthy: dynamodb.us-east-1.amazonaws.com "),
        b"/health" => text(body, 200, "ok\n"),
        b"/ready" => ready(worker, body),
        b"/metrics" => figures(worker, body),
        _ => unknown(body),
    }
}

/// Returns whether requests would be served: not while the server is stopping or after its storage
/// failed.
fn ready(worker: &Worker, body: &mut Vec<u8>) -> Outcome {
    if worker.is_stopping() {
        return text(body, 503, "stopping\n");
    }
    let database = worker.shared().storage.as_ref().map(|it| &it.database);
    if database.is_some_and(|it| it.accepts_writes().is_err()) {
        return text(body, 503, "not ready: the storage failed; restart the server\n");
    }
    let outcome = text(body, 200, "ready\n");
    // Rows in other files can still be read and written.
    let damaged = database.map_or(0, |it| it.scrubbed().damage.len());
    if damaged > 0 {
        body.extend_from_slice(format!("damaged table files: {damaged}\n").as_bytes());
    }
    if let Some(site) = &worker.shared().site {
        body.extend_from_slice(site.readiness().as_bytes());
    }
    outcome
}

fn figures(worker: &Worker, body: &mut Vec<u8>) -> Outcome {
    body.extend_from_slice(worker.shared().metrics_page().finish().as_bytes());
    Outcome { status: 200, content_type: CONTENT_TYPE, is_aws: false }
}

/// Responds to a request that is refused.
pub(crate) fn closed(closed: Closed, body: &mut Vec<u8>) -> Outcome {
    match closed {
        Closed::Absent => text(body, 404, "not found\n"),
        Closed::WebPage => text(body, 403, "requests from web pages are not answered\n"),
        Closed::Metrics => text(
            body,
            403,
            "metrics are for this machine only; open an address for them with --metrics-listen\n",
        ),
        Closed::SiteNotLocal => text(
            body,
            403,
            "with --development-identity the services answer only requests to localhost that no \
             proxy has forwarded; start the server without it, and send tokens\n",
        ),
        // In the form that SDKs show to their users.
        Closed::NotLocal => {
            body.extend_from_slice(NOT_LOCAL.as_bytes());
            Outcome { status: 403, content_type: "application/json", is_aws: false }
        }
    }
}

/// Responds that there is no such path, in AWS's words.
pub(crate) fn unknown(body: &mut Vec<u8>) -> Outcome {
    text(body, 404, "<UnknownOperationException/>\n")
}

fn text(body: &mut Vec<u8>, status: u16, text: &str) -> Outcome {
    body.extend_from_slice(text.as_bytes());
    Outcome { status, content_type: TEXT, is_aws: false }
}
