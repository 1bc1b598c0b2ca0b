//! A site beside DynamoDB's door: what it gets, and what becomes of what it says.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use monotable_engine::Database;
use monotable_server::{Site, SiteBody, SiteReply, Upload};
use tokio::sync::mpsc;

use crate::fixture::{GET_THERE, THERE, World, config, request};

/// Says what it was asked, or streams what the test sends.
struct Echo {
    streams: std::sync::Mutex<Vec<mpsc::Receiver<&'static str>>>,
}

impl Site for Echo {
    fn owns(&self, path: &str) -> bool {
        path.starts_with("/echo")
    }

    fn body_bytes_max(&self, path: &str) -> usize {
        if path == "/echo/small" { 4 } else { usize::MAX }
    }

    fn call(&self, request: Request<Upload>) -> SiteReply {
        let stream = (request.uri().path() == "/echo/stream")
            .then(|| self.streams.lock().unwrap().pop().unwrap());
        Box::pin(async move {
            let status = if request.uri().path() == "/echo/none" { 204 } else { 201 };
            let body: SiteBody = match stream {
                Some(receiver) => Box::pin(Streamed(receiver)),
                None => Box::pin(Whole(Some(told(&request)))),
            };
            Response::builder()
                .status(status)
                .header("x-site", "yes")
                .header("content-length", "99999")
                .body(body)
                .unwrap()
        })
    }
}

fn told(request: &Request<Upload>) -> Bytes {
    let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap());
    if request.uri().path() == "/echo/peer" {
        return Bytes::from(request.extensions().get::<SocketAddr>().unwrap().to_string());
    }
    let Upload::Whole(body) = request.body() else {
        return Bytes::from_static(b"that is too much");
    };
    let text = format!(
        "{} {} origin={:?} body={:?}",
        request.method(),
        request.uri(),
        header("origin"),
        std::str::from_utf8(body).unwrap()
    );
    Bytes::from(text)
}

struct Whole(Option<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().map(|data| Ok(Frame::data(data))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, |data| data.len() as u64))
    }
}

struct Streamed(mpsc::Receiver<&'static str>);

impl Body for Streamed {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0
            .poll_recv(context)
            .map(|data| Some(Ok(Frame::data(Bytes::from_static(data?.as_bytes())))))
    }
}

fn world() -> World {
    world_with(Vec::new())
}

fn world_with(streams: Vec<mpsc::Receiver<&'static str>>) -> World {
    let site = Echo { streams: std::sync::Mutex::new(streams) };
    World::with_site(config(), Database::memory(), Some(site))
}

#[test]
fn the_site_gets_its_paths_and_dynamodb_the_rest() {
    let world = world();
    let mut client = world.connect();
    client.send(
        "PUT /echo/a?b=c HTTP/1.1\r\nHost: x\r\nOrigin: http://page\r\nContent-Length: 2\r\n\r\nhi",
    );
    let answer = client.receive();
    assert_eq!(answer.status, 201);
    assert_eq!(answer.text(), r#"PUT /echo/a?b=c origin=Some("http://page") body="hi""#);
    assert_eq!(answer.header("x-site"), Some("yes"));
    // The same connection goes on at the other door.
    client.send(request("GetItem", GET_THERE));
    assert_eq!(client.receive().text(), THERE);
    client.send("GET /ech HTTP/1.1\r\n\r\n");
    assert_eq!(client.receive().status, 404);
}

#[test]
fn the_site_tells_clients_that_a_body_is_too_large() {
    let world = world();
    let small = |length: &str| format!("POST /echo/small HTTP/1.1\r\n{length}\r\n\r\n");
    let mut client = world.connect();
    client.send(small("Content-Length: 4") + "four");
    assert!(client.receive().text().ends_with("body=\"four\""));
    client.send(small("Transfer-Encoding: chunked") + "2\r\nfo\r\n2\r\nur\r\n0\r\n\r\n");
    assert!(client.receive().text().ends_with("body=\"four\""));
    // Nobody who waits to be asked for it is, and nobody need send it to its end.
    for (length, body) in [
        ("Content-Length: 5", "fiver"),
        ("Content-Length: 99999999999", ""),
        ("Expect: 100-continue\r\nContent-Length: 5", ""),
        ("Transfer-Encoding: chunked", "2\r\nfo\r\n3\r\nu"),
    ] {
        let mut client = world.connect();
        client.send(small(length) + body);
        let answer = client.receive();
        assert_eq!((answer.status, answer.text()), (201, "that is too much"), "{length}");
        assert_eq!(answer.header("connection"), Some("close"), "{length}");
        client.finish();
        client.expect_end();
    }
    let mut other = world.connect();
    other.send("POST /echo/any HTTP/1.1\r\nContent-Length: 5\r\n\r\nfiver");
    assert!(other.receive().text().ends_with("body=\"fiver\""));
    world.assert_serves();
}

#[test]
fn the_site_learns_where_a_request_came_from() {
    let world = world();
    let (mut one, mut other) = (world.connect(), world.connect());
    for client in [&mut one, &mut other] {
        client.send("GET /echo/peer HTTP/1.1\r\n\r\n");
        assert_eq!(client.receive().text(), client.address().to_string());
    }
}

#[test]
fn requests_that_come_together_are_answered_in_order() {
    let world = world();
    let mut client = world.connect();
    client.send("GET /echo/1 HTTP/1.1\r\n\r\nGET /echo/2 HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert!(client.receive().text().starts_with("GET /echo/1 "));
    let last = client.receive();
    assert!(last.text().starts_with("GET /echo/2 "));
    assert_eq!(last.header("connection"), Some("close"));
    client.expect_end();
}

#[test]
fn no_body_is_sent_where_none_belongs() {
    let world = world();
    let mut client = world.connect();
    client.send("HEAD /echo/1 HTTP/1.1\r\n\r\n");
    assert_eq!(client.receive_head().status, 201);
    client.send("GET /echo/none HTTP/1.1\r\n\r\n");
    let none = client.receive_head();
    assert_eq!((none.status, none.header("content-length")), (204, None));
    client.send("GET /echo/2 HTTP/1.1\r\n\r\n");
    assert!(client.receive().text().starts_with("GET /echo/2 "));
}

#[test]
fn a_stream_is_sent_as_it_comes_and_the_connection_goes_on_behind_it() {
    let (sender, receiver) = mpsc::channel(1);
    let world = world_with(vec![receiver]);
    let mut client = world.connect();
    client.send("GET /echo/stream HTTP/1.1\r\n\r\n");
    assert_eq!(client.receive_head().header("transfer-encoding"), Some("chunked"));
    for (data, chunk) in [("one", "3\r\none\r\n"), ("fifteen bytes!!", "f\r\nfifteen bytes!!\r\n")]
    {
        sender.blocking_send(data).unwrap();
        assert_eq!(client.read_up_to(64), chunk.as_bytes());
    }
    drop(sender);
    assert_eq!(client.read_up_to(64), b"0\r\n\r\n");
    client.send("GET /echo/2 HTTP/1.1\r\n\r\n");
    assert!(client.receive().text().starts_with("GET /echo/2 "));
}

#[test]
fn a_stream_for_the_old_version_ends_with_the_connection() {
    let (sender, receiver) = mpsc::channel(1);
    let world = world_with(vec![receiver]);
    let mut client = world.connect();
    client.send("GET /echo/stream HTTP/1.0\r\n\r\n");
    let head = client.receive_head();
    assert_eq!(
        (head.header("transfer-encoding"), head.header("connection")),
        (None, Some("close"))
    );
    sender.blocking_send("one").unwrap();
    assert_eq!(client.read_up_to(64), b"one");
    drop(sender);
    client.expect_end();
}

#[test]
fn a_stream_ends_when_the_client_leaves() {
    let (sender, receiver) = mpsc::channel(1);
    let world = world_with(vec![receiver]);
    let mut client = world.connect();
    client.send("GET /echo/stream HTTP/1.1\r\n\r\n");
    client.receive_head();
    drop(client);
    // The site sees it by the end of its body, without sending anything.
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(sender.closed());
    world.assert_serves();
}

#[test]
fn a_stream_ends_when_the_server_stops() {
    let (sender, receiver) = mpsc::channel(1);
    let mut world = world_with(vec![receiver]);
    let mut client = world.connect();
    client.send("GET /echo/stream HTTP/1.1\r\n\r\n");
    client.receive_head();
    world.tell_to_stop();
    assert_eq!(client.read_up_to(64), b"0\r\n\r\n");
    client.expect_end();
    world.wait();
    drop(sender);
}
