//! Signing in by e-mail, sessions, and requests of other sites.

use std::sync::{Arc, Mutex};

use http::Method;
use monotable_kit::outbox::{Letter, MailError, Mailer};
use monotable_testkit::service::Response;
use serde_json::{Value, json};

use crate::world::{Setup as _, World, done};

/// The origin of the test's host.
const ORIGIN: &str = "http://127.0.0.1:8000";

/// Keeps e-mails.
#[derive(Default)]
struct Letters(Mutex<Vec<Letter>>);

impl Mailer for Letters {
    fn deliver<'a>(
        &'a self,
        letter: &'a Letter,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), MailError>> + Send + 'a>> {
        self.0.lock().unwrap().push(letter.clone());
        Box::pin(std::future::ready(Ok(())))
    }
}

impl Letters {
    /// The token in the last link.
    fn token(&self) -> String {
        let letters = self.0.lock().unwrap();
        let text = &letters.last().unwrap().text;
        let link = text.split_whitespace().find(|word| word.starts_with("http")).unwrap();
        link.rsplit('/').next().unwrap().to_owned()
    }
}

async fn mailing() -> (World, Arc<Letters>) {
    let letters = Arc::new(Letters::default());
    let world = World::league().await;
    (world.process_with_mailer(Arc::clone(&letters) as _).await, letters)
}

async fn start(world: &World, email: &str) -> Response {
    world.post("", "/v1/auth/magic/start", json!({ "email": email })).await
}

async fn complete(world: &World, token: &str) -> Response {
    world.post("", "/v1/auth/magic/complete", json!({ "token": token })).await
}

/// The `Cookie` header after a response, and the token of its session.
fn cookie(response: &Response) -> (String, String) {
    let cookies = response.headers.get_all("set-cookie").iter();
    let pairs = cookies.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap());
    let cookie = pairs.collect::<Vec<_>>().join("; ");
    (cookie, response.json()["csrfToken"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_link_signs_in_once_and_the_session_ends_after_a_day() {
    let (world, letters) = mailing().await;
    assert_eq!(start(&world, " Zoe@Example.org ").await.status, 202);
    let token = letters.token();
    let signed_in = complete(&world, &token).await;
    let session = done(signed_in.clone(), 200);
    assert_eq!(session["email"], "zoe@example.org");
    let set: Vec<_> = signed_in.headers.get_all("set-cookie").iter().collect();
    let set = set[0].to_str().unwrap();
    assert!(set.starts_with("threefc_session=") && set.contains("HttpOnly; SameSite=Lax"), "{set}");
    let (cookie, _) = cookie(&signed_in);
    let headers = [("cookie", cookie.as_str())];
    let own = world.request("", Method::GET, "/v1/auth/session", Value::Null, &headers).await;
    assert_eq!(done(own, 200)["userId"], session["userId"]);
    // A link works once; a used, an expired and an invented one get the same response.
    let used = complete(&world, &token).await;
    assert_eq!(used.outcome(), "400 invalid_or_expired_magic_link");
    start(&world, "zoe@example.org").await;
    world.clock.advance_ms(15 * 60 * 1000);
    let expired = complete(&world, &letters.token()).await;
    let invented = complete(&world, "no.ticket").await;
    assert_eq!((expired.status, &expired.text), (used.status, &used.text));
    assert_eq!((invented.status, &invented.text), (used.status, &used.text));
    world.clock.advance_ms(24 * 60 * 60 * 1000);
    let over = world.request("", Method::GET, "/v1/auth/session", Value::Null, &headers).await;
    assert_eq!(over.outcome(), "401 unauthorized");
}

#[tokio::test]
async fn links_are_the_same_for_all_addresses_and_limited() {
    let (world, _) = mailing().await;
    let (known, unknown) =
        (start(&world, "ann@example.org").await, start(&world, "new@example.org").await);
    assert_eq!((known.status, &known.text), (unknown.status, &unknown.text));
    assert_eq!(start(&world, "no address").await.outcome(), "400 invalid_email");
    for _ in 0..4 {
        assert_eq!(start(&world, "new@example.org").await.status, 202);
    }
    let limited = start(&world, "NEW@example.org").await;
    assert_eq!(limited.status, 429);
    assert!(!limited.header("retry-after").is_empty());
}

/// A request without an `Origin` passed as one of the service's own pages.
#[tokio::test]
async fn tf_d15_a_session_alone_changes_nothing() {
    let (world, letters) = mailing().await;
    start(&world, "zoe@example.org").await;
    let (cookie, csrf) = cookie(&complete(&world, &letters.token()).await);
    let create = |headers: Vec<(&'static str, String)>| {
        let (world, cookie) = (&world, cookie.clone());
        async move {
            let mut sent = vec![("cookie", cookie.as_str())];
            sent.extend(headers.iter().map(|(name, value)| (*name, value.as_str())));
            let body = json!({ "name": "Three" });
            world.request("", Method::POST, "/v1/leagues", body, &sent).await.outcome()
        }
    };
    assert_eq!(create(vec![]).await, "403 forbidden_origin");
    for origin in ["https://evil.example", "null", "http://127.0.0.1:8001"] {
        assert_eq!(create(vec![("origin", origin.to_owned())]).await, "403 forbidden_origin");
    }
    let wrong = vec![("x-csrf-token", "00".to_owned())];
    assert_eq!(create(wrong).await, "403 forbidden_origin");
    assert_eq!(create(vec![("origin", ORIGIN.to_owned())]).await, "201 -");
    assert_eq!(create(vec![("x-csrf-token", csrf)]).await, "201 -");
}

/// Login sessions had the type of match days.
#[tokio::test]
async fn tf_d16_sessions_of_sign_in_are_no_match_days() {
    let (world, letters) = mailing().await;
    start(&world, "zoe@example.org").await;
    complete(&world, &letters.token()).await;
    let rows = world.rows();
    let types: Vec<_> = rows
        .iter()
        .filter(|row| row["pk"].as_s().unwrap().starts_with("AUTH_"))
        .map(|row| row["entityType"].as_s().unwrap())
        .collect();
    assert!(!types.is_empty() && types.iter().all(|name| *name == "auth"), "{types:?}");
    // Rows of older programs with that type are neither listed nor in the way of the backfill.
    world.put_rows([monotable::item! {
        "pk" => "AUTH_SESSION#old", "sk" => "METADATA", "entityType" => "session",
        "createdAt" => "2026-02-23T09:00:00.000Z", "updatedAt" => "2026-02-23T09:00:00.000Z",
        "data" => r#"{"sessionId":"old","email":"ann@example.org"}"#,
    }]);
    let report: Value = serde_json::from_str(&world.running.backfill().await.unwrap()).unwrap();
    assert!(report["conflicts"][0]["reason"].as_str().unwrap().contains("AUTH_SESSION#old"));
    assert_eq!(report["conflicts"].as_array().unwrap().len(), 1);
    let sessions = done(world.get("ann", "/v1/seasons/s1/sessions").await, 200);
    assert_eq!(sessions["sessions"].as_array().unwrap().len(), 1);
}

/// Links, sessions and records stay in the table for ever.
#[tokio::test]
async fn tf_d17_expired_rows_are_removed_and_never_trusted() {
    let (world, letters) = mailing().await;
    start(&world, "zoe@example.org").await;
    complete(&world, &letters.token()).await;
    start(&world, "zoe@example.org").await;
    let count = |world: &World| {
        let rows = world.rows();
        rows.iter().filter(|row| row.contains_key("ttlEpoch")).count()
    };
    let before = count(&world);
    world.clock.advance_ms(24 * 60 * 60 * 1000);
    assert_eq!(count(&world), before, "they are there still");
    assert_eq!(complete(&world, &letters.token()).await.status, 400);
    assert_eq!((world.app.sweep().await.unwrap(), count(&world)), (before, 0));
}

#[tokio::test]
async fn signing_out_ends_the_session() {
    let (world, letters) = mailing().await;
    start(&world, "zoe@example.org").await;
    let (cookie, csrf) = cookie(&complete(&world, &letters.token()).await);
    let headers = [("cookie", cookie.as_str()), ("x-csrf-token", csrf.as_str())];
    let out = world.request("", Method::DELETE, "/v1/auth/session", Value::Null, &headers).await;
    assert_eq!(out.status, 204);
    let over = world.request("", Method::GET, "/v1/auth/session", Value::Null, &headers).await;
    assert_eq!(over.outcome(), "401 unauthorized");
}

#[tokio::test]
async fn a_deleted_account_ends_its_sessions_and_frees_its_address() {
    let (world, letters) = mailing().await;
    start(&world, "new@example.org").await;
    let first = complete(&world, &letters.token()).await;
    let (cookie, csrf) = cookie(&first);
    let headers = [("cookie", cookie.as_str()), ("x-csrf-token", csrf.as_str())];
    let deleted = world.request("", Method::DELETE, "/v1/me", Value::Null, &headers).await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    let over = world.request("", Method::GET, "/v1/auth/session", Value::Null, &headers).await;
    assert_eq!(over.outcome(), "401 unauthorized");
    start(&world, "new@example.org").await;
    let second = done(complete(&world, &letters.token()).await, 200);
    assert_ne!(second["userId"], first.json()["userId"], "a new account");
}
