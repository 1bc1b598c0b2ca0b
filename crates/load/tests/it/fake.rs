//! A server that speaks just enough HTTP to be measured. Each connection has a thread.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// How responses end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    Length,
    Chunked,
    /// With `Connection: close`, and the connection is closed.
    Close,
    /// Without a length, up to the end of the connection.
    UntilClose,
    /// The connection is closed without a word of it after a `GetItem`.
    SilentClose,
}

impl Framing {
    pub(crate) const ALL: [Self; 5] =
        [Self::Length, Self::Chunked, Self::Close, Self::UntilClose, Self::SilentClose];
}

/// The response of the server: a status and a body.
pub(crate) type FakeResponse = (u16, String);
type Handler = dyn Fn(&str, &Value) -> FakeResponse + Send + Sync;

pub(crate) struct Fake {
    pub(crate) url: String,
    /// The operations that were called, in their order.
    pub(crate) calls: Arc<Mutex<Vec<String>>>,
}

impl Fake {
    /// Starts a server. Its threads end with the process.
    pub(crate) fn start(
        framing: Framing,
        handler: impl Fn(&str, &Value) -> FakeResponse + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let calls = Arc::new(Mutex::new(Vec::new()));
        let handler: Arc<Handler> = Arc::new(handler);
        let seen = Arc::clone(&calls);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (handler, seen) = (Arc::clone(&handler), Arc::clone(&seen));
                // A client that disconnects early is not an error of the server.
                thread::spawn(move || serve(stream.unwrap(), framing, &*handler, &seen));
            }
        });
        Self { url, calls }
    }

    pub(crate) fn calls_of(&self, operation: &str) -> usize {
        let calls = self.calls.lock().unwrap();
        calls.iter().filter(|call| *call == operation).count()
    }
}

/// Answers as a good server would; the table exists from the first `CreateTable` to `DeleteTable`.
pub(crate) fn well_behaved() -> impl Fn(&str, &Value) -> FakeResponse + Send + Sync + 'static {
    let exists = Mutex::new(false);
    move |operation, request| {
        let mut exists = exists.lock().unwrap();
        match operation {
            "CreateTable" => *exists = true,
            "DeleteTable" => *exists = false,
            "DescribeTable" if !*exists => {
                return exception("ResourceNotFoundException", "Requested resource not found");
            }
            _ => {}
        }
        (200, success(operation, request).to_string())
    }
}

fn success(operation: &str, request: &Value) -> Value {
    let item = json!({"notes": {"S": "x"}});
    match operation {
        "CreateTable" => json!({"TableDescription": {"TableStatus": "CREATING"}}),
        "DescribeTable" => json!({"Table": {"TableStatus": "ACTIVE"}}),
        "GetItem" => json!({"Item": item}),
        "Query" => json!({"Items": vec![item; request["Limit"].as_u64().unwrap() as usize]}),
        "BatchWriteItem" => json!({"UnprocessedItems": {}}),
        _ => json!({}),
    }
}

pub(crate) fn exception(code: &str, message: &str) -> FakeResponse {
    let shape = format!("com.amazonaws.dynamodb.v20120810#{code}");
    (400, json!({"__type": shape, "message": message}).to_string())
}

fn serve(
    stream: TcpStream,
    framing: Framing,
    handler: &Handler,
    seen: &Mutex<Vec<String>>,
) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut out = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let (operation, request) = read_request(&mut reader)?;
        seen.lock().unwrap().push(operation.clone());
        let (status, body) = handler(&operation, &request);
        let bytes = body.len();
        let response = match framing {
            Framing::Length | Framing::SilentClose => {
                format!("HTTP/1.1 {status} X\r\nContent-Length: {bytes}\r\n\r\n{body}")
            }
            Framing::Chunked => format!(
                "HTTP/1.1 {status} X\r\nTransfer-Encoding: chunked\r\n\r\n\
                 1\r\n{}\r\n{:x}\r\n{}\r\n0\r\n\r\n",
                &body[..1],
                bytes - 1,
                &body[1..]
            ),
            Framing::Close => format!(
                "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {bytes}\r\n\r\n{body}"
            ),
            Framing::UntilClose => format!("HTTP/1.1 {status} X\r\n\r\n{body}"),
        };
        out.write_all(response.as_bytes()).ok()?;
        let closes = match framing {
            Framing::Length | Framing::Chunked => false,
            Framing::Close | Framing::UntilClose => true,
            Framing::SilentClose => operation == "GetItem",
        };
        if closes {
            return None;
        }
    }
}

/// Returns the operation and the body of the next request, unless the connection has ended.
fn read_request(reader: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let (mut operation, mut body_bytes) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("x-amz-target", target)) => {
                operation = target.rsplit('.').next().unwrap_or_default().to_owned();
            }
            Some(("content-length", length)) => body_bytes = length.parse().unwrap(),
            Some(_) => {}
            None if line == "\r\n" => break,
            None => {}
        }
    }
    let mut body = vec![0; body_bytes];
    reader.read_exact(&mut body).ok()?;
    Some((operation, serde_json::from_slice(&body).unwrap()))
}
