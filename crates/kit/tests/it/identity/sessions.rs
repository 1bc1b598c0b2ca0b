//! Opaque tokens: as bearer tokens, and in cookies with a token against foreign sites.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use monotable_kit::{
    FindingSession, IdentityError, OpaqueTokens, Secret, Session, SessionStore, Sessions,
    SystemRandomness,
};

use super::{ann, authenticate, head, now};

const SECRET: &[u8] = b"0123456789abcdef0123456789abcdef";

/// Knows one session, and finds it whatever is asked: comparing is not its duty.
struct One(Session);

impl SessionStore for One {
    fn find<'a>(&'a self, _token_hash: &'a str) -> FindingSession<'a> {
        Box::pin(std::future::ready(Ok(Some(self.0.clone()))))
    }
}

/// Knows nobody.
struct Nobody;

impl SessionStore for Nobody {
    fn find<'a>(&'a self, _token_hash: &'a str) -> FindingSession<'a> {
        Box::pin(std::future::ready(Ok(None)))
    }
}

fn store(token: &Secret, lifetime: Duration) -> Arc<dyn SessionStore> {
    let expires_at = now() + lifetime;
    Arc::new(One(Session { principal: ann(), token_hash: token.hash(), expires_at }))
}

const HOUR: Duration = Duration::from_secs(3_600);

#[tokio::test]
async fn an_opaque_token_is_good_until_it_expires() {
    let (token, other) = (Secret::generate(&SystemRandomness), Secret::generate(&SystemRandomness));
    let tokens = OpaqueTokens::new(store(&token, HOUR));
    let ask = |tokens: OpaqueTokens, shown: String| async move {
        let value = format!("Bearer {shown}");
        authenticate(&tokens, Method::POST, &[("authorization", value.as_str())]).await
    };
    assert_eq!(authenticate(&tokens, Method::POST, &[]).await, Ok(None));
    assert_eq!(ask(tokens, token.reveal().to_owned()).await, Ok(Some(ann())));
    for (store, shown) in [
        (store(&token, HOUR), other.reveal()),
        (store(&token, HOUR), "short"),
        (store(&token, HOUR), token.hash().as_str()),
        (store(&token, Duration::ZERO), token.reveal()),
        (Arc::new(Nobody), token.reveal()),
    ] {
        let refused = ask(OpaqueTokens::new(store), shown.to_owned()).await;
        assert_eq!(refused.unwrap_err().status(), 401);
    }
}

/// `name=value` of a `Set-Cookie` header.
fn pair(header: &http::HeaderValue) -> String {
    header.to_str().unwrap().split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_session_reads_by_its_cookie_and_writes_with_its_token() {
    let token = Secret::generate(&SystemRandomness);
    let sessions = Sessions::new(store(&token, HOUR), SECRET).unwrap();
    let [session, csrf] = sessions.cookies(&token, HOUR);
    let cookies = format!("theme=dark; {}; {}", pair(&session), pair(&csrf));
    let csrf_pair = pair(&csrf);
    let csrf = csrf_pair.split_once('=').unwrap().1;
    let cookie = ("cookie", cookies.as_str());

    for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
        assert_eq!(authenticate(&sessions, method, &[cookie]).await, Ok(Some(ann())));
    }
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::TRACE] {
        let good = authenticate(&sessions, method.clone(), &[cookie, ("x-csrf-token", csrf)]).await;
        assert_eq!(good, Ok(Some(ann())));
        // The cookie alone, which a foreign site can make a browser send.
        let problem = authenticate(&sessions, method, &[cookie]).await.unwrap_err();
        assert_eq!((problem.status(), problem.code), (403, "CSRF_TOKEN_WRONG"));
    }
}

#[tokio::test]
async fn the_token_against_foreign_sites_is_that_of_the_session() {
    let (token, other) = (Secret::generate(&SystemRandomness), Secret::generate(&SystemRandomness));
    let sessions = Sessions::new(store(&token, HOUR), SECRET).unwrap();
    let foreign_key = Sessions::new(store(&token, HOUR), &[7; 32]).unwrap();
    let [session, csrf] = sessions.cookies(&token, HOUR);
    let (cookie, good) = (pair(&session), pair(&csrf));
    let good = good.split_once('=').unwrap().1;
    for wrong in [
        pair(&sessions.cookies(&other, HOUR)[1]).split_once('=').unwrap().1,
        pair(&foreign_key.cookies(&token, HOUR)[1]).split_once('=').unwrap().1,
        token.reveal(),
        &good[1..],
        "",
    ] {
        let headers = [("cookie", cookie.as_str()), ("x-csrf-token", wrong)];
        let refused = authenticate(&sessions, Method::POST, &headers).await;
        assert_eq!(refused.unwrap_err().code, "CSRF_TOKEN_WRONG", "{wrong}");
    }
}

#[tokio::test]
async fn a_cookie_that_proves_nothing_is_nobody() {
    let (token, other) = (Secret::generate(&SystemRandomness), Secret::generate(&SystemRandomness));
    let good = format!("__Host-session={}", token.reveal());
    for (store, cookies) in [
        (store(&token, HOUR), vec![]),
        (store(&token, HOUR), vec!["__Host-session=x".to_owned()]),
        (store(&token, HOUR), vec![format!("session={}", token.reveal())]),
        (store(&token, HOUR), vec![format!("__Host-session={}", other.reveal())]),
        (store(&token, HOUR), vec![good.clone(), good.clone()]),
        (store(&token, Duration::ZERO), vec![good.clone()]),
        (Arc::new(Nobody), vec![good]),
    ] {
        let sessions = Sessions::new(store, SECRET).unwrap();
        let headers: Vec<_> = cookies.iter().map(|cookie| ("cookie", cookie.as_str())).collect();
        // No 401 and no 403, so that somebody with an old cookie can sign in.
        assert_eq!(authenticate(&sessions, Method::POST, &headers).await, Ok(None), "{cookies:?}");
    }
}

#[test]
fn cookies_can_be_read_by_nobody_else() {
    let token = Secret::parse(&"A".repeat(43)).unwrap();
    let sessions = Sessions::new(Arc::new(Nobody), SECRET).unwrap();
    let [session, csrf] = sessions.cookies(&token, HOUR);
    assert_eq!(
        session,
        "__Host-session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=3600"
    );
    let csrf = csrf.to_str().unwrap();
    assert!(csrf.starts_with("__Host-csrf="));
    assert!(csrf.ends_with("; Path=/; Secure; SameSite=Strict; Max-Age=3600"));
    assert!(!csrf.contains(token.reveal()));
    for header in Sessions::no_cookies() {
        let text = header.to_str().unwrap();
        assert!(text.contains("=; Path=/; Secure;") && text.ends_with("; Max-Age=0"), "{text}");
    }
    let asked = head(Method::POST, &[("cookie", session.to_str().unwrap())]);
    assert_eq!(Sessions::token_of(&asked).unwrap().hash(), token.hash());
    let short = Sessions::new(Arc::new(Nobody), &[0; 31]).map(drop);
    assert_eq!(short, Err(IdentityError::SecretTooShort { bytes: 31 }));
}
