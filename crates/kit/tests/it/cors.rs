//! Pages of other origins.

use axum::body::Body;
use http::{Method, Request};
use monotable_kit::Cors;
use serde_json::Value;

use crate::world::{Answer, World};

const APP: &str = "https://app.example.org";

async fn preflight(world: &World, origin: &str) -> Answer {
    let request = Request::builder()
        .method(Method::OPTIONS)
        .uri("/shelf/books")
        .header("origin", origin)
        .header("access-control-request-method", "POST");
    world.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn no_page_may_ask_unless_its_origin_is_named() {
    let world = World::new().await;
    let refused = preflight(&world, APP).await;
    assert_eq!(refused.outcome(), "403 ORIGIN_NOT_ALLOWED");
    assert_eq!(refused.header("access-control-allow-origin"), "");

    let world = World::with(|host| host.cors(Cors::origins([APP]))).await;
    assert_eq!(preflight(&world, "https://app.example.org.evil").await.status, 403);
    // The browser's question comes without a token.
    let allowed = preflight(&world, APP).await;
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.header("access-control-allow-origin"), APP);
    assert_eq!(allowed.header("access-control-allow-methods"), "POST, GET, HEAD");
    assert!(allowed.header("access-control-allow-headers").contains("idempotency-key"));
    assert_eq!(allowed.header("access-control-allow-credentials"), "");
    assert_eq!(allowed.header("vary"), "origin");
}

#[tokio::test]
async fn answers_can_be_read_by_the_pages_that_may_ask() {
    let world = World::with(|host| host.cors(Cors::origins([APP]).with_cookies())).await;
    for path in ["/books", "/nowhere", "/books?limit=x"] {
        let own = world.ask_with(Method::GET, path, Value::Null, &[("origin", APP)]).await;
        assert_eq!(own.header("access-control-allow-origin"), APP, "{path}");
        assert_eq!(own.header("access-control-allow-credentials"), "true", "{path}");
        assert!(own.header("access-control-expose-headers").contains("etag"), "{path}");
        let foreign =
            world.ask_with(Method::GET, path, Value::Null, &[("origin", "https://evil")]).await;
        assert_eq!(foreign.header("access-control-allow-origin"), "", "{path}");
        assert_eq!(foreign.header("vary"), "origin", "{path}");
    }
}
