//! Development, and several ways at once.

use std::sync::Arc;

use http::Method;
use monotable_kit::{AnyOf, DevelopmentIdentity, IdentityError, JwtSettings, LocalIssuer};

use super::{ann, authenticate, now};

#[test]
fn nobody_is_believed_in_production() {
    for environment in ["prod", "PROD", " production", "prod-eu"] {
        let refused = DevelopmentIdentity::new(environment).map(drop);
        let expected = IdentityError::Production { environment: environment.to_owned() };
        assert_eq!(refused, Err(expected));
    }
    assert!(DevelopmentIdentity::new("dev").is_ok());
}

#[tokio::test]
async fn in_development_anybody_is_who_they_say() {
    let way = DevelopmentIdentity::new("dev").unwrap();
    let said =
        [("x-user-id", "u1"), ("x-user-email", "ann@example.com"), ("x-user-roles", "admin, ")];
    assert_eq!(authenticate(&way, Method::POST, &said).await, Ok(Some(ann())));
    assert_eq!(authenticate(&way, Method::POST, &said[1..]).await, Ok(None));
    let found = authenticate(&way, Method::POST, &said[..1]).await.unwrap().unwrap();
    assert_eq!((found.email, found.email_verified, found.roles.len()), (None, false, 0));
    for odd in ["", "a#b", "a b"] {
        let refused = authenticate(&way, Method::POST, &[("x-user-id", odd)]).await;
        assert_eq!(refused.unwrap_err().status(), 401, "{odd}");
    }
}

#[tokio::test]
async fn the_first_way_that_knows_or_refuses_decides() {
    let settings = JwtSettings::new("issuer", "audience");
    let issuer = LocalIssuer::new(settings, b"0123456789abcdef0123456789abcdef").unwrap();
    let development = Arc::new(DevelopmentIdentity::new("test").unwrap());
    let ways = AnyOf::new(vec![Arc::new(issuer.authenticator()), development]);
    let token = format!("Bearer {}", issuer.token(&ann(), now()));
    let (good, bad) = (("authorization", token.as_str()), ("authorization", "Bearer x"));
    let other = ("x-user-id", "u2");
    assert_eq!(authenticate(&ways, Method::GET, &[]).await, Ok(None));
    assert_eq!(authenticate(&ways, Method::GET, &[good, other]).await, Ok(Some(ann())));
    assert_eq!(authenticate(&ways, Method::GET, &[other]).await.unwrap().unwrap().id, "u2");
    assert!(authenticate(&ways, Method::GET, &[bad, other]).await.is_err());
}
