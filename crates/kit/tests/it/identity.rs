//! Who a request is from, by every way to say it.

mod jwt;
mod key_set;
mod ways;

use http::request::Parts;
use http::{HeaderName, HeaderValue, Method, Request};
use monotable::prelude::Timestamp;
use monotable_kit::{Authenticator, Principal, Problem};

/// 2027-01-15T08:00:00Z.
fn now() -> Timestamp {
    Timestamp::from_ms(1_800_000_000_000).unwrap()
}

fn head(method: Method, headers: &[(&'static str, &str)]) -> Parts {
    let (mut head, ()) = Request::builder().method(method).body(()).unwrap().into_parts();
    for (name, value) in headers {
        let value = HeaderValue::from_str(value).unwrap();
        head.headers.append(HeaderName::from_static(name), value);
    }
    head
}

async fn authenticate(
    way: &dyn Authenticator,
    method: Method,
    headers: &[(&'static str, &str)],
) -> Result<Option<Principal>, Problem> {
    way.authenticate(&head(method, headers), now()).await
}

fn ann() -> Principal {
    Principal {
        id: "u1".to_owned(),
        email: Some("ann@example.com".to_owned()),
        email_verified: true,
        roles: vec!["admin".to_owned()],
    }
}
