//! A site next to DynamoDB's API: the requests that it gets, and the responses that it returns.

mod start_page;

use std::io::{self, Read as _, Write as _};
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Request, Response};
use http_body::{Body, Frame, SizeHint};
use monotable_engine::Database;
use monotable_metrics::{Kind, Page};
use monotable_server::{
    Audience, Config, Limits, Reach, Refusal, Site, SiteBody, SitePath, SiteReply, Upload,
};
use tokio::sync::mpsc;

use crate::client::Client;
use crate::fixture::{GET_THERE, THERE, World, config, request};

/// Says what it was asked, or streams what the test sends.
struct Echo {
    /// Who can reach the start page.
    start: Reach,
    streams: std::sync::Mutex<Vec<mpsc::Receiver<&'static str>>>,
}

impl Site for Echo {
    fn find(&self, path: &str) -> Option<SitePath> {
        if ["/", "/style"].contains(&path) {
            return Some(SitePath { body_bytes_max: 0, reach: self.start, is_start: true });
        }
        let body_bytes_max = match path {
            "/echo/small" => 4,
            "/echo/medium" => 50,
            _ => usize::MAX,
        };
        let reach = match path {
            "/echo/local" => Reach::Local,
            _ => Reach::Anyone,
        };
        path.starts_with("/echo").then_some(SitePath { body_bytes_max, reach, is_start: false })
    }

    fn call(&self, request: Request<Upload>) -> SiteReply {
        let stream = ["/echo/stream", "/echo/text"]
            .contains(&request.uri().path())
            .then(|| self.streams.lock().unwrap().pop().unwrap());
        Box::pin(async move {
            let status = match request.uri().path() {
                "/echo/none" => 204,
                "/echo/unchanged" => 304,
                _ => 201,
            };
            let content_type = match request.uri().path() {
                "/echo/image" => "image/png",
                "/echo/stream" => "text/event-stream",
                _ => "text/plain",
            };
            let body: SiteBody = match stream {
                Some(receiver) => Box::pin(Streamed(receiver)),
                None => Box::pin(Whole(Some(told(&request)))),
            };
            Response::builder()
                .status(status)
                .header("x-site", "yes")
                .header("content-type", content_type)
                .header("content-length", "99999")
                .body(body)
                .unwrap()
        })
    }

    fn refuse(&self, path: &str, refusal: Refusal) -> SiteReply {
        let text = format!("{refusal:?} {}", &path[..path.len().min(11)]);
        let body: SiteBody = Box::pin(Whole(Some(text.into())));
        Box::pin(async move { Response::builder().status(refusal.status()).body(body).unwrap() })
    }

    fn write_metrics(&self, page: &mut Page) {
        page.metric("echo_total", Kind::Counter, "Echoes.").value(&[("service", "echo")], 7);
    }
}

fn told(request: &Request<Upload>) -> Bytes {
    let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap());
    if request.uri().path() == "/echo/peer" {
        return Bytes::from(request.extensions().get::<SocketAddr>().unwrap().to_string());
    }
    if ["/", "/style"].contains(&request.uri().path()) {
        return Bytes::from(format!("{:?}", request.extensions().get::<Audience>().unwrap()));
    }
    if request.uri().path() == "/echo/scheme" {
        let scheme = request.extensions().get::<http::uri::Scheme>();
        return Bytes::from(scheme.map_or("none", |scheme| scheme.as_str()).to_owned());
    }
    if ["/echo/large", "/echo/image"].contains(&request.uri().path()) {
        return Bytes::from("large ".repeat(1_000));
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
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        Poll::Ready(self.0.take().map(|data| Ok(Frame::data(data))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, |data| data.len() as u64))
    }
}

struct Streamed(mpsc::Receiver<&'static str>);

/// Lets a stream fail.
const BREAK: &str = "(break)";

impl Body for Streamed {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.0.poll_recv(context).map(|data| {
            Some(match data? {
                BREAK => Err(io::Error::other("the rest can't be made")),
                data => Ok(Frame::data(Bytes::from_static(data.as_bytes()))),
            })
        })
    }
}

fn world() -> World {
    world_with(Vec::new())
}

fn world_with(streams: Vec<mpsc::Receiver<&'static str>>) -> World {
    World::with_site(config(), Database::memory(), Some(echo(streams)))
}

/// A site that streams what comes from these, the last one first.
pub(crate) fn echo(streams: Vec<mpsc::Receiver<&'static str>>) -> impl Site {
    Echo { start: Reach::Anyone, streams: std::sync::Mutex::new(streams) }
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
    client.send("GET /echo/unchanged HTTP/1.1\r\n\r\n");
    let unchanged = client.receive_head();
    assert_eq!((unchanged.status, unchanged.header("vary")), (304, Some("accept-encoding")));
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

/// Without its end, clients know that something is missing.
#[test]
fn a_text_that_breaks_off_has_no_end() {
    let (sender, receiver) = mpsc::channel(1);
    let (rest, stopped) = mpsc::channel(1);
    let mut world = world_with(vec![stopped, receiver]);
    let mut client = world.connect();
    client.send("GET /echo/text HTTP/1.1\r\n\r\n");
    client.receive_head();
    sender.blocking_send("one").unwrap();
    assert_eq!(client.read_up_to(64), b"3\r\none\r\n");
    sender.blocking_send(BREAK).unwrap();
    client.expect_end();
    let mut client = world.connect();
    client.send("GET /echo/text HTTP/1.1\r\n\r\n");
    client.receive_head();
    world.tell_to_stop();
    client.expect_end();
    world.wait();
    drop(rest);
}

/// The status of a GET.
fn status(client: &mut Client, path: &str, headers: &str) -> u16 {
    client.send(format!("GET {path} HTTP/1.1\r\n{headers}\r\n"));
    client.receive().status
}

const FORWARDED: &str = "Host: localhost\r\nX-Real-IP: 1.2.3.4\r\n";
const PUBLISHED: &str = "Host: example.com\r\nX-Forwarded-For: 1.2.3.4\r\n";

#[test]
fn the_site_is_reached_through_a_proxy_but_for_what_is_local() {
    let world = world();
    let mut client = world.connect();
    for headers in [FORWARDED, PUBLISHED, "Host: example.com\r\n"] {
        assert_eq!(status(&mut client, "/echo/any", headers), 201, "{headers}");
        assert_eq!(status(&mut client, "/echo/local", headers), 403, "{headers}");
    }
    client.send(format!("GET /echo/local HTTP/1.1\r\n{FORWARDED}\r\n"));
    let answer = client.receive();
    let advice = answer.text();
    assert!(advice.contains("--development-identity") && !advice.contains("--credentials"));
    assert_eq!(status(&mut client, "/echo/local", "Host: [::1]\r\n"), 201);
}

#[test]
fn the_site_adds_its_metrics_to_those_of_the_server() {
    let world = world();
    let mut client = world.connect();
    client.send("GET /metrics HTTP/1.1\r\n\r\n");
    let answer = client.receive();
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let text = answer.text();
    assert!(text.contains("\nmonotable_requests_refused_total 0\n"), "{text}");
    assert!(text.ends_with("\necho_total{service=\"echo\"} 7\n"), "{text}");
    // They are as closed as the server's own.
    assert_eq!(status(&mut client, "/metrics", FORWARDED), 403);
}

#[test]
fn a_fragment_opens_no_path() {
    let world = world();
    for target in ["/echo/local#x", "/echo/local#", "/echo/any#/../local", "/metrics#x"] {
        assert_eq!(status(&mut world.connect(), target, PUBLISHED), 400, "{target}");
    }
    world.assert_serves();
}

#[test]
fn every_address_serves_only_what_it_is_for() {
    let any = Some("127.0.0.1:0".parse().unwrap());
    let config = Config { site_listen: any, metrics_listen: any, ..config() };
    let site = echo(Vec::new());
    let world = World::with_site(config, Database::memory(), Some(site));
    let paths = ["/", "/health", "/metrics", "/echo/any", "/echo/local"];
    for (mut client, headers, expected) in [
        (world.connect(), "", [200, 200, 200, 404, 404]),
        (world.connect_to_site(), "", [404, 404, 404, 201, 201]),
        (world.connect_to_site(), PUBLISHED, [404, 404, 404, 201, 403]),
        (world.connect_to_metrics(), "", [404, 200, 200, 404, 404]),
        // Whoever opens an address for metrics wants them to be read from elsewhere.
        (world.connect_to_metrics(), PUBLISHED, [404, 200, 200, 404, 404]),
    ] {
        let found = paths.map(|path| status(&mut client, path, headers));
        assert_eq!(found, expected, "{headers}");
    }
    for mut client in [world.connect_to_site(), world.connect_to_metrics()] {
        client.send(request("GetItem", GET_THERE));
        assert_eq!(client.receive().status, 404);
    }
    world.assert_serves();
}

#[test]
fn the_site_gets_decoded_bodies_within_its_limits() {
    let world = world();
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let ask = |path: &str, encoding: &str, body: &[u8]| {
        let mut client = world.connect();
        let length = body.len();
        client.send(format!(
            "POST {path} HTTP/1.1\r\nContent-Encoding: {encoding}\r\nContent-Length: {length}\r\n\r\n"
        ));
        client.send(body);
        let answer = client.receive();
        (answer.status, answer.text().to_owned())
    };
    let (status, text) = ask("/echo/any", "gzip", &gzip("hello"));
    assert!(status == 201 && text.ends_with("body=\"hello\""), "{text}");
    // Its limit is that of the decoded body. Here the encoded one is too large itself.
    assert_eq!(ask("/echo/small", "gzip", &gzip("fiver")).1, "that is too much");
    let (status, text) = ask("/echo/medium", "gzip", &gzip(&"x".repeat(51)));
    assert_eq!((status, &*text), (201, "that is too much"));
    let (status, text) = ask("/echo/medium", "gzip", &gzip(&"x".repeat(50)));
    assert!(status == 201 && text.ends_with("xxx\""), "{text}");
    for (encoding, body) in [("br", &b"hello"[..]), ("gzip", b"hello")] {
        assert_eq!(ask("/echo/any", encoding, body).0, 415, "{encoding}");
    }
    world.assert_serves();
}

#[test]
fn the_site_words_the_refusals_of_requests_for_its_paths() {
    let limits = Limits { head_bytes_max: 1_024, ..Limits::default() };
    let any = Some("127.0.0.1:0".parse().unwrap());
    let config = Config { limits, site_listen: any, metrics_listen: any, ..config() };
    let site = echo(Vec::new());
    let world = World::with_site(config, Database::memory(), Some(site));
    let chunked = "POST /echo/any HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (request, expected) in [
        (format!("{chunked}x\r\n"), "Malformed /echo/any"),
        (format!("{chunked}2\r\nabcd\r\n"), "Malformed /echo/any"),
        ("POST /echo/any HTTP/1.1\r\nContent-Length: -1\r\n\r\n".into(), "Malformed /echo/any"),
        ("GET /echo/any HTTP/1.1\r\nno header\r\n\r\n".into(), "Malformed /echo/any"),
        ("GET /echo/any HTTP/9.1\r\n\r\n".into(), "Malformed /echo/any"),
        ("GET /echo/a b HTTP/1.1\r\n\r\n".into(), "Malformed /echo/a"),
        ("GET /echo/<a> HTTP/1.1\r\n\r\n".into(), "Malformed /echo/<a>"),
        ("GET /echo/any#x HTTP/1.1\r\n\r\n".into(), "Malformed /echo/any"),
        (
            "POST /echo/any HTTP/1.1\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n{}".into(),
            "Encoding /echo/any",
        ),
        (
            format!("GET /echo/any HTTP/1.1\r\na: {}\r\n\r\n", "b".repeat(2_000)),
            "HeadTooLarge /echo/any",
        ),
        (format!("GET /echo/{} HTTP/1.1\r\n\r\n", "b".repeat(2_000)), "HeadTooLarge /echo/bbbbb"),
        (
            format!("GET /echo/any HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(150)),
            "HeadTooLarge /echo/any",
        ),
    ] {
        let mut client = world.connect_to_site();
        client.send(&request);
        let answer = client.receive();
        assert_eq!(answer.text(), expected, "{request}");
        assert_eq!(answer.status, if expected.starts_with("Enc") { 415 } else { 400 }, "{request}");
        assert_eq!(answer.header("connection"), Some("close"), "{request}");
        // A client that sends on is not cut off before it has read the response.
        client.finish();
        client.expect_end();
    }
    // Nothing behind a HEAD may be taken for a body.
    let mut client = world.connect_to_site();
    client.send("HEAD /echo/any HTTP/1.1\r\nno header\r\n\r\n");
    assert_eq!(client.receive_head().status, 400);
    client.finish();
    client.expect_end();
    // Where the site is not, and where no path is known, the server refuses in its own form.
    for (mut client, request) in [
        (world.connect(), "GET /echo/any HTTP/9.1\r\n\r\n"),
        (world.connect_to_metrics(), "GET /echo/any HTTP/9.1\r\n\r\n"),
        (world.connect_to_site(), "GET /ech HTTP/9.1\r\n\r\n"),
        (world.connect_to_site(), "\u{1}\u{2}/echo/any"),
        (world.connect_to_site(), "GET\r\n\r\n"),
    ] {
        client.send(request);
        let answer = client.receive();
        let message = r#"{"message":"The request is not well-formed HTTP/1.1."}"#;
        assert_eq!((answer.status, answer.text()), (400, message), "{request}");
    }
    world.assert_serves();
}

#[test]
fn the_sites_text_is_compressed_for_those_who_accept_it() {
    let world = world();
    let mut client = world.connect();
    let mut get = |path: &str, headers: &str| {
        client.send(format!("GET {path} HTTP/1.1\r\n{headers}\r\n"));
        client.receive()
    };
    let large = get("/echo/large", "");
    assert_eq!((large.body.len(), large.header("content-encoding")), (6_000, None));
    // A cache must not give a compressed body to those who want a plain one, nor the other way round.
    assert_eq!(large.header("vary"), Some("accept-encoding"));
    assert_eq!(get("/echo/image", "").header("vary"), None);
    let gzip = get("/echo/large", "Accept-Encoding: gzip, deflate, br\r\n");
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    assert_eq!(gzip.header("vary"), Some("accept-encoding"));
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&*gzip.body).read_to_end(&mut text).unwrap();
    assert_eq!(text, large.body);
    for path in ["/echo/image", "/echo/small"] {
        let answer = get(path, "Accept-Encoding: gzip\r\n");
        assert_eq!(answer.header("content-encoding"), None, "{path}");
    }
}
