//! Razorpay, simulated by a server that uses its JSON.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::HeaderMap;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use tower::ServiceExt as _;

use super::*;
use monotable_kit::payment_gateway::wire::ErrorEntity;
use monotable_kit::payment_gateway::{
    Attempt, GatewayPaymentStatus, OrderStatus, Price, RefundStatus, Simulator,
};

/// What the server does with the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    /// It closes the connection before the request has an effect.
    Before(u16),
    /// The request has its effect, and this is the response.
    After(u16),
}

#[derive(Clone)]
struct Server {
    simulator: Arc<Simulator>,
    troubles: Arc<Mutex<VecDeque<Trouble>>>,
    heads: Arc<Mutex<Vec<(String, HeaderMap)>>>,
    url: String,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            simulator: Arc::new(Simulator::new([5; 32])),
            troubles: Arc::default(),
            heads: Arc::default(),
            url: format!("http://{}", listener.local_addr().unwrap()),
        };
        let router = Router::new()
            .route("/v1/orders", post(create).get(find))
            .route("/v1/orders/{order_id}", get(order))
            .route("/v1/orders/{order_id}/payments", get(payments))
            .route("/v1/payments/{payment_id}/refund", post(refund))
            .layer(from_fn_with_state(server.clone(), trouble))
            .with_state(server.clone());
        let runtime = tokio::runtime::Handle::current();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = received(&mut stream);
                let (status, body) = runtime.block_on(async {
                    let Ok(response) = router.clone().oneshot(request).await;
                    let status = response.status();
                    (status, to_bytes(response.into_body(), usize::MAX).await.unwrap())
                });
                let length = body.len();
                write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {length}\r\n").unwrap();
                stream.write_all(b"connection: close\r\n\r\n").unwrap();
                stream.write_all(&body).unwrap();
            }
        });
        server
    }

    fn gateway(&self) -> Razorpay {
        self.gateway_with("key secret")
    }

    fn gateway_with(&self, key_secret: &str) -> Razorpay {
        let secret = |text: &str| RemoteSecret::new(text.replace(' ', "-")).unwrap();
        let settings = RazorpaySettings::new("rzp_test_1", secret(key_secret), secret("hook"));
        let pauses = vec![Duration::ZERO; PAUSES.len()];
        Razorpay::new(RazorpaySettings { base_url: self.url.clone(), pauses, ..settings }).unwrap()
    }

    fn meets(&self, troubles: &[Trouble]) {
        self.troubles.lock().unwrap().extend(troubles);
    }

    fn requests(&self) -> usize {
        self.heads.lock().unwrap().len()
    }
}

/// Receives a whole request: its head and its body.
fn received(stream: &mut TcpStream) -> Request {
    let mut reader = BufReader::new(stream);
    let line = |reader: &mut BufReader<_>| {
        let mut line = String::new();
        BufRead::read_line(reader, &mut line).unwrap();
        line.trim_end().to_owned()
    };
    let first = line(&mut reader);
    let (method, rest) = first.split_once(' ').unwrap();
    let (path, _) = rest.split_once(' ').unwrap();
    let mut request = http::Request::builder().method(method).uri(path);
    let mut length = 0;
    loop {
        let header = line(&mut reader);
        let Some((name, value)) = header.split_once(": ") else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().unwrap();
        }
        request = request.header(name, value);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    request.body(Body::from(body)).unwrap()
}

async fn trouble(State(server): State<Server>, request: Request, next: Next) -> Response {
    let (path, headers) = (request.uri().to_string(), request.headers().clone());
    let is_known = headers.get(AUTHORIZATION).is_some_and(|value| {
        value == &format!("Basic {}", BASE64.encode_to_string("rzp_test_1:key-secret"))
    });
    server.heads.lock().unwrap().push((path, headers));
    if !is_known {
        return refusal(401, "The api key provided is invalid");
    }
    let trouble = server.troubles.lock().unwrap().pop_front();
    match trouble {
        None => next.run(request).await,
        Some(Trouble::Before(status)) => refusal(status, "try again"),
        Some(Trouble::After(status)) => {
            let _ = to_bytes(next.run(request).await.into_body(), usize::MAX).await.unwrap();
            match status {
                200 => Body::from("no JSON").into_response(),
                status => refusal(status, "lost"),
            }
        }
    }
}

fn refusal(status: u16, description: &str) -> Response {
    let error =
        ErrorEntity { code: "BAD_REQUEST_ERROR".to_owned(), description: description.to_owned() };
    let body = serde_json::to_vec(&ErrorBody { error }).unwrap();
    (StatusCode::from_u16(status).unwrap(), body).into_response()
}

fn sent<T, E: Serialize>(done: Result<T, GatewayError>, entity: impl FnOnce(T) -> E) -> Response {
    match done {
        Ok(done) => serde_json::to_vec(&entity(done)).unwrap().into_response(),
        Err(error) => refusal(400, &error.to_string()),
    }
}

async fn create(State(server): State<Server>, body: Bytes) -> Response {
    let OrderRequest { amount, currency, receipt, payment } =
        serde_json::from_slice(&body).unwrap();
    assert_eq!(payment.capture, "automatic");
    let order = NewOrder { price: Price { amount_minor: amount, currency }, receipt };
    sent(server.simulator.create_order(&order).await, |order| OrderEntity::from(&order))
}

#[derive(Deserialize)]
struct Wanted {
    receipt: String,
}

async fn find(State(server): State<Server>, Query(wanted): Query<Wanted>) -> Response {
    sent(server.simulator.orders_of_receipt(&wanted.receipt).await, |orders| Collection {
        items: orders.iter().rev().map(OrderEntity::from).collect(),
    })
}

async fn order(State(server): State<Server>, Path(id): Path<String>) -> Response {
    let state = server.simulator.order(&id.parse().unwrap()).await;
    sent(state, |state| OrderEntity::from(&state.order))
}

async fn payments(State(server): State<Server>, Path(id): Path<String>) -> Response {
    let state = server.simulator.order(&id.parse().unwrap()).await;
    sent(state, |state| Collection {
        items: state.payments.iter().map(PaymentEntity::from).collect(),
    })
}

async fn refund(
    State(server): State<Server>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let RefundRequest { amount } = serde_json::from_slice(&body).unwrap();
    let refund = NewRefund {
        payment_id: id.parse().unwrap(),
        price: Price { amount_minor: amount, currency: "INR".to_owned() },
        key: headers[REFUND_KEY].to_str().unwrap().to_owned(),
    };
    sent(server.simulator.refund(&refund).await, |refund| RefundEntity::from(&refund))
}

fn new_order() -> NewOrder {
    let price = Price { amount_minor: 99_900, currency: "INR".to_owned() };
    NewOrder { price, receipt: "0198+team".to_owned() }
}

async fn paid(server: &Server) -> (OrderId, NewRefund) {
    let order = server.gateway().create_order(&new_order()).await.unwrap();
    let payment = server.simulator.attempt(&order.order_id, Attempt::Succeeds).unwrap();
    let key = payment.payment_id.to_string();
    (order.order_id, NewRefund { payment_id: payment.payment_id, price: payment.price, key })
}

#[tokio::test]
async fn an_order_is_created_found_paid_and_refunded() {
    let server = Server::start();
    let gateway = server.gateway();
    let order = gateway.create_order(&new_order()).await.unwrap();
    assert_eq!((order.status, order.price), (OrderStatus::Created, new_order().price));
    let second = gateway.create_order(&new_order()).await.unwrap();
    let found = gateway.orders_of_receipt(&new_order().receipt).await.unwrap();
    let ids: Vec<_> = found.into_iter().map(|order| order.order_id).collect();
    assert_eq!(ids, [order.order_id.clone(), second.order_id]);
    assert_eq!(gateway.orders_of_receipt("another").await.unwrap(), []);

    server.simulator.attempt(&order.order_id, Attempt::Fails).unwrap();
    let payment = server.simulator.attempt(&order.order_id, Attempt::Succeeds).unwrap();
    let state = gateway.order(&order.order_id).await.unwrap();
    assert_eq!(state.order.status, OrderStatus::Paid);
    assert_eq!(state.payments[0].status, GatewayPaymentStatus::Failed);
    assert!(state.payments[0].failure_reason.is_some());
    assert_eq!(state.payments[1], payment);

    let refund = NewRefund {
        key: payment.payment_id.to_string(),
        payment_id: payment.payment_id,
        price: payment.price,
    };
    let made = gateway.refund(&refund).await.unwrap();
    assert_eq!(made.status, RefundStatus::Processed);
    assert_eq!(gateway.refund(&refund).await.unwrap(), made);
    let state = gateway.order(&order.order_id).await.unwrap();
    assert_eq!(state.order.status, OrderStatus::Paid);
    assert_eq!(state.payments[1].status, GatewayPaymentStatus::Refunded);
}

#[tokio::test]
async fn an_order_that_may_exist_is_not_created_again() {
    for trouble in [Trouble::After(500), Trouble::After(200), Trouble::After(409)] {
        let server = Server::start();
        server.meets(&[trouble]);
        let error = server.gateway().create_order(&new_order()).await.unwrap_err();
        assert!(matches!(error, GatewayError::Unknown(_)), "{error}");
        assert_eq!(server.simulator.orders().len(), 1, "{trouble:?}");
    }
}

#[tokio::test]
async fn an_order_that_does_not_exist_is_tried_again() {
    let server = Server::start();
    server.meets(&[Trouble::Before(429), Trouble::Before(429)]);
    server.gateway().create_order(&new_order()).await.unwrap();
    assert_eq!((server.requests(), server.simulator.orders().len()), (3, 1));
    server.meets(&[Trouble::Before(429); 3]);
    let error = server.gateway().create_order(&new_order()).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unreachable(_)), "{error}");
    assert_eq!(server.simulator.orders().len(), 1);
}

#[tokio::test]
async fn reads_and_refunds_are_repeated_until_they_are_answered() {
    let server = Server::start();
    let (order_id, refund) = paid(&server).await;
    let gateway = server.gateway();
    server.meets(&[Trouble::Before(502), Trouble::After(200)]);
    gateway.order(&order_id).await.unwrap();
    server.meets(&[Trouble::After(500), Trouble::Before(409)]);
    let made = gateway.refund(&refund).await.unwrap();
    assert_eq!(made.payment_id, refund.payment_id);
    let refunded = server.simulator.orders().remove(0).payments.remove(0);
    assert_eq!(refunded.status, GatewayPaymentStatus::Refunded);
    server.meets(&[Trouble::After(500); 3]);
    let error = gateway.refund(&refund).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unknown(_)), "{error}");
}

#[tokio::test]
async fn what_the_gateway_refuses_is_not_repeated() {
    let server = Server::start();
    let (_, refund) = paid(&server).await;
    let gateway = server.gateway();
    gateway.refund(&refund).await.unwrap();
    let before = server.requests();
    let again = NewRefund { key: "another-key".to_owned(), ..refund };
    let error = gateway.refund(&again).await.unwrap_err();
    assert!(matches!(error, GatewayError::Refused(_)), "{error}");
    assert_eq!(server.requests(), before + 1);
    let unknown = "order_unknown".parse().unwrap();
    assert!(matches!(gateway.order(&unknown).await, Err(GatewayError::Refused(_))));
}

#[tokio::test]
async fn a_key_that_is_not_accepted_is_reported_without_it() {
    let server = Server::start();
    let error = server.gateway_with("s3cret").create_order(&new_order()).await.unwrap_err();
    assert!(!matches!(error, GatewayError::Unknown(_)));
    let text = error.to_string();
    assert!(text.contains("does not accept the API key: 401"), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
    let settings = RazorpaySettings::new(
        "rzp_test_1",
        RemoteSecret::new("s3cret").unwrap(),
        RemoteSecret::new("h00k").unwrap(),
    );
    let shown = format!("{settings:?}");
    assert!(!shown.contains("s3cret") && !shown.contains("h00k"), "{shown}");
}

#[tokio::test]
async fn nobody_there_means_nothing_happened() {
    let server = Server::start();
    let mut gateway = server.gateway();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    gateway.remote = Remote::new(RemoteSettings {
        base_url: format!("http://{nobody}"),
        time_max: TIME_MAX,
        wait_max: WAIT_MAX,
        calls_max: 1,
        response_bytes_max: 1_000,
    })
    .unwrap();
    let error = gateway.create_order(&new_order()).await.unwrap_err();
    assert!(matches!(error, GatewayError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn the_checkout_is_a_form_without_secrets() {
    let server = Server::start();
    let order_id = "order_1".parse().unwrap();
    let checkout = server.gateway().checkout(&CheckoutRequest {
        order_id: &order_id,
        price: &new_order().price,
        payee: "CodeKurukshetra",
        description: "Team Kites",
        email: Some("ann@example.org"),
        callback_url: "https://hack.example/back",
        cancel_url: "https://hack.example/cancel",
        simulated_url: "",
    });
    assert_eq!(checkout.action, format!("{}/v1/checkout/embedded", server.url));
    assert_eq!((checkout.method.as_str(), checkout.origin.as_ref()), ("post", Some(&server.url)));
    let field = |wanted: &str| {
        let field = checkout.fields.iter().find(|(name, _)| *name == wanted);
        field.map(|(_, value)| value.as_str())
    };
    assert_eq!(field("order_id"), Some("order_1"));
    assert_eq!(field("amount"), Some("99900"));
    assert_eq!(field("prefill[email]"), Some("ann@example.org"));
    assert_eq!(field("callback_url"), Some("https://hack.example/back"));
    assert!(checkout.fields.iter().all(|(_, value)| !value.contains("secret")));
}
