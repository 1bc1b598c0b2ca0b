//! Single requests to a server, for what `monotable bench` has no command for.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context as _, Result};

/// How long a server may take to answer.
const ANSWER_SECONDS_MAX: u64 = 60;

/// Sends one request, an operation by DynamoDB's name, to `host:port` and returns the response,
/// head and all.
pub(crate) fn post(address: &str, operation: &str, body: &str) -> Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(ANSWER_SECONDS_MAX)))?;
    let length = body.len();
    let day = "20260101/us-east-1/dynamodb/aws4_request";
    // A server that wants a signature sees one; who checks it is not measured here.
    write!(
        stream,
        "POST / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/x-amz-json-1.0\r\nx-amz-target: DynamoDB_20120810.{operation}\r\n\
         x-amz-date: 20260101T000000Z\r\nauthorization: AWS4-HMAC-SHA256 Credential=XTASK/{day}, \
         SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature={:064}\r\n\
         content-length: {length}\r\n\r\n{body}",
        0
    )?;
    let mut response = String::new();
    stream.read_to_string(&mut response).context("the response broke off")?;
    Ok(response)
}
