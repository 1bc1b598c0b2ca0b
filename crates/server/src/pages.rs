//! What the server answers besides DynamoDB's operations: is it alive, is it ready, how is it doing.

use std::net::SocketAddr;

use crate::dispatch::{Incoming, Outcome};
use crate::metrics;
use crate::worker::Worker;

const TEXT: &str = "text/plain; charset=utf-8";
const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Answers a GET.
pub(crate) fn answer(
    worker: &Worker,
    path: &[u8],
    incoming: Incoming<'_>,
    body: &mut Vec<u8>,
) -> Outcome {
    match path {
        // What AWS's own endpoints say.
        b"/" => text(body, 200, "healthy: dynamodb.us-east-1.amazonaws.com "),
        b"/health" => text(body, 200, "ok\n"),
        b"/ready" => ready(worker, body),
        b"/metrics" => figures(worker, incoming, body),
        _ => unknown(body),
    }
}

/// Whether requests would be answered: a server that is stopping or whose storage failed says no.
fn ready(worker: &Worker, body: &mut Vec<u8>) -> Outcome {
    if worker.is_stopping() {
        return text(body, 503, "stopping\n");
    }
    match worker.shared().database.accepts_writes() {
        Ok(()) => text(body, 200, "ready\n"),
        Err(_) => text(body, 503, "not ready: the storage failed; restart the server\n"),
    }
}

/// The figures name tables and keys, so that a server for others shows them only to its own machine.
fn figures(worker: &Worker, incoming: Incoming<'_>, body: &mut Vec<u8>) -> Outcome {
    // What a proxy on this machine passes on comes from elsewhere.
    if !is_this_machine(incoming.peer) || incoming.head.is_forwarded {
        return text(body, 403, "metrics are for this machine only\n");
    }
    let shared = worker.shared();
    let page = metrics::page(&shared.metrics, &shared.database.statistics());
    body.extend_from_slice(page.as_bytes());
    Outcome { status: 200, content_type: PROMETHEUS, is_aws: false }
}

/// A socket for both versions of IP tells addresses of the old one in the form of the new one.
fn is_this_machine(peer: SocketAddr) -> bool {
    peer.ip().to_canonical().is_loopback()
}

/// Web pages of others have no business here.
pub(crate) fn foreign(body: &mut Vec<u8>) -> Outcome {
    text(body, 403, "requests from web pages are not answered\n")
}

/// No such door, in AWS's words.
pub(crate) fn unknown(body: &mut Vec<u8>) -> Outcome {
    text(body, 404, "<UnknownOperationException/>\n")
}

fn text(body: &mut Vec<u8>, status: u16, text: &str) -> Outcome {
    body.extend_from_slice(text.as_bytes());
    Outcome { status, content_type: TEXT, is_aws: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_loopback_is_this_machine() {
        for (peer, expected) in [
            ("127.0.0.1:1", true),
            ("127.200.0.9:1", true),
            ("[::1]:1", true),
            ("[::ffff:127.0.0.1]:1", true),
            ("10.0.0.1:1", false),
            ("0.0.0.0:1", false),
            ("[::]:1", false),
            ("[::ffff:10.0.0.1]:1", false),
            ("[fe80::1]:1", false),
            ("[::7f00:1]:1", false),
        ] {
            assert_eq!(is_this_machine(peer.parse().unwrap()), expected, "{peer}");
        }
    }
}
