//! Callers that share a service: no one of them keeps the others out.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use http::{Method, Request};
use monotable_kit::{Rate, Throttle, ThrottleSettings};
use serde_json::Value;

use crate::world::World;

const FEW: ThrottleSettings = ThrottleSettings {
    everybody: Rate { per_second: 1_000, burst: 500 },
    requests_of_one: Rate { per_second: 10, burst: 10 },
    writes_of_one: Rate { per_second: 10, burst: 10 },
    callers_max: 1_000,
};

/// Sends an anonymous request from a peer and returns the response.
async fn read(world: &World, peer: &str, headers: &[(&str, &str)]) -> u16 {
    let peer: SocketAddr = format!("{peer}:4711").parse().unwrap();
    let mut request = Request::builder().uri("/shelf/books").extension(peer);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    world.send(request.body(Body::empty()).unwrap()).await.status
}

/// Reads until it is refused.
async fn flood(world: &World, peer: &str, headers: &[(&str, &str)]) {
    for _ in 0..100 {
        if read(world, peer, headers).await == 429 {
            return;
        }
    }
    panic!("{peer} is never refused");
}

#[tokio::test(start_paused = true)]
async fn one_anonymous_address_does_not_keep_others_out() {
    let world = World::with(|host| host.throttle(Throttle::new(FEW))).await;
    flood(&world, "192.0.2.1", &[]).await;
    for number in 2..62 {
        assert_eq!(read(&world, &format!("192.0.2.{number}"), &[]).await, 200, "{number}");
    }
    // Neither those that are known, wherever they are, nor does one of them.
    let ada = [("authorization", "Bearer ada")];
    flood(&world, "192.0.2.1", &ada).await;
    assert_eq!(read(&world, "192.0.2.200", &ada).await, 429);
    assert_eq!(read(&world, "192.0.2.1", &[("authorization", "Bearer bob")]).await, 200);
}

#[tokio::test(start_paused = true)]
async fn a_wall_clock_that_is_set_back_keeps_nobody_out() {
    let world = World::with(|host| host.throttle(Throttle::new(FEW))).await;
    flood(&world, "192.0.2.1", &[]).await;
    world.clock.set_ms(1_799_996_400_000);
    assert_eq!(read(&world, "192.0.2.1", &[]).await, 429);
    tokio::time::advance(Duration::from_secs(1)).await;
    for _ in 0..10 {
        assert_eq!(read(&world, "192.0.2.1", &[]).await, 200);
    }
}

#[tokio::test(start_paused = true)]
async fn clients_behind_a_trusted_proxy_are_told_apart() {
    let proxies = ["10.0.0.0/8".parse().unwrap()];
    let world =
        World::with(|host| host.throttle(Throttle::new(FEW)).trusted_proxies(proxies)).await;
    flood(&world, "10.0.0.1", &[("x-forwarded-for", "203.0.113.1")]).await;
    assert_eq!(read(&world, "10.0.0.1", &[("x-forwarded-for", "203.0.113.2")]).await, 200);
    // A client can't be somebody else by what it writes before the proxy does.
    let made_up = [("x-forwarded-for", "198.51.100.1, 203.0.113.1")];
    assert_eq!(read(&world, "10.0.0.1", &made_up).await, 429);
    // Elsewhere the header says nothing.
    flood(&world, "192.0.2.1", &[("x-forwarded-for", "203.0.113.3")]).await;
    assert_eq!(read(&world, "192.0.2.1", &[("x-forwarded-for", "203.0.113.4")]).await, 429);
}

#[tokio::test(start_paused = true)]
async fn health_is_never_limited() {
    let world = World::with(|host| host.throttle(Throttle::new(FEW))).await;
    for _ in 0..20 {
        world.request(Method::GET, "/books", Value::Null).await;
    }
    assert_eq!(world.request(Method::GET, "/books", Value::Null).await.status, 429);
    for _ in 0..600 {
        for path in ["/health", "/ready"] {
            assert_eq!(world.request(Method::GET, path, Value::Null).await.status, 200, "{path}");
        }
    }
}
