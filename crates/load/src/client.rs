//! A blocking client for single requests: it prepares what is measured, and tests may use it.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::request::RequestWriter;
use crate::response::{Extent, KeepBody, Malformed, ResponseReader};
use crate::transport::Transport;
use crate::{Credentials, Endpoint, Error, Result};

/// How long a single request may take. AWS creates a table with indexes in less.
const ANSWER_SECONDS_MAX: u64 = 30;
const BUFFER_BYTES: usize = 16 << 10;
/// How the names of operations that change nothing begin.
const READS: [&str; 7] = ["BatchGet", "Describe", "Get", "List", "Query", "Scan", "TransactGet"];

/// A client of one endpoint. It keeps its connection.
pub struct Client {
    endpoint: Endpoint,
    credentials: Credentials,
    stream: Option<Transport<TcpStream>>,
}

/// How an attempt to send a request ended, if not with a response.
enum Failure {
    /// The connection was closed before the first byte of a response, as an idle connection may be.
    /// Whether the request was executed is unknown.
    Unanswered(String),
    Final(Error),
}

impl Client {
    /// Returns a client; it connects with the first request.
    pub fn new(endpoint: Endpoint, credentials: Credentials) -> Self {
        Self { endpoint, credentials, stream: None }
    }

    /// Sends one request, an operation by DynamoDB's name, and returns the status and the body.
    ///
    /// A read whose connection is lost is sent once more. A write is not: it may have been done, so
    /// that an error leaves its outcome unknown.
    pub fn call(&mut self, operation: &str, body: &str) -> Result<(u16, String)> {
        let mut request = Vec::new();
        RequestWriter::new(&self.endpoint, &self.credentials, operation)
            .write(|out| out.extend_from_slice(body.as_bytes()), &mut request);
        if let Some(stream) = self.stream.take().filter(is_open) {
            match self.exchange(stream, &request) {
                Err(Failure::Unanswered(_)) if is_read(operation) => {}
                result => return self.settle(result),
            }
        }
        let stream = self.endpoint.connect()?;
        let result = self.exchange(stream, &request);
        self.settle(result)
    }

    fn settle(&self, result: std::result::Result<(u16, String), Failure>) -> Result<(u16, String)> {
        result.map_err(|failure| match failure {
            Failure::Unanswered(reason) => Error::Lost(reason),
            Failure::Final(error) => error,
        })
    }

    fn exchange(
        &mut self,
        mut stream: Transport<TcpStream>,
        request: &[u8],
    ) -> std::result::Result<(u16, String), Failure> {
        let unanswered = |error: std::io::Error| Failure::Unanswered(error.to_string());
        stream
            .socket()
            .set_read_timeout(Some(Duration::from_secs(ANSWER_SECONDS_MAX)))
            .map_err(unanswered)?;
        stream.write_all(request).map_err(unanswered)?;
        let mut reader = ResponseReader::new(KeepBody::Always);
        let mut buffer = [0; BUFFER_BYTES];
        loop {
            let extent = match stream.read(&mut buffer) {
                Ok(0) if reader.is_unstarted() => {
                    return Err(Failure::Unanswered("it closed the connection".to_owned()));
                }
                Ok(0) => reader.push_close(),
                Ok(bytes) => reader.push(&buffer[..bytes]),
                Err(error) => return Err(self.read_failure(error)),
            };
            match extent {
                Ok(Extent::Partial) => {}
                Ok(Extent::Complete) => break,
                Err(Malformed(reason)) => return Err(self.not_dynamodb(reason)),
            }
        }
        if !reader.closes() {
            self.stream = Some(stream);
        }
        match String::from_utf8(reader.body().to_vec()) {
            Ok(body) => Ok((reader.status(), body)),
            Err(_) => Err(self.not_dynamodb("the body of its response is not text".to_owned())),
        }
    }

    fn read_failure(&self, error: std::io::Error) -> Failure {
        match error.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => {
                let reason = format!("no response within {ANSWER_SECONDS_MAX} s");
                Failure::Final(Error::Lost(reason))
            }
            _ => Failure::Unanswered(error.to_string()),
        }
    }

    fn not_dynamodb(&self, reason: String) -> Failure {
        Failure::Final(Error::NotDynamoDb { endpoint: self.endpoint.to_string(), reason })
    }

    /// Returns the endpoint.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }
}

/// Returns whether the server has neither closed a kept connection nor sent unexpected bytes.
fn is_open(stream: &Transport<TcpStream>) -> bool {
    let stream = stream.socket();
    let is_silent = || match stream.peek(&mut [0]) {
        Ok(_) => false,
        Err(error) => error.kind() == ErrorKind::WouldBlock,
    };
    stream.set_nonblocking(true).is_ok() && is_silent() && stream.set_nonblocking(false).is_ok()
}

fn is_read(operation: &str) -> bool {
    READS.iter().any(|beginning| operation.starts_with(beginning))
}
