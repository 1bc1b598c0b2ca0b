//! Requests to services, and streams of events.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// Far beyond what anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug)]
pub(super) enum Method {
    Get,
    Post,
    Delete,
}

/// A response.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    head: String,
    pub(super) body: String,
}

impl Response {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        let mut found = lines.filter(|(known, _)| known.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim())
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Sends a request of a person; `None` if there is no response to it.
pub(super) fn send(
    url: &str,
    method: Method,
    path: &str,
    person: &str,
    body: Option<&Value>,
) -> Option<Response> {
    send_once(url, method, path, person, body, "")
}

/// The same with more headers.
pub(super) fn send_once(
    url: &str,
    method: Method,
    path: &str,
    person: &str,
    body: Option<&Value>,
    headers: &str,
) -> Option<Response> {
    let mut stream = open(url, method, path, person, body, headers).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Response { status, head: head.to_owned(), body: body.to_owned() })
}

fn open(
    url: &str,
    method: Method,
    path: &str,
    person: &str,
    body: Option<&Value>,
    headers: &str,
) -> std::io::Result<TcpStream> {
    let method = match method {
        Method::Get => "GET",
        Method::Post => "POST",
        Method::Delete => "DELETE",
    };
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap())?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nX-User-Id: {person}\r\nX-User-Email: {person}@example.org\r\n{headers}\
         Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes())?;
    Ok(stream)
}

/// A stream of events that is being read.
pub(super) struct Events(BufReader<TcpStream>);

impl Events {
    pub(super) fn follow(url: &str, path: &str, person: &str) -> Self {
        Self(BufReader::new(open(url, Method::Get, path, person, None, "").unwrap()))
    }

    /// The data of the next event.
    pub(super) fn next(&mut self) -> Value {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the stream has ended");
            if let Some(data) = line.strip_prefix("data: ") {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}
