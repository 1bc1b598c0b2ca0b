//! What the server answers besides DynamoDB's operations: is it alive, is it ready, how is it doing.

use std::net::SocketAddr;

use crate::dispatch::Outcome;
use crate::metrics::write_metrics;
use crate::worker::Worker;

const TEXT: &str = "text/plain; charset=utf-8";
const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Answers a GET.
pub(crate) fn answer(
    worker: &Worker,
    path: &[u8],
    peer: SocketAddr,
    body: &mut Vec<u8>,
) -> Outcome {
    match path {
        // What AWS's own endpoints say.
        b"/" => text(body, 200, "healthy: dynamodb.us-east-1.amazonaws.com "),
        b"/health" => text(body, 200, "ok\n"),
        b"/ready" => ready(worker, body),
        b"/metrics" => metrics(worker, peer, body),
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
fn metrics(worker: &Worker, peer: SocketAddr, body: &mut Vec<u8>) -> Outcome {
    if !peer.ip().is_loopback() {
        return text(body, 403, "metrics are for this machine only\n");
    }
    body.extend_from_slice(write_metrics(&worker.shared().metrics).as_bytes());
    Outcome { status: 200, content_type: PROMETHEUS, is_aws: false }
}

/// No such door, in AWS's words.
pub(crate) fn unknown(body: &mut Vec<u8>) -> Outcome {
    text(body, 404, "<UnknownOperationException/>\n")
}

fn text(body: &mut Vec<u8>, status: u16, text: &str) -> Outcome {
    body.extend_from_slice(text.as_bytes());
    Outcome { status, content_type: TEXT, is_aws: false }
}
